"""Configures and builds with CMake and Ninja: one progress line, and what the compiler said. And removes what was built."""

import os
import re
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from building import backend, dependencies, setup
from building.backend import Backend
from building.ninja import NinjaOutput, without_chatter
from shared import chapters, console, processes
from shared.console import Failure
from shared.locks import lock

LOG_NAME = "lab-build.log"
CACHE_NAME = "CMakeCache.txt"
MOST_LINES = 40  # of warnings
A_YEAR = 365 * 86400  # seconds
# What CMake would look for in half of the time that it takes: the Python that runs this, a compiler that knows MPI itself,
# and MPI's old C++ bindings.
QUICKLY = (f"-DPython3_EXECUTABLE={sys.executable}", "-DMPI_ASSUME_NO_BUILTIN_MPI=ON", "-DMPI_CXX_SKIP_MPICXX=ON")
SIGN_OF_A_BOOK = Path("search", "search_index.js")  # a folder with this file in it is one
MADE = ("book-watch", "export", "handouts", "sass", "watch")  # folders that hold nothing but what lab writes anew


class Build:
    """The build folder of one preset, in the folder that holds all of them."""

    def __init__(self, root: Path, where: Backend, builds: Path) -> None:
        self.root = root
        self.preset = where.preset
        self.nvcc = where.nvcc
        self.host_compiler = where.host_compiler
        self.folder = builds / where.preset
        self._made: set[str] = set()
        self._with_own: set[str] = set()  # chapters whose programs have the reader's stages

    def make(self, targets: Sequence[str]) -> None:
        """Brings the targets up to date; without targets, only what CMake writes. Throws Failure after showing what the
        compiler said."""
        if targets and self._made.issuperset(targets):
            return
        self._require_writable()
        with lock(self.folder), (self.folder / LOG_NAME).open("w", encoding="utf-8") as log:
            reason = self._why_configure()
            if reason:
                self._configure(reason == "fresh", log)
            self._build(targets or ["build.ninja"], log)
        self._made.update(targets)

    def make_own(self, *of: str, kind: str = "", asked: str | None = None) -> list[str]:
        """Builds programs of chapters, or of the kind _tests their tests, once more, with the reader's own stages, and takes
        these from now on. What is wrong with a stage is said, and then it is as if it were not there, unless it was asked for.
        The stages that are there."""
        made = []
        for chapter in of:
            names = chapters.own_stages(self.root, chapter)
            why = dict.fromkeys(chapters.without_stage(self.root, chapter), chapters.NO_STAGE)
            try:
                if names:
                    self.make([f"{chapter}{kind}_my"])
                    self._with_own.add(chapter)
                why |= {name: "it does not compile" for name in names if self._is_left_out(chapter, name)}
            except Failure as failure:
                why = dict.fromkeys(names, str(failure))
            for reason in dict.fromkeys(why.values()):
                left_out = [name for name in names if why.get(name) == reason]
                if asked and any(chapters.may_mean(asked.partition("/")[0], name) for name in left_out):
                    raise Failure(f"{' and '.join(left_out)} of my/{chapter}: {reason}")
                console.note(f"lab: without {' and '.join(left_out)} of my/{chapter}: {reason}")
            made += [name for name in names if name not in why]
        return made

    def _is_left_out(self, chapter: str, name: str) -> bool:
        """Whether common/or_nothing.sh has put an empty object file in a stage's place."""
        objects = (self.folder / chapter).glob(f"CMakeFiles/*_my.dir/**/{name}.c*.o")
        return any(path.stat().st_mtime < A_YEAR for path in objects)

    def program(self, chapter: str, name: str) -> Path:
        """Of that name; the one with the reader's own stages where it was made."""
        own = self.folder / chapter / "my" / name
        return own if chapter in self._with_own and own.is_file() else self.folder / chapter / name

    def lines(self, chapter: str, kind: str) -> list[list[str]]:
        """A chapter's command lines, in which its programs get their paths: others, as mpirun, may start them. programs: one
        for each, in the order in which to run them; bench: those that measure; check: for the checked build, all stages, at
        sizes that are no multiple of anything; count: all stages, at sizes that are round."""
        lines = map(str.split, _lines(self.folder / chapter / f"{kind}.txt"))
        named = ([(word, self.program(chapter, word)) for word in words] for words in lines)
        return [[str(path) if path.is_file() else word for word, path in words] for words in named]

    def left_out(self, chapter: str) -> list[str]:
        """What a chapter cannot do in this build, and why."""
        return _lines(self.folder / chapter / "left_out.txt")

    def watches(self, chapter: str) -> list[list[str]]:
        """The command lines whose kernels are watched: all stages, so small that one can follow each step. Their programs
        need not be built yet."""
        folder = self.folder / chapter
        return [[str(folder / program), *words] for program, *words in map(str.split, _lines(folder / "watch.txt"))]

    def _require_writable(self) -> None:
        """A checkout that is read only and a folder that another user has built in are told before CMake stumbles."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(
                f"{console.shown(self.folder)} cannot be made ({error.strerror}); build in a folder of yours: --build DIR"
            ) from error
        for path in (self.folder, *(self.folder / name for name in ("lab.lock", LOG_NAME, CACHE_NAME, ".ninja_log"))):
            if path.exists() and not os.access(path, os.W_OK):
                raise Failure(
                    f"{console.shown(path)} cannot be written: it belongs to {_owner(path)}; "
                    f"remove {console.shown(self.folder)}, or build elsewhere: --build DIR"
                )

    def _why_configure(self) -> str:
        """'' when Ninja can see to it, else 'first' for a new folder, 'fresh' when the old one is for other tools, 'again'
        for another treatment of warnings, and when something has been installed that CMake could not find."""
        cache_file = self.folder / CACHE_NAME
        if not (self.folder / "build.ninja").exists() or not cache_file.exists():
            return "fresh" if cache_file.exists() else "first"
        cache = os.fsdecode(cache_file.read_bytes())
        wanted = {"CMAKE_HOME_DIRECTORY": str(self.root)}
        if os.environ.get("CXX"):
            wanted["CMAKE_CXX_COMPILER"] = dependencies.compiler()[-1]
        if self.nvcc:
            wanted["CMAKE_CUDA_COMPILER"] = self.nvcc
        if self.host_compiler:
            wanted["CMAKE_CUDA_HOST_COMPILER"] = self.host_compiler
        for name, value in wanted.items():
            match = re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE)
            if match and not _same_file(match[1], value):
                return "fresh"
        if not re.search(rf"^WARNINGS_AS_ERRORS:\w+={_warnings_as_errors()}$", cache, re.MULTILINE):
            return "again"
        not_found = re.findall(r"^(\w+):\w+=.*NOTFOUND$", cache, re.MULTILINE)
        return "again" if dependencies.any_is_there(not_found) else ""

    def _environment(self) -> dict[str, str]:
        environment = dict(os.environ, NINJA_STATUS="[%f/%t] ", CXX=" ".join(dependencies.compiler()))
        if self.nvcc:
            environment["CUDACXX"] = self.nvcc
        if self.host_compiler:
            environment["CUDAHOSTCXX"] = self.host_compiler
        return environment

    def _configure(self, fresh: bool, log: IO[str]) -> None:
        if self.nvcc:
            console.note(f"lab: {backend.in_words(self.nvcc, self.host_compiler)}")
        if not (self.folder / "build.ninja").exists():
            console.note(f"lab: the first build in {console.shown(self.folder)} takes longest")
        progress = console.Progress()
        progress.show("configuring …")
        command = ["cmake", "--preset", self.preset, "-B", str(self.folder), *(["--fresh"] if fresh else [])]
        command += [f"-DWARNINGS_AS_ERRORS={_warnings_as_errors()}", *QUICKLY]
        lines: list[str] = []
        code = processes.stream(command, lines.append, log, self._environment(), self.root, progress.tick)
        progress.clear()
        if code != 0:
            self._fail("CMake could not configure the build", "\n".join(without_chatter(lines)))

    def _build(self, targets: Sequence[str], log: IO[str]) -> None:
        started = time.monotonic()
        output = NinjaOutput(console.Progress())
        output.progress.show("building …")
        command = ["cmake", "--build", str(self.folder), "--target", *targets]
        code = processes.stream(command, output.line, log, self._environment(), self.root, output.progress.tick)
        output.progress.clear()
        if code != 0:
            self._fail("the build failed", output.failure())
        if warnings := output.warnings():
            console.note(self._with_short_paths("\n".join(warnings.splitlines()[:MOST_LINES])))
            if len(warnings.splitlines()) > MOST_LINES:
                console.note(f"… more of them are in {console.shown(self.folder / LOG_NAME)}")
        if output.steps:
            console.note(f"built {console.counted(output.steps, 'file')} in {time.monotonic() - started:.0f} s")

    def _fail(self, what: str, message: str) -> None:
        console.note(self._with_short_paths(message))
        raise Failure(f"{what}; everything it printed is in {console.shown(self.folder / LOG_NAME)}")

    def _with_short_paths(self, message: str) -> str:
        return message.replace(f"{self.root}/", "") if Path.cwd() == self.root else message


def _owner(path: Path) -> str:
    """The name of the user that a file belongs to."""
    with suppress(KeyError):
        return path.owner()
    return f"user {path.stat().st_uid}"


def _warnings_as_errors() -> str:
    """Whether a warning ends the build: where the environment variable CI is what CMake calls true."""
    return "ON" if os.environ.get("CI", "").upper() in ("1", "ON", "YES", "TRUE", "Y") else "OFF"


def describe(folder: Path) -> str:
    """A build folder's compiler and kind: 'GNU 12.2.0, RelWithDebInfo'. Empty where CMake has not configured one."""
    try:
        kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", (folder / CACHE_NAME).read_text(encoding="utf-8"), re.MULTILINE)
        texts = [path.read_text(encoding="utf-8") for path in folder.glob("CMakeFiles/*/CMakeCXXCompiler.cmake")]
    except (OSError, UnicodeDecodeError):
        return ""
    found = [re.search(rf'set\(CMAKE_CXX_COMPILER_{what} "(.*)"\)', text) for text in texts for what in ("ID", "VERSION")]
    compiler = " ".join(match[1] for match in found if match)
    return ", ".join(part for part in (compiler, kind[1] if kind else "") if part)


def remove_builds(builds: Path) -> None:
    """Shows the build folders and their sizes, and removes them."""
    found = [path for path in sorted(builds.glob("*")) if path.is_dir() and not path.is_symlink()]
    found = [path for path in found if _is_made_by_lab(path)]
    if not found:
        print(f"there is nothing to remove in {console.shown(builds)}")
    for folder in found:
        print(f"{_size(folder) / 1e6:8,.1f} MB  {console.shown(folder)}", flush=True)
    for folder in found:
        try:
            with lock(folder):
                shutil.rmtree(folder)
        except OSError as error:
            path = Path(error.filename or folder)
            who = f"it belongs to {_owner(folder)}" if isinstance(error, PermissionError) else error.strerror
            raise Failure(f"{console.shown(path)} cannot be removed: {who}") from error
    setup.forget(builds)
    with suppress(OSError):  # it holds something else, or is not there
        builds.rmdir()
    if found:
        print("removed")


def _is_made_by_lab(folder: Path) -> bool:
    """Students' grades are not: nobody can make the same ones again. Nor are notebooks, in which one writes. An empty book is
    what an interrupted lab leaves."""
    if folder.name in MADE or (folder.name == "book" and not any(folder.iterdir())):
        return all(path.suffix in (".html", ".pdf", ".cu") for path in folder.rglob("*") if not path.is_dir())
    return any((folder / name).exists() for name in (CACHE_NAME, "lab.lock", SIGN_OF_A_BOOK))


def _size(folder: Path) -> int:
    """The bytes of all files below a folder, as the disk counts them."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
    return total


def _lines(path: Path) -> list[str]:
    """The lines of a list that CMake wrote; none when there is no such list."""
    if not path.exists():
        return []
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _same_file(one: str, other: str) -> bool:
    one, other = shutil.which(one) or one, shutil.which(other) or other
    return os.path.realpath(one) == os.path.realpath(other)
