"""What was proved for the files that are here, so that it need not be proved again: results/proofs/emulator.json records for
which files, with which compiler, the emulator's own tests passed. Called by .ci/run.

  proofs.py             runs a few of the tests that are recorded as passed, drawn at random, and those that read pages
  proofs.py --count     prints how many are recorded; exit code 3 if something has changed since
  proofs.py --record N  all N of them have just passed
"""

import argparse
import json
import random
import secrets
import sys
import unittest
from collections.abc import Iterable, Iterator
from pathlib import Path

from exercises.toolchain import compiler_version, digest
from reports.results import Json
from shared import console
from shared.chapters import ROOT
from shared.console import EXIT_FAILED

EMULATOR = ROOT / "emulator"
PROOF = ROOT / "results" / "proofs" / "emulator.json"
DRAWN_TESTS = 6  # of those that are written in Python: the others would have to be built
NOT_PROVED = 3
READ_PAGES = ("readme_test.", "settings_test.Table.")  # they run always: the pages are in no digest
SAYS_NOTHING = ("pyproject.toml", "python")  # to any of these tests


def of_emulator() -> Json:
    """What a proof of the emulator holds for: all of its files, its tests among them, what they are built with, and the
    compiler."""
    return {
        "emulator": digest(*_contents([EMULATOR, ROOT / "CMakePresets.json"])),
        "compiler": compiler_version().splitlines()[0],
    }


def _contents(paths: Iterable[Path]) -> Iterator[str | bytes]:
    """Names and contents of files, and of all files in folders."""
    files = {file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()}
    without = {EMULATOR / name for name in SAYS_NOTHING}
    pages = {file for file in files if file.suffix == ".md" and EMULATOR / "tests" not in file.parents}
    told = {file for file in files - pages if without.isdisjoint((file, *file.parents))}
    for file in sorted(file for file in told if file.parent.name != "__pycache__"):
        yield from (str(file.relative_to(ROOT)), file.read_bytes())


def recorded() -> Json:
    try:
        found: Json = json.loads(PROOF.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found


def _run_some() -> bool:
    """Whether tests pass that are drawn at random."""
    seed = secrets.randbelow(1_000_000)
    found = list(_cases(unittest.defaultTestLoader.discover(str(EMULATOR / "tests"), "*_test.py")))
    drawn = random.Random(seed).sample(found, min(DRAWN_TESTS, len(found)))
    drawn += [test for test in found if test.id().startswith(READ_PAGES) and test not in drawn]
    drawn.sort(key=lambda test: test.id())  # a class then prepares what its tests share once
    print(f"drawn with seed {seed}:", *(f"    {test.id()}" for test in drawn), sep="\n", flush=True)
    return unittest.TextTestRunner().run(unittest.TestSuite(drawn)).wasSuccessful()


def _cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _cases(test)
        else:
            yield test


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--record", type=int, metavar="N")
    options = parser.parse_args()
    here, found = of_emulator(), recorded()
    if options.record is not None:
        console.write_file(PROOF, json.dumps({**here, "tests": options.record}, indent=0) + "\n")
        print(f"recorded in {PROOF.relative_to(ROOT)}: commit it with what has changed")
        return 0
    changed = [name for name, value in here.items() if found.get(name) != value]
    if changed:
        differ = "differ" if len(changed) > 1 else "differs"
        console.note(f"the {' and the '.join(changed)} {differ} from what {PROOF.relative_to(ROOT)} records")
        return NOT_PROVED
    if options.count:
        print(found["tests"])
        return 0
    return 0 if _run_some() else EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
