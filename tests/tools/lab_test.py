"""The command as a user types it."""

import subprocess

from support import FakeRepository
from exercise_test import CHECK, SOLUTION, TASK, WRONG
from lab import COMMANDS


class CommandLine(FakeRepository):
    def test_alone_it_explains_itself(self) -> None:
        for arguments in ([], ["--help"], ["help"]):
            result = self.runs(*arguments)
            for command in COMMANDS:
                self.assertIn(f"./lab {command}", result.stdout)
            self.assertEqual([line for line in result.stdout.splitlines() if len(line) > 80], [])
        narrow = self.runs(COLUMNS="60").stdout.splitlines()
        self.assertEqual([line for line in narrow if len(line) > 60], [])

    def test_every_command_has_help_that_fits_80_columns(self) -> None:
        for command in COMMANDS:
            result = self.runs(command, "--help", COLUMNS="80")
            self.assertIn(f"./lab {command}", result.stdout)
            self.assertEqual([line for line in result.stdout.splitlines() if len(line) > 80], [])

    def test_wrong_words_are_one_line_and_exit_code_2(self) -> None:
        for arguments, expected in (
            (["rnu"], "did you mean 'run'"),
            (["frobnicate"], f"there are: {', '.join(COMMANDS)}"),
            (["--frobnicate"], "unknown option '--frobnicate'"),
            (["run", "--frobnicate"], "unknown option --frobnicate"),
            (["run", "3", "--n", "10"], "options of the program go after '--'"),
            (["docs", "--frobnicate"], "unknown option --frobnicate"),
            (["run", "1", "--build", ""], "there is nothing behind --build "),
            (["check", "--json="], "there is nothing behind --json= "),
            (["run", "--cuda", "--cpu"], "not allowed with"),
            (["test", "--preset", "nonsense"], "the presets: cpu, cuda, asan"),
            (["test", "--preset", "asan", "--cpu"], "leave out --cuda or --cpu"),
            (["check", "3", "--cuda"], "unknown option --cuda"),
            (["check", "3", "2", "1"], "'1' is too much"),
            (["clean", "3"], "'3' is too much"),
            (["doctor", "--install", "--no-install"], "not allowed with"),
            (["--version", "x"], "--version stands alone, so 'x' is too much"),
            (["r\nn"], "unknown command 'r\\nn'"),
            (["run", "--\x1b[2J"], "unknown option --\\x1b[2J"),
            (["run", "3\n4"], "there is no chapter '3\\n4'"),
            (["test", "--preset", "\r"], "there is no preset '\\r'"),
            (["run", "--no-install", "--"[:1] + "x" * 10_000], "…"),
            (["x" * 10_000], "…'; there are: "),
            (["run", "y" * 10_000], "…'; the chapters: "),
            (["count", "3", "2", "--keep"], "the lessons need all stages"),
            (["count", "--keep", "--check"], "not allowed with"),
            (["count", "3", "2", "--ncu"], "the lessons need all stages"),
            (["count", "--ncu", "--keep"], "not allowed with"),
            (["run", "7"], "the chapters: 01_hello, 03_vector_add"),
            (["test", "vectr_add"], "did you mean 03_vector_add?"),
        ):
            with self.subTest(arguments=arguments):
                self.assertLess(len(self.refused(2, expected, *arguments)), 270)

    def test_paths_of_all_kinds(self) -> None:
        """Each is taken as it is, or refused where nvcc, CMake or a shell would take it for something else."""
        ask = "case $1 in --version) echo release 13.0; exit ;; --list-gpu-code) echo sm_90; exit ;; esac"
        runs = 'for word; do case $word in -*\\"*) ;; *) sh -c ": \\"$word\\"" ;; esac; done'  # as the real one does
        self.command("nvcc", f"#!/bin/sh\n{ask}\n{runs}\nexit 1\n")
        self.command("nvdisasm", "#!/bin/sh\n")
        self.command("apt-get", "#!/bin/sh\nexit 1\n")
        self.env["CUDACXX"] = str(self.bin / "nvcc")
        self.checks("01_hello", "hello")
        for file, text in (("task.md", TASK), ("solution.cu", SOLUTION), ("check.cpp", CHECK), ("wrong.toml", WRONG)):
            self.write(f"03_vector_add/exercises/1_two/{file}", text)
        for name in ("für 'mich' (2) & *", "a$(touch HERE)", "a`touch HERE`", 'a";touch HERE;"', "a\ntouch HERE\n"):
            for file in ("a.cu", f"{name}.cu"):
                self.write(file, "")
            for works, *arguments in (  # with the first name
                (True, "run", "1", "--build", name),
                (True, "clean", "--build", name),
                (True, "check", "1", "--json", f"{name}.json"),
                (True, "lint", "--message", f"{name}.cu"),
                (None, "handout", "3", "--build", name),
                (None, "bench", "1", "--cpu", "--output", name),
                (False, "count", "3", "--json", f"{name}.json"),
                (False, "sass", f"{name}.cu", "--text"),
                (False, "sass", "a.cu", "--text", "-o", name, "--", f"-I{name}"),
                (False, "check", f"{name}.cu"),
                (False, "watch", f"{name}.cu"),
                (False, "exercise", f"my/{name}.cu"),
                (False, "export", name, name, "-o", name),
                (False, "grade", name, "--output", name),
            ):
                with self.subTest(arguments=arguments):
                    result = self.lab(*arguments)
                    self.assertEqual([*self.temporary.rglob("HERE")], [])
                    self.assertNotIn("Traceback", result.stderr)
                    if name[0] == "f" and works is not None:
                        self.assertEqual(result.returncode == 0, works, result.stderr)
        self.root = self.root.rename(self.temporary / "a$(touch HERE)")
        result = self.lab("run", "1")
        self.assertEqual((result.returncode, [*self.temporary.rglob("HERE")]), (2, []))
        self.assertIn("would misread the $ in it; rename it\n", result.stderr)

    def test_a_seed_that_is_no_number_is_refused(self) -> None:
        for seed in ("abc", "-1", str(1 << 64)):
            self.refused(2, f"the environment variable SEED is '{seed}', and must be from 0 to 2^64 - 1\n", "test", SEED=seed)

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
        for self.env in ({}, {"PYTHONHOME": "/tmp"}):
            result = self.runs("--help")
            self.assertIn("CHAPTER…", result.stdout)

    def test_a_locale_that_is_not_utf8_is_enough(self) -> None:
        self.root = self.root.rename(self.temporary / "für mich")
        for _ in range(2):  # the second time there is a build folder, which names this one
            self.runs("run", "1", LC_ALL="POSIX", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
