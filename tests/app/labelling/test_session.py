"""The session: what is asked next, what counts, and that the log alone decides it."""

import html
import re

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import satsuma
from satsuma import Table
from satsuma.active.active_learning import hide_labels
from satsuma.app.http.views import Views
from satsuma.app.labelling.progress import Progress
from satsuma.app.labelling.session import Session
from satsuma.app.labelling.task import task_of
from satsuma.app.refusal import Refusal
from satsuma.app.store.events import Event
from satsuma.app.store.log import Log
from satsuma.cli.terminal import in_options
from tests.app.serving import fruit_task, fruits, new_id, truth


@pytest.fixture
def session(tmp_path):
    made = Session(fruit_task(), Log(tmp_path / "fruits.csv.labels.sqlite"))
    yield made
    made.log.close()


def label(session, who="Ada", value=None, queue="question"):
    question = session.ask(who, queue)
    value = truth(session.task.table, question.row) if value is None else value
    return question, session.take(Event(new_id(), question.key, who, "label", value))


def do(session, what, who="Ada", value=None):
    question = session.ask(who)
    return question, session.take(Event(new_id(), question.key, who, what, value))


def undo(session, who="Ada"):
    last = session.state.last_event(who)
    return session.take(Event(new_id(), last.row, who, "undo", of=last.id))


def replayed(session):
    """All that follows from the log, numbers to the last bit."""
    people = {
        who: {row: p.label(row) for row in p.answers} for who, p in session.state.people.items()
    }
    labelling = session.strategy.labelling
    tally = labelling.model.probabilities(labelling.model.asked(session.task.learned))
    return people, dict(session.state.labels), list(labelling.order), tally.tobytes()


def busy(session):
    """Some of everything."""
    for at in range(40):
        if at % 7 == 3:
            do(session, "skip")
        elif at % 7 == 5:
            do(session, "unsure")
        elif at % 11 == 6:
            undo(session)
        else:
            label(session)
        if at % 13 == 0:
            do(session, "comment", value=f"note {at}")


def test_the_log_replays_exactly(session, tmp_path):
    busy(session)
    again = Session(session.task, Log(session.log.path))
    assert replayed(again) == replayed(session)
    assert again.ask("Ada") == session.ask("Ada")
    again.log.close()
    # After each event, a session that knows the events up to it asks what was asked then, for the
    # same reasons, of a model of the same events.
    events, part = session.log.after(0), Log(tmp_path / "part.sqlite")
    for event in events:
        if event.what != "undo":
            then = Session(session.task, part)
            question = then.ask("Ada")
            assert question.key == event.row
            assert question.why == event.why
            if event.what != "comment" and events[event.seq - 2].what != "comment":
                assert then.state.seq == event.model
        part.release("Ada")
        part.append(event)
    part.close()


def test_a_row_is_explained(session):
    question, _ = label(session)
    assert "to begin with" in question.explanation.summary
    for _ in range(20):
        label(session)
    explanation = session.ask("Ada").explanation
    assert sum(likely.probability for likely in explanation.prediction) == pytest.approx(1)
    assert explanation.drivers
    assert len(explanation.neighbours) == 3
    assert {each.label for each in explanation.neighbours} <= {"sweet", "sour"}
    assert any("from" in driver.how for driver in explanation.drivers)  # a range


def test_a_row_that_speaks_for_no_class_is_explained_by_a_sentence(tmp_path):
    table = Table.of([("a",)] * 6, ["n"], target=None)
    views = Views(task_of(table, classes=["yes", "no"]), tmp_path / "x.sqlite")
    for value in ("yes", "no"):
        label(views.session, value=value)
    explanation = views.session.ask("Ada").explanation
    shown = views.page("Ada")["question"]
    views.close()
    assert not explanation.drivers
    assert explanation.remark.startswith("Nothing speaks for ")
    assert f"<p>{explanation.remark}</p>" in shown


def test_the_page_tells_how_the_file_was_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("price,kind\n$5,a\n$6,b\n")
    table = satsuma.read(path, target="kind")
    for wording, said in ((str, "kinds={'price': 'sym'}"), (in_options, "--kind price=sym")):
        views = Views(task_of(table), tmp_path / "x.sqlite", wording)
        pages = [html.unescape(views.whole("Ada", online=online)) for online in (True, False)]
        views.close()
        for page in pages:
            (folded,) = re.findall(r'<details class="reading">.*?</details>', page)
            assert "<summary>How the file was read</summary>" in folded
            assert "Column 'price' is written like '$5': read as numbers" in folded
            assert said in folded
    views = Views(task_of(Table.of([("a",), ("b",)], ["kind"])), tmp_path / "y.sqlite")
    assert 'class="reading"' not in views.whole("Ada", online=True)
    views.close()


def test_the_nearest_are_the_nearest(session):
    for _ in range(30):
        label(session)
    question = session.ask("Ada")
    table = session.task.learned.select(["size", "colour", "seeds"])
    away = satsuma.distance(table)
    rows = list(session.state.labels)
    order = sorted(rows, key=lambda row: away(table[question.row], table[row]))
    found = [near.row for near in question.explanation.neighbours]
    gaps = [away(table[question.row], table[row]) for row in found]
    wanted = [away(table[question.row], table[row]) for row in order[:3]]
    assert gaps == pytest.approx(wanted)


def test_undo_takes_back_one_by_one_and_asks_again(session):
    first, _ = label(session)
    second, _ = label(session)
    before = replayed(session)
    third, _ = label(session)
    undo(session)
    assert replayed(session)[:3] == before[:3]
    assert session.ask("Ada").row == third.row
    undo(session)
    assert session.ask("Ada").row == second.row
    undo(session)
    assert session.state.labels == {}
    with pytest.raises(AttributeError):
        undo(session)  # nothing is left
    assert session.ask("Ada").row == first.row
    assert len(session.log.after(0)) == 6


def test_what_is_out_of_order_is_refused(session):
    question, event = label(session)
    other = session.ask("Ada")
    with pytest.raises(Refusal, match="not in your hands"):
        session.take(Event(new_id(), question.key, "Ada", "label", "sweet"))
    with pytest.raises(Refusal, match="not in your hands"):
        session.take(Event(new_id(), other.key, "Bob", "label", "sweet"))
    with pytest.raises(Refusal, match="nothing of yours"):
        session.take(Event(new_id(), question.key, "Bob", "undo", of=event.id))
    with pytest.raises(Refusal, match="same id"):
        session.take(Event(event.id, other.key, "Ada", "label", "sour"))
    with pytest.raises(Refusal, match="no such row"):
        session.take(Event(new_id(), "0" * 32, "Ada", "skip"))
    assert len(session.log.after(0)) == 1
    label(session)
    with pytest.raises(Refusal, match="not the latest"):
        session.take(Event(new_id(), question.key, "Ada", "undo", of=event.id))


def test_an_answer_sent_again_changes_nothing(session):
    question, event = label(session)
    again = Event(event.id, question.key, "Ada", "label", event.value)
    assert session.take(again) == event
    assert len(session.log.after(0)) == 1


def test_an_answer_reads_the_log_once(session, monkeypatch):
    label(session)
    after, calls = session.log.after, []
    monkeypatch.setattr(session.log, "after", lambda seq: calls.append(seq) or after(seq))
    with session.current():
        label(session)
        session.ask("Ada")
    assert calls == [1]


def test_an_event_of_another_process_that_comes_in_between_counts(session, monkeypatch):
    there = Session(session.task, Log(session.log.path))
    append = session.log.append

    def late(event):
        label(there, "Bob")
        return append(event)

    monkeypatch.setattr(session.log, "append", late)
    label(session)
    label(session)
    assert [event.who for event in session.log.after(0)] == ["Bob", "Ada", "Bob", "Ada"]
    again = Session(session.task, Log(session.log.path))
    assert replayed(session) == replayed(again)
    for each in (there, again):
        each.close()


def test_skipped_rows_come_back_at_the_end_and_unsure_ones_do_not(tmp_path):
    session = Session(fruit_task(6), Log(tmp_path / "x.sqlite"))
    skipped, _ = do(session, "skip")
    unsure, _ = do(session, "unsure")
    for _ in range(4):
        question, _ = label(session)
        assert question.row not in (skipped.row, unsure.row)
    assert label(session)[0].row == skipped.row
    assert session.ask("Ada") is None
    assert session.ask("Bob").row == unsure.row
    session.log.close()


def test_a_row_in_hand_is_nobody_elses_until_the_lease_ends(tmp_path, monkeypatch):
    session = Session(fruit_task(), Log(tmp_path / "x.sqlite"))
    held = session.ask("Ada").row
    assert session.ask("Bob").row != held
    assert session.ask("Ada").row == held  # as after a reload
    monkeypatch.setattr("satsuma.app.labelling.queues.LEASE", -1)
    late = Session(fruit_task(), Log(tmp_path / "y.sqlite"))
    held = late.ask("Ada").row
    assert late.ask("Bob").row == held
    # Both may answer: nobody's answer is thrown away.
    label(late, "Ada")
    late.take(Event(new_id(), late.keys[held], "Bob", "label", "sweet"))
    assert len(late.log.after(0)) == 2
    session.log.close()
    late.log.close()


def test_leases_outlive_the_process(session):
    label(session)
    held = session.ask("Ada")
    again = Session(session.task, Log(session.log.path))
    again.take(Event(new_id(), held.key, "Ada", "label", "sweet"))  # as a page does that was open
    assert again.ask("Bob").row != held.row
    again.log.close()


def test_kappa_is_scikit_learns_and_disagreements_are_settled(session):
    rng = np.random.default_rng(3)
    for _ in range(40):
        label(session, "Ada")
    said = {}
    for _ in range(150):
        question = session.ask("Bob")
        value = str(rng.choice(["sweet", "sour"]))
        if question.kind == "second opinion":
            assert question.answers == []  # the other's answer would sway
            said[question.row] = value
        session.take(Event(new_id(), question.key, "Bob", "label", value))
    ((one, other, found),) = session.state.agreements()
    assert (one, other, found.rows) == ("Ada", "Bob", len(said))
    ada = [session.state.people["Ada"].label(row) for row in said]
    assert found.kappa == pytest.approx(cohen_kappa_score(ada, list(said.values())), abs=1e-12)
    assert 0.1 < found.rows / 150 < 0.2
    differing = [
        row for row, value in said.items() if session.state.people["Ada"].label(row) != value
    ]
    assert set(session.queues.disagreements("Ada")) == set(differing)
    assert not set(differing) & set(session.state.labels)
    kappa = found.kappa
    while (question := session.ask("Ada", "disagreement")) is not None:
        assert dict(question.answers)["Bob"] == said[question.row]
        session.take(Event(new_id(), question.key, "Ada", "label", said[question.row]))
        assert session.state.labels[question.row] == said[question.row]
    assert session.queues.disagreements("Bob") == []
    assert session.state.agreements()[0][2].kappa == kappa  # as before they had talked


def test_doubtful_answers_come_back_for_a_second_look(session):
    for at in range(40):
        question = session.ask("Ada")
        value = truth(session.task.table, question.row)
        if at == 1:  # one of the typical rows to begin with
            value, wrong = "sour" if value == "sweet" else "sweet", question.row
        session.take(Event(new_id(), question.key, "Ada", "label", value))
    Progress(session).refresh()
    assert session.queues.second_looks("Ada")[0] == wrong
    question = session.ask("Bob", "second look")
    assert (question.row, question.kind) == (wrong, "second look")
    assert question.answers[0][0] == "Ada"
    session.take(Event(new_id(), question.key, "Bob", "skip"))  # leaves it as it is, for Bob
    assert wrong in session.state.labels
    seen = [label(session, "Ada")[0] for _ in range(16)]  # and it comes by itself
    assert next(each.row for each in seen if each.kind == "second look") == wrong
    assert session.state.labels[wrong] == truth(session.task.table, wrong)
    assert wrong not in session.queues.second_looks("Ada")


def test_a_changed_file_keeps_what_matches_and_lists_the_rest(tmp_path):
    before = fruits(50)
    session = Session(task_of(before, classes=["sweet", "sour"]), Log(tmp_path / "x.sqlite"))
    said = {}
    for _ in range(20):
        question, event = label(session)
        said[question.row] = event.value
    session.log.close()
    gone, *kept = list(said)
    order = [row for row in reversed(range(50)) if row != gone]
    after = before.select(["seeds", "size", "colour"])[np.array(order)]
    again = Session(task_of(after, classes=["sweet", "sour"]), Log(tmp_path / "x.sqlite"))
    found = {order[row]: value for row, value in again.state.labels.items()}
    assert found == {row: said[row] for row in kept}
    (stray,) = again.state.unmatched
    assert stray.value == said[gone]
    assert stray.shown
    again.log.close()
    back = Session(task_of(before, classes=["sweet", "sour"]), Log(tmp_path / "x.sqlite"))
    assert back.state.labels == said  # nothing was dropped meanwhile
    back.log.close()


def test_rows_with_a_label_are_not_asked_about(tmp_path):
    iris = satsuma.load("iris")
    some = np.arange(150) % 3 == 0
    blank = hide_labels(iris)
    column = np.where(some, iris.column("Species"), -1).astype(np.int32)
    known = Table(iris.domain, [*blank.columns[:-1], column])
    session = Session(task_of(known), Log(tmp_path / "x.sqlite"))
    for _ in range(20):
        question = session.ask("Ada")
        assert not some[question.row]
        session.take(Event(new_id(), question.key, "Ada", "label", "setosa"))
    undo(session)
    session.log.close()


def test_texts_are_asked_about_by_their_words(tmp_path):
    rows = [(f"sail mast keel {at}", at) if at % 2 else (f"bread tram lamp {at}", at)
            for at in range(60)]  # fmt: skip
    table = Table.of(rows, ["note", "n"], target=None, kinds={"note": "text"})
    session = Session(
        task_of(table, classes=["boat", "other"], sought="boat"), Log(tmp_path / "x.sqlite")
    )
    for _ in range(12):
        question = session.ask("Ada")
        value = "boat" if "sail" in table.cell(question.row, "note") else "other"
        session.take(Event(new_id(), question.key, "Ada", "label", value))
    question = session.ask("Ada")
    assert "most probably “boat”" in question.explanation.summary
    assert {d.what for d in question.explanation.drivers} & {
        "“sail”",
        "“mast”",
        "“keel”",
        "“sail mast”",
    }
    assert question.explanation.neighbours[0].label == "boat"
    advice = Progress(session).refresh().advice
    assert advice.measure == "recall"
    session.log.close()


def test_goals_are_searched_and_end_with_what_to_do(tmp_path):
    cars = satsuma.load("auto-mpg").with_roles(
        {"mpg": "+", "weight": "-", "acceleration": "+", "car_name": "meta"}
    )
    blank = [np.full(len(cars), np.nan) if v.role == "goal" else column
             for v, column in zip(cars.domain, cars.columns, strict=True)]  # fmt: skip
    session = Session(task_of(Table(cars.domain, blank)), Log(tmp_path / "x.sqlite"))
    progress = Progress(session)
    for _ in range(30):
        question = session.ask("Ada")
        assert session.ask("Bob").row != question.row
        goals = {name: cars.cell(question.row, name) for name in session.task.filled}
        session.take(Event(new_id(), question.key, "Ada", "label", goals))
    outcome = progress.refresh().outcome
    assert outcome.done
    assert outcome.advice[0].startswith(("do ", "Leave it"))
    best = satsuma.distance_to_ideal(cars)(cars)
    assert best[outcome.row] <= np.quantile(best, 0.1)
    again = Session(session.task, Log(session.log.path))
    assert again.strategy.search().rows == session.strategy.search().rows
    undo(session)
    assert len(session.strategy.search().rows) == 29
    for bad in ("sweet", {"mpg": 3.0}):
        with pytest.raises(Refusal, match="number is needed"):
            session.take(Event(new_id(), session.ask("Ada").key, "Ada", "label", bad))
    session.log.close()
    again.log.close()


def test_people_who_do_not_agree_are_not_told_to_stop(session):
    for _ in range(120):
        label(session, "Ada")
    progress = Progress(session)
    assert progress.refresh().advice.stop
    for _ in range(12):
        question = session.ask("Bob")
        right = truth(session.task.table, question.row)
        wrong = "sour" if right == "sweet" else "sweet"
        shared = question.kind == "second opinion"
        session.take(Event(new_id(), question.key, "Bob", "label", wrong if shared else right))
    ((_, _, found),) = session.state.agreements()
    assert found.kappa < 0
    advice = progress.refresh().advice
    assert not advice.stop
    views = Views(session.task, session.log.path)
    views.progress.refresh()
    shown = views.panel("Ada", "question")["panel"]
    views.close()
    assert "You may stop" not in shown
