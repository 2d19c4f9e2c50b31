"""The host's C++ compiler: which one it is, how it is run, and what its messages mean."""

from __future__ import annotations

import errno
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from .messages import Failure, fail, short

if TYPE_CHECKING:
    from .command_line import Command


# What preprocessor, assembler and linker say when they cannot write; each in lines of its own.
NO_SPACE = os.strerror(errno.ENOSPC)
NOT_WRITTEN = re.compile(
    "when writing output to|opening output file|cannot open output file|Fatal error: can't|"
    "final link failed: Illegal seek|" + re.escape(NO_SPACE)
)


class Library(NamedTuple):
    """What a program on the emulator is linked with, and what the compiler says where it is missing."""

    name: str
    option: str
    package: str
    signs: tuple[str, ...]
    only_checked: bool = False


LIBRARIES = [
    Library("libdw", "-ldw", "libdw-dev", ("elfutils/libdw", "dwarf.h", "cannot find -ldw")),
    Library("zlib", "-lz", "zlib1g-dev", ("zlib.h", "cannot find -lz"), only_checked=True),
]
IS_X86_64 = platform.machine() == "x86_64"
# No product is fused with a sum, so that a program gives the same bits everywhere: not every x86-64 has such instructions.
ARITHMETIC = [] if IS_X86_64 else ["-ffp-contract=off"]
# A large local array touches each of its pages, so that what overflows a stack does not land beyond its guard page.
STACKS = ["-fstack-clash-protection"] if IS_X86_64 else []
if not IS_X86_64:  # where the emulator switches fibers by itself
    LIBRARIES.append(
        Library("Boost.Context", "-lboost_context", "libboost-context-dev", ("boost/context", "cannot find -lboost_context"))
    )


def linked_libraries(checked: bool) -> list[str]:
    """The options that link a program with what the emulator needs."""
    return [library.option for library in LIBRARIES if checked or not library.only_checked]


def require_libraries(compiler: str, checked: bool, folder: str) -> None:
    """Ends if what a program is linked with is missing, before anything is compiled: that takes its time."""
    nothing = os.path.join(folder, "nothing.so")
    command = [compiler, "-shared", "-nostdlib", "-o", nothing, *linked_libraries(checked)]
    fail_without_library(subprocess.run(command, capture_output=True, text=True, errors="replace", check=False).stderr)


def find_compiler(command: Command) -> str:
    asked = command.last("compiler", os.environ.get("NVCC_CCBIN", ""))
    if not asked:
        found = next((name for name in ("g++", "c++", "clang++") if shutil.which(name)), None)
        return found or fail("no C++ compiler found (Debian and Ubuntu: apt-get install g++)")
    if os.path.isdir(asked):
        asked = os.path.join(asked, "g++")
    if os.path.basename(asked) in ("gcc", "clang"):  # nvcc, too, means the C++ compiler by it
        asked = os.path.join(os.path.dirname(asked), {"gcc": "g++", "clang": "clang++"}[os.path.basename(asked)])
    return asked if shutil.which(asked) else fail("there is no compiler '{}'", asked)


def run_compiler(command: list[str]) -> int:
    """Runs the compiler and passes its messages on; after them, names what CUDA has and the emulator has not."""
    color = ["-fdiagnostics-color=always"] if sys.stderr.isatty() and command[0] != "ar" else []
    done = subprocess.run(
        command[:1] + color + command[1:], stderr=subprocess.PIPE, text=True, errors="surrogateescape", check=False
    )
    if done.returncode != 0:
        _fail_if_not_written(done.stderr, command)
    sys.stderr.write(done.stderr)
    fail_without_library(done.stderr)
    _explain(done)
    return done.returncode


def _explain(done: subprocess.CompletedProcess[str]) -> None:
    plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", done.stderr)
    if sample := re.search(r"fatal error: ['‘]?(helper_\w+\.h)['’]?(?: file not found|: No such file)", plain):
        print(f"nvcc_cpu: {sample[1]} comes with NVIDIA's CUDA samples; -I names their folder Common", file=sys.stderr)
    name = r"(cu(?:da)?[A-Z]\w*|CU[a-z]\w*|__\w+|(?:atomic|tex)[A-Z0-9]\w*)"
    missing = re.findall(
        rf"['‘]{name}['’](?: was not declared| does not name a type|; did you mean)|"
        rf"undeclared identifier '{name}'",
        plain,
    )
    missing = sorted({name for pair in missing for name in pair if name})
    source = done.args[-3]  # as the messages name it, unless it is what a .cu file has become
    for_devices = "<<<" in plain or any(not name.startswith("cu") for name in missing)
    if done.returncode == 0:
        return
    if for_devices and f"{source}:" in plain:
        words = "is compiled as host code, as by nvcc: kernels, what they call and their launches need a name that ends in .cu"
        print(f"nvcc_cpu: {source} {words}, or -x cu", file=sys.stderr)
    elif missing:
        print(f"nvcc_cpu: not supported (or misspelt): {', '.join(missing)}", file=sys.stderr)


def _fail_if_not_written(messages: str, command: list[str]) -> None:
    if NOT_WRITTEN.search(messages):
        output = command[command.index("-o") + 1] if "-o" in command else command[2]  # the compiler's, or ar's
        where = "to standard output" if output == "-" else f"'{output}'"
        why = f": {NO_SPACE}, there or in {tempfile.gettempdir()}" if NO_SPACE in messages else ""
        raise Failure(f"nvcc_cpu: error: cannot write {short(where)}{why}")


def fail_without_library(messages: str) -> None:
    """Ends with one line if the compiler's or the linker's messages say that a library of the engine is not there."""
    for library in LIBRARIES:
        if any(sign in messages for sign in library.signs):
            fail("{} is missing (Debian and Ubuntu: apt-get install {})", library.name, library.package)
