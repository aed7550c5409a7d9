"""Decisions about how a file is laid out: its encoding, its lines, its header and its sheets."""

from satsuma.data.decision import Decision, option_remedies

LAYOUT_DECISIONS = (
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
        *option_remedies("skip", "0", "if that is wrong"),
    ),
    Decision("comments", "Blank lines, and what stands behind {mark!r}, were left out."),
    Decision(
        "title",
        "The title in line {line}, {title}, was left out.",
        *option_remedies("skip", "0", "if that is wrong"),
    ),
    Decision(
        "last delimiter",
        "The {delimiter!r} behind every row was left out: no column follows it.",
        *option_remedies("skip", "0", "if an empty one does"),
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
        *option_remedies("footer", "0", "if it is a row"),
    ),
    Decision("repeated name", "Column {at} was called {old!r} as well; it is now {new!r}."),
    Decision(
        "name too many",
        "Line {line} has an empty name too many, its cell {at}, which was left out: no row has "
        "so many cells.",
        *option_remedies("header", "1", "if it is one"),
    ),
    Decision("no name", "Column {at} had no name; it is now {new!r}."),
    Decision("blanks in names", "Blanks around {names} were left out of the names."),
    Decision("joined names", "The names are joined from {count} lines, as in {example!r}."),
    Decision(
        "units",
        "Line {line}, with the units {units}, was left out.",
        *option_remedies("header", "1", "if that is a row"),
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
        "no tab header",
        "The two lines below the names hold no kinds and no roles, and were taken as rows.",
        "Write kinds, such as continuous, if they are none.",
        "Write kinds, such as continuous, if they are none.",
    ),
    Decision(
        "tab header",
        "The two lines below the names hold kinds and roles, as Orange writes them.",
        *option_remedies("header", "1", "if that is wrong"),
    ),
    Decision(
        "tab prefixes",
        "Names begin with roles and kinds, as Orange writes them.",
        *option_remedies("header", "1", "if that is wrong"),
    ),
    Decision("blank lines above", "{lines} left out before the header."),
    Decision("blank lines", "{lines} left out, the first at {place}."),
    Decision("mended rows", "Mended: {what} in {lines}."),
    Decision("rows aside", "{rows} kept aside, the first at {place}."),
)
