"""A column of noise moves no posterior on average, whatever the block and the prior."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import satsuma.likelihoods
from satsuma import Binned, Categorical, Generative, Laplace, MEstimate, Table
from satsuma.likelihoods.block import AnyBlock

#: Settings of blocks beside the defaults.
MORE = [
    Binned(method="width"),
    Binned(method="frequency", n=4),
    Categorical(m=0.5),
    Categorical(prior="value"),
    MEstimate(0.5),
]

#: Settings that break the law, and why they are kept. With ``prior="class"`` the probabilities of
#: the values do not add up to 1 in a class, and their sum is less in a rare one: the published
#: form, which is asked for by name.
LAWLESS = [Categorical(prior="class")]

#: Kinds of columns that a block takes and does not believe in: to a Gaussian, a symbol is columns
#: of zeros and ones, which are not normal, and what eight rows say of them is off.
BESIDE = {"MultivariateGaussian": ("sym",)}

#: Shares of the classes: balanced, and with classes as rare as 8 of 2,000 rows.
SHARES = {
    "2 balanced": (0.5, 0.5),
    "2 rare": (0.996, 0.004),
    "3 rare": (0.9, 0.096, 0.004),
    "5 uneven": (0.6, 0.2, 0.1, 0.06, 0.04),
}

ROWS, COLUMNS, SEEDS = 2000, 6, 4


def every_block():
    """Each block there is, with its defaults, and some settings of it."""
    modules = pkgutil.iter_modules(satsuma.likelihoods.__path__, "satsuma.likelihoods.")
    found = {
        each
        for module in modules
        for each in vars(importlib.import_module(module.name)).values()
        if inspect.isclass(each) and issubclass(each, AnyBlock) and not inspect.isabstract(each)
    }
    made = [
        each() for each in sorted(found, key=lambda each: each.__name__) if each is not AnyBlock
    ]
    return [*made, *MORE]


def believed(block):
    """The kinds of columns whose noise is as the block believes."""
    return [kind for kind in block.kinds if kind not in BESIDE.get(type(block).__name__, ())]


def noise(rng, kind, shares):
    """Rows whose columns have nothing to do with the class."""
    codes = rng.permutation(
        np.repeat(np.arange(len(shares)), np.round(np.array(shares) * ROWS).astype(int))
    )
    if kind == "num":
        # Normal, for blocks that believe in it; every other column has many equal numbers.
        cells = [rng.normal(size=ROWS).round(15 if at % 2 else 1) for at in range(COLUMNS)]
    else:
        cells = [
            rng.choice(list("pqrst"), ROWS, p=[0.4, 0.3, 0.15, 0.1, 0.05]) for _ in range(COLUMNS)
        ]
    names = [f"x{at}" for at in range(COLUMNS)]
    kinds = {"y": "sym", **dict.fromkeys(names, kind)}
    columns = [each.tolist() for each in cells]
    return Table.of(
        list(zip(*columns, np.array(list("abcde"))[codes].tolist(), strict=True)),
        [*names, "y"],
        kinds=kinds,
    )


def moved(block, kind, shares, prior=None):
    """The mean posterior of each class over its prior, and its share of the predictions.

    Means over some tables, of the rows learned from and of others: (2, classes) each.
    """
    means, called = [], []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        learned, fresh = (noise(rng, kind, shares) for _ in range(2))
        model = Generative(blocks=[block], prior=prior, calibrate=False)(learned)
        by_rank = np.argsort([-model.distribution[c] for c in model.classes], kind="stable")
        before = np.array([model.distribution[c] for c in model.classes])
        found = [model.probabilities(model.asked(rows)) for rows in (learned, fresh)]
        means.append([(p.mean(axis=0) / before)[by_rank] for p in found])
        called.append(
            [np.bincount(p.argmax(axis=1), minlength=len(before))[by_rank] / ROWS for p in found]
        )
    return np.mean(means, axis=0), np.mean(called, axis=0)


def test_blocks_are_found():
    assert {"Gaussian", "KDE", "Loess", "Binned", "Categorical", "Laplace"} <= {
        type(each).__name__ for each in every_block()
    }


@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
@pytest.mark.parametrize("block", every_block(), ids=repr)
def test_noise_moves_no_posterior_on_average(block, shares):
    for kind in believed(block):
        means, called = moved(block, kind, shares)
        # A class of eight rows is estimated from eight rows.
        assert means == pytest.approx(1, abs=0.15)
        assert means[:, 0] == pytest.approx(1, abs=0.02)
        if shares[0] > 0.5:
            assert called[:, 1:].max() < 0.01


@pytest.mark.parametrize("block", every_block(), ids=repr)
def test_the_prior_of_the_model_counts_once(block):
    """The prior by Laplace is not the share of the classes, and noise leaves it as it is."""
    for kind in believed(block):
        means, called = moved(block, kind, SHARES["3 rare"], Laplace())
        assert means == pytest.approx(1, abs=0.15)
        assert called[:, 1:].max() < 0.01


@pytest.mark.parametrize("block", LAWLESS, ids=repr)
def test_what_is_not_put_to_the_law_would_break_it(block):
    means, _ = moved(block, "sym", SHARES["2 rare"])
    assert means[:, 1].max() < 0.5
