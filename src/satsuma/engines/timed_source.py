"""Time features of a table or of a source, whose batches get them on their way."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.time_features import TimeFeatures, TimeSpan, time_spans
from satsuma.engines.reduce import Source, check_rows

D = TypeVar("D", bound=Table | Source)

#: The kinds of features.
KINDS = ("num", "sym")


def with_time_features(data: D, kinds: Collection[str] = KINDS, *, unlabelled: bool = False) -> D:
    """Columns of times replaced by what can be learned from: year, month, weekday, hour, days.

    Every learner does so by itself; call it to see or to change what is learned from. A column
    ``due`` gives ``due:year`` if there is more than one year, ``due:month`` if there are more than
    two months, ``due:weekday`` if there is a week, ``due:hour`` (with fractions) if there are times
    of day, and ``due:days since 2024-01-31``, the first day of these rows. A time of day gives the
    hour alone. What is missing stays missing; the column itself is kept as ``meta``. A column of
    the role ``meta`` or ``ignore`` gives nothing. Rows of weight 0 do not count.

    Parameters
    ----------
    data
        A table, or a source. Without a column of times it is returned as it is.
    kinds
        Which features to have: numbers (``num``), symbols (``sym``), or both.
    unlabelled
        Whether rows without a target count, where there is a target.

    Examples
    --------
    >>> from satsuma import Table, with_time_features
    >>> days = Table.of([("2024-03-01", 1), ("2024-03-09", 2)], ["due", "n"], kinds={"due": "time"})
    >>> with_time_features(days)[1]
    Row(due:weekday='Saturday', due:days since 2024-03-01=8, due='2024-03-09', n=2)
    """
    if isinstance(data, Table):
        if not data.domain.times:
            return data
        spans = time_spans(data, unlabelled=unlabelled)
        return cast("D", TimeFeatures.of_spans(data.domain, spans, kinds)(data))
    check_rows("with_time_features takes", data)
    return cast("D", _timed(data, _Wanted(tuple(kinds), unlabelled)))


@dataclass(frozen=True)
class _Wanted:
    """Which features to have, and of which rows."""

    kinds: tuple[str, ...]
    unlabelled: bool

    def spans(self, batch: Table) -> "_Spans":
        return _Spans(time_spans(batch, unlabelled=self.unlabelled))


def _timed(source: Any, wanted: _Wanted) -> Any:
    if getattr(source, "is_indexed", True):
        return TimedSource(source, wanted) if source.domain.times else source
    if source.first_guess.times:
        timed = TimedSource(source, wanted)
        return timed if timed.features else source
    return LateTimes(source, wanted)


@dataclass(frozen=True)
class _Spans:
    """The spans of the times of a batch. Two of them add up to one."""

    by_name: dict[str, TimeSpan]

    def __add__(self, later: "_Spans") -> "_Spans":
        both = self.by_name | later.by_name
        nothing = TimeSpan()
        return _Spans(
            {
                name: self.by_name.get(name, nothing) + later.by_name.get(name, nothing)
                for name in both
            }
        )


class TimedSource:
    """A source whose batches get the features of their times where they are.

    The spans of times take a pass, which is the one that finds the columns where that is still to
    be done.
    """

    def __init__(self, source: Any, wanted: _Wanted) -> None:
        self._source = source
        spans: _Spans = source.reduce(wanted.spans)
        self.features = TimeFeatures.of_spans(source.domain, spans.by_name, wanted.kinds)

    @property
    def domain(self) -> Domain:
        """The columns of every batch, with features."""
        return self.features.domain(self._source.domain)

    @property
    def batches(self) -> Iterator[Table]:
        """All batches in their order, where the source has them."""
        return map(self.features, _batches(self._source))

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all batches, added up in a fixed order."""
        features = self.features  # the source itself does not go along to where the batches are

        def expanded(batch: Table) -> Any:
            return tally(features(batch))

        return self._source.reduce(expanded)

    def reduce_at(self, tally: Callable[[Table, int], Any]) -> Any:
        """The same for a tally that is also told the number of the first row of a batch."""
        features = self.features

        def expanded(batch: Table, first: int) -> Any:
            return tally(features(batch), first)

        return self._source.reduce_at(expanded)


class _TimesMet(Exception):
    """A batch has a column of times that was not expected."""


class LateTimes:
    """A source of which is not known yet whether it has times: the pass that learns finds out.

    Only where times turn up behind the start of a file, everything is passed again.
    """

    def __init__(self, source: Any, wanted: _Wanted) -> None:
        self._source, self._wanted, self._timed = source, wanted, cast("Any", None)

    @property
    def known(self) -> Any:
        """The source, or that with features, now that the columns are known."""
        if self._timed is None:
            times = self._source.domain.times
            self._timed = TimedSource(self._source, self._wanted) if times else self._source
        return self._timed

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        return self.known.domain

    @property
    def batches(self) -> Iterator[Table]:
        """All batches in their order."""
        return iter(_batches(self.known))

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all batches, added up in a fixed order."""
        if self._source.is_indexed:
            return self.known.reduce(tally)

        def expected(batch: Table) -> Any:
            if batch.domain.times:
                raise _TimesMet
            return tally(batch)

        try:
            return self._source.reduce(expected)
        except _TimesMet:
            return self.known.reduce(tally)


def _batches(source: Any) -> Iterable[Table]:
    given = source.batches
    return cast("Iterable[Table]", given() if callable(given) else given)
