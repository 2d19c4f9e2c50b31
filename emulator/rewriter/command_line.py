"""python3 emulator/rewriter FILE.cu: shows what becomes of a file."""

from __future__ import annotations

import argparse
import os
import sys

from . import Options, RewriteError, rewrite, rewrite_file
from .encoding import read_text


def main() -> None:
    parser = argparse.ArgumentParser(prog="rewriter", description="Shows the C++ that the emulator makes of a CUDA file.")
    parser.add_argument("file")
    parser.add_argument("-I", dest="folders", action="append", default=[], metavar="DIR", help="look for headers here")
    parser.add_argument("-o", dest="output", help="write here, and copies of headers to OUTPUT.headers/")
    arguments = parser.parse_args()
    if arguments.output and os.path.realpath(arguments.output) == os.path.realpath(arguments.file):
        parser.error("the output would overwrite the file")
    options = Options(arguments.folders, copies=arguments.output and arguments.output + ".headers")
    try:
        if arguments.output:
            if not rewrite_file(arguments.file, arguments.output, options).originals:
                print(f"{arguments.file}: nothing to rewrite")
        else:
            sys.stdout.buffer.write(rewrite(read_text(arguments.file), arguments.file, options).encode("latin-1"))
            sys.stdout.flush()
    except (RewriteError, OSError) as error:
        sys.exit(str(error))
