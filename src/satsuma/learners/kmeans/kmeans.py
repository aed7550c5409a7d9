"""KMeans: rows in k clusters, each around a centre of means and modes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from satsuma.data.domain import Domain
from satsuma.data.fields import LARGE, Flag, FloatArray, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import check_choice, check_number
from satsuma.learners.kmeans import rounds
from satsuma.learners.kmeans.centre_attributes import CentreAttributes
from satsuma.learners.kmeans.lloyd import (
    Setup,
    Start,
    cheapest,
    run_in_memory,
    set_up,
    walk_in_memory,
)
from satsuma.learners.kmeans.nearest_centre import NearestCentreModel
from satsuma.learners.kmeans.seeding import (
    check_init,
    draw_centres,
    given_centres,
    is_given,
    savable_init,
)
from satsuma.learners.kmeans.space import Cells, Extent, Space
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Floats, Integers
from satsuma.tallies.content_hashes import hashes_of

SCALES = ("range", None)


class KMeansModel(NearestCentreModel):
    """Clusters around centres, with what they cost.

    `cost` is, by cluster, the sum of the squared distances of its rows from the centre, `steps` how
    often centres were moved, and `converged` whether they had come to rest.
    """

    schema: ClassVar[Schema] = Schema(
        near=FloatArray("clusters", "num", low=-LARGE, high=LARGE),
        cost=FloatArray("clusters", low=0, infinite=True),
        steps=Number(low=0, whole=True),
        converged=Flag(),
    )

    def __init__(self, space: Space, found: Start) -> None:
        assert found.centres is not None
        assert found.costs is not None
        centres = space.plain(found.centres.number), found.centres.symbol
        super().__init__(
            space.domain, (space.lo, space.hi), space.scale, centres, found.costs.weight
        )
        self.near, self.cost = found.centres.number, found.costs.cost
        self.steps, self.converged = found.steps, found.converged

    def _scaled(self) -> Cells:
        return Cells(self.near, self.mode)

    @property
    def inertia(self) -> float:
        """The sum of the squared distances of all rows from the centres of their clusters."""
        return float(self.cost.sum())

    def _heading(self) -> str:
        rest = "" if self.converged else f", stopped after {self.steps} steps"
        return f"{super()._heading()}, inertia {self.inertia:.6g}{rest}"


@dataclass(kw_only=True, eq=False)
class KMeans(CentreAttributes, RoundsLearner):
    """Rows in k clusters, so that the squared distances of rows from their centres sum to little.

    A centre has the mean of each number and the most frequent value of each symbol. A missing cell
    says nothing: it is left out of the distance, for all centres alike, and of the means.

    Parameters
    ----------
    k
        How many clusters; fewer come out where there are fewer different rows.
    init
        Where centres start: ``k-means++``, rows drawn by the squared distance from those drawn
        before (Arthur and Vassilvitskii 2007); ``random``, any rows that differ; or the centres
        themselves, as a table, a list of rows as dicts, or an array of numbers.
    scale
        ``range`` brings each number to 0..1 by the range of its column, so that it counts as much
        as a symbol that differs. None leaves numbers as they are: then the clusters are those of
        scikit-learn's ``KMeans`` from the same start.
    steps
        How often centres are moved at the most.
    tolerance
        Centres are at rest once none moves farther than this, where 1 is the farthest that two
        rows can be apart. At 0, once none moves at all.
    starts
        How often to start; the cheapest end is taken, the first of several.
    seed
        For drawing.

    Notes
    -----
    The squared distance of a row from a centre is the sum over its known cells of the squared
    difference of numbers, and 1 where a symbol differs. With it, neither assigning rows to the
    nearest centre nor moving centres can raise the sum over all rows. A centre that starts with a
    missing cell gets the mean or mode of the whole column there. A centre left without rows stays
    where it is; a tie goes to the first centre.

    Which rows are drawn depends on what is in them and on the seed, not on their order; a row that
    weighs 2 is as likely as two. From a source, a start takes two passes over the rows for each
    centre that is drawn, and one for each step. In memory most distances are skipped (Hamerly
    2010); the clusters are the same.

    Examples
    --------
    >>> from satsuma import KMeans, Table
    >>> rows = [(1, "a"), (2, "a"), (8, "b"), (9, "b"), (None, "b")]
    >>> table = Table.of(rows, ["size", "kind"], target=None)
    >>> model = KMeans(k=2)(table)
    >>> model(table).tolist()
    [1, 1, 0, 0, 0]
    >>> print(model)
    2 clusters, inertia 0.015625
    0: 3 rows at size=8.5, kind=b
    1: 2 rows at size=1.5, kind=a
    """

    k: int = 8
    init: Any = "k-means++"
    scale: str | None = "range"
    steps: int = 100
    tolerance: float = 1e-4
    starts: int = 1
    seed: int = 0

    takes: ClassVar[Takes] = Takes(target="nothing", rounds="many")

    def check(self) -> None:
        """Every parameter has a range."""
        check_number(self, "k", low=1, whole=True)
        check_init(self)
        check_choice(self, "scale", SCALES)
        check_number(self, "steps", low=1, whole=True)
        check_number(self, "tolerance", low=0)
        check_number(self, "starts", low=1, whole=True)
        check_number(self, "seed", low=0, whole=True)

    def check_data(self, data: Table | Source) -> None:
        """Raise if this cannot be learned from, or if the centres given do not fit it."""
        super().check_data(data)
        if is_given(self.init):
            given_centres(self, data.domain)

    def learn(self, data: Table | Source) -> KMeansModel:
        """Step in memory where all rows are there, else in rounds: the clusters are the same."""
        if not isinstance(data, Table):
            return super().learn(data)  # pyright: ignore[reportReturnType]
        setup = self._set_up(Extent.of(data), data.domain)
        cells = setup.space.cells(data)
        found = [
            run_in_memory(self._first(setup, data, cells, at), *_run(setup, data, cells))[0]
            for at in range(setup.starts)
        ]
        return KMeansModel(setup.space, cheapest(found))

    def walk(self, rows: Table) -> Iterator[KMeansModel]:
        """The models of the first start one by one: before any centre moves, and after each step.

        Rows go to the nearest centre, and centres to the middle of their rows: no step makes the
        inertia greater.

        Parameters
        ----------
        rows
            All of them, in memory.

        Examples
        --------
        >>> from satsuma import KMeans, load
        >>> walk = KMeans(k=3, init="random", seed=4).walk(load("iris"))
        >>> [round(model.inertia, 2) for model in walk]
        [13.08, 7.47, 7.24, 7.18, 7.17, 7.15, 7.14, 7.12, 7.12]
        """
        self.check_data(rows)
        rows = with_time_features(rows, unlabelled=True)
        setup = self._set_up(Extent.of(rows), rows.domain)
        cells = setup.space.cells(rows)
        start = self._first(setup, rows, cells, 0)
        for each in walk_in_memory(start, *_run(setup, rows, cells)):
            yield KMeansModel(setup.space, each)

    def _first(self, setup: Setup, data: Table, cells: Cells, at: int) -> Start:
        """A start whose centres are drawn, or were given."""
        centres = setup.given
        if centres is None:
            hashes = hashes_of(data, data.domain.attributes)
            centres, _ = draw_centres(
                cells, hashes, data.weights, setup.middle, setup.k, setup.init, setup.seed, at
            )
        assert centres is not None, "some row has a weight"
        return Start(at, centres, drawing=False)

    def _set_up(self, extent: Extent, domain: Domain) -> Setup:
        given = given_centres(self, domain) if is_given(self.init) else None
        return set_up(self, extent, domain, given, type(self).__name__)

    def start(self, domain: Domain) -> rounds.State:
        """Nothing is known but the columns."""
        return rounds.State(domain)

    def tally(self, state: rounds.State, batch: Table) -> Any:
        """The extent of columns at first; then for each start what its next move needs."""
        return Extent.of(batch) if state.setup is None else rounds.tally(state, batch)

    def advance(self, state: rounds.State, tally: Any) -> rounds.State:
        """A centre drawn, a step, or the costs at the end, in each start."""
        if state.setup is None:
            setup = self._set_up(tally, state.domain)
            return replace(state, setup=setup, starts=rounds.first_starts(setup))
        return rounds.advance(state, tally)

    def conclude(self, state: rounds.State) -> KMeansModel:
        """The cheapest of all starts."""
        assert state.setup is not None
        return KMeansModel(state.setup.space, cheapest(list(state.starts)))

    def _alike(self) -> Self:
        # A model is saved with its learner: a table inside becomes plain rows.
        return replace(super()._alike(), init=savable_init(self.init))


def _run(
    setup: Setup, data: Table, cells: Cells
) -> tuple[Cells, Floats | None, Integers, int, float]:
    """What the steps of a start depend on."""
    return cells, data.weights, setup.space.offset, setup.steps, setup.least
