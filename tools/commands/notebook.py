"""./lab notebook: the lessons of a chapter as a notebook for Jupyter and Colab."""

import re
from argparse import Namespace
from pathlib import Path

from notebooks.lesson import Notebook
from shared import arguments, chapters, console, language
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure

ADDRESS = re.compile(r'(?<=^repository = ")[^"]*', re.MULTILINE)


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "notebook",
        arguments="CHAPTER",
        summary="the lessons of a chapter as a notebook",
        description="Makes a notebook for Jupyter and Colab: the chapter's lessons, with pictures, its stages as cells that "
        "can be changed and run, on a GPU or on the emulator, and its exercises, whose cells are checked.",
    )
    parser.add_argument("chapter", metavar="CHAPTER", help="e.g. 5, 05, dot_product")
    parser.add_argument("--output", metavar="FILE", help="where to write it (default: a file in build/notebooks)")
    parser.add_argument("--repository", metavar="URL", help="what git clone takes: kept in addresses.toml for the next ones")
    arguments.add_build(parser)


def run(options: Namespace) -> None:
    (chapter,) = chapters.choose(ROOT, [options.chapter])
    if options.repository:
        keep_address(options.repository)
    path = Path(options.output or arguments.folder_of_builds(options) / "notebooks" / f"{chapter}.ipynb")
    notebook = Notebook(ROOT, chapter, language.chosen())
    shown = console.shown(path)
    if path.is_file() and path.read_text(encoding="utf-8", errors="replace") != notebook.written():
        raise Failure(f"{shown} is there, perhaps with your changes; remove it, or name another with --output", EXIT_USAGE)
    console.write_file(path, notebook.written(), "--output FILE")
    print(console.said(f"{shown}: {console.counted(len(notebook.cells), 'cell')}; jupyter lab, VS Code and Colab open it"))
    if not notebook.repository:
        console.note("lab: outside of this folder it asks where the course is cloned from; --repository URL keeps the answer")


def keep_address(url: str) -> None:
    if not re.fullmatch(r"[\w.~:/@+%-]+", url):
        raise Failure(f"'{console.quoted(url)}' is nothing that git clone takes", EXIT_USAGE)
    path = ROOT / "addresses.toml"
    text = path.read_text(encoding="utf-8")
    if ADDRESS.sub(url, text) != text:
        console.write_file(path, ADDRESS.sub(url, text))
        print(console.said("addresses.toml has the address; ./lab docs puts it into README.md and colab.ipynb"))
