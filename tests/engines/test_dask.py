"""The same model from the workers of a Dask cluster, whoever is killed."""

import os
import pickle
import random
import signal
from contextlib import contextmanager
from pathlib import Path

import cloudpickle
import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from distributed import Client, LocalCluster

import satsuma
from satsuma import (
    Additive,
    BoostedTrees,
    Domain,
    Forest,
    GetBoth,
    Logistic,
    NaiveBayes,
    Table,
    Tree,
    Variable,
    cross_validate,
)
from satsuma.checks.batches import Batches
from satsuma.data.formats.delimited import text_parts as delimited
from satsuma.errors import ParameterError, ReadError
from satsuma.learners.boosted_trees import boosted_trees
from tests.engines.scanned import ROLES, ROWS, answers, mixed, parquet_files, timed_frame
from tests.every import LEARNERS


@contextmanager
def cluster(workers, *, processes=True):
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1 if processes else 2,
            processes=processes,
            dashboard_address=":0",
            memory_limit=0,
            silence_logs=50,
        ) as made,
        Client(made) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def client():
    with cluster(2) as found:
        yield found


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("dask") / "whole.csv"
    mixed().write(path)
    return satsuma.read(path), path


@pytest.fixture
def small(tmp_path):
    """A table, and a Parquet file of it with many row groups."""
    rng = np.random.default_rng(5)
    rows = [
        (round(x, 4) if k % 11 else None, "uvw"[k % 3] if k % 13 else None, ("no", "yes")[x > 0.5])
        for k, x in enumerate(rng.normal(size=4000).tolist())
    ]
    table = Table.of(rows, ["n", "s", "y"])
    return table, parquet_files(table, tmp_path / "small", 40)


def aimed(source, **how):
    return satsuma.scan(source, target="y", roles=ROLES, **how)


@pytest.mark.parametrize(
    ("processes", "numbers"), [(False, (4, 2, 1)), (True, (2, 1))], ids=["threads", "processes"]
)
def test_workers_change_no_bit(whole, tmp_path, processes, numbers):
    """Dask = memory, to rounding; any number of workers = threads here, to the last bit."""
    table = whole[0].with_roles(ROLES, target="y")
    asked = table[:: ROWS // 2000]
    expected = {}
    for files in (1, 7, 100):
        pattern = parquet_files(table, tmp_path / str(files), files)
        for learner in (NaiveBayes(), Tree(max_depth=2))[: 2 if files == 7 else 1]:
            found = expected[pattern, learner] = answers(learner(aimed(pattern)), asked)
            np.testing.assert_allclose(found, answers(learner(table), asked), rtol=1e-9, atol=1e-12)
    with cluster(numbers[0], processes=processes) as client:
        for workers in numbers:
            client.cluster.scale(workers)
            for (pattern, learner), answer in expected.items():
                source = aimed(pattern, engine="dask", client=client)
                np.testing.assert_array_equal(answers(learner(source), asked), answer)
                assert source.domain == table.domain
                assert source.shape == table.shape


@pytest.mark.parametrize("learner", [Additive(), Forest(trees=3)], ids=["Additive", "Forest"])
def test_parts_change_no_bit(small, client, learner):
    """Sums are exact, or rows are gathered in their order: parts make no difference at all."""
    table, pattern = small
    table = table.with_roles({}, target="y")
    found = learner(satsuma.scan(pattern, target="y", engine="dask", client=client))
    whole = learner(table)
    order = [found.classes.index(value) for value in whole.classes]
    np.testing.assert_array_equal(answers(found, table)[:, order], answers(whole, table))


def test_weights_are_repetitions(whole, client, tmp_path):
    table = whole[0].with_roles(ROLES, target="y")
    times = (2 * table.weights).astype(int)
    kept = [name for name in table.domain.names if name != "w"]
    plain = table.select(kept)
    weight = Variable("w", "num", role="weight")
    heavy = Table(Domain([*plain.domain, weight]), [*plain.columns, times.astype(float)])
    one = aimed(parquet_files(heavy, tmp_path / "heavy", 7), engine="dask", client=client)
    repeated = plain[np.repeat(np.arange(ROWS), times)]
    pattern = parquet_files(repeated, tmp_path / "repeated", 7)
    other = satsuma.scan(pattern, target="y", engine="dask", client=client)
    for learner in (NaiveBayes(), Tree(max_depth=2)):
        said = []
        for source in (one, other):
            model = learner(source)  # classes come by their first row
            said.append(answers(model, plain[:: ROWS // 2000])[:, np.argsort(model.classes)])
        np.testing.assert_allclose(*said, rtol=1e-9, atol=1e-12)


def test_files_and_frames(whole, client, tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "PART", 1 << 19)
    table, path = whole
    table = table.with_roles(ROLES, target="y")
    asked = table[:: ROWS // 2000]
    expected = answers(NaiveBayes()(table), asked)
    many = parquet_files(table, tmp_path / "many", 100)
    frame = dd.from_map(pd.read_parquet, sorted(map(str, Path(many).parent.glob("*"))))
    for source in (
        aimed(path, engine="dask", client=client),
        aimed(many, engine="dask", client=client),
        aimed(frame, client=client),
    ):
        found = NaiveBayes()(source)
        np.testing.assert_allclose(answers(found, asked), expected, rtol=1e-9, atol=1e-12)
        assert found.domain["s0"].values == table.domain["s0"].values
        assert source.shape == table.shape


def test_what_else_a_source_can_do(small, client, tmp_path):
    table, pattern = small
    far = satsuma.scan(pattern, target="y", engine="dask", client=client)
    here = satsuma.scan(pattern, target="y")
    assert far.head(3).equals(table[:3])
    assert far.sample(50, seed=2).equals(here.sample(50, seed=2))
    assert far.summary()["s"].bag == here.summary()["s"].bag
    model, seen = NaiveBayes()(table), []
    files = model.predict(
        far, tmp_path / "scored" / "*.parquet", what=GetBoth, progress=lambda *at: seen.append(at)
    )
    assert seen[0] == (0, 40)
    assert seen[-1] == (40, 40)
    assert satsuma.scan(files).head(9999)["y predicted"].tolist() == model(table).tolist()
    one, other = (cross_validate([NaiveBayes()], each, folds=3) for each in (far, here))
    assert one.scores("CA") == other.scores("CA")


def test_frames_of_odd_columns(client):
    days = pd.to_datetime(["2020-01-01"] * 4)
    frame = pd.DataFrame(
        {"late": [1, 2, "x", "y"], "day": days, "odd": [*days.date[:3], 5], "y": list("abab")}
    )
    halves = dd.from_map(lambda k: frame[2 * k : 2 * k + 2], [0, 1], meta=frame[:0])
    source = satsuma.scan(halves, target="y", client=client)
    model = NaiveBayes()(source)
    assert source.domain["late"].values == ("1", "2", "x", "y")
    assert source.head(4)["late"].tolist() == ["1", "2", "x", "y"]
    assert [each.kind for each in source.domain] == ["sym", "time", "sym", "sym"]
    assert model.classes == ("a", "b")
    assert model.domain["day:days since 2020-01-01"].kind == "num"


def test_times_give_the_model_of_memory(client, tmp_path):
    frame = timed_frame()
    table = satsuma.read(frame, target="y")
    pattern = parquet_files(table, tmp_path / "times", 3)
    few = table.select(["at", "n", "y"])
    spelled = frame[["at", "n", "y"]].assign(at=frame["at"].astype(str).where(frame["at"].notna()))
    with dask.config.set({"dataframe.convert-string": False}):
        thirds = dd.from_map(lambda k: frame[200 * k : 200 * k + 200], range(3), meta=frame[:0])
        strings = dd.from_pandas(spelled, npartitions=2)
    for found, some, learner in (
        (satsuma.scan(pattern, target="y", threads=2), table, Tree(max_depth=2)),
        (satsuma.scan(pattern, target="y", engine="dask", client=client), table, NaiveBayes()),
        (satsuma.scan(thirds, target="y", client=client), table, Tree(max_depth=2)),
        (satsuma.scan(strings, target="y", kinds={"at": "time"}, client=client), few, NaiveBayes()),
    ):
        one, other = learner(found), learner(some)
        assert one.domain.names == other.domain.names
        np.testing.assert_allclose(answers(one, some), answers(other, some), rtol=1e-9, atol=1e-12)


def test_rows_off_a_wire_may_start_anywhere():
    """Partitions that came from another worker are views of what was received."""
    memory = np.frombuffer(bytearray(8 * 100 + 1), np.uint8)[1:].view(np.float64)
    memory[:] = np.arange(100)
    assert not memory.flags.aligned
    table = satsuma.read(pa.table({"a": memory, "y": list("ab") * 50}), target="y")
    assert "49" in str(NaiveBayes()(table))


def test_guesses_of_where_records_start(client, tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "PART", 300)
    odd = ["plain", '"1,2\n3,4\n5,6"', '"say ""hi""\n"', '"\r\n\r\n"', '","']
    rows = [f"{odd[k * k % 5]},{k}" for k in range(300)]
    (tmp_path / "a.csv").write_text("\n".join(["a,b", *rows]))
    table = satsuma.read(tmp_path / "a.csv")
    source = satsuma.scan(tmp_path / "a.csv", engine="dask", client=client)
    assert source.shape == table.shape
    assert source.domain == table.domain
    assert source.sample(300).equals(table)


def test_a_killed_worker_costs_nothing_but_time(small, monkeypatch):
    """At moments of several rounds a worker is lost, with all that it holds."""
    table, pattern = small
    table = table.with_roles({}, target="y")
    monkeypatch.setattr(boosted_trees, "FEW_ROWS", 0)
    monkeypatch.setattr(boosted_trees, "ROOM", 0)  # a pass over the rows for each level of a tree
    boosting = BoostedTrees(rounds=2, leaves=4)
    # In a round, with so many of five sums done; then all are waiting to be added up.
    moments = {Logistic(): [(2, 1), (5, 5)], boosting: [(2, 3)]}
    with cluster(2) as client:
        for learner, at in moments.items():
            found, killed = _with_workers_killed(learner, pattern, client, at)
            assert sorted(killed) == at
            assert len(set(killed.values())) == len(at)
            here = learner(satsuma.scan(pattern, target="y"))
            np.testing.assert_array_equal(answers(found, table), answers(here, table))
    whole = boosting(table)
    order = [found.classes.index(value) for value in whole.classes]
    np.testing.assert_array_equal(answers(found, table)[:, order], answers(whole, table))


def _with_workers_killed(learner, pattern, client, moments):
    """The model, and which process was killed when."""
    done, killed = [0, 0], {}

    def progress(at, _):
        done[:] = (done[0] + 1, 0) if at == 0 else (done[0], done[1] + 1)
        if tuple(done) in moments:
            killed[tuple(done)] = client.cluster.workers[len(killed) % 2].process.process.pid
            os.kill(killed[tuple(done)], signal.SIGKILL)

    source = satsuma.scan(pattern, target="y", engine="dask", client=client, progress=progress)
    return learner(source), killed


def _die(batch):
    os._exit(len(batch))


def test_a_part_that_kills_is_named(small):
    _, pattern = small
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}), cluster(2) as client:
        source = satsuma.scan(pattern, target="y", engine="dask", client=client)
        with pytest.raises(ReadError, match=r"0\d\d\.parquet.*: several workers died over this"):
            source.reduce(_die)


def test_poison_is_named(small, client, tmp_path):
    _, pattern = small
    bad = Path(pattern).parent / "017.parquet"
    data = bytearray(bad.read_bytes())
    data[4:400] = random.Random(0).randbytes(396)
    bad.write_bytes(data)
    with pytest.raises(ReadError, match=r"017\.parquet, row group 0"):
        NaiveBayes()(satsuma.scan(pattern, target="y", engine="dask", client=client))
    lines = ["a,b", *("1,x" for _ in range(500)), "1,x,7", "1,x"]
    (tmp_path / "bad.csv").write_text("\n".join(lines))
    with pytest.raises(ReadError, match=r"bad\.csv, line 502: 3 cells where 2 should be"):
        len(satsuma.scan(tmp_path / "bad.csv", engine="dask", client=client))


def test_without_a_client_threads_do_it(small):
    _, pattern = small
    source = satsuma.scan(pattern, target="y", engine="dask")
    assert str(NaiveBayes()(source)) == str(NaiveBayes()(satsuma.scan(pattern, target="y")))


def test_what_cannot_be(small):
    _, pattern = small
    with pytest.raises(ParameterError, match="'engine' parameter must be None or 'dask'"):
        satsuma.scan(pattern, engine="ray")
    with pytest.raises(ParameterError, match="goes with engine='dask'"):
        satsuma.scan(pattern, client=3)
    pl = pytest.importorskip("polars")
    with pytest.raises(ParameterError, match="a query cannot be sent to workers"):
        satsuma.scan(pl.scan_parquet(pattern), engine="dask")


class Travelling(Batches):
    """A source whose tallies are made elsewhere: all that goes there and back is pickled."""

    def reduce(self, tally):
        sent = cloudpickle.dumps(tally)
        return super().reduce(
            lambda batch: pickle.loads(cloudpickle.dumps(pickle.loads(sent)(batch)))
        )

    def __reduce__(self):
        raise TypeError("the source went along")


@pytest.mark.parametrize(
    "learner",
    # MiniBatchKMeans takes batches in their order, here.
    [one for one in LEARNERS if one.takes.rounds != "rows" and "MiniBatch" not in repr(one)],
    ids=repr,
)
def test_every_tally_can_travel(learner):
    rng = np.random.default_rng(2)
    rows = [
        (x, "uvw"[k % 3] if k % 5 else None, k % 7 - x, ("no", "yes")[k % 3 > 1])
        for k, x in enumerate(rng.normal(size=60).tolist())
    ]
    target = learner.takes.target
    table = Table.of(rows, ["a", "s", "b", "y"])
    if "num" not in learner.takes.kinds:
        table = table.with_kinds({"a": "sym", "b": "sym"})
    table = table.with_roles(
        {"y": "meta"} if target == "number" else {},
        target="b" if target == "number" else None if target == "nothing" else "y",
    )
    far, here = (learner(kind(table, size=20)) for kind in (Travelling, Batches))
    assert str(far) == str(here)
