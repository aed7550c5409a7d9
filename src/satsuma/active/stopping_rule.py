"""Stopping rule: what is still to be gained by more labels, and whether to go on."""

from dataclasses import replace

from satsuma.active.labelling import Labelling
from satsuma.active.stop_advice import StopAdvice
from satsuma.active.stop_by_accuracy import accuracy_advice
from satsuma.active.stop_by_error import error_advice
from satsuma.active.stop_by_recall import audit_of, finds_of, recall_advice
from satsuma.errors import ParameterError, SatsumaError

#: People agree if kappa is at least this ("moderate": Landis and Koch 1977).
_OF_ONE_MIND = 0.4


def stop_advice(
    labelling: Labelling,
    *,
    sought: str | None = None,
    recall: float = 0.95,
    confidence: float = 0.95,
    patience: float = 1.9,
    kappa: float | None = None,
) -> StopAdvice:
    """A stopping rule: what more labels would bring, and whether to give them.

    Where a class is sought, recall counts, and two things must hold to stop, after ten finds at
    the least; rows that were given, with a label or by `start`, are no finds. The rate at which
    relevant rows were found, taken to fall exponentially, leaves few enough to be found. And
    there are `patience` times the labels that it took to find a share `recall` of what has been
    found: nearly all came early, and much reading since brought next to nothing. With a patience
    up to 2, the second alone never asks for more than twice the labels that the share `recall` of
    all relevant rows took, however many are unfound. The estimate takes the falling rate for
    granted, but its interval reaches to what the labels since the last find do not rule out, if
    the rows left are no richer than those. Neither is a guarantee of recall: relevant
    rows that are like none of the others are not foreseen.

    Otherwise accuracy counts: that of cross-validation among the labelled rows, which is too low
    where the labelled rows are the hard ones, so that it has no interval unless rows were drawn
    at random. It is advised to stop when the latest fifth of the labels has made almost no
    difference to what the model says of all rows, and the model is right on more of the labelled
    rows than the most frequent class, significantly so (the exact test of McNemar 1947).

    Where labels are numbers it is R², of cross-validation in the same way. It is advised to stop
    when the latest fifth of the labels moved what the model says of all rows by no more than a
    tenth of the standard deviation of the labels, and the model is nearer to labels that it has
    not learned from than their mean is (the test of Wilcoxon 1945).

    Parameters
    ----------
    labelling
        Rows and the labels so far.
    sought
        The relevant class; unless given, the one that the model seeks (see `Text`) or, where rows
        are chosen by ``certain``, the rarest. If there is none, it is accuracy that counts.
    recall
        The share of the relevant rows to be found.
    confidence
        Of the interval, and with which few enough must be left.
    patience
        How many times the labels that it took to find nearly all found so far.
    kappa
        How far people agree who have labelled the same rows, the least if there are several; see
        `agreement`. Below 0.4 it is never advised to stop.

    Examples
    --------
    >>> from satsuma import NaiveBayes, load, stop_advice
    >>> from satsuma.active.active_learning import Active, hide_labels
    >>> from satsuma import Oracle
    >>> iris = load("iris")
    >>> done = Active(learner=NaiveBayes(), budget=40)(hide_labels(iris), Oracle(iris))
    >>> advice = stop_advice(done)
    >>> advice.measure, advice.labels
    ('accuracy', 40)
    """
    _check_parameters(recall, confidence, patience)
    if not len(labelling.labelled_rows):
        raise SatsumaError("Nothing is labelled yet, so there is nothing to go by.")
    wanted = labelling.sought if sought is None else sought
    if wanted is None:
        numbers = labelling.target.kind == "num"
        made = (error_advice if numbers else accuracy_advice)(labelling, confidence)
    else:
        finds = finds_of(labelling, wanted)
        made = recall_advice(finds, recall, confidence, patience, audit_of(labelling, finds))
    if made.stop and kappa is not None and kappa < _OF_ONE_MIND:
        why = (
            f"people do not agree on the same rows (kappa {kappa:.2f}, and {_OF_ONE_MIND} is the "
            f"least). Settle what they mean first."
        )
        return replace(made, stop=False, why=why)
    return made


def _check_parameters(recall: float, confidence: float, patience: float) -> None:
    for name, each in (("recall", recall), ("confidence", confidence)):
        if not 0 < each < 1:
            raise ParameterError(
                f"The '{name}' parameter of stop_advice must be between 0 and 1, not {each!r}."
            )
    if not patience > 1:
        raise ParameterError(
            f"The 'patience' parameter of stop_advice must be above 1, not {patience!r}."
        )
