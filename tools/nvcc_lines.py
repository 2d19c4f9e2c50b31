"""Runs the bare nvcc lines that the lessons give, so that they are known to work.

A chapter's README.md marks them: the ```sh block after <!-- nvcc -->. Each line runs in the chapter's folder; what it
builds goes to a temporary folder. Called by .ci/run as: python3 tools/nvcc_lines.py [--arch sm_90]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^<!-- nvcc -->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"-o\s+(\S+)")


def lines_of(readme: str) -> list[str]:
    """The nvcc command lines of a lesson, continued lines joined."""
    text = "\n".join(BLOCK.findall(readme)).replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip().startswith("nvcc ")]


def prepared(line: str, folder: str, arch: str) -> str:
    """The line with its output in the folder, for this architecture."""
    line = OUTPUT.sub(lambda match: f"-o {folder}/{match[1]}", line)
    return line.replace("-arch=native", f"-arch={arch}")


def run(chapter: Path, line: str, arch: str) -> str:
    """What went wrong with a line; an empty text when it built a program without a warning."""
    output = OUTPUT.search(line)
    if not output:
        return f"{chapter.name}: {line}\nthe line names no output (-o)"
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["bash", "-c", prepared(line, folder, arch)], cwd=chapter, capture_output=True, text=True
        )
        if result.returncode == 0 and not result.stderr and os.access(Path(folder, output[1]), os.X_OK):
            return ""
    return f"{chapter.name}: {line}\n{result.stdout}{result.stderr}".rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the bare nvcc lines of the lessons.")
    parser.add_argument("--arch", default="native", help="stands in for 'native' where there is no GPU, e.g. sm_90")
    arch = parser.parse_args().arch
    work = [
        (readme.parent, line)
        for readme in sorted(ROOT.glob("[0-9][0-9]_*/README.md"))
        for line in lines_of(readme.read_text(encoding="utf-8"))
    ]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        problems = list(pool.map(lambda item: run(item[0], item[1], arch), work))
    for (chapter, line), problem in zip(work, problems, strict=True):
        print(problem or f"{chapter.name}: {line}")
    if not work:
        print("no lesson gives an nvcc line")
    return 1 if any(problems) or not work else 0


if __name__ == "__main__":
    sys.exit(main())
