"""./lab test."""

import unittest
from pathlib import Path

from support import CMAKE_LISTS, FakeRepository


class Test(FakeRepository):
    def test_runs_all_tests_and_ends_with_the_runners_closing_lines(self) -> None:
        self.chapter("01_hello", "hello", "mktemp -d > made\n")
        result = self.runs("test")
        self.assertRegex(result.stdout, "100% tests passed.* out of 2")  # CMake 4 words it shorter
        self.assertRegex(result.stdout.splitlines()[-1], "Total Test time")
        (made,) = (self.root / "build").rglob("made")
        self.assertFalse(Path(made.read_text().strip()).exists(), "what a test leaves behind")

    def test_one_chapter(self) -> None:
        result = self.lab("test", "vector_add")
        self.assertRegex(result.stdout, "100% tests passed.* out of 1")
        self.assertFalse((self.root / "build/cpu/01_hello/hello").exists(), "only what is needed is built")

    def test_a_failing_test_shows_its_output(self) -> None:
        self.chapter("03_vector_add", "vector_add", "echo first wrong index 7; exit 1\n")
        result = self.lab("test")
        self.assertEqual(result.returncode, 1)
        self.assertIn("first wrong index 7", result.stdout)
        self.assertIn("\n1 of 2 tests failed:\n  03_vector_add: runs\n    first wrong index 7\n", result.stdout)

    def test_no_tests_is_a_failure(self) -> None:
        self.write("CMakeLists.txt", CMAKE_LISTS.partition("add_subdirectory")[0])
        self.assertEqual(self.lab("test").returncode, 1)

    def test_another_preset(self) -> None:
        self.runs("test", "--preset", "asan")
        self.assertTrue((self.root / "build/asan/lab-test.log").exists())


if __name__ == "__main__":
    unittest.main()
