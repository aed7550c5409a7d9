"""Few labels for the best rows over several goals."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from satsuma import Answer, Oracle, Table, distance_to_ideal, optimise, read
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.plan import surrogate
from satsuma.plan.surrogate import fit_surrogate


def bowl(rows=200, seed=0):
    """Far from a point costs, and so does size; symbols and holes are among the attributes."""
    rng = np.random.default_rng(seed)
    x, y = rng.random((2, rows))
    cost = np.hypot(x - 0.3, y - 0.7) + 0.02 * rng.normal(size=rows)
    kind = rng.choice(["a", "b"], rows)
    speed = 2 - cost - 0.5 * (kind == "b")
    cells = [
        (a if i % 20 else None, b, k, c, s)
        for i, (a, b, k, c, s) in enumerate(zip(x, y, kind, cost, speed, strict=True))
    ]
    roles = {"Cost-": "-", "Speed+": "+"}
    return Table.of(cells, ["x", "y", "kind", "Cost-", "Speed+"], target=None, roles=roles)


def hidden(table):
    """The same rows, their goals unknown."""
    columns = [
        np.full(len(table), np.nan) if v.role == "goal" else table.column(v.name)
        for v in table.domain
    ]
    return Table(table.domain, columns)


@pytest.mark.parametrize("acquire", ["hope", "improve", "exploit", "explore", "adapt", "random"])
@pytest.mark.parametrize(("budget", "start"), [(1, 8), (5, 8), (12, 4), (12, [7, 3])])
def test_the_budget_is_never_exceeded_and_no_row_is_asked_twice(acquire, budget, start):
    table = bowl()
    oracle = Oracle(table)
    found = optimise(table, oracle, budget=budget, start=start, acquire=acquire)
    assert oracle.asked == found.rows
    assert len(set(found.rows)) == len(found.rows) == found.asked == budget
    if isinstance(start, list):
        assert found.rows[: len(start)] == start


def test_goals_of_rows_that_were_not_asked_about_are_never_looked_at():
    table = bowl()
    seen = optimise(table, Oracle(table), budget=25, seed=3)
    unseen = optimise(hidden(table), Oracle(table), budget=25, seed=3)
    assert unseen.rows == seen.rows
    assert np.array_equal(unseen.distances, seen.distances)
    assert str(unseen) == str(seen)


def test_an_acquisition_sees_no_goals_in_the_pool():
    table = bowl()

    def nosy(model, pool, labelled):
        assert not pool.domain.goals
        assert "Cost-" not in pool.domain
        assert not np.isnan(labelled.column("Cost-")).any()
        assert model.best == distance_to_ideal(labelled)(labelled).min()
        return pool.column("y")

    found = optimise(table, Oracle(table), budget=12, start=4, acquire=nosy)
    order = np.argsort(-table.column("y"), kind="stable")
    greedy = [at for at in order.tolist() if at not in found.rows[:4]][:8]
    assert found.rows[4:] == greedy


def test_a_smaller_budget_is_the_beginning_of_a_larger_one():
    table = bowl()
    long = optimise(table, Oracle(table), budget=30, seed=5)
    short = optimise(table, Oracle(table), budget=12, seed=5)
    assert long.rows[:12] == short.rows


def test_the_same_seed_asks_the_same_and_another_one_does_not():
    table = bowl()
    first, same, other = (optimise(table, table, budget=15, seed=seed).rows for seed in (1, 1, 2))
    assert first == same != other


def test_what_is_found():
    table = bowl()
    found = optimise(table, table, budget=25)
    labelled = table[found.rows]
    away = distance_to_ideal(labelled)(labelled)  # by the ranges of the labelled rows alone
    assert found.labelled.equals(labelled)
    assert np.array_equal(found.distances, away)
    assert np.array_equal(found.path, [away[: n + 1].min() for n in range(25)])
    assert found.best_row == found.rows[int(away.argmin())]
    assert found.best == table[found.best_row]
    assert found.distances[found.order].tolist() == sorted(away)
    assert f"row {found.best_row}," in repr(found)
    assert str(found).endswith(str(found.tree))
    assert found.tree.root.n == 25


def test_it_finds_better_rows_than_chance():
    table = bowl(400)
    away = distance_to_ideal(table)(table)
    ours = [away[optimise(table, table, budget=20, seed=s).rows].min() for s in range(5)]
    rank = np.sort(away)
    # The best of 20 drawn at random is on average the 400/21th: the 19th.
    assert np.mean(np.searchsorted(rank, ours)) < 6


@pytest.mark.needs("moot/optimize/SS-H.csv")
def test_it_beats_chance_on_a_real_table(shared):
    table = read(shared("moot/optimize/SS-H.csv"), marks=True)
    away = distance_to_ideal(table)(table)
    ours = [away[optimise(hidden(table), table, budget=20, seed=s).rows].min() for s in range(4)]
    rng = np.random.default_rng(0)
    chance = [away[rng.choice(len(table), 20, replace=False)].min() for _ in range(200)]
    assert np.mean(ours) < np.mean(chance)


def test_dont_know_is_counted_but_is_no_label():
    table = bowl()
    oracle = Oracle(lambda row: None if row.index % 2 else goals(row))
    found = optimise(table, oracle, budget=20)
    assert found.asked == len(oracle.asked) == 20
    assert found.rows == [at for at in oracle.asked if at % 2 == 0]
    assert "nothing is known" in str(found)


def goals(row):
    return {"Cost-": row["Cost-"], "Speed+": row["Speed+"]}


def test_a_goal_that_is_not_told_is_as_bad_as_can_be():
    table = bowl()
    found = optimise(table, lambda row: {"Cost-": row["Cost-"]}, budget=10)
    assert np.isnan(found.labelled.column("Speed+")).all()
    assert (found.distances >= np.sqrt(0.5) - 1e-12).all()


def test_one_goal_may_be_told_as_a_number():
    table = bowl().with_roles({"Speed+": "ignore"})
    plain = optimise(table, lambda row: row["Cost-"], budget=10)
    sure = optimise(table, lambda row: Answer({"Cost-": row["Cost-"]}, 0.5), budget=10)
    assert plain.rows == sure.rows


def test_only_a_sample_of_a_large_table_is_searched():
    table = bowl()
    found = optimise(table, table, budget=50, pool=30)
    assert len(found.rows) == 30
    assert optimise(table, table, budget=40, pool=5, start=list(range(10))).rows[:10] == [
        *range(10)
    ]


def test_rows_that_are_all_alike():
    rows = [("a", 1.0)] * 12
    table = Table.of(rows, ["kind", "Cost-"], target=None, roles={"Cost-": "-"})
    assert sorted(optimise(table, table, budget=30).rows) == list(range(12))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"budget": 0}, "budget must be"),
        ({"budget": 2.5}, "budget must be"),
        ({"pool": 0}, "pool must be"),
        ({"start": 0}, "start must be"),
        ({"start": []}, "start must name"),
        ({"start": [1, 1]}, "none twice"),
        ({"start": [1, 2, 3], "budget": 2}, "no more than the budget"),
        ({"start": [999]}, "There is no row 999"),
        ({"acquire": "exploid"}, "Did you mean 'exploit'"),
        ({"acquire": lambda *_: np.zeros(3)}, "a number for each of the 200 rows"),
    ],
)
def test_parameters_that_cannot_be(change, message):
    table = bowl()
    with pytest.raises(ParameterError, match=message):
        optimise(table, table, **change)


def test_tables_and_answers_that_cannot_be():
    table = bowl()
    with pytest.raises(DomainError, match="without goals"):
        optimise(table.with_roles({"Cost-": "x", "Speed+": "x"}), table)
    with pytest.raises(DomainError, match="no rows"):
        optimise(table[:0], table)
    with pytest.raises(DomainError, match="by name"):
        optimise(table, lambda _: 3.0)
    with pytest.raises(DomainError, match="Goals are numbers"):
        optimise(table, lambda _: {"Cost-": "much"})
    with pytest.raises(DomainError, match="finite"):
        optimise(table, lambda _: {"Cost-": float("inf")})
    with pytest.raises(NoSuchColumn, match="Did you mean 'Cost-'"):
        optimise(table, lambda _: {"Cost": 1.0})
    with pytest.raises(DomainError, match="none of 5 rows"):
        optimise(table, lambda _: None, budget=5)


def test_beliefs_are_those_of_a_gaussian_process(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.random((30, 2))
    away = np.sqrt(((x[:8, None] - x) ** 2).sum(axis=2))
    known = rng.random(8)
    length, noise = 0.4, 0.2
    monkeypatch.setattr(surrogate, "NOISES", (noise,))
    near = [surrogate._nearness(away / length)]
    ours = fit_surrogate(near, list(range(8)), known, 1.0)
    unit = known.std()
    z = (known - known.mean()) / unit
    kernel = ConstantKernel(1 - noise) * Matern(length, nu=2.5)
    peer = GaussianProcessRegressor(kernel + WhiteKernel(noise), optimizer=None).fit(x[:8], z)
    mean, sd = peer.predict(x, return_std=True)
    assert np.allclose(ours.mean, known.mean() + unit * mean)
    # The scale is the most probable one, and the noise of a new row is not part of the belief.
    scale = z @ np.linalg.solve(peer.kernel_(x[:8]), z) / 8
    assert np.allclose(ours.sd**2, unit**2 * scale * np.maximum(sd**2 - noise, 1e-9))


def test_what_is_more_probable_has_more_say(monkeypatch):
    at = np.linspace(0, 1, 40)
    known = np.sin(3 * at[::2])  # smooth, and without noise
    away = np.abs(at[::2, None] - at)

    def error():
        near = [surrogate._nearness(away / length) for length in surrogate.LENGTHS]
        said = fit_surrogate(near, list(range(0, 40, 2)), known, 1.0).mean
        return np.abs(said - np.sin(3 * at)).max()

    all_pairs = error()
    monkeypatch.setattr(surrogate, "NOISES", (0.8,))
    assert all_pairs < 0.08
    assert error() > 2 * all_pairs
