"""Installs with apt what a job needs on this machine and is not there."""

import os
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from building import apt, backend, dependencies, toolkit
from building.dependencies import DEBIAN, Dependency, NeededBy
from shared import console
from shared.chapters import ROOT
from shared.console import EXIT_SETUP, EXIT_USAGE, Failure

WHAT_WILL_DO = "Debian 12, Ubuntu 24.04 and newer have all of it, and so has a container made with Containerfile"
GIVEN_UP = "packages-left-out"  # the name of a list, in the folder of the builds
NEEDED = {NeededBy.BUILD, NeededBy.EMULATOR, NeededBy.TESTS}  # by ./lab run and ./lab test


def ensure(
    emulator: bool, tests: bool, may_install: bool, builds: Path, chapters: Sequence[str] | None = None, editors: bool = False
) -> None:
    """Returns when everything is there; installs what is not, or says what to do. Uses the network only to install.
    chapters: the only ones that are built; without them everything is.

    What only windows and MPI take, and editors if asked, is installed as well, but nothing fails without it. What could
    not be installed is kept in the folder of the builds, so that it is tried and told only once.
    """
    folders = None if chapters is None else [ROOT / chapter for chapter in chapters]
    needed_by = {NeededBy.BUILD} | ({NeededBy.EMULATOR} if emulator else set()) | ({NeededBy.TESTS} if tests else set())
    wanted_by = {NeededBy.WINDOWS, NeededBy.MPI} | ({NeededBy.WINDOW_TESTS} if tests else set())
    if tests and chapters is None:
        wanted_by |= {NeededBy.GRADING} | ({NeededBy.EMULATOR_TESTS} if emulator else set())
    if editors:
        wanted_by.add(NeededBy.EDITORS)
    if tests and os.environ.get("CI") == "true":  # a whole browser and what prints are much to install, for a few tests
        wanted_by |= {NeededBy.BROWSER_TESTS, NeededBy.PAGES, NeededBy.PRINTED_HANDOUTS}
    missing = dependencies.missing(needed_by, folders)
    if missing and not may_install:
        raise Failure(f"missing: {missing_in_words(missing)}", EXIT_SETUP)
    given_up = _given_up(builds)
    options = (
        [row for row in dependencies.missing(wanted_by, folders) if row.package(DEBIAN) not in given_up] if may_install else []
    )
    if not missing and not options:
        return
    if missing:
        console.note(f"lab: missing: {dependencies.in_words(missing)}")
    if options:
        console.note(f"lab: missing, and needed for some things only: {dependencies.in_words(options)}")
    try:
        _install(missing, options)
    except Failure as failure:
        if missing:
            raise
        console.note(f"lab: {failure}")
    if missing := dependencies.missing(needed_by, folders):
        raise Failure(f"still missing after apt-get: {dependencies.in_words(missing)}; {WHAT_WILL_DO}", EXIT_SETUP)
    still = {row.what for row in dependencies.missing(wanted_by, folders)}
    if options := [row for row in options if row.what in still]:
        console.note(f"lab: going on without {dependencies.in_words(options)}")
        with suppress(Failure):  # then it is told again
            names = {*given_up, *dependencies.packages(options, DEBIAN)}
            console.write_file(builds / GIVEN_UP, "\n".join(sorted(names)) + "\n")


def require(users: Collection[NeededBy], may_install: bool, kind: type[object] = object) -> None:
    """The same for what a command needs itself. Nothing of it is left out. kind: only what such a probe looks for."""

    def absent() -> list[Dependency]:
        return [row for row in dependencies.missing(users) if isinstance(row.probe, kind)]

    missing = absent()
    if missing and not may_install:
        raise Failure(f"missing: {dependencies.in_words(missing)}{how_to_install(missing)}", EXIT_SETUP)
    if missing:
        console.note(f"lab: missing: {dependencies.in_words(missing)}")
        _install(missing, [])
    if missing := absent() if missing else []:
        raise Failure(f"still missing after apt-get: {dependencies.in_words(missing)}", EXIT_SETUP)


def install_cuda(may_install: bool) -> None:
    """Installs a CUDA toolkit in the user's cache, unless there is one that suits."""
    if not may_install:
        raise Failure("--install-cuda and --no-install exclude each other", EXIT_USAGE)
    if os.environ.get("CUDACXX") or backend.is_any_suitable():  # $CUDACXX allows no other
        return
    if obstacle := backend.obstacle_to_own_toolkit():
        raise Failure(obstacle, EXIT_SETUP)
    toolkit.install()


def forget(builds: Path) -> None:
    """Next time, what could not be installed is tried again."""
    with suppress(OSError):
        (builds / GIVEN_UP).unlink()


def _given_up(builds: Path) -> list[str]:
    """The packages that could not be installed, and that nothing needs."""
    try:
        return (builds / GIVEN_UP).read_text(encoding="utf-8").split()
    except OSError:
        return []


def missing_in_words(missing: Sequence[Dependency]) -> str:
    """What is missing, and the command that installs it."""
    return dependencies.in_words(missing) + how_to_install(missing)


def can_install() -> bool:
    """Whether there is what ensure() installs with."""
    return shutil.which("apt-get") is not None and (os.geteuid() == 0 or shutil.which("sudo") is not None)


def how_to_install(missing: Sequence[Dependency]) -> str:
    """' (Fedora: dnf install cmake)', as far as this system's names of the packages are known."""
    here = dependencies.distribution()
    packages = dependencies.packages(missing, here)
    return f" ({here.name}: {here.install} {' '.join(packages)})" if packages else ""


def _install(needed: Sequence[Dependency], options: Sequence[Dependency]) -> None:
    """One round of apt-get for all of it; where that fails, another one for what is needed alone."""
    packages = dependencies.packages(needed or options, DEBIAN)
    by_hand = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(packages)}"
    if not shutil.which("apt-get"):
        raise Failure(_without_apt(needed or options), EXIT_SETUP)
    if os.geteuid() != 0 and not shutil.which("sudo"):
        raise Failure(f"installing needs root and there is no sudo; as root, run: {by_hand}", EXIT_SETUP)
    if not os.environ.get("LAB_APT_UPDATED"):
        os.environ["LAB_APT_UPDATED"] = "1"
        if not apt.get("update"):
            raise Failure(f"installing failed; by hand it would be, as root: {by_hand}", EXIT_SETUP)
    install = ("install", "-y", "--no-install-recommends")
    if apt.get(*install, *dependencies.packages([*needed, *options], DEBIAN)):
        return
    if needed and options:
        console.note("lab: not all of it can be installed; once more, with only what is needed")
        if apt.get(*install, *packages):
            return
    raise Failure(f"installing failed; by hand it would be, as root: {by_hand}", EXIT_SETUP)


def _without_apt(missing: Sequence[Dependency]) -> str:
    """What to do on a system that is not Debian's."""
    by_hand = "there is no apt-get here, so please install by hand what is missing"
    if dependencies.distribution() != DEBIAN:
        return by_hand + how_to_install(missing)
    return f"{by_hand}; the packages are called {' '.join(dependencies.packages(missing, DEBIAN))} on Debian and Ubuntu"
