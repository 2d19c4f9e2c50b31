"""Learns which macros of a file stand for specifiers, for the <<<...>>> of a launch, or for asm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import Edit
from ..expressions import launch_end
from ..vocabulary import SPECIFIERS

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


def learn_macro(file: ParsedFile, stream: TokenStream) -> None:
    """`stream`: the macro's body."""
    texts, name = stream.texts[:-3], stream.macro
    assert name is not None
    file.symbols.macros.add(name)
    if stream.parameters:
        file.symbols.called_macros.add(name)
    if _is_asm(file, texts):
        file.symbols.asm_words.add(name)
    found = SPECIFIERS & set(texts) | set().union(*(file.symbols.aliases.get(text, ()) for text in texts))
    if texts[:1] == ["<<<"] and launch_end(stream, 0, alone=True) == len(stream) - 1:
        file.symbols.half_launches.add(name)
    elif "__shared__" in found and set(texts) - {"__shared__", "static", *file.symbols.aliases}:
        pass  # a whole declaration
    elif found and name not in SPECIFIERS and not {";", "{", "="} & set(texts):
        file.symbols.aliases[name] = file.symbols.aliases.get(name, set()) | found
        if set(texts) <= SPECIFIERS | {"static", "extern", "inline", "const", *file.symbols.aliases}:
            _leave_out_sections(file, stream, texts)


def _is_asm(file: ParsedFile, texts: list[str]) -> bool:
    """`#define PTX asm volatile` or `#define PTX(...) asm volatile(__VA_ARGS__)`"""
    words = [text for text in texts if text not in ("volatile", "__volatile__")]
    return bool(words) and words[0] in file.symbols.asm_words and words[1:] in ([], ["(", "__VA_ARGS__", ")"])


def _leave_out_sections(file: ParsedFile, stream: TokenStream, texts: list[str]) -> None:
    """`#define C __constant__`: where C is used, device_variables.py says what it means, and C++ has no such word."""
    for token, text in zip(stream.tokens, texts, strict=True):
        if text in ("__constant__", "__managed__"):
            file.edits.append(Edit(token.start, token.end, [""]))
