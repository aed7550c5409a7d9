"""``satsuma datasets``: the tables that come with Satsuma."""

from satsuma.cli import command_options as o
from satsuma.cli.terminal import as_json, say, show_grid
from satsuma.data.shipped import load, names


def datasets(json: o.Json = False) -> None:
    """List the tables that come with Satsuma; each can stand in the place of a FILE.

    \b
    Examples:
      satsuma datasets
      satsuma look titanic
    """
    tables = [load(name) for name in names()]
    found = [
        {
            "name": table.name,
            "rows": len(table),
            "columns": len(table.domain),
            "target": table.domain.target.name if table.domain.target else None,
            "classes": len(table.domain.target.values) if table.domain.target else 0,
            "missing": sum(int(table.missing(at).sum()) for at in range(len(table.domain))),
        }
        for table in tables
    ]
    if json:
        as_json({"datasets": found})
        return
    lines = [
        [
            str(each["name"]),
            f"{each['rows']:,}",
            str(each["columns"]),
            f"{each['missing']:,}",
            str(each["target"]),
            f"{each['classes']} classes" if each["classes"] else "a number",
        ]
        for each in found
    ]
    show_grid(["name", "rows", "columns", "missing", "target", "which is"], lines, left=[0, 4, 5])
    say("\nA name can stand in the place of a file: satsuma look iris", "dim")
