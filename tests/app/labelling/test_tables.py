"""Tables of all sorts: each can be labelled from the first row to the last."""

import json

import numpy as np
import pytest

from satsuma import Table
from satsuma.app.http.views import Views
from satsuma.app.labelling.task import task_of
from satsuma.errors import DomainError, ParameterError
from tests.app.serving import new_id


def table(rows, names, **how):
    return Table.of(rows, names, target=None, **how)


TABLES = {
    "one row": table([(1.0, "a")], ["x", "s"]),
    "equal rows": table([(1, "a")] * 12, ["x", "s"]),
    "only a key": table([(f"row {at}",) for at in range(30)], ["id"], kinds={"id": "sym"}),
    "nothing known": table([(None, None, None)] * 12, ["x", "s", "t"],
                           kinds={"x": "num", "s": "sym", "t": "text"}),
    "empty texts": table([("",), (None,), (" ",)] * 5, ["t"], kinds={"t": "text"}),
    "long and odd texts": table([("a\x00b\x1b[31m\u202e" + "word " * 9000 + str(at),)
                                 for at in range(9)], ["t"], kinds={"t": "text"}),
    "large numbers": table([((-1.0) ** at * 1e300 / (at + 1), 1e-300 * at) for at in range(20)],
                           ["x", "y"]),
    "odd names": table([(at, str(at % 3)) for at in range(12)], ["<b>", "a\"b'c&"],
                       kinds={"a\"b'c&": "sym"}),
    "a column called label": table([(at, "z") for at in range(9)], ["row", "label"]),
    "a single goal": table([(at, at % 2, None) for at in range(15)], ["x", "y", "Cost-"],
                           kinds={"Cost-": "num"}, roles={"Cost-": "-"}),
    "goals that are known": table([(at, float(at)) for at in range(12)], ["x", "Cost-"],
                                  roles={"Cost-": "-"}),
    "goals of equal rows": table([("a", None, None)] * 12, ["s", "A+", "B-"],
                                 kinds={"A+": "num", "B-": "num"}, roles={"A+": "+", "B-": "-"}),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_labelled_to_its_end(tmp_path, name):
    task = task_of(TABLES[name])
    views = Views(task, tmp_path / "x.sqlite")
    state, answers = views.page("Ada"), 0
    rng = np.random.default_rng(0)
    while state["row"] is not None:
        value = (
            {goal: float(rng.integers(5)) for goal in task.filled}
            if task.is_search
            else str(rng.choice(["yes", "no", "<i>perhaps</i>"]))
        )
        sent = {"id": new_id(), "row": state["row"], "what": "label", "value": value}
        state = views.answer("Ada", json.dumps(sent).encode())
        answers += 1
        assert answers <= len(task.table)
        if answers % 5 == 0:
            views.progress.refresh()
    assert "Nothing left to ask you" in state["question"]
    known = len(views.session.strategy.known)
    assert answers + known == len(task.table)
    views.progress.refresh()
    path = tmp_path / "labels.parquet"
    views.export(path.name, path, raw=False)
    views.close()
    again = Views(task, tmp_path / "x.sqlite")
    assert again.page("Ada")["row"] is None
    again.close()


def test_what_cannot_be_labelled():
    with pytest.raises(DomainError, match="no rows"):
        task_of(table([], ["x"]))
    numbers = Table.of([(1, at / 7) for at in range(300)], ["x", "y"])
    with pytest.raises(ParameterError, match="too many to choose among"):
        task_of(numbers)


def test_a_target_of_few_numbers_has_classes():
    rows = [(at, at % 2 if at < 10 else None) for at in range(20)]
    task = task_of(Table.of(rows, ["x", "y"]), classes=["2"])
    assert task.table.domain["y"].values == ("0", "1", "2")


def test_columns_that_name_rows_are_shown_and_not_learned_from():
    rows = [(f"id {at}", at % 3, "a b c") for at in range(40)]
    made = table(rows, ["id", "n", "s"], kinds={"id": "sym", "s": "sym"})
    task = task_of(made, classes=["x", "y"])
    assert task.learned.domain.names == ("n", "s", "label")
    assert "id" in task.table.domain


def test_four_labels_are_no_proof():
    rows = [(17, "bug"), (16, "bug"), (3, "wish"), (40, "wish"), *((at, None) for at in range(60))]
    task = task_of(Table.of(rows, ["votes", "kind"], kinds={"kind": "sym"}))
    model = task.how.begin(task.learned).model
    row = task.learned[0]
    assert model.probabilities(task.learned[:1]).max() < 0.9
    assert max(np.exp(abs(each)) for each in model.explain(row).parts.values()) < 5
