"""Guidelines: what people should know before they answer, from Markdown; nothing in it runs."""

import re
from collections.abc import Iterable
from functools import lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup

#: The headings of the page itself go down to this level.
_BELOW = 2

#: A line that describes a class, "yes: reports a trial": in bold or not, of a list or not.
_BOLD = r"(?:\*\*|__|`)?"
_DESCRIPTION = re.compile(rf"^\s*(?:[-*+]\s+)?{_BOLD}(.+?){_BOLD}\s*:{_BOLD}\s+(.+)$")


@lru_cache(maxsize=8)
def guidelines_html(text: str) -> Markup:
    r"""Guidelines as HTML: tags in them are text, images are left out, links open elsewhere.

    Examples
    --------
    >>> print(guidelines_html("# Trials\n\nWith <b>controls</b>."))
    <h3>Trials</h3>
    <p>With &lt;b&gt;controls&lt;/b&gt;.</p>
    <BLANKLINE>
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + _BELOW, 6)}"
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("target", "_blank")
                part.attrSet("rel", "noopener")
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704 - no HTML of others


def class_descriptions(text: str, names: Iterable[str]) -> dict[str, str]:
    r"""What guidelines say of classes, in lines that begin with the name of one and a colon.

    Examples
    --------
    >>> class_descriptions("Look twice.\n- **yes**: reports a trial\nno: all else", ["yes", "no"])
    {'yes': 'reports a trial', 'no': 'all else'}
    """
    known, found = {name.casefold(): name for name in names}, dict[str, str]()
    for line in text.splitlines():
        told = _DESCRIPTION.match(line)
        name = known.get(told.group(1).casefold()) if told else None
        if told and name is not None:
            found.setdefault(name, told.group(2).strip())
    return found
