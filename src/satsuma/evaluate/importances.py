"""Importances: how much worse a model predicts without what a column says."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from satsuma.data.columns import remap
from satsuma.data.grids import aligned, grid_html
from satsuma.data.result_frame import ResultFrame
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.time_features import time_of_feature
from satsuma.engines import check_rows
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.evaluate.cross_validation import cross_validate
from satsuma.evaluate.request import check_whole
from satsuma.evaluate.results_display import number
from satsuma.evaluate.scores import Score, find_score
from satsuma.evaluate.trial import Predictions, Trial
from satsuma.learners.estimator.api import model_of
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.predictions import numbers_of, probabilities_of
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    import pandas as pd

    from satsuma.learners.learner import Learner

#: What is measured unless said, by the kind of the target.
USUAL = {"sym": "log loss", "num": "RMSE"}

#: Columns that are printed, and characters of a name.
_LINES, _NAME = 40, 32


class Importances(Mapping[str, float], ResultFrame):
    """By how much a score gets worse without each column, the most important one first.

    Parameters
    ----------
    worse
        By column: how much worse the score is, each time that it was tried.
    measure
        The name of the score.
    score
        What it is with all columns.
    how
        How it was found, in a few words.
    """

    def __init__(
        self, worse: Mapping[str, Sequence[float]], measure: str, score: float, how: str
    ) -> None:
        means = {name: float(np.mean(each)) for name, each in worse.items()}
        order = sorted(worse, key=lambda name: -means[name])
        self._means = {name: means[name] for name in order}
        self.draws = {name: np.asarray(worse[name], np.float64) for name in order}
        self.measure, self.score, self.how = measure, score, how

    def __getitem__(self, name: str) -> float:
        if name not in self._means:
            raise NoSuchColumn(name, self._means)
        return self._means[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._means)

    def __len__(self) -> int:
        return len(self._means)

    @property
    def spread(self) -> dict[str, float]:
        """The standard deviation over what was tried, by column; 0 of a single trial."""
        return {
            name: float(each.std(ddof=1)) if len(each) > 1 else 0.0
            for name, each in self.draws.items()
        }

    @property
    def title(self) -> str:
        """What is shown."""
        return (
            f"How much worse {self.measure} is ({number(self.score)} with all columns), {self.how}"
        )

    def _cells(self) -> list[list[str]]:
        spread = self.spread
        lines = [["column", "worse by", "±"]]
        for name, each in list(self.items())[:_LINES]:
            lines.append([cut(name, _NAME), f"{each:+.4g}", f"{spread[name]:.2g}"])
        more = len(self) - _LINES
        return [*lines, *([[f"… and {more} more", "", ""]] if more > 0 else [])]

    def __repr__(self) -> str:
        return "\n".join([self.title, "", *aligned(self._cells())])

    def _repr_html_(self) -> str:
        return grid_html(self.title, self._cells())

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas data frame: a line for each column, the most important one first."""
        import pandas as pd

        spread = list(self.spread.values())
        return pd.DataFrame({"column": list(self), "worse": list(self.values()), "spread": spread})


def importances(
    model: "Model | Learner",
    table: Table,
    *,
    measure: Any = None,
    by: Literal["permutation", "drop"] = "permutation",
    repeats: int = 5,
    folds: int = 10,
    seed: int = 0,
) -> Importances:
    """How much worse a model predicts without what each column says.

    By permutation, the cells of a column are shuffled among the rows (Breiman 2001): give rows that
    the model has not learned from, or what it has learned by heart looks important. By drop, its
    learner is cross-validated again without the column: what other columns can say as well is
    then not important. That takes as long as cross-validation for each column; of a learner
    of one round, such as naive Bayes, it is exact and fast.

    Features of one time are shuffled or dropped together.

    Parameters
    ----------
    model
        What predicts: a model, or a learner that was fitted.
    table
        Rows whose target is known; by drop, those to be learned from.
    measure
        A score by name, see `Results.scores`; log loss, or RMSE of numbers, unless given.
    by
        ``permutation`` or ``drop``.
    repeats
        How often each column is shuffled.
    folds
        Of the cross-validation, by drop.
    seed
        Where chance starts from.

    Examples
    --------
    >>> from satsuma import NaiveBayes, importances, load
    >>> iris = load("iris")
    >>> found = importances(NaiveBayes(iris[::2]), iris[1::2], measure="CA")
    >>> list(found)[:2]
    ['Petal.Width', 'Petal.Length']
    """
    used: Any = model_of(model)
    if not isinstance(used, Classifier | Regressor):
        raise ParameterError(
            f"importances takes a model that predicts a target, and rows. Got a "
            f"{type(used).__name__}."
        )
    check_rows("importances takes a model and", table, sources=False)
    target = used.target
    score = find_score(USUAL[target.kind] if measure is None else measure, target)
    seed = check_whole("importances", "seed", seed, 0)
    if by == "drop":
        return _by_drop(used, table, score, check_whole("importances", "folds", folds, 2), seed)
    if by != "permutation":
        raise ParameterError(f"by must be 'permutation' or 'drop'. Got {by!r}.")
    repeats = check_whole("importances", "repeats", repeats, 1)
    return _by_permutation(used, table, score, repeats, seed)


def _groups(model: Model) -> dict[str, list[str]]:
    """The columns that are one thing: a column, or all features of a time."""
    made: dict[str, list[str]] = {}
    for variable in model.domain.attributes:
        made.setdefault(time_of_feature(variable.name) or variable.name, []).append(variable.name)
    return made


def _by_permutation(
    model: Classifier | Regressor, table: Table, score: Score, repeats: int, seed: int
) -> Importances:
    rows, truth, weights = _tested(model, table)
    rng = np.random.default_rng(seed)
    whole = _score(model, rows, truth, weights, score)
    sign = 1.0 if score.rising else -1.0
    worse: dict[str, list[float]] = {}
    for name, columns in _groups(model).items():
        worse[name] = []
        for _ in range(repeats):
            shuffled = _shuffled(rows, columns, rng.permutation(len(rows)))
            worse[name].append(sign * (whole - _score(model, shuffled, truth, weights, score)))
    times = "once" if repeats == 1 else f"{repeats} times each"
    return Importances(worse, score.name, whole, f"columns shuffled {times}")


def _shuffled(rows: Table, names: Sequence[str], order: Array) -> Table:
    columns = list(rows.columns)
    for name in names:
        at = rows.domain.index(name)
        columns[at] = columns[at][order]
    return Table(rows.domain, columns, check=False)


def _tested(model: Model, table: Table) -> tuple[Table, Array, Floats | None]:
    """Rows whose target is known and that weigh something, their target, and their weights."""
    target = model.target
    if target.name not in table.domain:
        raise NoSuchColumn(target.name, table.domain.names)
    found, truth = table.domain[target.name], table.column(target.name)
    if found.kind != target.kind:
        raise DomainError(
            f"The target {target.name!r} was learned as {target.kind!r}, but here it is "
            f"{found.kind!r}. Use table.with_kinds({{{target.name!r}: {target.kind!r}}})."
        )
    if target.kind == "sym":
        truth = remap(truth, found.values, lambda value: target.codes.get(value, -1))
        known = truth >= 0
    else:
        known = ~np.isnan(truth)
    weights = table.weights
    used = np.flatnonzero(known if weights is None else known & (weights > 0))
    if not len(used):
        raise DomainError(f"There is no row to test on: none has a known target {target.name!r}.")
    batch = fitted(table[used], model.domain, model.unseen)
    return batch, truth[used], None if weights is None else weights[used]


def _score(model: Any, rows: Table, truth: Array, weights: Floats | None, score: Score) -> float:
    """What a model scores on rows."""
    if isinstance(model, Classifier):
        chances = probabilities_of(model, rows)
        predicted = model.codes_given(chances, rows)
        told = Predictions(predicted, 0.0, lambda: chances)
    else:
        told = Predictions(numbers_of(model, rows), 0.0)
    parts = np.zeros(len(rows), np.int16)
    trial = Trial(model.target, truth, weights, parts, 1, 1.0, {"model": told})
    return trial.scores("model", score, None, pooled=True)[0]


def _by_drop(model: Model, table: Table, score: Score, folds: int, seed: int) -> Importances:
    """The difference between cross-validations with and without each column, by fold."""
    learner, target = model.learner, model.target.name
    table = table if table.domain.target is not None else table.with_roles(target=target)
    known = [name for name in _groups(model) if name in table.domain]

    def fold_scores(without: Sequence[str]) -> Floats:
        kept = table.with_roles(dict.fromkeys(without, "ignore"))
        return np.asarray(_by_fold(cross_validate(learner, kept, folds=folds, seed=seed), score))

    whole, sign = fold_scores([]), 1.0 if score.rising else -1.0
    worse = {name: (sign * (whole - fold_scores([name]))).tolist() for name in known}
    how = f"columns left out in cross-validation of {folds} folds"
    return Importances(worse, score.name, float(whole.mean()), how)


def _by_fold(results: Any, score: Score) -> list[float]:
    (name,) = results.learners
    return [each for trial in results.trials for each in trial.scores(name, score, None)]
