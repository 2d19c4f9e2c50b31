"""`__noinline__` becomes `__attribute__((noinline))`.

A macro cannot do it, since the C++ library says `__attribute__((__noinline__))`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import Edit

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


def rewrite_noinline(file: ParsedFile, stream: TokenStream) -> None:
    for i, token in enumerate(stream.tokens):
        if token.text == "__noinline__" and stream.texts[i - 1] not in ("(", ",", "::"):
            file.edits.append(Edit(token.start, token.end, ["__attribute__((noinline))"]))
