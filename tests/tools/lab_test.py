"""The command as a user types it."""

from __future__ import annotations

import subprocess
import unittest

from support import FakeRepository

COMMANDS = (
    *("run", "test", "check", "count", "watch", "sass", "export", "exercise", "handout", "grade", "bench", "docs", "book", "translate", "lint", "clean", "doctor"),
    "completion",
)


class CommandLine(FakeRepository):
    def test_alone_it_explains_itself(self) -> None:
        for arguments in ([], ["--help"], ["help"]):
            result = self.lab(*arguments)
            self.assertEqual(result.returncode, 0)
            for command in COMMANDS:
                self.assertIn(f"./lab {command}", result.stdout)

    def test_every_command_has_help(self) -> None:
        for command in COMMANDS:
            result = self.lab(command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(f"./lab {command}", result.stdout)

    def test_help_fits_80_columns(self) -> None:
        for command in ("help", *COMMANDS):
            result = self.lab(command, "--help", COLUMNS="80")
            for line in result.stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_wrong_words_are_one_line_and_exit_code_2(self) -> None:
        for arguments, expected in (
            (["rnu"], "did you mean 'run'"),
            (["frobnicate"], f"the commands: {', '.join(COMMANDS)}"),
            (["--frobnicate"], "unknown option '--frobnicate'"),
            (["run", "--frobnicate"], "unknown option --frobnicate"),
            (["run", "3", "--n", "10"], "options of the program go after '--'"),
            (["docs", "--frobnicate"], "unknown option --frobnicate"),
            (["run", "--cuda", "--cpu"], "not allowed with"),
            (["test", "--preset", "nonsense"], "the presets: cpu, cuda, asan"),
            (["test", "--preset", "asan", "--cpu"], "leave out --cuda or --cpu"),
            (["check", "3", "--cuda"], "unknown option --cuda"),
            (["check", "3", "2", "1"], "takes one chapter and one stage of it, so '1' is too much"),
            (["count", "3", "4", "5", "6"], "count several chapters one after another, or all of them: ./lab count"),
            (["clean", "3"], "unknown option 3"),
            (["doctor", "3"], "unknown option 3"),
            (["doctor", "--install", "--no-install"], "not allowed with"),
            (["--version", "x"], "--version stands alone, so 'x' is too much"),
            (["r\nn"], "unknown command 'r\\nn'"),
            (["run", "--\x1b[2J"], "unknown option --\\x1b[2J"),
            (["run", "3\n4"], "there is no chapter '3\\n4'"),
            (["test", "--preset", "\r"], "there is no preset '\\r'"),
            (["run", "--no-install", "--"[:1] + "x" * 10_000], "…"),
            (["x" * 10_000], "…'; the commands: "),
            (["run", "y" * 10_000], "…'; the chapters: "),
            (["check", "1", "2", "word " * 10_000], "…' is too much"),
            (["count", "3", "2", "--keep"], "the lessons need all stages"),
            (["count", "--keep", "--check"], "not allowed with"),
            (["count", "3", "2", "--ncu"], "the lessons need all stages"),
            (["count", "--ncu", "--keep"], "not allowed with"),
            (["run", "7"], "the chapters: 01_hello, 03_vector_add"),
            (["test", "vectr_add"], "did you mean 03_vector_add?"),
        ):
            with self.subTest(arguments=arguments):
                result = self.lab(*arguments)
                self.assertEqual(result.returncode, 2)
                self.assertIn(expected, result.stderr)
                self.assert_one_line(result.stderr)
                self.assertLess(len(result.stderr), 250)
                self.assertEqual(result.stdout, "")

    def test_an_output_that_cannot_be_written(self) -> None:
        self.lab("run", "1")
        for arguments in (["--help"], ["run", "--help"], ["run", "1"], ["test", "1"], ["docs"], ["clean"]):
            for output in (">/dev/full", ">&-"):
                with self.subTest(arguments=arguments, output=output):
                    result = self.shell(f"./lab {' '.join(arguments)} {output}")
                    self.assertEqual(result.returncode, 1)
                    self.assertRegex(result.stderr, "^lab: the output (cannot be written: No space left|is closed)")
                    self.assert_one_line(result.stderr)
        self.assertTrue((self.root / "build/cpu").exists())

    def test_nobody_who_reads_is_no_reason_to_speak(self) -> None:
        result = self.shell("set -o pipefail; ./lab --help | true; echo $?")
        self.assertIn(result.stdout, ("0\n", "1\n"), "quicker or slower than its reader")
        self.assertEqual(result.stderr, "")
        result = self.shell("./lab frobnicate 2>&-; echo $?; ./lab frobnicate 2>/dev/full; echo $?; ./lab 2>&-")
        self.assertEqual(result.stdout.splitlines()[:2], ["2", "2"])
        self.assertIn("./lab run", result.stdout)

    def shell(self, line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", line], cwd=self.root, env=self.env, capture_output=True, encoding="utf-8")

    def test_an_empty_environment_is_enough(self) -> None:
        self.env = {}
        result = self.lab("--help")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("CHAPTER…", result.stdout)

    def test_a_home_of_another_python_is_nothing_to_lab(self) -> None:
        result = self.lab("run", "1", PYTHONHOME="/tmp")
        self.assertEqual((result.returncode, result.stderr.count("missing")), (0, 0), result.stderr)

    def test_a_locale_that_is_not_utf8_is_enough(self) -> None:
        result = self.lab(LC_ALL="POSIX", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
