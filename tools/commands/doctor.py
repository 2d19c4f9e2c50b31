"""./lab doctor: what is there, what is missing, and where kernels would run, in a form for a bug report."""

import os
import platform
import re
import sys
from argparse import Namespace
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from building import backend, dependencies, setup
from building.build import describe
from building.dependencies import ARCH, DEBIAN, FEDORA, Dependency, NeededBy
from exercises import session
from reports import nsight, version
from shared import arguments, console, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_SETUP, Failure
from translating.templates import phrases

WORDS = phrases("""
    **All that is needed is there.** | **Something needed is missing:** {text}. | Optional, and missing: {text}.
    `./lab doctor --install` installs it. | system | processor | kernels run | answers run | driver | card | builds
    environment | yes | no | in a sandbox | without a sandbox, with all your rights: {text} | on the GPU (CMake preset {text})
    on the emulator: {text} | {number} cores, {text} of memory | **missing** | **too old**: {text} | every build
    the emulator | all tests | a few tests of the emulator | windows: --show | programs of several processes
    the tests of windows, on a screen that nobody sees | the tests of pages, in a browser | the sandbox of {text}
    editors, and {text} | {text} and {text2} | handouts as PDF | handouts as PDF, in Chinese | a C++20 compiler (g++)
    {text} or newer | Liberation fonts | Noto's Chinese font | MkDocs with the Material theme
""")

# What the programs for packages print for each package that is installed: its name and its version.
QUERIES = {
    DEBIAN: ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev}${Package} ${Version}\\n"],
    FEDORA: ["rpm", "-q", "--queryformat=ii %{NAME} %{VERSION}-%{RELEASE}\\n"],
    ARCH: ["pacman", "-Q"],
}
INSTALLED = re.compile(r"^(?:ii\s+)?(\S+) (\S+)$", re.MULTILINE)
# What the environment may hold that changes what lab does.
VARIABLES = re.compile(r"CXX|CUDACXX|CUDA_HOME|CUDA_PATH|CUDA_VISIBLE_DEVICES|CI|LAB_\w+|EMULATOR_\w+")


@dataclass(frozen=True)
class Found:
    """A row of the table, and what of it is here."""

    row: Dependency
    there: bool
    version: str  # of the program, else of its package; empty where neither is known


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "doctor",
        arguments="[--install]",
        summary="what is there and what is missing, for\na bug report",
        description="Says what is there, what is missing and where kernels run, with all versions, as Markdown for a bug "
        "report. Installs nothing and builds nothing. Exit code 0 when only something optional is missing, 4 when something "
        "is missing that is needed.",
    )
    arguments.add_build(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--install", action="store_true", help="first install all that the commands and editors need")
    what.add_argument("--no-install", action="store_true", help="install nothing, as without this option")


def run(options: Namespace) -> int:
    builds = arguments.folder_of_builds(options)
    if options.install:
        setup.ensure(emulator=True, tests=True, may_install=True, builds=builds, editors=True)
    found = dependencies_found()
    print(without_private_paths("\n\n".join([verdict(found), about(builds), table(found)])))
    return EXIT_SETUP if missing(found, needed=True) else 0


def missing(found: Sequence[Found], needed: bool) -> list[Found]:
    """What is not there, of what is needed or of the rest."""
    return [one for one in found if not one.there and (one.row.needed_by in setup.NEEDED) == needed]


def verdict(found: Sequence[Found]) -> str:
    """The paragraph on top: is all there, and what to do."""
    needed, optional = missing(found, needed=True), missing(found, needed=False)
    says = []
    if needed:
        rows = [one.row for one in needed]
        says.append(f"**Something needed is missing:** {setup.missing_in_words(rows)}.")
    else:
        says.append("**All that is needed is there.**")
    if optional:
        says.append(f"Optional, and missing: {', '.join(one.row.what for one in optional)}.")
    if setup.can_install() and any(one.row.needed_by != NeededBy.BROWSER_TESTS for one in [*needed, *optional]):
        says.append("`./lab doctor --install` installs it.")
    return " ".join(says)


def about(builds: Path) -> str:
    """The table of what lab runs on."""
    nvcc = backend.find_nvcc()
    built = {path.name: describe(path) for path in sorted(builds.glob("*"))}
    variables = [f"{name}={value}" for name, value in sorted(os.environ.items()) if VARIABLES.fullmatch(name)]
    variables = [one for one in variables if one != "EMULATOR_POISON=1"]  # lab sets it
    return markdown(
        ("", "here"),
        [
            ("lab", version.describe(ROOT)),
            ("system", system()),
            ("processor", processor()),
            ("Python", f"{platform.python_version()}, {sys.executable}"),
            ("kernels run", where_kernels_run()),
            ("answers run", where_answers_run()),
            ("nvcc", f"{nsight.toolkit(nvcc) or 'does not tell its version'}, {nvcc}" if nvcc else "none"),
            ("driver", backend.driver_version() or "none"),
            ("card", "; ".join(backend.cards()) or "none"),
            ("builds", "; ".join(f"{name}: {what}" for name, what in built.items() if what) or "none"),
            ("environment", "; ".join(variables) or console.DASH),
        ],
    )


def where_kernels_run() -> str:
    """The backend that ./lab run chooses, and why."""
    try:
        where = backend.choose("cuda")
    except Failure as failure:
        return f"on the emulator: {str(failure).removeprefix('--cuda: ')}"
    return f"on the GPU (CMake preset {where.preset})"


def where_answers_run() -> str:
    """Whether ./lab exercise has a sandbox for what learners write."""
    found, why = session.own_sandbox()
    return "in a sandbox" if found else f"without a sandbox, with all your rights: {why}"


def table(found: Sequence[Found]) -> str:
    """What the table of dependencies lists, and what is there of it."""
    rows = [(one.row.needed_by.value, one.row.what, state(one)) for one in found]
    return markdown(("needed by", "what", "here"), rows)


def state(one: Found) -> str:
    if one.there:
        return one.version or "yes"
    return f"**too old**: {old}" if (old := one.row.probe.too_old()) else "**missing**"


def markdown(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, whose cells may hold anything."""
    lines = [map(console.said, line) for line in (heading, [":--"] * len(heading), *rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines)


def without_private_paths(text: str) -> str:
    """The checkout's folder is left out and the home folder is ~."""
    home = os.environ["HOME"]
    for folder, short in ((str(ROOT), "."), (home, "~"), (os.path.realpath(home), "~")):
        if folder != "/":
            text = re.sub(rf"{re.escape(folder.rstrip('/'))}(?=[/\s;,:|]|$)", short, text)
    return text


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
