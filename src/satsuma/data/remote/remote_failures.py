"""Remote failures: why a file elsewhere cannot be read, in our words and without credentials."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

from satsuma.errors import ReadError, SatsumaError

#: What takes credentials out of a message.
Clean = Callable[[object], str]

_ENDPOINT = "storage_options={'endpoint': …}"

_WHO = (
    "Say who you are by the environment, as AWS_ACCESS_KEY_ID does, or by storage_options=; what "
    "is public is read with storage_options={'anonymous': True}."
)
_DENIED = ("access is denied", _WHO)

#: What stores say, and how that is told.
_TOLD = (
    (r"NO_SUCH_BUCKET|[Bb]ucket '?[^']*'? ?not found|[Bb]ucket does not exist",
     "there is no such bucket", "Look for a slip in its name."),
    (r"NO_SUCH_KEY|RESOURCE_NOT_FOUND|Path does not exist|No such file|status 404|404 Not Found",
     "there is no such file", "Look for a slip in its name."),
    (r"ACCESS_DENIED|SIGNATURE|INVALID_(ACCESS|CLIENT)|MISSING_AUTH|EXPIRED", *_DENIED),
    (r"(status|\b) ?40[13]\b|[Pp]ermission denied|[Cc]redential|AuthenticationFailed", *_DENIED),
    (r"[Rr]esolve host|Name or service not known|nodename nor servname|getaddrinfo",
     "its host is not found",
     f"Check the network and the name of the host, or pass {_ENDPOINT}."),
    (r"[Tt]imed? ?out|TIMEOUT|curlCode: 28", "there is no answer in time",
     "Check the network, and try again."),
    (r"NETWORK_CONNECTION|curlCode|[Cc]ould not connect|[Cc]onnection|UNAVAILABLE|socket",
     "no server answers",
     f"Check the network, or pass another endpoint with {_ENDPOINT}."),
    (r"XML_ERROR|UNKNOWN|[Pp]arse", "what answers is no store of this kind",
     f"Pass another endpoint with {_ENDPOINT}."),
)  # fmt: skip


def store_failure(error: BaseException, label: str, clean: Clean) -> ReadError:
    """The error for what a store says is wrong."""
    said = str(error)
    if isinstance(error, PermissionError):
        what, remedy = _DENIED
        return ReadError(what, file=label, remedy=remedy)
    for pattern, what, remedy in _TOLD:
        if re.search(pattern, said):
            return ReadError(what, file=label, remedy=remedy)
    what = f"it cannot be read: {clean(error)}"[:300].rstrip(". ")
    return ReadError(what, file=label, remedy="Check the address and storage_options=.")


@contextmanager
def in_our_words(label: str, clean: Clean) -> Generator[None]:
    """Say with the place, and without credentials, what goes wrong with a store."""
    try:
        yield
    except (SatsumaError, NameError, AssertionError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - each store has errors of its own
        raise store_failure(error, label, clean) from None
