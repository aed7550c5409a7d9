import numpy as np

from satsuma import Table
from satsuma.kernels.threads import TILE, available, map_tasks, thread_limit
from satsuma.learners.ensembles.ensemble import summed_predictions


def test_tasks_share_the_threads_and_keep_their_order():
    with thread_limit(4):
        assert map_tasks(lambda at: (at, available()), range(2)) == [(0, 2), (1, 2)]
        assert map_tasks(lambda at: (at, available()), range(9)) == [(at, 1) for at in range(9)]
        assert map_tasks(lambda _: available(), [0]) == [4]


def test_answers_are_added_up_over_tiles():
    n = 2 * TILE + 5
    table = Table.of([(0, "a")], ["x", "y"])[np.zeros(n, int)]
    table = Table(table.domain, [np.arange(n, dtype=float), table.column("y")])
    for threads in (1, 3):
        with thread_limit(threads):
            found = summed_predictions(lambda at, part: part.column("x")[:, None] * at, 4, table, 1)
        np.testing.assert_array_equal(found[:, 0], np.arange(n) * 6.0)
