import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from satsuma import NaiveBayes, Table, read, scan, write
from satsuma.data.formats.delimited import text_parts
from satsuma.data.remote import web_files
from satsuma.data.remote.web_files import WebFile
from satsuma.errors import ReadError
from tests.cli.running import ran, refused
from tests.data.remote.servers import make_certificate, serving
from tests.data.remote.test_stores import FORMATS, PACKED, assert_same, content


@pytest.fixture(params=[False, True], ids=["streams", "stretches"])
def server(request):
    """A server that gives whole files only, and one that gives stretches of them."""
    with serving(ranged=request.param) as made:
        yield made


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    made = {f"/t{each}": content(each, folder) for each in FORMATS}
    return made | {f"/t{each}": pack(made["/t.csv"]) for each, pack in PACKED.items()}


@pytest.mark.parametrize("ending", [*FORMATS, *PACKED])
def test_every_format(server, files, ending):
    server.files = files
    url = f"{server.url}/t{ending}?token=xyzzy"
    table = read(url)
    assert table.name == "t"
    assert_same(table)
    source = scan(url)
    assert_same(source.head(99))
    assert "xyzzy" not in f"{source!r}{source.parts!r}"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    symbols = [f"{k}" * 90 for k in range(7)]
    table = Table.of([(k, symbols[k % 7], "ab"[k % 2]) for k in range(20_000)], ["n", "s", "y"])
    write(table, folder / "l.csv")
    return folder


def test_rows_are_not_fetched_before_they_are_asked_for(server, large, monkeypatch):
    monkeypatch.setattr(text_parts, "BLOCK", 1 << 14)
    text = (large / "l.csv").read_bytes()
    server.files["/l.csv"] = text
    source = scan(f"{server.url}/l.csv", target="y")
    assert source.head(5)["n"].tolist() == [0, 1, 2, 3, 4]
    if server.ranged:  # otherwise as much is on its way as fits between the two
        assert server.given < len(text)
    assert str(NaiveBayes()(source)) == str(NaiveBayes()(read(large / "l.csv", target="y")))


def test_parquet_is_asked_for_by_stretches(tmp_path):
    numbers = np.random.default_rng(0).normal(size=(3, 50_000))
    rows = pa.table(dict(zip("abc", numbers, strict=True)))
    pq.write_table(rows, tmp_path / "g.parquet", row_group_size=10_000)
    content = (tmp_path / "g.parquet").read_bytes()
    with serving({"/g.parquet": content}, ranged=True) as server:
        source = scan(f"{server.url}/g.parquet", threads=1)
        assert len(source.parts) == 5
        assert server.given < len(content)
        np.testing.assert_array_equal(source.head(50_000)["b"], numbers[1])


def test_a_connection_that_breaks(server, large):
    server.files["/l.csv"] = text = (large / "l.csv").read_bytes()
    file = WebFile(f"{server.url}/l.csv", {})
    server.breaks = 1
    if server.ranged:  # it goes on where it broke
        with file.open() as stream:
            assert stream.read() == text
    else:
        with pytest.raises(ReadError, match=r"l.csv: the connection broke"), file.open() as stream:
            stream.read()
    server.tag = '"2"'
    with pytest.raises(ReadError, match="has changed while it was read"), file.open() as stream:
        stream.read()


def test_seeking(server):
    text = bytes(range(256)) * 4000
    server.files["/f"] = text
    for file in (
        WebFile(f"{server.url}/f", {}),
        pickle.loads(pickle.dumps(WebFile(f"{server.url}/f", {}))),
    ):
        with file.open() as stream:
            for at, size in ((0, 6), (3, 10), (700_000, 300), (700_100, 5), (10, 4), (600_000, 9)):
                stream.seek(at)
                assert stream.read(size) == text[at : at + size]
            assert stream.seek(-4, 2) == len(text) - 4
            assert stream.read() == text[-4:]
            assert stream.read() == b""


def test_an_empty_file(server):
    server.files["/e.csv"] = b""
    with pytest.raises(ReadError, match=r"e.csv.*empty"):
        read(f"{server.url}/e.csv")


def test_who_asks(server):
    server.files["/a.csv"] = b"a,b\n1,u\n"
    with serving({"/b.csv": b"a,b\n2,v\n"}) as other:
        server.moved = {"/near.csv": "/a.csv", "/far.csv": f"{other.url}/b.csv"}
        named = server.url.replace("://", "://ann:x%40yzzy@")
        assert read(f"{named}/near.csv").shape == (1, 2)
        assert server.asked[-1][1]["Authorization"] == "Basic YW5uOnhAeXp6eQ=="
        how = {"storage_options": {"Authorization": "Bearer xyzzy", "X-Token": "xyzzy"}}
        assert read(f"{server.url}/far.csv", **how)["a"].tolist() == [2]
        assert server.asked[-1][1]["Authorization"] == "Bearer xyzzy"
        assert not {"Authorization", "X-Token"} & other.asked[-1][1].keys()


def test_what_goes_wrong(server, capfd):
    server.files["/data"] = b"a\n1\n"
    server.codes = {"/d.csv": 403, "/s.csv": 503, "/x.csv": 400}
    signed = "?X-Amz-Signature=xyzzy&X-Amz-Credential=xyzzy"
    for name, told in (
        ("none.csv", r"there is no such file \(404\). Look"),
        ("d.csv", r"access is denied \(403\). Take an address that is signed"),
        ("s.csv", r"the server fails \(503\). Try again later"),
        ("x.csv", r"the server refuses it \(400 Bad Request\)"),
    ):
        for call in (read, scan):
            with pytest.raises(ReadError, match=told) as caught:
                call(f"{server.url}/{name}{signed}")
            assert "xyzzy" not in f"{caught.value}{vars(caught.value)}"
    for url, told in (
        (f"http://ann:xyzzy@127.0.0.1:1/a.csv{signed}", "no server answers there. Check the host"),
        (f"http://nowhere.invalid/a.csv{signed}", "its host is not found"),
        (f"{server.url.replace('http', 'https')}/a.csv", "is not trusted"),
        (f"{server.url}/*.csv", "what is on the web cannot be listed"),
        (f"{server.url}/data", "does not say the format"),
    ):
        told_here = refused(capfd, "look", url)
        assert told in told_here
        assert "xyzzy" not in told_here


def test_no_answer(monkeypatch):
    import socket

    monkeypatch.setattr(web_files, "PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(ReadError, match=r"no answer within 0.2 seconds"):
            read(f"http://127.0.0.1:{port}/a.csv")


def test_tls(tmp_path, monkeypatch, capfd):
    certificate = make_certificate(tmp_path / "test.pem")
    with serving({"/a.csv": b"a,b\n1,u\n"}, ranged=True, certificate=certificate) as server:
        with pytest.raises(ReadError, match=r"is not trusted.*SSL_CERT_FILE"):
            read(f"{server.url}/a.csv")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert read(f"{server.url}/a.csv").shape == (1, 2)
        assert ran(capfd, "look", f"{server.url}/a.csv").code == 0


def test_pages_of_one_address(server):
    server.files["/a.csv"] = b"a,b\n1,u\n3\n"
    pages = [f"{server.url}/a.csv?page={page}" for page in (1, 2)]
    source = scan(pages, bad_rows="keep aside")
    assert len(source) == 2
    assert "a.csv (2)" in repr(source.parts)
    with pytest.raises(ReadError, match=r"a.csv \(2\): this is http.*a.csv again"):
        scan([pages[0], pages[0]])
