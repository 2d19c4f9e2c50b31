"""In the checked build, a vector that device code makes stays one value.

g++ would store the members of `a[i] = float4{x, y, z, w}` one by one, where a GPU stores them at once, and so it does with
`make_float4(1, 2, 3, 4)` of constants: `a[i] = ::emulator::whole(float4{x, y, z, w})`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[24]")
MADE = "make_"  # the functions that make them
BEFORE_VALUE = {"=", "(", ",", "?", ":", "{", "return"}
BEFORE_BASE_CLASS = {"struct", "class"}


def rewrite_vector_values(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    for i in range(function.brace + 1, body_end):
        made = stream.texts[i].startswith(MADE)
        if not VECTOR.fullmatch(stream.texts[i].removeprefix(MADE)) or file.is_handled("vector", stream, i):
            continue
        begin, brace = (i - (stream.texts[i - 1] == "::"), i + 1) if made else _value(stream, i)
        if (
            stream.texts[brace] != ("(" if made else "{")
            or brace not in stream.partner
            or stream.texts[begin - 1] not in BEFORE_VALUE
            or _is_base_class(stream, begin)
        ):
            continue
        file.set_handled("vector", stream, i)
        file.insert(stream.tokens[begin].start, "::emulator::whole(")
        file.insert(stream.tokens[stream.partner[brace]].end, ")")


def _value(stream: TokenStream, i: int) -> tuple[int, int]:
    """Where the value begins whose type stands at i, `float4`, `::float4` or `(float4)`, and where its { has to be."""
    texts = stream.texts
    if texts[i - 1] == "(" and texts[i + 1] == ")":
        return i - 1, i + 2
    return (i - 1 if texts[i - 1] == "::" else i), i + 1


def _is_base_class(stream: TokenStream, i: int) -> bool:
    """Does `struct name :` or the like stand before i?"""
    while stream.texts[i - 1] not in (";", "{", "}", "(", ")", "=", "?"):
        i -= 1
        if stream.texts[i] in BEFORE_BASE_CLASS:
            return True
    return False
