"""Routes: what the page may ask the server for."""

from collections.abc import Awaitable, Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from satsuma.app.http.logins import Logins
from satsuma.app.http.middleware import MOST_BYTES, SecurityMiddleware
from satsuma.app.http.views import Views, render, static_file
from satsuma.app.labelling.exports import EXPORTS
from satsuma.app.refusal import Refusal
from satsuma.app.store.events import NAME, plain_text, request_fields
from satsuma.errors import SatsumaError

_KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_STATIC = ("label.css", "label.js", "icon.svg")

Handler = Callable[[Request], Awaitable[Response]]


class Routes:
    """The paths of one session, and who may use them.

    Parameters
    ----------
    views
        What answers.
    logins
        Who may come in.
    hosts
        What the server may be called, each with its port.
    """

    def __init__(self, views: Views, logins: Logins, hosts: Collection[str]) -> None:
        self._views, self._logins, self._hosts = views, logins, tuple(hosts)
        # Cookies are the same for all ports of a machine, so the port is in the name.
        self._cookie = f"satsuma-{self._hosts[0].rpartition(':')[2]}"

    def app(self) -> Starlette:
        """The application."""
        get = {
            "/": self._page,
            "/static/{name}": self._static,
            "/panel": self._panel,
            "/answers": self._answers,
            "/export/{name}": self._export,
        }
        post = {
            "/ask": self._ask,
            "/answer": self._answer,
            "/name": self._name,
            "/invite": self._invite,
        }
        return Starlette(
            routes=[
                Route(path, _answering_errors(handler), methods=[method])
                for method, handlers in (("GET", get), ("POST", post))
                for path, handler in handlers.items()
            ],
            middleware=[Middleware(SecurityMiddleware, hosts=self._hosts)],
        )

    def _who(self, request: Request) -> str:
        who = self._logins.who(request.cookies.get(self._cookie))
        if who is None:
            raise Refusal(403, "Open the link that the command shows: it lets you in.")
        return who

    def _named(self, request: Request) -> str:
        who = self._who(request)
        if not who:
            raise Refusal(409, "Say who you are first.")
        return who

    async def _page(self, request: Request) -> Response:
        token = request.query_params.get("token")
        if token is not None and request.method == "HEAD":
            return Response()  # somebody looks whether the link is alive: it is not used up
        if token is not None:
            return self._log_in(token)
        try:
            who = self._who(request)
        except Refusal as refusal:
            return _closed("Not this way", str(refusal), refusal.status)
        return HTMLResponse(await run_in_threadpool(self._views.whole, who, online=True))

    def _log_in(self, token: str) -> Response:
        cookie = self._logins.use(token)
        if cookie is None:
            if self._logins.was_used(token):
                message = "This link was used already. The command shows a new one each time."
                return _closed("Each link works once", message, 403)
            message = "This server did not make this link. Open the one that the command shows now."
            return _closed("Not this link", message, 403)
        # Not a redirect: a strict cookie would stay behind if the link was on another site's page.
        reply = _closed("Come in", "", 200, onward=True)
        reply.set_cookie(self._cookie, cookie, httponly=True, samesite="strict", path="/")
        return reply

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _STATIC:
            raise Refusal(404, "There is no such file.")
        return Response(static_file(name), media_type=_KINDS[name.rpartition(".")[2]])

    async def _ask(self, request: Request) -> Response:
        who, body = self._named(request), await _body(request)
        return JSONResponse(await run_in_threadpool(self._views.ask, who, body))

    async def _answer(self, request: Request) -> Response:
        who, body = self._named(request), await _body(request)
        return JSONResponse(await run_in_threadpool(self._views.answer, who, body))

    async def _panel(self, request: Request) -> Response:
        who, queue = self._named(request), request.query_params.get("queue", "question")
        return JSONResponse(await run_in_threadpool(self._views.panel, who, queue))

    async def _answers(self, request: Request) -> Response:
        who, query = self._named(request), dict(request.query_params)
        return JSONResponse(await run_in_threadpool(self._views.answers, who, query))

    async def _name(self, request: Request) -> Response:
        self._who(request)
        name = plain_text(request_fields(await _body(request), ("name",)).get("name"), NAME, "name")
        self._logins.rename(request.cookies[self._cookie], name)
        return JSONResponse(await run_in_threadpool(self._views.page, name))

    async def _invite(self, request: Request) -> Response:
        self._who(request)
        request_fields(await _body(request), ())
        link = f"{request.headers['origin']}/?token={self._logins.new_token()}"
        return JSONResponse({"link": link})

    async def _export(self, request: Request) -> Response:
        self._named(request)
        name, raw = request.path_params["name"], request.query_params.get("raw") == "1"
        if name not in EXPORTS:
            raise Refusal(404, "There is no such export.")
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="satsuma-")))
            await run_in_threadpool(self._views.export, name, folder / name, raw=raw)
            done = BackgroundTask(stack.pop_all().close)
        heading = f"attachment; filename*=UTF-8''{quote(f'{self._views.name}-{name}')}"
        return FileResponse(
            folder / name, headers={"Content-Disposition": heading}, background=done,
            media_type="application/octet-stream",
        )  # fmt: skip


async def _body(request: Request) -> bytes:
    made = bytearray()
    async for piece in request.stream():
        made += piece
        if len(made) > MOST_BYTES:
            raise Refusal(413, "The request is too large.")
    return bytes(made)


def _answering_errors(handler: Handler) -> Handler:
    """A handler whose errors become replies; nothing was changed then."""

    async def handled(request: Request) -> Response:
        try:
            return await handler(request)
        except Refusal as refusal:
            return _error(refusal.status, str(refusal))
        except ClientDisconnect:
            return _error(400, "The request was cut off.")
        except OSError as error:
            return _error(507, f"The disk reports an error: {error.strerror or error}.")
        except SatsumaError as error:
            return _error(409, str(error))

    return handled


def _error(status: int, message: str) -> Response:
    return JSONResponse({"message": message}, status)


def _closed(title: str, message: str, status: int, *, onward: bool = False) -> Response:
    """A page without a question on it."""
    page = render("closed.html", title=title, message=message, onward=onward)
    return HTMLResponse(page, status)
