"""Learns which macros of a file stand for specifiers, or for the <<<...>>> of a launch."""

from ..edits import Edit
from ..expressions import launch_end
from ..vocabulary import SPECIFIERS


def learn_macro(file, stream):
    """`stream`: the macro's body."""
    texts = stream.texts[:-3]
    file.symbols.macros.add(stream.macro)
    found = SPECIFIERS & set(texts) | set().union(*(file.symbols.aliases.get(text, ()) for text in texts))
    if texts[:1] == ["<<<"] and launch_end(stream, 0, alone=True) == len(stream) - 1:
        file.symbols.half_launches.add(stream.macro)
    elif "__shared__" in found and set(texts) - {"__shared__", "static", *file.symbols.aliases}:
        pass  # a whole declaration
    elif found and stream.macro not in SPECIFIERS and not {";", "{", "="} & set(texts):
        file.symbols.aliases[stream.macro] = file.symbols.aliases.get(stream.macro, set()) | found
        if set(texts) <= SPECIFIERS | {"static", "extern", "inline", "const", *file.symbols.aliases}:
            _leave_out_sections(file, stream, texts)


def _leave_out_sections(file, stream, texts):
    """`#define C __constant__`: where C is used, device_variables.py says what it means, and C++ has no such word."""
    for token, text in zip(stream.tokens, texts, strict=True):
        if text in ("__constant__", "__managed__"):
            file.edits.append(Edit(token.start, token.end, [""]))
