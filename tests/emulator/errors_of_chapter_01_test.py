"""What the checked build finds in the mistakes of 01_basics/3_errors, as the lesson's nvcc line builds it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CHAPTER = os.path.join(ROOT, "01_basics")
NVCC = os.path.join(ROOT, "emulator", "nvcc_cpu")
sys.path.insert(0, os.path.join(ROOT, "tools"))

import nvcc_lines  # noqa: E402


def line_with(text):
    """The number of the first line of 3_errors.cu with this text."""
    with open(os.path.join(CHAPTER, "3_errors.cu"), encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if text in line)


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with open(os.path.join(CHAPTER, "README.md"), encoding="utf-8") as file:
            (line,) = [line for line in nvcc_lines.lines_of(file.read()) if "3_errors.cu" in line]
        line = nvcc_lines.prepared(line, cls.folder, "native").replace("nvcc ", f"{NVCC} --check ", 1)
        done = subprocess.run(["bash", "-c", line], cwd=CHAPTER, capture_output=True, text=True, timeout=300, check=False)
        said = [line for line in done.stderr.splitlines() if not line.startswith("nvcc_cpu: compiling the emulator")]
        if done.returncode != 0 or said:
            raise AssertionError(line + "\n" + done.stdout + done.stderr)

    def run_case(self, case, how):
        """The exit status (negative: a signal), what was said, and the findings as (kind, kernel, lines)."""
        found = os.path.join(self.folder, f"{case}{how}.json")
        done = subprocess.run([os.path.join(self.folder, "3_errors"), "--case", case, how], capture_output=True,
                              text=True, timeout=60, check=False, env=dict(os.environ, EMULATOR_CHECK_JSON=found))
        findings = []
        if os.path.exists(found):
            with open(found, encoding="utf-8") as file:
                findings = [json.loads(line) for line in file]
        for finding in findings:
            self.assertIn(finding["report"], done.stderr)
            for deed in finding["deeds"]:
                self.assertEqual(os.path.basename(deed["file"]), "3_errors.cu")
        return done, [(f["kind"], f["kernel"], [deed["line"] for deed in f["deeds"]]) for f in findings]

    def test_a_refused_launch_is_no_finding(self):
        for case in ("block-too-large", "unchecked"):
            for how, status in (("--unchecked", 0), ("--checked", 3)):
                done, findings = self.run_case(case, how)
                self.assertEqual((done.returncode, findings), (status, []), done.stderr)
                self.assertRegex(done.stderr, r"emulator: checked \d launch\w*: nothing found\n$")

    def test_the_host_reads_device_memory(self):
        done, findings = self.run_case("host-reads-device", "--unchecked")
        self.assertEqual(findings, [("host-touches-device", "", [line_with("squares[4]")])], done.stderr)
        self.assertLess(done.returncode, 0)
        done, findings = self.run_case("host-reads-device", "--checked")
        self.assertEqual((done.returncode, findings), (1, []), done.stderr)

    def test_a_kernel_reads_out_of_bounds(self):
        where = [("out-of-bounds", "void differences(const int*, int*)", [line_with("in[i] - in[i - 1]")])]
        for how, status in (("--unchecked", 5), ("--checked", 3)):
            done, findings = self.run_case("out-of-bounds", how)
            self.assertEqual((done.returncode, findings), (status, where), done.stderr)

    def test_a_copy_in_the_wrong_direction(self):
        copy = "cudaMemcpy(seen, squares, sizeof(seen), cudaMemcpyHostToDevice)"
        for how, status, line in (("--unchecked", 5, f"    {copy}"), ("--checked", 3, f"CUDA_CHECK({copy}")):
            done, findings = self.run_case("wrong-direction", how)
            self.assertEqual((done.returncode, findings), (status, [("invalid-copy", "", [line_with(line)])]))


if __name__ == "__main__":
    unittest.main()
