"""Checked clusters: which of them got a label at once, and what the rows that were asked say."""

from dataclasses import dataclass

from satsuma.data.grids import aligned, grid_html
from satsuma.data.table import Table


@dataclass(frozen=True)
class CheckedCluster:
    """A cluster that was named, and what its rows said to that.

    Parameters
    ----------
    cluster
        What it is called; parts of cluster 3 are 3/0, 3/1 and so on.
    name
        The class that it was taken for; None if nobody named it.
    rows
        How many rows without a label it had.
    asked
        The numbers of those that were asked about, drawn at random, in order.
    agreed
        How many of these are of that class.
    least
        So many of the rows are of that class at least, with the confidence that was asked for.
        Rows that did not have to be asked about any more count as if they were not.
    taken
        Whether all rows got the label.
    parts
        Into how many parts it was split.
    """

    cluster: str
    name: str | None
    rows: int
    asked: tuple[int, ...]
    agreed: int
    least: int
    taken: bool
    parts: int = 0

    def sentence(self, agree: float, confidence: float) -> str:
        """What became of it, and why, where a share was to be proved with a confidence.

        Examples
        --------
        >>> CheckedCluster("3", "yes", 40, (5, 9), 0, 0, False).sentence(0.9, 0.95)
        "Cluster 3 did not become 'yes': 2 of 2 checked rows are not, and 90% cannot be proved."
        """
        if self.name is None:
            return f"Cluster {self.cluster} has no name, and got no label."
        of = f"of {len(self.asked)} checked rows"
        if not self.taken:
            wrong = len(self.asked) - self.agreed
            then = f" It was split into {self.parts}." if self.parts else ""
            return (
                f"Cluster {self.cluster} did not become {self.name!r}: {wrong} {of} "
                f"{'is' if wrong == 1 else 'are'} not, and {agree:.0%} cannot be proved.{then}"
            )
        return (
            f"Cluster {self.cluster} became {self.name!r}: {self.agreed} {of} are, and with "
            f"{confidence:.0%} confidence at least {self.least:,} of its {self.rows:,} rows."
        )


@dataclass(frozen=True)
class ClusterLabels:
    """Rows with the labels of their clusters, and what was checked.

    What is said of a cluster is exact: if fewer than `least` of its rows were of its class, so many
    of the rows that were asked about would agree with a probability of no more than 1 - confidence
    (hypergeometric). It holds for each cluster; of many, some may be worse.

    Parameters
    ----------
    table
        All rows, with the labels known now.
    clusters
        Those that had rows without a label, in order; parts follow the cluster that was split.
    agree, confidence
        What had to be proved of each.
    """

    table: Table
    clusters: tuple[CheckedCluster, ...]
    agree: float
    confidence: float

    @property
    def asked(self) -> list[int]:
        """The rows that were asked about, in order."""
        return [row for each in self.clusters for row in each.asked]

    @property
    def spared(self) -> int:
        """How many rows got a label without a question."""
        return sum(each.rows - len(each.asked) for each in self.clusters if each.taken)

    def _title(self) -> str:
        taken = sum(each.taken for each in self.clusters)
        return (
            f"{taken} of {len(self.clusters)} clusters got a label: {len(self.asked):,} rows were "
            f"asked about, and {self.spared:,} more have the label of their cluster"
        )

    def _sentences(self) -> list[str]:
        return [each.sentence(self.agree, self.confidence) for each in self.clusters]

    def _cells(self) -> list[list[str]]:
        head = ["cluster", "class", "rows", "checked", "agreed", "at least", "taken"]
        lines = [
            [each.cluster, each.name or "?", f"{each.rows:,}", str(len(each.asked)),
             str(each.agreed), *([f"{each.least / each.rows:.1%}", "yes"] if each.taken
                                 else ["", "no"])]
            for each in self.clusters
        ]  # fmt: skip
        return [head, *lines]

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._cells()), "", *self._sentences()])

    def _repr_html_(self) -> str:
        return grid_html(" ".join([f"{self._title()}.", *self._sentences()]), self._cells())
