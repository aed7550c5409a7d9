"""Every file of the shared data, read as its README says, with Python's csv module as a witness."""

import collections
import csv
import math
import re

import numpy as np
import pytest

import satsuma
from tests.tables import FILES

# Rows, columns, the target, its classes (None: a number), missing cells: from the README.
ORANGE = {
    "adult_sample": (977, 15, "y", 2, 141),
    "auto-mpg": (398, 9, "mpg", None, 6),
    "heart_disease": (303, 14, "diameter narrowing", 2, 6),
    "housing": (506, 14, "MEDV", None, 0),
    "imports-85": (205, 26, "price", None, 59),
    "iris": (150, 5, "iris", 3, 0),
    "lenses": (24, 5, "lenses", 3, 0),
    "titanic": (2201, 4, "survived", 2, 0),
    "voting": (435, 17, "party", 2, 392),
    "zoo": (101, 18, "type", 7, 0),
}
ORANGE_NUMBERS = {
    "adult_sample": 6,
    "auto-mpg": 5,
    "heart_disease": 6,
    "housing": 14,
    "imports-85": 15,
    "iris": 4,
    "lenses": 0,
    "titanic": 0,
    "voting": 0,
    "zoo": 0,
}
UGLY = [
    "always_one_missing",
    "always_one_missing___always_unknown_class___class_defined",
    "always_one_missing_always_unknown_class",
    "always_unknown_attribute",
    "always_unknown_attribute___continuous",
    "always_unknown_attribute___values_defined",
    "always_unknown_class",
    "constant_attribute",
    "constant_attribute___continuous",
    "constant_attribute___values_defined",
    "constant_class",
    "constant_class___continuous",
    "constant_class___values_defined",
    "cont_attribute___always_unknown_class___continuous",
    "cont_attribute___constant_class___continuous",
    "lenses_two_class",
    "one_unknown_class",
    "two_valued_attribute___continuous",
]
MOOT = {
    "classify/anneal": (898, 39, "class!", 5, 22175),
    "classify/audiology": (226, 70, "class!", 24, 317),
    "classify/credit.g": (1000, 21, "class!", 2, 0),
    "classify/diabetes": (768, 9, "class!", 2, 0),
    "classify/hypothyroid": (3772, 30, "class!", 4, 6064),
    "classify/kr.vs.kp": (3196, 37, "class!", 2, 0),
    "classify/letter": (20000, 17, "class!", 26, 0),
    "classify/mushroom": (8124, 23, "class!", 2, 2480),
    "classify/soybean": (683, 36, "class!", 19, 2337),
    "classify/splice": (3190, 62, "class!", 3, 0),
    "classify/vote": (435, 17, "class!", 2, 392),
    "classify/weather": (14, 5, "play!", 2, 0),
    "classify/weathernom": (28, 5, "play!", 2, 0),
    "regression/abalone": (4177, 9, "CLASS_RINGS!", None, 0),
    "regression/auto93": (93, 23, "CLASS!", None, 14),
    "regression/autompg": (398, 8, "CLASS!", None, 6),
    "regression/fishcatch": (158, 8, "CLASS!", None, 87),
    "regression/servo": (167, 5, "CLASS!", None, 0),
    "regression/sleep": (62, 8, "TOTAL_SLEEP!", None, 12),
    "optimize/Apache_AllMeasurements": (192, 10, ["Performance-"], None, 0),
    "optimize/SS-H": (259, 6, ["Energy-", "Inv_runtime-"], None, 0),
    "optimize/Wine_quality": (1599, 12, ["Alcohol-", "Quality+"], None, 0),
    "optimize/auto93": (398, 8, ["Lbs-", "Acc+", "Mpg+"], None, 6),
    "optimize/coc1000": (1000, 25, ["LOC+", "AEXP-", "PLEx-", "RISK-", "EFFORT-"], None, 0),
    "optimize/nasa93dem": (93, 29, ["Kloc+", "Effort-", "Defects-"], None, 0),
    "optimize/pom3d": (500, 12, ["Cost-", "Score-", "Idle-"], None, 0),
    "text/Hall": (8911, 51, "label!", 2, 0),
    "text/Kitchenham": (1709, 51, "label!", 2, 0),
    "text/Radjenovic": (6025, 51, "label!", 2, 0),
    "text/Wahono": (7002, 51, "label!", 2, 0),
}


def witness(path, delimiter=","):
    """The records of a file as the csv module sees them."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter=delimiter))


def missing_cells(table):
    return sum(int(table.missing(at).sum()) for at in range(len(table.domain)))


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def agree(table, rows, absent):
    """Every cell of the table is that of the csv module; `absent` are the marks for missing."""
    assert len(table) == len(rows)
    for at, (variable, cells) in enumerate(zip(table.domain, zip(*rows, strict=True), strict=True)):
        if variable.kind == "num":
            expected = [math.nan if cell in absent else float(cell) for cell in cells]
            np.testing.assert_array_equal(table.columns[at], expected, variable.name)
        else:
            expected = [None if cell in absent else cell for cell in cells]
            assert table[variable.name].tolist() == expected, variable.name


class TestOrange:
    ABSENT = ("", "?", ".", "NA", "*", "~")
    KINDS = {  # noqa: RUF012 - nobody writes to it
        **dict.fromkeys(("c", "continuous"), "num"),
        **dict.fromkeys(("s", "string"), "text"),
    }
    ROLES = {"": "x", "class": "target", "meta": "meta", "i": "ignore", "ignore": "ignore"}  # noqa: RUF012

    @pytest.mark.parametrize("name", ORANGE)
    def test_rows_columns_target_and_missing_cells(self, shared, name):
        rows, columns, target, classes, missing = ORANGE[name]
        table = satsuma.read(shared(f"orange/{name}.tab"))
        assert table.shape == (rows, columns)
        assert table.domain.target.name == target
        assert len(table.domain.target.values) == (classes or 0)
        assert sum(v.kind == "num" for v in table.domain) == ORANGE_NUMBERS[name]
        assert missing_cells(table) == missing

    @pytest.mark.parametrize("path", [*ORANGE, *(f"ugly/{name}" for name in UGLY)])
    def test_every_cell_kind_and_role(self, shared, path):
        path = shared(f"orange/{path}.tab")
        names, kinds, roles, *rows = witness(path, "\t")
        table = satsuma.read(path)
        assert table.domain.names == tuple(name.strip() for name in names)
        assert [v.kind for v in table.domain] == [self.KINDS.get(kind, "sym") for kind in kinds]
        roles = [role.strip() for role in roles] + [""] * (len(names) - len(roles))
        assert [v.role for v in table.domain] == [self.ROLES[role] for role in roles]
        assert missing_cells(table) == sum(cell in self.ABSENT for row in rows for cell in row)
        agree(table, rows, self.ABSENT)

    @pytest.mark.parametrize("name", UGLY)
    def test_ugly_files_are_the_lenses_still(self, shared, name):
        table = satsuma.read(shared(f"orange/ugly/{name}.tab"))
        assert table.shape == (24, 5)
        assert table.domain.target.name == "lenses"

    def test_the_list_of_files_is_complete(self):
        files = {name for name in FILES if name.startswith("orange/")}
        ugly = {f"orange/ugly/{name}.tab" for name in UGLY}
        assert files == {f"orange/{name}.tab" for name in ORANGE} | ugly


@pytest.mark.needs("moot/classify", "moot/text")
class TestMoot:
    @pytest.mark.parametrize("name", MOOT)
    def test_rows_columns_target_and_missing_cells(self, shared, name):
        rows, columns, target, classes, missing = MOOT[name]
        table = satsuma.read(shared(f"moot/{name}.csv"), marks=True)
        assert table.shape == (rows, columns)
        assert missing_cells(table) == missing
        if isinstance(target, str):
            assert table.domain.target.name == target
            assert len(table.domain.target.values) == (classes or 0)
            assert table.domain.goals == ()
        else:
            assert [v.name for v in table.domain.goals] == target
            assert [v.goal for v in table.domain.goals] == [name[-1] for name in target]
            assert table.domain.target is None

    @pytest.mark.parametrize("name", MOOT)
    def test_every_cell_kind_and_role(self, shared, name):
        path = shared(f"moot/{name}.csv")
        header, *rows = [[cell.strip() for cell in row] for row in witness(path) if row]
        table = satsuma.read(path, marks=True)
        roles = {"!": "target", "+": "goal", "-": "goal", "X": "ignore"}
        for variable, written, cells in zip(
            table.domain, header, zip(*rows, strict=True), strict=True
        ):
            numeric = written[0].isupper() and all(map(is_number, set(cells) - {"?", ""}))
            assert variable.kind == ("num" if numeric else "sym"), written
            assert variable.role == roles.get(written[-1], "x"), written
            assert re.fullmatch(re.escape(written) + r"(_\d+)?", variable.name)
        assert missing_cells(table) == sum(cell in ("", "?") for row in rows for cell in row)
        agree(table, rows, ("", "?"))

    def test_the_list_of_files_is_complete(self):
        files = {name for name in FILES if name.startswith("moot/")}
        assert files == {f"moot/{name}.csv" for name in MOOT}


class TestPlain:
    def test_iris_of_r(self, shared):
        path = shared("r/iris.csv")
        table = satsuma.read(path, target="Species")
        assert table.shape == (150, 5)
        assert [v.kind for v in table.domain] == ["num"] * 4 + ["sym"]
        assert [v.role for v in table.domain] == ["x"] * 4 + ["target"]
        assert collections.Counter(table["Species"]) == {
            "setosa": 50,
            "versicolor": 50,
            "virginica": 50,
        }
        assert missing_cells(table) == 0
        agree(table, witness(path)[1:], ())

    @pytest.mark.needs("screening")
    @pytest.mark.parametrize(
        ("name", "label", "rows", "relevant"),
        [("ace", "label_included", 2235, 41), ("nudging", "included", 1847, 100)],
    )
    def test_screening(self, shared, name, label, rows, relevant):
        path = shared(f"screening/{name}.csv")
        table = satsuma.read(path, target=label)
        assert table.shape == (rows, 4)
        assert [v.kind for v in table.domain] == ["num", "text", "text", "sym"]
        assert table.domain.target.name == label
        assert table.domain.target.values == ("0", "1")
        assert (table.column(label) == 1).sum() == relevant
        absent = ("", "?", "NA", "NaN", "nan", "null", "NULL")
        records = witness(path)[1:]
        assert missing_cells(table) == sum(cell in absent for row in records for cell in row)
        agree(table, records, absent)

    @pytest.mark.needs("screening")
    def test_screening_labels_can_be_numbers(self, shared):
        table = satsuma.read(
            shared("screening/ace.csv"), target="label_included", kinds={"label_included": "num"}
        )
        assert collections.Counter(table["label_included"]) == {0.0: 2194, 1.0: 41}


class TestTraps:
    """One test for each trap that the README lists."""

    @pytest.mark.needs("moot/classify/letter.csv")
    def test_letter_real_columns_end_in_x(self, shared):
        path = shared("moot/classify/letter.csv")
        ignored = ("X-BOX", "Y-BOX", "ONPIX", "YEGVX")
        table = satsuma.read(path, marks=True)
        assert tuple(v.name for v in table.domain.of_role("ignore")) == ignored
        back = table.with_roles(dict.fromkeys(ignored, "x"))
        assert len(back.domain.attributes) == 16
        assert len(back.domain.of_role("ignore")) == 0

    @pytest.mark.needs("moot/classify/letter.csv")
    def test_letter_roles_can_be_overridden_in_reading(self, shared):
        ignored = ("X-BOX", "Y-BOX", "ONPIX", "YEGVX")
        table = satsuma.read(
            shared("moot/classify/letter.csv"), marks=True, roles=dict.fromkeys(ignored, "x")
        )
        assert len(table.domain.attributes) == 16

    @pytest.mark.needs("moot/regression/sleep.csv")
    def test_sleep_real_columns_end_in_x(self, shared):
        table = satsuma.read(shared("moot/regression/sleep.csv"), marks=True)
        ignored = [v.name for v in table.domain.of_role("ignore")]
        assert ignored == ["PREDATION_INDEX", "SLEEP_EXPOSURE_INDEX", "DANGER_INDEX"]
        assert not table.with_roles(dict.fromkeys(ignored, "x")).domain.of_role("ignore")

    @pytest.mark.needs("moot/classify/credit.g.csv")
    def test_credit_a_numeric_name_over_words(self, shared):
        table = satsuma.read(shared("moot/classify/credit.g.csv"), marks=True)
        assert table.domain["PROPERTY_MAGNITUDE"].kind == "sym"
        assert "real estate" in table.domain["PROPERTY_MAGNITUDE"].values
        (note,) = (note for note in table.notes if "PROPERTY_MAGNITUDE" in note)
        assert "'real estate'" in note

    @pytest.mark.needs("moot/classify/credit.g.csv")
    def test_credit_symbols_with_signs(self, shared):
        table = satsuma.read(shared("moot/classify/credit.g.csv"), marks=True)
        values = [value for v in table.domain for value in v.values]
        for sign in (" ", "<", ">=", "/"):
            assert any(sign in value for value in values), sign

    @pytest.mark.needs("moot/classify/soybean.csv")
    def test_soybean_a_blank_after_every_comma(self, shared):
        path = shared("moot/classify/soybean.csv")
        padded = [cell for row in witness(path)[1:] for cell in row if cell != cell.strip()]
        assert len(padded) == 23905
        assert "?" in {cell.strip() for cell in padded}
        table = satsuma.read(path, marks=True)
        assert missing_cells(table) == 2337
        assert all(value == value.strip() for v in table.domain for value in v.values)
        assert not any("?" in v.values for v in table.domain)

    @pytest.mark.needs("moot/classify/hypothyroid.csv")
    def test_hypothyroid_repeated_names(self, shared):
        table = satsuma.read(shared("moot/classify/hypothyroid.csv"), marks=True)
        assert table.domain.names[2:5] == ("on", "query", "on_2")
        assert table.domain.names[9:11] == ("query_2", "query_3")
        for new in ("on_2", "query_2", "query_3"):
            assert any(f"'{new}'" in note for note in table.notes)

    @pytest.mark.needs("moot/classify/hypothyroid.csv")
    def test_hypothyroid_a_column_without_any_value(self, shared):
        table = satsuma.read(shared("moot/classify/hypothyroid.csv"), marks=True)
        assert table.missing("TBG").all()
        assert table.domain["TBG"].kind == "num"
        assert missing_cells(table) == 6064

    @pytest.mark.needs("moot/classify/anneal.csv")
    def test_anneal_six_columns_without_any_value(self, shared):
        table = satsuma.read(shared("moot/classify/anneal.csv"), marks=True)
        empty = [v.name for v in table.domain if table.missing(v.name).all()]
        assert empty == ["m", "marvi", "corr", "jurofm", "s", "p"]
        assert all(table.domain[name] == satsuma.Variable(name, "sym") for name in empty)
        assert (missing_cells(table), math.prod(table.shape)) == (22175, 35022)

    @pytest.mark.needs("moot/classify/mushroom.csv")
    def test_mushroom_a_question_mark_in_a_name(self, shared):
        table = satsuma.read(shared("moot/classify/mushroom.csv"), marks=True)
        assert set(table.domain["bruises?"].values) == {"t", "f"}
        assert missing_cells(table) == 2480

    @pytest.mark.needs("moot/classify/splice.csv")
    def test_splice_a_key_that_is_not_marked(self, shared):
        table = satsuma.read(shared("moot/classify/splice.csv"), marks=True)
        key = table.domain["instance_name"]
        assert (key.kind, key.role, len(key.values)) == ("sym", "x", 3178)

    @pytest.mark.needs("moot/classify/weathernom.csv")
    def test_weathernom_the_same_rows_twice(self, shared):
        table = satsuma.read(shared("moot/classify/weathernom.csv"), marks=True)
        assert table[:14].equals(table[14:])

    @pytest.mark.needs("moot/optimize/coc1000.csv")
    def test_coc1000_blanks_in_the_header(self, shared):
        table = satsuma.read(shared("moot/optimize/coc1000.csv"), marks=True)
        assert all(name == name.strip() for name in table.domain.names)
        assert any("lanks" in note for note in table.notes)

    @pytest.mark.needs("moot/optimize/coc1000.csv")
    def test_coc1000_a_small_x_does_not_mean_ignore(self, shared):
        table = satsuma.read(shared("moot/optimize/coc1000.csv"), marks=True)
        assert table.domain["CPLx"].role == "x"
        assert not table.domain.of_role("ignore")

    @pytest.mark.needs("moot/optimize/nasa93dem.csv")
    def test_nasa93dem_windows_line_ends_and_padded_cells(self, shared):
        path = shared("moot/optimize/nasa93dem.csv")
        assert path.read_bytes().count(b"\r\n") >= 93
        table = satsuma.read(path, marks=True)
        assert table.domain.names[-1] == "MonthsX"
        assert set(table.domain["prec"].values) <= {"vl", "l", "n", "h", "vh", "xh"}
        assert [v.name for v in table.domain.of_role("ignore")] == [
            "idX",
            "centerX",
            "YearX",
            "MonthsX",
        ]

    @pytest.mark.needs("moot/text")
    @pytest.mark.parametrize(
        ("name", "positives"),
        [("Hall", 104), ("Kitchenham", 50), ("Radjenovic", 48), ("Wahono", 62)],
    )
    def test_text_the_class_comes_first_with_few_positives(self, shared, name, positives):
        path = shared(f"moot/text/{name}.csv")
        assert b"\r\n" in path.read_bytes()[:10000]
        table = satsuma.read(path, marks=True)
        assert table.domain[0].name == "label!"
        assert collections.Counter(table["label!"])["yes"] == positives
        assert set(table.domain["label!"].values) == {"yes", "no"}

    def test_voting_the_class_comes_first_and_its_values_are_listed(self, shared):
        table = satsuma.read(shared("orange/voting.tab"))
        assert table.domain[0].role == "target"
        assert table.domain[0].values == ("republican", "democrat")
        assert b"?" not in shared("orange/voting.tab").read_bytes()
        assert missing_cells(table) == 392

    def test_adult_a_blank_behind_the_role(self, shared):
        path = shared("orange/adult_sample.tab")
        assert path.read_bytes().splitlines()[2].endswith(b"class ")
        assert satsuma.read(path).domain.target.name == "y"

    def test_adult_listed_values_that_never_occur(self, shared):
        table = satsuma.read(shared("orange/adult_sample.tab"))
        for name, value in (("workclass", "Never-worked"), ("education", "Preschool")):
            assert value in table.domain[name].values
            assert value not in set(table[name])
        assert table.domain["y"].values == (">50K", "<=50K")

    def test_heart_disease_blanks_in_listed_values(self, shared):
        table = satsuma.read(shared("orange/heart_disease.tab"))
        assert table.domain["rest ECG"].values == (
            "normal",
            "left vent hypertrophy",
            "ST-T abnormal",
        )

    def test_imports_a_blank_behind_a_name(self, shared):
        table = satsuma.read(shared("orange/imports-85.tab"))
        assert table.domain.target.name == "price"
        assert any("'price '" in note for note in table.notes)

    def test_imports_missing_targets(self, shared):
        table = satsuma.read(shared("orange/imports-85.tab"))
        assert table.missing("price").sum() == 4
        assert [row.target for row in table].count(None) == 4

    def test_iris_two_rows_differ(self, shared):
        uci = satsuma.read(shared("orange/iris.tab"))
        fisher = satsuma.read(shared("r/iris.csv"))
        ours, theirs = uci.to_numpy(uci.domain.names[:4]), fisher.to_numpy(fisher.domain.names[:4])
        assert (np.flatnonzero((ours != theirs).any(axis=1)) + 1).tolist() == [35, 38]
        np.testing.assert_array_equal(ours[[34, 37]], [[4.9, 3.1, 1.5, 0.1]] * 2)
        np.testing.assert_array_equal(theirs[34], [4.9, 3.1, 1.5, 0.2])
        np.testing.assert_array_equal(theirs[37], [4.9, 3.6, 1.4, 0.1])


class TestUgly:
    """What the names of these files say."""

    @pytest.fixture
    def ugly(self, shared):
        return lambda name: satsuma.read(shared(f"orange/ugly/{name}.tab"))

    @pytest.mark.parametrize(
        "name", ["always_one_missing", "always_one_missing_always_unknown_class"]
    )
    def test_one_value_missing_in_every_row(self, ugly, name):
        table = ugly(name)
        holes = sum(table.missing(at).astype(int) for at in range(4))
        assert (holes == 1).all()

    @pytest.mark.parametrize("name", ["", "___continuous", "___values_defined"])
    def test_an_attribute_always_unknown(self, ugly, name):
        table = ugly(f"always_unknown_attribute{name}")
        assert table.missing("age").all()
        values = ("young", "pre-presbyopic", "presbyopic") if "values" in name else ()
        assert table.domain["age"].values == values
        assert table.domain["age"].kind == ("num" if "continuous" in name else "sym")

    def test_the_class_always_unknown(self, ugly):
        table = ugly("always_unknown_class")
        assert table.missing("lenses").all()
        assert table.domain.target == satsuma.Variable("lenses", "sym", (), "target")

    def test_the_class_always_unknown_but_listed(self, ugly):
        table = ugly("always_one_missing___always_unknown_class___class_defined")
        assert table.missing("lenses").all()
        assert table.domain.target.values == ("none", "soft")

    def test_values_listed_but_not_used(self, ugly):
        attribute = ugly("constant_attribute___values_defined")
        assert attribute.domain["age"].values == ("young", "pre-presbyopic", "presbyopic")
        assert set(attribute["age"]) == {"young"}
        constant = ugly("constant_class___values_defined")
        assert constant.domain.target.values == ("none", "soft", "hard")
        assert set(constant["lenses"]) == {"soft"}

    def test_a_continuous_class(self, ugly):
        assert ugly("constant_class___continuous").column("lenses").tolist() == [1.0] * 24

    def test_one_class_value_unknown(self, ugly):
        assert ugly("one_unknown_class").missing("lenses").sum() == 1


def test_case_004_auto93_columns(cases, shared):
    case = cases["004-auto93-columns"]
    table = satsuma.read(shared("moot/optimize/auto93.csv"), marks=True)
    assert table.domain.names == tuple(case["expected"])
    roles = {"goal": {"+": "goal max", "-": "goal min"}}
    for name, expected in case["expected"].items():
        variable, column = table.domain[name], table.column(name)
        assert variable.kind == expected["type"]
        told = roles[variable.role][variable.goal] if variable.role == "goal" else variable.role
        assert told == expected["role"]
        known = column[~table.missing(name)]
        assert len(known) == expected["n"]
        if variable.kind == "num":
            found = (known.mean(), known.std(ddof=1), known.min(), known.max())
            figures = [expected[figure] for figure in ("mu", "sd", "lo", "hi")]
        else:
            counts = np.bincount(known)
            assert dict(zip(variable.values, counts.tolist(), strict=True)) == expected["counts"]
            assert variable.values[counts.argmax()] == expected["mode"]
            shares = counts / counts.sum()
            found, figures = [-(shares * np.log2(shares)).sum()], [expected["ent"]]
        # Some figures are given to twelve digits, which is less than 1e-9 for the large ones.
        np.testing.assert_allclose(found, figures, rtol=1e-11, atol=case["tolerance"]["abs"])
