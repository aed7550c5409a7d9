"""Asked cells: what trees and rules ask of a row, where some missing cells tell something."""

from satsuma.export.columns import Columns
from satsuma.export.expressions import Expression, Number, Whole, compared, is_missing, some
from satsuma.learners.tree.asked_columns import AskedColumns


class AskedCells:
    """The columns that can be asked for, as expressions.

    Parameters
    ----------
    asked
        The columns.
    columns
        Where their cells are.
    """

    def __init__(self, asked: AskedColumns, columns: Columns) -> None:
        self.asked, self.columns = asked, columns

    def cell(self, column: int) -> Expression:
        """The number, or the code of a symbol: -1 for a value that was not seen in learning."""
        variable = self.asked.attributes[self.asked.source[column]]
        if variable.kind == "num":
            return self.columns.number(variable.name)
        return self.columns.code_or_unseen(variable.name)

    def sides(self, column: int, threshold: float) -> tuple[Expression, Expression]:
        """Whether a number is up to a threshold, and whether it is above.

        A missing cell that tells something is a number beyond all others; else it is on no side.
        """
        x, at = self.cell(column), Number(threshold, exact=True)
        low, high = compared(x, "<=", at), compared(x, ">", at)
        missing = self.asked.missing_as(column)
        if not isinstance(missing, float):
            return low, high
        if missing <= threshold:
            return some([low, is_missing(x)]), high
        return low, some([high, is_missing(x)])

    def is_value(self, column: int, value: int) -> Expression:
        """Whether a symbol is of a value, the last of which may be that it is missing."""
        code = self.cell(column)
        plain = self.asked.attributes[self.asked.source[column]].values
        return compared(code, "=", Whole(value)) if value < len(plain) else is_missing(code)
