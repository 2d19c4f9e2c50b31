"""`(void*)k` becomes `(void*)::emulator::remembered(k)`.

The runtime has to know the parameters of a kernel, and a void* does not tell.
"""

from ..bodies import Bodies
from ..vocabulary import BEFORE_CAST, KEYWORDS


def rewrite_kernel_pointers(file, stream, functions):
    device = Bodies.of_the_device(stream, functions)
    for i, text in enumerate(stream.texts[:-3]):
        operand = None
        if (
            text == "("
            and _is_void_pointer(stream, i + 1, stream.partner.get(i))
            and (not stream.is_word(i - 1) or stream.texts[i - 1] in BEFORE_CAST)
            and stream.texts[i - 1] not in (")", "]", ">")
        ):
            operand = _operand(stream, stream.partner[i] + 1)
        elif text == "reinterpret_cast" and stream.texts[i + 1] == "<":
            closed = stream.angle_end(i + 1)
            if _is_void_pointer(stream, i + 2, closed) and stream.texts[closed + 1] == "(":
                operand = closed + 2, stream.partner.get(closed + 1)
        if operand and operand[1] and not device.around(i):
            first, end = operand
            file.insert(stream.tokens[first].start, "::emulator::remembered(")
            file.insert(stream.tokens[end - 1].end, ")")


def _is_void_pointer(stream, first, end):
    return end is not None and sorted(stream.texts[first:end]) in (["*", "void"], ["*", "const", "void"])


def _operand(stream, first):
    """(first, end) of `k`, `&ns::k<T, 256>`, `table[i].k`, `static_cast<T>(k)`; None where it may be something else."""
    i = first + (stream.texts[first] == "&")
    i += stream.texts[i] == "::"
    if not stream.is_word(i) or stream.texts[i] in KEYWORDS - {"static_cast"} | {"override", "final"}:
        return None
    i += 1
    while i < len(stream):
        text = stream.texts[i]
        if text in ("(", "[") and i in stream.partner:
            i = stream.skip(i)
        elif text in ("::", ".", "->", "##"):
            i += 1 + stream.is_word(i + 1)
        elif (
            text == "<"
            and (end := stream.angle_end(i)) is not None
            and stream.texts[end + 1] in (",", ")", "]", "}", ";", "(", "")
        ):
            i = end + 1
        else:
            break
    return first, i
