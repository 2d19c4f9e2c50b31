"""The command as a user types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

from support import CMAKE_LISTS, ROOT, FakeRepository
import chapters
import console

COMMANDS = ("run", "test", "check", "count", "bench", "docs", "clean")


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
            (["frobnicate"], "the commands: run, test, check, count, bench, docs, clean"),
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
            (["r\nn"], "unknown command 'r\\nn'"),
            (["run", "--\x1b[2J"], "unknown option --\\x1b[2J"),
            (["run", "3\n4"], "there is no chapter '3\\n4'"),
            (["test", "--preset", "\r"], "there is no preset '\\r'"),
            (["run", "--no-install", "--"[:1] + "x" * 10_000], "…"),
            (["x" * 10_000], "…'; the commands: "),
            (["run", "y" * 10_000], "…'; the chapters: "),
            (["check", "1", "2", "word " * 10_000], "…' is too much"),
            (["check", "3", "2", "--", "--n", "1"], "-- --stage 2"),
            (["count", "3", "2", "--", "--n", "1"], "-- --stage 2"),
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

    def test_a_locale_that_is_not_utf8_is_enough(self) -> None:
        result = self.lab(LC_ALL="POSIX", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
        self.assertEqual(result.returncode, 0, result.stderr)


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
        self.write("03_vector_add/main.cpp", 'Chapter{"03_vector_add"}; report.cpu("1_cpu"); report.cpu("1_cpu_threads");')
        for name in ("1_cpu.cpp", "2_rows.cu", "3_columns.cpp", "4_tiles.cu", "b2_bits.cu", "bytes.cpp"):
            self.write(f"03_vector_add/{name}", "")
        lists = self.root / "03_vector_add/CMakeLists.txt"
        lists.write_text(lists.read_text() + "# 1_cpu.cpp 2_rows.cu 3_columns.cpp 4_tiles.cu b2_bits.cu\n")

    def test_one_that_is_not_there_is_refused_before_the_build(self) -> None:
        for command in ("check", "count"):
            for stage in ("9", "b9", "rows_and_more", "03_vector_add", "0", "bytes"):
                result = self.lab(command, "3", stage)
                self.assertEqual(result.returncode, 2)
                stages = "1_cpu, 1_cpu_threads, 2_rows, 3_columns, 4_tiles, 4_tiles/padded, b2_bits"
                expected = f"lab: there is no stage {stage} in 03_vector_add; the stages: {stages}\n"
                self.assertEqual(result.stderr, expected)
        self.assertFalse((self.root / "build").exists())

    def test_every_name_of_a_stage(self) -> None:
        names = ("1", "01", "1_cpu", "cpu", "cpu_threads", "1_cpu_threads", "2", "2_rows", "rows", "2_ro", "3", "columns")
        for stage in (*names, "4_tiles/padded", "tiles/padded", "padded", "b2", "bits", "library"):
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


class Run(FakeRepository):
    def test_runs_all_chapters_in_order(self) -> None:
        result = self.lab("run")
        self.assertEqual(result.returncode, 0, result.stderr)
        words = ["01_hello · hello", "Device: none", "hello", "03_vector_add · vector_add", "Device: none", "adding"]
        at = 0
        for word in words:
            self.assertIn(word, result.stdout[at:])
            at = result.stdout.index(word, at) + len(word)
        self.assertRegex(result.stderr, r"^built 2 files in \d+ s\n$")

        self.assertEqual(self.lab("run").stderr, "", "the second time there is nothing to build")

    def test_one_chapter_with_arguments_for_its_program(self) -> None:
        for arguments in (["3", "--cpu"], ["--cpu", "vector_add", "3"]):
            result = self.lab("run", *arguments, "--", "--n", "10", "--cuda")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("adding --n 10 --cuda\n", result.stdout)
            self.assertNotIn("hello", result.stdout)

    def test_works_from_another_directory_and_through_a_link(self) -> None:
        link = self.temporary / "link"
        link.symlink_to(self.root / "lab")
        self.chapter("01_hello", "hello", "pwd\n")
        for command in (link, self.root / "lab"):
            result = self.lab("run", "1", command=command, cwd=self.temporary)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"\n{self.temporary}\n", result.stdout, "programs run where the user is")

    def test_a_program_that_another_one_starts(self) -> None:
        lists = self.root / "01_hello" / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace('txt "hello', 'txt "mpirun -np 4 hello'))
        self.command("mpirun", '#!/bin/sh\necho "mpirun $*; root $OMPI_ALLOW_RUN_AS_ROOT$OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"\n')
        result = self.lab("run", "1", "--", "--n", "10")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("── 01_hello · mpirun -np 4 hello ──", result.stdout)
        allowed = "11" if os.geteuid() == 0 else ""
        self.assertIn(f"\nmpirun -np 4 {self.root}/build/cpu/01_hello/hello --n 10; root {allowed}\n", result.stdout)

    def test_what_is_left_out_is_said(self) -> None:
        lists = self.root / "01_hello" / "CMakeLists.txt"
        left_out = 'file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/left_out.txt "x is left out: no y\\n")\n'
        lists.write_text(lists.read_text() + left_out)
        result = self.lab("run", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("lab: x is left out: no y\n", result.stderr)
        self.assertNotIn("left out", self.lab("run", "3").stderr)

    def test_a_failing_program_is_reported_and_the_others_still_run(self) -> None:
        self.chapter("01_hello", "hello", "exit 3\n")
        result = self.lab("run")
        self.assertEqual(result.returncode, 3)
        self.assertIn("hello ended with exit code 3\n", result.stderr)
        self.assertIn("adding", result.stdout)

    def test_a_crashing_program_is_named_with_its_signal(self) -> None:
        self.chapter("01_hello", "hello", "kill -SEGV $$\n")
        result = self.lab("run", "1")
        self.assertEqual(result.returncode, 128 + signal.SIGSEGV)
        self.assertIn("hello was ended by SIGSEGV\n", result.stderr)

    def test_a_failed_build_shows_what_the_compiler_said(self) -> None:
        self.lab("run")
        self.write("01_hello/hello.build", "echo 'hello.cu:3:7: error: expected expression' >&2; exit 1\n")
        self.write("01_hello/hello.sh", "changed\n")
        result = self.lab("run")
        self.assertEqual(result.returncode, 1)
        message, end = result.stderr.splitlines()
        self.assertEqual(message, "hello.cu:3:7: error: expected expression")
        self.assertIn("the build failed", end)
        log = (self.root / "build/cpu/lab-build.log").read_text()
        self.assertIn("hello.cu:3:7", log)
        self.assertIn("FAILED", log)

    def test_what_the_compiler_remarks_is_shown_once(self) -> None:
        warning = "hello.cu:3:7: warning: unused parameter 'n' [-Wunused-parameter]"
        build = self.root / "01_hello/hello.build"
        build.write_text(f'echo "{warning}" >&2\n{build.read_text()}')
        result = self.lab("run", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, rf"^{re.escape(warning)}\nbuilt 1 file in \d+ s\n$")
        self.assertIn("hello", result.stdout)
        self.assertEqual(self.lab("run", "1").stderr, "")

    def test_in_continuous_integration_warnings_are_errors(self) -> None:
        cache = self.root / "build/cpu/CMakeCache.txt"
        for value, expected in (("", "OFF"), ("true", "ON"), ("1", "ON"), ("false", "OFF"), ("true", "ON"), ("", "OFF")):
            self.assertEqual(self.lab("run", "1", CI=value).returncode, 0)
            self.assertRegex(cache.read_text(), rf"(?m)^WARNINGS_AS_ERRORS:\w+={expected}$")

    def test_a_failed_configuration_shows_what_cmake_said(self) -> None:
        self.write("CMakeLists.txt", 'message(STATUS "chatter")\nmessage(FATAL_ERROR "Boost is too old")\n')
        result = self.lab("run")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Boost is too old", result.stderr)
        self.assertNotIn("chatter", result.stderr)

    def test_a_build_folder_of_a_moved_repository_is_configured_afresh(self) -> None:
        self.lab("run")
        self.root = self.root.rename(self.temporary / "moved")
        result = self.lab("run", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("hello", result.stdout)

    def test_ctrl_c_ends_everything(self) -> None:
        self.chapter("01_hello", "hello", f'echo $$ > "{self.temporary}/pid"; echo started; exec sleep 60\n')
        self.lab("run", "3")
        for to_group in (True, False):  # as the terminal does it, and as kill does
            lab = self.start_lab("run")
            assert lab.stdout and lab.stderr
            while lab.stdout.readline() != "started\n":
                pass
            started = time.monotonic()
            if to_group:
                os.killpg(lab.pid, signal.SIGINT)
            else:
                lab.send_signal(signal.SIGINT)
            _, errors = lab.communicate(timeout=300)
            self.assertEqual(lab.returncode, 130)
            self.assertNotIn("Traceback", errors)
            self.assertTrue(errors.endswith("lab: interrupted\n"), errors)
            self.assertLess(time.monotonic() - started, 50)  # the program would go on for 60
            pid = int(Path(self.temporary, "pid").read_text())
            self.assertFalse(Path(f"/proc/{pid}").exists(), "the program is still there")


class Test(FakeRepository):
    def test_runs_all_tests_and_ends_with_the_runners_closing_lines(self) -> None:
        result = self.lab("test")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, "100% tests passed.* out of 2")  # CMake 4 words it shorter
        self.assertRegex(result.stdout.splitlines()[-1], "Total Test time")
        self.assertTrue((self.root / "build/cpu/tests.xml").exists())

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
        result = self.lab("test", "--preset", "asan")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.root / "build/asan/tests.xml").exists())


def program_with(*findings: tuple[str, int], exit_code: int = 0, launches: int = 1) -> str:
    """A program of the checked build: it finds these kinds at these lines of kernel.cu."""
    script = "echo a table; echo a remark >&2\n"
    for kind, line in findings:
        report = f"emulator: {kind} in kernel k\n  thread 0 wrote at kernel.cu:{line}\n"
        finding = {"kind": kind, "kernel": "k", "report": report, "deeds": [{"file": "/kernel.cu", "line": line}]}
        script += f"printf '%s\\n' '{json.dumps(finding)}' >> \"$EMULATOR_CHECK_JSON\"\nprintf '{report}' >&2\n"
    end = f"{len(findings)} findings" if findings else "nothing found"
    script += f"echo 'emulator: checked {launches} launch{'' if launches == 1 else 'es'}: {end}' >&2\n"
    return script + f"exit {exit_code or (5 if findings else 0)}\n"


class Check(FakeRepository):
    def test_all_is_well(self) -> None:
        self.chapter("01_hello", "hello", program_with())
        self.chapter("03_vector_add", "vector_add", f"echo \"ran $*\" >> ~/log\n{program_with(launches=20)}")
        self.checks("01_hello", "hello")
        self.checks("03_vector_add", "vector_add --n 1", "vector_add --n 33")
        result = self.lab("check")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[-1], "checked 3 runs with 41 launches: nothing found")
        self.assertIn("vector_add --n 33: ok", lines)
        self.assertNotIn("a table", result.stdout)
        self.assertNotIn("a remark", result.stderr)
        self.assertEqual((self.temporary / "log").read_text(), "ran --n 1\nran --n 33\n")
        self.assertTrue((self.root / "build/check/01_hello/hello").exists())

    def test_findings_are_shown_once(self) -> None:
        script = program_with(("race", 7), ("out-of-bounds", 9), launches=2)
        self.chapter("01_hello", "hello", f'if [ "$2" = 1 ]; then {program_with()}fi\n{script}')
        self.checks("01_hello", "hello --n 1", "hello --n 2", "hello --n 3")
        written = self.temporary / "findings.json"
        result = self.lab("check", "1", "--json", str(written))
        self.assertEqual(result.returncode, 5)
        self.assertEqual(
            result.stdout.split("\n", 2)[2],
            "hello --n 1: ok\n"
            "hello --n 2: 2 findings\n"
            "emulator: race in kernel k\n  thread 0 wrote at kernel.cu:7\n"
            "emulator: out-of-bounds in kernel k\n  thread 0 wrote at kernel.cu:9\n"
            "hello --n 3: 2 findings, 2 of them known from above\n"
            "\nchecked 3 runs with 5 launches: 2 findings\n",
        )
        findings = json.loads(written.read_text())
        self.assertEqual([f["kind"] for f in findings], ["race", "out-of-bounds"])
        self.assertEqual({(f["chapter"], f["command"]) for f in findings}, {("01_hello", "hello --n 2")})
        self.assertNotIn("emulator: race", result.stderr)

    def test_a_program_that_fails_says_why(self) -> None:
        self.chapter("01_hello", "hello", program_with(exit_code=1))
        self.chapter("03_vector_add", "vector_add", program_with(("race", 7), exit_code=3))
        self.checks("01_hello", "hello")
        self.checks("03_vector_add", "vector_add")
        result = self.lab("check", "1", "--json", str(self.temporary / "none"))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.splitlines()[-2:], ["a remark", "lab: hello ended with exit code 1"])
        self.assertEqual((self.temporary / "none").read_text(), "[]\n")
        result = self.lab("check", "3")
        self.assertEqual(result.returncode, 5)
        self.assertIn("lab: vector_add ended with exit code 3\n", result.stderr)
        self.assertEqual((result.stdout + result.stderr).count("emulator: race"), 1)

    def test_one_stage(self) -> None:
        knows = 'case "$*" in *"--stage 2"*) ;; *) echo "error: no such stage" >&2; exit 2;; esac\n' + program_with()
        self.chapter("03_vector_add", "vector_add", knows)
        self.checks("03_vector_add", "vector_add --n 1", "false")
        self.command("false", "#!/bin/sh\nexit 2\n")
        result = self.lab("check", "3", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.endswith("\nchecked 1 run with 1 launch: nothing found\n"), result.stdout)
        result = self.lab("check", "3", "4")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no such stage", result.stderr)

    def test_arguments_of_ones_own(self) -> None:
        self.chapter("03_vector_add", "vector_add", f"echo \"ran $*\" >> ~/log\n{program_with()}")
        self.checks("03_vector_add", "vector_add --n 1", "vector_add --n 33")
        self.assertEqual(self.lab("check", "3", "--", "--n", "5").returncode, 0)
        self.assertEqual((self.temporary / "log").read_text(), "ran --n 5\n")

    def test_nothing_to_check_is_a_failure(self) -> None:
        result = self.lab("check", "3")
        self.assertEqual(result.returncode, 1)
        self.assertIn("03_vector_add has nothing to check", result.stderr)


def counting_program(sectors: int = 8, conflicts: int = 2, launches: int = 2, lost: int = 0) -> str:
    """A program of the checked build, of two stages: the second has two kernels of one name, the last does nothing."""

    def line(number: int, counts: dict[str, object]) -> dict[str, object]:
        return {"file": "/03_vector_add/2_rows.cu", "line": number, "text": f"text of line {number};", "counts": counts}

    load = {"what": "global load", "requests": 2000 * launches, "lanes": 64000 * launches, "bytes": 256000 * launches}
    load |= {"sectors": sectors * 2000 * launches, "most_sectors": 32}
    atomic = {"what": "shared atomic", "requests": 3, "lanes": 24, "bytes": 96, "wavefronts": 3 * conflicts}
    atomic |= {"least_wavefronts": 3, "worst_ways": 4, "same_address": 18, "most_same_address": 8}
    barrier = {"what": "barrier", "requests": 9 * 4 * launches, "lanes": 256 * launches}
    first = {"kernel": "void {anonymous}::rows(const float*) [with bool wide = true]", "file": "/03_vector_add/2_rows.cu"}
    first |= {"line": 3, "launches": launches, "not_counted": lost, "blocks": 4 * launches, "threads": 128}
    first |= {"counts": [load, barrier], "lines": [line(7, load), line(8, barrier)]}
    second = {"kernel": "void f(T*) [with T = int; std::size_t = long]", "file": "/03_vector_add/3_x.cu", "line": 1}
    second |= {"launches": 1, "not_counted": 0, "blocks": 1, "threads": 8, "counts": [atomic], "lines": [line(9, atomic)]}
    third = second | {"kernel": "void f(T*) [with T = float]", "counts": [], "lines": []}
    kernels = json.dumps({"kernels": [first, second, third]})
    return f"echo a table; echo a remark >&2; printf '%s' '{kernels}' > \"$EMULATOR_COUNT_JSON\"\n"


class Count(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.chapter("03_vector_add", "vector_add", counting_program())
        self.counts("03_vector_add", "vector_add --n 64")

    def test_a_table(self) -> None:
        result = self.lab("count")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertIn("── 03_vector_add · vector_add --n 64 ─", lines[1])
        self.assertEqual(
            lines[2:7],
            [
                "                                                          shared atomics",
                "stage   kernel    barriers  global loads  shared atomics  at one address",
                "2_rows  rows             9   2,000 × 8.0               –               –",
                "3_x     f<int>           –             –         3 × 2.0             6.0",
                "3_x     f<float>         –             –               –               –",
            ],
        )
        self.assertIn("sectors of 32 bytes", result.stdout)
        self.assertNotIn("a table", result.stdout)
        self.assertNotIn("a remark", result.stderr)
        self.assertNotIn("text of line", result.stdout)

    def test_a_table_that_is_too_wide_goes_on_below(self) -> None:
        result = self.lab("count", COLUMNS="50")
        lines = result.stdout.splitlines()
        self.assertEqual(
            lines[2:10],
            [
                "stage   kernel    barriers  global loads",
                "2_rows  rows             9   2,000 × 8.0",
                "3_x     f<int>           –             –",
                "3_x     f<float>         –             –",
                "",
                "                                  shared atomics",
                "stage   kernel    shared atomics  at one address",
                "2_rows  rows                   –               –",
            ],
        )
        for line in lines[-4:]:
            self.assertLessEqual(len(line), 80)

    def test_lines(self) -> None:
        written = self.temporary / "counts.json"
        result = self.lab("count", "3", "--lines", "--json", str(written))
        self.assertIn(
            "\n2_rows · rows\n2_rows.cu:7  text of line 7;\n    global load: 2,000 × 8.0, 32.0 lanes each\n"
            "2_rows.cu:8  text of line 8;\n    barrier: 9 for each block\n",
            result.stdout,
        )
        self.assertIn("    shared atomic: 3 × 2.0, 8.0 lanes each, 6.0 at one address\n", result.stdout)
        (entry,) = json.loads(written.read_text())
        self.assertEqual((entry["chapter"], entry["command"]), ("03_vector_add", "vector_add --n 64"))
        self.assertEqual([kernel["launches"] for kernel in entry["kernels"]], [2, 1, 1])

    def test_kept_for_the_lessons(self) -> None:
        lesson = self.write(
            "03_vector_add/README.md",
            "<!-- counts: vector_add --n 64 | barriers, global loads -->\n<!-- /counts -->\nEnd.\n",
        )
        result = self.lab("docs")
        self.assertEqual(result.returncode, 1)
        self.assertIn("03_vector_add/README.md:1: ./lab count has kept nothing of 'vector_add --n 64'", result.stderr)
        self.assertEqual(self.lab("count", "--check").returncode, 1)
        result = self.lab("count", "3", "--keep")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(
            lesson.read_text(),
            "<!-- counts: vector_add --n 64 | barriers, global loads -->\n\n"
            "| stage | barriers | global loads |\n| :-- | --: | --: |\n| 2_rows | 9 | 2,000 × 8.0 |\n\n"
            "*Counted: `./lab count 3`, of `vector_add --n 64`.*\n\n<!-- /counts -->\nEnd.\n",
        )
        self.assertEqual(self.lab("docs", "--check").returncode, 0)
        self.assertEqual(self.lab("count", "--check").returncode, 0)
        # How often a program launches is no matter, but what a launch does.
        self.chapter("03_vector_add", "vector_add", counting_program(launches=3))
        self.counts("03_vector_add", "vector_add --n 64")
        self.assertEqual(self.lab("count", "--check").returncode, 0)
        for changed in (counting_program(sectors=9), counting_program(conflicts=3)):
            self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{changed}")
            result = self.lab("count", "--check")
            self.assertEqual(result.returncode, 1)
            self.assertIn("not what was kept: 03_vector_add", result.stderr)
        lesson.write_text("<!-- counts: vector_add --n 64 | fences -->\n<!-- /counts -->\n")
        self.assertIn("no counts of 'fences'; there are: barriers, global loads", self.lab("docs").stderr)

    def test_one_stage(self) -> None:
        knows = 'case "$*" in *"--stage 2"*) ;; *) echo "error: no such stage" >&2; exit 2;; esac\n' + counting_program()
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{knows}")
        self.assertEqual(self.lab("count", "3", "2").returncode, 0)
        result = self.lab("count", "3", "4")
        self.assertEqual((result.returncode, result.stderr.splitlines()[-1]), (2, "lab: no such stage"))

    def test_what_goes_wrong(self) -> None:
        result = self.lab("count", "1")
        self.assertEqual((result.returncode, "01_hello has nothing to count" in result.stderr), (1, True))
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{counting_program(lost=1)}")
        result = self.lab("count", "3")
        self.assertEqual((result.returncode, "does too much between two barriers" in result.stderr), (1, True))
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{counting_program()}exit 3\n")
        result = self.lab("count", "3")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(result.stderr.splitlines()[-2:], ["a remark", "lab: vector_add --n 64 ended with exit code 3"])

    def test_arguments_of_ones_own(self) -> None:
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\necho \"ran $*\" >> ~/log\n{counting_program()}")
        self.assertEqual(self.lab("count", "3", "--", "--n", "5").returncode, 0)
        self.assertEqual((self.temporary / "log").read_text(), "ran --n 5\n")


class Backend(FakeRepository):
    def with_gpu(self) -> None:
        self.command("nvcc", "#!/bin/sh\n")
        self.command("nvidia-smi", "#!/bin/sh\necho 'GPU 0: NVIDIA Test (UUID: x)'\n")

    def test_cuda_without_a_gpu_names_what_is_missing(self) -> None:
        self.command("nvcc", "#!/bin/sh\n")
        for arguments in (["run", "--cuda"], ["test", "--preset", "cuda"]):
            result = self.lab(*arguments)
            self.assertEqual(result.returncode, 3)
            self.assertIn("no working NVIDIA GPU", result.stderr)
            self.assertNotIn("no nvcc", result.stderr)
            self.assert_one_line(result.stderr)

    def test_a_driver_that_lists_no_gpu_is_not_enough(self) -> None:
        self.command("nvcc", "#!/bin/sh\n")
        self.command("nvidia-smi", "#!/bin/sh\necho No devices were found\n")
        self.assertEqual(self.lab("run", "--cuda").returncode, 3)

    def test_cuda_without_nvcc_names_what_is_missing(self) -> None:
        self.with_gpu()
        (self.bin / "nvcc").unlink()
        result = self.lab("run", "--cuda", CUDACXX="/nowhere/nvcc")
        self.assertEqual(result.returncode, 3)
        self.assertIn("no nvcc", result.stderr)
        self.assertNotIn("no working", result.stderr)

    def test_cuda_is_chosen_where_it_works(self) -> None:
        self.with_gpu()
        self.lab("run", "1")
        self.assertTrue((self.root / "build/cuda/01_hello/hello").exists())
        self.assertFalse((self.root / "build/cpu").exists())

    def test_cpu_is_chosen_where_it_is_asked_for_or_the_gpu_is_hidden(self) -> None:
        self.with_gpu()
        self.assertEqual(self.lab("run", "1", "--cpu").returncode, 0)
        self.assertEqual(self.lab("run", "1", CUDA_VISIBLE_DEVICES="").returncode, 0)
        self.assertFalse((self.root / "build/cuda").exists())

    def test_a_gpu_without_nvcc_is_worth_a_remark(self) -> None:
        self.with_gpu()
        result = self.lab("run", "1", CUDACXX="/nowhere/nvcc")
        self.assertEqual(result.returncode, 0)
        self.assertIn("there is a GPU but no nvcc", result.stderr)


if __name__ == "__main__":
    unittest.main()
