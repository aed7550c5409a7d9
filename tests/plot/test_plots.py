"""What holds for every picture."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import satsuma
from satsuma import NaiveBayes, SatsumaError, Table, plot
from satsuma.errors import DomainError, NoSuchColumn, NoSuchValue, ParameterError
from tests.plot.own import Own


@pytest.fixture(scope="module")
def heart():
    return satsuma.load("heart_disease")


EVERY = {
    "regions": lambda model, **more: plot.regions(model, x="age", y="cholesterol", **more),
    "bands": lambda model, **more: plot.regions(model, x="age", y="chest pain", **more),
    "mosaic": lambda model, **more: plot.regions(model, x="gender", y="chest pain", **more),
    "likelihoods": lambda model, **more: plot.likelihoods(model, x="age", y="max HR", **more),
    "lines": lambda model, **more: plot.class_probabilities(model, "age", **more),
    "bars": lambda model, **more: plot.class_probabilities(model, "chest pain", **more),
    "density": lambda model, **more: plot.density(model, "age", **more),
    "shares": lambda model, **more: plot.density(model, "chest pain", **more),
    "nomogram": plot.nomogram,
}


def drawn(ax):
    """The picture is drawn, so that what fails only then fails."""
    ax.figure.draw_without_rendering()
    return ax


@pytest.mark.parametrize("name", EVERY)
def test_an_axes_of_the_user_is_drawn_on_and_returned(name, heart):
    ax = Figure().add_subplot()
    assert EVERY[name](NaiveBayes(heart), table=heart, ax=ax) is ax
    drawn(ax)
    assert len(ax.figure.axes) == 1
    assert ax.has_data()


@pytest.mark.parametrize("name", EVERY)
def test_a_new_figure_is_none_of_pyplot(name, heart):
    import matplotlib.pyplot as plt

    ax = drawn(EVERY[name](NaiveBayes(heart), table=heart))
    assert isinstance(ax, Axes)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_shown(name, heart, monkeypatch):
    import matplotlib.pyplot as plt

    monkeypatch.setattr(Figure, "show", None)
    monkeypatch.setattr(plt, "show", None)
    EVERY[name](NaiveBayes(heart), table=heart)


@pytest.mark.parametrize("name", EVERY)
def test_it_is_told_in_words(name, heart):
    told = plot.describe(EVERY[name](NaiveBayes(heart), table=heart))
    assert "NaiveBayes" in told
    assert told.endswith(".")
    assert len(told) < 400


@pytest.mark.parametrize("name", EVERY)
def test_a_sample_of_the_model_serves_as_points(name, heart):
    drawn(EVERY[name](NaiveBayes(heart)))


@pytest.mark.parametrize("name", EVERY)
def test_without_a_sample_a_table_is_asked_for(name, heart, tmp_path):
    NaiveBayes(heart).save(tmp_path / "model")
    opened = satsuma.open_model(tmp_path / "model")
    with pytest.raises(SatsumaError, match="table="):
        EVERY[name](opened)
    drawn(EVERY[name](opened, table=heart))


@pytest.mark.parametrize("name", sorted(EVERY.keys() - {"density", "shares"}))
def test_a_model_of_a_user_needs_only_probabilities(name, heart):
    drawn(EVERY[name](Own()(heart), table=heart))


@pytest.mark.parametrize("name", ["density", "shares"])
def test_a_model_that_says_nothing_of_values_is_refused(name, heart):
    with pytest.raises(SatsumaError, match="log_evidence"):
        EVERY[name](Own()(heart), table=heart)


@pytest.mark.parametrize("name", EVERY)
def test_a_table_without_a_target_has_points_without_a_class(name, heart):
    rows = heart.select([v.name for v in heart.domain.attributes])
    drawn(EVERY[name](NaiveBayes(heart), table=rows))


@pytest.mark.parametrize("name", EVERY)
def test_one_row_is_enough(name, heart):
    drawn(EVERY[name](NaiveBayes(heart), table=heart[:1]))


@pytest.mark.parametrize("name", EVERY)
def test_missing_cells_are_left_out(name, heart):
    holes = [np.where(np.arange(len(heart)) % 3, column, -1 if column.dtype == np.int32 else np.nan)
             for column in heart.columns]  # fmt: skip
    holed = Table(
        heart.domain, [h.astype(c.dtype) for h, c in zip(holes, heart.columns, strict=True)]
    )
    drawn(EVERY[name](NaiveBayes(holed), table=holed))


@pytest.mark.parametrize("name", sorted(EVERY.keys() - {"nomogram"}))
def test_a_column_without_any_value_is_told(name, heart):
    empty = [np.full_like(c, -1 if c.dtype == np.int32 else np.nan) for c in heart.columns]
    nothing = Table(heart.domain, empty)
    if name == "mosaic":  # there is nothing to have a range of
        drawn(EVERY[name](NaiveBayes(heart), table=nothing))
        return
    with pytest.raises(SatsumaError, match="missing in the rows to draw"):
        EVERY[name](NaiveBayes(heart), table=nothing)


def classes(count, rows=300):
    rng = np.random.default_rng(7)
    code = rng.integers(0, count, rows)
    return Table.of(
        [(c + rng.normal(), rng.normal(), "uv"[c % 2], f"a class with a $long$ name, {c}") for c in
         code.tolist()], ["a", "b", "s", "which"],
    )  # fmt: skip


@pytest.mark.parametrize("count", [2, 10, 30])
def test_two_classes_and_many(count):
    table = classes(count)
    model = NaiveBayes(table)
    for ax in (
        plot.regions(model, x="a", y="b"),
        plot.likelihoods(model, x="a", y="b"),
        plot.class_probabilities(model, "a"),
        plot.density(model, "s"),
    ):
        named = [text.get_text() for text in drawn(ax).get_legend().get_texts()]
        assert len(named) <= 14
        assert ("and 18 more" in named) == (count == 30)
        assert max(map(len, named)) < 40
    drawn(plot.nomogram(model))


def test_many_values():
    rows = [(f"value {n % 50}", "ny"[n % 3 == 0]) for n in range(500)]
    model = NaiveBayes(Table.of(rows, ["s", "y"]))
    for ax in (plot.class_probabilities(model, "s"), plot.density(model, "s")):
        assert len(drawn(ax).get_yticklabels()) == 20
    note = [text.get_text() for text in plot.class_probabilities(model, "s").texts]
    assert any("20 most frequent of 50" in text for text in note)


def test_a_column_of_one_number_and_of_huge_ones():
    rows = [(1.0, 1e300 * n, -1e-300 * n, "ny"[n % 2]) for n in range(9)]
    model = NaiveBayes(Table.of(rows, ["one", "huge", "tiny", "y"]))
    for first, second in (("one", "huge"), ("one", "tiny")):
        drawn(plot.regions(model, x=first, y=second))
        drawn(plot.likelihoods(model, x=first, y=second))
    for name in ("one", "huge", "tiny"):
        drawn(plot.class_probabilities(model, name))
        drawn(plot.density(model, name))
    drawn(plot.nomogram(model))


def test_matplotlib_is_imported_when_it_is_needed():
    told = "import sys, satsuma; assert 'matplotlib' not in sys.modules; satsuma.plot; "
    told += "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    subprocess.run([sys.executable, "-c", told], check=True)


def test_wrong_columns(heart):
    model = NaiveBayes(heart)
    with pytest.raises(NoSuchColumn, match="Did you mean 'age'"):
        plot.class_probabilities(model, "agee")
    with pytest.raises(NoSuchColumn):
        plot.density(model, "diameter narrowing")  # the target says nothing about itself
    with pytest.raises(NoSuchColumn):
        plot.nomogram(model, columns=["age", "agee"])
    with pytest.raises(NoSuchColumn):
        plot.regions(model, x="age", y="max HR", given={"agee": 1})
    with pytest.raises(DomainError, match=r"'sym'.*'num'"):
        plot.likelihoods(model, x="age", y="gender")
    with pytest.raises(DomainError, match="two columns"):
        plot.regions(model, x="age", y="age")
    with pytest.raises(DomainError, match="axis of the plot"):
        plot.regions(model, x="age", y="max HR", given={"age": 1})
    with pytest.raises(NoSuchValue):
        plot.regions(model, x="age", y="max HR", given={"gender": "f"})
    with pytest.raises(DomainError, match="numbers"):
        plot.regions(model, x="age", y="max HR", given={"cholesterol": "much"})


def test_wrong_models_and_classes(heart):
    housing = satsuma.Mean(satsuma.load("housing"))
    for wrong in (housing, NaiveBayes()):
        with pytest.raises(SatsumaError, match="predict classes"):
            plot.class_probabilities(wrong, "age")
    model = NaiveBayes(heart)
    with pytest.raises(NoSuchValue):
        plot.nomogram(model, "2")
    with pytest.raises(ParameterError, match="two classes"):
        plot.nomogram(model, "1", against="1")
    for columns in (0, "age"):
        with pytest.raises(ParameterError, match="list of names"):
            plot.nomogram(model, columns=columns)


def test_describe_of_another_picture():
    assert plot.describe(Figure().add_subplot()) == "A plot."
    assert plot.describe(Figure().add_subplot(title="T", xlabel="x")) == "T: x."


def test_one_class_alone():
    table = Table.of([(1.0, 2.0, "u", "y"), (2.0, 1.0, "v", "y")], ["a", "b", "s", "c"])
    model = NaiveBayes(table)
    for ax in (
        plot.regions(model, x="a", y="b"),
        plot.regions(model, x="a", y="s"),
        plot.likelihoods(model, x="a", y="b"),
        plot.class_probabilities(model, "a"),
        plot.density(model, "s"),
    ):
        drawn(ax)
    with pytest.raises(SatsumaError, match="one class alone"):
        plot.nomogram(model)


@pytest.mark.parametrize("name", sorted(EVERY.keys() - {"mosaic"}))
def test_no_row_at_all(name, heart):
    with pytest.raises(SatsumaError, match=r"table=|nothing to draw"):
        EVERY[name](NaiveBayes(heart), table=heart[:0])
