"""Columns that are like keys."""

import numpy as np
import pytest

import satsuma
from satsuma import Majority, Table, Tree, cross_validate
from satsuma.data.identifiers import key_like


def table_of(column, kind):
    rows = [(cell, k % 5, "ab"[k % 2]) for k, cell in enumerate(column)]
    return Table.of(rows, ["maybe", "x", "y"], kinds={"maybe": kind})


@pytest.mark.parametrize(
    ("column", "kind", "found"),
    [
        ([f"row {k}" for k in range(40)], "sym", True),
        ([f"row {k // 1.08:.0f}" for k in range(40)], "sym", True),  # one in ten repeats
        ([f"row {k // 2}" for k in range(40)], "sym", False),
        ([*(f"row {k}" for k in range(21)), *[None] * 19], "sym", True),
        ([*(f"row {k}" for k in range(10)), *[None] * 30], "sym", False),
        (range(7, 47), "num", True),
        (np.random.default_rng(0).permutation(40).tolist(), "num", False),
        ([k / 2 for k in range(40)], "num", False),
        ([3] * 40, "num", False),
        ([None] * 40, "num", False),
        ([f"row {k}" for k in range(10)], "sym", False),  # too few to tell
    ],
)
def test_what_is_like_a_key(column, kind, found):
    assert key_like(table_of(column, kind)) == (("maybe",) if found else ())


def test_a_value_that_is_listed_and_never_seen_makes_no_key():
    table = table_of(["a", "b"] * 20, "sym")
    wide = satsuma.Variable("maybe", "sym", tuple(map(str, range(50))))
    domain = satsuma.Domain([wide, *list(table.domain)[1:]])
    assert key_like(Table(domain, table.columns)) == ()


@pytest.mark.needs("moot/classify/splice.csv")
def test_results_warn_of_a_key(shared):
    table = satsuma.read(shared("moot/classify/splice.csv"), marks=True)
    results = cross_validate([Majority(), Tree()], table, folds=3)
    (note,) = results.notes
    assert note.startswith("Column 'instance_name' is like a key: it names the rows")
    assert note.endswith("Leave it out: table.with_roles({'instance_name': 'meta'}).")
    assert str(results).endswith(note)
    assert "is like a key" in results._repr_html_()
    without = cross_validate(Majority(), table.with_roles({"instance_name": "meta"}), folds=3)
    assert without.notes == ()
    assert "key" not in str(without)


def orders(rows=60, header="no,id,mail,year,size,back"):
    lines = [
        f"{k + 1},A-{k * 7 % 1000:03},m{k % 40}@example.org,{1950 + k},{k * k % 13},{'ab'[k % 2]}"
        for k in range(rows)
    ]
    return "\n".join([header, *lines]).encode()


def roles_of(data):
    return {v.name: v.role for v in data.domain}


SET_ASIDE = {"no": "meta", "id": "meta", "mail": "meta", "year": "x", "size": "x", "back": "target"}


def test_reading_sets_keys_aside_and_says_so():
    table = satsuma.read(orders(), format="csv", target="back")
    assert roles_of(table) == SET_ASIDE
    said = [note for note in table.notes if "the rows and" in note]
    (sentence,) = said
    assert sentence == (
        "Columns 'no', 'id' and 'mail' name the rows and say nothing about new ones: not learned "
        "from, with the role 'meta'. To learn from one, use table.with_roles({'no': 'x'})."
    )
    assert roles_of(table.with_roles({"id": "x"}))["id"] == "x"


def test_a_role_that_is_said_counts():
    table = satsuma.read(orders(), format="csv", target="back", roles={"id": "x", "no": "ignore"})
    assert roles_of(table) == {**SET_ASIDE, "id": "x", "no": "ignore"}
    marked = satsuma.read(orders(), format="csv", target="back", marks=True)
    assert roles_of(marked)["id"] == "x"
    said = satsuma.read(orders(header="xC#no,xD#id,mD#mail,xC#year,xC#size,cD#back"), format="csv")
    assert roles_of(said) == {**SET_ASIDE, "no": "x", "id": "x"}


def test_what_was_written_with_roles_comes_back_with_them(tmp_path):
    table = satsuma.read(orders(), format="csv", target="back").with_roles({"id": "x", "no": "x"})
    for ending in ("tab", "parquet"):
        table.write(tmp_path / f"orders.{ending}")
        assert satsuma.read(tmp_path / f"orders.{ending}").domain == table.domain


def test_few_rows_and_the_only_column_are_no_keys():
    assert roles_of(satsuma.read(orders(19), format="csv", target="back"))["id"] == "x"
    words = b"word,y\n" + b"".join(b"w%d,%d\n" % (k, k % 2) for k in range(50))
    assert roles_of(satsuma.read(words, format="csv", target="y"))["word"] == "x"


def test_arrays_and_frames_are_learned_from_as_they_are():
    rows = [{"id": f"A{k}", "x": k % 3, "y": "ab"[k % 2]} for k in range(40)]
    assert roles_of(satsuma.read(rows, target="y"))["id"] == "x"


def test_a_source_sets_the_same_aside(tmp_path):
    (tmp_path / "o.csv").write_bytes(orders(4000))
    table = satsuma.read(tmp_path / "o.csv", target="back")
    for first in (lambda source: source.domain, Tree()):
        source = satsuma.scan(tmp_path / "o.csv", target="back")
        first(source)
        assert source.domain == table.domain
        assert source.notes == table.notes
    source = satsuma.scan(tmp_path / "o.csv", target="back")
    model = satsuma.NaiveBayes()(source)
    assert model.domain == table.domain
    assert model(table).tolist() == satsuma.NaiveBayes()(table)(table).tolist()
    kept = satsuma.scan(tmp_path / "o.csv", target="back", roles={"no": "x"})
    assert kept.domain["no"].role == "x"
