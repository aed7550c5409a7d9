"""Findings about a table: planted faults are found, and sound tables are left in peace."""

import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.report.findings import inspect_table
from tests.tables import FILES, read_shared


def kinds(table):
    return {(finding.column, finding.kind) for finding in inspect_table(table)}


def sound(rows=400, seed=3):
    """A table without a fault: two numbers, two symbols, two classes that overlap."""
    rng = np.random.default_rng(seed)
    size, heat = rng.normal(10, 2, rows), rng.normal(20, 4, rows)
    sky = rng.choice(["sun", "rain", "snow"], rows)
    wind = rng.choice(["weak", "strong"], rows)
    play = np.where(size + rng.normal(0, 2, rows) > 10, "yes", "no")
    return {"size": size, "heat": heat, "sky": sky, "wind": wind, "play": play}


def made(columns, **options):
    names = list(columns)
    rows = zip(*(np.asarray(columns[name], object) for name in names), strict=True)
    return Table.of(rows, names, target=options.pop("target", "play"), **options)


def test_a_sound_table_has_no_finding():
    assert inspect_table(made(sound())) == []


def rare(n):
    return ["yes"] * 4 + ["no"] * (n - 4)


def numbers(n):
    return np.random.default_rng(5).normal(size=n)


PLANTED = {
    "key": lambda c: [f"n{k}" for k in range(len(c["play"]))],
    "constant": lambda c: ["same"] * len(c["play"]),
    "all missing": lambda c: [None] * len(c["play"]),
    "mostly missing": lambda c: [
        None if k % 3 else v for k, v in enumerate(numbers(len(c["play"])))
    ],
    "missing value as a number": lambda c: np.where(
        np.arange(len(c["play"])) % 20, 50 + numbers(len(c["play"])), -999.0
    ),
    "extreme value": lambda c: np.where(
        np.arange(len(c["play"])) == 7, 1e6, numbers(len(c["play"]))
    ),
    "spelling": lambda c: [("Yes", "yes", "no")[k % 3] for k in range(len(c["play"]))],
    "many values": lambda c: [f"v{k % 100}" for k in range(len(c["play"]))],
    "duplicate column": lambda c: c["heat"] * 1.8 + 32,
    "leakage": lambda c: np.where(c["play"] == "yes", 3.0, 1.0) + 0.1 * numbers(len(c["play"])),
    "leakage by missing values": lambda c: [
        None if p == "yes" and k % 2 else v
        for k, (p, v) in enumerate(zip(c["play"], numbers(len(c["play"])), strict=True))
    ],
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_fault_is_the_one_that_is_found(kind):
    columns = sound()
    assert kinds(made({"fault": PLANTED[kind](columns), **columns})) == (
        {("fault", kind)} if kind != "duplicate column" else {("heat", kind)}
    )


def test_a_symbol_by_another_name_says_the_same():
    columns = sound()
    columns["ciel"] = np.where(
        columns["sky"] == "sun", "soleil", np.where(columns["sky"] == "rain", "pluie", "neige")
    )
    (finding,) = inspect_table(made(columns))
    assert (finding.column, finding.kind) == ("ciel", "duplicate column")
    assert "'sky'" in finding.sentence


@pytest.mark.parametrize("name", ["product_code", "Zip", "group"])
def test_whole_numbers_called_a_code_are_found(name):
    columns = {name: [1 + k * 37 % 11 for k in range(400)], **sound()}
    assert kinds(made(columns)) == {(name, "code")}
    assert kinds(made(columns, kinds={name: "sym"})) == set()


def test_a_count_is_no_code():
    columns = {"code": [k % 20 if k % 3 == 0 else 0 for k in range(400)], **sound()}
    assert kinds(made(columns)) == set()


def test_numbers_with_the_digits_of_postal_codes_are_found():
    places = np.random.default_rng(2).integers(10_000, 99_999, 60)
    columns = {"place": places[np.arange(400) % 60].astype(float), **sound()}
    assert kinds(made(columns)) == {("place", "code")}


def test_amounts_of_as_many_digits_are_no_codes():
    incomes = np.random.default_rng(2).integers(10_000, 99_999, 400)
    assert kinds(made({"income": incomes.astype(float), **sound()})) == set()


def test_what_a_finding_says_to_do_about_numbers_for_missing_values_works(tmp_path):
    columns = sound()
    heat = np.where(np.arange(400) % 20, columns["heat"], -999.0)
    path = tmp_path / "heat.csv"
    lines = [f"{h:g},{play}" for h, play in zip(heat.tolist(), columns["play"], strict=True)]
    path.write_text("\n".join(["heat,play", *lines]))
    (finding,) = inspect_table(satsuma.read(path))
    given = eval(f"dict({finding.remedy.split('file: ')[1].rstrip('.')})")
    table = satsuma.read(path, **given)
    assert table.missing("heat").sum() == 20
    assert inspect_table(table) == []


def test_rows_that_repeat_are_counted():
    table = made(sound())
    (finding,) = inspect_table(table[[*range(400), 3, 3, 9]])
    assert (finding.column, finding.kind) == (None, "duplicate rows")
    assert finding.sentence.startswith("3 rows of 403")


def test_classes_are_judged():
    columns = sound()
    columns["play"] = rare(400)
    table = made(columns)
    (finding,) = inspect_table(table)
    assert (finding.column, finding.kind) == ("play", "rare class")
    assert "'yes' 4" in finding.sentence
    assert ("play", "one class") in kinds(table[4:])


def test_a_missing_target_is_found():
    columns = sound()
    columns["play"] = [None if k % 10 == 0 else p for k, p in enumerate(columns["play"])]
    (finding,) = inspect_table(made(columns))
    assert (finding.column, finding.kind) == ("play", "target missing")
    assert "40 rows of 400" in finding.sentence


def test_a_number_that_is_the_target_in_other_units_is_leakage():
    columns = sound()
    columns["fahrenheit"] = columns["heat"] * 1.8 + 32 + 0.01 * numbers(400)
    assert kinds(made(columns, target="heat")) == {("fahrenheit", "leakage")}


def test_more_columns_than_rows_and_no_rows():
    wide = Table.of(np.random.default_rng(0).normal(size=(25, 60)).tolist(), [
        f"c{k}" for k in range(60)
    ], target=None)  # fmt: skip
    assert kinds(wide) == {(None, "more columns than rows")}
    assert kinds(wide[:0]) == {(None, "no rows")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("iris", {(None, "duplicate rows")}),  # row 143 is row 102: true
        ("voting", {(None, "duplicate rows")}),
        ("titanic", set()),
        ("housing", set()),
        ("heart_disease", set()),
        ("tennis", set()),
        ("lenses", set()),
        ("auto-mpg", {("car_name", "many values")}),
    ],
)
def test_shipped_tables_have_no_false_alarm(name, expected):
    assert kinds(satsuma.load(name)) == expected


@pytest.mark.needs("moot/classify")
def test_faults_of_the_shared_files_are_found(shared):
    def found(name):
        return kinds(read_shared(shared(name)))

    assert ("instance_name", "key") in found("moot/classify/splice.csv")
    anneal = {c for c, kind in found("moot/classify/anneal.csv") if kind == "all missing"}
    assert anneal >= {"m", "marvi", "corr", "jurofm", "s", "p"}
    zeros = {c for c, k in found("moot/classify/diabetes.csv") if k == "missing value as a number"}
    assert len(zeros) >= 2


@pytest.mark.parametrize("name", FILES)
def test_every_shared_table_has_findings_in_whole_sentences(shared, name):
    for finding in inspect_table(read_shared(shared(name))):
        assert finding.sentence.endswith(".")
        assert finding.remedy.endswith(".")
