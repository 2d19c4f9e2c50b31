"""What has passed before, and need not be run again as long as all that it reads is the same. A proof is an empty file in the
user's cache, or in $LAB_PROOFS; its name is a digest of what was read. Called by .ci/run.

  proofs.py NAME PATH…   prints where the proof is to be found that NAME passes with these files, and those in these folders
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import nvcc_lines
from building import toolkit
from exercises.toolchain import compiler_version, digest
from shared.chapters import ROOT


def proof_of(name: str, *read: str | bytes) -> Path:
    """Its file."""
    folder = Path(os.environ.get("LAB_PROOFS") or toolkit.cache() / "proofs")
    return folder / f"{name}-{digest(*read)}"


def _contents(paths: list[str]) -> Iterator[str | bytes]:
    """Names and contents of files, and of all in folders; of a lesson there the lines that are compiled."""
    for path in sorted(Path(ROOT, path) for path in paths):
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in (file for file in found if file.is_file() and file.parent.name != "__pycache__"):
            name = file.relative_to(ROOT)
            if file == path or "tests" in name.parts or file.suffix not in (".md", ".svg"):
                yield from (str(name), file.read_bytes())
            elif file.suffix == ".md":
                yield from nvcc_lines.lines_of(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    print(proof_of(sys.argv[1], compiler_version(), *_contents(sys.argv[2:])))
