"""Scan: rows in files, or of a query, that are never all in memory."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self, Unpack

from satsuma.data.domain import Domain
from satsuma.data.formats import ReadOptions
from satsuma.data.formats.arrow import dask as frames
from satsuma.data.formats.arrow import record_batches as arrow
from satsuma.data.formats.arrow import spark
from satsuma.data.formats.database.query import Query
from satsuma.data.formats.delimited.relay import thread_count
from satsuma.data.identifiers import keys_note, keys_to_set_aside
from satsuma.data.likeness import domain_of
from satsuma.data.parts import Opened, Part, stacked
from satsuma.data.sources import Request, open_source
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines.source_index import At, Over, SourceIndex, batches, index_source, no_rows
from satsuma.engines.thread_pool import Progress, ThreadPool, WorkerPool
from satsuma.errors import ParameterError, SatsumaError

if TYPE_CHECKING:
    from satsuma.data.profile import BadRow
    from satsuma.tallies.num import Num
    from satsuma.tallies.sym import Sym


def scan(
    source: Any,
    *,
    target: str | None = None,
    kinds: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    like: Any = None,
    name: str | None = None,
    format: str | None = None,  # noqa: A002 - the word for it
    engine: Literal["dask"] | None = None,
    client: Any = None,
    progress: Progress | None = None,
    **options: Unpack[ReadOptions],
) -> "Scan":
    r"""Rows that need not fit in memory, to be learned from, looked at and written.

    Nothing but the start of the first file is read until rows are asked for. What each column
    holds is settled over the whole source, as `read` would settle it. That takes a
    pass of its own, or is done on the way where a learner needs one pass only.

    Parameters
    ----------
    source
        A path, a pattern such as ``"logs/*.parquet"``, a folder, an address such as
        ``"s3://bucket/logs/*.parquet"``, a list of these, a pyarrow dataset, a polars
        LazyFrame, a duckdb relation, a data frame of Dask or Spark, the address of a database, or
        a connection with ``query=``. Files are ``.csv``,
        ``.tsv``, ``.txt``, ``.tab`` and ``.jsonl`` (each also with ``.gz`` or ``.zst`` behind it),
        ``.parquet``, or ``.feather``; those that are scanned together have the same columns.
    target, kinds, roles, like, name, format
        As in `read`.
    engine, client
        With ``"dask"``, files are read by the workers of this client of Dask, or of the one that is
        in use; they must be able to see them under the same paths. A data frame of Dask or Spark is
        worked on where it is.
    progress
        Called with the number of parts that are done and of all parts, in every pass.
    **options
        As in `read`; ``threads`` goes with every format. The result does not depend on it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from satsuma import NaiveBayes, scan
    >>> with TemporaryDirectory() as folder:
    ...     for year, cell in (("2023", "3"), ("2024", "much")):
    ...         _ = Path(folder, year + ".csv").write_text(f"rain,play\n{cell},yes\n2,no\n")
    ...     source = scan(folder + "/*.csv", target="play")
    ...     model = NaiveBayes()(source)
    ...     source.domain["rain"].values, source.shape
    (('3', '2', 'much'), (4, 2))
    """
    threads = thread_count(options.pop("threads", None))
    aims = [column for column, role in (roles or {}).items() if role == "target"]
    aim = aims[0] if aims and target is None else target
    request = Request(kinds, target, options, domain_of(like))
    opened = open_source(source, format, request).with_numbers(roles)
    domain = opened.plan.domain.with_roles(roles, target=aim)
    soft = opened.plan.soft - set(roles or {})
    opened = replace(opened, plan=replace(opened.plan, domain=domain, soft=soft))
    pool = pool_of(source, opened, engine, client) or ThreadPool(threads)
    opened = opened if name is None else replace(opened, name=name)
    return Scan(opened, pool=pool, progress=progress, said=roles or ())


def pool_of(source: Any, opened: Opened, engine: str | None, client: Any) -> WorkerPool | None:
    """The workers elsewhere that are asked for, if any."""
    if engine not in (None, "dask"):
        raise ParameterError(
            f"The 'engine' parameter must be None or 'dask'. Got {engine!r} instead. A data frame "
            f"of Spark is scanned as it is."
        )
    if spark.is_spark(source):
        from satsuma.engines.spark_executors import Executors

        return Executors(source)
    if engine == "dask" or frames.is_frame(source):
        from satsuma.engines.dask_workers import Workers

        stays = (arrow.Stream, Query)
        stream = next((each for each in opened.parts if isinstance(each, stays)), None)
        if stream is not None:
            raise ParameterError(f"{stream.place}: a query cannot be sent to workers. Scan files.")
        return Workers(client)
    if client is not None:
        raise ParameterError("The 'client' parameter goes with engine='dask'.")
    return None


class Scan:
    """A source of rows that need not fit in memory; `satsuma.scan` makes it.

    It can be learned from like a table, by every learner that does not need all rows at once.
    """

    def __init__(
        self,
        opened: Opened,
        *,
        pool: WorkerPool,
        progress: Progress | None,
        said: Collection[str] = (),
    ) -> None:
        self.name, self.pool, self.progress = opened.name, pool, progress
        self._opened, self._said = opened, said
        self._keys: tuple[str, ...] = ()
        self._index: SourceIndex | None = None
        self._closed = False

    def close(self) -> None:
        """Let go of connections; rows cannot be asked for any more. What is known stays.

        Files are open only while they are read. A connection to a database, with its transaction,
        is open until this is called, the ``with`` block of the source ends, or it is deleted.
        """
        self._closed = True
        for part in self.parts:
            if isinstance(part, Query):
                part.session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise SatsumaError("The source is closed. Scan it again.")

    @property
    def is_indexed(self) -> bool:
        """Whether there was a pass over all rows already."""
        return self._index is not None

    @property
    def index(self) -> SourceIndex:
        """What is known of the source; this takes a pass over all rows the first time."""
        if self._index is None:
            self._index, _ = self._index_source(None)
        return self._index

    @property
    def first_guess(self) -> Domain:
        """The columns as far as they are known without a pass."""
        return self._opened.plan.domain if self._index is None else self.domain

    def _index_source(self, tally: Callable[[Table], Any] | None) -> tuple[SourceIndex, Any]:
        self._check_open()
        opened = self._opened
        index, total = index_source(opened.parts, opened.plan, tally, self.pool, self.progress)
        if opened.bare:
            domain = index.plan.domain
            self._keys = keys_to_set_aside(domain, index.keys(), self._said)
            domain = domain.with_roles(dict.fromkeys(self._keys, "meta"))
            index = replace(index, plan=replace(index.plan, domain=domain))
        return index, total

    @property
    def domain(self) -> Domain:
        """The columns, with every value that there is."""
        return self.index.plan.domain

    @property
    def parts(self) -> Sequence[Part]:
        """Where the rows are. Each part is tallied by itself, whatever who works on it."""
        return self._opened.parts if self._index is None else self._index.parts

    def __len__(self) -> int:
        return self.index.starts[-1]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), len(self.domain)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said about the source."""
        from satsuma.data.source_notes import source_notes

        index = self.index
        told = source_notes(self._opened.plan, index.found, index.place)
        return (*self._opened.notes, *told, *keys_note(self._keys))

    @property
    def aside(self) -> "tuple[BadRow, ...]":
        """Rows that could not be read and are kept aside on request: the first thousand."""
        index = self.index
        return tuple(
            replace(each, line=index.lines[part] + each.line)
            for part, each in index.found.last.profile.aside
        )

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all batches, added up in a fixed order."""
        if self._index is None:
            self._index, total = self._index_source(tally)
            if not self._keys:  # else it has tallied columns that are not to be learned from
                return total
        return self.reduce_at(lambda batch, _: tally(batch))

    def reduce_at(self, tally: At, progress: Progress | None = None) -> Any:
        """The same for a tally that is also told the number of the first row of a batch."""
        self._check_open()
        index, told = self.index, progress or self.progress
        total = self.pool.total(Over(index.plan, tally), index.items(), told)
        return tally(no_rows(index.plan), 0) if total is None else total

    def batches(self) -> Iterator[Table]:
        """All rows in order, some thousand at a time."""
        self._check_open()
        index = self.index
        for item in index.items():
            for table, _ in batches(index.plan, item):
                yield table

    def head(self, n: int = 5) -> Table:
        """The first rows.

        Columns are as far known as these rows tell, unless there was a pass over all rows.
        """
        self._check_open()
        plan = self._opened.plan
        if self._index is None and self._opened.parts:
            part = self._opened.parts[0]
            raw = next(iter(part.read(plan)), None)
            if raw is not None and raw.fits and not raw.refused and raw.rows >= n:
                return plan.table(raw, part.place)[:n].with_name(self.name)
        taken, rows = list[Table](), 0
        for batch in self.batches():
            taken.append(batch[: n - rows])
            rows += len(taken[-1])
            if rows >= n:
                break
        return stacked(taken, self.domain).with_name(self.name)

    def sample(self, n: int, *, seed: int = 0) -> Table:
        """Some rows, in their order: each set of `n` is equally likely.

        The same rows come out for the same seed, whatever the number of threads and parts.

        Parameters
        ----------
        n
            How many; all of them where there are no more.
        seed
            Where chance starts from.
        """
        from satsuma.engines.sampling import Drawn

        if n < 1:
            raise ParameterError(f"A sample has at least one row. Got n={n!r}.")
        drawn = self.reduce_at(lambda batch, first: Drawn.of(batch, first, n, seed))
        return drawn.table().with_name(self.name)

    def summary(self) -> "dict[str, Num | Sym]":
        """A `Num` or a `Sym` for each column, in one pass; columns of text are left out."""
        from satsuma.engines.sampling import Summaries

        return self.reduce(Summaries.of).by_name

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        change: Callable[[Table], Table] | None = None,
        resume: bool = False,
        progress: Progress | None = None,
        escape_formulas: bool = False,
    ) -> list[str]:
        """Write all rows to one file, or with a ``*`` in the name to one for each part.

        A file appears when it is complete, or not at all.

        Parameters
        ----------
        path
            Where to. The ending says the format: ``.csv``, ``.tsv``, ``.jsonl`` (each also with
            ``.gz`` or ``.zst``), ``.parquet``, or ``.feather``. A ``*`` becomes the number of
            the part; files of parts are written by several threads, or by the workers of a
            cluster, to a folder that they share.
        change
            What to write of a batch of rows, if not the rows themselves.
        resume
            Whether to go on where an earlier run ended: files that are there are kept.
        progress
            Called with the number of parts that are done and of all parts.
        escape_formulas
            For CSV and TSV: whether strings that a spreadsheet would compute get an apostrophe in
            front, as in `satsuma.write`.

        Returns
        -------
        list
            The files, those that were there before among them.
        """
        from satsuma.engines.export import ExportOptions, Output, export

        self._check_open()
        told = progress or self.progress
        how = ExportOptions(Output(change, escape_formulas), resume, self.pool, told)
        return export(self.index, os.fspath(path), how)

    def __reduce__(self) -> NoReturn:
        raise TypeError("A source does not travel: its parts do. Scan the files again there.")

    def __repr__(self) -> str:
        files = list(dict.fromkeys(part.file for part in self.parts))
        where = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more files"
        parts = "1 part" if len(self.parts) == 1 else f"{len(self.parts):,} parts"
        if not self.is_indexed:
            return f"Scan of {where} in {parts}; rows not counted yet"
        rows, columns = self.shape
        lines = [f"Scan of {where} in {parts}: {rows:,} rows, {columns} columns"]
        return "\n".join([*lines, *map(_column_line, self.domain)])


def _column_line(variable: Variable) -> str:
    role = "" if variable.role == "x" else f", {variable.goal or variable.role}"
    count = len(variable.values)
    values = f", {count:,} value{'' if count == 1 else 's'}" if variable.kind == "sym" else ""
    return f"  {variable.name}: {variable.kind}{values}{role}"
