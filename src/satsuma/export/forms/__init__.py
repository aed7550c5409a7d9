"""Forms: what each family of models computes, as expressions; a file for each family."""

from importlib import import_module
from typing import Any, cast

from satsuma.errors import SatsumaError
from satsuma.export.expressions import Program

#: By the name of the class of a model, the module of its form, and the function that writes it.
FORMS = {
    "GenerativeModel": ("bayes", "generative"),
    "AnDEModel": ("dependence", "averaged_dependence"),
    "LogisticModel": ("linear", "logistic"),
    "RidgeModel": ("linear", "ridge"),
    "AdditiveClassifier": ("additive", "additive_classifier"),
    "AdditiveRegressor": ("additive", "additive_regressor"),
    "TreeModel": ("trees", "tree"),
    "RegressionTreeModel": ("trees", "regression_tree"),
    "ForestModel": ("trees", "forest"),
    "RegressionForestModel": ("trees", "regression_forest"),
    "BoostedTreesModel": ("boosted_trees", "boosted_trees"),
    "RuleList": ("rules", "rule_list"),
    "OneRModel": ("baselines", "one_r"),
    "MajorityModel": ("baselines", "majority"),
    "MeanModel": ("baselines", "mean"),
    "NearestCentreModel": ("kmeans", "nearest_centre"),
}

#: The learners whose models have a form.
KNOWN = (
    "NaiveBayes, AnDE, LDA, Logistic, Ridge, Lasso, Additive, Tree, RegressionTree, ID3, Forest, "
    "RegressionForest, BoostedTrees, Rules, FFT, OneR, KMeans, Majority and Mean"
)


def program_of(model: Any, target: str) -> Program:
    """What a model computes for a row; an error where that has no form.

    Parameters
    ----------
    model
        What was learned.
    target
        What it is to become, for the error.
    """
    kind = cast("type[Any]", type(model))
    ours = kind.__module__.startswith("satsuma.")  # another class may predict otherwise
    for each in kind.__mro__ if ours else ():
        if each.__name__ in FORMS:
            module, name = FORMS[each.__name__]
            return getattr(import_module(f"satsuma.export.forms.{module}"), name)(model)
    raise SatsumaError(
        f"A {kind.__name__} cannot be written as {target}. These can: the models of {KNOWN}. "
        f"model.to_json() writes any model."
    )
