"""Stop advice: whether more labels are needed, and what is known of it, as it is told."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class StopAdvice:
    """Whether to stop, and what is known of it.

    Parameters
    ----------
    stop
        Whether no more labels are needed.
    why
        The reason.
    measure
        ``recall``, the share of the relevant rows that was found, or ``accuracy``; ``R²`` where
        labels are numbers.
    value, least, most
        What it is estimated to be, NaN if nothing can be said, and the interval that it is in:
        up to 1 where none is known. Accuracy and R² are those of cross-validation, on rows that
        were drawn at random if there are some; only then they have an interval.
    labels
        How many labels there are; for recall, without the rows that were given.
    found
        Relevant rows among them; None but for recall.
    unfound, most_unfound
        Relevant rows that are expected among the others, and how many there may be; None but
        for recall.
    audits
        How many of the labels are of rows drawn at random among those that had none.
    recall_bound
        Recall is at least this, with a probability of `confidence`, by the audits alone and
        however often one looks: no assumption is made of what was asked about and why. It is 0
        where nothing is proved, and None but for recall.
    confidence
        Of the bound and of the interval.
    certified
        Whether the bound reaches the recall that was asked for: then it is proved.
    remaining
        Labels until it is advised to stop, if little more is found; None where that is not known.
    to_certify
        Rows drawn at random that would prove it, if none of them is relevant; None but for
        recall.

    Examples
    --------
    >>> from satsuma import StopAdvice
    >>> print(StopAdvice(False, "too early to tell.", "accuracy", 0.9, 0.8, 0.95, labels=20))
    Go on: too early to tell.
    20 labels; accuracy 90.0% (between 80.0% and 95.0%).
    """

    stop: bool
    why: str
    measure: str
    value: float
    least: float
    most: float
    labels: int
    found: int | None = None
    unfound: float | None = None
    most_unfound: int | None = None
    audits: int = 0
    recall_bound: float | None = None
    confidence: float = 0.95
    certified: bool = False
    remaining: int | None = None
    to_certify: int | None = None

    def minutes(self, seconds: float) -> float | None:
        """How long the remaining labels take at so many seconds each; None if nobody knows.

        Examples
        --------
        >>> from satsuma import StopAdvice
        >>> StopAdvice(False, "", "recall", 0.9, 0.5, 1.0, labels=200, remaining=60).minutes(15)
        15.0
        """
        return None if self.remaining is None else self.remaining * seconds / 60

    @property
    def proof(self) -> str:
        """What is proved of recall by rows drawn at random, in a sentence; or that it is a guess.

        Examples
        --------
        >>> from satsuma import StopAdvice
        >>> StopAdvice(False, "", "recall", 0.9, 0.5, 1.0, labels=200, recall_bound=0.0).proof
        'No row was drawn at random to check this: it is a guess, not a proof.'
        """
        if not self.audits:
            return "No row was drawn at random to check this: it is a guess, not a proof."
        if self.recall_bound is None and not self.bounded:
            return f"{self.audits:,} rows were drawn at random, too few for an interval."
        if self.recall_bound is None:
            return f"The interval is by {self.audits:,} rows drawn at random."
        told = (
            f"By {self.audits:,} rows drawn at random, recall is at least {self.recall_bound:.1%} "
            f"with {self.confidence:.0%} confidence."
        )
        if self.certified or self.to_certify is None:
            return told
        return f"{told} A proof takes {self.to_certify:,} more of them, none relevant."

    @property
    def bounded(self) -> bool:
        """Whether an interval is known."""
        return self.least > 0 or (np.isfinite(self.least) and self.most < 1)

    def __str__(self) -> str:
        known = f"{self.labels:,} labels"
        if self.found is not None:
            known += f", {self.found:,} relevant"
        form = ".2f" if self.measure == "R²" else ".1%"
        told = "not known yet" if np.isnan(self.value) else f"{self.value:{form}}"
        if self.bounded:
            told += f" (between {self.least:{form}} and {self.most:{form}})"
        elif not np.isnan(self.value):
            told += " among them, by cross-validation"
        told = f"{known}; {self.measure} {told}."
        lines = [f"{'Stop' if self.stop else 'Go on'}: {self.why}", told]
        if self.found is not None or self.audits:
            lines.append(self.proof)
        return "\n".join(lines)
