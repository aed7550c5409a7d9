"""Middleware: what every request must fulfil before it is looked at, and the headers of replies."""

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The most bytes of a request.
MOST_BYTES = 64 * 1024

#: The Content-Security-Policy: nothing but our own files; nothing written into the page runs.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class SecurityMiddleware:
    """Turns away what does not come from the page itself (same-origin requests only).

    The Host must be one that the server goes by, or else a name that somebody lets point here
    (DNS rebinding) would do. A POST must come from a page of this server and be JSON, which no
    form of another page can send (cross-site request forgery).

    Parameters
    ----------
    app
        What is guarded.
    hosts
        What the server may be called, each with its port.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or turn it away."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refused = self._refused(scope["method"], Headers(scope=scope))
        if refused is None:
            await self._app(scope, receive, send_with_headers)
        else:
            status, message = refused
            await JSONResponse({"message": message}, status)(scope, receive, send_with_headers)

    def _refused(self, method: str, headers: Headers) -> tuple[int, str] | None:
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return 421, "This server does not go by that name."
        if method in ("GET", "HEAD"):
            return None
        if headers.get("origin") not in [f"http://{host}" for host in self._hosts]:
            return 403, "The request comes from another page."
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return 415, "Only JSON is taken."
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:12]) > MOST_BYTES:
            return 413, "The request is too large."
        return None
