"""Trees beside their definition, golden figures and scikit-learn."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import satsuma
from satsuma import (
    ID3,
    Bagging,
    Forest,
    Mean,
    RegressionTree,
    Table,
    Tree,
    best_attribute,
    cross_validate,
)
from satsuma.checks import check_learner
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError
from tests.learners.tree.brute_force import Definition
from tests.tables import OF_NUMBERS, read_shared

#: A tree that is grown out, with a branch for each value.
classic = partial(Tree, measure="gain ratio", split="multiway", prune=None)


def told(node):
    """A tree as cases tell it: {attribute: {value: …}}, a class at a leaf."""
    if node.attribute is None:
        return node.value
    return {node.attribute: {value: told(below) for value, below in node.branches.items()}}


def nested(node):
    """A tree as the definition tells it."""
    if node.attribute is None:
        counts = node.model.counts[node.index] if node.distribution else None
        return ("leaf", [node.n, node.value] if counts is None else list(counts))
    column = [v.name for v in node.model.domain.attributes].index(node.attribute)
    if node.threshold is not None:
        below = {at == 1: nested(each) for at, (_, each) in enumerate(node.groups)}
        return (column, node.threshold, below)
    return (column, None, {values[0]: nested(each) for values, each in node.groups})


def same(one, other):
    if one[0] == "leaf" or other[0] == "leaf":
        return one[0] == other[0] and np.allclose(one[1], other[1], rtol=1e-9, atol=1e-9)
    if one[:2] != other[:2] or list(one[2]) != list(other[2]):
        return False
    return all(same(one[2][label], other[2][label]) for label in one[2])


def tiny(seed):
    """A table of few rows and columns, and the same as plain values."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    classes = [] if seed % 4 == 3 else ["a", "b", "c"][: int(rng.integers(2, 4))]
    kinds = [str(rng.choice(["num", "sym"])) for _ in range(columns)]
    holes = float(rng.choice([0, 0, 0.2]))
    cells = [
        [
            None if rng.random() < holes else float(k) if kind == "num" else "pqr"[k]
            for kind, k in zip(kinds, rng.integers(0, 3, columns).tolist(), strict=True)
        ]
        for _ in range(rows)
    ]
    target = [classes[k] if classes else float(k) for k in rng.integers(0, len(classes) or 9, rows)]
    names = [f"c{j}" for j in range(columns)]
    said = {**dict(zip(names, kinds, strict=True)), "y": "sym" if classes else "num"}
    made = [[*row, y] for row, y in zip(cells, target, strict=True)]
    table = Table.of(made, [*names, "y"], kinds=said)
    values = [table.domain[name].values for name in names]
    plain = [(row, y, 1.0) for row, y in zip(cells, target, strict=True)]
    return table, plain, kinds, values, table.domain["y"].values, rng


@pytest.mark.parametrize("part", range(10))
def test_a_tree_is_what_its_definition_says(part):
    for seed in range(part * 50, part * 50 + 50):
        table, plain, kinds, values, classes, rng = tiny(seed)
        measure = str(rng.choice(["gain ratio", "plain gain ratio", "gain", "gini"]))
        least, depth = int(rng.integers(1, 3)), int(rng.integers(1, 5))
        definition = Definition(
            measure=measure,
            min_leaf=least,
            max_depth=depth,
            kinds=kinds,
            values=values,
            classes=classes,
        )
        want = definition.grow(plain)
        learner = classic(measure=measure, min_leaf=least, max_depth=depth)
        for data in (table, Batches(table, size=2, merge="backwards")):
            found = nested(learner(data).root)
            assert same(want, found), f"seed {seed}, {learner!r}:\n{want}\n{found}"


@pytest.mark.parametrize("part", range(4))
def test_two_sets_of_values_are_the_best_of_all(part):
    """With two classes, and with numbers, every way to part the values in two is tried."""
    for seed in range(part * 25, part * 25 + 25):
        rng = np.random.default_rng(seed)
        values = "pqrstu"
        cells = [values[k] for k in rng.integers(0, 6, 30)]
        target = rng.integers(0, 2, 30) if seed % 2 else rng.integers(0, 9, 30)
        kinds = {"x": "sym", "y": "sym" if seed % 2 else "num"}
        table = Table.of(list(zip(cells, target.tolist(), strict=True)), ["x", "y"], kinds=kinds)
        measure = "gain" if seed % 4 == 1 else "gini"
        root = classic(measure=measure, split="binary", min_leaf=1, max_depth=1)(table).root

        def loss(sides, target=target, entropy=measure == "gain"):
            parts = [target[side] for side in sides]
            if entropy:
                return sum(len(p) * stats.entropy(np.bincount(p), base=2) for p in parts)
            return sum(((part - part.mean()) ** 2).sum() for part in parts)

        every = [
            loss((inside, ~inside))
            for size in range(1, 6)
            for chosen in combinations(sorted(set(cells)), size)
            if 0 < (inside := np.isin(cells, chosen)).sum() < 30
        ]
        sides = [np.isin(cells, group) for group, _ in root.groups]
        assert loss(sides) == pytest.approx(min(every))


def test_play_tennis(cases):
    golden = cases["002-tennis"]
    table = Table.of(golden["data"]["rows"], golden["data"]["columns"])
    for learner in (ID3(), classic(min_leaf=1), classic(measure="gain", min_leaf=1)):
        model = learner(table)
        assert told(model.root) == golden["expected"]["tree"]
        assert model.size == golden["expected"]["tree_nodes"]
        assert (model(table) == table["play"]).all()


def test_a_boolean_concept_ties_to_the_first_column(cases):
    golden = cases["002-boolean"]
    rows = [
        [*row, y] for row, y in zip(golden["data"]["rows"], golden["data"]["labels"], strict=True)
    ]
    table = Table.of(rows, ["A", "B", "y"], kinds=dict.fromkeys("ABy", "sym"))
    assert told(ID3(table).root) == {"A": {"0": "1", "1": {"B": {"0": "0", "1": "1"}}}}


def test_string_labels(cases):
    golden = cases["002-string-labels"]
    labels = golden["input"]["labels"]
    model = ID3(Table.of([("same", label) for label in labels], ["x", "y"]))
    assert model.root.value == golden["expected"]["most_common"]
    assert dict(model.root.distribution) == pytest.approx({"a": 2 / 3, "b": 1 / 3})


@pytest.mark.parametrize(
    "learner", [ID3(), classic(min_leaf=1), classic(measure="gain", min_leaf=1)]
)
def test_lenses(learner, cases):
    golden = cases["ref-tree-lenses"]
    table = satsuma.load("lenses")
    model = learner(table)
    assert told(model.root) == golden["expected"]["tree"]
    assert model.size == golden["expected"]["nodes"]
    assert (model(table) == table["lenses"]).all()


@pytest.mark.figures
def test_the_tree_of_the_bagging_example(cases):
    golden = cases["000-bagging-adult"]
    table = satsuma.load("adult_sample")
    # Orange takes the best ratio of all, of thresholds too.
    tree = classic(measure="plain gain ratio", min_split=30, m_prune=10, min_leaf=1, m=0)
    learners = {"tree": tree, "bagged": Bagging(tree, t=5)}
    folds = golden["input"]["folds"]
    scores = [cross_validate(learners, table, folds=folds, seed=s).scores("CA") for s in range(3)]
    alone, bagged = (np.mean([each[name] for each in scores]) for name in learners)
    tolerance = golden["tolerance"]
    assert alone == pytest.approx(golden["expected"]["tree"], abs=tolerance["tree"])
    assert tolerance["bagged_range"][0] <= bagged <= tolerance["bagged_range"][1]
    assert bagged > alone


def test_exclusive_or_is_learned_though_nothing_is_gained_at_first():
    rows = [(a, b, str(a != b)) for a in "pq" for b in "pq"]
    table = Table.of(rows, ["a", "b", "y"])
    for learner in (ID3(), classic(min_leaf=1)):
        assert (learner(table)(table) == table["y"]).all()


def test_as_exact_as_scikit_learn_where_bins_are_few():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0.2).astype(int) + (X[:, 3] > 1)
    theirs = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(X, y)
    for bins in (255, 8):
        ours = classic(measure="entropy", max_depth=1, min_leaf=1, bins=bins).fit(X, y).model_
        assert ours.threshold[0] == pytest.approx(theirs.tree_.threshold[0], rel=1e-6)
    deep = classic(measure="gini", min_leaf=3).fit(X, y)
    peer = DecisionTreeClassifier(min_samples_leaf=3, random_state=0).fit(X, y)
    assert deep.score(X, y) == pytest.approx(peer.score(X, y), abs=0.02)


def test_numbers_are_predicted_as_by_scikit_learn():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] > 0, 5.0, 1.0) + X[:, 1] ** 2
    ours = RegressionTree(prune=None, min_leaf=7, max_depth=5).fit(X, y)
    theirs = DecisionTreeRegressor(min_samples_leaf=7, max_depth=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


@pytest.mark.figures
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers_are_told_better_than_by_the_mean(shared, name):
    table = read_shared(shared(name))
    if table.domain.target is None:
        table = table.with_roles(target=table.domain.names[-1])
    found = cross_validate([Tree(), RegressionTree(), Mean()], table, folds=10, seed=1)
    scores = list(found.scores("R2").values())
    assert scores[0] > 0.3
    assert scores[1] > 0.3
    assert scores[2] < 0.01


@pytest.mark.figures
@pytest.mark.needs("moot/classify/splice.csv")
def test_a_key_is_not_taken_for_knowledge(shared):
    table = satsuma.read(shared("moot/classify/splice.csv"), marks=True)
    target = next(name for name in table.domain.names if name.lower().startswith("class"))
    table = table.with_roles(target=target)
    key = next(name for name in table.domain.names if "instance" in name.lower())
    table = table.with_kinds({key: "sym"}).with_roles({key: "x"}, target=target)
    assert classic(measure="gain", max_depth=1, min_leaf=1)(table).root.attribute == key
    learners = [classic(), classic(min_leaf=1), classic(measure="gain")]
    assert all(learner(table).root.attribute != key for learner in learners)
    assert best_attribute(table, "information_gain") == key
    assert best_attribute(table, "gain_ratio") != key
    assert best_attribute(table, "mdl") != key
    found = cross_validate([classic(min_leaf=1)], table, folds=5, seed=1).scores("CA")
    assert next(iter(found.values())) > 0.9


def test_a_missing_value_is_spread_and_a_new_one_stops():
    rows = [("p", "a")] * 3 + [("q", "b")] * 1
    model = classic(min_leaf=1, m=0)(Table.of(rows, ["x", "y"]))
    assert model({"x": None}, satsuma.GetProbabilities)["a"] == pytest.approx(0.75)
    deeper = [("p", 1, "a"), ("p", 1, "a"), ("p", 2, "b"), ("q", 1, "b"), ("q", 1, "b")]
    model = ID3(Table.of(deeper, ["x", "z", "y"], kinds={"z": "sym"}))
    assert model.root.attribute == "x"
    assert model({"x": "new", "z": "1"}, satsuma.GetProbabilities)["b"] == pytest.approx(3 / 5)
    assert model({"x": None, "z": "1"}, satsuma.GetProbabilities)["b"] == pytest.approx(2 / 5)


def test_rows_with_holes_are_learned_from_in_every_branch():
    rows = [("p", "a"), ("p", "a"), ("q", "b"), (None, "a")]
    root = classic(min_leaf=1)(Table.of(rows, ["x", "y"])).root
    assert root.branches["p"].n == pytest.approx(2 + 11 / 16)  # two thirds, in parts
    assert root.branches["q"].n == pytest.approx(1 + 5 / 16)


def test_significance_stops_where_chance_would_do():
    rng = np.random.default_rng(0)
    noise = Table.of([("pq"[a], "ab"[b]) for a, b in rng.integers(0, 2, (200, 2))], ["x", "y"])
    assert classic(measure="gain")(noise).size > 1
    assert classic(measure="gain", significance=0.001)(noise).size == 1
    assert classic(significance=0.001)(satsuma.load("iris")).size > 3


def test_a_confidence_is_no_level_of_significance():
    with pytest.raises(ParameterError, match=r"at most 0\.5. Got 0\.95"):
        Tree(significance=0.95)(satsuma.load("iris"))


def test_chi_square_is_that_of_scipy():
    from scipy.stats import chi2_contingency

    from satsuma.kernels.tree.splits import chi_square

    table = np.array([[10.0, 4.0, 1.0], [3.0, 8.0, 2.0]])
    assert chi_square(table) == pytest.approx(chi2_contingency(table, correction=False)[0])


@pytest.mark.parametrize("how", [{}, {"m_prune": 20}, {"prune": "mdl"}, {"held_out": 0.3}])
@pytest.mark.figures
def test_pruning_makes_trees_smaller_and_no_worse(how):
    table = satsuma.load("heart_disease")
    wild, kept = Tree(min_leaf=1, prune=None), Tree(min_leaf=1, **how)
    assert 1 < kept(table).size < wild(table).size / 2
    scores = cross_validate([wild, kept], table, folds=10, seed=3)
    before, after = scores.scores("CA").values()
    assert after > before - 0.02


def test_m_estimate_pruning_by_hand():
    """Errors at m = 2. First 0.375 for the root, 5/8 · 0.25 + 3/8 · 0.45 below it; then 0.2 for
    the root, and 4/5 · 0.2333 + 1/5 · 0.1333 below it.
    """
    worth = [("p", "a")] * 4 + [("p", "b")] + [("q", "b")] * 2 + [("q", "a")]
    not_worth = [("p", "a")] * 3 + [("p", "b")] + [("q", "a")]
    assert Tree(min_leaf=1, m_prune=2)(Table.of(worth, ["x", "y"])).size == 3
    assert Tree(min_leaf=1, m_prune=2)(Table.of(not_worth, ["x", "y"])).size == 1


def _cost_as_tree(node, leaf, question, ends=()):
    """The least cost of a node and what is below it, over all ways of cutting it back."""
    branches = () if node.index in ends else node.branches.values()
    below = [_cost_as_tree(each, leaf, question, ends) for each in branches]
    return min([leaf(node), *([question + sum(below)] if below else [])])


def _cost_as_is(node, leaf, question):
    below = [_cost_as_is(each, leaf, question) for each in node.branches.values()]
    return question + sum(below) if below else leaf(node)


def _by_chance(node, leaf, price, table):
    """What a node costs with all below it, and which nodes are leaves as questions do not pay."""
    found = [_by_chance(each, leaf, price, table) for each in node.branches.values()]
    values = [np.unique(table.column(v.name)) for v in table.domain.attributes]
    sizes = [len(each[each >= 0]) for each in values]  # no cell is negative but what is missing
    cuts = sum(min(size, node.n) - 1 for size in sizes)
    first, last = node.model.first[node.index : node.index + 2]
    more = max((node.model.branches[first:last] >= 0).sum() - 2, 0)
    inner = price(node, np.log2(1 + cuts), more) + sum(cost for cost, _ in found)
    if not found or leaf(node) <= inner:
        return leaf(node), {node.index}
    return inner, {at for _, ends in found for at in ends}


def _noisy():
    """A class that one of four numbers tells, but for a third of the rows."""
    rng = np.random.default_rng(1)
    x = rng.random((400, 4))
    y = np.where((x[:, 0] > 0.5) ^ (rng.random(400) < 0.33), "p", "q")
    return Table.of([(*row, each) for row, each in zip(x.tolist(), y, strict=True)], [*"abcdy"])


@pytest.mark.parametrize("name", ["iris", "heart_disease", "lenses", "adult_sample", "noise"])
def test_pruning_by_error_finds_the_tree_of_least_cost(name):
    """Errors are told by the upper limit of Clopper and Pearson, as scipy has it."""
    from scipy.stats import beta, entropy

    table = _noisy() if name == "noise" else satsuma.load(name)
    raw = Tree(prune=None, m=0, missing="ignore")(table)
    pruned = Tree(m=0, missing="ignore")(table)

    def bits(node):
        return node.n * entropy(list(node.distribution.values()), base=2)

    def bits_to_save(node, name, more):
        classes = sum(share > 0 for share in node.distribution.values())
        return max(name - 2, 0) + more + 1.5 * max(classes - 2, 0)

    _, ends = _by_chance(raw.root, bits, bits_to_save, table)

    def leaf(node):
        wrong = node.n * (1 - max(node.distribution.values()))
        return node.n * beta.ppf(0.75, wrong + 1, node.n - wrong)

    least = _cost_as_tree(raw.root, leaf, 1, ends)
    assert _cost_as_is(pruned.root, leaf, 1) == pytest.approx(least)
    assert _cost_as_is(pruned.root, leaf, 1) < _cost_as_is(raw.root, leaf, 1)


def test_pruning_by_error_of_numbers():
    """Every question that is left takes away 0.2 % of the squared error, with all below it."""
    table = satsuma.load("housing")
    raw, pruned = RegressionTree(prune=None)(table), RegressionTree()(table)

    def leaf(node):
        return node.model.trust_at(node.index) ** 2 * (node.n - 1)

    def price(node, name, more):
        return leaf(node) * (1 - 2 ** (-2 * (name + more) / node.n))

    _, ends = _by_chance(raw.root, leaf, price, table)
    question = 0.002 * leaf(raw.root)
    least = _cost_as_tree(raw.root, leaf, question, ends)
    assert _cost_as_is(pruned.root, leaf, question) == pytest.approx(least)
    assert pruned.leaves < raw.leaves / 2


def test_a_tree_can_be_read_without_being_asked_to():
    voting = Tree(m=0)(satsuma.load("voting"))
    assert voting.leaves <= 10
    for node in voting.root:  # no question whose branches all have the same answer
        leaves = {each.value for each in node if not each.branches}
        assert len(leaves) > 1 or not node.branches


def test_rows_held_out_are_not_grown_from():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(2000, 3))
    y = (X[:, 0] > 0).astype(int)
    grown = classic(held_out=0.25, min_leaf=1).fit(X, y).model_
    assert grown.root.n == pytest.approx(1500, abs=80)
    assert grown.size < 8
    noisy = RegressionTree(held_out=0.25, min_leaf=1).fit(X, y + rng.normal(size=2000) * 0.3).model_
    assert (
        noisy.size
        < RegressionTree(prune=None, min_leaf=1).fit(X, y + rng.normal(size=2000)).model_.size / 4
    )


def test_what_a_tree_says_of_itself():
    model = ID3(satsuma.load("tennis"))
    rules = model.rules()
    assert len(rules) == model.leaves == 5
    assert sum(rule.support for rule in rules) == 14
    assert all(rule.confidence == 1 for rule in rules)
    assert str(rules[2]) == "outlook = overcast → yes (4 rows, 1)"
    dot = model.to_dot()
    assert dot.startswith("digraph")
    assert dot.count("->") == model.size - 1
    assert "<pre>" in model._repr_html_()
    assert model.depth == 2
    assert [node.index for node in model.root] == list(range(model.size))
    assert repr(model.root) == "Node(asks 'outlook', n=14, value='yes')"


def test_a_large_tree_is_printed_in_part():
    rng = np.random.default_rng(0)
    model = classic(min_leaf=1).fit(rng.normal(size=(2000, 3)), rng.integers(0, 2, 2000)).model_
    lines = str(model).splitlines()
    assert len(lines) < 130
    assert "more nodes" in lines[-1]
    RegressionTree().fit(rng.normal(size=(50, 2)), rng.normal(size=50)).model_.to_dot()


def test_numbers_are_not_for_id3():
    with pytest.raises(DomainError, match="'sepal length' holds numbers"):
        ID3(satsuma.load("iris-uci"))


def test_what_is_for_classes_alone():
    with pytest.raises(ParameterError, match="'m_prune' parameter of Tree is for classes"):
        Tree(m_prune=2)(satsuma.load("housing"))
    with pytest.raises(ParameterError, match="must be one of 'multiway', 'binary', 'auto'"):
        Tree(split="ternary")(satsuma.load("iris"))


def test_binary_and_auto_divisions_of_symbols():
    table = satsuma.load("zoo")
    for split in ("binary", "auto"):
        model = classic(split=split, min_leaf=1)(table)
        assert (model(table) == table[table.domain.target.name]).mean() > 0.95
    root = classic(split="binary", measure="gini", max_depth=1)(satsuma.load("lenses")).root
    assert len(root.branches) == 2


@pytest.mark.parametrize(
    "learner",
    [
        Tree(measure="gain", split="auto", m_prune=2, bins=5, missing="informative"),
        Tree(significance=0.1, prune="mdl"),
        RegressionTree(split="binary", held_out=0.3, min_leaf=2, missing="informative"),
    ],
    ids=repr,
)
def test_the_laws_hold_with_other_parameters(learner):
    check_learner(learner, laws=[1, 2, 3, 4, 7])


def with_many_values(n, values, effect, seed=0):
    """Numbers and a symbol that tell of the class; the symbol nothing where it has no effect."""
    rng = np.random.default_rng(seed)
    x, many = rng.normal(size=(n, 4)), rng.integers(0, values, n)
    score = x[:, :2].sum(axis=1) + effect * rng.normal(size=values)[many] + rng.normal(size=n)
    pairs = zip(x.tolist(), many, score > 0, strict=True)
    rows = [(*numbers, f"v{v}", "yes" if up else "no") for numbers, v, up in pairs]
    return Table.of(rows, ["a", "b", "c", "d", "many", "class"])


def right_without(learner, table):
    """The accuracy with the column of many values, and without it."""
    alone = table.with_roles({"many": "meta"})
    return [cross_validate([learner], each, folds=5).scores("CA") for each in (table, alone)]


@pytest.mark.parametrize("learner", [Tree(split="binary", m_prune=10), Forest(trees=20)], ids=repr)
@pytest.mark.figures
def test_sets_of_many_values(learner):
    for table, least, most in (
        (with_many_values(540, 400, 0.0), -0.05, 0.05),
        (with_many_values(3000, 50, 1.5), 0.08, 1.0),
    ):
        (mine,), (alone,) = (each.values() for each in right_without(learner, table))
        assert least < mine - alone < most


def test_a_column_that_names_rows_is_not_asked_for():
    table = with_many_values(200, 5, 1.0)
    rows = [(f"row {at}", *row) for at, row in enumerate(table)]
    keyed = Table.of(rows, ["key", *table.domain.names])
    for measure in ("gini", "gain", "gain ratio"):
        root = Tree(measure=measure, split="binary", max_depth=3)(keyed).root
        assert all(node.attribute != "key" for node in root if node.n > 20)


def test_leaves_are_smoothed_towards_the_root():
    rows = [("a", "x"), ("a", "x"), ("a", "x"), ("b", "y")]
    table = Table.of(rows, ["c", "t"])
    model = classic(min_leaf=1, m=2)(table)
    found = model(table, satsuma.GetProbabilities)
    leaf_a, leaf_b = (3 + 2 * 3 / 4) / (3 + 2), (0 + 2 * 3 / 4) / (1 + 2)
    np.testing.assert_allclose(found[:, 0], [leaf_a, leaf_a, leaf_a, leaf_b])
    assert model.root.branches["b"].value == model(table[3])


def test_smoothed_leaves_can_be_believed_more():
    table = satsuma.load("adult_sample")
    trees = {"raw": classic(m=0), "smooth": classic()}
    results = satsuma.cross_validate(trees, table, folds=3)
    loss, right = results.scores("log loss"), results.scores("CA")
    assert loss["smooth"] < 0.3 * loss["raw"]
    assert right["smooth"] > right["raw"] - 0.01
