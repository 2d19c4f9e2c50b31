"""Takes an asm statement apart: `asm volatile("text" : "=r"(x) : "r"(y) : "memory")`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..lexer import Directive
    from ..token_stream import TokenStream

BEGIN, MIDDLE = ("if", "ifdef", "ifndef"), ("else", "elif", "elifdef", "elifndef")


@dataclass
class Operand:
    """One of %0, %1, ...; the expression is in the tokens [first, end)."""

    constraint: str  # without = and +
    written: bool
    first: int
    end: int


@dataclass
class AsmStatement:
    instructions: list[str]  # of PTX, without comments and the ; behind them; { and } stand alone
    operands: list[Operand]
    end: int  # the index of its )
    branches: list[tuple[Directive, list[str]]]  # of an #if in its text: each directive, and all instructions behind that


def read_asm(stream: TokenStream, i: int) -> AsmStatement | None:
    """The statement whose asm stands at i, or None if it has what is not read here: names of operands, a macro as text, an
    #if among the operands."""
    opened = i + 1
    while stream.texts[opened] in ("volatile", "__volatile__"):
        opened += 1
    closed = stream.partner.get(opened)
    if stream.texts[opened] != "(" or closed is None:
        return None
    sections = _sections(stream, opened + 1, closed)
    text = _text(stream, [sections[0]])
    branches = _branches(stream, *sections[0], closed)
    if text is None or branches is None or len(sections) > 4:
        return None
    operands = []
    for written, section in zip((True, False), sections[1:3], strict=False):
        found = _operands(stream, *section, written)
        if found is None:
            return None
        operands += found
    return AsmStatement(_instructions(text), operands, closed, branches)


def _branches(stream: TokenStream, first: int, end: int, closed: int) -> list[tuple[Directive, list[str]]] | None:
    """None if there is more than one #if with its #endif."""
    found = [each for each in stream.directives_between(first - 1, closed) if each.name in (*BEGIN, *MIDDLE, "endif")]
    if not found:
        return []
    kinds = [each.name in BEGIN for each in found], [each.name == "endif" for each in found]
    if found[-1].index > end or kinds != ([True] + [False] * (len(found) - 1), [False] * (len(found) - 1) + [True]):
        return None
    behind = found[-1].index
    ranges = [(each.index, following.index) for each, following in zip(found, found[1:], strict=False)] + [(behind, behind)]
    texts = [_text(stream, [(first, found[0].index), each, (behind, end)]) for each in ranges]
    return [(directive, _instructions(text or "")) for directive, text in zip(found, texts, strict=True)]


def _instructions(text: str) -> list[str]:
    """A { where an instruction would begin opens a scope; one among operands belongs to them."""
    found = re.findall(r"\s*([{}]|[^;{}](?:[^;{}]|\{[^{}]*\})*)\s*;?", text)
    return [" ".join(each.split()) for each in found if each.strip()]


def _sections(stream: TokenStream, first: int, end: int) -> list[tuple[int, int]]:
    """The ranges of tokens between the colons; `::` is two of them."""
    sections, start, i = [], first, first
    while i < end:
        if stream.texts[i] in (":", "::"):
            sections.append((start, i))
            if stream.texts[i] == "::":
                sections.append((i, i))
            start = i + 1
        i = stream.skip(i)
    return [*sections, (start, end)]


def _text(stream: TokenStream, ranges: list[tuple[int, int]]) -> str | None:
    """What string literals say together, or None if there is something else among them."""
    parts = []
    for token in (token for first, end in ranges for token in stream.tokens[first:end]):
        literal = re.fullmatch(r'"(.*)"', token.text, re.DOTALL) if token.kind == "string" else None
        raw = re.fullmatch(r'R"([^(]*)\((.*)\)\1"', token.text, re.DOTALL) if literal is None else None
        if literal is None and raw is None:
            return None
        parts.append(raw[2].replace("\n", "\\n") if raw else literal[1] if literal else "")
    text = re.sub(r"\\\n", "", "".join(parts))
    text = re.sub(r"//.*?(\\n|$)|/\*.*?\*/", " ", text)
    return re.sub(r"\\[ntr]", " ", text).replace("%%", "%")


def _operands(stream: TokenStream, first: int, end: int, written: bool) -> list[Operand] | None:
    operands, i = [], first
    while i < end:
        literal = re.fullmatch(r'"([=+]?)([a-z])"', stream.texts[i])
        if literal is None or bool(literal[1]) != written or stream.texts[i + 1] != "(":
            return None
        after = stream.skip(i + 1)
        operands.append(Operand(literal[2], written, i + 2, after - 1))
        if after < end and stream.texts[after] != ",":
            return None
        i = after + 1
    return operands
