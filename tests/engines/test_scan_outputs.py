"""Samples, summaries and files: what comes out of a source, whole or not at all."""

import errno
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import satsuma
from satsuma import KNN, GetBoth, GetProbabilities, NaiveBayes, Num, Ridge, Sym, Table
from satsuma.data.formats.delimited import text_parts as delimited
from satsuma.errors import DomainError, ParameterError, ReadError, SatsumaError, WriteError


@pytest.fixture
def table():
    rng = np.random.default_rng(5)
    rows = [
        (round(x, 4) if k % 11 else None, "uvw"[k % 3] if k % 13 else None, ("no", "yes")[x > 0])
        for k, x in enumerate(rng.normal(size=2000).tolist())
    ]
    return Table.of(rows, ["n", "s", "y"])


@pytest.fixture
def source(table, tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "PART", 1000)
    monkeypatch.setattr(delimited, "BLOCK", 400)
    table.write(tmp_path / "rows.csv")
    return satsuma.scan(tmp_path / "rows.csv", target="y", threads=2)


def test_samples_are_fair_and_the_same(source, table):
    one = source.sample(100, seed=3)
    assert len(one) == 100
    again = satsuma.scan(source.parts[0].file, target="y", threads=1)
    assert again.sample(100, seed=3).equals(one)
    assert not source.sample(100, seed=4).equals(one)
    assert source.sample(5000).equals(table)
    drawn = Counter()
    places = {cell: k for k, cell in enumerate(table["n"].tolist()) if not np.isnan(cell)}
    for seed in range(100):
        drawn.update(places[x] // 500 for x in source.sample(60, seed=seed)["n"] if not np.isnan(x))
    share = np.array([drawn[k] for k in range(4)]) / sum(drawn.values())
    np.testing.assert_allclose(share, 0.25, atol=0.02)
    with pytest.raises(ParameterError, match="at least one row"):
        source.sample(0)


def test_head_needs_no_pass(source, table):
    assert source.head(3)["n"].tolist()[1:] == table["n"].tolist()[1:3]
    assert not source.is_indexed
    assert source.head(1999).equals(table[:1999])


def test_summary(source, table):
    found = source.summary()
    np.testing.assert_allclose(found["n"].mu, np.nanmean(table["n"]), rtol=1e-12)
    assert isinstance(found["n"], Num)
    assert isinstance(found["s"], Sym)
    assert found["s"].bag == Counter(cell for cell in table["s"] if cell is not None)


def test_repr(source):
    assert "rows not counted yet" in repr(source)
    assert len(source) == 2000
    assert "2,000 rows, 3 columns" in repr(source)
    assert "y: sym, 2 values, target" in repr(source)


def test_parts_can_be_pickled(source):
    assert len(source) == 2000
    plan = source.index.plan
    for part in source.parts:
        copied = pickle.loads(pickle.dumps(part))
        assert sum(raw.rows for raw in copied.read(plan)) > 0


@pytest.mark.parametrize("form", ["csv", "tsv", "csv.gz", "jsonl", "parquet", "feather"])
@pytest.mark.parametrize("name", ["all", "some/*"])
def test_write_and_read_again(source, table, tmp_path, form, name):
    files = source.write(tmp_path / f"out.{name}.{form}".replace("some/", ""))
    assert len(files) == (1 if name == "all" else len(source.parts))
    again = satsuma.scan(files, target="y")
    assert again.head(9999).equals(table)
    assert not list(tmp_path.glob(".*"))


def test_predict_writes_what_the_model_says(source, table, tmp_path):
    model = NaiveBayes()(table)
    seen = []
    files = model.predict(
        source,
        tmp_path / "scored" / "*.parquet",
        what=GetBoth,
        keep=["y"],
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(k, len(files)) for k in range(len(files) + 1)]
    found = satsuma.scan(files).head(9999)
    assert found.domain.names == ("y", "y predicted", "y = no", "y = yes")
    assert found["y predicted"].tolist() == model(table).tolist()
    chances = np.column_stack([found["y = no"], found["y = yes"]])
    np.testing.assert_allclose(chances, model(table, GetProbabilities), rtol=1e-12)
    numbers = Ridge()(table.with_roles({"y": "meta"}, target="n"))
    (one,) = numbers.predict(source, tmp_path / "numbers.csv")
    np.testing.assert_allclose(satsuma.read(one)["n predicted"], numbers(table), rtol=1e-12)


def test_an_interrupted_run_goes_on(source, table, tmp_path):
    model, out = NaiveBayes()(table), str(tmp_path / "scored" / "*.csv")

    def interrupt(done, _):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.predict(source, out, progress=interrupt)
    complete = sorted(Path(out).parent.glob("*"))
    assert 3 <= len(complete) < len(source.parts)
    assert not list(Path(out).parent.glob(".*"))
    before = {path: path.stat().st_mtime_ns for path in complete}
    with pytest.raises(WriteError, match="resume=True"):
        model.predict(source, out)
    files = model.predict(source, out, resume=True)
    assert {path: path.stat().st_mtime_ns for path in complete} == before
    assert satsuma.scan(files).head(9999)["y predicted"].tolist() == model(table).tolist()


@pytest.mark.parametrize("out", ["scored/*.parquet", "scored.csv"])
def test_a_full_disk_leaves_nothing_behind(source, table, tmp_path, out, monkeypatch):
    synced, real = [], os.fsync

    def full(handle):
        synced.append(handle)
        if len(synced) > (2 if "*" in out else 0):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    where = tmp_path / "out"
    where.mkdir()
    with pytest.raises(WriteError, match="No space left"):
        NaiveBayes()(table).predict(source, where / out)
    left = [path for path in where.rglob("*") if path.is_file()]
    assert len(left) == (2 if "*" in out else 0)
    for path in left:
        assert pq.ParquetFile(path).metadata.num_rows > 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount")
def test_a_disk_that_is_full_indeed(source, table, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        with pytest.raises(WriteError, match="No space left"):
            NaiveBayes()(table).predict(source, disk / "*.csv", what=GetBoth)
        assert not list(disk.glob(".*"))
        for path in disk.glob("*"):
            assert len(satsuma.read(path)) > 0
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_vanished_file_leaves_nothing_behind(table, tmp_path):
    for k in range(3):
        table[:100].write(tmp_path / f"{k}.parquet")
    source = satsuma.scan(str(tmp_path / "?.parquet"), threads=1)
    assert len(source) == 300
    (tmp_path / "1.parquet").unlink()
    with pytest.raises(ReadError, match=r"1\.parquet, row group 0: there is no such file"):
        NaiveBayes()(table).predict(source, tmp_path / "scored" / "*.csv")
    assert [path.name for path in (tmp_path / "scored").iterdir()] == ["00000.csv"]


def test_a_file_that_changes_is_noticed(source):
    assert len(source) == 2000
    path = Path(source.parts[0].file)
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    with pytest.raises(ReadError, match="when it was first read"):
        NaiveBayes()(source)
    path.write_text(text.replace(",u,", ",new,"))
    with pytest.raises(ReadError, match=r"when it was first read"):
        NaiveBayes()(source)


def test_poison_is_named(table, tmp_path):
    for k in range(3):
        table.write(tmp_path / f"{k}.parquet")
    data = bytearray((tmp_path / "1.parquet").read_bytes())
    data[100:2000] = random.Random(0).randbytes(1900)
    (tmp_path / "1.parquet").write_bytes(data)
    with pytest.raises(ReadError, match=r"1\.parquet, row group 0"):
        NaiveBayes()(satsuma.scan(str(tmp_path / "*.parquet")))
    lines = ["a,b", *("1,x" for _ in range(500)), "1,x,7", "1,x"]
    (tmp_path / "bad.csv").write_text("\n".join(lines))
    with pytest.raises(ReadError, match=r"bad\.csv, line 502: 3 cells where 2 should be"):
        len(satsuma.scan(tmp_path / "bad.csv"))
    lines = ['{"a": 1}'] * 400 + ['{"a": ']
    (tmp_path / "bad.jsonl").write_text("\n".join(lines))
    with pytest.raises(ReadError, match=r"bad\.jsonl, line 401: not JSON"):
        len(satsuma.scan(tmp_path / "bad.jsonl"))
    (tmp_path / "inf.csv").write_text("a\n" + "1\n" * 300 + "inf\n")
    with pytest.raises(ReadError, match=r"inf\.csv, line 302: column 'a' holds 'inf'"):
        len(satsuma.scan(tmp_path / "inf.csv"))


def test_sources_without_rows_or_targets(tmp_path):
    (tmp_path / "none.csv").write_text("a,y\n")
    with pytest.raises(SatsumaError, match="no rows"):
        NaiveBayes()(satsuma.scan(tmp_path / "none.csv", target="y", kinds={"y": "sym"}))
    (tmp_path / "holes.csv").write_text("a,y\n1,\n2,\n")
    with pytest.raises(DomainError, match="no row whose target 'y' is known"):
        NaiveBayes()(satsuma.scan(tmp_path / "holes.csv", target="y", kinds={"y": "sym"}))


def test_learners_of_rows_name_the_way_out(source):
    with pytest.raises(DomainError, match=r"source\.sample\(n\)"):
        KNN()(source)


def test_wrong_columns_are_told_in_the_words_of_tables(source, table):
    for data in (table.with_roles(target="n"), satsuma.scan(source.parts[0].file, target="n")):
        with pytest.raises(DomainError, match="NaiveBayes predicts symbols, but the target 'n'"):
            NaiveBayes()(data)


_LONG = """
import sys, satsuma
from satsuma.data.formats.delimited import text_parts
text_parts.PART = 1 << 18
print("started", flush=True)
satsuma.scan(sys.argv[1], target="y").write(sys.argv[2])
"""


def test_control_c_leaves_nothing_half_written(table, tmp_path):
    table.write(tmp_path / "rows.csv")
    head, *lines = (tmp_path / "rows.csv").read_text().splitlines(keepends=True)
    (tmp_path / "long.csv").write_text(head + "".join(lines) * 500)
    out = tmp_path / "out"
    command = [sys.executable, "-c", _LONG, tmp_path / "long.csv", out / "*.csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        while not list(out.glob("*.csv")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=300)
    assert b"KeyboardInterrupt" in told
    assert not list(out.glob(".*"))
    assert all(path.read_bytes().endswith(b"\n") for path in out.glob("*.csv"))
