"""In what only a device runs, `#if __CUDA_ARCH__ ...` chooses what a device of the emulator's kind would get.

Elsewhere the macro is not defined: code for host and device is compiled once, and takes the host's branch.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from ..bodies import device_bodies
from ..edits import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..lexer import Directive
    from ..parsed_file import ParsedFile
    from .declarations import Declaration


ARCHITECTURE = "900"  # of the device that the emulator stands for: compute capability 9.0


def rewrite_architecture(file: ParsedFile, functions: Sequence[Declaration]) -> None:
    bodies = device_bodies(file.main, functions)
    around_devices = _conditions_of_device_code(file)
    for directive in file.directives:
        texts = [token.text for token in directive.tokens]
        if (
            directive.name not in ("if", "elif", "ifdef", "ifndef")
            or "__CUDA_ARCH__" not in texts
            or not bodies.around(directive.index - 0.5)
            and directive.start not in around_devices
        ):
            continue
        if directive.name in ("ifdef", "ifndef"):
            condition = f"#if {int(directive.name == 'ifdef')}"
            file.edits.append(Edit(directive.start, directive.tokens[0].end, [condition]))
            continue
        for i, token in enumerate(directive.tokens):
            if token.text != "__CUDA_ARCH__":
                continue
            parenthesis = texts[i - 1 : i] == ["("] and texts[i + 1 : i + 2] == [")"]
            first, last = (i - 1, i + 1) if parenthesis else (i, i)
            if first and texts[first - 1] == "defined":
                file.edits.append(Edit(directive.tokens[first - 1].start, directive.tokens[last].end, [" 1 "]))
            else:
                file.edits.append(Edit(token.start, token.end, [ARCHITECTURE]))


def _conditions_of_device_code(file: ParsedFile) -> set[int]:
    """The starts of the directives that have nothing but functions of the device between them, up to their #endif."""
    stream = file.main
    found: set[int] = set()
    opened: list[list[Directive]] = []
    device = bytearray(len(stream))  # 1 for each token of theirs
    for where, i, declaration in file.declarations:
        if where is stream and declaration.device_only() and declaration.kind == "function":
            end = declaration.end if declaration.body is None else stream.partner.get(declaration.body, declaration.end)
            begin = stream.statement_start(i)
            device[begin : end + 1] = b"\1" * len(device[begin : end + 1])
    before = [0, *itertools.accumulate(device)]  # how many of them stand before each token
    for directive in file.directives:
        if directive.name in ("if", "ifdef", "ifndef"):
            opened.append([directive])
        elif opened:
            opened[-1].append(directive)
        if directive.name == "endif" and opened:
            group = opened.pop()
            first, end = group[0].index, directive.index
            if first < end and before[end] - before[first] == end - first:
                found.update(each.start for each in group)
    return found
