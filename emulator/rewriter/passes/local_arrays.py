"""In the checked build, each array that device code declares gets room around it and is watched.

`float a[16];` becomes `::emulator::LocalArray<float[16]> local_1; auto& a = *local_1.named("a", false);`
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..edits import Edit
from ..vocabulary import ARITHMETIC, CLOSING, KEYWORDS, MEMORY

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


BEFORE_STATEMENT = {";", "{", "}", ":"}
NOT_IN_LOCAL_TYPE = (
    KEYWORDS - ARITHMETIC - {"typename", "struct", "class", "union", "enum", "volatile", "wchar_t"}
    | MEMORY
    | {"static", "const", "constexpr"}
)


@dataclass(slots=True)
class Declarator:
    """`*a[4] = {...}`, in indices of tokens."""

    first: int
    name: int
    extents_end: int | None  # behind the ], or None if it is no array
    end: int


def rewrite_local_arrays(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    texts = stream.texts
    head = texts[stream.statement_start(function.name[0]) if function.name else function.brace : function.brace]
    if {"constexpr", "consteval"} & set(head) or "goto" in texts[function.brace : body_end]:
        return
    i = function.brace + 1
    while i < body_end:
        if (
            texts[i - 1] in BEFORE_STATEMENT
            and not file.is_handled("local array", stream, i)  # in a member function of a class in a function
            and _is_block(stream, stream.parent[i], function.brace)
            and (found := _array_declaration(stream, i)) is not None
        ):
            base, declarators, end = found
            _replace(file, stream, i, base, declarators, end)
            file.set_handled("local array", stream, i)
            i = end
        i += 1


def _is_block(stream: TokenStream, opened: int | None, body: int) -> bool:
    """Is the bracket the { of statements? That of a class or an initialiser is not. Nor is a switch's: a jump to a label
    would pass the declaration."""
    if opened is None or opened == body:
        return opened == body
    before = stream.texts[opened - 1]
    if before == ")":
        return stream.texts[stream.partner.get(opened - 1, 0) - 1] != "switch"
    return before in BEFORE_STATEMENT or before in ("else", "do", "mutable")


def _array_declaration(stream: TokenStream, begin: int) -> tuple[int, list[Declarator], int] | None:
    """(end of the type, Declarators, the ;) of a declaration of arrays, among others perhaps; None if the statement at
    `begin` is another one."""
    base = _type_end(stream, begin)
    if base is None or base == begin:
        return None
    i = base
    declarators = []
    while True:
        found = _read_declarator(stream, i)
        if found is None:
            return None
        declarators.append(found)
        if stream.texts[found.end] != ",":
            break
        i = found.end + 1
    end = declarators[-1].end
    split = stream.directives_between(begin, end)
    arrays = any(each.extents_end for each in declarators)
    return (base, declarators, end) if stream.texts[end] == ";" and not split and arrays else None


def _type_end(stream: TokenStream, begin: int) -> int | None:
    """The index of the first declarator, if a declaration begins here; None if that cannot be."""
    texts, i = stream.texts, begin
    while stream.is_word(i) or texts[i] == "::" or texts[i] == "<":
        if texts[i] in NOT_IN_LOCAL_TYPE:
            return None
        if texts[i] == "<":
            close = stream.angle_end(i)
            if close is None or i == begin:
                return None
            i = close + 1
        elif i > begin and stream.is_word(i) and texts[i - 1] != "::" and texts[i + 1] in ("[", ",", ";", "=", "{", "("):
            break  # the name
        else:
            i += 1
    return i


def _read_declarator(stream: TokenStream, first: int) -> Declarator | None:
    texts, i = stream.texts, first
    while texts[i] == "*":
        i += 1
    name = i
    if not stream.is_word(name) or texts[name] in KEYWORDS:
        return None
    i = extents = name + 1
    while texts[i] == "[" and i in stream.partner and stream.partner[i] > i + 1:
        i = extents = stream.skip(i)
    while i < len(stream) and texts[i] not in (",", ";"):
        if texts[i] in CLOSING:
            return None
        close = stream.angle_end(i) if texts[i] == "<" else None
        i = stream.skip(i) if close is None else close + 1
    is_array = (
        extents > name + 1
        and texts[extents] in ("=", "{", ",", ";")
        and (texts[extents] != "=" or texts[extents + 1] == "{" or stream.tokens[extents + 1].kind == "string")
    )
    return Declarator(first, name, extents if is_array else None, i)


def _replace(file: ParsedFile, stream: TokenStream, begin: int, base: int, declarators: list[Declarator], end: int) -> None:
    texts, pieces = stream.texts, []
    base_pieces, base_text = [stream.span(begin, base)], stream.on_one_line(begin, base)
    for number, declarator in enumerate(declarators):
        name, extents, stop = declarator.name, declarator.extents_end, declarator.end
        type_pieces = base_pieces if number == 0 else [base_text]
        stars = [stream.span(declarator.first, name)] if declarator.first < name else []
        if extents is None:
            pieces += [*type_pieces, " ", stream.span(declarator.first, stop), "; "]
            continue
        variable, array = texts[name], f"emulator_local_{file.new_number()}"
        value = extents + (texts[extents] == "=")
        values = ["{{}, ", stream.span(value, stop), ", {}}"] if extents < stop else []
        pieces += [
            "::emulator::LocalArray<",
            *type_pieces,
            " ",
            *stars,
            stream.span(name + 1, extents),
            f"> {array}",
            *values,
            "; auto& ",
            stream.span(name, name + 1),
            f' = *{array}.named("{variable}", {str(extents < stop).lower()}); ',
        ]
    file.edits.append(Edit(stream.tokens[begin].start, stream.tokens[end].end, pieces))
