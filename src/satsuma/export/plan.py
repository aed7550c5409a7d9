"""Plan: which expressions get a name of their own, and in which order they are computed.

What is used more than once is computed once, and what is nested too deeply for the language that
is written is taken apart. Names stand in steps: those of a step follow from the steps before it.
"""

from collections import Counter
from dataclasses import dataclass, field

from satsuma.export.expressions import (
    Bits,
    Case,
    Cell,
    Code,
    Expression,
    Interval,
    Lookup,
    Number,
    Operation,
    Program,
    Text,
    Whole,
    in_order,
)

#: Expressions of so many parts are written again rather than named; of fewer, if it is very often.
_CHEAP, _TINY, _OFTEN = 8, 3, 16

#: A stack that holds less is a shallow one.
_SHALLOW = 100

#: What an operation takes of a parser's stack, and what is written twice in some languages.
_NEST, _CASE_NEST = 3, 5
_TWICE = ("exp", "square")


@dataclass(frozen=True)
class Plan:
    """What has a name, in order.

    Parameters
    ----------
    program
        What is computed.
    steps
        By step, what is named there; in the first, the cells.
    last
        The last step in which a named expression is used; outputs are behind all steps.
    """

    program: Program
    steps: list[list[Expression]]
    last: dict[int, int] = field(repr=False)

    def carried(self, step: int) -> list[Expression]:
        """What is named in a step before and used behind it."""
        before = [each for earlier in self.steps[:step] for each in earlier]
        return [each for each in before if self.last[id(each)] > step]

    @property
    def order(self) -> list[Expression]:
        """All that is named."""
        return [each for step in self.steps for each in step]


def plan_of(program: Program, depth: int) -> Plan:
    """The plan for a language that is nested only so deep.

    Parameters
    ----------
    program
        What is computed.
    depth
        What the stack of a parser holds, roughly.
    """
    uses = _uses(program)
    height, size, step, named = dict[int, int](), dict[int, int](), dict[int, int](), set[int]()
    steps: list[list[Expression]] = [[]]
    for each in in_order(program.outputs):
        parts = [id(part) for part in each.parts]
        inside = [part for part in parts if part not in named]
        needs = max([step[part] for part in parts], default=-1)
        nest = _CASE_NEST if isinstance(each, Case | Interval | Lookup | Bits) else _NEST
        own = 0 if isinstance(each, Number | Whole | Text) else nest
        height[id(each)] = own + max([height[part] for part in inside], default=0)
        size[id(each)] = _size(each) + sum(size[part] for part in inside)
        often = _CHEAP if uses[id(each)] < _OFTEN else _TINY
        shared = uses[id(each)] > 1 and size[id(each)] > often
        apart = depth < _SHALLOW and isinstance(each, Case) and each.apart
        deep = apart or height[id(each)] > depth - 2 * _CASE_NEST
        if isinstance(each, Cell | Code) or shared or deep:
            named.add(id(each))
            needs += 1
            steps += [[] for _ in range(needs + 1 - len(steps))]
            steps[needs].append(each)
        step[id(each)] = needs
    return Plan(program, steps, _last_uses(program, named, step, len(steps)))


def _uses(program: Program) -> Counter[int]:
    """How often each expression is written."""
    uses = Counter(id(each) for each in program.outputs)
    for each in in_order(program.outputs):
        twice = isinstance(each, Operation) and each.name in _TWICE
        for part in each.parts:
            uses[id(part)] += 1 + twice
    return uses


def _size(each: Expression) -> int:
    if isinstance(each, Interval):
        return len(each.cuts)
    return _CHEAP if isinstance(each, Lookup) else 1


def _last_uses(
    program: Program, named: set[int], step: dict[int, int], behind: int
) -> dict[int, int]:
    """The last step in which each name is used, directly or inside of what has none."""
    last = dict.fromkeys(named, 0)
    until = dict[int, int]()  # the step in which an expression without a name is written
    for each in program.outputs:
        until[id(each)] = behind
    for each in reversed(list(in_order(program.outputs))):
        if id(each) in named:
            last[id(each)] = max(last[id(each)], until.get(id(each), 0))
            here = step[id(each)]
        else:
            here = until[id(each)]
        for part in each.parts:
            until[id(part)] = max(until.get(id(part), 0), here)
    return last
