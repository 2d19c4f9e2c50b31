"""Removes declarations of threadIdx and the like: `extern const dim3 blockDim;`, as cuRAND's headers have them.

The emulator's own variables have other types. The declarations only repeat what CUDA declares itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import Edit

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream

BUILTIN_VARIABLES = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"}
WORDS = {"extern", "const", "uint3", "dim3", "int", "__device__"}


def remove_declarations_of_builtin_variables(file: ParsedFile, stream: TokenStream) -> None:
    for i, text in enumerate(stream.texts):
        if text != "extern":
            continue
        name = i + 1
        while stream.texts[name] in WORDS:
            name += 1
        if stream.texts[name] in BUILTIN_VARIABLES and stream.texts[name + 1] == ";":
            file.edits.append(Edit(stream.tokens[i].start, stream.tokens[name].end, []))
