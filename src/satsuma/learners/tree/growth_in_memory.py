"""Memory: a tree grown at once from a table in memory, the same as one grown in rounds."""

import numpy as np

from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.learners.tree.binning import Frame, Sample
from satsuma.learners.tree.histograms import held_sums
from satsuma.learners.tree.setup import Plan, nothing_to_learn_from, rows_of
from satsuma.learners.tree.structure import Grown, Outcome


def coded_rows(plan: Plan, table: Table) -> tuple[kernel.Coded, float]:
    """The rows of a table in codes, and what has been subtracted from a target of numbers."""
    rows, hashes = rows_of(plan, table)
    sample = Sample.of(rows.batch, hashes)
    if not len(sample.hashes):
        raise nothing_to_learn_from(plan.learner)
    frame = Frame.of(plan.domain, sample, plan.bins)
    labels = rows.target if plan.classes else np.zeros(len(rows.batch), np.int32)
    columns = frame.columns(rows.batch)
    edges, levels = frame.edges, frame.levels
    records, mixed, across = kernel.code_rows(
        columns, edges, levels, len(labels), labels=labels, across=True
    )
    assert across is not None
    away = None if plan.classes else rows.target - sample.centre
    made = kernel.Coded(
        records, across, columns, edges, levels, mixed, plan.classes, away, rows.weights
    )
    return made, sample.centre


def grown_at_once(plan: Plan, table: Table) -> Outcome:
    """The tree of a table, and what rows held out come to in it."""
    coded, centre = coded_rows(plan, table)
    grown = Grown(*kernel.grow(coded, plan.forms, plan.rules))
    held = held_sums(plan, grown, centre, table) if plan.held_out else None
    return Outcome(plan, grown, centre, held)
