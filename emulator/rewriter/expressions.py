"""Finds the ends of expressions, statements and launches in a stream of tokens.

Without the types and macros of a program, C++ cannot be parsed. These functions look at the tokens around a place, and
return None where the tokens alone do not tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .vocabulary import KEYWORDS, NOT_CALLABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .lexer import Token
    from .token_stream import TokenStream


def callee_start(stream: TokenStream, i: int) -> int | None:
    """The index where the expression that ends before i begins: `k`, `ns::k<T, 256>`, `(*f)`, `table[i].k`, ..."""
    texts = stream.texts
    while True:
        begin = i - 1
        while texts[begin] in (")", "]"):
            opened = stream.partner.get(begin)
            if opened is None:
                return None
            operand = ends_operand(stream, opened - 1)
            begin = opened - 1 if operand else opened
            if not operand:
                break
        if texts[begin] == ">":
            opened = stream.angle_start(begin)
            begin = -1 if opened is None else opened - 1
            if texts[begin] == "static_cast":  # which of several overloads is meant
                return begin
        if texts[begin] != "(" and (not stream.is_word(begin) or texts[begin] in NOT_CALLABLE - {"decltype"}):
            return None
        while texts[begin - 1] == "##" and begin >= 2:
            begin -= 2
        if texts[begin - 1] == "template" and texts[begin - 2] in (".", "->", "::"):
            begin -= 1
        before = texts[begin - 1] if begin else ""
        if before in (".", "->"):
            i = begin - 1
        elif before == "::":
            named = stream.is_word(begin - 2) and texts[begin - 2] not in NOT_CALLABLE
            decltype = texts[begin - 2] == ")" and texts[stream.partner.get(begin - 2, 0) - 1] == "decltype"
            template = texts[begin - 2] == ">" and stream.angle_start(begin - 2) is not None
            if not (named or decltype or template):
                return begin - 1
            i = begin - 1
        else:
            return begin


def ends_operand(stream: TokenStream, i: int) -> bool:
    """May a call's ( or an index's [ follow the token at i? Not if it is `if (x)` or `return`."""
    text = stream.texts[i] if i >= 0 else ""
    if text == ")":
        return stream.texts[stream.partner.get(i, 0) - 1] not in ("if", "while", "for", "switch", "constexpr", "catch")
    if text == ">":
        opened = stream.angle_start(i)
        return opened is not None and stream.is_word(opened - 1)
    return text == "]" or stream.is_word(i) and text not in NOT_CALLABLE - {"decltype"}


def launch_end(stream: TokenStream, i: int, alone: bool = False) -> int | None:
    """The index of the last > of the >>> (or >> >) that ends the launch opened by the <<< at i."""
    end = _closing_run(stream, i, alone, lambda before, after: before.end == after.start)
    return end if end is not None else _closing_run(stream, i, alone, lambda before, after: True)


def _closing_run(stream: TokenStream, i: int, alone: bool, together: Callable[[Token, Token], bool]) -> int | None:
    """Three template closers may stand together too, `<<<g, f<A<B<int>>>(1)>>>`: a >>> with three possible template
    brackets open before it is taken only if no other follows."""
    texts, tokens = stream.texts, stream.tokens
    depth, fallback, i = 0, None, i + 1
    while i < len(stream) and texts[i] not in (";", ")", "]", "}", "<<<"):
        if texts[i] == "<" and stream.is_word(i - 1):
            depth += 1
        elif texts[i] == ">":
            run = i
            while texts[run + 1] == ">" and together(tokens[run], tokens[run + 1]):
                run += 1
            length = run + 1 - i
            if length >= 3 and texts[run + 1] == ("" if alone else "("):
                if depth - (length - 3) < 3:
                    return run
                fallback = run
            depth = max(0, depth - length)
            i = run
        i = stream.skip(i)
    return fallback


def statement_end(stream: TokenStream, i: int) -> int:
    """The index behind the statement that begins at i."""
    texts, known = stream.texts, stream.statement_ends
    outer = []  # the statements that the one at i is the last part of so far
    while True:
        while i not in known and texts[i] in ("do", "if", "for", "while", "switch"):
            outer.append(i)
            i = i + 1 if texts[i] == "do" else stream.skip(i + 2 if texts[i + 1] == "constexpr" else i + 1)
        end = known.get(i) or (stream.skip(i) if texts[i] == "{" else _behind_semicolon(stream, i))
        while outer:
            start = outer.pop()
            if start >= 0 and texts[start] == "if" and texts[end] == "else":
                outer.append(~start)  # it has had its else
                break
            start = max(start, ~start)
            end = known[start] = _behind_semicolon(stream, end) if texts[start] == "do" else end
        else:
            return end
        i = end + 1


def _behind_semicolon(stream: TokenStream, i: int) -> int:
    while i < len(stream) and stream.texts[i] not in (";", "}"):
        i = stream.skip(i)
    return min(i + 1, len(stream))


def function_body(stream: TokenStream, i: int) -> int | None:
    """The { of a function whose parameters end before i, or None where it is only declared."""
    texts, in_initializers = stream.texts, False
    while i < len(stream):
        text = texts[i]
        if text == "{" and not (in_initializers and texts[i - 1] not in (")", "}")):
            return i
        if text in (";", "=", ")", "}", "]") or text == "," and not in_initializers:
            return None
        in_initializers = in_initializers or text == ":"
        end = stream.angle_end(i) if text == "<" else None
        i = stream.skip(i) if end is None else end + 1
    return None


def lambda_captures_end(stream: TokenStream, i: int) -> int | None:
    """The ] of a lambda's captures, if that is what the [ at i opens."""
    texts, close = stream.texts, stream.partner.get(i)
    if (
        close is None
        or texts[i - 1] in ("]", ")", "[")
        or texts[i + 1] == "["
        or stream.is_word(i - 1)
        and texts[i - 1] not in KEYWORDS
    ):
        return None
    follows = ("(", "{", "<", "mutable", "->", "constexpr", "__device__", "__host__")
    return close if texts[close + 1] in follows else None
