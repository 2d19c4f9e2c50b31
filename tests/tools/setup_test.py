"""Finding what is missing, and installing it: with a stand-in for apt-get that records what it is asked."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from unittest import mock

from support import EVERYTHING, ROOT, WITHOUT_WINDOWS, FakeRepository, compiler
from building import apt

INSTRUCTION = re.compile(r"^([A-Z]+) (.+)$", re.MULTILINE)

# 'Installs' cmake by putting a link to it in PATH.
APT_GET = """\
#!/bin/sh
echo "$* frontend=$DEBIAN_FRONTEND" >> {log}
if [ "$1" = install ]; then ln -sf {cmake} {bin}/cmake; fi
"""


class Setup(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.log = self.temporary / "apt.log"
        self.cmake = self.temporary / "cmake"
        self.only_these_commands("bash", "sh", "env", "dirname", "readlink", "ninja", "cp", "chmod", "ln", "cat", "make")
        self.real_cmake()
        self.command("apt-get", APT_GET.format(log=self.log, cmake=self.cmake, bin=self.bin))
        lists = self.root / "01_hello" / "CMakeLists.txt"  # chapter 03 needs neither
        lists.write_text(f"# bitmap MPI::MPI_CXX\n{lists.read_text()}")

    def real_cmake(self) -> None:
        self.cmake.write_text(f'#!/bin/sh\nexec {shutil.which("cmake")} "$@"\n')
        self.cmake.chmod(0o755)

    def without_windows(self) -> None:
        """Nothing is missing but what windows take."""
        self.command("cmake", self.cmake.read_text())
        self.command("ctest", f'#!/bin/sh\nexec {shutil.which("ctest")} "$@"\n')
        (self.bin / "Xvfb").unlink()
        self.command("g++", compiler(WITHOUT_WINDOWS))

    def asked(self) -> list[str]:
        """Of apt-get, which always waits for others."""
        text = self.log.read_text() if self.log.exists() else ""
        return [line.replace(" -o DPkg::Lock::Timeout=600", "", 1) for line in text.splitlines()]

    def test_what_is_missing_is_shown_and_installed(self) -> None:
        result = self.runs("run", "1")
        self.assertIn("hello", result.stdout)
        self.assertEqual(self.log.read_text().count(" -o DPkg::Lock::Timeout=600 "), 2)
        update, install = self.asked()
        self.assertEqual(update.split()[0], "update")
        self.assertEqual(install, "install -y --no-install-recommends cmake frontend=noninteractive")
        self.assertIn("missing: CMake 3.24 or newer\n", result.stderr)
        self.assertIn("apt-get update\n", result.stderr)
        command = "env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends cmake\n"
        self.assertIn(command, result.stderr.replace(" \\\n   ", ""))

    def test_whoever_else_is_installing_is_named_and_waited_for(self) -> None:
        file = self.enterContext((self.temporary / "lock").open("w"))
        with mock.patch.object(apt, "LOCKS", [file.name, "/nowhere"]):
            self.assertEqual(apt._other(), "")
            fcntl.lockf(file, fcntl.LOCK_EX)
            self.assertRegex(apt._other(), rf"^[\w.]+ \(process {os.getpid()}\)$")
        others = ["x (process 1)", "x (process 1)", ""]
        with mock.patch.object(apt, "_other", side_effect=others), mock.patch.object(apt.console, "note") as note:
            apt._wait_for_others()
        note.assert_called_once_with("lab: waiting for x (process 1), which is using apt, 10 minutes at most")

    def test_all_packages_of_a_bare_machine(self) -> None:
        self.command("g++", compiler("nothing"))
        (self.bin / "ninja").unlink()
        self.assertIn("still missing after apt-get", self.lab("test").stderr)
        everything = "g++ cmake ninja-build libdw-dev zlib1g-dev nlohmann-json3-dev libpng-dev catch2 "
        self.assertIn(everything, self.asked()[1].replace("libboost-context-dev ", ""))

    def test_a_chapter_brings_what_it_needs(self) -> None:
        self.without_windows()
        for name in ("mpirun", "mpicxx"):
            (self.bin / name).unlink()
        self.command("g++", compiler(WITHOUT_WINDOWS.replace("png.h", "").replace("catch2/catch.hpp", "")))
        self.runs("run", "3")
        self.assertEqual(self.asked(), [], "neither windows nor MPI nor pictures nor tests")
        for arguments, packages in (
            (["run", "1"], "libpng-dev libglfw3-dev libgl-dev libopenmpi-dev openmpi-bin"),
            (["run"], "libpng-dev libglfw3-dev libgl-dev libopenmpi-dev openmpi-bin"),
            (["test", "3"], "catch2"),
            (["test", "lab"], "libpng-dev catch2 libglfw3-dev libgl-dev libxtst-dev xvfb libopenmpi-dev openmpi-bin"),
        ):
            self.ends(4, *arguments)  # this apt-get installs none of it
            self.assertIn(f"no-install-recommends {packages} frontend=", self.asked()[1])
            self.log.unlink()

    def test_a_window_library_that_came_later_is_found(self) -> None:
        self.without_windows()
        lists = self.root / "CMakeLists.txt"
        looks = 'set(glfw3_DIR glfw3_DIR-NOTFOUND CACHE PATH "")\nfile(APPEND ${CMAKE_SOURCE_DIR}/looked "x")\n'
        lists.write_text(lists.read_text() + looks)
        for found, times in (("", 1), ("", 1), ("GLFW/glfw3.h", 2)):
            self.command("g++", compiler(f"{WITHOUT_WINDOWS} {found}"))
            self.runs("run", "1", "--no-install")
            self.assertEqual(len((self.root / "looked").read_text()), times)

    def test_what_cannot_be_installed_is_told_once(self) -> None:
        self.without_windows()
        for command in ("run", "test"):
            self.assertNotIn("missing", self.runs(command, "1", "--no-install").stderr)
        self.command("apt-get", f'#!/bin/sh\necho "$*" >> {self.log}\n[ $1 = update ]\n')
        result = self.runs("run", "1")
        self.assertIn("missing, and needed for some things only: GLFW, OpenGL\n", result.stderr)
        self.assertIn("going on without GLFW, OpenGL\n", result.stderr)
        asked = self.asked()
        result = self.lab("run", "1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.asked(), asked)
        self.assertIn("going on without XTest, Xvfb\n", self.lab("test", "1").stderr, "only what is new")
        self.assertNotIn("missing", self.lab("test", "1").stderr)

        (self.bin / "apt-get").unlink()
        self.lab("clean")
        self.assertIn("going on without", self.lab("run", "1").stderr, "a clean folder is a new start")
        self.assertEqual(self.lab("run", "1").stderr, "")

    def test_one_round_for_all(self) -> None:
        self.without_windows()
        (self.bin / "cmake").unlink()
        result = self.runs("test", "1")
        packages = "cmake libglfw3-dev libgl-dev libxtst-dev xvfb"
        self.assertEqual([line.partition(" frontend")[0] for line in self.asked()],
                         ["update", f"install -y --no-install-recommends {packages}"])
        shown = result.stderr.replace(" \\\n   ", "")
        self.assertIn(f" apt-get install -y --no-install-recommends {packages}\n", shown)
        for line in result.stderr.partition("+ ")[2].splitlines():
            self.assertLessEqual(len(line), 80)

    def test_what_is_needed_is_installed_though_the_rest_cannot_be(self) -> None:
        self.without_windows()
        (self.bin / "cmake").unlink()
        self.command("apt-get", APT_GET.format(log=self.log, cmake=self.cmake, bin=self.bin).replace(
            "if ", 'case "$*" in *xvfb*) exit 100; esac\nif '))
        result = self.runs("test", "1")
        self.assertEqual([line.split()[-2] for line in self.asked()], ["update", "xvfb", "cmake"])
        self.assertIn("once more, with only what is needed\n", result.stderr)
        self.assertIn("going on without GLFW, OpenGL, XTest, Xvfb\n", result.stderr)

    def test_nobody_needs_make(self) -> None:
        self.command("cmake", self.cmake.read_text())
        self.command("ctest", f'#!/bin/sh\nexec {shutil.which("ctest")} "$@"\n')
        (self.bin / "make").unlink()
        for arguments in (["test", "1"], ["test", "1", "--no-install"], ["test", "--no-install"], ["doctor"]):
            result = self.runs(*arguments)
        self.assertEqual(self.asked(), [])
        self.assertIn("Optional, and missing: make", self.lab("doctor").stdout)
        result = self.lab("test")  # all, with the one of the emulator that can use it
        self.assertIn(" make frontend=", self.asked()[1])
        self.assertIn("going on without make\n", result.stderr)

    def test_what_is_missing_of_open_mpi_is_installed(self) -> None:
        self.command("cmake", self.cmake.read_text())
        for present, packages in (
            ((), "libopenmpi-dev openmpi-bin"),
            (("mpirun",), "libopenmpi-dev"),
            (("mpicxx",), "openmpi-bin"),
        ):
            for name in ("mpirun", "mpicxx"):
                self.command(name, "#!/bin/sh\n")
                if name not in present:
                    (self.bin / name).unlink()
            self.runs("run", "1")
            self.assertIn(f"no-install-recommends {packages} frontend=", self.asked()[-1])
            self.lab("clean")

        self.command("mpicxx", "#!/bin/sh\nexit 1\n")  # it is there, and the header is not
        self.lab("run", "1")
        self.assertIn("no-install-recommends libopenmpi-dev openmpi-bin frontend=", self.asked()[-1])

    def test_what_only_the_emulator_needs_is_not_asked_for_with_a_gpu(self) -> None:
        self.command("g++", compiler(EVERYTHING.replace("elfutils/libdwfl.h", "")))
        self.nvcc("13.0")
        self.gpu()
        self.assertIn("missing: CMake 3.24 or newer, libdw", self.lab("run", "--no-install", "--cpu").stderr)
        self.assertIn("missing: CMake 3.24 or newer (", self.lab("run", "--no-install", "--cuda").stderr)

    def test_no_install_names_what_is_missing(self) -> None:
        for command in ("run", "test"):
            self.refused(4, "missing: CMake 3.24 or newer (Debian and Ubuntu: apt-get install cmake)", command, "--no-install")
        self.assertEqual(self.asked(), [])

    def test_an_old_compiler_is_missing(self) -> None:
        self.command("cmake", self.cmake.read_text())
        # As g++ 10 does: __cplusplus is too small, so the preprocessor leaves nothing.
        self.command("g++", '#!/bin/sh\ncase "$*" in --version) echo 10.2.1 ;; esac\n')
        for arguments, beginning, end in (
            (["--no-install"], "missing: ", r"\(Debian and Ubuntu: apt-get install g\+\+ .*\)"),
            ([], "still missing after apt-get: ", "; Debian 12, Ubuntu 24.04 and newer have all of it, .* Containerfile"),
        ):
            result = self.ends(4, "run", "1", *arguments)
            last = result.stderr.splitlines()[-1]
            self.assertRegex(last, rf"^lab: {beginning}a C\+\+20 compiler \(g\+\+\) instead of 10.2.1, .*{end}$")

    def test_without_apt_the_packages_are_named(self) -> None:
        (self.bin / "apt-get").unlink()
        self.assertRegex(self.lab("run").stderr, "there is no apt-get here.* cmake")

    def test_other_distributions_call_the_packages_otherwise(self) -> None:
        (self.bin / "apt-get").unlink()
        (self.bin / "ninja").unlink()
        self.command("g++", compiler(EVERYTHING.replace("png.h", "")))
        for program, expected in (
            ("dnf", "(Fedora: dnf install cmake ninja-build libpng-devel)"),
            ("pacman", "(Arch: pacman -S cmake ninja libpng)"),
        ):
            self.command(program, "#!/bin/sh\n")
            self.refused(4, f"missing: CMake 3.24 or newer, Ninja, libpng {expected}\n", "run", "1", "--no-install")
            by_hand = "there is no apt-get here, so please install by hand what is missing"
            self.assertEqual(self.lab("run", "1").stderr.splitlines()[-1], f"lab: {by_hand} {expected}")
            (self.bin / program).unlink()

    def test_a_compiler_of_a_version_has_a_package_on_debian_only(self) -> None:
        (self.bin / "cmake").symlink_to(self.cmake)
        (self.bin / "apt-get").unlink()
        self.command("dnf", "#!/bin/sh\n")
        for name, expected in (
            ("clang++", r"\(clang\+\+\), OpenMP(, libdw)? \(Fedora: dnf install clang libomp-devel( elfutils-devel)?\)"),
            ("clang++-14", r"\(clang\+\+-14\), OpenMP(, libdw)?( \(Fedora: dnf install elfutils-devel\))?"),
        ):  # libdw: where the machine has none
            said = self.refused(4, "missing", "run", "1", "--no-install", CXX=name)
            self.assertRegex(said, rf"\Alab: missing: a C\+\+20 compiler {expected}\n\Z")

    def test_a_failing_apt_ends_with_the_command_to_run(self) -> None:
        self.command("apt-get", "#!/bin/sh\nexit 100\n")
        self.assertIn("apt-get install -y --no-install-recommends cmake", self.lab("run").stderr.splitlines()[-1])

    def test_the_compiler_that_cxx_names(self) -> None:
        self.command("clang++", compiler(EVERYTHING))
        (self.bin / "g++").unlink()
        (self.bin / "cmake").symlink_to(self.cmake)
        self.runs("run", "1", CXX="clang++")
        for name, packages in (
            ("g++", "g++"),
            ("g++-12", "g++-12"),
            ("clang++", "clang libomp-dev"),
            ("clang++-15", "clang-15 libomp-15-dev"),
        ):
            (self.bin / name).unlink(missing_ok=True)
            said = self.refused(4, "missing", "run", "1", "--no-install", CXX=name)
            self.assertRegex(said, rf"apt-get install {re.escape(packages)}( libdw-dev)?\)")  # where the machine has none
        self.refused(4, "/opt/strange/cc", "run", "1", CXX="/opt/strange/cc")


SAYS = """\
Reading package lists...
0 upgraded, 2 newly installed, 0 to remove and 7 not upgraded.
Get:1 http://archive.example/debian trixie/main amd64 libuv1t64 amd64 1.50.0-2 [111 kB]
Get:2 http://archive.example/debian trixie/main amd64 cmake amd64 3.31.6-2 [13.7 MB]
Unpacking libuv1t64:amd64 (1.50.0-2) ...
Unpacking cmake (3.31.6-2) ...
Setting up libuv1t64:amd64 (1.50.0-2) ...
{last}
"""


class AptGet(FakeRepository):
    """What is shown of what apt-get prints."""

    def setUp(self) -> None:
        super().setUp()
        self.logs = self.temporary / "logs"
        self.logs.mkdir()
        self.env["TMPDIR"] = str(self.logs)
        self.command("cmake", "#!/bin/sh\necho cmake version 3.18.4\n")

    def prints(self, last: str, code: int) -> None:
        self.command("apt-get", f"""#!/bin/sh
[ $1 = update ] && echo Get:1 http://archive.example/debian trixie/main amd64 Packages '[9669 kB]' && exit
cat <<'END'
{SAYS.format(last=last)}END
[ {code} = 0 ] || exit {code}
printf '#!/bin/sh\\nexec {shutil.which("cmake")} "$@"\\n' > {self.bin}/cmake
""")

    def test_one_line_on_a_terminal(self) -> None:
        self.prints("Setting up cmake (3.31.6-2) ...", 0)
        shown = self.on_terminal("run", "1")
        steps = ("[1/2] downloading libuv1t64", "[2/2] unpacking cmake", "[1/2] setting up libuv1t64", "[2/2] setting up cmake")
        for step in ("apt-get update", "apt-get install", *steps):
            self.assertIn(f"\r{step}\x1b[K", shown)
        self.assertRegex(shown, r"\x1b\[Kinstalled 2 packages in \d+ s\r\nlab: the first build")
        self.assertEqual(list(self.logs.iterdir()), [])

    def test_without_a_terminal(self) -> None:
        self.prints("Setting up cmake (3.31.6-2) ...", 0)
        result = self.runs("run", "1")
        self.assertRegex(result.stderr, r"\ninstalled 2 packages in \d+ s\nlab: the first build")
        self.assertNotIn("Unpacking", result.stderr)
        self.assertNotIn("Packages", result.stderr)

    def test_a_failure_is_shown_from_its_first_line_on_and_the_rest_is_kept(self) -> None:
        error = "E: Failed to fetch http://archive.example/x.deb  404  Not Found\nE: Unable to fetch some archives"
        for last in (error, "dpkg: error processing package x\nit says why\nE: Sub-process /usr/bin/dpkg returned 1"):
            self.prints(last, 100)
            result = self.ends(4, "run", "1")
            self.assertIn(f"\n{last}\nlab: all that apt-get printed is in {self.logs}/lab-apt-", result.stderr)
            self.assertNotIn("Unpacking", result.stderr)
            (log,) = self.logs.iterdir()
            self.assertEqual(log.read_text(), SAYS.format(last=last))
            log.unlink()
        self.prints("no line begins as errors do", 100)
        self.assertIn("\nUnpacking libuv1t64:amd64 (1.50.0-2) ...\n", self.lab("run", "1").stderr)


class Python(FakeRepository):
    """lab itself runs on bash alone as long as there is no Python."""

    def setUp(self) -> None:
        super().setUp()
        self.only_these_commands("bash", "sh", "env", "dirname", "readlink", "ln")
        self.log = self.temporary / "apt.log"
        for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
            (self.bin / name).unlink(missing_ok=True)
            self.command(name, "#!/bin/sh\nexit 1\n")
        lab = self.root / "lab"
        lab.write_text(lab.read_text().replace(" /usr/bin/python3 ", " "))

    def test_python_is_installed(self) -> None:
        self.command(
            "apt-get",
            f'#!/bin/sh\necho "${{*% -o DPkg::Lock::Timeout=600}}" >> {self.log}\n'
            f'if [ "$1" = install ]; then ln -sf {sys.executable} {self.bin}/python3; fi\n',
        )
        result = self.runs("--help")
        self.assertEqual(self.log.read_text(), "update\ninstall -y --no-install-recommends python3\n")
        self.assertIn("apt-get install -y --no-install-recommends python3\n", result.stderr)
        self.assertIn("./lab run", result.stdout)

    def test_of_apt_only_failures_are_shown(self) -> None:
        self.command("apt-get", f"""#!/bin/sh
echo Reading package lists...
[ "$1" = update ] || ln -sf {sys.executable} {self.bin}/python3
""")
        result = self.runs("--help")
        self.assertNotIn("Reading", result.stderr)
        (self.bin / "python3").unlink()
        self.command("python3", "#!/bin/sh\nexit 1\n")
        self.command("apt-get", "#!/bin/sh\necho E: no network >&2; exit 100\n")
        result = self.ends(4, "--help")
        self.assertTrue(result.stderr.endswith("apt-get update\n\nE: no network\n"), result.stderr)

    def test_no_install(self) -> None:
        self.command("apt-get", f'#!/bin/sh\necho "${{*% -o DPkg::Lock::Timeout=600}}" >> {self.log}\n')
        for arguments in (["run", "--no-install"], ["doctor"], ["--version"], ["completion", "--", "--install"]):
            self.refused(4, "missing: Python 3.11 or newer (Debian and Ubuntu: apt-get install python3)", *arguments)
        self.assertFalse(self.log.exists())
        self.lab("doctor", "--install")
        self.assertIn("install -y --no-install-recommends python3\n", self.log.read_text())

    def test_a_system_with_an_older_python(self) -> None:
        self.command("python3", '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.12\n')
        self.command("apt-get", "#!/bin/sh\n")
        self.refused(4, "missing: Python 3.11 or newer instead of 3.10.12 (", "run", "--no-install")
        result = self.ends(4, "run")
        last = "lab: still missing: Python 3.11 or newer instead of 3.10.12; Debian 12, Ubuntu 24.04 and newer will do"
        self.assertIn(last, result.stderr.splitlines()[-1])

    def test_another_system_than_linux(self) -> None:
        self.refused(4, "lab: needs Linux (on Windows: WSL 2), and this is darwin23; ", "run", OSTYPE="darwin23")

    def test_without_apt(self) -> None:
        self.assertIn("there is no apt-get here", self.lab("run").stderr)


class PythonIsAScript(FakeRepository):
    def test_a_script_in_its_place_is_asked_once(self) -> None:
        """As pyenv has them: what is started later gets the interpreter itself."""
        starts = self.temporary / "starts"
        (self.bin / "python3").unlink()
        self.command("python3", f'#!/bin/sh\necho "$*" >> {starts}\nexec {sys.executable} "$@"\n')
        self.runs("run", "1")
        self.assertNotIn(".py", starts.read_text())


class Container(FakeRepository):
    """Its steps are few, and what they copy is enough for them."""

    def setUp(self) -> None:
        super().setUp()
        self.steps = INSTRUCTION.findall((ROOT / "Containerfile").read_text(encoding="utf-8"))

    def of_kind(self, kind: str) -> list[str]:
        return [what for name, what in self.steps if name == kind]

    def test_what_is_copied_is_enough_to_install(self) -> None:
        inside = self.temporary / "image"
        for what in self.of_kind("COPY"):
            source, target = what.split()
            place = inside / target.strip("/")
            if (self.root / source).is_dir():
                shutil.copytree(self.root / source, place)
            else:
                place.mkdir(parents=True)
                shutil.copy2(self.root / source, place)
        log = self.temporary / "apt.log"
        self.only_these_commands("bash", "sh", "env", "dirname", "readlink")
        self.command("apt-get", f'#!/bin/sh\necho "$*" >> {log}\n')
        (run,) = self.of_kind("RUN")
        command = run.partition(" && ")[0].replace("/opt/lab/", f"{inside}/opt/lab/")
        result = subprocess.run(["bash", "-c", command], env=self.env, capture_output=True, encoding="utf-8")
        self.assertEqual(result.returncode, 4, result.stderr)  # this apt-get installs nothing
        self.assertIn("still missing after apt-get: CMake", result.stderr)
        asked = log.read_text().splitlines()[-1].split()
        for package in ("cmake", "ninja-build", "make", "clangd", "gdb", "git"):
            self.assertIn(package, asked)

    def test_editors_use_the_same_container(self) -> None:
        path = ROOT / ".devcontainer" / "devcontainer.json"
        described = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((path.parent / described["build"]["dockerfile"]).resolve(), ROOT / "Containerfile")
        self.assertEqual((path.parent / described["build"]["context"]).resolve(), ROOT)
        program, command, *_ = described["postCreateCommand"].split()
        self.assertEqual((program, command), ("./lab", "run"))
