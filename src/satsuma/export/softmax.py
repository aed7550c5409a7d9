"""Softmax: scores of classes as probabilities, and the class that is predicted."""

from collections.abc import Sequence

from satsuma.export.expressions import (
    HOPELESS,
    Expression,
    Number,
    Program,
    Text,
    Whole,
    case,
    compared,
    difference,
    exponent,
    greatest,
    quotient,
    total,
)


def softmax(scores: Sequence[Expression], divided_by: Expression | None = None) -> list[Expression]:
    """Probabilities in proportion to the exponents of scores, of which the greatest is subtracted.

    Parameters
    ----------
    scores
        One for each class.
    divided_by
        A temperature, if there is one.
    """
    if len(scores) == 1:
        return [Number(1.0)]
    top = greatest(scores)
    above = [difference(each, top) for each in scores]
    if divided_by is not None:
        above = [quotient(each, divided_by) for each in above]
    each = [exponent(one) for one in above]
    whole = total(*each)
    return [quotient(one, whole) for one in each]


def unless_hopeless(
    scores: Sequence[Expression], found: Sequence[Expression], prior: Sequence[float]
) -> list[Expression]:
    """Probabilities, and the prior where every class is impossible."""
    hopeless = compared(greatest(scores), "<=", Number(HOPELESS))
    return [
        case((hopeless, Number(float(p))), otherwise=each)
        for p, each in zip(prior, found, strict=True)
    ]


def classified(
    classes: Sequence[str], probabilities: Sequence[Expression], threshold: float | None = None
) -> Program:
    """The probabilities of classes, and the first of the most probable; see `first_greatest`.

    Parameters
    ----------
    classes, probabilities
        In order.
    threshold
        From which probability on the second of two classes is predicted, if not the larger.
    """
    names = [Text(each) for each in classes]
    if threshold is None:
        predicted = first_greatest(probabilities, names)
    else:
        second = compared(probabilities[1], ">=", Number(threshold, exact=True))
        predicted = case((second, names[1]), otherwise=names[0])
    return Program(predicted, tuple(zip(classes, probabilities, strict=True)))


def first_greatest(of: Sequence[Expression], names: Sequence[Text | Whole]) -> Expression:
    """The name of the greatest of some numbers; of the first of several."""
    if all(isinstance(each, Number) for each in of):
        numbers = [each.value for each in of if isinstance(each, Number)]
        return names[numbers.index(max(numbers))]
    if len(of) == 2:
        return case((compared(of[0], ">=", of[1]), names[0]), otherwise=names[1])
    top = greatest(of)
    whens = [(compared(p, ">=", top), n) for p, n in zip(of[:-1], names[:-1], strict=True)]
    return case(*whens, otherwise=names[-1])
