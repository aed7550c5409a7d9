"""``satsuma learn``: a model of a file, shown and saved."""

from dataclasses import dataclass
from time import process_time
from typing import Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.table_output import check_output
from satsuma.cli.terminal import as_json, note, progress_bar, say, show_lines
from satsuma.data.summary import cut
from satsuma.data.time_features import TimeFeatures
from satsuma.errors import SatsumaError

#: Lines of a model that are shown; 'satsuma show' shows all.
LINES = 40

#: Rows of a source that a learner is scored on.
SAMPLE = 100_000

_UNSCORED = "How good the model is was not measured. Ask 'satsuma compare'."
_ALL = "'satsuma compare' shows all learners."
_UNRIVALLED = "Whether a model that cannot be read is better was not measured. " + _ALL


@takes_table(*COLUMN_OPTIONS)
def learn(
    asked: TableInput,
    *,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="MODEL", help="Where to save the model."),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME",
            help="The learner, as in forest or tree:max_depth=3. A small tree unless given.",
        ),
    ] = None,
    score: Annotated[
        bool,
        typer.Option(help="Whether to cross-validate the learner, and tell how good it is."),
    ] = True,
    json: o.Json = False,
) -> None:
    """Learn a model from a table, show it, tell how good it is, and save it.

    Columns that seem to know the target (leakage) are left out, unless you name them: --use.

    \b
    Examples:
      satsuma learn voting -o votes.satsuma
      satsuma learn patients.csv --target died --learner naive-bayes -o m.satsuma
      satsuma learn iris --learner tree:max_depth=2
    """
    check_output(output, asked.file, table=False)
    with progress_bar("learning") as progress:
        found = _learned(asked, learner, progress, score=score)
    if output is not None:
        found.model.save(output)
    if json:
        scored = None if found.assessment is None else found.assessment.facts()
        facts = {**models.model_facts(found.model), "score": scored}
        as_json({**facts, "model": output, "notes": found.notes})
        return
    lines = str(found.model).splitlines()
    show_lines("\n".join(lines[:LINES]))
    if len(lines) > LINES:
        say(f"… and {len(lines) - LINES:,} more lines", "dim")
    say(f"\n{_read_as(found)}", "dim")
    if found.assessment is not None:
        told = str(found.assessment)
        say(told[0].upper() + told[1:], "bold")
        if found.assessment.rival is not None:
            say(f"{found.assessment.rival}. {_ALL}")
    for each in found.notes:
        note(each)
    if output is not None:
        say(f"\nSaved: {output}", "dim")


@dataclass(frozen=True)
class _Learned:
    """A model, how good it is where that was found out, and what is to be known beside it."""

    model: Any
    notes: list[str]
    rows: int | None = None
    assessment: Any = None


def _learned(asked: TableInput, said: str | None, progress: Any, *, score: bool) -> _Learned:
    if asked.large and asked.scannable:
        learner = models.choose_learner(said, asked.scan().head(1))
        if learner.takes.rounds in ("one", "many"):
            return _of_source(asked, learner, progress, score=score)
    from satsuma.evaluate.suspected_leakage import without

    table = asked.table_with_target()
    learner = models.choose_learner(said, table)
    rows, notes = models.without_text(table, learner)
    found = asked.leaks(rows)
    start = process_time()
    model = learner(without(rows, found))
    spent = process_time() - start
    notes = [*table.notes, *notes, *TimeFeatures.of_domain(model.domain).notes()]
    scored, told = _scored(learner, rows, found, spent, progress) if score else (None, [])
    return _Learned(model, [*notes, *_leakage(found, scored), *told], len(rows), scored)


def _of_source(asked: TableInput, learner: Any, progress: Any, *, score: bool) -> _Learned:
    """A model of rows too many to be held; how good it is, is measured on a sample of them."""
    some, _ = models.without_text(asked.scan().sample(SAMPLE), learner)
    found = asked.leaks(some)
    source = asked.leaving_out(found).scan(progress)
    start = process_time()
    model = learner(source)
    spent = (process_time() - start) * len(some) / max(1, len(source))
    notes = [*source.notes, *TimeFeatures.of_domain(model.domain).notes()]
    scored, told = _scored(learner, some, found, spent, None) if score else (None, [])
    if scored is not None and len(some) < len(source):
        of = f"{len(some):,} rows drawn at random from {len(source):,}"
        told.append(
            f"How good the model is was measured by learning from parts of {of}. Learned from all, "
            f"it may be better."
        )
    return _Learned(model, [*notes, *_leakage(found, scored), *told], len(source), scored)


def _leakage(found: dict[str, str], scored: Any) -> list[str]:
    """What to say of columns that are left out, as they may know the target."""
    from satsuma.evaluate.suspected_leakage import leakage_note

    return [leakage_note(found, "" if scored is None else scored.with_leaks)] if found else []


def _scored(
    learner: Any, table: Any, leaks: dict[str, str], spent: float, progress: Any
) -> tuple[Any, list[str]]:
    """How good a learner is, by as many folds as there is time for; or why that is not known."""
    from satsuma.evaluate.assessment import assess, quick_rival
    from satsuma.evaluate.candidates import LIMIT, usual_folds
    from satsuma.evaluate.compared_rows import few_numbers

    most = usual_folds(len(table))
    folds = next((each for each in (10, 5, 3) if each <= most and each * spent <= LIMIT), None)
    if folds is None:
        return None, [f"{_UNSCORED} It would take more than {LIMIT:g} seconds."]
    try:
        rival = quick_rival(learner, table, folds)
        found = assess(learner, table, folds=folds, leaks=leaks, rival=rival, progress=progress)
    except SatsumaError as error:
        return None, [f"It is not known how good the model is. {error}"]
    alone = learner.readable and rival is None
    return found, [*few_numbers(table), *([_UNRIVALLED] if alone else [])]


def _read_as(found: _Learned) -> str:
    """What is predicted, and by what, as it was read."""
    domain = found.model.domain
    target, kinds = domain.target, [v.kind for v in domain.attributes]
    named = {"num": "of numbers", "sym": "of symbols", "text": "of text", "time": "of times"}
    counts = [f"{kinds.count(kind)} {name}" for kind, name in named.items() if kind in kinds]
    of = "" if found.rows is None else f" from {found.rows:,} rows"
    if target is None:
        return f"Learned{of}, by columns: {', '.join(counts) or 'none'}."
    some = ", ".join(cut(value, 24) for value in target.values[:5])
    more = f" and {len(target.values) - 5} more" if len(target.values) > 5 else ""
    what = f"one of {some}{more}" if target.values else "a number"
    return f"Learned{of}: {target.name!r}, {what}, by columns: {', '.join(counts) or 'none'}."
