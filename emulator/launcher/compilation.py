"""Compiles a .cu file: rewrites it, and runs the compiler on what was made of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from rewriter import Mistakes, Options, RewriteError, rewrite_file

from .command import values, without_output
from .dependencies import dependency_file, name_originals

if TYPE_CHECKING:
    from collections.abc import Callable

    from rewriter import Source


EMULATOR = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
INCLUDE = os.path.join(EMULATOR, "include")
# What nvcc defines for .cu files, of the version that the emulator follows.
PREDEFINED = ["-D__NVCC__", "-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=0"]
# The checked build, EMULATOR_CHECKED: the compiler is to tell emulator/src/checked/hooks.cpp of each access to memory.
# - Not more than -O1, or accesses are gone that the source has. Structures stay whole, so that a float4 is one access.
# - Each store stays where it is, in a loop too, even if the next one is to the same place.
# - The code stays in the order of the source, from which checked/counters/counters.h knows where lanes meet again.
# - What memcpy() touches is seen if it is called. _FORTIFY_SOURCE, which Ubuntu sets, would make a built-in one of it.
# - g++ does not tell of a structure that a call takes from memory or leaves there, but does where the function is inlined.
# - bounds-strict has an eye on arrays that are a structure's last member, too.
CHECKED = [
    "-O1",
    "-fsanitize=thread",
    "-fsanitize=bounds,integer-divide-by-zero,shift-exponent",
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-memset",
    "-U_FORTIFY_SOURCE",
]
CHECKED_BY_GCC = [
    "-fsanitize=bounds-strict",
    *("--param", "tsan-distinguish-volatile=1"),
    "-fno-tree-sra",
    "-fno-reorder-blocks",
    "-fno-move-loop-stores",
    "-fno-tree-dse",
    "-Wno-tsan",
    "-finline-small-functions",
    "-finline-functions",
    *("--param", "max-inline-insns-auto=1000"),
    *("--param", "max-inline-insns-single=1000"),
    *("--param", "early-inlining-insns=1000"),
]
# An access through null or a division by zero that g++ foresees becomes one all the same, and no instruction to abort.
AS_WRITTEN_BY_GCC = ["-fno-isolate-erroneous-paths-dereference"]
CHECKED_BY_CLANG = ["-mllvm", "-tsan-distinguish-volatile", "-mllvm", "-disable-block-placement"]


def compile_cuda(command: list[str], at: int, stem: str | None = None, run: Callable[[list[str]], int] | None = None) -> int:
    """Runs the command of a compiler whose source, a CUDA file, is command[at]. Returns its exit status.

    The rewritten files have names that begin with `stem`; without it they lie beside the object. `run` runs a command and
    returns its exit status."""
    source = command[at]
    name = os.path.splitext(os.path.basename(source))[0]
    output = next(values(command, "-o"), None)
    if output and os.path.isfile(output) and os.path.samefile(source, output):
        print(f"compile: input file '{source}' is the same as output file", file=sys.stderr)
        return 1
    stem = stem or (output if output and output != "-" else name + ".o")
    rewritten, copies = stem + ".cpp", stem + ".headers"
    shutil.rmtree(copies, ignore_errors=True)
    if os.path.exists(rewritten):
        os.remove(rewritten)
    checked = "EMULATOR_CHECKED" in values(command, "-D")
    before, after = _options(command, at, checked)
    before[1:1] = ["-include", _runtime_header([*before, *after])]

    def confirm(suspected: Source, text: str, cccl: str | None) -> None:
        _confirm(suspected, text, stem + ".marked.cpp", _with_thrust([*before, *after], cccl))

    folders, quote_folders, system_folders = (list(values(command, option)) for option in ("-I", "-iquote", "-isystem"))
    options = Options(folders, quote_folders, system_folders, copies, checked, list(values(command, "-D")))
    try:
        written, cccl = rewrite_file(source, rewritten, options, None if "-E" in command else confirm)
    except (RewriteError, Mistakes) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or source}: error: {error.strerror}", file=sys.stderr)
        return 1
    command = _with_thrust([*before, *after, "-x", "c++", rewritten if written else source], cccl)
    status = run(command) if run else subprocess.run(command, check=False).returncode
    dependencies = dependency_file(command, stem, name, output)
    if status == 0 and dependencies and os.path.isfile(dependencies):
        name_originals(dependencies, written)
    return status if status >= 0 else 128 - status


def _options(command: list[str], at: int, checked: bool) -> tuple[list[str], list[str]]:
    """The command for the rewritten file, in two parts: what stands before the source, and what stands behind it."""
    before = command[:1] + [*PREDEFINED, "-iquote", os.path.dirname(command[at]) or "."] + command[1:at]
    if any(re.fullmatch(r"-g(?!0|no-|split)\w*", argument) for argument in command):
        before.insert(1, "-gdwarf-4")  # Of version 5, addr2line 2.40 takes the file that #line names first for the other.
    after = [*command[at + 1 :], "-Wno-unknown-pragmas"]  # nvcc knows #pragma unroll
    is_clang = "clang" in os.path.basename(command[0])
    after += [] if is_clang else AS_WRITTEN_BY_GCC
    if checked:
        after += CHECKED + (CHECKED_BY_CLANG if is_clang else CHECKED_BY_GCC)
    return before, after


def _with_thrust(command: list[str], cccl: str | None) -> list[str]:
    """The compiler's command for a file that includes Thrust: CCCL's libcu++ takes the place of the emulator's."""
    if cccl is None:
        return command
    own = os.path.join(INCLUDE, "emulator")
    put_in_front = ["-I", os.path.join(own, "cccl"), "-I", cccl]
    before, after = command[:3], command[3:]  # the compiler and -include cuda_runtime.h
    for at, argument in enumerate(after):  # Of a folder that -isystem names, too, the compiler forgets that it is in front.
        if argument == "-isystem" and after[at + 1] == cccl:
            after[at] = "-I"
        elif argument == "-isystem" + cccl:
            after[at] = "-I" + cccl
    return [before[0], *put_in_front, *before[1:], "-include", os.path.join(own, "thrust.h"), *after]


def _runtime_header(command: list[str]) -> str:
    """cuda_runtime.h, or the header in its place that EMULATOR_PRECOMPILED names. That one is compiled here, once for all
    sources with the same options; a compiler that makes nothing of it reads the header as it is."""
    header = os.environ.get("EMULATOR_PRECOMPILED")
    if not header:
        return os.path.join(INCLUDE, "cuda_runtime.h")
    if not os.path.exists(header + ".gch"):
        made = f"{header}.{os.getpid()}"
        compiled = subprocess.run(
            [*without_output(command), "-x", "c++-header", header, "-o", made], capture_output=True, check=False
        )
        if compiled.returncode == 0:
            os.replace(made, header + ".gch")
    return header


def _confirm(suspected: Source, text: str, marked: str, command: list[str]) -> None:
    """Asks the compiler about what is suspected, with `text` in the file `marked`. Raises the mistakes that it confirms."""
    from rewriter.checks.confirm import confirmed  # rarely needed

    with open(marked, "w", encoding="latin-1", newline="") as file:
        file.write(text)
    asked = without_output([*command, "-x", "c++", marked])
    mistakes = confirmed(suspected, [*asked, "-fsyntax-only", "-Wdeprecated-declarations"])
    os.remove(marked)
    if mistakes:
        raise Mistakes("\n".join(str(mistake) for mistake in mistakes))
