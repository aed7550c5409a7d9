"""Reading: a table from a file, by its ending, or from an object in memory."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Unpack, cast

from satsuma.data.domain import Domain
from satsuma.data.file_set import FileSet, find_files
from satsuma.data.files import Readable, hold, is_pipe
from satsuma.data.formats import ReadOptions, check_options
from satsuma.data.formats.database import is_database
from satsuma.data.identifiers import set_keys_aside
from satsuma.data.likeness import domain_of, kinds_like
from satsuma.data.objects import open_object
from satsuma.data.parts import Opened
from satsuma.data.sources import Request, open_file_set
from satsuma.data.table import Table
from satsuma.errors import ParameterError


def read(
    source: Any,
    *,
    target: str | None = None,
    kinds: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    like: Any = None,
    name: str | None = None,
    format: str | None = None,  # noqa: A002 - the word for it
    names: Sequence[str] | None = None,
    **options: Unpack[ReadOptions],
) -> Table:
    r"""Read a table from a file or from an object in memory.

    The ending of a file says its format: ``.tab``, ``.csv``, ``.tsv``, ``.txt``, ``.arff`` and
    ``.jsonl`` (or ``.ndjson``), each also with ``.gz``, ``.zst``, ``.bz2``, ``.xz`` or
    ``.zip`` behind it, ``.parquet``, ``.feather`` (or ``.arrow``, ``.ipc``), ``.xlsx``,
    and records of literature: ``.ris``, ``.nbib`` (PubMed) and ``.bib``.
    A pattern such as ``"logs/*.csv"`` and a folder are all of their files, one after the other;
    folders that are called ``year=2024`` make a column ``year``. Files may be in a store or on the
    web: ``"s3://bucket/logs/*.parquet"``, ``"https://web.org/sales.csv"``.
    Objects are whatever speaks Arrow (pandas, polars, pyarrow, duckdb, ibis), a list of dicts, a
    dict of columns, a NumPy array with `names`, or a table. A database is named by an address,
    such as ``"sqlite:///shop.db?table=sales"`` or ``"postgresql://db.org/shop"``, by a file
    (``.sqlite``, ``.sqlite3``, ``.db``, ``.duckdb``), or by a connection with ``query=``. Nothing
    is dropped or altered in silence: what could be doubted is told in ``table.notes``, what
    cannot be read right raises.

    Parameters
    ----------
    source
        A path, a pattern, a folder, an open binary file, bytes, an object, the address of a file
        elsewhere or of a database, or a connection
        to one (DB-API, ADBC or duckdb), which is left open. A pipe, such as ``/dev/stdin``, is read
        whole, as CSV if its name does not say the format.
    target
        The column to predict.
    kinds
        ``num``, ``sym``, ``text`` or ``time`` by name, where the kind that is found is not the one
        meant.
    roles
        A role by name: ``x``, ``target``, ``meta``, ``ignore``, ``weight``, or for a goal ``+``
        or ``-``.
    like
        A model, or a table. Columns of the same name are of its kinds, unless `kinds` says
        otherwise, but for its target; numbers and dates that can be read in several ways are read
        as its were.
    name
        What to call the table; the name of the file without its ending, if not given.
    format
        The format of a file, as its ending would say it: ``"csv"``, ``"parquet"``, …
    names
        The names of the columns of a NumPy array.
    **options
        For delimited text (``.csv``, ``.tsv``, ``.txt``, ``.tab``):

        - ``delimiter``: what parts the cells, one character or several; found among comma,
          semicolon, tab and bar if not given.
        - ``quote``: what encloses a cell; None if quotes are ordinary characters.
        - ``escape``: a character that keeps the one behind it, such as a backslash.
        - ``comment``: what a comment begins with, such as ``"#"``; False if there are none.
        - ``skip``: lines above the names to leave out; found if not given, so 0 if there are none.
        - ``header``: True if line 1 holds names even though they look like numbers, False if
          it holds cells, how many lines hold names, to be joined, or the names themselves for a
          file without any.
        - ``footer``: lines below the rows to leave out; a total is found if not given.
        - ``encoding``: UTF-8 if not given; UTF-16 and Windows' western one are recognised.
        - ``missing``: the spellings of a missing cell; those that people use if not given.
        - ``decimal``, ``thousands``: the marks inside numbers, where the file does not tell them.
        - ``dates``: the order of day, month and year, ``"dmy"``, ``"mdy"`` or ``"ymd"``, where the
          file leaves it open.
        - ``strip``: whether blanks around cells are left out.
        - ``marks``: True if the last characters of names say roles (``!`` the target, ``+`` and
          ``-`` goals, ``X`` ignored) and the case of their first letter the kind. Otherwise only
          a header is obeyed in which every name begins with a role, a kind and ``#``, as
          `write` has it; False if not even that is.
        - ``bad_rows``: ``"keep aside"`` to collect rows that cannot be read in ``table.aside``;
          ``"mend"`` to mend those that can be in one way only, each told in ``table.notes``.
        - ``threads``: how many to use.

        For ``.arff``: ``encoding``. For ``.xlsx``: ``sheet`` (a name, or a position from 0; the
        first if not given), ``header`` (as above), ``missing`` (spellings of a missing cell,
        beside the empty one).

        For what is elsewhere (``s3://``, ``gs://``, ``az://``, ``https://``): ``storage_options``,
        a dict of what the store is to be told, by the names of pyarrow, pandas or polars, such as
        ``{"anonymous": True}``, ``{"endpoint": …}``, ``{"region": …}``; for the web, headers to
        send. Credentials are better left to the environment. They are neither shown nor saved.

        For a database: ``table``, its name (with its schema in front where that must be said), or
        ``query``, what to select. Addresses take them too: ``?table=sales``.

    Examples
    --------
    >>> from satsuma import read
    >>> table = read([{"age": 31, "play": "yes"}, {"age": None, "play": "no"}], target="play")
    >>> table[1]
    Row(age=?, play='no')
    >>> read(b"age,play\n31,yes\n", format="csv").domain.names
    ('age', 'play')
    """
    bare, alike = False, domain_of(like)
    if format is None and is_database(source):
        from satsuma.data.formats.database.reader import open_database

        _check_nameless(names)
        table = open_database(source, kinds, options, whole=True).with_numbers(roles).table()
    elif isinstance(source, str | os.PathLike | bytes) or hasattr(source, "read"):
        _check_nameless(names)
        opened = _open_file(source, format, Request(kinds, target, options, alike, whole=True))
        table, bare = opened.with_numbers(roles).table(), opened.bare
    else:
        check_options(options, (), "an object in memory")
        if format is not None:
            raise ParameterError("format= goes with a file alone. Leave it out for an object.")
        if isinstance(source, Table):
            _check_nameless(names)
            table = source.with_kinds(kinds) if kinds else source
        else:
            table = open_object(source, names=names, kinds=kinds).with_numbers(roles).table()
    table = _with_kinds_like(table, alike, kinds or ())
    table = _in_roles(table, roles, target)
    table = set_keys_aside(table, roles or ()) if bare else table
    return table if name in (None, table.name) else table.with_name(name)


def _open_file(source: Any, said: str | None, request: Request) -> Opened:
    """A file, or those that a path stands for, of the format that is said."""
    file = cast("Readable", source)
    said = said or ("csv" if _is_plain_pipe(file) else None)
    held = hold(file)
    if not isinstance(held, str | os.PathLike):
        return open_file_set(FileSet([held]), said, request)
    options = dict(request.options)
    found = find_files(held, said, options.pop("storage_options", None))
    return open_file_set(found, said, replace(request, options=options))


def _check_nameless(names: Sequence[str] | None) -> None:
    if names is not None:
        raise ParameterError(
            "names= goes with a NumPy array. A file without a header takes header=[…]."
        )


def _in_roles(table: Table, roles: Mapping[str, str] | None, target: str | None) -> Table:
    """The table in the roles that were asked for; the same one where it has them already."""
    aims = [column for column, role in (roles or {}).items() if role == "target"]
    aim = aims[0] if aims and target is None else target
    now = table.domain.target
    if not roles and (aim is None or (now is not None and now.name == aim)):
        return table
    return table.with_roles(roles, target=aim)


def _with_kinds_like(table: Table, like: Domain | None, said: Collection[str]) -> Table:
    """The table with columns of the kinds of another one; files are read so in the first place."""
    wanted = kinds_like(like, table.domain.names).items()
    kinds = {n: kind for n, kind in wanted if n not in said and kind != table.domain[n].kind}
    return table.with_kinds(kinds) if kinds else table


def _is_plain_pipe(source: Readable) -> bool:
    """Whether this is a pipe, and nothing says what comes out of it."""
    if not isinstance(source, str | os.PathLike):
        return False
    return not PurePath(source).suffix and is_pipe(source)
