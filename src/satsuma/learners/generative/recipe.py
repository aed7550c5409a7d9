"""Recipe: the blocks of a learner, and all that follows from them before a row is seen."""

from collections.abc import Sequence

from satsuma.data.domain import Domain
from satsuma.learners.generative.blocks_kind import BlocksKind
from satsuma.learners.generative.claims import Claim, settled
from satsuma.learners.takes import Takes


class Recipe:
    """What is the same for all batches of a stream, worked out once.

    Parameters
    ----------
    claims
        The blocks, and the columns that each is to speak for.
    rounds
        How many rounds it takes where all blocks learn from tallies.
    """

    def __init__(self, claims: Sequence[Claim], rounds: str) -> None:
        self.claims = tuple(claims)
        self.tally_kind = BlocksKind(self.claims)
        self.takes = _takes(self.claims, rounds)
        self.finds_infinite = all(
            getattr(each.block, "finds_infinite", False) or "num" not in each.kinds
            for each in self.claims
        )
        self._settled: tuple[Domain, list[Claim]] | None = None

    def settled(self, domain: Domain) -> list[Claim]:
        """Who speaks for which attribute of a domain; known already if it was the last one."""
        last = self._settled
        if last is None or last[0] is not domain:
            last = self._settled = domain, settled(self.claims, domain)
        return last[1]


def _takes(claims: Sequence[Claim], rounds: str) -> Takes:
    kinds = [kind for kind in ("num", "sym", "text") if any(kind in c.kinds for c in claims)]
    if any(each.by_rows for each in claims):
        return Takes(kinds=tuple(kinds), rounds="rows")
    return Takes(kinds=tuple(kinds), rounds="many" if rounds == "many" else "one")
