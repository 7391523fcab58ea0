"""How it is told that a rule gives away something hidden: in the words of the one who wrote it, with what hides it."""

from __future__ import annotations

from rulescript.analysis.looking import rule_line
from rulescript.analysis.looks_into import Read
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.source import Span

__all__ = ["is_within", "report_read", "report_text", "report_words"]

_SAYS = {"hidden": "nothing", "nonempty": "whether it is empty", "count": "how many there are"}


def report_read(
    game: m.Game,
    reporter: Reporter,
    read: Read,
    span: Span,
    cites: tuple[str, ...],
    chooser: ir.X,
    what: str,
    picked: ir.Var | None = None,
) -> None:
    who = chooser.span.text.strip()
    is_name = not isinstance(chooser, ir.Local) or who == chooser.var.name
    who = f"`{who}`" if is_name and "\n" not in who and 0 < len(who) < 30 else "who chooses"
    if who.startswith("`choose"):
        who = "who chooses"
    if read.face_down is not None:
        _report_face_down(game, reporter, read, span, cites, who, what)
        return
    if read.of_any is not None:
        reporter.error(
            "RS311",
            f"{what} reads of any {read.of_any.name} what only those may know who know where it lies",
            span,
            "hidden",
            [*_looked(read, span)],
            "ask it of those that they can see, in the place where these lie: `c in PLACE and ...`",
            rule_line(game, cites),
        )
        return
    sees = _SAYS.get(read.level, "only part of it")
    assert isinstance(read.place, ir.ContentsX)
    inside = read.place.holds
    said_at = inside.declared.name.span if inside.declared is not None else inside.span
    hint = "test something they can see, or write `peeks` at the end of the `require` if the rules let them look"
    if what == "this condition":
        hint = "test something they can see; if the rules let them look, write `require ... peeks` under the choice"
    elif what == "how many are chosen":
        hint = "count something they can see"
    owner = inside.owner
    if owner is not None and owner is game.players and all(v.who is None for v in inside.visibility):
        hint = f"if its owner may look into it, write `holds {inside.name}: {inside.kind.name}, visible to it, ...`"
    elif picked is not None:
        shown = " ".join(span.text.split())
        hint = (
            "let them choose from something they can see; if they take one that they do not know, draw it "
            f"(`draw 1 from {shown} to ...`); if the rules let them look, say so under the choice: "
            f"`require {picked.name} in {shown} peeks`"
        )
    reporter.error(
        "RS311",
        f"{what} looks into `{inside.name}`, of which {who} may see {sees}",
        span,
        "hidden",
        [*_looked(read, span), Label(said_at, f"`{read.level}` is all that is sure")],
        hint,
        rule_line(game, cites),
    )


def _looked(read: Read, span: Span) -> list[Label]:
    """Where a name got the value that tells something hidden, if not at the place at fault."""
    return [] if is_within(read.place.span, span) else [Label(read.place.span, "it is looked into here")]


def report_text(game: m.Game, reporter: Reporter, read: Read, alt: ir.Alt, part: ir.X) -> None:
    """The words of an option tell what its chooser may not see."""
    report_words(game, reporter, read, f"`{alt.label}`", alt.cites, part)


def report_words(game: m.Game, reporter: Reporter, read: Read, whose: str, cites: tuple[str, ...], part: ir.X) -> None:
    shown = " ".join(part.span.text.split())
    what = f"`{{{shown}}}`" if 0 < len(shown) < 40 else "this"
    if read.face_down is not None:
        where, said_at = f"what may lie face down ({read.face_down.name})", read.face_down.span
    elif read.of_any is not None:
        where, said_at = f"any {read.of_any.name}, wherever it lies", read.of_any.span
    else:
        assert isinstance(read.place, ir.ContentsX)
        holds = read.place.holds
        sees = _SAYS.get(read.level, "only part of it")
        who = "who chooses" if whose.startswith("`") else "not everybody"
        where = f"`{holds.name}`, of which {who} may see {sees if who == 'who chooses' else 'what lies there'}"
        said_at = holds.declared.name.span if holds.declared is not None else holds.span
    reporter.error(
        "RS345",
        f"the words of {whose} tell something hidden: {what} looks into {where}",
        part.span,
        "hidden",
        [*_looked(read, part.span), Label(said_at, "declared here")],
        "leave it out of the words, or tell something that they can see",
        rule_line(game, cites),
    )


def _report_face_down(
    game: m.Game, reporter: Reporter, read: Read, span: Span, cites: tuple[str, ...], who: str, what: str
) -> None:
    kind = read.face_down
    assert kind is not None and kind.hidden is not None
    _, condition, known = kind.hidden
    own = f"their own (`{' '.join(known.span.text.split())}`) or at " if known is not None else ""
    shut = " ".join(condition.span.text.split())
    lies_open = f"not ({shut})" if isinstance(condition, ir.AndX | ir.OrX) else f"not {shut}"
    if isinstance(condition, ir.NotX):
        lies_open = shut.removeprefix("not ")
    reporter.error(
        "RS311",
        f"{what} tells things of {kind.name} apart that may lie face down for {who}",
        span,
        "hidden",
        [Label(condition.span, "then it lies face down")],
        f"look only at {own}what lies open (`{lies_open}`); {_by_lot(read, what)}or write `peeks` at the end of the "
        "`require` if the rules let them look",
        rule_line(game, cites),
    )


def _by_lot(read: Read, what: str) -> str:
    """What to write where somebody is to point at one of those that they cannot tell apart."""
    place = read.place
    while isinstance(place, ir.FilterX):
        place = place.source
    if what != "the list of candidates" or not isinstance(place, ir.ContentsX):
        return ""
    holds = place.holds
    there, asked = holds.name, ""
    if holds.owner is not None:
        there, asked = f"{holds.owner.name.upper()}.{holds.name}", f"let them choose the {holds.owner.name} and "
    to = f" to {there}" if holds.kind.is_pieces else ""
    return f"to point at one that they do not know, {asked}draw it there (`draw 1 from {there}[...]{to} as found`); "


def is_within(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end
