"""Routes: what the page may ask the server for."""

from collections.abc import Awaitable, Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from satsuma.app.http.logins import Doors
from satsuma.app.http.middleware import MOST, Guard
from satsuma.app.http.service import Service
from satsuma.app.http.views import body_of, rendered, static
from satsuma.app.labelling.exports import EXPORTS
from satsuma.app.refusal import Refusal
from satsuma.app.store.deed import NAME, fields, text
from satsuma.app.store.events import NotSaved
from satsuma.errors import SatsumaError

_KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_STATIC = ("label.css", "label.js", "icon.svg")

Handler = Callable[[Request], Awaitable[Response]]


class Routes:
    """The pages of one service.

    Parameters
    ----------
    service
        What answers.
    doors
        Who may come in.
    hosts
        What the server may be called, each with its port.
    """

    def __init__(self, service: Service, doors: Doors, hosts: Collection[str]) -> None:
        self._service, self._doors, self._hosts = service, doors, tuple(hosts)
        # Cookies are the same for all ports of a machine, so the port is in the name.
        self._cookie = f"satsuma-{self._hosts[0].rpartition(':')[2]}"

    def app(self) -> Starlette:
        """The application."""
        post = {"/ask": self._ask, "/answer": self._answer, "/name": self._name}
        return Starlette(
            routes=[
                Route("/", _safely(self._page)),
                Route("/static/{name}", _safely(self._static)),
                Route("/panel", _safely(self._panel)),
                Route("/export/{name}", _safely(self._export)),
                Route("/invite", _safely(self._invite), methods=["POST"]),
                *(Route(path, _safely(each), methods=["POST"]) for path, each in post.items()),
            ],
            middleware=[Middleware(Guard, hosts=self._hosts)],
        )

    def _who(self, request: Request) -> str:
        who = self._doors.who(request.cookies.get(self._cookie))
        if who is None:
            raise Refusal(403, "Open the link that the command shows: it lets you in.")
        return who

    def _named(self, request: Request) -> str:
        who = self._who(request)
        if not who:
            raise Refusal(409, "Say who you are first.")
        return who

    async def _page(self, request: Request) -> Response:
        word = request.query_params.get("token")
        if word is not None and request.method == "HEAD":
            return Response()  # somebody looks whether the link is alive: it is not used up
        if word is not None:
            return self._enter(word)
        try:
            who = self._who(request)
        except Refusal as refusal:
            told = {"title": "Not this way", "told": refusal.told, "onward": False}
            return HTMLResponse(rendered("closed.html", **told), refusal.status)
        parts = await run_in_threadpool(self._service.page, who)
        exports = self._service.exports()
        return HTMLResponse(body_of(parts, who, self._service.name, exports))

    def _enter(self, word: str) -> Response:
        cookie = self._doors.enter(word)
        if cookie is None:
            told = "This link was used already. The command shows a new one each time."
            closed = {"title": "Each link works once", "told": told, "onward": False}
            return HTMLResponse(rendered("closed.html", **closed), 403)
        # Not a redirect: a strict cookie would stay behind if the link was on another site's page.
        onward = {"title": "Come in", "told": "", "onward": True}
        reply = HTMLResponse(rendered("closed.html", **onward))
        reply.set_cookie(self._cookie, cookie, httponly=True, samesite="strict", path="/")
        return reply

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _STATIC:
            raise Refusal(404, "There is no such file.")
        return Response(static(name), media_type=_KINDS[name.rpartition(".")[2]])

    async def _ask(self, request: Request) -> Response:
        who, body = self._named(request), await _body(request)
        return JSONResponse(await run_in_threadpool(self._service.ask, who, body))

    async def _answer(self, request: Request) -> Response:
        who, body = self._named(request), await _body(request)
        return JSONResponse(await run_in_threadpool(self._service.answer, who, body))

    async def _panel(self, request: Request) -> Response:
        who, queue = self._named(request), request.query_params.get("queue", "question")
        return JSONResponse(await run_in_threadpool(self._service.panel, who, queue))

    async def _name(self, request: Request) -> Response:
        self._who(request)
        name = text(fields(await _body(request), ("name",)).get("name"), NAME, "name")
        self._doors.call(request.cookies[self._cookie], name)
        return JSONResponse(await run_in_threadpool(self._service.page, name))

    async def _invite(self, request: Request) -> Response:
        self._who(request)
        fields(await _body(request), ())
        link = f"{request.headers['origin']}/?token={self._doors.word()}"
        return JSONResponse({"link": link})

    async def _export(self, request: Request) -> Response:
        self._named(request)
        name, raw = request.path_params["name"], request.query_params.get("raw") == "1"
        if name not in EXPORTS:
            raise Refusal(404, "There is no such export.")
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="satsuma-")))
            await run_in_threadpool(self._service.export, name, folder / name, raw)
            done = BackgroundTask(stack.pop_all().close)
        heading = f"attachment; filename*=UTF-8''{quote(f'{self._service.name}-{name}')}"
        return FileResponse(
            folder / name, headers={"Content-Disposition": heading}, background=done,
            media_type="application/octet-stream",
        )  # fmt: skip


async def _body(request: Request) -> bytes:
    made = bytearray()
    async for piece in request.stream():
        made += piece
        if len(made) > MOST:
            raise Refusal(413, "The request is too large.")
    return bytes(made)


def _safely(handler: Handler) -> Handler:
    """What was refused, or could not be saved, is told; nothing was changed then."""

    async def handled(request: Request) -> Response:
        try:
            return await handler(request)
        except Refusal as refusal:
            return _told(refusal.status, refusal.told)
        except NotSaved as trouble:
            return _told(507, str(trouble))
        except ClientDisconnect:
            return _told(400, "The request was cut off.")
        except OSError as trouble:
            return _told(507, f"The disk does not do as it should: {trouble.strerror or trouble}.")
        except SatsumaError as error:
            return _told(409, str(error))

    return handled


def _told(status: int, told: Any) -> Response:
    return JSONResponse({"told": told}, status)
