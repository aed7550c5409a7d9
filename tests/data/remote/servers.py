"""Servers of the web on this machine, which know stretches, or do not, and count what they give."""

import http.server
import ssl
import subprocess
import threading
from contextlib import contextmanager


class Handler(http.server.BaseHTTPRequestHandler):
    """Gives the files of its server, as its rules have it."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server, path = self.server, self.path.partition("?")[0]
        server.asked.append((self.path, dict(self.headers)))
        if path in server.moved:
            self._reply(302, b"", {"Location": server.moved[path]})
        elif path in server.codes:
            self._reply(server.codes[path], b"no")
        elif path not in server.files:
            self._reply(404, b"no")
        else:
            self._give(server.files[path])

    def do_HEAD(self):
        self.send_response(self.server.codes.get(self.path, 404))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _give(self, content):
        stretch = self.headers.get("Range")
        if not (stretch and self.server.ranged):
            self._reply(200, content, {"ETag": self.server.tag})
            return
        start, _, stop = stretch.removeprefix("bytes=").partition("-")
        start, stop = int(start), min(int(stop or len(content)) + 1, len(content))
        if start >= len(content):
            self._reply(416, b"", {"Content-Range": f"bytes */{len(content)}"})
            return
        told = f"bytes {start}-{stop - 1}/{len(content)}"
        self._reply(206, content[start:stop], {"Content-Range": told, "ETag": self.server.tag})

    def _reply(self, code, body, headers=None):
        size = len(body)
        if self.server.breaks and size > 1000:  # once, in the middle; settled before a word is said
            self.server.breaks -= 1
            body = body[: size // 2]
            self.close_connection = True
        self.send_response(code)
        for name, value in {"Content-Length": str(size), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        for at in range(0, len(body), 1 << 16):
            self.wfile.write(body[at : at + (1 << 16)])
            self.server.given += len(body[at : at + (1 << 16)])

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Files by their paths; how many bytes of them were given; what was asked."""

    daemon_threads = True

    def __init__(self, files=None, *, ranged=False):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.ranged = files or {}, ranged
        self.moved, self.codes, self.asked = {}, {}, []
        self.given, self.breaks, self.tag, self.scheme = 0, 0, '"1"', "http"

    def handle_error(self, request, client_address):
        """Whoever has read enough goes away."""

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.server_port}"


@contextmanager
def serving(files=None, *, ranged=False, certificate=None):
    """A server as long as it is needed; with a certificate it speaks TLS."""
    server = Server(files, ranged=ranged)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.scheme = "https"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def make_certificate(path):
    """A certificate for 127.0.0.1 that nobody but itself has signed, with its key."""
    key = path.with_suffix(".key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", key, "-out", path],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_bytes(path.read_bytes() + key.read_bytes())
    return path
