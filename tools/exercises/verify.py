"""./lab exercise --verify: the proof that the exercises are sound.

The starter compiles and fails in the layer that the task is about. The solution and other right answers pass. Each wrong
version is caught by the layer and with the words that it names. Answers that no exercise may let pass fail; those that try the
judge, and not an exercise's checker, are tried with one exercise of each kind. No hint gives a line of the solution away,
nothing stray lies in the folder.

The proof of all of them takes ten minutes. An exercise that was proved before, with the same checker, judge, emulator and
compiler, is not tried again (tools/proofs.py).
"""

import os
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from exercises import hostile
from exercises.folder import FILES, LAYERS, Exercise, shown
from exercises.judge import SOLVED, Judge, Verdict
from exercises.sandbox import Patience
from exercises.toolchain import digest, lacks
from proofs import proof_of
from shared import console
from shared.console import EXIT_FAILED, counted

FEWEST_WRONG = 5
MOST_SECONDS = 5.0  # from save to verdict, the median
THE_SOLUTION = "the solution"
HOSTILE = Patience(1, 0.3)  # for what never ends
SECOND_TRY = Patience(30, 15)  # for what is slow where other answers are judged at the same time
AT_A_TIME = (os.cpu_count() or 1) + 1  # one more than there are processors, since some answers wait for what never ends
SHORTEST_TELLING = 16  # characters of a line of the solution that a hint must not have


@dataclass(frozen=True)
class Proof:
    """A version of an answer, and what must become of it. layer: one of LAYERS, SOLVED, or '' for any that fails."""

    name: str
    text: str
    layer: str
    says: str = ""
    patience: Patience | None = None

    def refuted_by(self, verdict: Verdict) -> str:
        """'' if the verdict is as it must be, else what is wrong with it."""
        came = f"came out as {verdict.layer}: {verdict.all_words()}"
        if self.layer == SOLVED or self.layer in LAYERS:
            if verdict.layer != self.layer:
                return f"{self.name}: expected {self.layer}, {came}"
        elif verdict.solved:
            return f"{self.name} passes"
        elif verdict.layer == "compiles":
            return f"{self.name} proves nothing, since it does not compile: {verdict.all_words()}"
        return "" if self.says in verdict.all_words() else f"{self.name}: '{self.says}' is not said; {came}"


@dataclass(frozen=True)
class Trial:
    """How a version was judged. said: what is wrong with that; at_first: what was wrong with it in a first try."""

    proof: Proof
    verdict: Verdict
    said: str
    at_first: str = ""


def run(judge: Judge, exercises: Sequence[Exercise]) -> int:
    """Verifies, and prints a line for each exercise and what is wrong."""
    started = time.monotonic()
    left_out = {exercise: why for exercise in exercises if (why := lacks(exercise))}
    for exercise, why in left_out.items():
        print(f"{exercise}: skipped, it {why}")
    possible = [exercise for exercise in exercises if exercise not in left_out]
    wrong = {exercise: list(_looked_at(exercise)) for exercise in possible}
    trials = _try_all(judge, wrong)
    seconds = [trial.verdict.seconds for trial in trials if trial.proof.layer in (*LAYERS, SOLVED)]
    median = statistics.median(seconds or [0.0])
    if seconds:
        print(f"from save to verdict: {median:.1f} s (median of {len(seconds)} answers, with {AT_A_TIME} at a time)")
    if on_gpu := sum(trial.verdict.on_gpu for trial in trials):
        print(f"{counted(on_gpu, 'right answer')} with right values on this machine's GPU, too")
    bad = sum(1 for said in wrong.values() if said)
    skipped = f", {len(left_out)} skipped" if left_out else ""
    took = f"{time.monotonic() - started:.0f} s"
    print(f"{counted(len(possible), 'exercise')}: {f'{bad} not sound' if bad else 'all sound'}{skipped} ({took})")
    if median > MOST_SECONDS:
        console.note(f"lab: a verdict is to take {MOST_SECONDS:.0f} s at most")
    return EXIT_FAILED if bad else 0


def _try_all(judge: Judge, wrong: dict[Exercise, list[str]]) -> list[Trial]:
    """Has all versions judged of the exercises that are due, and tells of each exercise, in their order. wrong: what is
    wrong with each, to which this adds."""
    all_trials: list[Trial] = []
    due = [exercise for exercise, said in wrong.items() if not said and not _stamp(judge, exercise).exists()]
    judge.prepare(due)
    of_judge = {e.host: e for e in reversed(due) if not _stamp_of_judge(judge, e).exists()}.values()
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        try:
            pending = {
                exercise: [pool.submit(tried, judge, exercise, proof) for proof in proofs(exercise, exercise in of_judge)]
                for exercise in due
            }
            for exercise, said in wrong.items():
                trials = [future.result() for future in pending.get(exercise, [])]
                said += [trial.said for trial in trials if trial.said]
                all_trials += trials
                _tell(judge, exercise, said, trials)
                if exercise in of_judge and not said:
                    console.write_file(_stamp_of_judge(judge, exercise), "")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return all_trials


def tried(judge: Judge, exercise: Exercise, proof: Proof) -> Trial:
    """Has a version judged. Which of two threads comes first is not always the same, nor which of two mistakes shows: a wrong
    version that was caught, but in another layer or in other words, is judged once more. One that passes is not."""
    verdict = judge.solution_seen(exercise) if proof.name == THE_SOLUTION else None
    verdict = verdict or judge.judge(exercise, proof.text, proof.patience)
    said = proof.refuted_by(verdict)
    if not said or verdict.solved or proof.layer == SOLVED:
        return Trial(proof, verdict, said)
    again = judge.judge(exercise, proof.text, proof.patience or (None if exercise.host else SECOND_TRY))
    return Trial(proof, again, proof.refuted_by(again), said)


def _stamp(judge: Judge, exercise: Exercise) -> Path:
    """A file that is there if the exercise was verified as it is."""
    return proof_of(f"exercise-{exercise.number}", judge.toolchain.made.name, _contents(exercise))


def _contents(exercise: Exercise) -> str:
    """A digest of the exercise's folder, and of what its checker includes."""
    files = sorted(path for path in exercise.folder.rglob("*") if path.is_file())
    contents = (part for path in files for part in (str(path.relative_to(exercise.folder)), path.read_bytes()))
    return digest(exercise.checker, *contents)


def _stamp_of_judge(judge: Judge, exercise: Exercise) -> Path:
    """A file that is there if the judge was tried with exercises of this one's kind."""
    return proof_of(f"judge-{exercise.host or 'cuda'}", judge.toolchain.made.name)


def _tell(judge: Judge, exercise: Exercise, wrong: Sequence[str], trials: Sequence[Trial]) -> None:
    if wrong:
        print(f"{exercise}: not sound")
        for said in wrong:
            print(f"    {said}")
    else:
        how = f"{counted(len(trials), 'answer')} judged as they must be" if trials else "as verified before"
        print(f"{exercise}: {how}")
        for trial in trials:
            if trial.at_first:
                print(f"    at first {trial.at_first}")
        console.write_file(_stamp(judge, exercise), "")
    sys.stdout.flush()


def proofs(exercise: Exercise, of_judge: bool) -> Iterator[Proof]:
    """All versions of the answer. of_judge: and what must fail for the judge's sake, whatever is checked."""
    yield Proof("the starter", exercise.starter, exercise.task.front["fails"])
    yield Proof(THE_SOLUTION, exercise.solution, SOLVED)
    for name, text in exercise.right().items():
        yield Proof(name, text, SOLVED)
    for version in exercise.wrong:
        yield Proof(f"wrong version '{version.name}'", version.text, version.caught_by, version.says)
    for answers in (hostile.answers, hostile.answers_for_judge) if of_judge else (hostile.answers,):
        for name, text, says in answers(exercise.solution, exercise.checker):
            yield Proof(name, text, "", says, HOSTILE)
    if decoy := hostile.on_the_host(exercise.solution, exercise.checker):
        yield Proof("work on the host behind an empty kernel", decoy, "", "no result is brought there")


def _looked_at(exercise: Exercise) -> Iterator[str]:
    """What is wrong with the folder, before anything is run."""
    for path in sorted(exercise.folder.iterdir()):
        if path.name not in {*FILES, exercise.source}:
            yield f"{shown(path)} does not belong there"
    if not exercise.right():
        yield "right/ needs another right answer, or the checker asks for the author's"
    if len(exercise.wrong) < FEWEST_WRONG:
        yield f"wrong.toml needs {FEWEST_WRONG} wrong versions and has {len(exercise.wrong)}"
    if not hostile.called(exercise.solution, exercise.checker):
        yield f"check.cpp declares no function that {exercise.source} defines"
    yield from missing_in_lesson(exercise)
    yield from _given_away(exercise)


def missing_in_lesson(exercise: Exercise) -> Iterator[str]:
    """The file, the section after which the exercise comes, and the paragraph that points to it, if they are not there."""
    file, after = exercise.place
    path = exercise.folder.parent.parent / file
    if not path.is_file():
        yield f"the chapter has no {file}"
        return
    lesson = path.read_text(encoding="utf-8")
    if not re.search(rf"^###? {re.escape(after)}$", lesson, re.MULTILINE):
        yield f"{shown(path)} has no section '{after}'"
    announced = re.search(rf"\*Exercise \((\d+) minutes\):\*(?:[^\n]|\n(?!\n))*\./lab exercise {exercise.number}\b", lesson)
    if not announced or int(announced[1]) != exercise.minutes:
        yield f"{shown(path)} has no paragraph '*Exercise ({exercise.minutes} minutes):* … ./lab exercise {exercise.number} …'"


def _given_away(exercise: Exercise) -> Iterator[str]:
    """Lines of the solution, less those of the starter, that stand in a hint or in the task."""
    task = exercise.task
    texts = {"the task": task.text, "what is counted": task.counted}
    texts |= {f"hint {number}": hint for number, hint in enumerate(task.hints, 1)}
    starter = {_squeezed(line) for line in exercise.starter.splitlines()}
    for line in dict.fromkeys(map(_squeezed, exercise.solution.splitlines())):
        if len(line) < SHORTEST_TELLING or line in starter:
            continue
        for title, text in texts.items():
            if line in _squeezed(text):
                yield f"{title} has a line of the solution: {line}"


def _squeezed(text: str) -> str:
    return "".join(text.split()).rstrip(";")
