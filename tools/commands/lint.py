"""./lab lint: the form of the sources and the types of the Python, checked by programs of pinned versions."""

import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from building import setup
from building.dependencies import NeededBy
from linting import checks, programs
from shared import arguments
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import Failure


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "lint",
        arguments="[--fix] [--tidy]",
        summary="form and types of the sources, for who\nchanges them",
        description="Checks that C++ and CUDA are as clang-format has them, that Python follows ruff's rules and mypy finds "
        "its types right, and that the subjects of new commits are short. pip installs the three programs in build/lint, in "
        "the versions that tools/linting/requirements.txt pins.",
    )
    parser.add_argument("--fix", action="store_true", help="format, and mend what ruff can mend")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--tidy", action="store_true", help="clang-tidy on the C++ of the host, too: it takes minutes")
    what.add_argument("--message", metavar="FILE", type=Path, help="only the subject of this message, for git's hook")
    arguments.add_set_up(parser)


def run(options: Namespace) -> None:
    if options.message:
        if not checks.subject_of(options.message):
            raise Failure("the subject of the commit is too long")
        return
    folder = arguments.folder_of_builds(options) / "lint"
    found = programs.installed(folder, not options.no_install)
    steps: dict[str, Callable[[], bool]] = {
        "clang-format": lambda: checks.clang_format(ROOT, found, options.fix),
        "ruff": lambda: checks.ruff(ROOT, found, options.fix),
        "mypy": lambda: checks.mypy(ROOT, found, folder / "mypy"),
        "subjects of commits": lambda: checks.subjects(ROOT),
        "commits that were measured": lambda: checks.measured(ROOT),
    }
    if options.tidy:
        may_install = not options.no_install
        setup.ensure(emulator=True, tests=False, may_install=may_install, builds=arguments.folder_of_builds(options))
        setup.require({NeededBy.TIDY}, may_install)
        steps["clang-tidy"] = lambda: checks.clang_tidy(ROOT, folder / "tidy")
    wrong = []
    for name, step in steps.items():
        started = time.monotonic()
        if not step():
            wrong.append(name)
        print(f"{name}: {'not clean' if name in wrong else 'clean'} after {time.monotonic() - started:.1f} s", flush=True)
    if wrong:
        raise Failure(f"{' and '.join(wrong)}: see above; ./lab lint --fix mends what can be mended by itself")
