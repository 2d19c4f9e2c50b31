"""Of the minutes of the lessons and the plans in COURSE.md what these pages do not show: what they show is compared with what is
made by ./lab docs --check."""

import re

from support import Folder
from book_test import TASK
from lessons import course, minutes
from lessons.minutes import Reading
from shared.console import Failure


class Lessons(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.lesson("01_first", "First", "")
        self.lesson("02_second", "Second", "word " * 150 * 8 + "\n\n## C (optional)\n\n" + "word " * 450)
        self.write("02_second/exercises/1_a/task.md", TASK.replace("minutes: 5", "minutes: 7"))
        self.write("02_second/exercises/2_b/task.md", TASK.replace("minutes: 5", "minutes: 8"))

    def lesson(self, folder: str, title: str, text: str) -> None:
        self.write(f"{folder}/CMakeLists.txt", "")
        self.write(f"{folder}/README.md", f"# {folder[:2]} · {title}\n\n## Text\n\n{text}\n")

    def reading(self, text: str) -> Reading:
        return minutes.reading(self.write("01_first/page.md", text))

    def test_optional_sections_are_counted_apart(self) -> None:
        text = "word " * 150 * 10
        self.assertEqual(self.reading(f"# A\n{text}\n## B (optional)\n### C\n{text}{text}"), Reading(15, 25))
        self.assertEqual(self.reading(f"## A (optional)\n{text}\n## B\n{text}{text}"), Reading(25, 15))
        self.assertEqual(self.reading(f"### A (optional)\n{text}\n## B\n{text}{text}"), Reading(25, 15))
        self.assertEqual(self.reading(f"# A (optional)\n{text}\n## B\n{text}"), Reading(0, 25))

    def test_there_is_no_picture_without_a_course(self) -> None:
        self.assertIsNone(course.picture(self.root))

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
