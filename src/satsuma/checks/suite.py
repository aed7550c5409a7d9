"""The suite: the eight laws, put to a learner one by one or all at once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast

from satsuma.checks import (
    law_1_tallies,
    law_2_sources,
    law_3_weights,
    law_4_missing,
    law_5_probabilities,
    law_6_inputs,
    law_7_keeping,
    law_8_bad_input,
)
from satsuma.checks.law_broken import LawBroken
from satsuma.checks.variants import aims
from satsuma.errors import ParameterError
from satsuma.learners.learner import Learner

Check = Callable[[Learner], None]


@dataclass(frozen=True)
class Law:
    """A law: its number, what it says, and the checks that put a learner to it."""

    number: int
    says: str
    checks: tuple[Check, ...]
    slow: tuple[Check, ...] = ()


LAWS: tuple[Law, ...] = (
    Law(1, "tallies add up", law_1_tallies.CHECKS),
    Law(2, "the model is the same wherever the rows come from", law_2_sources.CHECKS),
    Law(3, "a weight of 2 is the row twice", law_3_weights.CHECKS),
    Law(4, "a cell may be missing anywhere, and a value may be new", law_4_missing.CHECKS),
    Law(
        5,
        "probabilities are probabilities",
        law_5_probabilities.CHECKS,
        law_5_probabilities.SLOW,
    ),
    Law(6, "nothing that is given is modified", law_6_inputs.CHECKS),
    Law(7, "learners and models can be written down", law_7_keeping.CHECKS),
    Law(8, "bad input is refused by name, or has an answer", law_8_bad_input.CHECKS),
)

#: First what a model is by itself, then what makes two models the same: a learner that cannot
#: do with a missing cell is to be told so, and not that its tallies do not add up.
_ORDER = (6, 5, 4, 8, 3, 1, 2, 7)


def checks(
    learner: Learner, laws: Iterable[int] | None = None, *, slow: bool = False
) -> list[tuple[str, Callable[[], None]]]:
    """The checks of a learner, each under a name, to be run one by one.

    In pytest: ``parametrize("check", [param(c, id=name) for name, c in checks(MyLearner())])``.

    Parameters
    ----------
    learner
        With the parameters that are to be checked.
    laws
        The numbers of some laws, from 1 to 8; all if not given.
    slow
        Whether to check also what takes other processes: that hash seeds do not matter.

    Examples
    --------
    >>> from satsuma.extend import checks
    >>> from satsuma import Majority
    >>> name, check = checks(Majority())[0]
    >>> name
    'law 6: tables stay as they are'
    >>> check()
    """
    asked = _asked(laws)
    found: list[tuple[str, Callable[[], None]]] = []
    either = aims(learner)
    for law in [LAWS[number - 1] for number in _ORDER if number in asked]:
        for check in (*law.checks, *(law.slow if slow else ())):
            name = f"law {law.number}: {check.__name__.replace('_', ' ')}"
            for one in either:
                which = f" ({one.takes.target})" if len(either) > 1 else ""
                found.append((f"{name}{which}", _bound(law, check, one)))
    return found


def check_learner(
    learner: Learner, laws: Iterable[int] | None = None, *, slow: bool = False
) -> None:
    """Put a learner to the laws, on tables made from what it says it takes.

    The first law that it breaks raises an error that names the law, the table and what differed;
    the table is also kept in the error.

    Parameters
    ----------
    learner
        With the parameters that are to be checked.
    laws
        The numbers of some laws, from 1 to 8; all if not given.
    slow
        Whether to check also what takes other processes: that hash seeds do not matter.

    Raises
    ------
    LawBroken
        An ``AssertionError``.

    Examples
    --------
    >>> from satsuma.extend import check_learner
    >>> from satsuma import Majority
    >>> check_learner(Majority(), laws=[1, 5])
    """
    if not isinstance(cast("Any", learner), Learner):
        made = " Call it first: check_learner(MyLearner())." if isinstance(learner, type) else ""
        raise ParameterError(f"check_learner takes a learner, not {learner!r}.{made}")
    for _, check in checks(learner, laws, slow=slow):
        check()


def _asked(laws: Iterable[int] | None) -> list[int]:
    known = [law.number for law in LAWS]
    asked = known if laws is None else list(laws)
    if unknown := [law for law in asked if law not in known]:
        raise ParameterError(f"There is no law {unknown[0]!r}. The laws are 1 to {known[-1]}.")
    return asked


def _bound(law: Law, check: Check, learner: Learner) -> Callable[[], None]:
    def run() -> None:
        try:
            check(learner)
        except LawBroken as broken:
            table = "" if broken.table is None else f" on the table {broken.table.name!r}"
            sentence = f"{learner!r} breaks law {law.number} ({law.says}){table}: {broken.what}"
            raise LawBroken(f"{sentence.rstrip('.')}.", broken.table, law.number) from broken

    return run
