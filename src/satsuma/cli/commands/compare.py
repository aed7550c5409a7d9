"""``satsuma compare``: which learner to take."""

import shlex
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli.learner_specs import learners_of, spec_of
from satsuma.cli.measures import measure_of
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.terminal import as_json, note, progress_bar, say, show_grid, show_lines

if TYPE_CHECKING:
    from satsuma.evaluate.comparison import Comparison

#: Scores that give way in a narrow terminal, the first of them first.
_SPARE = ("Brier", "MAE", "R2", "AUC", "log loss")


@takes_table(*COLUMN_OPTIONS)
def compare(
    asked: TableInput,
    *,
    learners: Annotated[
        list[str] | None,
        typer.Option(
            "--learners",
            "-l",
            metavar="NAMES",
            help="The learners to compare, as in tree,knn:k=5,forest; those that suit the table "
            "unless given.",
        ),
    ] = None,
    measure: o.Measure = None,
    costs: o.Costs = None,
    profits: o.Profits = None,
    folds: o.FoldsOrColumn = None,
    groups: o.Groups = None,
    time: o.Time = None,
    window: o.Window = None,
    repeats: o.Repeats = 1,
    seed: o.Seed = 1,
    limit: o.Limit = 60.0,
    json: o.Json = False,
) -> None:
    """Cross-validate several learners on a table, and say which to take.

    \b
    Examples:
      satsuma compare voting
      satsuma compare patients.csv --target died --ignore id
      satsuma compare iris --learners tree,knn:k=3,forest --folds 5
      satsuma compare visits.csv --target ill --groups patient --measure auc
      satsuma compare sales.csv --target sold --time day --folds 6
    """
    import satsuma

    chosen = learners_of(learners or [])
    with progress_bar("comparing") as progress:
        rows: Any = asked.scan() if asked.large else asked.table_with_target()
        leaks = None if asked.large else asked.leaks(rows)
        found = satsuma.compare(
            rows, chosen, measure=measure_of(measure, costs, profits),
            folds=_number_or_name(folds), groups=groups, time=time, window=window,
            repeats=repeats, seed=seed, limit=limit, leaks=leaks, progress=progress,
        )  # fmt: skip
        found.notes = (*rows.notes, *found.notes)
    if json:
        as_json(_plain(found))
    else:
        _show(found)
        aside = [name for name in (_number_or_name(folds), groups) if isinstance(name, str)]
        _say_next(found, asked, aside)


def _number_or_name(folds: str | None) -> int | str | None:
    """How many folds, or the column that has them."""
    if folds is None or not folds.isdecimal():
        return folds
    if int(folds) < 2:
        raise typer.BadParameter(f"--folds {folds}: there must be 2 at least.")
    return int(folds)


def _show(found: "Comparison") -> None:
    """The ranked table, the advice, and what is to be known beside it."""
    from satsuma.evaluate.comparison import MARK

    say(f"{found.results.target.name}: {found.results.what}", "bold")
    head, *lines = found.cells()
    best = [at for at, line in enumerate(lines) if line[-1] == MARK]
    spare = [head.index(each) for each in _SPARE if each in head[3:]]
    show_grid(head, lines, bold=best, spare=spare)
    say(f"{found.legend}\n", "dim")
    say(found.advice)
    for each in found.notes:
        note(each)


def _say_next(found: "Comparison", asked: TableInput, parting: list[str]) -> None:
    """The call that learns and keeps what is advised."""
    from satsuma.evaluate.recommendation import BASELINES

    if found.choice in BASELINES or asked.file == "-":
        return
    words = [word for name in parting for word in ("--ignore", name)]
    words += ["--learner", spec_of(found.learners[found.choice]), "-o", "model.satsuma"]
    show_lines(f"\nNext: satsuma learn {asked.as_typed} {shlex.join(words)}", "dim")


def _plain(found: "Comparison") -> dict[str, Any]:
    from satsuma.evaluate.scores import SHOWN

    results, seconds, between = found.results, found.seconds, found.intervals()
    scores = {score: results.scores(score) for score in SHOWN[results.target.kind]}
    measure = results.score_name(found.measure)
    scores.setdefault(measure, found.scores())
    return {
        "target": results.target.name,
        "method": results.what,
        "measure": measure,
        "learners": [
            {
                "name": name,
                "learner": repr(found.learners[name]),
                "scores": {score: each[name] for score, each in scores.items()},
                "interval": [None if isnan(end) else end for end in between[name]],
                "seconds": seconds[name],
                "rank": rank,
                "best": name in found.best,
            }
            for name, rank in found.ranks.items()
        ],
        "choice": found.choice,
        "advice": found.advice,
        "leaks": list(found.leaks),
        "with_leaks": None if found.with_leaks is None else found.with_leaks.scores(found.measure),
        "notes": list(found.notes),
    }
