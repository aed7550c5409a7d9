"""Blanks and digits of a cell."""

#: Blanks inside and around what people write: space, tab, and those that do not break a line.
BLANKS = " \t\u00a0\u202f"


def skip_blanks(text: str, at: int) -> int:
    """Where the first character from a place on stands that is no blank."""
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def digits(text: str, at: int, most: int | None = None) -> str:
    """The digits at a place."""
    end = stop = len(text) if most is None else min(at + most, len(text))
    for end in range(at, stop + 1):
        if end == stop or text[end] not in "0123456789":
            break
    return text[at:end]
