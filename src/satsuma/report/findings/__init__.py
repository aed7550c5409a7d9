"""Findings: data quality checks of a table, before anything is learned from it."""

from satsuma.data.table import Table
from satsuma.evaluate.leakage import find_leakage
from satsuma.report.findings.column_findings import column_findings
from satsuma.report.findings.duplicate_columns import find_duplicate_columns
from satsuma.report.findings.finding import Finding, by_urgency, leave_out
from satsuma.report.findings.row_findings import row_findings

__all__ = ["LEAKAGE", "Finding", "inspect_table"]

#: Kinds of findings about columns that seem to know the target.
LEAKAGE = ("leakage", "leakage by missing values")


def inspect_table(table: Table) -> list[Finding]:
    """What a person should look at before trusting a model of the table, the most urgent first.

    Only attributes (the role ``x``) and the target are inspected. Leakage and duplicate columns are
    looked for in at most 20,000 rows, drawn at random; the figures of what is found there, and all
    the rest, are of all rows.

    Parameters
    ----------
    table
        Any table, also one without rows or target.

    Examples
    --------
    >>> rows = [(k, "eur", k % 7, "yes" if k % 2 else "no") for k in range(40)]
    >>> for finding in inspect_table(Table.of(rows, ["id", "unit", "day", "paid"])):
    ...     print(finding.kind, "-", finding.sentence, finding.remedy)
    key - 'id' only counts or names the rows: it says nothing about new rows. Leave it out: table.with_roles({'id': 'meta'}).
    constant - 'unit' is always 'eur': it says nothing. Leave it out: table.with_roles({'unit': 'meta'}).
    """  # noqa: E501
    if not len(table):
        return [Finding(None, "no rows", "There are no rows.", "Give a table with rows.")]
    by_column = column_findings(table)
    empty = {each.column for each in by_column if each.kind in ("key", "constant", "all missing")}
    kept = [v.name for v in table.domain.attributes if v.name not in empty]
    return by_urgency([
        *(Finding(*leak, _ask(leak.column)) for leak in find_leakage(table, kept)),
        *row_findings(table),
        *by_column,
        *find_duplicate_columns(table, kept),
    ])  # fmt: skip


def _ask(name: str) -> str:
    return (
        f"Ask when it is filled in. If that is after the target is known, a model would be right "
        f"here and useless for new rows: {leave_out(name, 'l')}"
    )
