"""R, by Debian's packages: what mlr3's learners call, and figures that are the same.

mlr3 itself is no package of Debian; nor are kknn, DiceKriging and FSelectorRcpp, on which some of
its learners and filters stand.
"""

import subprocess
from collections.abc import Iterator

import satsuma
from satsuma import GetProbabilities
from tools.docs.debian_peers.same import TABLES, Same, numbers

#: A line for each figure; what is only run is to run.
SCRIPT = r"""
tell <- function(name, values) cat(name, ":", format(values, digits = 17), "\n")
two <- droplevels(iris[51:150, ])
probabilities <- function(model) c(t(predict(model, iris)$posterior))
tell("rows of iris", c(t(iris[, 1:4])))
tell("classif.lda", probabilities(MASS::lda(Species ~ ., iris)))
tell("classif.qda", probabilities(MASS::qda(Species ~ ., iris)))
library(e1071)
tell("classif.naive_bayes", c(t(predict(naiveBayes(Species ~ ., iris), iris, type = "raw"))))
tell("classif.log_reg", coef(glm(Species ~ ., binomial, two)))
many <- nnet::multinom(Species ~ ., two, trace = FALSE, maxit = 10000, reltol = 1e-16)
tell("classif.multinom", coef(many))
tell("classif.featureless", table(iris$Species[1:120]) / 120)
tell("regr.featureless", mean(iris$Petal.Width))
set.seed(1)
ranges <- sapply(iris[, 1:4], function(column) diff(range(column)))
tell("clust.kmeans", kmeans(scale(iris[, 1:4], FALSE, ranges), 3, nstart = 20)$tot.withinss)
ran <- list(
    predict(rpart::rpart(Species ~ ., iris, maxdepth = 3), iris),
    predict(rpart::rpart(Petal.Width ~ ., iris), iris),
    predict(ranger::ranger(Species ~ ., iris, num.trees = 50), iris),
    predict(svm(Species ~ ., iris), iris)
)
tell("run", length(ran))
"""


def printed() -> dict[str, list[float]]:
    """The figures by their names."""
    call = ["/usr/bin/Rscript", "-e", SCRIPT]
    done = subprocess.run(call, capture_output=True, text=True, check=True)  # noqa: S603 (ours)
    named = (line.partition(" : ") for line in done.stdout.splitlines())
    return {name: numbers(values) for name, _, values in named}


def figures() -> Iterator[Same]:
    """What the page on mlr3 says is R's."""
    theirs, iris, two = printed(), TABLES["iris"], TABLES["two"]
    X = iris.to_numpy()[:, :4].astype(float)
    yield Same("the rows of iris", theirs["rows of iris"], X.ravel(), 1e-12)
    for name, learner in (
        ("classif.lda", satsuma.LDA(calibrate=False)),
        ("classif.qda", satsuma.QDA(calibrate=False)),
        ("classif.naive_bayes", satsuma.NaiveBayes(number="gaussian", calibrate=False)),
    ):
        ours = learner(iris)(iris, GetProbabilities)
        yield Same(f"{name}: posterior probabilities", theirs[name], ours.ravel(), 1e-9)
    fitted = satsuma.Logistic(l2=0).fit(X[50:], two["Species"])
    ours = [*fitted.intercept_, *fitted.coef_[0]]
    yield Same("classif.log_reg: coefficients", theirs["classif.log_reg"], ours, 1e-4)
    yield Same("classif.multinom: coefficients", theirs["classif.multinom"], ours, 1e-2)
    ours = satsuma.Majority()(iris[:120])(iris[:1], GetProbabilities)[0]
    yield Same("classif.featureless: shares", theirs["classif.featureless"], ours, 1e-12)
    widths = satsuma.Mean()(iris.with_roles(target="Petal.Width"))
    yield Same("regr.featureless: mean", theirs["regr.featureless"], widths(iris[:1]), 1e-12)
    inertia = satsuma.KMeans(k=3)(iris).inertia
    yield Same("clust.kmeans, columns over their ranges", theirs["clust.kmeans"], [inertia], 1e-5)
