"""Result frames: results that can be had as a pandas or a polars data frame."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class ResultFrame:
    """Something with a `to_pandas`, which has a `to_polars` by that."""

    def to_pandas(self) -> "pd.DataFrame":
        """A pandas data frame."""
        raise NotImplementedError

    def to_polars(self) -> "pl.DataFrame":
        """A polars data frame; where a column holds numbers and strings, both are strings."""
        import polars as pl

        frame: Any = self.to_pandas()
        named = any(name is not None for name in frame.index.names)
        held: dict[str, list[Any]] = (frame.reset_index() if named else frame).to_dict("list")
        return pl.DataFrame({str(name): _alike(cells) for name, cells in held.items()})


def _alike(cells: list[Any]) -> list[Any]:
    """Cells of one type, or all of them spelled."""
    types: set[type] = {type(each) for each in cells if each is not None}
    if len(types) < 2 or types <= {int, float}:
        return cells
    return [None if each is None else str(each) for each in cells]
