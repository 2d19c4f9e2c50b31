"""Takes an asm statement apart: `asm volatile("text" : "=r"(x) : "r"(y) : "memory")`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..edits import Piece
    from ..lexer import Directive, Token
    from ..preprocessor import Word
    from ..token_stream import TokenStream

BEGIN, MIDDLE = ("if", "ifdef", "ifndef"), ("else", "elif", "elifdef", "elifndef")


@dataclass
class Operand:
    """One of %0, %1, ...: what it is in the program's text, or what macros have made."""

    constraint: str  # without = and +; "" if a macro is among its tokens
    written: bool
    expression: Piece
    named: Piece  # the constraint
    read: bool  # before anything is written: all but =


@dataclass
class AsmStatement:
    instructions: list[str]  # of PTX, without comments and the ; behind them; { and } stand alone
    operands: list[Operand]
    end: int  # the index of its )
    branches: list[tuple[Directive, list[str]]]  # of an #if in its text: each directive, and all instructions behind that
    text: tuple[int, int]  # its tokens
    has_macros: bool  # in its text: then there are no instructions yet
    in_macros: list[tuple[bool, int, int]]  # operands that macros put together, if there are some: then there are none
    # yet. Whether they are written, and their tokens


def read_asm(stream: TokenStream, i: int, called: set[str]) -> AsmStatement | str:
    """The statement whose asm stands at i, or what it has that is not read here. `called`: the macros that have ( )."""
    opened = i + 1
    while stream.texts[opened] in ("volatile", "__volatile__"):
        opened += 1
    closed = stream.partner.get(opened)
    if stream.texts[opened] != "(" or closed is None:
        return "a statement without ( )"
    sections = _sections(stream, opened + 1, closed)
    text = text_of(stream.tokens[slice(*sections[0])])
    has_macros = text is None and sections[0][0] < sections[0][1]
    branches = _branches(stream, *sections[0], closed)
    if branches is None or branches and has_macros:
        return "more than one #if, an #if among the operands, or an #if and a macro in one text"
    if text is None and not has_macros or len(sections) > 4:
        return "a statement without text, or with more than operands and what it clobbers"
    parts = [(written, *section) for written, section in zip((True, False), sections[1:3], strict=False)]
    in_macros = parts if any(_begins_with_macro(stream, *part[1:], called) for part in parts) else []
    if in_macros and branches:
        return "an #if, and operands that a macro puts together"
    operands = []
    for written, first, end in [] if in_macros else parts:
        found = operands_of(stream.tokens[first:end], written, partial(_piece, stream, first))
        if isinstance(found, str):
            return found
        operands += found
    return AsmStatement(instructions_of(text or ""), operands, closed, branches, sections[0], has_macros, in_macros)


def _piece(stream: TokenStream, section: int, first: int, end: int) -> Piece:
    return stream.span(section + first, section + end)


def _begins_with_macro(stream: TokenStream, first: int, end: int, called: set[str]) -> bool:
    """Whether some operand may come out of a macro with others: it has no constraint, or one that has ( )."""
    i = first
    while i < end:
        if stream.tokens[i].kind == "word" and (stream.texts[i] in called or i + 1 == end or stream.texts[i + 1] == ","):
            return True
        while i < end and stream.texts[i] != ",":
            i = stream.skip(i)
        i += 1
    return False


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
    texts = [
        text_of([token for part in ((first, found[0].index), each, (behind, end)) for token in stream.tokens[slice(*part)]])
        for each in ranges
    ]
    return [(directive, instructions_of(text or "")) for directive, text in zip(found, texts, strict=True)]


def instructions_of(text: str) -> list[str]:
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


def text_of(tokens: Sequence[Token] | Sequence[Word]) -> str | None:
    """What string literals say together, or None if there is something else among them."""
    parts = []
    for token in tokens:
        literal = re.fullmatch(r'"(.*)"', token.text, re.DOTALL) if token.kind == "string" else None
        raw = re.fullmatch(r'R"([^(]*)\((.*)\)\1"', token.text, re.DOTALL) if literal is None else None
        if literal is None and raw is None:
            return None
        parts.append(raw[2].replace("\n", "\\n") if raw else literal[1] if literal else "")
    text = re.sub(r"\\\n", "", "".join(parts))
    text = re.sub(r"//.*?(\\n|$)|/\*.*?\*/", " ", text)
    return re.sub(r"\\[ntr]", " ", text).replace("%%", "%")


def operands_of(
    given: Sequence[Token] | Sequence[Word], written: bool, piece: Callable[[int, int], Piece]
) -> list[Operand] | str:
    """The operands between two colons. `piece`: what those from one to another are in the text."""
    operands: list[Operand] = []
    i = 0
    while i < len(given):
        opened, after = _group_and_end(given, i)
        if given[i].text == "[":
            return "names of operands, which nvcc does not have"
        if opened == i or given[opened].text != "(":
            return "operands that a macro puts together (write them out)"
        alone = opened == i + 1 and given[i].kind == "string"
        literal = re.fullmatch(r'"([=+]?)([a-z])"', given[i].text) if alone else None
        if alone and (literal is None or bool(literal[1]) != written):
            return f"an operand with {given[i].text}"
        read = not (written and (literal is None or literal[1] == "="))
        operands.append(Operand(literal[2] if literal else "", written, piece(opened + 1, after - 1), piece(i, opened), read))
        i = after + 1
    return operands


def _group_and_end(given: Sequence[Token] | Sequence[Word], first: int) -> tuple[int, int]:
    """Where the operand's last part begins, which is a ( ) unless it is none, and where the operand ends."""
    depth, begin = 0, first
    for i in range(first, len(given)):
        if depth == 0 and given[i].text == ",":
            return begin, i
        if depth == 0:
            begin = i
        depth += (given[i].text in ("(", "[", "{")) - (given[i].text in (")", "]", "}"))
    return begin, len(given)
