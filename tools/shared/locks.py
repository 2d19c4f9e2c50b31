"""Keeps labs in several terminals out of each other's way."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared import console


@contextmanager
def lock(folder: Path, doing: str = "is building") -> Iterator[None]:
    """Two labs must not work in one folder at the same time: waits for the other one, and says what that is doing."""
    with (folder / "lab.lock").open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.note(f"lab: waiting for another lab that {doing} …")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
