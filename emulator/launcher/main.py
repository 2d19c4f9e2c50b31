"""The compiler launcher: what `compile COMPILER ARGUMENTS...` does."""

from __future__ import annotations

import os
import sys

from .command import source_positions


def main() -> None:
    command = sys.argv[1:]
    if not command:
        sys.exit("usage: compile COMPILER ARGUMENTS...")
    sources = source_positions(command)
    if not sources or not {"-c", "-S", "-E"} & set(command):
        os.execvp(command[0], command)
    if len(sources) > 1:
        sys.exit("compile: one .cu file a command, please")

    from .compilation import compile_cuda  # only here, since the rewriter takes its time to load

    sys.exit(compile_cuda(command, sources[0]))
