"""./lab clean: shows how large the build folders are and removes them."""

from argparse import Namespace

from building.build import remove_builds
from shared import arguments
from shared.arguments import Commands


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "clean",
        summary="remove what was built",
        description="Shows the build folders, the book, handouts, exported stages and the pages of watch and sass, and how "
        "large they are, and removes them. The next command builds anew. Students' grades and notebooks stay.",
    )
    arguments.add_build(parser)


def run(options: Namespace) -> None:
    remove_builds(arguments.folder_of_builds(options))
