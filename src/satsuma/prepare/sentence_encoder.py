"""SentenceEncoder: texts as vectors, by a model in a folder on this machine (embeddings)."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.errors import ReadError, require_extra
from satsuma.numerics.arrays import Floats
from satsuma.prepare.tf_idf import text_cells

#: Where the model is in a folder, and how it takes texts apart.
_MODELS, _TOKENIZER = ("model.onnx", "onnx/model.onnx"), "tokenizer.json"

#: Pieces of a text that are read, if the tokenizer does not say how many.
_LONGEST = 256

#: Vectors of so many texts stay at hand, or of all in one table that has more.
_KEPT = 50_000

#: What a model may ask for: the pieces of a text, which of them count, and whose they are.
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")

#: The output that is a vector of the whole text, if there is one.
_SENTENCE = "sentence_embedding"

_Vector = npt.NDArray[np.float32]


class SentenceEncoder:
    """Texts as vectors of length 1: those that mean much the same are near each other.

    A text is read by itself, so that its vector depends on nothing else. A row without text is 0.

    Parameters
    ----------
    folder
        Where ``model.onnx`` and ``tokenizer.json`` are. The model gives a vector for each piece of
        a text, whose mean is taken, or for the whole of it.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        model, tokenizer = _files(folder)
        with require_extra("embeddings", "A model of sentences", "onnxruntime and tokenizers"):
            import onnxruntime
            import tokenizers
        runtime: Any = onnxruntime
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        try:
            only = ["CPUExecutionProvider"]
            self._session: Any = runtime.InferenceSession(str(model), options, providers=only)
        except Exception as error:  # noqa: BLE001 - its errors have no class of their own
            raise _refusal(model, "this is not a model that onnxruntime reads", error) from None
        try:
            text = tokenizer.read_text("utf-8")
            self._tokenizer: Any = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # noqa: BLE001 - it raises no other
            raise _refusal(tokenizer, "this is not a tokenizer", error) from None
        self.digest = sha256(model.read_bytes() + text.encode()).hexdigest()
        self._tokenizer.no_padding()
        if self._tokenizer.truncation is None:
            self._tokenizer.enable_truncation(_LONGEST)
        self._inputs = {each.name: each.type for each in self._session.get_inputs()}
        outputs = [each.name for each in self._session.get_outputs()]
        self._output = _SENTENCE if _SENTENCE in outputs else outputs[0]
        if "input_ids" not in self._inputs or set(self._inputs) - {*_INPUTS}:
            asked = ", ".join(self._inputs)
            raise ReadError(f"a model of sentences takes input_ids, this one {asked}", file=folder)
        self._known: dict[str, _Vector] = {}
        self.size = len(self._run([[0], [1], [0]]))

    def matrix(self, batch: Table) -> Any:
        """Rows by numbers of their vectors, sparse; the texts of a row are read as one."""
        from scipy import sparse

        texts = ["\n".join(cell for cell in row if cell) for row in text_cells(batch)]
        made: Any = sparse
        return made.csr_matrix(self.vectors(texts))

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Texts by numbers."""
        known = self._known
        fresh = {text: self._vector(text) for text in dict.fromkeys(texts) if text not in known}
        if fresh:
            if len(known) + len(fresh) > _KEPT:
                known = {text: known[text] for text in texts if text in known}
            self._known = known = known | fresh
        made = np.array([known[text] for text in texts], np.float64)
        return made.reshape(len(texts), self.size)

    def _vector(self, text: str) -> _Vector:
        coded = self._tokenizer.encode(text)
        if not text.strip() or not coded.ids:
            return np.zeros(self.size, np.float32)
        found = self._run([coded.ids, coded.attention_mask, coded.type_ids])
        length = float(np.linalg.norm(found))
        return (found / length if length > 0 else found).astype(np.float32)

    def _run(self, pieces: list[list[int]]) -> Floats:
        """What the model gives for a text: a vector, or one for each piece, whose mean is taken."""
        given = dict(zip(_INPUTS, pieces, strict=True))
        fed = {
            name: np.array([given[name]], np.int32 if kind == "tensor(int32)" else np.int64)
            for name, kind in self._inputs.items()
        }
        try:
            (found,) = self._session.run([self._output], fed)
            found = np.asarray(found, np.float64)
        except Exception as error:  # noqa: BLE001 - its errors have no class of their own
            raise _refusal(self.folder, "the model cannot read a text", error) from None
        found = found.mean(axis=1) if found.ndim == 3 else found
        if found.ndim != 2 or len(found) != 1 or not np.isfinite(found).all():
            raise ReadError("the model does not give a vector of numbers", file=self.folder)
        return found[0]


def sentence_encoder(folder: str) -> SentenceEncoder:
    """The model in a folder; it is opened once, until one of its files is another."""
    stamps = tuple((each.stat().st_mtime_ns, each.stat().st_size) for each in _files(folder))
    return _opened(folder, stamps)


@lru_cache(maxsize=2)
def _opened(folder: str, stamps: tuple[tuple[int, int], ...]) -> SentenceEncoder:  # noqa: ARG001 - the key
    return SentenceEncoder(folder)


def _files(folder: str) -> tuple[Path, Path]:
    """The model and the tokenizer."""
    place = Path(folder)
    if not place.is_dir():
        raise ReadError("there is no such folder with a model of sentences", file=folder)
    model = next((place / name for name in _MODELS if (place / name).is_file()), None)
    if model is None or not (place / _TOKENIZER).is_file():
        name = _MODELS[0] if model is None else _TOKENIZER
        raise ReadError(f"the folder of a model of sentences has no {name}", file=folder)
    return model, place / _TOKENIZER


def _refusal(file: object, what: str, error: Exception) -> ReadError:
    first = " ".join(str(error).split())
    return ReadError(f"{what} ({first.removesuffix('.')})", file=str(file))
