"""What is on a page of the site: links, names to link to, pictures, and words."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

#: What is not read as text, but as a program or a picture.
_SILENT = ("script", "style", "code", "pre", "svg", "nav")
_EMPTY = ("img", "br", "hr", "meta", "link", "input", "source")


@dataclass
class Found(HTMLParser):
    path: Path
    links: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    pictures: list[dict[str, str]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()
        self.silent: list[str] = []
        self.feed(self.path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given["id"]} if "id" in given else set()
        self.links += [given[each] for each in ("href", "src") if given.get(each)]
        if tag == "img":
            self.pictures.append(given)
        if tag in _SILENT or (self.silent and tag not in _EMPTY):
            self.silent.append(tag)

    def handle_endtag(self, tag):
        if self.silent and tag == self.silent[-1]:
            self.silent.pop()

    def handle_data(self, data):
        if not self.silent:
            self.text.append(data)

    def words(self) -> set[str]:
        return set(re.findall(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?", " ".join(self.text)))


def pages(site: Path) -> dict[Path, Found]:
    return {path: Found(path) for path in sorted(site.rglob("*.html"))}
