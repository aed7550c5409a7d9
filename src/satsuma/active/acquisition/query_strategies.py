"""Query strategies of active learning: which row is most worth a question.

Each function takes ``(model, pool, labelled)``, a model and two tables, and returns a score for
every row of the pool: the higher, the sooner it is asked about. Write your own the same way. What
it takes beyond these three, such as ``budget`` and ``seed``, `Active` fills in by name.
"""

from collections.abc import Callable
from typing import Any, Literal, cast
from weakref import WeakKeyDictionary

import numpy as np

from satsuma.active.acquisition.number_strategies import (
    committee_numbers,
    diverse,
    greedy,
    model_change,
    number_spread,
    ranks,
)
from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.learners.ensembles.bagging import Bagging
from satsuma.learners.learner import learns_in_one_round
from satsuma.learners.model import Classifier, Model
from satsuma.learners.text.model import TextModel
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Floats

#: What scores the rows of a pool.
QueryStrategy = Callable[..., Floats]

#: Models of a committee.
_COMMITTEE = 5

#: Rows of a pool that stand for all of it where each would take too long.
SOME = 200


def class_probabilities(model: Model, pool: Table) -> Floats:
    """Rows by classes: the probability of each class."""
    if not isinstance(model, Classifier):
        raise ParameterError(
            f"{type(model).__name__} predicts numbers: ask by 'uncertain', 'committee', 'greedy', "
            f"'model change', 'explore', 'exploit', 'adapt' or 'random'."
        )
    return model.probabilities(model.asked(pool))


def uncertain(
    model: Model,
    pool: Table,
    labelled: Table,
    *,
    how: Literal["margin", "least confident", "entropy"] = "margin",
    seed: int = 0,
) -> Floats:
    """Uncertainty sampling: rows that the model is least sure of.

    For Bayes and ensembles, where the classes are nearly equally probable; for a logistic model,
    near a half; for a support vector machine, near the boundary, by its margin. For numbers, where
    the standard deviation is large: of a Gaussian process, of the trees of a forest, of the models
    of `Bagging`, of the rows of a leaf; any other learner is asked as a committee.

    Parameters
    ----------
    model, pool, labelled
        As everywhere here.
    how
        ``margin``: the two most probable classes are close; ``least confident``: the most
        probable one is not very; ``entropy``: over all classes. Not for numbers.
    seed
        Where chance starts from, for a committee.
    """
    if not isinstance(model, Classifier):
        return number_spread(model, pool, labelled, t=_COMMITTEE, seed=seed)
    answer: Any = model
    if hasattr(answer, "decisions"):
        return -_gap(answer.decisions(model.asked(pool)))
    found = class_probabilities(model, pool)
    if how == "margin":
        return -_gap(found)
    if how == "least confident":
        return -found.max(axis=1)
    if how == "entropy":
        return _entropy(found)
    raise ParameterError(
        f"The 'how' parameter of uncertain must be 'margin', 'least confident' or 'entropy'. "
        f"Got {how!r} instead."
    )


def _gap(found: Floats) -> Floats:
    """Between the greatest and the next."""
    if found.shape[1] < 2:
        return np.zeros(len(found))
    if found.shape[1] == 2:
        return np.abs(found[:, 1] - found[:, 0])
    two = np.partition(found, -2, axis=1)[:, -2:]
    return two[:, 1] - two[:, 0]


def _entropy(found: Floats) -> Floats:
    logs = np.log(np.where(found > 0, found, 1.0))
    return -(found * logs).sum(axis=1)


def committee(
    model: Model,
    pool: Table,
    labelled: Table,
    *,
    how: Literal["vote", "KL"] = "vote",
    t: int = _COMMITTEE,
    seed: int = 0,
) -> Floats:
    """Query by committee: rows on which models of bootstrap samples disagree.

    Of numbers, it is the standard deviation of their predictions (Burbidge, Rowland, King 2007).

    Parameters
    ----------
    model, pool, labelled
        As everywhere here; the committee is of the model's learner.
    how
        ``vote``: the entropy of their votes (Dagan and Engelson 1995); ``KL``: how far the
        probabilities of each are from their mean (McCallum and Nigam 1998). Not for numbers.
    t
        How many models.
    seed
        Where chance starts from.
    """
    if how not in ("vote", "KL"):
        raise ParameterError(
            f"The 'how' parameter of committee must be 'vote' or 'KL', not {how!r}."
        )
    if not isinstance(model, Classifier):
        return committee_numbers(model, pool, labelled, t, seed).std(axis=0)
    bagged = Bagging(model.learner, t=t, seed=seed)(labelled)
    rows = bagged.asked(pool)
    predicted = np.stack([each.probabilities(each.asked(rows)) for each in bagged.models])
    if how == "vote":
        votes = predicted.argmax(axis=2)
        shares = np.stack([(votes == c).mean(axis=0) for c in range(predicted.shape[2])], axis=1)
        return _entropy(shares)
    mean = predicted.mean(axis=0)
    return _entropy(mean) - np.mean([_entropy(each) for each in predicted], axis=0)


def explore(model: Model, pool: Table, labelled: Table) -> Floats:  # noqa: ARG001
    """Rows that are unlike all that have a label: the distance to the nearest of these."""
    distance = Distance.of(pool)
    found, _ = distance.nearest(pool, labelled, 1)
    return found[:, 0]


def certain(model: Model, pool: Table, labelled: Table, *, sought: str | None = None) -> Floats:
    """Relevance sampling: rows most probably of the class that is sought, to find the rare ones.

    Parameters
    ----------
    model, pool, labelled
        As everywhere here.
    sought
        The class; unless given, the one that the model says it seeks (see `Text`), or else the
        rarest among the labels.
    """
    if isinstance(model, TextModel) and (sought is None or sought == model.sought):
        in_turn = model.ranks_in_turn(model.asked(pool), len(labelled))
        if in_turn is not None:
            return in_turn
    found = class_probabilities(model, pool)
    sought = getattr(model, "sought", None) if sought is None else sought
    if sought is not None:
        return found[:, model.target.code(sought)]
    codes = labelled.column(model.target.name)
    seen = np.bincount(codes[codes >= 0], minlength=found.shape[1])
    return found[:, int(np.argmin(np.where(seen > 0, seen, np.iinfo(np.int64).max)))]


def exploit(model: Model, pool: Table, labelled: Table, *, sought: str | None = None) -> Floats:
    """Rows that promise most: the greatest number, or the class that is sought."""
    if isinstance(model, Classifier):
        return certain(model, pool, labelled, sought=sought)
    return cast("Floats", cast("Any", model).numbers(model.asked(pool)))


def adapt(
    model: Model, pool: Table, labelled: Table, *, budget: int = 100, sought: str | None = None
) -> Floats:
    """From exploring to exploiting, as the budget goes.

    Both are brought to ranks from 0 to 1; what exploring counts is the share of the budget that is
    left.
    """
    left = max(0.0, 1 - len(labelled) / budget)
    new = ranks(explore(model, pool, labelled))
    return left * new + (1 - left) * ranks(exploit(model, pool, labelled, sought=sought))


#: How typical the rows of a pool are, by seed; it does not change while labels come in.
_typical: "WeakKeyDictionary[Table, dict[int, Floats]]" = WeakKeyDictionary()


def dense(
    model: Model, pool: Table, labelled: Table, *, power: float = 1.0, seed: int = 0
) -> Floats:
    """Information density: uncertain rows that are typical of the pool (Settles, Craven 2008).

    Parameters
    ----------
    model, pool, labelled
        As everywhere here.
    power
        What being typical counts, against being uncertain.
    seed
        Draws the rows that stand for the pool.
    """
    known = _typical.setdefault(pool, {})
    found = known.get(seed)
    if found is None:
        distance, rows = Distance.of(pool), _sample(len(pool), seed)
        away = np.mean([distance.between(pool[int(at)], pool) for at in rows], axis=0)
        found = known[seed] = 1 - away
    return (ranks(uncertain(model, pool, labelled)) + 1e-9) * found**power


def _sample(rows: int, seed: int) -> "np.typing.NDArray[np.intp]":
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(rows, min(SOME, rows), replace=False))


def expected_error(
    model: Model, pool: Table, labelled: Table, *, most: int = 30, seed: int = 0
) -> Floats:
    """Expected error reduction: rows whose label would leave the fewest (Roy, McCallum 2001).

    Each class is tried for a row, weighed by how probable it is, and some rows of the pool tell how
    sure the model would be then. A learner of one round adds the row to its tally; that makes it
    cheap here.

    Parameters
    ----------
    model, pool, labelled
        As everywhere here.
    most
        How many rows are tried: those that are most uncertain.
    seed
        Draws the rows that stand for the pool.
    """
    learner: Any = model.learner
    if not learns_in_one_round(learner, labelled.domain):
        raise ParameterError(
            f"expected_error looks ahead by adding rows to a tally, and {type(learner).__name__} "
            f"does not learn in one round. Ask by 'uncertain' or 'committee' instead."
        )
    now, guess = uncertain(model, pool, labelled), class_probabilities(model, pool)
    tried = np.argsort(-now, kind="stable")[:most]
    rows, tally = pool[_sample(len(pool), seed)], learner.tally(labelled)
    scores = np.full(len(pool), -np.inf)
    for at in tried.tolist():
        one = pool[np.array([at])]
        error = 0.0
        for code in np.flatnonzero(guess[at] > 1e-3).tolist():
            told = _labelled_row(one, model, code)
            after: Model = learner.concluded(tally + learner.tally(told))
            sure = class_probabilities(after, rows).max(axis=1)
            error += float(guess[at, code] * (1 - sure.mean()))
        scores[at] = -error
    return scores


def _labelled_row(row: Table, model: Model, code: int) -> Table:
    target = model.target
    columns = [
        np.full(1, code, np.int32) if v.name == target.name else c
        for v, c in zip(row.domain, row.columns, strict=True)
    ]
    return Table(row.domain, columns, check=False)


def random(
    model: Model,  # noqa: ARG001 - all take the same three
    pool: Table,
    labelled: Table,
    *,
    seed: int = 0,
) -> Floats:
    """Rows in random order: the baseline of every other strategy."""
    return np.random.default_rng([seed, len(labelled)]).random(len(pool))


#: By name.
QUERY_STRATEGIES: dict[str, QueryStrategy] = {
    "adapt": adapt,
    "certain": certain,
    "committee": committee,
    "dense": dense,
    "diverse": diverse,
    "expected error": expected_error,
    "exploit": exploit,
    "explore": explore,
    "greedy": greedy,
    "model change": model_change,
    "random": random,
    "uncertain": uncertain,
}
