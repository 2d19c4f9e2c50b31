"""What ./lab doctor and ./lab --version say of a machine."""

import shutil
import subprocess
import unittest

from support import EVERYTHING, FakeRepository, compiler


class Doctor(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.command("g++", compiler(EVERYTHING).replace("-dumpversion)", "--version) echo g++ 12.2.0 ;; -dumpversion)"))
        self.log = self.temporary / "apt.log"
        self.command("apt-get", f'#!/bin/sh\necho "$*" >> {self.log}\n')

    def doctor(self, *arguments: str, code: int = 0, **env: str) -> tuple[str, dict[str, str]]:
        """The paragraph on top, and the tables' last columns by the ones before them."""
        result = self.lab("doctor", *arguments, **env)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertNotIn(f"{self.temporary}/", result.stdout)
        verdict, *tables = result.stdout.split("\n\n")
        rows = [line.strip("| ").rsplit(" | ", 1) for table in tables for line in table.splitlines()[2:]]
        self.assertEqual(len(tables), 2)
        return verdict, {key.rpartition(" | ")[2]: here for key, here in rows}

    def test_all_is_there(self) -> None:
        verdict, here = self.doctor()
        self.assertTrue(verdict.startswith("**All that is needed is there.**"), verdict)
        self.assertEqual(here["a C++20 compiler (g++)"], "12.2.0")
        self.assertRegex(here["CMake 3.24 or newer"], r"^3\.\d+|^[4-9]\.")
        self.assertEqual(here["lab"], "1.0 (not a git checkout)")
        self.assertRegex(here["Python"], r"^3\.\d+\.\d+, ~/bin/python3$|^3\.\d+\.\d+, ")
        self.assertEqual(here["kernels run"].partition(":")[0], "on the emulator")
        self.assertEqual((here["driver"], here["card"], here["builds"]), ("none", "none", "none"))
        self.assertFalse(self.log.exists(), "it installs nothing")
        self.assertFalse((self.root / "build").exists(), "and builds nothing")

    def test_something_optional_is_missing(self) -> None:
        (self.bin / "mpicxx").unlink()
        self.command("mpicxx", "#!/bin/sh\nexit 1\n")
        verdict, here = self.doctor()
        self.assertTrue(verdict.startswith("**All that is needed is there.** Optional, and missing: "), verdict)
        self.assertIn("Open MPI", verdict)
        self.assertEqual(here["Open MPI"], "**missing**")
        self.assertTrue(verdict.endswith("`./lab doctor --install` installs it."))

    def test_something_needed_is_missing(self) -> None:
        self.command("g++", compiler(EVERYTHING.replace("png.h", "")))
        self.command("cmake", "#!/bin/sh\necho cmake version 3.18.4\n")
        verdict, here = self.doctor("--no-install", code=4)
        self.assertIn("**Something needed is missing:** CMake 3.24 or newer instead of 3.18.4, libpng", verdict)
        self.assertIn("(Debian and Ubuntu: apt-get install cmake libpng-dev).", verdict)
        self.assertEqual((here["libpng"], here["CMake 3.24 or newer"]), ("**missing**", "**too old**: 3.18.4"))
        self.assertFalse(self.log.exists())

    def test_install(self) -> None:
        for editors_program in ("clangd", "gdb", "git"):  # which this machine may lack
            self.command(editors_program, "#!/bin/sh\n")
        self.command("cmake", "#!/bin/sh\necho cmake version 3.18.4\n")
        new = "#!/bin/sh\\necho cmake version 3.25.1\\n"
        self.command("apt-get", f'#!/bin/sh\necho "$*" >> {self.log}\n[ $1 = update ] || printf "{new}" > {self.bin}/cmake\n')
        verdict, here = self.doctor("--install")
        self.assertTrue(verdict.startswith("**All that is needed is there.**"), verdict)
        self.assertEqual(here["CMake 3.24 or newer"], "3.25.1")
        update, install = self.log.read_text().splitlines()
        self.assertEqual(install, "install -y --no-install-recommends cmake -o DPkg::Lock::Timeout=600")
        self.assertFalse((self.root / "build").exists(), "it builds nothing")

    def test_a_gpu(self) -> None:
        self.command("nvcc", "#!/bin/sh\necho Cuda compilation tools, release 12.4, V12.4.131\n")
        self.command("nvidia-smi", """#!/bin/sh
case "$*" in
    -L) echo "GPU 0: Fast Card" ;;
    *driver_version*) echo 550.54 ;;
    *) echo "Fast Card, 7.5, 15360 MiB"; echo "Fast Card, 7.5, 15360 MiB" ;;
esac
""")
        _, here = self.doctor()
        self.assertEqual(here["kernels run"], "on the GPU (CMake preset cuda)")
        self.assertEqual((here["driver"], here["nvcc"]), ("550.54", "12.4, ~/bin/nvcc"))
        self.assertEqual(here["card"], "; ".join(["Fast Card, compute capability 7.5, 15360 MiB"] * 2))
        (self.bin / "nvcc").unlink()
        _, here = self.doctor(CUDACXX="/nowhere/nvcc")
        self.assertRegex(here["kernels run"], "^on the emulator: no nvcc")
        self.assertEqual(here["environment"], "CUDACXX=/nowhere/nvcc")

    def test_what_was_built(self) -> None:
        self.write("build/cpu/CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=RelWithDebInfo\n")
        folder = "build/cpu/CMakeFiles/3.25.1"
        self.write(f"{folder}/CMakeCXXCompiler.cmake",
                   'set(CMAKE_CXX_COMPILER_ID "GNU")\nset(CMAKE_CXX_COMPILER_VERSION "13.2.0")\n')
        self.write("build/broken/CMakeCache.txt", "")
        self.write("build/watch/page.html", "")
        self.assertEqual(self.doctor()[1]["builds"], "cpu: GNU 13.2.0, RelWithDebInfo")

    def test_private_paths(self) -> None:
        _, here = self.doctor(CUDA_HOME=f"{self.temporary}/cuda", LAB_BUILD=str(self.root / "elsewhere"), EMULATOR_X="a|b")
        self.assertEqual(here["environment"], "CUDA_HOME=~/cuda; EMULATOR_X=a\\|b; LAB_BUILD=./elsewhere")
        link = self.temporary.with_name(f"{self.temporary.name}-link")
        link.symlink_to(self.temporary)
        self.addCleanup(link.unlink)
        _, here = self.doctor(HOME=str(link), CUDA_HOME=f"{self.temporary}/cuda", CUDA_PATH=f"{link}/cuda", LAB_X=f"{link}er")
        self.assertEqual(here["environment"], f"CUDA_HOME=~/cuda; CUDA_PATH=~/cuda; LAB_X={link}er")


class Version(FakeRepository):
    def git(self, *arguments: str) -> str:
        own = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"]
        command = ["git", "-C", str(self.root), *own, *arguments]
        env = self.env | {"GIT_COMMITTER_DATE": "2024-02-29T12:00:00Z"}
        return subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=True).stdout.strip()

    def version(self) -> str:
        return self.runs("--version").stdout

    @unittest.skipUnless(shutil.which("git"), "skipped: there is no git")
    def test_version(self) -> None:
        self.assertEqual(self.version(), "lab 1.0 (not a git checkout)\n")
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "x")
        commit = self.git("rev-parse", "--short", "HEAD")
        self.assertEqual(self.version(), f"lab 1.0 ({commit} of 2024-02-29)\n")
        self.write("CONTRIBUTING.md", "on what ./lab docs changes no measurement depends\n")
        self.assertEqual(self.version(), f"lab 1.0 ({commit} of 2024-02-29)\n")
        self.write("CMakeLists.txt", "# changed\n")
        self.assertEqual(self.version(), f"lab 1.0 ({commit}-dirty of 2024-02-29)\n")

        shutil.rmtree(self.root / ".git")
        self.root, checkout = self.temporary, self.root
        self.git("init", "--quiet")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        self.root = checkout
        self.assertEqual(self.version(), "lab 1.0 (not a git checkout)\n", "but within another one")
