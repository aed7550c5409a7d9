"""The server: what it changes in the process, it sets back."""

import sys

import pytest

from satsuma.app import server
from tests.app.serving import fruit_task


def test_the_switch_interval_is_set_back(tmp_path, monkeypatch):
    seen = []

    class Ended:
        def run(self, sockets):
            seen.append((sys.getswitchinterval(), len(sockets)))
            raise KeyboardInterrupt

    before = sys.getswitchinterval()
    monkeypatch.setattr(server, "http_server", lambda *_: Ended())
    with pytest.raises(KeyboardInterrupt):
        server.serve(fruit_task(5), tmp_path / "x.sqlite", browser=False, tell=seen.append)
    assert seen[-1] == (pytest.approx(server._SWITCH_INTERVAL), 1)
    assert sys.getswitchinterval() == before
