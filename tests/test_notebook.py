"""What people look at in a notebook has an HTML of its own, and results are data frames."""

import pytest

import satsuma
from satsuma import GetProbabilities, Majority, NaiveBayes, Table, explain, importances, load


@pytest.fixture(scope="module")
def shown():
    iris = load("iris")
    model = NaiveBayes(iris)
    results = satsuma.cross_validate([NaiveBayes(), Majority()], iris, folds=3)
    cars = load("auto-mpg").with_roles({"mpg": "+", "car_name": "ignore"})
    titanic = satsuma.cross_validate(NaiveBayes(), load("titanic"), folds=3)
    return {
        "table": iris,
        "row": iris[0],
        "domain": iris.domain,
        "learner": NaiveBayes(m=3),
        "model": model,
        "tree": satsuma.Tree(iris),
        "distribution": model(iris[0], GetProbabilities),
        "results": results,
        "comparison": satsuma.compare(iris, [NaiveBayes(), Majority()], folds=3),
        "explanation": explain(model, iris[0]),
        "explanations": explain(model, iris[:2]),
        "importances": importances(model, iris, repeats=1),
        "drift": model.drift(iris),
        "scores": satsuma.score_attributes(iris),
        "threshold": satsuma.threshold(titanic, by="F1"),
        "rejection": satsuma.reject(results, share=0.1, learner="NaiveBayes"),
        "counterfactual": explain(model, iris[0]).change,
        "contrasts": satsuma.contrast(cars, cars["mpg"] > 30),
    }


def test_all_have_html(shown):
    for name, each in shown.items():
        page = each._repr_html_()
        assert "<table>" in page or "<pre>" in page, name
        assert "color: #" not in page, name  # text has the colour of the page, light or dark


def test_cells_are_escaped():
    table = Table.of([("<b>", "<i>"), ("c", "d")], ["<u>", "y"])
    for each in (table[0], table.domain, explain(NaiveBayes(table), table[0]), Majority()):
        page = each._repr_html_()
        assert not any(mark in page.replace("<u>", "") for mark in ("<i>",)), page
        assert "<u>" not in page


@pytest.mark.parametrize(
    "name",
    [
        *("results", "comparison", "explanation", "explanations", "importances", "drift"),
        *("scores", "threshold", "rejection", "counterfactual"),
    ],
)
def test_results_are_frames(shown, name):
    frame = shown[name].to_pandas()
    other = shown[name].to_polars()
    assert len(frame) == len(other) > 0
    assert {*map(str, frame.columns)} <= {*other.columns}


def test_what_was_decided_is_in_its_frame_and_its_grid(shown):
    threshold, rejection, change = (
        shown[name] for name in ("threshold", "rejection", "counterfactual")
    )
    assert threshold.to_pandas()["threshold"].tolist() == [threshold.threshold]
    assert f"{threshold.threshold:.4f}" in threshold._repr_html_()
    frame = rejection.to_pandas()
    assert frame.index.tolist() == ["sure", "unsure", "all"]
    assert frame["accuracy"].tolist() == [
        rejection.accuracy,
        rejection.of_unsure,
        rejection.without,
    ]
    assert frame["share"].tolist() == [1 - rejection.unsure, rejection.unsure, 1.0]
    assert tuple(frame.loc["sure", ["low", "high"]]) == rejection.interval
    assert frame.loc["all", ["low", "high"]].isna().all()
    assert change.to_polars()["column"].to_list() == [each.column for each in change.changes]
    assert change.to_pandas()["now"].tolist() == [each.now for each in change.changes]
    assert change.changes[0].condition.replace("<", "&lt;").replace(">", "&gt;") in (
        change._repr_html_()
    )


def test_a_comparison_is_a_frame_by_its_measure():
    found = satsuma.compare(load("titanic"), [NaiveBayes(), Majority()], measure="Brier", folds=3)
    frame = found.to_pandas()
    assert frame.index.tolist() == list(found.ranks)
    assert frame["rank"].tolist() == list(found.ranks.values())
    costs = satsuma.Cost({("yes", "no"): 3, ("no", "yes"): 1})
    by_cost = satsuma.compare(load("titanic"), [NaiveBayes(), Majority()], measure=costs, folds=3)
    assert by_cost.to_polars()["cost"].to_list() == list(by_cost.scores().values())


def test_parameters_are_shown(shown):
    page = shown["learner"]._repr_html_()
    assert "NaiveBayes: " in page
    assert ">m<" in page
    assert ">3<" in page
