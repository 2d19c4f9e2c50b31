"""In the checked build, an element of one of two arrays: `(first ? a : b)[i]`.

With -fsanitize=bounds g++ makes `first ? a[i] : b[i]` and computes i in one branch only, for both. So the compiler
sees no choice: `(::emulator::itself(first ? a : b))[i]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


def rewrite_chosen_arrays(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    for i in range(function.brace + 1, body_end):
        end = stream.partner.get(i) if stream.texts[i] == "(" else None
        if end is None or stream.texts[end + 1] != "[" or not _chooses(stream, i, end) or file.is_handled("array", stream, i):
            continue
        file.set_handled("array", stream, i)
        file.insert(stream.tokens[i].end, "::emulator::itself(")
        file.insert(stream.tokens[end].start, ")")


def _chooses(stream: TokenStream, begin: int, end: int) -> bool:
    """Is there a ?, and no comma, between the two but not in brackets of their own? A call's arguments are put into one more
    pair of parentheses, which changes nothing."""
    found, j = False, begin + 1
    while j < end:
        if stream.texts[j] == ",":
            return False
        found = found or stream.texts[j] == "?"
        j = stream.partner.get(j, j) + 1
    return found
