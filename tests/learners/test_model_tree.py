"""ModelTree: shrinkage against least squares, splits against brute force, terms that add up."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as Peer

import satsuma
from benchmarks import model_trees
from satsuma import GetProbabilities, ModelTree, Ridge, Table, plot
from satsuma.errors import ParameterError, ReadError
from satsuma.learners.model_tree.feature_choice import by_steps
from satsuma.learners.model_tree.shrinkage import NodeFit, gains_of, node_fit, simplified


def rows_of(n=60, p=3, seed=0):
    rng = np.random.default_rng(seed)
    x = np.hstack([np.ones((n, 1)), rng.normal(size=(n, p)) * [1, 2, 0.5][:p] + 1])
    return x, x @ rng.normal(size=p + 1) + rng.normal(size=n)


def gram_of(x, y):
    both = np.column_stack([x, y])
    return both.T @ both


def plain(x):
    """A model above that says 0.3 times each feature."""
    beta = np.full((x.shape[1], 1), 0.3)
    return NodeFit(beta, np.ones(len(beta), bool), 1.0, 2.0, 1000.0, 0.0)


def with_imaginary_rows(x, y, above, k):
    """Least squares on rows, and on `k` that are spread alike, for which another model is right."""
    mean, sd = x.mean(axis=0), x.std(axis=0)
    more = np.sqrt(k) * np.vstack([np.diag(sd)[1:], mean])
    wide, tall = np.vstack([x, more]), np.concatenate([y, more @ above])
    return np.linalg.lstsq(wide, tall, rcond=None)[0]


def test_the_root_is_ridge_regression():
    x, y = rows_of()
    z = (x[:, 1:] - x[:, 1:].mean(axis=0)) / x[:, 1:].std(axis=0)
    peer = Peer(alpha=5.0).fit(z, y)
    found = node_fit(gram_of(x, y), np.zeros(3), None, 5.0, 0.0)
    assert found.beta[1:, 0] * x[:, 1:].std(axis=0) == pytest.approx(peer.coef_, rel=1e-6)
    assert found.weight == 60


def test_a_node_is_fitted_with_imaginary_rows_for_the_model_above():
    x, y = rows_of()
    above = plain(x)
    found = node_fit(gram_of(x, y), np.zeros(3), above, 15.0, 0.0)
    assert found.k <= 15
    beta = with_imaginary_rows(x, y, above.beta[:, 0], found.k)
    assert found.beta[:, 0] == pytest.approx(beta, rel=1e-5)
    assert found.rss == pytest.approx(((y - x @ beta) ** 2).sum(), rel=1e-6)


def test_imaginary_rows_count_less_where_the_model_above_is_wrong():
    x, _ = rows_of()
    exact = x @ np.array([5.0, -4.0, 3.0, 2.0])
    found = node_fit(gram_of(x, exact), np.zeros(3), plain(x), 15.0, 2.0)
    assert found.k < 1e-3
    assert found.beta[:, 0] == pytest.approx([5.0, -4.0, 3.0, 2.0], abs=1e-3)


def test_a_feature_that_does_not_pay_is_left_as_above():
    rng = np.random.default_rng(1)
    x = np.column_stack([np.ones(200), rng.normal(size=(200, 2))])
    y = 3 * x[:, 1] + rng.normal(size=200)
    found = node_fit(gram_of(x, y), np.zeros(2), None, 1.0, 10.0)
    assert found.kept.tolist() == [True, True, False]
    assert found.beta[2, 0] == 0


def test_terms_are_dropped_from_an_equation_and_others_make_up_for_them():
    rng = np.random.default_rng(2)
    x = np.column_stack([np.ones(200), rng.normal(size=(200, 2)), np.full(200, 2.0)])
    x[:, 2] += x[:, 1]
    y = 3 * x[:, 1] + 0.01 * x[:, 2] + rng.normal(size=200)
    gram = gram_of(x, y)
    fit = node_fit(gram, np.zeros(3), plain(x), 0.001, 0.0)
    beta = simplified(fit, gram, 6.0, root=False)
    assert beta[2:, 0].tolist() == [0, 0]  # what never varies is part of the constant
    alone = np.linalg.lstsq(x[:, :2], y, rcond=None)[0]
    assert beta[:2, 0] == pytest.approx(alone, rel=1e-3)


def test_gains_are_what_models_of_parts_leave_less():
    x, y = rows_of(n=40)
    before = np.full((4, 1), 0.3)
    parts = [slice(0, 15), slice(15, 40)]
    grams = np.stack([gram_of(x[each], y[each]) for each in parts])
    for part, gain in zip(parts, gains_of(grams, before, 7.0), strict=True):
        beta = with_imaginary_rows(x[part], y[part], before[:, 0], 7.0)
        residual, change = y[part] - x[part] @ before[:, 0], beta - before[:, 0]
        assert gain == pytest.approx(residual @ x[part] @ change, rel=1e-5)


def test_the_features_of_a_forward_selection():
    rng = np.random.default_rng(3)
    x = np.column_stack([np.ones(300), rng.normal(size=(300, 60))])
    y = 5 * x[:, 50] + 3 * x[:, 7] + rng.normal(size=300)
    chosen = by_steps(gram_of(x, y), 60)
    assert len(chosen) == 40
    assert {49, 6} <= set(chosen.tolist())


def bent(n=400, seed=0, noise=0.1):
    """A number with a bend in x at 0, and a slope of z that depends on a colour."""
    rng = np.random.default_rng(seed)
    x, z = rng.uniform(-2, 2, n), rng.normal(size=n)
    colour = np.array(["red", "green", "blue"])[rng.integers(0, 3, n)]
    y = np.where(x > 0, 3 * x, -x) + np.where(colour == "red", 2, -2) * z
    y = y + noise * rng.normal(size=n)
    return satsuma.read({"x": x, "z": z, "colour": colour, "y": y}, target="y")


def test_a_bend_and_an_interaction_are_found():
    model = ModelTree()(bent())
    assert model.leaves == 4
    asked = {model.domain.attributes[at].name for at in model.column if at >= 0}
    assert asked == {"x", "colour"}
    assert max(model.sd[model.column < 0]) < 0.2
    for rule in model.rules():
        (equation,) = rule.equations
        slope = 2 if any("red" in each for each in rule.conditions) else -2
        assert equation.terms["z", None] == pytest.approx(slope, abs=0.1)


def test_no_cut_between_bins_is_better():
    table = bent(n=120, noise=0.5)
    x, z, y = (table.column(name) for name in ("x", "z", "y"))
    numbers = satsuma.read({"x": x, "z": z, "y": y}, target="y")
    model = ModelTree(max_depth=1, bins=255, prune=0, drop=0, smoothing=0.001)(numbers)
    order = np.argsort(x)
    design = np.column_stack([np.ones(len(x)), x, z])[order]

    def left(part):
        return float(np.linalg.lstsq(design[part], y[order][part], rcond=None)[1].sum())

    errors = [left(slice(0, at)) + left(slice(at, None)) for at in range(10, len(x) - 9)]
    best = 10 + int(np.argmin(errors))
    assert model.threshold[0] == pytest.approx(x[order][best - 1 : best + 1].mean())


@pytest.mark.parametrize(
    ("below", "told"),
    [
        (lambda x, lost: lost | (x < 0.5), ["≤ ? or missing", "> ?"]),
        (lambda x, lost: ~lost & (x < 0.5), ["≤ ?", "> ? or missing"]),
        (lambda x, lost: lost | (x < -9), ["is missing", "is known"]),
    ],
)
def test_missing_cells_go_where_two_models_leave_least_over(below, told):
    rng = np.random.default_rng(8)
    x, z, lost = rng.uniform(-2, 2, 150), rng.normal(size=150), rng.random(150) < 0.3
    first = below(x, lost)
    y = np.where(first, 3 * z, x - z) + 0.05 * rng.normal(size=150)
    table = satsuma.read({"x": np.where(lost, np.nan, x), "z": z, "y": y}, target="y")
    model = ModelTree(max_depth=1, bins=255, missing="informative")(table)
    assert [re.sub(r"0\.\d+", "?", each) for each in model.root.branches] == told
    assert [node.n for node in model.root.branches.values()] == [first.sum(), (~first).sum()]


def reads(condition, row):
    """Whether a row meets a condition that was printed."""
    name, told = re.fullmatch(r"(?:\S+ < )?(\w+) (.*)", condition).groups()
    cell, admits = row[name], told.endswith(("is missing", " or missing", "missing}"))
    if cell is None or told in ("is missing", "is known"):
        return admits == (cell is None)
    sign, asked = told.removesuffix(" or missing").split(" ", 1)
    if sign not in "≤>":
        return cell in asked.strip("{}").split(", ")
    low = re.match(r"(\S+) < ", condition)
    inside = cell <= float(asked) if sign == "≤" else cell > float(asked)
    return inside and (low is None or cell > float(low[1]))


@pytest.mark.parametrize("seed", range(4))
def test_a_row_is_where_the_printed_conditions_lead(seed):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, 400)).round(1)
    sort = rng.choice(list("abc"), 400)
    lost = rng.random((3, 400)) < 0.25
    cells = [
        [None if gone else cell for cell, gone in zip(*each, strict=True)]
        for each in zip([x.tolist(), z.tolist(), sort.tolist()], lost, strict=True)
    ]
    y = np.where(lost[0], 2, 0) + np.sin(3 * x) * (sort == "a") + 3 * (lost[1] ^ lost[2])
    table = Table.of(list(zip(*cells, y.tolist(), strict=True)), ["x", "z", "sort", "y"])
    model = ModelTree(prune=0.1, smoothing=1, missing="informative")(table)
    rules = model.rules()
    assert len(rules) > 8
    met = [
        [at for at, rule in enumerate(rules) if all(reads(each, row) for each in rule.conditions)]
        for row in (
            dict(zip(("x", "z", "sort"), row, strict=True)) for row in zip(*cells, strict=True)
        )
    ]
    assert all(len(each) == 1 for each in met)
    assert np.bincount([at for (at,) in met]).tolist() == [rule.support for rule in rules]


def test_without_splits_it_is_ridge_regression():
    table = bent(n=150)
    table = table.with_roles({"colour": "meta"})
    one, other = ModelTree(max_depth=0, drop=0)(table), Ridge(l2=1)(table)
    assert one(table) == pytest.approx(other(table), abs=1e-4)


def test_without_splits_classes_are_by_logistic_regression():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 3))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    for k in (2, 3):
        y = (x @ rng.normal(size=(3, k)) + rng.gumbel(size=(200, k))).argmax(axis=1)
        table = Table.of(np.column_stack([x, y]).tolist(), ["a", "b", "c", "y"])
        table = table.with_kinds({"y": "sym"})
        model = ModelTree(max_depth=0, drop=0)(table)
        peer = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(x, y)
        names = [str(float(each)) if "." in model.classes[0] else str(each) for each in range(k)]
        at = [model.classes.index(name) for name in names]
        found = model(table, GetProbabilities)[:, at]
        assert found == pytest.approx(peer.predict_proba(x), abs=1e-5)


def test_terms_add_up_to_the_number():
    table = bent()
    model = ModelTree()(table)
    for query in (
        table[0],
        {"x": None, "z": 1.0, "colour": "red"},
        {"x": 1.0, "z": None, "colour": None},
        {"x": 1.0, "z": 900.0, "colour": "blue"},
        {"x": 1.0, "z": 1.0, "colour": "violet"},
    ):
        terms = model.explain(query)
        assert terms.total == pytest.approx(model(query), abs=1e-9)
    assert str(model.explain({"x": 1.0, "z": 0.5, "colour": "red"})).startswith("y = ")


def test_cells_and_targets_far_away_are_taken_to_be_nearer():
    table = bent()
    model = ModelTree()(table)
    far, farther = ({"x": 1.9, "z": z, "colour": "red"} for z in (900.0, 1e300))
    assert model(far) == model(farther)
    terms, targets = model.explain(far), table.column("y")
    assert "(limits)" in terms
    assert model(far) <= targets.max() + 0.5 * np.ptp(targets)
    ends = [index for index in range(model.size) if model.column[index] < 0]
    assert any(model(far) == model.limits_at(node)[1] for node in ends)


def test_a_single_row_makes_no_slope():
    """A number that is 0 but for one row of a leaf has the slope of the node above."""
    rng = np.random.default_rng(7)
    x, flag = rng.normal(size=200), np.zeros(200)
    flag[0] = 1.0
    y = x + rng.normal(size=200) * 0.1
    y[0] += 50
    table = satsuma.read({"x": x, "flag": flag, "y": y}, target="y", kinds={"flag": "num"})
    model = ModelTree(max_depth=0)(table)
    assert model.features == (("x", None),)


def test_terms_add_up_to_the_log_odds():
    table = satsuma.load("voting")
    model = ModelTree(prune=2)(table)
    assert model.leaves > 1
    for at in (0, 3, 11):
        told = model.explain(table[at])
        chances = model(table[at], GetProbabilities)
        odds = np.log(chances[told.value] / chances[told.against])
        assert told.total == pytest.approx(odds, abs=1e-9)


def test_a_missing_cell_is_spread_in_a_split_and_the_mean_in_an_equation():
    table = bent()
    model = ModelTree(max_depth=1)(table)
    name = model.root.attribute
    assert name in ("x", "colour")
    known = {"x": 1.0, "z": 1.0, "colour": "red"}
    lost = known | {name: None}
    shares = [model.share[below.index] for _, below in model.root.groups]
    told = []
    for node in (below.index for _, below in model.root.groups):
        constant, slopes = model.coefficients_at(node)
        means = dict(zip(model.features, model.mean[node], strict=True))
        for (column, value), slope in slopes.items():
            cell = lost[column]
            number = cell if value is None else None if cell is None else float(cell == value)
            constant += slope * (means[column, value] if number is None else number)
        told.append(constant)
    assert model(lost) == pytest.approx(np.dot(shares, told))


def test_an_unseen_value_is_answered_by_the_node_it_reaches():
    table = bent()
    model = ModelTree()(table)
    query = {"x": 1.0, "z": 1.0, "colour": "violet"}
    assert not any("colour" in each for each in model.explain(query).path)


def test_rules_are_read_as_sentences():
    model = ModelTree()(bent(noise=0.0))
    first = str(model.rules()[0])
    assert first.startswith("if ")
    assert " * x" in first
    assert str(model).splitlines()[0] == "y, by 4 rules:"
    assert all(len(rule.conditions) <= 2 for rule in model.rules())


def test_the_features_of_a_wide_table_are_chosen():
    rng = np.random.default_rng(5)
    cells = {f"x{at}": rng.normal(size=150) for at in range(300)}
    y = 4 * cells["x250"] + rng.normal(size=150)
    model = ModelTree(max_depth=0)(satsuma.read({**cells, "y": y}, target="y"))
    assert ("x250", None) in model.features
    assert len(model.features) <= 40


def test_many_classes_are_learned_without_a_hessian_of_all():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(400, 12))
    y = (x @ rng.normal(size=(12, 30)) * 2).argmax(axis=1)
    cells = {f"x{at}": x[:, at] for at in range(12)}
    table = satsuma.read({**cells, "y": [f"c{each}" for each in y]}, target="y")
    model = ModelTree(max_depth=0)(table)
    assert np.mean(model(table) == np.array([f"c{each}" for each in y])) > 0.6


def test_no_worse_than_m5p_with_fewer_leaves():
    """The figures of Weka 3.6.14 are in benchmarks/model_trees.json, of the same folds."""
    kept = json.loads(Path(model_trees.FILE).read_text("utf-8"))["figures"]["housing"]
    error, leaves = model_trees.error(ModelTree(), satsuma.load("housing"))
    assert error <= kept[0] + 0.01
    assert leaves < kept[1]


def test_a_tree_is_drawn():
    ax = plot.tree(ModelTree()(bent()))
    assert ax.get_title("left") == "A tree of y"
    assert "digraph" in ModelTree()(bent()).to_dot()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("smoothing", 0),
        ("prune", -1),
        ("drop", -1),
        ("min_leaf", 0),
        ("max_depth", 1.5),
        ("bins", 1),
        ("missing", "maybe"),
    ],
)
def test_parameters_out_of_range_are_refused(name, value):
    with pytest.raises(ParameterError, match=name):
        ModelTree(**{name: value})(bent(n=20))


def test_a_model_whose_parts_do_not_fit_is_refused():
    model = ModelTree()(bent())
    model.low = model.high + 1
    with pytest.raises(ReadError, match="least target"):
        model.check_state()
    model = ModelTree()(bent())
    model.used = np.zeros_like(model.used)
    with pytest.raises(ReadError, match="twice"):
        model.check_state()
    model = ModelTree()(bent())
    model.used = model.used + 9
    with pytest.raises(ReadError, match="not one of the columns"):
        model.check_state()
