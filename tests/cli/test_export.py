import json
import sqlite3

import pytest

import satsuma
from satsuma.cli import main


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "votes.satsuma"
    satsuma.OneR(satsuma.load("tennis")).save(path)
    return str(path)


def test_sql_on_stdout(saved, capsys):
    words = ["--to", "sql", "--dialect", "sqlite", "--table", "days", "--keep", "outlook"]
    assert main(["export", saved, *words]) == 0
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE days AS SELECT 'overcast' AS outlook")
    found = connection.execute(capsys.readouterr().out).fetchall()
    connection.close()
    assert found == [("overcast", "yes", 0.0, 1.0)]


def test_python_and_json_in_files(saved, tmp_path):
    source, document = tmp_path / "votes.py", tmp_path / "votes.json"
    assert main(["export", saved, "--to", "python", "-o", str(source)]) == 0
    assert main(["export", saved, "--to", "json", "-o", str(document)]) == 0
    space = {}
    exec(source.read_text(), space)
    assert space["predict"]({"outlook": "overcast"})[0] == "yes"
    assert json.loads(document.read_text())["satsuma"] == 1


def test_onnx_goes_to_a_file_alone(saved, tmp_path, capsys):
    onnx = pytest.importorskip("onnx")
    assert main(["export", saved, "--to", "onnx"]) == 1
    assert "Name a file to write: -o model.onnx" in capsys.readouterr().err
    path = tmp_path / "votes.onnx"
    assert main(["export", saved, "--to", "onnx", "-o", str(path)]) == 0
    assert [each.name for each in onnx.load(path).graph.output] == ["label", "probabilities"]


def test_for_machines(saved, tmp_path, capsys):
    assert main(["export", saved, "--to", "python", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["to"] == "python"
    assert "def predict(row)" in told["text"]
    path = str(tmp_path / "votes.sql")
    assert main(["export", saved, "--to", "sql", "-o", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"to": "sql", "output": path, "text": None}


def test_a_model_is_not_written_over(saved, capsys):
    assert main(["export", saved, "--to", "json", "-o", saved]) == 1
    assert "this file is being read" in capsys.readouterr().err


def test_a_language_that_is_not_there(saved):
    assert main(["export", saved, "--to", "cobol"]) == 2
