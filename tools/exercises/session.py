"""What a learner does with an exercise: have it checked, ask for a hint or the solution, begin again."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from building import cccl, setup
from exercises import box, screen
from exercises.box import Box
from exercises.folder import Exercise
from exercises.judge import Judge
from exercises.learner import Learner
from exercises.toolchain import Toolchain, read_in_a_box
from shared import arguments, console
from shared.chapters import ROOT
from shared.console import Failure


def judge_for(options: Namespace, exercises: Sequence[Exercise]) -> Judge:
    """The judge, in the folder of builds that the command line names, once all is there that it needs for these."""
    arguments.require_seed()
    builds = arguments.folder_of_builds(options)
    setup.ensure(True, False, not options.no_install, builds, sorted({exercise.chapter for exercise in exercises}))
    fetch_libraries(options, exercises)
    sandbox, _ = own_sandbox()
    return Judge(Toolchain(builds, sandbox, for_learner=True))


def fetch_libraries(options: Namespace, exercises: Sequence[Exercise]) -> None:
    """Downloads the headers of libraries that these exercises are about. Where that fails, it says why: others go on."""
    if not options.no_install and any(exercise.library for exercise in exercises):
        try:
            cccl.install()
        except Failure as failure:
            console.note(f"lab: {failure}")


def own_sandbox() -> tuple[Box | None, str]:
    """The box in which a learner's answers run, as those do that are graded; or None and why there is none: then they run with
    the learner's rights."""
    return box.find(read_in_a_box(), [ROOT, Path.home()])


def check(exercise: Exercise, known: Sequence[Exercise], learner: Learner, judge: Judge) -> tuple[bool, str]:
    """Judges the learner's file: whether it is solved, and what to say."""
    outcome = judge.judge_file(exercise, learner.path(exercise))
    if outcome.solved:
        learner.note(exercise, "solved", True)
    following = learner.next_unsolved(known)
    return outcome.solved, screen.verdict(exercise, outcome, learner, following, judge.reference(exercise))


def next_hint(exercise: Exercise, learner: Learner) -> str:
    """One hint more than before; all of them once all were shown."""
    given, there = learner.hints(exercise), len(exercise.task.hints)
    if given >= there:
        return "\n\n".join(screen.hint(exercise, number) for number in range(1, there + 1))
    learner.note(exercise, "hints", given + 1)
    return screen.hint(exercise, given + 1)


def solution(exercise: Exercise, learner: Learner) -> str:
    if learner.solved(exercise) or learner.asked_for_solution(exercise):
        return exercise.solution.rstrip()
    learner.note(exercise, "asked for solution", True)
    left = len(exercise.task.hints) - learner.hints(exercise)
    phrase = exercise.translation.phrase
    more = phrase("{number} more: {command}").format(number=left, command=f"./lab exercise {exercise.number} --hint")
    not_yet = phrase("You have not solved {exercise} yet. Hints: {hints}.")
    hints = more if left > 0 else phrase("you have seen all")
    return f"{not_yet.format(exercise=exercise, hints=hints)}\n{phrase('Ask once more to see the solution.')}"


def reset(exercise: Exercise, learner: Learner) -> str:
    kept = learner.reset(exercise)
    phrase = exercise.translation.phrase
    begun = phrase("{file} is as at the beginning.").format(file=learner.shown(exercise))
    return f"{begun} {phrase('What was there is now {file}.').format(file=kept)}" if kept else begun
