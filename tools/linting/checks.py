"""The checks of ./lab lint. Each prints what it has found and says whether that is nothing."""

import json
import os
import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from shared import chapters, processes

CPP = (".cpp", ".cu", ".cuh", ".h")
FILES_AT_ONCE = 50
FILES_TIDIED_AT_ONCE = 4
COMMITS = 200
LONGEST_SUBJECT = 72


def clang_format(root: Path, programs: Path, fix: bool) -> bool:
    """All C++ and CUDA is as .clang-format has it."""
    files = sorted(str(path.relative_to(root)) for path in chapters.files(root) if path.suffix in CPP)
    options = ["-i"] if fix else ["--dry-run"]
    command = [str(programs / "clang-format"), "--Werror", "--ferror-limit=1", *options]
    batches = [files[i : i + FILES_AT_ONCE] for i in range(0, len(files), FILES_AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ended = list(pool.map(lambda batch: _run([*command, *batch], root), batches))
    for said, _ in ended:
        for place in dict.fromkeys(re.findall(r"^(\S+:\d+):\d+: error: code should be clang-formatted", said, re.M)):
            print(f"{place}: not as clang-format has it")
        print(re.sub(r"^\S+: error: code should be clang-formatted.*\n(.*\n.*\^\n)?", "", said, flags=re.M), end="")
    return all(code == 0 for _, code in ended)


def ruff(root: Path, programs: Path, fix: bool) -> bool:
    """The Python follows the rules of ruff.toml, and is laid out as ruff has it."""
    check = ["check", "--quiet", "--output-format", "concise", *(["--fix"] if fix else [])]
    layout = ["format", "--quiet", *([] if fix else ["--check"])]
    ended = [_run([str(programs / "ruff"), *words], root) for words in (check, layout)]
    for said, _ in ended:
        print(said, end="")
    if not ended[0][1] and ended[1][1] and not ended[1][0].strip():
        print("some Python is not as ruff format has it")
    return all(code == 0 for _, code in ended)


def mypy(root: Path, programs: Path, cache: Path) -> bool:
    """The Python of the product is typed: mypy.ini says how strictly, and what is checked."""
    said, code = _run([str(programs / "mypy"), "--no-error-summary", "--cache-dir", str(cache)], root)
    print(said, end="")
    return code == 0


def subjects(root: Path) -> bool:
    """The last commits have a subject that every list of commits shows whole: more of them than any change brings."""
    told = processes.ask(["git", "-C", str(root), "log", "--no-merges", "--format=%h %s", f"-{COMMITS}"]) or ""
    commits = [line.partition(" ") for line in told.splitlines()]
    return all([_is_short(subject, f"commit {name}") for name, _, subject in commits])


def measured(root: Path) -> bool:
    """The commits that results/ names are there, so that a reader finds the sources that were measured."""
    git = ["git", "-C", str(root)]
    if processes.ask([*git, "rev-parse", "--is-shallow-repository"]) != "false\n":
        return True
    named = {name for path in root.glob("results/*.json") for name in re.findall(r'"commit": "([^"]+)"', path.read_text())}
    lost = [name for name in sorted(named) if processes.ask([*git, "cat-file", "-e", f"{name}^{{commit}}"]) is None]
    for name in lost:
        print(f"results/ names commit {name}, which is not there: name the one whose sources were measured")
    return not lost


def subject_of(message: Path) -> bool:
    """The same of a message that git is about to take; its comments do not count."""
    lines = message.read_text(encoding="utf-8", errors="replace").splitlines()
    return _is_short(next((line for line in lines if line.strip() and not line.startswith("#")), ""), "the message")


def _is_short(subject: str, whose: str) -> bool:
    if len(subject) > LONGEST_SUBJECT:
        print(f"{whose}: {len(subject)} characters in the subject, and {LONGEST_SUBJECT} are the most; why is for the body")
    return len(subject) <= LONGEST_SUBJECT


def clang_tidy(root: Path, build: Path) -> bool:
    """clang-tidy sees no mistake in the C++ of the host, of those that .clang-tidy chooses. build: a folder, in which CMake
    only says how files are compiled: each for itself, and without precompiled headers, since those of g++ are nothing to
    clang-tidy."""
    as_they_are = ("-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DCMAKE_UNITY_BUILD=OFF")
    configure = ["cmake", "--preset", "cpu", "-B", str(build), *as_they_are]
    said, code = _run(configure, root)
    if code != 0:
        print(said, end="")
        return False
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    files = sorted({path for entry in commands if _is_tidied(path := entry["file"], root)})
    command = ["clang-tidy", "-p", str(build), "--quiet"]
    batches = [files[i : i + FILES_TIDIED_AT_ONCE] for i in range(0, len(files), FILES_TIDIED_AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ended = list(pool.map(lambda batch: _run([*command, *batch], root), batches))
    for said, code in ended:
        if code != 0:
            print(re.sub(r"^\d+ warnings? .*generated.*\n", "", said, flags=re.M).replace(f"{root}/", ""), end="")
    return all(code == 0 for _, code in ended)


def _is_tidied(path: str, root: Path) -> bool:
    """Tests are not: they do wrong things on purpose."""
    below = Path(path).relative_to(root).parts if Path(path).is_relative_to(root) else ("tests",)
    return path.endswith(".cpp") and not {"tests", *chapters.NOT_IN_GIT} & set(below)


def _run(command: Sequence[str], root: Path) -> tuple[str, int]:
    result = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    return result.stdout, result.returncode
