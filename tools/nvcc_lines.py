"""Tries the bare nvcc lines that the lessons give, so that they are known to work.

A chapter's README.md marks them: the ```sh block after <!-- nvcc -->. What nvcc does with such a line in the chapter's
folder, this does in two steps: it compiles every file by itself, with the line's options, and links the objects. So a
file that several lines compile with the same options is compiled once; and it is not optimized, since nothing is run.
Called by .ci/run as: python3 tools/nvcc_lines.py [--arch sm_90]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^<!-- nvcc -->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"-o\s+(\S+)")
SOURCES = (".cpp", ".cu")


def lines_of(readme: str) -> list[str]:
    """The nvcc command lines of a lesson, continued lines joined."""
    text = "\n".join(BLOCK.findall(readme)).replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip().startswith("nvcc ")]


def prepared(line: str, folder: str, arch: str) -> str:
    """The line with its output in the folder, for this architecture."""
    line = OUTPUT.sub(lambda match: f"-o {folder}/{match[1]}", line)
    return line.replace("-arch=native", f"-arch={arch}")


@dataclass
class Steps:
    """What a line does: the commands that compile, by the objects they make, and the one that links a program."""

    compile: dict[Path, list[str]]
    link: list[str]
    program: Path


def steps_of(line: str, chapter: Path, arch: str, folder: Path) -> Steps | None:
    """The steps of a line that names an output (-o). Objects and programs go to the folder."""
    output = OUTPUT.search(line)
    if not output:
        return None
    own = folder / chapter.name
    own.mkdir(exist_ok=True)
    # The shell says which files *.cu are.
    split = ["bash", "-c", f"printf '%s\\0' {prepared(line, str(own), arch)}"]
    words = subprocess.run(split, cwd=chapter, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
    words = ["-O0" if word == "-O3" else word for word in words]

    at = words.index("-o")
    options = [word for word in words[:at] + words[at + 2 :] if not word.endswith(SOURCES) and word[:2] != "-l"]
    steps = Steps({}, [], own / output[1])
    for word in words:
        if word.endswith(SOURCES):
            source = str((chapter / word).resolve())
            of_these = hashlib.sha256("\0".join([*options, source]).encode()).hexdigest()
            word = str(folder / f"{of_these}.o")
            steps.compile[Path(word)] = [*options, "-c", source, "-o", word]
        steps.link.append(word)
    return steps


def call(command: Sequence[str], chapter: Path) -> str:
    """What a command complains of; an empty text when all is well, without a warning."""
    result = subprocess.run(command, cwd=chapter, capture_output=True, text=True)
    said = result.stdout + result.stderr
    return said if said or result.returncode == 0 else f"exit code {result.returncode}\n"


def try_lines(lines: Sequence[tuple[Path, str]], arch: str) -> list[str]:
    """Of each line, with its chapter: what went wrong, or an empty text when it makes a program without a warning."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        all_steps = [steps_of(line, chapter, arch, Path(folder)) for chapter, line in lines]
        work = {
            part: (command, chapter)
            for (chapter, _), steps in zip(lines, all_steps, strict=True)
            if steps
            for part, command in steps.compile.items()
        }
        complaints = dict(zip(work, pool.map(call, *zip(*work.values(), strict=True)), strict=True)) if work else {}

        def problem(at: int) -> str:
            steps = all_steps[at]
            if not steps:
                return "the line names no output (-o)"
            said = "".join(complaints[part] for part in steps.compile) or call(steps.link, lines[at][0])
            return said if said or os.access(steps.program, os.X_OK) else "it makes no program"

        return list(pool.map(problem, range(len(lines))))


def main() -> int:
    parser = argparse.ArgumentParser(description="Tries the bare nvcc lines of the lessons.")
    parser.add_argument("--arch", default="native", help="stands in for 'native' where there is no GPU, e.g. sm_90")
    arch = parser.parse_args().arch
    lines = [
        (readme.parent, line)
        for readme in sorted(ROOT.glob("[0-9][0-9]_*/README.md"))
        for line in lines_of(readme.read_text(encoding="utf-8"))
    ]
    problems = try_lines(lines, arch)
    for (chapter, line), problem in zip(lines, problems, strict=True):
        print(f"{chapter.name}: {line}\n{problem}".rstrip())
    if not lines:
        print("no lesson gives an nvcc line")
    return 1 if any(problems) or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
