"""The lexer: text -> tokens and preprocessor directives, before preprocessing."""

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
    tokens: list  # what follows the name
    conditional: bool
    skipped: bool = False  # inside `#if 0`


TOKEN = re.compile(
    r"""(?P<newline>\r?\n)
      | (?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)
      | (?P<comment>//(?:\\\r?\n|[^\n])* | /\*.*?(?:\*/|\Z))
      | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^ ()\\\s]{0,16})\(.*?\)(?P=mark)")
      | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
      | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*)
      | (?P<word>[A-Za-z_$\x80-\U0010ffff][0-9A-Za-z_$\x80-\U0010ffff]*)
      | (?P<punct>::|->\*?|\#\#|\.\.\.|<=>|<+=?|[-+*/%^&|!=]=|&&|\|\||>=|.)""",
    re.VERBOSE | re.DOTALL,
)


def tokenize(text):
    """Returns (tokens of the file itself, its directives). Comments and `#if 0` parts are left out."""
    return Lexer(text).run()


class Lexer:
    """Reads a text from its beginning to its end, once."""

    def __init__(self, text):
        self.text = text
        self.tokens, self.directives = [], []
        self.directive = None  # the one that is being read
        self.conditions = []  # for each open #if: does it count as a condition (an include guard does not)
        self.skipping = 0  # depth of #if inside `#if 0`, counting that one

    def run(self):
        at_line_start, position, length = True, 0, len(self.text)
        while position < length:
            match = TOKEN.match(self.text, position)
            kind, start, position = match.lastgroup, position, match.end()
            if kind == "newline":
                self._end_directive(start)
                at_line_start = True
            elif kind not in ("space", "comment"):
                self._add("string" if kind == "raw" else kind, match.group(), start, at_line_start)
                at_line_start = False
        self._end_directive(length)
        return self.tokens, [directive for directive in self.directives if directive.name]

    def _add(self, kind, text, start, at_line_start):
        directive = self.directive
        if text == "#" and at_line_start:
            self.directive = Directive("", start, len(self.text), len(self.tokens), [], False)
            self.directives.append(self.directive)
        elif directive is not None and not directive.name and not directive.tokens and kind == "word":
            directive.name = text
        elif directive is not None or not self.skipping:
            self._append(self.tokens if directive is None else directive.tokens, kind, text, start)

    def _append(self, tokens, kind, text, start):
        before, end = tokens[-1] if tokens else None, start + len(text)
        if text == "<" and before and before.text == "<<" and self.text[before.end:start].isspace() \
                and [token.text for token in tokens[-2:-1]] != ["operator"]:
            before.text, before.end = "<<<", end  # some formatters write k << <1, 1 >> >(x)
        else:
            tokens.append(Token(kind, text, start, end, any(self.conditions)))

    def _end_directive(self, end):
        """At the end of a line: ends the directive on it, if there is one, and heeds its condition."""
        directive, self.directive = self.directive, None
        if directive is None:
            return
        directive.end = end
        directive.conditional, directive.skipped = any(self.conditions), self.skipping > 0
        first = directive.tokens[0].text if directive.tokens else ""
        if directive.name in ("if", "ifdef", "ifndef"):
            if self.skipping or (directive.name == "if" and first == "0" and len(directive.tokens) == 1):
                self.skipping += 1
            self.conditions.append(not (directive.name == "ifndef" and self._is_guard(directive)))
        elif directive.name == "endif":
            self.skipping = max(0, self.skipping - 1)
            del self.conditions[-1:]
        elif directive.name in ("else", "elif", "elifdef", "elifndef"):
            self.skipping = 0 if self.skipping == 1 else self.skipping
            self.conditions[-1:] = [True] if self.conditions else []

    def _is_guard(self, directive):
        """`#ifndef NAME` followed by `#define NAME`, before any code of the file."""
        name = re.escape(directive.tokens[0].text) if directive.tokens else "$"
        following = re.compile(r"\s*(?://[^\n]*\s*|/\*.*?\*/\s*)*#\s*define\s+" + name + r"\b", re.DOTALL)
        return not self.tokens and following.match(self.text, directive.end) is not None
