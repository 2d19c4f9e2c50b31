"""In the checked build, a vector that device code makes in braces stays one value.

g++ would store the members of `a[i] = float4{x, y, z, w}` one by one, where a GPU stores them at once. What a function
returns it stores whole: `a[i] = ::emulator::whole(float4{x, y, z, w})`.
"""

import re

VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[24]")
BEFORE_VALUE = {"=", "(", ",", "?", ":", "{", "return"}
BEFORE_BASE_CLASS = {"struct", "class"}


def rewrite_vector_values(file, stream, function, body_end):
    for i in range(function.body + 1, body_end):
        if not VECTOR.fullmatch(stream.texts[i]) or file.is_handled("vector", stream, i):
            continue
        begin, brace = _value(stream, i)
        if stream.texts[brace] != "{" or brace not in stream.partner or stream.texts[begin - 1] not in BEFORE_VALUE \
                or _is_base_class(stream, begin):
            continue
        file.set_handled("vector", stream, i)
        file.insert(stream.tokens[begin].start, "::emulator::whole(")
        file.insert(stream.tokens[stream.partner[brace]].end, ")")


def _value(stream, i):
    """Where the value begins whose type stands at i, `float4`, `::float4` or `(float4)`, and where its { has to be."""
    texts = stream.texts
    if texts[i - 1] == "(" and texts[i + 1] == ")":
        return i - 1, i + 2
    return (i - 1 if texts[i - 1] == "::" else i), i + 1


def _is_base_class(stream, i):
    """Does `struct name :` or the like stand before i?"""
    while stream.texts[i - 1] not in (";", "{", "}", "(", ")", "=", "?"):
        i -= 1
        if stream.texts[i] in BEFORE_BASE_CLASS:
            return True
    return False
