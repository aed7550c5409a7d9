"""TableVerbs: what makes a table of another one. None of them changes the table it is asked of."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError
from satsuma.numerics.arrays import Array

if TYPE_CHECKING:
    from satsuma.data.table import Table


class TableVerbs:
    """The few verbs that a table has; for all others, polars or duckdb take it without a copy."""

    @property
    def _table(self) -> "Table":
        return cast("Table", self)

    def with_column(self, name: str, values: Any) -> "Table":
        """The same rows with one more column, or with another one in the place of that name.

        A column that is replaced hands on its role; a new one is learned from (``x``) until
        `with_roles` says otherwise. Kinds are found as `read` finds them.

        Parameters
        ----------
        name
            What to call it.
        values
            A cell for each row: a list, an array, a series; a single value for all rows; a function
            of the table that gives one of these; or a string with an expression: names of columns
            (in backticks if they are no words), numbers, ``+ - * / **``, comparisons, ``log``,
            ``exp``, ``sqrt``, ``abs``. Where a cell of it is missing, the result is. A string for
            all rows is in quotes of its own.

        Examples
        --------
        >>> from satsuma import Table
        >>> shop = Table.of([(30, 3), (None, 4)], ["price", "pieces"], target=None)
        >>> shop.with_column("each", "price / pieces")[0]
        Row(price=30, pieces=3, each=10)
        >>> shop.with_column("odd", lambda t: t["pieces"] % 2 == 1)[0]
        Row(price=30, pieces=3, odd='True')
        >>> shop.with_column("town", "'Oslo'")[1]
        Row(price=?, pieces=4, town='Oslo')
        """
        from satsuma.data.verbs.expressions import new_column

        found = new_column(self._table, name, values)
        return self._placed(name, found.variable, found.column, found.notes)

    def cut(
        self,
        column: str,
        breaks: Any,
        *,
        labels: Iterable[str] | None = None,
        name: str | None = None,
    ) -> "Table":
        """The same rows with a column of numbers as symbols: the intervals between breaks.

        A number on a break is in the interval below it. A missing number stays missing.
        Breaks that are found in the data come from `EqualWidth`, `EqualFrequency` and `MDL`.

        Parameters
        ----------
        column
            Which numbers to cut.
        breaks
            Increasing numbers.
        labels
            What to call the intervals, from the lowest up; one more than there are breaks.
        name
            What to call the new column; without it, the intervals take the place of the numbers.

        Examples
        --------
        >>> from satsuma import Table
        >>> people = Table.of([(18,), (40,), (None,), (80,)], ["age"], target=None)
        >>> people.cut("age", [18, 65])["age"]
        array(['<= 18', '(18, 65]', None, '> 65'], dtype=object)
        >>> people.cut("age", [65], labels=["young", "old"], name="group")[3]
        Row(age=80, group='old')
        """
        from satsuma.data.breaks import cut_column

        table = self._table
        at = table.domain.index(column)
        values, codes = cut_column(table.domain[at], table.columns[at], breaks, labels)
        return self._placed(name or column, Variable(name or column, "sym", values), codes)

    def rename(self, names: Mapping[str, str]) -> "Table":
        """The same rows with other names for some columns.

        Parameters
        ----------
        names
            The new name by the old one.

        Examples
        --------
        >>> from satsuma import Table
        >>> Table.of([(1, 2)], ["a", "b"]).rename({"a": "b", "b": "a"})[0]
        Row(b=1, a=2)
        """
        variables = list(self._table.domain)
        for old, new in names.items():
            at = self._table.domain.index(old)
            variables[at] = replace(variables[at], name=new)
        return self._with(Domain(variables), self._table.columns)

    def drop(self, names: str | Iterable[str], *more: str) -> "Table":
        """The same rows without some columns.

        Parameters
        ----------
        names, *more
            One name or several, in a list or one after the other.

        Examples
        --------
        >>> from satsuma import Table
        >>> Table.of([(1, 2, 3)], ["a", "b", "c"]).drop("a", "c")[0]
        Row(b=2)
        """
        domain = self._table.domain
        first = [names] if isinstance(names, str) else names
        gone = {domain.index(name) for name in (*first, *more)}
        if gone and len(gone) == len(domain):
            raise DomainError(
                "No column would be left, and so no row. Keep one, or use table[:0] for no rows."
            )
        return self._table.select(n for at, n in enumerate(domain.names) if at not in gone)

    def filter(self, rows: Any) -> "Table":
        """The rows for which something is true, in their order; what is missing is not true.

        NumPy says that a missing number is neither above nor below nor equal to another, but it
        does differ (``!=``) from all; `Table.missing` tells which are missing.

        Parameters
        ----------
        rows
            True or False for each row, a function of the table that gives them, or a comparison
            as a string; see `with_column`.

        Examples
        --------
        >>> from satsuma import Table
        >>> days = Table.of([("sun", 30), ("rain", None), ("sun", 18)], ["sky", "heat"])
        >>> days.filter(lambda t: (t["sky"] == "sun") & (t["heat"] > 20))[0]
        Row(sky='sun', heat=30)
        >>> len(days.filter("heat > 20")), len(days.filter([True, None, False]))
        (1, 1)
        """
        from satsuma.data.verbs.expressions import row_mask

        return self._table[row_mask(self._table, rows)]

    def sort(
        self, by: str | Iterable[str], *, descending: bool | Iterable[bool] = False
    ) -> "Table":
        """The rows in the order of some columns; rows that are equal there keep their order.

        Symbols and text are ordered by their spelling. Missing cells come last, either way.

        Parameters
        ----------
        by
            A column, or several: the second decides where the first is equal, and so on.
        descending
            Whether the greatest comes first; or that for each of the columns.

        Examples
        --------
        >>> from satsuma import Table
        >>> days = Table.of([("sun", 18), ("rain", None), ("sun", 30)], ["sky", "heat"])
        >>> days.sort("heat", descending=True)["heat"]
        array([30., 18., nan])
        """
        from satsuma.data.verbs.row_order import sorted_rows

        return self._table[sorted_rows(self._table, by, descending)]

    def head(self, rows: int = 5) -> "Table":
        """The first rows.

        Examples
        --------
        >>> from satsuma import load
        >>> load("tennis").head(2)
        tennis: 2 rows, 5 columns, no missing value
        <BLANKLINE>
        outlook  temperature  humidity  wind    play (target)
        sunny    hot          high      weak    no
        sunny    hot          high      strong  no
        """
        given: Any = rows
        if not isinstance(given, int | np.integer) or isinstance(given, bool) or rows < 0:
            raise ParameterError(f"head takes a number of rows, 0 or more. Got {rows!r}.")
        return self._table[:rows]

    def describe(self) -> "Table":
        """What each column holds, as a table with a row for each.

        For every column its kind, how many cells are known and missing, and how many known ones are
        distinct; for numbers their mean, standard deviation, least, quartiles and greatest; for
        times the first and the last; for all but numbers the most frequent value and how often it
        occurs. Weights are not regarded.

        Examples
        --------
        >>> from satsuma import load
        >>> about = load("iris").describe()
        >>> about.select(["column", "kind", "distinct", "mean", "most frequent", "times"])
        iris: 5 columns
        <BLANKLINE>
        column        kind  distinct   mean  most frequent  times
        Sepal.Length  num         35  5.843
        Sepal.Width   num         23  3.057
        Petal.Length  num         43  3.758
        Petal.Width   num         22  1.199
        Species       sym          3         setosa            50
        >>> about.sort("mean")["column"][0]
        'Petal.Width'
        """
        from satsuma.data.verbs.description import describe

        return describe(self._table)

    def join(
        self,
        other: "Table",
        on: str | Iterable[str],
        *,
        how: Literal["left", "inner"] = "left",
        many: bool = False,
    ) -> "Table":
        """The columns of another table beside these, for rows whose keys are equal.

        Rows keep their order. A key that is missing equals no other. What was not found is told in
        `notes`.

        Parameters
        ----------
        other
            Where the new columns come from.
        on
            The columns that both tables have and that must be equal: one name or several.
        how
            ``left`` keeps rows that are not found, with missing cells; ``inner`` leaves them out.
        many
            Whether a row may be found several times, and is then repeated. Otherwise that raises.

        Examples
        --------
        >>> from satsuma import Table
        >>> sold = Table.of([("pear", 3), ("kiwi", 1)], ["fruit", "pieces"], target=None)
        >>> price = Table.of([("kiwi", 0.5), ("fig", 0.9)], ["fruit", "price"], target=None)
        >>> both = sold.join(price, "fruit")
        >>> both["price"]
        array([nan, 0.5])
        >>> both.notes[1]
        'Joined with the other table: 1 of its 2 rows matched nothing. Its own join with this \
table keeps them.'
        """
        from satsuma.data.verbs.join import join

        if how not in ("left", "inner"):
            raise ParameterError(
                f"how= must be 'left' or 'inner'. Got {how!r}. Other joins are those of polars and "
                f"duckdb: satsuma.read(table.to_polars().join(…))."
            )
        given: Any = other
        if not hasattr(given, "domain"):
            raise ParameterError(
                f"A table is joined with a table, not with {type(given).__name__}: "
                f"join(satsuma.read(…), on=…)."
            )
        keys = [on] if isinstance(on, str) else list(on)
        if not keys:
            raise ParameterError("join needs a column that both tables have. Name it with on=.")
        return join(self._table, other, keys, inner=how == "inner", many=many)

    def _placed(
        self, name: str, variable: Variable, column: Array, notes: Iterable[str] = ()
    ) -> "Table":
        """A column in the place of the one of that name, with its role, or behind all others."""
        variables, columns = list(self._table.domain), list(self._table.columns)
        if name not in self._table.domain:
            return self._with(Domain([*variables, variable]), [*columns, column], notes)
        at = self._table.domain.index(name)
        role, goal = variables[at].role, variables[at].goal
        if variable.kind != "num" and role in ("goal", "weight"):
            raise DomainError(
                f"Column {name!r} has the role {role!r}, which only numbers can have. Give the new "
                f"column another name, or this one another role: with_roles({{{name!r}: 'x'}})."
            )
        variables[at], columns[at] = variable.with_role(role, goal), column
        return self._with(Domain(variables), columns, notes)

    @abstractmethod
    def _with(self, domain: Domain, columns: Iterable[Array], notes: Iterable[str] = ()) -> "Table":
        """Columns made from those of this table, under the same name and with its notes."""
