"""A real Chromium for the tests of pages: what it complains of, and what axe-core finds."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

#: Where the screenshots of the tests are kept, to be looked at.
PICTURES = Path(os.environ.get("SATSUMA_PICTURES", "build/pictures"))


def chromium() -> str:
    """The path of Debian's Chromium; a machine without it fails, it does not skip."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("Chromium is not installed: `make system` brings it")
    return path


@contextmanager
def opened_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Root, as in a container, may run Chromium only without its sandbox.
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page with all it complained of and all it asked for."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(120_000)  # of milliseconds: a busy machine is not a bug
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type == "error" else None,
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def violations(self) -> list[str]:
        """What axe-core calls moderate, serious or critical, contrast included."""
        found = Axe().run(self.page).response["violations"]
        return [
            f"{one['id']}: {one['help']} at {[node['target'] for node in one['nodes']][:3]}"
            for one in found
            if one["impact"] in {"moderate", "serious", "critical"}
        ]

    def picture(self, name: str, *, whole: bool = True) -> Path:
        PICTURES.mkdir(parents=True, exist_ok=True)
        path = PICTURES / f"{name}.png"
        self.page.screenshot(path=path, full_page=whole)
        return path


def watched(
    browser: Browser, *, width: int = 1280, height: int = 900, dark: bool = False
) -> Watched:
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    return Watched(context)
