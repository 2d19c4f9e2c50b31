"""Learns which macros of a file stand for specifiers, or for the <<<...>>> of a launch."""

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
