"""./lab watch of a learner's file, and what leads to it. What is on the page is proved in emulator/tests."""

import re
import subprocess
from pathlib import Path

from support import wait_until
from exercise_test import SOLUTION, Exercise
from exercises.starter import starter_of

# Each call notes what is random in it, and a wrong answer is told of with it.
TELLING_CHECK = r"""\
#include <cstdio>

#include "checker.h"

void two(float* c, int n);
int guess();

static void run(int n) {
    char first[99] = "nothing";
    const std::vector<float> values = exercise::distinct_values<float>(n);
    if (n > 0) std::snprintf(first, sizeof first, "n is %d and random is %.9g", n, values[0]);
    std::FILE* const calls = std::fopen("CALLS", "a");
    std::fprintf(calls, "%s\n", first);
    std::fclose(calls);
    exercise::Input<float> ignored("ignored", values);
    exercise::Output<float> c("c", n);
    two(c.data(), n);
    exercise::finish();
    exercise::require(n == 0 || c.values()[n - 1] == 2, first);
}

void check() {
    exercise::for_each_size(run);
    exercise::for_each_size(run);
    exercise::require_prediction("guess", guess(), 3);
}
void counted() { run(64); }
"""
RIGHT = starter_of(SOLUTION, "")[1] + "int guess() { return 3; }\n"
RACES = RIGHT.replace("c[i] = 2;", "{ c[i] = 2; if (i > 0 && c[i - 1] > 2) c[i] = 3; }")
# It does so once, in the third launch: when n is 31.
RACES_ONCE = (
    RACES.replace("two_kernel(float* c, int n)", "two_kernel(float* c, int n, bool races)")
    .replace("i > 0 &&", "races && i > 0 &&")
    .replace("    if (n > 0)", "    static int calls = 0;\n    if (n > 0)")
    .replace("(c, n);", "(c, n, ++calls == 3);")
)
NINE_BLOCKS = RIGHT.replace("255) / 256", "255) / 256 + 8")
EXITS = "#include <cstdlib>\nvoid two(float*, int) { exit(0); }\nint guess() { return 3; }\n"
PREPARING = re.compile(r"^lab: preparing the checker\b.*\n", re.MULTILINE)


class Watched(Exercise):
    def setUp(self) -> None:
        super().setUp()
        self.page = Path(self.builds, "watch/03_1_two.html")
        self.page.unlink(missing_ok=True)
        self.calls = self.temporary / "calls"
        self.mine.parent.mkdir()

    def telling(self) -> None:
        """Has the exercise another checker."""
        stub = "// BEGIN SOLUTION\n// STUB\n// END SOLUTION\n"
        self.write(f"{self.folder}/check.cpp", TELLING_CHECK.replace("CALLS", str(self.calls)))
        self.write(f"{self.folder}/solution.cu", stub + RIGHT)

    def watch(self, *words: str, code: int, **env: str) -> subprocess.CompletedProcess[str]:
        result = self.lab("watch", *(words or ["3.1"]), "--no-install", **env)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        return result

    def shown(self, answer: str, code: int) -> str:
        """What is said of an answer of which there is a page, in one line."""
        self.mine.write_text(answer, encoding="utf-8")
        said = " ".join(self.watch("my/03_1_two.cu", code=code).stdout.split())
        self.assertRegex(said, r"watch/03_1_two.html shows \d+ launch\w*, \d+ blocks?, \d+ steps? of ")
        return said

    def assert_title(self, title: str) -> None:
        self.assertIn(f"<title>03_1_two {title}</title>", self.page.read_text())

    def refused(self, answer: str) -> str:
        """Of one of which there is none."""
        self.mine.write_text(answer, encoding="utf-8")
        result = self.watch(code=1)
        self.assertEqual(result.stdout, "")
        self.assert_one_line(PREPARING.sub("", result.stderr))
        self.assertFalse(self.page.exists())
        return result.stderr


class Page(Watched):
    def test_it_shows_the_case_that_fails_with_its_data(self) -> None:
        self.telling()
        for name, wrong in (("n is 33", "n < 33"), ("n is 1", "n < 1")):
            answer = RIGHT.replace("if (i < n) c[i] = 2", f"if (i < n) c[i] = {wrong} ? 2 : 3")
            self.assertIn("look: ./lab watch my/03_1_two.cu", self.verdict(answer))
            said = self.shown(answer, code=1)
            self.assertIn("3.1 two · wrong values", said)
            case = name.replace("is", "=")
            self.assertTrue(said.endswith(f" of {case} open it in a browser"), said)
            first = re.search(rf"{name} and random is [-.\d]+", said)
            assert first, said
            self.assertEqual(self.calls.read_text().splitlines()[-2:], [first[0]] * 2)  # when it was judged, and watched
            self.assert_title(f"check {case}")

    def test_a_case_is_known_by_more_than_its_name(self) -> None:
        self.telling()
        answer = RIGHT.replace("    if (n > 0)", "    static int calls = 0;\n    if ((n != 31 || ++calls != 3) && n > 0)")
        said = self.shown(answer, code=1)
        self.assertIn(" of n = 31, which went well this time: which thread comes first is not always the same", said)
        self.assert_title("check n = 31")
        self.assertEqual([line[:8] for line in self.calls.read_text().splitlines()[-2:]], ["n is 31 "] * 2)

    def test_what_the_checked_build_has_found(self) -> None:
        self.assertIn("look: ./lab watch my/03_1_two.cu", self.verdict(RACES))
        said = self.shown(RACES, code=5)
        self.assertIn("3.1 two · values right, but two threads race", said)
        self.assertNotIn("went well", said)
        self.assertIn("which went well this time", self.shown(RACES_ONCE, code=5))

    def test_counts_and_what_is_right(self) -> None:
        self.telling()
        self.assertIn("look: ./lab watch my/03_1_two.cu", self.verdict(NINE_BLOCKS))
        said = self.shown(NINE_BLOCKS, code=1)
        self.assertIn("9 blocks: at most 2 are asked for", said)
        self.assertIn("steps of the counted run", said)
        self.assert_title("counted")

        self.assertIn("3.1 two · solved", self.shown(RIGHT, code=0))
        self.assert_title("counted")
        self.assertIn("0 of 1 exercise solved", self.exercise().stdout)
        self.assertNotIn("look:", self.exercise("3.1").stdout)

    def test_it_is_opened_where_there_is_a_screen(self) -> None:
        opened = self.temporary / "opened"
        self.command("xdg-open", f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
        self.mine.write_text(RIGHT)
        self.assertNotIn("browser", self.watch("3.1", "--no-open", code=0, DISPLAY=":9").stdout)
        self.assertFalse(opened.exists())
        self.watch(code=0, DISPLAY=":9")
        wait_until(opened.exists, 20)
        self.assertEqual(opened.read_text(), f"{self.page}\n")

    def test_the_key(self) -> None:
        opened = self.temporary / "opened"
        self.command("xdg-open", f'#!/bin/sh\necho "$1" > {opened}\n')
        self.mine.write_text("oops;\n")
        with self.on_watch(DISPLAY=":9") as until:
            until("q quit")
            until("my/03_1_two.cu:1: ", key=b"w")
            until("q quit")
            self.assertFalse(self.page.exists())
            self.mine.write_text(RIGHT)
            until("q quit")
            until("of the counted run", key=b"w")
            until("q quit")
        self.assertEqual(opened.read_text(), f"{self.page}\n")


class NoPage(Watched):
    def test_answers_that_show_nothing(self) -> None:
        self.telling()
        for answer, expected in (
            ("", "my/03_1_two.cu: the file is empty"),
            ("\nvoid two(float*, int) { oops; }\n", "my/03_1_two.cu:2: "),
            ("void two(float*, int) {}\nint guess() { return 3; }\n", "has to launch a kernel and to come to its end"),
            (RIGHT.replace("if (n > 0)", "__builtin_trap();"), "n = 0: the program crashed"),
            (EXITS, "before the checker was through; what is watched has to"),
            (RIGHT.replace("return 3", "return 2"), "the threads can be watched once all predictions are right"),
        ):
            with self.subTest(answer):
                self.assertIn(expected, self.refused(answer))
                self.assertNotIn("look:", self.exercise("3.1").stdout)
        self.mine.unlink()
        self.mine.mkdir()
        self.assertIn("is a folder", self.watch(code=1).stderr)

    def test_words_that_mean_nothing(self) -> None:
        for words, expected in (
            (["3.1"], "my/03_1_two.cu is not there yet; ./lab exercise 3.1 begins it"),
            (["my/nothing.cu"], "there is no file 'my/nothing.cu'"),
            (["9.9"], "there is no exercise '9.9'"),
            (["3.1", "2"], "watched as its checker calls it, so '2' is too much"),
            (["3.1", "--no-install", "--", "--n", "1"], "so '-- --n 1 --no-install' is too much"),
        ):
            result = self.watch(*words, code=2)
            self.assertIn(expected, result.stderr)
            self.assert_one_line(result.stderr)
        self.assertFalse((self.root / "my/03_1_two.cu").exists())

    def test_programs_of_the_host(self) -> None:
        self.without_cuda("openmp")
        for word in ("3.1", "my/03_1_two.cpp"):
            error = self.watch(word, code=2).stderr
            self.assertIn("3.1 two has no kernel: it is about OpenMP; ./lab exercise 3.1 checks your file", error)
            self.assert_one_line(error)
