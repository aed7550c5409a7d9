"""A number as the answer: asked for, learned, shown, mended and exported."""

import numpy as np
import pytest

from satsuma import Table
from satsuma.app.http.views import Views
from satsuma.app.labelling.answer_list import AnswerFilter, answer_page
from satsuma.app.labelling.exports import labels, model, predictions
from satsuma.app.labelling.session import Session
from satsuma.app.labelling.settings import resumed_task
from satsuma.app.refusal import Refusal
from satsuma.app.store.events import EDIT, Event
from satsuma.app.store.log import Log
from tests.app.serving import new_id


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    rows = [
        (float(x), "ab"[int(x) % 2], f"issue {at}") for at, x in enumerate(rng.uniform(0, 9, 80))
    ]
    return Table.of(rows, ["size", "kind", "title"], target=None, kinds={"title": "text"}, name="t")


def answer(session, who="Ada"):
    question = session.ask(who)
    value = {"hours": 3.0 * session.task.table.cell(question.row, "size")}
    session.take(Event(new_id(), question.key, who, "label", value))
    return question


def test_numbers_are_asked_for_and_learned(tmp_path, table):
    log = tmp_path / "x.sqlite"
    views = Views(resumed_task(table, log, target="hours", number=True), log)
    session = views.session
    for _ in range(30):
        question = answer(session)
    assert "The model predicts" in question.explanation.summary
    assert question.explanation.neighbours
    with pytest.raises(Refusal, match="number is needed"):
        session.take(Event(new_id(), session.ask("Ada").key, "Ada", "label", "many"))
    first = next(iter(session.state.labels))
    key = session.keys[first]
    session.take(Event(new_id(), key, "Bob", "label", {"hours": 99.0}, why={"kind": EDIT}))
    assert session.state.labels[first] == {"hours": 99.0}  # the latest answer holds
    listed = answer_page(session, "Ada", AnswerFilter(label="hours 99"))
    assert [each.label for each in listed.rows] == ["hours 99"]
    panel = views.progress.refresh()
    assert panel.error is not None
    assert panel.error.labels == 30
    assert panel.advice is not None
    assert panel.advice.measure == "R²"
    assert "root mean squared error" in views.page("Ada")["panel"]
    assert panel.advice.why[1:] in views.page("Ada")["panel"]
    assert 'name="hours"' in views.page("Ada")["answers"]
    found = labels(session)
    assert len(found) == 30
    assert found.domain["hours"].kind == "num"
    assert len(predictions(session)) == 50
    told = model(session)
    views.close()
    again = Session(resumed_task(table, log), Log(log))  # that it is a number is in the log
    assert again.task.number
    assert again.state.labels == session.state.labels
    np.testing.assert_array_equal(told(again.task.learned), model(again)(again.task.learned))
    again.log.close()


def test_numbers_in_the_file_are_known(tmp_path):
    rows = [(float(x), 2.0 * x if x < 10 else None) for x in range(30)]
    table = Table.of(rows, ["size", "hours"], kinds={"hours": "num"})
    session = Session(resumed_task(table, tmp_path / "x", number=True), Log(tmp_path / "x"))
    assert session.strategy.left == 20
    assert "least like" in session.ask("Ada").explanation.summary
    session.log.close()


def test_without_anything_to_learn_from_the_mean_is_learned(tmp_path):
    table = Table.of([(f"text {at}",) for at in range(9)], ["t"], target=None, kinds={"t": "text"})
    session = Session(resumed_task(table, tmp_path / "x", target="n", number=True),
                      Log(tmp_path / "x"))  # fmt: skip
    for _ in range(9):
        question = session.ask("Ada")
        session.take(Event(new_id(), question.key, "Ada", "label", {"n": 2.0}))
    assert session.ask("Ada") is None
    session.log.close()
