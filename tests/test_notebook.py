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
    "name", ["results", "explanation", "explanations", "importances", "drift", "scores"]
)
def test_results_are_frames(shown, name):
    frame = shown[name].to_pandas()
    other = shown[name].to_polars()
    assert len(frame) == len(other) > 0
    assert {*map(str, frame.columns)} <= {*other.columns}


def test_parameters_are_shown(shown):
    page = shown["learner"]._repr_html_()
    assert "NaiveBayes: " in page
    assert ">m<" in page
    assert ">3<" in page
