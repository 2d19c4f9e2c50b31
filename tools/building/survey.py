"""What is on a machine, for a report: the system, and each row of the table of dependencies with its version."""

import os
import platform
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from building import dependencies
from building.dependencies import ARCH, DEBIAN, FEDORA, Dependency
from shared import processes

# What the programs for packages print for each package that is installed: its name and its version.
QUERIES = {
    DEBIAN: ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev}${Package} ${Version}\\n"],
    FEDORA: ["rpm", "-q", "--queryformat=ii %{NAME} %{VERSION}-%{RELEASE}\\n"],
    ARCH: ["pacman", "-Q"],
}
INSTALLED = re.compile(r"^(?:ii\s+)?(\S+) (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Found:
    """A row of the table, and what of it is here."""

    row: Dependency
    there: bool
    version: str  # of the program, else of its package; empty where neither is known


def dependencies_found() -> list[Found]:
    """The whole table, in its order."""
    rows = dependencies.table()
    packages = package_versions(dependencies.packages(rows, dependencies.distribution()))
    found = []
    for row, is_there in zip(rows, dependencies.there(rows), strict=True):
        version = row.probe.version() or packages.get(row.package(dependencies.distribution()), "")
        found.append(Found(row, is_there, version))
    return found


def package_versions(names: Sequence[str]) -> dict[str, str]:
    """The versions of those packages that are installed."""
    query = QUERIES[dependencies.distribution()]
    # All packages, and not only these: a program that does not know one of them may fail.
    installed: Collection[tuple[str, str]] = INSTALLED.findall(processes.ask(query) or "")
    return {name: version for name, version in installed if name in names}


def system() -> str:
    """'Debian GNU/Linux 12 (bookworm), Linux 6.1.0, x86_64'"""
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        name = ""
    return ", ".join(part for part in (name, f"{platform.system()} {platform.release()}", platform.machine()) if part)


def processor() -> str:
    """'4 of 8 cores, 15.6 GiB of memory'"""
    usable, there = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    cores = str(there) if usable == there else f"{usable} of {there}"
    return f"{cores} core{'' if there == 1 else 's'}, {memory:.1f} GiB of memory"
