"""BlockLearner: classifiers made of what each block of columns says of the class, in one round."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, ClassVar, cast

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError, SatsumaError, check_choice
from satsuma.learners.estimator.sparse_rows import in_blocks
from satsuma.learners.generative.blocks import Assignment, BlockColumns
from satsuma.learners.generative.left_out import generative_left_out
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.own_prior import check_prior, estimated_prior, own_prior
from satsuma.learners.generative.own_temperature import Calibration
from satsuma.learners.generative.threshold import Scored, check_two_classes
from satsuma.learners.learner import TallyLearner
from satsuma.learners.left_out import LeftOut
from satsuma.learners.parameters import parameter_names
from satsuma.learners.takes import Takes
from satsuma.likelihoods.block import PriorBlock, SampleBlock
from satsuma.numerics.arrays import Floats
from satsuma.tallies.by_class import ByClass
from satsuma.tallies.composite import Composite
from satsuma.tallies.row_sample import RowSample

#: What a block makes of rows that are kept, of some columns.
Sampled = Callable[[SampleBlock, tuple[str, ...]], Any]


@lru_cache(maxsize=64)
def _parameters(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What gives all parameters of a learner at once."""
    names = parameter_names(kind)
    if len(names) > 1:
        return attrgetter(*names)
    return lambda learner: tuple(getattr(learner, name) for name in names)


# Kept by class and parameters, of which it is a function: each batch of a stream asks for it.
@lru_cache(maxsize=256)
def _assignment(kind: type["BlockLearner"], parameters: tuple[Any, ...]) -> Assignment:
    made = kind(**dict(zip(parameter_names(kind), parameters, strict=True))).assign()
    made.check()  # what is refused is not kept: m=True equals m=1, which is fine
    return made


class BlockLearner(TallyLearner[Composite]):
    """What learners that are made of blocks share: `block_columns` says which blocks these are.

    Such a learner is a dataclass with ``eq=False, repr=False``. It may also have the parameters
    `prior`, `adjust_threshold` and `calibrate` of `Generative`.
    """

    # Without a type: what has one is a parameter of every class below this one.
    prior = cast("Any", None)
    adjust_threshold = False
    calibrate = False

    #: What the models are.
    model_kind: ClassVar[type[GenerativeModel]] = GenerativeModel

    @in_blocks
    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Rows by classes: the logarithm of the prior, and what the columns add to it.

        It is as the model believes, before probabilities are calibrated.
        """
        model, table = self.asked_rows(X)
        return cast("GenerativeModel", model).log_joint(table)

    @abstractmethod
    def block_columns(self) -> list[BlockColumns]:
        """The blocks, and the columns that each is to take."""

    def assign(self) -> Assignment:
        """What follows from the blocks, made anew."""
        rounds, blocks = "many" if self.adjust_threshold else "one", self.block_columns()
        sampled = self._calibrates(blocks) or any(isinstance(b.block, SampleBlock) for b in blocks)
        return Assignment(blocks, rounds, sampled=sampled)

    def _calibrates(self, blocks: Sequence[BlockColumns]) -> bool:
        """Whether models are calibrated, by rows that are kept."""
        # Where classes are more frequent than among the rows, other probabilities are right.
        own = isinstance(self.prior, Mapping)
        return bool(self.calibrate) and not own and not any(each.by_rows for each in blocks)

    @property
    def assignment(self) -> Assignment:
        """Which block takes which columns; kept for parameters that cannot change."""
        kind = type(self)
        try:
            return _assignment(kind, _parameters(kind)(self))
        except TypeError:  # one without a hash, such as a list, could change; one may be wrong
            return self.assign()

    @property
    def takes(self) -> Takes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What its blocks take; an adjusted threshold takes one round more."""
        return self.assignment.takes

    @property
    def tally_kind(self) -> Assignment:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Learners that differ in what they conclude, and not in what they tally, share it."""
        return self.assignment

    @property
    def finds_infinite(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether all blocks that take numbers refuse an infinite one."""
        return self.assignment.finds_infinite

    def check(self) -> None:
        """The parameters of every block are what they can be."""
        self.assignment.check()
        check_prior(self)
        check_choice(self, "adjust_threshold", (False, True))
        check_choice(self, "calibrate", (False, True))

    def check_data(self, data: Table | Source) -> None:
        """Raise if the parameters are wrong, or if this cannot be learned from, and say why."""
        super().check_data(data)
        self.assignment.check_columns(data.domain)
        if self.adjust_threshold:
            check_two_classes(self, data.domain)

    def _model_of(self, tally: Composite, data: Table | Source) -> Any:
        """The model that follows from a tally, or from the rows where these are needed too."""
        if self.takes.rounds == "one":
            return self.concluded(tally)
        model = self._model(tally, data if isinstance(data, Table) else None)
        model.domain = tally.domain
        if self.adjust_threshold:
            model.threshold = reduce(data, partial(Scored.of, model)).best()
        return model

    def conclude(self, tally: Composite) -> GenerativeModel:
        """The probability of each class, and what each block says."""
        if self.takes.rounds != "one":
            raise SatsumaError(f"{self!r} needs the rows, not a tally of them alone.")
        return self._model(tally, None)

    def model_without(self, tally: Composite, sample: RowSample, fold: int) -> GenerativeModel:
        """The model that follows from a tally without the rows of a fold, not calibrated."""

        def sampled(block: SampleBlock, columns: tuple[str, ...]) -> Any:
            return block.of_sample(sample, columns, fold)

        model = self._concluded(tally, None, sampled)
        model.domain = tally.domain
        return model

    def model_as(self, tally: Composite, before: Sequence[Any]) -> GenerativeModel:
        """The model that follows from a tally alone; what followed from a sample stays as it is."""

        def sampled(block: SampleBlock, columns: tuple[str, ...]) -> Any:
            mine = (each for each in before if isinstance(each, block.sampled_kinds))
            return [each for each in mine if {*each.names} <= {*columns}]

        model = self._concluded(tally, None, sampled)
        model.domain, model.learner = tally.domain, self._alike()
        return model

    def concluded_alike(self, tally: Composite, before: GenerativeModel) -> GenerativeModel | None:
        """The model that follows from a tally, with what another one of such rows has chosen.

        That is what followed from a sample of rows, its temperature too. None where there is no
        sample, or other values or classes are known.
        """
        if tally.get(RowSample) is None or tally.domain is not before.domain:
            return None
        model = self.model_as(tally.without(RowSample), before.evidence)
        model.keep_temperature_of(before)
        return model

    def _model(self, tally: Composite, table: Table | None) -> GenerativeModel:
        sample, rest = tally.get(RowSample), tally.without(RowSample)

        def sampled(block: SampleBlock, columns: tuple[str, ...]) -> Any:
            return [] if sample is None else block.of_sample(sample, columns)

        model = self._concluded(rest, table, sampled)
        if sample is not None:
            model.keep(
                Calibration(self, rest, sample), calibrate=self._calibrates(self.assignment.blocks)
            )
        return model

    def _concluded(
        self, tally: Composite, table: Table | None, sampled: Sampled
    ) -> GenerativeModel:
        prior, parts = self._estimated_prior(tally), iter(tally.parts)
        found: list[Any] = []
        for each in self.assignment.within(tally.domain):
            if each.by_rows:
                assert table is not None, "a source is refused"
                evidence = each.block.learn(each.within(table))
            elif isinstance(each.block, SampleBlock):
                mine = sampled(each.block, each.columns or ())
                evidence: Any = each.block.conclude(next(parts), mine)
            else:
                evidence = _said(each.block, next(parts), prior)
            if not isinstance(evidence, list):
                if not hasattr(evidence, "names"):
                    evidence.names = each.columns
                evidence = [evidence]
            found += evidence
        return self.model_kind(self._own_prior(tally.domain, prior), found, tally)

    def left_out(self, rows: Table) -> LeftOut | None:
        """What is predicted of rows by all others; see `PredictsLeftOut`."""
        if self.takes.rounds != "one":
            return None
        model = cast("GenerativeModel", self(rows))

        def prior_of(weight: Floats) -> Floats:
            return self._own_prior(rows.domain, self._estimated(weight))

        return generative_left_out(model, self.assignment, prior_of, rows)

    def _own_prior(self, domain: Domain, estimated: Floats) -> Floats:
        return own_prior(self.prior, domain, estimated)

    def _estimated_prior(self, tally: Composite) -> Floats:
        return self._estimated(
            next(part.class_weight for part in tally.parts if isinstance(part, ByClass))
        )

    def _estimated(self, weight: Floats) -> Floats:
        if not weight.sum() > 0:
            raise DomainError(
                f"{type(self).__name__} was given no row of a known class whose weight is not "
                f"zero. Give some rows a class and a weight."
            )
        return estimated_prior(self.prior, weight)


def concluded_alike(learner: Any, tally: Any, before: Any) -> GenerativeModel | None:
    """What `BlockLearner.concluded_alike` says; None of any other learner, or of one's own."""
    if not isinstance(learner, BlockLearner):
        return None
    if type(learner).conclude is not BlockLearner.conclude:
        return None
    return learner.concluded_alike(tally, before)


def _said(block: Any, tally: Any, prior: Floats) -> Any:
    return block.conclude(tally, prior) if isinstance(block, PriorBlock) else block.conclude(tally)
