import numpy as np

from satsuma import Table
from satsuma.kernels.threads import TILE, available, limited
from satsuma.learners.ensembles.ensemble import on_threads, summed_predictions


def test_tasks_share_the_threads_and_keep_their_order():
    with limited(4):
        assert on_threads(lambda at: (at, available()), 2) == [(0, 2), (1, 2)]
        assert on_threads(lambda at: (at, available()), 9) == [(at, 1) for at in range(9)]
        assert on_threads(lambda _: available(), 1) == [4]


def test_answers_are_added_up_over_tiles():
    n = 2 * TILE + 5
    table = Table.of([(0, "a")], ["x", "y"])[np.zeros(n, int)]
    table = Table(table.domain, [np.arange(n, dtype=float), table.column("y")])
    for threads in (1, 3):
        with limited(threads):
            found = summed_predictions(lambda at, part: part.column("x")[:, None] * at, 4, table, 1)
        np.testing.assert_array_equal(found[:, 0], np.arange(n) * 6.0)
