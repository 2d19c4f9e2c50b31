"""What lab knows of the chapters and their stages before it builds anything."""

from __future__ import annotations

import unittest

from support import ROOT, FakeRepository
from shared import chapters, console


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
        header = 'stages[] = {{"2_rows", "idea"}, {.name = "4_tiles", .idea = "x"}, {"4_tiles/padded", "y"}, {"b2_bits", "z"}};'
        self.write("03_vector_add/vector_add.h", header)
        self.write("03_vector_add/main.cpp", 'Chapter{"03_vector_add"}; Stage{"1_cpu"}; Stage{"1_cpu/threads"};')
        for name in ("1_cpu.cpp", "2_rows.cu", "3_columns.cpp", "4_tiles.cu", "b2_bits.cu", "bytes.cpp"):
            self.write(f"03_vector_add/{name}", "")
        lists = self.root / "03_vector_add/CMakeLists.txt"
        lists.write_text(lists.read_text() + "# 1_cpu.cpp 2_rows.cu 3_columns.cpp 4_tiles.cu b2_bits.cu\n")

    def test_one_that_is_not_there_is_refused_before_the_build(self) -> None:
        for command in ("check", "count"):
            for stage in ("9", "b9", "rows_and_more", "03_vector_add", "0", "bytes", "2_ro", "padded", "4/rows", "2/padded", "4/"):
                result = self.lab(command, "3", stage)
                self.assertEqual(result.returncode, 2)
                stages = "1_cpu, 1_cpu/threads, 2_rows, 3_columns, 4_tiles, 4_tiles/padded, b2_bits"
                expected = f"lab: there is no stage {stage} in 03_vector_add; the stages: {stages}\n"
                self.assertEqual(result.stderr, expected)
        self.assertFalse((self.root / "build").exists())

    def test_every_name_of_a_stage(self) -> None:
        names = ("1", "01", "1_cpu", "cpu", "cpu/threads", "1_cpu/threads", "1/threads", "01/threads", "2", "2_rows", "rows")
        for stage in (*names, "3", "columns", "4_tiles/padded", "4/padded", "tiles/padded", "b2", "bits", "library"):
            chapters.require_stage(self.root, "03_vector_add", stage)
        chapters.require_stage(self.root, "01_hello", "9")  # its programs may know of stages

    def test_a_file_that_is_in_no_list_is_named(self) -> None:
        self.assertEqual(list(chapters.unlisted_stages(self.root, "03_vector_add")), [])
        self.write("03_vector_add/6_my_idea.cu", "")
        self.write("03_vector_add/7_more.cpp", "")
        self.write("01_hello/2_world.cu", "")
        expected = (
            "lab: 03_vector_add/6_my_idea.cu is in no list: add it to 03_vector_add/CMakeLists.txt and to the stages in "
            "03_vector_add/vector_add.h\n"
            "lab: 03_vector_add/7_more.cpp is in no list: add it to 03_vector_add/CMakeLists.txt\n"
        )
        for command in ("run", "test"):
            result = self.lab(command, "3")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(result.stderr.startswith(expected), result.stderr)
            self.assertNotIn("2_world", result.stderr)
        self.assertIn("01_hello/2_world.cu is in no list: add it to 01_hello/CMakeLists.txt\n", self.lab("test").stderr)
        lists = self.root / "03_vector_add/CMakeLists.txt"
        lists.write_text(lists.read_text() + "# 6_my_idea.cu 7_more.cpp\n")
        (line,) = chapters.unlisted_stages(self.root, "03_vector_add")
        self.assertEqual(line, "03_vector_add/6_my_idea.cu is in no list: add it to the stages in 03_vector_add/vector_add.h")


class OfTheRepository(unittest.TestCase):
    """What was found out about the chapters' stages is true of the real ones."""

    def test_every_stage_is_listed(self) -> None:
        for chapter in chapters.discover(ROOT):
            self.assertEqual(list(chapters.unlisted_stages(ROOT, chapter)), [])

    def test_stages(self) -> None:
        for chapter, stages in (
            ("03_vector_add", ("2", "4_grid_stride", "library")),
            ("09_bubble_sort", ("2", "merge_tree")),
            ("11_matrix_multiply", ("b4", "10", "b7_carry_save")),
            ("12_pi", ("5", "8_shared_division")),
        ):
            for stage in stages:
                chapters.require_stage(ROOT, chapter, stage)
            with self.assertRaises(console.Failure):
                chapters.require_stage(ROOT, chapter, "99")


if __name__ == "__main__":
    unittest.main()
