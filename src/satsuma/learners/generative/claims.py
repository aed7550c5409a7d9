"""Claims: which block speaks for which columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.overrides import redefines


@dataclass(frozen=True)
class Claim:
    """A block, and the columns that it is to speak for.

    Parameters
    ----------
    block
        Anything with `tally` and `conclude`, or with `learn`; see `Block`.
    columns
        Their names; None for all of some kinds that nothing else claims.
    kinds
        The kinds.
    """

    block: Any
    columns: tuple[str, ...] | None
    kinds: tuple[str, ...]

    @property
    def by_rows(self) -> bool:
        """Whether the block must have the rows themselves."""
        return not hasattr(self.block, "conclude")

    @property
    def makes_tallies(self) -> Any:
        """What makes its tallies, as far as that is known: equal for equal tallies."""
        return self.tally_kind or self.block

    @property
    def tally_kind(self) -> Any:
        """The kind that its block names, unless the block's class has a newer `tally`."""
        newer = redefines(self.block, "tally", "tally_kind")
        return None if newer else getattr(self.block, "tally_kind", None)

    def within(self, batch: Table) -> Table:
        """The columns of a settled claim, the target and the weights."""
        always, columns = _always(batch.domain), self.columns or ()
        if len(columns) + len(always) == len(batch.domain):
            return batch
        wanted = {*columns, *always}
        return batch.select([name for name in batch.domain.names if name in wanted])


def _always(domain: Domain) -> list[str]:
    return [v.name for v in (domain.target, domain.weight) if v is not None]


def claim(block: Any, learner: object, parameter: str) -> Claim:
    """The claim of a block, once it is sure that it is one; else the parameter is to blame."""
    right = hasattr(block, "learn") or (hasattr(block, "tally") and hasattr(block, "conclude"))
    if isinstance(block, type) or not right:
        made = f" Call it first: {block.__name__}()." if isinstance(block, type) else ""
        raise ParameterError(
            f"The '{parameter}' parameter of {type(learner).__name__} must be of blocks, as "
            f"Gaussian() and Categorical() are. Got {block!r} instead.{made}"
        )
    columns = getattr(block, "columns", None)
    if isinstance(columns, str):
        columns = (columns,)
    named = None if columns is None else tuple(columns)
    return Claim(block, named, tuple(getattr(block, "kinds", ("num", "sym"))))


def settled(claims: Sequence[Claim], domain: Domain) -> list[Claim]:
    """Who speaks for which attribute of a domain: each for one at least, and for each just one.

    Claims by name come first; what is left goes to the first claim that takes its kind.

    Examples
    --------
    >>> domain = Domain([Variable("age"), Variable("sex", "sym", ("f", "m"))])
    >>> given = [Claim("block", None, ("num", "sym")), Claim("other", ("age",), ("num",))]
    >>> [(each.block, each.columns) for each in settled(given, domain)]
    [('block', ('sex',)), ('other', ('age',))]
    """
    taken: dict[str, Claim] = {}
    for each in claims:
        for name in each.columns or ():
            _check_name(each, name, domain, taken)
            taken[name] = each
    for each in claims:
        if each.columns is None:
            free = [v for v in domain.attributes if v.name not in taken and v.kind in each.kinds]
            taken |= {v.name: each for v in free}
    if left := [v for v in domain.attributes if v.name not in taken]:
        raise DomainError(
            f"No block takes column {left[0].name!r}, which is of kind {left[0].kind!r}. Add a "
            f"block for it, or give it another role: "
            f"table.with_roles({{{left[0].name!r}: 'meta'}})."
        )
    found = [
        Claim(each.block, tuple(v.name for v in domain.attributes if taken[v.name] is each), ())
        for each in claims
    ]
    return [each for each in found if each.columns]


def _check_name(claim: Claim, name: str, domain: Domain, taken: dict[str, Claim]) -> None:
    known = {v.name: v for v in domain.attributes}
    if name not in known:
        raise NoSuchColumn(name, known)
    if name in taken:
        raise DomainError(
            f"Two blocks take column {name!r}: {taken[name].block!r} and {claim.block!r}. "
            f"Name it in one of them."
        )
    if known[name].kind not in claim.kinds:
        raise _wrong_kind(claim, known[name])


def _wrong_kind(claim: Claim, variable: Variable) -> DomainError:
    return DomainError(
        f"{claim.block!r} takes columns of kind {' or '.join(map(repr, claim.kinds))}, but "
        f"{variable.name!r} is {variable.kind!r}. Give it another block."
    )
