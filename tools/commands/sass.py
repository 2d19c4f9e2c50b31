"""./lab sass: the machine code of a stage, or of a file, beside its source."""

import argparse
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from reports import pages
from sass import chosen, limits, page, programs, text, view
from sass.chosen import Source
from shared import arguments, console, language
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure
from translating import web
from translating.translation import SASS, Translation


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "sass",
        arguments="CHAPTER STAGE [STAGE]",
        summary="the machine code of a stage's kernels\nbeside their source",
        examples={
            "./lab sass 5 4": "see what the GPU is told to do",
            "./lab sass my/03_1_guard.cu": "the same of any file",
        },
        program_arguments="OPTIONS OF NVCC",
        description="Compiles a stage, or a .cu file, with nvcc and shows the instructions of its kernels (SASS) beside the "
        "source lines that they come from, with the registers and the shared memory that they take and how many blocks of "
        "them a multiprocessor holds. No GPU is needed. Two stages, or two files, stand side by side.",
    )
    parser.add_argument("chapter", metavar="CHAPTER", help="e.g. 5, 05, dot_product; or a .cu file, or an exercise: 3.1")
    parser.add_argument("stages", metavar="STAGE", nargs="*", help="by number or name; or a program of the chapter")
    default = "default: that of the GPU that is there; without one, sm_90 as on the H100 and H200 of the results"
    parser.add_argument("--arch", metavar="ARCH", help=f"sm_75 to sm_121 ({default})")
    parser.add_argument("--text", action="store_true", help="a listing for the terminal, and no page")
    parser.add_argument(
        "--block",
        metavar="THREADS",
        type=_threads,
        help="threads of a block (default: as the file launches it, where that is seen)",
    )
    parser.add_argument("--shared", metavar="BYTES", type=_bytes, help="shared memory that the launch asks for")
    parser.add_argument("-o", dest="file", metavar="FILE", help="where to write it; - for standard output")
    parser.add_argument("--no-open", action="store_true", help="do not open the page")
    parser.add_argument("--install-cuda", action="store_true", help="download a CUDA toolkit if none has nvdisasm (0.7 GB)")
    arguments.add_set_up(parser)


def _threads(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= limits.MOST_THREADS:
        raise argparse.ArgumentTypeError(f"'{word}' is not a number from 1 to {limits.MOST_THREADS}")
    return int(word)


def _bytes(word: str) -> int:
    if not word.isdecimal() or int(word) > 1 << 20:
        raise argparse.ArgumentTypeError(f"'{word}' is no number of bytes that a block can have")
    return int(word)


def run(options: Namespace) -> None:
    sources = chosen.sources([options.chapter, *options.stages])
    arch = limits.named(options.arch) if options.arch else programs.default_arch()
    to_stdout = options.file == "-" or (options.text and not options.file)
    path = arguments.folder_of_builds(options) / "sass" / f"{'_'.join(source.name for source in sources)}_{arch}.html"
    if options.file and not to_stdout:
        path = _writable(options.file, sources)
    toolkit = programs.find(arch, options.install_cuda, not options.no_install)
    flags = options.program_arguments
    if found := [flag for flag in flags if "$" in flag or "`" in flag]:
        raise Failure(f"nvcc would hand '{console.quoted(found[0])}' to a shell, for which $ and ` mean something", EXIT_USAGE)
    units = [
        view.unit(toolkit, source.path, source.title, arch, [*source.flags, *flags], options.block, options.shared)
        for source in sources
    ]
    if options.text:
        written = "\n".join(text.written(unit) for unit in units)
    else:
        written = web.translated(page.written(units), Translation(ROOT, language.chosen()), SASS)
    if to_stdout:
        sys.stdout.write(written)
        return
    console.write_file(path, written)
    kernels = console.counted(sum(kernel.is_kernel for unit in units for kernel in unit.kernels), "kernel")
    print(console.said(f"{console.shown(path)} shows {kernels} for {limits.in_words(arch)}"), flush=True)
    if not options.text and not options.no_open:
        pages.open_page(path)


def _writable(file: str, sources: Sequence[Source]) -> Path:
    path = Path(file)
    if path.exists() and any(path.samefile(source.path) for source in sources):
        raise Failure(f"{console.quoted(file)} is the source itself; name another file", EXIT_USAGE)
    if path.is_dir():
        raise Failure(f"{console.quoted(file)} is a folder; name a file in it", EXIT_USAGE)
    return path
