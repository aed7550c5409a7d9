"""Every learner takes tables with times: it gets features of them, wherever the rows come from."""

import datetime as dt
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import satsuma
from satsuma import Domain, NaiveBayes, Table, Text, Tree, Variable, with_time_features
from satsuma.checks.batches import Batches
from satsuma.checks.law_predictions import check_close, check_legal, check_same, predictions
from satsuma.checks.law_tables import attributes_of, table_of, with_column, with_hole
from satsuma.checks.variants import aims, fit_arguments, fresh, sorted_classes
from satsuma.errors import DomainError, SatsumaError
from satsuma.learners.parameters import parameter_values
from tests.every import LEARNERS

DUE = Variable("due", "time", format="%d.%m.%Y %H:%M")
CLOCK = Variable("at", "time", format="%H:%M")


def times_table(learner, *, rows=60):
    """A table of what a learner takes, and two columns of times; the days tell of the target."""
    takes = learner.takes
    table = table_of(takes, "times", rows=rows)
    rng = np.random.default_rng(5)
    days = np.datetime64("2023-01-02", "ns") + rng.integers(0, 800, rows) * np.timedelta64(1, "D")
    if takes.target != "nothing":
        told = table.column("aim").astype(int) % 7
        days = days + (told * 3 % 7) * np.timedelta64(1, "D")
    days = days + rng.integers(0, 24 * 60, rows) * np.timedelta64(1, "m")
    clocks = np.datetime64(0, "ns") + rng.integers(0, 24 * 60, rows) * np.timedelta64(1, "m")
    table = with_column(with_column(table, DUE, days), CLOCK, clocks)
    if takes.missing:
        table = with_hole(table, "due", slice(None, None, 9))
    return table


EVERY = [one for learner in LEARNERS for one in aims(learner)]
EVERY_LEARNER = pytest.mark.parametrize("learner", EVERY, ids=repr)
FROM_SOURCES = [one for one in EVERY if one.takes.rounds != "rows"]
BY_WEIGHTS = [one for one in EVERY if one.takes.weights and "seed" not in parameter_values(one)]


@EVERY_LEARNER
def test_learns_and_predicts(learner):
    table = times_table(learner)
    model = learner(table)
    taken = {v.name for v in model.domain.attributes}
    for kind, name in (("num", "due:year"), ("sym", "due:weekday"), ("num", "at:hour")):
        assert (name in taken) == (kind in learner.takes.kinds)
    assert not model.domain.times
    check_legal(model, attributes_of(table), "asking about times")
    predictions(model, table)
    model(table[0])
    asked = {v.name: table.cell(1, v.name) for v in table.domain.attributes}
    model(asked)
    model({**asked, "due": dt.datetime(2040, 2, 29, 13), "at": dt.time(23, 59)})  # noqa: DTZ001
    if learner.takes.missing:
        model({**asked, "due": None, "at": None})


@EVERY_LEARNER
def test_strings_and_times_are_asked_about_alike(learner):
    table = attributes_of(times_table(learner))
    model = learner(times_table(learner))
    for kind in ("sym", "text"):
        spelled = table.with_kinds({"due": kind, "at": kind})
        check_same(predictions(model, table), predictions(model, spelled), f"times as {kind}")
    made = with_time_features(times_table(learner), learner.takes.kinds)
    check_same(predictions(model, table), predictions(model, made), "features made before")


@EVERY_LEARNER
def test_saved_and_opened(learner, tmp_path):
    table = times_table(learner)
    model = learner(table)
    model.save(tmp_path / "m.satsuma")
    opened = satsuma.open_model(tmp_path / "m.satsuma", trust_estimators=True)
    check_same(predictions(model, table), predictions(opened, table), "saved and opened")


@pytest.mark.parametrize("learner", FROM_SOURCES, ids=repr)
def test_batches_are_as_good_as_a_table(learner):
    table = times_table(learner)
    asked = attributes_of(table)
    whole = predictions(learner(table), asked)
    for size, merge in ((7, "left"), (31, "backwards")):
        parts = predictions(learner(Batches(table, size=size, merge=merge)), asked)
        check_close(whole, parts, f"batches of {size}")
    if learner.takes.rounds != "stream":
        shuffled = table[np.random.default_rng(1).permutation(len(table))]
        check_close(whole, predictions(learner(shuffled), asked), "another order")


@pytest.mark.parametrize("learner", BY_WEIGHTS, ids=repr)
def test_rows_that_weigh_nothing_change_nothing(learner):
    table = times_table(learner)
    asked = attributes_of(table)
    weights = (np.arange(len(table)) % 4 > 0).astype(float)
    late = table.column("due").copy()
    late[weights == 0] = np.datetime64("1950-05-05")
    late = with_column(table, DUE, late)
    weighted = with_column(late, Variable("weight", "num", role="weight"), weights)
    check_close(
        predictions(learner(table[weights > 0]), asked),
        predictions(learner(weighted), asked),
        "weights",
    )


@EVERY_LEARNER
def test_fit_is_the_same(learner):
    table = sorted_classes(times_table(learner))
    model = learner(table)
    asked = attributes_of(table)
    fitted = fresh(learner).fit(**fit_arguments(learner, table))
    check_same(predictions(model, asked), predictions(fitted.model_, asked), "fit")
    fitted.predict(asked)
    assert fitted.n_features_in_ == len(asked.domain)
    assert fitted.feature_names_in_.tolist() == list(asked.domain.names)


def test_fit_of_a_data_frame_and_more_rows_of_it():
    pandas = pytest.importorskip("pandas")
    table = times_table(NaiveBayes())
    frame = pandas.DataFrame(
        {name: list(table[name]) for name in ("a", "b", "due")} | {"aim": list(table["aim"])}
    )
    X, y = table.select(["a", "b", "due"]), frame["aim"]
    whole = NaiveBayes().fit(X, y)
    parts = NaiveBayes().partial_fit(X[:30], y[:30], classes=whole.classes_)
    first = [v.name for v in parts.tally_.domain.attributes]
    parts.partial_fit(X[30:], y[30:])
    assert [v.name for v in parts.tally_.domain.attributes] == first
    assert "due:weekday" in first
    spelled = X[30:].with_kinds({"due": "sym"})
    again = NaiveBayes().partial_fit(X[:30], y[:30], classes=whole.classes_)
    again.partial_fit(spelled, y[30:])
    np.testing.assert_array_equal(again.predict_proba(X), parts.predict_proba(X))


def test_arrays_of_times():
    days = np.array([["2024-01-01"], ["2024-01-06"], ["2024-01-07"], ["2024-01-09"]] * 5, "M8[D]")
    y = ["no", "yes", "yes", "no"] * 5
    fitted = Tree().fit(days, y)
    assert fitted.predict(np.array([["2024-01-13"], ["2024-01-15"]], "M8[ns]")).tolist() == [
        "yes",
        "no",
    ]


def test_an_unseen_date_is_no_unseen_symbol():
    days = [(f"2024-01-{day:02}", "yes" if day % 7 in (6, 0) else "no") for day in range(1, 32)]
    model = Tree()(Table.of(days, ["day", "free"], kinds={"day": "time"}))
    assert model({"day": "2024-02-03"}) == "yes"
    assert model({"day": "2024-02-05"}) == "no"
    assert model({"day": dt.date(2024, 2, 4)}) == "yes"


def test_the_zone_of_the_rows_learned_from_counts():
    from satsuma.kernels.csv import TimeFormat

    form = TimeFormat("%Y-%m-%d %H:%M%z", zone="+09:00")
    days = np.datetime64("2024-01-01T16:00", "ns") + np.arange(28) * np.timedelta64(1, "D")
    free = ["yes" if (day + 2) % 7 in (6, 0) else "no" for day in range(28)]  # 01:00 the next day
    domain = Domain([Variable("day", "time", format=form)])
    rows = Table(domain, [days])
    labels, codes = np.unique(free, return_inverse=True)
    table = with_column(
        rows, Variable("free", "sym", tuple(labels), "target"), codes.astype(np.int32)
    )
    model = Tree()(table)
    assert model({"day": "2024-02-03 01:00+09:00"}) == "yes"
    assert model({"day": "2024-02-02 17:00+01:00"}) == "yes"
    assert model({"day": "2024-02-03 16:30Z"}) == "yes"
    assert model({"day": "2024-02-04 16:30Z"}) == "no"


def test_what_is_no_time_is_refused_by_name():
    model = NaiveBayes()(times_table(NaiveBayes()))
    row = dict(times_table(NaiveBayes())[0].items())
    with pytest.raises(DomainError, match=r"'due'.*soon"):
        model({**row, "due": "soon"})
    with pytest.raises(SatsumaError, match="no column 'due'"):
        model({name: cell for name, cell in row.items() if name != "due"})
    rows = attributes_of(times_table(NaiveBayes()))
    with pytest.raises(SatsumaError, match="no column 'due'"):
        model(rows.select([name for name in rows.domain.names if name != "due"]))
    numbers = with_column(rows, Variable("due"), 3.0)
    with pytest.raises(DomainError, match="'due' was learned as 'time'"):
        model(numbers)


def test_check_data_names_the_remedy():
    with pytest.raises(DomainError, match=r"satsuma\.with_time_features"):
        NaiveBayes().check_data(times_table(NaiveBayes()))


def test_a_target_of_times_is_refused():
    for learner in EVERY:
        if learner.takes.target != "nothing":
            table = times_table(learner).with_roles(target="due")
            with pytest.raises(DomainError, match="'due' holds times"):
                learner(table)


@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_labels_that_are_times_are_refused(zone):
    days = pd.date_range("2024-01-01", periods=4, tz=zone)
    with pytest.raises(DomainError, match="Tree predicts no times"):
        Tree().fit(np.zeros((4, 1)), days)


def test_a_time_of_another_zone_is_by_its_own_clock():
    """Where no zone was learned, 15 o'clock is 15 o'clock, wherever that is."""
    rows = [
        (f"2024-01-{1 + k % 28:02} {k % 24:02}:30", "pm" if k % 24 > 11 else "am")
        for k in range(96)
    ]
    model = Tree()(Table.of(rows, ["at", "y"], kinds={"at": "time"}))
    for hour, expected in ((3, "am"), (15, "pm")):
        for zone in (None, "Asia/Tokyo", "America/New_York"):
            assert model({"at": pd.Timestamp(2024, 2, 3, hour, tz=zone)}) == expected


def test_a_role_switches_features_off():
    table = times_table(NaiveBayes()).with_roles({"due": "meta", "at": "ignore"})
    model = NaiveBayes()(table)
    assert [v.name for v in model.domain.attributes] == ["a", "b", "c", "d"]


def test_a_learner_of_text_has_features_of_times_beside_it():
    model = Text()(times_table(Text()))
    names = {v.name for v in model.domain.attributes if v.kind != "text"}
    assert {"due:year", "due:weekday", "at:hour"} < names


@pytest.mark.parametrize("learner", [NaiveBayes(), Tree(), satsuma.LDA()], ids=repr)
def test_a_model_tells_what_drives_it(learner):
    table = times_table(learner)
    model = learner(table)
    assert any(name.startswith("due:") for name in model.explain(table[1]))
    assert model.domain["due"] == replace(DUE, role="meta")
