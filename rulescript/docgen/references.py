"""``python -m rulescript.docgen.references FOLDER``: the references of all games, with a page that leads to them.

What `make references` runs. A game that cannot be printed is named, and the others are printed all the same.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from markupsafe import escape

from rulescript.docgen.build import build_site
from rulescript.errors import RulescriptError

__all__ = ["main", "print_all"]

FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>References</title>
<link rel="stylesheet" href="{style}">
</head>
<body>
<main>
<h1>References</h1>
<p class="lead">Printed by rulescript from the rules of the games.</p>
<ul class="tiles">
{items}
</ul>
</main>
</body>
</html>
"""


def print_all(folder: Path, more: tuple[str, ...] = ()) -> list[str]:
    """Print the games that come with the program, and those at some paths; what went wrong, a line each."""
    import rulescript
    from rulescript.loader import bundled_games

    items: list[str] = []
    problems: list[str] = []
    style = ""
    for name in (*bundled_games(), *more):
        began = time.monotonic()
        try:
            game = rulescript.load(name)
            target = folder / game.ident
            build_site(game, target)
        except RulescriptError as problem:
            problems.append(f"{name}: {str(problem).splitlines()[0]}")
            continue
        style = style or f"{game.ident}/style.css"
        items.append(f'<li><a href="{escape(game.ident)}/index.html">{escape(game.title)}</a></li>')
        print(f"{target / 'index.html'}  ({time.monotonic() - began:.0f} s)", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    page = FRAME.format(style=escape(style), items="\n".join(items))
    (folder / "index.html").write_text(page, encoding="utf-8", newline="\n")
    return problems


def main() -> int:
    """Run it; the exit code."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "references")
    problems = print_all(folder, tuple(sys.argv[2:]))
    for problem in problems:
        print(f"not printed: {problem}", file=sys.stderr)
    print(f"open {folder / 'index.html'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
