"""`printf(` of device code becomes `(::emulator::print)(place, `, where `place` tells the calls of a file apart.

The parentheses are there because the program may have a macro print().
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import Edit
from ..vocabulary import BEFORE_CAST

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


def rewrite_printf(file: ParsedFile, stream: TokenStream, first: int, last: int) -> None:
    """Looks at the tokens [first, last)."""
    if "printf" in file.symbols.macros:
        return
    texts, tokens = stream.texts, stream.tokens
    for i in range(first, last):
        if texts[i] != "printf" or texts[i + 1] != "(" or texts[i + 2] == ")" or file.is_handled("printf", stream, i + 1):
            continue
        begin = i
        if texts[i - 1] == "::":
            begin = i - 2 if texts[i - 2] == "std" else i - 1
        before = texts[begin - 1] if begin > 0 else ";"
        if (
            before in (".", "->", "::")
            or begin > 0
            and stream.is_word(begin - 1)
            and before not in BEFORE_CAST | {"do"}
            or file.lacks_semicolon(stream, begin)
        ):
            continue
        file.set_handled("printf", stream, i + 1)
        file.edits.append(Edit(tokens[begin].start, tokens[i].end, ["(::emulator::print)"]))
        file.insert(tokens[i + 1].end, f"{tokens[i].start}, ")
