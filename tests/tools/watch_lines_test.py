"""Which of a chapter's command lines ./lab watch runs, and with which options."""

from __future__ import annotations

import unittest

from support import FakeRepository

# As one of the checked build: the page has the command line.
PROGRAM = """\
case "$*" in *--stage*) case "$*" in *{knows}*) ;; *) echo "error: no such stage" >&2; exit 2 ;; esac ;; esac
echo "$*" > "$EMULATOR_WATCH"
echo "emulator: $EMULATOR_WATCH shows 2 launches, 3 blocks, 9 steps" >&2
exit {code}
"""


class Lines(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.write("03_vector_add/2_two.cu", "")
        self.write("03_vector_add/4_four.cu", "")

    def page(self, name: str) -> str:
        return (self.root / "build/watch" / name).read_text()

    def test_options_of_ones_own_come_in_place_of_the_programs(self) -> None:
        self.chapter("03_vector_add", "vector_add", PROGRAM.format(knows="", code=5))
        self.watches("03_vector_add", "vector_add --repeat 1 --n 1000 --data one two")
        for given, expected in (
            (["--n", "33"], "--repeat 1 --data one two --n 33"),
            (["--data=3"], "--repeat 1 --n 1000 --data=3"),
            (["--float"], "--repeat 1 --n 1000 --data one two --float"),
        ):
            self.assertEqual(self.lab("watch", "3", "2", "--", *given).returncode, 5)
            self.assertEqual(self.page("03_2_two.html"), f"{expected} --stage 2_two\n")

    def test_the_line_that_has_the_stage(self) -> None:
        self.chapter("03_vector_add", "vector_add", PROGRAM.format(knows="--one*2_two", code=0))
        self.watches("03_vector_add", "vector_add --one", "vector_add --other")
        self.assertEqual(self.lab("watch", "3", "2").returncode, 0)
        self.assertEqual(self.page("03_2_two.html"), "--one --stage 2_two\n")
        result = self.lab("watch", "3", "4")
        self.assertEqual(result.returncode, 2)
        self.assertIn("lab: no such stage\n", result.stderr)
        self.assertFalse((self.root / "build/watch/03_4_four.html").exists())


if __name__ == "__main__":
    unittest.main()
