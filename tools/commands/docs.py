"""./lab docs: brings the generated parts of the lessons up to date, or tells which are not."""

from __future__ import annotations

from argparse import Namespace

from lessons import readme
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import Failure


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "docs",
        arguments="[--check]",
        summary="bring the generated parts of the lessons\nup to date",
        description="Brings the generated parts of the lessons and READMEs up to date: excerpts of the sources, tables and "
        "charts of the results.",
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 and a list if some are stale")
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    if not options.check:
        regenerate()
        return 0
    stale = sorted(readme.stale_files(ROOT))
    for path in stale:
        print(f"stale: {path.relative_to(ROOT)}")
    if stale:
        raise Failure("some generated parts are not current; ./lab docs makes them so")
    print("all generated parts are current")
    return 0


def regenerate() -> None:
    """Brings everything up to date and says what changed. count and bench end with it."""
    changed = readme.regenerate(ROOT)
    for path in changed:
        print(f"updated: {path.relative_to(ROOT)}")
    if not changed:
        print("all generated parts are current")
