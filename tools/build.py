"""Configures and builds with CMake and Ninja: one progress line, and the compiler's message when it fails."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import console
import setup
from backend import Backend
from console import Failure

STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")
LOG_NAME = "lab-build.log"

# What CMake looks for and goes on without, and how tools/setup.py sees whether it is there by now.
OPTIONAL = {
    "glfw3_DIR": "has_glfw",
    "OPENGL_gl_LIBRARY": "has_gl",
    "X11_Xtst_LIB": "has_xtest",
    "MPI_CXX_COMPILER": "has_mpi",
}


class Build:
    """The build folder of one preset."""

    def __init__(self, root: Path, backend: Backend) -> None:
        self.root = root
        self.preset = backend.preset
        self.nvcc = backend.nvcc
        self.folder = root / "build" / backend.preset

    def make(self, targets: Sequence[str]) -> None:
        """Brings the targets up to date. Throws Failure after showing what the compiler said."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._lock(), (self.folder / LOG_NAME).open("w", encoding="utf-8") as log:
            reason = self._why_configure()
            if reason:
                self._configure(reason == "fresh", log)
            self._build(targets, log)

    def programs(self, chapter: str) -> list[list[str]]:
        """The command lines of a chapter's programs in the order in which to run them."""
        return self._commands(chapter, "programs.txt")

    def left_out(self, chapter: str) -> list[str]:
        """What a chapter cannot do in this build, and why."""
        return _lines(self.folder / chapter / "left_out.txt")

    def benchmarks(self, chapter: str) -> list[list[str]]:
        """The command lines that measure a chapter; none for one that has nothing to measure."""
        return self._commands(chapter, "bench.txt")

    def checks(self, chapter: str) -> list[list[str]]:
        """The command lines that the checked build is tried on: all stages, at sizes that are no multiple of anything."""
        return self._commands(chapter, "check.txt")

    def counts(self, chapter: str) -> list[list[str]]:
        """The command lines whose kernels are counted: all stages, at sizes that are round."""
        return self._commands(chapter, "count.txt")

    def _commands(self, chapter: str, name: str) -> list[list[str]]:
        """The lines of a list, in which the chapter's programs get their paths: others, as mpirun, may start them."""
        folder = self.folder / chapter
        lines = map(str.split, _lines(folder / name))
        return [[str(folder / word) if (folder / word).is_file() else word for word in words] for words in lines]

    def _why_configure(self) -> str:
        """'' when Ninja can see to it, else 'first' for a new folder, 'fresh' when the old one is for other tools, 'again'
        when something has been installed that CMake could not find."""
        cache_file = self.folder / "CMakeCache.txt"
        if not (self.folder / "build.ninja").exists() or not cache_file.exists():
            return "fresh" if cache_file.exists() else "first"
        cache = cache_file.read_text(encoding="utf-8", errors="replace")
        wanted = {"CMAKE_HOME_DIRECTORY": str(self.root)}
        if os.environ.get("CXX"):
            wanted["CMAKE_CXX_COMPILER"] = setup.compiler()[-1]
        if self.nvcc:
            wanted["CMAKE_CUDA_COMPILER"] = self.nvcc
        for name, value in wanted.items():
            match = re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE)
            if match and not _same_file(match[1], value):
                return "fresh"
        not_found = re.findall(r"^(\w+):\w+=.*NOTFOUND$", cache, re.MULTILINE)
        optional = {OPTIONAL[name] for name in not_found if name in OPTIONAL}
        return "again" if optional and optional & setup.probe() else ""

    def _environment(self) -> dict[str, str]:
        environment = dict(os.environ, NINJA_STATUS="[%f/%t] ", CXX=" ".join(setup.compiler()))
        if self.nvcc:
            environment["CUDACXX"] = self.nvcc
        return environment

    def _configure(self, fresh: bool, log: IO[str]) -> None:
        progress = console.Progress()
        progress.show("configuring …")
        command = ["cmake", "--preset", self.preset, *(["--fresh"] if fresh else [])]
        lines: list[str] = []
        code = console.stream(command, lines.append, log, self._environment(), self.root)
        progress.clear()
        if code != 0:
            self._fail("CMake could not configure the build", "\n".join(_without_chatter(lines)))

    def _build(self, targets: Sequence[str], log: IO[str]) -> None:
        started = time.monotonic()
        output = NinjaOutput(console.Progress())
        command = ["cmake", "--build", str(self.folder), "--target", *targets]
        code = console.stream(command, output.line, log, self._environment(), self.root)
        output.progress.clear()
        if code != 0:
            self._fail("the build failed", output.failure())
        if output.steps:
            files = "1 file" if output.steps == 1 else f"{output.steps} files"
            console.note(f"built {files} in {time.monotonic() - started:.0f} s")

    def _fail(self, what: str, message: str) -> None:
        if Path.cwd() == self.root:
            message = message.replace(f"{self.root}/", "")
        console.note(message)
        raise Failure(f"{what}; everything it printed is in {os.path.relpath(self.folder / LOG_NAME)}")

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Two labs in two terminals must not build in one folder at the same time."""
        with (self.folder / "lab.lock").open("w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                console.note("lab: waiting for another lab that is building …")
                fcntl.flock(file, fcntl.LOCK_EX)
            yield


class NinjaOutput:
    """Reads what Ninja prints: shows the progress, and keeps what the failing commands said."""

    def __init__(self, progress: console.Progress) -> None:
        self.progress = progress
        self.steps = 0
        self._all: list[str] = []  # everything but steps
        self._failed: list[str] = []  # what failing commands said
        self._in_failure = False
        self._skip_command = False

    def line(self, text: str) -> None:
        if match := STEP.fullmatch(text):
            done, total, step = match.groups()
            self.steps = max(self.steps, int(done))
            self._in_failure = False
            self.progress.show(f"[{done}/{total}] {step_name(step)}")
        elif text.startswith("FAILED: "):
            self._in_failure = self._skip_command = True
            self._all.append(text)
        elif self._skip_command:  # the line after FAILED: is the command
            self._skip_command = False
        elif self._in_failure and not text.startswith("ninja: "):
            self._failed.append(text)
        else:
            self._all.append(text)

    def failure(self) -> str:
        """The failing compiler's own words; where no command failed, everything that Ninja said."""
        return "\n".join(_without_chatter(self._failed or self._all)).strip("\n")


def step_name(step: str) -> str:
    """'Building CXX object 03_x/CMakeFiles/x.dir/a.cu.o' is shown as '03_x/a.cu'."""
    match = re.fullmatch(r"(?:Building|Linking|Creating) \w+ (?:[\w ]+ )?(\S+)", step)
    if not match:
        return step
    path = re.sub(r"CMakeFiles/[^/]+\.dir/", "", match[1].removesuffix(".o"))
    return path.rpartition("__/")[2]  # CMake writes '..' as '__'


def _without_chatter(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not re.match(r"-- |Preset C?Make variables|Preset environment", line)]


def _lines(path: Path) -> list[str]:
    """The lines of a list that CMake wrote; none when there is no such list."""
    if not path.exists():
        return []
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _same_file(one: str, other: str) -> bool:
    one, other = shutil.which(one) or one, shutil.which(other) or other
    return os.path.realpath(one) == os.path.realpath(other)
