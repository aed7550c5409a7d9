"""Web files: read over HTTP as they come, or by stretches where the server gives them."""

import base64
import http.client
import io
import os
import shutil
import socket
import ssl
import tempfile
import threading
import urllib.error
import urllib.request
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit, urlunsplit

from satsuma.data.files import RemoteFile
from satsuma.data.remote.storage_options import secrets_in
from satsuma.data.urls import check_credentials, public_name, without_secrets
from satsuma.errors import ReadError

#: Seconds until a server has to answer; how often a connection that broke is taken up again.
PATIENCE, ATTEMPTS = 30, 3

#: Bytes that are asked for at first and at most, and those that are rather passed than asked anew.
LEAST, MOST, NEAR = 1 << 18, 1 << 26, 1 << 17

_BROKEN = (OSError, http.client.HTTPException)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a redirection; what says who asks does not go along to another server."""

    def redirect_request(  # noqa: PLR0917 - as its base class has it
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        made = super().redirect_request(req, fp, code, msg, headers, newurl)
        if made is not None and urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            kept = {"Range", "Accept-encoding", "User-agent"}
            made.headers = {name: each for name, each in made.headers.items() if name in kept}
        return made


class WebFile(RemoteFile):
    """A file on the web.

    Parameters
    ----------
    url
        Its address; a user and a password in it are sent as such.
    headers
        What to send along.
    """

    def __init__(self, url: str, headers: Mapping[str, Any]) -> None:
        check_credentials(url)
        self.url, self.headers = _plain(url, headers)
        self._given, self._secrets = url, secrets_in({"headers": self.headers})
        super().__init__(public_name(url), None, ranged=False)
        self._lock, self._copy = threading.Lock(), ""
        with self.request(0, 1) as answer:
            self.tag = answer.headers.get("ETag")
            stretch = answer.headers.get("Content-Range", "")
            total = stretch.rpartition("/")[2]
            self.ranged = answer.status == 206 and total.isdigit()
            self.size = int(total) if self.ranged else answer.length

    def __getstate__(self) -> dict[str, Any]:
        return {name: each for name, each in vars(self).items() if name not in ("_lock", "_copy")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock, self._copy = threading.Lock(), ""

    @property
    def address(self) -> str:
        """What tells it from all others; not to be shown."""
        return self.url

    def open(self) -> BinaryIO:
        """The file, opened for reading: it comes as it is read."""
        return io.BufferedReader(_WebStream(self), LEAST)  # type: ignore[return-value]

    def request(self, start: int, stop: int | None = None) -> http.client.HTTPResponse:
        """The answer of the server, from a byte on."""
        headers = {**self.headers, "Accept-Encoding": "identity", "User-Agent": "satsuma"}
        if start or stop is not None or self.ranged:
            headers["Range"] = f"bytes={start}-{'' if stop is None else stop - 1}"
        asked = urllib.request.Request(self.url, headers=headers)  # noqa: S310 - http alone
        opener = urllib.request.build_opener(_Redirects)
        try:
            answer: http.client.HTTPResponse = opener.open(asked, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            if error.code == 416 and start == 0:  # an empty file has no first byte
                return self._empty(error)
            error.close()
            raise self._refused(error.code) from None
        except _BROKEN as error:
            raise self.failure(error) from None
        if start and answer.status != 206:
            answer.close()
            raise self._changed()
        if self.size is not None and answer.headers.get("ETag") != self.tag:
            answer.close()
            raise self._changed()
        return answer

    def _empty(self, error: urllib.error.HTTPError) -> Any:
        error.close()
        whole = urllib.request.Request(self.url, headers=self.headers)  # noqa: S310
        return urllib.request.build_opener(_Redirects).open(whole, timeout=PATIENCE)

    def _refused(self, code: int) -> ReadError:
        remedy = "Look for a slip in the address."
        what = f"the server refuses it ({code} {http.client.responses.get(code, '')})".replace(
            " )", ")"
        )
        if code in (404, 410):
            what = f"there is no such file ({code})"
        elif code in (401, 403, 407):
            what = f"access is denied ({code})"
            remedy = (
                "Take an address that is signed and has not expired, write user and password "
                "into it, or pass storage_options={'Authorization': …}."
            )
        elif code == 429 or code >= 500:
            what, remedy = f"the server fails ({code})", "Try again later."
        return ReadError(what, file=self.label, remedy=remedy)

    def _changed(self) -> ReadError:
        return ReadError(
            "the file has changed while it was read", file=self.label, remedy="Read it again."
        )

    def failure(self, error: BaseException) -> ReadError:
        """The error for a connection that fails."""
        why = getattr(error, "reason", None)
        why = why if isinstance(why, BaseException) else error
        if isinstance(why, TimeoutError):
            what, remedy = (
                f"no answer within {PATIENCE} seconds",
                "Try again, or check the network.",
            )
        elif isinstance(why, socket.gaierror):
            what, remedy = "its host is not found", "Check the network and the name of the host."
        elif isinstance(why, ssl.SSLError):
            what = "the certificate of the server is not trusted"
            remedy = "Name the file of the certificate of who signed it in SSL_CERT_FILE."
        elif isinstance(why, ConnectionRefusedError):
            what, remedy = "no server answers there", "Check the host and the port."
        else:
            told = without_secrets(why, self._given, self._secrets)[:200]
            what, remedy = f"the connection broke: {told}".rstrip(": ."), "Try again."
        return ReadError(what, file=self.label, remedy=remedy)

    def copy(self) -> str:
        """The path of a copy here, for what is not read from its start to its end."""
        with self._lock:
            if not self._copy:
                handle, path = tempfile.mkstemp(prefix="satsuma-")
                weakref.finalize(self, _remove, path)
                with os.fdopen(handle, "wb") as made, self.open() as stream:
                    shutil.copyfileobj(stream, made, 1 << 20)
                self._copy = path
        return self._copy


def _remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)


def _plain(url: str, headers: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """An address without user and password, and the headers that say them."""
    scheme, host, path, query, _ = urlsplit(url)
    user, mark, place = host.rpartition("@")
    sent = {str(name): str(value) for name, value in headers.items()}
    if mark:
        token = base64.b64encode(unquote(user).encode()).decode()
        sent["Authorization"] = f"Basic {token}"
    return urlunsplit((scheme, place, path.replace(" ", "%20"), query, "")), sent


class _WebStream(io.RawIOBase):
    """A file as it comes; a seek asks for another stretch, or takes a copy of the whole."""

    def __init__(self, file: WebFile) -> None:
        self._file = file
        self._at: int = 0
        self._answer: http.client.HTTPResponse | None = None
        self._comes, self._until = 0, 0  # the byte that comes next, and the end of what comes
        self._step = LEAST
        self._copy: BinaryIO | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if whence == os.SEEK_END:
            if self._file.size is None:
                self._take_copy()
            offset += self._file.size or 0
        self._at = offset + (self._at if whence == os.SEEK_CUR else 0)
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        if self._file.size is not None and self._at >= self._file.size:
            return 0
        if self._copy is None:
            self._move()
        if self._copy is not None:
            self._copy.seek(self._at)
            got: int = cast("Any", self._copy).readinto(buffer)
        else:
            got = self._receive(buffer)
        self._at += got
        return got

    def _receive(self, buffer: Any) -> int:
        for left in reversed(range(ATTEMPTS)):
            try:
                answer = self._answer or self._ask(len(buffer))
                got: int = answer.readinto(buffer)
                if got or self._file.size is None or self._at >= self._file.size:
                    self._comes = self._at + got
                    return got
                raise ConnectionResetError("the file ends before its end")
            except _BROKEN as error:
                self._forget()
                if not left or not (self._file.ranged or self._at == 0):
                    raise self._file.failure(error) from None
        raise AssertionError

    def _ask(self, size: int) -> http.client.HTTPResponse:
        """Ask for what comes next: more each time, as long as it is read in its order."""
        size = max(size, self._step)
        self._step = min(4 * self._step, MOST)
        self._until = self._file.size or 0
        if self._file.ranged:
            self._until = min(self._at + size, self._until)
        self._answer = self._file.request(self._at, self._until if self._file.ranged else None)
        return self._answer

    def _move(self) -> None:
        """Go to where is to be read: pass what is near, ask anew, or take a copy of the whole."""
        if self._file.ranged and self._answer is not None and self._at == self._comes:
            if self._at >= self._until:
                self._forget()
            return
        ahead = self._at - self._comes if self._answer is not None else 0
        if 0 < ahead <= min(NEAR, self._until - self._comes) or (
            ahead > 0 and not self._file.ranged
        ):
            self._pass(ahead)
            return
        if ahead:
            self._forget()
            self._step = LEAST
        if self._answer is None and self._at and not self._file.ranged:
            self._take_copy()

    def _pass(self, ahead: int) -> None:
        assert self._answer is not None
        try:
            while ahead > 0 and (passed := self._answer.read(min(ahead, 1 << 20))):
                ahead -= len(passed)
        except _BROKEN as error:
            raise self._file.failure(error) from None
        self._comes = self._at

    def _take_copy(self) -> None:
        self._forget()
        self._copy = Path(self._file.copy()).open("rb")  # noqa: SIM115 - closed with this
        self._file.size = os.fstat(self._copy.fileno()).st_size

    def _forget(self) -> None:
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def close(self) -> None:
        self._forget()
        if self._copy is not None:
            self._copy.close()
        super().close()
