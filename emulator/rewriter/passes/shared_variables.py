"""`__shared__ float a[16];` becomes `struct site; auto& a = ::emulator::shared<site, float[16]>("a");`

The type `site` tells one variable from another. `extern __shared__` becomes ::emulator::dynamic_shared. A variable at
namespace scope is declared anew in each function that uses it, by functions.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..edits import Edit, Span
from ..expressions import function_body, lambda_captures_end

if TYPE_CHECKING:
    from ..edits import Piece
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


CLASS_KEYS = {"struct", "class", "union", "enum"}
# What the compiler compares, and names if `extern __shared__ T tile[]` has several types, in instances of a template say.
ONE_TYPE = "declare_bytes_and_cast_the_pointer_since_all_instances_share_"
NOT_UNDERSTOOD = "this __shared__ declaration cannot be understood"


@dataclass(slots=True)
class SharedType:
    """What stands before the first declarator of `__shared__ T a[4], b;`."""

    base: list[int] = field(default_factory=list)  # indices of the tokens of T
    attributes: list[str] = field(default_factory=list)  # texts, `alignas(16)`
    definition: tuple[list[int], int] | None = None  # of a class: the tokens before its {, the {
    external: bool = False


@dataclass(slots=True)
class Declarator:
    """`(*a)[4]`, in indices of tokens."""

    first: int
    name: tuple[int, int]  # (first, end): several tokens if a macro pastes it together
    end: int


def rewrite_shared_variables(file: ParsedFile, stream: TokenStream, i: int) -> int:
    """`__shared__ T a[4], b;`, where __shared__ stands at i. Returns the index after the declaration."""
    begin = stream.statement_start(i)
    if file.lacks_semicolon(stream, i) and (stream.texts[i - 1] in (")", "]") or "=" in stream.texts[begin:i]):
        file.error(stream, i - 1, "expected ';' after this, before '__shared__'")
    shared_type, first = _read_type(file, stream, begin)
    if (not shared_type.base and shared_type.definition is None) or first >= len(stream):
        if stream.macro is None:
            file.error(stream, i, NOT_UNDERSTOOD)
        return i + 1  # a macro that stands for specifiers
    around = stream.parent[i]
    if stream.macro is None and around is not None and stream.texts[around] != "{":
        file.error(stream, i, "__shared__ is not possible here")
    declarators = [_read_declarator(file, stream, first)]
    while stream.texts[declarators[-1].end] == ",":
        declarators.append(_read_declarator(file, stream, declarators[-1].end + 1))
    _replace(file, stream, begin, shared_type, declarators)
    return declarators[-1].end + 1


def _read_type(file: ParsedFile, stream: TokenStream, begin: int) -> tuple[SharedType, int]:
    """(SharedType, the index where the first declarator begins)"""
    texts, found, j = stream.texts, SharedType(), begin
    while j < len(stream):
        text = texts[j]
        if file.specifiers(stream, j) or text in ("static", "inline", "extern"):
            found.external = found.external or text == "extern"
            j += 1
        elif text in ("alignas", "__align__", "__builtin_align__", "__attribute__") and texts[j + 1] == "(":
            found.attributes.append(stream.on_one_line(j, stream.skip(j + 1)))
            j = stream.skip(j + 1)
        elif text == "[" and texts[j + 1] == "[":
            j = stream.skip(j)
        elif text == "{" and found.definition is None and CLASS_KEYS & {texts[b] for b in found.base}:
            found.definition = (found.base, j)
            found.base, j = [], stream.skip(j)
        elif text == "<" and found.base and (end := stream.angle_end(j)) is not None:
            found.base += range(j, end + 1)
            j = end + 1
        elif text == "::" or stream.is_word(j) and not _is_declared_name(stream, j):
            end = stream.skip(j + 1) if _type_takes_parens(stream, j) else j + 1
            found.base += range(j, end)
            j = end
        else:
            break
    return found, j


def _is_declared_name(stream: TokenStream, j: int) -> bool:
    """Is the word at j the variable's name rather than a part of its type?"""
    if CLASS_KEYS & set(stream.texts[max(0, j - 1) : j + 1]):
        return False
    while stream.texts[j + 1] == "##":
        j += 2
    j += 1
    while stream.texts[j] == "__attribute__" and stream.texts[j + 1] == "(":
        j = stream.skip(j + 1)
    return (
        stream.texts[j] in ("[", ";", ",", "=", "{", "")
        or stream.texts[j] == "("
        and not _type_takes_parens(stream, j - 1)
        and stream.texts[j + 1] not in ("*", "&")
    )


def _type_takes_parens(stream: TokenStream, j: int) -> bool:
    """decltype(x) y, TYPE(4) y; but not T (*y)[4] and not T y(4)"""
    if stream.texts[j + 1] != "(" or stream.texts[j + 2] in ("*", "&"):
        return False
    after = stream.skip(j + 1)
    return stream.is_word(after) or stream.texts[after] in ("*", "&", "::")


def _read_declarator(file: ParsedFile, stream: TokenStream, first: int) -> Declarator:
    texts, i = stream.texts, first
    while texts[i] in ("*", "&", "(", "const", "volatile", "__restrict__", "__restrict"):
        i += 1
    if not stream.is_word(i):
        file.error(stream, i, NOT_UNDERSTOOD)
    name_end = i + 1
    while texts[name_end] == "##" and name_end + 1 < len(stream):
        name_end += 2
    end = first
    while end < len(stream) and texts[end] not in (",", ";"):
        if end > name_end and stream.is_word(end) and file.lacks_semicolon(stream, end):
            file.error(stream, end - 1, f"expected ';' after this, before '{texts[end]}'")
        if texts[end] == "=" and file.lacks_semicolon(stream, i):
            file.error(stream, i - 1, f"expected ';' after this, before '{texts[i]}'")
        if texts[end] in ("=", "{") or texts[end] == "(" and end == name_end:
            file.error(stream, end, "initializer not allowed for __shared__ variable")
        if texts[end] in (")", "]", "}"):
            file.error(stream, end, NOT_UNDERSTOOD)
        end = stream.skip(end)
    return Declarator(first, (i, name_end), end)


def _replace(file: ParsedFile, stream: TokenStream, begin: int, shared_type: SharedType, declarators: list[Declarator]) -> None:
    """Makes one edit for the whole declaration, in which the user's tokens stay pieces of the original text."""
    pieces: list[Piece] = []
    base_text = " ".join(stream.texts[b] for b in shared_type.base)
    base_pieces = _spans(stream, shared_type.base)
    if shared_type.definition:
        pieces, base_text = _class_definition(file, stream, shared_type.definition, base_text)
        base_pieces = [base_text]
    outside = stream.at_namespace_scope(begin)
    for number, declarator in enumerate(declarators):
        name = declarator.name
        behind, attributes = _without_attributes(stream, declarator)
        before, aligned = (declarator.first, name[0]), shared_type.attributes + attributes
        site, start, stop = _memory(file, stream, name, aligned, shared_type.external)
        declared = "".join(stream.texts[name[0] : name[1]])
        if shared_type.external and not outside:
            paste = "##" if stream.texts[name[0]] in stream.parameters else ""
            one = f"{stream.on_one_line(*before)} {ONE_TYPE}{paste}{declared}{stream.on_one_line(*behind)}"
            site = f"extern __attribute__((unused)) {base_text} {one}; "
        if outside:
            type_text = " ".join([base_text, stream.on_one_line(*before), stream.on_one_line(*behind)])
            file.symbols.shared[declared] = f"auto& {declared} = {start}{type_text}{stop};"
            pieces.append(site)
        else:
            stream.add_local_shared(declared, name[0])
            type_pieces = (base_pieces if number == 0 else [base_text]) + [" "]
            type_pieces += [stream.span(*part) for part in (before, behind) if part[0] < part[1]]
            pieces += [f"{site}auto& ", stream.span(*name), f" = {start}", *type_pieces, stop]
            pieces.append("; " if number + 1 < len(declarators) else "")
    end = declarators[-1].end
    if stream.texts[end] == ";":
        pieces.append(Span(stream.tokens[end].start, stream.tokens[end].end))
        end += 1
    file.edits.append(Edit(stream.tokens[begin].start, stream.tokens[end - 1].end, pieces))


def _class_definition(
    file: ParsedFile, stream: TokenStream, definition: tuple[list[int], int], base_text: str
) -> tuple[list[Piece], str]:
    """`struct S {...} a;`: (the pieces of the definition, with a name if it has none; the type of a)."""
    head, opened = definition
    keyword = next(k for k, b in enumerate(head) if stream.texts[b] in CLASS_KEYS)
    name = [b for b in head[keyword + 1 :] if stream.is_word(b)]
    type_name = stream.texts[name[0]] if name else f"emulator_type_{file.new_number()}"
    pieces = _spans(stream, head[keyword:]) + ([] if name else [f" {type_name} "])
    pieces += [stream.span(opened, stream.skip(opened)), "; "]
    cv = [stream.texts[b] for b in head[:keyword]]
    return pieces, " ".join(cv + [base_text, type_name]).strip()


def _without_attributes(stream: TokenStream, declarator: Declarator) -> tuple[tuple[int, int], list[str]]:
    """((first, end) of what stands behind the name, the texts of the attributes that end it)"""
    attributes, first, end = [], declarator.name[1], declarator.end
    while (
        stream.texts[end - 1] == ")"
        and (opened := stream.partner.get(end - 1, 0)) > first
        and stream.texts[opened - 1] == "__attribute__"
    ):
        attributes.append(stream.on_one_line(opened - 1, end))
        end = opened - 1
    return (first, end), attributes


def _memory(
    file: ParsedFile, stream: TokenStream, name: tuple[int, int], aligned: list[str], external: bool
) -> tuple[str, str, str]:
    """(the declaration of the site, what stands before the type, what stands behind it)"""
    if external:
        return "", "::emulator::dynamic_shared<", f">({stream.string_literal(*name)})"
    paste = "##" if stream.texts[name[0]] in stream.parameters else ""
    site_name = f"emulator_site_{file.new_number()}_{paste}{''.join(stream.texts[name[0] : name[1]])}"
    site = f"struct {' '.join(aligned)} {site_name} {{}}; " if aligned else f"struct {site_name}; "
    alignment = f", alignof({site_name})" if aligned else ""
    return site, f"::emulator::shared<{site_name}, ", f"{alignment}>({stream.string_literal(*name)})"


def _spans(stream: TokenStream, indices: list[int]) -> list[Piece]:
    """Spans of the tokens with these indices, neighbours together."""
    runs: list[list[int]] = []
    for i in indices:
        if runs and runs[-1][1] == i:
            runs[-1][1] = i + 1
        else:
            runs.append([i, i + 1])
    return [piece for run in runs for piece in (stream.span(*run), " ")]


def capture_shared_variables(file: ParsedFile, stream: TokenStream) -> None:
    """A lambda captures the reference that a __shared__ variable has become. A static variable needed no capture."""
    if not stream.local_shared:
        return
    # By the names: where each variable of that name is declared, and the end of its block.
    scopes: dict[str, list[tuple[int, int]]] = {}
    for name, declared in stream.local_shared:
        scope = stream.parent[declared]
        end = len(stream) if scope is None else stream.partner.get(scope, len(stream))
        scopes.setdefault(name, []).append((declared, end))
    for i, text in enumerate(stream.texts[:-3]):
        if text != "[" or (close := lambda_captures_end(stream, i)) is None:
            continue
        captures = stream.texts[i + 1 : close]
        body = function_body(stream, close + 1)
        if body is None or captures[:1] == ["&"] and captures[1:2] in ([], [","]):
            continue
        used = dict.fromkeys(stream.texts[body : stream.skip(body)])
        names = [
            f"&{name}"
            for name in used
            if name in scopes and name not in captures and any(declared <= i < end for declared, end in scopes[name])
        ]
        if names:
            file.insert(stream.tokens[close].start, (", " if captures else "") + ", ".join(names))
