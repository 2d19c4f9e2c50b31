"""The driver's own folder for what is between the steps."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator

PREFIX = "nvcc_cpu."
YOUNG = 60  # seconds for which a folder without its lock is left alone: mostly the lock comes at once


@contextlib.contextmanager
def own_folder() -> Iterator[str]:
    """A folder that is gone in the end. Whoever is killed cannot remove it: then the next one does, since it is not locked."""
    remove_left_behind(tempfile.gettempdir())
    folder, lock = _locked_folder()
    try:
        with folder:
            yield folder.name
    finally:
        os.close(lock)


def _locked_folder() -> tuple[tempfile.TemporaryDirectory[str], int]:
    """A new folder and the descriptor that holds its lock. Where the machine has no time for a minute between the two,
    another driver may take the folder for one that was left behind, and remove it: then it takes a second one."""
    while True:
        folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(folder.name, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.exists(folder.name):
                return folder, lock
            os.close(lock)
        folder.cleanup()


def remove_left_behind(where: str) -> None:
    """Removes the folders of drivers that are not there any more."""
    with contextlib.suppress(OSError), os.scandir(where) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                    _remove_if_left_behind(entry)


def _remove_if_left_behind(entry: os.DirEntry[str]) -> None:
    found = entry.stat(follow_symlinks=False)
    if found.st_uid != os.getuid() or time.time() - found.st_mtime < YOUNG:
        return
    lock = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails if someone is at work in it
        shutil.rmtree(entry.path, ignore_errors=True)  # still locked: whoever has just made it waits, and sees it gone
    finally:
        os.close(lock)
