"""Around a store into volatile memory, the lanes of a warp wait for each other.

Which stores are volatile is left to the compiler: in a function with the word, `p[i] = x` and `*p += x` become
`::emulator::lockstep<site>(p[i]) = x`, which does nothing for other memory. So do `(*p)++`, `++p[i]`
and, of variables that are volatile themselves, `x++`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..expressions import callee_start, ends_operand
from ..vocabulary import ASSIGNMENTS

if TYPE_CHECKING:
    from collections.abc import Set

    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


STATEMENT_STARTS = {";", "{", "}", "(", ")", "=", "?", ":", "else", "do"}


def rewrite_volatile_stores(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    head = function.parameters or function.brace
    names = stream.volatile_names(head, body_end) | stream.volatile_globals.intersection(stream.texts[head:body_end])
    if not names and "volatile" not in stream.texts[head:body_end]:
        return
    for i in range(function.brace + 1, body_end):
        if file.is_handled("volatile", stream, i):
            continue
        if stream.texts[i] in ASSIGNMENTS:
            begin, end = assigned_start(file, stream, i), i - 1
        elif stream.texts[i : i + 2] in (["+", "+"], ["-", "-"]) and stream.tokens[i].end == stream.tokens[i + 1].start:
            begin, end = _counted(stream, i, names)
        else:
            continue
        if begin is not None and begin > function.brace:
            file.set_handled("volatile", stream, i)
            first, last = stream.tokens[begin], stream.tokens[end]
            file.insert(first.start, f"::emulator::lockstep<{first.start}>(")
            file.insert(last.end, ")")


def _counted(stream: TokenStream, i: int, names: Set[str]) -> tuple[int | None, int]:
    """The first and the last index of what the ++ or -- at i and i + 1 counts, if it is `p[i]`, `*p`, `(*p)` or one of the
    names."""
    texts = stream.texts
    if ends_operand(stream, i - 1):
        begin = stream.partner.get(i - 1) if texts[i - 1] == ")" else callee_start(stream, i)
        if begin is None or ends_operand(stream, begin - 1):
            return None, i
        is_memory = texts[i - 1] in names | {"]"} or texts[begin : begin + 2] == ["(", "*"]
        return (begin if is_memory else None), i - 1
    begin = end = i + 2
    while texts[end] == "*":
        end += 1
    if texts[end] == "(" and texts[end + 1] == "*":
        end = stream.partner.get(end, end)
    elif not stream.is_word(end):
        return None, i
    while texts[end + 1] == "[" and end + 1 in stream.partner:
        end = stream.partner[end + 1]
    is_memory = texts[begin] in ("*", "(") or texts[end] == "]" or texts[end] in names
    return (begin if is_memory and texts[end + 1] not in (".", "->", "(", "::") else None), end


def assigned_start(file: ParsedFile, stream: TokenStream, i: int, members: bool = False) -> int | None:
    """The index where what is assigned to before i begins, if it is `x`, `p[i]` or `*p`, with `members` `p->x` as well, and
    no declaration."""
    texts = stream.texts
    if texts[i - 1] not in ("]", ")") and not stream.is_word(i - 1):
        return None
    begin = callee_start(stream, i)
    if (
        begin is None
        or not members
        and {".", "->"} & set(texts[begin:i])
        and texts[i - 1] != "]"
        or stream.is_word(begin)
        and texts[begin + 1] == "("
    ):  # a bit-field; T (*p)[4]
        return None
    around = stream.parent[i]
    if around is not None and "enum" in texts[stream.statement_start(around) : around]:
        return None
    while texts[begin - 1] == "*" and texts[begin - 2] in STATEMENT_STARTS | {"*"}:
        begin -= 1
    if texts[i - 1] == ")" and texts[begin] != "*":
        return None  # a call
    return begin if texts[begin - 1] in STATEMENT_STARTS and not file.lacks_semicolon(stream, begin) else None
