"""Asks the compiler which suspicions are right. Imported only where there are some."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

from ..encoding import as_text, from_text
from ..errors import RewriteError
from ..rendering import LineTable
from .sides import MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..project import Source


def confirmed(source: Source, command: Sequence[str]) -> list[RewriteError]:
    """Returns a RewriteError for each suspicion that is right. `command` compiles a file in which what is suspected is
    marked, and writes nothing."""
    done = subprocess.run(command, capture_output=True, encoding="latin-1", check=False, env=os.environ | {"LC_ALL": "C"})
    warnings = re.findall(rf"^(.*?):(\d+):(\d+): (?:warning|error): .*: {MARK}(\S+)", done.stderr, re.MULTILINE)
    seen = {(name, int(line), int(column)) for path, line, column, name in warnings if path == as_text(source.path)}
    lines, mistakes = LineTable(source.text), []
    for suspicion in source.suspicions:
        line, column = lines.location(suspicion.start)
        before = source.text[suspicion.start - column + 1 : suspicion.start]
        last_line, last_column = lines.location(suspicion.end)
        # Compilers point to some part of the call, and g++ counts columns as they are shown.
        first = line, column - sum("\x80" <= letter < "\xc0" for letter in before)
        last = last_line, last_column + len(before.expandtabs(8)) - len(before)
        if any(name == suspicion.name and first <= (at, there) <= last for name, at, there in seen):
            mistakes.append(RewriteError(source.path, line, column, from_text(suspicion.message)))
    return mistakes
