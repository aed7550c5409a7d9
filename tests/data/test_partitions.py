import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from satsuma import NaiveBayes, Table, read, scan, write
from satsuma.errors import ReadError
from tests.cli.running import ran, refused

YEARS, DAYS = (2024, 2023), ("2024-01-31", "2024-02-01", "__HIVE_DEFAULT_PARTITION__")


def partitioned(folder, ending):
    """A folder with a file for each year and day, and what others leave there beside them."""
    for year in YEARS:
        for at, day in enumerate(DAYS):
            below = (
                folder / f"year={year}" / f"day={day}" / f"city={'S%C3%A3o Paulo' if at else 'NA'}"
            )
            below.mkdir(parents=True)
            rows = [(year + at + k, "uvw"[k], "ab"[(at + k) % 2]) for k in range(3)]
            write(Table.of(rows, ["n", "s", "y"]), below / f"part-0{ending}")
            (below / f".part-0{ending}.crc").write_bytes(b"x")
    for name in ("_SUCCESS", "_metadata", ".hidden"):
        (folder / name).write_bytes(b"x")
    (folder / "_temporary").mkdir()
    (folder / "_temporary" / f"half{ending}").write_bytes(b"x")
    return folder


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".feather", ".jsonl"])
def test_keys_are_columns(ending, tmp_path):
    folder = partitioned(tmp_path / "sales", ending)
    table, source = read(folder), scan(str(folder), threads=2)
    assert table.name == source.name == "sales"
    assert table.domain.names == source.domain.names == ("n", "s", "y", "year", "day", "city")
    assert [v.kind for v in table.domain] == ["num", "sym", "sym", "num", "time", "sym"]
    assert table.domain == source.domain
    # Files come in the order of their paths, so that 2023 is first.
    assert table["year"].tolist() == [2023.0] * 9 + [2024.0] * 9
    assert table["n"][:4].tolist() == [2023, 2024, 2025, 2024]
    assert table.missing("day").tolist() == ([False] * 6 + [True] * 3) * 2
    assert str(table[3]["day"]) == "2024-02-01"
    assert [row["city"] for row in table][:4] == [None] * 3 + ["São Paulo"]
    for name in table.domain.names:
        np.testing.assert_array_equal(source.head(100)[name], table[name])
    assert "'year', 'day' and 'city' are taken from the names of the folders" in table.notes[0]
    assert table.notes == source.notes
    assert len({*table.notes}) == len(table.notes)
    one, other = NaiveBayes()(read(folder, target="y")), NaiveBayes()(scan(folder, target="y"))
    assert str(one) == str(other)


def test_as_pyarrow_reads_it(tmp_path):
    folder = partitioned(tmp_path / "sales", ".parquet")
    files = sorted(map(str, folder.glob("year=*/*/*/part-0.parquet")))
    peer = ds.dataset(files, partitioning="hive", partition_base_dir=str(folder)).to_table()
    table = read(folder)
    assert table["n"].tolist() == peer["n"].to_pylist()
    assert table["year"].tolist() == peer["year"].to_pylist()
    assert [row["day"] for row in table] == peer["day"].to_pylist()


def test_kinds_roles_and_targets_of_keys(tmp_path):
    folder = partitioned(tmp_path / "sales", ".csv")
    for made in (read, scan):
        table = made(
            folder, kinds={"year": "sym", "n": "sym"}, roles={"day": "ignore"}, target="year"
        )
        assert table.domain.target.values == ("2023", "2024")
        assert table.domain["n"].kind == "sym"
        assert table.domain["day"].role == "ignore"
    with pytest.raises(ReadError, match=r"'city' is to hold numbers"):
        read(folder, kinds={"city": "num"})


def test_flags_and_zeros_are_read_as_in_csv(tmp_path):
    for month, new in (("01", 0), ("02", 1)):
        below = tmp_path / f"month={month}" / f"new={new}"
        below.mkdir(parents=True)
        (below / "a.csv").write_text("x\n1\n2\n3\n")
    table = read(tmp_path)
    assert table.domain["month"].values == ("01", "02")
    assert table.domain["new"].values == ("0", "1")
    assert any("'new' holds nothing but 0 and 1" in note for note in table.notes)


def test_files_that_differ_are_named(tmp_path):
    folder = partitioned(tmp_path / "sales", ".csv")
    odd = folder / "year=2024" / "day=2024-02-01" / "city=Oslo"
    odd.mkdir()
    (odd / "odd.csv").write_text("n,s\n1,u\n")
    for made in (read, scan):
        with pytest.raises(ReadError, match=r"city=Oslo.odd.csv: there is no column 'y'"):
            made(folder)
    (odd / "odd.csv").rename(folder / "year=2024" / "odd.csv")
    with pytest.raises(ReadError, match=r"year=2024.odd.csv: its folders tell 'year', and those"):
        read(folder)
    (folder / "year=2024" / "odd.csv").rename(odd / "odd.jsonl")
    with pytest.raises(ReadError, match=r"odd.jsonl: this is jsonl, and .*part-0.csv is csv"):
        scan(folder)


def test_a_column_that_is_a_key_too(tmp_path):
    for year in YEARS:
        (tmp_path / f"year={year}").mkdir()
        rows = pa.table({"a": [1, 2], "year": [1, 2], "b": ["u", "v"]})
        pq.write_table(rows, tmp_path / f"year={year}" / "x.parquet")
        (tmp_path / f"year={year}" / "x.csv").write_text("a,year,b\n1,1,u\n2,2,v\n")
    for ending in ("csv", "parquet"):
        for path in tmp_path.glob(f"*/*.{ {'csv': 'parquet', 'parquet': 'csv'}[ending] }"):
            path.rename(path.with_name(f"_{path.name}"))
        table = read(tmp_path)
        assert table.domain.names == ("a", "b", "year")
        assert table["year"].tolist() == [2023.0, 2023.0, 2024.0, 2024.0]
        assert any("'year' is in the files too" in note for note in table.notes)
        for path in tmp_path.glob("*/_*"):
            path.rename(path.with_name(path.name[1:]))


def test_keys_that_json_lines_lack(tmp_path):
    for year, rows in ((2023, '{"a": 1}\n'), (2024, '{"a": 2, "late": 5, "year": 7}\n')):
        (tmp_path / f"year={year}").mkdir()
        (tmp_path / f"year={year}" / "x.jsonl").write_text(rows)
    for made in (read(tmp_path), scan(tmp_path).head(9)):
        assert made.domain.names == ("a", "year", "late")
        assert [row["year"] for row in made] == [2023, 2024]
        assert [row["late"] for row in made] == [None, 5]


def test_plain_folders_and_patterns(tmp_path, capfd):
    for at in range(2):
        (tmp_path / f"{at}.csv").write_text(f"a,b\n{at},u\n7,v\n")
    (tmp_path / "_SUCCESS").touch()
    for each in (tmp_path, f"{tmp_path}/*.csv"):
        for made in (read(each), scan(each).head(9)):
            assert made["a"].tolist() == [0, 7, 1, 7]
            assert made.domain.names == ("a", "b")
    keyed = tmp_path / "year=1"
    keyed.mkdir()
    (keyed / "2.csv").write_text("a,b\n1,u\n")
    assert read(f"{tmp_path}/**/*.csv").domain.names == ("a", "b")
    (keyed / "2.csv").unlink()
    assert ran(capfd, "look", str(tmp_path)).code == 0
    (tmp_path / "README.md").touch()
    for call in (read, scan):
        with pytest.raises(ReadError, match=r"this is a folder, and its files .*'README.md'.*\*"):
            call(tmp_path)
    assert "this is a folder" in refused(capfd, "look", str(tmp_path))
    with pytest.raises(ReadError, match="this is a folder, and there is no table in it"):
        read(keyed)


def test_bad_lines_are_named_by_file(tmp_path):
    for name, text in (("a", "x,y\n1,2\n"), ("b", "x,y\n1,2\n3\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    with pytest.raises(ReadError, match=r"b.csv, line 3: 1 cell where 2"):
        read(tmp_path)
    table = read(tmp_path, bad_rows="keep aside")
    assert (len(table), table.aside[0].line) == (2, 3)
    assert "b.csv, line 3" in table.notes[-1]
