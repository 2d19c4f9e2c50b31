"""Turns CUDA C++ into C++ for an ordinary compiler: the source-to-source step of the emulator.

It works on the tokens of a file before preprocessing, and changes only what C++ cannot express. It expands macros for the text
of inline PTX only.

    k<<<grid, block>>>(x)           (::emulator::Launch(grid, block), k(x))
    __global__ void k(...) {...}    ... { EMULATOR_KERNEL_BEGIN(1024) {...} EMULATOR_KERNEL_END }
    __shared__ float a[16];         struct site; auto& a = ::emulator::shared<site, float[16]>("a");
    __device__ int counter;         EMULATOR_DEVICE_VARIABLE int counter;

All other text stays byte for byte. `#line` directives after each change make a compiler report every error at the
line and column of the user's file.

The order of things, and where each is:

    project         a .cu file and, before it, the headers that it includes: for each file
      lexer           text -> tokens and directives
      parsed_file     tokens -> streams with matched brackets (token_stream): the file itself, the body of each #define
      passes/         each pass finds one thing in a stream and leaves edits for it; passes/__init__.py has the list
      checks/         what nvcc refuses and C++ would take: certain mistakes are errors, others suspicions
      rendering       text + edits -> the new text, with #line directives
    rewrite_file    writes it, and copies of the headers that changed; has suspicions confirmed by the compiler

They use expressions (finds where an expression begins or ends), bodies (which function a token stands in), preprocessor (what
macros make of tokens), vocabulary (sets of words) and unsupported (what is refused, as data). None looks at the same tokens
again and again: the time is linear in the length of the file.

    python3 emulator/rewriter FILE.cu [-I DIR]... [-o OUT]      shows what becomes of a file
"""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .encoding import write_text
from .errors import Mistakes, RewriteError
from .project import Options, Project, Source, included
from .rendering import LineTable

__all__ = [
    "LineTable",
    "Mistakes",
    "Options",
    "Project",
    "RewriteError",
    "Rewritten",
    "Source",
    "included",
    "rewrite",
    "rewrite_file",
]


Confirm = Callable[[Source, str, str | None], None]  # see rewrite_file


class Rewritten(NamedTuple):
    """What has become of a .cu file."""

    originals: dict[str, str]  # written file -> the original; empty if the file can stay as it is
    cccl: str | None  # the folder from which it includes Thrust


@contextlib.contextmanager
def no_collections() -> Iterator[None]:
    """A file has many tokens and no garbage: that the collector looks at them again and again takes a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@no_collections()
def rewrite(text: str, path: str, options: Options | None = None) -> str:
    """Returns the C++ of the CUDA C++ in `text`, a file that is called `path`. Copies of headers are not written."""
    project = Project(options or Options())
    source = project.add(path, text)
    project.finish()
    return project.render(source, is_copy=False)[1]


@no_collections()
def rewrite_file(path: str, output: str, options: Options, confirm: Confirm | None = None) -> Rewritten:
    """Rewrites a file and the headers it needs. A pipe is always rewritten, since it can be read only once.

    `confirm(source, text, cccl)` is called if mistakes are suspected, with a text in which what is suspected is marked."""
    project = Project(options)
    main = project.add(path)
    project.finish()
    main.changed = main.changed or not os.path.isfile(path)
    texts = {output: (main.path, project.render(main, is_copy=False)[1])}
    for source in project.sources.values():
        if source.copy is not None and source is not main:
            texts[source.copy] = (source.path, project.render(source)[1])
    for name, (_, text) in texts.items() if main.changed else ():
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        write_text(name, text)
    if main.suspicions and confirm:
        confirm(main, project.render(main, is_copy=False, marked=True)[1], project.cccl)
    return Rewritten({name: original for name, (original, _) in texts.items()} if main.changed else {}, project.cccl)
