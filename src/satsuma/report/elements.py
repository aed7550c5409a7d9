"""Elements: what a section of the page is made of. Text and figures only; no markup."""

import base64
import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

import matplotlib as mpl

from satsuma.plot.descriptions import describe
from satsuma.report.charts import Bars, Scatter, Shares, Strip
from satsuma.report.wide_charts import Heatmap, Missingness, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The same drawing is the same file: no random names, no date, no program.
_SAME = {"svg.hashsalt": "satsuma", "svg.fonttype": "path"}
_NOTHING = {"Date": None, "Creator": None, "Format": None, "Type": None}

#: Pixels of a page to an inch.
_PIXELS = 96

Chart = Bars | Shares | Strip | Scatter | Heatmap | Missingness | Series


@dataclass(frozen=True)
class Cell:
    """A cell of a grid.

    Parameters
    ----------
    text
        What it says.
    chart
        A small chart beside it.
    heat
        How full its background is, from 0 to 1.
    bar
        A bar behind the text, from 0 to 1 of the width.
    strong
        Whether it stands out.
    link
        The element of the page that it leads to.
    """

    text: str
    chart: Chart | None = None
    heat: float | None = None
    bar: float | None = None
    strong: bool = False
    link: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    kind: ClassVar[str] = "paragraph"
    text: str


class FindingItem(NamedTuple):
    """A finding on the page: how urgent it is, what it is called, what is so, and what to do."""

    urgency: str
    title: str
    sentence: str
    remedy: str
    more: Sequence[str] = ()


@dataclass(frozen=True)
class FindingList:
    """A list of findings, the most urgent first; those alike are folded away below the first."""

    kind: ClassVar[str] = "findings"
    items: Sequence[FindingItem]


@dataclass(frozen=True)
class StepList:
    """What to do next, in order: a sentence each, and the section that says more."""

    kind: ClassVar[str] = "steps"
    items: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class NoteList:
    """Sentences under a title, one below the other."""

    kind: ClassVar[str] = "notes"
    title: str
    items: Sequence[str]


@dataclass(frozen=True)
class Grid:
    """A table with a caption, a head, and a title for each row.

    Parameters
    ----------
    caption
        What the table shows.
    head
        Titles of the columns.
    rows
        Cells; the first of a row is its title.
    words
        Which columns hold words, which stand to the left; the others are figures.
    wide
        Which columns hold long sentences.
    stacks
        Whether a row becomes a card on a narrow screen.
    sorts
        Whether its rows can be sorted and, where they are many, filtered.
    plain
        Whether the caption is for those alone who do not see the table.
    """

    kind: ClassVar[str] = "grid"
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    words: Sequence[int] = (0,)
    wide: Sequence[int] = ()
    stacks: bool = False
    sorts: bool = False
    plain: bool = False


@dataclass(frozen=True)
class Card:
    """All about one thing, folded away under its name.

    Parameters
    ----------
    key
        Its name in the address of the page.
    title, tag
        What it is called, and a few words on what it is.
    figures
        Figures by name.
    charts
        Charts, each with a caption.
    grid
        A small table.
    notes
        Sentences.
    """

    key: str
    title: str
    tag: str
    figures: Sequence[tuple[str, str]] = ()
    charts: Sequence[tuple[Chart, str]] = ()
    grid: Grid | None = None
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class CardList:
    """Cards one below the other; with a script, one can be picked by its name."""

    kind: ClassVar[str] = "cards"
    title: str
    cards: Sequence[Card]


@dataclass(frozen=True)
class Figures:
    """Charts side by side, or wide ones below each other, each with a caption."""

    kind: ClassVar[str] = "figures"
    charts: Sequence[tuple[Chart, str]]
    wide: bool = False


@dataclass(frozen=True)
class Picture:
    """A plot of `satsuma.plot` as a data URL, with alternative text and its width in pixels."""

    kind: ClassVar[str] = "picture"
    address: str
    alt: str
    caption: str
    width: int


@dataclass(frozen=True)
class Gallery:
    """Small pictures side by side."""

    kind: ClassVar[str] = "gallery"
    pictures: Sequence[Picture]


@dataclass(frozen=True)
class Verbatim:
    """Lines in which blanks count, folded away under a title unless open."""

    kind: ClassVar[str] = "verbatim"
    title: str
    text: str
    open: bool = False


Element = (
    Paragraph
    | FindingList
    | StepList
    | NoteList
    | Grid
    | CardList
    | Figures
    | Picture
    | Gallery
    | Verbatim
)


@dataclass
class Section:
    """A part of the page with a title.

    Parameters
    ----------
    key
        Its name in the address of the page.
    title
        What it is called.
    gist
        Its main point in a sentence, for the summary on top; empty where there is none.
    elements
        What it is made of, in order.
    """

    key: str
    title: str
    gist: str = ""
    elements: list[Element] = field(default_factory=list[Element])

    def say(self, *sentences: str) -> None:
        """Add a paragraph, unless there is nothing to say."""
        if text := " ".join(each for each in sentences if each):
            self.elements.append(Paragraph(text))


def cells(*texts: str) -> list[Cell]:
    """Plain cells."""
    return [Cell(text) for text in texts]


def plot_image(ax: "Axes", caption: str) -> Picture:
    """An Axes as a picture of the page. It is shown as an image: nothing in it can run."""
    figure = cast("Any", ax.figure)
    held = io.BytesIO()
    with mpl.rc_context(cast("Any", _SAME)), warnings.catch_warnings():
        # A name in letters that the font lacks is drawn as boxes; the words beside it have it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(held, format="svg", metadata=_NOTHING)
    data = base64.b64encode(held.getvalue()).decode("ascii")
    width = round(float(figure.get_size_inches()[0]) * _PIXELS)
    return Picture(f"data:image/svg+xml;base64,{data}", describe(ax), caption, width)
