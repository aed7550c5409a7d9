"""Exports: what is written is what was said, and can be read again."""

import io

import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.app.labelling.task import task_of
from tests.app.serving import fruit_task, served, truth


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
    rows = [(f"sail mast {at % 5}", "a") if at % 2 else (f"bread tram {at % 7}", "b")
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
