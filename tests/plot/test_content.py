"""What the pictures say is what the models say, by sums that are not those of satsuma.plot."""

import numpy as np
import pytest
from scipy import stats

import satsuma
from satsuma import Additive, Generative, GetProbabilities, MEstimate, NaiveBayes, Table, plot
from tests.plot.own import Own


@pytest.fixture(scope="module")
def iris():
    return satsuma.load("iris")


@pytest.fixture(scope="module")
def titanic():
    return satsuma.load("titanic")


def test_density_is_that_of_the_gaussians(iris):
    ax = plot.density(NaiveBayes(iris), "Petal.Length")
    curves = [line for line in ax.lines if len(line.get_xdata()) == 400]
    for curve, name in zip(curves, iris.domain.target.values, strict=True):
        mine = iris["Petal.Length"][iris["Species"] == name]
        wanted = stats.norm.pdf(curve.get_xdata(), mine.mean(), mine.std(ddof=1))
        np.testing.assert_allclose(curve.get_ydata(), wanted, rtol=1e-9)


def test_histograms_have_the_area_of_one(iris):
    ax = plot.density(NaiveBayes(iris), "Petal.Length")
    for patch in ax.patches:
        heights, edges, _ = patch.get_data()
        assert (heights * np.diff(edges)).sum() == pytest.approx(1)


def test_bars_and_strokes_are_shares(titanic):
    ax = plot.density(NaiveBayes(titanic, m=40), "status", table=titanic)
    widths = np.array([bar.get_width() for bar in ax.patches]).reshape(2, 4)
    strokes = np.array([line.get_xdata() for line in ax.lines])
    for at, name in enumerate(titanic.domain.target.values):
        mine = titanic["status"][titanic["survived"] == name]
        counts = np.array([(mine == value).sum() for value in titanic.domain["status"].values])
        np.testing.assert_allclose(strokes[at], counts / len(mine))
        np.testing.assert_allclose(widths[at], (counts + 10) / (len(mine) + 40))


def test_contours_hold_what_they_say(iris):
    ax = plot.likelihoods(NaiveBayes(iris), x="Sepal.Length", y="Sepal.Width")
    contours = [each for each in ax.collections if hasattr(each, "levels")]
    for contour, name in zip(contours, iris.domain.target.values, strict=True):
        which = iris["Species"] == name
        mean = [iris[c][which].mean() for c in ("Sepal.Length", "Sepal.Width")]
        sd = [iris[c][which].std(ddof=1) for c in ("Sepal.Length", "Sepal.Width")]
        for path, share in zip(contour.get_paths(), (0.95, 0.75, 0.5, 0.25), strict=True):
            # The ellipse that holds a share of two independent Gaussians.
            far = (((path.vertices - mean) / sd) ** 2).sum(axis=1)
            np.testing.assert_allclose(far, stats.chi2.ppf(share, 2), rtol=0.12)


def test_without_density_there_are_contours_of_probabilities(iris):
    table = iris[50:].select(["Sepal.Length", "Sepal.Width", "Species"])
    shifted = Table(table.domain, [table.columns[0] - 9.0, *table.columns[1:]])
    ax = plot.likelihoods(Own()(shifted), x="Sepal.Length", y="Sepal.Width", table=shifted)
    assert ax.get_title("left") == "Probability of each class in Own"
    last = [each for each in ax.collections if hasattr(each, "levels")][-1]
    for path, chance in zip(last.get_paths(), (0.5, 0.75, 0.95), strict=True):
        np.testing.assert_allclose(path.vertices.sum(axis=1), np.log(chance / (1 - chance)),
                                   atol=1e-2)  # fmt: skip


def test_conditional_by_averaging_is_partial_dependence(iris):
    two = iris[50:90:5]
    model = Own()(two)
    ax = plot.class_probabilities(model, "Petal.Width", table=two)
    assert any("averaged" in text.get_text() for text in ax.texts)
    line = ax.lines[2]
    for at in (0, 60, 119):
        rows = [{**dict(row.items()), "Petal.Width": line.get_xdata()[at]} for row in two]
        mean = np.mean([model(row, GetProbabilities)["virginica"] for row in rows])
        assert line.get_ydata()[at] == pytest.approx(mean)


def test_conditional_of_a_column_alone_is_the_rule_of_bayes(iris):
    ax = plot.class_probabilities(NaiveBayes(iris), "Petal.Length")
    heights = []
    for name in iris.domain.target.values:
        mine = iris["Petal.Length"][iris["Species"] == name]
        heights.append(stats.norm.pdf(ax.lines[0].get_xdata(), mine.mean(), mine.std(ddof=1)))
    wanted = np.array(heights) / np.sum(heights, axis=0)
    np.testing.assert_allclose([line.get_ydata() for line in ax.lines[:3]], wanted, rtol=1e-7)


def test_weights_count_in_averages():
    rows = [(0.0, 1.0, 1.0, "n"), (2.0, 3.0, 3.0, "y")]
    table = Table.of(rows, ["a", "b", "w", "c"], roles={"w": "weight"})
    ax = plot.class_probabilities(Own()(table), "a", table=table)
    odds = np.exp(np.array([1.0, 3.0]) + ax.lines[1].get_xdata()[0])
    assert ax.lines[1].get_ydata()[0] == pytest.approx(
        np.average(odds / (1 + odds), weights=[1, 3])
    )


def test_regions_are_the_decisions_of_the_model(titanic):
    model = NaiveBayes(titanic)
    ax = plot.regions(model, x="status", y="sex", given={"age": "child"}, table=titanic)
    image = ax.images[0].get_array()
    assert image.shape == (2, 4, 3)
    for up, sex in enumerate(titanic.domain["sex"].values):
        for across, status in enumerate(titanic.domain["status"].values):
            answer = model({"sex": sex, "status": status, "age": "child"})
            red, _, blue = image[up, across]
            assert (blue > red) == (answer == "yes")  # "yes" is blue, "no" is orange


def test_certainty_is_in_the_colour():
    table = Table.of([(-9.0, 0.0, "n"), (9.0, 0.0, "y")], ["a", "b", "c"])
    image = plot.regions(Own()(table), x="a", y="b", table=table).images[0].get_array()
    pale = image[0].min(axis=1)  # the further from white, the surer
    assert pale[0] < pale[60] < pale[119]
    assert pale[120] > pale[180] > pale[239]


def test_crosses_are_the_misclassified_rows(iris):
    model = NaiveBayes(iris)
    ax = plot.regions(model, x="Petal.Length", y="Petal.Width", table=iris)
    points = [each for each in ax.collections if each.__class__.__name__ == "PathCollection"]
    wrong = sum(len(each.get_offsets()) for each in points[1::2])
    assert wrong == (model(iris) != iris["Species"]).sum()
    assert sum(len(each.get_offsets()) for each in points) == len(iris)


def test_other_columns_are_held_in_the_middle(iris):
    model = NaiveBayes(iris)
    ax = plot.regions(model, x="Petal.Length", y="Petal.Width", table=iris)
    middle = {c: np.median(iris[c]) for c in ("Sepal.Length", "Sepal.Width")}
    given = plot.regions(model, x="Petal.Length", y="Petal.Width", table=iris, given=middle)
    np.testing.assert_array_equal(ax.images[0].get_array(), given.images[0].get_array())
    unknown = dict.fromkeys(middle)
    other = plot.regions(model, x="Petal.Length", y="Petal.Width", table=iris, given=unknown)
    assert (ax.images[0].get_array() != other.images[0].get_array()).any()


def values(ax, row):
    """Where the named values of a row of a nomogram stand."""
    lines = [line for line in ax.lines if line.get_linestyle() == "None"]
    return lines[row].get_xdata()


def test_a_nomogram_adds_up(titanic):
    model = NaiveBayes(titanic)
    ax = plot.nomogram(model, "yes")
    names = [label.get_text() for label in ax.get_yticklabels()[:3]]
    start = np.log((titanic["survived"] == "yes").sum() / (titanic["survived"] == "no").sum())
    start /= model.temperature
    for status in titanic.domain["status"].values:
        row = {"status": status, "age": "child", "sex": "female"}
        codes = {name: titanic.domain[name].code(row[name]) for name in names}
        total = start + sum(values(ax, at)[codes[name]] for at, name in enumerate(names))
        chance = model(row, GetProbabilities)["yes"]
        assert 1 / (1 + np.exp(-total)) == pytest.approx(chance)


def test_a_nomogram_of_an_additive_model_is_of_its_shapes(titanic):
    model = Additive()(titanic)
    assert len(model.pairs) > 0
    ax = plot.nomogram(model, "yes")
    assert "without what" in ax.get_xlabel()
    names = [label.get_text() for label in ax.get_yticklabels()[:3]]
    for at, name in enumerate(names):
        codes = [titanic.domain[name].code(value) for value in model.shape(name).bins]
        effects = -model.shape(name).effects[:-1]  # they are of "no"
        drawn = values(ax, at)[codes]
        assert np.diff(drawn) == pytest.approx(np.diff(effects), abs=1e-6)


def test_intervals_beside_a_pair_have_all_their_digits():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 200))
    table = satsuma.read(
        {"a": a, "b": b, "y": np.where((a > 0.5) == (b > 0.5), 1.0, 0.0)}, target="y"
    )
    model = Additive(pairs=1)(table)
    ax = plot.pair(model, "a", "b")
    for name, labels in (("a", ax.get_xticklabels()), ("b", ax.get_yticklabels())):
        assert {each.get_text() for each in labels} <= set(model.coarse_names(name))


def test_a_nomogram_of_a_model_of_a_user(iris):
    two = iris[50:]
    ax = plot.nomogram(Own()(two), "virginica", table=two, against="setosa")
    # Every number adds itself, less its mean; the one that varies most is on top.
    assert ax.get_yticklabels()[0].get_text() == "Petal.Length"
    assert np.diff(values(ax, 0)) == pytest.approx(np.ones(len(values(ax, 0)) - 1))


def test_a_nomogram_of_columns_that_do_not_add_up_is_refused(iris):
    with pytest.raises(satsuma.SatsumaError, match="do not add up"):
        plot.nomogram(Own(product=True)(iris), "virginica", table=iris, against="setosa")


def test_a_nomogram_with_a_veto(titanic):
    ax = plot.nomogram(NaiveBayes(titanic[:400], m=0), "yes")  # first class alone
    ax.figure.draw_without_rendering()
    zoo = satsuma.load("zoo")
    ax = plot.nomogram(NaiveBayes(zoo, m=0), "fish", against="mammal", columns=["hair", "milk"])
    assert any("«" in text.get_text() for text in ax.texts)


def test_the_rival_is_the_most_probable_one_besides(iris):
    ax = plot.nomogram(NaiveBayes(iris), "versicolor")
    assert ax.get_title("left") == "Log-odds of versicolor against virginica"


def test_a_decision_that_is_not_for_the_most_probable_class_is_drawn(titanic):
    model = NaiveBayes(titanic)
    model.threshold = 0.99  # of "no"
    image = plot.regions(model, x="status", y="sex").images[0].get_array()
    assert (image[..., 2] > image[..., 0]).all()


def test_the_line_is_where_the_decision_changes():
    table = Table.of([(-9.0, 0.0, "n"), (9.0, 0.0, "y")], ["a", "b", "c"])
    ax = plot.regions(Own()(table), x="a", y="b", table=table)
    lines = [each for each in ax.collections if hasattr(each, "levels")]
    np.testing.assert_allclose(lines[0].get_paths()[0].vertices.sum(axis=1), 0, atol=1e-2)


def test_evidence_that_is_no_density(titanic):
    model = Generative(blocks=[MEstimate(m=2)])(titanic)
    with pytest.raises(satsuma.SatsumaError, match="has no likelihood of a value of 'status'"):
        plot.density(model, "status")
    bars = plot.class_probabilities(model, "status").patches
    assert bars[0].get_width() == model.conditional_distributions["status"]["first"]["yes"]
    plot.nomogram(model)  # what columns say adds up all the same


def test_arrays_are_drawn_too(iris):
    X = iris.to_numpy(["Petal.Length", "Petal.Width"])
    model = NaiveBayes().fit(X, iris["Species"].astype(str)).model_
    first, second = (v.name for v in model.domain.attributes)
    ax = plot.regions(model, x=first, y=second)
    assert "Of 150 rows" in plot.describe(ax)
