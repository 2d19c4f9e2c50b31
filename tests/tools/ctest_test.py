"""What is shown of tests, of failing ones above all."""

import contextlib
import io
import tempfile
import unittest
import unittest.mock
from collections.abc import Iterator, Sequence
from pathlib import Path

from support import FakeRepository
from reports import ctest, failures
from shared import console

ROOT = Path("/repository")

# As Catch2's compact reporter prints a stage that is wrong.
DIFFERENCE = """\
/repository/tests/03_vector_add_test.cpp:59: failed: difference(d_c.values(), expected) == "" for: "index 255: expected 49.0442848, got -nan"
==
"" with 3 messages: 'stage.name := "3_blocks_and_threads"' and 'n := 256 (0x100)' and 'random data: repeat with SEED=2996307572'
Failed 1 test case, failed 1 assertion.
"""

PROGRAM = """\
/repository/tests/03_vector_add_test.cpp:78: failed: result.exit_code == 0 for: {code} == 0 with 2 messages: 'result.out := "Device: CPU emulator
index 7: expected nothing of this table, got none
"' and 'result.err := "{error}
"'
Failed 1 test case, failed 1 assertion.
"""

FAULT = """\
emulator: kernel void vector_add::{anonymous}::add(const float*, std::size_t): thread (64,0,0) of block (0,0,0) read address 0x7f at \
3_blocks_and_threads.cu:15, 216 bytes past the end of an allocation of 40 bytes
  error: /repository/common/timer.cpp:28: cudaEventRecord(event_)"""

UNITTEST = """\
..F.
======================================================================
FAIL: test_help (__main__.CommandLine.test_help) (command='run')
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repository/tests/tools/lab_test.py", line 55, in test_help
    self.assertEqual(1, 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 4 tests in 0.165s

FAILED (failures=1)
"""


def failing(output: str, label: str = "03_vector_add", name: str = "adds") -> failures.Failing:
    return failures.Failing(label, name, "Failed", output.splitlines())


@contextlib.contextmanager
def output(terminal: bool) -> Iterator[io.StringIO]:
    with contextlib.redirect_stdout(io.StringIO()) as stdout:
        stdout.isatty = lambda: terminal  # type: ignore[method-assign]
        yield stdout


class Findings(unittest.TestCase):
    def test_what_is_read_out_of_a_failing_tests_output(self) -> None:
        program_says = "error: 2_shared_tree is wrong"
        fault = (
            "thread (64,0,0) of block (0,0,0) read address 0x7f at 3_blocks_and_threads.cu:15, "
            "216 bytes past the end of an allocation of 40 bytes"
        )
        outside = DIFFERENCE.replace("255: expected 49.0442848, got -nan", "256 was written")
        condition = "/repository/x.cpp:1: failed: f(a) == g(b) for: nanf == -2.5f"
        of_stage = f"{condition} with 2 messages: 'stage.name := \"2_x\"' and 'n := 1000 (0x3e8)'\n"
        thrown = "/repository/x.cpp:1: failed: unexpected exception with message: "
        several = """'stage.name := "4_x"' with 2 messages: 'n := 0' and '/repository/4_x.cu:37: kernel launch: cudaErrorInvalidValue'\n"""
        unittests = "FAIL: test_help (__main__.CommandLine.test_help) (command='run') · AssertionError: 1 != 2"
        for said, stage, detail in (
            (DIFFERENCE, "3_blocks_and_threads", "index 255: expected 49.0442848, got -nan; n = 256"),
            (outside, "3_blocks_and_threads", "index 256 was written, outside of the output; n = 256"),
            (PROGRAM.format(code=1, error=f"{program_says}: expected 2 within 7, got -nan"), "2_shared_tree", "expected 2 within 7, got -nan"),
            (PROGRAM.format(code=1, error=f"{program_says} at index 9: expected 72, got 0"), "2_shared_tree", "index 9: expected 72, got 0"),
            (PROGRAM.format(code=3, error=FAULT), "3_blocks_and_threads", fault),
            (condition, "", "f(a) == g(b): nanf == -2.5f"),
            (of_stage, "2_x", "expected -2.5, got nan; n = 1000"),
            (of_stage.replace("nanf == -2.5f", "nan <= 0.1"), "2_x", "f(a) == g(b): nan <= 0.1; n = 1000"),
            (thrown + several, "4_x", "4_x.cu:37: kernel launch: cudaErrorInvalidValue; n = 0"),
            (f"{thrown}'no memory'\nFailed 1 test case, failed 1 assertion.\n", "", "no memory"),
            ("/repository/x.cpp:1: failed: explicitly with 1 message: 'words'", "", "words"),
            (UNITTEST, "", unittests),
            ("first\nlast words\n\n", "", "last words"),
            ("", "", "Failed"),
        ):
            with self.subTest(said):
                told = failures.finding(failing(said), ROOT)
                self.assertEqual((told.stage, told.detail), (stage, detail))


class Summary(FakeRepository):
    def summary(self, tests: Sequence[failures.Failing]) -> list[str]:
        with output(terminal=True):
            lines = ctest.summary(tests, 50, self.root, "build/cpu/lab-test.log")
        self.assertLessEqual(len(lines), 10)
        for line in lines:
            self.assertLess(len(line), 80, line)
        return lines

    def test_of_several_tests_the_one_that_says_most(self) -> None:
        fault = PROGRAM.format(code=3, error=FAULT)
        for tests in ([failing(fault), failing(DIFFERENCE)], [failing(DIFFERENCE), failing(fault)]):
            lines = self.summary(tests)
            self.assertEqual(lines[:2], ["2 of 50 tests failed:", "  03_vector_add, stage 3_blocks_and_threads, 2 tests"])
            self.assertIn("    index 255: expected 49.0442848, got -nan; n = 256", lines)

    def test_what_runs_on_the_host_has_no_closer_look(self) -> None:
        self.write("03_vector_add/3_blocks_and_threads.cpp", "")
        self.assertNotIn("./lab check", "\n".join(self.summary([failing(DIFFERENCE)])))
        self.assertEqual(ctest.look_closer("03_vector_add", "3_blocks_and_threads/all", self.root), "")
        self.assertEqual(ctest.look_closer("03_vector_add", "b4_tiled", self.root), "./lab check 3 b4")
        self.assertEqual(ctest.look_closer("03_vector_add", "b4_tiled/padded", self.root), "./lab check 3 b4/padded")
        self.assertEqual(ctest.look_closer("03_vector_add", "library", self.root), "")
        self.assertEqual(ctest.look_closer("emulator", "3_x", self.root), "")

    def test_ten_lines_and_how_many_more(self) -> None:
        stages = [failing(DIFFERENCE.replace("3_blocks", f"{i}_blocks")) for i in range(2, 7)]
        lines = self.summary([failing("words", name="another"), *stages])
        self.assertEqual([line for line in lines if "stage" in line], [
            f"  03_vector_add, stage {i}_blocks_and_threads" for i in (2, 3)
        ])
        self.assertEqual(lines[-1], "4 more, and all that they printed: build/cpu/lab-test.log")
        lines = self.summary([failing("words " * 100, "emulator", f"test {i} " + "x" * 100) for i in range(40)])
        self.assertEqual(lines[-1], "38 more, and all that they printed: build/cpu/lab-test.log")


class Lines(unittest.TestCase):
    """What becomes of CTest's lines."""

    def shown(self, text: str, terminal: bool = True) -> list[str]:
        reader = ctest.Output(ROOT)
        with output(terminal) as said:
            for line in text.splitlines():
                reader.line(line)
            reader.end()
        lines = said.getvalue().splitlines()
        for line in lines if terminal else ():
            self.assertLess(len(line), 80)
        self.failing = reader.failing
        return lines

    def test_a_line_for_each_test(self) -> None:
        dots = "." * 50
        text = (
            "Internal ctest changing into directory: /x\nTest project /x\n"
            "      Start   4: 03_vector_add:every stage adds\n"
            f"  1/450 Test   #4: 03_vector_add:every stage adds {dots}   Passed    0.01 sec\n"
            f"  2/450 Test #12: 04_julia, yours:a window {dots}***Skipped   1.00 sec\n"
            f"  3/450 Test #13: x.runs {'n' * 100} {dots}***Exception: SegFault  12.25 sec\n"
            f"  4/450 Test #14: lab:aborts {dots}Subprocess aborted***Exception:   0.10 sec\n"
            "terminate called\n"
            f"  5/450 Test #15: lab:hangs {dots}***Timeout 1800.02 sec\n\n"
            "99% tests passed, 3 tests failed out of 450\n\nLabel Time Summary:\nlab    =   2.30 sec*proc (6 tests)\n\n"
            "Total Test time (real) =   1.18 sec\n\n"
            "The following tests did not run:\n\t 12 - 04_julia:a window (Skipped)\n\n"
            "The following tests FAILED:\n\t 13 - x.runs (SEGFAULT)\nErrors while running CTest\n"
        )
        self.assertEqual(
            self.shown(text),
            [
                "[  1/450] passed     0.0 s  03_vector_add: every stage adds",
                "[  2/450] skipped    1.0 s  04_julia, yours: a window",
                f"[  3/450] FAILED    12.2 s  x.runs {'n' * 43}…",
                "[  4/450] FAILED     0.1 s  lab: aborts",
                "    terminate called",
                "[  5/450] FAILED  1800.0 s  lab: hangs",
                "",
                "99% tests passed, 3 tests failed out of 450",
                "",
                "Total Test time (real) =   1.18 sec",
            ],
        )
        self.assertEqual([test.status for test in self.failing], [
            "Exception: SegFault", "Subprocess aborted Exception", "Timeout"
        ])
        self.assertIn(f"[  3/450] FAILED    12.2 s  x.runs {'n' * 100}", self.shown(text, terminal=False))

    def test_what_was_not_run_stands_under_its_reason(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "LastTest.log")
            log.write_text(
                "1/9 Testing: 04_julia:a window\nOutput:\n/x.cpp:1: warning: 'skipped: no Xvfb'\n<end of output>\n"
                "2/9 Testing: 04_julia:adds\nOutput:\nsaid nothing of it\n<end of output>\n"
                "3/9 Testing: 06:a picture\nOutput:\n/y.cpp:1: warning: 'skipped: no Xvfb'\n<end of output>\n"
            )
            tests = [("04_julia:a window", "skipped"), ("04_julia:adds", "disabled"), ("06:a picture", "skipped")]
            self.assertEqual(list(ctest.not_run(tests, log)), [
                "not run, 2 tests: no Xvfb", "  04_julia: a window", "  06: a picture",
                "not run, 1 test: disabled", "  04_julia: adds",
            ])
        self.assertEqual(list(ctest.not_run([], log)), [])

    def test_a_failing_test_is_shown_in_short(self) -> None:
        first = f" 1/1 Test #4: 03_vector_add:adds {'.' * 30}***Failed    0.39 sec\n"
        self.assertEqual(
            self.shown(first + DIFFERENCE)[1:],
            [
                "    tests/03_vector_add_test.cpp:59",
                '    difference(d_c.values(), expected) == ""',
                '    "index 255: expected 49.0442848, got -nan" == ""',
                """    'stage.name := "3_blocks_and_threads"'""",
                "    'n := 256 (0x100)'",
            ],
        )
        shown = self.shown(first + PROGRAM.format(code=3, error=FAULT))
        self.assertIn("    'result.err := \"emulator: kernel add: thread (64,0,0) of block (0,0,0) read", shown)
        self.assertNotIn("table", "\n".join(shown))
        self.assertEqual(len(self.shown(first + "words\n" * 1000)), 11)
        self.assertEqual(self.shown(first + UNITTEST)[-1], "    AssertionError: 1 != 2")

    def test_what_runs_for_long_is_said(self) -> None:
        stderr = io.StringIO()
        with unittest.mock.patch.object(console.Progress, "INTERVAL", 0), contextlib.redirect_stderr(stderr):
            output = ctest.Output(ROOT)
            output.line("    Start 4: 03_vector_add:every stage adds")
            output.tick()
        self.assertRegex(stderr.getvalue(), r"lab: \[0\] running for 0 s: 03_vector_add: every stage adds")


class FailingTests(FakeRepository):
    def test_the_whole_screen(self) -> None:
        said = DIFFERENCE.replace("/repository", str(self.root))
        self.write("03_vector_add/said", said)
        self.chapter("03_vector_add", "vector_add", f"cat {self.root}/03_vector_add/said; exit 1\n")
        result = self.ends(1, "test")
        lines = result.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertLess(len(lines), 24)
        self.assertRegex(result.stdout, r"(?m)^50% tests passed, .* out of 2$")
        self.assertRegex(result.stdout, r"(?m)^Total Test time")
        self.assertEqual(lines[-5:], [
            "1 of 2 tests failed:",
            "  03_vector_add, stage 3_blocks_and_threads",
            "    index 255: expected 49.0442848, got -nan; n = 256",
            "    look closer: ./lab check 3 3",
            "all that they printed: build/cpu/lab-test.log",
        ])
        log = (self.root / "build/cpu/lab-test.log").read_text()
        self.assertIn("Failed 1 test case, failed 1 assertion.", log)
