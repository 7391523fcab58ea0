"""Requirements that read what their chooser may not see: the list of options would give it away.

Every requirement, list of candidates, number and text of a choice is looked at for places that it looks into further
than its chooser may (`analysis/looks_into.py`). So is what names stand for that were bound before, and what a rule is
handed to ask somebody about. `peeks` on a requirement says that the rulebook really lets the player look; it also
covers the candidates of its own alternative."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from rulescript.analysis.asked_rules import asked_by, bodies_of
from rulescript.analysis.checks.hidden_reports import is_within, report_read, report_text, report_words
from rulescript.analysis.handing_on import handed_by, statements_of
from rulescript.analysis.kept_secrets import Places, hidden_names, hiding_places, lying_in, places_of, shown_by
from rulescript.analysis.looking import deep, rule_line, same
from rulescript.analysis.looks_into import Read, candidates, face_down, level_of, reads, within_filter
from rulescript.analysis.scenes import Scene, scenes_of
from rulescript.analysis.veiled_parameters import veiled_at_choices
from rulescript.analysis.who_knows import MOST_CALLS, Knows, worked_out
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import free_vars, statements_in
from rulescript.model.types import BOOL, Maybe, SetOf, ThingOf

__all__ = ["check_hidden_information"]


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
    said: dict[int, set[Any]] = {}

    def learns(param: ir.Var, who: ir.X, procedure: m.Procedure) -> bool:
        """Note that somebody learns something of a parameter; whether that was not known."""
        known = learning.setdefault(param.ident, [])
        if len(known) >= MOST_CALLS or not free_vars(who) <= {each.ident for each in procedure.params}:
            return False
        meant, before = same(who), said.setdefault(param.ident, set())
        if meant in before:
            return False
        before.add(meant)
        known.append(who)
        return True

    for procedure, choose in game.chooses:
        if id(choose) in at_fault:
            continue
        asked = [x for alt in choose.alts for clause in alt.clauses if not clause.peeks for x in asked_by(clause)]
        offered = [(alt.picks, alt.many, alt.text) for alt in choose.alts]
        for param in _learnt(procedure, [asked, offered], scenes.get(id(choose))):
            learns(param, choose.by, procedure)
    calls = [
        (procedure, scenes[id(statement)], list(handed_by(statement)))
        for procedure in game.every_procedure()
        for statement in statements_of(procedure)
        if isinstance(statement, ir.CallS | ir.SignalS | ir.DoesS) and id(statement) in scenes
    ]
    # How many of those who learn of it were gone through already, of each thing that is handed on.
    done: Counter[tuple[int, int]] = Counter()
    is_changed = True
    while is_changed:
        is_changed = False
        for at, (procedure, scene, handed) in enumerate(calls):
            given = {param.ident: arg for param, arg in handed}
            for param, arg in handed:
                choosers = learning.get(param.ident, [])[done[at, param.ident] :]
                done[at, param.ident] += len(choosers)
                for outer in _learnt(procedure, [arg], scene) if choosers else ():
                    for chooser in choosers:
                        is_changed = learns(outer, substitute(chooser, given), procedure) or is_changed
    for _, scene, handed in calls:
        given = {param.ident: arg for param, arg in handed}
        found: set[int] = set()
        for param, arg in handed:
            for chooser in learning.get(param.ident, ()) if id(arg) not in found else ():
                who = _as_player(game, substitute(chooser, given))
                knows = Knows(who, players=game.players)
                for var, source in scene.names:
                    knows = within_filter(var, source, knows).veiling(var, face_down(source, knows))
                unseen = _computed(knows, scene, _unseen(knows, scene), {}, (arg,))
                read = next(iter((*_named_in(arg, unseen), *reads(arg, knows, "visible"))), None)
                if read is not None:
                    found.add(id(arg))
                    report_read(game, reporter, read, arg.span, (), who, "what is handed on here, to be asked about,")
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
                    report_words(game, reporter, found[0], "the end of the game", ending.cites, part)


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
            inside = within_filter(var, source, knows).veiling(var, face_down(source, knows))
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
        knows = within_filter(var, source, knows).veiling(var, None if is_own else face_down(source, knows))
    sources = [source for _, source in alt.picks]
    if alt.many is not None:
        sources.append(alt.many[3])
    unseen = _told_unseen(knows, told_of)
    amounts = alt.many[1] if alt.many is not None else None
    lifted = [x for clause in alt.clauses for x in asked_by(clause)]
    if scene is not None:
        unseen = _unseen(knows, scene) | unseen
        moment = (same(chooser), scene.moment, *((var.ident, id(source)) for var, source in handed))
        told_values = told_before.setdefault(moment, {}) if told_before is not None else {}
        unseen = _computed(knows, scene, unseen, told_values, (sources, lifted, alt.text, amounts))
    for clause in alt.clauses:
        knows.learn(clause.in_effect)
    for var, source in alt.picks:
        knows = within_filter(var, source, knows)
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
                report_text(game, reporter, read, alt, part)
                break
    # What lay face down may have been turned up before so many are asked for, or before an amendment counts: there the
    # writer is believed.
    given = {var.ident for var, _ in handed}
    believing = evolve(knows, faces=False, veiled={i: kind for i, kind in knows.veiled.items() if i in given})
    for clause in alt.clauses:
        if clause.peeks and not clause.is_guard:
            continue
        sees = believing if clause.is_guard else knows
        for x in asked_by(clause):
            named = _named_in(x, unseen)
            for read in (*named[:1], *reads(x, sees, "visible")):
                span = read.place.span if is_within(read.place.span, x.span) else x.span
                what = "this condition" if clause.is_guard else "this requirement"
                report_read(game, reporter, read, span, clause.cites, chooser, what)
    amount = alt.many[1] if alt.many is not None else None
    if amount is not None and not any(clause.peeks and not clause.is_guard for clause in alt.clauses):
        named = _named_in(amount, unseen)
        for read in (*named[:1], *reads(amount, believing, "visible")):
            report_read(game, reporter, read, amount.span, alt.cites, chooser, "how many are chosen")
            break


def _offered(
    game: m.Game, reporter: Reporter, alt: ir.Alt, sources: Sequence[ir.X], knows: Knows, unseen: dict[int, Read]
) -> None:
    """What the lists of candidates of an alternative give away."""
    what = "the list of candidates"
    for source in sources:
        for y in deep(source):
            if isinstance(y, ir.Local) and y.var.ident in unseen:
                report_read(game, reporter, unseen[y.var.ident], y.span, alt.cites, knows.chooser, what)
                break
    for at, source in enumerate(sources):
        picked = alt.picks[at][0] if at < len(alt.picks) else None
        for read in candidates(source, picked, knows):
            report_read(game, reporter, read, read.place.span, alt.cites, knows.chooser, what, picked)


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
