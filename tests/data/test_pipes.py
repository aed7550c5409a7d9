"""Paths that lead to no plain file, and files that go away: read right, or refused."""

import os
import subprocess
import sys
import threading

import pytest

from satsuma import NaiveBayes, SatsumaError, read, scan
from satsuma.errors import ReadError

TEXT = b"n,s\n" + b"1,x\n2,y\n" * 5_000 + b"word,z\n"


@pytest.fixture
def pipe(tmp_path):
    """A function that makes a named pipe and writes to it once."""
    threads = []

    def make(name, content):
        path = tmp_path / name
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_bytes, args=(content,)))
        threads[-1].start()
        return path

    yield make
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("name", ["a.csv", "a"])
def test_a_pipe_is_read_whole(pipe, name):
    table = read(pipe(name, TEXT))
    assert table.equals(read(TEXT, format="csv").with_name(table.name))
    assert len(table) == 10_001  # the last row makes symbols of numbers: all is looked at twice


def test_a_pipe_of_another_format(pipe):
    assert read(pipe("a.jsonl", b'{"a": 1}\n')).domain.names == ("a",)
    assert read(pipe("b", b'{"a": 1}\n'), format="jsonl").domain.names == ("a",)


def test_a_pipe_is_not_scanned(tmp_path):
    os.mkfifo(tmp_path / "a.csv")
    with pytest.raises(ReadError, match="this is a pipe, which can be read only once") as caught:
        scan(tmp_path / "a.csv")
    assert "satsuma.read" in caught.value.remedy


def test_stdin_by_its_path():
    code = "import satsuma; print(satsuma.read('/dev/stdin').shape)"
    told = subprocess.run([sys.executable, "-c", code], input=TEXT, capture_output=True, check=True)
    assert told.stdout == b"(10001, 2)\n"


def loop(folder):
    (folder / "a.csv").symlink_to(folder / "b.csv")
    (folder / "b.csv").symlink_to(folder / "a.csv")
    return folder / "a.csv"


def folder_of_that_name(folder):
    (folder / "a.csv").mkdir()
    return folder / "a.csv"


ODD = {
    "a loop of links": loop,
    "a folder": folder_of_that_name,
    "a NUL in the path": lambda folder: f"{folder}/a\0.csv",
    "a name that is too long": lambda folder: folder / ("a" * 300 + ".csv"),
    "a file below a file": lambda folder: folder / "file" / "a.csv",
    "no such folder": lambda folder: folder / "none" / "a.csv",
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("opened", [read, scan])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_path_that_leads_nowhere(tmp_path, name, opened, ending):
    (tmp_path / "file").write_text("")
    path = ODD[name](tmp_path)
    with pytest.raises(ReadError) as caught:
        opened(path, format=ending)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.remedy or "no such" in str(caught.value)


def test_a_device_is_no_table():
    with pytest.raises(ReadError, match="/dev/zero: this is a device"):
        read("/dev/zero", format="csv")


def written(path):
    if path.suffix == ".parquet":
        from satsuma import write

        write(read(TEXT, format="csv", target="s"), path)
    elif path.suffix == ".jsonl":
        path.write_text('{"n": 1, "s": "x"}\n{"n": 2, "s": "y"}\n')
    else:
        path.write_bytes(TEXT)
    return path


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_file_that_is_gone_after_scan(tmp_path, ending):
    path = written(tmp_path / f"a.{ending}")
    source = scan(path, target="s")
    path.unlink()
    with pytest.raises(ReadError, match=rf"a\.{ending}") as caught:
        NaiveBayes()(source)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_file_that_is_gone_between_two_passes(tmp_path, ending):
    path = written(tmp_path / f"a.{ending}")
    source = scan(path, target="s")
    assert len(source) > 1
    path.unlink()
    with pytest.raises(ReadError, match=rf"a\.{ending}"):
        list(source.batches())


@pytest.mark.parametrize("content", [TEXT[:4_000], TEXT.replace(b"1,x", b"1,q")])
def test_a_file_that_changes_between_two_passes(tmp_path, content):
    path = written(tmp_path / "a.csv")
    source = scan(path, target="s")
    assert len(source) == 10_001
    path.write_bytes(content)
    with pytest.raises(ReadError, match="when it was first read"):
        list(source.batches())


def test_a_file_that_grows_is_what_it_was(tmp_path):
    path = written(tmp_path / "a.csv")
    source = scan(path, target="s")
    assert len(source) == 10_001
    path.write_bytes(TEXT + b"3,x\n")
    assert sum(map(len, source.batches())) == 10_001


def test_a_file_that_changes_between_the_passes_of_read(tmp_path, monkeypatch):
    from satsuma.data.formats.delimited import reader, text_file

    path, text = tmp_path / "a.csv", TEXT.replace(b"1,x\n", b"1,x\n" * 8)
    path.write_bytes(text)  # a smaller one is held from the first look on

    class Once(text_file.Blocks):
        closed = 0  # first behind the header, then behind the first pass

        def close(self):
            super().close()
            Once.closed += 1
            if Once.closed == 2:
                path.write_bytes(text[: len(text) // 2])

    monkeypatch.setattr(text_file, "Blocks", Once)
    monkeypatch.setattr(text_file, "SAMPLE", 100)
    monkeypatch.setattr(reader, "PEEK", 100)  # a smaller file is held in memory
    with pytest.raises(ReadError, match="has changed while it was read"):
        read(path)


@pytest.mark.parametrize("form", ["twice", "by another way", "by a link", "by two patterns"])
def test_a_file_that_is_named_twice_is_refused(tmp_path, form):
    path = written(tmp_path / "a.csv")
    (tmp_path / "b.csv").symlink_to(path)
    named = {
        "twice": [path, path],
        "by another way": [path, f"{tmp_path}/../{tmp_path.name}/a.csv"],
        "by a link": [path, tmp_path / "b.csv"],
        "by two patterns": [f"{tmp_path}/a*.csv", f"{tmp_path}/?.csv"],
    }[form]
    with pytest.raises(ReadError, match=r"named twice|again") as caught:
        scan(named)
    assert "once" in caught.value.remedy


def test_lines_without_a_key_are_rows_or_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{}\n{"a": 1}\n{}\n')
    assert [list(row) for row in read(path)] == [[None], [1.0], [None]]
    assert len(scan(path)) == 3
    path.write_text("{}\n{}\n")
    for opened in (read, lambda path: len(scan(path))):
        with pytest.raises(SatsumaError, match="without a single cell"):
            opened(path)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_a_title_above_the_names_is_left_out(sign):
    lines = ["Sales report 2024", sign.join("ab"), sign.join("13"), sign.join("67")]
    found = read("\n".join(lines).encode(), format="csv")
    assert found.domain.names == ("a", "b")
    assert "The title in line 1, 'Sales report 2024', was left out." in found.notes[0]


@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_a_title_above_words_is_refused(sign):
    lines = ["Sales report 2024", sign.join("ab"), sign.join("xy"), sign.join("uv")]
    with pytest.raises(ReadError, match="line 1: the first line is one cell") as caught:
        read("\n".join(lines).encode(), format="csv")
    assert "skip=1" in caught.value.remedy
    assert read("\n".join(lines).encode(), format="csv", skip=1).domain.names == ("a", "b")
    told = read("\n".join(lines).encode(), format="csv", delimiter=",")
    assert told["Sales report 2024"].tolist() == lines[1:]
