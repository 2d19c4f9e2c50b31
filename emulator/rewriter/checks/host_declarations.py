"""The functions and variables at namespace scope, and the member functions, that are the host's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..vocabulary import ARITHMETIC, KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


TYPES = ARITHMETIC | set(
    """void auto char8_t char16_t char32_t wchar_t inline extern volatile thread_local struct class enum union
    __inline__ __restrict__ typename""".split()
)
# Words of TYPES that do not name a type by themselves.
INCOMPLETE_TYPES = set(
    """static inline extern const volatile thread_local struct class enum union __inline__ typename constexpr""".split()
)
NOT_LOOKED_AT = set(
    """using typedef friend static_assert consteval namespace asm __asm__ concept requires default delete""".split()
)
NO_VARIABLE = {"&", "struct", "class", "enum", "union"}


Kind = Literal["function", "variable", "member"]


@dataclass
class HostDeclaration:
    """A function or variable that has no specifier of CUDA's."""

    name: str
    position: int  # where an attribute can be put
    body: int | None = None
    constant: tuple[str, ...] | None = None  # the type of a variable that is one; of an array what it is besides


def host_declarations(
    file: ParsedFile, macros: Set[str], first: int = 0, end: int | None = None, of_class: str = ""
) -> Iterator[tuple[HostDeclaration, Kind]]:
    """Yields (HostDeclaration, its kind). `macros`: the names of the file's; `of_class`: whose body [first, end) is."""
    stream, texts, i = file.main, file.main.texts, first
    end = len(stream) if end is None else end
    while i < end:
        begin = i
        while i < end and texts[i] not in (";", "{", "}"):
            i = stream.skip(i) if texts[i] in ("(", "[") else i + 1
        if i >= end:
            return
        if texts[i] == "{" and stream.is_namespace(i):
            i += 1
            continue
        start = _behind_attributes(stream, begin)
        if texts[i] == "{" and texts[start] in ("struct", "class") and not {"=", "("} & {*texts[start:i]} and not of_class:
            yield from host_declarations(file, macros, i + 1, stream.partner.get(i, end), texts[start + 1])
        elif texts[i] != "}":
            yield from _read(file, macros, start, i, of_class)
        i = stream.skip(i) if texts[i] == "{" else i + 1


def _read(file: ParsedFile, macros: Set[str], begin: int, end: int, of_class: str) -> Iterator[tuple[HostDeclaration, Kind]]:
    """What the tokens [begin, end) declare; a ; or a { follows them."""
    stream, texts, first = file.main, file.main.texts, begin
    if not _may_declare(file, begin, end):
        return
    while texts[first] in ("virtual", "explicit"):
        first += 1
    stop = _behind_name(stream, first, end)
    constructs = texts[first : first + 2] == [of_class, "("]
    if stop is None or not constructs and not _is_type(stream, macros, first, stop - 1):
        return
    name, position, before = texts[stop - 1], stream.tokens[begin].start, texts[first : stop - 1]
    if "operator" in before:
        name = "".join(texts[before.index("operator") + first : stop])
    if texts[stop] == "(" and "constexpr" not in before:
        body = end if texts[end] == "{" and "=" not in texts[stop:end] else None
        yield HostDeclaration(name, position, body), "member" if of_class or "operator" in before else "function"
    elif not (texts[stop] == "(" or of_class or texts[begin - 1] == ">" or NO_VARIABLE & set(before)):
        constant = type_of(before) if _is_constant(before) else None
        if constant is not None and texts[stop] == "[":
            constant = ("[", "constexpr" if "constexpr" in before else "*" if "*" in before else "const")
        yield HostDeclaration(name, position, constant=constant), "variable"


def _behind_attributes(stream: TokenStream, begin: int) -> int:
    """The index behind `[[...]]`, `extern "C"`, `public:` and `template <...>`."""
    while True:
        first, second = stream.texts[begin : begin + 2] if begin + 2 < len(stream) else ("", "")
        if first == "[" == second:
            begin = stream.skip(begin)
        elif first in ("public", "private", "protected") or first == "extern" and stream.tokens[begin + 1].kind == "string":
            begin += 2
        elif first == "template" and second == "<" and (last := stream.angle_end(begin + 1)) is not None:
            begin = last + 1
        else:
            return begin


def _may_declare(file: ParsedFile, begin: int, end: int) -> bool:
    """May the tokens declare something of the host's? Not if they have a specifier of CUDA's."""
    if begin >= end or not file.main.is_word(begin) or NOT_LOOKED_AT & set(file.main.texts[begin:end]):
        return False
    return not any(file.specifiers(file.main, j) for j in range(begin, end))


def _behind_name(stream: TokenStream, begin: int, end: int) -> int | None:
    """The index behind the name that is declared; None if there is no type before it, or no name of one word."""
    texts, stop = stream.texts, begin
    while stop < end and texts[stop] not in ("(", "[", "=", ",", "operator"):
        stop = (stream.angle_end(stop) or end) + 1 if texts[stop] == "<" else stop + 1
    if stop < end and texts[stop] == "operator":
        stop = next((j for j in range(stop + 2, end) if texts[j] == "("), end + 1)
        return stop if stop < end else None
    name = stop - 1
    if stop > end or name < begin:
        return None
    return stop if stream.is_word(name) and texts[name] not in KEYWORDS and texts[name - 1] != "::" else None


def type_of(words: Sequence[str]) -> tuple[str, ...]:
    """What tells types apart: without what a constant may have besides, and without a reference."""
    return tuple(word for word in words if word not in {"const", "constexpr", "static", "inline", "extern", "&", "&&"})


def _is_constant(before: Sequence[str]) -> bool:
    """Is the variable itself constant, rather than what it points to?"""
    if "constexpr" in before:
        return True
    stars = [i for i, text in enumerate(before) if text == "*"]
    return "const" in before[stars[-1] + 1 if stars else 0 :]


def _is_type(stream: TokenStream, macros: Set[str], first: int, end: int) -> bool:
    """Are the tokens a type and no more? An unknown word beside a type might be a macro that says __device__."""
    unknown, known, i = 0, 0, first
    while i < end and stream.texts[i] != "operator":
        text = stream.texts[i]
        if text == "<":
            i = stream.angle_end(i) or end
        elif text == "::":
            unknown -= i > first and stream.is_word(i - 1)
        elif stream.is_word(i) and text not in TYPES:
            if text in KEYWORDS or text in macros or text.isupper() and len(text) > 1 or text.startswith("__"):
                return False
            unknown += 1
        elif stream.is_word(i):
            known += text not in INCOMPLETE_TYPES
        elif text not in ("*", "&", "&&"):
            return False
        i += 1
    return unknown + (known > 0) == 1
