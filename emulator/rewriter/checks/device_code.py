"""What cannot stand in device code, and where __shared__ cannot stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..vocabulary import ARITHMETIC, ASSIGNMENTS
from .names import is_evaluated, is_in_class, is_in_lambda, without_attributes

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..passes.declarations import Declaration
    from ..token_stream import TokenStream


BUILT_IN = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"}
STREAMS = {"cout", "cerr", "clog", "cin", "endl"}
HOST_LIBRARY = set(  # functions of std that are often seen in kernels
    """accumulate clamp copy copy_n count exchange fill fill_n find for_each inner_product iota lower_bound make_pair make_tuple
    max max_element min min_element minmax reduce reverse sort stable_sort swap to_string transform upper_bound""".split()
)
CONTAINERS = {"vector", "string", "map", "set", "list", "deque", "queue", "stack", "unordered_map", "unordered_set"}
HOST_ONLY_WORDS = {
    "throw": "device code does not support exception handling",
    "try": "device code does not support exception handling",
    "typeid": "the operator 'typeid' is not allowed in device code",
    "dynamic_cast": "the operator 'dynamic_cast' is not allowed in device code",
    "thread_local": "cannot use thread_local specifier for variable declarations in device code",
}


def check_built_in_variables_and_words(file: ParsedFile, found: Declaration, own: set[str]) -> None:
    """Words that cannot stand in device code, and built-in variables that are written to. `own`: those of BUILT_IN that
    the file declares itself."""
    stream, texts = file.main, file.main.texts
    for j in range(found.brace + 1, stream.partner.get(found.brace, 0)):
        text = texts[j]
        if text in HOST_ONLY_WORDS and texts[j : j + 3] != ["throw", "(", ")"]:
            file.refuse(stream, j, HOST_ONLY_WORDS[text])
        elif text == "std" and texts[j + 1] == "::" and texts[j + 2] in STREAMS:
            file.refuse(stream, j, f"std::{texts[j + 2]} is the host's and cannot be used in device code; printf can")
        elif file.symbols.strict and text == "std" and texts[j + 2] in HOST_LIBRARY and texts[j + 3] in ("(", "<"):
            if (texts[j - 1] != "::" or not stream.is_word(j - 2)) and is_evaluated(stream, j):
                message = f'calling a host function ("std::{texts[j + 2]}") from device code is not allowed'
                file.refuse(stream, j, f"{message}; those that are constexpr may be, with --expt-relaxed-constexpr")
        elif file.symbols.strict and text == "std" and texts[j + 1] == "::" and texts[j + 2] in CONTAINERS:
            last = stream.angle_end(j + 3) if texts[j + 3] == "<" else j + 2
            if last and stream.is_word(last + 1) and (texts[j - 1] != "::" or not stream.is_word(j - 2)):
                file.refuse(stream, j, f"std::{texts[j + 2]} is the host's and cannot be used in device code; arrays can")
        elif text in BUILT_IN - own and texts[j - 1] not in (".", "->", "::"):
            behind = (j + 2 if texts[j + 1] == "." else j) + 1
            if texts[behind] in ASSIGNMENTS or _is_increment(stream, behind) or _is_increment(stream, j - 2, texts[j - 3]):
                file.refuse(stream, j, f"{text} is built in and cannot be changed")


def _is_increment(stream: TokenStream, i: int, before: str | None = None) -> bool:
    """++ or --, which are two tokens each; before a variable (`before` is what stands there) or after it."""
    texts, tokens = stream.texts, stream.tokens
    if i < 0 or texts[i : i + 2] not in (["+", "+"], ["-", "-"]) or tokens[i].end != tokens[i + 1].start:
        return False
    return before in (";", "{", "}", "(", ",") if before is not None else texts[i + 2] in (";", ")", ",", "]")


def check_shared_on_the_host(file: ParsedFile, body: int) -> None:
    """`body`: the { of a function that the host can call."""
    stream, texts = file.main, file.main.texts
    for j in range(body, stream.partner.get(body, 0)):
        if texts[j] == "__shared__" and "extern" not in (texts[j - 1], texts[j + 1]) and not is_in_lambda(stream, j):
            file.refuse(
                stream,
                j,
                "a __shared__ variable is not allowed inside a host function; only kernels and "
                "__device__ functions have shared memory",
            )


def check_dynamic_shared_types(file: ParsedFile) -> None:
    """`extern __shared__` of two types under one name; only types that are certain to differ."""
    stream, texts = file.main, file.main.texts
    seen: dict[tuple[tuple[str, ...], str], frozenset[str]] = {}
    begins = dict.fromkeys(stream.statement_start(i) for i, text in enumerate(texts[:-3]) if text == "__shared__")
    for begin in begins:
        end = begin
        while texts[end] not in ("[", ";", "=", "{", "}", ""):
            end += 1
        words = without_attributes(stream, begin, end - 1)
        kind = frozenset(words) - {"extern", "__shared__", "volatile", "const", "static"}
        if "extern" not in words or texts[end : end + 2] != ["[", "]"] or not kind <= ARITHMETIC:
            continue
        if kind & {"unsigned", "signed", "short", "long"}:
            kind -= {"int"}
        kind = frozenset({"int"}) if kind == {"signed"} else kind
        place = (_namespaces(stream, begin), texts[end - 1])
        if seen.setdefault(place, kind) != kind and not any(word.endswith("_t") for word in kind | seen[place]):
            file.refuse(
                stream,
                end - 1,
                f'declaration is incompatible with previous "{place[1]}"; dynamic shared memory '
                "of another type needs another name",
            )


def _namespaces(stream: TokenStream, i: int) -> tuple[str, ...]:
    names, around = [], stream.parent[i]
    while around is not None:
        head = stream.texts[stream.statement_start(around) : around]
        if "namespace" in head or is_in_class(stream, around + 1):
            names.append(" ".join(head))
        around = stream.parent[around]
    return tuple(names)
