"""10,000 damaged CSV files: nothing but a SatsumaError comes of it, and no row is ever lost."""

import random

import pytest

from fuzz import differential
from fuzz.differential import PARTS, check_no_cell_is_altered, check_no_row_is_lost, damaged
from satsuma.data.formats.delimited import text_blocks as blocks
from satsuma.errors import SatsumaError
from tests.tables import read_delimited

SEEDS = 10
FILES = 1000  # a seed


@pytest.mark.parametrize("seed", range(SEEDS))
def test_damaged_files(seed, monkeypatch):
    rng, read_on = random.Random(seed), 0
    for _ in range(FILES):
        content = damaged(rng)
        monkeypatch.setattr(blocks, "BLOCK", rng.choice([1, 3, 8, 20, 1 << 20]))
        try:
            if rng.random() < 0.7:
                options = {"header": rng.choice([True, True, None, False]), "threads": 1}
                read_on += check_no_row_is_lost(content, **options)
            else:
                read_on += check_no_cell_is_altered(content)
        except Exception as error:
            error.add_note(f"in reading {content!r} in blocks of {blocks.BLOCK}")
            raise
    assert read_on > FILES / 2  # the rest has no header that could be read


@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_options(seed):
    """Whatever is asked of whatever bytes, the answer is a table or a SatsumaError."""
    rng = random.Random(seed)
    for _ in range(FILES // 10):
        content = b"".join(rng.choices(PARTS, k=rng.randrange(30)))
        options = {
            "layout": rng.choice(["csv", "tab"]),
            "delimiter": rng.choice([None, None, ",", " ", '"', "\t", "e"]),
            "quote": rng.choice(['"', "'", None, ","]),
            "header": rng.choice([None, True, False, ["a"], ["a", "b"], ["a", "a"]]),
            "encoding": rng.choice(
                [None, None, "latin-1", "utf-16", "utf-16-le", "cp1252", "gb18030"]
            ),
            "decimal": rng.choice([".", ",", "e", "1"]),
            "thousands": rng.choice([None, None, ",", " ", "-", "7"]),
            "strip": rng.choice([None, True, False]),
            "marks": rng.choice([None, True, False]),
            "missing": rng.choice([None, [], ["a", "inf"], ["a mark of many letters"]]),
            "bad_rows": rng.choice(["error", "keep aside"]),
        }
        try:
            read_delimited(content, **options)
        except SatsumaError:
            continue
        except Exception as error:
            error.add_note(f"in reading {content!r} with {options}")
            raise


def test_a_short_run_of_the_differential(capsys, tmp_path):
    """Wide files too, in blocks of many sizes; `make fuzz` gives it its time."""
    assert differential.run(0, seed=1, keep=tmp_path, files=100) == 0
    told = capsys.readouterr().out
    assert "0 rows lost, 0 cells altered" in told
    assert int(told.split()[-2].replace(",", "")) > 1000  # columns
    assert not list(tmp_path.iterdir())


def test_it_would_find_a_lost_row(capsys, tmp_path, monkeypatch):
    def lossy(content, **options):
        return read_delimited(content, **options)[:-1]

    monkeypatch.setattr(differential, "read", lossy)
    assert differential.run(0, seed=1, keep=tmp_path, files=100) == 1
    (kept,) = tmp_path.iterdir()
    assert str(kept) in capsys.readouterr().out
