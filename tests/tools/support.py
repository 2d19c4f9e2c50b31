"""A small stand-in for the repository, in which lab can be tried quickly and without a compiler or a GPU."""

import contextlib
import importlib.util
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "emulator/tests")]
from linting import programs  # noqa: E402
from shared.console import Failure  # noqa: E402

CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.24)
project(fake LANGUAGES NONE)
enable_testing()
add_subdirectory(01_hello)
add_subdirectory(03_vector_add)
"""

# A program is a shell script that is copied to the build folder; its test runs it.
CHAPTER = """\
add_custom_command(OUTPUT {program} COMMAND sh ${{CMAKE_CURRENT_SOURCE_DIR}}/{program}.build DEPENDS {program}.sh
    COMMENT "Building CXX object {folder}/CMakeFiles/{program}.dir/{program}.cu.o")
add_custom_target({folder} ALL DEPENDS {program})
add_custom_target({folder}_tests DEPENDS {folder})
add_test(NAME "{folder}: runs" COMMAND {program})
set_tests_properties("{folder}: runs" PROPERTIES LABELS {folder})
file(WRITE ${{CMAKE_CURRENT_BINARY_DIR}}/programs.txt "{program}\\n")
"""
COPY = 'cp "$(dirname "$0")"/{program}.sh {program} && chmod +x {program}\n'

PRESETS = """{"version": 5, "configurePresets": [
  {"name": "base", "hidden": true, "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}"},
  {"name": "cpu", "inherits": "base"}, {"name": "cuda", "inherits": "base"}, {"name": "asan", "inherits": "base"},
  {"name": "check", "inherits": "base"}]}
"""

# The headers that the compiler finds.
WITHOUT_WINDOWS = "span omp.h elfutils/libdwfl.h zlib.h png.h nlohmann/json.hpp catch2/catch.hpp"
EVERYTHING = f"{WITHOUT_WINDOWS} GLFW/glfw3.h GL/gl.h X11/extensions/XTest.h"
COMPILER = """\
#!/bin/sh
case "$*" in -dumpversion) echo 12 ;; *) echo {found} ;; esac
"""


def in_python_of_notebooks() -> None:
    """Starts the test anew in a Python that has IPython and nbclient, if it has none. Only where CI is true, pip may get them."""
    if not importlib.util.find_spec("nbclient"):
        with contextlib.suppress(Failure):
            wanted = ROOT / "tools" / "notebooks" / "requirements.txt"
            bin = programs.installed(ROOT / "build" / "notebook", os.environ.get("CI") == "true", wanted)
            os.execv(bin / "python", [bin / "python", *sys.orig_argv[1:]])


def wait_until(holds: Callable[[], object], seconds: float) -> None:
    """The longest that it waits, if it never holds."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)


def left_running(place: Path) -> list[str]:
    """Processes that were told of a folder, or are at work in it."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # ended meanwhile, or another user's
            if str(place) in (entry / "cmdline").read_text(errors="replace") + str((entry / "cwd").readlink()):
                found.append((entry / "cmdline").read_text(errors="replace").replace("\0", " "))
    return found


def compiler(found: str) -> str:
    """A compiler whose preprocessor finds these headers."""
    return COMPILER.format(found=" ".join(f'\\"{header}\\"' for header in found.split()))


class Folder(unittest.TestCase):
    """Each test gets an empty folder, self.root."""

    def setUp(self) -> None:
        self.root = self.temporary = Path(tempfile.mkdtemp(prefix="lab-test-")).resolve()
        self.addCleanup(shutil.rmtree, self.temporary)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class FakeRepository(Folder):
    """Each test gets a repository in self.root and a folder self.bin that stands first in PATH."""

    def setUp(self) -> None:
        super().setUp()
        self.root = self.temporary / "repository"
        shutil.copytree(ROOT / "tools", self.root / "tools")  # with what Python has compiled: that saves time
        shutil.copy2(ROOT / "lab", self.root / "lab")
        self.bin = self.temporary / "bin"
        self.command("g++", compiler(EVERYTHING))
        for command in ("Xvfb", "mpirun", "mpicxx", "bwrap"):
            self.command(command, "#!/bin/sh\n")
        self.command("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.command("sudo", '#!/bin/sh\nexec "$@"\n')
        (self.bin / "python3").symlink_to(sys.executable)
        self.env = {"PATH": f"{self.bin}:{os.environ.get('PATH', os.defpath)}", "HOME": str(self.temporary)}
        self.write("CONTRIBUTING.md", "## Add an exercise\n")  # to which a page in tools/ links
        self.write("CMakeLists.txt", CMAKE_LISTS)
        self.write("CMakePresets.json", PRESETS)
        self.chapter("01_hello", "hello", 'echo "Device: none"; echo "hello $*"\n')
        self.chapter("03_vector_add", "vector_add", 'echo "Device: none"; echo "adding $*"\n')

    def chapter(self, folder: str, program: str, script: str) -> None:
        self.write(f"{folder}/CMakeLists.txt", CHAPTER.format(folder=folder, program=program))
        self.write(f"{folder}/{program}.sh", f"#!/bin/sh\n{script}")
        self.write(f"{folder}/{program}.build", COPY.format(program=program))

    def checks(self, folder: str, *lines: str) -> None:
        """What ./lab check is to run for a chapter."""
        self._list("check", folder, lines)

    def counts(self, folder: str, *lines: str) -> None:
        """The same for ./lab count."""
        self._list("count", folder, lines)

    def watches(self, folder: str, *lines: str) -> None:
        """The same for ./lab watch."""
        self._list("watch", folder, lines)

    def benches(self, folder: str, *lines: str) -> None:
        """The same for ./lab bench."""
        self._list("bench", folder, lines)

    def _list(self, name: str, folder: str, lines: tuple[str, ...]) -> None:
        path = self.root / folder / "CMakeLists.txt"
        written = "".join(f"{line}\\n" for line in lines)
        path.write_text(path.read_text() + f'file(WRITE ${{CMAKE_CURRENT_BINARY_DIR}}/{name}.txt "{written}")\n')

    def command(self, name: str, text: str) -> None:
        """Puts a program in self.bin."""
        self.bin.mkdir(exist_ok=True)
        (self.bin / name).write_text(text, encoding="utf-8")
        (self.bin / name).chmod(0o755)

    def nvcc(self, version: str, folder: str = "bin") -> str:
        """A CUDA compiler, as far as anybody asks."""
        (self.temporary / folder).mkdir(parents=True, exist_ok=True)
        self.command(f"../{folder}/nvcc", f"#!/bin/sh\necho 'Cuda compilation tools, release {version}, V{version}.1'\n")
        return str(self.temporary / folder / "nvcc")

    def gpu(self, capability: str = "9.0", cuda: str = "13.0") -> None:
        """A GPU, and the newest CUDA that its driver runs."""
        says = f"*compute_cap*) echo '{capability}' ;; '') echo 'CUDA Version: {cuda}  |' ;; esac\n"
        self.command("nvidia-smi", f"#!/bin/sh\ncase $* in -L) echo 'GPU 0: NVIDIA Test (UUID: x)' ;;\n{says}")

    def only_these_commands(self, *names: str) -> None:
        """Makes self.bin the whole PATH: with links to these real programs, and with what command() put there."""
        for name in names:
            real = shutil.which(name)
            assert real, name
            (self.bin / name).symlink_to(real)
        self.env["PATH"] = str(self.bin)

    def lab(
        self, *arguments: str, command: Path | None = None, cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs the repository's lab (or what command leads to) to its end."""
        return subprocess.run(
            [str(command or self.root / "lab"), *arguments],
            cwd=cwd or self.root,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=1500,
        )

    def on_terminal(self, *arguments: str) -> str:
        """Runs lab on a terminal of its own; returns all that was written to it."""
        ours, its = pty.openpty()
        with subprocess.Popen(
            [self.root / "lab", *arguments],
            cwd=self.root,
            env=self.env | {"TERM": "xterm", "COLUMNS": "80"},
            stdin=its,
            stdout=its,
            stderr=its,
        ):
            os.close(its)
            written = b""
            try:
                while chunk := os.read(ours, 4096):
                    written += chunk
            except OSError:  # the other end is closed
                pass
        os.close(ours)
        return written.decode()

    def start_lab(self, *arguments: str) -> subprocess.Popen[str]:
        """Starts lab in a process group of its own, so that a test can press Ctrl-C."""
        return subprocess.Popen(
            [str(self.root / "lab"), *arguments],
            cwd=self.root,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            process_group=0,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def ends(self, code: int, *arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
        """What lab says, which must end with that code."""
        result = self.lab(*arguments, **more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def runs(self, *arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
        return self.ends(0, *arguments, **more)

    def refused(self, code: int, expected: str, *arguments: str, **env: str) -> str:
        """The line in which lab says why it ends with that code."""
        result = self.ends(code, *arguments, **env)
        self.assertEqual(result.stdout, "", result.stderr)
        self.assertIn(expected, result.stderr)
        self.assert_one_line(result.stderr)
        return result.stderr

    def assert_one_line(self, text: str) -> None:
        self.assertEqual(text.count("\n"), 1, text)
        self.assertNotIn("Traceback", text)
