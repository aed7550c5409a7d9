"""URLs: what names a place other than a file here, and how it is called without its credentials."""

import os
import re
from collections.abc import Collection
from urllib.parse import parse_qsl, unquote, urlsplit

from satsuma.errors import ReadError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")

#: What can be the name of a host or of a bucket and no credential, by the scheme.
_WEB_HOST = re.compile(r"(?:[\w-]+\.)+[A-Za-z][\w-]*(?::\d+)?|[\d.]+:?\d*|localhost(?::\d+)?")
_BUCKET = re.compile(r"[\w.-]+")
_NO_HOST = re.compile(r"(?!)")
_HOSTS = {
    **dict.fromkeys(("http", "https"), _WEB_HOST),
    **dict.fromkeys(("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss"), _BUCKET),
}

#: What stands where a credential was.
HIDDEN = "…"

#: How a credential is written with a name, and what names a connection is described by.
_SECRET = re.compile(
    r"(?<![^\s;:?&,('\"{])"
    r"([\w-]*(?:password|passwd|pwd|secret|token|(?:api|access|account)[_-]?key)\s*=\s*)"
    r"('(?:[^'\\]|\\.)*'|\"[^\"]*\"|\{[^}]*\}|[^\s;&,'\"]+)",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"(?:^|[\s;])(?:host|hostaddr|server|data source|port|user|user id|username|uid|dbname|"
    r"database|dsn|driver|sslmode)\s*=",
    re.IGNORECASE,
)
_USER = re.compile(r"[^\s/\\:@]+:[^\s\\@]*@")


def scheme_of(source: object) -> str:
    """The scheme of a URL in small letters; empty where there is none.

    Examples
    --------
    >>> scheme_of("S3://bucket/a.csv"), scheme_of("data/a.csv")
    ('s3', '')
    """
    found = _SCHEME.match(source) if isinstance(source, str) else None
    return found[1].lower() if found else ""


def public_name(source: str) -> str:
    """What to call a place: a URL without user, password and parameters, or a path as it is.

    Examples
    --------
    >>> public_name("postgresql://ann:secret@db.org/shop?table=sales")
    'postgresql://db.org/shop'
    >>> public_name("postgresql://ann:se@cret@db.org/shop")
    'postgresql://…'
    >>> public_name("sales.csv"), public_name("host=db.org password=secret")
    ('sales.csv', '<connection string>')
    """
    scheme = scheme_of(source)
    if not scheme:
        return "<connection string>" if is_connection_string(source) else source
    return f"{scheme}://{HIDDEN if _unclear(source) else _place(source)}"


def holds_secrets(source: str) -> bool:
    """Whether a place is a URL with a user, or with parameters that may be anything, or a DSN.

    Examples
    --------
    >>> holds_secrets("sqlite:///shop.db?table=sales"), holds_secrets("https://ann:x@web.org/a.csv")
    (False, True)
    """
    if not scheme_of(source):
        return is_connection_string(source)
    given = dict(parse_qsl(urlsplit(source).query))
    return "@" in source or bool(set(given) - {"table", "query"})


def is_connection_string(source: str) -> bool:
    """Whether something describes a connection in other ways than by a URL, and names no file.

    Examples
    --------
    >>> is_connection_string("host=db.org user=ann"), is_connection_string("ann:secret@db.org/shop")
    (True, True)
    >>> (
    ...     is_connection_string("year=2024/sales.csv"),
    ...     is_connection_string("postgresql://db.org/shop"),
    ... )
    (False, False)
    """
    if scheme_of(source) or "\0" in source or os.path.exists(source):  # noqa: PTH110 - any string
        return False
    described = len(_SETTING.findall(source)) > 1 or "://" in source
    return described or bool(_USER.match(source)) or bool(_SECRET.search(source))


def check_connection_string(source: str) -> None:
    """Raise for what describes a connection; what it says is told to nobody."""
    if is_connection_string(source):
        raise ReadError(
            "this is neither a file nor a URL",
            file=public_name(source),
            remedy="Write postgresql://user:password@host/database, or connect to any other "
            "database yourself and pass the connection and query=.",
        )


def _place(url: str) -> str:
    rest = re.split(r"[?#]", url.partition("://")[2], maxsplit=1)[0]
    host, slash, path = rest.partition("/")
    return f"{host.rpartition('@')[2]}{slash}{path}"


def _unclear(url: str) -> bool:
    """Whether it is not clear where the credentials end: a sign in them is not encoded.

    Files in stores and on the web may have an @ in their names, behind the name of a host.
    """
    host, _, rest = re.split(r"[?#]", url.partition("://")[2], maxsplit=1)[0].partition("/")
    if _HOSTS.get(scheme_of(url), _NO_HOST).fullmatch(host):
        return False
    port = host.rpartition("@")[2].rpartition("]")[2].partition(":")[2].split(",")[0]
    numbered = not port or port.isdigit()
    return host.count("@") > 1 or "@" in rest or ("@" not in host and not numbered)


def check_credentials(url: str) -> None:
    """Raise where it is not clear where the credentials end."""
    if _unclear(url):
        raise ReadError(
            "it is not clear where the password ends",
            file=public_name(url),
            remedy="Write @ : / ? # and % in a user name or a password as %40 %3A %2F %3F %23 %25.",
        )


def without_secrets(message: object, url: str = "", more: Collection[str] = ()) -> str:
    """A message of others in one line, with whatever a URL holds in confidence taken out, and more.

    So are passwords that it tells by name, or in URLs of its own.

    Examples
    --------
    >>> without_secrets("no entry for 'ann', 'a b'", "postgresql://ann:a%20b@db.org/shop")
    "no entry for '…', '…'"
    >>> without_secrets("cannot connect by host=db.org password='a b', nor by ftp://ann:x@db.org")
    'cannot connect by host=db.org password=…, nor by ftp://…@db.org'
    """
    text = " ".join(str(message).split())
    text = _SECRET.sub(rf"\1{HIDDEN}", text)
    text = re.sub(r"://[^\s/@]+@", f"://{HIDDEN}@", text)
    for secret in sorted({*_secrets(url), *more}, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def _secrets(url: str) -> set[str]:
    """The URL itself, its user and password, and the values of its parameters."""
    found = {url}
    host = url.partition("://")[2].partition("/")[0]
    if "@" in host:
        user = host.rpartition("@")[0]
        found |= {user, *user.split(":", 1)}
    query = urlsplit(url).query
    if query:
        found.add(query)
    found |= {value for name, value in parse_qsl(query) if name not in ("table", "query")}
    found |= {each.partition("=")[2] for each in query.split("&") if "query=" not in each}
    found |= {unquote(each) for each in found}
    return {each for each in found if len(each) > 1}
