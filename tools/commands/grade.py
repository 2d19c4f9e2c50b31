"""./lab grade: students' answers to the exercises, each judged in a sandbox."""

import os
import shutil
import time
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from building import setup
from building.dependencies import NeededBy
from building.prepare import of_preset, prepare
from exercises import box, folder, session
from exercises.box import Box
from exercises.toolchain import Toolchain, read_in_a_box
from grading import board, reports, submissions
from grading.grader import Grader
from grading.journal import Journal
from grading.stages import StageJudge
from grading.submissions import Submission
from shared import arguments, chapters, console, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_SETUP, Failure
from translating.templates import phrases

UNPROTECTED = (
    "without a sandbox an answer can read and write all that you can, use the network, and leave processes behind; "
    "only its time, the size of each file and what it prints are limited"
)
# What is put together at the end, for translators.
SENTENCES = phrases("""
    {number} of them known before | all known before | {number} not run
""")
EACH = 15.0  # seconds between two times that the reports are written


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "grade",
        arguments="FOLDER [EXERCISE …]",
        summary="for instructors: judge students' answers,\neach in a sandbox",
        examples={"./lab grade answers/": "a folder for each student, with files\nas in my/"},
        description="Judges what students have handed in, answers and stages of their own: a folder for each, with files named "
        "as in my/. Shows a table and writes grades.csv, junit.xml and Gradescope's results.json. If it is interrupted, the "
        "same command goes on.",
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="it contains a folder for each student")
    parser.add_argument(
        "exercises",
        metavar="EXERCISE",
        nargs="*",
        default=[],
        help="e.g. 3.1, or a chapter, e.g. 5; without one: all that were handed in",
    )
    parser.add_argument("--output", metavar="DIR", type=Path, help="where the results go (default: build/grades/FOLDER)")
    parser.add_argument("--fresh", action="store_true", help="judge all answers again, with another secret seed")
    parser.add_argument("--board", metavar="FILE", type=Path, help="a page of the students' own stages that are right")
    parser.add_argument(
        "--sort", metavar="COLUMN", choices=reports.COLUMNS, help="of grades.csv: the board's order (default: sectors)"
    )
    parser.add_argument("--names", action="store_true", help="on the board: the students' names, not aliases")
    parser.add_argument(
        "--no-sandbox", action="store_true", help="run the answers with all your rights: only if you trust them"
    )
    arguments.add_set_up(parser)


def run(options: Namespace) -> None:
    if not options.board and (options.sort or options.names):
        options.error("--sort and --names are for the page of --board")
    known = folder.discover(ROOT)
    there = chapters.discover(ROOT)
    whole = [word for word in options.exercises if word.isdigit() or word.rstrip("/") in there]
    chosen = [folder.find(known, word) for word in options.exercises if word not in whole]
    of = chapters.choose(ROOT, whole) if whole or not chosen else []
    where: Path = options.folder
    names, notes = submissions.students(where)
    answers, more = submissions.read(where, names, known, chosen, of)
    for note in [*notes, *more]:
        console.note(f"lab: {note}")
    builds = arguments.folder_of_builds(options)
    output = (options.output or builds / "grades" / (where.resolve().name or "all")).absolute()
    with closing(Journal(output, options.fresh)) as journal:
        _judge(options, journal, answers, builds, output)
    if options.board:
        grades = (output / reports.GRADES).read_text(encoding="utf-8")
        console.write_file(options.board, board.page(grades, options.sort or "sectors", options.names))
        print(console.said(f"the class's board is {console.shown(options.board)}"))


def _judge(options: Namespace, journal: Journal, answers: Sequence[Submission], builds: Path, output: Path) -> None:
    os.environ["SEED"] = journal.seed  # of what is random in the checkers: the same for all students, and known to none
    sandbox = None if options.no_sandbox else _sandbox(options, [ROOT, options.folder.resolve(), output, Path.home()])
    if not sandbox:
        console.note(f"lab: {UNPROTECTED}")
    setup.ensure(True, False, not options.no_install, builds)
    session.fetch_libraries(options, [answer.exercise for answer in answers if answer.is_there])
    scratch = _scratch(output)
    try:
        judge = StageJudge(Toolchain(builds, sandbox), scratch, lambda chosen: prepare(options, chosen, of_preset("check")))
        judge_all(Grader(judge, journal, answers), output)
    except BaseException:  # before the folder goes, in which they are at work
        processes.end_descendants(patience=0.5)
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def judge_all(grader: Grader, output: Path) -> None:
    """Has all answers judged, and writes what came out: before, in between and at the end."""
    started = time.monotonic()
    reports.write(output, grader.so_far())  # "not run", before anything runs
    for exercise, number, why in (not_possible := grader.not_possible()):
        console.note(f"lab: {console.counted(number, 'answer')} to {exercise} not run: it {why}")
    due = grader.due()
    if due:
        grader.judge.prepare(grader.exercises())
    progress = console.Progress()
    written = time.monotonic()

    def judged(number: int) -> None:
        nonlocal written
        progress.show(f"judged {number} of {len(due)} answers")
        if time.monotonic() - written > EACH:
            written = time.monotonic()
            reports.write(output, grader.so_far())

    try:
        progress.show(f"judging {console.counted(len(due), 'answer')} …")
        grader.run(judged)
    finally:
        progress.clear()
        reports.write(output, grader.so_far())
    for line in reports.table(grader.so_far()):
        print(line)
    not_run = sum(number for _, number, _ in not_possible)
    before = sum(1 for submission in grader.submissions if submission.is_there) - len(due) - not_run
    told = f", {before} of them known before" if due and before else ", all known before" if before else ""
    told += f", {not_run} not run" if not_run else ""
    print(console.said(f"{time.monotonic() - started:.0f} s{told}; grades.csv and more are in {console.shown(output)}"))


def _scratch(output: Path) -> Path:
    """A folder for what is temporary. One that a lab left behind, when it was killed, goes first."""
    scratch = output / "temporary"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(mode=0o700)
    return scratch


def _sandbox(options: Namespace, hidden: Sequence[Path]) -> Box:
    setup.require({NeededBy.GRADING}, not options.no_install)
    found, why = box.find(read_in_a_box(), hidden)
    if not found:
        raise Failure(
            f"there is no sandbox on this machine ({why}): it needs namespaces of users, or root. --no-sandbox goes on, "
            f"but {UNPROTECTED}",
            EXIT_SETUP,
        )
    return found
