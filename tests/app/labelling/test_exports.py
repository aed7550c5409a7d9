"""Exports: what is written is what was said, and can be read again."""

import io

import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.app.labelling.exports import EXPORTS, export_groups, labels, predictions, statement
from satsuma.app.labelling.session import Session
from satsuma.app.labelling.settings import resumed_task
from satsuma.app.labelling.task import task_of
from satsuma.app.store.events import Event, question_kind
from satsuma.app.store.log import Log
from satsuma.app.store.log_file import log_path
from tests.app.serving import fruit_task, new_id, served, truth


@pytest.fixture
def server(tmp_path):
    with served(fruit_task(60), tmp_path / "x.sqlite") as made:
        yield made


def read(page, name, **how):
    reply = page.http.get(f"/export/{name}").raise_for_status()
    assert name in reply.headers["content-disposition"]
    return satsuma.read(io.BytesIO(reply.content), format=name.rpartition(".")[2], **how)


def labelled(server, page, count):
    said = {}
    for _ in range(count):
        row = server.session.keys.find(page.state["row"])
        said[row] = truth(server.session.task.table, row)
        page.send("label", said[row])
    return said


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_labels(server, ending):
    with server.labeller() as page:
        said = labelled(server, page, 15)
        page.send("comment", 'a, b\n"c"')
        found = read(page, f"labels.{ending}")
        rows = (found["row"].astype(int) - 1).tolist()
        assert dict(zip(rows[:15] + rows[15:], found["label"], strict=True)).items() >= said.items()
        assert 'Ada: a, b\n"c"' in [*found["comments"]]
        assert [*found["label by Ada"]] == [*found["label"]]
        for at, row in enumerate(rows):
            assert found["size"][at] == server.session.task.table.cell(row, "size")


def test_two_people_and_what_they_do_not_agree_on(server):
    with server.labeller("Ada") as ada, server.labeller("Bob") as bob:
        labelled(server, ada, 10)
        for _ in range(20):
            bob.send("label", "sour")
        found = read(ada, "labels.csv")
        for a, b, both in zip(found["label by Ada"], found["label by Bob"], found["label"],
                              strict=True):  # fmt: skip
            told = {each for each in (a, b) if each is not None}
            assert both == (told.pop() if len(told) == 1 else None)


def test_the_model_and_its_predictions(server, tmp_path):
    with server.labeller() as page:
        assert page.http.get("/export/model.satsuma").status_code == 409
        assert page.http.get("/export/predictions.csv").status_code == 409
        said = labelled(server, page, 20)
        path = tmp_path / "m.satsuma"
        path.write_bytes(page.http.get("/export/model.satsuma").content)
        model = satsuma.open_model(path)
        rest = read(page, "predictions.parquet")
        rows = rest["row"].astype(int) - 1
        assert sorted([*rows, *said]) == list(range(60))
        table = server.session.task.table
        assert rest["label predicted"].tolist() == model(table)[rows].tolist()
        chances = np.stack([rest["label = sweet"], rest["label = sour"]], axis=1)
        assert chances == pytest.approx(model(table, satsuma.GetProbabilities)[rows])


def test_a_model_of_texts_takes_the_file_as_it_is(tmp_path):
    rows = [(f"sail mast {at}", "a") if at % 2 else (f"bread tram {at}", "b")
            for at in range(40)]  # fmt: skip
    table = Table.of(rows, ["note", "by"], target=None, kinds={"note": "text", "by": "sym"})
    with served(task_of(table, classes=["x", "y"]), tmp_path / "x.sqlite") as server:
        with server.labeller() as page:
            for at in range(12):
                page.send("label", "xy"[at % 2])
            path = tmp_path / "m.satsuma"
            path.write_bytes(page.http.get("/export/model.satsuma").content)
            rest = read(page, "predictions.csv")
        found = satsuma.open_model(path)(table)
        assert rest["label predicted"].tolist() == found[rest["row"].astype(int) - 1].tolist()


def test_a_search(tmp_path):
    rows = [(x, x % 3, None) for x in range(40)]
    table = Table.of(rows, ["x", "m", "Far-"], target=None, kinds={"Far-": "num"},
                     roles={"Far-": "-"})  # fmt: skip
    with served(task_of(table), tmp_path / "x.sqlite") as server, server.labeller() as page:
        for _ in range(12):
            row = server.session.keys.find(page.state["row"])
            assert page.send("label", {"Far-": abs(row - 30)}).status_code == 200
        found = read(page, "labels.parquet")
        assert found["Far-"].tolist() == np.abs(found["x"] - 30).tolist()
        assert len(read(page, "predictions.csv")) == 28
        assert page.http.get("/export/model.satsuma").status_code == 200
        assert server.session.strategy.search().best_row in range(27, 34)


def test_answers_without_a_row_are_exported_too(tmp_path):
    with served(fruit_task(30), tmp_path / "x.sqlite") as server, server.labeller() as page:
        assert page.http.get("/export/unmatched.csv").status_code == 409
        labelled(server, page, 3)
    other = task_of(fruit_task(30).table.select(["size", "colour"]), classes=["sweet", "sour"])
    with served(other, tmp_path / "x.sqlite") as server, server.labeller() as page:
        found = read(page, "unmatched.csv")
        assert len(found) >= 3 - len(server.session.state.labels)
        assert "set aside" in page.state["panel"]
        assert set(found["who"]) == {"Ada"}


def test_the_statement_of_a_search_is_proved_or_said_to_be_a_guess(tmp_path):
    """Audits are mixed into the questions, marked in the log, and make the proof in the export."""
    rng = np.random.default_rng(0)
    relevant = np.arange(400) < 24
    rows = [(" ".join(rng.choice(["trial", "drug", "dose"] if r else ["crop", "soil", "rain"], 6)),)
            for r in relevant]  # fmt: skip
    table = Table.of(rows, ["text"], target=None, kinds={"text": "text"}, name="papers")
    task = task_of(table, classes=["yes", "no"], sought="yes", audit=0.5)
    session = Session(task, Log(tmp_path / "x.sqlite"))
    for at in range(230):
        question = session.ask("Ada")
        value = "yes" if relevant[question.row] else "no"
        session.take(Event(new_id(), question.key, "Ada", "label", value, took=4000))
        if at == 40:
            assert "a guess, not a proof" in statement(session)
    drawn = [e.row for e in session.log.after(0) if question_kind(e) == "audit"]
    told = statement(session)
    audited = session.strategy.labelling.audited
    assert [session.keys[draw.row] for draw in audited] == drawn
    assert len(drawn) > 50
    assert f"By {len(drawn)} rows drawn at random, recall is at least" in told
    assert "Ada has labelled 230 rows." in told
    assert session.overview("Ada").pace == 4.0
    again = Session(task, Log(session.log.path))
    assert statement(again) == told
    again.log.close()
    session.log.close()


def test_references_are_labelled_and_exported_as_references(tmp_path):
    path = tmp_path / "refs.ris"
    path.write_text("".join(f"TY  - JOUR\nTI  - On {word} {at}\nDO  - 10.1/{at}\nER  - \n\n"
                            for at, word in enumerate(["rain", "trial"] * 6)))  # fmt: skip
    task = resumed_task(satsuma.read(path), log_path(path), target="label", sought="relevant")
    assert task.table.domain["label"].values == ("relevant", "not relevant")
    session = Session(task, Log(log_path(path)))
    for _ in range(6):
        question = session.ask("Ada")
        value = "relevant" if question.row % 2 else "not relevant"
        session.take(Event(new_id(), question.key, "Ada", "label", value))
    EXPORTS["labels.ris"](session, tmp_path / "labels.ris", True)
    EXPORTS["found.ris"](session, tmp_path / "found.ris", True)
    labels, found = (satsuma.read(tmp_path / name) for name in ("labels.ris", "found.ris"))
    assert len(labels) == 6
    want = [session.task.table.cell(row, "doi") for row in sorted(session.state.labels) if row % 2]
    assert found["doi"].tolist() == want
    assert all("label: relevant" in notes for notes in found["notes"])
    assert "References" in dict(export_groups(session))
    session.log.close()


def test_equal_texts_are_asked_about_once_and_all_get_the_answer(tmp_path):
    rows = [(f"paper {at % 10}", at) for at in range(30)]
    table = Table.of(rows, ["text", "number"], target=None, kinds={"text": "text"})
    session = Session(task_of(table, classes=["yes", "no"]), Log(tmp_path / "x.sqlite"))
    assert any("20 rows have the same text" in note for note in session.notes())
    asked = []
    for _ in range(6):
        question = session.ask("Ada")
        asked.append(question.row)
        value = "yes" if question.row % 2 else "no"
        session.take(Event(new_id(), question.key, "Ada", "label", value))
    assert max(asked) < 10
    found = labels(session)
    assert len(found) == 18
    assert all(found["label"][at] == ("yes" if row % 2 == 0 else "no")
               for at, row in enumerate(found["row"]))  # fmt: skip
    assert len(predictions(session)) == 4
    session.log.close()
    each = Session(task_of(table, classes=["yes", "no"], duplicates=True), Log(tmp_path / "y"))
    assert each.strategy.followers == []
    each.log.close()
