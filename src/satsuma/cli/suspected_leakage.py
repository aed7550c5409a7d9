"""Suspected leakage: columns that seem to know the target are set aside, and that is said."""

import shlex
from collections.abc import Mapping

from satsuma.cli.table_input import TableInput
from satsuma.data.notes import Note
from satsuma.data.table import Table


def suspects(table: Table, asked: TableInput) -> dict[str, str]:
    """Columns that alone predict nearly all of the target, and why; none that is to be used."""
    from satsuma.report.findings.leakage import find_leakage

    said = {name for name, role in asked.roles.items() if role == "x"}
    names = [v.name for v in table.domain.attributes if v.name not in said]
    if len(names) < 2:
        return {}
    found = find_leakage(table, names)
    return {each.column: each.sentence for each in found if each.column is not None}


def without(table: Table, found: Mapping[str, str]) -> Table:
    """The table, nothing being learned from columns that are suspected."""
    return table.with_roles(dict.fromkeys(found, "meta")) if found else table


def leakage_notes(found: Mapping[str, str], scored: str) -> list[str]:
    """What to say of each: why it is suspected, what the score is with it, and how to use it."""
    return [
        Note(
            f"{why} That may be leakage: nothing was learned from it.{scored}",
            "leakage",
            f"{why} That may be leakage: nothing was learned from it.{scored} If it is known "
            f"before the target, use it: --use {shlex.quote(name)}.",
        )
        for name, why in found.items()
    ]
