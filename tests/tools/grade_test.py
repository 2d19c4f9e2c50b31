"""./lab grade, on a small exercise without CUDA and a few students; among them those who attack it."""

import csv
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import unittest
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, redirect_stdout
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from xml.etree import ElementTree

from support import ROOT, FakeRepository, Folder, left_running, wait_until
from commands.grade import judge_all
from exercise_test import TASK, TEAM_CHECK, THREADS, Exercise
from exercises import box, folder, sandbox, toolchain
from exercises.hostile import with_first_statement
from exercises.judge import Verdict
from grading import board, submissions
from grading.grader import Graded, Grader
from grading.journal import Journal, Result
from grading.stages import Rungs, StageJudge
from grading.submissions import Submission
from hostile_students import Student, World, students
from reports.results import Json
from shared import chapters
from shared.console import Failure

ASSERTIONS = 2 * 5 * sum(2 * n + 2 for n in (1, 2, 3, 31, 100, 1009, 10_000))  # of TEAM_CHECK
WRITTEN = {"grades.csv", "junit.xml", "gradescope", "verdicts.jsonl"}
FAR_AWAY = "a_student_who_has_nothing_but_a_link"
CLASSROOM = {name: f"the {name}" for name in ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL")}

BOX, NO_BOX = box.find([], [])
needs_a_box = unittest.skipIf(NO_BOX, f"skipped: there is no sandbox here: {NO_BOX}")


def hand_in(where: Path, file_name: str, handed_in: list[Student]) -> None:
    for student in handed_in:
        place = where / os.fsdecode(student.name.encode().replace(b"?", b"\xe9"))
        place.mkdir(parents=True)
        student.make(place / file_name)


def rows(output: Path) -> list[dict[str, str]]:
    with (output / "grades.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def categories(output: Path) -> dict[tuple[str, str], str]:
    """By student and exercise; a spreadsheet's formula is told from a name by a '."""
    return {(row["student"].removeprefix("'"), row["exercise"]): row["category"] for row in rows(output)}


@needs_a_box
class Grading(Exercise):
    """A repository with exercise 3.1, made with threads, and a folder of students."""

    def setUp(self) -> None:
        super().setUp()
        self.without_cuda("threads")
        (self.bin / "bwrap").unlink()
        self.students = self.temporary / "students"
        self.output = self.temporary / "output"

    def grade(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        result = self.lab("grade", *arguments, "--no-install", **env)
        self.assertNotIn("Traceback", result.stderr)
        return result

    def world(self, port: int) -> World:
        listed = self.root / "tools/exercises/checker/checker.cpp"
        private = [Path("/etc/passwd"), listed, self.root / self.folder / "check.cpp", self.students / "right/03_1_two.cpp"]
        private += [self.root / self.folder / "solution.cpp", self.output / "verdicts.jsonl", self.temporary / "secret"]
        (self.temporary / "secret").write_text("")
        places = (self.temporary, self.students, self.root, self.output, Path("/tmp"), Path("/"), Path("/usr"), Path("/dev/shm"))
        outside = [place / f"marked-{self.temporary.name}" for place in places]
        return World(private, outside, port, os.getpid(), self.root / self.folder / "solution.cpp", ASSERTIONS)

    def test_a_class_in_which_some_attack(self) -> None:
        wrong = THREADS.replace("i += threads) mine", "i += threads + 1) mine")
        with socket.create_server(("127.0.0.1", 0)) as listening:
            world = self.world(listening.getsockname()[1])
            all_of_them = [*students(THREADS, lambda code: with_first_statement(THREADS, TEAM_CHECK, code), world)]
            all_of_them.append(Student("right", "solved", lambda path: path.write_text(THREADS)))
            all_of_them.append(Student("wrong", "values", lambda path: path.write_text(wrong)))
            hand_in(self.students, "03_1_two.cpp", all_of_them)
            (self.students / FAR_AWAY).symlink_to(self.students / "right")
            (self.students / "right/notes.txt").write_text("")
            before = self.state()
            expected = {(one.name, "3.1"): one.category for one in all_of_them}
            self.interrupt()
            self.kill_in_the_middle(expected)
            result = self.grade(str(self.students), "--output", str(self.output))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(categories(self.output), expected)
        self.assertRegex(result.stdout, r"\d+ of them known before")
        self.assertIn(f"{FAR_AWAY} is a symbolic link", result.stderr)
        self.assertIn("right: there is no exercise notes.txt", result.stderr)
        self.assertRegex(result.stdout, r"(?m)^right +1 of 1  3.1 solved$")
        self.assertRegex(result.stdout, r"(?m)^fork_bomb +0 of 1  3.1 failed in values$")
        told = {row["student"]: row["message"] for row in rows(self.output)}
        for name, what in (("fork_bomb", "64 processes"), ("many_files", "10,000 files")):
            self.assertIn(f"the program had more than {what} and was ended", told[name])
        self.reports()
        self.assertEqual(self.state(), before)
        self.assertEqual([path for path in world.outside if path.exists()], [])
        self.assertEqual({path.name for path in self.output.iterdir()}, WRITTEN)
        self.assertEqual(self.grade(str(self.students), "--sort", "sectors").returncode, 2)
        again = self.grade(str(self.students), "--output", str(self.output))
        self.assertIn("all known before", again.stdout)

    def interrupt(self) -> None:
        """As soon as something runs in a sandbox: that is the solution."""
        lab = self.start_lab("grade", str(self.students), "--output", str(self.output), "--no-install")
        wait_until(lambda: left_running(self.output / "temporary") or lab.poll() is not None, 300)
        lab.send_signal(signal.SIGINT)
        _, errors = lab.communicate(timeout=60)
        self.assertEqual(lab.returncode, 130, errors)
        self.assertNotIn("Traceback", errors)
        self.assertEqual(left_running(self.output / "temporary"), [])
        self.assertEqual({path.name for path in self.output.iterdir()}, WRITTEN)
        self.assertEqual(set(categories(self.output).values()), {"not run", "no answer", "no file"})
        (test,) = json.loads((self.output / "gradescope/right/results.json").read_text())["tests"]
        self.assertEqual((test["score"], test["status"], test["output"]), (0, "failed", "not run"))
        suites = {suite.get("name"): suite for suite in ElementTree.parse(self.output / "junit.xml").getroot()}
        self.assertEqual((suites["right"].get("tests"), suites["right"].get("skipped")), ("1", "1"))

    def kill_in_the_middle(self, expected: Mapping[tuple[str, str], str]) -> None:
        lab = self.start_lab("grade", str(self.students), "--output", str(self.output), "--no-install")
        journal = self.output / "verdicts.jsonl"
        wait_until(lambda: lab.poll() is not None or (journal.exists() and journal.read_text().count("\n") >= 3), 300)
        self.assertIsNone(lab.poll(), lab.stderr.read() if lab.poll() is not None and lab.stderr else "")
        lab.send_signal(signal.SIGKILL)
        lab.communicate()
        wait_until(lambda: not left_running(self.output / "temporary"), 10)
        self.assertEqual(left_running(self.output / "temporary"), [])
        known = set(categories(self.output).values())
        self.assertIn("not run", known)
        self.assertLessEqual(known, {"not run", *expected.values()})

    def state(self) -> list[tuple[str, int, int]]:
        """The students' files, as they are."""
        found = [(path, path.lstat()) for path in sorted(self.students.rglob("*"))]
        return [(str(path), state.st_size, state.st_mtime_ns) for path, state in found]

    def reports(self) -> None:
        """Of one who is right, one who is wrong, and one who has no file."""
        suites = {suite.get("name"): suite for suite in ElementTree.parse(self.output / "junit.xml").getroot()}
        for name, score, category in (("right", 1, "solved"), ("wrong", 0, "values"), ("no_file", 0, "no file")):
            text = (self.output / "gradescope" / name / "results.json").read_text()
            told = json.loads(text)
            (test,) = told["tests"]
            self.assertEqual((told["score"], test["score"], test["max_score"]), (score, score, 1))
            self.assertEqual((test["name"], test["output"]), ("3.1 two", category))
            self.assertEqual(suites[name].get("failures"), str(1 - score))
        self.assertNotIn("piece", (self.output / "gradescope/wrong/results.json").read_text())  # what the message speaks of
        self.assertIn("piece 1 of 2 was never computed", (self.output / "grades.csv").read_text())
        self.assertIn("'=1+1,", (self.output / "grades.csv").read_text())
        self.assertNotIn("\x1b", (self.output / "grades.csv").read_text())
        self.assertFalse((self.output / "classroom50").exists())

    def test_without_a_sandbox(self) -> None:
        hand_in(self.students, "03_1_two.cpp", [Student("right", "solved", lambda path: path.write_text(THREADS))])
        self.command("bwrap", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
        denied = "No permissions to create new namespace"
        said = self.refused(4, denied, "grade", str(self.students), "--no-install")
        self.assertIn("an answer can read and write all that you can, use the network", said)
        result = self.grade(str(self.students), "--no-sandbox", "--output", str(self.output), **CLASSROOM)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(categories(self.output), {("right", "3.1"): "solved"})
        self.assertIn("without a sandbox an answer can read", result.stderr)
        told = json.loads((self.output / "classroom50/result.json").read_text())
        self.assertEqual(told["schema"], "classroom50/result/v1")
        self.assertEqual((told["classroom"], told["review"]), ("the CLASSROOM", "the COMMIT_URL"))
        self.assertEqual((told["score"], told["max-score"]), (1, 1))
        test = {"test-name": "3.1 two", "passed": True, "score": 1, "max-score": 1, "category": "solved"}
        self.assertEqual(told["tests"], [test])


@needs_a_box
class Boxed(Folder):
    """The box by itself, with small programs in it."""

    def run_in_box(self, script: str) -> sandbox.Ended:
        return sandbox.run(["/bin/sh", "-c", script], self.root, {}, box=BOX)

    def test_the_files_of_the_machine_do_not_count(self) -> None:
        """bubblewrap sees them until the box is made."""
        self.assertEqual(box.files_in([os.getpid()], Path("/")), 0)

    def test_what_is_in_it(self) -> None:
        ended = self.run_in_box("ls /; ls -A . /etc; env; id -u; echo written > x; cat x; echo > /x; echo > /dev/shm/x; "
                                "unshare -Urm mount -t tmpfs x /proc && echo mounted; exit 7")
        self.assertEqual(ended.code, 7)
        words = set(ended.printed.split())
        self.assertLessEqual({"usr", "x"} & words, {"usr"})
        self.assertEqual({"home", "root", "passwd", "USER=root", "mounted"} & words, set())
        self.assertLessEqual({f"HOME={self.root}", "written"}, words)
        self.assertEqual(ended.said.count("Read-only file system"), 2, ended.said)
        self.assertEqual([path.name for path in self.root.iterdir() if not path.name.startswith(".")], [])
        if os.geteuid() == 0 and BOX and BOX.as_root:
            self.assertNotIn("0", words)

    def test_of_a_checkout_for_root_alone(self) -> None:
        """A user of the answer's own would see nothing of it."""
        (self.root / "tmp12345678").mkdir(mode=0o700)  # of somebody who is building
        self.root.chmod(0o755)
        self.assertEqual(box.find([self.root], []), (BOX and replace(BOX, readable=[self.root]), ""))
        (self.root / "check.h").touch(mode=0o600)
        made, why = box.find([self.root], [])
        self.assertEqual((made and made.as_root, why), (False, ""))

    def test_a_library_that_only_names_its_objects_can_be_read(self) -> None:
        place, work = self.root / "build/check/emulator", self.root / "work"
        (place / "objects").mkdir(parents=True)
        work.mkdir()
        (place / "objects/x.o").write_text("what x holds")
        subprocess.run(["ar", "qcT", "libemulator.a", "objects/x.o"], cwd=place, check=True)
        with mock.patch.object(toolchain, "ROOT", self.root):
            made, _ = box.find(toolchain.read_in_a_box(), [])
        ended = sandbox.run(["ar", "p", str(place / "libemulator.a")], work, {}, box=made)
        self.assertEqual(ended.printed, "what x holds", ended.said)

    def test_where_lab_has_many_files_open(self) -> None:
        with ExitStack() as held:
            files = [held.enter_context((self.root / "held").open("wb")).fileno() for _ in range(20)]
            script = f"cat; ls /proc/self/fd; cat /proc/self/fdinfo/{files[-1]} >&2; exit 7"
            keep = [files[0], files[-1]]
            ended = sandbox.run(["/bin/sh", "-c", script], self.root, {}, keep_open=keep, box=BOX)
        self.assertEqual((ended.code, ended.late), (7, False), ended.said)
        self.assertIn("flags:", ended.said)
        self.assertEqual(len(ended.printed.split()), 3 + len(keep) + 1, ended.printed)  # and the one of ls

    def test_nothing_in_it_outlives_lab(self) -> None:
        script = (
            "import sys; from pathlib import Path\n"
            f"sys.path.insert(0, {str(ROOT / 'tools')!r})\n"
            "from exercises import box, sandbox\n"
            f"sandbox.run(['/bin/sleep', '987'], Path({str(self.root)!r}), {{}}, box=box.find([], [])[0])\n"
        )
        lab = subprocess.Popen([sys.executable, "-c", script])
        wait_until(lambda: any("sleep 987" in line for line in left_running(self.root)), 60)
        lab.kill()
        lab.wait()
        wait_until(lambda: not left_running(self.root), 20)
        self.assertEqual(left_running(self.root), [])


class Scripts:
    """Stands in for the compiler: a stage is a shell script, which takes the place of the chapter's program."""

    box = BOX

    def make(self, command: Sequence[str | Path], place: Path, reads: Sequence[Path]) -> sandbox.Ended:
        text = (place / "my/mine.cu").read_text(errors="replace")
        if is_script := text.startswith("#!/bin/sh\n"):
            (place / "program").write_text(text)
            (place / "program").chmod(0o755)
        return sandbox.Ended(int(not is_script), "", "my/mine.cu:1:1: error: expected unqualified-id", False, 0)


RIGHT = """#!/bin/sh
for table; do :; done
echo '{"name": "mine"}' > "$table"
[ -z "$EMULATOR_COUNT_JSON" ] || echo '%s' > "$EMULATOR_COUNT_JSON"
"""
FINDING = {"kind": "race", "kernel": "k", "report": "a race", "detail": "", "cause": ""}
FINDING["deeds"] = [{"who": "a thread", "what": "wrote", "file": "my/mine.cu", "line": 2}] * 2


def counted(*sectors: tuple[str, int]) -> list[Json]:
    """A kernel for each of these stages."""
    common = {"file": "x.cu", "line": 1, "launches": 1, "blocks": 1, "threads": 32, "not_counted": 0, "floors": []}
    loads = [{"what": "global load", "requests": n // 4, "sectors": n, "lanes": n} for _, n in sectors]
    return [{"kernel": "k()", "ranges": ["n", name], "counts": [load], **common} for (name, _), load in zip(sectors, loads, strict=True)]


@needs_a_box
class OwnStages(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.judge = StageJudge(Scripts(), self.root, lambda chosen: self.fail("nothing is built"))  # type: ignore
        line = ["dot_product", "--n", "8"]
        self.judge._rungs["05_dot_product", ""] = Rungs([], [line], [line], counted(("2_rows", 400), ("3_fast", 100)))
        self.right = RIGHT % json.dumps({"kernels": counted(("mine", 104))})

    def students(self) -> dict[str, tuple[str, str]]:
        """What is handed in, and what comes out."""
        secret = self.root / "secret"
        secret.write_text("")
        found = f"cat > \"${{EMULATOR_CHECK_JSON:-/dev/null}}\" <<'END'\n{json.dumps(FINDING)}\nEND\n"
        deep = "head -c 1000000 /dev/zero | tr '\\0' '['"
        return {
            "ann/05_dot_product/mine.cu": (self.right, "solved"),
            "bob/my/05_dot_product/fast.cu": (self.right, "solved"),
            "cat/05_flat.cu": (RIGHT % json.dumps({"kernels": counted(("mine", 404))}), "solved"),
            "curious/05_mine.cu": (self.right.replace("for table", f"cat {secret} || echo > {secret}x || for table"), "solved"),
            "exit/05_mine.cu": ("#!/bin/sh\nexit 0", "values"),
            "finds/05_mine.cu": (self.right + found + "exit 5", "checked build"),
            "forger/05_mine.cu": (self.right + f"{deep} > $EMULATOR_CHECK_JSON", "values"),
            "hosts/05_mine.cu": (RIGHT % '{"kernels": []}', "counts"),
            "types/05_mine.cu": (self.right + 'echo "[[7]]" > "$EMULATOR_CHECK_JSON$EMULATOR_COUNT_JSON"', "values"),
            "typo/05_mine.cu": ("void f( {", "compiles"),
            "stageless/05_mine.cu": ("#!/bin/sh\necho 'error: --stage mine: there is no such stage' >&2; exit 2", "values"),
            "wrong/05_mine.cu": ("#!/bin/sh\necho 'error: mine is wrong: got 7' >&2; exit 1", "values"),
        }

    def test_each_has_its_own_row(self) -> None:
        given, where, output = self.students(), self.root / "students", self.root / "output"
        for name, (text, _) in given.items():
            (where / name).parent.mkdir(parents=True)
            (where / name).write_text(text)
        (where / "ann/05_dot_product/1_none.cu").touch()
        (where / "ann/05_z_none.cu").touch()
        (where / "ann/my").symlink_to(where / "bob/my")
        answers, notes = submissions.read(where, sorted(os.listdir(where)), [], [], ["05_dot_product"])
        self.assertEqual([note.rpartition(" ")[2] for note in notes], ["05_dot_product/1_none.cu", "05_z_none.cu", "my"])
        key = SimpleNamespace(parent=Path("made"), name="x")
        self.judge.toolchain.path = lambda exercise, suffix: key  # type: ignore
        with closing(Journal(output, fresh=False)) as journal, redirect_stdout(io.StringIO()) as printed:
            grader = Grader(self.judge, journal, answers)
            self.judge.prepare = lambda exercises: None  # type: ignore
            self.judge._of_solutions["05_dot_product", ""] = Verdict("solved", "", "")
            judge_all(grader, output)
        stages = {name.partition("/")[0]: category for name, (_, category) in given.items()}
        self.assertEqual({student: category for (student, _), category in categories(output).items()}, stages)
        self.assertFalse((self.root / "secretx").exists())
        self.assertRegex(printed.getvalue(), r"cat 05/flat +2_rows +404 +101 +1 +–")
        of = {row["student"]: row for row in rows(output)}
        self.assertEqual([of["ann"][what] for what in ("exercise", "rung", "sectors")], ["05/mine", "3_fast", "104.0"])
        self.assertIn("mine is wrong: got 7", of["wrong"]["message"])
        self.assertIn(chapters.NO_STAGE, of["stageless"]["message"])
        self.assertEqual((of["typo"]["line"], of["finds"]["line"]), ("1", "2"))
        told = json.loads((output / "gradescope/ann/results.json").read_text())
        self.assertEqual((told["score"], of["ann"]["alias"] in told["tests"][0]["output"]), (0, True))
        self.board((output / "grades.csv").read_text(), of)

    def board(self, grades: str, rows: Mapping[str, Mapping[str, str]]) -> None:
        aliases = [rows[name]["alias"] for name in ("ann", "bob", "curious", "cat")]
        page = board.page(grades, "sectors", names=False)
        self.assertEqual({*aliases[:3]}, {*re.findall(r"<td>([0-9a-f]{6})</td>", page)[:3]})
        self.assertEqual(re.findall(r"<td>([0-9a-f]{6})</td>", page)[3], aliases[3])
        self.assertIn(f"<p>Not right yet: {len(rows) - 4}.</p>", page)
        self.assertNotIn("curious", page)
        self.assertIn("<h2>Chapter 05, ladder t</h2>", board.page(grades.replace("05/fast", "05/t_fast"), "sectors", names=False))
        by_name = board.page(grades.replace("ann,", "<b>ann,"), "student", names=True)
        self.assertEqual(re.findall(r'<td class="key">(.*?)</td>', by_name), ["&lt;b&gt;ann", "bob", "cat", "curious"])
        self.assertNotIn("<script", page)


class Resuming(Folder):
    def test_what_cannot_be_checked_here_is_not_run(self) -> None:
        guard = folder.find(folder.discover(ROOT), "3.1")
        answers = [Submission("ann", guard, "void add() {}")]
        judge = SimpleNamespace(toolchain=SimpleNamespace(box=None, path=lambda exercise, suffix: Path("made/x")))
        with (
            closing(Journal(self.root, fresh=False)) as journal,
            mock.patch("grading.grader.lacks", return_value="needs a library"),
            mock.patch("shared.console.note") as note,
            redirect_stdout(io.StringIO()) as printed,
        ):
            judge_all(Grader(judge, journal, answers), self.root)  # type: ignore
            self.assertEqual(categories(self.root), {("ann", "3.1"): "not run"})
        note.assert_called_once_with("lab: 1 answer to 3.1 guard not run: it needs a library")
        self.assertIn(" s, 1 not run; grades.csv", printed.getvalue())

    def test_half_a_line_at_the_end_is_judged_again(self) -> None:
        journal = Journal(self.root, fresh=False)
        journal.add("one", Result("solved"))
        journal.close()
        with (self.root / "verdicts.jsonl").open("a") as file:
            file.write('{"key": "two", "categ')
        again = Journal(self.root, fresh=False)
        self.assertEqual((again.seed, again.results), (journal.seed, {"one": Result("solved")}))
        again.add("two", Result("values"))
        again.close()
        last = Journal(self.root, fresh=False)
        self.assertEqual(list(last.results), ["one", "two"])
        with self.assertRaisesRegex(Failure, "another lab is grading"):
            Journal(self.root, fresh=False)
        last.close()
        fresh = Journal(self.root, fresh=True)
        self.assertEqual(fresh.results, {})
        self.assertNotEqual(fresh.seed, journal.seed)
        fresh.close()


class Points(unittest.TestCase):
    def test_a_part_for_each_layer_that_the_starter_does_not_pass(self) -> None:
        known = {exercise.number: exercise for exercise in folder.discover(ROOT)}
        for number, expected in (("8.2", (0, 0, 3, 6, 10)), ("3.2", (0, 0, 0, 0, 8)), ("2.1", (0, 0, 2, 4, 6)), ("6.4", (0, 0, 3, 0, 6))):
            exercise = known[number]
            categories = ("compiles", "values", "checked build", "counts", "solved")
            points = [Graded(Submission("ann", exercise, "text"), Result(category)).points for category in categories]
            self.assertEqual(tuple(points), expected, number)
            for category in ("not run", "no file", "no answer"):
                self.assertEqual(Graded(Submission("ann", exercise, ""), Result(category)).points, 0)


class WrongUse(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        for name, text in (("task.md", TASK), ("solution.cu", ""), ("check.cpp", "")):
            self.write(f"03_vector_add/exercises/1_two/{name}", text)
        self.write("class/ann/03_1_two.cu", "")

    def test_one_line_each(self) -> None:
        for name in ("a_file", "empty/.hidden/x", "mine/03_1_two.cu", "nothing/ann/notes.txt"):
            self.write(name, "")
        output = str(self.temporary / "output")
        self.write("damaged/verdicts.jsonl", "{}\n")
        for arguments, code, expected in (
            ([], 2, "required: FOLDER ("),
            (["missing"], 2, "there is no folder missing"),
            (["a_file"], 2, "a_file is a file, and should be a folder"),
            (["empty"], 2, "empty has no student's folder"),
            (["mine"], 2, "the answers go into a folder for each student"),
            (["nothing"], 2, "no student's folder in nothing has an answer"),
            (["class", "9.9"], 2, "there is no exercise '9.9'"),
            (["class", "--frob"], 2, "unknown option --frob"),
            (["class", "--output", "a_file"], 1, "a_file cannot be written (it is a file)"),
            (["class", "--output", "a_file/x"], 1, "a_file/x cannot be written (Not a directory)"),
            (["class", "--output", "damaged"], 1, "is damaged; --fresh begins anew"),
        ):
            with self.subTest(arguments):
                where = [] if "--output" in arguments else ["--output", output]
                result = self.lab("grade", *arguments, *where, "--no-install")
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(expected, result.stderr.splitlines()[-1])
                self.assertLessEqual(result.stderr.count("\n"), 2 if arguments == ["nothing"] else 1, result.stderr)
                self.assertNotIn("Traceback", result.stderr)

    def test_bubblewrap_is_missing(self) -> None:
        (self.bin / "bwrap").unlink()
        self.only_these_commands("bash", "sh", "env", "dirname", "readlink")
        self.refused(4, "missing: bubblewrap", "grade", "class", "--no-install")
