"""A server of the page, and a labeller who is let in."""

import pytest

from tests.app.serving import fruit_task, served


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(fruit_task(), tmp_path_factory.mktemp("log") / "x.sqlite") as made:
        yield made


@pytest.fixture
def page(server):
    with server.labeller("Ada") as made:
        yield made
