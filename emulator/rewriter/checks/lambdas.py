"""What a lambda of host code that runs on the device may capture."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile


def check_captures(file: ParsedFile, i: int) -> None:
    """Nothing by reference, which would lead to the host's memory. `i`: the first specifier of a declaration, which may
    be no lambda."""
    stream, texts = file.main, file.main.texts
    close = stream.statement_start(i) - 1
    opened = stream.partner.get(close)
    if opened is None or texts[close] != "]":
        return
    j = opened
    while j < close:
        if texts[j] in ("[", ",") and texts[j + 1] == "&":
            file.refuse(
                stream,
                opened,
                "a __device__ lambda of host code cannot capture variables by reference; [=] captures them by value",
            )
        j = stream.skip(j + 1) if texts[j + 1] in ("(", "{", "[") else j + 1
