"""The desk: what is asked next, what counts, and that the log alone decides it."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import satsuma
from satsuma import Table
from satsuma.active.learner import hide_labels
from satsuma.app.http.views import progress
from satsuma.app.labelling.progress import Panels
from satsuma.app.labelling.session import Desk
from satsuma.app.labelling.task import task_of
from satsuma.app.refusal import Refusal
from satsuma.app.store.deed import Deed
from satsuma.app.store.log import Log
from tests.app.serving import fruit_task, fruits, new_id, truth


@pytest.fixture
def desk(tmp_path):
    made = Desk(fruit_task(), Log(tmp_path / "fruits.csv.labels.sqlite"))
    yield made
    made.log.close()


def label(desk, who="Ada", value=None, queue="question"):
    question = desk.ask(who, queue)
    value = truth(desk.task.table, question.row) if value is None else value
    return question, desk.take(who, Deed(new_id(), question.key, "label", value))


def do(desk, what, who="Ada", value=None):
    question = desk.ask(who)
    return question, desk.take(who, Deed(new_id(), question.key, what, value))


def undo(desk, who="Ada"):
    last = desk.state.last_deed(who)
    return desk.take(who, Deed(new_id(), last.row, "undo", of=last.id))


def told(desk):
    """All that follows from the log, numbers to the last bit."""
    people = {who: {row: p.label(row) for row in p.said} for who, p in desk.state.people.items()}
    labelling = desk.asking.labelling
    tally = labelling.model.probabilities(labelling.model.asked(desk.task.learned))
    return people, dict(desk.state.settled), list(labelling.order), tally.tobytes()


def busy(desk):
    """Some of everything."""
    for at in range(40):
        if at % 7 == 3:
            do(desk, "skip")
        elif at % 7 == 5:
            do(desk, "unsure")
        elif at % 11 == 6:
            undo(desk)
        else:
            label(desk)
        if at % 13 == 0:
            do(desk, "comment", value=f"note {at}")


def test_the_log_replays_exactly(desk, tmp_path):
    busy(desk)
    again = Desk(desk.task, Log(desk.log.path))
    assert told(again) == told(desk)
    assert again.ask("Ada") == desk.ask("Ada")
    again.log.close()
    # After each event, a desk that knows the events up to it asks what was asked then, for the
    # same reasons, of a model of the same events.
    events, part = desk.log.after(0), Log(tmp_path / "part.sqlite")
    for event in events:
        if event.what != "undo":
            then = Desk(desk.task, part)
            question = then.ask("Ada")
            assert question.key == event.row
            assert {"kind": question.kind, **question.reasons.brief()} == event.why
            if event.what != "comment" and events[event.seq - 2].what != "comment":
                assert then.state.seq == event.model
        part.give_back("Ada")
        part.append(event)
    part.close()


def test_reasons_are_told(desk):
    question, _ = label(desk)
    assert "to begin with" in question.reasons.told
    for _ in range(20):
        label(desk)
    reasons = desk.ask("Ada").reasons
    assert sum(guess.chance for guess in reasons.guesses) == pytest.approx(1)
    assert reasons.drivers
    assert len(reasons.near) == 3
    assert {near.label for near in reasons.near} <= {"sweet", "sour"}
    assert any("from" in driver.told for driver in reasons.drivers)  # a range


def test_the_nearest_are_the_nearest(desk):
    for _ in range(30):
        label(desk)
    question = desk.ask("Ada")
    table = desk.task.learned.select(["size", "colour", "seeds"])
    away = satsuma.distance(table)
    rows = list(desk.state.settled)
    order = sorted(rows, key=lambda row: away(table[question.row], table[row]))
    found = [near.row for near in question.reasons.near]
    gaps = [away(table[question.row], table[row]) for row in found]
    wanted = [away(table[question.row], table[row]) for row in order[:3]]
    assert gaps == pytest.approx(wanted)


def test_undo_takes_back_one_by_one_and_asks_again(desk):
    first, _ = label(desk)
    second, _ = label(desk)
    before = told(desk)
    third, _ = label(desk)
    undo(desk)
    assert told(desk)[:3] == before[:3]
    assert desk.ask("Ada").row == third.row
    undo(desk)
    assert desk.ask("Ada").row == second.row
    undo(desk)
    assert desk.state.settled == {}
    with pytest.raises(AttributeError):
        undo(desk)  # nothing is left
    assert desk.ask("Ada").row == first.row
    assert len(desk.log.after(0)) == 6


def test_what_is_out_of_order_is_refused(desk):
    question, event = label(desk)
    other = desk.ask("Ada")
    with pytest.raises(Refusal, match="not in your hands"):
        desk.take("Ada", Deed(new_id(), question.key, "label", "sweet"))
    with pytest.raises(Refusal, match="not in your hands"):
        desk.take("Bob", Deed(new_id(), other.key, "label", "sweet"))
    with pytest.raises(Refusal, match="nothing of yours"):
        desk.take("Bob", Deed(new_id(), question.key, "undo", of=event.id))
    with pytest.raises(Refusal, match="same id"):
        desk.take("Ada", Deed(event.id, other.key, "label", "sour"))
    with pytest.raises(Refusal, match="no such row"):
        desk.take("Ada", Deed(new_id(), "0" * 32, "skip"))
    assert len(desk.log.after(0)) == 1
    label(desk)
    with pytest.raises(Refusal, match="not the latest"):
        desk.take("Ada", Deed(new_id(), question.key, "undo", of=event.id))


def test_an_answer_sent_again_changes_nothing(desk):
    question, event = label(desk)
    deed = Deed(event.id, question.key, "label", event.value)
    assert desk.take("Ada", deed) == event
    assert len(desk.log.after(0)) == 1


def test_skipped_rows_come_back_at_the_end_and_unsure_ones_do_not(tmp_path):
    desk = Desk(fruit_task(6), Log(tmp_path / "x.sqlite"))
    skipped, _ = do(desk, "skip")
    unsure, _ = do(desk, "unsure")
    for _ in range(4):
        question, _ = label(desk)
        assert question.row not in (skipped.row, unsure.row)
    assert label(desk)[0].row == skipped.row
    assert desk.ask("Ada") is None
    assert desk.ask("Bob").row == unsure.row
    desk.log.close()


def test_a_row_in_hand_is_nobody_elses_until_the_lease_ends(tmp_path, monkeypatch):
    desk = Desk(fruit_task(), Log(tmp_path / "x.sqlite"))
    held = desk.ask("Ada").row
    assert desk.ask("Bob").row != held
    assert desk.ask("Ada").row == held  # as after a reload
    monkeypatch.setattr("satsuma.app.labelling.session.LEASE", -1)
    late = Desk(fruit_task(), Log(tmp_path / "y.sqlite"))
    held = late.ask("Ada").row
    assert late.ask("Bob").row == held
    # Both may answer: nobody's answer is thrown away.
    label(late, "Ada")
    late.take("Bob", Deed(new_id(), late.keys[held], "label", "sweet"))
    assert len(late.log.after(0)) == 2
    desk.log.close()
    late.log.close()


def test_leases_outlive_the_process(desk):
    label(desk)
    held = desk.ask("Ada")
    again = Desk(desk.task, Log(desk.log.path))
    again.take("Ada", Deed(new_id(), held.key, "label", "sweet"))  # as a page does that was open
    assert again.ask("Bob").row != held.row
    again.log.close()


def test_kappa_is_scikit_learns_and_disagreements_are_settled(desk):
    rng = np.random.default_rng(3)
    for _ in range(40):
        label(desk, "Ada")
    said = {}
    for _ in range(150):
        question = desk.ask("Bob")
        value = str(rng.choice(["sweet", "sour"]))
        if question.kind == "second opinion":
            assert question.said == []  # the other's answer would sway
            said[question.row] = value
        desk.take("Bob", Deed(new_id(), question.key, "label", value))
    ((one, other, found),) = desk.state.agreements()
    assert (one, other, found.rows) == ("Ada", "Bob", len(said))
    ada = [desk.state.people["Ada"].label(row) for row in said]
    assert found.kappa == pytest.approx(cohen_kappa_score(ada, list(said.values())), abs=1e-12)
    assert 0.1 < found.rows / 150 < 0.2
    differing = [row for row, value in said.items() if desk.state.people["Ada"].label(row) != value]
    assert set(desk.queues.disagreements("Ada")) == set(differing)
    assert not set(differing) & set(desk.state.settled)
    kappa = found.kappa
    while (question := desk.ask("Ada", "disagreement")) is not None:
        assert dict(question.said)["Bob"] == said[question.row]
        desk.take("Ada", Deed(new_id(), question.key, "label", said[question.row]))
        assert desk.state.settled[question.row] == said[question.row]
    assert desk.queues.disagreements("Bob") == []
    assert desk.state.agreements()[0][2].kappa == kappa  # as before they had talked


def test_doubtful_answers_come_back_for_a_second_look(desk):
    for at in range(40):
        question = desk.ask("Ada")
        value = truth(desk.task.table, question.row)
        if at == 1:  # one of the typical rows to begin with
            value, wrong = "sour" if value == "sweet" else "sweet", question.row
        desk.take("Ada", Deed(new_id(), question.key, "label", value))
    Panels(desk).refresh()
    assert desk.queues.second_looks("Ada")[0] == wrong
    question = desk.ask("Bob", "second look")
    assert (question.row, question.kind) == (wrong, "second look")
    assert question.said[0][0] == "Ada"
    desk.take("Bob", Deed(new_id(), question.key, "skip"))  # leaves it as it is, for Bob
    assert wrong in desk.state.settled
    seen = [label(desk, "Ada")[0] for _ in range(16)]  # and it comes by itself
    assert next(each.row for each in seen if each.kind == "second look") == wrong
    assert desk.state.settled[wrong] == truth(desk.task.table, wrong)
    assert wrong not in desk.queues.second_looks("Ada")


def test_a_changed_file_keeps_what_matches_and_lists_the_rest(tmp_path):
    before = fruits(50)
    desk = Desk(task_of(before, classes=["sweet", "sour"]), Log(tmp_path / "x.sqlite"))
    said = {}
    for _ in range(20):
        question, event = label(desk)
        said[question.row] = event.value
    desk.log.close()
    gone, *kept = list(said)
    order = [row for row in reversed(range(50)) if row != gone]
    after = before.select(["seeds", "size", "colour"])[np.array(order)]
    again = Desk(task_of(after, classes=["sweet", "sour"]), Log(tmp_path / "x.sqlite"))
    found = {order[row]: value for row, value in again.state.settled.items()}
    assert found == {row: said[row] for row in kept}
    (stray,) = again.state.strays
    assert stray.value == said[gone]
    assert stray.shown
    again.log.close()
    back = Desk(task_of(before, classes=["sweet", "sour"]), Log(tmp_path / "x.sqlite"))
    assert back.state.settled == said  # nothing was dropped meanwhile
    back.log.close()


def test_rows_with_a_label_are_not_asked_about(tmp_path):
    iris = satsuma.load("iris")
    some = np.arange(150) % 3 == 0
    blank = hide_labels(iris)
    column = np.where(some, iris.column("Species"), -1).astype(np.int32)
    known = Table(iris.domain, [*blank.columns[:-1], column])
    desk = Desk(task_of(known), Log(tmp_path / "x.sqlite"))
    for _ in range(20):
        question = desk.ask("Ada")
        assert not some[question.row]
        desk.take("Ada", Deed(new_id(), question.key, "label", "setosa"))
    undo(desk)
    desk.log.close()


def test_texts_are_asked_about_by_their_words(tmp_path):
    rows = [(f"sail mast keel {at % 5}", at) if at % 2 else (f"bread tram lamp {at % 7}", at)
            for at in range(60)]  # fmt: skip
    table = Table.of(rows, ["note", "n"], target=None, kinds={"note": "text"})
    desk = Desk(
        task_of(table, classes=["boat", "other"], sought="boat"), Log(tmp_path / "x.sqlite")
    )
    for _ in range(12):
        question = desk.ask("Ada")
        value = "boat" if "sail" in table.cell(question.row, "note") else "other"
        desk.take("Ada", Deed(new_id(), question.key, "label", value))
    question = desk.ask("Ada")
    assert "most probably “boat”" in question.reasons.told
    assert {d.what for d in question.reasons.drivers} & {
        "“sail”",
        "“mast”",
        "“keel”",
        "“sail mast”",
    }
    assert question.reasons.near[0].label == "boat"
    advice = Panels(desk).refresh().advice
    assert advice.measure == "recall"
    desk.log.close()


def test_goals_are_searched_and_end_with_what_to_do(tmp_path):
    cars = satsuma.load("auto-mpg").with_roles(
        {"mpg": "+", "weight": "-", "acceleration": "+", "car_name": "meta"}
    )
    blank = [np.full(len(cars), np.nan) if v.role == "goal" else column
             for v, column in zip(cars.domain, cars.columns, strict=True)]  # fmt: skip
    desk = Desk(task_of(Table(cars.domain, blank)), Log(tmp_path / "x.sqlite"))
    panels = Panels(desk)
    for _ in range(30):
        question = desk.ask("Ada")
        assert desk.ask("Bob").row != question.row
        goals = {name: cars.cell(question.row, name) for name in desk.task.filled}
        desk.take("Ada", Deed(new_id(), question.key, "label", goals))
    outcome = panels.refresh().outcome
    assert outcome.done
    assert outcome.advice[0].startswith(("do ", "Leave it"))
    best = satsuma.disty(cars)(cars)
    assert best[outcome.row] <= np.quantile(best, 0.1)
    again = Desk(desk.task, Log(desk.log.path))
    assert again.asking.search().rows == desk.asking.search().rows
    undo(desk)
    assert len(desk.asking.search().rows) == 29
    for bad in ("sweet", {"mpg": 3.0}):
        with pytest.raises(Refusal, match="number is needed"):
            desk.take("Ada", Deed(new_id(), desk.ask("Ada").key, "label", bad))
    desk.log.close()
    again.log.close()


def test_people_who_do_not_agree_are_not_told_to_stop(desk):
    for _ in range(120):
        label(desk, "Ada")
    panels = Panels(desk)
    assert panels.refresh().advice.stop
    for _ in range(12):
        question = desk.ask("Bob")
        right = truth(desk.task.table, question.row)
        wrong = "sour" if right == "sweet" else "sweet"
        shared = question.kind == "second opinion"
        desk.take("Bob", Deed(new_id(), question.key, "label", wrong if shared else right))
    ((_, _, found),) = desk.state.agreements()
    assert found.kappa < 0
    advice = panels.refresh().advice
    assert not advice.stop
    shown = progress(desk, "Ada", "question", panels.latest)["panel"]
    assert "You may stop" not in shown
