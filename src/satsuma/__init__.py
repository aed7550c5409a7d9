"""Satsuma: models you can read, trust and act on, from tables with holes and few labels."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from satsuma.data.domain import Domain
from satsuma.data.read import read
from satsuma.data.row import Row
from satsuma.data.shipped import load
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.write import write
from satsuma.errors import SatsumaError

if TYPE_CHECKING:
    from satsuma import plot
    from satsuma.evaluate.growing import learning_curve
    from satsuma.evaluate.validation import cross_validate, hold_out, leave_one_out, test_on
    from satsuma.learners.bayes import NaiveBayes
    from satsuma.learners.distribution import Distribution, GetBoth, GetProbabilities, GetValue
    from satsuma.learners.generative import Generative
    from satsuma.learners.learner import Learner, RoundsLearner, TallyLearner
    from satsuma.learners.majority import Majority, Mean
    from satsuma.learners.model import Model
    from satsuma.learners.saving import open_model
    from satsuma.learners.tree.forest import Forest
    from satsuma.learners.tree.learner import ID3, RegressionTree, Tree
    from satsuma.likelihoods.categorical import Categorical
    from satsuma.likelihoods.gaussian import Gaussian
    from satsuma.likelihoods.given_value import Laplace, MEstimate, RelativeFrequency
    from satsuma.tallies.num import Num
    from satsuma.tallies.sym import Sym

    __version__: str

#: Where the rest is: imported when it is asked for, so that reading a table does not wait for it.
_ELSEWHERE = {
    "Forest": "learners.tree.forest",
    "ID3": "learners.tree.learner",
    "Categorical": "likelihoods.categorical",
    "Distribution": "learners.distribution",
    "Gaussian": "likelihoods.gaussian",
    "Generative": "learners.generative",
    "GetBoth": "learners.distribution",
    "GetProbabilities": "learners.distribution",
    "GetValue": "learners.distribution",
    "Laplace": "likelihoods.given_value",
    "Learner": "learners.learner",
    "MEstimate": "likelihoods.given_value",
    "Majority": "learners.majority",
    "Mean": "learners.majority",
    "Model": "learners.model",
    "NaiveBayes": "learners.bayes",
    "Num": "tallies.num",
    "RegressionTree": "learners.tree.learner",
    "RelativeFrequency": "likelihoods.given_value",
    "RoundsLearner": "learners.learner",
    "Sym": "tallies.sym",
    "TallyLearner": "learners.learner",
    "Tree": "learners.tree.learner",
    "cross_validate": "evaluate.validation",
    "hold_out": "evaluate.validation",
    "learning_curve": "evaluate.growing",
    "leave_one_out": "evaluate.validation",
    "open_model": "learners.saving",
    "test_on": "evaluate.validation",
}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        found = getattr(import_module(f"satsuma.{_ELSEWHERE[name]}"), name)
        globals()[name] = found  # found without a detour the next time
        return found
    if name == "plot":
        return import_module("satsuma.plot")
    # The version is looked up when it is asked for: that takes longer than all of the above.
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("satsuma")
        except PackageNotFoundError:
            return "not installed"
    raise AttributeError(f"module 'satsuma' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "ID3",
    "Categorical",
    "Distribution",
    "Domain",
    "Forest",
    "Gaussian",
    "Generative",
    "GetBoth",
    "GetProbabilities",
    "GetValue",
    "Laplace",
    "Learner",
    "MEstimate",
    "Majority",
    "Mean",
    "Model",
    "NaiveBayes",
    "Num",
    "RegressionTree",
    "RelativeFrequency",
    "RoundsLearner",
    "Row",
    "SatsumaError",
    "Sym",
    "Table",
    "TallyLearner",
    "Tree",
    "Variable",
    "__version__",
    "cross_validate",
    "hold_out",
    "learning_curve",
    "leave_one_out",
    "load",
    "open_model",
    "plot",
    "read",
    "test_on",
    "write",
]
