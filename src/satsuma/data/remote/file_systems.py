"""File systems of pyarrow for the addresses of stores; fsspec leads to those that it lacks."""

import os
from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from satsuma.data.remote import STORES
from satsuma.data.remote.storage_options import query_of, store_options
from satsuma.data.urls import scheme_of
from satsuma.errors import ParameterError, ReadError, SatsumaError

#: Seconds until a server has answered, and until it has given what was asked for; how often it is
#: asked.
CONNECTING, ANSWERING, ATTEMPTS = 10, 30, 3

#: A file system, and the path in it.
Opened = tuple[Any, str]


def open_file_system(url: str, given: Mapping[str, Any]) -> Opened:
    """The file system that an address leads to, and the path in it."""
    makers: dict[str, Callable[[str, Mapping[str, Any]], Opened]]
    makers = {"s3": _s3, "gs": _gcs, "az": _azure}
    try:
        return makers.get(STORES.get(scheme_of(url), ""), _fsspec)(url, given)
    except (ImportError, NotImplementedError):  # pyarrow was built without it
        return _fsspec(url, given)


def path_of(url: str) -> str:
    """Bucket and key, without what comes before and behind."""
    query = query_of(url)
    rest = url.partition("://")[2].removesuffix(f"?{query}" if query else "")
    host, slash, path = rest.partition("/")
    return f"{host.rpartition('@')[2]}{slash}{path}".rstrip("/")


def _s3(url: str, given: Mapping[str, Any]) -> Opened:
    from pyarrow import fs

    path, options = path_of(url), store_options("s3", url, given)
    bucket = path.partition("/")[0]
    if not bucket:
        raise ReadError("this names no bucket", file=f"{scheme_of(url)}://", remedy="Name one.")
    if not options.keys() & {"region", "endpoint_override"} and not _says_region():
        options["region"] = fs.resolve_s3_region(bucket)
    retries = fs.AwsStandardS3RetryStrategy(max_attempts=ATTEMPTS)
    limits: dict[str, Any] = {"connect_timeout": CONNECTING, "request_timeout": ANSWERING}
    return fs.S3FileSystem(**options, **limits, retry_strategy=retries), path


def _says_region() -> bool:
    return any(os.environ.get(name) for name in ("AWS_REGION", "AWS_DEFAULT_REGION"))


def _gcs(url: str, given: Mapping[str, Any]) -> Opened:
    from datetime import timedelta

    from pyarrow.fs import GcsFileSystem

    options = store_options("gs", url, given)
    if endpoint := options.get("endpoint_override"):
        host = _server(endpoint)
        if host.scheme in ("http", "https") and host.netloc:
            options |= {"endpoint_override": host.netloc, "scheme": host.scheme}
    patience = timedelta(seconds=CONNECTING)
    return GcsFileSystem(**options, retry_time_limit=patience), path_of(url)


def _azure(url: str, given: Mapping[str, Any]) -> Opened:
    from pyarrow.fs import AzureFileSystem

    options = store_options("az", url, given)
    host = url.partition("://")[2].partition("/")[0]
    path = path_of(url)
    if "@" in host:  # abfs://container@account.dfs.core.windows.net/path
        container, _, server = host.partition("@")
        options.setdefault("account_name", server.partition(".")[0])
        path = f"{container}/{path.partition('/')[2]}".rstrip("/")
    if "account_name" not in options:
        raise ReadError(
            "this names no account of Azure",
            file=f"{scheme_of(url)}://{path}",
            remedy="Set AZURE_STORAGE_ACCOUNT_NAME, or pass storage_options={'account_name': …}.",
        )
    if endpoint := options.pop("endpoint", None):
        at = _server(endpoint)
        options |= {
            "blob_storage_authority": at.netloc, "blob_storage_scheme": at.scheme,
            "dfs_storage_authority": at.netloc, "dfs_storage_scheme": at.scheme,
        }  # fmt: skip
    return AzureFileSystem(**options), path


def _fsspec(url: str, given: Mapping[str, Any]) -> Opened:
    import pyarrow.fs as arrow

    try:
        from fsspec.core import url_to_fs  # pyright: ignore[reportUnknownVariableType]

        system, path = cast("Any", url_to_fs)(url, **given)
    except ImportError as error:
        raise SatsumaError(
            f"{scheme_of(url)}:// needs a package that is not installed: {error}"
        ) from None
    except TypeError:
        raise ParameterError(
            f"storage_options holds what {scheme_of(url)}:// does not take."
        ) from None
    handler: Any = cast("Any", arrow.FSSpecHandler)(system)
    return arrow.PyFileSystem(handler), str(path).rstrip("/")


def _server(endpoint: Any) -> SplitResult:
    """The parts of the address of a server."""
    return urlsplit(str(endpoint))
