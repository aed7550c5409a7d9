"""One word for one thing: what pages and messages say, and the word that is wanted in its place."""

import ast
import re

import pytest

from tests.site.conftest import ROOT

#: What must not stand there, and what to say.
WANTED = {
    r"\bholes?\b": "missing value",
    r"\bchances\b|\b(?:a|the|its|whose) chance\b|\bchance (?:of|that)\b": "probability",
    r"\boddness\b|\bodd(?:er|est)? rows?\b": "outlier, anomaly score",
    r"\bleaks? by holes?\b": "leakage",
    r"\btold\b(?! apart| from)": "predicted, listed, given, described",
    r"\btells of\b": "predicts, reports, shows",
    r"\btelling\b": "notes, describing, informative",
    r"\bwhat is learned from\b": "feature, attribute",
    r"\bcrews\b": "thread pool",
}

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "src" / "satsuma").rglob("*.py"))
SETTINGS = [ROOT / "pyproject.toml", ROOT / "mkdocs.yml"]


def faults(text):
    """What a text says that is said in another way, each with the number of its line."""
    return [
        f"line {text.count(chr(10), 0, found.start()) + 1}: {found[0]!r}, say: {wanted}"
        for pattern, wanted in WANTED.items()
        for found in re.finditer(pattern, text, re.IGNORECASE)
    ]


def prose(text):
    """A page without its code; lines stay where they are."""
    fence = r"^[ \t]*```.*?^[ \t]*```"
    bare = re.sub(fence, lambda it: "\n" * it[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", bare)


def without_first_sentence(text):
    """A tutorial may begin with a plain word."""
    head, title, rest = text.partition("\n\n")
    first = re.search(r"[.:?](?=\s)", rest)
    end = first.end() if first else 0
    return head + title + "\n" * rest[:end].count("\n") + rest[end:]


def messages(source):
    """All texts of a file of the command; of another file those that are no docstrings."""
    tree = ast.parse(source.read_text("utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        if text and ("cli" in source.parts or id(node) not in bare):
            yield node.lineno, node.value


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_say_it_in_the_words_of_the_trade(page):
    text = prose(page.read_text("utf-8"))
    text = without_first_sentence(text) if page.parent.name == "tutorials" else text
    found = faults(text)
    assert not found, f"{page.relative_to(ROOT)}: " + "\n".join(found)


def test_messages_say_it_in_the_words_of_the_trade():
    found = [
        f"{source.relative_to(ROOT)}:{line}: {fault}"
        for source in SOURCES
        for line, text in messages(source)
        for fault in faults(text)
    ]
    assert not found, "\n".join(found)


def test_the_package_is_described_in_the_words_of_the_trade():
    described = [path.read_text("utf-8") for path in SETTINGS]
    found = [
        re.findall(r"^(?:site_)?description *[:=].*$", text, re.MULTILINE) for text in described
    ]
    assert [len(lines) for lines in found] == [1, 1]
    assert not [fault for (line,) in found for fault in faults(line)]
    assert not faults((ROOT / "src" / "satsuma" / "__init__.py").read_text("utf-8").split("\n")[0])


@pytest.mark.parametrize(
    "text",
    [
        "A table with holes", "the chance of rain", "What is told", "it tells of", "an odd row",
        "the most telling column", "Its oddness",
    ],
)  # fmt: skip
def test_a_word_that_is_not_wanted_is_seen(text):
    assert len(faults(text)) == 1


def test_what_is_right_is_left_alone():
    assert not faults("It is not to be told apart from others by chance, or no better than chance.")
    assert not faults(prose("see `holes` and\n```\nholes\n```\n"))
    assert not faults(without_first_sentence("# Title\n\nThere are holes in it. None is left."))
    assert faults(without_first_sentence("# Title\n\nA table. There are holes in it."))
