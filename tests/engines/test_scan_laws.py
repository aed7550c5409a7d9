"""One learner, one model, from memory and from files, in any number of parts and threads."""

from itertools import pairwise

import numpy as np
import pytest

import satsuma
from satsuma import LDA, Logistic, Majority, Mean, NaiveBayes, Ridge, Table, Tree
from satsuma.data.formats.delimited import text_parts as delimited
from tests.engines.scanned import ROLES, ROWS, answers, mixed, parquet_files


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scans")


@pytest.fixture(scope="module")
def whole(folder):
    mixed().write(folder / "whole.csv")
    return satsuma.read(folder / "whole.csv")


@pytest.fixture(scope="module")
def scans(folder, whole):
    """Patterns of files by their format and number."""
    head, *lines = (folder / "whole.csv").read_text().splitlines(keepends=True)
    found = {}
    for count in (1, 7, 100):
        (folder / f"csv{count}").mkdir()
        found["csv", count] = str(folder / f"csv{count}" / "*.csv")
        for at, (low, high) in enumerate(pairwise(np.linspace(0, ROWS, count + 1).astype(int))):
            name = folder / f"csv{count}" / f"{at:03}.csv"
            name.write_text(head + "".join(lines[low:high]))
        found["parquet", count] = parquet_files(whole, folder / f"parquet{count}", count)
    return found


LEARNERS = [
    NaiveBayes(),
    LDA(),
    Tree(max_depth=4),
    Logistic(),
    Majority(),
    Mean(),
    Ridge(),
]


def aimed(source, learner):
    target = "y" if learner.takes.target in ("classes", "either") else "x2"
    roles = ROLES if target == "y" else {**ROLES, "y": "meta"}
    if isinstance(source, Table):
        return source.with_roles(roles, target=target)
    return satsuma.scan(source, target=target, roles=roles, threads=2)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
def test_files_give_the_model_of_memory(learner, whole, scans, monkeypatch):
    monkeypatch.setattr(delimited, "PART", 1 << 19)
    table = aimed(whole, learner)
    asked = table[:: ROWS // 3000]
    expected = answers(learner(table), asked)
    # Many rounds over many files are many openings of files: of one format, they are enough.
    rounds = learner.takes.rounds == "many"
    for (form, count), pattern in scans.items():
        if rounds and (form, count) in (("csv", 100), ("parquet", 1)):
            continue
        source = aimed(pattern, learner)
        found = learner(source)
        assert found.domain["s0"].values == table.domain["s0"].values, (form, count)
        np.testing.assert_allclose(
            answers(found, asked), expected, rtol=1e-9, atol=1e-12, err_msg=f"{form} {count}"
        )
        assert source.domain == table.domain
        assert source.shape == table.shape


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
def test_threads_change_no_bit(learner, whole, scans, monkeypatch):
    monkeypatch.setattr(delimited, "PART", 1 << 19)
    asked = aimed(whole, learner)[:: ROWS // 1000]
    for pattern in (scans["csv", 1], scans["parquet", 7]):
        target = learner.takes.target
        roles = ROLES if target != "number" else {**ROLES, "y": "meta"}
        aim = "y" if target != "number" else "x2"
        found = []
        for threads in (1, 3):
            source = satsuma.scan(pattern, target=aim, roles=roles, threads=threads)
            found.append(answers(learner(source), asked))
        np.testing.assert_array_equal(*found)
        # Now that every value is known: arrays of another width may be rounded differently.
        again = answers(learner(source), asked)
        np.testing.assert_allclose(again, found[0], rtol=1e-9, atol=1e-12)


def test_weights_are_repetitions(folder, whole, scans):
    source = satsuma.scan(scans["csv", 7], target="y", roles=ROLES)
    heavy = whole.with_roles(ROLES, target="y")
    twice = np.repeat(np.arange(ROWS), (2 * heavy.weights).astype(int))
    plain = whole.select([n for n in whole.domain.names if n != "w"])[twice].with_roles(target="y")
    plain.write(folder / "twice.parquet")
    one = NaiveBayes(m=0)(source)
    other = NaiveBayes(m=0)(satsuma.scan(folder / "twice.parquet", target="y"))
    np.testing.assert_allclose(one.prior, other.prior, rtol=1e-9)
    for name in "ab":
        assert one.likelihood("s0", name, given="yes") == pytest.approx(
            other.likelihood("s0", name, given="yes"), rel=1e-9
        )
