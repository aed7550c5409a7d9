"""The reference pictures. To draw them anew: python -m tests.plot.pictures; then look at them."""

from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread, imsave

import satsuma
from satsuma import LDA, RP0, Anomaly, NaiveBayes, plot
from satsuma.plan.search import Search

REFERENCE = Path(__file__).parent / "reference"


def _regions():
    iris = satsuma.load("iris").select(["Sepal.Length", "Sepal.Width", "Species"])
    return plot.regions(NaiveBayes(iris), x="Sepal.Length", y="Sepal.Width", table=iris)


def _mosaic():
    titanic = satsuma.load("titanic")
    return plot.regions(NaiveBayes(titanic), x="status", y="sex", table=titanic[::10])


def _likelihoods():
    iris = satsuma.load("iris")
    return plot.likelihoods(NaiveBayes(iris), x="Sepal.Length", y="Sepal.Width", table=iris)


def _of_column(draw, name, column):
    table = satsuma.load(name)
    return draw(NaiveBayes(table), column, table=table)


def _discriminants():
    iris = satsuma.load("iris")
    return plot.discriminants(LDA(iris), iris)


def _nomogram():
    heart = satsuma.load("heart_disease")
    return plot.nomogram(NaiveBayes(heart, number="gaussian"), "1", table=heart, columns=6)


def _clusters():
    iris = satsuma.load("iris")
    return plot.clusters(RP0(iris, M=25), table=iris)


def _cluster_tree():
    return plot.cluster_tree(RP0(satsuma.load("zoo"), M=12), depth=2)


def _anomalies():
    housing = satsuma.load("housing")
    return plot.anomalies(Anomaly(housing, share=0.02), table=housing)


def _cars():
    goals = {"mpg": "+", "weight": "-", "acceleration": "+"}
    return satsuma.load("auto-mpg").with_roles({**goals, "car_name": "meta"})


def _search():
    # Any rows will do to see how they are drawn; a search may differ by a rounding error.
    cars, rows = _cars(), [*range(0, 390, 26), 394, 250, 325, 329]
    return Search(cars, rows, cars[rows], len(rows))


def _goal_space():
    return plot.goal_space(_search(), x="weight", y="mpg", table=_cars())


def _convergence():
    return plot.convergence(_search())


def _contrasts():
    cars = _cars()
    return plot.contrasts(
        satsuma.contrast(cars, satsuma.distance_to_ideal(cars)(cars) < 0.4), most=6
    )


PICTURES = {
    "regions": _regions,
    "mosaic": _mosaic,
    "likelihoods": _likelihoods,
    "class_probabilities": partial(_of_column, plot.class_probabilities, "iris", "Petal.Length"),
    "bars": partial(_of_column, plot.class_probabilities, "titanic", "status"),
    "density": partial(_of_column, plot.density, "iris", "Petal.Length"),
    "shares": partial(_of_column, plot.density, "voting", "crime"),
    "discriminants": _discriminants,
    "nomogram": _nomogram,
    "clusters": _clusters,
    "cluster_tree": _cluster_tree,
    "anomalies": _anomalies,
    "goal_space": _goal_space,
    "convergence": _convergence,
    "contrasts": _contrasts,
}


def pixels(ax):
    """The picture, small, as an array of numbers from 0 to 255."""
    ax.figure.set_dpi(60)
    drawn = FigureCanvasAgg(ax.figure)
    drawn.draw()
    return np.asarray(drawn.buffer_rgba())[..., :3].astype(float)


def reference(name):
    return imread(REFERENCE / f"{name}.png")[..., :3].astype(float) * 255


if __name__ == "__main__":
    for each, draw in PICTURES.items():
        imsave(REFERENCE / f"{each}.png", pixels(draw()).astype(np.uint8))
