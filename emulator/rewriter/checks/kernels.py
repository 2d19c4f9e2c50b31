"""What the declaration of a kernel may not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..vocabulary import ARITHMETIC
from .names import is_in_class, without_attributes

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..passes.declarations import Declaration


def check_kernel(file: ParsedFile, i: int, found: Declaration) -> None:
    """`found`: the Declaration whose first specifier stands at i."""
    stream, texts = file.main, file.main.texts
    assert found.name is not None
    begin, name = stream.statement_start(i), found.name[0]
    if any(token.conditional for token in stream.tokens[begin : found.parameters]):
        return  # these may be alternatives of which the preprocessor takes one
    head, template = without_attributes(stream, begin, name), texts[begin] == "template"
    if texts[name] == "operator":
        file.refuse(stream, name, "an operator function cannot be a __global__ function")
    first = next(j for j in range(begin, name) if texts[j] == "__global__") if "__global__" in head else begin
    if first > begin + 1 and file.lacks_semicolon(stream, first):
        file.refuse(stream, first - 1, "expected ';' after this, before '__global__'")
    other = next((word for word in head if word in ("__host__", "__device__")), None)
    if other and "__global__" in head:
        file.refuse(stream, i, f"illegal combination: a __global__ function cannot be {other} as well")
    if is_in_class(stream, begin) and ("friend" not in head or found.body is not None):
        file.refuse(stream, i, "a __global__ function cannot be a member of a class or defined in a friend declaration")
    if not template:
        _check_return_type(file, i, found, head)
    _check_parameters(file, found, template)


def _check_return_type(file: ParsedFile, i: int, found: Declaration, head: list[str]) -> None:
    """Only what is certain: an alias is left to the compiler."""
    stream, texts = file.main, file.main.texts
    if {"<", "decltype"} & set(head):
        return
    assert found.parameters is not None
    after = stream.skip(found.parameters)
    if "auto" in head and texts[after] == "{":
        file.refuse(stream, i, "a __global__ function must not have a deduced return type; write void")
    if "auto" in head:
        head = texts[after + 1 : after + 2] if texts[after] == "->" else []
    if head[-1:] in (["*"], ["&"]) or set(head) & ARITHMETIC - {"static", "const", "constexpr"}:
        file.refuse(stream, i, "a __global__ function must have a void return type; results go through a pointer")


def _check_parameters(file: ParsedFile, found: Declaration, template: bool) -> None:
    stream, texts = file.main, file.main.texts
    assert found.parameters is not None
    i, end = found.parameters + 1, stream.partner[found.parameters]
    in_default = False
    while i < end:
        text = texts[i]
        in_default = text == "=" or in_default and text != ","
        if text == "<" and (close := stream.angle_end(i)) is not None:
            i = close
        elif text == "&&" and not in_default and not template:
            file.refuse(stream, i, "a __global__ function cannot have a parameter with rvalue reference type")
        elif text == "..." and texts[i - 1] in ("(", ",") and i + 1 == end:
            file.refuse(stream, i, "a __global__ function cannot have ellipsis")
        i = stream.skip(i)
