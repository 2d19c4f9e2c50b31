"""How a source launches its kernels: the threads of a block and the shared memory, where they stand in the text as numbers.
`--block` and `--shared` say it where they do not."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass

from sass.limits import MOST_THREADS

ASSUMED = 256  # threads, where nothing tells
DEPTH = 6  # of names that stand for others
SUFFIX = re.compile(r"\b(\d+)[uUlL]+\b")


@dataclass(frozen=True)
class Launch:
    """threads: of a block. origin: where that is from, in words. shared: bytes that the launch adds; None: it adds some, and
    the text does not tell how many."""

    threads: int
    origin: str
    shared: int | None = 0


def of_kernel(text: str, name: str) -> Launch:
    """name: without namespaces and template arguments. text: the source, with the headers that define its constants."""
    for match in re.finditer(rf"\b{re.escape(name)}\s*(?:<[^;{{}}]*?>)?\s*<<<(.*?)>>>", text, re.DOTALL):
        arguments = _split(match[1])
        if len(arguments) < 2:
            continue
        threads = _value(arguments[1], text)
        if threads and 0 < threads <= MOST_THREADS:
            shared = _value(arguments[2], text) if len(arguments) > 2 else 0
            return Launch(threads, "as the file launches it", shared)
    bound = re.search(rf"__launch_bounds__\(([^;{{]*?)\)[^;{{(]*\b{re.escape(name)}\s*\(", text)
    threads = _value(_split(bound[1])[0], text) if bound else None
    if threads and 0 < threads <= MOST_THREADS:
        return Launch(threads, "the most that its launch bounds allow")
    return Launch(ASSUMED, "assumed")


def _split(arguments: str) -> list[str]:
    """At the commas that stand in no brackets."""
    parts, depth = [""], 0
    for character in arguments:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _value(expression: str, text: str, depth: int = DEPTH) -> int | None:
    """What an expression of constants comes to; dim3(16, 16) is 256."""
    expression = SUFFIX.sub(r"\1", expression.replace("'", "")).strip()
    if several := re.fullmatch(r"(?:dim3\s*)?[({](.*)[)}]", expression, re.DOTALL):
        values = [_value(part, text, depth) for part in _split(several[1])]
        known = [value for value in values if value is not None]
        return math.prod(known) if known and len(known) == len(values) else None
    try:
        return _computed(ast.parse(re.sub(r"\w+::", "", expression).replace("/", "//"), mode="eval").body, text, depth)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError):
        return None


def _computed(node: ast.expr, text: str, depth: int) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name) and depth > 0:
        value = _constant(node.id, text, depth - 1)
        if value is not None:
            return value
    if isinstance(node, ast.BinOp):
        left, right = _computed(node.left, text, depth), _computed(node.right, text, depth)
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.FloorDiv):
            return left // right
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
    raise ValueError


def _constant(name: str, text: str, depth: int) -> int | None:
    """The value of a constant, if it is one and the only one of its name."""
    one = rf"\b(?:constexpr|const)\b[^;(){{}}]*?\b{name}\s*(?:=\s*([^;,]+)|([({{][^;]*?[)}}]))\s*[;,]"
    found = [match[1] or match[2] for match in re.finditer(one, text)]
    found += re.findall(rf"^\s*#\s*define\s+{name}\s+(\S+)\s*$", text, re.MULTILINE)
    found += [match[1] or match[2] for match in re.finditer(rf"\bdim3\s+{name}\s*(?:=\s*([^;]+)|(\([^;]*\)))\s*;", text)]
    values = {_value(each, text, depth) for each in found}
    return values.pop() if len(values) == 1 else None
