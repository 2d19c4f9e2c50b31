"""Edits of a text: the passes collect them, and rendering.py applies them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Span:
    """A piece of the original text inside an edit."""

    start: int
    end: int


Piece = str | Span


@dataclass(slots=True)
class Edit:
    """Replaces text[start:end] by the pieces: new text (str) and pieces of the original (Span). Edits inside a Span are
    applied, too."""

    start: int
    end: int
    pieces: list[Piece]
    inner: list[Edit] = field(default_factory=list)  # the edits inside this one: the renderer fills it
