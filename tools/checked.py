"""Runs programs of the checked build and gathers what it finds in them."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import console
from console import EXIT_FINDINGS
from results import Json

SUMMARY = re.compile(r"^emulator: checked (\d+) launch.*\n", re.MULTILINE)


@dataclass
class Outcome:
    """How a program ended."""

    code: int  # 0 too where nothing but findings made it fail
    stderr: str  # less what is in the other two
    launches: int
    findings: list[Json]  # as the program writes them: kind, kernel, deeds and, for people, report


def run_quietly(command: Sequence[str], variable: str) -> tuple[int, str, str]:
    """Runs a program of the checked build, whose output nobody needs. The variable names a file to it, to write to:
    the exit code, what it said on stderr, and what it has written."""
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        written, said = Path(folder, "written"), Path(folder, "stderr")
        environment = dict(os.environ, **{variable: str(written)})
        with said.open("w") as stderr, open(os.devnull, "w") as nowhere:
            code = console.call(command, environment, stdout=nowhere, stderr=stderr)
        text = said.read_text(encoding="utf-8", errors="replace")
        return code, text, written.read_text(encoding="utf-8", errors="replace") if written.exists() else ""


def try_out(command: Sequence[str]) -> Outcome:
    """Runs a program of the checked build and gathers what is found in it."""
    code, text, written = run_quietly(command, "EMULATOR_CHECK_JSON")
    findings = [json.loads(line) for line in written.splitlines()]
    launches = sum(map(int, SUMMARY.findall(text)))
    for finding in findings:
        text = text.replace(finding["report"], "")
    return Outcome(0 if code == EXIT_FINDINGS else code, SUMMARY.sub("", text), launches, findings)


def place(finding: Json) -> tuple[object, ...]:
    """What makes two findings the same: the kind, the kernel and the lines."""
    return finding["kind"], finding["kernel"], *((deed["file"], deed["line"]) for deed in finding["deeds"])


def counted(n: int, what: str) -> str:
    """'1 finding', '2 findings'"""
    return f"{n} {what}{'' if n == 1 else 'es' if what.endswith('ch') else 's'}"
