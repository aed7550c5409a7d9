"""The site as it was built: every page true, every link there, every word a word."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from spellchecker import SpellChecker

import satsuma
from satsuma import plot
from tests.site.conftest import ROOT
from tests.site.html import pages

#: A link that leaves the site. There is hardly a need for one, and what is there must be wanted.
OUTSIDE = ("https://squidfunk.github.io/mkdocs-material/",)


@pytest.fixture(scope="session")
def built(site):
    return pages(site)


def test_links_lead_somewhere(site, built):
    lost = []
    for path, page in built.items():
        for link in page.links:
            to = urlsplit(link)
            if to.scheme or to.netloc:
                lost += [] if link.startswith(OUTSIDE) else [f"{path.name}: {link} is outside"]
                continue
            file = (path.parent / unquote(to.path)).resolve() if to.path else path
            if path.name == "404.html":  # its links start at the root
                file = site / unquote(to.path).lstrip("/")
            if not file.exists():
                lost.append(f"{path.relative_to(site)}: {link} is not there")
            elif to.fragment and file in built and unquote(to.fragment) not in built[file].ids:
                lost.append(f"{path.relative_to(site)}: {link} has no such part")
    assert not lost, "\n".join(lost)


def test_pictures_are_told_in_words(built):
    mute = [
        f"{path.name}: {picture.get('src')}"
        for path, page in built.items()
        for picture in page.pictures
        if "alt" not in picture or (len(picture["alt"]) < 30 and picture["alt"] != "logo")
    ]
    assert not mute, "\n".join(mute)
    assert sum(len(page.pictures) for page in built.values()) > 40


def test_words_are_words(site, built):
    known = set((ROOT / "tests" / "site" / "words.txt").read_text("utf-8").split())
    names = {part.lower() for name in dir(satsuma) for part in re.split(r"\W|_", name)}
    speller, wrong = SpellChecker(), {}
    for path, page in built.items():
        asked = {word for word in page.words() if len(word) > 2 and word not in known}
        plain = {word.lower().replace("\u2019", "'").removesuffix("'s") for word in asked}
        for word in speller.unknown(plain - names - {each.lower() for each in known}):
            wrong.setdefault(word, path.relative_to(site))
    told = "\n".join(f"{word}  ({path})" for word, path in sorted(wrong.items()))
    assert not wrong, f"Not in tests/site/words.txt, and not known:\n{told}"


def test_a_wrong_word_is_seen():
    assert SpellChecker().unknown({"recieve", "table"}) == {"recieve"}


def test_the_reference_has_every_name(built):
    ids = set().union(
        *(page.ids for path, page in built.items() if path.parent.name == "reference")
    )
    others = {"__version__", "extend", "measures", "plot"}  # told on the first page
    wanted = {*(set(satsuma.__all__) - others), *(f"plot.{name}" for name in plot.__all__)}
    assert not {name for name in wanted if f"satsuma.{name}" not in ids}


def test_nothing_comes_from_elsewhere(site):
    asked = re.compile(r"""(?:src|href)=["'](?:https?:)?//[^"']+\.(?:js|css|woff2?)|@import""")
    for path in [*site.rglob("*.html"), *site.rglob("*.css")]:
        found = asked.search(path.read_text("utf-8"))
        assert not found, f"{path}: {found and found[0]}"
