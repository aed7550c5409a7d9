"""Each command as a person or a machine would call it."""

import csv
import html
import io
import json
import os
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

import satsuma
import satsuma.kernels
from satsuma.cli import table_input
from satsuma.cli.app import COMMANDS
from satsuma.cli.commands.look import sample_table
from satsuma.cli.learner_specs import learner_of
from satsuma.cli.plot_kinds import PLOTS
from satsuma.evaluate import assessment
from tests.cli.running import ran, ran_well, refused


@pytest.fixture
def iris(tmp_path):
    path = tmp_path / "iris.csv"
    satsuma.load("iris").write(path)
    return path


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    voting, housing = satsuma.load("voting"), satsuma.load("housing")
    satsuma.Tree(prune="mdl")(voting).save(folder / "tree.satsuma")
    satsuma.NaiveBayes()(voting).save(folder / "bayes.satsuma")
    satsuma.KNN()(voting).save(folder / "knn.satsuma")
    satsuma.Ridge()(housing).save(folder / "ridge.satsuma")
    return folder


# look


def test_look(capfd):
    lines = ran_well(capfd, "look", "voting").out.splitlines()
    assert lines[0] == "voting: 435 rows, 17 columns, 392 missing values (5.3%)"
    assert lines[1].split() == ["column", "role", "kind", "missing", "values"]
    assert lines[2].split()[:3] == ["party", "target", "sym"]
    assert max(map(len, lines)) <= 80


def test_look_has_the_shape_of_numbers(capfd):
    assert any(bar in ran_well(capfd, "look", "iris").out for bar in "▁▂▃▄▅▆▇█")


def test_look_warns_with_options_to_give(capfd, tmp_path):
    rows = "".join(f"id{k},{k % 3},same,{'ab'[k % 2]}\n" for k in range(50))
    (tmp_path / "t.csv").write_text(f"name,n,unit,y\n{rows}")
    said = " ".join(ran_well(capfd, "look", tmp_path / "t.csv", "--target", "y").out.split())
    assert "--use name" in said
    assert "--ignore unit" in said
    less = ran_well(capfd, "look", tmp_path / "t.csv", "-t", "y", "-i", "name", "-i", "unit").out
    assert "--ignore" not in less


def test_look_for_machines(capfd):
    found = ran_well(capfd, "look", "auto-mpg", "--ignore", "car_name", "--json").json
    assert set(found) == {"name", "rows", "looked_at", "columns", "target", "notes", "findings"}
    columns = {each["name"]: each for each in found["columns"]}
    horses = satsuma.load("auto-mpg")["horsepower"]
    assert columns["horsepower"]["missing"] == np.isnan(horses).sum()
    assert columns["horsepower"]["mean"] == pytest.approx(np.nanmean(horses))
    assert columns["horsepower"]["sd"] == pytest.approx(np.nanstd(horses, ddof=1))
    assert columns["car_name"]["role"] == "ignore"
    assert columns["origin"]["counts"] == {"1": 249, "3": 79, "2": 70}


def test_kinds_weights_and_ignored_columns_go_everywhere(capfd, tmp_path):
    (tmp_path / "t.csv").write_text("id,zip,w,y\n" + "1,10,2,a\n2,20,1,b\n3,10,1,a\n4,20,3,b\n" * 5)
    words = [tmp_path / "t.csv", "--kind", "zip=sym", "--weight", "w", "--ignore", "id"]
    found = ran_well(capfd, "look", *words, "--target", "y", "--json").json
    assert {c["name"]: (c["kind"], c["role"]) for c in found["columns"]} == {
        "id": ("num", "ignore"),
        "zip": ("sym", "x"),
        "w": ("num", "weight"),
        "y": ("sym", "target"),
    }
    model = ran_well(capfd, "learn", *words, "--target", "y", "--json").json
    assert model["columns"] == [{"name": "zip", "kind": "sym"}]
    compared = ran_well(
        capfd, "compare", *words, "--target", "y", "--learners", "majority,tree", "--json"
    )
    assert compared.json["choice"] == "Tree"
    assert ran_well(capfd, "cluster", *words, "--k", "2", "--json").json["rows"] == 20


# compare


def test_compare(capfd):
    lines = ran_well(capfd, "compare", "voting", "-l", "majority,tree,knn").out.splitlines()
    assert lines[0] == "party: 10-fold cross-validation"
    assert lines[1].split() == [
        *["learner", "CA", "95", "%", "AUC", "Brier", "log", "loss", "seconds", "best"]
    ]
    assert {line.split()[0] for line in lines[2:5]} == {"Majority", "Tree", "KNN"}
    assert any(line.startswith("Take ") for line in lines)
    assert lines[-1].startswith("Next: satsuma learn voting --learner ")
    assert max(map(len, lines)) <= 80


def test_what_compare_says_to_do_next_can_be_done(capfd, tmp_path, iris):
    said = ran_well(capfd, "compare", iris, "-t", "Species", "-l", "majority,tree:max_depth=2").out
    words = said.splitlines()[-1].removeprefix("Next: satsuma ").split()
    words[-1] = str(tmp_path / "m.satsuma")
    ran_well(capfd, *words)
    assert satsuma.open_model(words[-1]).learner.max_depth == 2


def test_what_was_said_of_the_columns_is_said_again(capfd, tmp_path):
    (tmp_path / "t.csv").write_text("id,zip,w,y\n" + "1,10,2,a\n2,20,1,b\n" * 20)
    words = ["-t", "y", "-i", "id", "-k", "zip=sym", "-w", "w", "--read", "delimiter=,"]
    said = ran_well(capfd, "compare", tmp_path / "t.csv", *words, "-l", "majority,tree").out
    told = "--target y --kind zip=sym --weight w --ignore id --read delimiter=, --learner tree"
    assert told in said


def test_compare_for_machines(capfd):
    words = ["iris", "-l", "majority,tree:max_depth=2,tree,knn:k=3", "--folds", "5", "--json"]
    found = ran_well(capfd, "compare", *words).json
    known = {"target", "method", "measure", "learners", "choice", "advice", "notes"}
    assert set(found) == {*known, "leaks", "with_leaks"}
    names = {each["name"] for each in found["learners"]}
    assert names == {"Majority", "tree:max_depth=2", "tree", "KNN"}
    for each in found["learners"]:
        assert set(each) == {*("name", "learner", "scores", "interval", "seconds", "rank", "best")}
        assert set(each["scores"]) == {"CA", "AUC", "Brier", "log loss", "F1"}
    peer = satsuma.cross_validate(satsuma.KNN(k=3), satsuma.load("iris"), folds=5, seed=1)
    said = next(each for each in found["learners"] if each["name"] == "KNN")
    assert said["scores"]["CA"] == peer.scores("CA")["KNN"]


def test_a_score_that_is_not_a_number_is_null(capfd, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "1,a\n2,a\n" * 10)
    words = ["-t", "y", "-l", "majority", "--json"]
    found = ran_well(capfd, "compare", tmp_path / "t.csv", *words).json
    assert found["learners"][0]["scores"]["AUC"] is None


def test_numbers_to_predict(capfd):
    found = ran_well(capfd, "compare", "housing", "-l", "mean,ridge", "--json").json
    assert found["choice"] == "Ridge"
    assert set(found["learners"][0]["scores"]) == {"MAE", "RMSE", "R2"}


def test_a_command_that_is_not_there_is_refused_with_those_that_are(capfd):
    told = " ".join(ran(capfd, "odd", "iris").err.replace("│", " ").split())
    assert "There is no command 'odd'. There are: 'look', 'compare'," in told
    assert "'outliers'" in told
    found = ran(capfd, "outlier", "iris")
    assert "There is no command 'outlier'. Did you mean 'outliers'?" in found.err
    assert found.code == 2


# learn, show, predict, explain


def test_learn_show_and_predict(capfd, tmp_path, iris):
    path = tmp_path / "m.satsuma"
    said = ran_well(capfd, "learn", iris, "-t", "Species", "-o", path, "-l", "tree:max_depth=2").out
    model = satsuma.Tree(max_depth=2)(satsuma.read(iris, target="Species"))
    assert str(model) in said
    assert ran_well(capfd, "show", path).out.strip() == str(model)
    out = ran_well(capfd, "predict", path, iris).out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["Species predicted"] for row in rows] == model(satsuma.load("iris")).tolist()
    assert set(rows[0]) == {*satsuma.load("iris").domain.names, "Species predicted"}


def test_a_tree_is_learned_unless_another_learner_is_named(capfd):
    assert "Tree(" in ran_well(capfd, "learn", "iris", "--json").json["learner"]
    assert ran_well(capfd, "learn", "housing", "--json").json["kind"] == "RegressionTreeModel"


def test_learn_for_machines(capfd, tmp_path):
    path = tmp_path / "m.satsuma"
    found = ran_well(capfd, "learn", "iris", "-l", "naive-bayes", "-o", path, "--json").json
    assert set(found) == {
        "kind", "learner", "target", "classes", "columns", "text", "score", "model", "notes"
    }  # fmt: skip
    assert found["classes"] == ["setosa", "versicolor", "virginica"]
    shown = ran_well(capfd, "show", path, "--json").json
    assert shown == {name: found[name] for name in shown}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "feather"])
def test_predictions_in_a_file(capfd, tmp_path, models, ending):
    voting = satsuma.load("voting")
    voting.write(tmp_path / "voting.csv")
    out = tmp_path / f"out.{ending}"
    model = models / "bayes.satsuma"
    words = [model, tmp_path / "voting.csv", "-o", out, "--probabilities", "--keep", "party"]
    assert "Written" in ran_well(capfd, "predict", *words).out
    found = satsuma.read(out)
    assert found.domain.names == (
        "party", "party predicted", "party = republican", "party = democrat"
    )  # fmt: skip
    expected = satsuma.open_model(model)(voting, satsuma.GetProbabilities)
    np.testing.assert_allclose(found["party = republican"], expected[:, 0])


def test_predictions_for_machines(capfd, models):
    found = ran_well(capfd, "predict", models / "bayes.satsuma", "voting", "-p", "--json").json
    assert set(found) == {"target", "rows", "predicted", "notes", "classes", "probabilities"}
    assert len(found["predicted"]) == found["rows"] == 435
    assert sum(found["probabilities"][0]) == pytest.approx(1)
    numbers = ran_well(capfd, "predict", models / "ridge.satsuma", "housing", "-p", "--json").json
    assert set(numbers) == {"target", "rows", "predicted", "notes"}


def test_columns_are_of_the_kinds_that_were_learned(capfd, tmp_path):
    (tmp_path / "a.csv").write_text("zip,y\n1,a\n2,b\nx,b\n" * 4)
    (tmp_path / "b.csv").write_text("zip\n1\n2\n")
    ran_well(capfd, "learn", tmp_path / "a.csv", "-t", "y", "-o", tmp_path / "m.satsuma")
    out = ran_well(capfd, "predict", tmp_path / "m.satsuma", tmp_path / "b.csv").out
    assert out.splitlines() == ["zip,y predicted", "1,a", "2,b"]


def test_several_files_and_stdin(capfd, tmp_path, monkeypatch):
    iris = satsuma.load("iris")
    for k in range(3):
        iris[k::3].write(tmp_path / f"part{k}.csv")
    pattern = tmp_path / "part*.csv"
    assert ran_well(capfd, "look", pattern, "--json").json["rows"] == 150
    ran_well(capfd, "learn", pattern, "-t", "Species", "-o", tmp_path / "m.satsuma")
    out = ran_well(capfd, "predict", tmp_path / "m.satsuma", pattern).out
    assert len(out.splitlines()) == 151
    content = (tmp_path / "part0.csv").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert len(ran_well(capfd, "predict", tmp_path / "m.satsuma", "-").out.splitlines()) == 51


def test_new_rows_are_read_as_learned_and_that_is_told(capfd, tmp_path, monkeypatch):
    learned = "price;y\n1.234,50;a\n2.000;b\n700,25;a\n1.000,00;b\n"
    (tmp_path / "a.csv").write_text(learned)
    (tmp_path / "b.csv").write_text("price;more\n1.234;x\n")
    model = tmp_path / "m.satsuma"
    ran_well(capfd, "learn", tmp_path / "a.csv", "--target", "y", "-o", model)
    told = "the decimal mark is ','. Pass --read decimal=. if that is wrong."
    shown = ran(capfd, "predict", model, tmp_path / "b.csv")
    assert shown.code == 0
    assert shown.out.splitlines()[1].startswith("1234,x,")
    assert told in " ".join(shown.err.split())
    plain = ran_well(capfd, "predict", model, tmp_path / "b.csv", "--read", "decimal=.")
    assert plain.out.splitlines()[1].startswith("1.234,x,")
    found = ran_well(capfd, "predict", model, tmp_path / "b.csv", "--json").json
    assert any(told in each for each in found["notes"])
    monkeypatch.setattr(table_input, "LARGE", 0)
    large = ran_well(capfd, "predict", model, tmp_path / "b.csv", "-o", tmp_path / "c.csv")
    assert told in " ".join(large.out.split())


def test_a_file_without_rows_is_predicted_to_one_without_rows(capfd, tmp_path, models):
    names = satsuma.load("voting").domain.names
    (tmp_path / "t.csv").write_text(",".join(names) + "\n")
    out = ran_well(capfd, "predict", models / "bayes.satsuma", tmp_path / "t.csv").out
    assert out.splitlines() == [",".join([*names, "party predicted"])]


def test_explain_tells_what_each_column_adds(capfd, models):
    found = ran_well(capfd, "explain", models / "bayes.satsuma", "voting", "-r", 3, "--json").json
    voting = satsuma.load("voting")
    told = satsuma.open_model(models / "bayes.satsuma").explain(voting[2])
    assert found["parts"] == told.to_dict()
    assert (found["value"], found["against"], found["truth"]) == (
        told.value, told.against, "democrat"
    )  # fmt: skip
    said = ran_well(capfd, "explain", models / "bayes.satsuma", "voting", "--row", 3).out
    assert said.startswith("Row 3: party = republican (in the table: democrat)")


def test_explain_says_so_where_nothing_speaks_for_one_class_over_the_other(capfd, tmp_path):
    (tmp_path / "tie.csv").write_text("x,y\na,no\nb,no\na,yes\nb,yes\n")

    def explained(learner):
        model = tmp_path / f"{learner}.satsuma"
        learned = ["learn", tmp_path / "tie.csv", "--target", "y", "--learner", learner]
        ran_well(capfd, *learned, "-o", model)
        return ran_well(capfd, "explain", model, tmp_path / "tie.csv").out

    told = explained("naivebayes")
    assert "\nNothing speaks for no over yes: both are equally probable.\n" in told
    assert "column" not in told
    assert "No column of this row makes a difference." in explained("majority")
    assert "No column of this row makes a difference." in explained("tree:min_leaf=4")


def test_explain_shows_the_path_down_a_tree(capfd, models):
    found = ran_well(capfd, "explain", models / "tree.satsuma", "voting", "-r", 6, "--json").json
    assert found["path"] == ["physician-fee-freeze = n"]
    assert found["value"] == "democrat"
    broken = ran_well(capfd, "explain", models / "tree.satsuma", "voting", "-r", 3).out
    assert "physician-fee-freeze is missing" in broken
    assert "synfuels" in broken


def test_explain_shows_which_rule_applies(capfd, tmp_path):
    voting = satsuma.load("voting")
    model = satsuma.Rules(voting)
    model.save(tmp_path / "rules.satsuma")
    found = ran_well(capfd, "explain", tmp_path / "rules.satsuma", "voting", "-r", 3, "--json").json
    assert found["path"] == model.reasons(voting[2])
    told = ran_well(capfd, "explain", tmp_path / "rules.satsuma", "voting", "-r", 3).out
    assert "- Rule 1 does not apply: physician-fee-freeze is missing, and not n." in told


@pytest.mark.parametrize(("name", "table"), [("knn", "voting"), ("ridge", "housing")])
def test_explain_sums_up_to_what_other_models_predict(capfd, models, name, table):
    model = satsuma.open_model(models / f"{name}.satsuma")
    rows = satsuma.load(table)
    found = ran_well(capfd, "explain", models / f"{name}.satsuma", table, "--json").json
    expected = model.p(model(rows[0]), rows[0]) if name == "knn" else model(rows[0])
    assert sum(found["parts"].values()) == pytest.approx(expected, rel=1e-9)
    assert len(found["neighbours"]) == (0 if name == "ridge" else len(found["neighbours"]) or 1)
    words = ["explain", models / f"{name}.satsuma", table]
    assert "Added to the pr" in ran_well(capfd, *words).out
    if name == "ridge":
        assert "It would be 4" in ran_well(capfd, *words, "--to", "40:").out
        assert "as in 20:30" in refused(capfd, *words, "--to", "much")


def test_explain_says_what_would_change_the_prediction(capfd, models):
    words = ["explain", models / "bayes.satsuma", "voting", "--row", 3]
    found = ran_well(capfd, *words, "--json").json["change"]
    model, row = satsuma.open_model(models / "bayes.satsuma"), satsuma.load("voting")[2]
    changed = {name: cell["to"] for name, cell in found["cells"].items()}
    assert model({**dict(row.items()), **changed}) == found["then"] != model(row)
    fixed = [each for name in changed for each in ("--fixed", name)]
    other = ran_well(capfd, *words, *fixed, "--json").json["change"]["cells"]
    assert not set(other) & set(changed)
    assert "It would be " in ran_well(capfd, *words).out
    assert "Did you mean" in refused(capfd, *words, "--fixed", "synfuel")


def test_predict_warns_where_columns_moved(capfd, models, tmp_path):
    housing = satsuma.load("housing")
    housing[housing["CRIM"] > 5].write(tmp_path / "far.csv")
    words = ["predict", models / "ridge.satsuma"]
    told = ran_well(capfd, *words, tmp_path / "far.csv", "-o", tmp_path / "out.csv").out
    assert "These rows are unlike those that were learned from." in " ".join(told.split())
    assert "'CRIM' (median" in " ".join(told.split())
    quiet = ran_well(capfd, *words, "housing", "-o", tmp_path / "out.csv").out
    assert "unlike" not in quiet
    notes = ran_well(capfd, *words, tmp_path / "far.csv", "--json").json["notes"]
    assert any("unlike" in each for each in notes)


# cluster, outliers, plan, plot, datasets


def test_cluster_adds_a_column(capfd, tmp_path):
    out = tmp_path / "out.csv"
    found = ran_well(capfd, "cluster", "iris", "--k", 3, "-o", out, "--json").json
    assert set(found) == {"method", "rows", "clusters", "of_rows", "output", "notes"}
    assert [each["rows"] for each in found["clusters"]] == np.bincount(found["of_rows"]).tolist()
    written = satsuma.read(out, kinds={"cluster": "sym"})
    assert written["cluster"].tolist() == [str(each) for each in found["of_rows"]]
    assert written["Species"].tolist() == satsuma.load("iris")["Species"].tolist()


@pytest.mark.parametrize("method", ["kmeans", "bisect", "rp0"])
def test_ways_to_cluster(capfd, method):
    said = ran_well(capfd, "cluster", "zoo", "--method", method).out
    assert said.startswith("zoo: 101 rows in ")
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("method", ["bisect", "rp0"])
def test_a_number_of_clusters_is_for_kmeans(capfd, method):
    found = ran(capfd, "cluster", "zoo", "--k", 3, "--method", method)
    assert found.code == 2
    assert f"--k is for kmeans; {method} finds" in found.err


def test_a_name_that_is_taken_gets_another(capfd, tmp_path):
    (tmp_path / "t.csv").write_text("cluster,x\n" + "1,2\n9,8\n" * 5)
    ran_well(capfd, "cluster", tmp_path / "t.csv", "--k", 2, "-o", tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text().splitlines()[0] == "cluster,x,cluster_2"


def test_outliers_are_those_of_the_library(capfd, tmp_path):
    out = tmp_path / "out.csv"
    found = ran_well(capfd, "outliers", "housing", "-o", out, "--json").json
    assert set(found) == {"rows", "limit", "outliers", "highest", "output", "notes"}
    housing = satsuma.load("housing")
    model = satsuma.Anomaly(seed=1)(housing)
    scores = model(housing)
    assert found["highest"][0]["row"] == int(np.argmax(scores)) + 1
    assert found["outliers"] == int((scores > model.limit).sum())
    written = satsuma.read(out)
    np.testing.assert_allclose(written["anomaly score"], scores)
    assert (written["outlier"] == "yes").tolist() == (scores > model.limit).tolist()
    assert all(" is " in why for each in found["highest"] for why in each["reasons"])
    said = " ".join(ran_well(capfd, "outliers", "housing").out.split())
    assert found["highest"][2]["reasons"] == ["CRIM is 88.9762, the greatest of all"]
    assert "CRIM is 88.9762, the greatest of all" in said


def test_outliers_of_a_table_with_times(capfd, tmp_path):
    rng = np.random.default_rng(0)
    days = [f"2024-{1 + k % 3:02}-{1 + k % 28:02}" for k in range(200)]
    days[7] = "2031-11-05"
    rows = [f"{day},{size:.2f}" for day, size in zip(days, rng.normal(size=200), strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["day,size", *rows]))
    found = ran_well(capfd, "outliers", tmp_path / "t.csv", "-n", 4, "-o", tmp_path / "o.csv").out
    said = " ".join(found.split())
    assert "8 0." in said
    assert "day:year is 2031, the greatest of all" in said
    written = satsuma.read(tmp_path / "o.csv", kinds={"outlier because of": "text"})
    assert "day:year is 2031" in written["outlier because of"][7]


def test_plan(capfd):
    words = ["auto-mpg", "--more", "mpg", "--less", "weight", "--ignore", "car_name"]
    said = ran_well(capfd, "plan", *words, "--row", 1, "--fixed", "origin").out
    assert said.startswith("auto-mpg: more mpg, less weight\n")
    assert "\nRow 1\ndo " in said
    found = ran_well(capfd, "plan", *words, "--row", 1, "--json").json
    assert set(found) == {"goals", "rows", "best", "contrasts", "advice"}
    assert set(found["contrasts"][0]) == {"condition", "of_best", "of_rest", "p"}
    assert set(found["advice"]) == {"row", "changes", "now", "gain", "interval"}
    assert "--more Mpg --less Lbs" in refused(capfd, "plan", "iris")


def test_datasets(capfd):
    found = ran_well(capfd, "datasets", "--json").json["datasets"]
    assert [each["name"] for each in found] == list(satsuma.data.shipped.names())
    said = ran_well(capfd, "datasets").out
    assert all(each["name"] in said for each in found)


GOALS = ["auto-mpg", "--more", "mpg", "--less", "weight", "--ignore", "car_name"]
DRAWN = {
    "class-probabilities": ["titanic"],
    "nomogram": ["titanic", "--value", "yes"],
    "density": ["iris", "--column", "Petal.Width"],
    "scores": ["tennis", "-l", "tree"],
    "learning-curve": ["iris", "-l", "tree"],
    "pair": ["housing"],
    "path": ["housing"],
    "recall": ["iris", "--value", "setosa"],
    "labels": ["iris"],
    **dict.fromkeys(["goal-space", "convergence", "contrasts"], GOALS),
}


@pytest.mark.parametrize("kind", PLOTS)
def test_every_plot(capfd, tmp_path, kind):
    out = tmp_path / "p.png"
    found = ran_well(capfd, "plot", kind, *DRAWN.get(kind, ["iris"]), "-o", out, "--json").json
    assert set(found) == {"plot", "kind", "shows"}
    assert found["shows"].endswith(".")
    assert out.read_bytes().startswith(b"\x89PNG")


def test_every_plot_of_the_library_can_be_drawn():
    said = {each.replace("-", "_") for each in PLOTS}
    named = {"scores": "", "learning_curve": ""}
    assert {named.get(each, each) for each in said} - {""} == {*satsuma.plot.__all__} - {"describe"}


def test_a_plot_of_a_saved_model(capfd, tmp_path, models):
    out = tmp_path / "p.svg"
    ran_well(capfd, "plot", "tree", "voting", "--model", models / "tree.satsuma", "-o", out)
    assert "<svg" in out.read_text()


@pytest.mark.parametrize("name", ["zoo", "titanic"])
def test_learn_and_plot_show_the_same_tree(capfd, tmp_path, name):
    printed = ran_well(capfd, "learn", name, "--json").json["text"]
    ran_well(capfd, "plot", "tree", name, "-o", tmp_path / "tree.svg")
    drawn = (tmp_path / "tree.svg").read_text()
    model = satsuma.Tree()(satsuma.load(name))
    assert printed == str(model)
    # Each text stands in a comment before its outlines.
    rows = [f"({node.n:.6g}" for node in model.root if node.attribute is None]
    assert all(each in drawn for each in rows)
    assert drawn.count('id="box') == model.size


def test_report(capfd, tmp_path):
    out = tmp_path / "r.html"
    words = ["tennis", "-l", "majority,naive-bayes", "--folds", 3, "-o", out]
    found = ran_well(capfd, "report", *words, "--json").json
    assert set(found) == {"page", "rows", "looked_at", "notes"}
    assert out.read_text().lstrip().lower().startswith("<!doctype html")


def test_a_report_says_what_to_do_in_commands_on_the_file_at_hand(capfd, tmp_path):
    path, out = tmp_path / "the ward.csv", tmp_path / "r.html"
    rows = [f"n{k},eur,{k % 7},{'no' if k % 5 else 'yes'}" for k in range(60)]
    path.write_text("\n".join(["id,unit,day,died", *rows]))
    words = [path, "-t", "died", "--use", "id"]
    ran_well(capfd, "report", *words, "-l", "majority,tree", "--folds", 2, "-o", out)
    said = re.sub(r"<[^>]+>", "", out.read_text())
    for column in ("id", "unit"):
        (command,) = set(
            re.findall(rf"satsuma (report .*? --ignore {column})\b", html.unescape(said))
        )
        given = shlex.split(command)
        assert given[:4] == ["report", str(path), "--target", "died"]
        ran_well(capfd, *given, "-l", "majority", "--folds", 2, "-o", out)
    assert "all about it" in out.read_text()
    assert "FILE" not in said


def test_report_against_another_file(capfd, tmp_path):
    for name, shift in (("train", 0), ("test", 3)):
        rows = [f"{k % 7 + shift},{'xyz'[k % 3]},{'no' if k % 2 else 'yes'}" for k in range(60)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["size,sort,late", *rows]))
    out, test = tmp_path / "r.html", tmp_path / "test.csv"
    words = [tmp_path / "train.csv", "-t", "late", "--ignore", "sort", "-l", "majority"]
    ran_well(capfd, "report", *words, "--folds", 2, "--against", test, "-o", out)
    page = out.read_text()
    assert '<h2 id="against-title">Compared with test</h2>' in page
    assert "differ: size (median 3 → 6)." in page
    said = refused(capfd, "report", *words, "--against", tmp_path / "none.csv", "-o", out)
    assert "there is no such file" in said


# large files


def test_a_look_at_a_large_file_tells_how_it_was_read_and_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(table_input, "LARGE", 10)
    monkeypatch.setattr("satsuma.cli.commands.look.SAMPLE", 3)
    path = tmp_path / "t.csv"
    path.write_text("price,n\n$1,5\n$2,6\n$3,7\n$4,8\n$5,9\n")
    asked = table_input.TableInput(str(path))
    table, drawn_from, notes = sample_table(asked)
    assert (len(table), drawn_from) == (3, 5)
    (told,) = [each for each in notes if each.code == "sample"]
    assert told.startswith("Of 5 rows, 3 drawn at random are looked at")
    assert told.command.endswith("Give a part of the file to have all of its rows looked at.")
    assert [each.code for each in table.notes] == ["written numbers"]


def test_a_model_of_a_large_file_is_scored_on_a_sample(capfd, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=900)
    y = np.where(x + rng.normal(size=900) > 0.5, "yes", "no")
    rows = [f"{a:.3f},{b},{'late' if b == 'yes' else 'soon'}" for a, b in zip(x, y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["x,y,told", *rows]))
    monkeypatch.setattr(table_input, "LARGE", 100)
    monkeypatch.setattr("satsuma.cli.commands.learn.SAMPLE", 300)
    words = ["learn", tmp_path / "t.csv", "-t", "y", "-l", "naive-bayes"]
    said = " ".join(ran_well(capfd, *words).out.split())
    assert "Learned from 900 rows: 'y'" in said
    assert "parts of 300 rows drawn at random from 900" in said
    assert "With it, the accuracy would seem to be 1.0000" in said
    found = ran_well(capfd, *words, "--json").json
    assert [each["name"] for each in found["columns"]] == ["x"]
    assert found["score"]["baseline"]["score"] < found["score"]["score"] < 0.95
    whole = satsuma.NaiveBayes()(
        satsuma.read(tmp_path / "t.csv", target="y", roles={"told": "meta"})
    )
    assert found["text"] == str(whole)
    monkeypatch.setattr("satsuma.cli.commands.learn.SAMPLE", 2_000)
    assert "drawn at random" not in ran_well(capfd, *words).out
    used = ran_well(capfd, *words, "--use", "told", "--no-score", "--json").json
    assert [each["name"] for each in used["columns"]] == ["x", "told"]
    assert used["score"] is None


def test_large_files_are_gone_over_rather_than_held(capfd, tmp_path, monkeypatch, iris):
    monkeypatch.setattr(table_input, "LARGE", 100)
    monkeypatch.setattr("satsuma.cli.commands.look.SAMPLE", 60)
    found = ran_well(capfd, "look", iris, "-t", "Species", "--json").json
    assert (found["rows"], found["looked_at"]) == (150, 60)
    assert "Of 150 rows, 60" in found["notes"][-1]
    said = " ".join(ran_well(capfd, "look", iris, "-t", "Species").out.split())
    assert "60 rows drawn at random from 150, 5 columns" in said
    page = tmp_path / "page.html"
    ran_well(capfd, "report", iris, "-t", "Species", "-l", "majority", "--folds", 2, "-o", page)
    assert "<dd>60 of 150</dd>" in page.read_text()
    assert "all figures on this page are of the 60 rows in the sample" in page.read_text()
    compared = ran_well(capfd, "compare", iris, "-t", "Species", "--folds", 3, "--json").json
    assert {each["name"] for each in compared["learners"]} == {"Majority", "NaiveBayes", "LDA"}
    path = tmp_path / "m.satsuma"
    words = ["learn", iris, "-t", "Species", "-l", "naive-bayes", "-o", path]
    ran_well(capfd, *words)
    assert str(satsuma.open_model(path)) == str(satsuma.NaiveBayes()(satsuma.load("iris")))


# calls


@pytest.mark.parametrize("command", [each.__name__ for each in COMMANDS])
def test_help_has_examples(capfd, command):
    said = ran_well(capfd, command, "--help").out
    assert "Examples:" in said
    assert f"satsuma {command}" in said
    assert "--json" in said or command == "label"  # which serves a page until it is stopped


@pytest.mark.parametrize(
    "words",
    [
        ["loook"],
        ["look"],
        ["look", "iris", "--tarrget", "y"],
        ["look", "iris", "--kind", "zip"],
        ["look", "iris", "--kind", "zip=number"],
        ["look", "iris", "--read", "delimiter"],
        ["look", "iris", "--target", "a", "--ignore", "a"],
        ["compare", "iris", "--folds", "1"],
        ["explain", "m.satsuma", "iris", "--row", "0"],
    ],
)
def test_a_wrong_call_is_2(capfd, words):
    found = ran(capfd, *words)
    assert found.code == 2
    assert "Traceback" not in found.err
    if len(words) > 1:
        assert "--help" in found.err


def test_without_a_command_there_is_help(capfd):
    assert "Usage" in ran(capfd).out
    assert ran_well(capfd, "--version").out.startswith("satsuma ")


def test_the_version_says_in_one_line_whether_kernels_are_compiled(capfd, monkeypatch):
    monkeypatch.setitem(vars(satsuma.kernels), "compiled", True)
    assert ran_well(capfd, "--version").out == f"satsuma {satsuma.__version__}\n"
    monkeypatch.setitem(vars(satsuma.kernels), "compiled", False)
    marked = "pure Python, without compiled kernels: the same results, but slower"
    assert ran_well(capfd, "--version").out == f"satsuma {satsuma.__version__} ({marked})\n"


def test_debug_shows_where_an_error_came_from():
    done = subprocess.run(
        [sys.executable, "-m", "satsuma", "look", "nothing.csv", "--debug"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" in done.stderr


@pytest.mark.parametrize(
    ("typed", "offered"), [("satsuma lo", "look"), ("satsuma plot nom", "nomogram")]
)
def test_shells_can_complete(typed, offered):
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "satsuma"],
        capture_output=True, text=True, check=False,
        env={**os.environ, **words, "_SATSUMA_COMPLETE": "complete_bash"},
    )  # fmt: skip
    assert done.stdout.split() == [offered], done


def test_json_is_utf_8(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("größe,y\n1,ä\n2,ö\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "satsuma", "look", str(path), "--json"],
        capture_output=True, check=True, env={"PYTHONIOENCODING": "utf-8", "LC_ALL": "C"},
    )  # fmt: skip
    assert json.loads(done.stdout)["columns"][0]["name"] == "größe"


def test_explain_tells_an_adjusted_threshold(capfd, tmp_path):
    adult = satsuma.load("adult_sample")
    model = satsuma.NaiveBayes(adult, number="loess", adjust_threshold=True)
    model.save(tmp_path / "m.satsuma")
    # A row whose sum alone would speak for the other class.
    row = next(at for at in range(len(adult)) if model.explain(adult[at]).total < 0)
    words = ["explain", tmp_path / "m.satsuma", "adult_sample", "--row", row + 1]
    found = ran_well(capfd, *words, "--json").json
    told = model.explain(adult[row])
    assert found["value"] == told.predicted
    assert found["threshold"] == pytest.approx(told.threshold)
    assert sum(found["parts"].values()) >= found["threshold"]
    said = " ".join(ran_well(capfd, *words).out.split())
    assert f"The sum is {told.total:+.3f}. {told.decision}" in said


def test_columns_that_name_rows_are_not_learned_from_unless_asked_for(capfd, tmp_path):
    path = tmp_path / "orders.csv"
    rows = [f"A-{k:03},{k * k % 13},{'ab'[k % 2]}" for k in range(60)]
    path.write_text("\n".join(["id,size,back", *rows]))
    found = ran_well(capfd, "look", path, "-t", "back", "--json").json
    assert [each["role"] for each in found["columns"]] == ["meta", "x", "target"]
    for command in ("look", "learn", "compare", "cluster", "outliers"):
        more = ("--folds", "3", "-l", "bayes,majority") if command == "compare" else ()
        told = " ".join(ran_well(capfd, command, path, "-t", "back", *more).out.split())
        assert "Column 'id' names the rows" in told
        assert "To learn from it, use --use id." in told
        told = ran_well(capfd, command, path, "-t", "back", "--use", "id", *more).out
        assert "--use id." not in told
    found = ran_well(capfd, "look", path, "-t", "back", "--use", "id", "--json").json
    assert [each["role"] for each in found["columns"]] == ["x", "x", "target"]


def test_learn_tells_how_good_the_model_is_and_leaves_leakage_out(capfd, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = np.where(x + rng.normal(size=200) > 0.5, "yes", "no")
    rows = [f"{a:.3f},{b},{'late' if b == 'yes' else 'soon'}" for a, b in zip(x, y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["x,y,told", *rows]))
    words = ["learn", tmp_path / "t.csv", "-t", "y", "-l", "naive-bayes"]
    said = " ".join(ran_well(capfd, *words).out.split())
    assert "Learned from 200 rows: 'y', one of" in said
    assert "with 95 % confidence) on rows that it did not learn from" in said
    assert "the baseline Majority has" in said
    assert "With it, the accuracy would seem to be 1.0000; without, it is 0." in said
    assert "use it: --use told." in said
    found = ran_well(capfd, *words, "--json").json
    assert [each["name"] for each in found["columns"]] == ["x"]
    assert found["score"]["baseline"]["score"] < found["score"]["score"] < 0.95
    used = ran_well(capfd, *words, "--use", "told", "--json").json
    assert used["score"]["score"] == 1.0
    assert ran_well(capfd, *words, "--no-score", "--json").json["score"] is None
    words = ["compare", tmp_path / "t.csv", "-t", "y", "-l", "majority,naive-bayes"]
    found = ran_well(capfd, *words, "--json").json
    assert found["learners"][0]["scores"]["CA"] < 0.95
    assert found["leaks"] == ["told"]
    assert found["with_leaks"]["NaiveBayes"] < 0.001
    assert any("of NaiveBayes would seem to be 0.0005" in each for each in found["notes"])
    said = " ".join(ran_well(capfd, *words[:-1], "naive-bayes").out.split())
    assert "use it: --use told." in said
    used = ran_well(capfd, *words, "--use", "told", "--json").json
    assert used["leaks"] == []
    assert used["learners"][0]["scores"]["CA"] == 1.0


@pytest.mark.parametrize("learner", ["rules", "fft", "one-r"])
def test_learn_says_what_a_model_that_can_be_read_gives_up(capfd, learner):
    words = ["learn", "heart_disease", "-l", learner]
    said = " ".join(ran_well(capfd, *words).out.split())
    score = ran_well(capfd, *words, "--json").json["score"]
    rival, compared = score["rival"], [learner_of(learner), satsuma.Forest()]
    table = satsuma.load("heart_disease")
    results = satsuma.cross_validate(compared, table, folds=10, seed=1)
    first, second = results.learners
    peer = results.difference(second, first)
    assert rival["learner"] == "Forest"
    assert rival["difference"] == pytest.approx(peer.mean)
    assert rival["interval"] == pytest.approx(peer.interval())
    assert rival["better"] == (peer.mean > 0 and peer.p < 0.05)
    assert score["score"] == pytest.approx(results.scores("CA")[first])
    by = f"better by {peer.mean:.4f} (" if rival["better"] else "not significantly better."
    assert f"Forest, which cannot be read, is {by}" in said
    assert "'satsuma compare' shows all learners." in said


def test_learn_holds_no_model_against_another_that_cannot_be_read_itself(capfd):
    found = ran_well(capfd, "learn", "iris", "-l", "knn", "--json").json
    assert found["score"]["rival"] is None
    assert not any("satsuma compare" in each for each in found["notes"])


def test_learn_says_so_where_that_would_take_long(capfd, monkeypatch):
    monkeypatch.setattr(assessment, "QUICK", 0.0)
    found = ran_well(capfd, "learn", "iris", "-l", "one-r", "--json").json
    assert found["score"]["rival"] is None
    assert any("'satsuma compare' shows all learners." in each for each in found["notes"])


def test_compare_by_measures_and_folds_of_ones_own(capfd, tmp_path):
    rows = [f"{k % 7},{k % 5},{k % 3},{'ab'[k % 7 > 2]}" for k in range(80)]
    (tmp_path / "t.csv").write_text("\n".join(["x,person,part,y", *rows]))
    words = ["compare", tmp_path / "t.csv", "-t", "y", "-l", "majority,tree", "--json"]
    assert ran_well(capfd, *words, "--measure", "log-loss").json["measure"] == "log loss"
    assert ran_well(capfd, *words, "--cost", "a:b=3").json["measure"] == "cost"
    assert ran_well(capfd, *words, "--profit", "a:a=3").json["measure"] == "profit"
    for more, what in (
        (["--folds", "part"], "3 folds of column 'part'"),
        (["--folds", "4", "--groups", "person"], "4-fold cross-validation by 'person'"),
        (["--folds", "4", "--repeats", "2"], "4-fold cross-validation, 2 times"),
        (["--folds", "4", "--time", "x", "--window", "1"], "4 stretches by 'x'"),
    ):
        assert ran_well(capfd, *words, *more).json["method"].startswith(what)
    wrong = ran(capfd, *words, "--cost", "a=3")
    assert wrong.code == 1
    assert "TRUTH:DECISION=NUMBER" in wrong.err
