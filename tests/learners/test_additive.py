"""Additive: shapes and pairs, held against dense algebra, known truths and its own parts."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from benchmarks import mgcv_shapes
from satsuma import Additive, GetProbabilities, Table
from satsuma.checks import check_learner
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.additive.monotone import pooled
from satsuma.learners.additive.penalties import Penalties, penalties_of, strengths_at_first
from satsuma.learners.additive.smoothing import Problem, smoothed


def table_of(columns: dict[str, Any], target: Any, **more: Any) -> Table:
    """A table of arrays whose target is called y."""
    names = [*columns, "y"]
    cells = [np.asarray(each).tolist() for each in columns.values()]
    rows = list(zip(*cells, list(target), strict=True))
    return Table.of(rows, names, target="y", **more)


def made(n: int = 600, seed: int = 1) -> tuple[dict[str, Any], Any]:
    """A wave, a slope, a product of two numbers, and a column that says nothing."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.uniform(-2, 2, n) for name in ("wave", "slope", "one", "other", "idle")}
    truth = np.sin(2 * columns["wave"]) + columns["slope"] / 2 + columns["one"] * columns["other"]
    return columns, truth


@pytest.fixture(scope="module")
def numbers() -> Table:
    """A number with some noise."""
    columns, truth = made()
    return table_of(columns, (truth + 0.3 * np.random.default_rng(2).normal(size=600)).tolist())


@pytest.fixture(scope="module")
def classes() -> Table:
    """Two classes, by the log odds."""
    columns, truth = made(900)
    chance = 1 / (1 + np.exp(-2 * truth))
    yes = np.random.default_rng(3).random(900) < chance
    return table_of(columns, np.where(yes, "yes", "no").tolist())


class TestWhatIsFound:
    def test_shapes_and_the_pair(self, numbers: Table) -> None:
        model = Additive()(numbers)
        assert model.strongest_pair() == ("one", "other")
        assert sum(moved for name, moved in model.importances().items() if "&" in name) < 1
        assert model.sd == pytest.approx(0.3, abs=0.15)  # and the steps of the bins
        shape = model.shape("wave")
        middle = np.array(shape.bins) - 2 / len(shape.bins)
        assert np.corrcoef(np.sin(2 * middle), shape.effects[:-1])[0, 1] > 0.98
        assert model.importances()["idle"] < 0.03

    def test_bands_hold_the_truth(self, numbers: Table) -> None:
        model = Additive()(numbers)
        edges, effects, errors = (np.array(each) for each in model.shape("slope")[1:4])
        true = (edges - 2 / len(edges)) / 2
        inside = np.abs(effects[:-1] - true) < 2.5 * errors[:-1] + 0.05
        assert inside.mean() > 0.9

    def test_classes(self, classes: Table) -> None:
        model = Additive()(classes)
        assert "one & other" in model.terms
        columns, truth = made(1500, seed=9)
        fresh = table_of(columns, np.where(truth > 0, "yes", "no").tolist())
        chance = model(fresh, GetProbabilities)[:, 1 if model.classes[1] == "yes" else 0]
        assert np.corrcoef(np.log(chance / (1 - chance)), truth)[0, 1] > 0.9

    def test_more_classes(self) -> None:
        iris = satsuma.load("iris")
        results = satsuma.cross_validate([Additive()], iris, folds=5)
        assert results.scores("CA")["Additive"] > 0.93

    def test_counts(self) -> None:
        rng = np.random.default_rng(0)
        x = rng.uniform(0, 2, 800)
        table = table_of({"x": x}, rng.poisson(np.exp(x)).astype(float).tolist())
        model = Additive(counts=True)(table)
        assert model({"x": 1.5}) == pytest.approx(np.exp(1.5), rel=0.15)
        assert (model(table) > 0).all()

    def test_that_a_cell_is_missing_may_say_something(self) -> None:
        rng = np.random.default_rng(4)
        x, noise = rng.normal(size=500), rng.normal(size=500)
        gone = rng.random(500) < 0.3
        rows = [
            (None if m else float(a), float(b), float(a / 4 + 3 * m))
            for a, b, m in zip(x, noise, gone, strict=True)
        ]
        model = Additive()(Table.of(rows, ["x", "idle", "y"], target="y"))
        assert model({"x": None, "idle": 0.0}) - model({"x": 0.0, "idle": 0.0}) == pytest.approx(
            3, abs=0.3
        )

    def test_missing_at_random_says_nothing(self) -> None:
        rng = np.random.default_rng(5)
        x = rng.normal(size=500)
        gone = rng.random(500) < 0.3
        rows = [(None if m else float(a), float(a)) for a, m in zip(x, gone, strict=True)]
        model = Additive()(Table.of(rows, ["x", "y"], target="y"))
        assert abs(model({"x": None}) - x.mean()) < 0.2


class TestAlgebra:
    def test_effects_are_those_of_dense_least_squares(self) -> None:
        """The effects solve the penalised normal equations of the one-hot encoded bins."""
        rng = np.random.default_rng(6)
        y = rng.normal(size=80)
        layout = _layout(11)
        penalties = penalties_of(layout)
        strengths = rng.uniform(0.1, 5, len(strengths_at_first(penalties)))
        x = np.hstack([np.ones((80, 1)), np.eye(12)[rng.integers(0, 11, 80)]])
        problem = Problem(x.T @ x, x.T @ y, np.zeros((13, 13)), penalties, float(y @ y), 80.0)
        fit = problem.solved(strengths)
        rough = problem.roughness(strengths)
        left = x.T @ (y - x @ fit.effects) - rough @ fit.effects
        assert np.abs(left).max() < 1e-5

    def test_strengths_are_those_of_the_restricted_likelihood(self) -> None:
        """No strength near the one that was found is more likely."""
        rng = np.random.default_rng(7)
        code = rng.integers(0, 20, 400)
        y = np.sin(code / 3) + 0.5 * rng.normal(size=400)
        x = np.hstack([np.ones((400, 1)), np.eye(21)[code]])
        layout = _layout(20)
        penalties = [Penalties(slice(1, 21), penalties_of(layout)[0].forms[:1])]
        fixed = np.zeros((22, 22))
        fixed[1:, 1:] = np.diag([1.0] * 20 + [1e3]) * 1e-3
        problem = Problem(x.T @ x, x.T @ y, fixed, penalties, float(y @ y), 400.0)
        fit = smoothed(problem, np.ones(1), 200, 30.0)
        best = _restricted(problem, x, y, fit.strengths[0], fit.spread)
        for factor in (0.5, 0.7, 1.4, 2.0):
            assert _restricted(problem, x, y, fit.strengths[0] * factor, fit.spread) < best

    @given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.sampled_from([1, -1]))
    def test_pooling_is_isotonic_regression(self, effects: list[float], sign: int) -> None:
        from sklearn.isotonic import isotonic_regression

        given_, weight = np.array(effects), np.arange(1.0, len(effects) + 1)
        wanted = isotonic_regression(given_, sample_weight=weight, increasing=sign > 0)
        assert np.allclose(pooled(given_, weight, sign), wanted)

    def test_a_monotone_shape(self, numbers: Table) -> None:
        model = Additive(monotone={"wave": 1, "slope": -1}, pairs=0)(numbers)
        assert (np.diff(model.shape("wave").effects[:-1]) >= -1e-12).all()
        assert (np.diff(model.shape("slope").effects[:-1]) <= 1e-12).all()


def _layout(bins: int) -> Any:
    from satsuma.learners.additive.layout import Layout

    return Layout(("x",), (np.arange(float(bins)),), (np.zeros(0, np.int32),))


def _restricted(problem: Problem, x: Any, y: Any, strength: float, spread: float) -> float:
    """The logarithm of the restricted likelihood (Wood 2011), but for a constant."""
    fit = problem.solved(np.array([strength]))
    rough = problem.roughness(np.array([strength])) - problem.fixed
    whole = problem.gram + problem.fixed + rough
    left = float(
        np.sum((y - x @ fit.effects) ** 2) + fit.effects @ (rough + problem.fixed) @ fit.effects
    )
    kept = np.linalg.eigvalsh(rough)
    kept = kept[kept > 1e-9 * kept.max()]
    logs = np.log(kept).sum() - np.linalg.slogdet(whole)[1]
    return -left / (2 * spread) + logs / 2


class TestParts:
    @pytest.mark.parametrize("parts", [1, 7, 100])
    def test_the_same_model_from_any_parts(
        self, parts: int, numbers: Table, classes: Table
    ) -> None:
        for table in (numbers[:300], classes[:400]):
            whole = Additive(pairs=2)(table)
            assert max(whole.layout.levels) > max(whole.layout.ranks[:5])  # lines between points
            order = np.random.default_rng(parts).permutation(len(table))
            cut = Batches(table[order], size=-(-len(table) // parts), merge="pairs")
            model = Additive(pairs=2)(cut)
            assert np.array_equal(model.effects, whole.effects)
            assert np.array_equal(model.constant, whole.constant)
            assert model.terms == whole.terms

    @pytest.mark.parametrize("target", ["two", "many", "number", "count"])
    def test_the_same_model_whatever_comes_first(self, target: str) -> None:
        """Values and classes that come in another order have other codes, and that is all."""
        rows = _rows_of_symbols(target)
        order = np.random.default_rng(8).permutation(len(rows))
        one, other = (
            Table.of(each, ["a", "b", "rare", "n", "w", "y"], roles={"w": "weight"})
            for each in (rows, [rows[at] for at in order])
        )
        assert one.domain["a"].values != other.domain["a"].values
        learner = Additive(pairs=1, bins=16, counts=target == "count")
        first, second = (learner(each) for each in (one, other))
        assert "a & b" in first.terms
        assert first.terms == second.terms
        for found, known in zip(_by_class(first, one), _by_class(second, one), strict=True):
            assert found == known
        if target == "two":  # and shapes are listed in the order of the table
            assert list(first.shape("a").bins) == list(one.domain["a"].values)

    def test_a_weight_is_so_many_rows(self, numbers: Table) -> None:
        weights = np.arange(len(numbers)) % 3
        twice = numbers[np.repeat(np.arange(len(numbers)), weights)]
        weighted = Additive(pairs=0)(numbers, weights=weights.astype(float))
        assert np.allclose(weighted(numbers), Additive(pairs=0)(twice)(numbers), atol=1e-9)


def _rows_of_symbols(target: str) -> list[tuple[Any, ...]]:
    """Rows of symbols, two of which say more together; for counts, one has very many values."""
    rng = np.random.default_rng(7)
    many = 300 if target == "count" else 5
    a, b, rare = (rng.integers(0, most, 1500) for most in (20, 3, many))
    number = rng.normal(size=1500)
    score = np.where(b == 0, 1.5, -1.5) * (a % 2 * 2 - 1) + number / 2 + rng.normal(size=1500) / 2
    y: Any = {
        "two": np.where(score > 0.4, "yes", "no"),
        "many": np.array(["low", "mid", "up"])[np.digitize(score, [-1, 1])],
        "number": score,
        "count": rng.poisson(np.exp(score / 2)).astype(float),
    }[target]
    weights = rng.uniform(0.1, 3, 1500)
    cells = [(f"a{i}", f"b{j}", f"r{k}") for i, j, k in zip(a, b, rare, strict=True)]
    rest = zip(number.tolist(), weights.tolist(), y.tolist(), strict=True)
    return [(*some, *more) for some, more in zip(cells, rest, strict=True)]


def _by_class(model: Any, table: Table) -> list[Any]:
    """Scores of rows, and shapes by value, in the order of how classes are written."""
    classes = sorted(model.classes) if hasattr(model, "classes") else []
    scores = [model.classes.index(name) for name in classes] if len(classes) > 2 else [0]
    sign = -1 if len(classes) == 2 and list(model.classes) != classes else 1
    found: list[Any] = []
    for score in scores:
        found.append((sign * model.scores(model.rows_of(table))[score]).tolist())
        for column in ("a", "b", "rare"):
            shape = model.shape(column, score)
            bins = [", ".join(sorted(each.split(", "))) for each in shape.bins]
            parts = np.array([sign * shape.effects, shape.errors, shape.rows])[:, :-1]
            found.append(dict(zip(bins, parts.T.tolist(), strict=True)))
    return found


class TestTheModel:
    def test_an_explanation_sums_to_the_log_odds(self, classes: Table) -> None:
        model = Additive(pairs=2)(classes)
        for row in (0, 7):
            told = model.explain(classes[row])
            chance = model.p(told.value, classes[row])
            assert told.total == pytest.approx(np.log(chance / (1 - chance)), abs=1e-9)

    def test_parts_sum_to_the_number(self, numbers: Table) -> None:
        model = Additive()(numbers)
        total = sum(model.parts(numbers[3]).values(), start=model.constant)
        assert float(total[0]) == pytest.approx(model(numbers[3]))

    def test_effects_are_about_their_averages(self, numbers: Table) -> None:
        model = Additive()(numbers)
        shape = model.shape("slope")
        assert abs(shape.effects @ shape.rows) < 1e-6 * len(numbers)
        cells, rows = model.grid("other", "one")
        assert np.abs(rows.sum(axis=1) @ cells).max() < 1e-9 * len(numbers)
        assert np.abs(cells @ rows.sum(axis=0)).max() < 1e-9 * len(numbers)
        assert float(np.mean(model(numbers))) == pytest.approx(float(model.constant[0]), abs=0.1)

    def test_a_person_can_change_it(self, numbers: Table, tmp_path: Any) -> None:
        model = Additive(pairs=0)(numbers)
        flat = model.with_effect("wave", 0.0, low=0.0)
        right, left = (
            {"wave": wave, **dict.fromkeys(("slope", "one", "other", "idle"))}
            for wave in (1.0, -1.0)
        )
        assert model(right) != flat(right)
        assert model(left) == flat(left)
        assert flat.parts(right)["wave"][0] == 0
        flat.save(tmp_path / "flat.satsuma")
        assert satsuma.open_model(tmp_path / "flat.satsuma")(right) == flat(right)

    def test_a_range_is_flattened(self, numbers: Table, tmp_path: Any) -> None:
        model = Additive(pairs=0)(numbers)
        flat = model.flattened("wave", 0.0, 1.0)
        before, after = model.shape("wave"), flat.shape("wave")
        changed = before.effects != after.effects
        assert len(set(after.effects[changed])) == 1
        assert after.effects[changed][0] == pytest.approx(
            np.average(before.effects[changed], weights=before.rows[changed])
        )
        assert (after.errors[changed] == 0).all()
        edges = np.array(after.bins)
        assert changed[:-1].tolist() == ((edges > 0) & (np.r_[-9, edges[:-1]] < 1)).tolist()
        flat.save(tmp_path / "flat.satsuma")
        again = satsuma.open_model(tmp_path / "flat.satsuma")
        assert np.array_equal(again(numbers), flat(numbers))
        assert flat.flattened("slope").shape("slope").effects[:-1] == pytest.approx(0, abs=1e-9)

    def test_a_range_that_cannot_be_flattened(self, numbers: Table) -> None:
        model = Additive(pairs=0)(numbers)
        with pytest.raises(ParameterError, match="between 1 and -1"):
            model.flattened("wave", 1.0, -1.0)
        with pytest.raises(ParameterError, match=r"with_effect\('sex', 0.0, value='male'\)"):
            Additive(satsuma.load("titanic"), pairs=0).flattened("sex")

    def test_without_pairs(self, classes: Table, tmp_path: Any) -> None:
        model = Additive(pairs=2)(classes)
        alone = model.without_pairs()
        assert alone.terms == model.terms[:5]
        parts = model.parts(classes[0])
        wanted = model.constant + sum(each for name, each in parts.items() if "&" not in name)
        assert alone.scores(classes[:1])[:, 0] == pytest.approx(wanted)
        alone.save(tmp_path / "alone.satsuma")
        assert satsuma.open_model(tmp_path / "alone.satsuma")(classes[0]) == alone(classes[0])

    @pytest.mark.parametrize("change", ["without_pairs", "with_effect", "flattened"])
    def test_a_changed_model_keeps_its_rows(
        self, change: str, classes: Table, tmp_path: Any
    ) -> None:
        model = Additive(pairs=1)(classes)
        changed = {
            "without_pairs": model.without_pairs,
            "with_effect": lambda: model.with_effect("wave", 0.0, low=0.0),
            "flattened": lambda: model.flattened("wave", 0.0, 1.0),
        }[change]()
        assert changed.training_sample.equals(model.training_sample)
        names = [label.get_text() for label in satsuma.plot.nomogram(changed).get_yticklabels()]
        assert {"wave", "slope"} <= set(names)
        changed.save(tmp_path / "changed.satsuma")
        opened = satsuma.open_model(tmp_path / "changed.satsuma")
        assert opened.flattened("slope").drift(classes).moved == ()

    def test_a_value_that_was_not_there(self) -> None:
        """It counts as missing: as nothing, where no cell was."""
        model = Additive()(satsuma.load("titanic"))
        row = {"status": "stowaway", "age": "adult", "sex": "male"}
        assert model.parts(row)["status"] == pytest.approx(
            model.parts(row | {"status": None})["status"]
        )

    def test_it_is_printed(self, numbers: Table) -> None:
        told = str(Additive()(numbers))
        assert told.startswith("y ± ")
        assert "one & other, which moves it by" in told
        assert "one above 0." in told
        assert max(map(len, told.split("\n\n"))) < 1200

    def test_no_rows_have_no_predictions(self, numbers: Table) -> None:
        assert len(Additive(pairs=0)(numbers)(numbers[:0])) == 0

    def test_one_class(self) -> None:
        model = Additive()(table_of({"x": [1.0, 2.0, 3.0]}, ["a", "a", "a"]))
        assert str(model).startswith("y is always a")
        assert model({"x": 1.0}) == "a"


class TestRefused:
    def test_what_cannot_be(self, numbers: Table, classes: Table) -> None:
        with pytest.raises(ParameterError, match="monotone"):
            Additive(monotone={"wave": 2})(numbers)
        with pytest.raises(DomainError, match="'y'"):
            Additive(counts=True)(classes)
        with pytest.raises(DomainError, match="holds -"):
            Additive(counts=True)(numbers)
        with pytest.raises(ParameterError, match="no column 'x'"):
            Additive(pairs=0)(numbers).shape("x")
        with pytest.raises(ParameterError, match="no grid"):
            Additive(pairs=0)(numbers).grid("one", "other")


@pytest.mark.parametrize("name", mgcv_shapes.KNOWN)
def test_shapes_and_bands_are_those_of_mgcv(name):
    """Thin plate splines by bam(method="fREML"): smooth where bins have steps, so alike."""
    found = mgcv_shapes.likeness(name).values()
    assert np.mean([each.within for each in found]) > 0.9
    assert np.median([each.correlation for each in found]) > 0.9
    # CRIM: theirs is smooth along the number, ours along its ranks.
    assert min(each.correlation for each in found) > 0.6


def lost_where_high(n=400, classes=False):
    """A column that is missing where it is high, and one beside it: both say something."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 2))
    y = 3.0 * (x[:, 0] > 0.8) + 0.3 * x[:, 1] + 0.1 * rng.normal(size=n)
    told = np.where((y > 1.5) != (rng.random(n) < 0.02), "high", "low").tolist()
    cells = np.where(x[:, 0] > 0.8, np.nan, x[:, 0]).tolist()
    rows = zip(cells, x[:, 1].tolist(), told if classes else y.tolist(), strict=True)
    return Table.of([tuple(row) for row in rows], ["a", "b", "y"])


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("pairs", [0, 100])
def test_missing_cells_that_are_to_say_nothing(classes, pairs):
    table = lost_where_high(classes=classes)
    auto, ignore = (Additive(pairs=pairs, missing=each)(table) for each in ("auto", "ignore"))
    assert auto.informative == ["a"]
    assert "A missing value tells something in: a" in str(auto)
    assert ignore.informative == []
    assert "tells something" not in str(ignore)
    shape, row = ignore.shape("a"), table[int(np.isnan(table.column("a")).argmax())]
    assert shape.effects[-1] == shape.errors[-1] == 0.0
    assert ignore.explain(row).parts["a"] == 0.0
    # Rows in which the column is missing are as the others are on average.
    average = shape.effects[:-1] @ shape.rows[:-1] / shape.rows[:-1].sum()
    assert average == pytest.approx(0.0, abs=1e-9)
    lost, told = np.isnan(table.column("a")), table.column("y")
    if classes:
        found = ignore.probabilities(table)[:, 1]
        assert abs(found[lost].mean() - (told == 1).mean()) < 0.03
    else:
        assert abs(ignore(table)[lost].mean() - told.mean()) < 0.05
        assert ignore(table).mean() == pytest.approx(told.mean(), abs=0.02)


def test_where_nothing_is_missing_there_is_nothing_to_ignore():
    table = satsuma.load("iris")
    auto, ignore = (Additive(missing=each)(table) for each in ("auto", "ignore"))
    assert np.allclose(auto.scores(table), ignore.scores(table), atol=1e-9)
    assert auto.informative == []


def test_cells_that_are_missing_at_random_say_nothing():
    rng = np.random.default_rng(0)
    alarms = 0
    for _ in range(10):
        x = rng.normal(size=(300, 4))
        y = x[:, 0] + 0.5 * rng.normal(size=300)
        x[rng.random(x.shape) < 0.1] = np.nan
        table = satsuma.read(np.column_stack([x, y]), names=[*"abcd", "y"], target="y")
        alarms += bool(Additive(pairs=0)(table).informative)
    assert alarms <= 1


@pytest.mark.figures
def test_laws_where_missing_cells_say_nothing():
    check_learner(Additive(pairs=0, missing="ignore"), laws=[3, 7])


def test_the_same_of_parts_where_missing_cells_say_nothing():
    table = lost_where_high()
    model, again = (Additive(missing="ignore")(each) for each in (table, Batches(table, size=70)))
    assert np.array_equal(model.effects, again.effects)


def test_what_missing_cells_may_be_told_to_say():
    with pytest.raises(ParameterError, match="'missing' parameter of Additive"):
        Additive(missing="informative")(satsuma.load("iris"))
