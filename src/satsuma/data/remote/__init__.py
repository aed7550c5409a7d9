"""Remote files: in object stores (S3, Google Cloud, Azure), on the web, and where fsspec leads."""

from importlib.util import find_spec

from satsuma.data.urls import scheme_of

#: The schemes of the web, and of stores that pyarrow knows.
WEB = ("https", "http")
STORES = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs", "az": "az", "abfs": "az", "abfss": "az"}


def is_remote(source: object) -> bool:
    """Whether something is the address of a file elsewhere.

    Examples
    --------
    >>> is_remote("s3://bucket/sales.csv"), is_remote("sales.csv"), is_remote("mysql://db.org/shop")
    (True, False, False)
    """
    scheme = scheme_of(source)
    return scheme in WEB or scheme in STORES or _is_known_elsewhere(scheme)


def _is_known_elsewhere(scheme: str) -> bool:
    if scheme in ("", "file", "local") or find_spec("fsspec") is None:
        return False
    from fsspec import available_protocols  # pyright: ignore[reportUnknownVariableType]

    return scheme in available_protocols()
