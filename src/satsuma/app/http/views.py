"""View: questions, answers and the panel as HTML; whatever comes from the table is text."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from satsuma.app.labelling.optimisation import Goals
from satsuma.app.labelling.progress import Line, Panel
from satsuma.app.labelling.question import Question
from satsuma.app.labelling.row_notes import notes
from satsuma.app.labelling.session import Desk
from satsuma.data.columns import spell

#: Characters of a cell that are shown.
LONGEST = 20_000

#: The keys of the first classes.
DIGITS = "1234567890"


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


def static(name: str) -> bytes:
    """The page's module or its stylesheet."""
    return (files("satsuma.app") / "static" / name).read_bytes()


def rendered(name: str, **given: Any) -> str:
    """A template, filled."""
    return _templates().get_template(name).render(**given)


def body_of(
    parts: dict[str, Any], who: str, table: str, exports: Sequence[Any] | None = None
) -> str:
    """The view as a whole, around pieces that were made before; without exports, for a notebook."""
    made = {name: Markup(each) for name, each in parts.items() if isinstance(each, str)}  # noqa: S704 - made by templates
    return rendered(
        "body.html" if exports is None else "page.html", who=who, online=exports is not None,
        parts=made, state=json.dumps(parts), table=table, exports=exports or (),
    )  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """A cell as it is shown: its text in pieces, some of which drive the guess."""

    name: str
    kind: str
    pieces: list[tuple[str, bool]]
    more: int = 0


def fragments(desk: Desk, who: str, queue: str | None, panel: Panel) -> dict[str, Any]:
    """All that a page shows to somebody, in pieces that change by themselves."""
    with desk.lock:
        question = desk.ask(who, queue)
        if question is None and queue not in (None, "question"):
            queue, question = "question", desk.ask(who)
        if queue is None:  # the page was opened anew: it goes on where it was
            among = question is not None and question.kind == "disagreement"
            queue = "disagreement" if among else "question"
        last = desk.state.last_deed(who)
        return {
            "queue": queue,
            "row": None if question is None else question.key,
            "undo": None if last is None else {"id": last.id, "row": last.row, "what": last.what},
            "classes": list(desk.asking.names),
            "question": rendered("question.html", **_question(desk, question)),
            "answers": rendered("answers.html", **_answers(desk, question)),
            "said": _spoken(question),
            **progress(desk, who, queue, panel),
        }


def progress(desk: Desk, who: str, queue: str, panel: Panel) -> dict[str, Any]:
    """How far it has come, and whether that is the latest."""
    with desk.lock:
        return {
            "top": rendered("top.html", **_top(desk, who, queue)),
            "panel": rendered("panel.html", **_panel(desk, panel)),
            "fresh": panel.seq == desk.state.seq,
        }


def _spoken(question: Question | None) -> str:
    """What a screen reader says when a question appears."""
    if question is None:
        return "There is no row left for you."
    guess = question.reasons.guesses
    told = f"Row {question.row + 1:,}. {question.reasons.told}"
    return told if not guess else f"{told} Guess: {guess[0].name}."


def _top(desk: Desk, who: str, queue: str) -> dict[str, Any]:
    person = desk.state.people.get(who)
    return {
        "table": desk.task.table.name or "table",
        "who": who,
        "queue": queue,
        "labels": len(desk.state.settled),
        "left": desk.asking.left,
        "mine": len(person.labelled) if person is not None else 0,
        "differing": len(desk.queues.disagreements(who)),
        "doubted": len(desk.queues.second_looks(who)),
        "classes": bool(desk.asking.names) or not desk.task.is_search,
    }


def _question(desk: Desk, question: Question | None) -> dict[str, Any]:
    if question is None:
        return {"question": None, "cells": [], "alone": len(desk.state.people) < 2}
    reasons = question.reasons
    driving = _driving([d.what.strip("“”") for d in reasons.drivers if d.what.startswith("“")])
    cells = list[Cell]()
    for variable in desk.task.table.domain:
        if variable.name in desk.task.filled or variable.role in ("ignore", "weight"):
            continue
        value = desk.task.table.cell(question.row, variable.name)
        cells.append(_cell(variable.name, variable.kind, value, driving))
    return {
        "question": question,
        "texts": [c for c in cells if c.kind == "text"],
        "cells": [c for c in cells if c.kind != "text"],
        "reasons": reasons,
    }


def _driving(words: list[str]) -> re.Pattern[str] | None:
    """Finds words and pairs of words, whatever is between the two of a pair."""
    if not words:
        return None
    spelled = [r"\W+".join(re.escape(each) for each in word.split()) for word in words]
    return re.compile(rf"\b({'|'.join(spelled)})\b", re.IGNORECASE)


def _cell(name: str, kind: str, value: object, driving: re.Pattern[str] | None) -> Cell:
    if value is None:
        return Cell(name, "missing" if kind != "text" else kind, [("not known", False)])
    text = spell(value)
    start = text[:LONGEST]
    if kind != "text" or driving is None:
        return Cell(name, kind, [(start, False)], len(text) - len(start))
    parts = driving.split(start)
    pieces = [(part, at % 2 == 1) for at, part in enumerate(parts) if part]
    return Cell(name, kind, pieces, len(text) - len(start))


def _answers(desk: Desk, question: Question | None) -> dict[str, Any]:
    names = desk.asking.names
    keys = [DIGITS[at] if at < len(DIGITS) else "" for at in range(len(names))]
    return {
        "named": list(zip(keys, names, strict=True)),
        "goals": [(g.name, g.goal) for g in desk.task.table.domain.goals]
        if isinstance(desk.asking, Goals)
        else [],
        "target": desk.task.filled[0],
        "open": question is not None,
    }


def _panel(desk: Desk, panel: Panel) -> dict[str, Any]:
    told = list(desk.state.settled.values())
    counts = [(name, told.count(name)) for name in desk.asking.names]
    return {
        "advice": panel.advice,
        "drawn": None if panel.line is None else _drawn(panel.line),
        "line": panel.line,
        "outcome": panel.outcome,
        "counts": counts,
        "most": max((n for _, n in counts), default=1) or 1,
        "agreements": desk.state.agreements() if desk.asking.names else [],
        "notes": notes(desk),
        "strays": desk.state.set_aside,
        "search": isinstance(desk.asking, Goals),
        "labels": len(desk.state.settled),
        "enough": desk.asking.enough if isinstance(desk.asking, Goals) else 0,
    }


def _drawn(line: Line) -> dict[str, Any]:
    """A curve in a box of 300 by 110."""
    xs, ys = [x for x, _ in line.points], [y for _, y in line.points]
    top = 1.0 if line.percent or max(ys) <= 0 else max(ys)
    right = max(xs) or 1.0
    spots = [(36 + 256 * x / right, 98 - 86 * y / top) for x, y in line.points]

    def spelled(y: float) -> str:
        return f"{y:.0%}" if line.percent else f"{y:,.0f}" if top > 2 else f"{y:.2f}"

    return {
        "path": " ".join(f"{x:.1f},{y:.1f}" for x, y in spots),
        "last": spots[-1],
        "top": spelled(top),
        "right": f"{right:,.0f}",
        "now": spelled(ys[-1]),
        "told": f"{line.told}: from {spelled(ys[0])} at {xs[0]:,.0f} to {spelled(ys[-1])} at "
        f"{right:,.0f} labels",
    }
