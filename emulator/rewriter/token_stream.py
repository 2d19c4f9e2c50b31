"""The tokens of a file or of a macro's body, with what the passes ask about them: brackets, template arguments, scopes."""

from __future__ import annotations

import bisect
from functools import cached_property
from typing import TYPE_CHECKING

from .edits import Span
from .errors import PositionError
from .vocabulary import CLOSING, OPENING, WITH_PARENS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .lexer import Directive, Token


DEEPEST = 1000  # brackets in each other; clang++ takes 256


class OpenBracket:
    """A bracket that is not closed yet, and those around it: a stack that branches of an #if can share."""

    __slots__ = ("opened", "text", "outer", "innermost", "depth", "counts")

    depth: int
    counts: dict[str, int]

    def __init__(self, opened: Sequence[int] = (), text: str = "", outer: OpenBracket | None = None) -> None:
        self.opened = opened  # its index; several where #if and #else each have one
        self.text, self.outer = text, outer
        self.innermost = opened[0] if opened else None
        self.depth = outer.depth + 1 if outer else 0
        self.counts = dict(outer.counts) if outer else dict.fromkeys(OPENING, 0)  # of each kind, this one included
        if text:
            self.counts[text] += 1

    @staticmethod
    def merged(ends: list[OpenBracket]) -> OpenBracket:
        """Of the stacks of several branches, which are of one depth."""
        levels = []
        while any(end is not ends[0] for end in ends):
            levels.append((sorted({i for end in ends for i in end.opened}), ends[0].text))
            ends = [end.outer for end in ends if end.outer is not None]  # of one depth, so all have one
        stack = ends[0]
        for opened, text in reversed(levels):
            stack = OpenBracket(opened, text, stack)
        return stack


class TokenStream:
    """A file without its directives, or a macro's body. `i`, `first`, `end` and what is returned are indices of tokens."""

    def __init__(
        self,
        tokens: list[Token],
        directives: Sequence[Directive] = (),
        macro: str | None = None,
        parameters: tuple[str, ...] = (),
    ) -> None:
        self.tokens = tokens
        self.macro = macro  # the macro's name, or None for the file itself
        self.parameters = parameters
        self.directives = directives
        self.texts = [token.text for token in tokens] + [""] * 3  # so that one may look ahead
        self.partner: dict[int, int] = {}  # index of each bracket -> index of its other end
        self.parent: list[int | None] = [None] * len(tokens)  # index of the innermost bracket around each token
        self.local_shared: list[tuple[str, int]] = []  # (name, index) of the __shared__ variables that functions declare
        self.shared_names: set[str] = set()  # the names of these
        # What was asked before and may be asked again from the next token: a long file is still read only once.
        self._angles: dict[int, int | None] = {}
        self._starts: dict[int, int] = {}
        self._around: dict[str, dict[int, int | None]] = {}
        self.statement_ends: dict[int, int] = {}  # of expressions.py
        self._match_brackets(directives)

    def __len__(self) -> int:
        return len(self.tokens)

    # ---- brackets

    def _match_brackets(self, directives: Sequence[Directive]) -> None:
        """Where #if and #else both open a bracket that is closed once, both are matched with that closing one."""
        stack, waiting = OpenBracket(), list(directives)
        branches: list[tuple[OpenBracket, list[OpenBracket]]] = []
        waiting.reverse()
        for i, text in enumerate(self.texts[:-3]):
            while waiting and waiting[-1].index <= i:
                stack = self._branch(waiting.pop().name, stack, branches)
            if text in OPENING:
                self.parent[i] = stack.innermost
                stack = OpenBracket([i], text, stack)
                if stack.depth > DEEPEST:
                    raise PositionError(self.tokens[i].start, f"brackets are nested more than {DEEPEST} deep")
                continue
            if text in CLOSING and stack.counts[CLOSING[text]]:
                while stack.text != CLOSING[text] and stack.outer is not None:
                    stack = stack.outer
                assert stack.innermost is not None and stack.outer is not None
                self.partner[i] = stack.innermost
                self.partner.update((each, i) for each in stack.opened)
                stack = stack.outer
            self.parent[i] = stack.innermost

    @staticmethod
    def _branch(name: str, stack: OpenBracket, branches: list[tuple[OpenBracket, list[OpenBracket]]]) -> OpenBracket:
        """The open brackets behind a directive; an #else begins with those that its #if began with."""
        if name in ("if", "ifdef", "ifndef"):
            branches.append((stack, []))
        elif name in ("else", "elif", "elifdef", "elifndef") and branches:
            branches[-1][1].append(stack)
            return branches[-1][0]
        elif name == "endif" and branches:
            ends = branches.pop()[1] + [stack]
            if len({end.depth for end in ends}) == 1:
                return OpenBracket.merged(ends)
        return stack

    def add_local_shared(self, name: str, i: int) -> None:
        """A function declares this __shared__ variable at i."""
        self.local_shared.append((name, i))
        self.shared_names.add(name)

    def skip(self, i: int) -> int:
        """The index after the token at i, or after its closing bracket if it opens one."""
        return self.partner.get(i, i) + 1 if self.texts[i] in OPENING else i + 1

    def splits_conditional(self, first: int, last: int) -> bool:
        """Does an #if, #else or #endif between the tokens have its counterpart elsewhere?"""
        depth = 0
        for directive in self.directives_between(first, last):
            depth += directive.name in ("if", "ifdef", "ifndef")
            if depth == 0 and directive.name in ("else", "elif", "elifdef", "elifndef", "endif"):
                return True
            depth -= directive.name == "endif"
        return depth != 0

    def directives_between(self, first: int, last: int) -> Sequence[Directive]:
        """The directives behind the token at `first` and before the one at `last`."""
        begin, end = (bisect.bisect_right(self.directives, i, key=lambda directive: directive.index) for i in (first, last))
        return self.directives[begin:end]

    # ---- template arguments

    def angle_end(self, i: int) -> int | None:
        """The index of the > that closes the template arguments opened by the < at i, or None."""
        if i not in self._angles:
            self._match_angles(i)
        return self._angles[i]

    def _match_angles(self, i: int) -> None:
        """Reads on from the < at i, and finds the ends of those that it meets."""
        opened = []
        while i < len(self):
            text = self.texts[i]
            if text == "<" and i in self._angles:
                other = self._angles[i]
                if other is None:
                    break
                i = other
            elif text == "<":
                opened.append(i)
            elif text == ">":
                self._angles[opened.pop()] = i
                if not opened:
                    return
            elif text in (";", ")", "]", "}", "<<<"):
                break
            i = self.skip(i)
        self._angles.update((each, None) for each in opened)

    def angle_start(self, i: int) -> int | None:
        """The index of the < that opens the template arguments closed by the > at i, or None."""
        if i not in self._angles:
            self._match_angles_backwards(i)
        return self._angles[i]

    def _match_angles_backwards(self, i: int) -> None:
        closed = []
        while i >= 0:
            text = self.texts[i]
            if text == ">" and i in self._angles:
                other = self._angles[i]
                if other is None:
                    break
                i = other
            elif text == ">":
                closed.append(i)
            elif text == "<":
                self._angles[closed.pop()] = i
                if not closed:
                    return
            elif text in CLOSING:
                i = self.partner.get(i, -1)
            elif text in (";", "{", "(", "["):
                break
            i -= 1
        self._angles.update((each, None) for each in closed)

    # ---- declarations

    def volatile_names(self, first: int, end: int) -> set[str]:
        """What declarations between the two call volatile: variables and what pointers point to."""
        return {self._declared(i) for i in range(first, end) if self.texts[i] == "volatile"}

    @cached_property
    def volatile_globals(self) -> set[str]:
        """The same outside of functions."""
        places = (i for i, text in enumerate(self.texts) if text == "volatile" and self.at_namespace_scope(i))
        return {self._declared(i) for i in places}

    def _declared(self, i: int) -> str:
        """The name that the declaration declares whose token is at i, or another word."""
        while i + 1 < len(self) and self.texts[i + 1] not in (";", "=", ",", "(", ")", "[", "{"):
            i += 1
        return self.texts[i] if self.is_word(i) else "volatile"

    def is_word(self, i: int) -> bool:
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "word"

    def statement_start(self, i: int) -> int:
        """The index of the first token of the declaration that the token at i belongs to."""
        passed: list[int] = []
        while i not in self._starts:
            passed.append(i)
            before = self._before_in_statement(i)
            if before is None:
                break
            i = before
        begin = self._starts.get(i, i)
        self._starts.update((each, begin) for each in passed)
        return begin

    def _before_in_statement(self, i: int) -> int | None:
        """A token before the one at i that belongs to the same declaration, or None at its first one."""
        before = self.texts[i - 1]
        if i <= 0 or before in (";", "{", "}", "(", "[", ":", ",", "else", "do"):
            return None
        if before == ">" and (opened := self.angle_start(i - 1)) is not None:
            return opened
        if before in (")", "]"):
            opened = self.partner.get(i - 1, -1)
            attribute = self.texts[opened - 1] in WITH_PARENS if before == ")" else self.texts[opened + 1] == "["
            return opened if opened >= 0 and attribute else None
        return i - 1

    def head(self, opened: int) -> list[str]:
        """The texts of the declaration that the bracket at `opened` belongs to, up to it."""
        return self.texts[self.statement_start(opened) : opened]

    def at_namespace_scope(self, i: int) -> bool:
        return self.macro is None and self.outermost(i, "no namespace", lambda around: not self.is_namespace(around)) is None

    def is_namespace(self, i: int) -> bool:
        """Is the bracket at i the { of a namespace or of an extern "C"?"""
        head = self.head(i) if self.texts[i] == "{" else ()
        return "namespace" in head or head[-2:-1] == ["extern"]

    def outermost(self, i: int, name: str, condition: Callable[[int], bool]) -> int | None:
        """The index of the outermost bracket around the token at i for which the condition holds, or None. `name` is that
        of the condition, under which answers are kept."""
        known, passed, around = self._around.setdefault(name, {}), [], self.parent[i]
        while around is not None and around not in known:
            passed.append(around)
            around = self.parent[around]
        found = known[around] if around is not None else None
        for each in reversed(passed):
            found = known[each] = each if found is None and condition(each) else found
        return found

    # ---- tokens [first, end) as a piece of an edit

    def span(self, first: int, end: int) -> Span:
        return Span(self.tokens[first].start, self.tokens[end - 1].end)

    def on_one_line(self, first: int, end: int) -> str:
        return " ".join(self.texts[first:end])

    def string_literal(self, first: int, end: int) -> str:
        """A name as a string literal; in a macro's body it may be made of parameters, `name##_kernel`."""
        parts = [text for text in self.texts[first:end] if text != "##"]
        return " ".join(f"#{part}" if part in self.parameters else f'"{part}"' for part in parts)
