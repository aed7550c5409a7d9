"""Generative models: blocks, learners that are made of them, and what can be asked of them."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import satsuma
from satsuma import (
    Categorical,
    Gaussian,
    Generative,
    GetBoth,
    GetProbabilities,
    Laplace,
    MEstimate,
    NaiveBayes,
    RelativeFrequency,
    Table,
    cross_validate,
    open_model,
)
from satsuma.checks import check_learner
from satsuma.errors import DomainError, NoSuchColumn, NoSuchValue, ParameterError, SatsumaError
from satsuma.learners.shapley_values import coalitions, exact_shapley
from satsuma.likelihoods.block import Block, Evidence, RowsBlock
from satsuma.tallies.moments import Moments


def mixed(rows=90, seed=0, classes=("no", "yes"), holes=0.1):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(classes), rows)
    a, b = rng.normal(size=(2, rows)) + y
    s, t = (rng.integers(0, 4, (2, rows)) + y) % 5
    cells = [a.round(3), b.round(3), np.array(list("abcde"))[s], np.array(list("vwxyz"))[t]]
    gone = rng.random((4, rows)) < holes
    columns = [
        np.where(hole, None, each.astype(object)) for hole, each in zip(gone, cells, strict=True)
    ]
    table = list(zip(*columns, np.array(classes)[y], strict=True))
    return Table.of(table, ["a", "b", "s", "t", "y"])


class Normal(Evidence):
    """One column, with scipy's word for its density."""

    def __init__(self, names, mean, sd):
        self.names, self.mean, self.sd = names, mean, sd

    def log_evidence(self, batch):
        x = batch.column(self.names[0])[:, None]
        return np.where(np.isnan(x), 0.0, norm.logpdf(x, self.mean, self.sd))

    def lines(self, variable, classes):
        return [(variable.name, [f"{mean:.1f}" for mean in self.mean[:classes]])]


@dataclass(kw_only=True, frozen=True)
class OfTallies(Block):
    """A block of one's own that learns from a tally."""

    columns: tuple = ("a",)

    def tally(self, batch):
        return Moments.of(batch)

    def conclude(self, tally):
        sd = np.sqrt(tally.m2[:, 0] / (tally.weight[:, 0] - 1))
        return Normal(tally.names, tally.mean[:, 0], sd)


@dataclass(kw_only=True, frozen=True)
class OfRows(RowsBlock):
    """The same from the rows themselves."""

    columns: tuple = ("a",)

    def learn(self, table):
        x, y = table.column("a"), table.column("y")
        each = [x[(y == c) & ~np.isnan(x)] for c in range(len(table.domain.target.values))]
        return Normal(
            ("a",), np.array([e.mean() for e in each]), np.array([e.std(ddof=1) for e in each])
        )


class Bare:
    """Neither a block nor evidence of ours, but with the same methods."""

    columns = "a"

    def tally(self, batch):
        return Moments.of(batch)

    def conclude(self, tally):
        return BareEvidence(OfTallies().conclude(tally))


class BareEvidence:
    def __init__(self, said):
        self.said = said

    def log_evidence(self, batch):
        return self.said.log_evidence(batch)


BLOCKS = [OfTallies(), OfRows(), Bare()]
with_blocks = pytest.mark.parametrize("block", BLOCKS, ids=lambda b: type(b).__name__)


# ---- which block takes which column


def test_naive_bayes_is_made_of_blocks():
    table = mixed()
    want = NaiveBayes(table)(table, GetProbabilities)
    for blocks in (
        [Gaussian(), Categorical()],
        [Categorical(), Gaussian()],
        [Gaussian(columns=("b",)), Categorical(columns="t"), Gaussian(), Categorical()],
    ):
        found = Generative(table, blocks=blocks)(table, GetProbabilities)
        np.testing.assert_allclose(found, want, rtol=1e-12)


def test_each_column_has_just_one_block():
    table = mixed()
    with pytest.raises(DomainError, match=r"No block takes column 'b', .*Add a block"):
        Generative(table, blocks=[Gaussian(columns=("a",)), Categorical()])
    with pytest.raises(DomainError, match=r"does not take columns of kind 'sym', and 's' is one"):
        Generative(table, blocks=[Gaussian()])
    twice = [Gaussian(columns=("a",)), Gaussian(columns=("a", "b")), Categorical()]
    with pytest.raises(DomainError, match=r"Two blocks take column 'a'"):
        Generative(table, blocks=twice)
    with pytest.raises(NoSuchColumn, match=r"no column 'aa'"):
        Generative(table, blocks=[Gaussian(columns=("aa",)), Gaussian(), Categorical()])
    with pytest.raises(NoSuchColumn, match=r"no column 'y'"):
        Generative(table, blocks=[Categorical(columns=("y",)), Gaussian()])
    with pytest.raises(DomainError, match=r"takes columns of kind 'num', but 's' is 'sym'"):
        Generative(table, blocks=[Gaussian(columns=("s",)), Categorical()])
    with pytest.raises(ParameterError, match=r"'blocks' parameter .* Call it first: Gaussian\(\)"):
        Generative(table, blocks=[Gaussian])


def test_parameters_of_naive_bayes():
    table = mixed()
    for learner, name in (
        (NaiveBayes(number="spline"), "number"),
        (NaiveBayes(number=Categorical()), "number"),
        (NaiveBayes(symbol=Gaussian()), "symbol"),
        (NaiveBayes(symbol="laplace"), "symbol"),
        (NaiveBayes(columns=["a"]), "columns"),
        (NaiveBayes(columns={"a": 3}), "columns"),
        (NaiveBayes(prior=2), "prior"),
        (NaiveBayes(adjust_threshold="yes"), "adjust_threshold"),
    ):
        with pytest.raises(ParameterError, match=rf"The '{name}' parameter of NaiveBayes"):
            learner(table)


def test_blocks_for_single_columns_of_naive_bayes():
    table = mixed()
    learner = NaiveBayes(columns={"s": MEstimate(3), "a": OfTallies(), "t": MEstimate(3)})
    model = learner(table)
    assert sorted(type(each).__name__ for each in model.evidence) == [
        "Gaussians",
        "Normal",
        "Ratios",
    ]
    assert model.about("t") is model.about("s")
    blocks = [OfTallies(), MEstimate(3, columns=("s", "t")), Gaussian()]
    same = Generative(table, blocks=blocks)(table, GetProbabilities)
    np.testing.assert_allclose(model(table, GetProbabilities), same, rtol=1e-12)


def test_learners_that_tally_alike_share_their_tallies():
    assert NaiveBayes(m=1).tally_kind == NaiveBayes(m=5).tally_kind
    assert NaiveBayes().tally_kind == NaiveBayes(symbol=Laplace()).tally_kind
    assert NaiveBayes().tally_kind != NaiveBayes(columns={"a": OfTallies()}).tally_kind
    assert hash(NaiveBayes(m=1).tally_kind) == hash(NaiveBayes(m=5).tally_kind)


# ---- blocks of one's own


@with_blocks
def test_a_block_of_your_own(block):
    table = mixed(classes=("no", "yes", "maybe"))
    learner = Generative(blocks=[block, Gaussian(), Categorical()], calibrate=False)
    plain_learner = NaiveBayes(number="gaussian", calibrate=False)
    model, plain = learner(table), plain_learner(table)
    chances = plain(table, GetProbabilities)
    np.testing.assert_allclose(model(table, GetProbabilities), chances, rtol=1e-9)
    assert (model(table) == plain(table)).all()
    assert model.p("no", table[0]) == pytest.approx(plain.p("no", table[0]), rel=1e-9)
    assert "a" in str(model)
    assert model.explain(table[0]).total == pytest.approx(plain.explain(table[0]).total, rel=1e-9)
    both = {"ours": learner, "plain": plain_learner}
    scores = cross_validate(both, table, folds=5, seed=1).scores("CA")
    assert scores["ours"] == pytest.approx(scores["plain"], rel=1e-12)


class Together(Evidence):
    """Several columns, which it does not tell apart: the cube of the sum of those known."""

    def __init__(self, names, classes):
        self.names, self.classes = names, classes

    def log_evidence(self, batch):
        total = np.nansum([batch.column(name) for name in self.names], axis=0)
        return total[:, None] ** 3 * np.arange(self.classes)

    def lines(self, variable, classes):
        return [(variable.name, ["" for _ in range(classes)])]


@dataclass(kw_only=True, frozen=True)
class OfAllRows(RowsBlock):
    """What makes them."""

    def learn(self, table):
        names = tuple(v.name for v in table.domain.attributes)
        return Together(names, len(table.domain.target.values))


@pytest.mark.parametrize("width", [5, 12])
def test_columns_that_a_block_does_not_tell_apart_have_shapley_values(width):
    """Exact ones of few columns, by brute force over all sets; of more, estimates that say so."""
    rng = np.random.default_rng(0)
    names = [f"x{at}" for at in range(width)]
    x = rng.normal(size=(40, width))
    rows = [(*each, "ny"[at % 2]) for at, each in enumerate(x.tolist())]
    model = Generative(Table.of(rows, [*names, "class"]), blocks=[OfAllRows()], calibrate=False)
    told = model.explain(dict(zip(names, x[3].tolist(), strict=True)), "y", "n")
    assert told.total == pytest.approx(x[3].sum() ** 3, rel=1e-9)
    found = np.array([told[name] for name in names])
    want = exact_shapley(((coalitions(width) * x[3]).sum(axis=1) ** 3)[:, None])[:, 0]
    assert told.exact == (width == 5)
    if told.exact:
        assert np.allclose(found, want, rtol=1e-9, atol=1e-9)
    else:
        errors = np.array([told.errors[name] for name in names])
        assert (np.abs(found - want) < 4 * errors).all()
        assert (np.abs(found - want) > 0).any()
        assert "by sampling" in str(told)


@pytest.mark.parametrize("block", BLOCKS[:2], ids=lambda b: type(b).__name__)
def test_a_model_of_a_block_of_your_own_is_saved(block, tmp_path):
    table = mixed()
    model = Generative(table, blocks=[block, Gaussian(), Categorical()])
    model.save(tmp_path / "m.satsuma")
    opened = open_model(tmp_path / "m.satsuma")
    assert (opened(table, GetProbabilities) == model(table, GetProbabilities)).all()
    assert opened.learner.blocks[0] == block
    with pytest.raises(SatsumaError, match=r"Give the rows: table="):
        opened.training_sample  # noqa: B018 - asking is enough


def test_a_block_of_rows_takes_no_source_and_no_batches():
    learner = Generative(blocks=[OfRows(), Gaussian(), Categorical()])
    assert learner.takes.rounds == "rows"
    assert not hasattr(learner, "partial_fit")
    assert hasattr(Generative(), "partial_fit")
    with pytest.raises(SatsumaError, match=r"needs all rows"):
        learner(mixed()).forget(mixed()[:3])


@pytest.mark.parametrize(
    "learner",
    [
        NaiveBayes(m=0),
        *(
            pytest.param(each, marks=pytest.mark.figures)  # the tables of one kernel
            for each in [
                NaiveBayes(symbol=RelativeFrequency(), prior=MEstimate(3), calibrate=False),
                NaiveBayes(symbol=Laplace(), prior=Laplace(), calibrate=False),
                NaiveBayes(symbol=Categorical(prior="class"), calibrate=False),
                NaiveBayes(symbol=Categorical(prior="value", m=3), calibrate=False),
                Generative(blocks=[Gaussian()], calibrate=False),
                Generative(blocks=[MEstimate(2)], calibrate=False),
            ]
        ),
    ],
    ids=repr,
)
def test_learners_of_blocks_keep_the_laws(learner):
    check_learner(learner)


# ---- explaining


def test_a_row_that_speaks_for_neither_class_is_told_so():
    rows = [("a", "no"), ("b", "no"), ("a", "yes"), ("b", "yes")]
    tie = "Nothing speaks for no over yes: both are equally probable."
    told = NaiveBayes(Table.of(rows, ["x", "y"])).explain({"x": "a"})
    assert str(told).endswith(f"\n{tie}")
    assert f"<p>{tie}</p>" in told._repr_html_()
    told = NaiveBayes(Table.of([*rows, ("a", "no"), ("b", "no")], ["x", "y"])).explain({"x": "a"})
    assert told.remark == "Nothing in this row speaks for no over yes, or against."
    told = NaiveBayes(Table.of([*rows, ("a", "no")], ["x", "y"])).explain({"x": "a"})
    assert not told.remark


@given(seed=st.integers(0, 1000))
def test_an_explanation_sums_to_the_log_odds(seed):
    table = mixed(rows=30, seed=seed, classes=("no", "yes", "maybe"))
    symbol = [Categorical(m=1), MEstimate(1), Laplace()][seed % 3]
    model = NaiveBayes(table, symbol=symbol)
    row = table[seed % 30]
    told = model.explain(row)
    value, chances = model(row, GetBoth)
    order = sorted(chances.values())
    assert told.value == value
    assert told.total == pytest.approx(math.log(order[-1] / order[-2]), rel=1e-9, abs=1e-9)
    assert told.total == math.fsum(told.values())
    assert set(told) == {"(prior)", "a", "b", "s", "t"}
    sizes = [abs(added) for added in told.values()]
    assert sizes == sorted(sizes, reverse=True)
    turned = model.explain(row, value=told.against, against=told.value)
    assert turned.total == pytest.approx(-told.total, rel=1e-12)


def test_an_explanation_by_hand():
    rows = [("hot", "no"), ("hot", "no"), ("mild", "no"), ("hot", "yes"), ("mild", "yes")]
    model = NaiveBayes(Table.of(rows, ["temp", "play"]), m=0)
    told = model.explain({"temp": "hot"}, value="yes", against="no")
    assert told["(prior)"] == pytest.approx(math.log(2 / 3))
    assert told["temp"] == pytest.approx(math.log((1 / 2) / (2 / 3)))
    assert told.to_dict() == dict(told)
    assert str(told).startswith("yes against no\n")
    assert "<table>" in told._repr_html_()
    assert "(prior)" in repr(told)


def test_an_explanation_of_the_impossible():
    rows = [("a", "p", "yes"), ("b", "q", "no")]
    model = NaiveBayes(Table.of(rows, ["s", "t", "y"]), m=0)
    veto = model.explain({"s": "a", "t": None}, value="yes", against="no")
    assert veto["s"] == veto.total == math.inf
    assert math.isnan(model.explain({"s": "a", "t": "q"}).total)
    with pytest.raises(NoSuchValue):
        model.explain({"s": "a", "t": "q"}, value="perhaps")
    alone = NaiveBayes(Table.of([("a", "yes")], ["s", "y"]))
    with pytest.raises(SatsumaError, match=r"'y' has a single class"):
        alone.explain({"s": "a"})


# ---- forgetting


@given(seed=st.integers(0, 1000), count=st.integers(0, 30))
def test_forgetting_is_as_if_never_learned(seed, count):
    table = mixed(rows=90, seed=seed)
    for learner in (NaiveBayes(), NaiveBayes(symbol=MEstimate(2))):
        model = learner(table)
        before = model(table, GetProbabilities)
        forgotten = model.forget(table[:count]) if count else model
        without = learner(table[count:])
        np.testing.assert_allclose(
            forgotten(table, GetProbabilities), without(table, GetProbabilities), rtol=1e-9
        )
        assert (model(table, GetProbabilities) == before).all()


def test_forgetting_weighted_rows_and_a_whole_class():
    rows = [
        (x, s, y, w)
        for x, s, y, w in zip(
            [1.5, 2.5, 3.0, 9.0, 8.0, None],
            "aabbab",
            ["n", "n", "n", "y", "y", "y"],
            [1, 2, 0.5, 1, 3, 1],
            strict=True,
        )
    ]
    names = ["x", "s", "y", "w"]
    table = Table.of(rows, names, target="y", roles={"w": "weight"})
    model = NaiveBayes(table)
    found, want = model.forget(table[3:]), NaiveBayes(table[:3])
    np.testing.assert_allclose(found.prior, want.prior, rtol=1e-12)
    np.testing.assert_allclose(
        found(table, GetProbabilities), want(table, GetProbabilities), rtol=1e-9
    )


def test_rows_that_were_never_learned_cannot_be_forgotten():
    table = mixed()
    model = NaiveBayes(table[:50])
    with pytest.raises(SatsumaError, match=r"More is to be taken out|beyond those"):
        model.forget(Table.of([(99.0, 0.0, "a", "v", "no")], ["a", "b", "s", "t", "y"]))
    with pytest.raises(SatsumaError, match=r"never seen"):
        model.forget(Table.of([(0.0, 0.0, "new", "v", "no")], ["a", "b", "s", "t", "y"]))
    with pytest.raises(SatsumaError, match=r"More is to be taken out"):
        model.forget(table)
    with pytest.raises(SatsumaError, match=r"no row of a known class"):
        model.forget(table[:50])


def test_where_too_few_digits_are_left_is_said():
    rows = [(float(x), "no") for x in (0, 1e9, 1, 1.5)] + [(2.0, "yes"), (3.0, "yes")]
    table = Table.of(rows, ["x", "y"])
    with pytest.raises(SatsumaError, match=r"too few digits"):
        NaiveBayes(table).forget(table[1:2])


def test_an_adjusted_threshold_is_not_forgotten_from():
    table = mixed()
    with pytest.raises(SatsumaError, match=r"needs all rows"):
        NaiveBayes(table, adjust_threshold=True).forget(table[:3])


# ---- the threshold


def by_hand(chances, second, weights):
    """The best midpoint, by counting what is right at each."""
    distinct = sorted(set(chances))
    best, threshold = -1, 0.5
    for left, right in itertools.pairwise(distinct):
        middle = (left + right) / 2
        hits = zip(chances, second, weights, strict=True)
        right_ones = sum(w for p, is_second, w in hits if (p >= middle) == is_second)
        if right_ones > best or (right_ones == best and left < 0.5):
            best, threshold = right_ones, middle
    return threshold


@given(seed=st.integers(0, 10_000))
def test_the_threshold_is_the_best_midpoint(seed):
    rng = np.random.default_rng(seed)
    table = mixed(rows=40, seed=seed)
    weights = rng.integers(0, 3, 40).astype(float)
    domain = satsuma.Domain([*table.domain, satsuma.Variable("w", role="weight")])
    table = Table(domain, [*table.columns, weights])
    model = NaiveBayes(table, adjust_threshold=True)
    kept = weights > 0
    chances = NaiveBayes(table).probabilities(table)[kept, 1]
    second = table.column("y")[kept] == 1
    want = by_hand(chances.tolist(), second.tolist(), weights[kept].tolist())
    assert model.threshold == pytest.approx(want, rel=1e-12)
    found = model(table, GetProbabilities)
    codes = (found[:, 1] >= model.threshold).astype(int)
    names = np.array(model.classes, object)[codes]
    assert (model(table) == names).all()
    assert [model(row) for row in table] == names.tolist()
    assert (model(table, GetBoth)[0] == names).all()


def test_a_threshold_takes_two_rounds_and_two_classes(tmp_path):
    learner, table = NaiveBayes(adjust_threshold=True), mixed()
    assert learner.takes.rounds == "many"
    assert not hasattr(learner, "partial_fit")
    assert NaiveBayes(table).threshold is None
    with pytest.raises(DomainError, match=r"two classes, but the target 'y' has 3"):
        learner(mixed(classes=("a", "b", "c")))
    fitted = NaiveBayes(adjust_threshold=True).fit(table.select(["a", "b"]), table["y"])
    assert (fitted.predict(table.select(["a", "b"])) == fitted.model_(table)).all()
    model = learner(table)
    model.save(tmp_path / "m.satsuma")
    assert open_model(tmp_path / "m.satsuma").threshold == model.threshold


def test_an_adjusted_threshold_is_cross_validated_by_refitting():
    table = mixed(rows=120)
    learner = NaiveBayes(adjust_threshold=True)
    folds = 4
    found = cross_validate(learner, table, folds=folds, seed=3).by_fold("CA")["NaiveBayes"]
    assert len(found) == folds
    plain = cross_validate(NaiveBayes(), table, folds=folds, seed=3).by_fold("CA")["NaiveBayes"]
    assert list(found) != list(plain)


# ---- reading the model


def test_distributions():
    table = mixed()
    model = NaiveBayes(table)
    assert model.distribution == pytest.approx(dict(zip(model.classes, model.prior, strict=True)))
    each = model.conditional_distributions
    assert list(each) == ["a", "b", "s", "t"]
    shares = np.array(
        [[model.likelihood("s", v, given=c) for c in model.classes] for v in each["s"]]
    )
    want = shares * model.prior
    want /= want.sum(axis=1, keepdims=True)
    found = [list(given.values()) for given in each["s"].values()]
    np.testing.assert_allclose(found, want, rtol=1e-12)
    np.testing.assert_allclose(each["s"].over(range(len(each["s"]))), want, rtol=1e-12)
    numbers = each["a"].over([0.0, 1.0, np.nan])
    assert numbers[1].tolist() == list(each["a"](1.0).values())
    np.testing.assert_allclose(numbers[2], model.prior, rtol=1e-15)
    assert each["s"](None) == each["s"]("unheard of") == pytest.approx(dict(model.distribution))
    assert "given a" in repr(each["a"])
    assert "\na: Distribution(" in f"\n{each['s']!r}"
    with pytest.raises(NoSuchColumn):
        each["aa"]
    with pytest.raises(NoSuchValue):
        each["s"]["unheard of"]


def test_log_evidence_and_log_joint():
    table = mixed()
    model = NaiveBayes(table)
    batch = table.select(["a", "b", "s", "t"])
    joint = model.log_joint(batch)
    np.testing.assert_allclose(model.log_evidence(batch) + np.log(model.prior), joint, rtol=1e-12)
    code = model.target.code("yes")
    assert joint[3, code] == pytest.approx(model.log_p("yes", table[3]), rel=1e-12)


def test_a_sample_of_the_rows_is_kept():
    table = mixed(rows=1200)
    model = NaiveBayes(table)
    assert len(model.training_sample) == 500
    assert model.training_sample.domain == table.domain
    assert NaiveBayes(table[:7]).training_sample.equals(table[:7])
    assert len(NaiveBayes().fit(table.select(["a", "b"]), table["y"]).model_.training_sample) == 500


def test_html_is_a_table_and_is_escaped():
    rows = [("<b>", 1.0, "x & y"), ("c", 2.0, "z")]
    told = NaiveBayes(Table.of(rows, ["<i>", "n", "y"]))._repr_html_()
    assert "<b>" not in told
    assert "&lt;b&gt;" in told
    assert told.startswith("<table>")


# ---- tables as they are


@pytest.mark.parametrize("name", ["orange/adult_sample.tab", "orange/heart_disease.tab"])
def test_tables_of_both_kinds(shared, name):
    _works(satsuma.read(shared(name)))


@pytest.mark.needs("moot/classify")
@pytest.mark.parametrize("name", ["anneal", "hypothyroid"])
def test_tables_with_columns_that_are_missing_altogether(shared, name):
    table = satsuma.read(shared(f"moot/classify/{name}.csv"), marks=True)
    if table.domain.target is None:
        table = table.with_roles(target=table.domain.names[-1])
    _works(table)


def _works(table):
    half = len(table) // 2
    for learner in (NaiveBayes(), NaiveBayes(symbol=MEstimate(2))):
        model = learner(table[:half])
        found = model(table, GetProbabilities)
        assert np.isfinite(found).all()
        assert np.abs(found.sum(axis=1) - 1).max() < 1e-12
        cross_validate(learner, table, folds=5, seed=1)
        weights = np.random.default_rng(0).integers(0, 3, len(table)).astype(float)
        domain = satsuma.Domain([*table.domain, satsuma.Variable("w8", role="weight")])
        weighted = learner(Table(domain, [*table.columns, weights]))
        twice = learner(table[np.repeat(np.arange(len(table)), weights.astype(int))])
        np.testing.assert_allclose(
            weighted(table, GetProbabilities), twice(table, GetProbabilities), atol=1e-9
        )


NO_CLASS = {
    "always_one_missing___always_unknown_class___class_defined",
    "always_one_missing_always_unknown_class",
    "always_unknown_class",
    "constant_class___continuous",
    "cont_attribute___always_unknown_class___continuous",
    "cont_attribute___constant_class___continuous",
}


def test_ugly_tables(shared):
    files = sorted(shared("orange/ugly").glob("*.tab"))
    assert len(files) == 18
    for file in files:
        table = satsuma.read(file)
        # No class is known, or it is a number.
        if file.stem in NO_CLASS:
            with pytest.raises(SatsumaError, match="lenses"):
                NaiveBayes(table)
            continue
        model = NaiveBayes(table)
        found = model(table, GetProbabilities)
        assert np.isfinite(found).all(), file.name
        assert np.abs(found.sum(axis=1) - 1).max() < 1e-12, file.name
        assert str(model)
        if len(model.classes) > 1:
            assert not math.isnan(model.explain(table[0]).total), file.name
