"""What a job needs on this machine, and installing what is missing with apt."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shared import console, processes
from shared.console import EXIT_SETUP, Failure

CMAKE_MINIMUM = (3, 24)
GIVEN_UP = "packages-left-out"  # the name of a list, in the folder of the builds

# One run of the preprocessor says which headers are there: far quicker than compiling them.
HEADER_PROBE = """
#if __cplusplus >= 202002L && __has_include(<span>)
has_cxx20
#endif
#if __has_include(<omp.h>)
has_openmp
#endif
#if __has_include(<boost/context/fiber.hpp>)
has_boost
#endif
#if __has_include(<CLI/CLI.hpp>)
has_cli11
#endif
#if __has_include(<png.h>)
has_png
#endif
#if __has_include(<catch2/catch.hpp>) || __has_include(<catch2/catch_test_macros.hpp>)
has_catch2
#endif
#if __has_include(<GLFW/glfw3.h>)
has_glfw
#endif
#if __has_include(<GL/gl.h>)
has_gl
#endif
#if __has_include(<X11/extensions/XTest.h>)
has_xtest
#endif
"""


@dataclass(frozen=True)
class Missing:
    """A thing that is needed and not there, and the Debian and Ubuntu package that brings it."""

    what: str
    package: str


def ensure(emulator: bool, tests: bool, may_install: bool, builds: Path) -> None:
    """Returns when everything is there; installs what is not, or says what to do. Uses the network only to install.

    What only windows and MPI take is installed as well, but nothing fails without it. What could not be installed is
    kept in the folder of the builds, so that it is tried and told only once.
    """
    missing = find_missing(emulator, tests)
    if missing and not may_install:
        what, packages = _in_words(missing)
        raise Failure(f"missing: {what} (Debian and Ubuntu: apt-get install {' '.join(packages)})", EXIT_SETUP)
    given_up = _given_up(builds)
    options = [item for item in find_missing_options(tests) if item.package not in given_up] if may_install else []
    if not missing and not options:
        return
    if missing:
        console.note(f"lab: missing: {_in_words(missing)[0]}")
    if options:
        console.note(f"lab: missing, for windows and for programs of several processes only: {_in_words(options)[0]}")
    try:
        _install(_in_words(missing)[1], _in_words(options)[1])
    except Failure as failure:
        if missing:
            raise
        console.note(f"lab: {failure}")
    if missing := find_missing(emulator, tests):
        raise Failure(f"still missing after apt-get: {_in_words(missing)[0]}", EXIT_SETUP)
    if options := [item for item in options if item in find_missing_options(tests)]:
        console.note(f"lab: going on without {_in_words(options)[0]}")
        with suppress(Failure):  # then it is told again
            console.write_file(builds / GIVEN_UP, "\n".join(sorted({*given_up, *_in_words(options)[1]})) + "\n")


def _given_up(builds: Path) -> list[str]:
    """The packages that could not be installed, and that nothing needs."""
    try:
        return (builds / GIVEN_UP).read_text(encoding="utf-8").split()
    except OSError:
        return []


def forget(builds: Path) -> None:
    """Next time, what could not be installed is tried again."""
    with suppress(OSError):
        (builds / GIVEN_UP).unlink()


def find_missing(emulator: bool, tests: bool) -> list[Missing]:
    """Looks for everything by quick local probes. emulator: also for what only the emulator needs; tests: also for
    what they call."""
    missing = []
    found = probe()
    if "has_cxx20" not in found:
        missing.append(Missing(f"a C++20 compiler ({' '.join(compiler())})", _compiler_package()))
    if "has_openmp" not in found and ("has_cxx20" in found or _openmp_package() != _compiler_package()):
        missing.append(Missing("OpenMP", _openmp_package()))
    if not _cmake_is_new_enough():
        missing.append(Missing("CMake {}.{} or newer".format(*CMAKE_MINIMUM), "cmake"))
    if not shutil.which("ninja"):
        missing.append(Missing("Ninja", "ninja-build"))
    if tests and not shutil.which("make"):
        missing.append(Missing("make", "make"))
    if emulator and not ("has_boost" in found and _has_library("libboost_context")):
        missing.append(Missing("Boost.Context", "libboost-context-dev"))
    if "has_cli11" not in found:
        missing.append(Missing("CLI11", "libcli11-dev"))
    if "has_png" not in found:
        missing.append(Missing("libpng", "libpng-dev"))
    if "has_catch2" not in found:
        missing.append(Missing("Catch2", "catch2"))
    return missing


def find_missing_options(tests: bool) -> list[Missing]:
    """What --show and MPI need; tests: also what is needed to test windows without a display."""
    missing = []
    found = probe()
    if "has_glfw" not in found:
        missing.append(Missing("GLFW", "libglfw3-dev"))
    if "has_gl" not in found:
        missing.append(Missing("OpenGL", "libgl-dev"))
    if tests and "has_xtest" not in found:
        missing.append(Missing("XTest", "libxtst-dev"))
    if tests and not shutil.which("Xvfb"):
        missing.append(Missing("Xvfb", "xvfb"))
    if "has_mpi" not in found:
        missing.append(Missing("Open MPI", "libopenmpi-dev"))
    if not shutil.which("mpirun"):
        missing.append(Missing("mpirun", "openmpi-bin"))
    return missing


def _in_words(missing: list[Missing]) -> tuple[str, list[str]]:
    return ", ".join(item.what for item in missing), [item.package for item in missing]


def compiler() -> list[str]:
    """The C++ compiler's command: $CXX, else g++."""
    return shlex.split(os.environ.get("CXX", "")) or ["g++"]


def _compiler_package() -> str:
    name = Path(compiler()[0]).name
    match = re.fullmatch(r"(g\+\+|clang)(?:\+\+)?(-\d+)?", name)
    if not match:
        raise Failure(f"the compiler that CXX names, '{' '.join(compiler())}', is no C++20 compiler here", EXIT_SETUP)
    return match[1] + (match[2] or "")


def _openmp_package() -> str:
    """g++ brings its own OpenMP, clang's is a package with the same version."""
    package = _compiler_package()
    return package.replace("clang", "libomp") + "-dev" if package.startswith("clang") else package


def probe() -> set[str]:
    """What HEADER_PROBE finds, and whether a program with <mpi.h> can be compiled."""
    mpi = processes.ask(["env", f"OMPI_CXX={shlex.join(compiler())}", "mpicxx", "-E", "-x", "c++", "-"], "#include <mpi.h>\n")
    return _probe_headers() | ({"has_mpi"} if mpi is not None else set())


def _probe_headers() -> set[str]:
    command = [*compiler(), "-std=c++20", "-E", "-P", "-x", "c++", "-"]
    text = processes.ask(command, HEADER_PROBE)
    if text is None and not shutil.which(compiler()[0]):
        # No compiler yet: the usual place tells which packages to fetch along with it.
        return _headers_without_compiler()
    return set((text or "").split())


def _headers_without_compiler() -> set[str]:
    places = {
        "has_boost": ["boost/context/fiber.hpp"],
        "has_cli11": ["CLI/CLI.hpp"],
        "has_png": ["png.h"],
        "has_catch2": ["catch2/catch.hpp", "catch2/catch_test_macros.hpp"],
        "has_glfw": ["GLFW/glfw3.h"],
        "has_gl": ["GL/gl.h"],
        "has_xtest": ["X11/extensions/XTest.h"],
    }
    return {name for name, headers in places.items() if any(Path("/usr/include", h).exists() for h in headers)}


def _has_library(name: str) -> bool:
    """Debian's Boost headers come without the libraries, so the header alone proves nothing."""
    if not shutil.which(compiler()[0]):
        return any(Path("/usr/lib").glob(f"*/{name}.so"))
    for suffix in (".so", ".a"):
        answer = processes.ask([*compiler(), f"-print-file-name={name}{suffix}"])
        if answer and Path(answer.strip()).is_absolute():
            return True
    return False


def _cmake_is_new_enough() -> bool:
    match = re.search(r"cmake version (\d+)\.(\d+)", processes.ask(["cmake", "--version"]) or "")
    return match is not None and (int(match[1]), int(match[2])) >= CMAKE_MINIMUM


def _install(needed: list[str], options: list[str]) -> None:
    """One round of apt-get for all of it; where that fails, another one for what is needed alone."""
    packages = needed + options
    by_hand = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(needed or options)}"
    if not shutil.which("apt-get"):
        raise Failure(
            f"there is no apt-get here, so please install by hand what is missing; the packages are called "
            f"{' '.join(needed or options)} on Debian and Ubuntu",
            EXIT_SETUP,
        )
    if os.geteuid() != 0 and not shutil.which("sudo"):
        raise Failure(f"installing needs root and there is no sudo; as root, run: {by_hand}", EXIT_SETUP)
    if not os.environ.get("LAB_APT_UPDATED"):
        os.environ["LAB_APT_UPDATED"] = "1"
        if not _apt_get("update"):
            raise Failure(f"installing failed; by hand it would be, as root: {by_hand}", EXIT_SETUP)
    install = ("install", "-y", "--no-install-recommends")
    if _apt_get(*install, *packages):
        return
    if needed and options:
        console.note("lab: not all of it can be installed; once more, with only what is needed")
        if _apt_get(*install, *needed):
            return
    raise Failure(f"installing failed; by hand it would be, as root: {by_hand}", EXIT_SETUP)


def _apt_get(*arguments: str) -> bool:
    """Shows the command, runs it as root and says whether it went well."""
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *arguments]
    if os.geteuid() != 0:
        command.insert(0, "sudo")
    console.note(console.wrapped(f"+ {shlex.join(command)}", "    ", " \\"))
    return processes.call(command) == 0
