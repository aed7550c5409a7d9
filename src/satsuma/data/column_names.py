"""Names of columns, made distinct where a file repeats or forgets them."""

from collections.abc import Collection, Sequence


def distinct_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names that differ, and a note on each that had to change.

    A repeated name gets a number, an empty one its position; a name that another column already
    has is not given away. Blanks are left alone.

    Parameters
    ----------
    names
        The names as found, in order.

    Examples
    --------
    >>> distinct_names(["on", "on", ""])[0]
    ['on', 'on_2', 'column_3']
    >>> distinct_names(["on", "on"])[1]
    ["Column 2 was called 'on' as well; it is now 'on_2'."]
    """
    taken, seen = set(names), set[str]()
    made: list[str] = []
    notes: list[str] = []
    for position, name in enumerate(names, 1):
        new = name
        if not name:
            new = free_name(f"column_{position}", taken)
            notes.append(f"Column {position} had no name; it is now {new!r}.")
        elif name in seen:
            new = free_name(name, taken)
            notes.append(f"Column {position} was called {name!r} as well; it is now {new!r}.")
        seen.add(new)
        taken.add(new)
        made.append(new)
    return made, notes


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first of name_2, name_3, … that nobody has.

    Examples
    --------
    >>> free_name("y", {"y", "y_2"})
    'y_3'
    """
    number, new = 2, name
    while new in taken:
        new = f"{name}_{number}"
        number += 1
    return new
