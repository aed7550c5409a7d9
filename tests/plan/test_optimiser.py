"""Searching by asking and telling, in spaces, with constraints, costs and failures."""

import json

import numpy as np
import pytest
from scipy.stats import rankdata

from satsuma import Optimiser, Oracle, Table, distance_to_ideal, optimise, space
from satsuma.errors import DomainError, ParameterError, ReadError
from satsuma.plan.pareto import front, goal_losses, hypervolume
from satsuma.plan.warping import warped


def line(rows=60):
    return Table.of(
        [(x, None, None) for x in range(rows)],
        ["x", "Far-", "Big+"],
        target=None,
        kinds={"Far-": "num", "Big+": "num"},
        roles={"Far-": "-", "Big+": "+"},
    )


def goals(row):
    return {"Far-": abs(row - 20), "Big+": row}


def test_asking_one_by_one_is_what_optimise_does():
    table = line()
    oracle = Oracle(lambda row: goals(row["x"]))
    found = optimise(table, oracle, budget=15, seed=4)
    search = Optimiser(table, budget=15, seed=4)
    order = []
    while rows := search.ask():
        order += rows
        search.tell(rows[0], goals(rows[0]))
    assert order == oracle.asked
    assert search.found.rows == found.rows


def test_a_batch_is_of_different_rows_that_are_apart():
    search = Optimiser(line(), budget=40)
    for row in search.ask(4):
        search.tell(row, goals(row))
    batch = search.ask(5)
    assert len(set(batch)) == 5
    assert search.in_hand == batch
    assert not set(batch) & set(search.ask(3))
    # Without believing, the best five of one look are neighbours.
    scores = search.state.surrogate()
    hoped = 2 * scores.sd - scores.mean
    hoped[[search._at[row] for row in search.found.rows]] = -np.inf
    greedy = search.state.pool[np.argsort(-hoped)[:5]]
    assert np.ptp(batch) > np.ptp(greedy)


def test_what_is_not_feasible_is_never_asked_about():
    table = line()
    search = Optimiser(table, budget=60, feasible=lambda row: row["x"] % 3 == 0)
    asked = []
    while rows := search.ask(7):
        asked += rows
        for row in rows:
            search.tell(row, goals(row))
    assert sorted(asked) == list(range(0, 60, 3))
    seen = []
    Optimiser(table, feasible=lambda row: seen.append(row.domain.names) or True)
    assert seen[0] == ("x",)
    with pytest.raises(DomainError, match="feasible"):
        Optimiser(table, feasible=lambda _: False)


def test_rows_like_one_that_failed_are_avoided():
    def tried(fails):
        search = Optimiser(line(), budget=25, seed=1)
        failures = 0
        while rows := search.ask():
            (row,) = rows
            failed = 15 <= row <= 30
            failures += failed
            search.tell(row, None if failed else goals(row), failed=failed and fails)
        return failures, search

    told, search = tried(fails=True)
    silent, _ = tried(fails=False)
    assert 0 < told < silent
    assert all(not 15 <= row <= 30 for row in search.found.rows)
    assert search.found.asked == 25


def test_cost_is_a_budget_and_steers():
    table = line()

    def cost(row):
        return 10.0 if row["x"] > 20 else 1.0

    oracle = Oracle(lambda row: {"Far-": abs(row["x"] - 20), "Big+": 1}, cost=cost)
    found = optimise(table, oracle, budget=60, spend=60, seed=0)
    assert oracle.spent <= 60
    dear = sum(row > 20 for row in found.rows)
    assert len(found.rows) - dear > dear
    flat = optimise(table, Oracle(oracle._know, cost=2.0), budget=60, spend=11)
    assert len(flat.rows) == 5
    with pytest.raises(ParameterError, match="above 0"):
        Optimiser(table, cost=lambda _: 0)
    with pytest.raises(ParameterError, match="spend"):
        Optimiser(table, spend=0)


@pytest.mark.parametrize("acquire", ["hope", "front", "random"])
def test_a_search_goes_on_where_it_was_saved(acquire):
    table = line()
    whole = Optimiser(table, budget=20, seed=2, acquire=acquire)
    part = Optimiser(table, budget=20, seed=2, acquire=acquire)
    for search in (whole, part):
        for row in search.ask(6):
            search.tell(row, goals(row) if row % 5 else None, failed=row % 7 == 0)
        search.ask(2)
    again = Optimiser.from_json(json.dumps(json.loads(part.to_json())), table)
    assert again.in_hand == whole.in_hand
    for row in list(whole.in_hand):
        for search in (whole, again):
            search.tell(row, goals(row))
    assert again.ask(3) == whole.ask(3)
    assert again.to_json() == whole.to_json()


def test_what_is_no_saved_search():
    table = line()
    with pytest.raises(ReadError, match="not a search"):
        Optimiser.from_json("{}", table)
    with pytest.raises(ReadError, match="not a search"):
        Optimiser.from_json("nonsense", table)
    with pytest.raises(DomainError, match="another one"):
        Optimiser.from_json(Optimiser(table).to_json(), line(9))
    with pytest.raises(ParameterError, match="of your own"):
        Optimiser(table, acquire=lambda model, *_: model.sd).to_json()


def test_what_cannot_be_told():
    search = Optimiser(line(), pool=10)
    (row,) = search.ask()
    search.tell(row, goals(row))
    with pytest.raises(DomainError, match="given before"):
        search.tell(row, goals(row))
    outside = next(at for at in range(60) if at not in search.state.pool)
    with pytest.raises(DomainError, match="not among those"):
        search.tell(outside, goals(outside))
    with pytest.raises(DomainError, match="none of 0"):
        _ = Optimiser(line()).found


def test_the_front_by_brute_force():
    rng = np.random.default_rng(0)
    losses = rng.integers(0, 6, (40, 3)) / 5
    dominated = [
        any((other <= row).all() and (other < row).any() for other in losses) for row in losses
    ]
    assert front(losses).tolist() == np.flatnonzero(~np.array(dominated)).tolist()


@pytest.mark.parametrize("many", [1, 2, 3, 4])
def test_the_hypervolume_by_sampling(many):
    rng = np.random.default_rng(many)
    losses = rng.random((12, many))
    points = rng.random((200_000, many))
    covered = (losses[:, None] <= points).all(axis=2).any(axis=0).mean()
    assert hypervolume(losses) == pytest.approx(covered, abs=0.005)


def test_the_front_is_found():
    table = line()
    found = optimise(table, lambda row: goals(row["x"]), budget=25, acquire="front", seed=0)
    everything = Table.of(
        [(x, *goals(x).values()) for x in range(60)],
        ["x", "Far-", "Big+"],
        target=None,
        roles={"Far-": "-", "Big+": "+"},
    )
    assert set(front(goal_losses(everything))) == set(range(20, 60))
    assert 0.5 < found.hypervolume < 1
    inside = [row for row in found.front if 20 <= row < 60]
    assert len(inside) == len(found.front)
    assert found.front[0] == found.best_row
    ends = [row for row in found.front if row < 30 or row > 50]
    assert ends
    assert distance_to_ideal(everything)(everything).argmin() in range(20, 60)


def test_warping():
    rng = np.random.default_rng(0)
    spread = 10 ** rng.uniform(-4, 4, 50)
    plain, ranked, logged = warped([spread, rng.random(50)])
    assert np.allclose(ranked[:, 0], (rankdata(spread) - 1) / 49, atol=1e-6)
    logs = np.log(spread)
    assert np.allclose(logged[:, 0], (logs - logs.min()) / np.ptp(logs), atol=1e-6)
    assert np.allclose(plain[:, 0], (spread - spread.min()) / np.ptp(spread), atol=1e-6)
    assert len(warped([np.arange(9.0) - 4])) == 1  # even, and with numbers below zero
    holes = np.array([1.0, np.nan, 1000.0, 10.0])
    for view in warped([holes]):
        assert np.isnan(view[:, 0]).tolist() == [False, True, False, False]
    assert len(warped([np.array([0.0, 1.0, 10, 1e6])])) == 3
    assert np.isfinite(warped([np.array([0.0, 0.0])])[0]).all()


def test_attributes_over_powers_of_ten_are_searched():
    """Two of six columns count, by the ratio of what they are to the best."""
    rng = np.random.default_rng(4)
    cells = 10 ** rng.uniform(-3, 3, (400, 6))
    far = np.abs(np.log10(cells[:, 0]) - 1.3) + np.abs(np.log10(cells[:, 1]) + 1)
    table = Table.of(
        [(*row, each) for row, each in zip(cells, far, strict=True)],
        [*"abcdef", "Far-"],
        target=None,
        roles={"Far-": "-"},
    )
    ours = [np.sort(far).searchsorted(optimise(table, table, budget=25, seed=s).best["Far-"])
            for s in range(3)]  # fmt: skip
    assert np.mean(ours) < 6  # the median of the best of 25 random rows is about the tenth


def test_a_space():
    columns = {
        "a": (0.0, 2.0),
        "b": (1, 3),
        "c": ["x", "y"],
        "d": [5, 7.5],
        "e": (1e-6, 1.0, "log"),
        "f": (1, 1000, "log"),
    }
    drawn = space(columns, {"g": "+"}, rows=256)
    assert len(drawn) == 256
    assert 0 <= drawn["a"].min() < 0.05
    assert 1.95 < drawn["a"].max() <= 2
    assert set(drawn["b"]) == {1, 2, 3}
    assert set(drawn["c"]) == {"x", "y"}
    assert set(drawn["d"]) == {5, 7.5}
    assert abs(np.median(np.log10(drawn["e"])) + 3) < 0.1
    assert (drawn["f"] == drawn["f"].round()).all()
    assert drawn.missing("g").all()
    assert [goal.name for goal in drawn.domain.goals] == ["g"]
    grid = space({"b": (1, 3), "c": ["x", "y"]}, {"g": "-"})
    assert sorted(zip(grid["b"], grid["c"], strict=True)) == [
        (b, c) for b in (1, 2, 3) for c in ("x", "y")
    ]


@pytest.mark.parametrize(
    ("columns", "wanted", "message"),
    [
        ({}, {"g": "-"}, "needs a column"),
        ({"a": (0, 1)}, {}, "goals must be"),
        ({"a": (0, 1)}, {"g": "up"}, "goals must be"),
        ({"a": (0, 1)}, {"a": "-"}, "another name"),
        ({"a": (1, 0)}, {"g": "-"}, "must be .low, high."),
        ({"a": (0, 1, "log")}, {"g": "-"}, "above 0"),
        ({"a": (1, 2, "exp")}, {"g": "-"}, "must be .low, high."),
        ({"a": []}, {"g": "-"}, "list of values"),
        ({"a": "xyz"}, {"g": "-"}, "list of values"),
    ],
)
def test_spaces_that_cannot_be(columns, wanted, message):
    with pytest.raises(ParameterError, match=message):
        space(columns, wanted)
