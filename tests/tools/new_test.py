"""./lab new: what it makes is a stage at once, and builds."""

import re
import shutil
import subprocess
from pathlib import Path

from support import ROOT, FakeRepository
from exercises import folder
from exporting import copied
from shared import chapters


class Stage(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        for chapter in ("03_vector_add", "06_constant_events", "12_pi"):
            self.write(f"{chapter}/CMakeLists.txt", "")
            for path in (path for suffix in ("cu", "cpp", "h") for path in (ROOT / chapter).glob(f"*.{suffix}")):
                self.write(f"{chapter}/{path.name}", path.read_text(encoding="utf-8"))

    def compiles(self, path: Path) -> None:
        command = [ROOT / "emulator/nvcc_cpu", "-std=c++20", "-O0", "-I", ROOT, "-c", path, "-o", self.temporary / "a.o"]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)

    def test_a_copy_is_a_stage_that_compiles(self) -> None:
        for words, name in (
            (["3", "two_quads", "--rung"], "03_vector_add/7_two_quads"),
            (["vector_add", "other", "--from", "3/strided", "--rung"], "03_vector_add/8_other"),  # with its variant
            (["6", "balls", "--from", "4", "--rung"], "06_constant_events/8_balls"),  # with its Load function
            (["12", "halved", "--from", "5", "--rung"], "12_pi/12_halved"),  # a template, with a bound
        ):
            with self.subTest(name=name):
                result = self.runs("new", "stage", *words)
                self.assertTrue(result.stdout.startswith(f"{name}.cu: a copy of "))
                path = self.root / f"{name}.cu"
                listed = chapters.stages(self.root, path.parent.name)
                self.assertEqual([stage for stage in listed if stage.partition("/")[0] == path.stem][0], path.stem)
                self.assertIn(copied.IDEA, path.read_text())
                self.compiles(path)
        self.assertIn("8_other/strided", chapters.stages(self.root, "03_vector_add"))

    def test_a_copy_of_an_exercise(self) -> None:
        shutil.copytree(ROOT / "03_vector_add/exercises", self.root / "03_vector_add/exercises")
        result = self.runs("new", "exercise", "3", "two_halos", "--from", "3.2")
        self.assertTrue(result.stdout.startswith("03_vector_add/exercises/5_two_halos: a copy of 3.2, "), result.stdout)
        made = folder.find(folder.discover(self.root), "3.5")
        self.assertEqual(str(made), "3.5 two halos")
        copied = made.folder / "check.cpp"
        self.assertEqual(copied.read_text(), (ROOT / "03_vector_add/exercises/2_coalesced/check.cpp").read_text())
        self.refused(2, "", "new", "exercise", "1", "mine")
        self.refused(2, "5_two_halos is there already", "new", "exercise", "3", "two_halos")

    def test_a_chapter(self) -> None:
        lists = ("README.md", ".vscode/launch.json", "tests/programs_test.cpp")
        for file in (*lists, "tests/03_vector_add_test.cpp", "tools/exporting/mains/03_vector_add.cu"):
            self.write(file, (ROOT / file).read_text(encoding="utf-8"))
        self.write("03_vector_add/CMakeLists.txt", (ROOT / "03_vector_add/CMakeLists.txt").read_text(encoding="utf-8"))
        self.runs("new", "chapter", "heat_flow")
        self.refused(2, "", "new", "chapter", "heat_flow")
        made = max(self.root.glob("*_heat_flow"))
        self.assertEqual(chapters.stages(self.root, made.name), ["1_cpu", "1_cpu/threads", *self.kernels(made)])
        for path in (*made.glob("*.[ch]*"), *made.glob("*.txt"), self.root / f"tests/{made.name}_test.cpp"):
            self.assertNotIn("vector_add", path.read_text(encoding="utf-8"))
        for file, named in zip(lists, (f"({made.name}/README.md)", f'"{made.name}/heat_flow",', f'"{made.name}"'), strict=True):
            self.assertEqual((self.root / file).read_text(encoding="utf-8").count(named), 1, file)
        self.compiles(made / "main.cpp")

    def kernels(self, chapter: Path) -> list[str]:
        return [name for name in chapters.stages(self.root, chapter.name) if name.startswith("2_")]

    def test_what_is_refused(self) -> None:
        for words, why in (
            (["3", "Two"], "Two is no name: a small letter, then small letters, digits and _"),
            (["3"], "CHAPTER and NAME are both needed, as in ./lab new stage 5 mine"),
            (["3", "vectorized", "--rung"], "03_vector_add has something called vectorized already; take another name"),
            (["3", "mine", "--from", "9"], "there is no stage 9 in 03_vector_add; the stages: 1_cpu, "),
            (["3", "mine", "--from", "1"], "1_cpu of 03_vector_add runs on the host and has no kernel"),
            (["3", "mine", "--from", "library"], "the library's own version cannot be copied; take another stage"),
            (["1", "mine"], "01_hello has no table of stages"),
        ):
            with self.subTest(words=words):
                self.refused(2, f"lab: {why}", "new", "stage", *words)

    def test_no_copy_defines_what_another_file_defines(self) -> None:
        for chapter in chapters.discover(ROOT):
            files = [ROOT / chapter / f"{name}.cu" for name in chapters.stages(ROOT, chapter)]
            for path in (
                path for path in files if path.is_file() and chapters.entries(path) and not copied.defined_for_others(path)
            ):
                text = copied.copy_of(path, path.with_name("99_copied.cu"), "copied")
                behind = text.rpartition("}  // namespace\n")[2]
                self.assertLessEqual(set(copied.DEFINED.findall(behind)), set(re.findall(r"\w*copied\w*", behind)), path)
