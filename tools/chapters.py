"""Which chapters there are, and which ones the user means."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path

from console import EXIT_USAGE, Failure

NAME = re.compile(r"(\d\d)_(\w+)")


def discover(root: Path) -> list[str]:
    """The folders NN_name that hold a CMakeLists.txt, in order."""
    return sorted(path.parent.name for path in root.glob("*/CMakeLists.txt") if NAME.fullmatch(path.parent.name))


def choose(root: Path, wanted: Sequence[str]) -> list[str]:
    """The chapters that the words name, in the chapters' own order; all of them for no words."""
    chapters = discover(root)
    if not wanted:
        return chapters
    chosen = {_find(chapters, word) for word in wanted}
    return [chapter for chapter in chapters if chapter in chosen]


def _find(chapters: Sequence[str], word: str) -> str:
    names = {name: chapter for chapter in chapters for name in _names(chapter)}
    key = word.rstrip("/").rpartition("/")[2].lower()  # a shell completes 03_vector_add/
    if key in names:
        return names[key]
    near = difflib.get_close_matches(key, names, n=1)
    hint = f" (did you mean {names[near[0]]}?)" if near else ""
    raise Failure(f"there is no chapter '{word}'{hint}; the chapters: {', '.join(chapters)}", EXIT_USAGE)


def _names(chapter: str) -> list[str]:
    """'03_vector_add' may also be called 'vector_add', '03' and '3'."""
    match = NAME.fullmatch(chapter)
    assert match
    number, name = match.groups()
    return [chapter, name, number, str(int(number))]
