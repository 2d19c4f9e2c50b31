"""`a.transform<true, 4>(x)` becomes `a.template transform<true, 4>(x)`.

Where the type of `a` depends on a template's parameters, C++ takes the < for "less than" without the word. nvcc does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..checks.names import is_in_class
from ..vocabulary import KEYWORDS, WITH_PARENS

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


def rewrite_member_templates(file: ParsedFile, stream: TokenStream) -> None:
    texts, names = stream.texts, file.symbols.member_templates
    for i, text in enumerate(texts[:-3]):
        if text == "template" and texts[i + 1] == "<" and is_in_class(stream, i):
            names.update(_declared_function(stream, i))
    if not names:
        return
    for i, text in enumerate(texts[:-3]):
        if (
            text in names
            and texts[i - 1] in (".", "->")
            and texts[i + 1] == "<"
            and (end := stream.angle_end(i + 1)) is not None
            and texts[end + 1] == "("
        ):
            file.insert(stream.tokens[i].start, "template ")


def _declared_function(stream: TokenStream, i: int) -> set[str]:
    """The name of the function that the `template` at i declares, if it is one."""
    i = (stream.angle_end(i + 1) or i) + 1
    while i < len(stream) and stream.texts[i] not in (";", "{", "=", ")", "}"):
        if stream.texts[i] == "(" and stream.texts[i - 1] not in WITH_PARENS:
            return {stream.texts[i - 1]} - KEYWORDS if stream.is_word(i - 1) else set()
        end = stream.angle_end(i) if stream.texts[i] == "<" else None
        i = stream.skip(i) if end is None else end + 1
    return set()
