"""Domain: the columns of a table, in order, without the rows."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from satsuma.data.notes import note
from satsuma.data.variable import Goal, Role, Variable
from satsuma.errors import DomainError, NoSuchColumn


class Domain:
    """The variables of a table, found by name or by position.

    At most one variable is the target and at most one weighs the rows; goals may be several.

    Examples
    --------
    >>> from satsuma import Domain, Variable
    >>> domain = Domain([Variable("age"), Variable("play", "sym", ("no", "yes"), "target")])
    >>> domain["age"].kind, domain.target.values
    ('num', ('no', 'yes'))
    >>> [v.name for v in domain.attributes]
    ['age']
    """

    def __init__(self, variables: Iterable[Variable]) -> None:
        self.variables = tuple(variables)
        self._at: Mapping[str, int] = {v.name: i for i, v in enumerate(self.variables)}
        if len(self._at) < len(self.variables):
            counts = Counter(v.name for v in self.variables)
            twice = next(name for name, count in counts.items() if count > 1)
            raise DomainError(f"Two columns are called {twice!r}. Names must differ.")
        for role in ("target", "weight"):
            named = [v.name for v in self.variables if v.role == role]
            if len(named) > 1:
                raise DomainError(
                    f"{len(named)} columns have the role {role!r}: {', '.join(map(repr, named))}. "
                    f"Only one can; say which with {role}=."
                )

    def __len__(self) -> int:
        return len(self.variables)

    def __iter__(self) -> Iterator[Variable]:
        return iter(self.variables)

    def __contains__(self, name: object) -> bool:
        return name in self._at

    def __getitem__(self, key: str | int) -> Variable:
        return self.variables[self.index(key)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Domain) and self.variables == other.variables

    def __hash__(self) -> int:
        return hash(self.variables)

    def _repr_html_(self) -> str:
        from satsuma.data.grids import grid_html
        from satsuma.data.summary import cut

        lines = [[v.name, v.role, v.kind, cut(", ".join(v.values), 80)] for v in self]
        return grid_html("", [["column", "role", "kind", "values"], *lines], (0, 1, 2, 3))

    def __repr__(self) -> str:
        return f"Domain([{', '.join(map(repr, self.variables))}])"

    def index(self, key: str | int) -> int:
        """Where a column stands, by name or by position (from the end if negative)."""
        if isinstance(key, str):
            if key in self._at:
                return self._at[key]
        elif -len(self) <= key < len(self):
            return key % len(self)
        raise NoSuchColumn(key, self._at)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self._at)

    def of_role(self, role: Role) -> tuple[Variable, ...]:
        """The variables of one role, in order."""
        return tuple(v for v in self.variables if v.role == role)

    @cached_property
    def attributes(self) -> tuple[Variable, ...]:
        """What is learned from: the role ``x``."""
        return self.of_role("x")

    @cached_property
    def asked(self) -> "Domain":
        """The attributes alone, as a row that is asked about has them."""
        return Domain(self.attributes)

    @cached_property
    def times(self) -> tuple[Variable, ...]:
        """The attributes that are times: learners get features of them."""
        return tuple(v for v in self.attributes if v.kind == "time")

    @cached_property
    def target(self) -> Variable | None:
        """What is predicted, if anything is."""
        return next(iter(self.of_role("target")), None)

    @cached_property
    def goals(self) -> tuple[Variable, ...]:
        """What is to be made large or small."""
        return self.of_role("goal")

    @cached_property
    def metas(self) -> tuple[Variable, ...]:
        """What is kept beside the rest."""
        return self.of_role("meta")

    @cached_property
    def weight(self) -> Variable | None:
        """What weighs the rows, if anything does."""
        return next(iter(self.of_role("weight")), None)

    def with_roles(
        self, roles: Mapping[str, str] | None = None, *, target: str | None = None
    ) -> "Domain":
        """The same columns with some roles changed.

        Parameters
        ----------
        roles
            A role by column name; a goal is written ``+`` or ``-``.
        target
            The column to predict. The one that was the target until now, if it is another,
            goes back to being an ``x``.

        Examples
        --------
        >>> from satsuma import Domain, Variable
        >>> domain = Domain([Variable("a"), Variable("b"), Variable("c")])
        >>> [v.role for v in domain.with_roles({"a": "ignore", "b": "+"}, target="c")]
        ['ignore', 'goal', 'target']
        """
        changed = list(self.variables)
        if target is not None:
            aim = self.index(target)
            changed = [v.with_role("x") if v.role == "target" else v for v in changed]
            changed[aim] = changed[aim].with_role("target")
        for name, role in (roles or {}).items():
            at = self.index(name)
            goal: Goal | None = "+" if role == "+" else "-" if role == "-" else None
            changed[at] = changed[at].with_role("goal" if goal else role, goal)  # type: ignore[arg-type]
        return Domain(changed)


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
            notes.append(note("no name", at=position, new=new))
        elif name in seen:
            new = free_name(name, taken)
            notes.append(note("repeated name", at=position, old=name, new=new))
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
