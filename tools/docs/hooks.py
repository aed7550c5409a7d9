"""What mkdocs does beside building: pages are run, and files of the project become pages.

Markdown is written so that its links hold in the repository. Here they are turned to where the
same thing is on the site.
"""

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tools.docs.learners import listed
from tools.docs.pages import run_all
from tools.docs.results import expanded

ROOT = Path(__file__).parents[2]

#: Files beside docs that are pages of the site.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/ACCURACY.md": "accuracy.md",
    "CHANGELOG.md": "changes.md",
    "LICENSE": "licence.md",
    "SECURITY.md": "security.md",
}

#: Files whose tables are parts of a page.
PARTS = {
    "benchmarks/RESULTS.md": "checked.md#all-figures",
    "benchmarks/LABELS.md": "checked.md#all-figures-of-labels",
}

_LINK = re.compile(r"(?<=\]\()(?P<to>[^)\s#:]+)(?P<part>#[^)\s]*)?(?=\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Run all pages, and add what they draw; add the pages that are kept elsewhere."""
    docs = ROOT / "docs"
    sources = [docs / each.src_uri for each in files.documentation_pages()]
    failures: list[str] = []
    for path, ran in run_all([*sources, *(ROOT / name for name in PAGES)]).items():
        failures += ran.failures
        folder = dirname(_on_site(path.relative_to(ROOT).as_posix()))
        for name, drawn in ran.pictures.items():
            files.append(File.generated(config, normpath(join(folder, name)), content=drawn))
    if failures:
        raise PluginError("\n\n".join(["Pages do not tell the truth.", *failures]))
    for kept, name in PAGES.items():
        files.append(File.generated(config, name, content=(ROOT / kept).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links as on the site; figures as they were last measured; learners as registered."""
    del config, files
    here = page.file.src_uri
    kept = next((each for each, name in PAGES.items() if name == here), f"docs/{here}")
    return linked(expanded(listed(markdown), ROOT), kept)


def linked(markdown: str, kept: str) -> str:
    """The text of a file of the project with its links as they are on the site."""

    def turned(link: re.Match[str]) -> str:
        to = _on_site(normpath(join(dirname(kept), link["to"])))
        return relpath(to, dirname(_on_site(kept)) or ".") + (link["part"] or "")

    return _LINK.sub(turned, markdown)


def _on_site(kept: str) -> str:
    return {**PAGES, **PARTS}.get(kept, kept.removeprefix("docs/"))
