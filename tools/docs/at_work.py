"""The picture of the README: a session, and what it draws.

To draw it anew: ``python -m tools.docs.at_work``.
"""

from io import StringIO
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

PICTURE = Path(__file__).parents[2] / "docs" / "assets" / "at_work.png"

#: The height of a line, in inches.
LINE = 0.18

SESSION = """\
import satsuma
table = satsuma.load("titanic")
model = satsuma.NaiveBayes(table)
print(model)
she = {"status": "first", "age": "adult", "sex": "female"}
model(she, satsuma.GetBoth)
learners = [satsuma.NaiveBayes(), satsuma.Majority()]
scores = satsuma.cross_validate(learners, table).scores("CA")
print({name: round(score, 2) for name, score in scores.items()})
satsuma.plot.nomogram(model, "yes")
"""


def session() -> list[tuple[str, str]]:
    """The lines of the session, each with what came of it."""
    names: dict[str, Any] = {}
    return [(line, _answer(line, names)) for line in SESSION.splitlines()]


def _answer(line: str, names: dict[str, Any]) -> str:
    if line.startswith("print("):
        said = StringIO()
        exec(line, {**names, "print": lambda what: said.write(str(what))})  # noqa: S102 (ours)
        return said.getvalue()
    if "=" in line.split("(", maxsplit=1)[0] or line.startswith("import"):
        exec(line, names)  # noqa: S102 (ours)
        return ""
    found = eval(line, names)  # noqa: S307 (ours)
    return "" if hasattr(found, "figure") else repr(found)


def drawn() -> Figure:
    """The session on the left, its nomogram on the right."""
    import satsuma

    told = list[tuple[str, str]]()
    for line, answer in session():
        told.append((f">>> {line}", "#7a3500"))
        told += [(each, "#333333") for each in answer.splitlines()]
    high = (len(told) + 2) * LINE
    figure = Figure(figsize=(12, high), dpi=100)
    figure.patch.set_facecolor("white")
    for at, (text, colour) in enumerate(told, 1):
        place = 1 - (at + 0.5) * LINE / high
        figure.text(0.012, place, text, family="DejaVu Sans Mono", size=8.5, color=colour)
    ax = figure.add_axes((0.575, 0.12, 0.4, 0.68))
    satsuma.plot.nomogram(satsuma.NaiveBayes(satsuma.load("titanic")), "yes", ax=ax)
    return figure


if __name__ == "__main__":
    drawn().savefig(PICTURE)
