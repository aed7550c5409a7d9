"""Query: the rows of a query as one part, run anew for each pass, and the same each time."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Any, ClassVar, NoReturn
from zlib import crc32

import numpy as np

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.formats.arrow.record_batches import BATCH, ArrowPart, raw_of
from satsuma.data.formats.database.postgresql_types import with_numbers
from satsuma.data.formats.database.row_batches import even_batches, is_mixed, whole_table
from satsuma.data.formats.database.sessions import Result, Session, in_our_words
from satsuma.data.notes import note
from satsuma.data.profile import Raw
from satsuma.errors import ParameterError, ReadError


class Query(ArrowPart):
    """The rows of a query.

    Parameters
    ----------
    session
        What it is run on.
    sql
        The query.
    label, table
        What to call the database; the name of the table, where the query is all of one.
    clean
        What takes credentials out of a message.
    """

    what: ClassVar[str] = "query"

    def __init__(
        self, session: Session, sql: str, label: str, table: str, clean: Callable[[object], str]
    ) -> None:
        self.session, self.sql, self.label, self.table = session, sql, label, table
        self.clean = clean
        self._begun: Result | None = None  # run already, and not read yet
        self._checksums: dict[tuple[str, ...], int] = {}

    @property
    def file(self) -> str:
        """What to call the database."""
        return self.label

    @property
    def place(self) -> str:
        """What to call the query."""
        return f"{self.label}, table {self.table!r}" if self.table else f"{self.label}, query"

    def whole(self) -> tuple[Any, list[str]]:
        """All rows as an Arrow table, and what is to be said of its columns."""
        with in_our_words(self.place, self.clean):
            try:
                return self._table()
            except Exception as error:
                if not self.session.fallback(error):
                    raise
                return self._table()

    def _table(self) -> tuple[Any, list[str]]:
        found = self.session.run(self.sql)
        batches = (with_numbers(each, lambda _: True) for each in found.batches)
        table, mixed = whole_table(_with_numbers(found.schema), batches)
        return table, [note("numbers and words", name=name) for name in mixed]

    def head(self) -> "Head":
        """The first rows. The run of the query goes on where it stands, with the first pass."""
        with in_our_words(self.place, self.clean):
            found, batches, first = self._start()
        schema = found.schema if first is None else first.schema
        self._begun = Result(schema, _again(first, batches))
        return Head(self, _with_numbers(schema), [] if first is None else [first])

    def _start(self) -> tuple[Result, Generator[Any], Any]:
        """A run of the query, its batches, and the first of them."""
        try:
            found = self.session.run(self.sql)
            batches = even_batches(found.batches, BATCH)
            return found, batches, next(batches, None)
        except Exception as error:
            if not self.session.fallback(error):
                raise
        return self._start()

    def _raws(self, plan: ColumnPlan) -> Iterator[Raw]:
        with in_our_words(self.place, self.clean):
            checksum = 0
            for raw in self._made(plan):
                checksum = _checksum(raw, checksum)
                yield raw
            self._check(plan, checksum)

    def _made(self, plan: ColumnPlan) -> Iterator[Raw]:
        """The rows; by another driver from where the first one gives up."""
        checksum, given = 0, 0
        try:
            for raw in self._read(plan):
                checksum, given = _checksum(raw, checksum), given + raw.rows
                yield raw
        except Exception as error:
            if not self.session.fallback(error):
                raise
            yield from self._resumed(plan, given, checksum)

    def _resumed(self, plan: ColumnPlan, given: int, checksum: int) -> Iterator[Raw]:
        """The rows behind those that were given; an error where these are not the same again."""
        again, rows = 0, 0
        for raw in self._read(plan):
            if rows >= given:
                yield raw
                continue
            again, rows = _checksum(raw, again), rows + raw.rows
            if rows >= given and (rows, again) != (given, checksum):
                raise self._differs()

    def _read(self, plan: ColumnPlan) -> Iterator[Raw]:
        begun, self._begun = self._begun, None
        if begun is None:
            found = self.session.run(self.sql)
            begun = Result(found.schema, even_batches(found.batches, BATCH))
        rows = 0
        with closing(begun.batches):
            for batch in begun.batches:
                yield as_planned(batch, plan, rows)
                rows += batch.num_rows

    def _check(self, plan: ColumnPlan, checksum: int) -> None:
        kinds = tuple(variable.kind for variable in plan.domain)
        if self._checksums.setdefault(kinds, checksum) != checksum:
            raise self._differs()

    def _differs(self) -> ReadError:
        return ReadError(
            "the rows, or their order, are not those of the first time",
            file=self.place,
            remedy="Add an order by with a column that tells all rows apart, or read the rows at "
            "once with satsuma.read.",
        )

    def __reduce__(self) -> NoReturn:
        raise ParameterError(f"{self.place}: a query cannot be sent to workers. Scan files.")


class Head(ArrowPart):
    """The first rows of a query, to tell what its columns hold."""

    def __init__(self, query: Query, schema: Any, batches: list[Any]) -> None:
        self.query, self.schema, self.batches = query, schema, batches

    @property
    def file(self) -> str:
        """What to call the database."""
        return self.query.file

    def _raws(self, plan: ColumnPlan) -> Iterator[Raw]:
        return (as_planned(each, plan, 0) for each in self.batches)


def as_planned(batch: Any, plan: ColumnPlan, before: int) -> Raw:
    """A batch as a plan has it; `before` are the rows that came before it."""
    names = plan.domain.names
    numbers = plan.flags.union(v.name for v in plan.domain if v.kind == "num")
    made = raw_of(with_numbers(batch, numbers.__contains__), plan, frozenset(), before)
    mixed = {each.name for each in batch.schema if is_mixed(each)}
    made.sorts |= {j: {"number", "word"} for j, name in enumerate(names) if name in mixed}
    return made


def _again(first: Any, batches: Generator[Any]) -> Generator[Any]:
    if first is not None:
        yield first
        yield from batches


def _with_numbers(schema: Any) -> Any:
    import pyarrow as pa

    fields = [(each.name, each.type) for each in schema]
    return pa.schema(
        (name, pa.float64() if getattr(of, "type_name", "") == "numeric" else of)
        for name, of in fields
    )


def _checksum(raw: Raw, before: int) -> int:
    """The checksum of some rows and those before them, in their order."""
    for column, values in zip(raw.columns, raw.values, strict=True):
        if column is not None:
            before = crc32(np.ascontiguousarray(column).view(np.uint8).data, before)
        before = crc32("\0".join(values).encode("utf-8", "surrogatepass"), before)
    return before
