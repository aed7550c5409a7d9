"""Pages for people who come from Weka and mlr3: what `make peers-debian` runs and compares."""

from tools.docs.debian_peers.same import Same, numbers
from tools.docs.debian_peers.weka import CALLS, NEWER, ROWS, call_of, lines


def test_every_line_of_weka_is_a_call_of_one_of_its_classes():
    shown = [each for _, each in lines()]
    assert len(shown) > 30
    assert all(call_of(each).startswith("weka.") for each in shown)


def test_what_is_written_out_stands_on_the_page():
    shown = {each for _, each in lines()}
    assert shown >= CALLS.keys() | NEWER
    assert {each.partition(" ")[0] for each in shown} >= ROWS.keys()


def test_calls_have_the_options_of_the_page_and_rows_that_fit():
    assert call_of("lazy.IBk -K 5").endswith("weka.classifiers.lazy.IBk -t iris.arff -no-cv -K 5")
    assert "tennis.arff" in call_of("trees.Id3")


def test_figures_that_differ_are_told():
    assert Same("a", [1.0, 2.0], [1.0, 2.05], 0.1).holds
    assert not Same("a", [1.0, 2.0], [1.0, 2.05], 0.01).holds
    assert not Same("a", [1.0], [1.0, 1.0], 9).holds
    assert not Same("a", "x", "y", 9).holds
    assert str(Same("a", "x", "y")) == "NOT THE SAME: a: x, and ours: y"
    assert numbers("< 0.8 -> -1e-3 of 12.") == [0.8, -1e-3, 12.0]
