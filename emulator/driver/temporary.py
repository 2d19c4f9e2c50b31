"""The driver's own folder for what is between the steps."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time

PREFIX = "nvcc_cpu."
YOUNG = 60  # seconds in which a folder may be without its lock


@contextlib.contextmanager
def own_folder():
    """A folder that is gone in the end. Whoever is killed cannot remove it: then the next one does, since it is not locked."""
    remove_left_behind(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield folder
        finally:
            os.close(descriptor)


def remove_left_behind(where):
    """Removes the folders of drivers that are not there any more."""
    with contextlib.suppress(OSError), os.scandir(where) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False) and _is_left_behind(entry):
                    shutil.rmtree(entry.path, ignore_errors=True)


def _is_left_behind(entry):
    found = entry.stat(follow_symlinks=False)
    if found.st_uid != os.getuid() or time.time() - found.st_mtime < YOUNG:
        return False
    descriptor = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False  # someone is at work in it
    finally:
        os.close(descriptor)
