"""What one may type at the table instead of an answer: to look, to ask why, to save, to take back."""

from __future__ import annotations

import shlex
import zlib
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulescript.calls import is_number
from rulescript.cli.board import Board
from rulescript.cli.story import cited, events_since, player_title, story_lines
from rulescript.errors import RulescriptError
from rulescript.story import LENGTHS, Storyteller

if TYPE_CHECKING:
    from rulescript.cli.table import Table
    from rulescript.runtime.position import Decision, Option

__all__ = ["Commands", "Leave"]

HELP = """\
  3              take option 3 (of several that you pick: in any order)
  words          take the option they mean: `castle`, or a whole move: `move infantry from mill to castle`
  Enter          show the options again, or the next page of them
  move 3 foot to castle   several like moves in one line
  ?              the rule behind the question, in words
  why WORDS      why something is not allowed: `why move infantry to castle`
  board          everything on the table: spaces, fronts, places, the score
  map            the map as text
  hand           what you hold, and what it says
  what NAME      one thing: what a card says, what a place has
  log            what happened lately;  log all  from the beginning;  log headline  the battles,
                 log everything  with the rules
  options        list all options on one page
  explain WORDS  how a value comes about
  hint           what a bot would do
  undo           take back the last line you typed, what you picked last of several, or what was declined for you
  save FILE      save the game (with everything hidden in it)
  quit           leave the table"""


class Leave(Exception):
    """Somebody has had enough."""


class Commands:
    """The commands of a table. Each looks with the eyes of whoever holds the keyboard."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.position = table.position
        self.game = table.game
        self.screen = table.screen

    def do(self, line: str, decision: Decision | None) -> bool:
        """Do what a command says; False if it is none."""
        name, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.screen.say(HELP),
            "h": lambda _: self.screen.say(HELP),
            "quit": self._quit,
            "q": self._quit,
            "exit": self._quit,
            "board": self._board,
            "b": self._board,
            "look": self._board,
            "what": self._board,
            "map": lambda _: Board(self.position, self.table.eyes(), self.screen).draw(),
            "hand": self._hand,
            "log": self._log,
            "undo": self.undo,
            "u": self.undo,
            "save": self._save,
        }
        if decision is not None:
            commands |= {
                "?": lambda _: self._rule(decision),
                "why": lambda words: self._why(words, decision),
                "explain": lambda words: self._explain(words, decision),
                "options": lambda _: self._all_options(),
                "hint": lambda _: self._hint(decision),
            }
        elif name in ("?", ""):
            name = "help"
        found = commands.get(name.lower())
        if found is None and name.startswith("?") and decision is not None:
            found = commands["?"]
        if found is None:
            return False
        try:
            found(rest)
        except RulescriptError as problem:
            self.screen.say(str(problem))
        except OSError as problem:
            self.screen.say(f"that did not work: {problem.strerror or problem}")
        return True

    def _quit(self, _: str) -> None:
        raise Leave

    def _board(self, rest: str) -> None:
        board = Board(self.position, self.table.eyes(), self.screen)
        if rest:
            board.look(rest)
        else:
            board.show()

    def _hand(self, _: str) -> None:
        seat = self.table.eyes()
        if seat is None:
            self.screen.say("nobody hides anything here: `board` shows all of it")
            return
        Board(self.position, seat, self.screen).hand(self.game.seats(self.position.players)[seat])

    def _log(self, rest: str) -> None:
        length, _, rest = rest.partition(" ") if rest.split(" ")[0] in LENGTHS else ("story", "", rest)
        told = Storyteller(self.game.data, length).lines(events_since(self.position, self.table.eyes(), -1))
        lines = list(story_lines(told, self.screen, cites=length == "everything"))
        most = int(rest) if is_number(rest) and int(rest) else 25
        shown = lines if rest == "all" or length == "headline" else lines[-most:]
        if len(shown) < len(lines):
            self.screen.say(self.screen.paint(f"  ... {len(lines) - len(shown)} lines before (log all)", "dim"))
        for line in shown:
            self.screen.say(line)

    def _save(self, rest: str) -> None:
        from rulescript.cli.play import write_save

        if not rest:
            self.screen.say("save where? `save my_game.json`")
            return
        path = write_save(self.position, rest, self.table.who)
        said = shlex.quote(f"./{path}" if str(path).startswith("-") else str(path))
        self.screen.say(f"saved; go on with: {self.table.command} --load {said}")
        if self.table.hides:
            told = (
                "(the file holds everything: all hands and decks, what was chosen unseen, and what chance has in store)"
            )
            self.screen.say(self.screen.paint(told, "dim"))

    def _rule(self, decision: Decision) -> None:
        """What is asked, and what the rules say about it, in the author's words."""
        from rulescript.cli.rule_prose import rule_prose, rule_words

        info = self.game.data.decisions[decision.block]
        phase = decision.phase
        if phase:
            title = self.game.data.phase_titles.get(phase, "") or phase.replace("_", " ")
            self.screen.say(self.screen.paint(title, "bold"))
        # What could be done at any time comes last, and what nobody can do now not at all.
        offered = {option.label for option in decision.options}
        ways = sorted((alt for alt in info.alts if alt.label in offered), key=lambda alt: alt.is_flagged)
        cites = dict.fromkeys([*decision.cites, *(cite for alt in ways for cite in alt.cites)])
        if not cites:
            cites = dict.fromkeys(self.game.data.phase_cites.get(phase, []))
        said: set[str] = set()
        for rule, shown in zip(cites, cited(self.game, cites), strict=True):
            self.screen.say(f"  {shown}")
            for sentence in rule_prose(self.game, rule):
                if sentence not in said:
                    said.add(sentence)
                    self.screen.say(self.screen.wrapped(sentence, indent="    "))
        if not said:
            for way in rule_words(self.game, decision):
                self.screen.say(self.screen.wrapped(way, indent="    ", first="  - "))

    def _why(self, words: str, decision: Decision) -> None:
        if not words:
            self.screen.say("why what? `why move infantry to castle`")
            return
        for option in self.table.listed:
            if words.casefold() in (option.text.casefold(), option.key.casefold()):
                self.screen.say(f"it is allowed: option {self.table.listed.index(option) + 1}")
                return
        self.screen.say(str(self.position.view(decision.seat).why_not(words)))

    def _explain(self, words: str, decision: Decision) -> None:
        if not words:
            self.screen.say("explain what? `explain strength(Mill)`")
            return
        self.screen.say(str(self.position.view(decision.seat).explain(words)))

    def _all_options(self) -> None:
        wide = len(str(len(self.table.listed)))
        for number, option in enumerate(self.table.listed, 1):
            self.screen.say(f"  {number:>{wide}}  {option.text}")

    def _hint(self, decision: Decision) -> None:
        from rulescript.bots import SearchBot

        # A seed that hangs on nothing but what this seat sees.
        seen = self.position.view(decision.seat).to_json()
        bot = SearchBot(zlib.crc32(seen.encode()))
        option = self.table.thought(bot, decision)
        if decision.selection is None or option.label != decision.selection.label:
            self.screen.say(f"a bot would take {option.text if self.table.basket else self._numbered(option)}")
            return
        # Of several, all that it would pick, in whichever order and however many a person has picked already.
        here, picked = self.position.clone(), [option]
        asked: Any = here.choose(option).decision
        while isinstance(asked, type(decision)) and asked.stage and asked.selection is not None:
            option = self.table.thought(bot, asked, here)
            if option.label != decision.selection.label:
                break
            picked.append(option)
            asked = here.choose(option).decision
        numbers = Counter(each.text for each in picked)
        told = ", ".join(f"{number} × {text}" if number > 1 else text for text, number in numbers.items())
        self.screen.say(f"a bot would pick {told}")

    def _numbered(self, option: Option) -> str:
        return f"{self.table.listed.index(option) + 1}: {option.text}"

    # -------------------------------------------------------------- taking back

    def undo(self, _: str) -> None:
        """Back to where the last person typed a line, which may have answered several decisions. Freely if nothing
        was learnt since; else if everybody agrees. What was picked of several, and not answered yet, comes first."""
        position = self.position
        if self.table.basket is not None and position.decision is not None:
            self._unpick(position.decision)
            return
        steps = list(position.history())
        seats = [self.table.seat_of(step.player) for step in steps]
        back = next((len(steps) - at for at in reversed(range(len(steps))) if seats[at] in self.table.people), 0)
        if not back:
            self.screen.say("there is nothing to take back")
            return
        last = len(steps) - back
        mark = max((mark for mark in self.table.marks if mark <= last), default=last)
        if all(seats[at] == seats[last] for at in range(mark, last)):
            back = len(steps) - mark
        player = self.game.player_names[steps[-back].player]
        # At the end of a game, all that was hidden may have been looked at.
        is_shown = self.table.hides and position.is_over
        if is_shown or not self._is_free(back, player):
            decisions = "a decision" if back == 1 else f"{back} decisions"
            if self.table.hides and back > 1:  # how many there were may be for others to know
                decisions = f"all since the last decision of {player_title(self.game, steps[-back].player)}"
            everybody = "Does everybody agree?" if len(self.table.people) > 1 else "Really?"
            answer = self.table.read(
                f"That takes back {decisions}, after which dice were rolled, something was shown or others "
                f"had their turn. {everybody} [y/N] "
            )
            if answer.lower() not in ("y", "yes"):
                self.screen.say("nothing was taken back")
                return
        said = self._taken_back(position.steps - back)
        position.undo(back)
        self.table.asked_again.add(position.steps)
        self.table.tellers.clear()
        self.table.told = {seat: min(steps, position.steps) for seat, steps in self.table.told.items()}
        self.table.watcher_told = min(self.table.watcher_told, position.steps)
        self.screen.say(self.screen.paint(said, "dim"))

    def _taken_back(self, steps: int) -> str:
        """The first decisions that are taken back, as the person at the keyboard may know them."""
        seat = self.table.eyes()
        if seat is None and self.table.hides:
            return "taken back"
        lines = Storyteller(self.game.data).lines(events_since(self.position, seat, steps))
        shown = [line.text if line.text[:1].isupper() else f"{line.who} {line.text}" for line in lines if line.who]
        more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
        return f"taken back: {'; '.join(shown[:3])}{more}"

    def _is_free(self, back: int, player: str) -> bool:
        """Whether so many decisions may be taken back unasked: each of them may, one after the other."""
        trial = self.position.clone()
        for _ in range(back):
            if not trial.can_undo(player):
                return False
            trial.undo()
        return True

    def _unpick(self, decision: Any) -> None:
        """Put back what was picked last of several."""
        assert self.table.basket is not None
        kept = self.table.basket.basket_in_order[:-1]
        told = self.table.basket.option(self.table.basket.basket_in_order[-1]).text
        picking = decision.selection
        for value in kept:
            picking = picking.pick(picking.option(value))
        self.table.basket = picking if kept else None
        self.screen.say(self.screen.paint(f"taken back: {told}", "dim"))
        self.table.show(decision)
