"""Templates of a designer's own: one by one, with a few lines, and with a clear word where they do not work."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.docgen.book import Book
from rulescript.docgen.markdown import write_markdown
from rulescript.docgen.site import OWN_TEMPLATES, check_templates, pages_of, write_site
from rulescript.errors import BadOption
from tests.docgen.conftest import LAKES, Page


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / "look" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return folder / "look"


def test_one_template_takes_the_place_of_ours(tmp_path: Path, book: Book) -> None:
    look = write(tmp_path, "parts/reconstructed.html", "<h1>Our <em>own</em> words</h1>{{ book.title }}")
    write_site(book, tmp_path / "site", look)
    assert "<h1>Our <em>own</em> words</h1>Two Lakes" in (tmp_path / "site" / "reconstructed.html").read_text()
    assert "Sequence of play" in Page(tmp_path / "site" / "sequence.html").words  # the others are ours


def test_a_template_can_extend_ours(tmp_path: Path, book: Book) -> None:
    look = write(
        tmp_path,
        "base.html",
        '{% extends "rulescript/base.html" %}{% block footer %}<footer>{{ "<b>" }} Our club</footer>{% endblock %}',
    )
    write_site(book, tmp_path / "site", look)
    for name in ("index", "map", "book"):
        text = (tmp_path / "site" / f"{name}.html").read_text(encoding="utf-8")
        assert "<footer>&lt;b&gt; Our club</footer>" in text  # escaped, here too
        assert "Printed from the rules" not in text
        assert 'id="content"' in text


def test_a_few_lines_change_the_look(tmp_path: Path, book: Book) -> None:
    look = write(tmp_path, "custom.css", ":root { --accent: #005a9c; }")
    write_site(book, tmp_path / "site", look)
    assert "#005a9c" in (tmp_path / "site" / "custom.css").read_text()
    page = (tmp_path / "site" / "index.html").read_text()
    assert page.index("style.css") < page.index("custom.css")


def test_markdown_templates_are_ones_own_too(tmp_path: Path, book: Book) -> None:
    look = write(tmp_path, "markdown/reconstructed.md", "# Ours\n\n{{ '*stars* <b>' }}\n")
    write_markdown(book, tmp_path / "md", look)
    assert (tmp_path / "md" / "reconstructed.md").read_text() == "# Ours\n\n\\*stars\\* &lt;b&gt;\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{% if %}", "parts/terms.html"),
        ("{{ nothing_like_this }}", "nothing_like_this"),
        ("{{ book.no_such_thing }}", "no_such_thing"),
        ("{% include 'absent.html' %}", "absent.html"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "unsafe"),
    ],
)
def test_a_template_that_does_not_work_is_told(tmp_path: Path, book: Book, text: str, told: str) -> None:
    look = write(tmp_path, "parts/terms.html", text)
    with pytest.raises(BadOption) as problem:
        write_site(book, tmp_path / "site", look)
    assert told in str(problem.value)


def test_a_name_that_replaces_nothing_is_pointed_out(tmp_path: Path) -> None:
    look = write(tmp_path, "part/terms.html", "x")
    write(tmp_path, "custom.css", "x")
    write(tmp_path, "my_logo_notes_for_later.txt", "x")
    notes = check_templates(look)
    assert len(notes) == 1 and "`part/terms.html`" in notes[0] and "`parts/terms.html`" in notes[0]


def test_there_must_be_such_a_folder(tmp_path: Path) -> None:
    from rulescript.docgen import build_site

    with pytest.raises(BadOption, match="no folder"):
        build_site(rulescript.load(LAKES), tmp_path, templates=tmp_path / "absent")


def test_every_page_has_a_template_and_every_template_is_documented(book: Book) -> None:
    names = {p.relative_to(OWN_TEMPLATES).as_posix() for p in OWN_TEMPLATES.rglob("*") if p.is_file()}
    for page in pages_of(book):
        assert page.template in names
        if page.name != "book":
            assert f"parts/{page.template}" in names
            assert f"markdown/{page.template.replace('.html', '.md')}" in names
    text = (Path(__file__).resolve().parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
    for name in names:
        stem = name.replace("markdown/", "").removesuffix(".md").removeprefix("parts/").removesuffix(".html")
        assert f"`{name}`" in text or f"`{stem}`" in text, f"docs/reference.md does not speak of {name}"
