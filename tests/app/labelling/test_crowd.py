"""Many people: gold questions change no label, and three or more are judged by each other."""

import pytest

from satsuma import Table, dawid_skene, krippendorff_alpha
from satsuma.app.http.views import Views
from satsuma.app.labelling.session import Session
from satsuma.app.labelling.settings import resumed_task
from satsuma.app.store.events import GOLD, Event, question_kind
from satsuma.app.store.log import Log
from tests.app.labelling.test_session import label, undo
from tests.app.serving import fruit_task, new_id


@pytest.fixture
def table():
    rows = [(float(x), "yes" if x < 20 else "no" if x < 40 else None) for x in range(100)]
    return Table.of(rows, ["x", "y"])


def test_gold_questions_are_asked_and_change_no_label(tmp_path, table):
    log = tmp_path / "x.sqlite"
    task = resumed_task(table, log, gold=0.25)
    session = Session(task, Log(log))
    before = session.strategy.labelling.labels.copy()
    golden = []
    for at in range(24):
        question, event = label(session, value="yes")
        if question_kind(event) == GOLD:
            golden.append(question.row)
            assert question.row in session.strategy.known
            assert question.row not in session.state.labels
            assert session.strategy.labelling.labels[question.row] == before[question.row]
        if at == 12:
            undo(session)
    assert len(golden) == len(set(golden))
    assert 4 <= len(session.state.people["Ada"].gold) <= 7
    ((who, right, total),) = session.overview("Ada").gold
    rows = session.state.people["Ada"].gold
    assert (who, right, total) == ("Ada", sum(row < 20 for row in rows), len(rows))
    again = Session(resumed_task(table, log), Log(log))
    assert again.overview("Ada").gold == session.overview("Ada").gold
    assert again.state.labels == session.state.labels
    again.log.close()
    session.log.close()


def test_nobody_sees_that_a_question_is_gold(tmp_path, table):
    views = Views(resumed_task(table, tmp_path / "x", gold=1.0, hidden=True), tmp_path / "x")
    label(views.session, value="yes")
    question = views.session.ask("Ada")
    assert question.kind == GOLD
    page = views.page("Ada")
    assert "gold" not in page["question"]
    assert "Row" in page["question"]
    views.close()


def test_three_people_are_judged_by_each_other(tmp_path):
    session = Session(fruit_task(150), Log(tmp_path / "x.sqlite"))
    assert session.overview("Ada").alpha is None
    for at in range(105):
        who = ("Ada", "Bob", "Eve")[at % 3]
        question = session.ask(who)
        value = (
            "sweet"
            if who == "Eve" or session.task.table.cell(question.row, "size") < 1.5
            else "sour"
        )
        session.take(Event(new_id(), question.key, who, "label", value))
    rows = {row for person in session.state.people.values() for row in person.answers}
    people = session.state.people
    said = {who: [people[who].first_label(row) for row in sorted(rows)] for who in people}
    found = session.overview("Ada")
    assert found.alpha == pytest.approx(krippendorff_alpha(said))
    quality = dict(found.quality)
    assert set(quality) == {"Ada", "Bob", "Eve"}
    both = [at for at in range(len(rows)) if sum(said[w][at] is not None for w in said) > 1]
    expected = dawid_skene({w: [said[w][at] for at in both] for w in said}).accuracy
    assert quality == pytest.approx(expected, abs=1e-3)
    session.log.close()
