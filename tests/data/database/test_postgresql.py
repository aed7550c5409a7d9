from itertools import count

import numpy as np
import pytest

import satsuma
from satsuma.errors import ReadError, SatsumaError

SALES = (
    "create table {} as select k as id, (k * 0.25)::numeric(10, 2) as price, "
    "'item ' || k % 3 as item, k % 2 = 0 as paid, date '2024-01-01' + k as day, "
    "case when k % 5 = 0 then null else k::real end as size from generate_series(1, 200) as k"
)


#: A day is nothing to learn from here.
ASIDE = {"day": "meta"}

_COUNT = count()


@pytest.fixture
def name(in_postgres):
    """The name of a table of its own: a source that is still there holds a lock on another."""
    made = f"sales{next(_COUNT)}"
    in_postgres(SALES.format(made))
    return made


@pytest.fixture
def sales(postgresql, name):
    return f"{postgresql}&table={name}"


def test_a_table_is_read_and_scanned_alike(sales, name):
    read = satsuma.read(sales, target="paid", roles=ASIDE)
    source = satsuma.scan(sales, target="paid", roles=ASIDE)
    assert read.name == source.name == name
    assert read["price"].tolist() == [k * 0.25 for k in range(1, 201)]
    assert read.domain["paid"].values == ("False", "True")
    assert [v.kind for v in read.domain] == ["num", "num", "sym", "sym", "time", "num"]
    assert np.isnan(read["size"][4])
    assert source.head(200).equals(read)
    assert str(satsuma.NaiveBayes()(source)) == str(satsuma.NaiveBayes()(read))
    assert str(satsuma.Tree(max_depth=2)(source)) == str(satsuma.Tree(max_depth=2)(read))


def test_rounds_see_the_rows_of_the_first(sales, name, in_postgres):
    source = satsuma.scan(sales, target="paid", roles=ASIDE)
    before = str(satsuma.Tree(max_depth=2)(source))
    in_postgres(f"insert into {name} select * from {name}", f"update {name} set price = 0")
    assert str(satsuma.Tree(max_depth=2)(source)) == before
    (told,) = [each for each in source.notes if each.code == "transaction"]
    assert "in a transaction that is open" in told


def test_an_order_by_chance_is_refused(postgresql, name):
    query = f"select * from {name} order by random()"
    source = satsuma.scan(postgresql, query=query, target="paid", roles=ASIDE)
    with pytest.raises(ReadError, match="order by with a column that tells all rows apart"):
        satsuma.Tree(max_depth=2)(source)


def test_nothing_is_written(postgresql, sales, name):
    with pytest.raises(ReadError, match="the database says"):
        satsuma.read(postgresql, query=f"delete from {name} returning id")
    assert len(satsuma.read(sales)) == 200


def test_types_that_arrow_has_no_word_for(postgresql, in_postgres):
    in_postgres(
        "drop table if exists odd", "drop type if exists mood",
        "create type mood as enum ('sad', 'glad')",
        "create table odd(price money, wide char(3), big numeric, key uuid, net inet, "
        'span interval, feeling mood, data jsonb, "odd ""name" int)',
        "insert into odd values (12.5, 'a', 12345678901234567890.5, "
        "'00000000-0000-0000-0000-000000000007', '10.0.0.1', '1 day', 'sad', '{}', 1), "
        "(null, null, null, null, null, null, null, null, null)",
    )  # fmt: skip
    for table in (
        satsuma.read(postgresql, table="odd"),
        satsuma.scan(postgresql, table="odd").head(2),
    ):
        row = table[0]
        assert row["price"] == 12.5
        assert row["wide"] == "a"
        assert row["big"] == "12345678901234567890.5"
        assert row["key"] == "00000000-0000-0000-0000-000000000007"
        assert (row["span"], row["feeling"], row["data"]) == ("1 day", "sad", "{}")
        assert row['odd "name'] == 1


def test_tables_of_other_schemas(postgresql, in_postgres):
    in_postgres(
        "drop schema if exists far cascade", "create schema far", "create table far.t(a int)"
    )
    assert satsuma.read(postgresql, table="far.t").shape == (0, 1)
    with pytest.raises(ReadError, match=r"Did you mean 'far.t'"):
        satsuma.read(postgresql, table="far.tt")


def test_a_wrong_query(postgresql):
    with pytest.raises(ReadError, match=r'the database says: .*column "nothing" does not exist'):
        satsuma.read(postgresql, query="select nothing")


def test_numbers_and_times_without_an_end(postgresql, in_postgres):
    in_postgres(
        "drop table if exists endless",
        "create table endless(d date, t timestamp, n numeric, x float8, a int[], s timestamptz)",
        "insert into endless values ('infinity', 'infinity', 'NaN', 'NaN', '{1}', '1066-10-14'), "
        "('2024-01-02', '2024-01-02', 'Infinity', 1, null, '2024-01-02 03:04+02')",
    )
    for call in (satsuma.read, satsuma.scan):
        for name in "dt":
            with pytest.raises(ReadError, match=f"query: column '{name}' .* in no calendar"):
                call(postgresql, query=f"select {name} from endless")
        with pytest.raises(ReadError, match="query: column 'a' holds nested values"):
            call(postgresql, query="select a from endless")
        with pytest.raises(SatsumaError, match=r"'n' holds .*inf"):
            call(postgresql, query="select n from endless").head(1)
        found = call(postgresql, query="select x, s from endless")
        assert np.isnan(found.head(2)["x"]).tolist() == [True, False]
        assert found.head(2)["s"].tolist() == [
            "1066-10-14T00:00:00+00:00",
            "2024-01-02T01:04:00+00:00",
        ]
        assert "before 1678" in " ".join(found.notes)
