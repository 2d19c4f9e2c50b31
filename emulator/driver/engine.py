"""The emulator's own library, libemulator.a: installed, found in a build folder, or compiled once into a cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

from .compiler import ARITHMETIC, fail_without_library
from .messages import Failure, explained, fail
from .options import EMULATOR

INSTALLED = os.path.join(EMULATOR, "lib64")  # where emulator/ is installed (cmake/install.cmake)
OPTIONS = ["-std=c++20", "-O2", "-g1", "-DNDEBUG", "-DEMULATOR_ENGINE", "-fPIC", "-fno-semantic-interposition", *ARITHMETIC]
SELDOM_USED = dict.fromkeys(("graphs", "host", "memory", "reports", "runtime_api", "trace"), "-Og")
LEVELS = SELDOM_USED | dict.fromkeys(("checked", "counters"), "-O1")  # of rooms: CMakeLists.txt says what that saves


def emulator_library(compiler: str, shared: bool, checked: bool) -> str:
    """Where libemulator.a is: installed, in a build folder beside emulator/, or in a cache, where it is made on first use."""
    installed = os.path.join(INSTALLED, "checked" if checked else "", "libemulator.a")
    if os.path.exists(installed):
        return installed
    preset = "check" if checked else "cpu"
    built = os.path.join(os.path.dirname(EMULATOR), "build", preset, "emulator", "libemulator.a")
    files = _sources_and_headers()
    if not shared and os.path.exists(built) and all(os.path.getmtime(f) <= os.path.getmtime(built) for f in files):
        return built
    options = OPTIONS + (["-DEMULATOR_CHECKED", f'-DEMULATOR_FOLDER="{EMULATOR}"'] if checked else [])
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "cuda_emulator")
    library = os.path.join(cache, _key(compiler, options, files), "libemulator.a")
    if os.path.exists(library):
        return library
    part_of_checks = f"{os.sep}checked{os.sep}"
    sources = [name for name in files if name.endswith(".cpp") and (checked or part_of_checks not in name)]
    try:
        os.makedirs(os.path.dirname(library), exist_ok=True)
        with open(library + ".lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(library):
                print(f"nvcc_cpu: compiling the emulator itself, once, to {library}", file=sys.stderr)
                _build_library(compiler, sources, options, library)
    except OSError as error:
        fail("cannot write the emulator's library: {} (XDG_CACHE_HOME names another folder for it)", explained(error))
    return library


def is_installed(path: str) -> bool:
    """Whether the library, or its folder, came with an installation."""
    return os.path.join(path, "").startswith(os.path.join(INSTALLED, ""))


def _sources_and_headers() -> list[str]:
    return sorted(
        os.path.join(folder, name)
        for part in ("include", "src", "watch")
        for folder, _, files in os.walk(os.path.join(EMULATOR, part))
        for name in files
    )


def _key(compiler: str, options: list[str], files: list[str]) -> str:
    """Tells the libraries in the cache apart: what each is made of, with which compiler and options."""
    version = subprocess.run([compiler, "--version"], capture_output=True, check=False).stdout
    key = hashlib.sha256(os.path.realpath(shutil.which(compiler) or compiler).encode() + version + "\0".join(options).encode())
    for name in files:
        with open(name, "rb") as file:
            key.update(os.path.relpath(name, EMULATOR).encode() + b"\0" + file.read() + b"\0")
    return key.hexdigest()[:16]


def _precompiled(compiler: str, options: list[str], folder: str) -> list[str]:
    """The options that give each source the library's headers precompiled, which saves a quarter of the time; none if the
    compiler does not make them."""
    header = os.path.join(folder, "library.h")
    with open(header, "w", encoding="ascii") as file:
        file.writelines(f"#include <{name}>\n" for name in ("algorithm", "map", "memory", "mutex", "string", "vector"))
    made = subprocess.run(
        [compiler, *options, "-x", "c++-header", header, "-o", header + ".gch"], capture_output=True, check=False
    )
    return ["-include", header] if made.returncode == 0 else []


def _build_library(compiler: str, sources: list[str], options: list[str], library: str) -> None:
    from concurrent.futures import ThreadPoolExecutor, as_completed  # rarely needed, and slow to load

    with tempfile.TemporaryDirectory(dir=os.path.dirname(library)) as folder:
        include = [*_precompiled(compiler, options, folder), "-I", os.path.join(EMULATOR, "include")]

        rooms: dict[str, list[str]] = {}  # each is compiled as one: CMakeLists.txt says why
        for source in sources:
            rooms.setdefault(os.path.dirname(source), []).append(source)

        def build(room: str) -> str:
            made = os.path.join(folder, os.path.relpath(room, EMULATOR).replace(os.sep, "_") + ".o")
            less = [LEVELS[name]] if (name := os.path.basename(room)) in LEVELS else []
            done = subprocess.run(
                [compiler, *options, *less, *include, "-x", "c++", "-c", "-", "-o", made],
                input="".join(f'#include "{source}"\n' for source in rooms[room]),
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                fail_without_library(done.stderr)
                raise Failure(f"nvcc_cpu: error: the emulator does not compile with {compiler}:\n{done.stderr}")
            return made

        objects = []
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for done in as_completed([pool.submit(build, room) for room in rooms]):
                objects.append(done.result())
                print(f"nvcc_cpu: {len(objects)} of {len(rooms)} parts", file=sys.stderr, flush=True)
        made = os.path.join(folder, "libemulator.a")
        if subprocess.run(["ar", "rcs", made, *objects], check=False).returncode != 0:
            fail("ar could not make the emulator's library")
        os.replace(made, library)
