"""The kernel against its twin, and both against plain arithmetic."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import posterior
from satsuma.kernels.posterior import Joint
from satsuma.kernels.posterior import twin as posterior_twin
from satsuma.kernels.threads import thread_limit


def made(rng, shape, *, holes=0.0, veto=0.0, heat=0.0):
    """A joint, and columns to ask it about: rows, numbers, symbols, classes."""
    rows, numbers, symbols, classes = shape
    prior = rng.dirichlet(np.ones(classes))
    mean, sd = rng.normal(size=(classes, numbers)), rng.uniform(0.5, 2, (classes, numbers))
    tables = []
    for _ in range(symbols):
        shares = rng.dirichlet(np.ones(rng.integers(1, 6)), classes).T
        shares[rng.random(shares.shape) < veto] = 0
        with np.errstate(divide="ignore"):
            tables.append(np.log(shares))
    block = rng.normal(size=(rows, numbers))
    block[rng.random(block.shape) < holes] = np.nan
    codes = [
        np.where(rng.random(rows) < holes, -1, rng.integers(0, len(t), rows)).astype(np.int32)
        for t in tables
    ]
    return Joint(np.log(prior), mean, sd, tables).heated(heat), block, codes


def columns(block):
    return [block[:, j] for j in range(block.shape[1])]


def by_twin(joint, numbers, codes, rows):
    twin = posterior_twin.Asked(numbers, codes, joint.packed)
    log_joint, found = np.empty((rows, joint.classes)), np.empty((rows, joint.classes))
    chosen = np.empty(rows, np.int32)
    twin.fill(0, rows, log_joint, False)
    lost = twin.fill(0, rows, found, True)
    twin.choose(0, rows, chosen)
    return log_joint, found, chosen, lost


@pytest.mark.skipif(not posterior.compiled, reason="there is no compiled build")
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 5))
def test_gaussians_are_laid_out_with_the_bits_of_the_twin(seed, classes, width):
    rng = np.random.default_rng(seed)
    mean, sd = rng.normal(size=(classes, width)), 10 ** rng.uniform(-300, 300, (classes, width))
    sd[rng.random(sd.shape) < 0.2] = np.inf
    given = np.log(rng.dirichlet(np.ones(classes))), (mean, sd, np.log(sd)), 0.9
    found, want = ([np.empty((width + k, classes)) for k in (0, 0, 0, 1)] for _ in range(2))
    posterior.lay_out(*given, tuple(found))
    posterior_twin.lay_out(*given, tuple(want))
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(found, want, strict=True))


@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(0, 300), st.integers(0, 9), st.integers(0, 9), st.integers(1, 9)),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([0.0, 0.4]),
    st.sampled_from([0.0, 0.7, -0.05]),
)
def test_the_kernel_is_its_twin(seed, shape, holes, veto, heat):
    rows, _, _, classes = shape
    rng = np.random.default_rng(seed)
    joint, block, codes = made(rng, shape, holes=holes, veto=veto, heat=heat)
    log_joint, found, chosen, lost = by_twin(joint, columns(block), codes, rows)
    np.testing.assert_allclose(
        joint.log_joint(columns(block), codes, rows), log_joint, rtol=1e-12, atol=1e-12
    )
    mine, mine_lost = joint.probabilities(columns(block), codes, rows)
    np.testing.assert_allclose(mine, found, rtol=1e-11, atol=1e-300)
    assert mine_lost == lost
    assert np.abs(mine.sum(axis=1) - 1).max(initial=0) < 1e-12
    codes_found, codes_lost = joint.most_probable(columns(block), codes, rows)
    assert (codes_found == mine.argmax(axis=1)).all()
    assert codes_lost == lost
    near = np.sort(found, axis=1)[:, -2:] if classes > 1 else np.ones((rows, 2)) * [0, 1]
    apart = near[:, 1] - near[:, 0] > 1e-9
    assert (codes_found == chosen)[apart].all()


def test_temperatures_by_plain_arithmetic():
    rng = np.random.default_rng(5)
    joint, block, codes = made(rng, (500, 6, 3, 3), holes=0.4, heat=0.6)
    known = (~np.isnan(block)).sum(axis=1) + sum((c >= 0).astype(int) for c in codes)
    scores = joint.log_joint(columns(block), codes)
    scores /= np.where(known > 1, 1 + 0.6 * (known - 1), 1)[:, None]
    expected = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    assert set(known) >= set(range(2, 9))
    np.testing.assert_allclose(joint.probabilities(columns(block), codes)[0], expected, rtol=1e-12)


def test_what_is_known_of_no_cell_or_is_impossible_is_not_heated():
    prior, table = np.array([0.9, 0.1]), np.log([[1e-300, 1.0], [0.5, 0.5]])
    table[0] = -np.inf
    joint = Joint(np.log(prior), np.empty((2, 0)), np.empty((2, 0)), [table, table]).heated(9.0)
    asked = [np.array([-1, 0, 1, -1], np.int32), np.array([-1, 0, 1, 1], np.int32)]
    found, lost = joint.probabilities([], asked)
    assert lost == 1
    np.testing.assert_allclose(found[[0, 1, 3]], [prior] * 3)
    np.testing.assert_allclose(found[2], prior**0.1 / (prior**0.1).sum())


def test_the_layout_changes_no_bit():
    rng = np.random.default_rng(1)
    joint, block, codes = made(rng, (1000, 11, 3, 3), holes=0.1, heat=0.3)
    first = joint.probabilities(columns(block), codes)[0]
    wide = np.full((2000, 40), np.pi)
    wide[::2, 5:16] = block
    backwards = [np.ascontiguousarray(column[::-1])[::-1] for column in columns(block)]
    for other in (np.asfortranarray(block), wide[::2, 5:16]):
        assert (joint.probabilities(columns(other), codes)[0] == first).all()
    assert (joint.probabilities(backwards, codes)[0] == first).all()
    for kind in (np.int8, np.int16):
        small = [each.astype(kind) for each in codes]
        assert (joint.probabilities(columns(block), small)[0] == first).all()
    strided = [np.repeat(each, 3)[::3] for each in codes]
    assert (joint.probabilities(columns(block), strided)[0] == first).all()


def test_unsigned_codes():
    joint = Joint(np.log([0.5, 0.5]), np.empty((2, 0)), np.empty((2, 0)), [np.log(np.eye(2) + 1)])
    codes = np.array([0, 1, 255], np.uint8)
    found = joint.probabilities([], [codes])[0]
    np.testing.assert_allclose(found, [[2 / 3, 1 / 3], [1 / 3, 2 / 3], [0.5, 0.5]])


def test_a_row_does_not_depend_on_its_neighbours():
    rng = np.random.default_rng(2)
    joint, block, codes = made(rng, (700, 6, 2, 4), holes=0.2)
    whole = joint.probabilities(columns(block), codes)[0]
    for row in (0, 1, 127, 128, 600, 699):
        alone = joint.probabilities(
            columns(block[row : row + 1]), [c[row : row + 1] for c in codes]
        )
        assert (alone[0] == whole[row]).all()


def test_threads_change_no_bit():
    rng = np.random.default_rng(3)
    joint, block, codes = made(rng, (200_000, 3, 2, 3), holes=0.1)
    many = joint.probabilities(columns(block), codes)[0], joint.most_probable(columns(block), codes)
    with thread_limit(1):
        one = joint.probabilities(columns(block), codes)[0]
        assert (one == many[0]).all()
        assert (joint.most_probable(columns(block), codes)[0] == many[1][0]).all()


@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(0, 300), st.integers(0, 9), st.integers(0, 9), st.integers(1, 5)),
    st.integers(1, 12),
    st.booleans(),
)
def test_each_row_is_answered_by_the_joint_that_it_names(seed, shape, count, apart):
    rng = np.random.default_rng(seed)
    rows, numbers, _, classes = shape
    joint, block, codes = made(rng, shape, holes=0.1, veto=0.2)
    numbers = [np.ascontiguousarray(c) for c in columns(block)] if apart else columns(block)
    tables = [
        joint.packed.table[a:b].reshape(-1, joint.packed.padded)[1:, :classes]
        for a, b in zip(joint.packed.starts, joint.packed.starts[1:], strict=False)
    ]
    joints = [
        Joint(
            np.log(rng.dirichlet(np.ones(classes))),
            rng.normal(size=(classes, len(numbers))),
            rng.uniform(0.5, 2, (classes, len(numbers))),
            [np.roll(table, at, axis=1) for table in tables],
        )
        for at in range(count)
    ]
    which = rng.integers(-1, count, rows).astype(np.int32)
    found, lost = posterior.probabilities_each(joints, which, numbers, codes)
    chosen, also_lost = posterior.most_probable_each(joints, which, numbers, codes)
    want, most, wanted_lost = np.zeros((rows, classes)), np.zeros(rows, np.int32), 0
    for at, one in enumerate(joints):
        mine = which == at
        taken = [c[mine] for c in numbers], [c[mine] for c in codes], int(mine.sum())
        want[mine], more = one.probabilities(*taken)
        most[mine] = one.most_probable(*taken)[0]
        wanted_lost += more
    assert np.array_equal(found, want)
    assert np.array_equal(chosen, most)
    assert lost == also_lost == wanted_lost


def test_many_rows_by_many_joints_and_any_number_of_threads():
    rng = np.random.default_rng(3)
    joints = [made(rng, (0, 6, 0, 3))[0] for _ in range(10)]
    numbers, which = columns(rng.normal(size=(100_000, 6))), rng.integers(0, 10, 100_000)
    found, _ = posterior.most_probable_each(joints, which.astype(np.int32), numbers, [])
    with thread_limit(1):
        alone, _ = posterior.most_probable_each(joints, which.astype(np.int32), numbers, [])
    want = np.array([one.most_probable(numbers, [])[0] for one in joints])
    assert np.array_equal(found, want[which, np.arange(100_000)])
    assert np.array_equal(found, alone)


def test_joints_of_different_classes_cannot_answer_together():
    rng = np.random.default_rng(4)
    joints = [made(rng, (0, 2, 0, classes))[0] for classes in (2, 3)]
    with pytest.raises(ValueError, match="different classes"):
        posterior.most_probable_each(joints, np.zeros(1, np.int32), [np.zeros(1)] * 2, [])


def test_it_is_bayes_rule():
    joint = Joint(
        np.log([0.25, 0.75]), np.array([[0.0], [2.0]]), np.array([[1.0], [3.0]]),
        [np.log([[0.1, 0.6], [0.9, 0.4]])],
    )  # fmt: skip

    def density(x, mean, sd):
        return math.exp(-(((x - mean) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))

    p = 0.25 * density(1.5, 0, 1) * 0.9, 0.75 * density(1.5, 2, 3) * 0.4
    number, code = np.array([1.5]), np.array([1], np.int32)
    np.testing.assert_allclose(np.exp(joint.log_joint([number], [code])[0]), p, rtol=1e-14)
    np.testing.assert_allclose(
        joint.probabilities([number], [code])[0][0], np.array(p) / sum(p), rtol=1e-14
    )


def test_what_is_missing_says_nothing():
    rng = np.random.default_rng(4)
    joint, _, _ = made(rng, (1, 2, 2, 3))
    nothing = [np.full(4, np.nan)] * 2, [np.full(4, -1, np.int32)] * 2
    prior = np.exp(joint.packed.base[0])
    np.testing.assert_allclose(joint.probabilities(*nothing)[0], np.tile(prior, (4, 1)), rtol=1e-14)


def test_a_veto_is_exact_and_all_vetoes_give_the_prior():
    with np.errstate(divide="ignore"):
        table = np.log([[1.0, 0.0, 0.5], [0.0, 0.0, 0.5], [0.0, 0.0, 0.0]])
    joint = Joint(np.log([0.2, 0.3, 0.5]), np.empty((3, 0)), np.empty((3, 0)), [table])
    found, lost = joint.probabilities([], [np.array([0, 1, 2], np.int32)])
    assert lost == 1
    np.testing.assert_allclose(found, [[0.2 / 0.45, 0, 0.25 / 0.45], [0, 0, 1], [0.2, 0.3, 0.5]])
    assert found[0, 1] == found[1, 0] == 0
    codes, lost = joint.most_probable([], [np.array([0, 1, 2], np.int32)])
    assert (list(codes), lost) == ([2, 2, 2], 1)


@pytest.mark.parametrize("x", [np.inf, -np.inf, 1.7e308, -1.7e308])
def test_numbers_beyond_all_measure_give_the_prior_and_are_told(x):
    mean, sd = np.array([[0.0, 0], [1, 0]]), np.array([[1.0, np.inf], [2, np.inf]])
    joint = Joint(np.log([0.4, 0.6]), mean, sd, [])
    found, lost = joint.probabilities([np.array([x, 0.0]), np.array([x, x])], [])
    assert lost == (2 if np.isinf(x) else 1)
    np.testing.assert_allclose(found[0], [0.4, 0.6])


def test_far_numbers_still_tell_classes_apart():
    joint = Joint(np.log([0.5, 0.5]), np.array([[0.0], [1.0]]), np.ones((2, 1)), [])
    found, lost = joint.probabilities([np.array([1e6, -1e6])], [])
    assert lost == 0
    assert found.tolist() == [[0, 1], [1, 0]]


def test_ties_go_to_the_first_also_when_logs_differ_in_the_last_bit():
    log_prior = np.log([0.1, 0.1, 0.8 / 3, 0.8 / 3, 0.8 / 3])
    log_prior[3] = np.nextafter(log_prior[2], 0)
    joint = Joint(log_prior, np.empty((5, 0)), np.empty((5, 0)), [np.zeros((1, 5))])
    code = np.zeros(3, np.int32)
    found = joint.probabilities([], [code])[0]
    assert (joint.most_probable([], [code])[0] == found.argmax(axis=1)).all()


def test_without_columns_there_are_as_many_rows_as_said():
    joint = Joint(np.log([0.4, 0.6]), np.empty((2, 0)), np.empty((2, 0)), [])
    found, lost = joint.probabilities([], [], rows=3)
    np.testing.assert_allclose(found, [[0.4, 0.6]] * 3)
    assert lost == 0
    assert joint.most_probable([], [], rows=2)[0].tolist() == [1, 1]
    assert joint.probabilities([], [], rows=0)[0].shape == (0, 2)


def test_the_output_can_be_given():
    rng = np.random.default_rng(5)
    joint, block, codes = made(rng, (50, 2, 1, 3))
    out = np.empty((50, 3))
    assert joint.probabilities(columns(block), codes, out=out)[0] is out
    assert (out == joint.probabilities(columns(block), codes)[0]).all()


def test_fields_of_packed_records():
    records = np.zeros(300, np.dtype([("a", "i1"), ("x", "f8"), ("s", "i4")]))
    rng = np.random.default_rng(6)
    joint, block, codes = made(rng, (300, 1, 1, 3))
    records["x"], records["s"] = block[:, 0], codes[0]
    found = joint.probabilities([records["x"]], [records["s"]])[0]
    assert (found == joint.probabilities(columns(block), codes)[0]).all()


def test_other_columns_than_are_known_are_refused():
    rng = np.random.default_rng(7)
    joint, block, codes = made(rng, (10, 2, 1, 3))
    for numbers, symbols in ((columns(block)[:1], codes), (columns(block), []), ([], codes)):
        with pytest.raises(ValueError, match="asked about"):
            joint.probabilities(numbers, symbols)


@pytest.mark.skipif(posterior.Asked is posterior_twin.Asked, reason="nothing is compiled here")
def test_the_compiled_kernel_refuses_what_it_cannot_read():
    rng = np.random.default_rng(8)
    joint, block, codes = made(rng, (10, 1, 1, 3))
    asked = posterior.Asked(columns(block), codes, joint.packed)
    with pytest.raises(TypeError):
        posterior.Asked([block[:, 0].astype(np.float32)], codes, joint.packed)
    with pytest.raises(TypeError):
        posterior.Asked(columns(block), [codes[0].astype(np.int64)], joint.packed)
    with pytest.raises(ValueError, match="equally long"):
        posterior.Asked([block[:5, 0]], codes, joint.packed)
    with pytest.raises(ValueError, match="no rows"):
        asked.fill(0, 11, np.empty((11, 3)), True)
    with pytest.raises(ValueError, match="no rows"):
        asked.choose(-1, 2, np.empty(10, np.int32))
    with pytest.raises(ValueError, match="classes"):
        asked.fill(0, 10, np.empty((10, 2)), True)
    assert asked.fill(3, 3, np.empty((10, 3)), True) == 0


@given(st.lists(st.floats(-800, 0), min_size=2, max_size=6))
def test_the_exponential_is_as_good_as_the_library_s(logs):
    logs[0] = 0.0
    joint = Joint(np.array(logs), np.empty((len(logs), 0)), np.empty((len(logs), 0)), [])
    truth = np.exp(logs)
    truth[np.array(logs) <= -708] = 0
    found = joint.probabilities([], [], rows=1)[0][0]
    np.testing.assert_allclose(found, truth / truth.sum(), rtol=2e-15)
