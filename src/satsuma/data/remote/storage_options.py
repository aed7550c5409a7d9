"""Storage options: who asks a store, and where it is, by the names that others have for them."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from satsuma.errors import ParameterError, hint

#: By store, what pyarrow calls an option, and by which names it is known: those of pyarrow, of
#: fsspec and pandas, and of polars.
NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "s3": {
        "access_key": ("access_key", "key", "aws_access_key_id", "access_key_id"),
        "secret_key": ("secret_key", "secret", "aws_secret_access_key", "secret_access_key"),
        "session_token": ("session_token", "token", "aws_session_token"),
        "anonymous": ("anonymous", "anon", "skip_signature", "aws_skip_signature"),
        "region": ("region", "region_name", "aws_region"),
        "endpoint_override": (
            "endpoint", "endpoint_url", "endpoint_override", "aws_endpoint_url", "aws_endpoint",
        ),
        "scheme": ("scheme",),
        "role_arn": ("role_arn",),
        "proxy_options": ("proxy_options",),
    },
    "gs": {
        "anonymous": ("anonymous", "anon", "skip_signature"),
        "project_id": ("project_id", "project"),
        "endpoint_override": ("endpoint", "endpoint_url", "endpoint_override"),
        "scheme": ("scheme",),
    },
    "az": {
        "account_name": ("account_name", "azure_storage_account_name"),
        "account_key": ("account_key", "azure_storage_account_key"),
        "sas_token": ("sas_token", "azure_storage_sas_token"),
        "tenant_id": ("tenant_id",),
        "client_id": ("client_id",),
        "client_secret": ("client_secret",),
        "endpoint": ("endpoint", "endpoint_url"),
    },
}  # fmt: skip

#: By store, variables of the environment that the packages below do not look at themselves.
_VARIABLES = {
    "s3": {"endpoint_override": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")},
    "gs": {"endpoint_override": ("STORAGE_EMULATOR_HOST",)},
    "az": {
        "account_name": ("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT"),
        "account_key": ("AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY"),
        "sas_token": ("AZURE_STORAGE_SAS_TOKEN",),
    },
}

#: Variables whose values are not to be told.
_SECRET_VARIABLES = (
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
    "AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN",
)  # fmt: skip

#: Options that say where a store is, or that nobody is asked for: these may be told.
PUBLIC = ("anonymous", "endpoint", "region")


def store_options(store: str, url: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as pyarrow has them: those that are given, those in an address, the environment's."""
    known = {name: its for its, names in NAMES[store].items() for name in names}
    found: dict[str, Any] = {}
    for name, value in (*_in_address(store, url).items(), *_flat(given)):
        if name.lower() not in known:
            raise ParameterError(
                f"There is no option {name!r} in storage_options for {store}://. "
                f"{hint(name, [names[0] for names in NAMES[store].values()], most=12)}"
            )
        found[known[name.lower()]] = _value(value)
    for name, variables in _VARIABLES[store].items():
        said = next((os.environ[each] for each in variables if os.environ.get(each)), None)
        if said is not None:
            found.setdefault(name, said)
    return found


def _flat(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Options, with what s3fs takes for its client among them."""
    for name, value in given.items():
        if name == "client_kwargs" and isinstance(value, Mapping):
            yield from cast("Mapping[str, Any]", value).items()
        else:
            yield name, value


def _value(value: Any) -> Any:
    words = {"true": True, "false": False}
    return words.get(value.lower(), value) if isinstance(value, str) else value


def _in_address(store: str, url: str) -> dict[str, str]:
    """The options in an address, as in ``s3://key:secret@bucket/path?region=eu-west-1``."""
    host = url.partition("://")[2].partition("/")[0]
    found = dict(parse_qsl(query_of(url)))
    if store == "s3" and "@" in host:
        key, _, secret = host.rpartition("@")[0].partition(":")
        found |= {"access_key": unquote(key), "secret_key": unquote(secret)}
    return found


def query_of(url: str) -> str:
    """What stands behind a question mark, where that is no pattern.

    Examples
    --------
    >>> query_of("s3://bucket/a.csv?region=eu"), query_of("s3://bucket/?.csv")
    ('region=eu', '')
    """
    query = urlsplit(url).query
    return query if "=" in query.partition("/")[0] else ""


def secrets_in(given: Any) -> set[str]:
    """All that storage options hold, at any depth, but for what may be told; and the environment's.

    Examples
    --------
    >>> sorted(secrets_in({"key": "k1", "endpoint": "here", "client_kwargs": {"a": ["b2"]}}))
    ['b2', 'k1']
    """
    found = {os.environ.get(name, "") for name in _SECRET_VARIABLES}
    waiting = [given]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            inside = cast("Mapping[str, Any]", each)
            waiting += [value for name, value in inside.items() if name not in PUBLIC]
        elif isinstance(each, list | tuple):
            waiting += cast("list[Any]", each)
        elif isinstance(each, str | bytes):
            found.add(each if isinstance(each, str) else each.decode("latin-1"))
    return {each for each in found if len(each) > 1}
