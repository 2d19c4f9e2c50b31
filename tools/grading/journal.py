"""What has come out so far, in a file to which each verdict is added as soon as it is there. Whoever is killed in the middle
goes on from it."""

import fcntl
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

from shared.console import Failure, quoted, shown

NAME = "verdicts.jsonl"

NOT_RUN, NO_FILE, NO_ANSWER = "not run", "no file", "no answer"  # beside the judge's layers, and SOLVED


@dataclass(frozen=True)
class Result:
    """What became of one answer. category: the layer that failed, SOLVED, or one of those above."""

    category: str
    title: str = ""
    message: str = ""  # for the instructor: it may name inputs
    line: int = 0
    seconds: float = 0.0
    rung: str = ""  # of a stage that is right: the chapter's stage that is most like it
    asked: Mapping[str, float] = field(default_factory=dict)  # what a call of it asks for, and its floor, in seconds


class Journal:
    """The file, open and locked for as long as this object is."""

    def __init__(self, folder: Path, fresh: bool) -> None:
        self.path = folder / NAME
        self.results: dict[str, Result] = {}
        self.seed = ""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = self.path.open("a+", encoding="utf-8")
        except OSError as error:
            what = quoted(shown(folder), 200)
            why = "it is a file" if isinstance(error, FileExistsError) else error.strerror
            raise Failure(f"{what} cannot be written ({why}); --output DIR names another folder") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise Failure(f"another lab is grading into {quoted(shown(folder), 200)}") from None
        if fresh:
            self._file.truncate(0)
        self._read()
        if not self.seed:
            self._file.truncate(0)
            self.seed = str(secrets.randbits(63))
            self._add({"seed": self.seed})

    def add(self, key: str, result: Result) -> None:
        self.results[key] = result
        self._add({"key": key} | asdict(result))

    def close(self) -> None:
        self._file.close()

    def _add(self, entry: Mapping[str, object]) -> None:
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()

    def _read(self) -> None:
        """The last line may be half of one: then that answer is judged again."""
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind("\n") + 1]
        for line in whole.splitlines():
            try:
                entry = json.loads(line)
                if "seed" in entry:
                    self.seed = str(entry["seed"])
                else:
                    key = entry.pop("key")
                    self.results[key] = Result(**entry)
            except (ValueError, TypeError, KeyError, AttributeError):
                raise Failure(f"{quoted(str(self.path), 200)} is damaged; --fresh begins anew") from None
        self._file.truncate(len(whole.encode()))
