"""`cudaMemcpyToSymbol(mask<T>, ...)` becomes `cudaMemcpyToSymbol(::emulator::of_template<mask<T>>(), ...)`.

g++ puts a variable of a template into no section, so the runtime has to be told that it is the device's: by an object that
is there before main() begins if anything names the variable so, device code included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bodies import Bodies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


SYMBOL_FUNCTIONS = {
    "cudaMemcpyToSymbol",
    "cudaMemcpyToSymbolAsync",
    "cudaMemcpyFromSymbol",
    "cudaMemcpyFromSymbolAsync",
    "cudaGetSymbolAddress",
    "cudaGetSymbolSize",
}


def rewrite_symbols(file: ParsedFile, stream: TokenStream, functions: Sequence[Declaration]) -> None:
    texts, tokens, names = stream.texts, stream.tokens, file.symbols.variable_templates
    if not names:
        return
    device = Bodies(
        (f.brace, stream.partner.get(f.brace, 0), f) for f in functions if {"__global__", "__device__"} & f.specifiers
    )
    for i, text in enumerate(texts[:-3]):
        if text not in names or texts[i + 1] != "<" or (end := stream.angle_end(i + 1)) is None:
            continue
        around = stream.parent[i]
        if around is not None and texts[around] == "(" and texts[around - 1] in SYMBOL_FUNCTIONS or device.around(i):
            begin = i
            while texts[begin - 1] == "::":
                begin -= 2 if stream.is_word(begin - 2) else 1
            file.insert(tokens[begin].start, "::emulator::of_template<")
            file.insert(tokens[end].end, ">()")
