"""What is shown of a build."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from support import ROOT, FakeRepository
from building import backend, dependencies, ninja
from building.dependencies import NeededBy
from exercise_test import CHECK, SOLUTION, TASK, WRONG
from shared import console


class Output(unittest.TestCase):
    def read(self, text: str) -> ninja.NinjaOutput:
        output = ninja.NinjaOutput(console.Progress())
        for line in text.splitlines():
            output.line(line)
        return output

    def test_a_failure_without_words_is_named_all_the_same(self) -> None:
        output = self.read("[1/2] Generating x\nFAILED: x.txt\nfalse\nninja: build stopped: subcommand failed.\n")
        self.assertIn("FAILED: x.txt", output.failure())
        self.assertIn("unknown target", self.read("ninja: error: unknown target 'x'\n").failure())

    def test_a_warning_is_kept_once(self) -> None:
        in_header = "In file included from a.cu:1:\nx.h: In function ‘f’:\nx.h:3:7: warning: unused [-Wunused]\n    3 |  x\n"
        text = (
            "-- Configuring done\n"
            f"[1/9] Building CXX object a.cu.o\n{in_header}"
            f"[2/9] Building CXX object b.cu.o\n{in_header.replace('a.cu', 'b.cu')}"
            "b.cu:9:1: warning: too long\nb.cu:8:1: note: see here\n1 warning generated.\n"
            "[3/9] Building CUDA object c.cu.o\nc.cu(3): warning #177-D: never used\n\nRemark: it can be suppressed\n"
            "ninja: no work to do.\n"
        )
        self.assertEqual(
            self.read(text).warnings(),
            f"{in_header}b.cu:9:1: warning: too long\nb.cu:8:1: note: see here\n"
            "c.cu(3): warning #177-D: never used\n\nRemark: it can be suppressed",
        )
        self.assertEqual(self.read("[1/1] Building CXX object a.cu.o\nninja: no work to do.\n").warnings(), "")

    def test_what_ninja_does_for_itself_is_not_shown(self) -> None:
        shown: list[str] = []
        progress = console.Progress()
        with unittest.mock.patch.object(progress, "show", shown.append):
            output = ninja.NinjaOutput(progress)
            for line in ("[0/2] Re-checking globbed directories...", "[0/1] Re-running CMake...", "[1/2] Generating x"):
                output.line(line)
        self.assertEqual(shown, ["[1/2] Generating x"])

    def test_steps_are_shown_by_their_files(self) -> None:
        for step, name in (
            ("Building CXX object 03_x/CMakeFiles/x.dir/2_a.cu.o", "03_x/2_a.cu"),
            ("Building CUDA object 03_x/CMakeFiles/x.dir/2_a.cu.o", "03_x/2_a.cu"),
            ("Building CXX object tests/CMakeFiles/t.dir/__/common/check.cpp.o", "common/check.cpp"),
            ("Linking CXX executable 03_x/x", "03_x/x"),
            ("Linking CXX static library libcommon.a", "libcommon.a"),
            ("Generating picture", "Generating picture"),
        ):
            self.assertEqual(ninja.step_name(step), name)


@unittest.skipIf(dependencies.missing({NeededBy.EMULATOR}), "the emulator cannot be configured without its libraries")
class RealCMakeFiles(unittest.TestCase):
    def configured(self, *options: str | Path, root: Path = ROOT, **env: str) -> tuple[str, list[dict[str, str]]]:
        """What CMake says of chapter 03, where nvcc and no GPU is there, and how it would compile."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        nvcc = folder / "nvcc"
        nvcc.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.48'\n")
        nvcc.chmod(0o755)
        plain = {name: value for name, value in os.environ.items() if name != "CI"}
        done = subprocess.run(
            ["cmake", "-G", "Ninja", "-S", root / "03_vector_add", "-B", folder / "b", *options],
            env=plain | {"CUDACXX": str(nvcc), "CUDA_VISIBLE_DEVICES": "-1"} | env,
            capture_output=True,
            encoding="utf-8",
        )
        lines = folder / "b/compile_commands.json"
        return done.stdout + done.stderr, json.loads(lines.read_text()) if done.returncode == 0 else []

    def test_without_a_gpu_the_emulator_is_taken_where_nothing_says_otherwise(self) -> None:
        said, lines = self.configured()
        self.assertIn("-- The kernels run on the emulator: no GPU answers; -DBACKEND=cuda compiles", said)
        self.assertTrue(any("03_vector_add/4_grid_stride.cu" in line["file"] for line in lines))

    @unittest.skipUnless(backend.find_nvcc(), "skipped: there is no nvcc")
    def test_and_cuda_compiles_for_each_generation(self) -> None:
        said, lines = self.configured("-DBACKEND=cuda", CUDACXX=backend.find_nvcc() or "")
        (line,) = (line["command"] for line in lines if line["file"].endswith("/4_grid_stride.cu"))
        generations = re.findall(r"sm_(\d+)\d\b", line)
        self.assertEqual(generations, sorted(set(generations), key=int), said)
        self.assertLessEqual({"8", "9"}, set(generations))

    def test_a_chapter_that_was_copied_out_takes_an_installed_emulator(self) -> None:
        root = Path(self.enterContext(tempfile.TemporaryDirectory(suffix=" für mich")))
        for name in ("03_vector_add", "common", "harness"):
            shutil.copytree(ROOT / name, root / name)
        said, _ = self.configured(root=root)
        self.assertIn("The emulator is missing: copy the course's folder emulator/ to", said)
        package = shutil.copytree(ROOT / "emulator/cmake", root / "prefix/lib/cmake/cuda_emulator")
        (package.parent.with_name("cuda_emulator") / "include").mkdir(parents=True)
        said, lines = self.configured(f"-DCMAKE_PREFIX_PATH={root}/prefix", root=root)
        (line,) = (line["command"] for line in lines if line["file"].endswith("/4_grid_stride.cu"))
        self.assertIn(f"{root}/prefix/lib/cuda_emulator/include", line, said)

    def test_warnings_as_errors_and_their_default(self) -> None:
        for environment, option, expected in (({}, [], False), ({"CI": "true"}, [], True), ({"CI": "true"}, ["OFF"], False)):
            _, lines = self.configured("-DBACKEND=cpu", *(f"-DWARNINGS_AS_ERRORS={value}" for value in option), **environment)
            for name in ("4_grid_stride.cu", "harness.dir/Unity/unity_0_cxx.cxx", "unity_engine_cxx.cxx"):
                (line,) = (entry["command"] for entry in lines if entry["file"].endswith(f"/{name}"))
                self.assertIn(" -Wextra ", line)
                self.assertEqual(" -Werror " in line, expected, line)


class Folders(FakeRepository):
    """Where what is built goes."""

    def setUp(self) -> None:
        super().setUp()
        self.temporary.chmod(0o755)

    def as_ordinary_user(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """root may write anywhere, so its tests run lab as somebody else."""
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        command = [str(self.root / "lab"), *arguments]
        return subprocess.run(
            command, cwd=self.root, env=self.env | env, capture_output=True, encoding="utf-8", umask=0o022, **user
        )

    def read_only(self, folder: Path, but: Path | None = None) -> None:
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink() and path != but:
                path.chmod(path.stat().st_mode & ~0o222)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+w", folder], check=True)

    def test_another_folder(self) -> None:
        for number, (arguments, env) in enumerate(
            (
                (["--build", f"{self.temporary}/0"], {}),
                ([], {"LAB_BUILD": f"{self.temporary}/1"}),
                (["--build", "../2"], {"LAB_BUILD": "/nowhere"}),
            )
        ):
            self.runs("run", "1", *arguments, **env)
            self.assertTrue((self.temporary / str(number) / "cpu/01_hello/hello").exists())
            self.runs("test", "1", *arguments, **env)
        self.assertFalse((self.root / "build").exists())

    def test_a_checkout_that_is_read_only(self) -> None:
        self.write("results/x.json", "")
        for file, text in (("task.md", TASK), ("solution.cu", SOLUTION), ("check.cpp", CHECK), ("wrong.toml", WRONG)):
            self.write(f"03_vector_add/exercises/1_two/{file}", text)
        self.read_only(self.root)
        before = sorted(self.root.rglob("*"))
        for command in ("run", "test"):
            result = self.as_ordinary_user(command, "1")
            self.assertEqual(result.returncode, 1)
            expected = "lab: build/cpu cannot be made (Permission denied); build in a folder of yours: --build DIR\n"
            self.assertEqual(result.stderr, expected)
        self.assertIn("my/ cannot be written, and your files go there; work in a", self.as_ordinary_user("exercise", "3.1").stderr)
        writable = self.temporary / "writable"
        writable.mkdir()
        writable.chmod(0o777)
        for command in ("run", "test"):
            result = self.as_ordinary_user(command, "--build", str(writable / "b"))
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(self.root.rglob("*")), before)
        result = self.as_ordinary_user("bench", "1", "--cpu", "--build", str(writable / "b"))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "lab: results/ cannot be written; --output DIR keeps the numbers elsewhere\n")
        self.assertEqual(self.as_ordinary_user("clean", "--build", str(writable / "b")).returncode, 0)
        self.assertFalse((writable / "b").exists())

    def test_a_folder_that_somebody_else_has_built_in(self) -> None:
        self.runs("run", "1")
        folder = self.root / "build/cpu"
        owner = folder.owner()
        self.read_only(folder)
        result = self.as_ordinary_user("run", "1")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            f"lab: build/cpu cannot be written: it belongs to {owner}; remove build/cpu, or build elsewhere: --build DIR\n",
        )
        folder.chmod(0o777)
        result = self.as_ordinary_user("run", "1")
        self.assertIn(f"cannot be written: it belongs to {owner}; remove build/cpu, or", result.stderr)
        self.assert_one_line(result.stderr)
        (self.root / "build").chmod(0o555)
        result = self.as_ordinary_user("clean")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be", result.stderr)
        self.assert_one_line(result.stderr)

    def test_clean(self) -> None:
        result = self.lab("clean")
        self.assertEqual((result.returncode, result.stdout), (0, "there is nothing to remove in build\n"))
        self.lab("run", "1")
        self.lab("test", "1", "--preset", "asan")
        self.write("build/notes/mine.txt", "keep me")
        self.write("build/packages-left-out", "xvfb\n")
        result = self.runs("clean")
        self.assertRegex(result.stdout, r"^ +\d+\.\d MB  build/asan\n +\d+\.\d MB  build/cpu\nremoved\n$")
        self.assertEqual([path.name for path in (self.root / "build").iterdir()], ["notes"])
        self.assertEqual((self.root / "build/notes/mine.txt").read_text(), "keep me")
        self.runs("run", "1")

        other = self.temporary / "other"
        self.lab("run", "1", LAB_BUILD=str(other))
        self.assertIn("MB", self.lab("clean", "--build", str(other)).stdout)
        self.assertFalse(other.exists())
        self.assertTrue((self.root / "build/cpu").exists())

    def test_clean_removes_pages_too(self) -> None:
        pages = ("book/search/search_index.js", "book-watch/watch/03_1.html", "export/03_3.cu", "handouts/3.pdf", "sass/3.html")
        kept = ("grades/class/verdicts.jsonl", "mine/watch/3.html", "notebooks/3.ipynb")
        for name in (*pages, *kept):
            self.write(f"build/{name}", "")
        result = self.lab("clean")
        self.assertRegex(result.stdout, r"^(.* MB  build/(book|book-watch|export|handouts|sass)\n){5}removed\n$")
        self.assertEqual({path.name for path in (self.root / "build").iterdir()}, {"grades", "mine", "notebooks"})
        (self.root / "build/book").mkdir()
        self.assertIn("build/book\nremoved", self.lab("clean").stdout)
        others = ("book/index.html", "handouts/plan.txt", "watch/here/notes.md")
        for name in others:
            self.write(f"build/{name}", "")
        self.assertEqual(self.lab("clean").stdout, "there is nothing to remove in build\n")
        self.assertEqual([name for name in (*kept, *others) if not (self.root / "build" / name).exists()], [])


class OnATerminal(FakeRepository):
    def test_progress_is_one_line_that_is_overwritten(self) -> None:
        text = self.on_terminal("run", "1")
        self.assertIn("\r[1/1] 01_hello/hello.cu\x1b[K\r\x1b[K", text)
        before, _, after = text.partition("built 1 file in ")
        self.assertEqual(before.count("\n"), 1, "only this is left of the progress:")
        self.assertTrue(before.startswith("lab: the first build in build/cpu takes longest\r\n"), before)
        self.assertIn("hello", after)
        self.assertNotIn("first build", self.on_terminal("run", "1"))
