"""Requests that no page sends: each gets a 4xx, and nothing changes."""

import json
import random
import socket

import pytest

from tests.app.serving import new_id

PATHS = ("/", "/ask", "/answer", "/name", "/invite", "/panel", "/export/labels.csv", "/static/x",
         "/export/../x", "/nowhere", "/export/", "/%00", "/static/%2e%2e%2fx")  # fmt: skip


@pytest.fixture
def unchanged(server):
    """What is in the log, and who has said what, is the same afterwards."""
    before = server.session.log.after(0), dict(server.session.state.labels)
    yield
    assert (server.session.log.after(0), dict(server.session.state.labels)) == before


def bodies(row: str) -> list[bytes]:
    """Malformed, oversized and out of order."""
    good = {"id": new_id(), "row": row, "what": "label", "value": "sweet"}
    odd = [None, True, 3, -1, 1.5, "", " ", "x" * 5000, [], {}, [row], {"a": 1}, "\x00", "a\nb",
           "\ud800", 1e400, 10**400, "ﬀ" * 3000]  # fmt: skip
    made = [{**good, name: value} for name in good for value in odd]
    made += [{name: each for name, each in good.items() if name != left} for left in good]
    made += [{**good, "more": 1}, {**good, "of": "abcdefgh"}, {**good, "took": -1},
             {**good, "took": 10**12}, {**good, "took": "1"}, {**good, "queue": "all"},
             {**good, "what": "undo"}, {**good, "what": "undo", "of": "abcdefgh", "value": None},
             {**good, "what": "skip", "value": "x"}, {**good, "row": "0" * 32},
             {**good, "row": row + "-7"}, {**good, "what": "comment", "value": "x" * 2001},
             {**good, "value": {"size": 3}}, {**good, "what": "drop table events"}]  # fmt: skip
    raw = [json.dumps(each).encode() for each in made]
    raw += [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 60_000, b'{"id": NaN}', b"{}" * 2,
            b'"x"', b'{"a":' * 9000, b"x" * 70_000, json.dumps(good).encode() + b"x"]  # fmt: skip
    return raw


@pytest.mark.usefixtures("unchanged")
def test_answers_that_no_page_sends(page):
    row = page.state["row"]
    for body in bodies(row):
        reply = page.http.post(
            "/answer", content=body, headers={"Content-Type": "application/json"}
        )
        assert 400 <= reply.status_code < 500, (body[:200], reply.status_code, reply.text)
        assert reply.json()["message"]


@pytest.mark.usefixtures("unchanged")
def test_other_posts_that_no_page_sends(page):
    odd = [None, 3, "", " ", "x" * 5000, [], {}, "\x00", "\ud800", "a\nb"]
    for path, name in (("/ask", "queue"), ("/name", "name"), ("/invite", "link")):
        for body in [{name: value} for value in odd] + [[], 3, None, {"other": 1}]:
            reply = page.http.post(
                path, content=json.dumps(body), headers={"Content-Type": "application/json"}
            )
            assert 400 <= reply.status_code < 500, (path, body)


@pytest.mark.usefixtures("unchanged")
def test_every_path_by_every_method(page):
    rng = random.Random(1)
    for path in PATHS:
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"):
            if (path, method) in (("/", "GET"), ("/panel", "GET"), ("/export/labels.csv", "GET")):
                continue
            body = rng.randbytes(rng.randrange(200))
            reply = page.http.request(
                method, path, content=body, headers={"Content-Type": "application/json"}
            )
            assert 400 <= reply.status_code < 500, (method, path, reply.status_code)
    for query in ("queue=", "queue=x", "queue=%ff", "queue=a&queue=b"):
        assert 400 <= page.http.get(f"/panel?{query}").status_code < 500
    for token in ("", "%00", "x" * 8000, "%ff"):
        assert 400 <= page.http.get(f"/?token={token}").status_code < 500


@pytest.mark.usefixtures("unchanged")
def test_headers_that_no_browser_sends(server):
    for name, value in [("Cookie", "a;;==;\x01"), ("Cookie", "x" * 9000), ("Host", "a, b"),
                        ("Origin", "x" * 9000), ("Content-Type", ";;"),
                        ("Content-Length", "-1"), ("Content-Length", "9" * 14)]:  # fmt: skip
        with socket.create_connection(server.host.split(":")) as wire:
            wire.settimeout(120)
            lines = {
                "Host": server.host,
                "Origin": server.origin,
                "Content-Type": "application/json",
                "Content-Length": "2",
                name: value,
            }
            head = "".join(f"{key}: {each}\r\n" for key, each in lines.items())
            wire.sendall(f"POST /ask HTTP/1.1\r\n{head}\r\n{{}}".encode("latin-1"))
            assert wire.recv(64)[9:10] == b"4", (name, value[:40])


@pytest.mark.parametrize(
    "sent",
    [b"\x00" * 100 + b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n",
     b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n", b"GET / HTTP/1.1\r\n\r\n",
     b"POST /answer HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
)  # fmt: skip
@pytest.mark.usefixtures("unchanged")
def test_what_is_hardly_http(server, sent):
    with socket.create_connection(server.host.split(":")) as wire:
        wire.settimeout(120)
        try:
            wire.sendall(sent)
            reply = wire.recv(64)
        except ConnectionError:
            reply = b""
        assert reply == b"" or reply[9:10] == b"4"


@pytest.mark.usefixtures("unchanged")
def test_a_request_that_stops_in_the_middle(server, page):
    cookie = "; ".join(f"{name}={value}" for name, value in page.http.cookies.items())
    with socket.create_connection(server.host.split(":")) as wire:
        lines = [
            "POST /answer HTTP/1.1",
            f"Host: {server.host}",
            f"Origin: {server.origin}",
            f"Cookie: {cookie}",
            "Content-Type: application/json",
            "Content-Length: 500",
        ]
        head = "\r\n".join([*lines, "", ""])
        wire.sendall(head.encode() + b'{"id": "abc')
    assert page.http.post("/ask", json={}).status_code == 200


@pytest.mark.usefixtures("unchanged")
def test_a_body_without_a_length_is_cut_off(page):
    def endless():
        for _ in range(200):
            yield b"[" * 1024

    reply = page.http.post(
        "/answer", content=endless(), headers={"Content-Type": "application/json"}
    )
    assert reply.status_code == 413


def test_out_of_order(server, page):
    first = page.state["row"]
    assert page.send("label", "sweet").status_code == 200
    before = server.session.log.after(0)
    last = page.state["undo"]
    stale = [
        {"row": first, "what": "label", "value": "sour"},
        {"row": first, "what": "skip"},
        {"row": page.state["row"], "what": "undo", "of": last["id"]},
        {"row": first, "what": "undo", "of": "never-was-there"},
    ]
    for body in stale:
        reply = page.http.post("/answer", json={"id": new_id(), **body})
        assert reply.status_code == 409, body
    again = {"id": last["id"], "row": first, "what": "label", "value": "sour"}
    assert page.http.post("/answer", json=again).status_code == 409
    assert server.session.log.after(0) == before
    assert page.undo().status_code == 200
    twice = {"id": new_id(), "row": first, "what": "undo", "of": last["id"]}
    assert page.http.post("/answer", json=twice).status_code == 409
