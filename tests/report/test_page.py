"""What the page says, as a string: no browser needed."""

import base64
import re
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import satsuma
from satsuma import KNN, Domain, Forest, Majority, NaiveBayes, Table, Tree, Variable
from satsuma.errors import DomainError, ParameterError, WriteError
from satsuma.report.page import report
from satsuma.report.report_file import write_report
from tests.report import hostile
from tests.report.conftest import PAGES

SECTIONS = [
    "next",
    "glance",
    "table",
    "findings",
    "associations",
    "rows",
    "comparison",
    "model",
    "errors",
    "explained",
    "contrasts",
    "clusters",
    "outliers",
]


class Read(HTMLParser):
    """The elements of a page with their attributes, and its text by section."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.text, self.where, self.open = [], {}, "", []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "section":
            self.where = dict(attrs)["id"]

    def handle_endtag(self, tag):
        self.where = "" if tag == "section" else self.where

    def handle_data(self, data):
        self.text[self.where] = self.text.get(self.where, "") + data

    def sections(self):
        return [attrs["id"] for tag, attrs in self.elements if tag == "section"]


def read(path):
    return Read(path.read_text(encoding="utf-8"))


def test_all_sections_are_there_and_in_the_contents(page):
    found = read(page("iris"))
    assert found.sections() == SECTIONS
    links = [attrs["href"] for tag, attrs in found.elements if tag == "a"]
    every = [attrs["id"] for _, attrs in found.elements if attrs.get("class") == "card"]
    cards = [each for each in every if not each.startswith("row-")]
    assert cards == [f"column-{at}" for at in range(1, 6)]
    assert len(every) > len(cards)
    assert set(links) == {f"#{key}" for key in [*SECTIONS, *cards]}


def test_what_was_left_out_was_left_out_for_a_time_that_is_said():
    iris = satsuma.load("iris")
    said = Read(report(iris, limit=1e-6, folds=2)).text["comparison"]
    assert "All learners together were given 1e-06 seconds." in said
    assert "no more than 1e-06 seconds: NaiveBayes (" in said
    assert "To include them, give more time: limit=." in said
    assert "Majority" in said
    assert "were given" not in Read(report(iris, learners=Majority(), folds=2)).text["comparison"]
    with pytest.raises(ParameterError, match="a number of seconds, 0 or more"):
        report(iris, limit="long")


def test_what_it_says_of_iris_is_so(page):
    text = read(page("iris")).text
    iris = satsuma.load("iris")
    assert "There are 150 rows and 5 columns" in text["glance"]
    right = satsuma.cross_validate(NaiveBayes(), iris, folds=3, seed=1).scores("CA")["NaiveBayes"]
    assert f"{right:.3f}" in text["comparison"]
    matrix = satsuma.cross_validate(NaiveBayes(), iris, folds=3, seed=1).confusion()
    for value in iris.domain.target.values:
        assert value in text["errors"]
        assert f"\n{matrix[value, value]:g}\n" in re.sub(r"\s+", "\n", text["errors"])
    assert "Petal.Length ≤ 2.45" in text["contrasts"]


def test_numbers_are_drawn_as_predicted_and_actual(page):
    found = read(page("numbers"))
    charts = [
        a["aria-label"] for tag, a in found.elements if tag == "svg" and a["class"] == "scatter"
    ]
    assert [label.split()[0] for label in charts] == ["Predicted", "Residuals"]
    assert "Half of the predictions of" in found.text["errors"]
    assert "goes with a high mpg" in found.text["contrasts"]
    # A coefficient counts by what it moves, not by its size: pounds are many, and names are rare.
    assert found.text["model"].index("weight") < found.text["model"].index("car_name")


def test_a_table_without_a_target_has_clusters_and_outliers_and_says_what_is_left_out(page):
    found = read(page("nothing to predict"))
    assert found.sections() == [
        "next",
        "glance",
        "table",
        "findings",
        "associations",
        "rows",
        "comparison",
        "contrasts",
        "clusters",
        "outliers",
    ]
    assert "No column is the target" in found.text["comparison"]
    assert "no target and no goal" in found.text["contrasts"]


def test_rows_are_counted_from_1_as_in_the_command():
    near = np.random.default_rng(4).normal(size=(80, 2))
    near[40] = 50.0
    found = Read(report(satsuma.read(near, names=["a", "b"])))
    assert re.search(
        r"rows count from 1.*?what is unusual\s+41\s", found.text["outliers"], re.DOTALL
    )


def test_goals_have_their_best_rows(page):
    found = read(page("goals"))
    assert "goals" in found.sections()
    away = satsuma.distance_to_ideal(PAGES["goals"][0]())(PAGES["goals"][0]())
    assert (
        f"is row {away.argmin() + 1:,}, {away.min():.2f} from the ideal point"
        in found.text["glance"]
    )


def test_what_cannot_be_told_is_said_in_a_sentence(page):
    found = read(page("one class"))
    assert "there is nothing to predict" in found.text["findings"]
    for key in ("contrasts", "clusters"):
        assert "This could not be done with the table." in found.text[key]


def test_a_model_that_cannot_be_read_is_said_to_be_so(tmp_path):
    learners = [KNN(), Forest(trees=3)]
    found = read(
        write_report(satsuma.load("lenses"), tmp_path / "it.html", learners=learners, folds=2)
    )
    assert "None of the learners that were compared makes a model" in found.text["model"]


def test_many_columns_are_cut_and_that_is_said(page):
    found = read(page("wide"))
    assert "The first 201 columns are shown, 30 are not." in found.text["table"]
    assert page("wide").stat().st_size < 1_500_000


def test_many_rows_are_drawn_from_and_that_is_said():
    rng = np.random.default_rng(0)
    rows = zip(rng.normal(size=6000), rng.choice(["a", "b"], 6000), strict=True)
    made = report(Table.of(rows, ["x", "y"]), learners=[Majority(), NaiveBayes()], folds=2)
    text = Read(made).text
    assert "5,000 rows were drawn at random from 6,000" in text["comparison"]
    assert "4,000 rows were drawn at random from 6,000" in text["clusters"]
    assert len(made) < 1_000_000


def without_seconds(page):
    return re.sub(r'class="n">(&lt;0\.1|\d+\.\d)</td>\s*</tr>', "", page)


def test_the_same_table_gives_the_same_page():
    heart = satsuma.load("heart_disease")
    one, other, third = (
        report(heart, learners=[Tree(), Majority()], folds=2, seed=seed) for seed in (1, 1, 2)
    )
    assert without_seconds(one) == without_seconds(other) != without_seconds(third)


def test_progress_goes_from_step_to_step_to_the_end():
    steps = []
    report(
        satsuma.load("lenses"), learners=[NaiveBayes(), KNN()], folds=2,
        progress=lambda done, total: steps.append((done, total)),
    )  # fmt: skip
    assert steps == sorted(steps)
    assert len(set(steps)) > 3
    assert steps[-1] == (100, 100)


def test_a_table_without_rows_is_refused():
    with pytest.raises(DomainError, match="no rows"):
        report(satsuma.load("iris")[:0])


def test_a_mistake_in_asking_is_raised(tmp_path):
    with pytest.raises(ParameterError, match="folds"):
        report(satsuma.load("lenses"), folds=1)
    with pytest.raises(WriteError, match="folder"):
        write_report(satsuma.load("lenses"), tmp_path / "none" / "page.html")
    with pytest.raises(WriteError, match="not a file"):
        write_report(satsuma.load("lenses"), tmp_path, learners=Majority(), folds=2)


@pytest.mark.parametrize("name", ["hostile", "hostile numbers", "hostile goals"])
def test_cells_and_names_are_never_markup(page, name):
    text = page(name).read_text(encoding="utf-8")
    found = Read(text)
    tags = {tag for tag, _ in found.elements}
    # One script, which is ours: the page's policy lets no other run.
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert script == files("satsuma.report").joinpath("templates/report.js").read_text()
    hashed = base64.b64encode(sha256(script.encode()).digest()).decode()
    (policy,) = (a["content"] for _, a in found.elements if "http-equiv" in a)
    assert policy.endswith(f"script-src 'sha256-{hashed}'")
    assert "b" not in tags
    for tag, attrs in found.elements:
        assert not [key for key in attrs if key.startswith("on")], tag
        if tag == "img":
            assert attrs["src"].startswith("data:image/svg+xml;base64,")
    assert "49" not in re.findall(r"49(?=\{%)", text)


def test_hostile_strings_stand_in_every_section_as_they_are(page):
    found = read(page("hostile"))
    for key in SECTIONS:
        here = [each for each in hostile.ALL if each[:20] in found.text[key]]
        assert here or key in ("findings", "next", "outliers"), key
    labels = [a["aria-label"] for tag, a in found.elements if tag == "svg"]
    assert any(hostile.SCRIPT in label for label in labels)
    told = [a["alt"] for tag, a in found.elements if tag == "img"]
    assert any(hostile.SCRIPT in alt for alt in told)
    assert hostile.TEMPLATE in found.text["table"]


@pytest.mark.parametrize("name", ["iris", "hostile"])
def test_pictures_are_drawings_without_script(page, name):
    pictures = [attrs for tag, attrs in read(page(name)).elements if tag == "img"]
    assert pictures
    for attrs in pictures:
        tree = ET.fromstring(base64.b64decode(attrs["src"].split(",", 1)[1]))
        assert not [each.tag for each in tree.iter() if str(each.tag).endswith("script")]
        assert attrs["alt"]


def tiny(**kinds):
    rows = [(k % 7, ("a", "b", None)[k % 3], f"say {k}", 1.0 + k % 2) for k in range(30)]
    return Table.of(rows, ["n", "s", "t", "w"], target=None, kinds={"t": "text", **kinds})


ODD = {
    "one cell": lambda: Table.of([(1.0,)], ["x"], target=None),
    "two rows": lambda: Table.of([(1.0, "a"), (2.0, "b")], ["x", "y"]),
    "huge numbers": lambda: Table.of(
        [(1e300 * k, -1e306 * k, 1e308) for k in range(1, 30)], ["a", "b", "c"], target=0
    ),
    "text to be predicted": lambda: tiny().with_roles(target="t"),
    "nothing but text": lambda: tiny().select(["t", "s"]).with_roles(target="s"),
    "weights": lambda: tiny().with_roles({"w": "weight"}, target="s"),
    "nothing to learn from": lambda: tiny().with_roles({"n": "meta", "t": "meta", "w": "meta"}),
    "all missing": lambda: Table.of([(None, None)] * 12, ["a", "b"]),
}


@pytest.mark.parametrize("name", ODD)
def test_unusual_tables_get_a_page_too(name):
    text = Read(report(ODD[name](), folds=2)).text
    assert {"table", "findings", "comparison", "contrasts", "clusters", "outliers"} <= set(text)
    assert all(len(each.split()) > 5 for key, each in text.items() if key)


def test_times_have_a_page_too(tmp_path):
    days = np.datetime64("2023-01-02", "ns") + np.arange(90) * np.timedelta64(3, "D")
    free = (days.astype("M8[D]").astype(int) + 3) % 7 >= 5
    domain = Domain(
        [
            Variable("day", "time", format="%d.%m.%Y"),
            Variable("always", "time", format="%H:%M"),
            Variable("size"),
            Variable("free", "sym", ("no", "yes"), "target"),
        ]
    )
    hour = np.full(90, np.datetime64(3600 * 10**9, "ns"))
    size = np.random.default_rng(0).normal(size=90)
    table = Table(domain, [days, hour, size, free.astype(np.int32)])
    write_report(table, tmp_path / "page.html", learners=[NaiveBayes()], folds=3)
    found = (tmp_path / "page.html").read_text()
    assert "02.01.2023 to 26.09.2023" in found
    assert "always&#39; is always 01:00" in found
    assert "day:weekday" in found
    write_report(table.with_roles(target="day"), tmp_path / "page.html", folds=3)
    assert (
        "The target is time, and no learner here predicts that."
        in (tmp_path / "page.html").read_text()
    )
