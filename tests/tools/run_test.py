"""./lab run and ./lab test, and where they run: on a GPU or on the emulator."""

import os
import re
import signal
import time
from pathlib import Path

from support import CMAKE_LISTS, FakeRepository


class Run(FakeRepository):
    def test_runs_all_chapters_in_order(self) -> None:
        result = self.runs("run")
        words = ["01_hello · hello", "Device: none", "hello", "03_vector_add · vector_add", "Device: none", "adding"]
        at = 0
        for word in words:
            self.assertIn(word, result.stdout[at:])
            at = result.stdout.index(word, at) + len(word)
        self.assertRegex(result.stderr, r"^lab: the first build in build/cpu takes longest\n(built 1 file in \d+ s\n){2}$")

        self.assertEqual(self.lab("run").stderr, "", "the second time there is nothing to build")

    def test_the_first_output_does_not_wait_for_the_last_build(self) -> None:
        self.write("03_vector_add/vector_add.build", "echo 'vector_add.cu:1:1: error: oops' >&2; exit 1\n")
        self.assertIn("hello", self.lab("run").stdout)

    def test_one_chapter_with_arguments_for_its_program(self) -> None:
        for arguments in (["3", "--cpu"], ["--cpu", "vector_add", "3"]):
            result = self.runs("run", *arguments, "--", "--n", "10", "--cuda")
            self.assertIn("adding --n 10 --cuda\n", result.stdout)
            self.assertNotIn("hello", result.stdout)

    def with_two_programs(self) -> None:
        lists = self.root / "01_hello" / "CMakeLists.txt"
        more = (
            'configure_file(hello.sh other FILE_PERMISSIONS OWNER_READ OWNER_EXECUTE)\n'
            'file(APPEND ${CMAKE_CURRENT_BINARY_DIR}/programs.txt "other\\n")\n'
        )
        lists.write_text(lists.read_text() + more)

    def test_arguments_go_to_the_first_of_several_programs(self) -> None:
        self.with_two_programs()
        result = self.runs("run", "1")
        self.assertEqual(re.findall(r"── 01_hello · (\w+)", result.stdout), ["hello", "other"])
        result = self.lab("run", "1", "--", "--n", "3")
        self.assertEqual(re.findall(r"── 01_hello · (\w+)", result.stdout), ["hello"])
        self.assertIn("hello --n 3\n", result.stdout)
        self.assertEqual(
            result.stderr, "lab: the arguments are for hello; for another program: ./lab run 01_hello/other -- …\n"
        )

    def test_a_program_by_its_name(self) -> None:
        self.with_two_programs()
        for words, ran in (
            (["1/other", "--", "--n", "3"], ["other"]),
            (["hello/other"], ["other"]),
            (["01_hello/other", "1/hello"], ["hello", "other"]),
            (["./01_hello/"], ["hello", "other"]),
            (["1/other", "3"], ["other", "vector_add"]),
        ):
            result = self.runs("run", *words)
            self.assertEqual(re.findall(r"── \w+ · (\w+)", result.stdout), ran)
        self.refused(2, "there is no program 'nobody' in 01_hello; the programs: hello, other\n", "run", "1/nobody")
        self.refused(2, "there is no chapter '2/other'", "run", "2/other")
        for command in ("run", "test"):
            self.refused(2, "chapter 3 is there twice; for its stage 3: --stage 3\n", command, "3", "3")

    def test_works_from_another_directory_and_through_a_link(self) -> None:
        link = self.temporary / "link"
        link.symlink_to(self.root / "lab")
        self.chapter("01_hello", "hello", "pwd\n")
        for command in (link, self.root / "lab"):
            result = self.runs("run", "1", command=command, cwd=self.temporary)
            self.assertIn(f"\n{self.temporary}\n", result.stdout, "programs run where the user is")

    def test_a_program_that_another_one_starts(self) -> None:
        lists = self.root / "01_hello" / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace('txt "hello', 'txt "mpirun -np 4 hello'))
        self.command("mpirun", '#!/bin/sh\necho "mpirun $*; root $OMPI_ALLOW_RUN_AS_ROOT$OMPI_ALLOW_RUN_AS_ROOT_CONFIRM; btl $OMPI_MCA_btl"\n')
        result = self.runs("run", "1", "--", "--n", "10")
        self.assertIn("── 01_hello · mpirun -np 4 hello ──", result.stdout)
        allowed = "11" if os.geteuid() == 0 else ""
        self.assertIn(f"\nmpirun -np 4 {self.root}/build/cpu/01_hello/hello --n 10; root {allowed}; btl ^tcp\n", result.stdout)
        self.assertIn("; btl self,tcp\n", self.lab("run", "1", OMPI_MCA_btl="self,tcp").stdout, "the user's own is kept")

    def test_what_is_left_out_is_said(self) -> None:
        lists = self.root / "01_hello" / "CMakeLists.txt"
        left_out = 'file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/left_out.txt "x is left out: no y\\n")\n'
        lists.write_text(lists.read_text() + left_out)
        result = self.runs("run", "1")
        self.assertIn("lab: x is left out: no y\n", result.stderr)
        self.assertNotIn("left out", self.lab("run", "3").stderr)

    def test_a_failing_program_is_reported_and_the_others_still_run(self) -> None:
        self.chapter("01_hello", "hello", "exit 3\n")
        result = self.ends(3, "run")
        self.assertIn("hello ended with exit code 3\n", result.stderr)
        self.assertIn("adding", result.stdout)

    def test_a_crashing_program_is_named_with_its_signal(self) -> None:
        self.chapter("01_hello", "hello", "kill -SEGV $$\n")
        result = self.ends(128 + signal.SIGSEGV, "run", "1")
        self.assertIn("hello was ended by SIGSEGV\n", result.stderr)
        self.chapter("01_hello", "hello", "kill -KILL $$\n")
        result = self.ends(128 + signal.SIGKILL, "run", "1")
        self.assertIn("hello was ended by SIGKILL: out of memory, probably; a smaller --n needs less\n", result.stderr)

    def test_a_failed_build_shows_what_the_compiler_said(self) -> None:
        self.lab("run")
        self.write("01_hello/hello.build", "echo 'hello.cu:3:7: error: expected expression' >&2; exit 1\n")
        self.write("01_hello/hello.sh", "changed\n")
        result = self.ends(1, "run")
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
        result = self.runs("run", "1")
        self.assertRegex(result.stderr, rf"^lab: the first build .*\n{re.escape(warning)}\nbuilt 1 file in \d+ s\n$")
        self.assertIn("hello", result.stdout)
        self.assertEqual(self.lab("run", "1").stderr, "")

    def test_in_continuous_integration_warnings_are_errors(self) -> None:
        cache = self.root / "build/cpu/CMakeCache.txt"
        for value, expected in (("", "OFF"), ("true", "ON"), ("1", "ON"), ("false", "OFF"), ("true", "ON"), ("", "OFF")):
            self.runs("run", "1", CI=value)
            self.assertRegex(cache.read_text(), rf"(?m)^WARNINGS_AS_ERRORS:\w+={expected}$")

    def test_a_failed_configuration_shows_what_cmake_said(self) -> None:
        self.write("CMakeLists.txt", 'message(STATUS "chatter")\nmessage(FATAL_ERROR "Boost is too old")\n')
        result = self.ends(1, "run")
        self.assertIn("Boost is too old", result.stderr)
        self.assertNotIn("chatter", result.stderr)

    def test_a_build_folder_of_a_moved_repository_is_configured_afresh(self) -> None:
        self.lab("run")
        self.root = self.root.rename(self.temporary / "moved")
        result = self.runs("run", "1")
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

    def test_no_tests_is_a_failure(self) -> None:
        self.write("CMakeLists.txt", CMAKE_LISTS.partition("add_subdirectory")[0])
        self.ends(1, "test")

    def test_another_preset(self) -> None:
        self.runs("test", "--preset", "asan")
        self.assertTrue((self.root / "build/asan/lab-test.log").exists())
