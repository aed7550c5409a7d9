"""New rows are read as the rows were that a model learned from, where they leave it open."""

import numpy as np
import pytest

import satsuma
from satsuma import NaiveBayes, read, scan
from satsuma.errors import ParameterError

#: Amounts with decimal commas and dates with the day first, as the whole file tells.
LEARNED = (
    b"price;day;plz;bought\n1.234,50;03.04.2024;01067;yes\n2.000;13.05.2024;80331;no\n"
    b"700,25;01.02.2024;20095;yes\n1.000,00;05.06.2024;01067;no\n"
)


def model():
    return NaiveBayes()(read(LEARNED, format="csv", target="bought"))


@pytest.fixture(params=["learned", "saved", "table", "domain"])
def like(request, tmp_path):
    learned = model()
    if request.param == "saved":
        learned.save(tmp_path / "m.satsuma")
        return satsuma.open_model(tmp_path / "m.satsuma")
    table = read(LEARNED, format="csv", target="bought")
    return {"learned": learned, "table": table, "domain": table.domain}[request.param]


def both(tmp_path, text, **options):
    """A text, read whole and some rows at a time."""
    path = tmp_path / "new.csv"
    path.write_text(text)
    source = scan(path, **options)
    return read(path, **options), source.head(99)


def test_what_one_row_leaves_open_is_read_as_learned(like, tmp_path):
    for table in both(tmp_path, "price;day\n1.234;03.04.2024\n", like=like):
        assert table["price"].tolist() == [1234.0]
        assert table.column("day")[0] == np.datetime64("2024-04-03")


def test_without_a_model_it_is_read_plainly_or_kept(tmp_path):
    for table in both(tmp_path, "price;day\n1.234;03.04.2024\n"):
        assert table["price"].tolist() == [1.234]
        assert table.domain["day"].kind == "sym"


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1.5", "1.234"], [1.5, 1.234]),  # points that cannot part thousands
        (["1,5", "1.234"], [1.5, 1234.0]),
        (["1,234.5", "1.234"], [1234.5, 1.234]),
        (["12", "7"], [12.0, 7.0]),
        (["1.234.567"], [1234567.0]),
    ],
)
def test_what_the_file_tells_comes_first(cells, numbers, tmp_path):
    text = "price;other\n" + "".join(f"{cell};x\n" for cell in cells)
    for table in both(tmp_path, text, like=model()):
        assert table["price"].tolist() == numbers


@pytest.mark.usefixtures("short_look")
def test_a_point_far_below_the_first_rows_parts_thousands_too(tmp_path):
    text = "price;other\n" + "12;x\n" * 2_000 + "1.234;x\n"
    for table in (read(text.encode(), format="csv", like=model()), both(tmp_path, text)[0]):
        assert table["price"][0] == 12.0
    assert read(text.encode(), format="csv", like=model())["price"][-1] == 1234.0


def test_kinds_are_those_that_were_learned_but_for_the_target(like, tmp_path):
    text = "plz;bought;more\n1067;17;4\n80331;18;5\n"
    for table in both(tmp_path, text, like=like):
        assert table.domain["plz"].kind == "sym"
        assert table["plz"].tolist() == ["1067", "80331"]
        assert table.domain["bought"].kind == table.domain["more"].kind == "num"
    for table in both(tmp_path, text, like=like, kinds={"plz": "num"}):
        assert table.domain["plz"].kind == "num"


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "xlsx", "arff", "tsv"])
def test_kinds_hold_in_every_format(ending, tmp_path):
    path = tmp_path / f"new.{ending}"
    satsuma.write(satsuma.Table.of([(1067.0, 2.5), (80331.0, 3.5)], ["plz", "price"]), path)
    table = read(path, like=model())
    assert table["plz"].tolist() == ["1067", "80331"]
    if ending in ("jsonl", "parquet", "tsv"):
        assert scan(path, like=model()).domain["plz"].kind == "sym"


def test_kinds_hold_for_objects_and_tables():
    rows = [{"plz": 1067, "price": 2.5}]
    assert read(rows, like=model()).domain["plz"].kind == "sym"
    assert read(read(rows), like=model()).domain["plz"].kind == "sym"


def test_predictions_of_a_row_are_those_of_the_table_it_was_in():
    learned, table = model(), read(LEARNED, format="csv", target="bought")
    lines = LEARNED.decode().splitlines(keepends=True)
    for at, line in enumerate(lines[1:]):
        row = read((lines[0] + line).encode(), format="csv", like=learned)
        assert learned(row, satsuma.GetProbabilities).tolist() == [
            learned(table[at : at + 1], satsuma.GetProbabilities).tolist()[0]
        ]


def test_columns_that_differ_in_their_decimal_mark_alone_are_equal():
    one, two = read(b"a;b\n1,5;x\n", format="csv"), read(b"a;b\n1.5;x\n", format="csv")
    assert one.domain == two.domain
    assert one.domain["a"].decimal == ","


def test_anything_else_is_refused():
    with pytest.raises(ParameterError, match="'like' parameter must be a model"):
        read(LEARNED, format="csv", like="model.satsuma")
