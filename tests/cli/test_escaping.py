"""No cell that a file brings along is computed by the spreadsheet that opens what comes out."""

import csv
import io

import pytest

from satsuma.data.formulas import escaped
from tests.cli.running import ran_well

BAD = ["=1+1", "+A1", "-A1", "@SUM(A1)", "=cmd|' /C calc'!A0", '=HYPERLINK("http://a.b","x")']


@pytest.fixture
def nasty(tmp_path):
    """Symbols, texts and names that are like formulas, and numbers that are not."""
    path = tmp_path / "nasty.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["=word", "-n", "@told", "y"])
        for k in range(30):
            told = f"{BAD[k % len(BAD)]} and then a long tale, number {k} of many such tales"
            writer.writerow([BAD[k % 6], k * 1.5 - 20, told, ["=no", "yes"][k % 2]])
    return path


def cells_of(content):
    return list(csv.reader(io.StringIO(content)))


def check(content, raw=False):
    """No cell is like a formula; numbers are as they were."""
    head, *lines = cells_of(content)
    found = [cell for line in [head, *lines] for cell in line]
    if raw:
        assert any(cell.startswith("=") for cell in found)
        return
    assert [cell for cell in found if escaped(cell) != cell] == []
    assert "'=word" in head
    assert [float(line[1]) for line in lines] == [k * 1.5 - 20 for k in range(30)]


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("command", [["cluster", "--k", "2"], ["outliers"]])
def test_clusters_and_outliers(capfd, tmp_path, nasty, command, raw):
    out = tmp_path / "out.csv"
    name, *words = command
    ran_well(capfd, name, nasty, *words, "-o", out, *(["--raw"] if raw else []))
    check(out.read_text(), raw)


@pytest.mark.parametrize("raw", [False, True])
def test_predictions(capfd, tmp_path, nasty, raw):
    model, out = tmp_path / "m.satsuma", tmp_path / "out.csv"
    ran_well(capfd, "learn", nasty, "-t", "y", "-o", model, "-l", "naive-bayes")
    words = [model, nasty, "--probabilities", *(["--raw"] if raw else [])]
    check(ran_well(capfd, "predict", *words).out, raw)
    ran_well(capfd, "predict", *words, "-o", out)
    check(out.read_text(), raw)


def test_what_no_spreadsheet_computes_is_left_alone(capfd, tmp_path, nasty):
    import satsuma

    out = tmp_path / "out.parquet"
    ran_well(capfd, "cluster", nasty, "--k", "2", "-o", out)
    assert satsuma.read(out)["=word"][0] == "=1+1"
