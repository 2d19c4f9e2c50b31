"""In the checked build, an element of a matrix in shared memory that is used as one array: `tile[0][i]`.

All of the matrix lies in one piece, and on a GPU an i behind the first row finds the next ones. So the compiler looks at
the bounds of the whole: `(::emulator::flattened(tile))[i]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import Edit

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


def rewrite_flattened_arrays(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    texts = stream.texts
    for i in range(function.brace + 1, body_end):
        if texts[i + 1 : i + 5] != ["[", "0", "]", "["] or texts[i - 1] in (".", "->", "::"):
            continue
        if file.is_handled("flattened", stream, i) or not _is_shared(stream, function, i):
            continue
        file.set_handled("flattened", stream, i)
        file.insert(stream.tokens[i].start, "(::emulator::flattened(")
        file.edits.append(Edit(stream.tokens[i].end, stream.tokens[i + 3].end, ["))"]))


def _is_shared(stream: TokenStream, function: Declaration, i: int) -> bool:
    return any(name == stream.texts[i] and function.brace < declared < i for name, declared in stream.local_shared)
