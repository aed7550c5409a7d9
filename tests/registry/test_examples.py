"""Examples of public names run as typed: in a session that holds nothing but what they import."""

import doctest
import inspect
import io

import pytest

import satsuma
from satsuma import extend, measures, plot
from satsuma.learners.predictions import Get
from satsuma.registry import NAMES
from tools.docs.pages import OPTIONS

#: The tests among which names are dealt.
PARTS = 6


def public():
    """Every public name that can have an example, with what it stands for."""
    yield "Get", Get
    yield from ((name, getattr(satsuma, name)) for name in sorted(NAMES))
    for module in (extend, measures, plot):
        short = module.__name__.removeprefix("satsuma.")
        yield from ((f"{short}.{name}", getattr(module, name)) for name in module.__all__)


def examples():
    """The examples of every name and of its methods, each once, with no name to begin with."""
    seen, finder = set(), doctest.DocTestFinder()
    for name, found in public():
        ours = inspect.isclass(found) or inspect.isfunction(found)
        if ours and found.__module__.startswith("satsuma.") and found not in seen:
            seen.add(found)
            for test in finder.find(found, name, globs={}):
                if test.examples:
                    test.globs = {"__name__": "__main__"}
                    yield test


@pytest.fixture(scope="module")
def every():
    return list(examples())


@pytest.mark.parametrize("part", range(PARTS))
def test_examples_run_as_typed_in_a_fresh_session(every, part):
    failed = []
    for test in every[part::PARTS]:
        said = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
        runner.run(test, out=said.write)
        if runner.failures:
            failed.append(f"{test.name} does not run as typed:\n{said.getvalue()}")
    assert not failed, "\n".join(failed)


def test_there_are_examples(every):
    assert len({test.name.split(".")[0] for test in every}) > 100
