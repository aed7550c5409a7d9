"""Labelling: from an answer to the next question, over HTTP, as the page asks."""

import json
import re
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np

import satsuma
from benchmarks.harness import OURS, Report, Row
from benchmarks.tables import mixed_csv
from satsuma import Table

#: Answers before measuring, and answers that are measured; seconds between them. The panel is
#: worked out meanwhile, and just under way when the next answer comes.
WARM, ANSWERS, THINKING = 25, 100, 0.4

_WORDS = [f"word{at}" for at in range(4000)]


def run(report: Report) -> None:
    """Tables of numbers and symbols, and one of texts."""
    for rows, asked in ((10_000, 100), (1_000_000, 1000)):
        first, times = _answers(mixed_csv(rows))
        _add_rows(report, f"answer to next question, {rows:,} rows", first, times, asked)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.parquet"
        satsuma.write(_texts(10_000), path)
        first, times = _answers(path)
    _add_rows(report, "answer to next question, 10,000 texts", first, times, 100)


def _add_rows(report: Report, work: str, first: float, times: list[float], asked: int) -> None:
    p50, p99 = np.quantile(times, [0.5, 0.99]) * 1e3
    report.add(Row(f"{work}, p50", OURS, f"{p50:.1f} ms"))
    report.add(Row(f"{work}, p99", OURS, f"{p99:.1f} ms", "", f"below {asked} ms"))
    report.add(Row(f"{work}, file to first", OURS, f"{first:.1f} s"))


def _texts(rows: int) -> Table:
    """Some 60 words each; what they are about shows in a few of them."""
    rng = np.random.default_rng(0)
    common = rng.zipf(1.3, (rows, 60)) % len(_WORDS)
    about = rng.integers(0, 3, rows)
    cells = [
        " ".join([*(_WORDS[at] for at in words), *(f"about{kind}" for _ in range(2))])
        for words, kind in zip(common, about, strict=True)
    ]
    return Table.of([(cell,) for cell in cells], ["text"], target=None, kinds={"text": "text"})


def _answers(file: Path) -> tuple[float, list[float]]:
    """Seconds from the start of the process to the first question, and of each answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file.name
        path.symlink_to(file.resolve())  # the log is written beside it
        begun = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-m", "satsuma", "label", str(path), "--no-browser", "--target",
             "label", "--classes", "yes,no,other"], stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            found = re.search(r"http://([^/]+)(/\?token=\S+)", server.stdout.readline())
            assert found is not None
            page = _Page(found.group(1), found.group(2))
            state = page.post("/ask", {})
            first = time.perf_counter() - begun
            return first, _labelled(page, state)
        finally:
            server.kill()
            server.wait()


class _Page:
    """What the page in a browser sends, over one connection."""

    def __init__(self, host: str, link: str) -> None:
        self._http = HTTPConnection(host, timeout=60)
        self._http.request("GET", link)
        reply = self._http.getresponse()
        reply.read()
        cookie = (reply.getheader("Set-Cookie") or "").partition(";")[0]
        self._carried = {
            "Cookie": cookie, "Origin": f"http://{host}", "Content-Type": "application/json",
        }  # fmt: skip

    def post(self, path: str, body: Any) -> Any:
        self._http.request("POST", path, json.dumps(body), self._carried)
        reply = self._http.getresponse()
        body = json.loads(reply.read())
        assert reply.status == 200, body
        return body


def _labelled(page: _Page, state: Any) -> list[float]:
    rng, times = np.random.default_rng(0), list[float]()
    for at in range(WARM + ANSWERS):
        value = str(rng.choice(["yes", "no", "other"]))
        answer = {"id": f"answer-{at:05}", "row": state["row"], "what": "label", "value": value}
        begun = time.perf_counter()
        state = page.post("/answer", answer)
        times.append(time.perf_counter() - begun)
        time.sleep(THINKING)
    return times[WARM:]
