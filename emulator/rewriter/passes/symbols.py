"""`cudaMemcpyToSymbol(mask<T>, ...)` becomes `cudaMemcpyToSymbol(::emulator::of_template(mask<T>), ...)`.

g++ puts a variable of a template into no section, so the runtime has to be told that it is the device's.
"""

SYMBOL_FUNCTIONS = {"cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync",
                    "cudaGetSymbolAddress", "cudaGetSymbolSize"}


def rewrite_symbols(file, stream):
    texts, tokens = stream.texts, stream.tokens
    if not file.symbols.variable_templates:
        return
    for i, text in enumerate(texts[:-3]):
        if text not in SYMBOL_FUNCTIONS or texts[i + 1] != "(":
            continue
        for j in range(i + 2, stream.partner.get(i + 1, i)):
            end = stream.angle_end(j + 1) if texts[j] in file.symbols.variable_templates and texts[j + 1] == "<" else None
            if end is None or stream.parent[j] != i + 1:
                continue
            begin = j
            while texts[begin - 1] == "::":
                begin -= 2 if stream.is_word(begin - 2) else 1
            file.insert(tokens[begin].start, "::emulator::of_template(")
            file.insert(tokens[end].end, ")")
