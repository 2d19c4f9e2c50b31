"""`__noinline__` becomes `__attribute__((noinline))`.

A macro cannot do it, since the C++ library says `__attribute__((__noinline__))`.
"""

from ..edits import Edit


def rewrite_noinline(file, stream):
    for i, token in enumerate(stream.tokens):
        if token.text == "__noinline__" and stream.texts[i - 1] not in ("(", ",", "::"):
            file.edits.append(Edit(token.start, token.end, ["__attribute__((noinline))"]))
