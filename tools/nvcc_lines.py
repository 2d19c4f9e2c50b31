"""Tries the bare nvcc lines that the lessons give, so that they are known to work.

A chapter's README.md marks them: the ```sh block after <!-- nvcc -->. What nvcc does with such a line in the chapter's
folder, this does in two steps: it compiles every file by itself, with the line's options, and links the objects. So a
file that several lines compile with the same options is compiled once; one that the CUDA build has compiled with them
is not compiled again; and nothing is optimized, since nothing is run.
Called by .ci/run as: python3 tools/nvcc_lines.py [--arch sm_90] [--build build/ci] [CHAPTER…]
"""

import argparse
import functools
import hashlib
import json
import os
import re
import shlex
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
CODE = (*SOURCES, ".h")
MAKES_NO_DIFFERENCE = re.compile(r"-(O|g|W|arch|-generate-code|forward-unknown)")


def lines_of(readme: str) -> list[str]:
    """The nvcc command lines of a lesson, continued lines joined."""
    text = "\n".join(BLOCK.findall(readme)).replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip().startswith("nvcc ")]


@functools.cache
def code_of(folder: Path) -> str:
    """All the code of a folder."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.*")) if path.suffix in CODE)


def what_counts(words: Sequence[str], source: Path, folder: Path) -> frozenset[str]:
    """The options of a command, run in a folder, that make a difference to this source: neither those for warnings and
    speed nor definitions that nothing in its folder names."""
    text = " ".join(word.replace(" ", "\0") for word in words)
    text = re.sub(r"-Xcompiler[= ](\S+)", lambda match: match[1].replace(",", " "), text)
    text = re.sub(r"(-o|-x|-c|-isystem)[= ]\S+", "", text)
    text = re.sub(r"-(I|ccbin)[= ]?(\S+)", r"-\1\2", text)
    count = {word for word in text.split() if word.startswith("-") and not MAKES_NO_DIFFERENCE.match(word)}
    for word in sorted(count):
        if word.startswith("-I"):
            path = folder / word[2:].replace("\0", " ")
            count = count - {word} | {f"-I{path.resolve()}"}
        elif word.startswith("-D"):
            name = word[2:].partition("=")[0]
            if not re.search(rf"\b{re.escape(name)}\b", code_of(source.parent)):
                count.remove(word)
        elif word.startswith("--fmad") and source.suffix != ".cu":
            count.remove(word)
    return frozenset(count)


Compiled = dict[tuple[Path, frozenset[str]], Path]


def compiled_in(build: Path) -> Compiled:
    """The objects of a build, by their sources and the options that count."""
    objects: Compiled = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source, words = Path(entry["file"]).resolve(), shlex.split(entry["command"])
        made = Path(entry["directory"]) / words[words.index("-o") + 1]
        if made.exists():
            objects[source, what_counts(words, source, Path(entry["directory"]))] = made
    return objects


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


def steps_of(line: str, chapter: Path, arch: str, folder: Path, compiled: Compiled) -> Steps | None:
    """The steps of a line that names an output (-o). Objects and programs go to the folder; some objects are there."""
    output = OUTPUT.search(line)
    if not output:
        return None
    own = folder / chapter.name
    own.mkdir(exist_ok=True)
    # The shell says which files *.cu are.
    split = ["bash", "-c", f"printf '%s\\0' {prepared(line, shlex.quote(str(own)), arch)}"]
    words = subprocess.run(split, cwd=chapter, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
    words = ["-O0" if word == "-O3" else word for word in words]

    at = words.index("-o")
    options = [word for word in words[:at] + words[at + 2 :] if not word.endswith(SOURCES) and word[:2] != "-l"]
    steps = Steps({}, [], own / output[1])
    for word in words:
        if word.endswith(SOURCES):
            source = (chapter / word).resolve()
            count = what_counts(options, source, chapter)
            there = compiled.get((source, count))
            of_these = hashlib.sha256("\0".join([str(source), *sorted(count)]).encode()).hexdigest()
            word = str(there or folder / f"{of_these}.o")
            if not there:
                steps.compile[Path(word)] = [*options, "-c", str(source), "-o", word]
        steps.link.append(word)
    return steps


def call(command: Sequence[str], chapter: Path) -> str:
    """What a command complains of; an empty text when all is well, without a warning."""
    result = subprocess.run(command, cwd=chapter, capture_output=True, text=True)
    said = result.stdout + result.stderr
    return said if said or result.returncode == 0 else f"exit code {result.returncode}\n"


def try_lines(lines: Sequence[tuple[Path, str]], arch: str, compiled: Compiled) -> list[str]:
    """Of each line, with its chapter: what went wrong, or an empty text when it makes a program without a warning."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        all_steps = [steps_of(line, chapter, arch, Path(folder), compiled) for chapter, line in lines]
        work = {
            part: (command, chapter)
            for (chapter, _), steps in zip(lines, all_steps, strict=True)
            if steps
            for part, command in steps.compile.items()
        }
        print(f"{len(lines)} lines, {len(work)} of their files to compile", flush=True)
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
    parser.add_argument("--build", type=Path, help="a build folder of the same sources: its objects are taken")
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="only the lines of these")
    args = parser.parse_args()
    lines = [
        (readme.parent, line)
        for readme in sorted(ROOT.glob("[0-9][0-9]_*/README.md"))
        if not args.chapters or readme.parent.name in args.chapters
        for line in lines_of(readme.read_text(encoding="utf-8"))
    ]
    problems = try_lines(lines, args.arch, compiled_in(args.build) if args.build else {})
    for (chapter, line), problem in zip(lines, problems, strict=True):
        print(f"{chapter.name}: {line}\n{problem}".rstrip())
    if not lines:
        print("no lesson gives an nvcc line")
    return 1 if any(problems) or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
