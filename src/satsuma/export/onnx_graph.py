"""ONNX: a model as a graph of operations on columns, in floats of 64 bits."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from satsuma.errors import SatsumaError, require_extra
from satsuma.export.expressions import (
    Bits,
    Case,
    Cell,
    Code,
    Expression,
    Interval,
    Known,
    Lookup,
    Number,
    Operation,
    Place,
    Program,
    Text,
    Whole,
    in_order,
)
from satsuma.export.forms import program_of
from satsuma.export.onnx_trees import TreeAnswer, TreeTensors, ensemble_program

#: Operations of a graph that is loaded within seconds.
_MOST = 10_000

#: The versions of the two sets of operators, and of the file: those that had what is used first.
_OPSET, _ML_OPSET, _IR = 18, 3, 9

_OPERATIONS = {
    "sum": "Sum",
    "product": "Mul",
    "difference": "Sub",
    "quotient": "Div",
    "greatest": "Max",
    "exp": "Exp",
    "log": "Log",
    "every": "And",
    "some": "Or",
    "<=": "LessOrEqual",
    ">": "Greater",
    ">=": "GreaterOrEqual",
    "=": "Equal",
}

#: Operations of two inputs, which more are put through one after the other.
_OF_TWO = ("And", "Or", "Mul")


def to_onnx(model: Any) -> Any:
    """A model as an ONNX graph; see `Model.to_onnx`."""
    onnx, program = _onnx(), None
    if type(model).__module__.startswith("satsuma."):
        program = ensemble_program(model)
    program = program_of(model, "ONNX") if program is None else program
    return _Graph(onnx.helper, program).model(model)


def _onnx() -> Any:
    with require_extra("onnx", "An ONNX graph", "onnx"):
        import onnx
    return onnx


class _Graph:
    """The graph of a program.

    Parameters
    ----------
    helper
        What makes parts of graphs.
    program
        What is computed.
    """

    def __init__(self, helper: Any, program: Program) -> None:
        self.helper, self.program = helper, program
        self.nodes, self.constants = list[Any](), dict[Any, Any]()
        self.tensors = dict[int, str]()
        self.inputs = dict[str, Any]()
        self.classes = [name for name, _ in program.probabilities]

    def model(self, model: Any) -> Any:
        """All of it."""
        self._look_at_a_column(model)
        for each in in_order(self.program.outputs):
            self.tensors[id(each)] = self._written(each)
            if len(self.nodes) > _MOST:
                raise SatsumaError(
                    f"The graph would have more than {_MOST:,} operations, and be slow to load. "
                    f"Learn a smaller model, such as with fewer trees, or write SQL: "
                    f"model.to_sql()."
                )
        outputs = self._outputs()
        helper = self.helper
        graph = helper.make_graph(
            self.nodes,
            type(model).__name__,
            list(self.inputs.values()),
            outputs,
            list(self.constants.values()),
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", _ML_OPSET)]
        made = helper.make_model(
            graph, opset_imports=opsets, ir_version=_IR, producer_name="satsuma"
        )
        helper.set_model_props(made, {"model": type(model).__name__})
        return made

    def _look_at_a_column(self, model: Any) -> None:
        """A graph knows how many rows there are by a column, also where it looks at none."""
        if self.program.cells:
            return
        known = [v for v in model.domain.attributes if v.kind in ("num", "sym")]
        if not known:
            raise SatsumaError("The model looks at no column, so ONNX cannot say of which rows.")
        self._input(known[0].name, numeric=known[0].kind == "num")

    def _input(self, name: str, *, numeric: bool) -> str:
        kind = 11 if numeric else 8  # TensorProto.DOUBLE, TensorProto.STRING
        self.inputs.setdefault(name, self.helper.make_tensor_value_info(name, kind, ["rows", 1]))
        return name

    def _outputs(self) -> list[Any]:
        """The class and the probabilities, or the number, with a line for each row."""
        helper, rows = self.helper, self.node("Shape", next(iter(self.inputs)))
        predicted, *chances = (self.tensors[id(each)] for each in self.program.outputs)
        wide = self.node("Expand", predicted, rows)
        if not chances:
            self.nodes.append(helper.make_node("Identity", [wide], ["prediction"]))
            return [helper.make_tensor_value_info("prediction", 11, ["rows", 1])]
        place = self.node("Cast", wide, to=7)  # int64
        self.nodes.append(
            helper.make_node("Gather", [self._strings(self.classes), place], ["label"])
        )
        each = [self.node("Expand", chance, rows) for chance in chances]
        self.nodes.append(helper.make_node("Concat", each, ["probabilities"], axis=1))
        return [
            helper.make_tensor_value_info("label", 8, ["rows", 1]),
            helper.make_tensor_value_info("probabilities", 11, ["rows", len(each)]),
        ]

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """One operation; the name of what it gives."""
        name = f"t{len(self.nodes)}"
        made = self.helper.make_node(operator, list(inputs), [name], domain=domain, **attributes)
        self.nodes.append(made)
        return name

    def constant(self, values: Sequence[float], shape: Sequence[int], kind: int = 11) -> str:
        key = (kind, tuple(shape), np.asarray(values, np.float64).tobytes())
        if key not in self.constants:
            name = f"c{len(self.constants)}"
            self.constants[key] = self.helper.make_tensor(name, kind, shape, values)
        return self.constants[key].name

    def float(self, value: float) -> str:
        return self.constant([value], [1, 1])

    def _strings(self, values: Sequence[str]) -> str:
        told = [value.encode() for value in values]
        made = self.helper.make_tensor(f"c{len(self.constants)}", 8, [len(told)], told)
        self.constants["strings"] = made
        return made.name

    def _written(self, each: Expression) -> str:
        """An expression, by the method for its kind, which gets the tensors of its parts."""
        write = getattr(self, f"_{type(each).__name__.lower()}")
        return write(each, *(self.tensors[id(part)] for part in each.parts))

    def _number(self, each: Number | Whole) -> str:
        return self.constant([float(each.value)], [1, 1])

    _whole = _number

    def _text(self, each: Text) -> str:
        return self.float(float(self.classes.index(each.value)))

    def _cell(self, each: Cell) -> str:
        return self._input(each.name, numeric=True)

    def _bits(self, _: Bits, *conditions: str) -> str:
        zero = self.float(0.0)
        bits = [
            self.node("Where", one, self.float(float(1 << at)), zero)
            for at, one in enumerate(conditions)
        ]
        return self.node("Sum", *bits)

    def _known(self, each: Known, of: str) -> str:
        return self.node("Where", self.node("IsNaN", of), self.float(each.otherwise), of)

    def _case(self, _: Case, *parts: str) -> str:
        found = parts[-1]
        for at in range(len(parts) - 3, -1, -2):
            found = self.node("Where", parts[at], parts[at + 1], found)
        return found

    def _treeanswer(self, each: TreeAnswer, *_: str) -> str:
        if id(each.of) not in self.tensors:
            self.tensors[id(each.of)] = TreeTensors(self, each.of).total()
        at = self.constant([each.answer], [1], 7)
        return self.node("Gather", self.tensors[id(each.of)], at, axis=1)

    def _operation(self, each: Operation, *told: str) -> str:
        name = each.name
        if name == "missing":
            return self.node("IsNaN", told[0])
        if name == "known":
            return self.node("Not", self.node("IsNaN", told[0]))
        if name == "square":
            return self.node("Mul", told[0], told[0])
        operator = _OPERATIONS[name]
        if operator not in _OF_TWO:
            return self.node(operator, *told)
        found = told[0]
        for more in told[1:]:
            found = self.node(operator, found, more)
        return found

    def _code(self, each: Code) -> str:
        """Places by value: an empty string is a missing one."""
        codes = {"": -2, **each.codes}
        found = self.node(
            "LabelEncoder",
            self._input(each.name, numeric=False),
            domain="ai.onnx.ml",
            keys_strings=list(codes),
            values_int64s=list(codes.values()),
            default_int64=-1 if each.tells_unseen else -2,
        )
        code = self.node("Cast", found, to=11)
        lost = self.node("Equal", code, self.float(-2.0))
        return self.node("Where", lost, self.float(float("nan")), code)

    def _interval(self, each: Interval, x: str) -> str:
        cuts = each.cuts
        if not cuts:
            return self.node("Mul", x, self.float(0.0))
        above = self.node("Greater", x, self.constant(cuts, [1, len(cuts)]))
        count = self.node(
            "ReduceSum", self.node("Cast", above, to=11), self.constant([1], [1], 7), keepdims=1
        )
        return self.node("Where", self.node("IsNaN", x), self.float(float("nan")), count)

    def _place(self, each: Place, *told: str) -> str:
        found = told[0]
        for code, size in zip(told[1:], each.sizes[1:], strict=True):
            found = self.node("Add", self.node("Mul", found, self.float(float(size))), code)
        return found

    def _lookup(self, each: Lookup, place: str, otherwise: str) -> str:
        values = each.values
        if not values:
            return otherwise
        known = self.node("GreaterOrEqual", place, self.float(0.0))
        at = self.node("Cast", self.node("Where", known, place, self.float(0.0)), to=7)
        found = self.node("Gather", self.constant(values, [len(values)]), at)
        return self.node("Where", known, found, otherwise)
