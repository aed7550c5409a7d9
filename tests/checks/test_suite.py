import sys

import numpy as np
import pytest

from satsuma import KNN, NaiveBayes, SatsumaError
from satsuma.checks import LAWS, Batches, LawBroken, check_learner, checks
from satsuma.checks.law_5_probabilities import hash_seeds_change_nothing
from satsuma.checks.law_broken import may_refuse, must_refuse, on
from satsuma.checks.law_predictions import check_close, check_same
from satsuma.checks.law_tables import table_of
from satsuma.engines import Source
from satsuma.errors import ParameterError
from satsuma.learners.takes import Takes
from tests.checks.counting import Counting

TABLE = table_of(Takes(), "mixed")


def test_there_are_eight_laws():
    assert [law.number for law in LAWS] == list(range(1, 9))
    names = [name for name, _ in checks(Counting())]
    assert len(set(names)) == len(names) == sum(len(law.checks) for law in LAWS)
    assert all(check.__doc__ for law in LAWS for check in (*law.checks, *law.slow))


def test_some_laws_alone():
    assert {name[:5] for name, _ in checks(Counting(), laws=[3, 7])} == {"law 3", "law 7"}
    more = {name for name, _ in checks(Counting(), slow=True)}
    assert more - {name for name, _ in checks(Counting())} == {"law 5: hash seeds change nothing"}


@pytest.mark.parametrize("laws", [[0], [9], ["weights"]])
def test_no_such_law(laws):
    with pytest.raises(ParameterError, match="There is no law"):
        check_learner(Counting(), laws=laws)


def test_only_learners_are_checked():
    with pytest.raises(ParameterError, match=r"check_learner\(MyLearner\(\)\)"):
        check_learner(Counting)
    with pytest.raises(ParameterError, match="not 3"):
        check_learner(3)


def test_batches_are_a_source():
    source = Batches(TABLE, size=25)
    assert isinstance(source, Source)
    assert source.domain is TABLE.domain
    assert [len(batch) for batch in source.batches] == [25, 25, 10]
    assert source.reduce(len) == Batches(TABLE, threads=3).reduce(len) == 60
    assert len(Batches(TABLE[:0]).batches) == 1
    with pytest.raises(SatsumaError, match="at least one row"):
        Batches(TABLE, size=0)


@pytest.mark.parametrize("merge", ["left", "right", "pairs", "backwards"])
def test_batches_keep_their_order(merge):
    for threads in (1, 3):
        source = Batches(TABLE, size=9, merge=merge, threads=threads)
        rows = source.reduce(lambda batch: batch["a"].tolist())
        assert sorted(rows) == sorted(TABLE["a"].tolist())
        assert (rows == TABLE["a"].tolist()) == (merge != "backwards")


def test_warnings_of_calculations_count_as_errors():
    with pytest.raises(LawBroken, match="dividing raised RuntimeWarning"), on(TABLE, "dividing"):
        np.zeros(2) / np.zeros(2)


def test_what_must_be_refused():
    def refuse():
        raise SatsumaError("Column 'a' is odd.")

    must_refuse(TABLE, "this", refuse, ["'a'"])
    may_refuse(TABLE, "this", refuse, ["'a'"])
    may_refuse(TABLE, "this", int)
    with pytest.raises(LawBroken, match="this was not refused"):
        must_refuse(TABLE, "this", int)
    with pytest.raises(LawBroken, match="without naming 'b'"):
        must_refuse(TABLE, "this", refuse, ["b"])
    with pytest.raises(LawBroken, match="this raised ZeroDivisionError"):
        may_refuse(TABLE, "this", lambda: 1 / 0)


def test_differences_are_told():
    one, other = np.zeros((2, 2)), np.array([[0.0, 0.0], [0.0, 1e-10]])
    check_close(one, other, "this")
    with pytest.raises(LawBroken, match=r"last bit, but in row 1, class 1 .* 0\.0 and 1e-10"):
        check_same(one, other, "this")
    with pytest.raises(LawBroken, match="nan"):
        check_close(one, one + np.nan, "this")
    check_same(one + np.nan, one + np.nan, "this")
    with pytest.raises(LawBroken, match="shape"):
        check_same(one, one[:1], "this")


HASHING = """
from dataclasses import dataclass
from tests.checks.counting import Counting
import numpy as np

@dataclass(kw_only=True, eq=False)
class Hashing(Counting):
    def conclude(self, tally):
        model = super().conclude(tally)
        model.prior = np.array([hash(name) % 97 + 1.0 for name in tally.classes])
        return model
"""


def test_hash_seeds_are_found_out(tmp_path, monkeypatch):
    (tmp_path / "hashing.py").write_text(HASHING)
    monkeypatch.syspath_prepend(tmp_path)
    from hashing import Hashing

    with pytest.raises(LawBroken, match=r"Hashing\(m=2.0\) differ with the hash seed"):
        hash_seeds_change_nothing(Counting(), Hashing())
    monkeypatch.delitem(sys.modules, "hashing")


def test_a_learner_of_either_is_put_to_the_laws_twice():
    names = [name for name, _ in checks(KNN(), laws=[3])]
    assert len(names) == 2 * len(checks(NaiveBayes(), laws=[3]))
    assert sum(name.endswith(" (number)") for name in names) == len(names) // 2

    class Fixed(KNN):
        @property
        def takes(self):
            return KNN.takes

    with pytest.raises(LawBroken, match="must not be a property"):
        checks(Fixed())
