"""Words of a text for the parser, quicker: Lark's lexer and what it does about indentation, in one loop.

Lark hands each word through three generators and counts lines and columns, which nobody here looks at: what is told
goes by characters. The words are the same, and where a text cannot be read Lark's own lexer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lark import Token
from lark.indenter import DedentError, Indenter
from lark.lexer import BasicLexer, ContextualLexer, PatternStr

__all__ = ["QuickLexer", "token_at"]


def token_at(kind: str, value: str, start: int, end: int) -> Token:
    token: Any = str.__new__(Token, value)
    token.type, token.value, token.start_pos, token.end_pos = kind, value, start, end
    token.line = token.column = token.end_line = token.end_column = None
    return token  # type: ignore[no-any-return]


# How words are found in one state of the parser: what looks for the next one, by sort the words that have a sort of
# their own, and the sorts that are passed over.
_Finder = tuple[Callable[..., Any], dict[str | None, dict[str, str]], frozenset[str]]


class QuickLexer:
    """Stands where Lark has a lexer and, behind it, an indenter."""

    def __init__(self, lexer: ContextualLexer, indenter: Indenter) -> None:
        self.lexer = lexer
        self.indenter = indenter
        self._finders: dict[int, _Finder] = {}
        self._of_lexers: dict[int, _Finder] = {}

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        text, end, at = lexer_state.text.text, lexer_state.text.end, lexer_state.line_ctr.char_pos
        states, finders = parser_state.state_stack, self._finders
        line_end, opening = self.indenter.NL_type, {*self.indenter.OPEN_PAREN_types}
        closing = {*self.indenter.CLOSE_PAREN_types}
        start, brackets, levels = at, 0, [0]
        while at < end:
            find, words, ignored = finders.get(states[-1]) or self._finder(states[-1])
            found = find(text, at, end)
            if found is None:
                lexer_state.line_ctr.char_pos = at
                yield from self.lexer.lex(lexer_state, parser_state)  # which tells what is wrong
                return
            kind = found.lastgroup
            if kind in ignored:
                at = found.end()
                continue
            value = found.group()
            if kind in words:
                kind = words[kind].get(value, kind)
            start, at = at, found.end()
            if kind != line_end:
                yield token_at(kind, value, start, at)
                if kind in opening:
                    brackets += 1
                elif kind in closing:
                    brackets -= 1
            elif brackets == 0:
                yield token_at(kind, value, start, at)
                yield from self._indentation(value, levels, start, at)
        for _ in levels[1:]:
            yield token_at(self.indenter.DEDENT_type, "", start, at)

    def _indentation(self, value: str, levels: list[int], start: int, end: int) -> Iterator[Token]:
        """What the end of a line opens or closes."""
        blank = value.rpartition("\n")[2]
        indent = blank.count(" ") + blank.count("\t") * self.indenter.tab_len
        if indent > levels[-1]:
            levels.append(indent)
            yield token_at(self.indenter.INDENT_type, blank, start, end)
            return
        while indent < levels[-1]:
            levels.pop()
            yield token_at(self.indenter.DEDENT_type, blank, start, end)
        if indent != levels[-1]:
            raise DedentError(f"a line further out by {levels[-1] - indent}")

    def _finder(self, state: int) -> _Finder:
        lexer: Any = self.lexer.lexers[state]
        found = self._of_lexers.get(id(lexer))  # many states have the same
        if found is None:
            found = self._of_lexers[id(lexer)] = _finder_of(lexer)
        self._finders[state] = found
        return found


def _finder_of(lexer: BasicLexer) -> _Finder:
    scanner: Any = lexer.scanner
    words: dict[str | None, dict[str, str]] = {}
    for kind, callback in lexer.callback.items():
        own: Any = callback
        assert all(isinstance(each.pattern, PatternStr) for each in own.scanner.terminals)
        words[kind] = {each.pattern.value: each.name for each in own.scanner.terminals}
    if len(scanner._mres) == 1:
        return scanner._mres[0].match, words, lexer.ignore_types

    def first(text: str, start: int, end: int) -> Any:
        return next((found for each in scanner._mres if (found := each.match(text, start, end))), None)

    return first, words, lexer.ignore_types
