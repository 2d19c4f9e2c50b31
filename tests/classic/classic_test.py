"""Programs of ours in the shape of the listings that the chapters began with: the same calls, launches and mistakes. Each runs as
it is, and what is told of it stands in its comments, which emulator/tests/broken/README.md explains.

    python3 tests/classic/classic_test.py
"""

import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / "emulator" / "tests"), str(HERE.parent.parent / "tools")]

import broken_test  # noqa: E402
from building import dependencies  # noqa: E402
from building.dependencies import NeededBy  # noqa: E402


@unittest.skipIf(dependencies.missing({NeededBy.EMULATOR}), "the emulator cannot be built without its libraries")
class Classic(unittest.TestCase):
    def test_programs(self):
        programs = [broken_test.Program(str(path)) for path in sorted(HERE.glob("*.cu"))]
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
            def run(program):
                binary = os.path.join(folder, program.name)
                done = broken_test.compile_source(program.path, binary)
                if done.returncode == 0:
                    env = os.environ | {"EMULATOR_CHECK_JSON": binary + ".json"}
                    done = subprocess.run([binary], env=env, capture_output=True, text=True, timeout=600, check=False)
                return done, broken_test.findings(binary + ".json")

            for program, (done, found) in zip(programs, pool.map(run, programs), strict=True):
                with self.subTest(program=program.name):
                    self.assertEqual((program.complaints(found), done.returncode), ([], 5 if program.expected else 0), done.stderr)

    def test_lab_check(self):
        """./lab check FILE, with arguments for the program; and what it refuses."""
        def lab(*words):
            command = [HERE.parent.parent / "lab", "check", "--no-install", *words]
            return subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=900, check=False)

        done = lab("07_histogram.cu", "--", "--ignored")
        self.assertEqual((done.returncode, done.stdout), (5, "255 counters are wrong\n"), done.stderr)
        self.assertIn("at 07_histogram.cu:", done.stderr)
        self.assertEqual(lab("none.cu").returncode, 2)
        self.assertIn("has no stages", lab("07_histogram.cu", "3").stderr)


if __name__ == "__main__":
    unittest.main()
