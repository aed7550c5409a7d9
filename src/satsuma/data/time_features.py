"""Time features: what learners get out of a column of times, named after it."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from satsuma.data.columns import time_cells
from satsuma.data.domain import Domain
from satsuma.data.notes import Note, column_list, note
from satsuma.data.table import Table
from satsuma.data.time_formats import has_day, has_zone
from satsuma.data.times import local_times
from satsuma.data.variable import Variable
from satsuma.errors import DomainError
from satsuma.kernels.csv import DAY, NO_TIME
from satsuma.numerics.arrays import TIME, Array, Codes, Floats, Times

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_HOUR = 3600 * 10**9
_SINCE = re.compile(r"days since (\d{4,}-\d\d-\d\d)", re.ASCII)


@dataclass(frozen=True)
class TimeSpan:
    """The first and the last time of some rows, in nanoseconds; two of them add up to one.

    Parameters
    ----------
    first, last
        None where no time is known.
    clocks
        Whether one is not at midnight.

    Examples
    --------
    >>> TimeSpan(3, 8) + TimeSpan() + TimeSpan(1, 2, clocks=True)
    TimeSpan(first=1, last=8, clocks=True)
    """

    first: int | None = None
    last: int | None = None
    clocks: bool = False

    @classmethod
    def of(cls, times: Times) -> "TimeSpan":
        """The span of a column, by the clock on the wall."""
        known = times.view(np.int64)
        known = known[known != NO_TIME]
        if not len(known):
            return cls()
        return cls(int(known.min()), int(known.max()), bool((known % DAY).any()))

    def __add__(self, other: "TimeSpan") -> "TimeSpan":
        if self.first is None or self.last is None:
            return other
        if other.first is None or other.last is None:
            return self
        first, last = min(self.first, other.first), max(self.last, other.last)
        return TimeSpan(first, last, self.clocks or other.clocks)

    def distance(self, unit: str) -> int:
        """How many days, months or years of the calendar the last time is behind the first."""
        ends = np.array([self.first, self.last], np.int64).view(TIME).astype(f"M8[{unit}]")
        return int(np.diff(ends.astype(np.int64))[0])


def time_spans(table: Table, *, unlabelled: bool = False) -> dict[str, TimeSpan]:
    """The span of each column of times that is learned from.

    Rows of weight 0 do not count, nor do those without a target unless these are asked for.
    """
    used, target = None, table.domain.target
    if table.weights is not None:
        used = table.weights > 0
    if target is not None and not unlabelled:
        labelled = ~table.missing(target.name)
        used = labelled if used is None else used & labelled
    found: dict[str, TimeSpan] = {}
    for variable in table.domain.times:
        column = local_times(table.column(variable.name), variable.time_format)
        found[variable.name] = TimeSpan.of(column if used is None else column[used])
    return found


def feature_variables(variable: Variable, span: TimeSpan) -> Iterator[Variable]:
    """The features of a column of times whose rows have this span.

    Examples
    --------
    >>> days = TimeSpan.of(np.array(["2024-01-30", "2024-02-10"], "M8[ns]"))
    >>> [each.name for each in feature_variables(Variable("due", "time"), days)]
    ['due:weekday', 'due:days since 2024-01-30']
    """
    name, clock = variable.name, not has_day(variable.time_format)
    if span.first is None:
        return
    if not clock and span.distance("Y") > 0:
        yield Variable(f"{name}:year")
    if not clock and span.distance("M") > 1:
        yield Variable(f"{name}:month", "sym", MONTHS)
    if not clock and span.distance("D") >= 6:
        yield Variable(f"{name}:weekday", "sym", WEEKDAYS)
    if clock or span.clocks:
        yield Variable(f"{name}:hour")
    if not clock:
        first = np.int64(span.first).view(TIME).astype("M8[D]")
        yield Variable(f"{name}:days since {first}")


def _years(times: Times) -> Array:
    return times.astype("M8[Y]").astype(np.int64) + 1970


def _months(times: Times) -> Array:
    return times.astype("M8[M]").astype(np.int64) % 12


def _weekdays(times: Times) -> Array:
    return (times.astype("M8[D]").astype(np.int64) + 3) % 7  # 1970 began on a Thursday


def _hours(times: Times) -> Array:
    return times.view(np.int64) % DAY / _HOUR


def _days_since(first: str, times: Times) -> Array:
    return (times.astype("M8[D]") - np.datetime64(first)).astype(np.int64)


_PARTS: Mapping[str, Callable[[Times], Array]] = {
    "year": _years,
    "month": _months,
    "weekday": _weekdays,
    "hour": _hours,
}


def _part(name: str) -> Callable[[Times], Array]:
    since = _SINCE.fullmatch(name)
    return partial(_days_since, since[1]) if since else _PARTS[name]


def feature_column(feature: Variable, times: Times) -> Array:
    """The column of a feature, from times by the clock on the wall; what is missing stays so.

    Examples
    --------
    >>> feature_column(Variable("due:hour"), np.array(["2024-04-03T06:45", "NaT"], "M8[ns]"))
    array([6.75,  nan])
    """
    missing = np.isnat(times)
    found = _part(feature.name.rpartition(":")[2])(np.where(missing, np.datetime64(0, "ns"), times))
    if feature.kind == "sym":
        codes: Codes = np.where(missing, -1, found).astype(np.int32)
        return codes
    numbers: Floats = np.where(missing, np.nan, found)
    return numbers


def time_of_feature(name: str) -> str | None:
    """The column of times that a feature is named after; None where the name is of another form.

    Examples
    --------
    >>> time_of_feature("due:days since 2024-01-30"), time_of_feature("due:colour")
    ('due', None)
    """
    time, mark, part = name.rpartition(":")
    return time if mark and (part in _PARTS or _SINCE.fullmatch(part)) else None


@dataclass(frozen=True)
class TimeFeatures:
    """Which features stand for which columns of times, wherever the rows are.

    Parameters
    ----------
    by_time
        The features by the name of the column.
    """

    by_time: Mapping[str, tuple[Variable, ...]]

    @classmethod
    def of_spans(
        cls, domain: Domain, spans: Mapping[str, TimeSpan], kinds: Collection[str]
    ) -> "TimeFeatures":
        """Those of some kinds, as the spans of columns have it; a name that is taken stays."""
        return cls(
            {
                name: tuple(
                    each
                    for each in feature_variables(domain[name], span)
                    if each.kind in kinds and each.name not in domain
                )
                for name, span in spans.items()
            }
        )

    @classmethod
    def of_domain(cls, domain: Domain) -> "TimeFeatures":
        """Those that a model was learned from: the column of times is kept beside them."""
        times = {v.name: list[Variable]() for v in domain.metas if v.kind == "time"}
        for variable in domain.attributes if times else ():
            time = time_of_feature(variable.name)
            if time in times:
                times[time].append(variable)
        return cls({name: tuple(features) for name, features in times.items() if features})

    def notes(self) -> list[Note]:
        """What is to be told where columns of times are learned from."""
        names = [name for name, features in self.by_time.items() if features]
        if not names:
            return []
        features = [repr(each.name) for name in names for each in self.by_time[name]]
        more = [f"{len(features) - 4} more"] if len(features) > 5 else []
        listed = ", ".join([*features[: 4 if more else 5], *more])
        return [
            note("time features", columns=column_list(names, "is"), features=listed, name=names[0])
        ]

    def __bool__(self) -> bool:
        return bool(self.by_time)

    def domain(self, domain: Domain) -> Domain:
        """The columns with the features in the place of times, which are kept as ``meta``."""
        return Domain(variable for variable, _ in self._placed(domain))

    def __call__(self, table: Table) -> Table:
        """The same rows with the features."""
        columns = list[Array]()
        for variable, times in self._placed(table.domain):
            column = table.column(times.name)
            if variable.name != times.name:
                column = feature_column(variable, local_times(column, times.time_format))
            columns.append(column)
        domain = self.domain(table.domain)
        return Table(domain, columns, name=table.name, notes=table.notes, check=False)

    def _placed(self, domain: Domain) -> Iterator[tuple[Variable, Variable]]:
        """Each column of the result, and the column that it comes from."""
        for variable in domain:
            if variable.name in self.by_time and variable.role == "x":
                yield from ((feature, variable) for feature in self.by_time[variable.name])
                yield variable.with_role("meta"), variable
            else:
                yield variable, variable

    def asked(self, table: Table, domain: Domain) -> Table:
        """Rows that a model is asked about, with the features that they have the times for.

        Parameters
        ----------
        table
            The rows. Times may be given as strings.
        domain
            The columns of the model.
        """
        variables, columns = list(table.domain), list(table.columns)
        for name, features in self.by_time.items():
            wanted = [each for each in features if each.name not in table.domain]
            if wanted and name in table.domain:
                given, column = _as_learned(table, domain[name])
                times = local_times(column, given.time_format)
                variables += wanted
                columns += [feature_column(each, times) for each in wanted]
        if len(variables) == len(table.domain):
            return table
        return Table(Domain(variables), columns, name=table.name, check=False)


def more_rows(table: Table, learned: Domain) -> Table:
    """More rows to learn from, with the features that the first ones have.

    Parameters
    ----------
    table
        The rows. Times may be given as strings.
    learned
        The columns of the first rows, with features.
    """
    features = TimeFeatures.of_domain(learned)
    if not features:
        return table
    variables, columns = list(table.domain), list(table.columns)
    for name in features.by_time:
        at = table.domain.index(name)
        if variables[at].role == "x":
            variables[at], columns[at] = _as_learned(table, learned[name])
    return features(Table(Domain(variables), columns, name=table.name, check=False))


def _as_learned(table: Table, learned: Variable) -> tuple[Variable, Times]:
    """A column as times; strings are read like those that were learned from.

    Times with a zone are by the clock that was learned from, if that has a zone.
    """
    given, column = table.domain[learned.name], table.column(learned.name)
    if given.kind in ("sym", "text"):
        codes, values = _encoded(given, column)
        used = np.unique(codes)
        cells = [values[code] if code >= 0 else None for code in used.tolist()]
        given, times = time_cells(given.name, cells, learned.time_format)
        column = times[np.searchsorted(used, codes)]
    elif given.kind == "num":
        if not table.missing(given.name).all():
            raise DomainError(
                f"Column {given.name!r} was learned as 'time', but here it is 'num'. "
                f"Give times, or strings such as those that were learned from."
            )
        given, column = learned, np.full(len(table), "NaT", TIME)
    if has_zone(learned.time_format) == has_zone(given.time_format):
        given = learned
    return given.with_role("x"), column


def _encoded(given: Variable, column: Array) -> tuple[Codes, Sequence[str]]:
    """Strings as codes, whether they are symbols or text."""
    if given.kind == "sym":
        return column, given.values
    values = dict[str, int]()
    codes = [-1 if cell is None else values.setdefault(cell, len(values)) for cell in column]
    return np.array(codes, np.int32), list(values)


def learned_columns(domain: Domain) -> tuple[Variable, ...]:
    """The columns of rows that were given to `fit`: times, and none of their features.

    Examples
    --------
    >>> known = Domain([Variable("due:year"), Variable("due", "time", role="meta"), Variable("n")])
    >>> [each.name for each in learned_columns(known)]
    ['due', 'n']
    """
    times = {v.name for v in domain.metas if v.kind == "time"}
    if not times:
        return domain.attributes
    features = TimeFeatures.of_domain(domain).by_time.values()
    derived = {each.name for some in features for each in some}
    return tuple(
        replace(v, role="x")
        for v in domain
        if v.name in times or (v.role == "x" and v.name not in derived)
    )


def with_times(attributes: Domain, domain: Domain) -> Domain:
    """Attributes, of which more values may be known by now, and the times of a domain.

    Examples
    --------
    >>> known = Domain([Variable("due:year"), Variable("due", "time", role="meta"), Variable("y")])
    >>> with_times(Domain(known.attributes), known).names
    ('due:year', 'due', 'y')
    """
    if not any(v.kind == "time" for v in domain.metas):
        return attributes
    return Domain(
        attributes[v.name] if v.role == "x" else v
        for v in domain
        if v.role == "x" or (v.role == "meta" and v.kind == "time")
    )
