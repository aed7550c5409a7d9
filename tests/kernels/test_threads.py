"""Linear algebra is kept to one thread for as long as anybody wants it so."""

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
