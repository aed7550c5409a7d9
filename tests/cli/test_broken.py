"""Files that are broken, or not what was meant: exit code 1 and one line, or read after all."""

import gzip
import zipfile

import pytest

import satsuma
from tests.cli.running import ran_well, refused

GOOD = "age,sky,play\n31,sun,no\n27,rain,yes\n45,sun,no\n"


def parquet():
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    to = io.BytesIO()
    pq.write_table(pa.table({"a": list(range(100)), "b": ["x", "y"] * 50}), to)
    return to.getvalue()


#: Name, content, and a word or two of the line that refuses it.
REFUSED = {
    "empty.csv": (b"", "empty"),
    "blank_lines.csv": (b"\n\n\n", ""),
    "ragged.csv": (b"a,b\n1,2\n3\n", "line 3"),
    "too_many.csv": (b"a,b\n1,2\n3,4,5\n", "line 3"),
    "nul.csv": (b"a,b\n1,\x002\n", "NUL"),
    "cyrillic.csv": (b"a,b\n\xcc\xee\xf1\xea\xe2\xe0,1\n", "--read encoding=latin-1"),
    "unclosed.csv": (b'a,b\n1,"two\n3,four\n' * 3, "quote"),
    "numbers_alone.csv": (b"1,2\n3,4\n5,6\n", "--read header=false"),
    "infinite.csv": (b"a,b\n1,x\ninf,y\n", "inf"),
    "binary.csv": (bytes(range(256)) * 20, ""),
    "cut.csv.gz": (gzip.compress(GOOD.encode() * 1000)[:60], "cut short"),
    "text.parquet": (GOOD.encode(), "parquet"),
    "cut.parquet": (parquet()[:-200], "parquet"),
    "empty.parquet": (b"", "parquet"),
    "hole.parquet": (parquet()[:20] + b"\0" * 200 + parquet()[220:], ""),
    "text.feather": (GOOD.encode(), "feather"),
    "text.xlsx": (GOOD.encode(), "xlsx"),
    "other.zip.xlsx": (b"PK\x03\x04" + b"\0" * 30, "xlsx"),
    "broken.jsonl": (b'{"a": 1}\n{"a": \n', "line 2"),
    "list.jsonl": (b"[1, 2]\n[3, 4]\n", "line 1"),
    "no_data.arff": (b"@relation r\n@attribute a numeric\n", "@data"),
    "one_line.tab": (b"a\tb\n", ""),
    "odd_role.tab": (b"a\tb\nc\td\n\tklass\n1\t2\n", "Did you mean 'class'?"),
    "table.pickle": (b"\x80\x04\x95", "format"),
    "no_ending": (GOOD.encode(), "--read format="),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("command", ["look", "compare"])
def test_a_broken_file_is_refused_in_one_line(capfd, tmp_path, command, name):
    content, told = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(content)
    line = refused(capfd, command, path)
    assert name in line
    assert told in line


@pytest.mark.parametrize("command", ["look", "compare", "learn", "cluster", "outliers", "report"])
def test_no_such_file(capfd, tmp_path, command):
    (tmp_path / "irises.csv").write_text(GOOD)
    line = refused(capfd, command, tmp_path / "iriss.csv")
    assert "there is no such file" in line
    assert "Did you mean 'irises.csv'?" in line
    assert "no folder" in refused(capfd, command, tmp_path / "nowhere" / "iris.csv")
    assert "Did you mean 'iris'" in refused(capfd, command, "irs")
    (tmp_path / "empty").mkdir()
    assert "there is no table in it" in refused(capfd, command, tmp_path / "empty")
    assert "no file matches" in refused(capfd, command, tmp_path / "*.parquet")


#: Tables that can be read, and calls that cannot be served.
TABLES = {
    "header only": ("a,b,y\n", ["--target", "y"], "two rows"),
    "one column": ("y\na\nb\na\nb\n", ["--target", "y"], "nothing to learn from"),
    "one row": ("a,y\n1,x\n", ["--target", "y"], "two rows"),
    "no target": (GOOD, [], "--target NAME"),
    "misspelled target": (GOOD, ["--target", "paly"], "Did you mean 'play'?"),
    "misspelled column": (GOOD, ["--target", "play", "--ignore", "aeg"], "Did you mean 'age'?"),
    "misspelled weight": (GOOD, ["--target", "play", "--weight", "aeg"], "Did you mean 'age'?"),
    "misspelled kind": (GOOD, ["--target", "play", "--kind", "aeg=sym"], "Did you mean 'age'?"),
    "weights of symbols": (GOOD, ["--target", "play", "--weight", "sky"], "sky"),
    "numbers of symbols": (GOOD, ["--target", "play", "--kind", "sky=num"], "sky"),
    "no target known": ("a,y\n1,\n2,\n", ["--target", "y", "--kind", "y=sym"], "two rows"),
    "no learner": (GOOD, ["--target", "play", "--learners", "florest"], "Did you mean 'forest'?"),
    "no parameter": (GOOD, ["--target", "play", "--learners", "knn:kk=3"], "parameter 'kk'"),
    "bad parameter": (GOOD, ["--target", "play", "--learners", "knn:k=-3"], "'k' parameter"),
    "wrong sort": (GOOD, ["--target", "play", "--learners", "ridge"], "--kind play=num"),
    "no such option": (GOOD, ["--target", "play", "--read", "delimeter=;"], "'delimiter'?"),
    "negative weights": ("a,y,w\n1,p,-1\n2,q,1\n", ["--target", "y", "--weight", "w"], "weight"),
}


@pytest.mark.parametrize("what", TABLES)
def test_what_cannot_be_compared_is_refused_in_one_line(capfd, tmp_path, what):
    content, words, told = TABLES[what]
    (tmp_path / "t.csv").write_text(content)
    line = refused(capfd, "compare", tmp_path / "t.csv", *words)
    assert told in line
    if "earner" not in what and "parameter" not in what and "option" not in what:
        assert "t.csv" in line


def test_columns_of_the_same_name_are_read_and_that_is_told(capfd, tmp_path):
    (tmp_path / "t.csv").write_text("a,a,y\n1,2,p\n3,4,q\n")
    assert "a_2" in ran_well(capfd, "look", tmp_path / "t.csv").out


def test_a_header_alone_can_be_looked_at(capfd, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n")
    assert "There are no rows" in ran_well(capfd, "look", tmp_path / "t.csv").out


def test_the_remedies_work(capfd, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(REFUSED["cyrillic.csv"][0])
    found = ran_well(capfd, "look", path, "--read", "encoding=cp1251", "--json").json
    assert found["columns"][0]["counts"] == {b"\xcc\xee\xf1\xea\xe2\xe0".decode("cp1251"): 1}
    path.write_text('made by hand\na,b\nx,"say \\"no\\""\n')
    options = ["--read", "skip=1", "--read", "escape=\\"]
    assert ran_well(capfd, "look", path, *options, "--json").json["rows"] == 1
    path.write_bytes(REFUSED["ragged.csv"][0])
    assert (
        ran_well(capfd, "look", path, "--read", "bad_rows=keep aside", "--json").json["rows"] == 1
    )
    path.write_bytes(REFUSED["numbers_alone.csv"][0])
    assert ran_well(capfd, "look", path, "--read", "header=false", "--json").json["rows"] == 3
    found = ran_well(capfd, "look", path, "--read", "header=p,q", "--json").json
    assert [each["name"] for each in found["columns"]] == ["p", "q"]
    (tmp_path / "plain").write_text(GOOD)
    assert ran_well(capfd, "look", tmp_path / "plain", "--read", "format=csv", "--json").json


def test_a_huge_cell_does_not_flood_the_terminal(capfd, tmp_path):
    (tmp_path / "t.csv").write_text(f"a,b\n{'x' * 1_000_000},1\ny,2\n")
    assert len(ran_well(capfd, "look", tmp_path / "t.csv").out) < 2_000


def test_cells_cannot_steer_the_terminal(capfd, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("[red]a[/],\x1b[2Jb,y\n[bold]x,\x1b[31mu,p\n:smile:,v,q\n[bold]x,w,p\n")
    shown = ran_well(capfd, "look", path).out
    assert "\x1b" not in shown
    assert "[red]a[/]" in shown
    assert "[bold]x" in shown
    assert ":smile:" in shown
    assert "\x1b" not in ran_well(capfd, "learn", path, "--target", "y").out


MODELS = {
    "text.satsuma": b"not a model",
    "empty.satsuma": b"",
    "folder.satsuma": None,
    "missing.satsuma": None,
}


def a_model(path):
    satsuma.Tree()(satsuma.load("iris")).save(path)
    return path


@pytest.mark.parametrize("command", ["show", "predict", "explain"])
def test_a_file_that_is_no_model(capfd, tmp_path, command):
    (tmp_path / "folder.satsuma").mkdir()
    whole = a_model(tmp_path / "whole.satsuma").read_bytes()
    contents = {
        "text.satsuma": b"not a model",
        "empty.satsuma": b"",
        "cut.satsuma": whole[: len(whole) // 2],
        "changed.satsuma": whole[:200] + b"\xff" * 40 + whole[240:],
        "table.satsuma": GOOD.encode(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / "zip.satsuma", "w") as file:
        file.writestr("model.json", "[]")
    rows = [] if command == "show" else ["iris"]
    for name in [*contents, "zip.satsuma", "folder.satsuma", "missing.satsuma"]:
        line = refused(capfd, command, tmp_path / name, *rows)
        assert name in line


def test_rows_that_do_not_fit_a_model(capfd, tmp_path):
    model = a_model(tmp_path / "m.satsuma")
    (tmp_path / "t.csv").write_text("Sepal.Length,Sepal.Width\n1,2\n")
    assert "no column 'Petal" in refused(capfd, "predict", model, tmp_path / "t.csv")
    assert "no row 151" in refused(capfd, "explain", model, "iris", "--row", 151)


def test_outputs_that_cannot_be_written(capfd, tmp_path):
    model = a_model(tmp_path / "m.satsuma")
    (tmp_path / "t.csv").write_text(GOOD)
    here = tmp_path / "t.csv"
    assert "no folder" in refused(capfd, "predict", model, "iris", "-o", tmp_path / "no" / "o.csv")
    assert "format" in refused(capfd, "cluster", "iris", "-o", tmp_path / "o.what")
    assert "being read" in refused(capfd, "outliers", here, "-o", here)
    assert here.read_text() == GOOD
    assert "folder" in refused(capfd, "learn", "iris", "-o", tmp_path)
    assert ".png" in refused(capfd, "plot", "tree", "iris", "-o", tmp_path / "tree.gif")
    assert "Did you mean 'nomogram' or" in refused(capfd, "plot", "nomgram", "iris")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m.satsuma", "t.csv"]


def test_a_nomogram_of_a_tree_is_refused(capfd, tmp_path):
    out = tmp_path / "nt.png"
    told = refused(capfd, "plot", "nomogram", "tennis", "--learner", "id3", "--value", "yes",
                   "-o", str(out))  # fmt: skip
    assert "the columns do not add up" in told
    assert not out.exists()
