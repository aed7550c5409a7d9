"""Overrides: whether a shortcut still does what the method does that it stands for."""


def redefines(one: object, name: str, than: str) -> bool:
    """Whether the class of an object has a method newer than the shortcut which stands for it.

    A shortcut is trusted only as long as no class below the one that declares it defines the
    method anew.

    Examples
    --------
    >>> class Parent:
    ...     codes, codes_by_model = len, list
    >>> class Child(Parent):
    ...     codes = sum
    >>> [redefines(each(), "codes", "codes_by_model") for each in (Parent, Child)]
    [False, True]
    """
    line = type(one).__mro__
    return _place(line, name) < _place(line, than)


def _place(line: tuple[type, ...], name: str) -> int:
    """How far up the method resolution order a name is defined first."""
    return next((at for at, each in enumerate(line) if name in vars(each)), len(line))
