"""Refuses words and inline PTX that the emulator does not have (see ../unsupported.py), as errors "not supported: ..."."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..bodies import device_bodies
from ..edits import Edit
from ..unsupported import INLINE_PTX, UNSUPPORTED_WORD, UNSUPPORTED_WORDS
from ..vocabulary import SPECIFIERS
from .inline_ptx import PTX, rewrite_ptx

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


TARGETS = {"NV_IF_TARGET", "NV_IF_ELSE_TARGET", "NV_DISPATCH_TARGET"}


def refuse_unsupported(file: ParsedFile, stream: TokenStream, functions: Sequence[Declaration]) -> None:
    own = _own_functions(stream)
    device, known = device_bodies(stream, functions), {}
    for i, token in enumerate(stream.tokens):
        if token.kind != "word":
            continue
        if token.text in file.symbols.asm_words:
            in_device = device.around(i) is not None or stream.macro is not None and bool(SPECIFIERS & set(stream.texts))
            instruction = rewrite_ptx(file, stream, i, in_device)
            if instruction is None:
                continue
            strings = " ".join(t.text for t in stream.tokens[i : stream.skip(i + 2)] if t.kind == "string")
            if in_device or PTX.search(strings):
                _refuse_asm(file, stream, i, f"{INLINE_PTX}: {instruction}")
            continue
        if token.text not in known:
            known[token.text] = UNSUPPORTED_WORD.fullmatch(token.text) and token.text not in own
        if known[token.text]:
            what = _unsupported_word(stream, i)
            if what and stream.texts[i - 1] not in ("struct", "class", "namespace", ".", "->"):
                file.not_supported(stream, i, what)


def _refuse_asm(file: ParsedFile, stream: TokenStream, i: int, what: str) -> None:
    """Now, or in what <nv/target> may leave out by the compiler, if that comes across it."""
    if stream.outermost(i, "target", lambda around: stream.texts[around - 1] in TARGETS) is None:
        file.not_supported(stream, i, what)
        return
    opened = next(at for at in range(i, len(stream)) if stream.texts[at] == "(")
    message = f"not supported: {what}".replace("\\", "").replace('"', "'")
    file.edits.append(
        Edit(stream.tokens[i].start, stream.tokens[stream.skip(opened) - 1].end, [f'static_assert(false, "{message}")'])
    )


def _own_functions(stream: TokenStream) -> set[str]:
    """A name that a type stands before is a function of the user's own."""
    return {
        text
        for i, text in enumerate(stream.texts[1:-3], 1)
        if stream.texts[i + 1] == "("
        and not text.startswith("__")
        and stream.is_word(i - 1)
        and stream.texts[i - 1] not in ("return", "else", "do", "case", "throw")
    }


def _unsupported_word(stream: TokenStream, i: int) -> str | None:
    """What the word at i belongs to, if that is one of UNSUPPORTED_WORDS."""
    following = stream.texts[i + 1]
    if following == "<" and stream.angle_end(i + 1) is None:
        return None
    return next(
        (
            what
            for pattern, follower, what in UNSUPPORTED_WORDS
            if re.fullmatch(pattern, stream.texts[i]) and (follower is None or following and following in follower)
        ),
        None,
    )
