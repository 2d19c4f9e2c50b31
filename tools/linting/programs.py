"""Pinned versions of clang-format, ruff and mypy, or of what other requirements.txt name, in a virtual environment each."""

import re
import shutil
import sys
from pathlib import Path

from building import setup
from building.dependencies import NeededBy
from shared import console, processes
from shared.console import EXIT_SETUP, Failure
from shared.locks import lock

REQUIREMENTS = Path(__file__).with_name("requirements.txt")


def installed(folder: Path, may_install: bool, requirements: Path = REQUIREMENTS) -> Path:
    """The folder with the programs. folder: of the virtual environment, which is made anew when the versions have changed."""
    wanted = requirements.read_text(encoding="utf-8")
    mark = folder / "installed.txt"

    def are_there() -> bool:
        return mark.exists() and mark.read_text(encoding="utf-8") == wanted

    if are_there():
        return folder / "bin"
    first, _, _ = wanted.partition("\n# ")
    versions = ", ".join(f"{name} {version}" for name, version in re.findall(r"^(\S+)==(.+)$", first, re.M))
    if not may_install:
        raise Failure(f"missing: {versions}; ./lab lint without --no-install gets them with pip", EXIT_SETUP)
    setup.require({NeededBy.LINT}, may_install)
    folder.mkdir(parents=True, exist_ok=True)
    with lock(folder):
        if are_there():  # by now: somebody else has installed them meanwhile
            return folder / "bin"
        for part in ("bin", "lib", "include"):
            shutil.rmtree(folder / part, ignore_errors=True)
        console.note(f"lab: installing {versions} in {folder}")
        pip = [str(folder / "bin" / "python"), "-m", "pip"]
        for command in (
            [sys.executable, "-m", "venv", str(folder)],
            [*pip, "install", "--quiet", "--no-input", "--disable-pip-version-check", "--requirement", str(requirements)],
        ):
            if code := processes.call(command, stdout=sys.stderr):
                raise Failure(f"{processes.shown(command)} {processes.describe_exit(code)}: {versions} are missing", EXIT_SETUP)
        console.write_file(mark, wanted)
    return folder / "bin"
