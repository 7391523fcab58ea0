"""The table a game is played at: who is asked, what they are shown, and what they may type.

A person can answer with a number or with words, or type a command instead. Words are tried in this order:
exactly an option, a command, what `Position.choose` understands, and last the one option that has all these
words in it.

The hard idea is the keyboard: several people may share it, and each may see something else. So the table
keeps, for each seat, how much of the story it has been told; when another person has to look, and the game
hides anything, the screen is cleared and the keyboard handed over before a word of theirs is shown.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from rulescript.calls import is_number
from rulescript.cli.board import score_line
from rulescript.cli.commands import Commands, Leave
from rulescript.cli.screen import SEATS
from rulescript.cli.seats import HUMAN, seat_title
from rulescript.cli.story import cited, events_since, player_title, story_lines
from rulescript.errors import BadChoice, RulescriptError
from rulescript.game_data import SiteInfo
from rulescript.story import Storyteller

if TYPE_CHECKING:
    from rulescript.bots import Bot
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option, Position
    from rulescript.runtime.selections import Selection

__all__ = ["Table", "keeps_secrets"]


def keeps_secrets(game: Game) -> bool:
    """Whether somebody at the table may not see everything, if only for as long as answers are sealed."""
    return game.has_secrets or any(info.is_sealed for info in game.data.decisions.values())


class Table:
    """A game being played. `who` says for each seat `human` or the name of a bot; `bots` has the bots. `drawn` is a
    seed that nobody gave: it is told when the game is over."""

    def __init__(
        self,
        position: Position,
        who: list[str],
        bots: list[Bot | None],
        screen: Screen,
        command: str = "",
        drawn: int | None = None,
    ) -> None:
        self.position = position
        self.game = position.game
        self.who = who
        self.bots = bots
        self.screen = screen
        self.command = command or f"rulescript play {self.game.ident}"
        self.people = [seat for seat, name in enumerate(who) if name == HUMAN]
        self.drawn = drawn
        self.hides = self.game.has_secrets
        # Questions that are put although declining is the only real answer: those that were taken back.
        self.asked_again: set[int] = set()
        self.status = self.score = ""
        # Decisions each person has been told about; -1: not even what happened before the first.
        self.told = dict.fromkeys(self.people, -1)
        self.watcher_told = -1
        self.tellers: dict[int | None, Storyteller] = {}
        self.holder: int | None = self.people[0] if len(self.people) == 1 else None
        # In a game that goes on, what a person has not been told may be all of it.
        self.resumed = position.steps > 0
        self.page = 0
        self.listed: list[Option] = []
        # What a person has picked of several so far, in any order; it is answered when it is complete.
        self.basket: Selection | None = None
        # How many decisions had been taken before each line that was typed: one line is taken back at once.
        self.marks: list[int] = []
        self.commands = Commands(self)

    # -------------------------------------------------------------- from beginning to end

    def welcome(self, seed: int | None) -> None:
        say, paint = self.screen.say, self.screen.paint
        data = self.game.data
        say(f"{paint(self.game.title, 'bold')}  {paint(f'version {self.game.version}', 'dim')}")
        chosen = [*data.options, *([f"scenario {data.scenario}"] if data.scenario else [])]
        say(f"  with {', '.join(chosen) or 'no options'}{f'; seed {seed}' if seed is not None else ''}")
        for seat, name in enumerate(self.who):
            say(f"  {self._seat(seat)}: {'you' if name == HUMAN and len(self.people) == 1 else name}")
        if len(self.people) == len(self.who) > 1:
            say(paint("  (everybody plays at this keyboard; `--against search` brings in a bot)", "dim"))
        if self.people:
            say(paint("  `help` says what you can type", "dim"))
        say()

    def _recall(self) -> None:
        """Of a game that goes on, the last lines of what happened before."""
        if not self.position.steps or len(self.people) > 1 and self.hides:
            return
        seat = self.people[0] if len(self.people) == 1 else None
        events = events_since(self.position, self.viewer(seat), -1)
        self.told = dict.fromkeys(self.told, self.position.steps)
        self.watcher_told = self.position.steps
        self._say_story(seat, events, MOST_RECALLED)

    def play(self) -> int:
        """Until the game is over or somebody leaves."""
        self._prepare_keyboard()
        self._recall()
        try:
            while self.position.decision is not None:
                self._turn(self.position.decision)
            self._ending()
        except (Leave, EOFError):
            if not self.position.is_over:
                self.screen.say(self.screen.paint("the game is not over; leaving the table", "dim"))
        return 0

    def _turn(self, decision: Any) -> None:
        if decision.is_chance:
            raise BadChoice("a saved game with explicit chance cannot be played at the table")
        bot = self.bots[decision.seat]
        if bot is None:
            if not self._declined(decision):
                self._ask(decision)
            return
        phase = self.position.phase
        self.position.choose(self.thought(bot, decision))
        coming = self.position.decision
        # What belongs together is told together: at the end of a phase, or when a person has to decide.
        is_time = coming is None or coming.is_chance or self.bots[coming.seat] is None or self.position.phase != phase
        if is_time and (len(self.people) < 2 or not self.hides):
            self._tell_watcher()

    def thought(self, bot: Bot, decision: Any, position: Position | None = None) -> Option:
        """What a bot decides; while it thinks, a bar shows how far it is."""
        from rulescript.bots import SearchBot

        if not isinstance(bot, SearchBot) or len(decision.options) < 2:
            return bot.choose(position or self.position)
        with self.screen.progress(f"{seat_title(self.game, self.position.players, decision.seat)} thinks", 100) as bar:
            shown = 0

            def on_thinking(share: float) -> None:
                nonlocal shown
                done = int(100 * max(0.0, min(share, 1.0)))
                if done > shown:
                    bar.advance(done - shown)
                    shown = done

            bot.on_thinking = on_thinking
            try:
                return bot.choose(position or self.position)
            finally:
                bot.on_thinking = None

    def _ending(self) -> None:
        """Tell how it ended, to everybody; afterwards one may still look around, take back or save."""
        self._tell_watcher()
        outcome = self.position.outcome
        self.screen.say()
        self.screen.say(self.screen.paint(f"The game is over: {getattr(outcome, 'words', '')}", "good"))
        if score := score_line(self.position):
            self.screen.say(score)
        for rule in cited(self.game, outcome.cites if outcome is not None else ()):
            self.screen.say(f"  {rule}")
        if self.drawn is not None:
            self.screen.say(self.screen.paint(f"(it can be played again with --seed {self.drawn})", "dim"))
        if not self.people:
            return
        self.screen.say(self.screen.paint("(board, log, save FILE, undo or quit)", "dim"))
        while self.position.is_over:
            line = self.read("over> ")
            if not self.commands.do(line, None):
                self.screen.say("the game is over; there is nothing to choose")
        while self.position.decision is not None:  # it was taken back
            self._turn(self.position.decision)
        self._ending()

    # -------------------------------------------------------------- telling

    def _seat(self, seat: int) -> str:
        role = self.game.seats(self.position.players)[seat][0]
        return self.screen.paint(seat_title(self.game, self.position.players, seat), SEATS[role % len(SEATS)])

    def viewer(self, seat: int | None) -> int | None:
        """The eyes to look with: a seat's, or everybody's where there is nothing to hide."""
        return seat if self.hides or self._is_sealed() else None

    def _is_sealed(self) -> bool:
        """Whether answers wait under seal for those of others."""
        decision = self.position.decision
        return decision is not None and not decision.is_chance and decision.sealed

    def _tell(self, seat: int) -> None:
        """What a person has not been told yet. Half a choice is told with its other half."""
        if self._is_halfway():
            return
        known = min(self.told[seat], self.position.steps)
        here = self.position
        if not self.hides and (waiting := self._under_seal()):  # told when all answers lie open
            here = here.clone().undo(waiting)
        events = events_since(here, self.viewer(seat), known)
        self.told[seat] = here.steps
        if not self.hides:  # everybody is looking at the same screen
            self.told = dict.fromkeys(self.told, here.steps)
        if known < 0 and self.resumed:
            self._say_story(seat, events, MOST_RECALLED)
            return
        if known < 0:  # the set-up lies on the table
            later = len(events_since(here, self.viewer(seat), 0))
            opening, events = events[: len(events) - later], events[len(events) - later :]
            self._say_story(seat, opening, MOST_OF_OPENING)
        self._say_story(seat, events)

    def _say_story(self, seat: int | None, events: list[dict[str, Any]], most: int | None = None) -> None:
        """What happened, for a seat; only the last lines of it if there are more than `most`."""
        lines = list(story_lines(self._teller(seat).lines(events), self.screen))
        if most is not None and len(lines) > most:
            self.screen.say(self.screen.paint("  ... (`log all` tells all of it)", "dim"))
            lines = lines[-most:]
        for line in lines:
            self.screen.say(line)

    def _tell_watcher(self) -> None:
        """For the end, and for games between bots: to one person as that person, to a watcher everything."""
        if len(self.people) == 1:
            self._tell(self.people[0])
            return
        if self._is_halfway():
            return
        known = max([self.watcher_told, *self.told.values()])
        events = events_since(self.position, None, min(known, self.position.steps))
        self.watcher_told = self.position.steps
        if not self.hides:
            self.told = dict.fromkeys(self.told, self.position.steps)
        self._say_story(None, events)

    def _teller(self, seat: int | None) -> Storyteller:
        """Who tells a seat the story; where nothing is hidden, everybody hears the same."""
        key = seat if self.hides else None
        if key not in self.tellers:
            self.tellers[key] = Storyteller(self.game.data)
        return self.tellers[key]

    def _is_halfway(self) -> bool:
        decision = self.position.decision
        return decision is not None and decision.stage > 0

    def _hand_over(self, seat: int) -> None:
        """The keyboard goes to another person, and the screen is cleared of what the last one saw."""
        is_private = self.hides or bool(self._under_seal())
        if not is_private or len(self.people) < 2 or self.holder == seat:
            self.holder = seat
            return
        if self.holder is not None and self.screen.is_interactive:
            self.screen.out.write("\x1b[2J\x1b[3J\x1b[H")
            self._forget_lines()
        name = self._seat(seat)
        self.screen.say(f"--- pass the keyboard to {name} ---")
        if self.screen.is_interactive:
            self.read(f"{seat_title(self.game, self.position.players, seat)}, press Enter when nobody else looks ")
        self.holder = seat

    def _under_seal(self) -> int:
        """How many answers wait under seal for the one that is asked for now."""
        decision: Any = self.position.decision
        if not self._is_sealed():
            return 0
        waiting = 0
        for step in reversed(list(self.position.history())):
            info = self.game.data.decisions[step.block]
            if not info.is_sealed or info.procedure != decision.procedure or step.events:
                break
            waiting += 1
        return waiting

    def _forget_lines(self) -> None:
        """What the last person typed does not come back with the arrow keys of the next."""
        self.listed = []
        try:
            import readline
        except ImportError:
            return
        readline.clear_history()

    # -------------------------------------------------------------- asking

    def _ask(self, decision: Decision) -> None:
        """Ask a person until there is an answer."""
        self._hand_over(decision.seat)
        self._tell(decision.seat)
        self.page = 0
        self.basket = None
        self.show(decision)
        while self.position.decision is decision:
            line = self.read(f"{player_title(self.game, self.game.player_names.index(decision.player))}> ")
            if not line:
                self._next_page(decision)
            elif is_number(line):
                self._take_number(decision, int(line))
            elif not self._take_exactly(line) and not self.commands.do(line, decision):
                self._take_words(decision, line)

    def show(self, decision: Decision) -> None:
        """The question and its options, grouped by what they do."""
        screen = self.screen
        phase = self.game.data.phase_titles.get(decision.phase, "") or decision.phase.replace("_", " ")
        rules = "".join(f" §{cite}" for cite in decision.cites)
        screen.say()
        self._show_status(phase)
        called = player_title(self.game, self.game.player_names.index(decision.player))
        role = f" ({called})" if self._several_roles(decision.seat) else ""
        head = f"{self._seat(decision.seat)}{role}"
        screen.say(f"{head} | {screen.paint(decision.prompt, 'bold')}{screen.paint(rules, 'dim')}")
        groups = _groups(decision)
        picking = self.basket or decision.selection
        if picking is not None:
            groups = _picking_groups(picking, groups)
            screen.say(screen.paint(f"  {_how_many(picking)}", "dim"))
        self.listed = [option for _, options in groups for option in options]
        room = self._room()
        first, last = self.page * room, (self.page + 1) * room
        at = 0
        for title, options in groups:
            shown = [(at + i, option) for i, option in enumerate(options) if first <= at + i < last]
            at += len(options)
            if not shown:
                continue
            if title and len(groups) > 1:
                screen.say(screen.paint(f"  {title}", "dim"))
            wide = len(str(len(self.listed)))
            for line in screen.columns([f"{number + 1:>{wide}}  {option.text}" for number, option in shown]):
                screen.say(line)
        if len(self.listed) > last:
            screen.say(screen.paint(f"  ... {len(self.listed) - last} more: press Enter", "dim"))

    def _show_status(self, phase: str) -> None:
        """Turn and phase, and who is ahead, if that is not what was shown last."""
        shown = " | ".join(part for part in (*rounds_now(self.position), phase) if part)
        score = score_line(self.position)
        if shown != self.status:
            self.status = shown
            self.screen.say(self.screen.paint(shown, "head"))
            for teller in self.tellers.values():
                teller.heading_shown()
        if score != self.score:
            self.score = score
            self.screen.say(self.screen.paint(score, "dim"))

    def _room(self) -> int:
        """How many options go on a page; without a terminal there are no pages."""
        if not self.screen.is_interactive:
            return max(1, len(self.listed))
        return max(8, (self.screen.height - 8) * (2 if self.screen.width > 90 else 1))

    def _several_roles(self, seat: int) -> bool:
        return len(self.game.seats(self.position.players)[seat]) > 1

    def _next_page(self, decision: Decision) -> None:
        self.page = self.page + 1 if (self.page + 1) * self._room() < len(self.listed) else 0
        self.show(decision)

    def _declined(self, decision: Decision) -> bool:
        """Whether a question was answered for its player, since declining is the only real answer and no other person
        could learn from that what is hidden. It is said, and `undo` puts the question after all. (Where everybody can
        see that nothing can be chosen, the rules do not ask at all.)"""
        info = self.game.data.decisions[decision.block]
        if self.position.steps in self.asked_again or decision.sealed or decision.stage:
            return False
        if len(self.people) > 1 and any(alt.is_veiled for alt in info.alts):
            return False
        real = [option for option in decision.options if not option.flagged]
        if len(real) != 1 or real[0].key != real[0].label:
            return False
        before = self.position.steps
        self.position.choose(real[0])
        self._mark(before)
        who = player_title(self.game, self.game.player_names.index(decision.player))
        told = f"({who}: {real[0].text} is all there is to choose ({decision.prompt}); `undo` asks all the same)"
        self.screen.say(self.screen.paint(told, "dim"))
        return True

    # -------------------------------------------------------------- answers

    def _take_number(self, decision: Decision, number: int) -> None:
        if 1 <= number <= len(self.listed):
            self._take(self.listed[number - 1])
        else:
            self.screen.say(f"there is no option {number}; there are {len(self.listed)}")

    def _take(self, answer: Any) -> bool:
        """Answer the position; a rule that goes wrong is told, and the position stays."""
        before = self.position.steps
        try:
            if self._picks(answer):
                return True
            self.position.choose(answer)
            self._mark(before)
        except BadChoice as problem:
            self.screen.say(problem.message)
            return False
        except RulescriptError as problem:
            self.screen.say(self.screen.paint(f"that did not work, and nothing has changed: {problem}", "error"))
            return False
        return True

    def _mark(self, before: int) -> None:
        """Note where a typed line began."""
        self.marks = [mark for mark in self.marks if mark < before] + [before]

    def _picks(self, answer: Any) -> bool:
        """Pick one of several, whatever comes first; the whole is answered when nothing is left to decide. False if
        the answer is no item, or ends the choice as it stands."""
        decision: Any = self.position.decision
        if decision is None or decision.is_chance or decision.selection is None:
            return False
        picking = self.basket or decision.selection
        item = next((i for i in picking.items if i.option == answer), None)
        if item is None:
            if self.basket is None:
                return False
            if getattr(answer, "label", "") != "done":
                raise BadChoice("a selection was begun: pick more, or take back what was picked with `undo`")
            self._answer_with(picking)
            return True
        picking = picking.pick(item)
        if picking.is_settled or not picking.items:
            self._answer_with(picking)
        else:
            self.basket = picking
            self.show(decision)
        return True

    def _answer_with(self, picking: Selection) -> None:
        """Answer with a whole selection; what leaves no choice is picked with it."""
        before = self.position.steps
        settled = picking.settled_values() if not picking.is_complete else ()
        self.position.choose([picking.option(value) for value in (*picking.basket, *settled)])
        self.basket = None
        self._mark(before)

    def _take_exactly(self, line: str) -> bool:
        """An option whose key or words are exactly these, so that no command hides it."""
        wanted = line.casefold()
        for option in self.listed:
            if line == option.key or wanted == option.text.casefold() or wanted == option.label.casefold():
                if wanted == option.label.casefold() and option.key != option.label:
                    continue
                return self._take(option)
        return False

    def _take_words(self, decision: Decision, line: str) -> None:
        """What `choose` understands; else the one option that has these words; else those that do."""
        from rulescript.runtime.selection_words import selection_named

        if self.basket is None and self._take_several(line):
            return
        before = self.position.steps
        try:
            if self.basket is None:
                self.position.choose(line)
                self._mark(before)
                return
        except BadChoice as problem:
            # Of several that are named, but not as they may be, one is not picked for its writer.
            if selection_named(self.position, line) is not None and _so_many(line) > 1:
                self.screen.say(problem.message)
                return
        except RulescriptError as problem:
            self.screen.say(self.screen.paint(f"that did not work, and nothing has changed: {problem}", "error"))
            return
        from rulescript.wording.lexicon import words

        wanted = words(line)
        fitting = [o for o in self.listed if wanted and _has(words(f"{o.text} {o.key}"), wanted)]
        if len(fitting) == 1:
            self.screen.say(self.screen.paint(f"  {fitting[0].text}", "dim"))
            self._take(fitting[0])
        elif fitting:
            self.screen.say("which of these?")
            for option in fitting[:12]:
                self.screen.say(f"  {self.listed.index(option) + 1}  {option.text}")
            if len(fitting) > 12:
                self.screen.say(f"  ... and {len(fitting) - 12} more")
        else:
            self.screen.say(f"`{line}` is not among the options (`why {line}` says why, `help` what you can type)")

    def _take_several(self, line: str) -> bool:
        """``move 3 foot to castle``: one line for so many moves that are alike; all of them, or none."""
        found = _NUMBER.search(line)
        number = int(found[0]) if found is not None else 0
        decision: Any = self.position.decision
        if found is None or not 2 <= number <= MOST_ALIKE or decision is None or decision.selection is not None:
            return False
        if any(re.search(rf"(?<!\w){number}(?!\w)", option.text) for option in self.listed):
            return False  # the number is part of an answer
        one = _singular(line, found)
        player = decision.player
        trial, done = self.position.clone(), 0
        try:
            while done < number - 1:
                trial.choose(one)
                done += 1
                if not trial.can_undo(player):  # or who takes it back would have seen what chance brings
                    self.screen.say("something is rolled, shown or decided by others in between: one at a time")
                    return True
        except RulescriptError as problem:
            if done:
                self.screen.say(f"only {done} of {number} can be done so, and nothing was: {_first_line(problem)}")
            return bool(done)
        before = self.position.steps
        try:
            for _ in range(number):
                self.position.choose(one)
        except RulescriptError as problem:
            if self.position.steps > before:
                self.position.undo(self.position.steps - before)
            self.screen.say(f"only {done} of {number} can be done so, and nothing was: {_first_line(problem)}")
            return True
        self._mark(before)
        return True

    def eyes(self) -> int | None:
        """Whose eyes a command looks with: of whoever holds the keyboard; at the end, everybody's."""
        decision = self.position.decision
        if decision is not None:
            return self.viewer(decision.seat)
        return self.viewer(self.people[0]) if len(self.people) == 1 else None

    def seat_of(self, role: int) -> int:
        return self.position.seat_of(role)

    # -------------------------------------------------------------- the keyboard

    def read(self, prompt: str) -> str:
        """One line. With pipes it is repeated, so that a transcript reads like a game."""
        if self.screen.is_interactive:
            self.screen.flush()
            return input(prompt).strip()
        self.screen.say(prompt, end="")
        line = sys.stdin.readline()
        if not line:
            self.screen.say()
            raise EOFError
        self.screen.say(line.rstrip("\n"))
        return line.strip()

    def _prepare_keyboard(self) -> None:
        """Arrow keys and completion of options, where there is a terminal."""
        if not self.screen.is_interactive or not self.people:
            return
        try:
            import readline
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, state: int) -> str | None:
        names = [option.text for option in self.listed]
        names += [
            "board", "explain ", "help", "hand", "hint", "log", "map", "options", "quit", "save ", "undo",
            "what ", "why ",
        ]  # fmt: skip
        fitting = [name for name in names if name.casefold().startswith(text.casefold())]
        return fitting[state] if state < len(fitting) else None


# ---- small things ------------------------------------------------------------------------------------------

MOST_ALIKE = 99
MOST_RECALLED = 20  # lines, of a game that was saved
MOST_OF_OPENING = 6  # lines, of what was done before anybody was asked: the board shows it
_NUMBER = re.compile(r"(?<![\w.])\d{1,2}(?![\w.])")


def _singular(line: str, found: re.Match[str]) -> str:
    """The line for one of several: without the number, and the plural after it as a reader would find it."""
    return f"{line[: found.start()]}{line[found.end() :].lstrip()}"


def _first_line(problem: RulescriptError) -> str:
    return str(problem).splitlines()[0]


def rounds_now(position: Position) -> list[str]:
    """The turn, and whose part of it, as far as the sequence goes through them."""
    data = position.game.data
    names = dict.fromkeys(site.extra[1] for site in map(_site, data.sites) if site.sort == "round")
    out = []
    for entry in data.states:
        if not entry.kind and entry.name in names:
            said = position.game.values.label(position.s[entry.slot], entry.type)
            is_number = entry.type == ["int"]
            out.append(f"{entry.name.replace('_', ' ').capitalize()} {said}" if is_number else said)
    return out


def _site(site: Any) -> SiteInfo:
    return site if isinstance(site, SiteInfo) else SiteInfo(*site)


def _groups(decision: Decision) -> list[tuple[str, list[Option]]]:
    """Options by what they do: choices of something first, ways out after them, what is open at any time
    last."""
    picks: dict[str, list[Option]] = {}
    plain: list[Option] = []
    asides: list[Option] = []
    for option in decision.options:
        if option.flagged:
            asides.append(option)
        elif option.key == option.label:
            plain.append(option)
        else:
            picks.setdefault(option.label, []).append(option)
    groups = [(label.replace("_", " "), options) for label, options in picks.items()]
    if plain:
        groups.append(("or" if groups else "", plain))
    if asides:
        groups.append(("at any time", asides))
    return groups


def _picking_groups(picking: Selection, groups: list[tuple[str, list[Option]]]) -> list[tuple[str, list[Option]]]:
    """The options of a choice of several, with all that can be picked next instead of what comes first."""
    items = [item.option for item in picking.items]
    out = [(title, options) for title, options in groups if not any(o.label == picking.label for o in options)]
    if picking.basket:  # then only picking goes on
        out = [("or", [_that_is_all()])] if picking.is_complete else []
    return [(picking.label.replace("_", " "), items), *((title, options) for title, options in out if options)]


def _that_is_all() -> Option:
    """The end of a selection that is complete as it stands."""
    from rulescript.runtime.position import Option

    return Option.told("done", -1, "done", False, "That is all", {})


def _how_many(picking: Selection) -> str:
    """What was picked, and how many are due or can be picked."""
    said = ""
    if picking.picked:
        named = [f"{item.count} {item.name}" if item.count > 1 else item.name for item in picking.picked]
        said = f"picked: {', '.join(named)}; "
    if picking.is_exact:
        return f"{said}{picking.most} {'more ' if picking.picked else ''}to pick, in any order"
    return f"{said}pick up to {picking.most} {'more' if picking.picked else 'in any order'}"


def _so_many(line: str) -> int:
    """How many things a line seems to name: its numbers, or else the parts of its list."""
    numbers = [int(word) for word in line.replace(",", " ").split() if is_number(word) and len(word) < 4]
    return sum(numbers) or line.count(",") + line.count(" and ") + 1


def _has(words: list[str], wanted: list[str]) -> bool:
    """Whether each wanted word begins some word."""
    return all(any(word.startswith(want) for word in words) for want in wanted)
