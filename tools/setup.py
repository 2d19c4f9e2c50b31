"""What a job needs on this machine, and installing what is missing with apt."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import console
from console import EXIT_SETUP, Failure

CMAKE_MINIMUM = (3, 24)

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


def ensure(emulator: bool, tests: bool, may_install: bool) -> None:
    """Returns when everything is there; installs what is not, or says what to do. Uses the network only to install.

    What only windows and MPI take is installed as well, but nothing fails without it.
    """
    missing = find_missing(emulator)
    if missing:
        what, packages = _in_words(missing)
        if not may_install:
            raise Failure(f"missing: {what} (Debian and Ubuntu: apt-get install {' '.join(packages)})", EXIT_SETUP)
        console.note(f"lab: missing: {what}")
        _install(packages)
        missing = find_missing(emulator)
        if missing:
            raise Failure(f"still missing after apt-get: {_in_words(missing)[0]}", EXIT_SETUP)
    if may_install and (wanted := find_missing_options(tests)):
        what, packages = _in_words(wanted)
        console.note(f"lab: missing, for windows and for programs of several processes only: {what}")
        try:
            _install(packages)
        except Failure as failure:
            console.note(f"lab: {failure}")
            console.note("lab: going on without")


def find_missing(emulator: bool) -> list[Missing]:
    """Looks for everything by quick local probes. emulator: also for what only the emulator needs."""
    missing = []
    found = probe()
    if "has_cxx20" not in found:
        missing.append(Missing(f"a C++20 compiler ({' '.join(compiler())})", _compiler_package()))
    elif "has_openmp" not in found:
        missing.append(Missing("OpenMP", _openmp_package()))
    if not _cmake_is_new_enough():
        missing.append(Missing("CMake {}.{} or newer".format(*CMAKE_MINIMUM), "cmake"))
    if not shutil.which("ninja"):
        missing.append(Missing("Ninja", "ninja-build"))
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
    mpi = console.ask(["mpicxx", "-E", "-x", "c++", "-"], "#include <mpi.h>\n")
    return _probe_headers() | ({"has_mpi"} if mpi is not None else set())


def _probe_headers() -> set[str]:
    command = [*compiler(), "-std=c++20", "-E", "-P", "-x", "c++", "-"]
    text = console.ask(command, HEADER_PROBE)
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
        answer = console.ask([*compiler(), f"-print-file-name={name}{suffix}"])
        if answer and Path(answer.strip()).is_absolute():
            return True
    return False


def _cmake_is_new_enough() -> bool:
    match = re.search(r"cmake version (\d+)\.(\d+)", console.ask(["cmake", "--version"]) or "")
    return match is not None and (int(match[1]), int(match[2])) >= CMAKE_MINIMUM


def _install(packages: list[str]) -> None:
    update = ["apt-get", "update"]
    install = [
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        "install",
        "-y",
        "--no-install-recommends",
    ] + packages
    by_hand = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(packages)}"
    if not shutil.which("apt-get"):
        raise Failure(
            f"there is no apt-get here, so please install by hand what is missing; the packages are called "
            f"{' '.join(packages)} on Debian and Ubuntu",
            EXIT_SETUP,
        )
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            raise Failure(f"installing needs root and there is no sudo; as root, run: {by_hand}", EXIT_SETUP)
        update.insert(0, "sudo")
        install.insert(0, "sudo")
    steps = [install] if os.environ.get("LAB_APT_UPDATED") else [update, install]
    os.environ["LAB_APT_UPDATED"] = "1"
    for command in steps:
        console.note(f"+ {shlex.join(command)}")
        if console.call(command) != 0:
            raise Failure(f"installing failed; by hand it would be, as root: {by_hand}", EXIT_SETUP)
