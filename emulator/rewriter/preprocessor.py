"""What macros make of a few tokens: as much of a preprocessor as the text of an asm statement needs.

It does not know which branch of an #if is taken, so a macro may have several definitions here. Each of them is tried, and the
compiler chooses (passes/ptx_macros.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from .lexer import Directive, Token

T = TypeVar("T")
MOST_CHOICES = 200  # among definitions
MOST_WORDS = 100_000  # in one expansion


@dataclass(frozen=True)
class Word:
    """A token, and the macros that it came out of: it is not expanded by those again."""

    kind: str
    text: str
    spaced: bool  # behind a blank
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Macro:
    name: str
    parameters: tuple[str, ...] | None  # None if it has no ( )
    body: tuple[Word, ...]
    start: int  # of its directive, in the text of its file
    end: int
    text: str

    @staticmethod
    def of(directive: Directive, text: str) -> Macro:
        name, *rest = directive.tokens
        parameters = None
        if rest and rest[0].text == "(" and rest[0].start == name.end:
            end = next((i for i, token in enumerate(rest) if token.text == ")"), len(rest) - 1)
            names = {"...": "__VA_ARGS__"}
            parameters = tuple(names.get(token.text, token.text) for token in rest[1:end] if token.text != ",")
            rest = rest[end + 1 :]
        return Macro(name.text, parameters, tuple(words(rest)), directive.start, directive.end, text)


Arguments = dict[str, "list[Word]"]


def words(tokens: Sequence[Token]) -> list[Word]:
    ends = [tokens[0].start if tokens else 0, *(token.end for token in tokens)]
    return [Word(token.kind, token.text, end < token.start) for token, end in zip(tokens, ends, strict=False)]


def spelled(given: Sequence[Word]) -> str:
    return " ".join(word.text for word in given)


class TooMuchError(Exception):
    """An expansion that does not end soon."""


class Preprocessor:
    """The macros of several files."""

    def __init__(self, files: Iterable[tuple[str, Iterable[Directive]]]) -> None:
        self.definitions: dict[str, list[Macro]] = {}
        for text, directives in files:
            for directive in directives:
                if directive.name == "define" and not directive.skipped and directive.tokens:
                    self._define(Macro.of(directive, text))
        self.on_call: Callable[[Macro, Arguments], None] | None = None
        self._world: dict[str, int] = {}  # which definition counts
        self._met: dict[str, int] = {}
        self._left = 0

    def _define(self, macro: Macro) -> None:
        self.definitions.setdefault(macro.name, []).append(macro)

    # ---- choices

    def each_choice(self, work: Callable[[], T]) -> Iterator[tuple[T, bool]]:
        """What `work` answers with each choice of definitions, and whether there was only one."""
        worlds: list[dict[str, int]] = [{}]
        done = 0
        while worlds and done < MOST_CHOICES:
            self._world, self._met, self._left = worlds.pop(), {}, MOST_WORDS
            self._others: list[dict[str, int]] = []
            try:
                answer = work()
            except TooMuchError:
                return
            worlds += self._others
            done += 1
            yield answer, not self._world and not self._others

    def _definition(self, name: str) -> Macro | None:
        found = self.definitions.get(name)
        if not found:
            return None
        if len(found) > 1 and name not in self._met:
            if name not in self._world:
                self._others += [{**self._met, name: other} for other in range(1, len(found))]
            self._met[name] = self._world.get(name, 0)
        return found[self._met.get(name, 0)]

    # ---- expansion

    def expand(self, given: Sequence[Word]) -> list[Word]:
        out: list[Word] = []
        left = list(reversed(given))
        while left:
            self._left -= 1
            if self._left < 0:
                raise TooMuchError
            word = left.pop()
            macro = self._definition(word.text) if word.kind == "word" and word.text not in word.hidden else None
            if macro is None or macro.parameters is not None and (not left or left[-1].text != "("):
                out.append(word)
                continue
            hidden = word.hidden
            arguments: Arguments = {}
            if macro.parameters is not None:
                called = self._arguments(macro.parameters, left)
                if called is None:
                    out.append(word)
                    continue
                arguments, closing = called
                hidden = hidden & closing.hidden
                if self.on_call is not None:
                    self.on_call(macro, arguments)
            hidden |= {word.text}
            result = self.substitute(macro.body, arguments)
            left += [replace(each, hidden=each.hidden | hidden) for each in reversed(result)]
        return out

    @staticmethod
    def _arguments(parameters: tuple[str, ...], left: list[Word]) -> tuple[Arguments, Word] | None:
        """Takes the arguments from the end of `left`, which is in reverse order."""
        found: list[list[Word]] = [[]]
        depth = 0
        for at in range(len(left) - 1, -1, -1):
            word = left[at]
            if word.text in (")", "]", "}") and word.kind == "punct":
                depth -= 1
                if depth == 0:
                    break
            if word.text == "," and depth == 1 and (len(found) < len(parameters) or parameters[-1:] != ("__VA_ARGS__",)):
                found.append([])
            elif depth > 0:
                found[-1].append(word)
            depth += word.text in ("(", "[", "{") and word.kind == "punct"
        else:
            return None
        found += [[]] * (len(parameters) - len(found))
        if len(found) > len(parameters) and (parameters or found[0]):
            return None
        closing = left[at]
        del left[at:]
        return dict(zip(parameters, found, strict=False)), closing

    def substitute(self, body: Sequence[Word], arguments: Arguments) -> list[Word]:
        """A macro's body, or a part of it, with its arguments."""
        out: list[Word] = []
        i, pastes = 0, False
        while i < len(body):
            word = body[i]
            follows = body[i + 1].text if i + 1 < len(body) else ""
            if word.text == "##" and out and follows:
                pastes, i = True, i + 1
                continue
            if word.text == "#" and follows in arguments:
                piece = [Word("string", _quoted(arguments[follows]), word.spaced)]
                i += 1
            elif word.text in arguments:
                piece = list(arguments[word.text])
                if not pastes and follows != "##":
                    piece = self.expand(piece)
                piece[:1] = [replace(each, spaced=word.spaced) for each in piece[:1]]
            else:
                piece = [word]
            if pastes and piece:
                joined = out.pop().text + piece[0].text
                piece[0] = Word("word" if re.match(r"[A-Za-z_$]", joined) else piece[0].kind, joined, False)
            out += piece
            pastes = False
            i += 1
        return out


def _quoted(given: Sequence[Word]) -> str:
    texts = []
    for n, word in enumerate(given):
        text = re.sub(r'[\\"]', r"\\\g<0>", word.text) if word.kind in ("string", "char") else word.text
        texts.append(" " * (n > 0 and word.spaced) + text)
    return '"' + "".join(texts) + '"'
