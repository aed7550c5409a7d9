"""The same model from the executors of Spark, where it is installed."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import satsuma
from satsuma import (
    Additive,
    AnDE,
    BoostedTrees,
    GetBoth,
    ModelTree,
    NaiveBayes,
    Table,
    Tree,
    cross_validate,
)
from satsuma.errors import ReadError
from tests.engines.scanned import ROLES, ROWS, answers, mixed, parquet_files, timed_frame

pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, and there is none"),
    pytest.mark.skipif(
        importlib.util.find_spec("pyspark") is None,
        reason="pyspark is not installed (it is large): pip install 'satsuma[spark]'",
    ),
    # Its own: sockets and pandas in ways that will not last.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = made.config("spark.driver.host", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table of the laws, and a folder with seven files of it."""
    folder = tmp_path_factory.mktemp("spark")
    mixed().write(folder / "whole.csv")
    table = satsuma.read(folder / "whole.csv", target="y", roles=ROLES)
    return table, str(Path(parquet_files(table, folder / "seven", 7)).parent)


def test_executors_give_the_model_of_memory(whole, spark):
    table, folder = whole
    asked = table[:: ROWS // 2000]

    def said(model):
        # Spark takes the largest file first, so that classes come in another order.
        return answers(model, asked)[:, np.argsort(model.classes)]

    # One partition for each file.
    spark.conf.set("spark.sql.files.openCostInBytes", str(1 << 30))
    frame = spark.read.parquet(folder)
    source = satsuma.scan(frame, target="y", roles=ROLES)
    for learner in (NaiveBayes(), Tree(max_depth=2)):
        found = said(learner(source))
        np.testing.assert_allclose(found, said(learner(table)), rtol=1e-9, atol=1e-12)
    assert source.shape == table.shape
    assert len(source.parts) > 1
    again = satsuma.scan(frame, target="y", roles=ROLES)
    np.testing.assert_array_equal(said(Tree(max_depth=2)(again)), found)
    boosting = BoostedTrees(rounds=3)
    np.testing.assert_array_equal(said(boosting(source)), said(boosting(table)))


@pytest.fixture(scope="module")
def heart(tmp_path_factory):
    """A small table with symbols and gaps, and a folder with three files of it."""
    table, folder = satsuma.load("heart_disease"), tmp_path_factory.mktemp("heart")
    for at, rows in enumerate((table[:40], table[40:104], table[104:])):
        rows.write(folder / f"{at}.parquet")
    return table, str(folder)


@pytest.mark.parametrize(
    ("learner", "target", "exact"),
    # Each round is a job of Spark, which takes its time. For classes ModelTree would need fourteen.
    [
        (AnDE(), "diameter narrowing", False),
        (Additive(pairs=1), "diameter narrowing", True),
        (ModelTree(max_depth=1), "max HR", False),
    ],
    ids=["AnDE", "Additive", "ModelTree"],
)
def test_models_of_several_rounds(spark, heart, learner, target, exact):
    table, folder = heart
    columns = ["age", "chest pain", "thal", "ST by exercise", target]
    frame = spark.read.parquet(folder).select([f"`{name}`" for name in columns])
    source = satsuma.scan(frame, target=target)
    assert len(source.parts) > 1
    far, here = learner(source), learner(table.select(columns).with_roles(target=target))
    one, other = answers(far, table), answers(here, table)
    if target == "diameter narrowing":
        assert far.classes == here.classes[::-1]  # the largest file comes first
        one = one[:, ::-1]
    if exact:
        np.testing.assert_array_equal(one, other)
    else:
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_times_give_the_model_of_memory(spark, tmp_path):
    frame = timed_frame().drop(columns="clock")  # of which Spark has none
    # Spark keeps no zones: it gives all times that have one by the clock of Greenwich.
    frame["zoned"] = frame["zoned"].dt.tz_convert("UTC")
    frame.to_parquet(tmp_path / "times.parquet", coerce_timestamps="us")
    table = satsuma.read(frame, target="y")
    rows = spark.read.parquet(str(tmp_path / "times.parquet")).repartition(3).cache()
    one, other = NaiveBayes()(satsuma.scan(rows, target="y")), NaiveBayes()(table)
    assert one.domain.names == other.domain.names
    found = [answers(each, table)[:, np.argsort(each.classes)] for each in (one, other)]
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-12)


def test_what_else_a_source_can_do(spark, tmp_path):
    rows = [(k / 7 if k % 5 else None, "uvw"[k % 3], ("no", "yes")[k % 4 > 1]) for k in range(500)]
    table = Table.of(rows, ["n", "s", "y"])
    whole = spark.createDataFrame(rows, "n double, s string, y string").repartition(1)
    # More partitions than are added up in one task.
    many = satsuma.scan(whole.repartitionByRange(70, "n").cache(), target="y")
    assert len(many) == 500
    assert len(many.parts) == 70
    source = satsuma.scan(whole.repartitionByRange(3, "n").cache(), target="y")
    assert len(source.head(3)) == 3
    assert len(source.sample(30, seed=1)) == 30
    assert source.summary()["s"].bag == {"u": 167, "v": 167, "w": 166}
    model = NaiveBayes()(source)
    files = model.predict(source, tmp_path / "*.parquet", what=GetBoth)
    assert len(satsuma.scan(files)) == 500
    scores = cross_validate([NaiveBayes()], source, folds=3).scores("CA")
    assert len(scores) == 1
    np.testing.assert_allclose(
        model.prior, NaiveBayes()(table.with_roles(target="y")).prior, rtol=1e-12
    )


def test_poison_is_named(spark):
    frame = spark.createDataFrame([(1.0,), (float("inf"),)], "a double")
    with pytest.raises(ReadError, match=r"<spark>, partition \d, row 0: column 'a' holds 'inf'"):
        len(satsuma.scan(frame))
    frame = spark.createDataFrame([([1, 2],)], "a array<int>")
    with pytest.raises(satsuma.errors.SatsumaError, match="'a'"):
        len(satsuma.scan(frame))
