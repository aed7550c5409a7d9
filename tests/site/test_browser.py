"""The site in a real Chromium: no complaint, nothing asked for elsewhere, nothing wider than it."""

from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.browser import watched

PAGES = [
    "index.html",
    "tutorials/own_learner.html",
    "tutorials/five_minutes.html",
    "tutorials/generative.html",
    "plots.html",
    "checked.html",
    "exporting.html",
    "versions.html",
    "coming_from/scikit_learn.html",
    "reference/learners.html",
]


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_args):
        pass


@contextmanager
def served(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def address(site):
    with served(site) as found:
        yield found


@pytest.mark.parametrize("page", PAGES)
def test_opens_without_a_complaint(browser, address, page):
    seen = watched(browser)
    seen.page.goto(address + page, wait_until="networkidle")
    for width in (1280, 390):
        seen.page.set_viewport_size({"width": width, "height": 900})
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        seen.picture(f"site-{page.removesuffix('.html').replace('/', '-')}-{width}", whole=False)
    broken = "[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src)"
    assert seen.page.evaluate(broken) == []
    assert seen.complaints == []
    assert [each for each in seen.requests if not each.startswith((address, "data:"))] == []
    seen.page.context.close()


@pytest.mark.parametrize("page", ["tutorials/tree.html", "reference/extend.html"])
def test_nothing_stands_in_the_way(browser, address, page):
    seen = watched(browser)
    seen.page.goto(address + page)
    for scheme in ("light", "dark"):
        seen.page.emulate_media(color_scheme=scheme)
        assert seen.violations() == []
        seen.picture(f"site-{scheme}", whole=False)
    seen.page.context.close()


def test_search_finds(browser, address):
    seen = watched(browser)
    seen.page.goto(address + "index.html", wait_until="networkidle")
    seen.page.locator("[data-md-component=search-query]").press_sequentially("nomogram")
    seen.page.wait_for_selector(".md-search-result__link")
    assert "nomogram" in seen.page.inner_text(".md-search-result__list").lower()
    assert seen.complaints == []
    seen.page.context.close()
