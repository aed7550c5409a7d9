"""Endings, options and the way files are written."""

import gzip
import io
import os
import stat

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from satsuma import Domain, Table, Variable, load, read, write
from satsuma.data.formats.delimited.writer import csv_put
from satsuma.errors import NoSuchColumn, ParameterError, ReadError, SatsumaError, WriteError


def small():
    rows = [(1.5, "x,y", "a"), (None, None, "b"), (3, "x", None)]
    return Table.of(rows, ["n", "s", "play"], name="small")


ENDINGS = ["csv", "tsv", "txt", "tab", "arff", "jsonl", "ndjson"]


@pytest.mark.parametrize("ending", [*ENDINGS, "parquet", "feather", "arrow", "ipc", "xlsx"])
def test_the_ending_says_the_format(tmp_path, ending):
    path = tmp_path / f"my.days.{ending.upper()}"
    write(small(), str(path))
    table = read(path, target="play")
    assert table.equals(small())
    assert table.name == "my.days"
    assert read(path, name="other").name == "other"


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("packed", ["gz", "zst"])
def test_text_may_be_compressed(tmp_path, ending, packed):
    path = tmp_path / f"t.{ending}.{packed}"
    write(small(), path)
    magic = {"gz": b"\x1f\x8b", "zst": b"\x28\xb5\x2f\xfd"}[packed]
    assert path.read_bytes().startswith(magic)
    table = read(path, target="play")
    assert table.equals(small())
    assert table.name == "t"


def test_equal_tables_give_equal_files(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write(small(), tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_a_file_cut_short_is_refused(tmp_path):
    for name in ("t.jsonl.gz", "t.arff.gz", "t.csv.gz", "t.parquet", "t.feather", "t.xlsx"):
        path = tmp_path / name
        write(small(), path)
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(ReadError) as caught:
            read(path)
        assert caught.value.file == str(path)


def test_damaged_feather_files_never_crash(tmp_path):
    path = tmp_path / "t.feather"
    write(small(), path)
    whole = path.read_bytes()
    generator = np.random.default_rng(0)
    for _ in range(200):
        content = bytearray(whole)
        for at in generator.integers(0, len(content), 3):
            content[at] = generator.integers(0, 256)
        try:
            table = read(bytes(content), format="feather")
        except SatsumaError:
            continue
        repr(table)


@pytest.mark.parametrize("name", ["t.foo", "t", ".csv", "t.foo.gz", "t.gz", "t.xls", "t.json"])
def test_unknown_endings(tmp_path, name):
    with pytest.raises(ReadError, match=r"does not say the format. Say it with format="):
        read(tmp_path / name)
    with pytest.raises(WriteError, match=r"does not say the format. Say it with format="):
        write(small(), tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["t.parquet.gz", "t.xlsx.zst"])
def test_other_formats_are_not_compressed_from_outside(tmp_path, name):
    with pytest.raises(ReadError, match="not compressed as a whole"):
        read(tmp_path / name)
    with pytest.raises(WriteError, match="not compressed as a whole"):
        write(small(), tmp_path / name)


def test_the_format_can_be_said(tmp_path):
    write(small(), tmp_path / "data", format="csv")
    assert read(tmp_path / "data", format="csv", target="play").equals(small())
    assert read(tmp_path / "data", format="csv").name == "data"
    with pytest.raises(ParameterError, match=r"no format 'cvs'. Did you mean 'csv'"):
        read(tmp_path / "data", format="cvs")
    with pytest.raises(ParameterError, match="no format 'excel'"):
        write(small(), tmp_path / "data", format="excel")


@pytest.mark.parametrize(
    ("name", "option", "told"),
    [
        ("t.csv", "delimeter", "for the format csv. Did you mean 'delimiter'"),
        ("t.csv", "sheet", "There are: 'delimiter', .*'threads'"),
        ("t.parquet", "delimiter", "for the format parquet. There are none"),
        ("t.arff", "codec", "There are: 'encoding'"),
        ("t.xlsx", "sheets", "Did you mean 'sheet'"),
    ],
)
def test_unknown_options_in_reading(tmp_path, name, option, told):
    with pytest.raises(ParameterError, match=f"no option '{option}'.*{told}"):
        read(tmp_path / name, **{option: 1})


def test_unknown_options_in_writing(tmp_path):
    with pytest.raises(ParameterError, match=r"no option 'sep'.*'delimiter', 'missing'"):
        write(small(), tmp_path / "t.csv", sep=";")
    with pytest.raises(ParameterError, match="no option 'delimiter' for writing the format tab"):
        write(small(), tmp_path / "t.tab", delimiter=";")
    with pytest.raises(ParameterError, match="names="):
        read(tmp_path / "t.csv", names=["a"])


def test_files_that_are_not_there(tmp_path):
    (tmp_path / "iris.parquet").touch()
    with pytest.raises(ReadError, match=r"no such file. Did you mean 'iris.parquet'"):
        read(tmp_path / "irs.parquet")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(ReadError, match="this is a folder"):
        read(tmp_path / "folder.parquet")
    with pytest.raises(WriteError, match="not a file"):
        write(small(), tmp_path / "folder.parquet")
    with pytest.raises(WriteError, match=r"cannot be written.*folder exists"):
        write(small(), tmp_path / "none" / "t.csv")


def test_open_files_and_bytes(tmp_path):
    path = tmp_path / "t.arff"
    write(small(), path)
    with path.open("rb") as stream:
        table = read(stream, target="play")
        assert not stream.closed
    assert table.equals(small())
    assert table.name == "t"
    assert read(io.BytesIO(path.read_bytes()), format="arff").name == "small"
    with pytest.raises(ReadError, match=r"<file>|<bytes>"):
        read(io.BytesIO(b"x"), format="arff")
    with path.open() as text, pytest.raises(ParameterError, match="mode 'rb'"):
        read(text)
    with pytest.raises(ReadError, match="does not say the format"):
        read(b"a,b")


def test_feather_and_parquet_of_others(tmp_path):
    arrow = pa.table({"a": [1.0, 2.0], "s": ["x", None]})
    expected = read(arrow)
    pa.feather.write_feather(arrow, tmp_path / "file.feather")
    with pa.ipc.new_stream(str(tmp_path / "stream.arrow"), arrow.schema) as writer:
        writer.write_table(arrow)
    pd.DataFrame({"a": [1.0, 2.0], "s": ["x", None]}).to_parquet(tmp_path / "pandas.parquet")
    for name in ("file.feather", "stream.arrow", "pandas.parquet"):
        assert read(tmp_path / name).equals(expected)
    indexed = pd.DataFrame({"a": [1.0]}, index=pd.RangeIndex(5, 6, name="id"))
    indexed.to_parquet(tmp_path / "indexed.parquet")
    assert list(read(tmp_path / "indexed.parquet")[0].items()) == [("a", 1.0)]


def test_the_writing_of_others_reads_ours(tmp_path):
    table = load("iris")
    write(table, tmp_path / "t.csv")
    write(table, tmp_path / "t.parquet")
    write(table, tmp_path / "t.feather")
    expected = table.to_pandas()
    plain = expected.astype({table.domain.target.name: str})
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "t.csv"), plain)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "t.parquet"), expected)
    pd.testing.assert_frame_equal(pd.read_feather(tmp_path / "t.feather"), expected)


def csv_of(table, **options):
    out = io.BytesIO()
    csv_put(table, **options)(out)
    return out.getvalue().decode()


def test_csv_as_it_is_written():
    table = Table.of([(1.0, 'say "hi"', 1e16), (None, None, 0.1)], ["n", "s,t", "x"])
    assert csv_of(table) == 'n,"s,t",x\n1,"say ""hi""",1e+16\n,,0.1\n'
    assert csv_of(table, delimiter=";", missing="NA").splitlines()[-1] == "NA;NA;0.1"
    alone = Table.of([("a",), (None,)], ["s"])
    assert csv_of(alone) == 's\na\n""\n'
    assert read(csv_of(alone).encode(), format="csv", target="s").equals(alone)


@pytest.mark.parametrize("delimiter", ["", ",,", "a", "5", ".", "-", '"', "\n", "é", "\0"])
def test_bad_delimiters(delimiter):
    with pytest.raises(ParameterError, match="'delimiter'"):
        csv_of(small(), delimiter=delimiter)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " ", ":", "#", "'"])
def test_any_other_delimiter_comes_back(delimiter):
    table = Table.of([(1.5, "a, b;c|d\te:f#g'h"), (None, "x y")], ["n", "s t"])
    text = csv_of(table, delimiter=delimiter).encode()
    assert read(text, format="csv", delimiter=delimiter, target="s t").equals(table)


def test_another_mark_for_missing_cells():
    table = Table.of([("NA", 1.0), (None, None), ("x", -5.0)], ["s", "n"])
    with pytest.raises(WriteError, match=r"CSV cannot hold 'NA' in column 's'.*missing cell"):
        csv_of(table)
    text = csv_of(table, missing="void").encode()
    assert read(text, format="csv", missing=["void"], target="n").equals(table)
    for missing in ("x", "-5", "-5.00"):
        with pytest.raises(WriteError, match="mark of a missing cell"):
            csv_of(table, missing=missing)


@pytest.mark.parametrize(
    ("ending", "name", "value", "told"),
    [
        ("csv", "s", "?", "CSV cannot hold '\\?' in column 's'.*Replace it, or write to .parquet"),
        ("csv", "s", "", "missing cell"),
        ("csv", "s", "a\0b", "NUL"),
        ("csv", "a\0b", "x", "NUL"),
        ("csv", " s", "x", "CSV cannot hold ' s' in column ' s': blanks"),
        ("tsv", "s\n", "x", "TSV cannot hold"),
        ("csv", "s", "\udfff", "Unicode"),
        ("tab", "s", "~", "missing cell"),
        ("tab", "mS#s", "x", "type and a role"),
        ("parquet", "s", "\ud800", "Unicode"),
        ("feather", "\ud800", "x", "Unicode"),
    ],
)
def test_what_a_format_cannot_hold(tmp_path, ending, name, value, told):
    with pytest.raises(WriteError, match=told):
        write(Table.of([(value,), ("fine",)], [name]), tmp_path / f"t.{ending}")
    assert not list(tmp_path.iterdir())


def test_unused_values_count_in_tab_but_not_in_csv(tmp_path):
    table = Table(Domain([Variable("s", "sym", ("?", "a"))]), [np.array([1], np.int32)])
    write(table, tmp_path / "t.csv")
    with pytest.raises(WriteError, match="'\\?' in column 's'"):
        write(table, tmp_path / "t.tab")


def test_tab_as_it_is_written(tmp_path):
    domain = Domain(
        [
            Variable("n", role="weight"),
            Variable("s", "sym", ("a b", "\\", "c")),
            Variable("one", "sym", ("c",), "target"),
            Variable("none", "sym", role="ignore"),
            Variable("t", "text", role="meta"),
        ]
    )
    codes = [np.array(code, np.int32) for code in ([0], [-1], [-1])]
    table = Table(domain, [np.array([2.0]), *codes, np.array(["it"], object)])
    write(table, tmp_path / "t.tab")
    assert (tmp_path / "t.tab").read_text().splitlines() == [
        "n\ts\tone\tnone\tt",
        "c\ta\\ b \\\\ c\t\\c\td\ts",
        "weight\t\tclass\tignore\tmeta",
        "2\ta b\t?\t?\tit",
    ]
    assert read(tmp_path / "t.tab").equals(table)
    with pytest.raises(WriteError, match="the goal '\\+' of column 'n'"):
        write(table.with_roles({"n": "+"}), tmp_path / "t.tab")


class Interrupted(Exception):
    pass


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    write(small(), path)
    before = path.read_bytes()

    def half(stream, *_, **__):
        stream.write(b"half of it")
        raise Interrupted

    monkeypatch.setattr("satsuma.data.formats.delimited.writer.write_rows", half)
    for target in (path, tmp_path / "new.csv"):
        with pytest.raises(Interrupted):
            write(small(), target)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_write_leaves_the_old_file(tmp_path):
    import subprocess
    import sys

    path = tmp_path / "t.csv"
    write(small(), path)
    before = path.read_bytes()
    code = """
import os, sys, satsuma
from satsuma.data.formats.delimited import writer
def half(stream, *_, **__):
    stream.write(b"half of it")
    stream.flush()
    os._exit(9)
writer.write_rows = half
satsuma.write(satsuma.Table.of([(1,)], ["a"]), sys.argv[1])
"""
    ran = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ran.returncode == 9
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="modes and links as Unix has them")
def test_modes_and_links_are_kept(tmp_path):
    path = tmp_path / "t.csv"
    write(small(), path)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o600)
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    write(small()[:1], link)
    assert link.is_symlink()
    assert len(read(path)) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_table_writes_itself(tmp_path):
    small().write(tmp_path / "t.csv.gz", delimiter=";")
    assert gzip.decompress((tmp_path / "t.csv.gz").read_bytes()).startswith(b"n;s;play\n")


def test_roles_of_a_file_give_way_to_those_asked_for(tmp_path):
    write(small(), tmp_path / "t.tab")
    table = read(tmp_path / "t.tab", roles={"n": "target", "s": "meta"}, kinds={"n": "sym"})
    assert [v.role for v in table.domain] == ["target", "meta", "x"]
    assert table.domain.target.kind == "sym"
    with pytest.raises(NoSuchColumn):
        read(tmp_path / "t.tab", target="nothing")


@pytest.mark.parametrize("value", ["a ", "a\t", " a", "\ta", " ", "a\\", "\\ ", "c "])
def test_blanks_at_the_ends_of_listed_values_survive(tmp_path, value):
    table = Table(Domain([Variable("s", "sym", ("x", value))]), [np.array([1, 0], np.int32)])
    write(table, tmp_path / "t.tab")
    assert read(tmp_path / "t.tab").equals(table)


def test_delimiters_inside_of_quotes_do_not_mislead(tmp_path):
    for rows in ([], [(1.5, 2.5)]):
        table = Table.of(rows, ["n", "p;q;r|s|t"])
        write(table, tmp_path / "t.csv")
        assert read(tmp_path / "t.csv", target="p;q;r|s|t").equals(table)


def test_a_long_list_of_values(tmp_path):
    table = Table.of([(f"value {at}",) for at in range(20_000)], ["s"], target=None)
    write(table, tmp_path / "t.tab")
    assert read(tmp_path / "t.tab").equals(table)
