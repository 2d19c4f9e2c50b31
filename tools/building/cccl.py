"""The headers of NVIDIA's CCCL, of which Thrust is a part: those of a CUDA toolkit, or lab's own in the user's cache, which are
one small package for Python."""

import hashlib
from functools import cache
from pathlib import Path

from building import backend, toolkit
from shared import console

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
    if not folder():
        place = _own()
        console.note(f"lab: {WHAT} go to {place}; their use is subject to {toolkit.LICENCE}")
        toolkit.install_packages(place, [_line()], _headers_in(place).is_dir)
        folder.cache_clear()


def _own() -> Path:
    return toolkit.cache() / f"cccl-{hashlib.sha256(_line().encode()).hexdigest()[:8]}"


def _headers_in(place: Path) -> Path:
    return place / "nvidia" / f"cu{toolkit.VERSION[0]}" / "include" / "cccl"


def _line() -> str:
    return next(line for line in toolkit.packages() if line.startswith(f"{PACKAGE}=="))
