"""What lab and the builds need on a machine: one table with what each thing is, how to see whether it is there, which
package brings it, and who needs it."""

import os
import platform
import re
import shlex
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from shared import processes
from shared.console import EXIT_SETUP, Failure


@dataclass(frozen=True)
class Distribution:
    """A family of Linux systems whose packages have the same names."""

    name: str
    program: str  # that installs packages
    install: str  # the command to type


DEBIAN = Distribution("Debian and Ubuntu", "apt-get", "apt-get install")
FEDORA = Distribution("Fedora", "dnf", "dnf install")
ARCH = Distribution("Arch", "pacman", "pacman -S")


class NeededBy(Enum):
    """Who needs a thing. Without what only those behind TESTS need, all the rest works."""

    BUILD = "every build"
    EMULATOR = "the emulator"
    TESTS = "all tests"
    EMULATOR_TESTS = "a few tests of the emulator"
    WINDOWS = "windows: --show"
    WINDOW_TESTS = "the tests of windows, on a screen that nobody sees"
    BROWSER_TESTS = "the tests of pages, in a browser"
    MPI = "programs of several processes"
    BOOK = "./lab book"
    GRADING = "the sandbox of ./lab grade"
    LINT = "./lab lint"
    TIDY = "./lab lint --tidy"
    EDITORS = "editors, and ./lab --version"
    PAGES = "./lab book and ./lab handout"
    PRINTED_HANDOUTS = "handouts as PDF"
    PRINTED_CHINESE = "handouts as PDF, in Chinese"
    TRANSLATING = "./lab translate"


class Probe(ABC):
    """How to see whether a thing is there."""

    @abstractmethod
    def finds(self, headers: Collection[str]) -> bool:
        """headers: what the compiler finds of all headers that probes name."""

    def version(self) -> str:
        """Of a program, the version that it tells; otherwise an empty text."""
        return ""

    def too_old(self) -> str:
        """The version of what is there and will not do; otherwise an empty text."""
        return ""


class Header(Probe):
    """One of these headers; and that condition of the preprocessor, where it is given."""

    def __init__(self, *names: str, condition: str = "1") -> None:
        self.names = names
        self.condition = condition

    def finds(self, headers: Collection[str]) -> bool:
        return any(name in headers for name in self.names)


class Compiler(Header):
    """A compiler that knows C++20 and has its headers."""

    CPP20 = "__cplusplus >= 202002L"

    def __init__(self) -> None:
        super().__init__("span", condition=self.CPP20)

    def version(self) -> str:
        return _version_of(*compiler())

    def too_old(self) -> str:
        knows = preprocessed(f"#if {self.CPP20}\nyes\n#endif\n")
        return "" if "yes" in knows else self.version()


@dataclass(frozen=True)
class Program(Probe):
    """A program in PATH; and not older than that, where a version is given."""

    name: str
    oldest: tuple[int, int] = (0, 0)

    def finds(self, headers: Collection[str]) -> bool:
        if self.oldest == (0, 0):
            return shutil.which(self.name) is not None
        match = re.match(r"(\d+)\.(\d+)", self.version())
        return match is not None and (int(match[1]), int(match[2])) >= self.oldest

    def version(self) -> str:
        return _version_of(self.name)

    def too_old(self) -> str:
        return "" if self.finds(()) else self.version()


@dataclass(frozen=True)
class Answer(Probe):
    """A program that does what it is asked, and has such words in its answer."""

    command: Sequence[str]
    pattern: str = ""
    given: str = ""  # on its standard input

    def finds(self, headers: Collection[str]) -> bool:
        said = processes.ask(self.command, self.given)
        return said is not None and re.search(self.pattern, said) is not None


@dataclass(frozen=True)
class Dependency:
    """A row of the table."""

    what: str
    probe: Probe
    package: Callable[[Distribution], str]  # '' where its name is not known
    needed_by: NeededBy
    cmake_cache: str = ""  # what is NOTFOUND there when CMake went on without it
    linked_as: str = ""  # where only some chapters need it: what these name in their CMakeLists.txt

    def serves(self, chapter: Path) -> bool:
        """Whether the chapter in that folder needs it."""
        return self.linked_as in (chapter / "CMakeLists.txt").read_text(encoding="utf-8")


def table() -> list[Dependency]:
    """All dependencies, in the order in which they are named and installed. $CXX says which compiler is one."""
    compiler_here = f"a C++20 compiler ({' '.join(compiler())})"
    mpi = ["env", f"OMPI_CXX={shlex.join(compiler())}", "mpicxx", "-E", "-x", "c++", "-"]  # it knows where mpi.h is
    fonts = ["fc-list", ":", "family"]
    catch2 = Header("catch2/catch.hpp", "catch2/catch_test_macros.hpp")
    # fmt: off
    return [
        # what it is, how to see whether it is there, its package, who needs it, CMake's names for it
        Dependency(compiler_here, Compiler(), _compiler_package, NeededBy.BUILD),
        Dependency("OpenMP", Header("omp.h"), _openmp_package, NeededBy.BUILD),
        Dependency("CMake 3.24 or newer", Program("cmake", (3, 24)), named("cmake", "cmake", "cmake"), NeededBy.BUILD),
        Dependency("Ninja", Program("ninja"), named("ninja-build", "ninja-build", "ninja"), NeededBy.BUILD),
        Dependency("make", Program("make"), named("make", "make", "make"), NeededBy.EMULATOR_TESTS),
        Dependency("libdw", Header("elfutils/libdwfl.h"), named("libdw-dev", "elfutils-devel", "elfutils"),
                   NeededBy.EMULATOR),
        Dependency("zlib", Header("zlib.h"), named("zlib1g-dev", "zlib-devel", "zlib"), NeededBy.EMULATOR),
        *_fibers(),
        Dependency("nlohmann/json", Header("nlohmann/json.hpp"), named("nlohmann-json3-dev", "json-devel", "nlohmann-json"),
                   NeededBy.BUILD),
        Dependency("libpng", Header("png.h"), named("libpng-dev", "libpng-devel", "libpng"), NeededBy.BUILD,
                   "PNG_PNG_INCLUDE_DIR", "bitmap"),
        Dependency("Catch2", catch2, named("catch2", "catch-devel", "catch2"), NeededBy.TESTS, "Catch2_DIR"),
        Dependency("GLFW", Header("GLFW/glfw3.h"), named("libglfw3-dev", "glfw-devel", "glfw"), NeededBy.WINDOWS,
                   "glfw3_DIR", "bitmap"),
        Dependency("OpenGL", Header("GL/gl.h"), named("libgl-dev", "mesa-libGL-devel", "libglvnd"),
                   NeededBy.WINDOWS, "OPENGL_gl_LIBRARY", "bitmap"),
        Dependency("XTest", Header("X11/extensions/XTest.h"), named("libxtst-dev", "libXtst-devel", "libxtst"),
                   NeededBy.WINDOW_TESTS, "X11_Xtst_LIB", "bitmap"),
        Dependency("Xvfb", Program("Xvfb"), named("xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb"), NeededBy.WINDOW_TESTS,
                   linked_as="bitmap"),
        Dependency("Chromium", Program("chromium"), named("chromium", "chromium", "chromium"), NeededBy.BROWSER_TESTS),
        Dependency("ChromeDriver", Program("chromedriver"), named("chromium-driver", "chromedriver", "chromium"),
                   NeededBy.BROWSER_TESTS),
        Dependency("Open MPI", Answer(mpi, given="#include <mpi.h>\n"), named("libopenmpi-dev", "openmpi-devel", "openmpi"),
                   NeededBy.MPI, "MPI_CXX_COMPILER", "MPI::"),
        Dependency("mpirun", Program("mpirun"), named("openmpi-bin", "openmpi", "openmpi"), NeededBy.MPI, linked_as="MPI::"),
        Dependency("MkDocs with the Material theme", Answer(["mkdocs", "build", "--help"], r"\bmaterial\b"),
                   named("mkdocs-material", "mkdocs-material", "mkdocs-material"), NeededBy.BOOK),
        Dependency("Pygments", Program("pygmentize"), named("python3-pygments", "python3-pygments", "python-pygments"),
                   NeededBy.BOOK),
        Dependency("bubblewrap", Program("bwrap"), named("bubblewrap", "bubblewrap", "bubblewrap"), NeededBy.GRADING),
        Dependency("Python's venv", Answer([sys.executable, "-c", "import ensurepip"]),
                   named("python3-venv", "python3", "python"), NeededBy.LINT),
        Dependency("clang-tidy", Program("clang-tidy"), named("clang-tidy", "clang-tools-extra", "clang"), NeededBy.TIDY),
        Dependency("clangd", Program("clangd"), named("clangd", "clang-tools-extra", "clang"), NeededBy.EDITORS),
        Dependency("gdb", Program("gdb"), named("gdb", "gdb", "gdb"), NeededBy.EDITORS),
        Dependency("git", Program("git"), named("git", "git", "git"), NeededBy.EDITORS),
        Dependency("cmark-gfm", Program("cmark-gfm"), named("cmark-gfm", "cmark-gfm", "cmark-gfm"), NeededBy.PAGES),
        Dependency("WeasyPrint", Program("weasyprint"), named("weasyprint", "weasyprint", "python-weasyprint"),
                   NeededBy.PRINTED_HANDOUTS),
        Dependency("Liberation fonts", Answer(fonts, "Liberation Sans"),
                   named("fonts-liberation", "liberation-sans-fonts", "ttf-liberation"), NeededBy.PRINTED_HANDOUTS),
        Dependency("Noto's Chinese font", Answer(fonts, "Noto Sans CJK SC"),
                   named("fonts-noto-cjk", "google-noto-sans-cjk-fonts", "noto-fonts-cjk"), NeededBy.PRINTED_CHINESE),
        Dependency("gettext", Program("msgmerge"), named("gettext", "gettext", "gettext"), NeededBy.TRANSLATING),
    ]
    # fmt: on


def _fibers() -> list[Dependency]:
    """What switches fibers, where the emulator has no code of its own for it. Debian's package of Boost's headers has the one
    for it without the library, so it is the linker that must find something."""
    if platform.machine() == "x86_64":
        return []
    boost = Answer([*compiler(), "-shared", "-o", os.devnull, "-lboost_context"])
    package = named("libboost-context-dev", "boost-devel", "boost")
    return [Dependency("Boost.Context", boost, package, NeededBy.EMULATOR)]


def named(debian: str, fedora: str, arch: str) -> Callable[[Distribution], str]:
    """A package whose name depends on the distribution alone."""
    return {DEBIAN: debian, FEDORA: fedora, ARCH: arch}.__getitem__


def missing(users: Collection[NeededBy], chapters: Sequence[Path] | None = None) -> list[Dependency]:
    """What these users need and is not there, by quick local probes. Two things that come in one package are one. Without
    what only other chapters need, where the chapters' folders are given."""
    rows = [row for row in table() if row.needed_by in users]
    if chapters is not None:
        rows = [row for row in rows if not row.linked_as or any(map(row.serves, chapters))]
    absent: dict[str, Dependency] = {}
    for row, found in zip(rows, there(rows), strict=True):
        if not found:
            absent.setdefault(row.package(DEBIAN), row)
    return list(absent.values())


def there(rows: Sequence[Dependency]) -> list[bool]:
    """Whether each of these rows of the table is there."""
    headers = _headers_found(rows)
    return [row.probe.finds(headers) for row in rows]


def in_words(rows: Iterable[Dependency]) -> str:
    """What is missing, and what is there in its place: 'CMake 3.24 or newer instead of 3.18.4, Ninja'."""
    return ", ".join(f"{row.what} instead of {old}" if (old := row.probe.too_old()) else row.what for row in rows)


def any_is_there(cmake_caches: Collection[str]) -> bool:
    """Whether something that CMake has not found, by the names in its cache, can be found by now."""
    return any(there([row for row in table() if row.cmake_cache in cmake_caches]))


def packages(missing: Iterable[Dependency], distribution: Distribution) -> list[str]:
    """What to install for these."""
    return list(dict.fromkeys(name for row in missing if (name := row.package(distribution))))


def distribution() -> Distribution:
    """The one whose program for packages is there; Debian where none is."""
    return next((one for one in (DEBIAN, FEDORA, ARCH) if shutil.which(one.program)), DEBIAN)


def compiler() -> list[str]:
    """The C++ compiler's command: $CXX, else g++."""
    return shlex.split(os.environ.get("CXX", "")) or ["g++"]


def _compiler_package(distribution: Distribution) -> str:
    name, version = _family_and_version()
    if version:
        return name + version if distribution == DEBIAN else ""
    return named("g++", "gcc-c++", "gcc")(distribution) if name == "g++" else "clang"


def _openmp_package(distribution: Distribution) -> str:
    """g++ brings its own OpenMP, clang's is a package with the same version."""
    name, version = _family_and_version()
    if name == "g++":
        return _compiler_package(distribution)
    if version:
        return f"libomp{version}-dev" if distribution == DEBIAN else ""
    return named("libomp-dev", "libomp-devel", "openmp")(distribution)


def _family_and_version() -> tuple[str, str]:
    """'clang++-14' is ('clang', '-14')."""
    match = re.fullmatch(r"(g\+\+|clang)(?:\+\+)?(-\d+)?", Path(compiler()[0]).name)
    if not match:
        raise Failure(f"the compiler that CXX names, '{' '.join(compiler())}', is no C++20 compiler here", EXIT_SETUP)
    return match[1], match[2] or ""


def _version_of(*program: str) -> str:
    """What it tells; an empty text where it tells none, or is not there."""
    match = re.search(r"\b\d+\.\d+[\w.]*", processes.ask([*program, "--version"]) or "")
    return match[0] if match else ""


def _headers_found(rows: Iterable[Dependency]) -> set[str]:
    """Those of the rows' headers that are there. One run of the preprocessor says it: far quicker than compiling them."""
    probes = [row.probe for row in rows if isinstance(row.probe, Header)]
    if not shutil.which(compiler()[0]):
        # No compiler yet: the usual place tells which packages to fetch along with it.
        return {name for probe in probes for name in probe.names if Path("/usr/include", name).exists()}
    asked = "".join(
        f'#if {probe.condition} && __has_include(<{name}>)\n"{name}"\n#endif\n' for probe in probes for name in probe.names
    )
    return set(re.findall(r'"(.+?)"', preprocessed(asked)))


def preprocessed(text: str) -> str:
    """What the compiler's preprocessor makes of a text; nothing where it fails."""
    return processes.ask([*compiler(), "-std=c++20", "-E", "-P", "-x", "c++", "-"], text) or ""
