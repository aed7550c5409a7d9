"""Doubts: what is wrong with a table, or may be, before anything is learned from it."""

from satsuma.data.table import Table
from satsuma.report.findings.column_findings import column_doubts
from satsuma.report.findings.duplicate_columns import same
from satsuma.report.findings.finding import Doubt
from satsuma.report.findings.leakage import leaks
from satsuma.report.findings.row_findings import row_doubts

__all__ = ["Doubt", "doubts"]


def doubts(table: Table) -> list[Doubt]:
    """What a person should look at before trusting a model of the table.

    Only what is learned from (the role ``x``) and the target are looked at. Leaks and columns that
    say the same are looked for in at most 20,000 rows, drawn by chance; what is told of them, and
    all the rest, is of all rows.

    Parameters
    ----------
    table
        Any table, also one without rows or target.

    Examples
    --------
    >>> rows = [(k, "eur", k % 7, "yes" if k % 2 else "no") for k in range(40)]
    >>> for doubt in doubts(Table.of(rows, ["id", "unit", "day", "paid"])):
    ...     print(doubt.kind, "-", doubt.sentence, doubt.remedy)
    key - 'id' only counts or names the rows: it tells nothing of rows to come. Leave it out: give it the role 'ignore'.
    constant - 'unit' is always 'eur': it tells nothing. Leave it out: give it the role 'ignore'.
    """  # noqa: E501
    if not len(table):
        return [Doubt(None, "no rows", "There are no rows.", "Give a table with rows.")]
    by_column = column_doubts(table)
    empty = {
        doubt.column for doubt in by_column if doubt.kind in ("key", "constant", "all missing")
    }
    kept = [v.name for v in table.domain.attributes if v.name not in empty]
    return [*leaks(table, kept), *row_doubts(table), *by_column, *same(table, kept)]
