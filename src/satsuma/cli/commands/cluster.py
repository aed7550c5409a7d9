"""``satsuma cluster``: clusters of rows that are alike."""

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.table_input import COLUMN_OPTIONS, TableInput, takes_table
from satsuma.cli.table_output import check_output, write_table
from satsuma.cli.terminal import as_json, note, say, show_grid
from satsuma.data.row_sample import sample_rows
from satsuma.data.table import Table

#: Rows that are enough to choose the number of clusters, and the most that are tried.
ENOUGH, MOST_CLUSTERS = 5_000, 10

#: Columns of a profile.
PROFILE = 3

Groups = npt.NDArray[np.integer[Any]]


@takes_table(*COLUMN_OPTIONS)
def cluster(
    asked: TableInput,
    *,
    output: o.Out = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", min=1, help="How many clusters kmeans finds; chosen by silhouettes unless given."
        ),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", "-m", help="kmeans, bisect or rp0.", metavar="NAME")
    ] = "kmeans",
    seed: o.Seed = 1,
    raw: o.Raw = False,
    json: o.Json = False,
) -> None:
    """Find clusters of rows, and write a copy of the table with the cluster of each row.

    The target, if there is one, is not used; the most frequent class of each cluster is shown.

    \b
    Examples:
      satsuma cluster zoo
      satsuma cluster iris --k 3 -o clustered.csv
      satsuma cluster customers.csv --ignore id --method rp0 -o clustered.csv
    """
    from satsuma.cli.commands.cluster import cluster_profiles
    from satsuma.cli.table_output import with_columns
    from satsuma.data.variable import Variable

    check_output(output, asked.file)
    if k is not None and method in ("bisect", "rp0"):
        raise typer.BadParameter(f"--k is for kmeans; {method} finds how many clusters there are.")
    table = asked.table()
    rows, notes = models.without_text(table, _learner(method, 2, seed))
    notes = [*table.notes, *notes]
    count = k if k is not None or method != "kmeans" else _how_many(rows, seed)
    model = _learner(method, count or 2, seed)(rows)
    groups = np.asarray(model(rows), np.int32)
    found = cluster_profiles(rows, groups)
    if output is not None:
        labels = tuple(str(each) for each in range(int(groups.max()) + 1))
        column = (Variable("cluster", "sym", labels), groups)
        write_table(with_columns(table, [column]), output, raw)
    if json:
        as_json({"method": method, "rows": len(rows), "clusters": found, "of_rows": groups,
                 "output": output, "notes": notes})  # fmt: skip
        return
    _show(table, found)
    for each in notes:
        note(each)
    if output is not None:
        say(f"\nWritten: {output}", "dim")


def _learner(method: str, k: int, seed: int) -> Any:
    import satsuma
    from satsuma.errors import ParameterError, hint

    ways = ("kmeans", "bisect", "rp0")
    if method not in ways:
        raise ParameterError(f"There is no method {method!r}. {hint(method, ways)}")
    if method == "kmeans":
        return satsuma.KMeans(k=k, seed=seed, starts=3)
    return satsuma.BisectingKMeans() if method == "bisect" else satsuma.RP0(seed=seed)


def _how_many(rows: Table, seed: int) -> int:
    from satsuma.learners.kmeans.choose_k import choose_k

    sample = sample_rows(rows, ENOUGH)
    most = min(MOST_CLUSTERS, len(sample) - 1)
    return choose_k(sample, "silhouette", ks=range(2, most + 1), seed=seed).k if most > 2 else 1


def _show(table: Table, found: list[dict[str, Any]]) -> None:
    say(f"{table.name or 'Table'}: {len(table):,} rows in {len(found)} clusters", "bold")
    mostly = any(each["mostly"] for each in found)
    target = table.domain.target
    head = [
        "cluster",
        "rows",
        *([f"mostly ({target.name})"] if mostly and target else []),
        "differs from the others in",
    ]
    lines = [
        [
            str(each["cluster"]),
            f"{each['rows']:,}",
            *([each["mostly"] or ""] if mostly else []),
            ", ".join(f"{name} {_cell(value)}" for name, value in each["like"].items()),
        ]
        for each in found
    ]
    show_grid(head, lines, left=[2, len(head) - 1], wide=len(head) - 1)


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def cluster_profiles(table: Table, groups: Groups) -> list[dict[str, Any]]:
    """The profile of each cluster: how many rows it has, and in which columns it differs most."""
    found: list[dict[str, Any]] = []
    for group in np.unique(groups).tolist():
        mine = groups == group
        apart = [_apart(table, at, mine) for at in _attributes(table)]
        apart = sorted((each for each in apart if each), key=lambda each: -each[0])[:PROFILE]
        found.append(
            {
                "cluster": int(group),
                "rows": int(mine.sum()),
                "like": {name: value for _, name, value in apart},
                "mostly": _mostly(table, mine),
            }
        )
    return found


def _attributes(table: Table) -> list[int]:
    return [at for at, v in enumerate(table.domain) if v.role == "x" and v.kind in ("num", "sym")]


def _apart(table: Table, at: int, mine: npt.NDArray[np.bool_]) -> tuple[float, str, Any] | None:
    """How unlike the others rows are in a column, its name, and what they have there."""
    variable, column = table.domain[at], table.columns[at]
    known = ~table.missing(at)
    ours, others = column[mine & known], column[~mine & known]
    if not len(ours):
        return None
    if variable.kind == "num":
        mean = float(ours.mean())
        spread = float(column[known].std()) or 1.0
        return (
            abs(mean - float(others.mean() if len(others) else mean)) / spread,
            variable.name,
            mean,
        )
    counts = np.bincount(ours, minlength=len(variable.values)) / len(ours)
    beside = np.bincount(others, minlength=len(variable.values)) / max(1, len(others))
    code = int((counts - beside).argmax())
    return float(counts[code] - beside[code]) * 2, variable.name, variable.values[code]


def _mostly(table: Table, mine: npt.NDArray[np.bool_]) -> str | None:
    """The class that is most frequent, and its share."""
    target = table.domain.target
    if target is None or target.kind != "sym":
        return None
    codes = table.column(target.name)[mine]
    codes = codes[codes >= 0]
    if not len(codes):
        return None
    counts = np.bincount(codes)
    code = int(counts.argmax())
    return f"{target.values[code]} {counts[code] / len(codes):.0%}"
