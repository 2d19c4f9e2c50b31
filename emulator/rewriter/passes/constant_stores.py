"""In the checked build, a store of a constant says that it is one: several threads may raise the same flag.

`*found = true` becomes `(::emulator::constant_follows(true), *found) = true`, and where only the compiler knows whether the
value is one, `flags[i] = N` becomes `(::emulator::constant_follows(__builtin_constant_p(N)), flags[i]) = N`. A local
variable is left alone: no other thread stores there.
"""

from ..vocabulary import ASSIGNMENTS, MEMORY
from .volatile_stores import assigned_start

VALUES = {"true", "false", "nullptr"}
OPERATORS = {"+", "-", "*", "/", "%", "~", "!", "|", "&", "<<", ">>", "(", ")", "::"}


def rewrite_constant_stores(file, stream, function, body_end):
    texts = stream.texts
    if "constexpr" in texts[stream.statement_start(function.name[0]) if function.name else function.body:function.body]:
        return
    shared = {name for name, _ in stream.local_shared} | file.symbols.shared.keys() | _device_variables(file)
    shared |= {texts[i + 1] for i in range(function.parameters or function.body, function.body) if texts[i] == "&"}
    for i in range(function.body + 1, body_end):
        if texts[i] != "=" or file.is_handled("constant", stream, i):
            continue
        begin, value = assigned_start(stream, i, members=True), _constant(stream, i + 1, shared)
        if begin is None or begin <= function.body or value is None:
            continue
        place = texts[begin:i]
        if not _may_be_local(place, shared) and not _stores(place):
            file.set_handled("constant", stream, i)
            file.insert(stream.tokens[begin].start, f"(::emulator::constant_follows({value}), ")
            file.insert(stream.tokens[i - 1].end, ")")


def _device_variables(file):
    return {stream.texts[found.name[0]] for stream, _, found in file.declarations if found.name and MEMORY & found.specifiers}


def _may_be_local(place, shared):
    return not {"[", "*", "->"} & set(place) and place[0] not in shared


def _stores(place):
    """May finding out where the place is store something itself?"""
    text = "".join(place)
    return "(" in text or "++" in text or "--" in text or not ASSIGNMENTS.isdisjoint(place)


def _constant(stream, i, shared):
    """Whether the value that begins at i is a constant, as text of C++; None if it is none, or no scalar."""
    texts, begin = stream.texts, i
    while i < len(stream) and texts[i] not in (";", ",", ")", "}"):
        if texts[i] == "=":  # a = b = 0
            begin = i + 1
        i = stream.skip(i)
    value = texts[begin:i]
    if not value or shared & set(value) or any(_reads_memory(stream, begin, j) for j in range(begin, i)):
        return None
    sure = not any(stream.is_word(j) and texts[j] not in VALUES for j in range(begin, i))
    return "true" if sure else f"__builtin_constant_p({stream.on_one_line(begin, i)})"


def _reads_memory(stream, begin, i):
    """Is the token at i one that no constant has, in the value that starts at `begin`?"""
    text = stream.texts[i]
    if text in ("*", "&"):
        return i == begin or stream.texts[i - 1] in OPERATORS - {")"}
    return text not in OPERATORS and stream.tokens[i].kind not in ("word", "number", "char")
