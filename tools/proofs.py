"""What was proved for the files that are here, so that it need not be proved again: results/proofs/ records for which files,
with which compiler, the emulator's own tests passed, and each chapter was built with nvcc. Called by .ci/run.

  proofs.py emulator             runs a few of the tests that are recorded as passed, drawn at random
  proofs.py emulator --count     prints how many are recorded; exit code 3 if something has changed since
  proofs.py emulator --record N  all N of them have just passed
  proofs.py cuda NVCC            prints the chapters that are not recorded, and two others, drawn at random
  proofs.py cuda NVCC --record CHAPTER…
                                 nvcc has just built these
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import subprocess
import sys
import unittest
from collections.abc import Iterable, Iterator
from pathlib import Path

import nvcc_lines
from exercises.toolchain import compiler_version, digest
from reports.results import Json
from shared import chapters, console
from shared.chapters import ROOT
from shared.console import EXIT_FAILED

EMULATOR = ROOT / "emulator"
PROOFS = ROOT / "results" / "proofs"
DRAWN_TESTS = 6  # of those that are written in Python: the others would have to be built
DRAWN_CHAPTERS = 2
NOT_PROVED = 3
# What each chapter's CUDA build is made of besides its own folder and tests.
OF_ALL_BUILDS = (".ci/run", "CMakeLists.txt", "CMakePresets.json", "common", "tests/CMakeLists.txt", "tools/nvcc_lines.py")


def of_emulator() -> Json:
    """What a proof of the emulator holds for: all of its files, its tests among them, what they are built with, and the
    compiler."""
    return {
        "emulator": digest(*_contents([EMULATOR, ROOT / "CMakePresets.json"])),
        "compiler": compiler_version().splitlines()[0],
    }


def of_build(chapter: str, nvcc: str) -> str:
    """What a chapter's CUDA build holds for: the code, the lesson's nvcc lines, and the compilers."""
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=False).stdout
    tests = [path for path in (ROOT / "tests").glob("*.*") if path.name[:2] == chapter[:2] or not path.name[0].isdigit()]
    code = [path for path in (ROOT / chapter).glob("*.*") if path.suffix in (*nvcc_lines.CODE, ".txt")]
    readme = ROOT / chapter / "README.md"
    lines = nvcc_lines.lines_of(readme.read_text(encoding="utf-8")) if readme.exists() else []
    common = [ROOT / name for name in OF_ALL_BUILDS]
    return digest(version, compiler_version(), *lines, *_contents([*code, *tests, *common]))


def _contents(paths: Iterable[Path]) -> Iterator[str | bytes]:
    """Names and contents of files, and of all files in folders."""
    files = {file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()}
    for file in sorted(file for file in files if file.parent.name != "__pycache__"):
        yield from (str(file.relative_to(ROOT)), file.read_bytes())


def recorded(name: str) -> Json:
    try:
        found: Json = json.loads((PROOFS / f"{name}.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found


def record(name: str, proved: Json) -> None:
    console.write_file(PROOFS / f"{name}.json", json.dumps(proved, indent=0) + "\n")
    print(f"recorded in results/proofs/{name}.json: commit it with what has changed")


def emulator(options: argparse.Namespace) -> int:
    here, found = of_emulator(), recorded("emulator")
    if options.record is not None:
        record("emulator", {**here, "tests": options.record})
        return 0
    changed = [name for name, value in here.items() if found.get(name) != value]
    if changed:
        differ = "differ" if len(changed) > 1 else "differs"
        console.note(f"the {' and the '.join(changed)} {differ} from what results/proofs/emulator.json records")
        return NOT_PROVED
    if options.count:
        print(found["tests"])
        return 0
    return 0 if _run_some() else EXIT_FAILED


def _run_some() -> bool:
    """Whether tests pass that are drawn at random."""
    seed = secrets.randbelow(1_000_000)
    found = list(_cases(unittest.defaultTestLoader.discover(str(EMULATOR / "tests"), "*_test.py")))
    drawn = random.Random(seed).sample(found, min(DRAWN_TESTS, len(found)))
    drawn.sort(key=lambda test: test.id())  # a class then prepares what its tests share once
    print(f"drawn with seed {seed}:", *(f"    {test.id()}" for test in drawn), sep="\n", flush=True)
    return unittest.TextTestRunner().run(unittest.TestSuite(drawn)).wasSuccessful()


def _cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _cases(test)
        else:
            yield test


def cuda(options: argparse.Namespace) -> int:
    found = recorded("cuda")
    if options.record is not None:
        built = {chapter: of_build(chapter, options.nvcc) for chapter in options.record}
        record("cuda", dict(sorted({**found, **built}.items())))
        return 0
    every = chapters.discover(ROOT)
    proved = [chapter for chapter in every if found.get(chapter) == of_build(chapter, options.nvcc)]
    drawn = random.sample(proved, min(DRAWN_CHAPTERS, len(proved)))
    print(*(chapter for chapter in every if chapter not in proved or chapter in drawn), sep="\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    part = parts.add_parser("emulator")
    part.add_argument("--count", action="store_true")
    part.add_argument("--record", type=int, metavar="N")
    part.set_defaults(run=emulator)
    part = parts.add_parser("cuda")
    part.add_argument("nvcc", metavar="NVCC")
    part.add_argument("--record", nargs="+", metavar="CHAPTER")
    part.set_defaults(run=cuda)
    options = parser.parse_args()
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
