"""The minutes of the lessons, and the plans and the picture in COURSE.md."""

import re
import unittest
from pathlib import Path

from support import Folder
from lessons import course, minutes
from lessons.minutes import Reading
from shared.console import Failure

TASK = """\
---
title: a task
minutes: {minutes}
points: 1
after: "{after}"
kind: {kind}
fails: values
learnt: that
---
Do it.

## Hint 1
No.

## Afterwards
Yes.
"""


class Lessons(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.lesson("01_first", "First", "No GPU.")
        self.lesson("02_second", "Second, and more", "[01](../01_first/README.md).")
        others = "[01](../01_first/README.md), [02](../02_second/README.md#x) and [words](../GLOSSARY.md)."
        self.lesson("03_third", "Third", others)
        self.lesson("04_fourth", "Fourth", "[01](../01_first/README.md).")

    def lesson(self, folder: str, title: str, needs: str, text: str = "") -> Path:
        self.write(f"{folder}/CMakeLists.txt", "")
        number = folder[:2]
        return self.write(f"{folder}/README.md", f"# {number} · {title}\n\n*You need {needs}*\n\n## Text\n\n{text}\n")

    def task(self, name: str, length: int, kind: str = "core", after: str = "Text") -> None:
        self.write(f"{name}/task.md", TASK.format(minutes=length, kind=kind, after=after))


class Minutes(Lessons):
    def reading(self, text: str) -> Reading:
        return minutes.reading(self.write("01_first/page.md", text))

    def test_words_are_read_at_a_rate(self) -> None:
        self.assertEqual(self.reading("word " * 150 * 5), Reading(5, 0))
        self.assertEqual(self.reading("word " * (150 * 5 + 1)), Reading(10, 0), "rounded up")
        self.assertEqual(self.reading(""), Reading(0, 0))

    def test_optional_sections_are_counted_apart(self) -> None:
        text = "word " * 150 * 10
        self.assertEqual(self.reading(f"# A\n{text}\n## B (optional)\n### C\n{text}{text}"), Reading(15, 25))
        self.assertEqual(self.reading(f"## A (optional)\n{text}\n## B\n{text}{text}"), Reading(25, 15))
        self.assertEqual(self.reading(f"### A (optional)\n{text}\n## B\n{text}{text}"), Reading(25, 15))
        self.assertEqual(self.reading(f"# A (optional)\n{text}\n## B\n{text}"), Reading(0, 25))
        self.assertEqual(self.reading(f"# A\n## What to read next\n{text}").core, 5)

    def test_commands_predictions_pictures_and_tables_take_a_minute_each(self) -> None:
        for piece in (
            "\n```sh\n./lab run 1  # words of a comment do not count here\n# nor this line\n```\n",
            "\n> **Predict.**\n",
            "\n![](x.svg)\n",
            "\n<!-- results: x -->\n\n| a | b |\n| - | - |\n| c | d |\n\n<!-- /results -->\n",
        ):
            with self.subTest(piece=piece):
                self.assertEqual(self.reading(piece * 24).core, 25)
                self.assertEqual(self.reading(piece * 26).core, 30)

    def test_folded_tables_are_there_to_look_something_up(self) -> None:
        table = "| a | b |\n| - | - |\n| c | d |\n\n"
        folded = f"\n<!-- results: x -->\n\n<details><summary>More</summary>\n\n{table}</details>\n\n<!-- /results -->\n"
        self.assertEqual(self.reading(f"# A\n{folded * 24}").core, self.reading("# A\nword\n").core)
        self.assertEqual(self.reading(folded.replace("</details>\n\n", f"</details>\n\n{table}") * 26).core, 30)

    def test_code_is_read_at_a_rate_and_once(self) -> None:
        code = "x;\n\n" * 20 * 10
        self.write("01_first/1_add.cu", code)
        self.write("01_first/main.cpp", code)
        self.assertEqual(self.reading(f"```\n{code}```\n").core, 10)
        self.assertEqual(self.reading(f"```\n{code}x;\n```\n").core, 15)
        self.assertEqual(self.reading("[](1_add.cu)").core, 10)
        self.assertEqual(self.reading("[](main.cpp)").core, 0, "the lessons do without main.cpp")
        for linked, excerpt_of in (("[](1_add.cu)\n## ·\n[](1_add.cu)", "1_add.cu"), ("", "main.cpp")):
            excerpt = f"<!-- excerpt: {excerpt_of} x -->\n```cuda\n{code}```\n"
            self.assertEqual(self.reading(f"{linked}\n{excerpt}").core, 10)

    def test_what_a_lesson_says(self) -> None:
        page = self.lesson("01_first", "First", "nothing", "word " * 150 * 8)
        more = self.write("01_first/more.md", "# More\n\n## Part\n")
        self.task("01_first/exercises/1_a", 7)
        self.task("01_first/exercises/2_b", 8)
        self.task("01_first/exercises/3_c", 20, "optional")
        self.task("01_first/exercises/4_d", 40, after="more.md: Part")
        line = " ".join(minutes.sentence(page, self.root).split())
        self.assertIn("**Time:** 10 minutes. Exercises: 15 minutes for 1.1 and 1.2; 20 for 1.3 (optional). (", line)
        self.assertIn("](../COURSE.md#how-the-minutes-were-found)", line)
        self.assertIn("Exercises: 40 minutes for 1.4.", minutes.sentence(more, self.root))
        self.assertNotIn("Exercises", minutes.sentence(self.root / "02_second/README.md", self.root))


class Plans(Lessons):
    def setUp(self) -> None:
        super().setUp()
        text = "word " * 150 * 8 + "\n\n## C (optional)\n\n" + "word " * 450
        self.lesson("02_second", "Second", "[01](../01_first/README.md).", text)
        self.task("02_second/exercises/1_a", 7)
        self.task("02_second/exercises/2_b", 8)

    def test_sessions_are_added_up(self) -> None:
        table = course.plan(self.root, None, "01; 02 2.1 2.2; 02+ 2.2")
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
        self.assertEqual(rows[0], ["1", "[01 · First](01_first/README.md)", "5", "–", "–", "5"])
        self.assertEqual(rows[1], ["2", "[02 · Second](02_second/README.md)", "10", "2.1, 2.2", "15", "25"])
        self.assertEqual(rows[2][2:], ["15", "2.2", "8", "23"])
        self.assertEqual(rows[3], ["", "**all**", "30", "", "23", "**53**, 0 h 53 min"])

    def test_a_limit_holds(self) -> None:
        course.plan(self.root, "25", "02 2.1 2.2")
        with self.assertRaisesRegex(Failure, "this plan takes 25 minutes, and it may take 24"):
            course.plan(self.root, "24", "02 2.1 2.2")

    def test_what_is_not_there_is_named(self) -> None:
        for text, message in (
            ("05", "there is no lesson '05'"),
            ("01/absent", "there is no lesson '01/absent'"),
            ("1.7", "there is no exercise '1.7'"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(Failure, re.escape(message)):
                course.plan(self.root, None, text)

    def test_the_overview_has_each_page(self) -> None:
        self.write("02_second/more.md", "# 02 · More (optional)\n\n*You need [04](../04_fourth/README.md)*\n\n## X\n")
        page = self.root / "02_second/README.md"
        page.write_text(page.read_text() + "[more](more.md)\n")
        rows = course.overview(self.root).splitlines()[2:]
        self.assertEqual(rows[1], "| [02 · Second](02_second/README.md) | 10 | 5 | 15 | – | 01 |")
        self.assertEqual(rows[2], "| [02 · More](02_second/more.md) | – | 5 | – | – | 02, 04 |")
        self.assertEqual(rows[3], "| [03 · Third](03_third/README.md) | 5 | – | – | – | 01, 02 |")


class Picture(Lessons):
    def test_boxes_and_arrows(self) -> None:
        self.assertIsNone(course.picture(self.root))
        self.write("COURSE.md", "<!-- plan: core, at most 99 minutes | 01; 03 -->\n")
        picture = course.picture(self.root)
        assert picture
        self.assertEqual(picture.count("marker-end"), 3, "01 → 02 → 03 and 01 → 04; 01 → 03 goes without saying")
        self.assertEqual(picture.count('rx="6"') - 1, 4, "boxes on a sheet")
        self.assertEqual(picture.count('stroke-width="3"'), 2)
        self.assertIn(">Second<", picture)


if __name__ == "__main__":
    unittest.main()
