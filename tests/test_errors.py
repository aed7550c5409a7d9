import copy
import pickle

import pytest

import satsuma
from satsuma import tallies
from satsuma.errors import (
    DomainError,
    NoSuchColumn,
    NoSuchValue,
    ParameterError,
    ReadError,
    SatsumaError,
    WriteError,
    hint,
)

ERRORS = [
    SatsumaError("something is wrong"),
    ReadError("a quote is never closed", file="a.csv", line=7, remedy="Close it."),
    ReadError("the file is empty"),
    WriteError("no place for text"),
    DomainError("two columns are called 'a'"),
    NoSuchColumn("agee", ["age", "wage"]),
    NoSuchColumn(12, ["age"]),
    NoSuchValue("rainy", "sky", ["rain", "sun"]),
    ParameterError("k must be at least 1. Got 0 instead."),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
class TestEveryError:
    def test_is_a_satsuma_error_and_a_value_error(self, error):
        assert isinstance(error, SatsumaError)
        assert isinstance(error, ValueError)

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_survives_pickling(self, error, protocol):
        back = pickle.loads(pickle.dumps(error, protocol))
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert vars(back) == vars(error)

    def test_survives_copying(self, error):
        assert str(copy.deepcopy(error)) == str(error)

    def test_message_is_one_line_without_quotes_around_it(self, error):
        # KeyError shows the repr of its message, which hides line ends and doubles quotes.
        assert str(error)[0] not in "\"'"
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "it is empty"),
        ({"file": "a.csv"}, "a.csv: it is empty"),
        ({"line": 3}, "line 3: it is empty"),
        ({"file": "a.csv", "line": 3}, "a.csv, line 3: it is empty"),
        ({"remedy": "Add rows."}, "it is empty. Add rows."),
        (
            {"file": "a.csv", "line": 3, "remedy": "Add rows."},
            "a.csv, line 3: it is empty. Add rows.",
        ),
    ],
)
def test_read_error_says_where_and_what_to_do(options, message):
    assert str(ReadError("it is empty", **options)) == message


def test_read_error_keeps_its_parts():
    error = ReadError("it is empty", file="a.csv", line=3, remedy="Add rows.")
    assert (error.what, error.file, error.line, error.remedy) == (
        "it is empty",
        "a.csv",
        3,
        "Add rows.",
    )


@pytest.mark.parametrize(
    ("error", "also"), [(NoSuchColumn("a", []), KeyError), (NoSuchValue("a", "b", []), KeyError)]
)
def test_what_is_looked_up_is_caught_as_a_key_error(error, also):
    with pytest.raises(also):
        raise error


def test_parameter_error_is_a_type_error_too():
    with pytest.raises(TypeError, match="unknown"):
        raise ParameterError("unknown parameter")


def test_no_such_column_suggests_a_name():
    assert str(NoSuchColumn("agee", ["age", "play"])) == (
        "There is no column 'agee'. Did you mean 'age'?"
    )


def test_no_such_column_by_position():
    assert str(NoSuchColumn(9, ["age", "play"])) == (
        "There is no column 9. There are: 'age', 'play'."
    )


def test_no_such_value_names_its_column():
    assert str(NoSuchValue("x", "sky", ["rain", "sun"])) == (
        "Column 'sky' has no value 'x'. There are: 'rain', 'sun'."
    )


class TestHint:
    def test_several_close_words_are_all_named(self):
        assert hint("colum", ["column", "colums"]) == "Did you mean 'colums' or 'column'?"

    def test_at_most_three_are_suggested(self):
        assert hint("aaaa1", [f"aaaa{i}" for i in range(2, 9)]).count("aaaa") == 3

    def test_a_long_list_is_cut(self):
        told = hint("?", [f"name {i}" for i in range(9)])
        assert told.endswith("'name 4' and 4 more.")

    def test_the_cut_can_be_moved(self):
        assert hint("?", "abcdefgh", most=8).endswith("'g', 'h'.")

    def test_nothing_known(self):
        assert hint("a", []) == "There are none."

    def test_an_iterator_is_enough(self):
        assert hint("x", iter(["a", "b"])) == "There are: 'a', 'b'."


@pytest.mark.parametrize(
    ("module", "name", "meant"),
    [
        (satsuma.plot, "nomograms", "Did you mean 'nomogram' or"),
        (satsuma.plot, "lift", "There are: 'anomalies', 'calibration', "),
        (satsuma.measures, "gain", "Did you mean 'gini' or 'gini_gain'?"),
        (tallies, "ClassCount", "Did you mean 'ClassCounts'?"),
        (satsuma, "Naive", "Did you mean 'NaiveBayes'?"),
    ],
)
def test_a_module_says_which_name_was_meant(module, name, meant):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
        getattr(module, name)
    assert meant in str(caught.value)
    assert not hasattr(module, "__wrapped__")
