"""Writing: a table to a file, whole or not at all."""

import bz2
import gzip
import lzma
import os
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, Unpack, cast

from satsuma.data.files import replacing
from satsuma.data.formats import (
    REFERENCES,
    WRITING,
    Format,
    WriteOptions,
    check_options,
    find_format,
)
from satsuma.data.formats.delimited.writer import csv_put, tab_put
from satsuma.data.formats.serialization import Put
from satsuma.data.table import Table
from satsuma.errors import WriteError


def write(
    table: Table,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word for it
    **options: Unpack[WriteOptions],
) -> None:
    """Write a table to a file, whole or not at all.

    Parquet and Feather hold every table, and ``.tab`` all but goals. ARFF holds kinds and values,
    not roles. CSV and TSV hold cells, and with ``marks`` kinds and roles; JSON lines and Excel
    hold cells alone: pass ``kinds=`` and ``roles=`` to `read` for the rest. A cell or a name that
    would not come back as it is raises, before anything is written; a file that was there until
    then is replaced at the end.

    Parameters
    ----------
    table
        What to write.
    path
        Where to. The ending says the format: ``.csv``, ``.tsv``, ``.tab``, ``.arff`` and
        ``.jsonl`` (each also with ``.gz`` or ``.zst`` behind it), ``.parquet``, ``.feather``,
        ``.xlsx``, or records of literature: ``.ris``, ``.nbib``, ``.bib``.
    format
        The format, as the ending would say it, if it does not.
    **options
        For CSV and TSV: ``delimiter``; ``missing``, how a missing cell is written (an empty cell
        if not given); and ``marks``, whether a role, a kind and a ``#`` stand in front of every
        name, as in ``cD#play``, so that `read` gives back both. If not given, they do where
        there are goals, where the ends of names say roles, and where cells would not come back
        without. For Excel: ``sheet``, the name of the sheet. For these and ``.tab``:
        ``escape_formulas``, whether strings and names that a spreadsheet would compute (those
        that begin with ``=``, ``+``, ``-``, ``@``, a tab or a line end, and are not plain
        numbers) get an apostrophe in front; False unless given, for they come back with it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from satsuma import Table, read, write
    >>> table = Table.of([(31, "yes"), (None, "no")], ["age", "play"])
    >>> with TemporaryDirectory() as folder:
    ...     write(table, Path(folder) / "days.tab")
    ...     read(Path(folder) / "days.tab").equals(table)
    True
    """
    form = find_format(path, format, WriteError)
    check_options(options, WRITING[form.name], f"writing the format {form.name}")
    put = _PUTS[form.name](table, **options)
    with replacing(path) as stream, compressing(stream, form) as target:
        put(target)


def _tsv_put(table: Table, **options: Any) -> Put:
    return csv_put(table, **cast("Any", {"delimiter": "\t"} | options))


def _arff_put(table: Table) -> Put:
    from satsuma.data.formats.arff.writer import arff_put

    return arff_put(table)


def _jsonl_put(table: Table) -> Put:
    from satsuma.data.formats.jsonl.writer import jsonl_put

    return jsonl_put(table)


def _excel_put(table: Table, **options: Any) -> Put:
    from satsuma.data.formats.excel.writer import excel_put

    return excel_put(table, **options)


def _references_put(form: str, table: Table) -> Put:
    from satsuma.data.formats.references import writer

    puts = {"ris": writer.ris_put, "nbib": writer.pubmed_put, "bibtex": writer.bibtex_put}
    return puts[form](table)


def _parquet_put(table: Table) -> Put:
    import pyarrow.parquet as pq

    arrow = table.to_arrow()
    return lambda stream: pq.write_table(arrow, stream, compression="zstd")


def _feather_put(table: Table) -> Put:
    from pyarrow import feather

    arrow = table.to_arrow()
    # One chunk, so that its columns can be read without a copy.
    return lambda stream: feather.write_feather(arrow, stream, chunksize=max(1, len(table)))


_PUTS: dict[str, Callable[..., Put]] = {
    "csv": csv_put,
    "tsv": _tsv_put,
    "tab": tab_put,
    "arff": _arff_put,
    "jsonl": _jsonl_put,
    "xlsx": _excel_put,
    **{name: partial(_references_put, name) for name in REFERENCES},
    "parquet": _parquet_put,
    "feather": _feather_put,
}


@contextmanager
def compressing(stream: BinaryIO, form: Format) -> Generator[BinaryIO, None, None]:
    """The same stream, or one that packs what is written to it."""
    how = form.compression
    if how == "gzip":
        # Without a time, equal tables give equal files.
        with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as packed:
            yield cast("BinaryIO", packed)
    elif how == "zstd":
        import pyarrow as pa

        with pa.CompressedOutputStream(cast("Any", stream), "zstd") as packed:
            yield cast("BinaryIO", packed)
    elif how in ("bzip2", "xz"):
        with bz2.BZ2File(stream, "wb") if how == "bzip2" else lzma.LZMAFile(stream, "wb") as packed:
            yield cast("BinaryIO", packed)
    elif how == "zip":
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            member = zipfile.ZipInfo(f"{form.stem}.{form.name}")  # without a time, as above
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as packed:
                yield cast("BinaryIO", packed)
    else:
        yield stream
