"""Has all answers judged, several at a time, and keeps what came out."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from exercises import points
from exercises.folder import Exercise
from exercises.judge import Judge, Verdict
from exercises.toolchain import digest, lacks
from grading.journal import NO_ANSWER, NO_FILE, NOT_RUN, Journal, Result
from grading.stages import MALFORMED, OwnStage, Placed
from grading.submissions import Submission
from shared.console import Failure


@dataclass(frozen=True)
class Graded:
    """An answer and what became of it."""

    submission: Submission
    result: Result
    alias: str = ""  # of a stage's author, on the class's board

    @property
    def possible(self) -> int:
        return points.possible(self.submission.exercise)

    @property
    def points(self) -> int:
        return points.worth(self.submission.exercise, self.result.category)


class Grader:
    def __init__(self, judge: Judge, journal: Journal, submissions: Sequence[Submission]) -> None:
        self.judge, self.journal, self.submissions = judge, journal, submissions
        there = dict.fromkeys(one.exercise for one in submissions if one.is_there)
        self.left_out = {exercise: why for exercise in there if (why := lacks(exercise))}
        self._keys = {id(submission): self._key(submission) for submission in submissions}

    def so_far(self) -> list[Graded]:
        """All answers; those that no verdict is known of were not run."""
        return [Graded(one, self._known(one) or Result(NOT_RUN), self._alias(one)) for one in self.submissions]

    def due(self) -> list[Submission]:
        """What is to be judged, without the exercises that this machine cannot check."""
        return [one for one in self.submissions if self._known(one) is None and one.exercise not in self.left_out]

    def exercises(self) -> list[Exercise]:
        """Of what is due."""
        return list({submission.exercise.number: submission.exercise for submission in self.due()}.values())

    def not_possible(self) -> list[tuple[Exercise, int, str]]:
        """Those exercises, how many answers to each are not run, and why."""
        answers = Counter(one.exercise for one in self.submissions if self._known(one) is None)
        return [(exercise, answers[exercise], why) for exercise, why in self.left_out.items() if exercise in answers]

    def run(self, progress: Callable[[int], None]) -> None:
        """Judges what is due. At first the solutions: where one fails, it is not the students' fault."""
        due = self.due()
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            try:
                exercises = self.exercises()
                for exercise, verdict in zip(exercises, pool.map(self._solution, exercises), strict=True):
                    if not verdict.solved:
                        said = f"{verdict.layer}: {verdict.all_words()}"
                        raise Failure(f"the solution of {exercise.number} fails here, so nobody's answer is judged: {said}")
                running = {pool.submit(self.judge.judge, one.exercise, one.text): one for one in due}
                for number, future in enumerate(as_completed(running), 1):
                    try:
                        result = _result(future.result())
                    except MALFORMED as error:  # nobody else's row is to suffer from that
                        result = Result("values", "it reported nonsense", f"the judge could not read it: {error!r:.200}")
                    self.journal.add(self._keys[id(running[future])], result)
                    progress(number)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _alias(self, one: Submission) -> str:
        return digest(self.journal.seed, one.student)[:6] if isinstance(one.exercise, OwnStage) else ""

    def _solution(self, exercise: Exercise) -> Verdict:
        return self.judge.judge(exercise, exercise.solution)

    def _known(self, submission: Submission) -> Result | None:
        if not submission.is_there:
            return Result(NO_FILE)
        if submission.why:
            return Result(NO_ANSWER, "there is no answer", submission.why)
        return self.journal.results.get(self._keys[id(submission)])

    def _key(self, submission: Submission) -> str:
        """Of the answer, and of all that judges it."""
        exercise = submission.exercise
        made = self.judge.toolchain.path(exercise, "")
        where = "in a box" if self.judge.toolchain.box else ""
        return digest(submission.student, made.parent.name, made.name, where, exercise.text("task.md"), submission.text)


def _result(verdict: Verdict) -> Result:
    where = f" | {verdict.text}" if verdict.text else ""
    said = (each for each in (verdict.headline, *verdict.details) if each)
    message = " ".join(each if each.endswith((".", "?")) else f"{each}." for each in said)
    place = (verdict.rung, verdict.asked) if isinstance(verdict, Placed) else ()
    return Result(verdict.layer, verdict.title, message + where, verdict.line, round(verdict.seconds, 1), *place)
