"""A loop that does nothing but wait lets other threads run.

`while (*flag == 0);` becomes `while (*flag == 0) (::emulator::relax)();`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..expressions import statement_end

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


def rewrite_waiting_loops(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    texts = stream.texts
    of_do: set[int] = set()  # the while of do x = *flag; while (x == 0);
    for i in range(function.brace + 1, body_end):
        if texts[i] == "do":
            tail = statement_end(stream, i + 1)
            of_do.update([tail] if texts[i + 1] not in ("{", ";") else [], _alternatives(stream, tail))
        if texts[i] not in ("while", "for") or texts[i + 1] != "(" or file.is_handled("waiting", stream, i) or i in of_do:
            continue
        if (empty := _empty_body(stream, i)) is not None:
            semicolon = "; " if texts[empty] == "}" else ""
            file.insert(stream.tokens[empty].start, " (::emulator::relax)()" + semicolon)
            file.set_handled("waiting", stream, i)


def _alternatives(stream: TokenStream, i: int) -> list[int]:
    """Where the other branches begin of an #if whose first branch begins with the token at i."""
    found, depth = [], 0
    for directive in stream.directives_between(i - 1, len(stream)):
        opens, closes = directive.name in ("if", "ifdef", "ifndef"), directive.name == "endif"
        parts = directive.name in ("else", "elif", "elifdef", "elifndef")
        if depth == 0 and (directive.index > i or parts or closes):
            break
        depth += opens - closes
        if depth == 1 and parts:
            found.append(directive.index)
        if depth == 0 and closes:
            break
    return found


def _empty_body(stream: TokenStream, i: int) -> int | None:
    """The ; or } that ends the body of the loop whose while or for stands at i, or None if the body does something."""
    texts = stream.texts
    after, before = stream.skip(i + 1), stream.partner.get(i - 1, 0)
    if texts[i - 1] == "}" and texts[before - 1] == "do":
        return i - 1 if before + 2 == i else None
    if texts[i - 2 : i] == ["do", ";"]:
        return i - 1
    return after if texts[after] == ";" else after + 1 if texts[after : after + 2] == ["{", "}"] else None
