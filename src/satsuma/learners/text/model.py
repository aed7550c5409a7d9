"""TextModel: what words say of the classes."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import (
    LARGE,
    ByName,
    Flag,
    FloatArray,
    IntArray,
    Many,
    Maybe,
    Number,
    Word,
)
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels import posterior
from satsuma.learners.explanation import PRIOR, Explanation
from satsuma.learners.matrix_learner import check_seen
from satsuma.learners.model import Classifier, Query, Scale
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.marks import Marks
from satsuma.prepare.sentence_encoder import SentenceEncoder, sentence_encoder
from satsuma.prepare.tf_idf import TfIdf

#: What words that are not listed one by one are called together.
REST = "(all other words)"

#: One question of so many is that of a single scorer, where a class is sought.
TURN = 3

#: What the vectors of sentences add.
SENTENCES = "(sentences as a whole)"


class TextModel(Classifier):
    """Log-odds as a sum over the words of a row.

    Parameters
    ----------
    words
        The words, and how telling each is.
    seen
        The codes of the classes that were there in learning, the sought one last of two.
    slopes
        What each word, and each mark of the other columns, adds to the score of each class; with
        two classes, of the second alone.
    constants
        What is added without any word.
    cuts
        Where the intervals of numbers beside the texts end, by name.
    encoder
        The model of sentences whose vectors were learned from as well. It stays where it is: a file
        of this model has the path of its folder, and what tells whether it is still the same.
    explorer
        What each word adds to the score of a single scorer, which chooses every third row to ask
        about; see `Text`. It is of use while labels come in, and a file of the model lacks it.
    """

    schema: ClassVar[Schema] = Schema(
        "words",
        "seen",
        "scores",
        "marks",
        "cuts",
        "numbers",
        words=Many(Word(), size="words"),
        rarity=FloatArray("words", low=0),
        unknown=Number(low=0),
        pairs=Flag(),
        seen=IntArray("seen", below="classes", dtypes=(np.int64, np.int32)),
        slopes=FloatArray("scores", "words", low=-LARGE, high=LARGE),
        beside=Maybe(FloatArray("scores", "marks", low=-LARGE, high=LARGE), optional=True),
        cuts=Maybe(ByName(FloatArray("cuts")), optional=True),
        sentences=Maybe(FloatArray("scores", "numbers", low=-LARGE, high=LARGE), optional=True),
        embeddings=Maybe(Word(), optional=True),
        digest=Maybe(Word(), optional=True),
        constants=FloatArray("scores", low=-LARGE, high=LARGE),
    )

    def check_state(self) -> None:
        """There are scores for the classes that were seen, each once."""
        super().check_state()
        check_seen(self.seen, len(self.constants))
        if len(set(self.words)) < len(self.words):
            raise ReadError("the words of the model are not distinct")
        cuts = self._cuts
        if any((np.diff(each) <= 0).any() for each in cuts.values()):
            raise ReadError("the cuts of a column are not in order")
        others = {v.name for v in self.domain.attributes if v.kind == "num"}
        if {*cuts} - others or self._of_names.shape[1] != len(self._names):
            raise ReadError("the model has cuts or slopes of other columns")
        absent = {vars(self).get(name) is None for name in ("sentences", "embeddings", "digest")}
        folder = str(vars(self).get("embeddings")).replace("\\", "/")
        if len(absent) > 1 or folder.startswith("//"):
            raise ReadError("the model does not say which folder on this machine it reads with")

    def __init__(
        self,
        words: TfIdf,
        seen: Array,
        slopes: Floats,
        constants: Floats,
        cuts: Mapping[str, Floats],
        *,
        encoder: SentenceEncoder | None = None,
        explorer: Floats | None = None,
    ) -> None:
        self.words, self.rarity, self.pairs = words.words, words.rarity, words.pairs
        self.unknown = words.unknown
        self.seen, self.constants = seen, constants
        size = 0 if encoder is None else encoder.size
        ends = [len(words.words), slopes.shape[1] - size]
        self.slopes, beside, sentences = np.split(slopes, ends, axis=1)
        if beside.shape[1]:
            self.beside, self.cuts = beside, dict(cuts)
        if encoder is not None:
            self.sentences = sentences
            self.embeddings, self.digest = encoder.folder, encoder.digest
        self._known, self._explorer = words, explorer

    @property
    def vocabulary(self) -> TfIdf:
        """The words, and how telling each is; made anew in a model that was opened from a file."""
        found: TfIdf | None = vars(self).get("_known")
        if found is None:
            found = self._known = TfIdf(self.words, self.rarity, self.unknown, pairs=self.pairs)
        return found

    @property
    def _marks(self) -> Marks:
        """What numbers and symbols beside the texts count as."""
        return Marks(self.domain, self._cuts)

    @property
    def _cuts(self) -> dict[str, Floats]:
        return vars(self).get("cuts") or {}

    @property
    def _of_names(self) -> Floats:
        """What each word and mark adds to the score of each class."""
        beside: Floats | None = vars(self).get("beside")
        return self.slopes if beside is None else np.hstack([self.slopes, beside])

    @property
    def _slopes(self) -> Floats:
        """What each word and mark, and each number of a sentence, adds to the scores."""
        sentences: Floats | None = vars(self).get("sentences")
        return self._of_names if sentences is None else np.hstack([self._of_names, sentences])

    @property
    def _names(self) -> list[str]:
        return [*self.words, *self._marks.names]

    @property
    def _encoder(self) -> SentenceEncoder | None:
        """The model of sentences, if there is one, and it is what was learned with."""
        if vars(self).get("embeddings") is None:
            return None
        found = sentence_encoder(self.embeddings)
        if found.digest != self.digest:
            raise ReadError(
                "this is not the model of sentences that was learned with", file=self.embeddings
            )
        return found

    def matrix(self, batch: Table) -> Any:
        """Rows by words, by marks of the other columns and by numbers of sentences, sparse."""
        words, marks, encoder = self.vocabulary.matrix(batch), self._marks, self._encoder
        views: list[Any] = [words]
        if marks.names:
            views.append(marks.matrix(batch))
        if encoder is not None:
            views.append(encoder.matrix(batch))
        return side_by_side(*views)

    @property
    def sought(self) -> str:
        """The class that rows are searched for; with more than two, the last."""
        return self.classes[int(self.seen[-1])]

    def scores(self, batch: Table) -> Floats:
        """Rows by classes that were seen: the higher, the surer. With two classes, 0 and one."""
        found: Floats = self.matrix(batch) @ self._slopes.T + self.constants
        return found if len(self.seen) > 2 else np.column_stack([np.zeros(len(found)), found])

    def ranks_in_turn(self, batch: Table, labels: int) -> Floats | None:
        """Scores of rows to ask about after so many labels, if it is the single scorer's turn."""
        slopes: Floats | None = vars(self).get("_explorer")
        if slopes is None or labels % TURN:
            return None
        found: Floats = self.matrix(batch)[:, : len(slopes)] @ slopes
        return found

    def probabilities(self, batch: Table) -> Floats:
        """In proportion to the exponents of the scores."""
        made = np.zeros((len(batch), len(self.classes)))
        if len(self.seen) == 1:
            made[:, self.seen] = 1.0
            return made
        scores = np.ascontiguousarray(self.scores(batch))
        found = np.empty_like(scores)
        posterior.normalise(scores, np.zeros(len(self.seen)), 0, found)
        made[:, self.seen] = found
        return made

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None, most: int = 10
    ) -> Explanation:
        """The words that drive a guess: what each adds to the log-odds of a class.

        Parameters
        ----------
        query
            A row.
        value
            The class; the one that is predicted unless given.
        against
            The other; the most probable one beside it unless given.
        most
            How many words are told one by one.
        """
        batch = self._rows(query)
        order: list[int] = np.argsort(-self.probabilities(batch)[0], kind="stable").tolist()
        this = order[0] if value is None else self.target.code(value)
        others = [code for code in order if code != this]
        other = others[0] if against is None else self.target.code(against)
        row, slope = self.matrix(batch), self._slope(this) - self._slope(other)
        every: Floats = row.toarray()[0] * slope[1:]
        names = self._names
        added, whole = every[: len(names)], every[len(names) :]
        first = np.argsort(-np.abs(added), kind="stable")[:most]
        listed: list[int] = first.tolist()
        parts = {names[at]: float(added[at]) for at in listed if added[at]}
        parts[REST] = float(np.delete(added, first).sum())
        if len(whole):
            parts[SENTENCES] = float(whole.sum())
        told = {**parts, PRIOR: float(slope[0])}
        predicted = self.classes[order[0]]
        return Explanation(self.classes[this], self.classes[other], told, predicted=predicted)

    def _slope(self, code: int) -> Floats:
        """What no word and each word add to the score of a class."""
        at = int(np.flatnonzero(self.seen == code)[0]) if code in self.seen else -1
        at = at - 1 if len(self.seen) == 2 else at
        if at < 0:
            width: int = self._slopes.shape[1]
            return np.zeros(1 + width)
        return np.concatenate([self.constants[at : at + 1], self._slopes[at]])

    def drivers(self, value: str | None = None, n: int = 10) -> list[tuple[str, float]]:
        """The words that say most for a class, and what they add: of the sought one by default."""
        code = self.target.code(self.sought if value is None else value)
        slope = self._slope(code)[1:]
        if len(self.seen) == 2 and code == self.seen[0]:
            slope = -self._slope(int(self.seen[1]))[1:]
        names = self._names
        best: Any = np.argsort(-slope[: len(names)], kind="stable")[:n].tolist()
        return [(names[at], float(slope[at])) for at in best]

    def __str__(self) -> str:
        if len(self.seen) == 1:
            return f"{self.target.name} is always {self.classes[int(self.seen[0])]}"
        others = sum(v.kind != "text" for v in self.domain.attributes)
        more = f", and {others} other column{'s' if others > 1 else ''}" if others else ""
        lines = [f"{self.target.name}, by {len(self.words):,} words and pairs of words{more}"]
        told = self.seen[1:] if len(self.seen) == 2 else self.seen
        codes: list[int] = told.tolist()
        names = [self.classes[code] for code in codes]
        lines += [f"{name}: {', '.join(word for word, _ in self.drivers(name))}" for name in names]
        return "\n".join(lines)


def side_by_side(*views: Any) -> Any:
    """Rows by the columns of all views, one view after the other."""
    from scipy import sparse

    if len(views) == 1:
        return views[0]
    made: Any = sparse
    return made.hstack(views, format="csr")
