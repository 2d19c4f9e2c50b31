"""What lab knows of the chapters and their stages before it builds anything."""

import unittest

from support import ROOT, FakeRepository
from shared import chapters


class ChapterNames(FakeRepository):
    def test_every_name_of_a_chapter(self) -> None:
        both = ["01_hello", "03_vector_add"]
        for name in ("3", "03", "vector_add", "03_vector_add", "03_vector_add/", "./03_vector_add"):
            self.assertEqual(chapters.choose(self.root, [name]), ["03_vector_add"])
        self.assertEqual(chapters.choose(self.root, []), both)
        self.assertEqual(chapters.choose(self.root, ["3", "1", "hello"]), both, "each once, in their order")

    def test_what_is_no_chapter(self) -> None:
        self.write("04_half_written/README.md", "")
        self.write("tests/CMakeLists.txt", "")
        self.assertEqual(chapters.discover(self.root), ["01_hello", "03_vector_add"])


class Stages(FakeRepository):
    """What lab knows of a chapter's stages before it builds anything."""

    def setUp(self) -> None:
        super().setUp()
        of_files = {
            "1_cpu.cpp": 'STAGES(Stage{{"on the host", cpu}, roundings},\n    Stage{{"threads", "on all of it", cpu_threads}});\n',
            "2_rows.cu": 'Stage other{"no stage"};\nSTAGES(Stage{\n    {"an idea, with a comma", rows}, load, true});\n',
            "3_columns.cpp": "",
            "4_tiles.cu": 'template <class T>\nconstexpr Stage<T> tiles_stage{"x", tiles<T>};\n'
            'STAGES(tiles_stage<int>, Stage<int>{"padded", "y", padded, copy_engine});\n',
            "10_last.cu": 'STAGES(Stage{"z", last});\n',
            "b2_bits.cu": 'STAGES(BitStage{"z", bits});\n',
            "bytes.cpp": 'bytes("l2_cache_bytes", 1);\n',
        }
        for name, text in of_files.items():
            self.write(f"03_vector_add/{name}", text)

    def test_one_that_is_not_there_is_refused_before_the_build(self) -> None:
        for command in ("check", "count"):
            for stage in ("9", "b9", "rows_and_more", "03_vector_add", "0", "bytes", "2_ro", "padded", "4/rows", "2/padded", "4/"):
                result = self.ends(2, command, "3", stage)
                stages = "1_cpu, 1_cpu/threads, 2_rows, 3_columns, 4_tiles, 4_tiles/padded, 10_last, b2_bits"
                expected = f"lab: there is no stage {stage} in 03_vector_add; the stages: {stages}\n"
                self.assertEqual(result.stderr, expected)
        self.assertFalse((self.root / "build").exists())

    def test_every_name_of_a_stage(self) -> None:
        names = ("1", "01", "1_cpu", "cpu", "cpu/threads", "1_cpu/threads", "1/threads", "01/threads", "2", "2_rows", "rows")
        for stage in (*names, "3", "columns", "4_tiles/padded", "4/padded", "tiles/padded", "b2", "bits", "library"):
            chapters.require_stage(self.root, "03_vector_add", stage)
        chapters.require_stage(self.root, "01_hello", "9")  # its programs may know of stages


class OfTheRepository(unittest.TestCase):
    """What was found out about the chapters' stages is true of the real ones."""

    def test_every_file_of_a_ladder_says_what_its_stage_is(self) -> None:
        for chapter in chapters.discover(ROOT):
            files = [path for path in (ROOT / chapter).glob("*.c*") if chapters.STAGE.fullmatch(path.stem)]
            silent = [path.name for path in files if not chapters.entries(path)]
            self.assertIn(len(silent), (0, len(files)), f"{chapter}: no STAGES() in {silent}")
