"""Threads: linear algebra is kept to one where others are at work, and an interrupt leaves none."""

import subprocess
import sys
from contextlib import ExitStack

import numpy as np
from threadpoolctl import threadpool_info

from satsuma.kernels.threads import single_blas_thread


def threads():
    np.linalg.inv(np.eye(2))  # so that there is a library to ask
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_the_limit_holds_until_the_last_block_is_left():
    before = threads()
    first, second = ExitStack(), ExitStack()
    first.enter_context(single_blas_thread())
    second.enter_context(single_blas_thread())
    assert set(threads()) == {1}
    first.close()  # blocks of several threads need not be left in the order of their beginning
    assert set(threads()) == {1}
    second.close()
    assert threads() == before


INTERRUPTED = """
import threading
from satsuma.kernels.threads import thread_limit, map_tiles

start = threading.Thread.start
def interrupted(thread):
    start(thread)
    raise KeyboardInterrupt  # as it comes while the new thread is waited for
threading.Thread.start = interrupted
with thread_limit(2):
    try:
        map_tiles(lambda lo, hi: hi - lo, 4, tile=1)
    except KeyboardInterrupt:
        print("interrupted")
    threading.Thread.start = start
    print(map_tiles(lambda lo, hi: hi - lo, 4, tile=1))
"""


def test_an_interrupt_while_a_thread_starts_leaves_none_that_is_waited_for():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == "interrupted\n[1, 1, 1, 1]\n"
