"""./lab export: writes a stage as one file that needs nothing else."""

import shlex
import sys
from argparse import Namespace
from pathlib import Path

from exporting import stage
from shared import arguments, chapters, console
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "export",
        arguments="CHAPTER STAGE",
        summary="a stage as one file, to take along",
        examples={"./lab export 5 4": "one .cu for a notebook, an online\ncompiler or a mail"},
        description="Writes a stage, what it needs of the headers, and a main() that times it and compares it with the CPU, as "
        "one file. nvcc -std=c++17 compiles it, and so does emulator/nvcc_cpu. A GPU is not needed to write it.",
    )
    parser.add_argument("chapter", metavar="CHAPTER", help="e.g. 5, 05, dot_product")
    parser.add_argument("stage", metavar="STAGE", help="by number or name; 3/strided for a variant")
    parser.add_argument(
        "-o", dest="file", metavar="FILE", help="where to write it; - for standard output (default: a file in build/export)"
    )
    arguments.add_build(parser)


def run(options: Namespace) -> None:
    (chapter,) = chapters.choose(ROOT, [options.chapter])
    chosen = stage.find(ROOT, chapter, options.stage)
    text = stage.exported(ROOT, chosen)
    if options.file == "-":
        sys.stdout.write(text)
        return
    own = arguments.folder_of_builds(options) / "export" / f"{chapter[:2]}_{chosen.name.replace('/', '_')}.cu"
    path = Path(options.file) if options.file else own
    if options.file and path.is_file() and path.read_text(encoding="utf-8", errors="replace") != text:
        raise Failure(f"{console.quoted(options.file)} is there already; remove it first, or name another file", EXIT_USAGE)
    if path.is_dir():
        raise Failure(f"{console.quoted(options.file)} is a folder; name a file in it", EXIT_USAGE)
    console.write_file(path, text, "-o FILE")
    shown = console.shown(path)
    runs = shlex.join([console.shown(ROOT / "emulator" / "nvcc_cpu"), "-run", shown])
    print(console.said(f"{shown}: {len(text.splitlines())} lines; {runs} runs it"))
