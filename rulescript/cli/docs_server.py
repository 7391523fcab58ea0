"""``rulescript docs --serve``: a game's reference in the browser, renewed after every change of its files.

The pages are the same as those that are written to disk. Each gets one more script on its way out, which asks whether
there is something newer and loads the page again if so; what is wrong with the rules meanwhile is shown above the page.
Only this machine is answered, and nothing but the files that were printed.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from rulescript.calls import is_number

__all__ = ["PORT", "Served", "serving"]

PORT = 8414
PATIENCE = 20.0
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_NAME = re.compile(r"/([A-Za-z0-9][A-Za-z0-9._-]*)?")
_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")
_RENEW = """\
(function () {
  "use strict";
  var seen = %d, bar = null;
  function tell(text) {
    if (bar) bar.remove();
    bar = null;
    if (!text) return;
    bar = document.createElement("pre");
    bar.setAttribute("role", "alert");
    bar.style.cssText = "position:sticky;top:0;z-index:50;margin:0;padding:1em;max-height:50vh;overflow:auto;" +
      "background:#fff3c4;color:#22201c;font:14px/1.4 monospace;white-space:pre-wrap";
    bar.textContent = text;
    document.body.insertBefore(bar, document.body.firstChild);
  }
  function ask(known) {
    fetch("/.news?" + known).then(function (r) { return r.json(); }).then(function (news) {
      if (news.version !== seen && !news.problem) { location.reload(); return; }
      seen = news.version; tell(news.problem); ask(seen);
    }).catch(function () { setTimeout(ask, 2000, known); });
  }
  // At first whatever there is: something may be wrong already, and then this page is not newer than that.
  ask(-1);
})();
"""


class Served:
    """What is shown now: a folder of pages, how often it has changed, and what is wrong, if anything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.version = 0
        self.problem = ""
        self._changed = threading.Condition()

    def renew(self, problem: str = "") -> None:
        with self._changed:
            self.version += 1
            self.problem = problem
            self._changed.notify_all()

    def news(self, seen: int) -> str:
        """What is new, as soon as there is something; else, after a while, that there is nothing."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != seen, PATIENCE)
            return json.dumps({"version": self.version, "problem": self.problem})

    def page(self, name: str) -> bytes | None:
        """A file of the site. A page says which version it is of, as it was before the file was read: what comes while
        it is on its way is news to it."""
        script = f'<script src="/.renew.js?{self.version}" defer></script>\n</head>'
        path = self.folder / (name or "index.html")
        if path.suffix not in _TYPES or not path.is_file() or path.is_symlink():
            return None
        data = path.read_bytes()
        if path.suffix != ".html":
            return data
        text = data.decode("utf-8").replace("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
        return text.replace("</head>", script, 1).encode()

    def no_page(self) -> bytes:
        """What stands in the place of a page that is not there, and goes when it is."""
        script = f'<script src="/.renew.js?{self.version}" defer></script>'
        return f"<!DOCTYPE html>\n<title>No such page</title>\n{script}\n<p>There is no such page.".encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, served: Served, *args: object) -> None:
        self.served = served
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:  # noqa: N802 - the name the library calls
        path, _, query = self.path.partition("?")
        # A page of somebody else's must not read these by giving its own name to this address.
        if not _HOST.fullmatch(self.headers.get("Host", "")):
            self._answer(HTTPStatus.FORBIDDEN, b"", "text/plain")
        elif path == "/.news":
            seen = int(query) if is_number(query) else -1
            self._answer(HTTPStatus.OK, self.served.news(seen).encode(), "application/json")
        elif path == "/favicon.ico":  # a browser asks for it by itself, and complains if there is none
            self._answer(HTTPStatus.NO_CONTENT, b"", "image/x-icon")
        elif path == "/.renew.js":
            seen = int(query) if is_number(query) else -1
            self._answer(HTTPStatus.OK, (_RENEW % seen).encode(), "text/javascript")
        else:
            found = _NAME.fullmatch(path)
            data = self.served.page(found[1] or "") if found is not None else None
            if data is None:
                self._answer(HTTPStatus.NOT_FOUND, self.served.no_page(), "text/html")
            else:
                self._answer(HTTPStatus.OK, data, _TYPES[Path(path).suffix or ".html"])

    def _answer(self, status: HTTPStatus, data: bytes, sort: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{sort}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        # Nor by taking a script or a picture from here.
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: who reads wants to see what is wrong with the rules, not who asked for what."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A reader who has gone is no fault."""


def serving(served: Served, port: int = PORT) -> _Server:
    """A server on this machine, answering in the background; another port if that one is taken."""
    server: _Server | None = None
    for number in _ports(port):
        try:
            server = _Server(("127.0.0.1", number), partial(_Handler, served))
            break
        except OSError:
            continue
    assert server is not None  # port 0 is any that is free
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _ports(port: int) -> Iterator[int]:
    yield port
    yield 0
