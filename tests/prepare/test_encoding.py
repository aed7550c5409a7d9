"""Encoding against scikit-learn's imputing, scaling and one-hot columns."""

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import satsuma
from satsuma import Table
from satsuma.errors import DomainError
from satsuma.prepare.encoding import FAR, Encoding
from tests.learners.linear.matrices import one_hot


def learned(table):
    return Encoding.of(Encoding.tally(table))


def test_numbers_are_imputed_and_scaled_as_by_scikit_learn():
    rng = np.random.default_rng(0)
    x = rng.normal(5, 3, (50, 3))
    x[rng.random(x.shape) < 0.2] = np.nan
    table = satsuma.read(np.column_stack([x, rng.integers(0, 2, 50)]), names=list("abcd"))
    table = table.with_kinds({"d": "sym"}).with_roles(target="d")
    # The standard deviation is that of the known numbers: first scaled, then imputed.
    want = make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=0))
    assert np.allclose(learned(table).matrix(table), want.fit_transform(x), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["titanic", "voting", "heart_disease", "auto-mpg"])
def test_mixed_tables_against_one_written_by_hand(name):
    table = satsuma.load(name)
    found = learned(table).matrix(table)
    assert np.allclose(found, one_hot(table), rtol=1e-9, atol=1e-9)
    assert np.isfinite(found).all()
    assert np.allclose(found.mean(axis=0), 0, rtol=1e-9, atol=1e-9)


def test_what_was_not_there_in_learning_is_missing():
    rows = [("a", 1.0, "x"), ("b", 2.0, "y"), ("a", 4.0, "y")]
    table = Table.of(rows, ["s", "n", "class"])
    wide = Table.of([*rows, ("c", 9.0, "x")], ["s", "n", "class"])
    encoding = learned(wide[:3])  # "c" is declared, and not there
    assert encoding.features == (("s", "a"), ("s", "b"), ("s", "c"), ("n", None))
    assert encoding.matrix(wide)[3, :3].tolist() == [0, 0, 0]
    assert encoding.matrix(wide)[0, :3].tolist() == pytest.approx([1 / 3, -1 / 3, 0])
    assert learned(table).matrix(table).shape == (3, 3)


def test_columns_that_say_nothing_are_zero_whatever_comes_later():
    table = Table.of([(3.0, None, "x"), (3.0, None, "y")], ["same", "never", "class"])
    table = table.with_kinds({"never": "num"})
    later = Table.of([(7.0, 5.0, "x")], ["same", "never", "class"])
    assert learned(table).matrix(later).tolist() == [[0, 0]]


def test_infinite_and_far_numbers():
    table = Table.of([(1.0, "x"), (2.0, "y")], ["n", "class"])
    encoding = learned(table)
    far = Table.of([(1e308, "x"), (-1e308, "y")], ["n", "class"])
    assert encoding.matrix(far).ravel().tolist() == [FAR, -FAR]
    endless = Table(table.domain, [np.array([np.inf, 1.0]), table.columns[1]], check=False)
    with pytest.raises(DomainError, match="'n' holds inf"):
        encoding.matrix(endless)
    huge = Table.of([(1e200, "x"), (-1e200, "y")], ["n", "class"])
    for wrong in (endless, huge):
        with pytest.raises(DomainError, match="'n' holds numbers that are infinite"):
            learned(wrong)


def test_coefficients_that_can_be_read_give_the_same_sums():
    table = satsuma.load("heart_disease")
    encoding = learned(table)
    rng = np.random.default_rng(1)
    slopes = rng.normal(size=1 + len(encoding.mean))
    plain = encoding.per_unit() @ slopes
    np.testing.assert_allclose(encoding.in_units(slopes[0], slopes[1:]), plain, atol=1e-12)
    x = np.nan_to_num(one_hot(table, plain=True), nan=0.0)
    known = ~np.isnan(one_hot(table, plain=True)).any(axis=1)
    want = slopes[0] + encoding.matrix(table) @ slopes[1:]
    found = plain[0] + x @ plain[1:]
    assert np.allclose(found[known], want[known], rtol=1e-9, atol=1e-9)


def test_column_transformer_agrees_on_complete_tables():
    table = satsuma.load("iris")
    x = table.to_numpy([v.name for v in table.domain.attributes])
    want = make_column_transformer((StandardScaler(), [0, 1, 2, 3])).fit_transform(x)
    assert np.allclose(learned(table).matrix(table), want, rtol=1e-12, atol=1e-12)
