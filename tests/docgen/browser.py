"""A real browser for the tests: chromium without a window, told what to do over a pipe.

No package is needed: chromium speaks JSON over two file descriptors (`--remote-debugging-pipe`), each message ended by
a zero byte. Only what the tests use is here: open a page, run a line of script, press keys, take a picture, print, and
hear what the console says.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0


def find_browser() -> str | None:
    """Where chromium is; RULESCRIPT_CHROMIUM names another."""
    named = os.environ.get("RULESCRIPT_CHROMIUM")
    if named:
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One chromium with one page."""

    def __init__(self, program: str) -> None:
        self._folder = tempfile.mkdtemp(prefix="rulescript-browser-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def wire() -> None:  # in the new process: it reads from 3 and writes to 4
            os.dup2(to_read, 13)
            os.dup2(to_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self._process = subprocess.Popen(
            [
                program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-background-networking",
                "--disable-dev-shm-usage", f"--user-data-dir={self._folder}", "about:blank",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=wire, close_fds=False,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._buffer = b""
        self._number = 0
        self.messages: list[str] = []
        self.requests: list[str] = []
        self._loaded = 0
        self._session = self.call("Target.attachToTarget", targetId=self._page(), flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def _page(self) -> str:
        """The first page; on a busy machine it is there a while after the browser answers."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for target in self.call("Target.getTargets")["targetInfos"]:
                if target["type"] == "page":
                    return str(target["targetId"])
            time.sleep(0.1)
        raise RuntimeError("the browser opens no page")

    @property
    def is_there(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        with contextlib.suppress(OSError, RuntimeError):
            self.call("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        for handle in (self._read, self._write):
            with contextlib.suppress(OSError):
                os.close(handle)
        shutil.rmtree(self._folder, ignore_errors=True)

    # -------------------------------------------------------------- messages

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A command and its answer."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if getattr(self, "_session", None) and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._next(until)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self._heard(answer)

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            left = until - time.monotonic()
            ready, _, _ = select.select([self._read], [], [], max(0.0, left))
            if not ready:
                raise RuntimeError("the browser does not answer")
            more = os.read(self._read, 1 << 20)
            if not more:
                raise RuntimeError("the browser has gone")
            self._buffer += more
        one, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(one))

    def _heard(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        match event.get("method"):
            case "Page.loadEventFired":
                self._loaded += 1
            case "Runtime.consoleAPICalled":
                self.messages.append(" ".join(str(a.get("value", "")) for a in params["args"]))
            case "Runtime.exceptionThrown":
                self.messages.append(str(params["exceptionDetails"].get("text", "exception")))
            case "Log.entryAdded":
                self.messages.append(str(params["entry"].get("text", "")))
            case "Network.requestWillBeSent":
                self.requests.append(str(params["request"]["url"]))
            case "Page.javascriptDialogOpening":
                self.messages.append(f"a dialog opened: {params.get('message')}")

    # -------------------------------------------------------------- what a reader does

    def open(self, path: Path, anchor: str = "") -> None:
        """Open a file, as a double click would, and wait until it is there."""
        before = self._loaded
        address = path.resolve().as_uri() + (f"#{anchor}" if anchor else "")
        self.call("Page.navigate", url="about:blank")
        self._wait(before)
        before = self._loaded
        self.call("Page.navigate", url=address)
        self._wait(before)

    def _wait(self, before: int) -> None:
        until = time.monotonic() + PATIENCE
        while self._loaded == before:
            self._heard(self._next(until))

    def run(self, script: str) -> Any:
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def add_script(self, text: str) -> None:
        """Run a whole script on the page, such as a library."""
        answer = self.call("Runtime.evaluate", expression=text)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def key(self, name: str, code: int = 0) -> None:
        for kind in ("keyDown", "keyUp"):
            text = {"text": name} if kind == "keyDown" and len(name) == 1 else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, **text)

    def look(
        self, width: int = 1280, height: int = 900, *, dark: bool = False, phone: bool = False, media: str = ""
    ) -> None:
        """The size of the window, and what the reader prefers."""
        scale = 2 if phone else 1
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def picture(self, path: Path, whole: bool = False) -> None:
        """What the page looks like, as a PNG file."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **self._clip(whole))
        path.write_bytes(base64.b64decode(answer["data"]))

    def _clip(self, whole: bool) -> dict[str, Any]:
        if not whole:
            return {}
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12000), "scale": 1}}

    def pdf(self, path: Path) -> None:
        answer = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        path.write_bytes(base64.b64decode(answer["data"]))
