"""In the checked build, a store of a constant says that it is one: several threads may raise the same flag.

`*found = true` becomes `(::emulator::constant_follows(true), *found) = true`, and where only the compiler knows whether the
value is one, `flags[i] = N` becomes `(::emulator::constant_follows(__builtin_constant_p(N)), flags[i]) = N`. A local
variable is left alone: no other thread stores there.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ..vocabulary import ASSIGNMENTS
from .volatile_stores import assigned_start

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


VALUES = {"true", "false", "nullptr"}
OPERATORS = {"+", "-", "*", "/", "%", "~", "!", "|", "&", "<<", ">>", "(", ")", "::"}


def rewrite_constant_stores(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    texts = stream.texts
    if "constexpr" in texts[stream.statement_start(function.name[0]) if function.name else function.brace : function.brace]:
        return
    references = {texts[i + 1] for i in range(function.parameters or function.brace, function.brace) if texts[i] == "&"}
    sets = stream.shared_names, file.symbols.shared, file.device_variables(), references
    is_shared = functools.cache(lambda name: any(name in each for each in sets))
    values: dict[int, str | None] = {}  # by the places of their =
    for i in range(function.brace + 1, body_end):
        if texts[i] != "=" or file.is_handled("constant", stream, i):
            continue
        if i not in values:
            values |= _constants(file, stream, i, is_shared)
        begin, value = assigned_start(file, stream, i, members=True), values[i]
        if begin is None or begin <= function.brace or value is None:
            continue
        place = texts[begin:i]
        if not _may_be_local(place, is_shared) and not _stores(place):
            file.set_handled("constant", stream, i)
            file.insert(stream.tokens[begin].start, f"(::emulator::constant_follows({value}), ")
            file.insert(stream.tokens[i - 1].end, ")")


def _may_be_local(place: list[str], is_shared: Callable[[str], bool]) -> bool:
    return not {"[", "*", "->"} & set(place) and not is_shared(place[0])


def _stores(place: list[str]) -> bool:
    """May finding out where the place is store something itself?"""
    text = "".join(place)
    return "(" in text or "++" in text or "--" in text or not ASSIGNMENTS.isdisjoint(place)


def _constants(file: ParsedFile, stream: TokenStream, i: int, is_shared: Callable[[str], bool]) -> dict[int, str | None]:
    """For each = from the one at i on, as in a = b = 0: whether its value is a constant, as text of C++; None if it is none,
    or no scalar."""
    texts, places = stream.texts, []
    while i < len(stream) and texts[i] not in (";", ",", ")", "}"):
        if texts[i] == "=":
            places.append(i)
        i = stream.skip(i)
        if file.lacks_semicolon(stream, i):
            return dict.fromkeys(places)
    return dict.fromkeys(places, _constant(stream, places[-1] + 1, i, is_shared))


def _constant(stream: TokenStream, begin: int, i: int, is_shared: Callable[[str], bool]) -> str | None:
    """The same for the value in [begin, i)."""
    texts, value = stream.texts, stream.texts[begin:i]
    if not value or any(map(is_shared, value)) or any(_reads_memory(stream, begin, j) for j in range(begin, i)):
        return None
    sure = not any(stream.is_word(j) and texts[j] not in VALUES for j in range(begin, i))
    return "true" if sure else f"__builtin_constant_p({stream.on_one_line(begin, i)})"


def _reads_memory(stream: TokenStream, begin: int, i: int) -> bool:
    """Is the token at i one that no constant has, in the value that starts at `begin`?"""
    text = stream.texts[i]
    if text in ("*", "&"):
        return i == begin or stream.texts[i - 1] in OPERATORS - {")"}
    return text not in OPERATORS and stream.tokens[i].kind not in ("word", "number", "char")
