"""Measures as they are given to a command: a name, or costs and profits of decisions."""

from typing import Any

from satsuma.errors import ParameterError


def measure_of(name: str | None, costs: list[str] | None, profits: list[str] | None) -> Any:
    """What learners are ranked by: a name, a `Cost` or a `Profit`.

    Examples
    --------
    >>> measure_of("auc", None, None)
    'auc'
    >>> measure_of(None, ["yes:no=10", "no:yes=1"], None)
    Cost(amounts={('yes', 'no'): 10.0, ('no', 'yes'): 1.0})
    >>> measure_of(None, ["yes=10"], None)
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: An amount is given as TRUTH:DECISION=NUMBER, as in yes:no=10. \
Got 'yes=10' instead.
    """
    from satsuma.evaluate.cost_scores import Cost, Profit

    if costs and profits:
        raise ParameterError("Give --cost or --profit. A cost is a profit below 0.")
    if name is not None and (costs or profits) and name.lower() not in ("cost", "profit"):
        raise ParameterError(f"Learners are ranked by {name} or by costs, not by both.")
    if costs:
        return Cost(dict(map(_amount, costs)))
    return Profit(dict(map(_amount, profits))) if profits else name


def _amount(given: str) -> tuple[tuple[str, str], float]:
    pair, _, amount = given.rpartition("=")
    truth, mark, decision = pair.partition(":")
    try:
        value = float(amount)
    except ValueError:
        mark = ""
        value = 0.0
    if not mark:
        raise ParameterError(
            f"An amount is given as TRUTH:DECISION=NUMBER, as in yes:no=10. Got {given!r} instead."
        )
    return (truth.strip(), decision.strip()), value
