import io
import logging
import traceback
from pathlib import Path

import pytest

import satsuma
from satsuma.data.urls import public_name
from satsuma.errors import ReadError, SatsumaError
from tests.cli.running import ran, refused
from tests.data.database.postgres import ENCODED, PASSWORD, USER

SECRETS = (PASSWORD, ENCODED, "se cr", "cr%2Fet", "xyzzy")


def assert_silent(*texts):
    for text in texts:
        for secret in (*SECRETS, f"{USER}:"):
            assert secret not in str(text), text


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://{USER}:{ENCODED}@127.0.0.1:1/db?table=t",
        f"postgresql://{USER}:{ENCODED}@/db?host=/nowhere&table=t",
        "postgresql://127.0.0.1:1/db?user=ann&password=xyzzy&table=t",
        "postgresql://127.0.0.1:1/db?passwrd=xyzzy&table=t",
        f"postgresql://{USER}:hid%ZZxyzzy@127.0.0.1:1/db?table=t",
        f"postgresql://{USER}:xyzzy@more@127.0.0.1:1/db?table=t",
        f"postgresql://{USER}:xyzzy/more@127.0.0.1:1/db?table=t",
        f"postgresql://{USER}:xyzzy?more@127.0.0.1:1/db?table=t",
        f"postgresql+psycopg://{USER}:xyzzy#more@127.0.0.1:1/db?table=t",
        f"mysql://{USER}:xyzzy@127.0.0.1/db",
        f"postgresqk://{USER}:xyzzy@127.0.0.1/db.csv",
        "host=127.0.0.1 port=1 user=ann password=xyzzy dbname=db",
        "host=127.0.0.1 password='xyzzy'.db",
        "Server=127.0.0.1;Uid=ann;Pwd=xyzzy;",
        "jdbc:postgresql://127.0.0.1/db?user=ann&password=xyzzy",
        f"{USER}:xyzzy@127.0.0.1/db",
        "md:db?motherduck_token=xyzzy",
        Path("host=127.0.0.1 password=xyzzy.csv"),
    ],
)
def test_errors_do_not_tell(url, caplog, capfd):
    if str(url).startswith("postgresql"):
        pytest.importorskip("adbc_driver_postgresql", reason="no adbc-driver-postgresql")
    caplog.set_level(logging.DEBUG)
    for call in (satsuma.read, satsuma.scan):
        with pytest.raises(SatsumaError) as caught:
            call(url)
        assert_silent(caught.value, repr(caught.value), vars(caught.value), caplog.text)
        shown = io.StringIO()
        traceback.print_exception(caught.value, file=shown)
        lines = [line for line in shown.getvalue().splitlines() if "url" not in line]
        assert_silent("\n".join(lines))
    for command in ("look", "learn", "compare"):
        assert_silent(refused(capfd, command, str(url)))


def test_what_is_read_does_not_tell(postgresql, in_postgres, tmp_path, capfd):
    in_postgres(
        "drop table if exists whisper",
        "create table whisper as select k as n, 'v' || k % 3 as s, 'c' || k % 2 as y "
        "from generate_series(1, 60) as k",
    )
    url = f"{postgresql}&table=whisper"
    table, source = satsuma.read(url, target="y"), satsuma.scan(url, target="y")
    model = satsuma.NaiveBayes()(source)
    model.save(tmp_path / "model.satsuma")
    part = source.parts[0]
    assert_silent(
        table.name, table.notes, repr(table), source.name, source.notes, repr(source), part.file,
        part.place, repr(part), str(model), repr(model),
    )  # fmt: skip
    assert_silent((tmp_path / "model.satsuma").read_bytes().decode("latin-1"))
    late = "select 1 / (k - 70000) as z from generate_series(1, 80000) as k"
    with pytest.raises(ReadError, match="division by zero") as caught:
        len(satsuma.scan(postgresql, query=late))
    assert_silent(caught.value)
    page = tmp_path / "page.html"
    for words in (
        ["look", url], ["look", url, "--json"], ["report", url, "--target", "y", "-o", str(page)],
        ["compare", url, "--target", "y"], ["learn", url, "--target", "y", "--json"],
    ):  # fmt: skip
        found = ran(capfd, *words)
        assert found.code == 0, found
        assert_silent(found.out, found.err)
    assert_silent(page.read_text("utf-8"))


class Refusing:
    """A connection whose driver tells what it was given."""

    told = "no route to ftp://ann:xyzzy@db.org, host=db.org password='xyzzy' api_key=xyzzy"

    def cursor(self):
        return self

    def execute(self, sql):
        raise OSError(self.told, sql)

    def close(self):
        pass


def test_drivers_that_tell():
    for call in (satsuma.read, satsuma.scan):
        with pytest.raises(ReadError, match=r"no route to ftp://…@db\.org, host=db\.org") as caught:
            call(Refusing(), query="select 1")
        assert_silent(caught.value)


def test_a_file_may_be_called_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("token=a").mkdir()
    for name in ("password=1.csv", "a:b@c.csv", "token=a/b.csv"):
        Path(name).write_text("n\n1\n")
        assert satsuma.read(name)["n"].tolist() == [1]


def test_how_a_place_is_called():
    assert public_name(f"postgresql://{USER}:{ENCODED}@db.org:5432/shop?sslmode=off") == (
        "postgresql://db.org:5432/shop"
    )
    assert public_name("https://web.org/a.csv?token=xyzzy#xyzzy") == "https://web.org/a.csv"
    assert public_name("s3://key:xyzzy@bucket/a.csv") == "s3://bucket/a.csv"
    assert public_name("postgresql://[::1]:5432/shop") == "postgresql://[::1]:5432/shop"
