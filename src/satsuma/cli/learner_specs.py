"""Choosing: learners by name, with their parameters, as in ``tree:max_depth=3``."""

import ast
from dataclasses import MISSING, fields
from typing import Any, cast

import satsuma
from satsuma.errors import ParameterError, hint

#: Learners that predict, and can be named. Those that take another learner take it by name too.
LEARNERS = (
    "Majority", "Mean", "NaiveBayes", "LDA", "QDA", "Tree", "ID3", "RegressionTree", "Forest",
    "KNN", "Logistic", "Ridge", "LinearSVM", "SVM", "Process", "Text", "Bagging", "Boosting",
    "Stacking", "Discretized", "Select", "Semi", "SelfTraining", "EM", "RP0",
)  # fmt: skip


def learner_of(said: str) -> Any:
    """A learner, by its name in letters of any size and its parameters.

    Examples
    --------
    >>> learner_of("knn:k=3")
    KNN(k=3, weights='uniform', p=2.0)
    >>> learner_of("naive-bayes").m
    2.0
    >>> learner_of("knn:q=3")
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: KNN has no parameter 'q'. There are: 'k', 'weights', 'p'.
    """
    name, _, rest = said.partition(":")
    kind: Any = getattr(satsuma, class_name(name))
    parameters = dict(_parameter(kind, each) for each in _parts(rest))
    return kind(**parameters)


def learners_of(said: list[str]) -> dict[str, Any] | None:
    """Learners by the names they were given; None if none was."""
    listed = [each.strip() for words in said for each in _split(words) if each.strip()]
    if not listed:
        return None
    made = {each: learner_of(each) for each in listed}
    plain = [type(one).__name__ for one in made.values()]
    return {
        kind if plain.count(kind) == 1 else each: one
        for (each, one), kind in zip(made.items(), plain, strict=True)
    }


def spelled(learner: Any) -> str:
    """A learner as it would be named, with those parameters that are not as usual.

    Examples
    --------
    >>> spelled(learner_of("knn:k=3")), spelled(learner_of("forest"))
    ('knn:k=3', 'forest')
    >>> spelled(learner_of("stacking:learners=tree+knn"))
    'stacking:learners=tree+knn'
    """
    changed = [
        f"{each.name}={_spelled(getattr(learner, each.name))}"
        for each in fields(learner)
        if each.default is MISSING or getattr(learner, each.name) != each.default
    ]
    return ":".join([type(learner).__name__.lower(), *([",".join(changed)] if changed else [])])


def _spelled(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(_spelled(each) for each in cast("list[Any]", value))
    return spelled(value) if isinstance(value, satsuma.Learner) else str(value)


def class_name(name: str) -> str:
    """The class that a name means.

    Examples
    --------
    >>> class_name("naive_bayes"), class_name("FOREST")
    ('NaiveBayes', 'Forest')
    >>> class_name("florest")
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: There is no learner 'florest'. Did you mean 'forest'?
    """
    known = {each.lower(): each for each in LEARNERS}
    plain = name.strip().lower().replace("-", "").replace("_", "").replace(" ", "")
    plain = {"bayes": "naivebayes", "knearest": "knn", "neighbours": "knn"}.get(plain, plain)
    if plain not in known:
        raise ParameterError(f"There is no learner {name!r}. {hint(plain, known, most=len(known))}")
    return known[plain]


def _split(words: str) -> list[str]:
    """Learners between commas; a comma that goes on with parameters does not part them."""
    found: list[str] = []
    for each in words.split(","):
        goes_on = "=" in each and ":" not in each.partition("=")[0]
        if found and goes_on:
            found[-1] += f",{each}"
        else:
            found.append(each)
    return found


def _parts(rest: str) -> list[str]:
    return [each for each in rest.split(",") if each]


def _parameter(kind: Any, said: str) -> tuple[str, Any]:
    name, mark, value = said.partition("=")
    name = name.strip()
    if not mark:
        raise ParameterError(
            f"{kind.__name__} takes parameters as NAME=VALUE. Got {said!r} instead."
        )
    known = [each.name for each in fields(kind)]
    if name not in known:
        raise ParameterError(f"{kind.__name__} has no parameter {name!r}. {hint(name, known)}")
    if name == "learner" or (name == "model" and kind.__name__ == "RP0"):
        return name, learner_of(value)
    if name == "learners":
        return name, [learner_of(each) for each in value.split("+")]
    return name, _literal(value.strip())


def _literal(value: str) -> Any:
    words = {"true": True, "false": False, "none": None}
    if value.lower() in words:
        return words[value.lower()]
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value
