"""Configures and builds with CMake and Ninja: one progress line, and what the compiler said. And removes what was built."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from building import setup
from building.backend import Backend
from shared import console, processes
from shared.console import Failure

STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")
LOG_NAME = "lab-build.log"
CACHE_NAME = "CMakeCache.txt"
CHATTER = re.compile(r"-- |Preset C?Make variables|Preset environment|\d+ warnings? generated|ninja: ")
WARNING = re.compile(r"warning( #[\w-]+)?: ")
CONTEXT = re.compile(r"In file included from |.*: (In|At|required) .*:$|.*: In instantiation of ")
MOST_LINES = 40  # of warnings

# What CMake looks for and goes on without, and how tools/setup.py sees whether it is there by now.
OPTIONAL = {
    "glfw3_DIR": "has_glfw",
    "OPENGL_gl_LIBRARY": "has_gl",
    "X11_Xtst_LIB": "has_xtest",
    "MPI_CXX_COMPILER": "has_mpi",
}


class Build:
    """The build folder of one preset, in the folder that holds all of them."""

    def __init__(self, root: Path, backend: Backend, builds: Path) -> None:
        self.root = root
        self.preset = backend.preset
        self.nvcc = backend.nvcc
        self.folder = builds / backend.preset

    def make(self, targets: Sequence[str]) -> None:
        """Brings the targets up to date. Throws Failure after showing what the compiler said."""
        self._require_writable()
        with _lock(self.folder), (self.folder / LOG_NAME).open("w", encoding="utf-8") as log:
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

    def _require_writable(self) -> None:
        """A checkout that is read only and a folder that another user has built in are told before CMake stumbles."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(
                f"{os.path.relpath(self.folder)} cannot be made ({error.strerror}); "
                "build in a folder of yours: --build DIR"
            ) from error
        for path in (self.folder, *(self.folder / name for name in ("lab.lock", LOG_NAME, CACHE_NAME, ".ninja_log"))):
            if path.exists() and not os.access(path, os.W_OK):
                raise Failure(
                    f"{os.path.relpath(path)} cannot be written: it belongs to {_owner(path)}; "
                    f"remove {os.path.relpath(self.folder)}, or build elsewhere: --build DIR"
                )

    def _why_configure(self) -> str:
        """'' when Ninja can see to it, else 'first' for a new folder, 'fresh' when the old one is for other tools, 'again'
        for another treatment of warnings, and when something has been installed that CMake could not find."""
        cache_file = self.folder / CACHE_NAME
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
        if not re.search(rf"^WARNINGS_AS_ERRORS:\w+={_warnings_as_errors()}$", cache, re.MULTILINE):
            return "again"
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
        command = ["cmake", "--preset", self.preset, "-B", str(self.folder), *(["--fresh"] if fresh else [])]
        command.append(f"-DWARNINGS_AS_ERRORS={_warnings_as_errors()}")
        lines: list[str] = []
        code = processes.stream(command, lines.append, log, self._environment(), self.root, progress.tick)
        progress.clear()
        if code != 0:
            self._fail("CMake could not configure the build", "\n".join(_without_chatter(lines)))

    def _build(self, targets: Sequence[str], log: IO[str]) -> None:
        started = time.monotonic()
        output = NinjaOutput(console.Progress())
        command = ["cmake", "--build", str(self.folder), "--target", *targets]
        code = processes.stream(command, output.line, log, self._environment(), self.root, output.progress.tick)
        output.progress.clear()
        if code != 0:
            self._fail("the build failed", output.failure())
        if warnings := output.warnings():
            console.note(self._with_short_paths("\n".join(warnings.splitlines()[:MOST_LINES])))
            if len(warnings.splitlines()) > MOST_LINES:
                console.note(f"… more of them are in {os.path.relpath(self.folder / LOG_NAME)}")
        if output.steps:
            console.note(f"built {console.counted(output.steps, 'file')} in {time.monotonic() - started:.0f} s")

    def _fail(self, what: str, message: str) -> None:
        console.note(self._with_short_paths(message))
        raise Failure(f"{what}; everything it printed is in {os.path.relpath(self.folder / LOG_NAME)}")

    def _with_short_paths(self, message: str) -> str:
        return message.replace(f"{self.root}/", "") if Path.cwd() == self.root else message


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Two labs in two terminals must not build in one folder at the same time."""
    with (folder / "lab.lock").open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.note("lab: waiting for another lab that is building …")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _owner(path: Path) -> str:
    """The name of the user that a file belongs to."""
    with suppress(KeyError):
        return path.owner()
    return f"user {path.stat().st_uid}"


def _warnings_as_errors() -> str:
    """Whether a warning ends the build: where the environment variable CI is what CMake calls true."""
    return "ON" if os.environ.get("CI", "").upper() in ("1", "ON", "YES", "TRUE", "Y") else "OFF"


def remove_builds(builds: Path) -> None:
    """Shows the build folders and their sizes, and removes them."""
    found = [path for path in sorted(builds.glob("*")) if path.is_dir() and not path.is_symlink()]
    found = [path for path in found if any((path / name).exists() for name in (CACHE_NAME, "lab.lock"))]
    if not found:
        print(f"there is nothing to remove in {os.path.relpath(builds)}")
    for folder in found:
        print(f"{_size(folder) / 1e6:8,.1f} MB  {os.path.relpath(folder)}", flush=True)
    for folder in found:
        try:
            with _lock(folder):
                shutil.rmtree(folder)
        except OSError as error:
            path = Path(error.filename or folder)
            who = f"it belongs to {_owner(folder)}" if isinstance(error, PermissionError) else error.strerror
            raise Failure(f"{os.path.relpath(path)} cannot be removed: {who}") from error
    setup.forget(builds)
    with suppress(OSError):  # it holds something else, or is not there
        builds.rmdir()
    if found:
        print("removed")


def _size(folder: Path) -> int:
    """The bytes of all files below a folder, as the disk counts them."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
    return total


class NinjaOutput:
    """Reads what Ninja prints: shows the progress, and keeps what the commands said."""

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
            if int(done) > 0 or not step.startswith("Re-"):  # Ninja's own: re-checking folders, re-running CMake
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
        return "\n".join(_without_chatter(self._failed) or _without_chatter(self._all, ninja=True)).strip("\n")

    def warnings(self) -> str:
        """What a build said that succeeded. A warning in a header is there once, however many files include it."""
        blocks: list[list[str]] = [[]]
        for line in _without_chatter(self._all):
            begins = WARNING.search(line) or CONTEXT.match(line)
            if begins and any(WARNING.search(earlier) for earlier in blocks[-1]):
                blocks.append([])
            blocks[-1].append(line)
        once = {next(filter(WARNING.search, block), "\n".join(block)): block for block in reversed(blocks)}
        return "\n".join("\n".join(block).strip("\n") for block in reversed(once.values())).strip("\n")


def step_name(step: str) -> str:
    """'Building CXX object 03_x/CMakeFiles/x.dir/a.cu.o' is shown as '03_x/a.cu'."""
    match = re.fullmatch(r"(?:Building|Linking|Creating) \w+ (?:[\w ]+ )?(\S+)", step)
    if not match:
        return step
    path = re.sub(r"CMakeFiles/[^/]+\.dir/", "", match[1].removesuffix(".o"))
    return path.rpartition("__/")[2]  # CMake writes '..' as '__'


def _without_chatter(lines: Sequence[str], ninja: bool = False) -> list[str]:
    """Less what CMake, the compiler and, unless asked for, Ninja say of their own work."""
    return [line for line in lines if not CHATTER.match(line) or (ninja and line.startswith("ninja: "))]


def _lines(path: Path) -> list[str]:
    """The lines of a list that CMake wrote; none when there is no such list."""
    if not path.exists():
        return []
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _same_file(one: str, other: str) -> bool:
    one, other = shutil.which(one) or one, shutil.which(other) or other
    return os.path.realpath(one) == os.path.realpath(other)
