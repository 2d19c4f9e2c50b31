"""How a source launches its kernels: the threads of a block and the shared memory, where they stand in the text as numbers.
`--block` and `--shared` say it where they do not."""

import ast
import math
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sass.limits import MOST_THREADS
from sass.said import Said, say

ASSUMED = 256  # threads, where nothing tells
DEPTH = 6  # of names that stand for others
SUFFIX = re.compile(r"\b(\d+)[uUlL]+\b")
NUMBER = re.compile(r"\d+[uUlL]*")
OPERATIONS = {ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.Add: operator.add, ast.Sub: operator.sub}


@dataclass(frozen=True)
class Launch:
    """threads: of a block. origin: where that is from. shared: bytes that the launch adds; None: it adds some, and
    the text does not tell how many."""

    threads: int
    origin: Said
    shared: int | None = 0


def of_kernel(called: str, *texts: str) -> Launch:
    """called: without namespaces, as 'multiply<16, true>'. texts: the source, then headers that define its constants."""
    name, _, arguments = called.removesuffix(">").partition("<")
    text = "\n".join(texts)
    texts = (_parameters(name, _split(arguments), text), *texts)
    named = re.findall(rf"\b{re.escape(name)}\s*(?:<[^;{{}}]*?>)?\s*<<<(.*?)>>>", text, re.DOTALL)
    found = [launch for each in named if (launch := _launch(each, texts))]
    if found:
        return found[0]
    others = {_launch(each, texts) for each in re.findall(r"<<<(.*?)>>>", texts[1], re.DOTALL)}
    if not named and len(others) == 1 and (launch := others.pop()):  # by a pointer, or a name that stands for it
        return launch
    bound = re.search(rf"__launch_bounds__\(([^;{{]*?)\)[^;{{(]*\b{re.escape(name)}\s*\(", text)
    threads = value_of(_split(bound[1])[0], texts) if bound else None
    if threads and 0 < threads <= MOST_THREADS:
        return Launch(threads, say("the most that its launch bounds allow"))
    return Launch(ASSUMED, say("assumed"))


def _parameters(name: str, arguments: Sequence[str], text: str) -> str:
    """The kernel's template parameters as constants, where their arguments are numbers."""
    match = re.search(rf"\btemplate\s*<([^;{{}}()]*?)>\s*__global__\b[^;{{}}]*?\b{re.escape(name)}\s*\(", text)
    names = [part.partition("=")[0].split()[-1] for part in _split(match[1]) if part.strip()] if match else []
    pairs = zip(names, arguments, strict=False)
    return "".join(f"constexpr int {each} = {value};\n" for each, value in pairs if NUMBER.fullmatch(value))


def _launch(between: str, texts: Sequence[str]) -> Launch | None:
    """What stands between <<< and >>>."""
    arguments = _split(between)
    threads = value_of(arguments[1], texts) if len(arguments) > 1 else None
    if not threads or not 0 < threads <= MOST_THREADS:
        return None
    return Launch(threads, say("as the file launches it"), value_of(arguments[2], texts) if len(arguments) > 2 else 0)


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


def value_of(expression: str, texts: Sequence[str], depth: int = DEPTH) -> int | None:
    """What an expression of constants comes to; dim3(16, 16) is 256."""
    expression = SUFFIX.sub(r"\1", expression.replace("'", "")).strip()
    if several := re.fullmatch(r"(?:dim3\s*)?[({](.*)[)}]", expression, re.DOTALL):
        values = [value_of(part, texts, depth) for part in _split(several[1])]
        known = [value for value in values if value is not None]
        return math.prod(known) if known and len(known) == len(values) else None
    try:
        return _computed(ast.parse(re.sub(r"\w+::", "", expression).replace("/", "//"), mode="eval").body, texts, depth)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError):
        return None


def _computed(node: ast.expr, texts: Sequence[str], depth: int) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name) and depth > 0:
        value = _constant(node.id, texts, depth - 1)
        if value is not None:
            return value
    if isinstance(node, ast.BinOp) and (operation := OPERATIONS.get(type(node.op))):
        return int(operation(_computed(node.left, texts, depth), _computed(node.right, texts, depth)))
    raise ValueError


def _constant(name: str, texts: Sequence[str], depth: int) -> int | None:
    """The value of a constant, if it is one and, in the first text that defines it, the only one of its name."""
    kinds = (
        rf"\b(?:constexpr|const)\b[^;(){{}}]*?\b{name}\s*(?:=\s*([^;,]+)|([({{][^;]*?[)}}]))\s*[;,]",
        rf"\bdim3\s+{name}\s*(?:=\s*([^;]+)|(\([^;]*\)))\s*;",
        rf"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+(\S+)()[ \t]*$",
    )
    for text in texts:
        found = [match[1] or match[2] for kind in kinds for match in re.finditer(kind, text, re.MULTILINE)]
        if found:
            values = {value_of(each, texts, depth) for each in found}
            return values.pop() if len(values) == 1 else None
    return None
