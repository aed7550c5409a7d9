"""The list of answers: searched, filtered and mended; what is mended is one more event."""

import pytest

from satsuma import Table
from satsuma.app.labelling.answer_list import DISPUTED, NO_LABEL, PAGE, AnswerFilter, answer_page
from satsuma.app.labelling.session import Session
from satsuma.app.labelling.settings import resumed_task
from satsuma.app.labelling.task import task_of
from satsuma.app.refusal import Refusal
from satsuma.app.store.events import EDIT, RETRACTION, Event
from satsuma.app.store.log import Log
from tests.app.labelling.test_session import label, replayed, undo
from tests.app.serving import fruit_task, new_id


@pytest.fixture
def session(tmp_path):
    made = Session(fruit_task(60), Log(tmp_path / "x.sqlite"))
    yield made
    made.log.close()


def edit(session, key, value, who="Ada"):
    what = "label" if value else "unsure"
    return session.take(Event(new_id(), key, who, what, value or None, why={"kind": EDIT}))


def retract(session, row, who="Ada"):
    latest = session.state.people[who].answers[row][-1]
    why = {"kind": RETRACTION}
    return session.take(Event(new_id(), latest.row, who, "undo", of=latest.id, why=why))


def listed(session, who="Ada", **wanted):
    return [each.row for each in answer_page(session, who, AnswerFilter(**wanted)).rows]


def again(session):
    """What the log alone makes of it."""
    other = Session(session.task, Log(session.log.path))
    found = replayed(other), other.state.history == session.state.history
    other.log.close()
    return found


def test_an_edit_counts_from_then_on_and_the_row_in_hand_stays(session):
    asked = [label(session)[0] for _ in range(12)]
    held = session.ask("Ada")
    first = asked[3]
    was = session.state.labels[first.row]
    other = {"sweet": "sour", "sour": "sweet"}[was]
    edit(session, first.key, other)
    assert session.state.labels[first.row] == other
    assert session.ask("Ada").key == held.key
    assert listed(session)[0] == first.row  # the latest comes first
    assert again(session) == (replayed(session), True)
    undo(session)  # an edit is undone as any other answer; the row is not asked about again
    assert session.state.labels[first.row] == was
    assert session.ask("Ada").key == held.key
    assert [past.in_force for past in _row(session, first.row).history] == [True, False, True]


def _row(session, row, who="Ada"):
    found = answer_page(session, who, AnswerFilter())
    return next(each for each in found.rows if each.row == row)


def test_an_answer_is_taken_back_with_all_that_it_replaced(session):
    asked = [label(session)[0] for _ in range(8)]
    row = asked[2].row
    edit(session, asked[2].key, "sour")
    edit(session, asked[2].key, "sweet")
    retract(session, row)
    assert row not in session.state.labels
    assert row not in session.state.people["Ada"].answers
    assert len(session.strategy.labelling.labelled_rows) == 7
    history = _row(session, row).history
    assert [past.what for past in history] == [
        history[0].what, "answered sour", "answered sweet", "took the answer back",
    ]  # fmt: skip
    assert [past.in_force for past in history] == [False, False, False, True]
    assert again(session) == (replayed(session), True)
    undo(session)  # takes back the answer before it, not one that is gone
    assert len(session.strategy.labelling.labelled_rows) == 6


def test_only_what_there_is_can_be_mended(session):
    question, done = label(session)
    unseen = next(session.keys[row] for row in range(60) if row != question.row)
    with pytest.raises(Refusal, match="Nobody has answered"):
        edit(session, unseen, "sweet")
    with pytest.raises(Refusal, match="take back"):
        session.take(Event(new_id(), question.key, "Bob", "undo", of=done.id,
                           why={"kind": RETRACTION}))  # fmt: skip
    retract(session, question.row)
    with pytest.raises(Refusal, match="take back"):
        session.take(Event(new_id(), question.key, "Ada", "undo", of=done.id,
                           why={"kind": RETRACTION}))  # fmt: skip


def test_an_answer_to_the_row_of_another_is_a_vote_and_no_evidence_of_agreement(session):
    question, _ = label(session, value="sweet")
    edit(session, question.key, "sour", who="Bob")
    assert question.row in session.state.disputed
    assert session.state.agreements() == []  # Bob has seen what Ada said
    assert listed(session, label=DISPUTED) == [question.row]
    assert listed(session, label="sweet") == []
    edit(session, question.key, "sweet", who="Bob")
    assert session.state.labels[question.row] == "sweet"


def test_the_list_is_searched_and_filtered(tmp_path):
    rows = [(f"a {word} fox number {at}",) for at, word in enumerate(["red", "blue"] * 30)]
    table = Table.of(rows, ["told"], target=None, kinds={"told": "text"})
    session = Session(task_of(table, classes=["yes", "no"]), Log(tmp_path / "x.sqlite"))
    for at in range(25):
        label(session, value=["yes", "no"][at % 2])
    session.take(Event(new_id(), session.ask("Ada").key, "Ada", "comment", "A strange one"))
    question, _ = label(session, value="yes", who="Bob")
    red = {row for row in session.state.history if row % 2 == 0}
    assert set(listed(session, words="RED fox", page=0)) <= red
    found = answer_page(session, "Ada", AnswerFilter(words="red"))
    assert found.found == len(red)
    assert listed(session, by="Bob") == [question.row]
    assert listed(session, words="strange") == [session.ask("Ada").row]
    assert listed(session, label=NO_LABEL) == [session.ask("Ada").row]
    whole = answer_page(session, "Ada", AnswerFilter(page=99))
    assert (whole.found, whole.pages, whole.page) == (27, 2, 1)
    assert len(whole.rows) == 27 - PAGE
    assert whole.people == ["Ada", "Bob"]
    session.log.close()


def test_what_was_taken_back_stays_back_if_equal_rows_become_fewer(tmp_path):
    rows = [("a",)] * 3 + [("b",)] * 2
    log = tmp_path / "x.sqlite"
    session = Session(task_of(Table.of(rows, ["x"], target=None), classes=["u", "v"]), Log(log))
    taken = session.keys[0]
    for _ in range(5):
        label(session, value="u")
    edit(session, taken, "v")
    retract(session, 0)
    session.log.close()
    fewer = Table.of(rows[1:], ["x"], target=None)
    session = Session(task_of(fewer, classes=["u", "v"]), Log(log))
    assert set(session.state.labels.values()) == {"u"}  # nobody says "v" any more
    session.log.close()


def test_settings_survive_a_restart(tmp_path):
    table, log = Table.of([(x,) for x in "abcdef"], ["x"], target=None), tmp_path / "x.sqlite"
    first = resumed_task(
        table, log, target="y", classes=["yes", "no"], sought="yes", guidelines="# Look",
        hidden=True, reading={"kinds": {"x": "sym"}},
    )  # fmt: skip
    session = Session(first, Log(log))
    label(session, value="yes")
    session.hide("Ada", hide=True)
    label(session, value="yes")
    session.log.close()
    task = resumed_task(table, log)
    assert task.settings == first.settings
    assert task.table.domain["y"].values == ("yes", "no")  # though nobody has answered "no"
    other = resumed_task(table, log, hidden=False, guidelines="", sought="", classes=["maybe"])
    assert (other.hidden, other.guidelines, other.sought) == (False, "", None)
    assert other.table.domain["y"].values == ("yes", "no", "maybe")
    session = Session(other, Log(log))
    assert session.hides("Ada")
    assert not session.hides("Bob")
    session.log.close()
