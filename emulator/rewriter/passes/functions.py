"""Rewrites the bodies of kernels and of the other functions of the device.

A kernel's body becomes a lambda, which EMULATOR_KERNEL_BEGIN hands to the engine:

    __global__ void k(...) {...}    ... { EMULATOR_KERNEL_BEGIN(1024) {...} EMULATOR_KERNEL_END }

The lambda has a block of its own for what is in the kernel, whose own } closes it: so the compiler says of a semicolon
that is missing there what it always says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import Edit
from .chosen_arrays import rewrite_chosen_arrays
from .constant_stores import rewrite_constant_stores
from .device_variables import mark_static_variables
from .flattened_arrays import rewrite_flattened_arrays
from .local_arrays import rewrite_local_arrays
from .own_operands import rewrite_own_operands
from .printf import rewrite_printf
from .vector_values import rewrite_vector_values
from .volatile_stores import rewrite_volatile_stores
from .waiting_loops import rewrite_waiting_loops

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


QUALIFIERS = {"const", "volatile", "__restrict__", "__restrict", "restrict"}
# Behind these a word is part of the type and not a parameter's name, or the parameter is a number.
NO_TYPE = QUALIFIERS | set(
    """:: struct class union enum typename unsigned signed short long int char bool float double void auto ( )""".split()
)


def rewrite_function(file: ParsedFile, stream: TokenStream, function: Declaration) -> None:
    """`function`: the Declaration of a function with specifiers of CUDA's, which may be the host's too."""
    body_end = stream.partner.get(function.brace)
    kernel = "__global__" in function.specifiers
    if body_end is None:
        if kernel:
            file.error(stream, function.brace, "the end of this kernel's body is not here")
        return
    first, last = stream.tokens[function.brace].end, stream.tokens[body_end]
    if kernel:
        references = _used_references(stream, function, body_end)
        begin = "EMULATOR_KERNEL_BEGIN" + ("_WITH_REFERENCES" if references else "")
        file.insert(
            first,
            f"{_note_arrays(file, stream, function, body_end)} "
            f"{begin}({', '.join([_bounds(stream, function), *references])}) {{ ",
        )
        _replace_function_name(file, stream, function, body_end)
    _declare_shared_variables(file, stream, function, body_end)
    if kernel or "__device__" in function.specifiers:
        mark_static_variables(file, stream, function, body_end)
        rewrite_volatile_stores(file, stream, function, body_end)
        if file.checked:
            rewrite_constant_stores(file, stream, function, body_end)
            rewrite_own_operands(file, stream, function, body_end)
        rewrite_waiting_loops(file, stream, function, body_end)
        rewrite_printf(file, stream, function.brace, body_end)
        if file.checked:
            rewrite_vector_values(file, stream, function, body_end)
            rewrite_chosen_arrays(file, stream, function, body_end)
            rewrite_flattened_arrays(file, stream, function, body_end)
        if file.checked and stream is file.main:
            rewrite_local_arrays(file, stream, function, body_end)
    if kernel and not file.is_handled("kernel", stream, body_end):  # one } may end the alternatives of #if and #else
        file.set_handled("kernel", stream, body_end)
        if stream.texts[body_end - 1] == ":":  # a label, behind which g++ wants a statement, and nvcc does not
            file.insert(last.start, ";")
        file.insert(last.end, " EMULATOR_KERNEL_END }")


def _declare_shared_variables(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    """__shared__ variables of the namespace are declared in the functions that use them."""
    parameters = range(function.parameters or 0, stream.skip(function.parameters) if function.parameters else 0)
    hidden = {stream.texts[j] for j in parameters} if function.shared else ()
    for name, declaration in function.shared.items():
        if name not in hidden and not any(function.brace < i < body_end and name == n for n, i in stream.local_shared):
            file.insert(stream.tokens[function.brace].end, f" {declaration} ")
            stream.add_local_shared(name, function.brace + 1)


def _used_references(stream: TokenStream, function: Declaration, body_end: int) -> list[str]:
    """`&name` of each parameter that is a reference, and used: the lambda must not copy what it stands for."""
    if function.parameters is None:
        return []
    texts, names, name, reference = stream.texts, [], None, False
    i, end = function.parameters + 1, stream.partner[function.parameters]
    used = set(texts[function.brace : body_end])
    while i <= end:
        text = texts[i]
        if text in (",", "=") or i == end:
            if reference and name in used:
                names.append(f"&{name}")
            while i < end and texts[i] != ",":
                i = stream.skip(i)
            name, reference = None, False
        elif text == "<" and (close := stream.angle_end(i)) is not None:
            i = close
        elif text == "(" and texts[i + 1] in ("&", "&&"):  # int (&table)[4]
            name, reference = texts[i + 2], True
            i = stream.skip(i) - 1
        elif text == "[":
            i = stream.skip(i) - 1
        elif text in ("&", "&&"):
            reference = True
        elif text == "..." and reference:
            name = texts[i + 1] + "..."
            used |= {name} if texts[i + 1] in used else set()
            i += 1
        elif stream.is_word(i):
            name = text
        i += 1
    return names


def _note_arrays(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> str:
    """Tells the checked build what a kernel calls its arrays, those that it uses."""
    used = set(stream.texts[function.brace : body_end])
    names = [name for name in _arrays(stream, function) if name in used] if file.checked else []
    quoted = ", ".join(f'"{name}"' for name in names)
    return f" (::emulator::note_arrays)(__PRETTY_FUNCTION__, {{{quoted}}}, {', '.join(names)});" if names else ""


def _arrays(stream: TokenStream, function: Declaration) -> list[str]:
    """The names of the parameters `T* name` and `Type name`, a class perhaps that has pointers."""
    if function.parameters is None:
        return []
    texts, before = stream.texts, ""
    names: list[str] = []
    name: str | None = None
    i, end = function.parameters + 1, stream.partner[function.parameters]
    while i <= end:
        text = texts[i]
        if text in (",", "=") or i == end:
            if name:
                names.append(name)
            while i < end and texts[i] != ",":
                i = stream.skip(i)
            name, before = None, ""
        elif text == "<" and (close := stream.angle_end(i)) is not None:
            i, before = close, ">"
        elif text == "(" and texts[i + 1] == "*" and texts[i + 3] == ")" and texts[i + 4] == "(":  # int (*f)(int)
            name, i = texts[i + 2], stream.skip(i + 4) - 1
        elif text in ("(", "["):
            i = stream.skip(i) - 1
            name = None
        elif text in ("&", "&&", "..."):
            return names  # references and packs are rare, and not worth their rules
        elif stream.is_word(i):
            if before and before not in NO_TYPE and text not in NO_TYPE:
                name = text
            if text not in QUALIFIERS or before != "*":
                before = text
        else:
            name, before = None, text
        i += 1
    return names


def _bounds(stream: TokenStream, function: Declaration) -> str:
    """What the kernel's declaration says of its launches: the most threads of a block, and the shape of its clusters."""
    threads = _max_threads(stream, function)
    if function.cluster is None or function.cluster + 1 not in stream.partner:
        return threads
    first, last = function.cluster + 2, stream.partner[function.cluster + 1]
    return f"::emulator::KernelBounds({threads}, {stream.on_one_line(first, last)})" if first < last else threads


def _max_threads(stream: TokenStream, function: Declaration) -> str:
    """The first argument of __launch_bounds__(threads, blocks), which may contain commas itself."""
    if function.bounds is None or function.bounds + 1 not in stream.partner:
        return "1024"
    first, last = function.bounds + 2, stream.partner[function.bounds + 1]
    end, angles, i = None, 0, first
    while i < last:
        if stream.texts[i] == "," and (end is None or angles == 0):
            end = i
            if angles == 0:
                break
        angles += {"<": 1, ">": -1}.get(stream.texts[i], 0)
        i = stream.skip(i)
    return f"({stream.on_one_line(first, last if end is None else end)})"


def _replace_function_name(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    """In the lambda that a kernel's body becomes, __func__ would be `operator()`."""
    for i in range(function.brace, body_end):
        if stream.texts[i] in ("__func__", "__FUNCTION__") and function.name:
            token = stream.tokens[i]
            file.edits.append(Edit(token.start, token.end, [stream.string_literal(*function.name)]))
