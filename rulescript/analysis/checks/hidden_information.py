"""Requirements that read what their chooser may not see: the list of options would give it away.

For every place a requirement (or the list of candidates itself) looks into, two questions: how much of it
must be seen to answer (that there is something, how many, what), and how much the chooser is sure to see.
The second is read off the place's visibility lines, with the owner put in for `it`. A line holds for sure
when whom it names is the same expression as who chooses, or is known to be equal from the requirements
and filters around it. Where nothing is sure, the chooser is one of the others.

A thing that may lie face down (`hidden when C, known to P`) is looked at by itself, in whatever place it lies: all
see that it is there, that it lies face down (what C reads) and whose it is (what P reads). Anything else may be
read only of those that the requirements and filters around have narrowed down to what the chooser is sure to
know: his own, or what does not lie face down. What lies in a place of the chooser's own counts as his; and where it
cannot be told whether those of `side == X` are his, the writer is believed, unless he or X is a name of the rule.

Calls are looked through, with the arguments put in for the parameters. `peeks` on a requirement says that
the rulebook really lets the player look; it also covers the candidates of its own alternative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from attrs import Factory, define, evolve

from rulescript.analysis.checks.looking import deep, fields_of, parts_in, rule_line, same
from rulescript.analysis.handing_on import handed_by, statements_of
from rulescript.analysis.kept_secrets import Places, hidden_names, hiding_places, lying_in, places_of, shown_by
from rulescript.analysis.scenes import Scene, scenes_of
from rulescript.analysis.veiled_parameters import veiled_at_choices
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import conjuncts, free_vars, statements_in
from rulescript.model.types import BOOL, Maybe, PieceOf, SetOf, ThingOf
from rulescript.source import Span

__all__ = [
    "asked_on_the_way",
    "bodies_of",
    "check_hidden_information",
    "forget_rule",
    "is_from_anywhere",
    "is_open",
    "never_in",
]

LEVELS = ("hidden", "nonempty", "count", "order", "top", "visible")
# What may be needed of a place besides: "lying", each thing in it as it lies there, face down or not.
_SAYS = {"hidden": "nothing", "nonempty": "whether it is empty", "count": "how many there are"}
MOST_CALLS = 12
DEEPEST = 40  # where it is counted how many are written out
MOST_WRITTEN_OUT = 3_000


def check_hidden_information(game: m.Game, reporter: Reporter) -> None:
    """No list of options gives away what is hidden from the one who chooses."""
    if not game.has_secrets():
        return
    scenes: dict[int, Scene] = {}
    places = hiding_places(game)
    for procedure in game.every_procedure():
        scenes |= scenes_of(procedure, places)
    veiled = _veiled_before(game)
    told_of: dict[Any, dict[int, Read | None]] = {}
    at_fault: set[int] = set()
    for procedure, choose in game.chooses:
        chooser = choose.by
        if choose.any_of and choose.chooser_var is not None:
            chooser = ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)
        handed = veiled.get(id(choose), [])
        told = [param for param in procedure.params if param.told_of]
        for alt in choose.alts:
            for number in range(max((len(sources) for _, sources in handed), default=1)):
                known = reporter.count
                _alternative(
                    game,
                    reporter,
                    alt,
                    chooser,
                    scenes.get(id(choose)),
                    told_of,
                    [(param, sources[min(number, len(sources) - 1)]) for param, sources in handed],
                    told,
                )
                if reporter.count > known:
                    at_fault.add(id(choose))
                    break
    for aside in game.asides:
        _alternative(game, reporter, aside.alt, aside.taker)
    _handed_over(game, reporter, scenes, at_fault)
    _last_words(game, reporter, places)
    _states_of_pieces(game, reporter)


def _handed_over(game: m.Game, reporter: Reporter, scenes: dict[int, Scene], at_fault: set[int]) -> None:
    """Who is asked by a rule may know what the rule is handed for it. Whether that is so, is seen where it is called:
    there is said who is asked, and where the things lie. Choices `at_fault` were reported already."""
    learning: dict[int, list[ir.X]] = {}

    def learns(param: ir.Var, who: ir.X, procedure: m.Procedure) -> bool:
        """Note that somebody learns something of a parameter; whether that was not known."""
        known = learning.setdefault(param.ident, [])
        if not free_vars(who) <= {each.ident for each in procedure.params} or len(known) >= MOST_CALLS:
            return False
        if any(same(who) == same(other) for other in known):
            return False
        known.append(who)
        return True

    for procedure, choose in game.chooses:
        if id(choose) in at_fault:
            continue
        asked = [x for alt in choose.alts for clause in alt.clauses if not clause.peeks for x in _asked_by(clause)]
        offered = [(alt.picks, alt.many, alt.text) for alt in choose.alts]
        for param in _learnt(procedure, [asked, offered], scenes.get(id(choose))):
            learns(param, choose.by, procedure)
    calls = [
        (procedure, scenes[id(statement)], list(handed_by(statement)))
        for procedure in game.every_procedure()
        for statement in statements_of(procedure)
        if isinstance(statement, ir.CallS | ir.SignalS | ir.DoesS) and id(statement) in scenes
    ]
    is_changed = True
    while is_changed:
        is_changed = False
        for procedure, scene, handed in calls:
            given = {param.ident: arg for param, arg in handed}
            for param, arg in handed:
                for chooser in learning.get(param.ident, ()):
                    for outer in _learnt(procedure, [arg], scene):
                        is_changed = learns(outer, substitute(chooser, given), procedure) or is_changed
    for _, scene, handed in calls:
        given = {param.ident: arg for param, arg in handed}
        found: set[int] = set()
        for param, arg in handed:
            for chooser in learning.get(param.ident, ()) if id(arg) not in found else ():
                who = _as_player(game, substitute(chooser, given))
                knows = Knows(who, players=game.players)
                for var, source in scene.names:
                    knows = _within_filter(var, source, knows).veiling(var, face_down(source, knows))
                unseen = _computed(knows, scene, _unseen(knows, scene), {}, (arg,))
                read = next(iter((*_named_in(arg, unseen), *reads(arg, knows, "visible"))), None)
                if read is not None:
                    found.add(id(arg))
                    _report(game, reporter, read, arg.span, (), who, "what is handed on here, to be asked about,")
                    break


def _learnt(procedure: m.Procedure, parts: Any, scene: Scene | None) -> list[ir.Var]:
    """The parameters of a rule that tell somebody something who learns of some parts: themselves, or by names for what
    is worked out from them. What came into the open tells nothing more."""
    names = _names_in(parts)
    todo = list(names)
    while scene is not None and todo:
        for at in scene.lets.by_name.get(todo.pop(), ()):
            if at < scene.most:
                more = _names_in(scene.lets.order[at].value).keys() - names.keys()
                names |= dict.fromkeys(more)
                todo += more
    opened = scene.opened if scene is not None else frozenset()
    return [param for param in procedure.params if param.ident in names.keys() - opened]


def _as_player(game: m.Game, who: ir.X) -> ir.X:
    """A player who can be worked out, by name."""
    number = worked_out(who, {})
    if game.players is None or not isinstance(number, int) or isinstance(number, bool):
        return who
    return ir.ThingLit(ThingOf(game.players.name), who.span, game.players, number)


def _last_words(game: m.Game, reporter: Reporter, places: Places) -> None:
    """How a game ended is told to everybody: it names nothing that somebody may not know."""
    for procedure in game.every_procedure():
        blocks = (procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after)))
        endings = [s for block in blocks for s in statements_in(block) if isinstance(s, ir.EndS) and s.how is not None]
        names = hidden_names(procedure, places) if endings else {}
        for ending in endings:
            assert ending.how is not None
            everybody = Knows(ir.Lit(BOOL, ending.span, None), trusting=False)
            for part in ending.how.parts:
                found = [read for y in deep(part) for read in _named(y, names, everybody)]
                if isinstance(part, ir.X) and found:
                    _report_words(game, reporter, found[0], "the end of the game", ending.cites, part)


def _named(y: Any, names: dict[int, list[ir.ContentsX]], knows: Knows) -> Iterator[Read]:
    """The places that hide what a name or a state stands for."""
    places: list[ir.ContentsX] = []
    if isinstance(y, ir.Local):
        places = names.get(y.var.ident, [])
    elif isinstance(y, ir.StateX) and y.state.kept_from:
        places = list(places_of(y))
    for place in places:
        if level_of(place, knows) != "visible":
            yield Read(place, level_of(place, knows))


def _states_of_pieces(game: m.Game, reporter: Reporter) -> None:
    """Who sees a piece sees its states, so what can be hidden by itself cannot be one of them."""
    hidden = {holds.kind.name: holds for holds in game.every_place() if holds.visibility}
    for kind in game.kinds.values():
        for state in kind.states.values() if kind.is_pieces else ():
            type_ = state.type.element if isinstance(state.type, Maybe) else state.type
            if not isinstance(type_, ThingOf):
                continue
            held = game.kinds.get(type_.kind)
            if held is None or (held.name not in hidden and held.hidden is None):
                continue
            where = Label(hidden[held.name].span, "not for all to see") if held.name in hidden else None
            reporter.error(
                "RS346",
                f"`{state.name}` of a piece is seen by all who see the piece, and a {held.name} is not for all to know",
                state.span,
                f"a {held.name} may be hidden",
                [where] if where is not None else [],
                f"declare {kind.name} as a `kind`: what a single thing's state holds is told to those who may know it",
                rule_line(game, state.cites),
            )


def _veiled_before(game: m.Game) -> dict[int, list[tuple[ir.Var, list[ir.X]]]]:
    """For each choice the parameters of its rule that stand for what may lie face down, with where they get it."""
    out: dict[int, list[tuple[ir.Var, list[ir.X]]]] = {}
    for procedure in {id(procedure): procedure for procedure, _ in game.chooses}.values():
        out |= veiled_at_choices(procedure)
    return out


def _computed(
    knows: Knows, scene: Scene, unseen: dict[int, Read], told: dict[int, Read | None], parts: Any
) -> dict[int, Read]:
    """The names in some parts whose value was worked out from what the chooser may not see, with the place that was
    looked into. `told` keeps what was found out of a value: the same names are used by one choice after the other."""
    lets, most = scene.lets, scene.most
    asked = _names_in(parts)
    needed: set[int] = set()
    todo = list(asked)
    while todo:
        for at in lets.by_name.get(todo.pop(), ()):
            if at < most and at not in told and at not in needed:
                needed.add(at)
                todo += _names_in(lets.order[at].value)

    def found(ident: int, at: int) -> Read | None:
        if ident in scene.opened:
            return None
        reads_of = (told[i] for i in lets.by_name.get(ident, ()) if i < at and told.get(i) is not None)
        return unseen.get(ident) or next(reads_of, None)

    for at in sorted(needed):
        value = lets.order[at].value
        named = (read for ident in _names_in(value) if (read := found(ident, at)) is not None)
        looked = (read for read in reads(value, knows, "visible") if not _was_shown(read, scene, knows))
        told[at] = next(named, None) or next(looked, None)
    return unseen | {ident: read for ident in asked if (read := found(ident, most)) is not None}


def _was_shown(read: Read, scene: Scene, knows: Knows, var: ir.Var | None = None) -> bool:
    """Whether what lies in a place, or has a name, was shown to the chooser meanwhile: then it may be known."""
    holds = read.place.holds if isinstance(read.place, ir.ContentsX) else None
    for statement in scene.shown:
        if statement.to is not None and not isinstance(statement.to.type, SetOf) and not knows.equal(statement.to):
            continue
        if isinstance(statement.what, ir.Local):
            if statement.what.var is var:
                return True
        elif holds is not None and {id(holds), id(holds.kind)} & set(shown_by(statement.what)):
            return True
    return False


def _named_in(part: Any, unseen: dict[int, Read]) -> list[Read]:
    """What the names in a part stand for that the chooser may not see."""
    return [unseen[ident] for ident in _names_in(part) if ident in unseen]


def _names_in(parts: Any) -> dict[int, None]:
    return dict.fromkeys(y.var.ident for y in deep(parts) if isinstance(y, ir.Local))


def _unseen(knows: Knows, scene: Scene) -> dict[int, Read]:
    """The names that stand for what the chooser may not see, with the place it lies in."""
    out: dict[int, Read] = {}
    for var, source in scene.names:
        if var.ident in scene.pickers and knows.equal(scene.pickers[var.ident]):
            continue  # who has picked something knows what it was
        base: ir.X = source
        while isinstance(base, ir.FilterX):
            base = base.source
        for place in (base,) if isinstance(base, ir.ContentsX) else lying_in(source):
            read = Read(place, level_of(place, knows))
            if read.level != "visible" and not _was_shown(read, scene, knows, var):
                out[var.ident] = read
    return out


def _told_unseen(knows: Knows, params: Sequence[ir.Var]) -> dict[int, Read]:
    """The parameters that were worked out from what lies face down for the chooser."""
    out: dict[int, Read] = {}
    for param in params:
        for ident, source, value in param.told_of:
            var = ir.Var("it", source.type, "element", ident)
            inside = _within_filter(var, source, knows).veiling(var, face_down(source, knows))
            read = next(reads(value, inside, "visible"), None)
            if read is not None:
                out[param.ident] = read
    return out


def _alternative(
    game: m.Game,
    reporter: Reporter,
    alt: ir.Alt,
    chooser: ir.X,
    scene: Scene | None = None,
    told_before: dict[Any, dict[int, Read | None]] | None = None,
    handed: Sequence[tuple[ir.Var, ir.X]] = (),
    told_of: Sequence[ir.Var] = (),
) -> None:
    knows = Knows(chooser, players=game.players)
    around = [*(scene.names if scene is not None else ()), *handed]
    for var, source in around:
        # Who has picked something knows what it was.
        is_own = scene is not None and var.ident in scene.pickers and knows.equal(scene.pickers[var.ident])
        knows = _within_filter(var, source, knows).veiling(var, None if is_own else face_down(source, knows))
    sources = [source for _, source in alt.picks]
    if alt.many is not None:
        sources.append(alt.many[3])
    unseen = _told_unseen(knows, told_of)
    amounts = alt.many[1] if alt.many is not None else None
    lifted = [x for clause in alt.clauses for x in _asked_by(clause)]
    if scene is not None:
        unseen = _unseen(knows, scene) | unseen
        moment = (same(chooser), scene.moment, *((var.ident, id(source)) for var, source in handed))
        told_values = told_before.setdefault(moment, {}) if told_before is not None else {}
        unseen = _computed(knows, scene, unseen, told_values, (sources, lifted, alt.text, amounts))
    for clause in alt.clauses:
        knows.learn(clause.condition)
    for var, source in alt.picks:
        knows = _within_filter(var, source, knows)
    placed = frozenset(var.ident for var, source in alt.picks if _from_places(source))
    # What is offered may be named, whatever lets it be.
    outer = {var.ident for var, _ in around}
    veiled = {ident: kind for ident, kind in knows.veiled.items() if ident in outer}
    told = evolve(knows, veiled=veiled, faces=not any(clause.peeks for clause in alt.clauses), placed=placed)
    if not any(_lets_look(clause, alt, knows) for clause in alt.clauses):
        _offered(game, reporter, alt, sources, knows, unseen)
    for part in alt.text.parts if alt.text is not None else ():
        if isinstance(part, ir.X):
            for read in (*_named_in(part, unseen)[:1], *reads(part, told, "visible")):
                _report_text(game, reporter, read, alt, part)
                break
    # What lay face down may have been turned up before so many are asked for, or before an amendment counts: there the
    # writer is believed.
    given = {var.ident for var, _ in handed}
    believing = evolve(knows, faces=False, veiled={i: kind for i, kind in knows.veiled.items() if i in given})
    for clause in alt.clauses:
        if clause.peeks and not clause.is_guard:
            continue
        sees = believing if clause.is_guard else knows
        for x in _asked_by(clause):
            named = _named_in(x, unseen)
            for read in (*named[:1], *reads(x, sees, "visible")):
                span = read.place.span if _within(read.place.span, x.span) else x.span
                what = "this condition" if clause.is_guard else "this requirement"
                _report(game, reporter, read, span, clause.cites, chooser, what)
    amount = alt.many[1] if alt.many is not None else None
    if amount is not None and not any(clause.peeks and not clause.is_guard for clause in alt.clauses):
        named = _named_in(amount, unseen)
        for read in (*named[:1], *reads(amount, believing, "visible")):
            _report(game, reporter, read, amount.span, alt.cites, chooser, "how many are chosen")
            break


def _offered(
    game: m.Game, reporter: Reporter, alt: ir.Alt, sources: Sequence[ir.X], knows: Knows, unseen: dict[int, Read]
) -> None:
    """What the lists of candidates of an alternative give away."""
    what = "the list of candidates"
    for source in sources:
        for y in deep(source):
            if isinstance(y, ir.Local) and y.var.ident in unseen:
                _report(game, reporter, unseen[y.var.ident], y.span, alt.cites, knows.chooser, what)
                break
    for at, source in enumerate(sources):
        picked = alt.picks[at][0] if at < len(alt.picks) else None
        for read in candidates(source, picked, knows):
            _report(game, reporter, read, read.place.span, alt.cites, knows.chooser, what, picked)


def _lets_look(clause: ir.Clause, alt: ir.Alt, knows: Knows) -> bool:
    """Whether a requirement lets the chooser look at the candidates: it says `peeks` of what is picked, and not of
    something else that it reads itself."""
    if not clause.peeks:
        return False
    picked = {var.ident for var, _ in alt.picks} | ({alt.many[2].ident} if alt.many is not None else set())
    if not any(isinstance(part, ir.Local) and part.var.ident in picked for part in deep(clause.condition)):
        return False
    match clause.condition:
        case ir.InX(element=ir.Local(var=var)) if var.ident in picked:
            return True
    return next(reads(clause.condition, knows, "visible"), None) is None


def _from_places(source: ir.X, calls: int = 0) -> bool:
    """Whether things are picked from the places they lie in, and not out of all there are."""
    parts = list(deep(source))
    if any(isinstance(part, ir.AllThings | ir.ThingLit) and part.type == source.type for part in parts):
        return False
    called = [part.function for part in parts if isinstance(part, ir.CallX)]
    if calls >= MOST_CALLS or any(isinstance(part, ir.StateX) and isinstance(part.type, SetOf) for part in parts):
        return False
    bodies = [body for function in called for body in bodies_of(function)]
    inside = [body for body in bodies if body.type == source.type]
    return any(isinstance(part, ir.ContentsX) for part in parts) or (
        bool(inside) and all(_from_places(body, calls + 1) for body in inside)
    )


def _report(
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
        _report_face_down(game, reporter, read.face_down, span, cites, who, what)
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
            "let them choose from something they can see; if the rules let them look, say so under the choice: "
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
    return [] if _within(read.place.span, span) else [Label(read.place.span, "it is looked into here")]


def _report_text(game: m.Game, reporter: Reporter, read: Read, alt: ir.Alt, part: ir.X) -> None:
    """The words of an option tell what its chooser may not see."""
    _report_words(game, reporter, read, f"`{alt.label}`", alt.cites, part)


def _report_words(game: m.Game, reporter: Reporter, read: Read, whose: str, cites: tuple[str, ...], part: ir.X) -> None:
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
    game: m.Game, reporter: Reporter, kind: m.Kind, span: Span, cites: tuple[str, ...], who: str, what: str
) -> None:
    assert kind.hidden is not None
    _, condition, known = kind.hidden
    own = f"their own (`{' '.join(known.span.text.split())}`) or at " if known is not None else ""
    shut = " ".join(condition.span.text.split())
    reporter.error(
        "RS311",
        f"{what} tells things of {kind.name} apart that may lie face down for {who}",
        span,
        "hidden",
        [Label(condition.span, "then it lies face down")],
        f"look only at {own}what lies open (`not {shut}`); or write `peeks` at the end of the `require` if the rules "
        "let them look",
        rule_line(game, cites),
    )


def _within(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end


# ------------------------------------------------------------------ what is read


@define
class Read:
    """A place that is looked into, and the level at which the chooser is sure to see it. `face_down` is the kind of
    what lies there where that, and not the place, is what hides it."""

    place: ir.X
    level: str
    face_down: m.Kind | None = None
    # Of a thing wherever it lies: what is read of it, its state or where it is.
    of_any: m.Kind | None = None


@define
class _Asked:
    """The rules that were asked about some values already, and what was asked where less was known: there it looked
    into no fewer places."""

    calls: set[Any] = Factory(set)
    outer: _Asked | None = None

    def again(self, rule: m.Function | m.Route | m.Table, args: Sequence[ir.X]) -> bool:
        """Whether it is not the first time; from now on it is not."""
        call = (id(rule), same(args))
        here: _Asked | None = self
        while here is not None:
            if call in here.calls:
                return True
            here = here.outer
        self.calls.add(call)
        return False


@define
class Knows:
    """Who chooses, which expressions are known to be equal, and what is known not to be so.

    `veiled` are the names that stand for things which may lie face down; `faces`: whether that matters."""

    chooser: ir.X
    pairs: set[tuple[Any, Any]] = Factory(set)
    denied: set[Any] = Factory(set)
    veiled: dict[int, m.Kind] = Factory(dict)
    faces: bool = True
    # Whether what cannot be told of an owner is believed to be so; of somebody who stands by, nothing is.
    trusting: bool = True
    # Whether it is somebody who stands by, and does not know the values of a rule's own names.
    stands_by: bool = False
    # Whether a rule is looked at without those that it asks.
    is_alone: bool = False
    # Names of things that the chooser picks from what they see: they also see where these lie.
    placed: frozenset[int] = frozenset()
    # Things that are known to lie in a place, of which it was asked before whether they do.
    lying: set[Any] = Factory(set)
    equals: list[tuple[ir.X, ir.X]] = Factory(list)
    unequals: list[tuple[ir.X, ir.X]] = Factory(list)
    players: m.Kind | None = None
    # How many calls were written out so far for one question; all that is known of it shares the count.
    written_out: list[int] = Factory(lambda: [0])
    # The rules that were gone through, with all that they ask, because no more could be written out.
    gone_through: set[int] = Factory(set)
    asked: _Asked = Factory(_Asked)

    def may_write_out(self, calls: int) -> bool:
        """Whether one more call is written out: rules that ask each other twice would go on without end."""
        if calls >= DEEPEST or self.written_out[0] >= MOST_WRITTEN_OUT:
            return False
        self.written_out[0] += 1
        return True

    def learn(self, condition: ir.X, calls: int = 0) -> None:
        """What holds once a condition does."""
        if isinstance(condition, ir.AndX):
            for part in condition.parts:
                self.learn(part, calls)
        elif isinstance(condition, ir.CompareX) and condition.operator == "==":
            a, b = same(condition.left), same(condition.right)
            self.pairs |= {(a, b), (b, a)}
            self.equals += [(condition.left, condition.right), (condition.right, condition.left)]
        elif isinstance(condition, ir.CompareX) and condition.operator == "!=":
            a, b = same(condition.left), same(condition.right)
            self.denied |= {("==", a, b), ("==", b, a)}
            self.unequals += [(condition.left, condition.right), (condition.right, condition.left)]
        elif isinstance(condition, ir.NotX):
            self._unlearn(condition.of)
        elif isinstance(condition, ir.InX) and not condition.negated and isinstance(condition.source, ir.ContentsX):
            self.lying.add(same(condition.element))
        elif isinstance(condition, ir.CallX) and self.may_write_out(calls):
            given = {p.ident: a for p, a in zip(condition.function.params, condition.args, strict=True)}
            for clause in condition.function.clauses:
                if clause.when is None and not clause.lifted:
                    self.learn(substitute(clause.condition, given), calls + 1)
            match condition.function.block:
                case (ir.ReturnS(value=ir.X() as value),) if not condition.function.adjustments:
                    self.learn(substitute(value, given), calls + 1)

    def _unlearn(self, condition: ir.X) -> None:
        """What holds once a condition does not."""
        match condition:
            case ir.NotX(of=of):
                self.learn(of)
            case ir.OrX(parts=parts):
                for part in parts:
                    self._unlearn(part)
            case ir.CompareX(operator="==" | "!=" as operator):
                opposite = {"==": "!=", "!=": "=="}[operator]
                self.learn(ir.CompareX(BOOL, condition.span, opposite, condition.left, condition.right))
            case _:
                self.denied.add(same(condition))

    def also(self, condition: ir.X) -> Knows:
        more = evolve(
            self,
            pairs=set(self.pairs),
            denied=set(self.denied),
            equals=list(self.equals),
            unequals=list(self.unequals),
            lying=set(self.lying),
            asked=_Asked(outer=self.asked),
        )
        more.learn(condition)
        return more

    def without(self, condition: ir.X) -> Knows:
        """What is known where a condition does not hold."""
        return self.also(ir.NotX(BOOL, condition.span, condition))

    def veiling(self, var: ir.Var, kind: m.Kind | None) -> Knows:
        """The same, with a name for what may lie face down (or surely does not)."""
        others = {ident: k for ident, k in self.veiled.items() if ident != var.ident}
        veiled = others if kind is None else {**others, var.ident: kind}
        return evolve(self, veiled=veiled, asked=_Asked())

    def denies(self, condition: ir.X) -> bool:
        """Whether a condition is sure not to hold."""
        match condition:
            case ir.AndX(parts=parts):
                return any(self.denies(part) for part in parts)
            case ir.OrX(parts=parts):
                return all(self.denies(part) for part in parts)
            case ir.NotX(of=of):
                return self.holds(of)
            case ir.CompareX(operator="==", left=left, right=right):
                return ("==", same(left), same(right)) in self.denied
        return same(condition) in self.denied

    def sees(self, thing: ir.X, kind: m.Kind) -> bool:
        """Whether the chooser is sure to know a thing, face down or not."""
        assert kind.hidden is not None
        var, condition, known = kind.hidden
        put = {var.ident: thing}
        if known is not None:
            who = substitute(known, put)
            if self.includes(who) if isinstance(who.type, SetOf) else self.equal(who):
                return True
            if isinstance(known, ir.AttrX) and isinstance(known.of, ir.Local) and self._follows(thing, known.attr):
                return True
            if self.trusting and not isinstance(who.type, SetOf) and self._believes(who):
                return True
        return self.denies(substitute(condition, put))

    def _believes(self, owner: ir.X) -> bool:
        """Whether something is said of an owner that makes him the chooser: `side != active` where the enemy of
        `active` chooses. What cannot be worked out is believed."""
        it = same(owner)
        said = [(True, value) for fact, value in self.equals if same(fact) == it]
        said += [(False, value) for fact, value in self.unequals if same(fact) == it]
        return bool(said) and all(self._has_to_be(value, equal) for equal, value in said)

    def _has_to_be(self, value: ir.X, equal: bool) -> bool:
        """Whether the chooser is somebody (is not, if not `equal`) whoever that is, as far as it can be worked out."""
        if self.players is None:
            return True
        atoms = {same(atom): atom for x in (self.chooser, value) for atom in _atoms(x)}
        if len(atoms) > 1:
            # A name of the rule stands for anybody: that it is whom something else stands for is not believed.
            return not any(isinstance(atom, ir.Local) for atom in atoms.values())
        for number in range(self.players.size):
            given = dict.fromkeys(atoms, number)
            chooser, other = worked_out(self.chooser, given), worked_out(value, given)
            if chooser is not None and other is not None and (chooser == other) is not equal:
                return False
        return True

    def _follows(self, thing: ir.X, owner: m.Attr) -> bool:
        """Whether a thing's owner is sure to be the chooser by what else it is known to be: where all units of a
        nation are of the nation's side, a unit of nation n is known to n's side."""
        it = same(thing)
        choosers = [self.chooser, *(other for one, other in self.equals if same(one) == same(self.chooser))]
        for fact, value in self.equals:
            if not isinstance(fact, ir.AttrX) or same(fact.of) != it or fact.attr.kind is not owner.kind:
                continue
            pairs = list(zip(fact.attr.values, owner.values, strict=True))
            for chooser in choosers:
                match value, chooser:
                    case ir.ThingLit(index=index), ir.ThingLit(index=number):
                        owners = [known for other, known in pairs if other == m.ThingRef(value.kind.name, index)]
                        if all(known == m.ThingRef(chooser.kind.name, number) for known in owners):
                            return True
                    case _, ir.AttrX(attr=attr, of=of) if same(of) == same(value):
                        if all(isinstance(o, m.ThingRef) and attr.values[o.index] == known for o, known in pairs):
                            return True
        return False

    def equal(self, x: ir.X) -> bool:
        """Whether an expression is sure to be the chooser, perhaps by way of a third that both are equal to."""
        wanted = same(self.chooser)
        seen: set[Any] = set()
        todo = [same(x)]
        while todo:
            here = todo.pop()
            if here == wanted:
                return True
            if here not in seen:
                seen.add(here)
                todo += [b for a, b in self.pairs if a == here]
        return False

    def includes(self, who: ir.X) -> bool:
        """Whether a set of players is sure to have the chooser in it."""
        match who:
            case ir.AllThings():
                return True
            case ir.SetX(items=items):
                return any(self.equal(item) for item in items)
            case ir.SetOpX(operator="+", left=left, right=right):
                return self.includes(left) or self.includes(right)
            case ir.FilterX(source=source, var=var, condition=condition):
                inside = substitute(condition, {var.ident: self.chooser})
                return self.includes(source) and self.holds(inside)
        return False

    def holds(self, condition: ir.X) -> bool:
        match condition:
            case ir.AndX(parts=parts):
                return all(self.holds(part) for part in parts)
            case ir.OrX(parts=parts):
                return any(self.holds(part) for part in parts)
            case ir.CompareX(operator="==", left=left, right=right):
                a, b = same(left), same(right)
                if a == b or (a, b) in self.pairs:
                    return True
                # x.team == y.team holds where x and y are the same.
                return bool(self._one(a) == self._one(b))
        return False

    def _one(self, key: Any) -> Any:
        """An expression with everything that is the chooser put as the chooser."""
        chooser = same(self.chooser)
        if key == chooser or (key, chooser) in self.pairs:
            return "chooser"
        return tuple(self._one(part) for part in key) if isinstance(key, tuple) else key


def _atoms(x: ir.X) -> Iterator[ir.X]:
    """The names and states from which a player is worked out."""
    match x:
        case ir.CallX(args=args) | ir.BuiltinX(args=args):
            for arg in args:
                yield from _atoms(arg)
        case ir.AttrX(of=of):
            yield from _atoms(of)
        case ir.ThingLit():
            return
        case _:
            yield x


def worked_out(x: ir.X, given: dict[Any, int], calls: int = 0) -> Any:
    """The number of the player an expression comes to, where some are given; None if that cannot be told."""
    key = same(x)
    if key in given:
        return given[key]
    match x:
        case ir.ThingLit(index=index):
            return index
        case ir.AttrX(attr=attr, of=of):
            owner = worked_out(of, given, calls)
            value = attr.values[owner] if isinstance(owner, int) and owner < len(attr.values) else None
            return value.index if isinstance(value, m.ThingRef) else None
        case ir.CompareX(operator="==" | "!=" as operator, left=left, right=right):
            one, other = worked_out(left, given, calls), worked_out(right, given, calls)
            return None if one is None or other is None else (one == other) is (operator == "==")
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            test = worked_out(condition, given, calls)
            return None if test is None else worked_out(then if test else otherwise, given, calls)
        case ir.CallX(function=function, args=args) if not function.adjustments and calls < MOST_CALLS:
            inner = {("name", p.ident): worked_out(a, given, calls) for p, a in zip(function.params, args, strict=True)}
            known = {name: value for name, value in inner.items() if value is not None}
            return _returned(function.block, known, calls + 1)
    return None


def _returned(block: ir.Block, given: dict[Any, int], calls: int) -> Any:
    for statement in block:
        match statement:
            case ir.ReturnS(value=ir.X() as value):
                return worked_out(value, given, calls)
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                test = worked_out(condition, given, calls)
                if test is None:
                    return None
                found = _returned(then if test else otherwise, given, calls)
                if found is not None:
                    return found
            case ir.DocS():
                continue
            case _:
                return None
    return None


def reads(x: ir.X, knows: Knows, needed: str) -> Iterator[Read]:
    """The places an expression looks into further than the chooser may."""
    yield from _reads(x, evolve(knows, asked=_Asked()), needed, 0)


def _reads(x: ir.X, knows: Knows, needed: str, calls: int) -> Iterator[Read]:  # noqa: C901 - one case for each sort of node
    """The same, so many calls deep."""
    match x:
        case ir.Local(is_private=True) if knows.stands_by:
            yield Read(x, "hidden")
            return
        case ir.PlaceOfX(of=ir.Local(is_veiled=True)) if knows.stands_by:
            return  # where it lies is seen by all
        case (
            ir.AttrX(of=ir.Local(is_veiled=True), attr=told)
            | ir.PieceStateX(of=ir.Local(is_veiled=True), state=told)
            | ir.StateX(of=ir.Local(is_veiled=True), state=told)
        ) if knows.stands_by and told.kind is not None and told.kind.hidden is not None and is_open(x, told.kind):
            return
        case ir.Local(is_veiled=True) if knows.stands_by and knows.faces and x.var.ident not in knows.veiled:
            yield Read(x, "hidden")
            return
        case ir.Local(var=var) if var.ident in knows.veiled:
            if not knows.sees(x, knows.veiled[var.ident]):
                yield Read(x, "count", knows.veiled[var.ident])
            return
        case ir.PlaceOfX(of=ir.Local(var=var)) if var.ident in knows.veiled:
            return  # where it lies is seen by all
        case ir.AttrX(of=ir.Local(var=var)) | ir.PieceStateX(of=ir.Local(var=var)) if (
            var.ident in knows.veiled and is_open(x, knows.veiled[var.ident])
        ):
            return
        case ir.StateX(of=ir.Local(var=var)) if var.ident in knows.veiled and is_open(x, knows.veiled[var.ident]):
            return
        case ir.CompareX(operator="==" | "!=", left=ir.StateX() as state, right=ir.Lit(value=None)) | (
            ir.SomeX(source=ir.StateX() as state)
            | ir.BuiltinX(name="count" | "size" | "known", args=(ir.StateX() as state,))
        ) if state.state.kept_from:
            # That there is one, and how many, all may know.
            if state.of is not None:
                yield from _reads(state.of, knows, "visible", calls)
            return
        case ir.StateX(state=m.State(kept_from=[_, *_])) | ir.Local(var=ir.Var(kept_from=[_, *_])):
            yield from _kept(x, knows)
            if isinstance(x, ir.StateX) and x.of is not None:
                yield from _reads(x.of, knows, "visible", calls)
            return
        case ir.StateX(state=m.State(is_unseen=True), of=ir.X() as of) if (
            is_from_anywhere(of) and same(of) not in knows.lying
        ):
            yield Read(x, "hidden", of_any=x.state.kind)
            return
        case ir.ContentsX(holds=m.Holds(is_unseen=True), of=ir.X() as of) if (
            is_from_anywhere(of) and same(of) not in knows.lying
        ):
            yield Read(x, "hidden", of_any=x.holds.owner)
            return
        case ir.ContentsX(of=of):
            level = level_of(x, knows)
            if LEVELS.index(level) < LEVELS.index("visible" if needed == "lying" else needed):
                yield Read(x, level)
            elif needed == "visible" and (kind := face_down(x, knows)) is not None:
                yield Read(x, "count", kind)
            if of is not None:
                yield from _reads(of, knows, "visible", calls)
            return
        case ir.FilterX(source=source, var=var, condition=condition) if (kind := face_down(source, knows)) is not None:
            # One thing after the other is looked at; what is left must be known only where it is told apart.
            inside = _within_filter(var, source, knows).veiling(var, kind)
            yield from _reads(source, knows, "lying", calls)
            yield from _reads(condition, inside, "visible", calls)
            if needed == "visible":
                yield from _reads(ir.Local(_one(kind), x.span, var), inside.also(condition), "visible", calls)
            return
        case ir.AttrX(of=of) if (kind := face_down(of, knows)) is not None and is_open(x, kind):
            yield from _reads(of, knows, "lying", calls)
            return
        case ir.InX(element=ir.Local(var=var), source=ir.ContentsX(of=of)) if var.ident in knows.placed:
            if of is not None:
                yield from _reads(of, knows, "visible", calls)
            return
        case ir.InX(element=element, source=ir.ContentsX() as place) if _knows_it(element, place.holds.kind, knows):
            yield from _reads(element, knows, "visible", calls)
            level = level_of(place, knows)
            if level != "visible":
                yield Read(place, level)
            return
        case ir.AggregateX(picks=picks, value=value, condition=test):
            for var, source in picks:
                yield from _reads(source, knows, "lying" if face_down(source, knows) is not None else "visible", calls)
                knows = _within_filter(var, source, knows).veiling(var, face_down(source, knows))
            if test is not None:
                yield from _reads(test, knows, "visible", calls)
                knows = knows.also(test)
            yield from _reads(value, knows, "visible", calls)
            return
        case ir.SomeX(source=ir.FilterX() as filtered) | ir.BuiltinX(name="count", args=(ir.FilterX() as filtered,)):
            yield from _reads(filtered, knows, "lying" if face_down(filtered, knows) is not None else "visible", calls)
            return
        case ir.SomeX(source=ir.ContentsX() as place):
            yield from _reads(place, knows, "nonempty", calls)
            return
        case ir.BuiltinX(name="count", args=(ir.ContentsX() as place,)):
            yield from _reads(place, knows, "count", calls)
            return
        case ir.CompareX(operator="==" | "!=", left=ir.AttrX(of=ir.Local(var=var)) as left, right=right) if (
            var.ident in knows.veiled
            and knows.also(ir.CompareX(BOOL, x.span, "==", left, right)).sees(left.of, knows.veiled[var.ident])
        ):
            # Where it is so, it is the chooser's own, and of what is not he knows that it is not so.
            yield from _reads(right, knows, "visible", calls)
            return
        case ir.CompareX(left=left, right=right) if needed == "visible":
            yield from _reads(left, knows, "visible", calls)
            yield from _reads(right, knows, "visible", calls)
            return
        case ir.AndX(parts=parts):
            # What an earlier part says is known to the later ones.
            for part in parts:
                yield from _reads(part, knows, "visible", calls)
                knows = knows.also(part)
            return
        case ir.OrX(parts=parts):
            for part in parts:
                yield from _reads(part, knows, "visible", calls)
                knows = knows.without(part)
            return
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            yield from _reads(condition, knows, "visible", calls)
            yield from _reads(then, knows.also(condition), needed, calls)
            yield from _reads(otherwise, knows.without(condition), needed, calls)
            return
        case ir.QuantX(picks=picks, condition=condition):
            for var, source in picks:
                yield from _reads(source, knows, "lying" if face_down(source, knows) is not None else "visible", calls)
                knows = _within_filter(var, source, knows).veiling(var, face_down(source, knows))
            yield from _reads(condition, knows, "visible", calls)
            return
        case ir.CallX(args=args) | ir.RouteX(args=args) | ir.TableX(args=args):
            for arg in args:
                # What a name alone is used for is seen inside.
                if not isinstance(arg, ir.Local) or not isinstance(x, ir.CallX) or calls >= DEEPEST:
                    yield from _reads(arg, knows, "visible", calls)
            for more in (x.target,) if isinstance(x, ir.RouteX) else (x.shift,) if isinstance(x, ir.TableX) else ():
                if more is not None:
                    yield from _reads(more, knows, "visible", calls)
            rule = _asked_rule(x)
            assert rule is not None
            if not knows.veiled and not any(map(_may_look, args)) and not _asks_to_look(rule):
                return  # whoever asks sees all that it asks about
            if knows.stands_by and not knows.veiled and not any(map(_may_look, args)):
                # What somebody who stands by sees of a rule is the same whoever it is asked about.
                if not knows.is_alone and not _all_work_out(rule, knows):
                    yield Read(ir.Lit(BOOL, x.span, True), "hidden")
            elif knows.asked.again(rule, args):
                return
            elif knows.may_write_out(calls):
                given = {p.ident: a for p, a in zip(rule.params, args, strict=True)}
                for inner in bodies_of(rule):
                    for read in _reads(substitute(inner, given), knows, "visible", calls + 1):
                        # Told at the call: the rule itself may be asked by others who may look.
                        yield Read(_at(read.place, x.span), read.level, read.face_down, read.of_any)
            elif calls <= DEEPEST and id(rule) not in knows.gone_through:
                # Too far to say whose place it is that is looked into; that it is one's own is not believed then.
                knows.gone_through.add(id(rule))
                for inner in (inner for asked in asked_on_the_way(rule) for inner in bodies_of(asked)):
                    for read in _reads(inner, knows, "visible", DEEPEST + 1):
                        yield Read(_at(read.place, x.span), read.level, read.face_down, read.of_any)
            return
    for name in fields_of(type(x)):
        for part in parts_in(getattr(x, name)):
            if isinstance(part, ir.X):
                yield from _reads(part, knows, "visible", calls)


def _may_look(x: ir.X) -> bool:
    """Whether an expression itself may look at something that is not open to all."""
    for part in deep(x):
        match part:
            case ir.ContentsX(holds=holds) if holds.visibility or holds.kind.hidden is not None:
                return True
            case ir.StateX(state=m.State(kept_from=[_, *_]) | m.State(is_unseen=True)):
                return True
            case ir.ContentsX(holds=m.Holds(is_unseen=True)):
                return True
            case ir.Local(var=ir.Var(kept_from=[_, *_])):
                return True
            case ir.Local(is_private=True):
                return True
    return False


# The same of a rule and all those that it asks, which were gone through once.
_looking: WeakKeyDictionary[m.Function | m.Route | m.Table, bool] = WeakKeyDictionary()


def _asks_to_look(rule: m.Function | m.Route | m.Table) -> bool:
    known = _looking.get(rule)
    if known is None:
        seen, todo, known = {id(rule): rule}, [rule], False
        while todo and not known:
            for inner in bodies_of(todo.pop()):
                known = known or _may_look(inner)
                for asked in map(_asked_rule, deep(inner)):
                    if asked is None or id(asked) in seen:
                        continue
                    answer = _looking.get(asked)
                    known = known or bool(answer)
                    if answer is None:
                        seen[id(asked)] = asked
                        todo.append(asked)
        for each in (rule,) if known else seen.values():
            _looking[each] = known
    return known


# Whether somebody who stands by can work out what a rule gives: while nothing lies face down, or even then.
_worked_out: WeakKeyDictionary[m.Function | m.Route | m.Table, dict[bool, bool]] = WeakKeyDictionary()


def _all_work_out(rule: m.Function | m.Route | m.Table, knows: Knows) -> bool:
    """The same of a rule and of all those that it asks."""
    known = _worked_out.setdefault(rule, {}).get(knows.faces)
    if known is not None:
        return known
    alone = evolve(knows, is_alone=True)
    seen, todo = {id(rule): rule}, [rule]
    is_open = True
    while todo and is_open:
        for inner in bodies_of(todo.pop()):
            is_open = is_open and next(reads(inner, alone, "visible"), None) is None
            for asked in map(_asked_rule, deep(inner)):
                if asked is None or id(asked) in seen:
                    continue
                answer = _worked_out.setdefault(asked, {}).get(knows.faces)
                is_open = is_open and answer is not False
                if answer is None:
                    seen[id(asked)] = asked
                    todo.append(asked)
    for each in seen.values() if is_open else (rule,):
        _worked_out.setdefault(each, {})[knows.faces] = is_open
    return is_open


def forget_rule(rule: m.Function | m.Route | m.Table) -> None:
    """What was found out of a rule is no longer so: more is known of a state that it reads."""
    _looking.pop(rule, None)
    _worked_out.pop(rule, None)


def asked_on_the_way(rule: m.Function | m.Route | m.Table) -> Iterator[m.Function | m.Route | m.Table]:
    """A rule and all those that it asks, each once."""
    seen, todo = {id(rule)}, [rule]
    while todo:
        yield (now := todo.pop())
        for asked in map(_asked_rule, deep(bodies_of(now))):
            if asked is not None and id(asked) not in seen:
                seen.add(id(asked))
                todo.append(asked)


def _kept(x: ir.StateX | ir.Local, knows: Knows) -> Iterator[Read]:
    """What a state or a parameter stands for, if the chooser may not know it where it lies. Of a parameter the writer
    is believed where it cannot be told whether the chooser is the one who may look."""
    places = list(places_of(x))
    levels = [level_of(place, knows) for place in places]
    if isinstance(x, ir.StateX):
        yield from (Read(place, level) for place, level in zip(places, levels, strict=True) if level != "visible")
        return
    if "visible" in levels:
        return
    named = [same(atom) for atom in _atoms(knows.chooser) if isinstance(atom, ir.Local)]
    owners = [same(atom) for place in places if place.of is not None for atom in _atoms(place.of)]
    if knows.trusting and named and not set(named) & set(owners):
        return
    yield Read(places[0], levels[0])


def candidates(source: ir.X, var: ir.Var | None, knows: Knows) -> Iterator[Read]:
    """What a list of candidates gives away: what lies in the places it is taken from, except what the requirements
    leave out."""
    kind = face_down(source, knows)
    if kind is None:
        yield from reads(source, knows, "visible")
        return
    if var is None:
        # Several at once have no name: what is known of each is what the filters say.
        var = ir.Var("one", _one(kind), "element", -1)
        knows = _within_filter(var, source, knows)
    yield from reads(source, knows, "lying")
    if not knows.sees(ir.Local(_one(kind), source.span, var), kind):
        yield Read(source, "count", kind)


def is_from_anywhere(x: ir.X) -> bool:
    """Whether a thing, or one of several, may be any of its kind, wherever it lies: called by its name, or picked out
    of all there are."""
    match x:
        case ir.ThingLit() | ir.AllThings():
            return True
        case ir.Local(var=var):
            return var.is_anywhere
        case ir.FilterX(source=source, var=var, condition=condition):
            it = same(ir.Local(var.type, x.span, var))
            lies = any(
                isinstance(part, ir.InX) and not part.negated and isinstance(part.source, ir.ContentsX)
                and same(part.element) == it
                for part in conjuncts(condition)
            )  # fmt: skip
            return not lies and is_from_anywhere(source)
        case ir.MostX(source=source):
            return is_from_anywhere(source)
        case ir.SetOpX(operator="&", left=left, right=right):
            return is_from_anywhere(left) and is_from_anywhere(right)
        case ir.SetOpX(operator="-", left=left):
            return is_from_anywhere(left)
        case ir.SetOpX(left=left, right=right):
            return is_from_anywhere(left) or is_from_anywhere(right)
        case ir.SetX(items=items) | ir.ListX(items=items) | ir.BuiltinX(args=items):
            return any(map(is_from_anywhere, items))
        case ir.IfX(then=then, otherwise=otherwise):
            return is_from_anywhere(then) or is_from_anywhere(otherwise)
        case ir.AggregateX(picks=[(var, source)], value=ir.Local(var=told)) if var is told:
            return is_from_anywhere(source)
    return False


def face_down(source: ir.X, knows: Knows) -> m.Kind | None:
    """The kind of what is in a place (or in part of it), if it may lie face down there for the chooser. What lies in
    a place of his own is his."""
    while isinstance(source, ir.FilterX):
        source = source.source
    if not isinstance(source, ir.ContentsX) or source.holds.kind.hidden is None or not knows.faces:
        return None
    if never_in(source.holds, source.holds.kind.hidden[1]):
        return None
    return None if source.of is not None and knows.equal(source.of) else source.holds.kind


def never_in(holds: m.Holds, condition: ir.X) -> bool:
    """Whether nothing in a place meets a condition, since the states it asks for last elsewhere only."""
    match condition:
        case ir.PieceStateX(state=state) | ir.StateX(state=state):
            return state.ends_in(holds) and state.initial is False
        case ir.AndX(parts=parts):
            return any(never_in(holds, part) for part in parts)
        case ir.OrX(parts=parts):
            return all(never_in(holds, part) for part in parts)
    return False


def _one(kind: m.Kind) -> PieceOf | ThingOf:
    return PieceOf(kind.name) if kind.is_pieces else ThingOf(kind.name)


def _knows_it(thing: ir.X, kind: m.Kind, knows: Knows) -> bool:
    return kind.hidden is not None and knows.sees(thing, kind)


def is_open(x: ir.AttrX | ir.PieceStateX | ir.StateX, kind: m.Kind) -> bool:
    """Whether a fact of a thing that lies face down is seen by all: that it does, whose it is, what its back shows."""
    assert kind.hidden is not None
    _, condition, known = kind.hidden
    own = [condition, *kind.shown] if known is None else [condition, known, *kind.shown]
    facts = [part for part in deep(own) if isinstance(part, ir.AttrX | ir.PieceStateX | ir.StateX)]
    name = x.attr if isinstance(x, ir.AttrX) else x.state
    return any((part.attr if isinstance(part, ir.AttrX) else part.state) is name for part in facts)


def _at(place: ir.X, span: Span) -> ir.X:
    if isinstance(place, ir.ContentsX):
        return ir.ContentsX(place.type, span, place.holds, place.of)
    return ir.Lit(BOOL, span, True)


def _within_filter(var: ir.Var, source: ir.X, knows: Knows) -> Knows:
    """What is known of one element of a filtered source."""
    while isinstance(source, ir.FilterX):
        knows = knows.also(substitute(source.condition, {source.var.ident: ir.Local(var.type, source.span, var)}))
        source = source.source
    return knows


def bodies_of(rule: m.Function | m.Route | m.Table) -> list[ir.X]:
    """What a rule that only looks works out."""
    if isinstance(rule, m.Table):
        return [row.guard for row in rule.rows if row.guard is not None]
    if isinstance(rule, m.Route):
        return [*rule.expressions(), *(x for part in rule.rules for clause in part.clauses for x in _asked_by(clause))]
    out: list[ir.X] = [x for clause in rule.clauses for x in _asked_by(clause)]
    todo = list(rule.block)
    while todo:
        statement = todo.pop(0)
        match statement:
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                out.append(condition)
                todo += [*then, *otherwise]
            case ir.ReturnS(value=ir.X() as value) | ir.LetS(value=value):
                out.append(value)
    for layer in rule.adjustments:
        if layer.condition is None:
            out.append(layer.value)
        else:  # the amount is looked at only where the condition holds
            nothing = ir.Lit(layer.value.type, layer.span, 0)
            out.append(ir.IfX(layer.value.type, layer.span, layer.condition, layer.value, nothing))
    return out


def _asked_by(clause: ir.Clause) -> list[ir.X]:
    """What a requirement works out: itself, when it is one, and when it is lifted."""
    whens = [clause.when, *(lifted for lifted, _ in clause.lifted)]
    return [clause.condition, *(when for when in whens if when is not None)]


def _asked_rule(x: ir.X) -> m.Function | m.Route | m.Table | None:
    """The rule that an expression asks."""
    match x:
        case ir.CallX(function=function):
            return function
        case ir.RouteX(route=route):
            return route
        case ir.TableX(table=table):
            return table
    return None


# ------------------------------------------------------------------ what is seen


def level_of(place: ir.ContentsX, knows: Knows) -> str:
    """How much of a place the chooser is sure to see. Somebody who stands by sees nothing of one if he does not know
    whose it is."""
    holds = place.holds
    if knows.stands_by and place.of is not None and next(reads(place.of, knows, "visible"), None) is not None:
        return "hidden"
    if not holds.visibility:
        return "visible"
    owner = place.of
    if owner is not None and isinstance(owner.type, SetOf) and holds.owner_var is not None:
        # Of many owners: each is known by the filters on them.
        one = ir.Var("owner", holds.owner_var.type, "element", -1)
        knows = _within_filter(one, owner, knows)
        owner = ir.Local(one.type, place.span, one)
    possible: list[str] = []
    default = "visible"
    if all(line.who is not None for line in holds.visibility):
        default = "hidden" if any(line.level == "visible" for line in holds.visibility) else "visible"
    for line in holds.visibility:
        if line.who is None:
            default = line.level
            continue
        who = line.who
        if owner is not None and holds.owner_var is not None:
            who = substitute(who, {holds.owner_var.ident: owner})
        sure = knows.includes(who) if isinstance(who.type, SetOf) else knows.equal(who)
        possible.append(line.level)
        if sure:
            return min(possible, key=LEVELS.index)
    return min([*possible, default], key=LEVELS.index)
