"""Around a store into volatile memory, the lanes of a warp wait for each other.

Which stores are volatile is left to the compiler: in a function with the word, `p[i] = x` and `*p += x` become
`::emulator::lockstep<site>(p[i]) = x`, which does nothing for other memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..expressions import callee_start
from ..vocabulary import ASSIGNMENTS

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


STATEMENT_STARTS = {";", "{", "}", "(", ")", "=", "?", ":", "else", "do"}


def rewrite_volatile_stores(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    if "volatile" not in stream.texts[function.parameters or function.brace : body_end]:
        return
    for i in range(function.brace + 1, body_end):
        if stream.texts[i] not in ASSIGNMENTS or file.is_handled("volatile", stream, i):
            continue
        begin = assigned_start(file, stream, i)
        if begin is not None and begin > function.brace:
            file.set_handled("volatile", stream, i)
            first, last = stream.tokens[begin], stream.tokens[i - 1]
            file.insert(first.start, f"::emulator::lockstep<{first.start}>(")
            file.insert(last.end, ")")


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
