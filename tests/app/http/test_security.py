"""Who is let in, and what a request can do: each test fails without the defence that it names."""

import io
import json
import os
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import httpx
import numpy as np
import pytest
from packaging.requirements import Requirement

import satsuma
from satsuma import Table
from satsuma.app.labelling.task import task_of
from satsuma.app.server import host_names
from satsuma.app.store.log_file import log_path
from tests.app.serving import Labeller, fruits, new_id, served, server_processes

#: Every door of the server, and what to send there.
GETS = ("/", "/panel", "/export/labels.csv", "/export/model.satsuma", "/export/predictions.csv")
POSTS = ("/ask", "/answer", "/name", "/invite")


def test_it_listens_on_this_machine_alone(tmp_path):
    with server_processes(tmp_path / "x.sqlite") as servers:
        pid, origin, _ = servers.start()
        port = int(origin.rpartition(":")[2])
        lines = Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]
        listening = [line.split()[1] for line in lines if line.split()[3] == "0A"]
        assert f"0100007F:{port:04X}" in listening  # 127.0.0.1
        assert [each for each in listening if each.endswith(f":{port:04X}")] == [
            f"0100007F:{port:04X}"
        ]
        os.kill(pid, 9)


def test_a_link_works_once_and_becomes_a_strict_cookie(server):
    link = server.link()
    with httpx.Client() as one:
        reply = one.get(link)
        assert reply.status_code == 200
        told = reply.headers["set-cookie"].lower()
        assert "httponly" in told
        assert "samesite=strict" in told
        assert one.get(f"{server.origin}/").status_code == 200
    with httpx.Client() as other:
        assert other.get(link).status_code == 403
        assert "set-cookie" not in other.get(link).headers
        assert other.get(f"{server.origin}/?token=guessed").status_code == 403


def test_looking_whether_a_link_is_alive_does_not_use_it_up(server):
    link = server.link()
    with httpx.Client(trust_env=False) as http:
        assert http.head(link).status_code == 200
        assert not http.cookies
        assert http.get(link).status_code == 200
        assert http.cookies


def test_nobody_comes_in_without_the_cookie(server):
    with httpx.Client(base_url=server.origin, headers={"Origin": server.origin}) as stranger:
        stranger.cookies.set(f"satsuma-{server.host.rpartition(':')[2]}", "guessed")
        for path in GETS:
            assert stranger.get(path).status_code == 403, path
        for path in POSTS:
            assert stranger.post(path, json={}).status_code == 403, path


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", ""])
def test_another_host_is_turned_away(server, page, host):
    host = host.format(port=server.host.rpartition(":")[2])
    for path in GETS:
        assert page.http.get(path, headers={"Host": host}).status_code in (400, 421), path
    reply = page.http.post("/ask", json={}, headers={"Host": host})
    assert reply.status_code in (400, 421)


def test_the_names_that_are_allowed():
    assert host_names("127.0.0.1", 80) == ["127.0.0.1:80", "localhost:80", "[::1]:80"]
    assert host_names("192.0.2.7", 80) == ["192.0.2.7:80"]
    assert "0.0.0.0:80" not in host_names("0.0.0.0", 80)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", ""])
def test_a_post_from_another_page_is_turned_away(server, page, origin):
    before = len(server.session.log.after(0))
    for path in POSTS:
        reply = page.http.post(path, json={}, headers={"Origin": origin})
        assert reply.status_code == 403, path
    answer = {"id": new_id(), "row": page.state["row"], "what": "skip"}
    assert page.http.post("/answer", json=answer, headers={"Origin": origin}).status_code == 403
    del page.http.headers["Origin"]
    assert page.http.post("/answer", json=answer).status_code == 403
    assert len(server.session.log.after(0)) == before


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_post_that_a_form_could_send_is_turned_away(server, page, kind):
    before = len(server.session.log.after(0))
    answer = json.dumps({"id": new_id(), "row": page.state["row"], "what": "skip"})
    reply = page.http.post("/answer", content=answer, headers={"Content-Type": kind})
    assert reply.status_code == 415
    assert len(server.session.log.after(0)) == before


def test_no_get_changes_anything(server, page):
    before = len(server.session.log.after(0))
    query = {"id": new_id(), "row": page.state["row"], "what": "skip"}
    for path in POSTS:
        assert page.http.get(path, params=query).status_code == 405
    assert len(server.session.log.after(0)) == before


def test_every_answer_carries_the_policy(page):
    replies = [page.http.get(path) for path in (*GETS, "/static/label.js", "/nowhere")]
    replies += [page.http.post("/ask", json={}), page.http.get("/", headers={"Host": "evil"})]
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cache-control"] == "no-store"


EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>{{ 7*7 }}"


def test_cells_names_and_comments_are_text(tmp_path):
    table = Table.of([(EVIL, EVIL, at) for at in range(30)], [f"a{EVIL}", "b", "n"], target=None,
                     kinds={f"a{EVIL}": "sym", "b": "text"}, name=EVIL)  # fmt: skip
    task = task_of(table, classes=[EVIL, "other"])
    with served(task, tmp_path / "x.sqlite", EVIL[:40]) as server, server.labeller() as page:
        page.send("comment", EVIL)
        for value in (EVIL, "other", "new" + EVIL) * 2:
            page.send("label", value)
        shown = page.http.get("/").text
        parts = "".join(page.state[name] for name in ("top", "question", "answers", "panel"))
        for text in (shown, parts):
            assert "<img" not in text
            assert "<script>alert" not in text
            assert "&lt;img src=x" in text
            assert "{{ 7*7 }}" in text


def test_no_path_of_the_client_is_opened(page, tmp_path):
    marker = tmp_path / "marker-secret.txt"
    marker.write_text("secret")
    opened: list[str] = []
    watching = True

    def hook(event, arguments):
        if watching and event == "open" and isinstance(arguments[0], str | bytes):
            opened.append(os.fsdecode(arguments[0]))

    sys.addaudithook(hook)
    wanted = f"../../../../../../../..{marker}"
    quoted = wanted.replace("/", "%2f").replace(".", "%2e")
    for path in (wanted, quoted, str(marker), f"..%5c{marker}", f"{marker}%00.css"):
        for where in ("/static/", "/export/", "/"):
            reply = page.http.get(f"{where}{path}")
            assert reply.status_code in (400, 404), (where, path)
            assert "secret" not in reply.text
    for body in ({"queue": wanted}, {"name": str(marker)}):
        page.http.post("/ask", json=body)
        page.http.post("/name", json=body)
    answer = {"id": new_id(), "row": page.ask()["row"], "what": "label", "value": str(marker)}
    page.http.post("/answer", json=answer)
    page.http.get("/export/labels.csv", params={"raw": "1", "path": str(marker)})
    watching = False
    assert not [each for each in opened if "marker-secret" in each]


def test_nothing_is_pickled(page):
    for at in range(8):
        page.send("label", ["sweet", "sour"][at % 2])
    model = page.http.get("/export/model.satsuma").content
    with zipfile.ZipFile(io.BytesIO(model)) as file:
        for name in file.namelist():
            if name.endswith(".npy"):
                np.load(io.BytesIO(file.read(name)), allow_pickle=False)
            else:
                json.loads(file.read(name))
    for module in Path(satsuma.app.__file__).parent.rglob("*.py"):
        assert "pickle" not in module.read_text(encoding="utf-8")


def test_formulas_are_escaped_unless_raw(tmp_path):
    table = Table.of([(f"=cmd{at}", "+1+1", at) for at in range(12)], ["a", "b", "n"], target=None,
                     kinds={"a": "text", "b": "sym"})  # fmt: skip
    task = task_of(table, classes=["=yes", "@no"])
    with served(task, tmp_path / "x.sqlite", "=Ada") as server, server.labeller() as page:
        page.send("comment", "-2+3")
        for value in ("=yes", "@no", "=yes", "@no"):
            page.send("label", value)
        for name in ("labels.csv", "predictions.csv"):
            plain = page.http.get(f"/export/{name}").text
            cells = [cell for line in plain.splitlines()[1:] for cell in line.split(",")]
            assert not [c for c in cells if c.strip('"').startswith(("=", "+", "-", "@"))], plain
            assert "'=cmd" in plain
            raw = page.http.get(f"/export/{name}?raw=1").text
            assert "'=cmd" not in raw
            assert "=cmd" in raw


def test_the_log_is_beside_the_file_and_nowhere_else(tmp_path):
    path = tmp_path / "a b.csv"
    satsuma.write(fruits(5), path)
    assert log_path(path) == tmp_path / "a b.csv.labels.sqlite"


def test_an_invitation_is_one_more_link(server, page):
    link = page.http.post("/invite", json={}).json()["link"]
    other = Labeller(server.origin, link)
    assert other.http.post("/ask", json={}).status_code == 409  # without a name
    assert other.call("Bob").state["row"]
    other.close()


def _needed(names):
    """Distributions that others stand on, extras and other systems aside."""
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        found.add(name)
        for each in distribution(name).requires or ():
            needed = Requirement(each)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                waiting.append(needed.name)
    return found


def test_the_labelling_page_brings_eight_packages_at_most():
    asked = [Requirement(each) for each in distribution("satsuma").requires]
    label = {r.name for r in asked if r.marker and r.marker.evaluate({"extra": "label"})}
    plain = {r.name for r in asked if r.marker is None or r.marker.evaluate({"extra": ""})}
    assert label == {"starlette", "uvicorn", "jinja2", "markdown-it-py"}
    assert not label & plain  # an extra, not in the default install
    assert len(_needed(label) - _needed(plain)) <= 8
