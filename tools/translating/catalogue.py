"""A translator's file, in gettext's format: messages of a part of the course, each with its translation."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.console import Failure

LINE = re.compile(r'(?:(msgid|msgstr) )?("(?:[^"\\]|\\.)*")')
HEADER = r"""msgid ""
msgstr ""
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"""


@dataclass(frozen=True)
class Entry:
    line: int  # where it begins
    source: str
    translation: str  # '' for none
    fuzzy: bool  # the English has changed since
    translated: str  # the English of that time
    comments: Sequence[str]  # the translator's own

    @property
    def is_current(self) -> bool:
        return bool(self.translation) and not self.fuzzy


def read(path: Path) -> dict[str, Entry]:
    """The entries by their English."""
    found = {}
    number = 1
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip("\n").splitlines()
        if any(line.startswith("msgid") for line in lines):
            entry = _entry(lines, path, number + len(block) - len(block.lstrip("\n")))
            found[entry.source] = entry
        number += block.count("\n") + 2
    found.pop("", None)  # the header
    return found


def _entry(lines: Sequence[str], path: Path, first: int) -> Entry:
    texts = {"msgid": "", "msgstr": ""}
    key = ""
    for number, line in enumerate(lines, first):
        if line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        key = match[1] or key if match else ""
        if not match or not key:
            raise Failure(f"{os.path.relpath(path)}:{number}: gettext's format has msgid, msgstr and texts in quotes here")
        texts[key] += json.loads(match[2])
    fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in lines)
    comments = [line[2:] for line in lines if line.startswith("# ")]
    earlier = (json.loads(line.removeprefix("#| msgid ")) for line in lines if line.startswith("#| msgid "))
    return Entry(first, texts["msgid"], texts["msgstr"], fuzzy, next(earlier, texts["msgid"]), comments)


def template(language: str, messages: Iterable[str]) -> str:
    """What msgmerge takes: all messages."""
    parts = [HEADER.format(language=language)]
    parts += [f'msgid {json.dumps(message, ensure_ascii=False)}\nmsgstr ""\n' for message in messages]
    return "\n".join(parts)
