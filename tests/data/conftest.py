"""What the tests of reading share."""

import pytest

from satsuma.data.formats.delimited import header, text_blocks, text_file


@pytest.fixture
def short_look(monkeypatch):
    """A first look at a file of a thousand bytes: what is behind it need not be far away."""
    for module in (header, text_blocks, text_file):
        monkeypatch.setattr(module, "PEEK", 1_000)
