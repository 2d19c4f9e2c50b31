"""The learner's files, in my/, and how far they have come."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from exercises.folder import Exercise, shown
from shared import console

PROGRESS = ".progress.json"


class Learner:
    """The folder my/ of a checkout. No file in it is ever overwritten."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._progress = self._read()

    def path(self, exercise: Exercise) -> Path:
        return self.folder / exercise.file_name

    def shown(self, exercise: Exercise) -> str:
        """The path as the user would type it."""
        return os.path.relpath(self.path(exercise))

    def begin(self, exercise: Exercise) -> bool:
        """Makes the learner's file from the starter; False if something has its name already."""
        path = self.path(exercise)
        if os.path.lexists(path):
            return False
        console.write_file(path, exercise.starter)
        return True

    def reset(self, exercise: Exercise) -> str:
        """Gives the file a free name beside it and begins anew. Returns that name."""
        path = self.path(exercise)
        kept = ""
        if os.path.lexists(path):
            number = 1
            while os.path.lexists(aside := path.with_suffix(f".old{number}{exercise.suffix}")):
                number += 1
            path.rename(aside)
            kept = shown(aside)
        self.begin(exercise)
        return kept

    def put(self, exercise: Exercise, text: str) -> None:
        """Makes the file what a notebook's cell has. What else somebody has written there is kept beside it."""
        path = self.path(exercise)
        own = (text, exercise.starter, self._of(exercise).get("cell"))
        if path.is_file() and path.read_text(encoding="utf-8", errors="replace") not in own:
            self.reset(exercise)
        console.write_file(path, text)
        self.note(exercise, "cell", text)

    def solved(self, exercise: Exercise) -> bool:
        return self._of(exercise).get("solved") is True

    def hints(self, exercise: Exercise) -> int:
        """How many of its hints were shown."""
        shown_before = self._of(exercise).get("hints")
        return shown_before if isinstance(shown_before, int) else 0

    def asked_for_solution(self, exercise: Exercise) -> bool:
        return self._of(exercise).get("asked for solution") is True

    def note(self, exercise: Exercise, what: str, value: bool | int | str) -> None:
        """Keeps 'solved', 'hints', 'asked for solution' or 'cell'. What was noted last stands last."""
        self._progress = self._read()  # another lab may have written meanwhile
        self._progress[exercise.number] = self._progress.pop(exercise.number, {}) | {what: value}
        console.write_file(self.folder / PROGRESS, json.dumps(self._progress, indent=1) + "\n")

    def next_unsolved(self, exercises: Sequence[Exercise], behind: Exercise | None = None) -> Exercise | None:
        """The first one that is not solved from the exercise on that was worked on last, or behind another; behind the last
        one comes the first."""
        numbers = [exercise.number for exercise in exercises]
        last = behind.number if behind else next(reversed(self._progress), "")
        at = (numbers.index(last) if last in numbers else 0) + (behind is not None)
        return next((exercise for exercise in [*exercises[at:], *exercises[:at]] if not self.solved(exercise)), None)

    def _of(self, exercise: Exercise) -> dict[str, object]:
        return self._progress.get(exercise.number, {})

    def _read(self) -> dict[str, dict[str, object]]:
        """A file that is damaged costs the ticks in the list, nothing else."""
        try:
            found = json.loads((self.folder / PROGRESS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {key: value for key, value in found.items() if isinstance(value, dict)} if isinstance(found, dict) else {}
