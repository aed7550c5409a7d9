"""GenerativeModel: the prior of each class, and what the columns say."""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import refuse_infinite
from satsuma.data.fields import FloatArray, Instance, Many, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import NoSuchColumn, ReadError, SatsumaError
from satsuma.kernels.posterior import choose, normalise, temperatures
from satsuma.kernels.threads import map_tiles
from satsuma.learners.explanation import PRIOR, Explanation, asked_classes, odds, said_of
from satsuma.learners.generative.conditionals import Conditionals
from satsuma.learners.generative.own_temperature import (
    Calibration,
    heat_of,
    known_cells,
    width_of,
)
from satsuma.learners.generative.plain_rows import PlainRows, plain_answer
from satsuma.learners.generative.random_rows import sample_rows
from satsuma.learners.generative.threshold import odds_of
from satsuma.learners.generative.vectorised import (
    KernelEvidence,
    codes_by_only_evidence,
    codes_in_one_pass,
    probabilities_in_one_pass,
)
from satsuma.learners.model import Classifier, Query, Scale
from satsuma.learners.predictions import (
    Distribution,
    Get,
    GetValue,
    redefines,
)
from satsuma.likelihoods.block import Evidence
from satsuma.likelihoods.categorical import Shares
from satsuma.numerics.arrays import Floats
from satsuma.tallies.base import Folds
from satsuma.tallies.composite import Composite
from satsuma.tallies.row_sample import RowSample

#: Rows of a tile: few enough for what is said of them to stay in the cache.
TILE = 1 << 13


class GenerativeModel(Classifier):
    """The prior of each class, and the evidence of the columns, which adds up.

    Parameters
    ----------
    prior
        By class.
    evidence
        What each block of columns says.
    tally
        What it follows from.
    """

    schema: ClassVar[Schema] = Schema(
        prior=FloatArray("classes", low=0, sums_to_one=True),
        evidence=Many(Instance(Evidence)),
        tally=Instance(Composite),
        threshold=Maybe(Number()),
        temperature=Number(low=1e-3, high=1e3),
    )

    def check_state(self) -> None:
        """Evidence is about the columns and classes of the model, each once."""
        super().check_state()
        known = {v.name: v for v in self.domain.attributes}
        names = [name for each in self.evidence for name in each.names]
        if len(set(names)) < len(names) or not known.keys() >= set(names):
            raise ReadError("the evidence of the model is about columns that it does not have")
        for each in self.evidence:
            each.check_columns([known[name] for name in each.names], len(self.classes))
        if self.threshold is not None and len(self.classes) != 2:
            raise ReadError("a threshold needs two classes")

    def __init__(self, prior: Floats, evidence: Sequence[Evidence], tally: Composite) -> None:
        self.prior, self.evidence, self.tally = prior, list(evidence), tally
        #: From which probability on the second of two classes is predicted, if not the larger.
        self.threshold: float | None = None

    def keep(self, calibration: Calibration, *, calibrate: bool) -> None:
        """Keep some rows, to forget by, and to be calibrated by once it is asked."""
        self._rows_kept = calibration.sample
        if calibrate:
            self._calibration = calibration

    def keep_temperature_of(self, before: "GenerativeModel") -> None:
        """Be calibrated as another model is, once it is asked."""
        self._as_warm_as = before

    @cached_property
    def temperature(self) -> float:
        """By what log-odds are divided where all cells are known; 1 where nothing is calibrated.

        The same classes are predicted. With fewer cells known it is nearer to 1, and what a single
        column says is believed as it is. The rows by which it is found are not saved.
        """
        before: GenerativeModel | None = vars(self).get("_as_warm_as")
        if before is not None:
            return before.temperature
        calibration: Calibration | None = vars(self).get("_calibration")
        return 1.0 if calibration is None else calibration.temperature()

    @property
    def heat(self) -> float:
        """What each known cell but the first adds to the temperature of a row."""
        return heat_of(self.temperature, width_of(self.domain, self.evidence))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "temperature": self.temperature}

    def __call__(self, query: Query | Table, what: Get = GetValue) -> Any:
        """The most probable class, the probabilities of all, or both."""
        found = plain_answer(self, query, what) if query.__class__ is dict else None
        return super().__call__(query, what) if found is None else found

    def probabilities(self, batch: Table) -> Floats:
        """Rows by classes; a row that is impossible for every class gets the prior."""
        kernel, others = self.parts()
        if not others:
            joint = kernel.joint.heated(self.heat)
            found, lost = joint.probabilities(*kernel.columns(batch), rows=len(batch))
            return self.possible(found, lost, batch)
        found, heat = np.empty((len(batch), len(self.prior))), self.heat
        return self.possible(found, self._tiled(batch, partial(normalise, out=found), heat), batch)

    def plain_rows(self) -> PlainRows | None:
        """What answers rows of plain cells, one at a time; None where that cannot be."""
        if "_plain" not in vars(self):
            own = (type(self).codes, type(self).probabilities, type(self).chosen)
            mine = (GenerativeModel.codes, GenerativeModel.probabilities, GenerativeModel.chosen)
            self._plain = PlainRows.of(self) if own == mine else None
        return self._plain

    def codes(self, batch: Table) -> npt.NDArray[np.int32]:
        """The class that is predicted for each row, as a code."""
        newer = any(redefines(self, each, "codes") for each in ("chosen", "probabilities"))
        if newer or self.threshold is not None:
            return self.chosen(self.probabilities(batch))
        kernel, others = self.parts()
        if not others:
            found, lost = kernel.joint.most_probable(*kernel.columns(batch), rows=len(batch))
            return self.possible(found, lost, batch)
        found = codes_by_only_evidence([self], None, batch)
        return self.codes_by_probabilities(batch) if found is None else found

    @classmethod
    def codes_by_model(
        cls, models: Sequence[Self], which: Folds, batch: Table
    ) -> npt.NDArray[np.int32] | None:
        """`codes`, each row by a model of its own, in one pass; None where that cannot be."""
        return codes_in_one_pass(models, np.ascontiguousarray(which, np.int32), batch)

    @classmethod
    def probabilities_by_model(
        cls, models: Sequence[Self], which: Folds, batch: Table
    ) -> Floats | None:
        """`probabilities` in the same way."""
        return probabilities_in_one_pass(models, np.ascontiguousarray(which, np.int32), batch)

    def codes_by_probabilities(self, batch: Table) -> npt.NDArray[np.int32]:
        """`codes` by way of the probabilities."""
        found = np.empty(len(batch), np.int32)
        return self.possible(found, self._tiled(batch, partial(choose, out=found)), batch)

    def chosen(self, probabilities: Floats) -> npt.NDArray[np.int32]:
        """The most probable class, the first of several; or the second from the threshold on."""
        if self.threshold is None:
            return probabilities.argmax(axis=1).astype(np.int32)
        return (probabilities[:, 1] >= self.threshold).astype(np.int32)

    def log_evidence(self, batch: Table) -> Floats:
        """Rows by classes: what the columns say, without the prior."""
        none = np.zeros((len(batch), len(self.prior)))
        return none + sum(each.log_evidence(batch) for each in self.evidence)

    def log_joint(self, batch: Table) -> Floats:
        """Rows by classes: the logarithm of the prior, and what the columns add to it."""
        kernel, others = self.parts()
        found = kernel.joint.log_joint(*kernel.columns(batch), rows=len(batch))
        for each in others:
            found += each.log_evidence(batch)
        return found

    def log_scores(self, batch: Table) -> Floats:
        """The logarithms of the probabilities, but for a constant in each row."""
        with np.errstate(divide="ignore"):
            found = np.log(self.prior) + np.zeros((len(batch), 1))
        for each in self.evidence:
            found += _ratios(each)(batch)
        return found / temperatures(known_cells(batch, self.evidence), self.heat)[:, None]

    def heat_of_known(self) -> float:
        """The temperature of a row whose cells are all known."""
        known = np.array([width_of(self.domain, self.evidence)])
        return float(temperatures(known, self.heat)[0])

    @property
    def distribution(self) -> Distribution:
        """How probable each class is before anything is seen."""
        return Distribution(self.classes, self.prior)

    @property
    def conditional_distributions(self) -> Conditionals:
        """How probable each class is where one column alone is known, by name of the column."""
        return Conditionals(self)

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What the prior and each column add to the log-odds of a class against another.

        The parameters are those of `Classifier.explain`.

        Notes
        -----
        All parts are divided by the temperature of the row, see `temperature`.

        What columns say together is shared out exactly by Gaussians of several columns, see
        `MultivariateGaussian`. A block of your own that does not share it out has Shapley values:
        estimates, of more than eight columns, and then the explanation is not `exact`.

        The class is predicted where the sum is above zero; where the threshold was adjusted, from
        the `threshold` of the explanation on.
        """
        chances = self.probabilities(batch := self._rows(query))
        this, other = asked_classes(self, chances, value, against)
        with np.errstate(divide="ignore"):
            prior = np.log(self.prior)
        heat = float(temperatures(known_cells(batch, self.evidence), self.heat)[0])
        parts, errors = {PRIOR: odds(prior, this, other) / heat}, dict[str, float]()
        for each in self.evidence:
            said = said_of(each, batch, this, other)
            parts |= {name: part / heat for name, part in said.parts.items()}
            errors |= {name: error / heat for name, error in said.errors.items()}
        return Explanation(
            self.classes[this],
            self.classes[other],
            parts,
            odds_of(self.threshold, this),
            self.classes[int(self.chosen(chances)[0])],
            exact=not errors,
            errors=errors,
        )

    def forget(self, rows: Table) -> "GenerativeModel":
        """The model that would have been learned without some rows, which are taken out again.

        Values and classes that are gone stay known, with nothing seen of them. What cannot be taken
        out exactly enough, or was never put in as far as that can be told, raises an error; so
        does a threshold that was adjusted, and a block that needs all rows.
        """
        learner: Any = self.learner
        if not learner.in_one_round():
            raise SatsumaError(f"{learner!r} needs all rows to learn anew. Learn without these.")
        learner.check_data(rows)
        sample: RowSample | None = vars(self).get("_rows_kept")
        if sample is None:  # the rows that it was calibrated by are not at hand
            rest = self.tally - learner.tally(rows).without(RowSample)
            model = learner.model_as(rest, self.evidence)
            model.temperature = self.temperature
            return model
        sampled = Composite(self.domain, [*self.tally.parts, sample])
        return learner.concluded(sampled - learner.tally(rows))

    def sample(self, n: int, of: str | None = None, seed: int = 0) -> Table:
        """Rows drawn from what the model believes: of a class, or of all by their prior.

        No cell is missing but where the model says nothing of the column in the class. A block
        that does not say how probable a value is in a class, as Loess, is refused.

        Parameters
        ----------
        n
            How many rows.
        of
            The class; unless given, each row is of a class that is drawn by the prior.
        seed
            The seed of everything random.

        Examples
        --------
        >>> import satsuma
        >>> model = satsuma.NaiveBayes(satsuma.load("iris"))
        >>> model.sample(3, of="setosa", seed=1)["Species"].tolist()
        ['setosa', 'setosa', 'setosa']
        """
        return sample_rows(self, n, of, seed)

    def about(self, name: str) -> Evidence:
        """What was learned of a column."""
        for each in self.evidence:
            if name in each.names:
                return each
        raise NoSuchColumn(name, [name for each in self.evidence for name in each.names])

    def p(self, value: str, query: Query) -> float:
        """The probability of a class and of what the row shows, together: not normalised."""
        return float(np.exp(np.minimum(self.log_p(value, query), 709.0)))

    def log_p(self, value: str, query: Query) -> float:
        """The logarithm of `p`, which does not vanish where many columns are multiplied."""
        code, batch = self.target.code(value), self._rows(query)
        return float(self.log_joint(batch)[0, code])

    def likelihood(self, name: str, value: str, given: str) -> float:
        """How probable a value of a symbolic column is in a class."""
        told = {n: each for each in self.evidence if isinstance(each, Shares) for n in each.names}
        if name not in told:
            raise NoSuchColumn(name, told)
        return float(told[name][name][self.domain[name].code(value), self.target.code(given)])

    def parts(self) -> tuple[KernelEvidence, list[Evidence]]:
        """Gaussians and tables of symbols in one, for a kernel of their own, and all others."""
        made: tuple[KernelEvidence, list[Evidence]] | None = vars(self).get("_made")
        if made is None:
            made = self._made = KernelEvidence.split(self.prior, self.evidence)
        return made

    def _tiled(self, batch: Table, finish: Any, heat: float = 0.0) -> int:
        """How many rows were impossible; the rest is where `finish` puts it."""
        with np.errstate(divide="ignore"):
            log_prior = np.log(self.prior)

        kernel, others = self.parts()
        saying = [_ratios(each) for each in others]

        def work(lo: int, hi: int) -> int:
            tile = batch[lo:hi]
            joint = kernel.joint.log_joint(*kernel.columns(tile), rows=len(tile))
            for said in saying:
                joint += said(tile)
            if heat:
                joint /= temperatures(known_cells(tile, self.evidence), heat)[:, None]
            return finish(joint, log_prior, lo)

        return sum(map_tiles(work, len(batch), tile=TILE))

    def possible(self, found: Any, lost: int, batch: Table) -> Any:
        """What was found, once it is sure that no row was impossible for an infinite number."""
        if lost:
            refuse_infinite_cells(batch)
        return found

    def __str__(self) -> str:
        from satsuma.learners.generative.show import show

        return show(self)

    def _repr_html_(self) -> str:
        from satsuma.learners.generative.show import show_html

        return show_html(self)


def _ratios(evidence: Any) -> Any:
    """What is enough to decide between classes."""
    newer = redefines(evidence, "log_evidence", "log_ratios")
    # A user's evidence may have nothing but `log_evidence`.
    return evidence.log_evidence if newer else evidence.log_ratios


def refuse_infinite_cells(batch: Table) -> None:
    """Raise if a number of an attribute is infinite, naming column and row."""
    for variable in batch.domain.attributes:
        if variable.kind == "num":
            refuse_infinite(variable.name, batch.column(variable.name))
