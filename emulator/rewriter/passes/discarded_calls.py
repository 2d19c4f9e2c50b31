"""In the checked build, a call of the runtime API whose error the program throws away says so.

`cudaMemcpy(x, y, n, kind);` becomes `cudaMemcpy(x, y, n, kind), ::emulator::Discarded();`. What is compared, stored, passed on
or cast to void is left alone. A call that asks how far the device has come is told before: the program learns nothing from it.
"""

from __future__ import annotations

import functools
import glob
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


HEADERS = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "include", "emulator", "*.h"
)

QUESTIONS = {"cudaStreamQuery", "cudaEventQuery", "cudaEventElapsedTime"}


@functools.cache
def returning_errors() -> set[str]:
    """The functions of the emulator's headers that return an error and do not only ask for one."""
    names = set()
    for path in glob.glob(HEADERS):
        with open(path, encoding="utf-8") as file:
            names.update(re.findall(r"^(?:inline )?cudaError_t (cuda[A-Z]\w*)\(", file.read(), re.MULTILINE))
    return names - {"cudaGetLastError", "cudaPeekAtLastError"}


def rewrite_discarded_calls(file: ParsedFile, stream: TokenStream) -> None:
    texts = stream.texts
    for i in range(len(stream)):
        if not texts[i].startswith("cuda") or texts[i] not in returning_errors():
            continue
        arguments = i + 1
        if texts[arguments] == "<":
            arguments = (stream.angle_end(arguments) or i) + 1
        end = stream.partner.get(arguments, i) + 1
        begin = i - 1 if texts[i - 1] == "::" else i
        if texts[arguments] == "(" and texts[end] == ";" and _begins_statement(stream, begin) and not _is_value(stream, end):
            if texts[i] in QUESTIONS:
                file.insert(stream.tokens[begin].start, "::emulator::answer_is_discarded(), ")
            file.insert(stream.tokens[end].start, ", ::emulator::Discarded()")


def _begins_statement(stream: TokenStream, i: int) -> bool:
    """Does a statement begin with the token at i? In doubt not."""
    texts = stream.texts
    if i == 0:
        return False
    if texts[i - 1] == ")":
        opened = stream.partner.get(i - 1, 0)
        return opened > 0 and texts[opened - 1] in ("if", "for", "while", "constexpr")
    if texts[i - 1] == ":":
        return texts[i - 2] == "default" or i >= 3 and (texts[i - 3] == "case" or texts[i - 3] in (";", "{", "}"))
    return texts[i - 1] in (";", "{", "}", "else", "do")


def _is_value(stream: TokenStream, end: int) -> bool:
    """Is the statement whose ; stands at `end` the last one in ({ ... }), and so the value of that?"""
    around = stream.parent[end]
    return stream.texts[end + 1] == "}" and around is not None and stream.texts[around - 1] == "("
