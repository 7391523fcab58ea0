"""Rules as readable outlines: the checked statements of the model -> lines in plain English.

What a condition or a value says is left to `wording/english.py`, which the explanations of the engine use too, so
that the printed rules and a refusal at the table never tell different stories. Here are the sentences around them:
who chooses what, what is moved where, what is repeated.

What the names of a rule are called is settled before its first sentence is made (rule_names.py); a sentence that gets
long is a list (long_sentences.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from attrs import evolve

from rulescript.analysis.eithers import plain_name
from rulescript.docgen.lines import Line, line_of, sentence, uses_of
from rulescript.docgen.long_sentences import LongSentences, is_long
from rulescript.docgen.rule_names import settle_names
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import walk
from rulescript.model.types import BOOL, INT, TEXT, ListOf, Maybe, PieceOf, SetOf, ThingOf, Type
from rulescript.phrases import article, capital, counted, kind_noun, listed, number_word, plural, readable, with_the
from rulescript.source import Span
from rulescript.wording.english import Speaker, is_true
from rulescript.wording.nouns import Nouns
from rulescript.wording.shapes import is_many, is_same
from rulescript.wording.verbs import agreed

__all__ = [
    "Outliner", "addressee", "capital", "forceless", "kinds_of_rule", "merged", "taker_of", "type_words", "ways_of",
]  # fmt: skip


def type_words(type_: Type, many: bool = False) -> str:
    """What a value of a type is called: "a region", "yes or no", "regions"."""
    match type_:
        case ThingOf(kind) | PieceOf(kind):
            return plural(kind_noun(kind)) if many else article(kind_noun(kind))
        case SetOf(element) | ListOf(element):
            return type_words(element, True)
        case Maybe(element):
            return f"{type_words(element)} or nothing"
    if type_ == BOOL:
        return "yes or no"
    if type_ == INT:
        return "numbers" if many else "a number"
    return "texts" if many else "a text"


def expressions_of_clauses(clauses: Iterable[ir.Clause]) -> Iterator[ir.X]:
    for clause in clauses:
        yield from clause.expressions()
        if clause.wording is not None:
            yield clause.wording.text


def forceless(condition: ir.X | None, kinds: Iterable[m.Kind]) -> tuple[ir.X | None, bool]:
    """The condition of an amendment on a thing without the one that says when the thing is in force, and whether there
    was one: a reader knows what a card in force is, and need not be told with every line."""
    if condition is None:
        return None, False
    spans = [kind.in_force.span for kind in kinds if kind.in_force is not None]

    def is_force(x: ir.X) -> bool:
        return any(x.span.source is s.source and s.start <= x.span.start and x.span.end <= s.end for s in spans)

    if is_force(condition):
        return None, True
    if isinstance(condition, ir.AndX) and is_force(condition.parts[0]):
        rest = condition.parts[1:]
        return (rest[0] if len(rest) == 1 else ir.AndX(BOOL, condition.span, rest)), True
    return condition, False


# How a sentence of ours begins that is a name of nobody.
_BEGINS = re.compile(
    r"(?:The|An?|It|Its|No|Not|Add|Subtract|Multiply|Divide|When|Before|After|As|At|Instead|Of|Up|If)\b"
)


def while_in_force(said: str) -> str:
    """What a thing does only while it is in force: that comes first, and not behind all that it does."""
    return f"while in force, {said[:1].lower() + said[1:] if _BEGINS.match(said) else said}"


class Outliner:
    """Tells one rule: its names are settled when it is made."""

    def __init__(
        self, params: Sequence[ir.Var] = (), block: ir.Block = (), more: Iterable[ir.X] = (), result: str = ""
    ) -> None:
        self.speaker = Speaker()
        self.long = LongSentences(self.speaker)
        self.result = result
        # What a yes/no rule says of what it is asked about, as it is and denied.
        self.so = ("it is so", "it is not so")
        # Kinds whose things are in force at times; set by whoever tells amendments that stand on such things.
        self.forces: tuple[m.Kind, ...] = ()
        settle_names(self.speaker, params, block, list(more))

    def told_of(self, rule: m.Function) -> tuple[str, str]:
        """What a yes/no rule says of what it is asked about, as it is and denied: "the unit can move"."""
        asked = self._asked(rule)
        told = self.speaker.called(rule, asked, True), self.speaker.called(rule, asked, False)
        if any("“" in text for text in told):
            return self.so
        # Which of several cases it is asked for is said by the rule's name: not "(dug in or not)".
        so, not_so = (re.sub(r" \([^()]* or not\)", "", text) for text in told)
        return so, self.so[1] if not_so.startswith("it is not so") else not_so

    def asked_for(self, rule: m.Function) -> str:
        """What a rule tells, in words: "the strength of the unit", "whether the unit can move"; "" if it has only its
        name."""
        if rule.type == BOOL:
            so, _ = self.told_of(rule)
            return "" if so == self.so[0] else f"whether {so}"
        said = self.speaker.phrase(ir.CallX(rule.type, rule.span, rule, self._asked(rule)))
        return "" if "“" in said else said

    @staticmethod
    def _asked(rule: m.Function) -> tuple[ir.X, ...]:
        return tuple(ir.Local(var.type, rule.span, var) for var in rule.params)

    # -------------------------------------------------------------- small things

    def say(self, x: ir.X) -> str:
        return self.speaker.say(x)

    def say_not(self, x: ir.X) -> str:
        return self.speaker.say_not(x)

    def template(self, x: ir.TemplateX | None) -> str:
        """A text for people, with words in place of what is in braces."""
        return self.speaker.template(x) if x is not None else ""

    def amount(self, x: ir.X) -> str:
        if isinstance(x, ir.Lit) and isinstance(x.value, int):
            return number_word(x.value) if x.value else "no"
        return self.say(x)

    def arguments(self, params: Sequence[ir.Var], args: Sequence[ir.X]) -> str:
        """What a rule without words of its own is carried out with: "for the fort and the wall, with 2 as “hits”, by
        sea". Of what is yes or no only what is so."""
        about: list[str] = []
        more: list[str] = []
        for at, arg in enumerate(args):
            name = readable(params[at].name).lower() if at < len(params) else ""
            if arg.type == BOOL and isinstance(arg, ir.Lit):
                more += [name] if arg.value else []
                continue
            if arg.type == BOOL:
                is_passed_on = isinstance(arg, ir.Local) and readable(arg.var.name).lower() == name
                more.append(f"{name} or not" if is_passed_on else f"{name} if {self.say(arg)}")
                continue
            if isinstance(arg, ir.Lit) and arg.value is None:
                continue
            value = self.speaker.phrase(arg)
            if arg.type not in (INT, BOOL, TEXT):
                about.append(value)
            elif isinstance(arg, ir.Local) or len(name) < 2:
                more.append(f"with {value}")
            else:
                more.append(f"with {value} as “{name}”")
        return ", ".join([f"for {listed(about)}", *more] if about else more)

    def actor(self, choose: ir.ChooseS) -> str:
        if choose.any_of:
            return f"any of {self.say(choose.by)}"
        return self.say(choose.by)

    # -------------------------------------------------------------- blocks

    def block(self, block: ir.Block, docs: bool = True) -> list[Line]:
        """The statements of a block, one line each."""
        lines: list[Line] = []
        told = 0
        for at, statement in enumerate(block):
            if at < told:
                continue
            if statement.planned is not None:
                lines.append(self.plan(statement.planned))
                told = at + statement.planned.statements
                continue
            if isinstance(statement, ir.DocS):
                if docs:
                    lines.append(Line(statement.text, form="note"))
                continue
            lines += self.statement(statement)
        return lines

    def statement(self, s: ir.S) -> list[Line]:
        """One statement; an `if` with its `else` is several lines. An author's own words take the place of ours."""
        lines = self._statement(s)
        if s.wording is not None and lines:
            colon = ":" if lines[0].children else "."
            lines[0].text = capital(self.speaker.worded(s.wording, ()).rstrip(".:")) + colon
            lines[0].is_authored = True
        return lines

    def _statement(self, s: ir.S) -> list[Line]:  # noqa: C901 - one case for each sort of node
        match s:
            case ir.ChooseS():
                return [self.choice(s)]
            case ir.TogetherS(branches=branches):
                inside = [line for branch in branches for line in self._statement(branch)]
                return [Line("At the same time, without knowing each other's answer:", s.cites, children=inside)]
            case ir.EachS(var=var, source=source, sealed=sealed, block=block):
                noun = self.speaker.noun(source, False)
                how = "at the same time, in secret" if sealed else "one after the other"
                return [line_of(f"Each {noun}, {how}:", s, [source], self.block(block))]
            case ir.IfS():
                return self._if(s)
            case ir.ForS(block=(ir.MoveS(span=s.span) as move,)):
                # One line of the rules: `move lost home`.
                what = s.source if isinstance(move.what, ir.Local) else getattr(move.what, "source", s.source)
                return [line_of(f"Move {self.say(what)} home", s, [what])]
            case ir.ForS(var=var, source=source, block=block):
                return [line_of(self._for(var, source), s, [source], self.block(block))]
            case ir.RepeatS():
                return [self._repeat(s)]
            case ir.LetS(var=var, value=value):
                if value.type == BOOL:
                    return [self.long.conditional(f"“{capital(readable(var.name).lower())}” means that", value, s)]
                name = self._plain_name(var)
                is_named_so = not name.startswith("the number ") and re.search(r"[^su]s$", name)
                is_are = "are" if isinstance(value.type, SetOf | ListOf) or is_named_so else "is"
                return [self.long.valued(f"{capital(name)} {is_are}", value, s)]
            case ir.CallS(procedure=procedure, args=args, result=result):
                return [self._call(s, procedure, args, result)]
            case ir.DoesS(thing=thing, kind=kind, name=name, args=args):
                which = f" (“{readable(name)}”)" if len(kind.does) > 1 else ""
                return [line_of(f"Do what {self.say(thing)} says{which}", s, [thing, *args])]
            case ir.AssignS():
                return [self._assigned(s)]
            case ir.MoveS():
                return [line_of(self._moved(s), s, [s.what, s.to, *([s.amount] if s.amount is not None else [])])]
            case ir.PlaceS(kind=kind, types=types, to=to):
                items = listed([counted(count, kind.things[index].label) for index, count in types])
                return [line_of(f"Place {items} in {self.where(to)}", s, [to])]
            case ir.DrawS():
                return [self._drawn(s)]
            case ir.LotS(amount=amount, source=source):
                one = isinstance(amount, ir.Lit) and amount.value == 1
                what = f"{self.amount(amount)} of {self.speaker.the(source)}"
                return [line_of(f"Draw {what} by lot{'' if one else ', all different'}", s, [amount, source])]
            case ir.RollS(amount=amount, sides=sides, var=var):
                dice = f"one d{sides}" if amount is None else f"{self.amount(amount)} d{sides}"
                if amount is not None and not isinstance(amount, ir.Lit):
                    dice = f"as many d{sides} as {self.say(amount)}".replace(" as the number of ", " as there are ")
                kept = self._plain_name(var)
                return [line_of(f"Roll {dice} ({kept})", s, [amount] if amount is not None else [])]
            case ir.ShuffleS(place=place):
                return [line_of(f"Shuffle {self.where(place)}", s, [place])]
            case ir.RevealS(what=what, to=to):
                whom = f" to {self.say(to)}" if to is not None else ""
                return [line_of(f"Reveal {self.say(what)}{whom}", s, [what])]
            case ir.SignalS(signal=signal, args=args):
                if not signal.reactions and not s.cites:
                    return []  # a moment that nothing in this game waits for
                about = f" ({listed([self.say(a) for a in args])})" if args else ""
                said = f"“{readable(signal.name)}”{about}"
                line = line_of(f"Whatever waits for {said} happens now", s, args)
                if signal.wording is not None:
                    moment = self.speaker.worded(signal.wording, args)
                    line.text = f"{capital(moment)}: whatever waits for that happens now."
                line.uses = (*line.uses, f"signal {signal.name}")
                line.form = "moment"
                return [line]
            case ir.ReturnS(value=None):
                return [line_of("This is then finished", s)]
            case ir.ReturnS(value=ir.X() as value):
                if isinstance(value, ir.Lit) and value.type == BOOL:
                    return [line_of(self.so[0] if value.value else self.so[1], s)]
                if isinstance(value, ir.Lit) and value.value is None:
                    return [line_of("There is none", s)]
                if value.type == BOOL:
                    return [self.long.conditional(capital(f"{self.so[0]} if"), value, s)]
                if self.result:
                    return [self.long.valued(self.result.strip(), value, s)]
                lines = self.long.values(value)
                lines[0].cites, lines[0].span = s.cites, s.span
                return lines
            case ir.StopS():
                return [line_of("Stop repeating", s)]
            case ir.EndS():
                return [line_of(self._ended(s), s)]
            case ir.TellS(role="headline" | "roll"):
                return []  # for the story of a game, not for its rules
            case ir.TellS(text=text):
                with self.speaker.speaking_to(None):  # everybody reads it, not only who chooses
                    return [Line(f"“{self.template(text)}”", s.cites, form="told")]
        raise AssertionError(s)

    def _plain_name(self, var: ir.Var) -> str:
        return self.speaker.names.get(var.ident) or f"“{readable(var.name)}”"

    def _if(self, s: ir.IfS) -> list[Line]:
        lines: list[Line] = []
        word = "If"
        here: ir.IfS = s
        while True:
            if is_true(here.condition):
                lines += self.block(here.then)
                return lines
            lines += self.long.then(word, here.condition, self.block(here.then), here)
            rest = [x for x in here.otherwise if not isinstance(x, ir.DocS)]
            if len(rest) == 1 and isinstance(rest[0], ir.IfS):
                here, word = rest[0], "Otherwise, if"
                continue
            if rest:
                lines.append(Line("Otherwise:", children=self.block(here.otherwise)))
            return lines

    # -------------------------------------------------------------- statements

    def _for(self, var: ir.Var, source: ir.X) -> str:
        noun = self.speaker.noun(source, False)
        if isinstance(source, ir.AllThings):
            things = [with_the(t.label) for t in source.kind.things]
            if len(things) > 3:
                return f"For each {noun}, from {things[0]} to {things[-1]}:"
            begin = "beginning with" if things[0].lower().startswith("first ") else "first"
            order = f", {begin} {things[0]}, then {' and '.join(things[1:])}" if len(things) > 1 else ""
            return f"For each {noun}{order}:"
        if isinstance(source, ir.RangeX):
            name = readable(var.name).lower() if len(var.name) > 2 else "number"
            return f"For each {name} from {source.low} to {source.high}:"
        if isinstance(source, ir.ListX | ir.SetX):
            return f"For each of {self.say(source)}:"
        # "For each turn that does not come before the first turn": from that one on.
        return re.sub(r" that do(?:es)? not come before (.+)$", r", from \1 on", f"For each {noun}") + ":"

    def _repeat(self, s: ir.RepeatS) -> Line:
        match s.mode, s.condition:
            case "while", ir.X() as condition:
                said = f"Repeat as long as {self.speaker.clause(condition)}:"
            case "until", ir.X() as condition:
                said = f"Repeat until {self.speaker.clause(condition)}:"
            case "times", ir.X() as condition:
                times = self.amount(condition)
                said = f"Repeat this as often as {times}:".replace(" as the number of ", " as there are ")
                if isinstance(condition, ir.Lit):
                    said = {"one": "Once:", "two": "Twice:"}.get(times, f"{capital(times)} times:")
            case _:
                said = "Repeat:"
        return line_of(said, s, [s.condition] if s.condition is not None else [], self.block(s.block))

    def _call(self, s: ir.S, procedure: m.Procedure, args: tuple[ir.X, ...], result: ir.X | ir.Var | None) -> Line:
        title = procedure.title or readable(procedure.name)
        about = self.arguments(procedure.params, args)
        said = f"Carry out “{title}” {about}" if about else title
        if procedure.wording is not None:
            said = self.speaker.worded(procedure.wording, args)
        if isinstance(result, ir.Var):
            name = self._plain_name(result)
            said += f"; {'the result is called ' if name.startswith('“') else 'the result is '}{name}"
        elif result is not None:
            said += f"; the result becomes {self.say(result)}"
        line = line_of(said, s, args)
        line.uses = (f"procedure {plain_name(procedure.name)}", *line.uses)
        line.form = "call"
        return line

    def _assigned(self, s: ir.AssignS) -> Line:
        target, value = s.target, s.value
        if s.operator == "=":
            if target.type == BOOL and isinstance(value, ir.Lit):
                return line_of(f"Now {self.speaker.sentence(target, bool(value.value))}", s, [value])
            if isinstance(value, ir.Lit) and value.value is None:
                return line_of(f"From now on {self.speaker.comparisons.had(target, False)}", s, [value])
            if target.type == BOOL:
                return self.long.conditional(f"Now {self.speaker.sentence(target, True)} if", value, s)
            if said := self._changed(target, value):
                return line_of(said, s, [value])
            if isinstance(target.type, SetOf | ListOf):
                be = "are" if not self.say(target).startswith("the ") or is_many(target) else "is"
                return self.long.valued(f"{capital(self.say(target))} {be} now", value, s)
            if said := self.speaker.comparisons.becomes(target, value):
                return line_of(f"Now {said}", s, [value])
            return self.long.valued(f"Set {self.say(target)} to", value, s)
        if isinstance(target.type, SetOf | ListOf):
            verb, side = ("Add", "to") if s.operator == "+=" else ("Take", "out of")
            if s.operator == "-=" and self.say(value).endswith(self.say(target)):
                return line_of(f"Take {self.say(value)} away", s, [value])
            return line_of(f"{verb} {self.say(value)} {side} {self.say(target)}", s, [value])
        verb, side = ("Add", "to") if s.operator == "+=" else ("Subtract", "from")
        if isinstance(value, ir.IfX):
            before = f"{verb} {side} {self.say(target)}"
            line = self.long.valued(before, value, s)
            line.text = line.text.replace(f"{before} ", f"{before}: ", 1)
            return line
        return line_of(f"{verb} {self.say(value)} {side} {self.say(target)}", s, [value])

    def _changed(self, target: ir.X, value: ir.X) -> str:
        """``x = min(x + 1, 6)`` as "add 1 to x (but not above 6)"; "" where it is no change of what was there."""
        limit = ""
        if isinstance(value, ir.ArithX) and value.operator in ("min", "max") and len(value.args) == 2:
            way = "above" if value.operator == "min" else "below"
            value, bound = value.args if isinstance(value.args[0], ir.ArithX) else value.args[::-1]
            limit = f" (but not {way} {self.say(bound)})"
        match value:
            case ir.ArithX(operator="+" | "-" as operator, args=(first, more)) if is_same(first, target):
                verb, side = ("Add", "to") if operator == "+" else ("Subtract", "from")
                if isinstance(more, ir.IfX):
                    return f"{verb} {side} {self.say(target)}: {self.say(more)}{limit}"
                return f"{verb} {self.say(more)} {side} {self.say(target)}{limit}"
            case ir.SetOpX(operator="+" | "-" as operator, left=left, right=more) if is_same(left, target):
                verb, side = ("Add", "to") if operator == "+" else ("Take", "out of")
                return f"{verb} {self.say(more)} {side} {self.say(target)}"
        return ""

    def where(self, to: ir.ContentsX) -> str:
        """A place as the end of a way: the region itself where its pieces are meant."""
        if to.of is None or not Nouns.is_plural(to.holds):
            return self.speaker.place(to.holds, to.of)
        alone = sum(1 for h in to.holds.owner.holds.values() if h.kind is to.holds.kind) if to.holds.owner else 2
        return self.say(to.of) if alone == 1 else self.speaker.place(to.holds, to.of)

    def _end(self, end: str, to: ir.ContentsX, before: str = "to") -> str:
        place = self.where(to)
        if end.startswith("top"):
            return f"on top of {place}"
        if end.startswith("bottom"):
            return f"under {place}"
        if before == "in" and re.search(r" (?:table|board|map|track)$", place):
            before = "on"
        return f"{before} {place}"

    def _moved(self, s: ir.MoveS) -> str:
        what = self.say(s.what)
        if isinstance(s.what, ir.ContentsX) and not Nouns.is_plural(s.what.holds):
            what = f"everything in {what}"
        if s.amount is not None:
            limit = "up to " if s.up_to else ""
            number = self.amount(s.amount)
            is_plain = isinstance(s.amount, ir.Lit)
            if not is_plain:
                many = f", {limit}as many as {number},".replace(" as the number of ", " as there are ")
                return f"Move {what.removeprefix('the ')}{many} {self._end(s.end, s.to)}"
            what = f"{limit}{number} of {what}"
        return f"Move {what} {self._end(s.end, s.to)}"

    def _drawn(self, s: ir.DrawS) -> Line:
        source: ir.X = s.filter if s.filter is not None else s.source
        one = isinstance(s.amount, ir.Lit) and s.amount.value == 1
        how = "from the top of" if s.source.holds.ordered else "at random from"
        place = self.speaker.place(s.source.holds, s.source.of)
        kind = kind_noun(s.source.holds.kind.name)
        apart = f" {self.speaker.relative(s.filter.var, s.filter.condition, not one)}" if s.filter is not None else ""
        number = self.amount(s.amount)
        noun = kind if one else plural(kind)
        what, limit = f"{number} {noun}", ""
        if isinstance(s.amount, ir.Local):
            what = f"{noun}, as many as {number},"
        elif not isinstance(s.amount, ir.Lit):
            what, limit = noun, f": as many as {number}".replace(" as the number of ", " as there are ")
        match s.amount:
            case ir.ArithX(operator="min", args=(wanted, ir.BuiltinX(name="count", args=(left,)))) if isinstance(
                left, ir.ContentsX
            ) and is_same(left, s.source):
                number = self.amount(wanted)
                limit = " (or as many as there are)"
                one = number == "one"
                what = f"{number} {kind if one else noun}"
                if not isinstance(wanted, ir.Lit):
                    what, limit = noun, f": as many as {number}{limit}"
        end = f" and put {'it' if one else 'them'} {self._end(s.end, s.to, 'in')}" if s.to is not s.source else ""
        return line_of(f"Draw {what}{apart} {how} {place}{end}{limit}", s, [s.amount, source])

    def _ended(self, s: ir.EndS) -> str:
        how = f" ({self.template(s.how)})" if s.how is not None else ""
        if s.winner is not None:
            many = isinstance(s.winner.type, SetOf | ListOf)
            return f"The game ends: {self.say(s.winner)} {'win' if many else 'wins'}{how}"
        if s.drawn:
            return f"The game ends in a draw{how}"
        return f"The game ends{how}"

    # -------------------------------------------------------------- choices

    def choice(self, s: ir.ChooseS) -> Line:
        """A choice with its ways, each with what may be picked, what must be so, and what then happens."""
        ways = [a for a in ways_of(s) if a.effect != "pass" or a.given_text]
        may_pass = any(a.effect == "pass" and not a.given_text for a in s.alts)
        who = capital(self.actor(s))
        verb = "may" if may_pass else "must" if len(ways) == 1 else "chooses"
        whom = addressee(s)
        if len(ways) == 1:
            with self.speaker.speaking_to(whom):
                way = self.way(ways[0], s)
            said = way.text.rstrip(".")
            # A text that has a colon of its own stands by itself.
            said = f"{who} {verb} choose “{said}”" if ": " in said else f"{who} {verb} choose: {said}"
            text = f"{said}:" if way.children else said
            children = way.children
        else:
            text = f"{who} {'may choose' if may_pass else 'chooses'} one of these:"
            with self.speaker.speaking_to(whom):
                children = [*self.shared(ways), *(self.way(a, s) for a in ways)]
        cites = s.cites or (ways[0].cites if len(ways) == 1 else ())
        if len(ways) == 1 and ways[0].cites:
            cites = tuple(dict.fromkeys((*cites, *ways[0].cites)))
        origin = ways[0].origin if len(ways) == 1 else ""
        return Line(sentence(agreed(text)), cites, "choice", children, origin=origin)

    def plan(self, planned: ir.Planned) -> Line:
        """A choice of what each of several gets."""
        (way,) = planned.asked.alts
        own = [clause for clause in way.clauses if clause.span not in [c.span for c in planned.whole]]
        own = [clause for clause in own if clause.span != way.span]
        children = self.picks(way)
        whom = addressee(planned.asked)
        if own:
            with self.speaker.speaking_to(whom):
                children.append(Line("Only if:", form="heading", children=self.clauses(own)))
        if planned.whole:
            head = f"And of all of them ({self._plain_name(planned.plan)}), only if:"
            children.append(Line(head, form="heading", children=self.clauses(planned.whole)))
        children.append(Line("Then, for each:", form="heading", children=self.block(planned.block, docs=False)))
        noun = self.speaker.noun(planned.source, False)
        match planned.asked.by:
            case ir.AttrX(attr=attr, of=ir.Local(var=one)) if one is planned.one:
                who = f"for each {noun}, its {readable(attr.name)} chooses"
            case _:
                who = f"{self.actor(planned.asked)} chooses for each {noun}"
        text = f"{capital(who)}, if there is a way for all of them: "
        return Line(sentence(text + self.title(way)), planned.asked.cites or way.cites, "choice", children)

    def shared(self, ways: Sequence[ir.Alt]) -> list[Line]:
        """What several ways of a choice require, told once; and which of them."""
        picking = [alt for alt in ways if alt.picks or alt.many is not None]
        found: dict[tuple[str, ...], list[Line]] = {}
        told: set[tuple[str, int]] = set()
        for alt in ways:
            for clause in alt.clauses:
                whose = [a for a in ways if clause.span in [c.span for c in a.clauses]]
                place = (clause.span.source.name, clause.span.start)
                if len(whose) > 1 and place not in told:
                    told.add(place)
                    names = () if whose == picking else tuple(f"“{readable(a.label)}”" for a in whose)
                    found.setdefault(names, []).append(self.clause(clause))
        heads = {names: f"For {listed(list(names))}, only if:" if names else "In any case, only if:" for names in found}
        return [Line(heads[names], form="heading", children=lines) for names, lines in found.items()]

    def title(self, alt: ir.Alt) -> str:
        """What a way is called: its text for people, or its name."""
        if alt.text is not None and alt.given_text:
            return self.template(alt.text)
        return capital(readable(alt.label))

    def way(self, alt: ir.Alt, choose: ir.ChooseS | None = None) -> Line:
        versions = versions_in(alt, choose)
        children: list[Line] = [Line(s.text, form="note") for s in alt.block if isinstance(s, ir.DocS)]
        picks = self.picks(alt, choose)
        children += picks
        requires = self.requires(alt, choose)
        if requires:
            children.append(Line("Only if:", form="heading", children=requires))
        effects = merged([self.block(a.block, docs=False) for a in versions], for_kinds(versions))
        if alt.effect == "stop":
            effects.append(Line("This ends the repetition.", form="quiet"))
        if effects and (picks or requires):
            children.append(Line("Then:", form="heading", children=effects))
        else:
            children += effects
        return Line(capital(self.title(alt)), alt.cites, "way", children, origin=alt.origin)

    def requires(self, alt: ir.Alt, choose: ir.ChooseS | None = None, all_of_them: bool = False) -> list[Line]:
        """What must be so; where it is one way to choose from several kinds, for all of them. What other ways require
        too is told with those, unless all of them are wanted."""
        versions = versions_in(alt, choose)
        own = [[c for c in a.clauses if all_of_them or not told_for_all(c, a, choose)] for a in versions]
        return merged([self.clauses(clauses) for clauses in own], for_kinds(versions))

    def picks(self, alt: ir.Alt, choose: ir.ChooseS | None = None) -> list[Line]:
        lines: list[Line] = []
        versions = versions_in(alt, choose)
        for at, (var, _) in enumerate(alt.picks):
            name = self._plain_name(var)
            sources = [each.picks[at][1] for each in versions]
            said = " or ".join(dict.fromkeys(self.picked(source) for source in sources))
            lines.append(Line(sentence(f"{name}: {said}"), form="pick", uses=uses_of(sources)))
        if alt.many is not None:
            mode, amount, var, source = alt.many
            noun = self.speaker.noun(source, True)
            if mode == "any" or amount is None:
                said = f"any number of {noun}"
            else:
                limit = "up to " if mode == "up_to" else ""
                number = self.amount(amount)
                plain = isinstance(amount, ir.Lit)
                one = plain and number == "one"
                noun = self.speaker.noun(source, not one)
                own = "of " if re.match(r"(?:your|its) ", noun) else ""  # "as many of your units as"
                said = f"{limit}{number} {own}{noun}" if plain else f"{limit}as many {own}{noun} as {number}"
            also = [source, *([amount] if amount is not None else [])]
            lines.append(Line(sentence(f"{self._plain_name(var)}: {said}"), form="pick", uses=uses_of(also)))
        return lines

    def picked(self, source: ir.X) -> str:
        match source:
            case ir.AllThings(kind=kind):
                return f"any {kind_noun(kind.name)}"
            case ir.RangeX(low=low, high=high):
                return f"a number from {low} to {high}"
            case ir.SetX(items=items) | ir.ListX(items=items) if items:
                return listed(list(dict.fromkeys(self.say(i) for i in items)), "or")
        noun = self.speaker.noun(source, True)
        return f"one of {'' if noun.startswith(('your ', 'its ')) else 'the '}{noun}"

    def clauses(self, clauses: Iterable[ir.Clause]) -> list[Line]:
        """Requirements, each with its exceptions."""
        return [self.clause(c) for c in clauses]

    def clause(self, clause: ir.Clause) -> Line:
        limit, in_force = forceless(clause.when, self.forces)
        needed, is_in_force = forceless(clause.condition, self.forces)
        if is_in_force and needed is not None and clause.wording is None:
            clause, in_force = evolve(clause, condition=needed), True
        when = f"while {self.say(limit)}, " if limit is not None else ""
        if in_force:
            when = f"while in force and {when.removeprefix('while ')}" if when else "while in force, "
        said, denied = self.speaker.requirement(clause, True), self.speaker.requirement(clause, False)
        if is_in_force and needed is None and clause.wording is None:
            whose = next((self.say(x) for x in walk(clause.condition) if isinstance(x, ir.ThingLit)), "it")
            said, denied = f"{whose} is in force", f"{whose} is not in force"
        parts: list[Line] = []
        if isinstance(clause.condition, ir.Lit) and clause.wording is None and not clause.condition.value:
            said, when = f"never{' ' + when.rstrip(', ') if when else ''}", ""
        elif clause.wording is None and is_long(said):
            found = self.long.parts(clause.condition)
            said, parts = (f"{found[0]}:", found[1]) if found is not None else (said, [])
        line = Line(
            sentence(f"{when}{said}"),
            clause.cites,
            "require",
            label=clause.label,
            denied=sentence(denied),
            children=parts,
            uses=uses_of([clause.condition, *([clause.when] if clause.when is not None else [])]),
            origin=clause.origin,
            span=clause.span,
            is_authored=clause.wording is not None,
        )
        for lifted, cites in clause.lifted:
            limit, in_force = forceless(lifted, self.forces)
            said = f"This does not count if {self.say(limit)}" if limit is not None else "This does not count"
            if in_force:
                said += ", while the card that says so is in force"
            elif limit is None:
                said += " any more"
            uses = uses_of([limit]) if limit is not None else ()
            line.children.append(Line(sentence(said), cites, "except", uses=uses))
        return line


def addressee(choose: ir.ChooseS) -> ir.X | None:
    """Who is "you" inside a choice: the one who makes it, where that is one."""
    return choose.by if not choose.any_of and isinstance(choose.by.type, ThingOf) else None


def ways_of(choose: ir.ChooseS) -> list[ir.Alt]:
    """The ways to answer, each once: one that is written out for several kinds is one way."""
    return [alt for alt in choose.alts if not alt.version]


def told_for_all(clause: ir.Clause, alt: ir.Alt, choose: ir.ChooseS | None) -> bool:
    """Whether a requirement is one that several ways of a choice share, so that it is told of all of them at once."""
    if choose is None:
        return False
    return any(place != _place(alt.span) for place in _ways_of_clauses(choose).get(_place(clause.span), ()))


def versions_in(alt: ir.Alt, choose: ir.ChooseS | None) -> list[ir.Alt]:
    """All that a way to answer was written out as."""
    return _versions(choose).get((_place(alt.span), alt.label), []) if choose is not None else [alt]


_Place = tuple[str, int, int]


def _place(span: Span) -> _Place:
    return span.source.name, span.start, span.end


@lru_cache(maxsize=4)  # asked for each of its ways, of which there may be thousands
def _versions(choose: ir.ChooseS) -> dict[tuple[_Place, str], list[ir.Alt]]:
    """The ways of a choice by where they are written and what they are called."""
    out: dict[tuple[_Place, str], list[ir.Alt]] = {}
    for alt in choose.alts:
        out.setdefault((_place(alt.span), alt.label), []).append(alt)
    return out


@lru_cache(maxsize=4)
def _ways_of_clauses(choose: ir.ChooseS) -> dict[_Place, set[_Place]]:
    """Of which ways each requirement is one, by where they are written."""
    out: dict[_Place, set[_Place]] = {}
    for alt in choose.alts:
        for clause in alt.clauses:
            out.setdefault(_place(clause.span), set()).add(_place(alt.span))
    return out


def for_kinds(versions: Sequence[ir.Alt]) -> list[str]:
    """Which kinds each version is for."""
    return [_kinds_of(var for var, _ in alt.picks) for alt in versions]


def kinds_of_rule(params: Sequence[ir.Var]) -> str:
    """Which kinds a version of a rule is for."""
    return _kinds_of(params)


def _kinds_of(variables: Iterable[ir.Var]) -> str:
    kinds = [var.declared or var.type for var in variables if var.either]
    return " and ".join(article(kind_noun(t.kind)) for t in kinds if isinstance(t, ThingOf | PieceOf))


def merged(versions: Sequence[list[Line]], kinds: Sequence[str]) -> list[Line]:
    """What is said of each of several kinds, as one: lines that are the same are said once, the others with the kind
    they are about."""
    if len(versions) == 1:
        return versions[0]
    out: list[Line] = []
    left = [list(lines) for lines in versions]

    def alone(at: int, line: Line) -> None:
        text = line.text[:1].lower() + line.text[1:] if line.text[1:2].islower() else line.text
        line.text = f"For {kinds[at]}: {text}"
        out.append(line)

    for line in left[0]:
        places = [
            next((i for i, x in enumerate(rest) if (x.text, x.form, x.cites) == (line.text, line.form, line.cites)), -1)
            for rest in left[1:]
        ]
        if -1 in places:
            alone(0, line)
            continue
        inner = [line.children]
        for at, place in enumerate(places, 1):
            for before in left[at][:place]:
                alone(at, before)
            inner.append(left[at][place].children)
            del left[at][: place + 1]
        line.children = merged(inner, kinds) if any(inner) else []
        out.append(line)
    for at in range(1, len(left)):
        for line in left[at]:
            alone(at, line)
    return out


def taker_of(aside: m.Aside, teller: Outliner) -> str:
    """Who may take an aside. Of several it is the one who decides just then."""
    if aside.chooser is None:
        return capital(teller.say(aside.by))
    teller.speaker.names[aside.chooser.ident] = "the one who does"
    return f"Any of the {teller.speaker.noun(aside.by, True)}"
