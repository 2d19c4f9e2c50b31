"""`(void*)k` becomes `(void*)::emulator::remembered(k)`.

The runtime has to know the parameters of a kernel, and a void* does not tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bodies import device_bodies
from ..vocabulary import BEFORE_CAST, KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


def rewrite_kernel_pointers(file: ParsedFile, stream: TokenStream, functions: Sequence[Declaration]) -> None:
    device = device_bodies(stream, functions)
    for i, text in enumerate(stream.texts[:-3]):
        operand: tuple[int, int] | None = None
        if (
            text == "("
            and _is_void_pointer(stream, i + 1, stream.partner.get(i))
            and (not stream.is_word(i - 1) or stream.texts[i - 1] in BEFORE_CAST)
            and stream.texts[i - 1] not in (")", "]", ">")
        ):
            operand = _operand(stream, stream.partner[i] + 1)
        elif text == "reinterpret_cast" and stream.texts[i + 1] == "<":
            closed = stream.angle_end(i + 1)
            if (
                closed is not None
                and _is_void_pointer(stream, i + 2, closed)
                and stream.texts[closed + 1] == "("
                and (end := stream.partner.get(closed + 1)) is not None
            ):
                operand = closed + 2, end
        if operand and not device.around(i):
            first, behind = operand
            file.insert(stream.tokens[first].start, "::emulator::remembered(")
            file.insert(stream.tokens[behind - 1].end, ")")


def _is_void_pointer(stream: TokenStream, first: int, end: int | None) -> bool:
    return end is not None and sorted(stream.texts[first:end]) in (["*", "void"], ["*", "const", "void"])


def _operand(stream: TokenStream, first: int) -> tuple[int, int] | None:
    """(first, end) of `k`, `&ns::k<T, 256>`, `table[i].k`, `static_cast<T>(k)`; None where it may be something else."""
    i = first + (stream.texts[first] == "&")
    i += stream.texts[i] == "::"
    if not stream.is_word(i) or stream.texts[i] in KEYWORDS - {"static_cast"} | {"override", "final"}:
        return None
    i += 1
    while i < len(stream):
        text = stream.texts[i]
        if text in ("(", "[") and i in stream.partner:
            i = stream.skip(i)
        elif text in ("::", ".", "->", "##"):
            i += 1 + stream.is_word(i + 1)
        elif (
            text == "<"
            and (end := stream.angle_end(i)) is not None
            and stream.texts[end + 1] in (",", ")", "]", "}", ";", "(", "")
        ):
            i = end + 1
        else:
            break
    return first, i
