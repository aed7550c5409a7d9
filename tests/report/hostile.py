"""Tables whose names and cells would be markup, or a template, if the page let them."""

import numpy as np

from satsuma import NaiveBayes, Table, Tree

SCRIPT = "<script>hit=1</script>"
IMAGE = '"><img src=x onerror="hit=2">'
TEMPLATE = "{{7*7}}{% raw %}"
CLOSING = "</title></style></svg></pre><b onclick='hit=3'>"
COMMENT = "--><!-- & &amp; &#60; $x^2$ \\frac"

#: Those that must stand on the page as they are.
ALL = (SCRIPT, IMAGE, TEMPLATE, CLOSING, COMMENT)

LEARNERS = {SCRIPT: NaiveBayes(), IMAGE: Tree()}


def classes(rows=160):
    """Classes, symbols, numbers, goals of the same sort, all with names that bite."""
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 3, rows)
    size = kind * 3.0 + rng.normal(size=rows)
    made = {
        SCRIPT: size,
        IMAGE: np.array([IMAGE, TEMPLATE, CLOSING], object)[(kind + (rng.random(rows) < 0.2)) % 3],
        TEMPLATE: np.array([COMMENT, SCRIPT], object)[rng.integers(0, 2, rows)],
        CLOSING: np.full(rows, SCRIPT, object),
        "n\n\0\u202e\ud800" + "x" * 300: rng.normal(size=rows),
        COMMENT: np.array([SCRIPT, IMAGE, CLOSING], object)[kind],
    }
    table = Table.of(zip(*made.values(), strict=True), list(made), name=SCRIPT + IMAGE)
    return table.with_notes(CLOSING)


def numbers(rows=120):
    """The same with a number to be predicted."""
    table = classes(rows).with_roles({COMMENT: "x"})
    return table.with_roles(target=SCRIPT)


def goals(rows=120):
    """The same with a goal, and without a target."""
    return classes(rows).with_roles({SCRIPT: "+", COMMENT: "x"})
