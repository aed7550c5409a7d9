"""A label stays with its row, whatever happens to the file: it follows, or it is set aside."""

import csv
import io
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsuma
from satsuma import Table
from satsuma.app.labelling.session import Session
from satsuma.app.labelling.settings import resumed_task
from satsuma.app.labelling.task import task_of, with_target
from satsuma.app.store import row_hashes
from satsuma.app.store.events import Event
from satsuma.app.store.log import Log
from satsuma.app.store.row_keys import RowKeys
from satsuma.errors import DomainError, SatsumaError
from tests.app.serving import new_id, served

#: Cells as surveys, ledgers and exports have them; the first three are names of columns too.
CELLS = [
    "Apple", "Pear", "Plum", "", "0700", "700", "2E10", "20000000000", "1_000", "1000", "12",
    "\uff11\uff12", "12345678901234567890", "12345678901234567891", "1.5", "-0", "0", "NaN", "nan",
    " x",
]  # fmt: skip


def table_of(names, rows):
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_MINIMAL).writerows([names, *rows])
    return satsuma.read(file.getvalue().encode(), format="csv", header=True)


def session_of(names, rows, log, **more):
    table = with_target(table_of(names, rows), "verdict")
    return Session(task_of(table, classes=["a", "b"], **more), Log(log))


def label_all(session, values, rows=None):
    """Label rows in the order in which they are asked about: the nth row of the file, the nth."""
    said = {}
    while len(said) < (len(values) if rows is None else rows):
        question = session.ask("Ada")
        value = values[question.row]
        session.take(Event(new_id(), question.key, "Ada", "label", value))
        said[question.row] = value
    session.log.close()
    return said


def found_in(session):
    found = dict(session.state.labels)
    session.log.close()
    return found


def content(table, row):
    """What is in a row, by Python's own words: numbers as they are spelled, symbols as written."""
    cells = {name: table.cell(row, name) for name in table.domain.names if name != "verdict"}
    return frozenset((name, _written(cell)) for name, cell in cells.items() if cell is not None)


def _written(cell):
    if isinstance(cell, str):
        return cell
    return str(int(cell)) if float(cell).is_integer() and abs(cell) < 2**53 else repr(float(cell))


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (["Apple", "Pear"], [["Apple", "Pear"], ["Apple", ""], ["", "Pear"], ["Plum", "Plum"]]),
        (["id"], [["12345678901234567890"], ["12345678901234567891"], ["x"]]),
        (["code"], [["0700"], ["700"], ["x"]]),
        (["code"], [["2E10"], ["20000000000"], ["x"]]),
        (["code"], [["1_000"], ["1000"], ["x"]]),
        (["code"], [["\uff11\uff12"], ["12"], ["x"]]),
        (["a", "b"], [["x", "y"], ["y", "x"], ["x", "x"], ["y", "y"]]),
    ],
    ids=["survey", "20 digits", "zeros", "exponent", "underscore", "wide digits", "crossed"],
)
def test_rows_that_differ_never_share_a_label(tmp_path, names, rows):
    values = ["ab"[at % 2] for at in range(len(rows))]
    said = label_all(session_of(names, rows, tmp_path / "x.sqlite"), values)
    back = found_in(session_of(names, rows[::-1], tmp_path / "x.sqlite"))
    assert {len(rows) - 1 - row: value for row, value in back.items()} == said
    for gone in range(len(rows)):
        rest = [at for at in range(len(rows)) if at != gone]
        left = found_in(session_of(names, [rows[at] for at in rest], tmp_path / "x.sqlite"))
        found = {rest[row]: value for row, value in left.items()}
        assert found.items() <= said.items()
        # Without the word, 2E10 and 20000000000 are the same number: nobody can say whose is whose.
        assert len(found) == len(rest) or (rows[0] == ["2E10"] and gone == 2)


def oracle(names, rows):
    table = table_of(names, rows)
    return [content(table, row) for row in range(len(table))]


ROWS = st.lists(st.lists(st.sampled_from(CELLS), min_size=3, max_size=3), min_size=1, max_size=7)


@given(data=st.data(), rows=ROWS)
@settings(max_examples=60)
def test_labels_follow_their_rows_or_are_set_aside(tmp_path_factory, data, rows):
    names = ["Apple", "Pear", "Plum"]
    log = tmp_path_factory.mktemp("log") / "x.sqlite"
    rows = [row if any(row) else ["x", "", ""] for row in rows]  # a blank line is no row of a CSV
    before = oracle(names, rows)
    values = data.draw(st.lists(st.sampled_from("ab"), min_size=len(rows), max_size=len(rows)))
    some = data.draw(st.integers(1, len(rows)))
    said = label_all(session_of(names, rows, log), values, some)
    kept = [at for at in range(len(rows)) if data.draw(st.integers(0, 3))]  # some are deleted
    new = [rows[at] for at in kept] + data.draw(ROWS)[:2]  # and others inserted
    edited = data.draw(st.integers(-1, len(new) - 1))
    if edited >= 0:
        new[edited] = [data.draw(st.sampled_from(CELLS)), *new[edited][1:]]
    new = [row if any(row) else ["x", "", ""] for row in new]
    order = data.draw(st.permutations(range(len(new))))
    columns = data.draw(st.permutations(range(3)))
    new = [[new[at][column] for column in columns] for at in order]
    names = [names[column] for column in columns]
    after = oracle(names, new)
    session = session_of(names, new, log)
    aside = session.state.set_aside
    found = found_in(session)
    assert len(found) + len(aside) == len(said)
    labels = Counter((before[row], value) for row, value in said.items())
    there = Counter((after[row], value) for row, value in found.items())
    assert there <= labels  # a label is on a row of just the content that was labelled
    for at, value in said.items():  # and on it without fail where the row is the only such one
        if before.count(before[at]) == after.count(before[at]) == 1:
            assert found[after.index(before[at])] == value
    counts = Counter(before), Counter(after)
    for each, count in counts[0].items():  # equal rows keep theirs if there are as many as before
        if count == counts[1][each]:
            mine = Counter({key: n for key, n in labels.items() if key[0] == each})
            assert mine == Counter({key: n for key, n in there.items() if key[0] == each})


@pytest.mark.parametrize(
    ("values", "rows", "kept"),
    [
        ("aa", 1, "a"),  # one was taken out, both were a
        ("ab", 1, ""),
        ("aaa", 2, "aa"),
        ("aab", 2, ""),
        ("a?", 1, ""),  # it may be the one without a label that is left
        ("aa?", 2, "a"),
        ("a", 2, ""),  # another one like it: whose label was it?
        ("ab", 2, "ab"),
    ],
)
def test_rows_that_are_the_same(tmp_path, values, rows, kept):
    session = session_of(
        ["x", "y"], [["u", "v"]] * len(values) + [["w", "w"]], tmp_path / "x.sqlite"
    )
    while (question := session.ask("Ada")) is not None:
        value = (values + "b")[question.row]
        answer = ("unsure",) if value == "?" else ("label", value)
        session.take(Event(new_id(), question.key, "Ada", *answer))
    session.log.close()
    again = session_of(["x", "y"], [["w", "w"]] + [["u", "v"]] * rows, tmp_path / "x.sqlite")
    told = " ".join(again.notes())
    found = found_in(again)
    assert found.pop(0) == "b"
    assert "".join(sorted(found.values())) == kept
    aside = len(values.replace("?", "")) - len(kept)
    assert len(again.state.set_aside) == aside
    assert ("whose number has changed" in told) == (aside > 0)
    assert ("the same in every column" in told) == (rows > 1)


def test_a_label_of_another_version_of_the_file_counts_as_after_a_restart(tmp_path):
    log, names = tmp_path / "x.sqlite", ["x"]
    here = session_of(names, [["u"], ["w"]], log)
    there = session_of(names, [["u"], ["u"], ["w"]], log)
    label_all(there, "abb")
    with here.current():
        pass
    again = session_of(names, [["u"], ["w"]], log)
    assert here.state.labels == again.state.labels == {1: "b"}
    assert len(here.state.set_aside) == 2
    here.log.close()
    again.log.close()


def test_rows_of_equal_hashes_that_differ_are_refused(monkeypatch):
    monkeypatch.setattr(row_hashes, "_mixed", lambda x: x * np.uint64(0))
    with pytest.raises(DomainError, match=r"Rows 1 and 2 differ.*key="):
        RowKeys(Table.of([(1, 1.0), (2, 1.0)], ["x", "y"], target=None))


def test_equal_rows_are_named_on_the_page(tmp_path):
    table = Table.of([(at % 4, "s") for at in range(9)], ["x", "y"], target=None)
    with served(task_of(table, classes=["a", "b"]), tmp_path / "x.sqlite") as server:
        with server.labeller() as page:
            assert "rows 1, 5 and 9; rows 2 and 6; rows 3 and 7; and 1 more" in page.state["panel"]
        assert "--key" in server.session.notes()[0]


class TestKeyColumn:
    NAMES = ("id", "note")
    ROWS = (("0700", "u"), ("700", "v"), ("x", "w"))

    def test_labels_follow_it_whatever_becomes_of_other_cells(self, tmp_path):
        log = tmp_path / "x.sqlite"
        label_all(session_of(self.NAMES, self.ROWS, log, key="id"), "aba")
        rows = [("700", "v"), ("x", "other"), ("0700", "another"), ("y", "new")]
        session = session_of(self.NAMES, rows, log, key="id")
        assert session.state.labels == {0: "b", 1: "a", 2: "a"}
        assert sorted(session.edited) == [1, 2]
        assert "2 rows were edited since labelled: rows 2 and 3" in session.notes()[0]
        session.log.close()
        session = session_of(self.NAMES, rows[1:], log, key="id")
        assert session.state.labels == {0: "a", 1: "a"}
        assert "1 answer is set aside" in session.notes()[0]
        session.log.close()

    def test_the_log_remembers_it(self, tmp_path):
        log, table = tmp_path / "x.sqlite", table_of(self.NAMES, self.ROWS)
        first = resumed_task(table, log, target="z", classes=["a"], sought="a", key="id")
        label_all(Session(first, Log(log)), "aaa")
        task = resumed_task(table, log)
        assert (task.key, task.sought, task.filled) == ("id", "a", ("z",))
        assert resumed_task(table, log, sought="").sought is None
        with pytest.raises(DomainError, match="knows rows by column 'id'"):
            Session(task_of(with_target(table, "z"), classes=["a"]), Log(log))
        with pytest.raises(DomainError, match="labels of 'z', not of 'note'"):
            Session(resumed_task(table, log, target="note"), Log(log))

    def test_labels_from_before_there_was_one_are_found(self, tmp_path):
        log = tmp_path / "x.sqlite"
        said = label_all(session_of(self.NAMES, self.ROWS, log), "aba")
        assert found_in(session_of(self.NAMES, self.ROWS, log, key="id")) == said

    @pytest.mark.parametrize(
        ("rows", "key", "told"),
        [
            ([("a", "u"), ("", "v"), ("", "w")], "id", "it is empty in rows 2 and 3"),
            ([("a", "u"), ("b", "v"), ("a", "w")], "id", "it is 'a' in rows 1 and 3"),
            ([("a", "u"), ("b", "v")], "ids", "Did you mean 'id'"),
            ([("a", "u"), ("b", "v")], "verdict", "is to be filled in"),
        ],
    )
    def test_one_that_cannot_be_the_key(self, tmp_path, rows, key, told):
        with pytest.raises(SatsumaError, match=told):
            session_of(self.NAMES, rows, tmp_path / "x.sqlite", key=key)
        assert list(tmp_path.iterdir()) == []
