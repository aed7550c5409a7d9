"""Views: the replies to a page's requests, as HTML; whatever comes from the table is text."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from satsuma.app.labelling.answer_list import AnswerFilter, answer_page
from satsuma.app.labelling.exports import EXPORTS, export_groups
from satsuma.app.labelling.guidelines import class_descriptions, guidelines_html
from satsuma.app.labelling.panels import Curve, Panel
from satsuma.app.labelling.progress import Priority, Progress
from satsuma.app.labelling.queues import QUEUES, Question
from satsuma.app.labelling.session import Overview, Session
from satsuma.app.labelling.task import Task
from satsuma.app.refusal import Refusal
from satsuma.app.store.events import request_fields, sent_event
from satsuma.app.store.log import Log
from satsuma.data.columns import spell

#: Characters of a cell that are shown.
LONGEST = 20_000

#: Characters of a search.
SEARCH = 200

#: The keys of the first classes.
DIGITS = "1234567890"


class Views:
    """A session and all that is shown of it, whether HTTP or a notebook carries it there.

    Parameters
    ----------
    task
        What is asked.
    path
        Of the log.
    wording
        How a note on the table is worded, whose remedy is in Python.
    """

    def __init__(self, task: Task, path: Path, wording: Callable[[str], str] = str) -> None:
        self.name = task.table.name or "table"
        self.reading = [wording(each) for each in task.table.notes]
        self.session = Session(task, Log(path))
        self._priority = Priority()
        self.progress = Progress(self.session, self._priority)
        if self.session.state.seq:
            self.progress.wake()

    def whole(self, who: str, *, online: bool) -> str:
        """The view as a whole: a page of its own, or a part of a notebook."""
        parts = self.page(who)
        made = {name: Markup(each) for name, each in parts.items() if isinstance(each, str)}  # noqa: S704 - made by templates
        exports = [(group, [(f"/export/{name}", text) for name, text in links])
                   for group, links in export_groups(self.session)]  # fmt: skip
        return render(
            "page.html" if online else "body.html", who=who, online=online, parts=made,
            state=json.dumps(parts), title=self.name, exports=exports, reading=self.reading,
            guidelines=guidelines_html(self.session.task.guidelines),
            hidden=self.session.task.hidden,
        )  # fmt: skip

    def page(self, who: str) -> dict[str, Any]:
        """What somebody sees who opens the page; without a name, not much."""
        if not who:
            return {"top": "", "question": "", "answers": "", "panel": "", "fresh": True}
        return self._next(who, None)

    def ask(self, who: str, body: bytes) -> dict[str, Any]:
        """The row that somebody has, or the next of a queue."""
        sent = request_fields(body, ("queue", "hide"))
        queue, hide = _queue(sent), sent.get("hide")
        with self._priority:
            if isinstance(hide, bool):
                self.session.hide(who, hide=hide)
            elif hide is not None:
                raise Refusal(422, "To hide the prediction is true or false.")
            return self._next(who, queue)

    def answer(self, who: str, body: bytes) -> dict[str, Any]:
        """Take in an answer; the next question is asked when it is on disk."""
        sent = request_fields(body, ("id", "row", "what", "value", "of", "took", "queue", "kind"))
        queue = _queue({"queue": sent.pop("queue", "question")})
        with self._priority, self.session.current():
            self.session.take(sent_event(who, sent))
            self.progress.wake()
            return self._next(who, queue)

    def panel(self, who: str, queue: str) -> dict[str, Any]:
        """How far the labelling has come."""
        with self.session.lock:
            return self._overview(who, _queue({"queue": queue}), self.session.overview(who))

    def answers(self, who: str, query: Mapping[str, str]) -> dict[str, Any]:
        """The list of all answers, searched and filtered."""
        given = {name: query.get(name, "")[:SEARCH] for name in ("words", "label", "by")}
        page = query.get("page", "0")
        wanted = AnswerFilter(**given, page=int(page) if page.isdecimal() else 0)
        with self.session.current():
            found = answer_page(self.session, who, wanted)
            goals = self.session.strategy.goals
            made = render("answer_list.html", found=found, names=self.session.strategy.names,
                          goals=[goal.name for goal in goals], wanted=wanted)  # fmt: skip
        return {"list": made, "labels": found.labels, "people": found.people}

    def export(self, name: str, path: Path, *, raw: bool) -> None:
        """Write a file; raw is without an apostrophe before what looks like a formula."""
        EXPORTS[name](self.session, path, raw)

    def close(self) -> None:
        """Stop what runs in the background, and close the log."""
        self.progress.stop()
        self.session.close()

    def _next(self, who: str, queue: str | None) -> dict[str, Any]:
        """All that a page shows to somebody, in pieces that change by themselves."""
        session = self.session
        with session.current():
            question = session.ask(who, queue)
            if question is None and queue not in (None, "question"):
                queue, question = "question", session.ask(who)
            if queue is None:  # the page was opened anew: it goes on where it was
                among = question is not None and question.kind == "disagreement"
                queue = "disagreement" if among else "question"
            overview = session.overview(who)
            last = overview.last
            if question is not None and session.hides(who):
                question = question.without_prediction
            return {
                "queue": queue,
                "row": None if question is None else question.key,
                "undo": last and {"id": last.id, "row": last.row, "what": last.what},
                "classes": list(session.strategy.names),
                "hidden": session.hides(who),
                "question": render("question.html", **_question(session.task, question)),
                "answers": render("answers.html", **self._answers(question)),
                "spoken": _spoken(question),
                **self._overview(who, queue, overview),
            }

    def _answers(self, question: Question | None) -> dict[str, Any]:
        names, goals = self.session.strategy.names, self.session.strategy.goals
        keys = [DIGITS[at] if at < len(DIGITS) else "" for at in range(len(names))]
        described = class_descriptions(self.session.task.guidelines, names)
        return {
            "named": [(key, name, described.get(name, ""))
                      for key, name in zip(keys, names, strict=True)],
            "goals": [(goal.name, goal.goal) for goal in goals],
            "target": self.session.task.filled[0],
            "open": question is not None,
        }  # fmt: skip

    def _overview(self, who: str, queue: str, overview: Overview) -> dict[str, Any]:
        """How far it has come, and whether that is the latest."""
        search, classes = self.session.task.is_search, not self.session.strategy.goals
        top = {"who": who, "queue": queue, "overview": overview, "classes": classes}
        panel = self.progress.latest
        return {
            "top": render("top.html", **top),
            "panel": render(
                "panel.html", **_panel(overview, panel, search=search, classes=classes)
            ),
            "fresh": panel.seq == overview.seq,
        }


def _queue(sent: dict[str, Any]) -> str:
    queue = sent.get("queue", "question")
    if not isinstance(queue, str) or queue not in QUEUES:
        raise Refusal(422, "There is no such queue.")
    return queue


# Templates


@cache
def _templates() -> jinja2.Environment:
    folder = files("satsuma.app") / "templates"
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def render(template: str, **given: Any) -> str:
    """A template, filled; what is filled in is escaped."""
    return _templates().get_template(template).render(**given)


def static_file(name: str) -> bytes:
    """The page's module or its stylesheet."""
    return (files("satsuma.app") / "static" / name).read_bytes()


# The question


@dataclass(frozen=True)
class Cell:
    """A cell as it is shown: its text in pieces, some of which drive the prediction."""

    name: str
    kind: str
    pieces: list[tuple[str, bool]]
    more: int = 0


def _spoken(question: Question | None) -> str:
    """What a screen reader says when a question appears."""
    if question is None:
        return "There is no row left for you."
    likely = question.explanation.prediction
    words = f"Row {question.row + 1:,}. {question.explanation.summary}"
    return words if not likely else f"{words} Prediction: {likely[0].name}."


def _question(task: Task, question: Question | None) -> dict[str, Any]:
    if question is None:
        return {"question": None}
    drivers = [each.what for each in question.explanation.drivers]
    driving = _pattern([each.strip("“”") for each in drivers if each.startswith("“")])
    cells = [
        _cell(v.name, v.kind, task.table.cell(question.row, v.name), driving)
        for v in task.table.domain
        if v.name not in task.filled and v.role not in ("ignore", "weight")
    ]
    return {
        "question": question,
        "texts": [c for c in cells if c.kind == "text"],
        "cells": [c for c in cells if c.kind != "text"],
        "explanation": question.explanation,
    }


def _pattern(words: list[str]) -> re.Pattern[str] | None:
    """Finds words and pairs of words, whatever is between the two of a pair."""
    if not words:
        return None
    spelled = [r"\W+".join(re.escape(each) for each in word.split()) for word in words]
    return re.compile(rf"\b({'|'.join(spelled)})\b", re.IGNORECASE)


def _cell(name: str, kind: str, value: object, driving: re.Pattern[str] | None) -> Cell:
    if value is None:
        return Cell(name, "missing" if kind != "text" else kind, [("missing", False)])
    text = spell(value)
    start = text[:LONGEST]
    if kind != "text" or driving is None:
        return Cell(name, kind, [(start, False)], len(text) - len(start))
    parts = driving.split(start)
    pieces = [(part, at % 2 == 1) for at, part in enumerate(parts) if part]
    return Cell(name, kind, pieces, len(text) - len(start))


# The panel


def _panel(overview: Overview, panel: Panel, *, search: bool, classes: bool) -> dict[str, Any]:
    return {
        "panel": panel,
        "overview": overview,
        "drawn": None if panel.curve is None else _drawn(panel.curve),
        "most": max((n for _, n in overview.counts), default=1) or 1,
        "search": search,
        "classes": classes,
        "duration": _duration,
    }


def _duration(minutes: float) -> str:
    """Minutes in words.

    Examples
    --------
    >>> _duration(0.4), _duration(47.2), _duration(200)
    ('a minute', '47 minutes', '3.3 hours')
    """
    if minutes < 1.5:
        return "a minute"
    return f"{minutes:.0f} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"


def _drawn(curve: Curve) -> dict[str, Any]:
    """A curve in a box of 300 by 110."""
    xs, ys = [x for x, _ in curve.points], [y for _, y in curve.points]
    top = 1.0 if curve.spelled.endswith("%") or max(ys) <= 0 else max(ys)
    right = max(xs) or 1.0
    spots = [(36 + 256 * x / right, 98 - 86 * y / top) for x, y in curve.points]

    def spelled(y: float) -> str:
        return format(y, curve.spelled)

    return {
        "path": " ".join(f"{x:.1f},{y:.1f}" for x, y in spots),
        "last": spots[-1],
        "top": spelled(top),
        "right": f"{right:,.0f}",
        "now": spelled(ys[-1]),
        "label": f"{curve.meaning}: from {spelled(ys[0])} at {xs[0]:,.0f} to {spelled(ys[-1])} at "
        f"{right:,.0f} labels",
    }
