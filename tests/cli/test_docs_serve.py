"""``rulescript docs --serve``: the site in the browser, renewed when a file changes."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulescript.cli.docs_server import Served, serving

LAKES = Path(__file__).resolve().parents[1] / "docgen" / "games" / "two_lakes"
PATIENCE = 120.0


class Reader:
    """Somebody with a browser."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, host: str = "") -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request("GET", path, headers={"Host": host or f"localhost:{self.port}"})
        answer = line.getresponse()
        return answer.status, answer.read().decode()

    def news(self, seen: int) -> dict[str, object]:
        return dict(json.loads(self.get(f"/.news?{seen}")[1]))

    def until(self, path: str, words: str) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            page = self.get(path)[1]
            if words in page:
                return page
            time.sleep(0.2)
        raise AssertionError(f"{words!r} did not appear on {path}")


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Reader]:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<head>default-src 'none';</head>the first")
    (tmp_path / "site" / "site.js").write_text("1;")
    (tmp_path / "secret.html").write_text("secret")
    served = Served(tmp_path / "site")
    server = serving(served, 0)
    yield Reader(server.server_address[1])
    server.shutdown()
    server.server_close()


def test_pages_are_served_and_ask_for_news(shown: Reader) -> None:
    status, page = shown.get("/")
    assert status == 200 and "the first" in page
    assert '<script src="/.renew.js?0" defer></script>' in page and "connect-src 'self'" in page
    assert shown.get("/site.js") == (200, "1;")
    assert shown.news(-1) == {"version": 0, "problem": ""}


def test_what_changes_while_a_page_is_on_its_way_is_news_to_it(tmp_path: Path) -> None:
    """The script of a page knows of what version that page is, whenever it is asked for itself."""
    (tmp_path / "index.html").write_text("<head></head>the first")
    served = Served(tmp_path)
    server = serving(served, 0)
    reader = Reader(server.server_address[1])
    script = re.findall(r'src="(/.renew.js[^"]*)"', reader.get("/")[1])[0]
    served.renew("a mistake")
    text = reader.get(script)[1]
    assert "var seen = 0," in text
    assert "ask(-1);" in text  # a mistake that is there already is asked for
    assert reader.news(0)["problem"] == "a mistake"
    server.shutdown()
    server.server_close()


def test_a_page_that_is_not_there_comes_when_it_is(shown: Reader) -> None:
    status, page = shown.get("/rules-2.html")
    assert status == 404 and "There is no such page." in page and "/.renew.js?0" in page


def test_a_sign_for_the_page_is_not_missed(shown: Reader) -> None:
    assert shown.get("/favicon.ico")[0] == 204


def test_no_other_site_can_take_a_file(shown: Reader) -> None:
    line = http.client.HTTPConnection("127.0.0.1", shown.port, timeout=60)
    line.request("GET", "/site.js", headers={"Host": f"localhost:{shown.port}"})
    assert line.getresponse().getheader("Cross-Origin-Resource-Policy") == "same-origin"


@pytest.mark.parametrize("path", ["/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "//etc/passwd", "/x"])
def test_nothing_else_is_served(shown: Reader, path: str) -> None:
    status, page = shown.get(path)
    assert status == 404 and "secret" not in page


@pytest.mark.parametrize("query", [b"\xb2", b"9" * 5000, b"-1", b"x"], ids=ascii)
def test_what_is_no_number_is_asked_for_all_the_news(shown: Reader, query: bytes) -> None:
    with socket.create_connection(("127.0.0.1", shown.port), timeout=60) as line:
        line.sendall(b"GET /.news?" + query + b" HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert b'"version": 0' in line.makefile("rb").read()


def test_only_this_machine_is_answered(shown: Reader) -> None:
    assert shown.get("/", host="evil.example")[0] == 403


def test_the_page_is_renewed_when_a_file_changes_and_a_mistake_is_shown(tmp_path: Path) -> None:
    game = tmp_path / "lakes"
    shutil.copytree(LAKES, game)
    command = [sys.executable, "-m", "rulescript", "docs", str(game), "--serve", "--port", "1", "--games", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://localhost:(\d+)/", process.stdout.readline())
            assert address
            reader = Reader(int(address[1]))
            assert "Two towns quarrel" in reader.until("/rules-introduction.html", "</html>")
            main = game / "game.rules.md"
            text = main.read_text(encoding="utf-8")
            main.write_text(text.replace("Two towns quarrel", "Two villages quarrel"), encoding="utf-8")
            reader.until("/rules-introduction.html", "Two villages quarrel")
            main.write_text(text.replace("c.side == active", "c.size == active"), encoding="utf-8")
            end, news = time.monotonic() + PATIENCE, reader.news(-1)
            while not news["problem"] and time.monotonic() < end:
                news = reader.news(int(str(news["version"])))
            assert "size" in str(news["problem"])
            main.write_text(text, encoding="utf-8")
            reader.until("/rules-introduction.html", "Two towns quarrel")
        finally:
            process.terminate()


def test_only_the_site_can_be_served(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rulescript", "docs", str(LAKES), "--serve", "--print", "kit"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode != 0 and "only the site can be served" in done.stderr
