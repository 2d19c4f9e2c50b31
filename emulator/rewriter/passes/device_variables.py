"""`__device__ int counter;` becomes `EMULATOR_DEVICE_VARIABLE int counter;`, which puts it into a section of its own.

The same holds for `__constant__` and `__managed__` variables.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ..edits import Edit
from ..vocabulary import ARITHMETIC, SPECIFIERS

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


MERGED = {"template", "inline", "__inline__", "__forceinline__", "struct", "class"}  # or members, which are inline
PLACES = ("__managed__", "__constant__", "__device__")


def mark_device_variable(file: ParsedFile, stream: TokenStream, i: int, found: Declaration) -> None:
    """`found`: the Declaration whose first specifier stands at i. Of `__device__ __constant__` the latter counts."""
    begin = stream.statement_start(i)
    if "template" in stream.texts[begin:i] and found.name and not {"const", "constexpr"} & set(stream.texts[begin : found.end]):
        file.symbols.variable_templates.add(stream.texts[found.name[1] - 1])
    place = _section_macro(file, stream, begin, found)
    _move_alignments(file, stream, i)
    if place is None and _is_own(file, stream, i, found):
        file.insert(stream.tokens[i].start, "static __attribute__((used)) ")
    if place is None and (choices := _choices(stream, i, found.end)):
        for j in choices:
            token = stream.tokens[j]
            file.edits.append(Edit(token.start, token.end, [_macro_of(token.text)]))
        return _mark_inline(file, stream, begin, found)
    for specifier in PLACES:
        name = place or _macro_of(specifier)
        for j in range(i, found.end):
            token = stream.tokens[j]
            if token.text == specifier != name:
                file.edits.append(Edit(token.start, token.end, [name]))
            elif specifier in file.symbols.aliases.get(token.text, ()) and name != "__device__":
                file.insert(token.end, f" {name}")
            elif token.text != specifier:
                continue
            return _mark_inline(file, stream, begin, found) if place is None else None
    return None


def mark_static_variables(file: ParsedFile, stream: TokenStream, function: Declaration, body_end: int) -> None:
    """`static int calls;` in device code is a `__device__` variable without the word. Those of functions that are in several
    files stay ordinary."""
    begin = stream.statement_start(function.parameters or function.brace)
    head = {*function.specifiers, *stream.texts[begin : function.brace]}
    if head & {"__host__", "template", "inline", "__forceinline__", "constexpr"} or not stream.at_namespace_scope(begin):
        return
    for i in range(function.brace + 1, body_end):
        if stream.texts[i] != "static" or stream.statement_start(i) != i or file.is_handled("static", stream, i):
            continue
        end = i + 1
        while stream.is_word(end) or stream.texts[end] in ("*", "::"):
            end += 1
        words = stream.texts[i:end]
        others = {"const", "constexpr"} & set(words) or any(file.specifiers(stream, j) for j in range(i, end))
        if stream.texts[end] in (";", "=", "[", "{", ",") and not others and not _is_in_class(stream, i):
            file.set_handled("static", stream, i)
            file.insert(stream.tokens[i].end, " EMULATOR_DEVICE_VARIABLE")


def _move_alignments(file: ParsedFile, stream: TokenStream, i: int) -> None:
    """`__constant__ alignas(16) int w[64];`: in C++ the alignment stands before what becomes of the specifier at i."""
    j = i
    while file.specifiers(stream, j):
        j += 1
        while stream.texts[j] == "alignas" and stream.texts[j + 1] == "(":
            end = stream.skip(j + 1)
            file.insert(stream.tokens[i].start, stream.on_one_line(j, end) + " ")
            file.edits.append(Edit(stream.tokens[j].start, stream.tokens[end - 1].end, []))
            j = end


def _is_own(file: ParsedFile, stream: TokenStream, i: int, found: Declaration) -> bool:
    """Is it a variable that other files may have by the same name, each its own? Of a header that may have inline functions
    or templates the linker would take those of one file only, and with them its variables."""
    begin, texts = stream.statement_start(i), stream.texts
    if found.name is None or not file.symbols.own_variables or texts[i] not in SPECIFIERS:
        return False
    name = texts[found.word]
    if "extern" in texts[begin : found.end]:
        file.symbols.external_variables.add(name)
    return (
        not {"static", "inline", "extern"} & set(texts[begin : found.end])
        and texts[found.name[0] - 1] != "::"
        and name not in file.symbols.external_variables
        and (file.certain or not MERGED.intersection(texts))
        and stream.at_namespace_scope(begin)
    )


def _is_in_class(stream: TokenStream, i: int) -> bool:
    around = stream.parent[i]
    return around is not None and bool({"struct", "class", "union"} & set(stream.head(around)))


def _macro_of(specifier: str) -> str:
    return f"EMULATOR_{specifier.strip('_').upper()}_VARIABLE"


def _choices(stream: TokenStream, first: int, end: int) -> list[int]:
    """Where the specifiers stand of which an #if takes one: `__constant__`, #else, `__device__`."""
    found = [j for j in range(first, end) if stream.texts[j] in PLACES]
    return found if len(found) > 1 and all(stream.directives_between(*two) for two in pairwise(found)) else []


def _mark_inline(file: ParsedFile, stream: TokenStream, begin: int, found: Declaration) -> None:
    """In a section of its own, weak means what inline means. What no other file can name needs neither."""
    unnamed = stream.outermost(begin, "unnamed namespace", lambda j: stream.texts[j - 1 : j + 1] == ["namespace", "{"])
    own = unnamed is not None or "static" in stream.texts[begin : found.end]
    for token in stream.tokens[begin : found.end]:
        if token.text == "inline":
            macro = "__attribute__((unused))" if own else "EMULATOR_INLINE_VARIABLE"
            file.edits.append(Edit(token.start, token.end, [macro]))


def _section_macro(file: ParsedFile, stream: TokenStream, begin: int, found: Declaration) -> str | None:
    """For a constant its own section, "__device__" for what has to stay an ordinary variable, else None.

    Compilers refuse read-only and other data in one section, and g++ inline variables and templates in any. A
    constant of a class type, or a pointer, may hold an address, and then it is not read-only: those stay ordinary.
    So do templates, and inline variables and constants that are constant and inline, or not at namespace scope."""
    words = stream.texts[begin : found.end]
    after_star = words[len(words) - words[::-1].index("*") :] if "*" in words else words
    constant, inline = "constexpr" in words or "const" in after_star, "inline" in words
    if "template" in words:
        return "__device__"
    if not constant and not inline:
        return None
    if constant and inline or not stream.at_namespace_scope(begin):
        return "__device__"
    if inline:
        return None
    kinds = ARITHMETIC | SPECIFIERS | file.symbols.aliases.keys()
    plain = found.name and set(stream.texts[begin : found.name[0]]) <= kinds
    return "EMULATOR_CONST_VARIABLE" if plain else "__device__"
