"""The lexer: text -> tokens and preprocessor directives, before preprocessing."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(slots=True)
class Token:
    kind: str  # word, number, string, char, punct
    text: str
    start: int
    end: int
    conditional: bool  # inside #if ... #endif, so the preprocessor may skip it


@dataclass(slots=True)
class Directive:
    name: str  # if, ifdef, include, define, ...; "" for a lone #
    start: int  # of the #
    end: int  # of the line, before its newline
    index: int  # how many tokens of the file itself stand before it
    tokens: list[Token]  # what follows the name
    conditional: bool
    skipped: bool = False  # inside `#if 0`


# A literal that does not end is one all the same, up to the end of its line or, if raw, of the file: each letter is looked
# at once.
TOKEN = re.compile(
    r"""(?P<newline>\r?\n)
      | (?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)
      | (?P<comment>//(?:\\\r?\n|[^\n])* | /\*.*?(?:\*/|\Z))
      | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^ ()\\\s]{0,16})\((?:.*?\)(?P=mark)"|.*))
      | (?P<string>(?:u8|[uUL])?"(?:\\(?:\r\n|.)|[^"\\\n])*"?)
      | (?P<char>(?:u8|[uUL])?'(?:\\(?:\r\n|.)|[^'\\\n])*'?)
      | (?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*)
      | (?P<word>[A-Za-z_$\x80-\U0010ffff][0-9A-Za-z_$\x80-\U0010ffff]*)
      | (?P<punct>::|->\*?|\#\#|\.\.\.|<=>|<+=?|[-+*/%^&|!=]=|&&|\|\||>=|.)""",
    re.VERBOSE | re.DOTALL,
)
KINDS = {name: name for name in TOKEN.groupindex} | {"raw": "string"}
# Comments, and a #define. What has matched is not tried in another way.
DEFINE = re.compile(r"(?>(?:\s+|//[^\n]*|/\*(?s:.*?)\*/)*)#\s*define\s+([\w$]+)")


def tokenize(text: str) -> tuple[list[Token], list[Directive]]:
    """Returns (tokens of the file itself, its directives). Comments and `#if 0` parts are left out."""
    return Lexer(text).run()


class Lexer:
    """Reads a text from its beginning to its end, once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.directives: list[Directive] = []
        self.directive: Directive | None = None  # the one that is being read
        self.conditions: list[bool] = []  # for each open #if: does it count as a condition (an include guard does not)
        self.conditional = 0  # how many do
        self.skipping = 0  # depth of #if inside `#if 0`, counting that one

    def run(self) -> tuple[list[Token], list[Directive]]:
        at_line_start, length, tokens = True, len(self.text), self.tokens
        for match in TOKEN.finditer(self.text):
            kind = KINDS[match.lastgroup or ""]
            if kind == "newline":
                if self.directive is not None:
                    self._end_directive(match.start())
                at_line_start = True
            elif kind != "space" and kind != "comment":
                text = match.group()
                if self.directive is not None or text == "#" and at_line_start:
                    self._add_to_directive(kind, text, match.start())
                elif self.skipping:
                    pass
                elif text == "<":
                    self._append(tokens, kind, text, match.start())
                else:
                    tokens.append(Token(kind, text, match.start(), match.end(), self.conditional > 0))
                at_line_start = False
        if self.directive is not None:
            self._end_directive(length)
        return self.tokens, [directive for directive in self.directives if directive.name]

    def _add_to_directive(self, kind: str, text: str, start: int) -> None:
        directive = self.directive
        if directive is None:
            self.directive = Directive("", start, len(self.text), len(self.tokens), [], False)
            self.directives.append(self.directive)
        elif not directive.name and not directive.tokens and kind == "word":
            directive.name = text
        else:
            self._append(directive.tokens, kind, text, start)

    def _append(self, tokens: list[Token], kind: str, text: str, start: int) -> None:
        end = start + len(text)
        if (
            text == "<"
            and tokens
            and tokens[-1].text == "<<"
            and self.text[tokens[-1].end : start].isspace()
            and [token.text for token in tokens[-2:-1]] != ["operator"]
        ):
            tokens[-1].text, tokens[-1].end = "<<<", end  # some formatters write k << <1, 1 >> >(x)
        else:
            tokens.append(Token(kind, text, start, end, self.conditional > 0))

    def _end_directive(self, end: int) -> None:
        """At the end of its line: heeds its condition."""
        directive, self.directive = self.directive, None
        assert directive is not None
        directive.end = end
        directive.conditional, directive.skipped = self.conditional > 0, self.skipping > 0
        first = directive.tokens[0].text if directive.tokens else ""
        if directive.name in ("if", "ifdef", "ifndef"):
            if self.skipping or (directive.name == "if" and first == "0" and len(directive.tokens) == 1):
                self.skipping += 1
            self.conditions.append(not (directive.name == "ifndef" and self._is_guard(directive)))
            self.conditional += self.conditions[-1]
        elif directive.name == "endif":
            self.skipping = max(0, self.skipping - 1)
            self.conditional -= self.conditions.pop() if self.conditions else 0
        elif directive.name in ("else", "elif", "elifdef", "elifndef"):
            self.skipping = 0 if self.skipping == 1 else self.skipping
            if self.conditions and not self.conditions[-1]:
                self.conditions[-1] = True
                self.conditional += 1

    def _is_guard(self, directive: Directive) -> bool:
        """`#ifndef NAME` followed by `#define NAME`, before any code of the file."""
        if self.tokens or not directive.tokens:
            return False
        define = DEFINE.match(self.text, directive.end)
        return define is not None and define[1] == directive.tokens[0].text
