import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.domain import distinct_names


@pytest.mark.parametrize(
    ("names", "made"),
    [
        (["a", "b"], ["a", "b"]),
        (["on", "on", "on"], ["on", "on_2", "on_3"]),
        (["on", "on", "on_2"], ["on", "on_3", "on_2"]),
        (["", "a", ""], ["column_1", "a", "column_3"]),
        (["", "column_1"], ["column_1_2", "column_1"]),
        ([" a", "a"], [" a", "a"]),
        ([], []),
    ],
)
def test_names_are_made_distinct(names, made):
    assert distinct_names(names)[0] == made


@given(st.lists(st.sampled_from(["", "a", "a_2", "a_3", "b", "column_1", "column_2"])))
def test_names_differ_and_every_change_is_noted(names):
    made, notes = distinct_names(names)
    changed = [new for old, new in zip(names, made, strict=True) if old != new]
    assert all(made)
    assert len(set(made)) == len(made) == len(names)
    assert len(notes) == len(changed)
    assert all(repr(new) in note for new, note in zip(changed, notes, strict=True))
