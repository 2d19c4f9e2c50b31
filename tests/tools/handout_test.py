"""./lab handout: what is on the sheets of all chapters, one printed sheet, and an instructor's edition of the small exercise of
exercise_test.py."""

import re
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

from support import ROOT, FakeRepository
from building import dependencies
from building.dependencies import NeededBy
from exercise_test import CHECK, SOLUTION, TASK, WRONG, Exercise
from exercises import folder
from exercises.folder import LAYERS, read_wrong
from exercises.judge import SOLVED
from grading.grader import Graded
from grading.journal import Result
from grading.submissions import Submission
from handouts import course, figures, pages, sheet
from handouts.instructor import marks, plan
from handouts.lesson import without_links
from shared.console import DASH, Failure

LESSON = """\
# 03 · Two

Afterwards you can

- make twos,
- and say [why](#why).

| | |
|---|---|
| **You need** | [chapter 01](../01_hello/README.md): `[&](int i)` |

## 1 · Two

> **Predict.** How many blocks
> are there?
>
> <details><summary>Answer</summary>
>
> There are 2, see [above](#two).
>
> </details>

*Exercise (5 minutes):* `./lab exercise 3.1`.

## 2 · Three (optional)

> **Predict.** Three?
>
> <details><summary>Answer</summary>
>
> Four.
>
> </details>
"""


def missing(*users: NeededBy) -> str:
    return ", ".join(row.what for row in dependencies.missing(users))


class Sheets(unittest.TestCase):
    """Of this repository's own chapters, in Markdown."""

    def test_every_chapter_has_one(self) -> None:
        names = [handout.chapter for handout in course.choose("all")]
        self.assertEqual([name[:2] for name in names], [f"{number:02}" for number in range(1, 17)])
        self.assertEqual([course.choose(word)[0].chapter for word in ("1", "2", "05")], [names[0], names[1], names[4]])

    def test_a_sheet_has_all_parts_and_gives_nothing_away(self) -> None:
        for whole in course.choose("all"):
            handout = whole.for_students()
            with self.subTest(handout=handout.chapter):
                text = sheet.student(whole)
                headings = ["**Afterwards you can**", "## Before you come", "## Predict", "## Tasks"]
                if handout.chapter != "01_basics":  # which measures nothing
                    headings.append("## Your numbers")
                for heading in headings:
                    self.assertEqual(text.count(heading), 1, heading)
                for exercise in handout.exercises:
                    self.assertIn(f"### {exercise.number} · ", text)
                    self.assertIn(f"**Hand in** `my/{exercise.file_name}`", text)
                    self.assertNotIn(without_links(exercise.task.afterwards), text)
                    self.assertNotIn(exercise.task.hints[0], text)
                for exercise in handout.left_out:
                    self.assertNotIn(f"### {exercise.number} · ", text)
                    self.assertIn(f"`./lab exercise {exercise.number}`", text)
                lines = text.count(sheet.LINE) / len(handout.predictions())
                self.assertIn(lines, (2, 3))
                for _, prediction in handout.predictions():
                    self.assertIn(prediction.question, text)
                    self.assertNotIn(prediction.answer, text)
                self.assertNotIn("](", re.sub(r"!\[[^]]*\]\(|`[^`]*`", "", text), "a link that paper cannot follow")

    def test_what_is_not_on_the_sheet_is_known_to_the_instructor(self) -> None:
        (handout,) = course.choose("11")
        left_out = [exercise.number for exercise in handout.for_students().left_out]
        self.assertEqual(left_out, ["11.6", "11.7", "11.8"])
        self.assertIn("/floats_on_tensor_cores.md`", "".join(sheet.before(handout.for_students())))
        text = "".join(sheet.tasks(handout, lambda exercise: []))
        self.assertEqual([number for number in left_out if f"### {number} · " not in text], [])

    def test_a_picture_says_a_task_only_if_it_stands_beside_it(self) -> None:
        scan, atomics = (sheet.picture(course.choose(chapter)[0]) for chapter in ("13", "8"))
        self.assertRegex("".join(scan), r"\*\*For task 13.1:\*\* .*/watch_2_hillis_steele_\w+\.svg\)")
        self.assertNotIn("For task", "".join(atomics), "its first picture is of its first section, which has no task")

    def test_each_has_a_picture_that_paper_can_show(self) -> None:
        for handout in course.choose("all"):
            with self.subTest(handout=handout.chapter):
                found = handout.picture()
                assert found, "no picture"
                self.assertNotIn(str(ROOT), "".join(sheet.picture(handout)), "in which a blank would end the picture's name")
                shown = pages.on_paper(found[0].path.read_text(encoding="utf-8"))
                self.assertEqual([word for word in ("var(", "@media", "font: ") if word in shown], [])
                words = " ".join(re.findall(r">([^<>]+)</text>", shown))
                self.assertNotRegex(words, r"\b(yellow|green|blue|red|orange|one for each colour)\b", "paper is black and white")

    def test_where_one_stage_was_counted_the_others_are_left_to_count(self) -> None:
        (handout,) = course.choose("6")
        rows = {row.split(" | ")[0]: row for row in "\n".join(figures.to_fill(handout)).splitlines() if row.startswith("| ")}
        self.assertNotIn(DASH, rows["| 3_constant"])
        (handout,) = course.choose("7")
        self.assertIn(f"| 2_global_atomics | {DASH} |", "\n".join(figures.to_fill(handout)))

    def test_a_picture_on_paper_has_the_light_colours(self) -> None:
        dark = "@media (prefers-color-scheme: dark) {\n  :root {\n    --ink: #fff;\n  }\n}"
        svg = f":root {{ --paper: #fafafa; --ink: #111; }}\n{dark}\n.a {{ font: 12px Foo, sans-serif; fill: var(--ink); }}"
        expected = ":root { --paper: #fafafa; --ink: #111; }\n\n.a { font-size: 12px; font-family: Foo, sans-serif; fill: #111; }"
        self.assertEqual(pages.on_paper(svg), expected)

    def test_numbers_that_are_to_be_predicted_are_not_told(self) -> None:
        exercises = [exercise for handout in course.choose("all") for exercise in handout.exercises]
        hidden = [e.number for e in exercises if e.task.limits and not sheet.limits_are_shown(e)]
        self.assertEqual(hidden, ["1.2", "2.1", "3.4", "4.2", "6.1"])

    def test_the_plan_has_the_minutes_of_the_exercises(self) -> None:
        for handout in course.choose("all"):
            rows = [row.split(" | ") for row in "".join(list(plan(handout))[1:]).splitlines()[2:]]
            planned = {row[2].split("**")[1]: int(row[1]) for row in rows if "**" in row[2]}
            self.assertEqual(planned, {exercise.number: exercise.minutes for exercise in handout.exercises})

    def test_a_starter_handed_in_earns_nothing(self) -> None:
        for handout in course.choose("all"):
            *_, text = marks(handout)
            for exercise, row in zip(handout.exercises, text.splitlines()[2:], strict=True):
                _, _, *points = row.strip("| ").split(" | ")
                fails = ("compiles", "values", "checked build", "counts").index(exercise.task.front["fails"])
                self.assertEqual(points[: fails + 1], ["0"] * (fails + 1))
                self.assertEqual(points[-1], exercise.task.front["points"])
                numbers = [int(point) for point in points if point.isdigit()]
                self.assertEqual(numbers, sorted(numbers))
                counted = [str(self.graded(exercise, category)) for category in (*LAYERS, SOLVED)]
                self.assertEqual([point.replace(DASH, "0") for point in points], counted, "./lab grade counts otherwise")

    def graded(self, exercise: folder.Exercise, category: str) -> int:
        return Graded(Submission("ann", exercise, "text"), Result(category)).points

    def test_what_to_ask_is_a_question(self) -> None:
        self.assertEqual(read_wrong(f'{WRONG}asks = "Is it?"\n', "w", "c[i] = 2", Path())[0].asks, "Is it?")
        with self.assertRaisesRegex(Failure, "w:1: asks is a question"):
            read_wrong(f'{WRONG}asks = "It is."\n', "w", "c[i] = 2", Path())


class Printed(unittest.TestCase):
    @unittest.skipIf(missing(NeededBy.PAGES, NeededBy.PRINTED_HANDOUTS), "skipped: what prints is not installed")
    def test_the_longest_sheet_has_four_pages_of_the_size_that_was_asked_for(self) -> None:
        with tempfile.TemporaryDirectory(prefix="lab-test-") as folder:
            command = [ROOT / "lab", "handout", "11", "--pdf", "--paper", "letter", "--build", folder, "--no-install"]
            subprocess.run(command, check=True, capture_output=True)
            text = unpacked(Path(folder, "handouts/11_matrix_multiply_students.pdf").read_bytes())
        boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", text)
        self.assertEqual(len(boxes), 4)
        self.assertEqual({(float(x), float(y)) for x, y in boxes}, {(612, 792)})


def unpacked(pdf: bytes) -> bytes:
    """A PDF file, and what its compressed parts hold."""
    parts = [pdf]
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            parts.append(zlib.decompress(match[1]))
        except zlib.error:
            continue  # not compressed, or not this way
    return b"\n".join(parts)


@unittest.skipIf(missing(NeededBy.PAGES), "skipped: cmark-gfm is not installed")
class Editions(Exercise):
    def setUp(self) -> None:
        super().setUp()
        self.write("03_vector_add/README.md", LESSON)
        self.write(f"{self.folder}/wrong.toml", f'{WRONG}asks = "What is two?"\n')

    def handout(self, *arguments: str) -> str:
        result = self.runs("handout", "3", *arguments, "--no-install")
        return (self.root / result.stdout.splitlines()[0]).read_text(encoding="utf-8")

    def assert_on_it(self, text: str, *expected: str) -> None:
        """assertIn would print the whole page."""
        self.assertEqual([words for words in expected if words not in text], [])

    def test_a_students_sheet_needs_neither_a_compiler_nor_what_prints(self) -> None:
        self.only_these_commands("bash", "sh", "env", "dirname", "readlink", "cmark-gfm")
        text = self.handout()
        question = "How many blocks\nare there?"
        self.assert_on_it(text, "size: A4;", "Make it two", question, "make twos", "<code>[&amp;](int i)</code>", "at most 2")
        answers = ("There are 2", "Four is two", "c[i] = 2;", "First hint", "Three?")
        self.assertEqual([words for words in answers if words in text], [])

    def test_the_instructors_edition_says_what_wrong_versions_print(self) -> None:
        text = self.handout("--instructor")
        solution = "+    if (i &lt; n) c[i] = 2;"
        self.assert_on_it(text, "There are 2, see above.", "Four is two.", "What is two?", "Well done.", solution)
        self.assert_on_it(text, "n = 1: c[0] is 3, expected 2", "n = 1: c[0] is 4, expected 2")  # the starter

    def test_nothing_runs_twice_and_what_has_changed_runs_again(self) -> None:
        self.handout("--instructor")
        first = self.kept()
        self.assertGreaterEqual(len(first), 2)
        self.handout("--instructor")
        self.assertEqual(self.kept(), first)
        self.write(f"{self.folder}/wrong.toml", WRONG.replace("= 4", "= 5"))
        self.assert_on_it(self.handout("--instructor"), "c[0] is 5, expected 2")
        self.assertEqual(len(self.kept() - first), 1)
        self.assertLess(first, self.kept())

    def kept(self) -> set[tuple[Path, int]]:
        return {(path, path.stat().st_mtime_ns) for path in Path(self.builds).rglob("*.seen.json")}

    def test_a_version_that_is_not_as_it_is_said_to_be_is_told(self) -> None:
        self.write(f"{self.folder}/wrong.toml", WRONG.replace("expected 2", "expected 7"))
        result = self.runs("handout", "3", "--instructor", "--no-install")
        self.assertIn("3.1, 'four': four: 'expected 7' is not said", result.stderr)


class BadInput(FakeRepository):
    def refused(self, code: int, expected: str, *arguments: str) -> str:
        return super().refused(code, expected, "handout", *arguments, "--no-install")

    def setUp(self) -> None:
        super().setUp()
        self.write("03_vector_add/README.md", LESSON)
        for name, text in (("task.md", TASK), ("solution.cu", SOLUTION), ("check.cpp", CHECK), ("wrong.toml", WRONG)):
            self.write(f"03_vector_add/exercises/1_two/{name}", text)
        self.command("cmark-gfm", "#!/bin/sh\nexec cat\n")

    def test_what_is_asked_for(self) -> None:
        self.refused(2, "there is no chapter '7'; the chapters: 01_hello, 03_vector_add", "7")
        self.refused(2, "01_hello has no exercises, and a handout is made of them", "1")
        self.refused(2, "the following arguments are required: CHAPTER")
        self.refused(2, "invalid choice: 'a5'", "3", "--paper", "a5")
        self.refused(2, "'5' is too much", "3", "5")

    def test_a_lesson_that_lacks_something(self) -> None:
        self.write("03_vector_add/README.md", LESSON.replace("You need", "Bring"))
        self.refused(1, "03_vector_add/README.md: nothing before its first section says 'You need …'", "3")
        self.write("03_vector_add/README.md", LESSON.replace("<details>", "", 1))
        self.refused(1, "03_vector_add/README.md, '1 · Two': a prediction needs <details>", "3")
        (self.root / "03_vector_add/README.md").unlink()
        self.refused(1, "03_vector_add/README.md cannot be read: No such file or directory", "3")

    def test_what_is_missing(self) -> None:
        (self.bin / "cmark-gfm").unlink()
        self.only_these_commands("bash", "sh", "env", "dirname", "readlink")
        self.refused(4, "missing: cmark-gfm", "3")
        self.command("cmark-gfm", "#!/bin/sh\nexec cat\n")
        self.refused(4, "missing: WeasyPrint", "3", "--pdf")

    def test_where_nothing_can_be_written(self) -> None:
        taken = self.write("build/handouts", "a file")
        self.refused(1, "build/handouts/03_vector_add_students.html cannot be written: ", "3")
        self.assertEqual(taken.read_text(), "a file")
        self.refused(1, "cannot be written: ", "3", "--build", "/proc/nowhere")

    def test_a_folder_in_the_place_of_the_pdf(self) -> None:
        self.command("fc-list", "#!/bin/sh\necho Liberation Sans\n")
        self.command("weasyprint", '#!/bin/sh\n: > "$4"\n')
        taken = self.write("build/handouts/03_vector_add_students.pdf/x", "")
        result = self.ends(1, "handout", "3", "--pdf", "--no-install")
        self.assertIn("03_vector_add_students.pdf cannot be written: Is a directory", result.stderr)
        names = {path.name for path in taken.parent.parent.iterdir()}
        self.assertEqual(names, {"03_vector_add_students.html", "03_vector_add_students.pdf"})

    def test_a_tool_that_fails(self) -> None:
        self.command("cmark-gfm", "#!/bin/sh\necho 'out of ink' >&2\nexit 3\n")
        self.refused(1, "cmark-gfm fails: out of ink", "3")
        self.assertFalse((self.root / "build/handouts").exists())

    def test_a_picture_that_is_lost_is_an_error(self) -> None:
        self.write("03_vector_add/README.md", LESSON.replace("are there?", "are there?\n> ![a](no picture.svg)"))
        self.refused(1, "03_vector_add · students names 1 picture and shows 0", "3")
        self.write("03_vector_add/README.md", LESSON)
        self.command("fc-list", "#!/bin/sh\necho Liberation Sans\n")
        self.command("weasyprint", "#!/bin/sh\n: > $4\necho 'ERROR: Failed to load image' >&2\n")
        result = self.ends(1, "handout", "3", "--pdf", "--no-install")
        self.assertEqual(result.stderr, "lab: weasyprint fails: ERROR: Failed to load image\n")
