"""Decisions: all that is decided without being asked for, how it is told, and how to undo it."""

from satsuma.data.decision import Decision, kind_remedies
from satsuma.data.layout_decisions import LAYOUT_DECISIONS

_DECISIONS = (
    *LAYOUT_DECISIONS,
    Decision(
        "times",
        "{columns} written like {example}: read as times.",
        *kind_remedies("sym", "for strings"),
    ),
    Decision(
        "written numbers",
        "{columns} written like {example}: read as numbers{how}.",
        *kind_remedies("sym", "for strings"),
    ),
    Decision(
        "percent",
        "{columns} written like {example}: read as shares, so that {cell!r} is {share}.",
        *kind_remedies("sym", "for strings"),
    ),
    Decision(
        "flags",
        "{columns} nothing but 0 and 1: read as the symbols '0' and '1'.",
        *kind_remedies("num", "for numbers"),
    ),
    Decision(
        "new flag",
        "The new column {name!r} holds nothing but 0 and 1: it has the symbols '0' and '1'.",
        "with_kinds({{{name!r}: 'num'}}) makes numbers of them.",
    ),
    Decision(
        "no result",
        "{text!r} is no finite number in {rows}, the first row {row}: missing in the new "
        "column {name!r}.",
        "A function of the table can give other cells there.",
    ),
    Decision(
        "missing marks",
        "{marks} taken as missing in {columns}.",
        "Pass missing=[] to keep such cells.",
        "Pass --read missing= to keep such cells.",
    ),
    Decision(
        "codes",
        "'NA' was kept as a value in {columns}, for all others are codes of two letters.",
        "Pass missing=['NA'] if it stands for a missing cell.",
        "Pass --read missing=NA if it stands for a missing cell.",
    ),
    Decision(
        "likeness",
        "What the file leaves open is read as in the model, or the table, that it is to be "
        "like: {how}.",
        "Pass {python} if that is wrong.",
        "Pass {command} if that is wrong.",
    ),
    Decision(
        "doubtful numbers",
        "{columns} written like {example}, where the mark may part thousands or a fraction: "
        "kept as symbols.",
        "Pass {python}.",
        "Pass {command}.",
    ),
    Decision(
        "doubtful dates",
        "{columns} written like {example}, where it is open which is the day and which the "
        "month: kept as symbols.",
        "Pass {python}.",
        "Pass {command}.",
    ),
    Decision(
        "doubtful units",
        "{columns} written like {example}, where {unit!r} may be a unit or part of a name: "
        "kept as symbols.",
        *kind_remedies("num", "for numbers"),
    ),
    Decision(
        "doubtful times",
        "{columns} written like {example}, which may be times, or else ratios, versions, "
        "seasons and the like: kept as symbols.",
        *kind_remedies("time", "for times"),
    ),
    Decision(
        "telephone numbers",
        "Column {name!r} holds numbers with a plus and {digits} or more digits and was kept as "
        "symbols, so that no plus is lost.",
        *kind_remedies("num", "to read numbers"),
    ),
    Decision(
        "no numbers",
        "Column {name!r} is numeric by its name, but {place} holds {cell!r}; read as symbols.",
    ),
    Decision(
        "no goal",
        "Column {name!r} is a goal by its name but holds no numbers; read as no goal.",
    ),
    Decision(
        "values not listed",
        "Column {name!r} holds {values}, which its header does not list; added.",
    ),
    Decision(
        "too many strings",
        "Column {name!r} has distinct strings of more than {most:,} characters; read as text.",
    ),
    Decision(
        "numbers and words",
        "Column {name!r} holds numbers and words; the numbers became symbols too.",
    ),
    Decision(
        "dates of several sorts",
        "Column {name!r} holds dates or times of several sorts; they became symbols, spelled "
        "as in ISO 8601.",
    ),
    Decision(
        "far times",
        "Column {name!r} holds times before 1678 or after 2261, which are not counted in "
        "nanoseconds; they became symbols, spelled as in ISO 8601.",
    ),
    Decision(
        "far dates",
        "Column {name!r} holds dates such as {cell!r}, before 1678 or after 2261, which are "
        "not counted in nanoseconds; kept as strings.",
        "Pass missing=[{cell!r}] if it stands for a missing cell.",
        "Pass --read missing={cell} if it stands for a missing cell.",
    ),
    Decision(
        "no times",
        "Column {name!r} is to hold times, but {cell!r} is no time, or not written like the "
        "first ones; read as strings.",
    ),
    Decision(
        "lengths of time",
        "Column {name!r} holds lengths of time; they became numbers of seconds.",
    ),
    Decision(
        "periods",
        "Column {name!r} holds periods of pandas; they became symbols.",
        ".dt.to_timestamp() makes times of them.",
    ),
    Decision(
        "large numbers",
        "Column {name!r} holds numbers beyond 2**53, which would lose digits; they became symbols.",
        *kind_remedies("num", "to have numbers all the same"),
    ),
    Decision(
        "keys",
        "{columns} the rows and {say} nothing about new ones: not learned from, with the role "
        "'meta'.",
        "To learn from {one}, use table.with_roles({{{name!r}: 'x'}}).",
        "To learn from {one}, use --use {word}.",
    ),
    Decision(
        "unmatched rows",
        "Joined with {other}: {alone} of {rows} rows found no match and have missing values in "
        "its columns, first row {row} ({key}).",
        "Pass how='inner' to leave them out.",
    ),
    Decision(
        "unmatched rows left out",
        "Joined with {other}: {alone} of {rows} rows found no match and were left out, first "
        "row {row} ({key}).",
        "Pass how='left' to keep them.",
    ),
    Decision(
        "unused rows",
        "Joined with {other}: {unused} of its {rows} rows matched nothing.",
        "Its own join with this table keeps them.",
    ),
    Decision(
        "rounds",
        "Each round of a learner runs the query anew. If the rows, or their order, are not "
        "those of the first round, that is refused.",
        "satsuma.read takes them all at once.",
        "Write them to a file to have them read once.",
    ),
    Decision(
        "transaction",
        "All rounds read the rows as they were when the source was opened, in a transaction "
        "that is open until the source is closed or deleted.",
    ),
    Decision(
        "sample",
        "Of {rows} rows, {some} drawn at random are looked at: all figures are of these.",
        "satsuma.read takes all of them.",
        "Give a part of the file to have all of its rows looked at.",
    ),
    Decision(
        "no text",
        "Set aside, as these learners take no text: {names}.",
        "Name learners that do, such as Text().",
        "Name learners that do: --learners text.",
    ),
    Decision(
        "time features",
        "{columns} learned from by features: {features}.",
        "To leave that out, use table.with_roles({{{name!r}: 'meta'}}).",
        "To leave that out, use --ignore {word}.",
    ),
    Decision("refused learner", "{learner} was left out. {why}"),
    Decision(
        "slow learners",
        "Left out, so that all learners together take no more than {limit} seconds: {names}, as "
        "estimated from a few rows.",
        "To include them, give more time: limit=.",
        "To include them, give more time: --limit SECONDS.",
    ),
    Decision(
        "sampled learners",
        "So that all learners together take no more than {limit} seconds, some learned from a "
        "sample of the rows: {names}.",
        "To have them learn from all rows, give more time: limit=.",
        "To have them learn from all rows, give more time: --limit SECONDS.",
    ),
    Decision(
        "one pass",
        "Only learners of one pass are compared on a source.",
        "For others, take source.sample(n).",
        "For others, take a part of the file.",
    ),
    Decision(
        "few folds",
        "There are only {count} rows with a known target, so there are {count} folds.",
    ),
    Decision(
        "no target",
        "{count} of {rows} rows were left out, as their {name!r} is missing.",
    ),
    Decision(
        "few numbers",
        "The target {name!r} has no numbers but {numbers}.",
        "If these are classes, say so: kinds={{{name!r}: 'sym'}}.",
        "If these are classes, say so: --kind {word}=sym.",
    ),
    Decision(
        "like a key",
        "Column {name!r} is like a key: it names the rows and says nothing about new ones.",
        "Leave it out: table.with_roles({{{name!r}: 'meta'}}).",
        "Leave it out: --ignore {word}.",
    ),
    Decision("like amounts", "Column {name!r} holds {what} as symbols, each by itself. {remedy}"),
)

#: Every decision, by its code.
DECISIONS = {each.code: each for each in _DECISIONS}
