"""./lab exercise: tasks with a checker, hints and proofs."""

import json
import sys
import time
from argparse import Namespace
from pathlib import Path

from exercises import folder, screen, session, verify, watch
from exercises.folder import Exercise
from exercises.learner import PROGRESS, Learner
from shared import arguments, chapters, console, language
from shared.arguments import Commands
from shared.chapters import OWN, ROOT
from shared.console import EXIT_FAILED, EXIT_USAGE, Failure
from translating.translation import Translation


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "exercise",
        arguments="[EXERCISE]",
        summary="a task to solve: begin it, have your file\nchecked, ask for a hint",
        examples={"./lab exercise 3.1": "begin exercise 3.1; afterwards: is my\nfile right"},
        description="Without an exercise: the list, and where you are. With one: the first call makes your file in my/ and "
        "shows the task. Each later call checks your file on the emulator, and a right answer also on the GPU if there is one.",
    )
    parser.add_argument("exercises", metavar="EXERCISE", nargs="*", help="its number, e.g. 3.1")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--hint", action="store_true", help="show the next hint")
    what.add_argument("--solution", action="store_true", help="show the solution: when yours is right, or when you ask twice")
    what.add_argument("--reset", action="store_true", help="begin again; your old file is kept beside the new one")
    what.add_argument(
        "--watch", action="store_true", help="check at each save; without a number, begin with the first unsolved one"
    )
    what.add_argument(
        "--stdin",
        action="store_true",
        help="make your file what comes from standard input, as of a notebook's cell, and check it; what else you have "
        "written there is kept beside it",
    )
    parser.add_argument("--verify", action="store_true", help="for authors: prove that the exercises are sound")
    arguments.add_set_up(parser)


def run(options: Namespace) -> int:
    known = folder.discover(ROOT, Translation(ROOT, language.chosen()))
    if not known:
        raise Failure("there are no exercises here")
    chosen = [folder.find(known, word) for word in options.exercises]
    if options.verify:
        exercises = chosen or known
        return verify.run(session.judge_for(options, exercises), exercises)
    if len(chosen) > 1:
        raise Failure("one exercise at a time (--verify takes several)", EXIT_USAGE)
    if chosen or options.watch:
        chapters.require_own_folder(ROOT)
    set_aside_damaged(ROOT / OWN / PROGRESS)
    learner = Learner(ROOT / OWN)
    if options.watch:
        first = chosen[0] if chosen else learner.next_unsolved(known)
        return watch.run(known, first, learner, lambda exercises: session.judge_for(options, exercises))
    if not chosen:
        if given := [what for what in ("hint", "solution", "reset", "stdin") if getattr(options, what)]:
            raise Failure(f"of which exercise? E.g. ./lab exercise 3.1 --{given[0]}", EXIT_USAGE)
        print(screen.overview(known, learner))
        return 0
    exercise = chosen[0]
    if options.hint:
        print(session.next_hint(exercise, learner))
    elif options.solution:
        print(session.solution(exercise, learner))
    elif options.reset:
        print(session.reset(exercise, learner))
    else:
        if options.stdin:
            if not (text := sys.stdin.read()).strip():
                raise Failure("there is nothing on standard input", EXIT_USAGE)
            learner.put(exercise, text)
        return begin_or_check(exercise, known, learner, options)
    return 0


def set_aside_damaged(progress: Path) -> None:
    """A file that is no list of exercises gets a free name, before a new one takes its place."""
    try:
        if isinstance(json.loads(progress.read_text(encoding="utf-8")), dict):
            return
    except OSError:  # there is none yet
        return
    except ValueError:
        pass
    kept = console.shown(progress.replace(progress.with_suffix(f".damaged{time.time():.0f}")))
    console.note(f"lab: {console.shown(progress)} is damaged, so your list begins anew; the old one is now {kept}")


def begin_or_check(exercise: Exercise, known: list[Exercise], learner: Learner, options: Namespace) -> int:
    begun = learner.begin(exercise)
    if begun:
        print(f"{screen.task(exercise)}\n\n{screen.how_to_go_on(exercise, learner)}", flush=True)
    judge = session.judge_for(options, [exercise])
    judge.prepare([exercise])
    if begun:
        return 0
    solved, says = session.check(exercise, known, learner, judge)
    print(says)
    return 0 if solved else EXIT_FAILED
