"""What a name at an index of the tokens is used for, as far as the tokens around it tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..expressions import launch_end
from ..vocabulary import WITH_PARENS

if TYPE_CHECKING:
    from collections.abc import Set

    from ..token_stream import TokenStream


BEFORE_EXPRESSION = {"return", "else", "do", "case", "and", "or", "not", "throw", "co_return", "new"}
UNEVALUATED = {"sizeof", "decltype", "alignof", "noexcept", "typeid", "requires", "__typeof__", "typeof", "static_assert"}


def is_in_expression(stream: TokenStream, i: int) -> bool:
    """May the name at i be used here? Not if it is declared, a member, qualified, or not evaluated."""
    texts, before = stream.texts, stream.texts[i - 1] if i else ";"
    if before in (".", "->", "::", "~", "#", "##", ":") or stream.is_word(i - 1) and before not in BEFORE_EXPRESSION:
        return False
    return "sizeof" not in (before, texts[i - 2]) and is_evaluated(stream, i)


def is_evaluated(stream: TokenStream, i: int) -> bool:
    """Does the name at i stand in no sizeof(...) and the like?"""
    texts = stream.texts
    return (
        stream.outermost(
            i, "unevaluated", lambda around: texts[around - 1] in UNEVALUATED or texts[around - 2 : around] == ["sizeof", "..."]
        )
        is None
    )


def declared_names(stream: TokenStream, names: Set[str], first: int, end: int) -> set[str]:
    """Those of `names` of which there is `int name` or `int* name` among these tokens."""
    found = set()
    for j in range(first + 1, end):
        if stream.texts[j] in names:
            before = j - 2 if stream.texts[j - 1] in ("*", "&") else j - 1
            if stream.is_word(before) and stream.texts[before] not in BEFORE_EXPRESSION:
                found.add(stream.texts[j])
    return found


def is_in_class(stream: TokenStream, i: int) -> bool:
    around = stream.parent[i]
    if around is None or stream.texts[around] != "{":
        return False
    head = stream.head(around)
    return bool({"struct", "class", "union"} & set(head)) and "(" not in head and "=" not in head


def is_in_lambda(stream: TokenStream, i: int) -> bool:
    return stream.outermost(i, "lambda", lambda around: _is_body_of_lambda(stream, around)) is not None


def _is_body_of_lambda(stream: TokenStream, opened: int) -> bool:
    if stream.texts[opened] != "{":
        return False
    j = opened - 1
    while j > 0 and stream.texts[j] not in (";", "{", "}", "]"):
        j = stream.partner.get(j, j) - 1 if stream.texts[j] == ")" else j - 1
    return stream.texts[j] == "]"


def call_end(stream: TokenStream, i: int) -> int | None:
    """The ) that ends the call of the name at i, or None if it is not called."""
    opened = _behind(stream, i)
    return stream.partner.get(opened) if stream.texts[opened] == "(" else None


def named_launch_end(stream: TokenStream, i: int) -> int | None:
    """The ) that ends the launch of the name at i, or None if it is not launched."""
    opened = _behind(stream, i)
    last = launch_end(stream, opened) if stream.texts[opened] == "<<<" else None
    return None if last is None else stream.partner.get(last + 1)


def _behind(stream: TokenStream, i: int) -> int:
    """The index behind the name at i and its template arguments."""
    end = stream.angle_end(i + 1) if stream.texts[i + 1] == "<" else None
    return i + 1 if end is None else end + 1


def without_attributes(stream: TokenStream, first: int, end: int) -> list[str]:
    """The texts of the tokens [first, end) that belong to no attribute."""
    words, i = [], first
    while i < end:
        if stream.texts[i] in WITH_PARENS - {"decltype"} and stream.texts[i + 1] == "(":
            i = stream.skip(i + 1)
        elif stream.texts[i] == "[":
            i = stream.skip(i)
        else:
            words.append(stream.texts[i])
            i += 1
    return words
