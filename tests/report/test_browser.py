"""The page in a real Chromium: nothing to complain of, wide and narrow, light and dark."""

import pytest

from tests.browser import watched
from tests.report.conftest import PAGES

#: Figures without a text alternative, elements with a handler, and boxes wider than the page.
LOOK = """() => ({
    bare: [...document.querySelectorAll('svg, img')].filter(each =>
        each.tagName === 'IMG' ? !each.alt : !each.getAttribute('aria-label')).length,
    figures: document.querySelectorAll('svg, img').length,
    handlers: [...document.querySelectorAll('*')].filter(each =>
        [...each.attributes].some(a => a.name.startsWith('on'))).length,
    scripts: document.scripts.length,
    hit: typeof hit,
    broken: [...document.images].filter(each => !each.complete || !each.naturalWidth).length,
    over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    untitled: [...document.querySelectorAll('table')].filter(each => !each.caption).length,
    language: document.documentElement.lang,
})"""

GOOD = {
    "bare": 0, "handlers": 0, "scripts": 1, "hit": "undefined", "broken": 0, "over": 0,
    "untitled": 0, "language": "en",
}  # fmt: skip


#: Widths, and whether it is dark. Pages with all sorts of parts are looked at in all ways.
WAYS = [(390, False), (1280, True), (390, True), (1280, False)]
WHOLE = ("iris", "numbers")


@pytest.mark.parametrize("name", PAGES)
def test_the_page_opens_without_a_complaint(browser, page, name):
    address = page(name).as_uri()
    seen = watched(browser)
    seen.page.goto(address)
    for width, dark in WAYS if name in WHOLE else WAYS[:2]:
        seen.page.set_viewport_size({"width": width, "height": 900})
        seen.page.emulate_media(color_scheme="dark" if dark else "light")
        look = seen.page.evaluate(LOOK)
        assert look.pop("figures") > 0
        assert look == GOOD, (width, dark)
        # Contrast hangs on the colours, sizes on the width: two ways see both of each.
        if name in (*WHOLE, "goals", "hostile") and (width, dark) in WAYS[:2]:
            assert seen.violations() == [], (width, dark)
        if name in WHOLE:
            seen.picture(f"report_{name}_{width}_{'dark' if dark else 'light'}")
    assert seen.complaints == []
    outside = [each for each in seen.requests if not each.startswith("data:")]
    assert outside == [address]
    seen.page.context.close()


def test_it_can_be_sorted_filtered_and_opened(browser, page):
    seen = watched(browser)
    seen.page.goto(page("numbers").as_uri() + "#column-2")
    assert seen.page.evaluate("document.getElementById('column-2').open")
    pairs = "#associations .sorts"
    column = f"{pairs} tbody tr:not([hidden]) td:nth-of-type(2)"
    seen.page.click(f"{pairs} th:nth-of-type(3) button")
    seen.page.click(f"{pairs} th:nth-of-type(3) button")
    strengths = [float(text) for text in seen.page.locator(column).all_inner_texts()]
    assert strengths == sorted(strengths)
    assert seen.page.get_attribute(f"{pairs} th:nth-of-type(3)", "aria-sort") == "ascending"
    seen.page.fill("#associations input[type=search]", "weight")
    some = seen.page.locator(f"{pairs} tbody tr:not([hidden])").all_inner_texts()
    assert 0 < len(some) < len(strengths)
    assert all("weight" in text for text in some)
    assert seen.page.inner_text("#associations output") == f"{len(some)} of {len(strengths)}"
    assert seen.complaints == []
    seen.page.context.close()


def test_what_is_too_wide_scrolls_in_its_own_box_by_the_keyboard(browser, page):
    seen = watched(browser, width=390)
    seen.page.goto(page("iris").as_uri())
    boxes = seen.page.evaluate(
        """() => [...document.querySelectorAll('.scroll')]
            .filter(each => each.scrollWidth > each.clientWidth + 1)
            .map(each => [each.tabIndex, each.getAttribute('role')])"""
    )
    assert boxes
    assert all(box == [0, "group"] for box in boxes)
    seen.page.context.close()


def test_it_can_be_printed(browser, page, tmp_path):
    seen = watched(browser)
    seen.page.goto(page("iris").as_uri())
    seen.page.emulate_media(media="print")
    assert not seen.page.is_visible("nav")
    printed = tmp_path / "page.pdf"
    seen.page.pdf(path=printed, format="A4")
    assert printed.read_bytes().startswith(b"%PDF")
    seen.page.context.close()
