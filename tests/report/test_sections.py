"""Sections about missing values, rows, times, outliers and leakage, each by itself."""

import re
import shlex

import numpy as np
import pytest

import satsuma
from satsuma import Domain, Majority, NaiveBayes, Table, Tree, Variable
from satsuma.cli.learner_specs import learner_of
from satsuma.cli.terminal import in_options
from satsuma.engines.thread_pool import unheard
from satsuma.report.analysis import Analysis
from satsuma.report.findings import inspect_table
from satsuma.report.next_steps import next_steps
from satsuma.report.sections.association_map import association_section
from satsuma.report.sections.data_quality import data_quality_section
from satsuma.report.sections.example_rows import rows_section
from satsuma.report.sections.explained_rows import explained_section
from satsuma.report.sections.learner_comparison import comparison_section
from satsuma.report.sections.missing_cells import missing_section
from satsuma.report.sections.outlier_rows import outlier_section
from satsuma.report.sections.over_time import periods, time_section
from satsuma.report.sections.readable_model import model_section
from satsuma.report.sections.table_comparison import against_section


def analysis(table, learners=(), wording=str):
    return Analysis(table, list(learners) or None, 2, 1, unheard, None, wording)


def grids(section):
    found = [each for each in section.elements if each.kind == "grid"]
    return {g.caption: [[cell.text for cell in row] for row in g.rows] for g in found}


def patients(rows=240, seed=0):
    """A ward that only the dead have; two columns missing together; an age far off."""
    rng = np.random.default_rng(seed)
    died = (rng.random(rows) < 0.3).astype(np.int32)
    pulse, age = rng.normal(70, 9, rows) + 18 * died, rng.normal(50, 10, rows)
    age[7] = 900
    gone = rng.random(rows) < 0.25
    height, weight = rng.normal(170, 9, rows), rng.normal(70, 9, rows)
    height[gone] = weight[gone] = np.nan
    ward = np.where(died == 1, rng.integers(0, 2, rows), -1).astype(np.int32)
    domain = Domain([
        Variable("pulse"), Variable("age"), Variable("height"), Variable("weight"),
        Variable("ward", "sym", ("a", "b")), Variable("died", "sym", ("no", "yes"), "target"),
    ])  # fmt: skip
    return Table(domain, [pulse, age, height, weight, ward, died], name="patients")


def test_columns_that_are_missing_together_are_one_pattern():
    table = patients()
    section = missing_section(analysis(table))
    lines = grids(section)["Which columns are missing together"]
    gone, lost = table.missing("height"), table.missing("ward")
    assert ["ward, height and weight", f"{(gone & lost).sum()}"] in [line[:2] for line in lines]
    assert sum(int(line[1]) for line in lines) == len(table)
    speaking = grids(section)["Columns whose missing values say something about died"]
    assert [line[0] for line in speaking] == ["ward is known", "ward is missing"]
    (figures,) = (each for each in section.elements if each.kind == "figures")
    assert [stripe[1] for stripe in figures.charts[0][0].stripes] == ["height", "weight", "ward"]


def test_duplicates_are_listed_with_their_rows():
    table = satsuma.load("iris")
    section = rows_section(analysis(table))
    (caption,) = (each for each in grids(section) if each.startswith("Rows that are alike"))
    assert caption == "Rows that are alike: 1 such group"
    assert grids(section)[caption][0][:2] == ["102, 143", "2"]
    (first,) = (lines for name, lines in grids(section).items() if name.startswith("The first"))
    assert [line[0] for line in first[:5]] == ["1", "2", "3", "4", "5"]
    assert len(first) == 10


@pytest.mark.parametrize(
    ("step", "count", "what", "labels"),
    [
        (1, 30, "hour", ["2024-01-01 00:00", "2024-01-02 05:00"]),
        (24, 30, "day", ["2024-01-01", "2024-01-30"]),
        (24, 200, "week", ["2024-01-01", "2024-07-15"]),
        (24, 900, "month", ["2024-01", "2026-06"]),
        (24 * 7, 500, "quarter", ["2024 Q1", "2033 Q3"]),
        (24 * 365, 55, "year", ["2024", "2077"]),
    ],
)
def test_periods_are_as_long_as_there_is_room_for(step, count, what, labels):
    times = np.datetime64("2024-01-01", "ns") + np.arange(count) * np.timedelta64(step, "h")
    found = periods(times)
    assert (found.what, found.labels[0], found.labels[-1]) == (what, *labels)
    assert found.codes[0] == 0
    assert found.codes[-1] == len(found.labels) - 1 < 100


def test_times_are_drawn_with_the_target_and_what_moves_with_them():
    rng = np.random.default_rng(0)
    days = np.datetime64("2023-01-01", "ns") + np.arange(400) * np.timedelta64(1, "D")
    late = (rng.random(400) < np.linspace(0.1, 0.8, 400)).astype(np.int32)
    price = np.linspace(0, 4, 400) + rng.normal(size=400)
    domain = Domain([
        Variable("day", "time", format="%Y-%m-%d"), Variable("price"), Variable("size"),
        Variable("late", "sym", ("no", "yes"), "target"),
    ])  # fmt: skip
    section = time_section(analysis(Table(domain, [days, price, rng.normal(size=400), late])))
    (figures,) = (each for each in section.elements if each.kind == "figures")
    names = [chart.name for chart, _ in figures.charts]
    assert names[0] == "rows"
    assert names[1].startswith("late = ")
    assert names[2] == "mean price"
    # The first week begins on a Monday before the first day, and is not when the days begin.
    told = "day goes from 2023-01-01 to 2024-02-04; the week with most rows is that of 2023-01-02"
    assert told in section.gist
    hours = np.datetime64("2023-01-01T08:15", "ns") + np.arange(9) * np.timedelta64(50, "m")
    table = Table(Domain([Variable("at", "time", format="%Y-%m-%d %H:%M")]), [hours])
    assert "at goes from 2023-01-01 08:15 to 2023-01-01 14:55" in time_section(analysis(table)).gist


def test_outliers_are_few_and_have_reasons():
    rng = np.random.default_rng(0)
    skewed = np.column_stack([np.exp(rng.normal(10, 1.5, 600)), rng.normal(20, 3, 600)])
    table = satsuma.read(skewed, names=["income", "heat"])
    section = outlier_section(analysis(table))
    assert int(re.match(r"(\d+)", section.gist)[1]) <= 0.03 * 600
    income, heat = table.column("income"), table.column("heat")
    (lines,) = grids(section).values()
    for row, _, why in lines:
        at = int(row) - 1
        if "heat is" in why and "% of the rows" in why.split("heat is")[1]:
            assert min((heat <= heat[at]).mean(), (heat >= heat[at]).mean()) < 0.02
        if "income is" in why and "the greatest of all" in why:
            assert income[at] == income.max()
    assert any("income is" in why for *_, why in lines)


def test_a_value_that_is_usual_by_itself_is_compared_with_rows_like_it():
    rng = np.random.default_rng(1)
    warm = rng.random(300) < 0.5
    heat = np.where(warm, 30, 0) + rng.normal(size=300)
    rows = [(h, "summer" if w else "winter") for h, w in zip(heat, warm, strict=True)]
    rows[5] = (30.2, "winter")
    section = outlier_section(analysis(Table.of(rows, ["heat", "season"], target=None)))
    (lines,) = grids(section).values()
    (why,) = (line[2] for line in lines if line[0] == "6")
    assert re.search(r"heat is 30.2, where the \d+ rows most like it have", why)


def test_learners_are_compared_without_what_seems_to_know_the_target():
    found = analysis(patients(), [Majority(), Tree()])
    assert list(found.left_out) == ["ward"]
    section = comparison_section(found)
    (said,) = (e.text for e in section.elements if "leakage" in getattr(e, "text", ""))
    assert said.startswith("'ward' is missing in ")
    assert "Nothing was learned from it: that may be leakage." in said
    whole, without = map(float, re.findall(r"\d\.\d{4}", said))
    honest = patients().with_roles({"ward": "meta"})
    scores = satsuma.cross_validate([Tree()], honest, folds=2, seed=1).scores("CA")
    assert without == pytest.approx(scores["Tree"], abs=5e-5)
    assert whole > without


def test_the_most_urgent_comes_first_in_the_words_of_who_asks():
    table = patients()
    kinds = [finding.urgency for finding in inspect_table(table)]
    assert kinds == sorted(kinds, key=["fix first", "check", "good to know"].index)
    for wording, remedy, learn in (
        (str, "table.with_roles({'ward': 'meta'})", "model = satsuma.NaiveBayes()(table)"),
        (in_options, "--ignore ward", "satsuma learn FILE --learner NaiveBayes"),
    ):
        found = analysis(table, [Majority(), NaiveBayes()], wording)
        (items,) = (e.items for e in data_quality_section(found).elements)
        assert items[0].title == "leakage by missing values"
        assert remedy in items[0].remedy
        steps = [text for text, _ in next_steps(found, []).items]
        assert steps[0].startswith("Fix first: 'ward'")
        assert remedy in steps[0]
        assert learn in steps[-1]


@pytest.mark.parametrize("name", ["heart_disease", "housing", "zoo"])
def test_what_to_do_next_can_be_done_and_needs_no_statistics(name):
    table = satsuma.load(name)
    one = satsuma.Ridge() if name == "housing" else NaiveBayes(number="mdl")
    base = satsuma.Mean() if name == "housing" else Majority()
    stack = satsuma.Stacking(learners=[one, satsuma.KNN()], folds=3)
    for learner in (one, stack):
        found = analysis(table, [base, learner])
        take, _, learn = [text for text, _ in next_steps(found, []).items][-3:]
        made = eval(learn.split("model = ")[1], {"satsuma": satsuma, "table": table})
        assert repr(made.learner) == repr(learner)
        words = shlex.split(in_options(learn).split("use it: ")[1])
        assert repr(learner_of(words[words.index("--learner") + 1])) == repr(learner)
        assert take.startswith(f"Take {type(learner).__name__}. ")
        assert ("off by" in take) == (name == "housing")
        assert "Majority" not in take
        assert ("cannot be read" in take) == (learner is stack)


def told_next(table, learners, against=None):
    """What to do next, of a table with learners, as one string."""
    found = Analysis(table, learners, 3, 1, unheard, against=against)
    sections = [comparison_section(found)]
    sections += [against_section(found)] if against is not None else []
    return " ".join(text for text, _ in next_steps(found, sections).items)


@pytest.mark.parametrize("kind", ["classes", "numbers", "unequal", "noise", "no baseline"])
def test_what_to_do_next_has_no_word_of_statistics(kind):
    heart, housing = satsuma.load("heart_disease"), satsuma.load("housing")
    rng = np.random.default_rng(0)
    rare = np.where(rng.random(400) < 0.1, "yes", "no")
    cells = rng.normal(size=400) + 2 * (rare == "yes")
    unequal = Table.of(list(zip(cells, rare, strict=True)), ["x", "y"])
    noise = heart.with_column("age", rng.normal(size=303)).select(["age", "diameter narrowing"])
    table, learners, said = {
        "classes": (heart, [Majority(), NaiveBayes()], "Take NaiveBayes. It predicts 8"),
        "numbers": (housing, [satsuma.Mean(), satsuma.Ridge()], "Take Ridge. Its predictions of"),
        "unequal": (unequal, [Majority(), NaiveBayes()], "it tells in 9"),
        "noise": (noise, [Majority(), NaiveBayes()], "most frequent class, which is right in 54 %"),
        "no baseline": (heart, [NaiveBayes(), Tree()], "Take NaiveBayes. It predicts 8"),
    }[kind]
    half = len(table) // 2
    other = table[half:].with_name("other")
    moved = other.with_column("x2", np.arange(len(other))) if kind == "classes" else other
    told = told_next(table[:half] if kind == "classes" else table, learners, moved)
    assert said in told
    words = ("AUC", "log loss", "RMSE", "MAE", "R2", "Brier", "significant", "ROC", "variance")
    assert not [word for word in words if word in told]


def test_the_score_of_the_model_is_the_one_that_learners_are_ranked_by():
    rng = np.random.default_rng(0)
    rare = np.where(rng.random(200) < 0.2, "yes", "no")
    cells = rng.normal(size=200) + 2 * (rare == "yes")
    table = Table.of(list(zip(cells, rare, strict=True)), ["x", "y"])
    found = analysis(table, [Majority(), NaiveBayes()])
    told = " ".join(each.text for each in model_section(found).elements if each.kind == "paragraph")
    log_loss = found.comparison.results.scores("log loss")["NaiveBayes"]
    assert f"NaiveBayes (log loss {log_loss:.3f}) is the best" in told


def test_a_tree_of_one_leaf_is_printed_and_not_drawn():
    rows = [(float(k % 7), "yes" if k % 7 > 3 else "no") for k in range(60)]
    table = Table.of(rows, ["x", "y"])
    kinds = {
        depth: [each.kind for each in model_section(analysis(table, [tree])).elements]
        for depth, tree in (("leaf", Tree(min_leaf=40)), ("deep", Tree()))
    }
    assert "picture" not in kinds["leaf"]
    assert "verbatim" in kinds["leaf"]
    assert "picture" in kinds["deep"]


def test_tables_that_differ_are_told_apart_in_plain_words():
    iris = satsuma.load("iris")
    told = told_next(iris[::2], [Majority(), NaiveBayes()], iris[np.arange(100, 150)])
    assert re.search(r"apart well, mainly by .*: shown a row of each, it knows in \d\d % of", told)
    assert "AUC" not in told


def test_rows_are_explained_by_what_their_values_add():
    found = analysis(satsuma.load("heart_disease"), [NaiveBayes(), Majority()])
    section = explained_section(found)
    (cards,) = (each.cards for each in section.elements if each.kind == "cards")
    assert 6 < len(cards) <= 18
    for card in cards:
        *terms, total = [row[1].text.replace("\N{MINUS SIGN}", "-") for row in card.grid.rows]
        assert sum(map(float, terms)) == pytest.approx(float(total), abs=0.01)
        assert any(text.startswith("It would be ") for text in card.notes)


@pytest.mark.parametrize("columns", [12, 150])
def test_of_many_columns_fewer_rows_are_told_what_would_change_them(columns):
    cells = np.random.default_rng(0).normal(size=(80, columns))
    rows = [[*row, "up" if row[1] + row[2] / 4 > 0 else "down"] for row in cells.tolist()]
    table = Table.of(rows, [*(f"c{at}" for at in range(columns)), "way"])
    section = explained_section(analysis(table, [Tree(), Majority()]))
    (cards,) = (each.cards for each in section.elements if each.kind == "cards")
    told = [any("It would be" in text for text in card.notes) for card in cards]
    said = " ".join(each.text for each in section.elements if each.kind == "paragraph")
    if columns == 12:
        assert all(told)
        assert "Of each it is said what would change" in said
    else:
        assert told == [True, True, *[False] * (len(cards) - 2)]
        assert "Of the first 2 of them it is said" in said


def test_changes_of_numbers_are_not_searched_for():
    found = analysis(satsuma.load("housing"), [satsuma.Mean(), satsuma.Ridge()])
    section = explained_section(found)
    (cards,) = (each.cards for each in section.elements if each.kind == "cards")
    assert not any("would be" in text for card in cards for text in card.notes)


def test_the_map_and_the_list_of_associations_say_the_same():
    section = association_section(analysis(satsuma.load("heart_disease")))
    (figures,) = (each for each in section.elements if each.kind == "figures")
    cells = figures.charts[0][0].cells
    (lines,) = grids(section).values()
    assert len(cells) == len(lines)
    assert sorted(round(cell[2], 2) for cell in cells) == sorted(float(line[2]) for line in lines)
    assert ["age", "max HR", "one falls as the other rises"] in [
        [*line[:2], line[3]] for line in lines
    ]
