"""Malformed lines, each with the sentence it deserves: what a designer meant, not what a parser missed.

The hard idea is that a parser stops where the text became impossible, and a designer erred where it became
wrong. `elif x` is impossible at `x`, since `elif` could be a name; the mistake is `elif`. So the sentences
are a table of patterns over the line, `RULES`: the first whose match reaches to the stopping place is the
one, and its group `at` says where the caret goes. A line is matched with its comment and the words of its
texts blanked. What no rule knows is told in terms of what was expected, by `faults.py`.

The file is long because it is a list: sentences in the order in which they are tried, by topic.
"""

from __future__ import annotations

import re
from functools import cache

from attrs import frozen

from rulescript.syntax.faults import WORD, Fault, Stop

__all__ = ["RULES", "Rule"]


@frozen
class Rule:
    """One mistake and its sentence. Groups of the pattern can be named in the sentence, as in `{name}`.

    `written` is the pattern: `W` in it stands for a name, `CHOOSE` for the beginning of a choice. `wants`: at least one
    of these must have been possible where reading stopped."""

    written: str
    message: str
    label: str
    hint: str | None
    wants: frozenset[str]
    code: str

    @property
    def pattern(self) -> re.Pattern[str]:
        return _pattern(self.written)

    def fault_at(self, stop: Stop) -> Fault | None:
        if self.wants and not self.wants & stop.wanted:
            return None
        pattern = self.pattern
        match = pattern.search(stop.line)
        while match is not None and match.end() < stop.column:
            match = pattern.search(stop.line, match.start() + 1)
        if match is None or match.start() > stop.column:
            return None
        words = {
            name: stop.written(*match.span(name)).strip() if match[name] is not None else ""
            for name in match.groupdict()
        }
        return stop.fault(
            self.message.format(**words),
            self.label.format(**words),
            " ".join(self.hint.format(**words).split()) if self.hint else None,
            code=self.code,
            at=match.span("at") if match["at"] is not None else None,
        )


@cache
def _pattern(written: str) -> re.Pattern[str]:
    """Compiled when the first mistake is looked at: a text without any waits for none of them."""
    written = written.replace("CHOOSE", r"\bchoose\s+(?:by\s+\S+\s+)?(?:W:\s*)?")
    return re.compile(re.sub(r"(?<!\\)\bW\b", lambda _: WORD, written))


RULES: list[Rule] = []


def _rule(pattern: str, message: str, label: str, hint: str | None, *, wants: str = "", code: str = "RS001") -> None:
    RULES.append(Rule(pattern, message, label, hint, frozenset(wants.split()), code))


# -- what newcomers try

_rule(
    r"^\s*(?!may\b)(?P<who>W(?:\.W)*)\s+(?P<at>chooses?|choos|picks?|selects?)\s+(?P<name>W)\s*:\s*(?P<rest>.*)",
    "who decides is said with `choose by`",
    "expected `choose by`",
    "write `choose by {who} {name}: {rest}`",
)
_rule(
    r"^\s*choose\s+(?P<name>W)\s+(?P<at>by\s+(?P<who>[\w.]+))\s*:\s*(?P<rest>.*)",
    "who decides is said before the name of the choice",
    "expected right after `choose`",
    "write `choose by {who} {name}: {rest}`",
)
_rule(
    r"^\s*or\s+(?P<at>(?:do\s+)?(?:nothing|nobody|none|neither|skip|decline|no))\b\s*(?:\"~*\")?$",
    "the way to do nothing is `or pass`",
    "expected `pass`",
    'write `or pass`, or `or pass "..."` with words for it',
)
_rule(
    r"^\s*or\s+(?P<word>pass|stop)\s*(?P<at>:)\s*(?P<text>\"~*\")$",
    "no `:` is needed after `or {word}`",
    "not needed",
    "write `or {word} {text}`",
)
_rule(
    r"^\s+(?P<at>or|and)\s+(?!choose\b)(?P<rest>[^\"§:]*?(?:\bin\b|==|!=|<=|>=|<|>)[^\"§:]*?)"
    r"\s*(?:\"~*\")?\s*(?:[§@].*)?$",
    "a condition stands on one line, however long",
    "goes on from the line above",
    "put `{at} {rest}` at the end of the line above, before its text",
)
_rule(
    r"^\s*or\s+(?P<at>\"~*\")$",
    "each way of a choice has a name before its text",
    "expected a name before this",
    "write `or some_name {at}`, or `or pass {at}` if nothing happens then",
)
_rule(
    r"^\s+(?P<at>assert|ensure|check|demand|requires?\s+that)\s+(?P<rest>[^\s~\"].*?)\s*$",
    "what must be so is said with `require`",
    "expected `require`",
    "write `require {rest}`",
    wants="_NL and COMPARE",
)
_rule(
    r"\bin\s+(?P<at>\((?P<all>\s*[\w.]+(?:\s*,\s*[\w.]+)+\s*)\))",
    "a set stands in braces",
    "expected `{{` and `}}`",
    "write `in {{{all}}}`",
)
_rule(
    r"^\s*(?:require|if|repeat\s+while|repeat\s+until)\b.*?\bin\s+(?P<one>[\w.]+)(?P<at>\s*,"
    r"\s*)(?P<two>[\w.]+)\s*(?=$|\"|§)",
    "two sets are put together with `+`",
    "expected `+`",
    "write `in {one} + {two}`",
)
_rule(
    r"^\s*(?:if|else\s+if|require|repeat\s+while|repeat\s+until)\s+(?P<at>no)\s+(?P<what>[\w.]+(?:\[[^\]]*\])?)",
    "that there are none is asked with `none`",
    "expected `none`",
    "write `none {what}`",
)
_rule(
    r"(?P<left>[\w.]+(?:\([^()]*\))?)\s+(?P<at>(?P<minus>minus)|plus)\s+(?P<right>[\w.]+)",
    "numbers are added with `+` and taken away with `-`",
    "expected a sign",
    "write `{left} + {right}` or `{left} - {right}`",
    wants="_NL and )",
)
_rule(
    r"^\s+(?P<type>int|bool|text|string|number|[A-Z]\w*)\s+(?P<name>[a-z]\w*)\s*(?P<at>=)\s*(?P<value>[^=].*)$",
    "a name of this rule only is made with `let`, without its type",
    "expected `let`",
    "write `let {name} = {value}`",
)
_rule(
    r"^\s*let\s+(?P<name>W(?:\.W)+)\s*(?P<at>)=\s*(?P<value>.*)",
    "`let` makes a new name; a state is set with `=` alone",
    "`let` is not needed",
    "write `{name} = {value}`",
)
_rule(
    r"(?P<at>\b(?:floor|round|int|trunc)\()\s*(?P<left>[\w.]+)\s*/\s*(?P<right>[\w.]+)\s*\)",
    "a division says itself how it is rounded",
    "not needed",
    "write `{left} / {right} rounded down`",
)
_rule(
    r"(?P<at>\bceil\()\s*(?P<left>[\w.]+)\s*/\s*(?P<right>[\w.]+)\s*\)",
    "a division says itself how it is rounded",
    "not needed",
    "write `{left} / {right} rounded up`",
)
_rule(
    r"^\s+(?P<rest>(?!tell|say|print)[^\s\"§|].*[\w)\]])(?P<at>\.)$",
    "a line does not end with a full stop",
    "not needed",
    "take the `.` away",
)
_rule(
    r"^\s*adjust\b.*[\w)\]](?P<at>\s*,)\s*(?P<text>\"~*\")",
    "the text of an adjustment follows without a comma",
    "not needed",
    "take the `,` away",
)
_rule(
    r"^\s*(?P<word>adjust|before|after|when|reword)\s+(?P<name>[\w.]+)\((?:W\s*,\s*)*W\s*(?P<at>:)",
    "what a rule is given has its type where the rule is declared, and only its name here",
    "not needed",
    "take the `:` and the type away",
)
_rule(
    r"^\s*(?P<at>otherwise|or\s+if|else\s+when)\s+(?:if\s+)?(?P<condition>[^\s:].*?):?$",
    "the next condition is asked with `else if`",
    "expected `else if`",
    "write `else if {condition}`",
    wants="_NL and choose",
)
_rule(
    r"^\s*end game\s*,\s*(?P<at>tie|tied|a\s+draw|nobody\s+wins|drawn)\b",
    "a game without a winner is a `draw`",
    "expected `draw`",
    "write `end game, draw`",
)
_rule(
    r"^\s*(?P<at>endgame|end_game|game_over)\b\s*(?P<rest>,.*)?$",
    "a game ends with `end game`, in two words",
    "expected `end game`",
    "write `end game{rest}`",
    wants="_NL (",
)
_rule(
    r"^\s*end game\s*,\s*(?P<who>.*[\w)\]])\s*(?P<at>\"~*\")",
    "who is named here `wins`, or several of them `win`",
    "expected `wins` before this",
    "write `end game, {who} wins {at}`",
    wants="wins",
)
_rule(
    r"\b(?P<at>max|maximum|highest)\(\s*(?P<what>[\w.]+)\s+by\s+(?P<by>[\w.]+)\s*\)",
    "those with the highest value are found with `most`",
    "expected `most`",
    "write `most {what} by {by}`, or `only(most {what} by {by})` where there is exactly one",
)
_rule(
    r"\b(?P<at>min|minimum|lowest)\(\s*(?P<what>[\w.]+)\s+by\s+(?P<by>[\w.]+)\s*\)",
    "those with the lowest value are found with `least`",
    "expected `least`",
    "write `least {what} by {by}`, or `only(least {what} by {by})` where there is exactly one",
)
_rule(
    r"^\s*(?P<word>before|after)\s+(?P<name>W)(?P<names>\([^)]*\))?\s+(?P<at>if|while|unless)\s+(?P<rest>.*)",
    "when something is done {word} a rule is said with `when`",
    "expected `when`",
    "write `{word} {name}{names} when {rest}`",
)
_rule(
    r"^\s*(?P<word>before|after)\s+(?P<at>(?:the\s+end\s+of\s+)?(?:each|every|the|a|an)\s+)(?P<name>W)",
    "what is done {word} each of them stands under `{word}` and its name",
    "not needed",
    "write `{word} {name}`",
)
_rule(
    r"^\s*standing(?P<who>\([^)]*\))?\s*(?P<at>(?:->\s*W\s*)?)(?P<text>\"~*\")?\s*$",
    "a standing says of whom in brackets, and in a text what is counted",
    "expected `(`, a player and a text",
    'write `standing(s: Side) "points"`, with the kind of your players',
)
_rule(
    r"^route\b.*\bby\s+(?P<one>W)\s+(?P<at>and|or|&|\+)\s+(?P<two>W)",
    "the sorts of links that a route follows have commas between them",
    "expected `,`",
    "write `by {one}, {two}`",
)
_rule(
    r"^route\b.*,\s*(?P<at>max(?:imum)?(?:\s+of)?|up\s+to|within|no\s+more\s+than|not\s+more"
    r"\s+than)\s+(?P<many>[\w.]+)\s*(?P<what>steps?|points?)?",
    "how far a route goes is said with `at most`",
    "expected `at most`",
    "write `at most {many} steps`",
)
_rule(
    r"^route\b.*\bat\s+most\s+(?P<many>[\w.]+)\s*(?P<at>(?:spaces?|areas?|regions?|hexes|fields?|links?|moves?))\s*(?=$|§)",
    "a route goes so many `steps`, or `points` where steps cost something",
    "expected `steps`",
    "write `at most {many} steps`",
    wants="steps points",
)
_rule(
    r"(?P<name>W)\s*:\s*(?P<kind>[A-Z]\w*)\s+(?P<at>in|at|from)\s+(?P<place>[A-Z]\w*)\s*[,)]",
    "a piece that stands somewhere is written with `on`",
    "expected `on`",
    "write `{name}: {kind} on {place}`",
    wants="on",
)
_rule(
    r"^\s+(?P<word>enter|through)\s+(?P<name>W)\s*(?P<at>:)\s*(?P<rest>\S.*)?$",
    "no `:` is needed after `{word} {name}`; what it requires stands on the lines below",
    "not needed",
    "write `{word} {name}`, and under it `require ...`",
    wants="_NL",
)
_rule(
    r"^\s+(?P<at>enter|through|step|cost)$",
    "`{at}` says which space is meant: from where, or to where",
    "expected a name after this",
    "write `enter b`, `through b`, `step a to b` or `cost a to b`",
)
_rule(
    r"^\s+(?P<word>step|cost)\s+(?:from\s+)?(?P<one>W)\s*(?P<at>->|,|-|and\b|from\b|to\b)?\s*(?P<two>(?!to\b)W)",
    "a step goes from one space `to` another",
    "expected `a to b`",
    "write `{word} {one} to {two}`",
    wants="to (",
)
_rule(
    r"^\s+(?P<at>return\s+)?"
    r"(?P<rest>(?!(?:require|choose|or|return|if|else|let|may|move|tell|for|repeat|each|and|all|adjust|restrict)\b)"
    r"W[^\"§=]*?(?:\bin\b|==|!=|<=|>=|<|>|\])[^\"§]*?)\s*\"~*\"\s*(?:[§@].*)?$",
    "what must be so is said with `require`",
    "expected `require`",
    "write `require {rest} ...`",
    wants="_NL and",
)
_rule(
    r"^\s*(?P<first>\S.*\")(?P<at>\s*,)\s*(?P<cite>[§@][\w.\-]+)",
    "a citation follows without a comma",
    "not needed",
    "take the `,` away",
)
_rule(
    r"\"\s*(?P<at>\[(?P<number>\d+(?:\.\w+)*)\])\s*$",
    "the rule of the rulebook is cited with `§`",
    "expected `§`",
    "write `§{number}`",
)
_rule(
    r"\b(?P<word>as|text|told|showing|not)\s+(?P<at>\{[^\"]*)$",
    "what people read stands in quotes",
    "expected a text in quotes",
    'write `{word} "{at}"`',
    wants="STRING",
)
_rule(
    r"^\s+(?P<kind>[A-Z]\w*)\s+(?P<name>W)\s*(?P<at>\((?P<facts>[^()]*)\))\s*$",
    "the facts of a thing stand behind its name without brackets",
    "not needed",
    "write `{kind} {name}  {facts}`",
)
_rule(
    r"^\s*(?P<at>links|linked|sorts|edges)\s+(?P<sorts>W(?:\s*,\s*W)*)\s*$",
    "the sorts of links are named after `link`",
    "expected `link`",
    "write `link {sorts}`",
)
_rule(
    r"^\s*link\s+(?P<one>W)\s+(?P<at>and|&|\+|or)\s+(?P<two>W)",
    "the sorts of links have commas between them",
    "expected `,`",
    "write `link {one}, {two}`",
)
_rule(
    r"^\s*track\s+(?P<state>[\w.]+)\s+(?:from\s+)?(?P<low>-?\d+)\s*(?P<at>to|-|until|through)\s*(?P<high>-?\d+)",
    "the fields of a track go from one number to another with `..`",
    "expected `..`",
    "write `track {state} {low}..{high}`",
)
_rule(
    r"^\s*track\s+(?P<state>[\w.]+)\s*(?P<at>(?:from\s+|:\s*)?)(?P<low>-?\d+)"
    r"\s*(?:to|-|\.\.|until)\s*(?P<high>-?\d+)",
    "the fields of a track follow its name: from one number to another with `..`",
    "not needed",
    "write `track {state} {low}..{high}`",
)
_rule(
    r"^\s*track\s+(?P<state>[\w.]+)\s+(?P<at>(?!\d)\w[\w ]*)$",
    "what is printed over a track is a text in quotes",
    "expected a text in quotes",
    'write `track {state} "{at}"`',
)
_rule(
    r":\s*(?P<low>-?\d+)\s+(?P<at>to|until|through|-)\s*(?P<high>-?\d+)",
    "how far a number goes is written with `..`",
    "expected `..`",
    "write `{low}..{high}`",
    wants="..",
)
_rule(
    r"^\s*state\s+(?P<name>W)\s*:\s*(?P<type>[^,§\"=]*?(?:=\s*\w+)?)\s+(?P<at>lasts)\s+(?P<what>[\w.]+)",
    "how long it lasts stands after a comma",
    "expected `,` before this",
    "write `state {name}: {type}, lasts {what}`",
)
_rule(
    r"^\s*state\b.*,\s*(?:lasts\s+)?(?P<at>(?:until|till|for|during|through)(?:\s+(?:the\s+)?end"
    r"\s+of)?(?:\s+(?:the|each|every|a))?)\s+(?P<what>W)\s*(?=$|,|§)",
    "how long it lasts is said with `lasts`",
    "expected `lasts`",
    "write `, lasts {what}`",
)
_rule(
    r"^\s*state\b.*?,\s*(?P<at>\"~*\")",
    "what a story tells when it changes is said with `told`",
    "expected `told` before this",
    "write `, told {at}`",
    wants="told",
)
_rule(
    r"^\s*holds\s+(?P<name>W)\s*:\s*(?P<kind>W)(?P<at>"
    r"\s+)(?P<level>(?:visible|hidden|count|top|nonempty)\s+to|ordered)\b",
    "who sees a place, and whether it is ordered, stands after a comma",
    "expected `,` before this",
    "write `holds {name}: {kind}, {level} ...`",
)
_rule(
    r"^\s*holds\s+W\s*:\s*W\s*,.*?\bto\s+[\w.]+\s+(?P<at>and|&)"
    r"\s+(?P<level>visible|hidden|count|top|nonempty|order|ordered)\b(?:\s+to)?",
    "who sees what has commas between",
    "expected `,`",
    "write `, {level} ...`",
)
_rule(
    r"^\s*holds\s+W\s*:\s*W\s*,\s*(?:.*,\s*)?(?P<at>visible|count|top|nonempty)\s*(?=$|,|§)",
    "`{at}` says to whom",
    "expected `to` after this",
    "write `{at} to others`, or `{at} to it` for the one whose place it is",
)
_rule(
    r"^\s*holds\s+W\s*:\s*W\s*,\s*(?:.*,\s*)?(?P<at>order)\s*(?=$|,|§)",
    "a place with a top and a bottom is `ordered`",
    "expected `ordered`",
    "write `ordered`",
)
_rule(
    r"^\s*holds\s+W\s*:\s*W\s*,\s*(?:.*,\s*)?(?P<at>seen\s+by|shown\s+to|known\s+to|open"
    r"\s+to|visible\s+for|visible\s+by)\s+(?P<who>W)",
    "who sees a place is said with `visible to`, `count to` or `hidden to`",
    "expected `visible to`",
    "write `visible to {who}`",
)
_rule(
    r"^game\s+(?P<title>\"~*\")(?P<at>\s*)(?P<rest>version\b.*)",
    "the version stands after a comma",
    "expected `,` before `version`",
    "write `game {title}, {rest}`",
)
_rule(
    r"^game\s*(?P<at>:)\s*(?P<rest>\"~*\".*)",
    "no `:` is needed after `game`",
    "not needed",
    "write `game {rest}`",
)
_rule(
    r"^\s+(?P<word>by|author|publisher|designer|year|players|description|title|version)"
    r"\s*(?P<at>:)\s*(?P<text>\"~*\")",
    "no `:` is needed after `{word}`",
    "not needed",
    "write `{word} {text}`",
    wants="STRING",
)
_rule(
    r"^\s+(?P<word>by|author|publisher|designer)\s+(?P<at>[^\s\"~][^\"]*)$",
    "a fact about the game is a text in quotes",
    "expected a text in quotes",
    'write `{word} "{at}"`',
    wants="STRING",
)
_rule(
    r"^\s*(?P<at>(?P<many>\d+)\s+times)\b.*",
    "a loop begins with `repeat`",
    "expected `repeat`",
    "write `repeat {many} times`",
)
_rule(
    r"^\s*(?P<at>loop\s+)(?P<rest>(?:while|until)\b.*)",
    "a loop begins with `repeat`",
    "expected `repeat`",
    "write `repeat {rest}`",
)
_rule(
    r"^\s*place\s+(?:.*?)(?P<one>\d+\s+W)\s+(?P<at>and|plus)\s+(?P<two>\d+\s+W)",
    "what is placed has commas between",
    "expected `,`",
    "write `{one}, {two}`",
)
_rule(
    r"^\s*(?P<at>\d+\s+W(?:\s+W)*(?:\s*,\s*\d+\s+W(?:\s+W)*)*)\s+(?:in|to|at|on)\s+(?P<where>[\w.]+)\s*$",
    "pieces are put somewhere with `place`",
    "expected `place`",
    "write `place {at} in {where}`",
)
_rule(
    r"^\s*place\s+(?P<at>one|two|three|four|five|six|seven|eight|nine|ten)\s+(?P<what>[\w ]+?)\s+in\b",
    "how many are placed is written in digits",
    "expected a number",
    "write for example `place 2 {what} in ...`",
)
_rule(
    r"^\s*move\s*(?P<at>\()\s*(?P<what>[^(),]+)\s*,\s*(?P<where>[^(),]+)\)\s*$",
    "`move` takes no brackets, and says where with `to`",
    "not needed",
    "write `move {what} to {where}`",
)
_rule(
    r"^\s*(?P<at>(?!goe?s?\b)W(?:\.W)*)\s+(?:to|into)\s+(?P<where>[\w.]+)\s*$",
    "things and pieces go from place to place with `move`",
    "expected `move` before this",
    "write `move {at} to {where}`",
    wants="_NL and",
)
_rule(
    r"^\s*(?P<at>remove|delete|take|discard|eliminate|return)\s+(?P<what>[\w.]+)"
    r"\s+(?:from|to|into|out\s+of)\s+(?P<where>[\w. ]+)\s*$",
    "things and pieces go from place to place with `move`",
    "expected `move`",
    "write `move {what} to ...`, or `move {what} home`",
)
_rule(
    r"^\s+(?P<at>do|call|run|execute|perform|play|use)"
    r"\s+(?P<call>W(?:\.W)+\([^()]*\)|(?<=do\s)W|(?<=call\s)W|(?<=run\s)W)\s*(?:[§@].*)?$",
    "a rule is called by its name alone",
    "not needed",
    "write `{call}`",
)
_rule(
    r"^\s*roll\s+(?:the\s+|an?\s+|one\s+)?(?P<at>dice|die|a\s+die)\b.*",
    "`roll` says which die",
    "expected a die such as `d6`",
    "write `roll d6 as rolled`",
)
_rule(
    r"(?P<name>[a-z]\w*)(?P<at>\[)(?P<args>[\w.()]+(?:\s*,\s*[\w.()]+)+)\]",
    "what a rule or table is asked for stands in round brackets",
    "expected `(`",
    "write `{name}({args})`",
)
_rule(
    r"^\s*\|.*\|\s*(?P<at>(?P<one>\d+)\s*:\s*\d+)",
    "a column of odds is a number: how many times as strong",
    "expected a number",
    "write `{one}`, and divide in the rule that reads the table",
    wants="|",
)
_rule(
    r"^\s*\|.*[|,]\s*(?P<at>[-–—/x]|n/?a)\s*\|",
    "a cell without a result is left empty, and the type of the table then is a `maybe`",
    "not a result",
    "leave it empty and write `-> maybe ...`, or give it a name among the values",
)
_rule(
    r"=\s*(?P<at>none|null|None|NULL|empty|undefined)\s*(?=$|,|§|\")",
    "that there is none is written `nothing`, of a type with `maybe`",
    "expected `nothing`",
    "write `= nothing`; of a number it is 0",
)

# -- words of rulebooks

_rule(
    r"^\s+(?P<at>must|should|only\s+if|require\s+if)\s+(?P<rest>[^\s~\"].*?)\s*(?:[§@].*)?$",
    "what must be so is said with `require`",
    "expected `require`",
    "write `require {rest}`",
)
_rule(
    r"^\s{8,}(?P<at>forbid|prohibit|deny|disallow)\s+(?:if\s+)?(?P<rest>(?:.*(?:==|!=|<|>|\bin\b|\bsome\b)|[\w.]*\.).*?)\s*"
    r"(?:[§@].*)?$",
    "what must not be so is said with `require not`",
    "expected `require not`",
    "write `require not {rest}`",
)
_rule(
    r"^\s*place\s+(?P<at>it|[a-z]\d?)\s+(?:in|to|on|into|at)\s+(?P<where>[\w.]+)",
    "what is there already is moved; `place` takes so many of a type from where they are at home",
    "expected a number",
    "write `move {at} to {where}`",
)
_rule(
    r"^\s*(?P<at>goe?s?\s+to)\s+(?P<where>[\w.]+)",
    "things and pieces go from place to place with `move`",
    "expected `move`",
    "write `move ... to {where}`, with the name of what goes there",
)
_rule(
    r"^\s*(?P<at>draw)\s+(?P<text>\"~*\")",
    "a game ends without a winner with `end game`",
    "expected `end game`",
    "write `end game, draw {text}`",
)
_rule(
    r"^game\s+(?P<at>[^\s,\"~][^,\"~]*?)\s*(?P<rest>,.*)?$",
    "the title of a game is a text in quotes",
    "expected a text in quotes",
    'write `game "{at}"{rest}`',
)
_rule(
    r"^game\b.*\bversion\s+(?P<at>\d[\w.]*)",
    "a version is a text in quotes",
    "expected a text in quotes",
    'write `version "{at}"`',
)
_rule(
    r"\b(?P<at>max|maximum|highest|best|biggest|largest|greatest)\s+(?P<what>[\w.]+)\s+by\b",
    "those with the highest value are found with `most`",
    "expected `most`",
    "write `most {what} by ...`",
)
_rule(
    r"\b(?P<at>min|minimum|lowest|smallest|fewest)\s+(?P<what>[\w.]+)\s+by\b",
    "those with the lowest value are found with `least`",
    "expected `least`",
    "write `least {what} by ...`",
)
_rule(
    r"^\s*(?:if|else\s+if|require|repeat\s+while)\b.*?(?P<left>[\w.]+(?:\([^()]*\))?)\s+"
    r"(?P<at>equals|equal\s+to|is\s+equal\s+to|is(?=\s+W\())\s+(?P<right>[\w.]+(?:\([^()]*\))?)",
    "two values are compared with `==`",
    "expected `==`",
    "write `{left} == {right}`",
)
_rule(
    r"^\s+(?P<at>do|call|run|execute|perform)\s+(?P<call>W\([^()]*\))\s*(?:[§@].*)?$",
    "a rule is called by its name alone",
    "not needed",
    "write `{call}`",
)
_rule(
    r"^(?P<sort>procedure|function|predicate|value|table|signal)\s+(?P<name>W)\s+(?P<at>W\s*:"
    r"\s*W(?:\s*,\s*W\s*:\s*W)*)",
    "what a rule is given stands in brackets after its name",
    "expected `(` before this",
    "write `{sort} {name}({at})`",
)
_rule(
    r"^(?P<sort>kind|pieces)\s+(?P<name>W)\s*(?P<at>\()(?P<attributes>[^()]+)\)",
    "what each of a kind has stands after `:`, without brackets",
    "expected `:`",
    "write `{sort} {name}: {attributes}`",
)
_rule(
    r"^\s*adjust\b.*?\s(?P<at>if)\s+(?P<rest>[^§@~\"]+)",
    "when an adjustment holds is said with `when`",
    "expected `when`",
    "write `when {rest}`",
)

# -- habits of other languages

_rule(
    r"(?:^\s*(?:return\b)?|[=,(])\s*(?P<yes>[\w.]+(?:\([^()]*\))?)\s+(?P<at>if)\s+(?P<condition>.+?)\s+else\s+"
    r"(?P<no>[\w.]+(?:\([^()]*\))?)",
    "of a value that depends on a condition, the condition comes first",
    "expected before `{yes}`",
    "write `if {condition} then {yes} else {no}`",
)
_rule(
    r"^\s*(?:let\s+|var\s+|const\s+)?(?P<name>W)\s*=\s*(?P<at>draw)\s+(?P<rest>.*)$",
    "what is drawn gets its name with `as`",
    "begins a line of its own",
    "write `draw {rest} as {name}`",
)
_rule(
    r"^\s*(?P<head>(?:each|for)\s+W\s+in\s+[\w.]+(?:\[[^\]]*\])?)\s+(?P<at>(?:draw|move|place|roll|shuffle|reveal|"
    r"tell|choose|let|signal)\b.*)$",
    "what is done for each stands in lines of its own under it",
    "expected on the next line, indented",
    "write `{head}`, and under it `{at}`",
)
_rule(
    r"^\s+(?P<at>when)\s+(?P<condition>(?:some|none|every|not|W(?:\.W)*\s+(?:==|!=|<|>|<=|>=|in|not\s+in|is)\s).*?)"
    r"(?:\s*(?<!:)[:]|\s+then)?$",
    "what is done only under a condition begins with `if`",
    "expected `if`",
    "write `if {condition}`",
)
_rule(
    r"^\s*(?P<at>(?:the\s+)?game\s+(?:is\s+over|over|ends))\b.*",
    "the game is over with `end game`",
    "expected `end game`",
    "write for example `end game, North wins`, or `end game, draw`",
)
_rule(
    r'(?P<at>"""(?P<text>[^"]*)""")',
    "a text stands in one pair of quotes",
    "quotes too many",
    'write `"{text}"`',
)
_rule(
    r"^\s*(?P<at>deal)\s+.*",
    "cards are dealt with `draw`",
    "expected `draw`",
    "write for example `draw 1 from deck to active.hand`",
)
_rule(
    r"(?P<at>\b[fF])(?=\"[^\"]*\")",
    "a text needs no letter before it: values stand in braces in any of them",
    "not needed",
    "take the `{at}` away",
)
_rule(
    r"(?P<at>\blambda\b).*",
    "what things are compared by stands behind `by`",
    "no such word",
    "write for example `most Side by vp`, or `only(most Side by vp)` where there is exactly one",
)
_rule(
    r"\b(?P<of>sum|count|max|min|set|list)\(\s*(?P<at>\[)(?P<over>[^\[\]]+\bfor\b[^\[\]]+(?:\[[^\]]*\][^\[\]]*)*)\]\s*\)",
    "what goes over `for` stands in round brackets alone",
    "not needed",
    "write `{of}({over})`",
)
_rule(
    r"(?P<at>\[)(?P<over>[^\[\]]+\bfor\b[^\[\]]+)\]",
    "a list of what several have is made with `list`",
    "expected `list(`",
    "write `list({over})`, or `set({over})`",
)
_rule(
    r"\bonce\s+(?P<at>per|every|each|in\s+an?)\s+(?P<what>W)",
    "how often is said with `once a`",
    "expected `a` or `an`",
    "write `once a {what}`",
)
_rule(
    r"^\s*values\s+W\s*:.*?(?P<at>\"(?P<text>[^\"]*)\")",
    "values are names; a text may follow one, for people to read",
    "expected a name",
    "write `{text}` without quotes, in one word",
)
_rule(
    r"^\s*(?:require|phase|procedure|function|value|predicate|move|choose)\b.*\s(?P<at>\((?P<number>\d+(?:\.\w+)*)\))\s*$",
    "the rule of the rulebook is cited with `§`",
    "expected `§`",
    "write `§{number}`",
)
_rule(
    r"(?P<one>[\w.]+)\s+(?P<at>(?:is\s+)?(?:adjacent|next|linked|connected)\s+to)\s+(?P<other>[\w.]+)",
    "what is linked to a space is a set",
    "expected `in`",
    "write `{one} in {other}.links`, or with the name of the link in place of `links`",
)
_rule(
    r"^\s*(?P<word>function|value|table)\s+\w+\s*\([^)]*\)\s*(?P<at>=>|:|returns?\b|as\b)\s*"
    r"(?P<type>(?:(?:set|list)\s+of\s+|maybe\s+)*W)\s*(?=$|§|@|\")",
    "a {word} says what it gives back",
    "expected `->`",
    "write `-> {type}`",
    wants="->",
)

_rule(
    r"^\s*move\s+(?P<many>.+?)\s+from\s+(?P<pile>.+?)\s+(?P<at>home)\b",
    "so many of them go `to` a place that is named; all of them go `home`",
    "expected `to` and a place",
    "write `move {many} from {pile} to ...`, or `choose {many} from {pile} as gone` and under it `move gone home`",
    wants="to",
)

# -- lines that belong elsewhere

_rule(
    r"^\s+(?P<at>(?P<word>needs|excludes)\s+(?P<name>W))\s*$",
    "what an option `{word}` stands on its first line",
    "not on a line of its own",
    'write `option ... "...", {at}`',
)

_rule(
    r"^\s*link\s+(?P<one>W)(?:\s*,\s*W)*\s+(?P<at>W)",
    "the sorts of links have commas between them",
    "expected `,` before this",
    "write `link {one}, {at}`",
)
_rule(
    r"^\s*\d+:\s*(?P<one>W)\s+(?P<at>and|&|,)\s*(?P<two>W)\s*$",
    "the sides that one person plays are joined with `+`",
    "expected `+`",
    "write `{one} + {two}`",
    wants="+",
)
_rule(
    r"^\s*require\s+(?P<condition>.+?)(?P<at>,)\s*\"",
    "the text of a requirement follows without a comma",
    "not needed",
    "take the `,` away",
)
_rule(
    r"^route\b.*\bby\s+[\w, ]*?(?P<last>W)\s+(?P<at>at)\s+most\s+(?P<rest>.*)",
    "how far a route goes stands after a comma",
    "expected `,` before this",
    "write `{last}, at most {rest}`",
)
_rule(
    r"^\s*does\s+(?P<name>W)\s+(?P<at>W)\s*:\s*(?P<type>W)",
    "what is given to it stands in brackets",
    "expected `(` before this",
    "write `does {name}({at}: {type})`",
)
_rule(
    r"^\s*adjust\b.*?(?P<at>plus|minus|increase|raise|multiply|multiplied|by|max|min|replace|equals)\b",
    "an adjustment says `add`, `times`, `set`, `floor` or `cap`",
    "not known here",
    "write `add 1`, `add -1`, `times 2`, `set 3`, `floor 0` or `cap 5`",
    wants="ADJUST_OP",
)
_rule(
    r"^\s*hidden\s+(?P<at>if|while|unless)\s+(?P<rest>.*)",
    "what lies face down is said with `hidden when`",
    "expected `when`",
    "write `hidden when {rest}`",
)
_rule(
    r"^\s*state\s+(?P<name>W)\s*(?P<at>,)\s*lasts\s+(?P<rest>.*)",
    "expected `:` and a type after `{name}`",
    "of what type?",
    "write for example `state {name}: bool, lasts {rest}`",
)
_rule(
    r"[(,]\s*(?P<kind>[A-Z]\w*)\s+(?P<at>W)\s*(?=[,)])",
    "the name of a parameter comes first, then `:` and its type",
    "expected the type after the name",
    "write `{at}: {kind}`",
    wants=":",
)
_rule(
    r"^\s*(?:return\s+)?if\s+(?P<one>[^=<>!]*?[\w)\]])\s*(?P<at>=)\s*(?P<two>[^=]\S*)\s+then\b.*\belse\b",
    "`=` sets a value; to compare, write `==`",
    "expected `==`",
    "write `if {one} == {two} then ...`",
)
_rule(
    r"^\s*(?:return\s+)?if\s+(?P<condition>.+?)\s*(?P<at>then)\s+(?P<value>[\w.]+)$",
    "an `if ... then` that gives a value also says what `else`",
    "and if not?",
    "write `if {condition} then {value} else ...`; what is done stands on the lines below an `if`, without `then`",
    wants="_NL else",
)
_rule(
    r"^\s+(?P<kind>[A-Z]\w*)\s+(?P<name>W)\s+(?P<facts>[a-z]\w*)\s+(?P<attr>W)\s+(?P<at>\d+)\s*$",
    "the facts of a thing have commas between them",
    "expected `,` between the facts",
    "write `{kind} {name}  {facts}, {attr} {at}`",
    wants="CITES",
)
_rule(
    r"^\s+(?P<kind>[A-Z]\w*)\s+(?P<name>W)\s+(?P<fact>W)\s+(?P<number>\d+)\s+(?P<at>in)\s+(?P<rest>.*)",
    "the facts of a thing have commas between them",
    "expected `,` before the number",
    "write `{kind} {name}  {fact}, {number} in {rest}`",
)

# -- words that other languages use

_rule(
    r"^\s*(?P<at>elif|elsif|elseif)\b.*",
    "`{at}` is written `else if`",
    "two words here",
    "write `else if`",
)
_rule(
    r"^\s*(?P<at>while|until)\b\s*(?P<rest>.*)",
    "a loop begins with `repeat`, also one with `{at}`",
    "expected `repeat {at}`",
    "write `repeat {at} {rest}`",
)
_rule(
    r"^\s*(?P<at>for\s+each|foreach|for\s+every|for\s+all)\s+(?P<name>W).*",
    "a loop over things is written `for {name} in ...`",
    "expected `for`",
    "write `for {name} in ...`",
)
_rule(
    r"^\s*(?P<at>unless)\b.*",
    "a statement cannot begin with `unless`",
    "expected `if not`",
    "write `if not (...)`",
)
_rule(
    r"^\s*(?P<at>(?:set|var|const)\s+)(?P<name>\w+\.[\w.]+)\s*(?:=|to\b)\s*(?P<value>.*)",
    "a value is set with `=` alone",
    "not needed",
    "write `{name} = {value}`",
)
_rule(
    r"^\s+(?P<at>var|variable|field|property|attribute)\s+(?P<name>W)\s*:\s*(?P<type>.+)",
    "what changes in play is a `state`; what never changes is given with `has`",
    "expected `state` or `has`",
    "write `state {name}: {type}`",
)
_rule(
    r"^\s*(?P<name>W)\s+of\s+(?P<owner>[\w.]+)\s*(?P<at>=)(?!=)\s*(?P<value>.+)",
    "what is set is named after a point: `{owner}.{name}`",
    "not in this way",
    "write `{owner}.{name} = {value}`",
)
_rule(
    r"\bin\s+(?P<low>\d+)\s+(?P<at>to|until|through)\s+(?P<high>[\w.]+)",
    "a range of numbers is written with `..`",
    "expected `..`",
    "write `{low}..{high}`",
)
_rule(
    r"CHOOSE(?P<one>W)\s+in\s+[\w.]+\s+(?P<at>to|into|and|from|with)\s+(?P<two>W\s+in\b)",
    "the names of a choice have commas between them",
    "expected `,`",
    "write `, {two} ...`",
)
_rule(
    r"CHOOSE.*\bin\s+[\w.\]]+\s+(?P<at>(?!as\b|and\b|or\b|with\b|W\s+in\b)W[^\"§]*)$",
    "what the player reads is a text in quotes",
    "expected a text in quotes",
    'write `"{at}"`',
    wants="STRING",
)
_rule(
    r"^\s*holds\s+W\s*:\s*W\s*,\s*(?P<at>private|secret|open|public|known)\b",
    "who sees a place is said with `visible to`, `count to` or `hidden to`",
    "not a word for it",
    "write for example `visible to it, count to others`, or nothing if everybody sees it",
)
_rule(
    r"^\s*holds\s+W\s*:\s*W\s*,\s*(?P<at>hidden)\s*(?:$|§|,)",
    "`hidden` says from whom",
    "expected `to`",
    "write `hidden to others`",
)
_rule(
    r"^\s*holds\s+W\s*:\s*W\s*,\s*(?P<at>shuffled|random|sorted|unordered|stack|pile)\b",
    "a place with a top and a bottom is `ordered`",
    "expected `ordered`",
    "write `ordered`, and in the set-up `shuffle` if it begins so",
)
_rule(
    r"^\s*(?P<at>put|deploy|setup|spawn|add)\s+(?P<rest>\d+\s+.*?)\s+(?:in|at|on|to|into)\s+(?P<where>W[\w.]*)\s*$",
    "pieces are put on the map with `place`",
    "expected `place`",
    "write `place {rest} in {where}`",
)
_rule(
    r"^\s*draw\s+(?P<at>from)\s+(?P<rest>\S.*)$",
    "`draw` says how many, from where and to where",
    "expected a number before this",
    "write `draw 1 from {rest}`",
)
_rule(
    r"^\s*(?P<word>draw)\s+(?P<rest>.*\S)\s+(?P<at>into|in|onto)\s+(?P<where>W[\w.]*)\s*(?:as\b.*)?$",
    "what is drawn comes `to` a place",
    "expected `to`",
    "write `{word} {rest} to {where}`",
    wants="to",
)
_rule(
    r"^\s*(?P<word>phase|sequence)\s*(?P<name>W)?\s*(?P<at>\(.*\))",
    "a `{word}` is given nothing",
    "not needed",
    "take this away; what is given something is a `procedure`",
)
_rule(
    r"^\s*draw\s+(?P<at>(?:an?|one|the|some)\s+\w+)\b",
    "`draw` says how many, from where and to where",
    "expected a number",
    "write for example `draw 1 from active.deck to active.hand`",
)
_rule(
    r"^\s*(?P<at>discard|eliminate|destroy|kill|put|remove|delete|capture)\s+(?P<what>W[\w.]*)\s*(?:$|§)",
    "things and pieces go from place to place with `move`",
    "expected `move`",
    "write `move {what} to ...`, or `move {what} home`",
)
_rule(
    r"^\s*repeat\s+(?P<many>[\w.]+)\s+(?P<at>(?!times\b)W)",
    "how often is said with `times`",
    "expected `times`",
    "write `repeat {many} times`",
    wants="times",
)
_rule(
    r"^\s*end game\s*,\s*(?P<at>(?:the\s+)?winner\s*(?:is\b|=|:)?)\s*(?P<who>[^\s~\"].*)",
    "who has won comes first, then `wins`, or `win` of several",
    "not needed",
    "write `end game, {who} wins`",
)
_rule(
    r"^\s*(?P<at>(?:win|wins|winner|victory)\b(?!\s*[=(:.]).*)",
    "a game is won with `end game`",
    "expected `end game`",
    "write for example `end game, North wins`, or `end game, most Side by vp win`",
)
_rule(
    r"^\s*route\b.*\bfrom\s+[\w.]+\s+(?P<at>along|via|over|using|on|through)\s+(?P<sort>W)",
    "what a route follows is said with `by`",
    "expected `by`",
    "write `by {sort}`; how far it goes is said behind that: `, at most 2 steps`",
)
_rule(
    r"^\s*predicate\s+W(?:\([^)]*\))?\s*(?P<at>(?:->|:)\s*\w+)",
    "a predicate is yes or no, and says no type",
    "not needed",
    "take it away",
)
_rule(
    r"^\s+(?P<name>W)\((?P<args>[^)]*)\)\s*(?P<at>(?P<sign>[-+])=)\s*(?P<number>\w+)",
    "what a rule gives back is changed with `adjust`",
    "not in this way",
    "write `adjust {name}({args}) add {sign}{number}` at the left margin, or in an option; it must be a `value`",
)
_rule(
    r"^\s*(?P<at>forbid|prohibit|deny|disallow|limit)\s+(?P<what>[\w.]+)",
    "a choice is made narrower with `restrict`",
    "expected `restrict`",
    "write `restrict {what}`, and a `require` under it",
)
_rule(
    r"^\s*(?P<at>for)\s+(?P<name>W)(?=\s+in\s+(?P<set>[^:]+):\s*(?P<condition>.+))",
    "what holds for all of them begins with `every`",
    "expected `every`",
    "write `every {name} in {set}: {condition}`",
)
_rule(
    r"^players\s+(?P<one>W)\s*(?P<at>,.*)",
    "the players are all things of one kind",
    "expected the name of a kind alone",
    "declare a kind for them, `kind Side`, with {one} and the others as its things, and write `players Side`",
)
_rule(
    r"(?::|->)\s*(?P<at>optional|Optional|nullable|possibly)\s+(?P<kind>W)",
    "a type that may be missing is written `maybe`",
    "expected `maybe`",
    "write `maybe {kind}`",
)
_rule(
    r"^\s*if\s+(?P<condition>.+?)(?:\s+then|:)?\s+(?P<at>(?:return|move|stop|end game|tell|draw|roll|shuffle)\b.*)$",
    "what is done stands in lines of its own under `if`",
    "expected on the next line, indented",
    "write `if {condition}`, and under it `{at}`",
)
_rule(
    r"^\s*(?P<at>var|const)\s+(?P<name>\w+)\s*=\s*(?P<value>.*)",
    "a name of this rule only is made with `let`",
    "expected `let`",
    "write `let {name} = {value}`; what is a state is set with `{name} = {value}`",
)
_rule(
    r"^\s*(?P<at>set)\s+(?P<name>\w+)\s*(?:=|to\b)\s*(?P<value>.*)",
    "a value is set with `=` alone",
    "not needed",
    "write `{name} = {value}`, or `let {name} = {value}` for a name of this rule only",
)
_rule(
    r"^\s*(?P<at>print|say|message|log)\b.*",
    "players are told something with `tell`",
    "expected `tell`",
    'write `tell "..."`',
)
_rule(
    r"^\s*(?:(?:let|var|const)\s+)?(?P<name>[\w.]+)\s*=\s*(?P<at>roll)\s+(?P<dice>.*)",
    "a roll of dice is a line of its own, and its result is named with `as`",
    "a roll cannot stand here",
    "write `roll {dice} as {name}`",
)
_rule(
    r"^\s*let\s+(?P<name>W)\s*=\s*(?P<at>\d*d\d+)\b.*",
    "a roll of dice is a line of its own, and its result is named with `as`",
    "dice cannot stand here",
    "write `roll {at} as {name}`",
)
_rule(
    r"^\s*(?P<name>[\w.]+)\s*=\s*(?P<at>\d+d\d+)\b.*",
    "a roll of dice is a line of its own, and its result is named with `as`",
    "dice cannot stand here",
    "write `roll {at} as {name}`",
)
_rule(
    r"^(?!\s*roll\b).*[-+*/=<>(,]\s*(?P<at>(?P<many>\d+)d(?P<sides>\d+))\b.*",
    "a roll of dice is a line of its own, and its result is named with `as`",
    "dice cannot stand here",
    "write `roll {many} d{sides} as rolled` above, and here `sum(rolled)`",
)
_rule(
    r"^\s*roll\s+(?:\d+\s*)?(?P<at>D(?P<sides>\d+))\b",
    "a die is written with a small `d`",
    "expected `d{sides}`",
    "write `d{sides}`",
)
_rule(
    r"^\s*roll\s+(?P<many>\S+\s+)?(?P<at>dice|die)\s*$",
    "`roll` says which die",
    "expected a die such as `d6`",
    "write `roll {many} d6`",
)
_rule(
    r"^\s*roll\s+(?P<dice>\d*\s*d\d+)\s*(?P<at>[-+*]\s*\w+)",
    "`roll` only rolls; add to the result afterwards",
    "cannot stand here",
    "write `roll {dice} as rolled` and use `sum(rolled) {at}`",
)
_rule(
    r"^\s*roll\s+(?P<name>W)\s*(?P<at>=)\s*(?P<dice>\S+)",
    "the result of a roll is named with `as`, after the dice",
    "cannot stand here",
    "write `roll {dice} as {name}`",
)

# -- names that are words of the language

_rule(
    r"^\s*(?P<at>move|place|draw|roll|shuffle|reveal|signal|end|tell|stop|each|together|let|repeat)"
    r"\s*(?:[-+]?=(?!=).*|\..*|\(.*|§.*)",
    "`{at}` is a word of the language, so nothing can be called that",
    "read as the beginning of a `{at}` line",
    "give it a second word, for example `the_{at}`",
    code="RS106",
)
_rule(
    r"^\s*(?P<at>move|place|draw|roll|shuffle|reveal|end)$",
    "`{at}` is a word of the language, and cannot be a line by itself",
    "something is missing after this",
    "if this is the name of a rule, give it a second word, for example `{at}_phase`",
    code="RS106",
)
_rule(
    r"\bchoose\s+(?P<at>by|up|any)\s+in\b",
    "`{at}` is a word of the language, so nothing can be called that",
    "not a name",
    "choose another name, for example `{at[0]}`",
    code="RS106",
)
_rule(
    r"(?:[-+*/=<>(,]|\b(?:and|or|if|require))\s*(?P<at>most|least|some|none|every)\s*"
    r"(?:[-+*/=<>!,)\].]|and\b|or\b|$).?",
    "`{at}` is a word of the language, so nothing can be called that",
    "not a name",
    "give it a second word, for example `{at}_units`",
    code="RS106",
)

# -- colons and blocks

_rule(
    r"^\s*(?:if|else if)\s+(?P<condition>.+?)\s+(?P<at>then)$",
    "an `if` with lines under it needs no `then`",
    "not needed",
    "take `then` away",
)
_rule(
    r"^\s*(?:if|else if)\s+(?P<condition>.+?)\s*(?P<at>then\b|:)\s*(?P<rest>\S.*)",
    "what an `if` does stands on the lines below it",
    "put the rest on the next line",
    "write `if {condition}` and, indented under it, `{rest}`",
    wants="_NL else",
)
_rule(
    r"^\s*(?P<what>else|else if .*|if .*|for .*|repeat.*|each .*|phase .*|procedure .*|function .*|value .*|"
    r"predicate .*|sequence|things|map .*|table .*|route .*|before .*|after .*|when .*|option .*|scenario .*|with .*|"
    r"restrict .*|extend .*|whenever .*|together|choose .*|or .*|may .*|check .*|invariant .*|example .*|"
    r"players .*|counts .*|rulebook .*|game .*)(?P<at>:)(?=\s*(?:[§@].*)?$)",
    "a line that opens a block ends without `:`",
    "not needed",
    "take the `:` away",
)
_rule(
    r'^\s*(?P<what>phase|scenario)\s+(?P<name>W)\s*(?P<at>:)\s*(?P<text>"[^"]*".*)',
    "no `:` is needed after the name of a {what}",
    "not needed",
    "write `{what} {name} {text}`",
)
_rule(
    r"^\s*(?P<what>phase|procedure|predicate)\s+(?P<name>W)\s*(?P<at>:)\s*(?P<rest>\S.*)",
    "what a {what} does stands on the lines below it, and no `:` is needed after its name",
    "not needed",
    "write `{what} {name}` and, indented under it, `{rest}`",
)
_rule(
    r"^\s*else\s*:?\s*(?P<at>(?!if\b)\S.*)",
    "what an `else` does stands on the lines below it",
    "put this on the next line",
    "write `else` and, indented under it, `{at}`",
    wants="_NL",
)

# -- setting and comparing

_rule(
    r"(?P<left>[\w.)\]]+)\s*(?P<at>=)\s*(?P<right>[\w.]+)?",
    "`=` sets a value; to compare, write `==`",
    "expected `==`",
    "write `{left} == {right}`",
    wants="COMPARE",
)
_rule(
    r"^\s*let\s+(?P<name>W)\s*(?P<at>==|:)",
    "`let` gives a name to a value with `=`",
    "expected `=`",
    "write `let {name} = ...`",
)
_rule(
    r"^\s*let\s+(?P<name>W)\s+(?P<at>(?:to\b|be\b|is\b)?\s*\S*)",
    "expected `=` after `let {name}`",
    "expected `=`",
    "write `let {name} = ...`",
    wants="=",
)
_rule(
    r"(?P<left>[\w.()]+)\s*(?P<one>[<>=!]=|<|>)\s*(?P<middle>[\w.()]+)\s*(?P<at>(?P<sign>[<>=!]=|<|>))\s*"
    r"(?P<right>[\w.]*)",
    "only two values can be compared at a time",
    "a second comparison",
    "write `{left} {one} {middle} and {middle} {sign} {right}`",
    wants="and _NL",
)
_rule(
    r"\b(?P<left>[\w.]+)\s+is\s+(?P<no>not\s+)?(?P<at>in)\b\s*(?P<right>[\w.]*)",
    "membership is written `in` alone",
    "`is` is not needed",
    "write `{left} {no} in {right}`",
)
_rule(
    r"\b(?P<left>[\w.]+)\s+in\s+(?P<at>not)\b\s*(?P<right>[\w.]*)",
    "the opposite of `in` is `not in`",
    "in the wrong place",
    "write `{left} not in {right}`",
)
_rule(
    r"\b(?P<left>(?!require\b|and\b|or\b|if\b|while\b|until\b|when\b)[\w.]+)\s+(?P<at>not)\s+"
    r"(?P<right>(?!in\b)[\w.]+)",
    "`not` stands before a whole condition, or in `not in`",
    "cannot stand here",
    "write `{left} != {right}` or `{left} not in {right}`",
    wants="and in _NL",
)
_rule(
    r"\b(?P<left>[\w.]+)\s+is\s+(?P<no>not\s+)?(?P<at>(?:\d+|yes|no|nothing|\(|\{|-)\w*)",
    "`is` asks for a kind; values are compared with `==`",
    "not a kind",
    "write `{left} == {at}`",
    wants="NAME",
)
_rule(
    r"\b(?P<left>[\w.]+)\s+(?P<at>equals|equal\s+to|is\s+equal\s+to)\s+(?P<right>[\w.]+)",
    "values are compared with `==`",
    "expected `==`",
    "write `{left} == {right}`",
)
_rule(
    r"\b(?P<left>[\w.]+)\s+(?P<at>(?:is\s+)?(?:(?P<more>more|greater|larger)|less|fewer|smaller)"
    r"\s+than)\s+(?P<right>[\w.]+)",
    "values are compared with `<` and `>`",
    "expected `<` or `>`",
    "write `{left} > {right}` or `{left} < {right}`",
)
_rule(
    r"\b(?P<left>[\w.]+)\s+(?P<at>has|contains|includes)\s+(?P<right>[\w.]+)",
    "whether something is among others is asked with `in`",
    "cannot stand here",
    "write `{right} in {left}`",
    wants="and _NL",
)
_rule(
    r"^\s*(?P<name>[\w.]+)\s*(?P<at>[*/]=)\s*(?P<value>.*)",
    "only `=`, `+=` and `-=` change a value",
    "not a way to set a value",
    "write it out: `{name} = {name} * ...`",
)
_rule(
    r"^\s*(?P<name>[\w.]+)\s*(?P<at>=\s?(?P<sign>\+))\s*(?P<value>.*)",
    "to add to a value, the `+` stands before the `=`",
    "expected `+=`",
    "write `{name} += {value}`",
)
_rule(
    r"^\s+(?P<at>mark|flag)\s+(?P<what>[\w.]+)\s+(?:as\s+)?(?P<state>W)\s*(?:[§@].*)?$",
    "that something is so is a state of it, set with `=`",
    "not a way to set a state",
    "write `{what}.{state} = yes`",
)
_rule(
    r"^\s*(?P<name>[\w.]+)\s*(?P<at>\+\+|--)\s*$",
    "one is added with `+= 1` and taken away with `-= 1`",
    "expected `+= 1` or `-= 1`",
    "write `{name} += 1` or `{name} -= 1`",
)

# -- numbers and arithmetic

_rule(
    r"/\s*(?P<by>[\w.()]+)\s*(?P<at>rounded|round)\s*(?P<how>\w*)",
    "a division is `rounded up` or `rounded down`",
    "expected `rounded up` or `rounded down`",
    "write `/ {by} rounded down`",
    wants="ROUND rounded",
)
_rule(
    r"(?P<at>/)\s*(?P<by>[\w.()]+)\s*[^\w\s.(]*",
    "a division says how it is rounded",
    "expected `rounded up` or `rounded down` after it",
    "write `/ {by} rounded down`",
    wants="rounded",
)
_rule(
    r"[-=+*/(<>,]\s*(?P<at>\d+\.\d+)",
    "`{at}` is not a whole number, and the language has no others",
    "not a whole number",
    "count in halves or tenths, or write a division with `rounded down`",
    wants="NAME",
)
_rule(
    r"(?P<at>\d{1,3}(?:,\d{3})+)\b",
    "a number is written without commas",
    "has a comma in it",
    "leave the comma out",
    wants="_NL",
)
_rule(
    r"^\s*\|.*?(?P<at>(?P<from>\d+)\s*(?:\.\.|-|(?:or|and)\s+more))\s*[,|]",
    "so many or more is written with `+`",
    "expected `{from}+`",
    "write `{from}+`",
)
_rule(
    r"^\s*\|.*?(?P<at>>=?\s*(?P<from>\d+))",
    "so many or more is written with `+`",
    "expected a number and `+`",
    "write for example `{from}+`",
)
_rule(
    r"^\s*for\s+W\s+in\s+(?P<from>\w+)\s*(?P<at>\.\.)\s*(?P<to>[\w.]*)",
    "a range goes from one number to another, both written out",
    "expected a number on either side",
    "to do something so often, write `repeat {to} times`",
    wants="INT and NAME",
)
_rule(
    r"CHOOSE(?:[^\"]*,\s*)?(?P<name>W)\s+in\s+(?P<from>\w+)\s*(?P<at>\.\.)\s*(?P<to>[\w.]*)",
    "a range goes from one number to another, both written out",
    "expected a number on either side",
    "write for example `{name} in {from}..20`, and under it `require {name} <= {to}`",
    wants="INT and NAME",
)
_rule(
    r"\b(?P<from>\w+)\s*(?P<at>\.\.)\s*(?P<to>[\w.]+)",
    "a range goes from one number to another, both written out",
    "expected a number on either side",
    "write for example `1..6`, or compare: `x >= 1 and x <= {to}`",
    wants="INT and NAME",
)
_rule(
    r"\b(?P<what>[\w.]+)\s+(?P<at>between)\s+(?P<from>\d+)\s+and\s+(?P<to>\d+)\b",
    "a range is written with two dots",
    "not a word of the language",
    "write `{what} in {from}..{to}`",
)

# -- choosing

_rule(
    r"CHOOSE(?P<name>(?!up\b|any\b)W)\s+(?P<at>from)\s+(?P<set>[\w.\[\]]+).*$",
    "one thing is chosen with `in`, several with a number and `from`",
    "expected `in`, or `as` and a name at the end",
    "write `choose {name} in {set}`, or `choose 2 from {set} as {name}`",
    wants="as",
)
_rule(
    r"CHOOSE(?P<many>\d+|up to \w+|any number)\s+from\s+(?P<set>[^§#~\"]*[\w\])])(?P<at>\s*)",
    "what is chosen needs a name: expected `as` after `from {set}`",
    "expected `as` and a name",
    "write `choose {many} from {set} as chosen`",
    wants="as",
)
_rule(
    r"CHOOSE(?P<many>\d+|up to \w+|any number)\s+(?P<at>(?P<name>(?!(?:of|in|from)\b)W)\s+in\b)\s*(?P<set>[\w.]+)",
    "several things are chosen `from` a set",
    "expected `from`",
    "write `choose {many} from {set} as {name}`",
    wants="from",
)
_rule(
    r"CHOOSE(?P<many>\d+|up to \w+|any number)\s+(?P<at>of|in)\s+(?P<set>[\w.]+)",
    "several things are chosen `from` a set",
    "expected `from`",
    "write `choose {many} from {set} as chosen`",
    wants="from",
)
_rule(
    r"CHOOSE(?P<many>\d+|up to \w+|any number)\s+(?P<at>(?!from\b)W[\w.]*)",
    "several things are chosen `from` a set",
    "expected `from`",
    "write `choose {many} from {at} as chosen`",
    wants="from",
)
_rule(
    r"\bchoose\s+(?:by\s+\S+\s+)?(?P<label>W)\s+(?P<at>W)\s+in\b",
    "expected `:` after the choice's name `{label}`",
    "expected `:` before this",
    "write `choose {label}: {at} in ...`",
    wants=":",
)
_rule(
    r"^\s+(?P<at>does)\s+(?P<name>W)\s*(?:\(.*\))?\s*:?\s*$",
    "what a thing does begins with its name alone; the `does` line stands under its kind",
    "not needed",
    "write `{name}`",
    wants="nothing",
)
_rule(
    r"^\s+(?P<name>W)\s*(?P<at>:)\s*$",
    "what belongs to a thing is indented under it, without a `:`",
    "not needed",
    "write `{name}`",
    wants="nothing",
)
_rule(
    r"^\s+does\s+(?P<name>W)\s*(?P<given>\([^()]*\))?\s*(?P<at>:)\s*$",
    "a `does` line has no `:`: each thing says what it does",
    "not needed",
    "write `does {name}{given}`",
)
_rule(
    r"^\s+(?P<at>W)\s*(?P<given>\(\s*W\s*:[^()]*\))\s*:?\s*$",
    "what things of a kind do begins with `does`",
    "expected `does` before it",
    "write `does {at}{given}`",
    wants="does",
)
_rule(
    r"^\s+(?P<what>W\.W)\s+(?P<at>(?!(?:yes|no|nothing)\b)(?P<given>W(?:\.W)*))\s*$",
    "something is missing between `{what}` and `{given}`",
    "expected `(` or `=` before this",
    "write `{what}({given})` if that is done, and `{what} = {given}` if it is a state",
    wants="(",
)
_rule(
    r"^\s*(?:does|procedure|function|value|predicate|signal|table|route)\b[^(]*\((?:[^()]*,\s*)?(?P<at>(?P<kind>[A-Z]\w*))(?=\s*[,)])",
    "what a rule is given has a name, then `:` and its kind",
    "expected a name and `:` before this",
    "write for example `one: {kind}`",
    wants=":",
)
_rule(
    r"^(?P<what>kind|pieces)\s+(?P<name>W)\s*(?P<at>:)\s*$",
    "after `{what} {name}:` stand its attributes; without any there is no `:`",
    "nothing follows",
    "write `{what} {name}`, and its states and places below it",
)
_rule(
    r"^(?P<what>kind|pieces)\s+(?P<name>W)\s*:(?P<attrs>.*\S)\s*(?P<at>:)\s*$",
    "a declaration does not end in `:`",
    "one `:` too many",
    "write `{what} {name}: {attrs}`",
)
_rule(
    r"\bchoose\b.*\bin\s+[\w.()]+(?:\[[^\]]*\][\w.]*)?\s+(?P<at>(?P<name>W)\s+in)\b",
    "two things to choose are separated by `,`",
    "expected `,` before this",
    "write `, {name} in ...`",
    wants="_NL",
)
_rule(
    r"CHOOSE(?P<at>\([^\"]*?|[\w.]+\s*/[^\"]*?)\s+from\b.*",
    "how many are chosen begins with a number or a name, and is not divided; give it a name first",
    "worked out here",
    "write `let wanted = {at}` above it, and `choose wanted from ...`",
)
_rule(
    r"CHOOSE(?P<name>W)\s*(?P<at>\bof\b|\bamong\b|\bout of\b|=|:)\s*(?P<set>[\w.\[\]]+)",
    "expected `in` after `choose {name}`",
    "expected `in`",
    "write `choose {name} in {set}`",
    wants="in",
)
_rule(
    r"\bchoose\b.*\b(?:up\s+to\s+)(?P<at>most|least|some|every|none)\s+from\b.*",
    "`{at}` is a word of the language, and cannot be how many are chosen",
    "expected another name",
    "give it another name where it is made, such as `let allowed = ...`, and write `up to allowed from`",
)
_rule(
    r"\bchoose\s+(?:by\s+\S+\s+)?(?P<at>up|any)\s*:.*",
    "`{at}` is a word of the language, and cannot be the name of a choice",
    "expected another name",
    "write `choose some_name: ...`",
)
_rule(
    r"CHOOSE(?P<name>W)\s+(?P<at>(?!as\b)W|\S)\s*(?P<set>[\w.]*)",
    "expected `in` after `choose {name}`",
    "expected `in`",
    "write `choose {name} in ...`",
    wants="in",
)
_rule(
    r"CHOOSE(?P<name>W)(?P<at>)$",
    "expected `in` after `choose {name}`",
    "choose from what?",
    "write `choose {name} in ...`",
    wants="in",
)
_rule(
    r"^\s*or\s+(?P<at>(?!choose\b)W)\s+(?P<rest>W(?:\s*:|\s+in\b).*)",
    "another way with something to pick begins with `or choose`",
    "expected `choose`",
    "write `or choose {rest}`",
)
_rule(
    r"^\s*or\s+(?P<at>(?!choose\b)W)\s*:\s*(?P<rest>.*)",
    "another way with something to pick begins with `or choose`",
    "expected `choose`",
    "write `or choose {at}: {rest}`",
)
_rule(
    r"^\s*(?P<at>or)\b\s*(?P<rest>.*)",
    "this `or` does not line up with the `choose` it belongs to",
    "not lined up with a `choose`",
    "start `or` in the same column as `choose`",
)
_rule(
    r"^\s*(?P<at>else)\b.*",
    "this `else` does not line up with the `if` it belongs to",
    "not lined up with an `if`",
    "start `else` in the same column as `if`",
)

# -- loops and other statements

_rule(
    r"^\s*may\s+(?!choose\b|by\b)(?P<name>W)\s*(?P<at>:)",
    "what is picked is named after `may choose`",
    "expected `may choose`",
    "write `may choose {name}: ...`",
)
_rule(
    r"^\s+(?!may\b)(?P<who>W)\s+(?P<at>wins?|loses?)\b.*",
    "a game is won with `end game`",
    "expected `end game`",
    "write `end game, {who} wins`",
)
_rule(
    r'"\s*(?P<at>\+)\s*(?P<value>[\w.]+).*',
    "a value is put into a text in braces",
    "expected no `+`",
    'write `"... {{{value}}}"`',
)

_rule(
    r"^\s*for\s+(?P<at>in)\s+(?P<set>W\S*)",
    "what is gone through gets a name",
    "expected a name before this",
    "write for example `for each_one in {set}`",
)
_rule(
    r"^\s*(?P<word>for|each)\s+(?P<name>W)\s*(?P<at>of\b|from\b|:|=|(?!in\b)W|\S)\s*(?P<set>[\w.]*)",
    "expected `in` after `{word} {name}`",
    "expected `in`",
    "write `{word} {name} in ...`",
    wants="in",
)
_rule(
    r"\b(?P<word>some|none|every|for)\s+(?P<name>W)\s+(?P<at>(?!in\b)W)",
    "expected `in` after `{word} {name}`",
    "expected `in`",
    "write `{word} {name} in {at}`",
    wants="in _NL",
)
_rule(
    r"\b(?P<at>all|any|each|exists)\s+(?P<name>W)\s+in\b.*",
    "a condition on several things begins with `every`, `some` or `none`",
    "expected `every`, `some` or `none`",
    "write `every {name} in ...: ...` or `some {name} in ...: ...`",
    wants="and _NL",
)
_rule(
    r"\b(?P<word>some|none|every)\s+(?P<name>W)\s+in\s+(?P<set>[\w.\[\]()]+?)\s*(?P<at>,)\s*[\w.]+\s*\S",
    "expected `:` and a condition after `{word} {name} in {set}`",
    "expected `:`",
    "write `{word} {name} in {set}: ...`",
    wants="in",
)
_rule(
    r"\b(?P<word>some|none|every)\s+(?P<name>W)\s+in\s+(?P<set>[\w.\[\]()]+)\s*(?P<at>\S+|$)",
    "expected `:` and a condition after `{word} {name} in {set}`",
    "expected `:`",
    "write `{word} {name} in {set}: ...`",
    wants=":",
)
_rule(
    r"^\s*end game\s*,\s*(?P<how>[^~\"]*?\b(?:wins?|draw))\b\s*(?P<at>(?:if|when|unless|or|and|else|,)(?:\s.*|$))",
    "a game ends in one way where `end game` stands",
    "expected the end of the line",
    "write the condition before it: `if ...`, and `end game, {how}` indented under that",
)
_rule(
    r"\b(?P<set>[\w.]+)\s+(?P<at>where|with|whose|when|that)\s+(?P<condition>[^\s:]+)",
    "things are picked out with a condition in square brackets",
    "expected `[`",
    "write `{set}[{condition} ...]`",
    wants="and _NL )",
)
_rule(
    r"\b(?P<at>if\b.*\bthen\b.*)(?P<end>)$",
    "an `if` inside a line needs an `else`, so that there is always a value",
    "expected `else`",
    "write `if ... then ... else ...`",
    wants="else",
)
_rule(
    r"\bif\b(?P<condition>.*?)(?P<at>)$",
    "an `if` inside a line goes on with `then` and `else`",
    "expected `then`",
    "write `if ... then ... else ...`",
    wants="then",
)
_rule(
    r"^\s*repeat\s+(?P<at>forever|always|endlessly|loop)$",
    "a `repeat` without more goes on until something stops it",
    "not needed",
    "write `repeat`",
)
_rule(
    r"^\s*move\s+(?P<what>W[\w.]*)\s*(?P<at>,)\s*(?P<place>W[\w.]*)\s*$",
    "things are moved `to` a place",
    "expected `to`",
    "write `move {what} to {place}`",
)
_rule(
    r"^\s*(?:procedure|function|value)\s+W\s*\([^()]*\)\s*(?P<at>:)\s*(?P<type>(?:maybe |set of |list of )?W)\s*$",
    "what a rule gives back stands after `->`",
    "expected `->`",
    "write `-> {type}`",
)
_rule(
    r"^\s*end game\s*,\s*(?P<who>W[\w.]*)\s+(?P<at>loses?|lost|is defeated|defeated)\b",
    "the end of a game says who wins",
    "expected who wins",
    "write for example `end game, North wins`",
)
_rule(
    r"^\s*repeat\s+(?P<many>\w+)(?P<at>)$",
    "expected `times` after `repeat {many}`",
    "expected `times`",
    "write `repeat {many} times`",
    wants="times",
)
_rule(
    r"^\s*move\s+(?P<what>.+?)\s*(?P<at>\binto\b|\bin\b|\bonto\b|->)\s*(?P<place>[\w.]*)$",
    "expected `to` after `move {what}`",
    "expected `to`",
    "write `move {what} to {place}`",
)
_rule(
    r"^\s*move\s+(?P<what>.+?)\s+from\s+(?P<place>[\w.]+)(?P<at>)$",
    "`move` says where to",
    "expected `to` and a place",
    "write `move {what} from {place} to ...`",
    wants="to",
)
_rule(
    r"^\s*move\s+(?P<at>all(?:\s+of)?)\s+(?P<what>[\w.\[\]=! ]+?)\s+to\s+(?P<place>[\w.]+)",
    "`move` takes all of them unless it says how many",
    "not needed",
    "write `move {what} to {place}`",
    wants="to",
)
_rule(
    r"^\s*move\s+(?P<many>\d+)\s+(?P<at>[\w.]+\.\w+)\s+to\s+(?P<place>[\w.]+)",
    "so many are moved `from` somewhere",
    "expected `from` before this",
    "write `move {many} from {at} to {place}`",
    wants="to",
)
_rule(
    r"^\s*move\s+(?P<many>\d+)\s+(?P<at>W(?:\s+W)*?)\s+from\s+(?P<from>[\w.]+)\s+to\s+(?P<place>[\w.]+)",
    "so many are moved `from` a place, and a filter says which",
    "expected `from`",
    "write `move {many} from {from}.units[...] to {place}`",
    wants="to",
)
_rule(
    r"^\s*move\s+(?P<what>[\w.\[\]()]+)(?:\s+(?P<at>W(?:\.W)*)|$)",
    "expected `to` after `move {what}`",
    "expected `to`",
    "write `move {what} to {at}`",
    wants="to",
)
_rule(
    r"^\s*place\s+(?P<at>W)\s+(?P<what>W)(?:\s+W)*\s+in\s+(?P<place>[\w.]+)",
    "`place` begins with a number that is written out",
    "expected a number",
    "write `place 1 {what} in {place}`, or take them from where they are: `move {at} from ...[...] to {place}`",
    wants="INT",
)
_rule(
    r"^\s*place\s+(?P<at>W)",
    "`place` begins with a number",
    "expected a number",
    "write `place 1 {at} in ...`",
    wants="INT",
)
_rule(
    r"^\s*place\s+(?P<what>.+?)\s+(?P<at>at|on|to|into)\b\s*(?P<where>[\w.]*)",
    "pieces are placed `in` something",
    "expected `in`",
    "write `place {what} in {where}`",
    wants="in",
)
_rule(
    r"^\s*draw\s+(?P<many>\w+)\s+(?P<at>W)\s+from\b.*",
    "`draw` gives the number alone; the place says what is in it",
    "not needed",
    "write `draw {many} from ... to ...`",
    wants="from",
)
_rule(
    r"^\s*(?P<at>end)\s+(?:the|of)\b.*",
    "the game is ended with `end game`",
    "expected `end game`",
    "write `end game, North wins`",
)
_rule(
    r"^\s*end\s+game\s+(?P<at>(?P<who>W)\s+wins?)\b",
    "expected `,` between `end game` and who wins",
    "expected `,` before this",
    "write `end game, {at}`",
)
_rule(
    r"^\s*tell\s+(?P<at>[^\s\"].*)",
    "what players are told is a text in quotes",
    "expected a text in quotes",
    'write `tell "{at}"`',
    wants="STRING",
)
_rule(
    r"\b(?P<name>count|size|sum|not_empty)\s+(?P<at>[\w.]+)",
    "what `{name}` counts stands in brackets",
    "expected `(`",
    "write `{name}({at})`",
    wants="and _NL",
)

# -- citations and reasons

_rule(
    r"reconstructed\s*\"~*\"\s*(?P<at>[§@]\s?[\w.\-]+)",
    "the citation comes before `reconstructed`",
    "expected before `reconstructed`",
    'write `{at} reconstructed "..."`',
)
_rule(
    r"[§@]\s?[\w.\-]+\s+(?P<at>(?P<word>require|choose|if|for|repeat|let|move|place|draw|roll|shuffle|reveal|"
    r"return|stop|tell|end|state|holds|has|enter|step|through|road|phase|kind)\b.*)$",
    "each line does one thing, and `{word}` begins another",
    "put this on a line of its own",
    "begin a new line before `{word}`",
)
_rule(
    r"^\s+(?P<kind>[A-Z]\w*)\s+(?P<one>[A-Z]\w*)\s+(?P<at>[A-Z]\w*)\s+[a-z]\w*\s+\S.*",
    "the facts of a thing have commas between them, and its name is one word",
    "a second word of the name, or a fact without a comma",
    "write `{kind} {one}_{at}  ...`, or `{kind} {one}  {at}, ...`",
)
_rule(
    r"(?:^[a-z].*\s(?=\d+$)|\b)(?P<at>(?:(?:rule|see)\s+)?(?P<number>\d+(?:[.\-]\w+)+|(?<=\s)\d+))$",
    "a citation begins with `§`",
    "expected `§` before this",
    "write `§{number}`, or `@{number}` where the keyboard has no `§`",
    wants="CITES",
)
_rule(
    r"(?P<begin>[§@]\s?[\w.\-]+)(?P<at>\s+)(?P<end>[.\-]\w+|(?<=[.\-])\w+)",
    "a citation has no space in it",
    "not needed",
    "write `{begin}{end}`",
)
_rule(
    r"(?P<at>[§@])(?P<gap>\s*)(?:\W|$)",
    "a `§` is followed by the number of a rule",
    "expected a rule number after this",
    "write for example `§4.6.2`",
)
_rule(
    r"(?P<first>[§@]\s?[\w.\-]+)\s*(?:,|and\b|or\b|&)\s*(?P<at>\d[\w.\-]*)",
    "each rule that is cited has a `§` of its own",
    "expected `§` before this",
    "write `{first}, §{at}`",
)
_rule(
    r"(?P<first>[§@]\s?[\w.\-]+)\s*(?P<at>and\b|or\b|&|;|/)\s*(?P<second>[§@][\w.\-]+)",
    "two citations are separated by `,`",
    "expected `,`",
    "write `{first}, {second}`",
)
_rule(
    r"(?P<rule>[§@]\s?[\w.\-]*?)(?P<at>\.(?=\s*$)|[(\[:]\w*[)\]]?)\s*$",
    "a citation is made of letters, numbers, `.` and `-`",
    "cannot be part of a citation",
    "write it with `-`, for example `{rule}-a`",
)
_rule(
    r"(?P<at>[§@]\s?[\w.\-]+)\s*(?P<text>\"~*\")",
    "the citation comes last on its line, after the text",
    "expected at the end of the line",
    "write `{text} {at}`",
)
_rule(
    r"(?P<at>reconstructed)(?:\s*$|\s+[^\"\s])",
    "`reconstructed` gives its reason in quotes",
    "expected a reason after this",
    'write `reconstructed "why we think so"`',
    wants="STRING",
)
_rule(
    r"(?P<at>[§@]\s?[\w.\-]+)\s+(?P<rest>\w[^\s,]*)",
    "the citation comes last on its line",
    "expected at the end of the line",
    "write `{rest} ... {at}`",
    wants="_NL",
)
_rule(
    r"^\s*(?:require|if|choose|move)\s*(?P<at>[§@]\s?[\w.\-]+)",
    "the citation comes last on its line",
    "expected at the end of the line",
    "move it to the end of the line",
)

# -- declarations

_rule(
    r"^(?P<at>rulescript)\b.*",
    "the first line gives the version of the language as a whole number",
    "expected `rulescript 1`",
    "write `rulescript 1`",
)
_rule(
    r"^(?P<word>include|game|rulebook)\s+(?P<at>[^\s\"].*)",
    "expected a text in quotes after `{word}`",
    "expected a text in quotes",
    'write `{word} "{at}"`',
    wants="STRING",
)
_rule(
    r"^\s*(?P<word>invariant|check|example)\s+(?P<at>[^\s\"§].*?)\s*(?:§.*)?$",
    "expected what the {word} is about, in quotes",
    "expected a text in quotes",
    'write `{word} "{at}"`',
    wants="STRING",
)
_rule(
    r"^\s*(?P<word>phase|option|scenario)\s+(?P<at>\"~*\")",
    "`{word}` wants a name before its text, for other rules to use",
    "expected a name before this",
    "write `{word} some_name {at}`",
    wants="NAME",
)
_rule(
    r"^\s*(?P<word>procedure|function|value|kind|pieces|map|table|predicate|values|signal)\s+(?P<at>\"~*\")",
    "`{word}` wants a name, for other rules to use, and no text beside it",
    "expected a name instead of this",
    "write `{word} Some_Name`; a text about it stands in a line of its own, indented under that",
    wants="NAME",
)
_rule(
    r"^\s*(?P<word>kind|pieces|map|procedure|predicate|signal)\s+W(?:\([^)]*\))?\s+(?P<at>\"~*\")",
    "a {word} has no text behind its name",
    "not here",
    "put it in a line of its own under this one, indented; names of things, phases and options have a text behind them",
)
_rule(
    r"^\s*link\s+W(?:\s*,\s*W)*\s*(?P<at>:.*)",
    "`link` gives the sorts of links and nothing else",
    "not needed",
    "what is linked is said in lines of its own: `road Mill - Ford`",
)
_rule(
    r"^\s*(?:kind|pieces)\s+(?P<name>W)\s+(?P<at>(?:=\s*)?W|=)(?P<sign>\s*:)",
    "expected `:` after the kind's name",
    "expected `:` before this",
    "write `kind {name}: {at}: ...`",
    wants=":",
)
_rule(
    r"^\s*values\s+(?P<name>W)\b\s*(?P<at>=|W|\S|$)",
    "expected `:` after `values {name}`",
    "expected `:`",
    "write `values {name}: ...`",
    wants=":",
)
_rule(
    r"^\s*values\s+(?P<name>W)\s*:.*?(?P<one>W)\s*(?P<at>(?P<sign>[|/;]|or\b|and\b)?\s*(?P<other>W))",
    "values are separated by `,`",
    "expected `,` before this",
    "write `{one}, {other}`",
    wants=",",
)
_rule(
    r"^\s*(?P<word>phase|procedure|function|value|predicate|option|scenario|map|kind|pieces|table|signal|route)"
    r"\s+(?P<one>W)\s+(?P<at>W)\b(?!\s*:)",
    "a name is one word: `{one} {at}` is two",
    "a second word",
    "write `{word} {one}_{at}`, or put the words in quotes behind the name",
    wants="STRING _NL (",
)
_rule(
    r"^\s+(?P<at>W)\s*:\s*(?P<type>(?:(?:maybe|set of|list of) W|bool\b|int\b|text\b).*)",
    "a line under a kind begins with `state` for what changes, `has` for what does not, or `holds` for a place",
    "expected one of these before it",
    "write `has {at}: {type}`, or `state {at}: {type}` if it changes",
    wants="has holds",
)
_rule(
    r"^\s+(?P<at>W)\s*:\s*(?P<type>W.*)",
    "a line under a kind begins with `state` for what changes, `has` for what does not, or `holds` for a place",
    "expected one of these before it",
    "write `has {at}: {type}`, `state {at}: {type}` if it changes, or `holds {at}: {type}` for a place",
    wants="has holds",
)
_rule(
    r"^\s*(?P<word>state|holds|has)\s+(?P<one>W)\s*(?P<at>,)\s*(?P<other>W)\s*(?P<rest>:.*)?",
    "a `{word}` line names one thing",
    "expected `:`",
    "write a line for each: `{word} {one}{rest}` and `{word} {other}{rest}`",
)
_rule(
    r"(?:[:,(]|\bhas|\bstate)\s*(?P<name>W)(?P<at>\s*)(?=[,)=]|$)",
    "expected `:` and a type after `{name}`",
    "what is `{name}`?",
    "write for example `{name}: int` or `{name}: bool`",
    wants=":",
)
_rule(
    r"^\s*holds\s+(?P<name>W)(?P<at>\s*(?:=|$|(?<!\w)W))",
    "expected `:` and a kind after `holds {name}`",
    "expected `:`",
    "write for example `holds {name}: Tile`",
    wants=":",
)
_rule(
    r"^\s*holds\s+(?P<name>W)\s*:\s*(?P<at>(?:set|list)\s+of)\s+(?P<kind>W)",
    "a `holds` line gives the kind alone: there can always be several",
    "not needed",
    "write `holds {name}: {kind}`",
)
_rule(
    r"(?P<at>(?P<type>bool|int|text|str|string|number|integer|boolean)\s+(?P<name>W))\s*[,)]",
    "the name comes first, then `:` and what it is",
    "the wrong way round",
    "write `{name}: {type}`",
    wants=":",
)
_rule(
    r":\s*(?P<at>(?P<word>set|list)\s+(?P<kind>(?!of\b)W))",
    "expected `of` after `{word}`",
    "expected `of`",
    "write `{word} of {kind}`",
    wants="of",
)
_rule(
    r"(?P<at>(?P<word>list|set|List|Set)\[(?P<kind>\w+)\])",
    "a {word} of things is written with `of`",
    "expected `of`",
    "write `{word} of {kind}`",
)
_rule(
    r"(?P<kind>W)\s+(?P<at>or\s+(?:nothing|null|none|None))",
    "a type that may be missing is written `maybe`",
    "cannot be part of a type",
    "write `maybe {kind}`",
)
_rule(
    r"(?::|->)\s*(?P<kind>W)(?:\s*=\s*[\w.]+)?\s+(?P<at>W)\s*:",
    "expected `,` before `{at}`",
    "expected `,` before this",
    "write `, {at}: ...`",
    wants=",",
)
_rule(
    r"^\s*(?P<word>function|value|table)\s+\w+\s*(?P<params>\([^)]*\))?\s*(?P<at>=>|:"
    r"\s*W|returns?\b|as\b|\s*(?=$|§|\"|W))",
    "a {word} says what it gives back",
    "expected `->` and a type",
    "write for example `-> int` after the brackets",
    wants="->",
)
_rule(
    r"^\s*(?P<word>table|function|value)\s+(?P<name>W)\s*(?P<at>->|:|$)",
    "a {word} lists in brackets what it depends on",
    "expected `(`",
    "write for example `{word} {name}(roll: int) -> int`",
    wants="(",
)
_rule(
    r"->(?P<at>\s*)(?=$|§|:|\")",
    "expected a type after `->`",
    "expected a type",
    "write for example `-> int`",
    wants="NAME",
)
_rule(
    r"^\s*(?P<word>option|scenario)\s+(?P<name>W)(?:\s*\"~*\")?\s*,?\s*(?P<at>requires?|with|using)\s+(?P<other>W)?",
    "an option that builds on another `needs` it",
    "expected `needs`",
    "write `, needs {other}`",
)
_rule(
    r"^\s*(?P<word>option|scenario)\s+(?P<name>W)(?:\s*\"~*\")?\s+(?P<at>needs|excludes|after)\b",
    "expected `,` before `{at}`",
    "expected `,` before this",
    "write `, {at} ...`",
)
_rule(
    r"^\s*exception\s+(?P<at>(?!to\b)W)",
    "expected `to` after `exception`",
    "expected `to`",
    "write `exception to {at} ...`",
    wants="to",
)
_rule(
    r"^\s*exception\s+to\s+(?P<target>[\w.]+)(?P<at>)(?=\s*$|\s+when\b).*",
    "an exception names the clause it lifts, by citation or text",
    "expected a citation or a text",
    "write for example `exception to {target} §4.6.3`",
    wants="CITES",
)
_rule(
    r"^\s*adjust\s+(?P<name>W)(?P<names>\([^)]*\))?\s*(?P<at>(?:by\s+)?\+?\s*(?P<amount>\d+))",
    "an adjustment says what it does with the number",
    "expected `add`, `times`, `set`, `floor` or `cap`",
    "write `adjust {name}{names} add {amount}`",
    wants="ADJUST_OP",
)
_rule(
    r"^\s*adjust\s+(?P<name>W)(?P<names>\([^)]*\))?\s*(?P<at>-"
    r"\s*(?P<amount>\d+)|(?:subtract|minus|sub|less)\s+(?P<other>\d+))",
    "to take away is to add a negative number",
    "expected `add`",
    "write `adjust {name}{names} add -{amount}{other}`",
    wants="ADJUST_OP",
)
_rule(
    r"^\s*adjust\s+(?P<name>W)(?P<names>\([^)]*\))?\s*(?P<at>when|if)\b.*",
    "in an adjustment the number comes before `when`",
    "expected `add`, `times`, `set`, `floor` or `cap`",
    "write `adjust {name}{names} add 1 {at} ...`",
    wants="ADJUST_OP",
)
_rule(
    r"^\s*when\s+(?P<name>W)(?P<names>\([^)]*\))?\s*(?P<at>and|where|when)\b.*",
    "what else must hold when something happens begins with `if`",
    "expected `if`",
    "write `when {name}{names} if ...`",
)
_rule(
    r"^\s*amend\s+(?P<name>W)\s+(?P<at>W)",
    "expected `:` after `amend {name}`",
    "expected `:` before this",
    "write `amend {name}: {at} ...`",
    wants=":",
)
_rule(
    r"^\s*replace\s+(?P<at>W)",
    "`replace` says what sort of rule is replaced",
    "expected `function`, `procedure`, `phase`, `table` or another such word",
    "write for example `replace function {at}`",
)
_rule(
    r"\bat\s+end\s+(?P<at>(?!of\b)W)",
    "expected `of` after `at end`",
    "expected `of`",
    "write `at end of {at}`",
    wants="of",
)
_rule(
    r"\bat\s+most\s+(?P<many>[\w.]+)(?P<at>\s*)(?=$|§)",
    "expected `steps` after `at most {many}`",
    "expected `steps`",
    "write `at most {many} steps`",
    wants="steps",
)
_rule(
    r"^\s*route\s+(?P<name>W)(?P<params>\([^)]*\))?\s*(?P<at>\S*)",
    "a route says where it starts and what it follows",
    "expected `from`",
    "write `route {name}{params} from ... by ...`",
    wants="from",
)
_rule(
    r"^\s*(?P<many>\d+)\s+(?P<at>W)",
    "expected `:` after the number of players",
    "expected `:` before this",
    "write `{many}: {at} ...`",
    wants=":",
)

# -- lines in the wrong place

_rule(
    r"^\s*(?P<at>enter|through|step|cost)\s+W.*",
    "`{at}` belongs under a `route`",
    "cannot stand here",
    "write `route ... from ... by ...` above it",
    wants="and _NL",
)
_rule(
    r"^\s*(?P<at>require)\b.*",
    "in a route, each `require` stands under `enter`, `through` or `step`",
    "expected `enter`, `through` or `step`",
    "write `enter b` above it, and indent it further",
    wants="enter",
)
_rule(
    r"^\s*(?P<at>\|).*",
    "a row belongs under a `table` or `counts` line",
    "a row cannot stand here",
    "write for example `table losses(die: int) -> int` above it",
    wants="NAME enter",
)

# -- tables

_rule(
    r"^\s*\|?(?P<at>[-:=]{2,}[-|:=+\s]*)$",
    "a table needs no line of dashes under its header",
    "not needed",
    "take this line away",
)
_rule(
    r"^\s*\|.*[^|\s](?P<at>\s*)$",
    "a table row ends with `|`",
    "expected `|`",
    "put a `|` at the end of the row",
    wants="|",
)
_rule(
    r"^\s*(?P<at>[^|\s\"][^|]*\|)",
    "a table row begins with `|`",
    "expected `|` before this",
    "write `| {at} ...`",
    wants="|",
)
_rule(
    r"\|\s*(?P<at>(?P<low>\d+)\s*(?:-|to\b|\.\.\.)\s*(?P<high>\d+))\s*\|?",
    "a range in a table is written with `..`",
    "expected `..`",
    "write `{low}..{high}`",
    wants="|",
)
_rule(
    r"^\s*(?P<at>\d+)\s*(?:-|\.\.|to\b)\s*(?P<high>\d+)\s*[:=,]?\s*(?P<value>-?\w+)?.*",
    "a row of a table stands between bars",
    "expected `|`",
    "write `| {at}..{high} | {value} |`",
    wants="|",
)
_rule(
    r"^\s*(?P<at>\w+)\s*[:=,]\s*(?P<value>-?\w+)?.*",
    "a row of a table stands between bars",
    "expected `|`",
    "write `| {at} | {value} |`",
    wants="|",
)
_rule(
    r"[|,]\s*(?P<at>(?P<one>W)\s+(?P<other>W))\s*\|?",
    "a result is one word: `{at}` is two",
    "two words",
    "write `{one}_{other}`",
    wants="|",
)

# -- maps and things

_rule(
    r"^\s*(?!end game)(?P<kind>W)\s+(?P<name>W)\s*(?P<at>,)\s*(?P<rest>(?:W\s+[\w\"{]|at\b|not\b|\d).*)",
    "no `,` is needed between a thing's name and what follows",
    "not needed",
    "write `{kind} {name}  {rest}`",
    wants="STRING",
)
_rule(
    r"^\s*(?P<kind>[A-Z]\w*)\s+(?P<name>W)\s*(?P<at>,)\s*(?P<other>W)",
    "each thing has a line of its own",
    "cannot stand here",
    "write `{kind} {name}` and, on the next line, `{kind} {other}`",
    wants="STRING",
)
_rule(
    r"^\s*(?P<sort>W)\s+(?P<one>W)\s*(?P<at>,)\s*(?P<other>W)",
    "the spaces of a link are joined with `-`",
    "expected `-`",
    "write `{sort} {one} - {other}`",
    wants="LINK",
)
_rule(
    r"^\s*(?P<sort>W)\s+(?P<one>W)\s*(?:-\s*W\s*)*(?P<at>to\b|--+|<->|<-|>|=)\s*-?\s*(?P<other>\w*)",
    "the spaces of a link are joined with `-`, or `->` for one way",
    "expected `-` or `->`",
    "write `{sort} {one} - {other}`",
    wants="LINK",
)
_rule(
    r"^\s*(?P<sort>W)\s+(?P<one>W)\s*-.*?(?P<at>,)\s*(?P<other>\w*)",
    "the spaces of a link are joined with `-`",
    "expected `-`",
    "write `- {other}`",
    wants="LINK",
)
_rule(
    r"^\s*(?P<sort>W)\s+(?P<one>W)\s*(?:-.*?)?(?P<at>--+)\s*(?P<other>\w*)",
    "the spaces of a link are joined with `-`, or `->` for one way",
    "expected `-`",
    "write `- {other}`",
    wants="NAME",
)
_rule(
    r"^\s*(?P<one>W)\s*(?P<at>->|-)\s*(?P<other>W)",
    "a link begins with its sort, such as `road`",
    "expected the sort of link before this",
    "write `road {one} {at} {other}`",
    wants="NAME",
)
_rule(
    r"^\s*(?P<sort>W)(?P<at>:)\s*(?P<rest>\S.*)",
    "no `:` is needed after `{sort}`",
    "not needed",
    "write `{sort} {rest}`",
    wants="NAME",
)
_rule(
    r"^\s*(?P<kind>W)\s+(?P<at>\d+(?P<rest>[^\W\d]\w*))",
    "a name begins with a letter: `{at}` does not",
    "expected a name",
    'put the number behind, and the words in quotes: `Some_name_2 "{at}"`',
    wants="NAME",
)
_rule(
    r"^\s+(?P<kind>[A-Z]\w*)\s+(?P<one>W)(?P<at>-)(?P<other>W)\b.*",
    "a name has no `-` in it",
    "expected `_`",
    "write `{kind} {one}_{other}`",
)
_rule(
    r"^\s*(?P<kind>W)\s+(?P<name>W)\s*(?P<at>:)",
    "no `:` is needed after the name of a thing",
    "not needed",
    "write `{kind} {name}  ...`",
    wants="STRING",
)
_rule(
    r"(?P<name>W)\s*(?P<at>[=:])\s*(?P<value>\w+)",
    "on the line of a thing, a value follows its name without `{at}`",
    "not needed",
    "write `{name} {value}`",
    wants="INT",
)
_rule(
    r"\bat\s+(?P<north>\d+(?:\.\d+)?[NSns])\s*(?P<at>,)\s*(?P<east>\d+(?:\.\d+)?[EWew])?",
    "the two numbers of a place on the globe have no `,` between them",
    "not needed",
    "write `at {north} {east}`",
)
_rule(
    r"\bat\s+(?P<at>\(?[-+]?\d[\d.]*°?[NSEW]?\s*,?\s*[-+]?[\d.]*°?[NSEW]?\)?)",
    "a place on the globe is given as in `48.9N 2.3E`",
    "expected two numbers with `N` or `S`, `E` or `W`",
    "write for example `at 48.9N 2.3E`",
    wants="COORD",
)
_rule(
    r"^\s*(?P<kind>W)\s+(?P<at>\"~*\")",
    "a thing has a name before its text, for rules to use",
    "expected a name before this",
    "write `{kind} Some_Name {at}`",
    wants="NAME",
)
_rule(
    r"^\s+(?P<at>W)$",
    "a line here begins with a kind and goes on with a name",
    "expected a name after this",
    "write for example `Region Northmark`",
    wants="NAME",
)
_rule(
    r"(?P<name>W)\s+(?P<value>\w+|\"~*\")\s+(?P<at>(?!reconstructed\b)W)",
    "expected `,` before `{at}`",
    "expected `,` before this",
    "write `{name} {value}, {at}`",
    wants="reconstructed",
)

# -- a sign left out

_rule(
    r"^\s*end\s+game\s+(?P<at>(?:draw|most|least|only|[A-Z]\w*|active)\b.*)",
    "expected `,` after `end game`",
    "expected `,` before this",
    "write `end game, {at}`",
    wants=",",
)
_rule(
    r"^\s+(?P<name>W(?:\.W)+)\s+(?P<at>yes|no|nothing|\d+)\b",
    "expected `=` between `{name}` and `{at}`",
    "expected `=` before this",
    "write `{name} = {at}`",
)

_rule(
    r"^\s+(?P<name>[a-z]\w*)\s+(?P<at>(?!is\b|in\b|and\b|or\b)[a-z]\w*(?:\s*,\s*[\w.]+)*)\s*(?:[§@].*)?$",
    "what a rule is given stands in brackets",
    "expected `(` before this",
    "write `{name}({at})`",
)

# -- two lines in one, and words run together

_rule(
    r"^\s*(?P<first>\S.*?)\s+(?P<at>(?P<word>require|choose|if|for|repeat|let|move|place|draw|roll|shuffle|"
    r"reveal|return|stop|tell|end)\b.*)$",
    "each line does one thing, and `{word}` begins another",
    "put this on a line of its own",
    "begin a new line before `{word}`",
    wants="_NL",
)
_rule(
    r"^\s+(?!has\b|state\b)(?P<first>\S.*?)[\s,]+(?P<at>[\w.]+\s*[-+]?=(?!=).*)$",
    "each line does one thing, and here are two",
    "put this on a line of its own",
    "begin a new line before `{at}`",
    wants="_NL",
)
