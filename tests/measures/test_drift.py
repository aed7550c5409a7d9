import numpy as np
import pytest
from scipy import stats

from satsuma import Table, load
from satsuma.errors import DomainError, NoSuchColumn, ParameterError, ReadError
from satsuma.measures.drift import drift
from satsuma.measures.marginals import Marginals


def numbers(x, name="x"):
    return Table.of([(each,) for each in x], [name], target=None)


def symbols(x):
    return Table.of([(each,) for each in x], ["s"], target=None, kinds={"s": "sym"})


@pytest.mark.parametrize("shift", [0.0, 0.2, 1.0, 30.0, -30.0])
def test_numbers_as_scipy(shift):
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=300), rng.normal(size=200) + shift
    found = drift(numbers(a), numbers(b))["x"]
    peer = stats.ks_2samp(a, b, method="asymp")
    assert found.distance <= peer.statistic + 1e-12  # at the points of `a` alone
    assert found.distance >= peer.statistic - 1 / 200 - 1e-12
    exact = stats.ks_2samp(a, b).pvalue
    assert found.p / 2 == pytest.approx(min(exact, 0.5), rel=0.2, abs=1e-9)  # of two tests


def test_few_points_find_less_at_most():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=3000), rng.normal(size=3000) + 0.3
    coarse = drift(Marginals.of(numbers(a)), numbers(b))["x"]
    fine = drift(numbers(a), numbers(b))["x"]
    assert fine.distance - 1 / 32 <= coarse.distance <= fine.distance + 1e-12
    assert len(Marginals.of(numbers(a))["x"].points) == 64


def test_symbols_as_scipy():
    a, b = ["u"] * 60 + ["v"] * 40, ["u"] * 30 + ["v"] * 50 + ["w"] * 20
    found = drift(symbols(a), symbols(b))["s"]
    assert found.distance == pytest.approx(0.3)
    peer = stats.chi2_contingency([[60, 40, 0], [30, 50, 20]], correction=False)
    assert found.p == pytest.approx(2 * peer.pvalue)
    assert found.unseen == pytest.approx(0.2)
    assert found.what == "u 60% → 30%"


def test_missing_values():
    found = drift(numbers([1.0] * 100), numbers([1.0] * 50 + [None] * 50))
    assert found.moved == ("x",)
    assert found["x"].what == "missing 0% → 50%"
    assert (found["x"].missing_before, found["x"].missing_after) == (0.0, 0.5)
    peer = stats.chi2_contingency([[100, 0], [50, 50]], correction=False)
    assert found["x"].p == pytest.approx(2 * peer.pvalue)


def test_seldom_claims_what_is_not_there():
    rng = np.random.default_rng(3)
    claims = 0
    for _ in range(200):
        both = [
            Table.of(
                [(rng.normal(), "ab"[int(rng.random() < 0.3)]) for _ in range(n)],
                ["x", "s"],
                target=None,
            )
            for n in (150, 80)
        ]
        claims += any(each.p < 0.05 for each in drift(*both).values())
    assert claims <= 20  # 5 % of 200, and two standard errors and more


def test_a_weight_is_a_repetition():
    a, b = [1.0, 2.0, 2.0, 5.0], [1.0, 4.0, 4.0, 4.0]
    once = Table.of([(1.0, 1), (4.0, 3), (9.0, 0)], ["x", "w"], target=None, roles={"w": "weight"})
    twice, plain = drift(numbers(a), once)["x"], drift(numbers(a), numbers(b))["x"]
    assert (twice.distance, twice.p, twice.what) == (plain.distance, plain.p, plain.what)


def test_a_move_must_matter():
    rng = np.random.default_rng(4)
    a, b = numbers(rng.normal(size=20000)), numbers(rng.normal(size=20000) + 0.1)
    assert drift(a, b)["x"].p < 1e-6
    assert drift(a, b).moved == ()
    assert drift(a, b, least=0.01).moved == ("x",)


def test_any_kind_and_no_rows():
    table = Table.of(
        [("2024-01-01", "some words", 1.0, None), ("2024-01-02", None, 2.0, None)],
        ["t", "w", "x", "none"],
        target=None,
        kinds={"t": "time", "w": "text", "none": "num"},
    )
    assert drift(table, table).moved == ()
    assert drift(table, table[:0]).moved == ()
    assert drift(table[:0], table).moved == ()
    assert "2024-01-01" in drift(table, table)["t"].what
    assert "length" in drift(table, table)["w"].what


def test_what_is_refused():
    with pytest.raises(DomainError, match="none of the 1 columns"):
        drift(numbers([1.0]), numbers([1.0], "y"))
    with pytest.raises(DomainError, match=r"was of kind 'num', and is of kind 'sym' now"):
        drift(numbers([1.0], "s"), symbols(["u"]))
    with pytest.raises(ParameterError, match="least"):
        drift(numbers([1.0]), numbers([1.0]), least=2)
    with pytest.raises(NoSuchColumn):
        drift(numbers([1.0]), numbers([1.0]))["y"]


def test_state_there_and_back():
    heart = load("heart_disease")
    held = Marginals.of(heart)
    again = Marginals.from_state(held.state())
    new = heart[: len(heart) // 2]
    assert repr(drift(again, new)) == repr(drift(held, new))
    sizes = [np.asarray(each).nbytes for each in held.state().values() if hasattr(each, "nbytes")]
    assert sum(sizes) < 1200 * len(held)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("names", ["a", "a"]),
        ("kinds", ["num", "other"]),
        ("sizes", np.array([2, 9])),
        ("sizes", np.array([-1, 4])),
        ("points", np.array([2.0, 1.0])),
        ("points", np.array([1.0, np.nan])),
        ("counts", np.array([1.0, 1.0, -1.0])),
        ("values", [[], ["u", "v"]]),
        ("values", 3),
        ("missing", np.zeros(3)),
    ],
)
def test_wrong_states_are_refused(name, value):
    table = Table.of([(1.0, "u"), (2.0, "u")], ["x", "s"], target=None)
    state = Marginals.of(table).state()
    Marginals.from_state(state)
    with pytest.raises(ReadError):
        Marginals.from_state({**state, name: value})
    with pytest.raises(ReadError):
        Marginals.from_state({each: state[each] for each in state if each != name})


def test_to_pandas_and_html():
    iris = load("iris")
    found = drift(iris[:50], iris[50:])
    assert list(found.to_pandas()["name"]) == list(found)
    assert "<table>" in found._repr_html_()
    assert found.sentence.startswith("5 of 5 columns moved: 'Petal.Length' (median 1.5 → 4.9)")
