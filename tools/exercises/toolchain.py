"""From an exercise and an answer to a program: nvcc_cpu, in the checked build, and the checker, which is compiled once. A
program without CUDA takes the host's compiler (host.py)."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from building import backend, cccl, dependencies
from exercises import host, sandbox
from exercises.box import Box
from exercises.folder import Exercise
from exercises.host import CHECKER
from exercises.sandbox import Ended
from reports.results import Json
from shared import console, processes
from shared.chapters import ROOT
from shared.console import EXIT_SETUP, Failure
from shared.locks import lock

NVCC = ROOT / "emulator" / "nvcc_cpu"
EMULATOR_ROOMS = ("include", "src", "rewriter", "driver", "launcher", "watch")
# g++ would move a load into the `if` behind it where its value is used, and so hide that a guard is missing.
KEEP_LOADS = () if "clang" in dependencies.compiler()[-1] else ("-Xcompiler", "-fno-tree-sink")
# Most of an answer's program is the emulator and what a debugger knows of it: gold links that in half of the time.
FAST_LINKER = ("-Xcompiler", "-fuse-ld=gold") if KEEP_LOADS and shutil.which("ld.gold") else ()
# The emulator counts how many pieces of code without a branch each thread runs through: see sharing.py.
COUNT_STEPS = ("-Xcompiler", "-fsanitize-coverage=trace-pc")
# clang++ links a library of its own for that, which the emulator's replaces.
OWN_LIBRARY = () if KEEP_LOADS else ("-Xcompiler", "-fno-sanitize-link-runtime")
ANSWER_OPTIONS = ("--check", "-std=c++20", *KEEP_LOADS, *COUNT_STEPS, *OWN_LIBRARY, *FAST_LINKER, "-I", str(ROOT))
# What nearly all answers include. To read it again for each of them would be half of the time that compiling takes.
PRECOMPILED = ("<cuda_runtime.h>", '"common/check.h"')
ROOM = 64 << 20  # bytes that a disk must have left
SHARED_SOURCES = (CHECKER / "checker.cpp", CHECKER / "device_work.cpp")
# Host code: what the checked build instruments is device code in .cu files. Reports name the checker's arrays by the lines
# that make them, so the callers have to be told apart: no inlining.
HOST_OPTIONS = (
    "-std=c++20",
    "-O1",
    "-fno-inline",
    "-fno-optimize-sibling-calls",
    "-g1",
    "-gdwarf-4",
    "-DEMULATOR_CHECKED",
    "-Wall",
    "-Wextra",
    "-Werror",
)


def digest(*parts: str | bytes) -> str:
    """A short hash of texts."""
    key = hashlib.sha256()
    for part in parts:
        data = os.fsencode(part) if isinstance(part, str) else part
        key.update(len(data).to_bytes(8, "little") + data)
    return key.hexdigest()[:16]


@cache
def base_key() -> str:
    """Of all that judges: the compiler, the emulator, the checker and the judge's own files."""
    rooms = [ROOT / "emulator" / room for room in EMULATOR_ROOMS]
    folders = [*rooms, CHECKER.parent]
    found = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    files = sorted(path for path in found if path.suffix not in (".pyc", ".md"))
    files += [ROOT / "common" / name for name in ("check.h", "device_buffer.h")]
    return digest(compiler_version(), *(part for path in files for part in (str(path.relative_to(ROOT)), path.read_bytes())))


def blame_full_disk(*folders: Path) -> None:
    """To be asked where something has failed."""
    for folder in folders:
        if folder.exists() and shutil.disk_usage(folder).free < ROOM:
            raise Failure(f"the disk of {console.quoted(str(folder), 200)} is full; make room there")


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser().absolute()


def read_in_a_box() -> list[Path]:
    """What any answer needs of the checkout, and the emulator's library: the one that nvcc_cpu finds, with the object files
    beside it, which it only names (a thin archive)."""
    built = ROOT / "build" / "check" / "emulator"
    return [ROOT / "common", ROOT / "emulator", built, _cache() / "cuda_emulator"]


def compiler() -> str:
    return dependencies.compiler()[-1]


def compiler_version() -> str:
    return subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=False).stdout


def lacks(exercise: Exercise) -> str:
    """'' or why this machine cannot check it, and what to install."""
    if exercise.library and not cccl.folder():
        return f"needs {cccl.WHAT}: {cccl.HOW_TO_INSTALL}"
    return host.lacks(exercise)


class Toolchain:
    """Compiles for the exercises, into a folder of the builds."""

    def __init__(self, builds: Path, box: Box | None = None, for_learner: bool = False) -> None:
        """box: in which answers are compiled and run on the emulator. for_learner: they may see the checker, and run on the GPU
        as well, if there is one, which is outside of any box."""
        self.box, self.for_learner = box, for_learner
        where = backend.choose(None if for_learner else "cpu")
        self.nvcc = where.nvcc  # None where there is no GPU
        self.host_compiler = where.host_compiler
        self.builds = builds
        self.folder = builds / "exercises"
        os.umask(0o022)  # root's answers belong to users of their own, who must be able to read what is made for them
        self.made = self.folder / base_key()

    def path(self, exercise: Exercise, suffix: str) -> Path:
        """A file that was made of an exercise, by the contents of what it was made of."""
        key = digest(exercise.checker, exercise.text(exercise.source))
        return self.made / f"{exercise.file_name.removesuffix(exercise.suffix)}.{key}{suffix}"

    def prepare(self, exercises: Sequence[Exercise], stages: bool = False) -> None:
        """Compiles what checks these exercises, unless that is there. stages: there are also stages to judge."""
        for exercise in exercises:
            if why := lacks(exercise):
                raise Failure(f"{exercise} {why}", EXIT_SETUP)
        wanted = {made: (source, exercise.host) for exercise in exercises for made, source in self._objects(exercise).items()}
        of_cuda = stages or any(not exercise.host for exercise in exercises)
        engine = of_cuda and not (self.made / "engine").exists()
        if all(made.exists() for made in wanted) and not engine:
            return
        try:
            self.made.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"{self.made} cannot be made ({error.strerror}); --build DIR names another folder") from error
        with lock(self.folder), ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(_compile, made, *what) for made, what in wanted.items() if not made.exists()]
            if engine:
                self._make_engine()
            for job in jobs:
                job.result()

    def _objects(self, exercise: Exercise) -> dict[Path, Path]:
        """What an answer is linked with: each file, and the source that it is made of."""
        if exercise.host:
            shared = {self.made / f"{exercise.host}_{source.stem}.o": source for source in host.sources(exercise.host)}
        else:
            shared = {self.made / f"{source.parent.name}_{source.stem}.o": source for source in SHARED_SOURCES}
        return {self.path(exercise, ".o"): exercise.path("check.cpp")} | shared

    def _make_engine(self) -> None:
        """Has nvcc_cpu make the emulator's library, in its checked build, and compile what nearly all answers include, once."""
        console.note("lab: preparing the checker; the first time takes longest")
        for older in self.folder.iterdir():  # made of another emulator, or with another compiler
            if older.is_dir() and older != self.made:
                shutil.rmtree(older, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            source = Path(folder, "a.cu")
            source.write_text("int main() {}\n")
            console.write_file(self._precompiled, "".join(f"#include {name}\n" for name in PRECOMPILED))
            command = [NVCC, *ANSWER_OPTIONS, "-ccbin", compiler(), "-o", Path(folder, "a"), source]
            said: list[str] = []
            progress = console.Progress()
            progress.show("preparing the checker")

            def hear(line: str) -> None:
                said.append(line)
                if part := re.search(r"(\d+) of (\d+) parts", line):
                    progress.show(f"preparing the checker: {part[1]} of {part[2]} parts")

            code = processes.stream(command, hear, env=self._environment(), on_second=progress.tick)
            progress.clear()
            if code != 0:
                blame_full_disk(self.made, Path(folder), _cache())
                raise Failure("\n".join(["the emulator cannot be built:", *said]))
        (self.made / "engine").touch()

    def compile(self, exercise: Exercise, source: str, folder: Path) -> Ended:
        """Compiles and links the answer `source`, a path below the folder, to `program` there."""
        compiling = host.compiling(exercise.host) if exercise.host else [NVCC, *ANSWER_OPTIONS, "-ccbin", compiler()]
        objects = list(self._objects(exercise))
        headers = [found] if exercise.library and (found := cccl.folder()) else []
        compiling += [f"-I{folder}" for folder in headers]
        command = [*compiling, "-o", "program", source, *objects]
        return self.make(command, folder, [*headers, *objects, host.MPI_CALLS])

    def make(self, command: Sequence[str | Path], folder: Path, reads: Sequence[Path]) -> Ended:
        """Runs a compiler that makes `program` in the folder, of what is in my/ there and of what it reads besides."""
        reads = [folder / "my", *reads, *self.made.glob(f"{self._precompiled.name}*")]
        program = folder / "program"
        ended = sandbox.run(
            command, folder, self._environment(), (), sandbox.COMPILER, 256 << 20, box=self.box, reads=reads, writes=[program]
        )
        if ended.code != 0:
            blame_full_disk(folder)
        if self.box:  # where it is made beforehand, and belongs to another user
            program.chmod(0o755)
            if program.stat().st_size == 0:
                program.unlink()
        return ended

    def read_at_work(self, exercise: Exercise) -> list[Path]:
        """What an answer's program reads besides: the checker's text, from which reports take the names of its arrays."""
        return exercise.checker_files if self.for_learner else []

    def compile_for_gpu(self, exercise: Exercise, source: str, folder: Path) -> Ended:
        """The same with nvcc, and the checker with it."""
        assert self.nvcc
        command: list[str | Path] = [
            self.nvcc,
            "-std=c++20",
            "-O3",
            "-arch=native",
            f"-I{ROOT}",
            f"-I{CHECKER}",
            "-o",
            "program",
            source,
        ]
        if exercise.library:
            command.append("--extended-lambda")  # what an algorithm takes is often one
        if self.host_compiler:
            command += ["-ccbin", self.host_compiler]
        command += [exercise.path("check.cpp"), *SHARED_SOURCES]
        return sandbox.run(command, folder, self._environment(), (), sandbox.COMPILER, 256 << 20, memory_bytes=0)

    @property
    def _precompiled(self) -> Path:
        return self.made / "precompiled.h"

    def _environment(self) -> dict[str, str]:
        """For what compiles an answer."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NVCC_")}
        own = {"LC_ALL": "C.UTF-8", "EMULATOR_PRECOMPILED": str(self._precompiled), "XDG_CACHE_HOME": str(_cache())}
        return kept | host.compilers_environment() | own

    def kept(self, exercise: Exercise) -> Json | None:
        """What the solution was seen to do: the number of assertions, and its kernels, as they were counted."""
        try:
            found: Json = json.loads(self.path(exercise, ".json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found

    def keep(self, exercise: Exercise, reference: Json) -> None:
        console.write_file(self.path(exercise, ".json"), json.dumps(reference) + "\n")


def _compile(made: Path, source: Path, kind: str) -> None:
    """Compiles a part of the checker; for a program without CUDA, of that kind."""
    includes = [f"-I{folder}" for folder in (CHECKER, ROOT, ROOT / "emulator" / "include")]
    temporary = made.with_suffix(f".{os.getpid()}.tmp.o")
    compiling = [*host.checkers_compiler(kind), "-DHOST_PROGRAM"] if kind else [compiler()]
    command = [*compiling, *HOST_OPTIONS, *includes, "-c", str(source), "-o", str(temporary)]
    environment = os.environ | host.compilers_environment()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        blame_full_disk(made.parent, Path(tempfile.gettempdir()))
        raise Failure(f"{source.relative_to(ROOT)} does not compile:\n{done.stderr.rstrip()}")
    temporary.replace(made)
