"""For what the emulator's own tests were last run, and whether that is what is here: with the same files and the same
compiler they would say the same. Called by .ci/run.

  python3 tools/emulator_proof.py            prints how many tests are recorded as passed and runs a few of them, drawn at
                                             random; exit code 3 if something has changed since
  python3 tools/emulator_proof.py --count    only prints how many
  python3 tools/emulator_proof.py --record N all N of them have just passed
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sys
import unittest
from collections.abc import Iterator

from exercises.toolchain import compiler_version, digest
from reports.results import Json
from shared import console
from shared.chapters import ROOT
from shared.console import EXIT_FAILED, counted

EMULATOR = ROOT / "emulator"
PROOF = ROOT / "results" / "proofs" / "emulator.json"
DRAWN = 6  # of the tests that are written in Python: the others would have to be built
NOT_PROVED = 3


def proved() -> Json:
    """What a proof holds for: all files of the emulator with its tests, and the compiler."""
    files = sorted(path for path in EMULATOR.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    contents = (part for path in files for part in (str(path.relative_to(EMULATOR)), path.read_bytes()))
    return {"emulator": digest(*contents), "compiler": compiler_version().splitlines()[0]}


def recorded() -> Json:
    try:
        found: Json = json.loads(PROOF.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found


def cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from cases(test)
        else:
            yield test


def run_some() -> bool:
    """Whether tests pass that are drawn at random."""
    seed = secrets.randbelow(1_000_000)
    found = list(cases(unittest.defaultTestLoader.discover(str(EMULATOR / "tests"), "*_test.py")))
    drawn = random.Random(seed).sample(found, min(DRAWN, len(found)))
    print(f"of these again, drawn with seed {seed}:", *(f"    {test.id()}" for test in drawn), sep="\n", flush=True)
    return unittest.TextTestRunner().run(unittest.TestSuite(drawn)).wasSuccessful()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true", help="only print how many tests are recorded as passed")
    parser.add_argument("--record", type=int, metavar="N", help="note that all N tests have passed")
    options = parser.parse_args()
    if options.count:
        print(recorded().get("tests", 0))
        return 0
    here = proved()
    if options.record is not None:
        console.write_file(PROOF, json.dumps({**here, "tests": options.record}, indent=0) + "\n")
        print(f"recorded in {PROOF.relative_to(ROOT)}: commit it with what has changed")
        return 0
    found = recorded()
    changed = [name for name, value in here.items() if found.get(name) != value]
    if changed:
        differ = "differ" if len(changed) > 1 else "differs"
        print(f"the {' and the '.join(changed)} {differ} from what {PROOF.relative_to(ROOT)} records")
        return NOT_PROVED
    print(f"{counted(found['tests'], 'test')} passed with these files and this compiler", flush=True)
    return 0 if run_some() else EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
