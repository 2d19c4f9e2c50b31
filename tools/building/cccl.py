"""The headers of NVIDIA's CCCL, of which Thrust is a part: those of a CUDA toolkit, or lab's own in the user's cache, which are
one small package for Python."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from functools import cache
from pathlib import Path

from building import backend, toolkit
from shared import console
from shared.console import EXIT_SETUP, Failure
from shared.locks import lock

PACKAGE = "nvidia-cuda-cccl"
WHAT = "Thrust's headers (NVIDIA's CCCL)"
HOW_TO_INSTALL = f"install a CUDA toolkit from 13 on, or leave out --no-install: ./lab then downloads {PACKAGE} (4 MB)"


@cache
def folder() -> Path | None:
    """The folder in which thrust/ is: that of the first nvcc that has one, and else lab's own. No part of it is a link, which
    could lead nowhere in the box of an answer."""
    toolkits = [Path(nvcc).resolve().parents[1] / "include" / "cccl" for nvcc in backend.nvccs()]
    found = next((place for place in [*toolkits, _headers_in(_own())] if (place / "thrust" / "version.h").is_file()), None)
    return found and found.resolve()


def install() -> None:
    """Downloads the package, unless there is a folder with the headers."""
    if folder():
        return
    place = _own()
    partial = place.with_name(f".{place.name}")
    console.note(f"lab: {WHAT} go to {place}; their use is subject to {toolkit.LICENCE}")
    progress = console.Progress()
    try:
        partial.mkdir(parents=True, exist_ok=True)
        with lock(partial, f"downloads {PACKAGE}"):
            if not _headers_in(place).is_dir():
                progress.show(f"downloading {PACKAGE}")
                if why := toolkit.fetch(_line(), partial, progress):
                    raise Failure(f"{PACKAGE} cannot be downloaded: {why}", EXIT_SETUP)
                _unpack(partial, place)
    except OSError as error:
        where = "the environment variable XDG_CACHE_HOME names another folder"
        raise Failure(f"{partial.parent}: {error.strerror or error}; {where}", EXIT_SETUP) from error
    finally:
        progress.clear()
        folder.cache_clear()


def _own() -> Path:
    return toolkit.cache() / f"cccl-{hashlib.sha256(_line().encode()).hexdigest()[:8]}"


def _headers_in(place: Path) -> Path:
    return place / "nvidia" / f"cu{toolkit.VERSION[0]}" / "include" / "cccl"


def _line() -> str:
    return next(line for line in toolkit.packages() if line.startswith(f"{PACKAGE}=="))


def _unpack(partial: Path, place: Path) -> None:
    """It is there whole or not at all."""
    whole = partial / "unpacked"
    shutil.rmtree(whole, ignore_errors=True)
    for wheel in (partial / "wheels").glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(whole)
    shutil.rmtree(place, ignore_errors=True)
    whole.replace(place)
    shutil.rmtree(partial)
