"""In the checked build, an atomic function says that its operand comes from a plain load of the word that it changes.

`atomicExch(p, max(*p, v))` becomes `atomicExch(p, ::emulator::own_operand(max(*p, v)))`: what another thread does to the word
between the load and the exchange is lost. So is it where a variable holds what was loaded, and where a condition has
compared it with what is stored: `if (*p < v) atomicExch(p, v)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .volatile_stores import STATEMENT_STARTS

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


CHANGES = re.compile(r"atomic(Exch|Add|Sub)(_block|_system)?")


def rewrite_own_operands(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    texts = stream.texts
    for i in range(function.brace + 1, body_end):
        end = stream.partner.get(i + 1)
        if end is None or texts[i + 1] != "(" or not CHANGES.fullmatch(texts[i]) or file.is_handled("operand", stream, i):
            continue
        comma = i + 2
        while comma < end and texts[comma] != ",":
            comma = stream.skip(comma)
        word, operand = texts[i + 2 : comma], texts[comma + 1 : end]
        if {"(", ")", "++", "--"} & set(word) or any("atomic" in text for text in operand):
            continue
        loads = _loads(word)
        names = {
            texts[j - 1]
            for j in range(function.brace + 1, i)
            if texts[j] == "=" and stream.is_word(j - 1) and _has(texts[j + 1 : _statement_end(stream, j)], loads)
        }
        exchanges = texts[i].startswith("atomicExch")
        if not exchanges and (texts[end + 1] != ";" or texts[i - 1] not in STATEMENT_STARTS):
            continue  # The result tells the thread what it has got.
        compared = _condition(stream, i, end) if exchanges else []
        if (
            _has(operand, loads)
            or names & set(operand)
            or (_has(compared, loads) or names & set(compared))
            and {"<", ">", "<=", ">="} & set(compared)
            and {text for text in operand if text[0].isalpha()} & set(compared)
        ):
            file.set_handled("operand", stream, i)
            file.insert(stream.tokens[comma + 1].start, "::emulator::own_operand(")
            file.insert(stream.tokens[end - 1].end, ")")


def _loads(word: list[str]) -> list[list[str]]:
    """How a program writes a load of the word with this address."""
    if word[0] == "&":
        return _loads(word[1:-3]) if word[-3:] == ["[", "0", "]"] else [word[1:]]
    plus = word.index("+") if "+" in word else len(word)
    return [["*", *word], ["*", "(", *word, ")"], [*word[:plus], "[", *(word[plus + 1 :] or ["0"]), "]"]]


def _has(texts: list[str], loads: list[list[str]]) -> bool:
    """Is one of the loads among the tokens, and not its address only?"""
    return any(
        texts[j : j + len(load)] == load and texts[j - 1 : j] != ["&"] and texts[j + len(load) : j + len(load) + 1] != ["["]
        for load in loads
        for j in range(len(texts))
    )


def _statement_end(stream: TokenStream, i: int) -> int:
    while i < len(stream) and stream.texts[i] not in (";", ",", ")", "}"):
        i = stream.skip(i)
    return i


def _condition(stream: TokenStream, i: int, end: int) -> list[str]:
    """The condition of the `if` in which the call at i is a statement."""
    before = i - 1
    if stream.texts[end + 1] != ";" or stream.texts[before] not in (")", "{", ";", "}"):
        return []
    around = stream.parent[i]
    if stream.texts[before] != ")" and around is not None and stream.texts[around] == "{":
        before = around - 1
    opened = stream.partner.get(before)
    return stream.texts[opened:before] if opened and stream.texts[opened - 1] == "if" else []
