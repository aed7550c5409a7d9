"""Decisions: all that is decided without being asked for, how it is told, and how to undo it."""

from dataclasses import dataclass


def _kind_remedies(kind: str, otherwise: str) -> tuple[str, str]:
    """How to have a column as another kind, in Python and in the command."""
    return (
        f"Pass kinds={{{{{{name!r}}: '{kind}'}}}} {otherwise}.",
        f"Pass --kind {{word}}={kind} {otherwise}.",
    )


def _option(name: str, value: str, otherwise: str) -> tuple[str, str]:
    """How to read with an option, in Python and in the command."""
    return f"Pass {name}={value} {otherwise}.", f"Pass --read {name}={value.lower()} {otherwise}."


@dataclass(frozen=True)
class Decision:
    """Something that is decided without being asked for.

    Parameters
    ----------
    code
        What it is called.
    sentence
        What is told, with the facts in braces.
    python, command
        How to have it otherwise, in Python and with options of the command; empty where nothing
        was lost.
    """

    code: str
    sentence: str
    python: str = ""
    command: str = ""


#: Every decision, by its code.
DECISIONS = {
    each.code: each
    for each in (
        Decision(
            "times",
            "{columns} written like {example}: read as times.",
            *_kind_remedies("sym", "for strings"),
        ),
        Decision(
            "written numbers",
            "{columns} written like {example}: read as numbers{how}.",
            *_kind_remedies("sym", "for strings"),
        ),
        Decision(
            "percent",
            "{columns} written like {example}: read as shares, so that {cell!r} is {share}.",
            *_kind_remedies("sym", "for strings"),
        ),
        Decision(
            "flags",
            "{columns} nothing but 0 and 1: read as the symbols '0' and '1'.",
            *_kind_remedies("num", "for numbers"),
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
            *_kind_remedies("num", "for numbers"),
        ),
        Decision(
            "doubtful times",
            "{columns} written like {example}, which may be times, or else ratios, versions, "
            "seasons and the like: kept as symbols.",
            *_kind_remedies("time", "for times"),
        ),
        Decision(
            "telephone numbers",
            "Column {name!r} holds numbers with a plus and {digits} or more digits and was kept as "
            "symbols, so that no plus is lost.",
            *_kind_remedies("num", "to read numbers"),
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
            "Column {name!r} holds numbers beyond 2**53, which would lose digits; they became "
            "symbols.",
            *_kind_remedies("num", "to have numbers all the same"),
        ),
        Decision(
            "partitions",
            "{columns} taken from the names of the folders.",
            "Name the files by a pattern, such as 'folder/**/*.csv', to leave that out.",
            "Name the files by a pattern, such as 'folder/**/*.csv', to leave that out.",
        ),
        Decision(
            "partitions in files",
            "{columns} in the files too; the names of the folders count.",
        ),
        Decision(
            "encoding",
            "Read as {encoding}, by its bytes.",
            "Pass encoding= if that is wrong.",
            "Pass --read encoding=NAME if that is wrong.",
        ),
        Decision("byte order", "Read as {encoding}, by its byte order mark."),
        Decision("byte order mark", "{marks} left out at the start."),
        Decision(
            "separator line",
            "Line 1, 'sep={named}', was left out: the delimiter is {delimiter!r}.",
        ),
        Decision(
            "comment lines",
            "{lines} left out at the start, as comments.",
            *_option("skip", "0", "if that is wrong"),
        ),
        Decision("comments", "Blank lines, and what stands behind {mark!r}, were left out."),
        Decision(
            "title",
            "The title in line {line}, {title}, was left out.",
            *_option("skip", "0", "if that is wrong"),
        ),
        Decision(
            "last delimiter",
            "The {delimiter!r} behind every row was left out: no column follows it.",
            *_option("skip", "0", "if an empty one does"),
        ),
        Decision(
            "single quotes",
            "Cells are enclosed in single quotes{inside}.",
            "Pass quote='\"' if these are apostrophes.",
            "Pass --read quote='\"' if these are apostrophes.",
        ),
        Decision(
            "total",
            "The last row is a total, and was left out.",
            *_option("footer", "0", "if it is a row"),
        ),
        Decision("repeated name", "Column {at} was called {old!r} as well; it is now {new!r}."),
        Decision(
            "name too many",
            "Line {line} has an empty name too many, its cell {at}, which was left out: no row has "
            "so many cells.",
            *_option("header", "1", "if it is one"),
        ),
        Decision("no name", "Column {at} had no name; it is now {new!r}."),
        Decision("blanks in names", "Blanks around {names} were left out of the names."),
        Decision("joined names", "The names are joined from {count} lines, as in {example!r}."),
        Decision(
            "units",
            "Line {line}, with the units {units}, was left out.",
            *_option("header", "1", "if that is a row"),
        ),
        Decision(
            "stripped cells",
            "Blanks around cells were left out, as missing ones have some.",
            "Pass strip=False.",
            "Pass --read strip=false.",
        ),
        Decision(
            "several classes",
            "{count} columns are classes; {chosen!r} is the target, and the others are meta.",
            "Say which one it is with target=.",
            "Say which one it is with --target.",
        ),
        Decision(
            "no marks",
            "{names} taken as any other.",
            "Pass marks=True if the ends of names say roles and their first letters kinds.",
            "Pass --marks if the ends of names say roles and their first letters kinds.",
        ),
        Decision("marks", "By the marks in their names: {roles}."),
        Decision(
            "roles in names",
            "Every name begins with a role and a kind, as in {example!r}; taken as such.",
        ),
        Decision(
            "other sheets",
            "The workbook has other sheets, which were not read: {sheets}.",
            "Name one with sheet=.",
            "Name one with --read sheet=NAME.",
        ),
        Decision(
            "index",
            "The index of the data frame {called} was left out; reset_index() keeps it.",
        ),
        Decision(
            "damaged metadata",
            "The metadata that describe the domain are damaged and were left aside.",
        ),
        Decision("only table", "The table {table!r} is read: it is the only one."),
        Decision(
            "keys",
            "{columns} the rows and {say} nothing about new ones: not learned from, with the role "
            "'meta'.",
            "To learn from {one}, use table.with_roles({{{name!r}: 'x'}}).",
            "To learn from {one}, use --use {word}.",
        ),
        Decision(
            "no tab header",
            "The two lines below the names hold no kinds and no roles, and were taken as rows.",
            "Write kinds, such as continuous, if they are none.",
            "Write kinds, such as continuous, if they are none.",
        ),
        Decision(
            "tab header",
            "The two lines below the names hold kinds and roles, as Orange writes them.",
            *_option("header", "1", "if that is wrong"),
        ),
        Decision(
            "tab prefixes",
            "Names begin with roles and kinds, as Orange writes them.",
            *_option("header", "1", "if that is wrong"),
        ),
        Decision("blank lines above", "{lines} left out before the header."),
        Decision("blank lines", "{lines} left out, the first at {place}."),
        Decision("mended rows", "Mended: {what} in {lines}."),
        Decision("rows aside", "{rows} kept aside, the first at {place}."),
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
            "Left out, as {folds} folds of each would take more than {limit} seconds: {names}.",
            "To have them all the same, give them more: limit=.",
            "To have them all the same, give them more: --limit.",
        ),
        Decision(
            "sampled learners",
            "To stay within {limit} seconds, some learners learned from a sample of the rows of "
            "each fold: {names}.",
            "To have them learn from more, give them more: limit=.",
            "To have them learn from more, give them more: --limit.",
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
        Decision(
            "like amounts", "Column {name!r} holds {what} as symbols, each by itself. {remedy}"
        ),
    )
}
