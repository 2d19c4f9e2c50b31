"""What the checked build finds in the mistakes that chapters make on purpose."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import ROOT, Folder
import nvcc_lines
from building import dependencies
from building.dependencies import NeededBy
from exporting import stage

CHAPTER = ROOT / "01_basics"
NVCC = ROOT / "emulator" / "nvcc_cpu"


def setUpModule():
    if dependencies.missing({NeededBy.EMULATOR}):
        raise unittest.SkipTest("skipped: the emulator lacks what ./lab would install")


def line_with(text, file=CHAPTER / "3_errors.cu"):
    """The number of the first line with this text."""
    return next(n for n, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if text in line)


def in_short(findings):
    return [(f["kind"], f["kernel"], [deed["line"] for deed in f["deeds"]]) for f in findings]


def found_in(path):
    """The findings that a program has written there."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def ends(program, *words, **env):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=900, check=False, env=os.environ | env)


def build(source, folder, replaced=("", "")):
    """Builds one program of the chapter, something in its source replaced, by the lesson's line for it."""
    (line,) = [line for line in nvcc_lines.lines_of((CHAPTER / "README.md").read_text(encoding="utf-8")) if source in line]
    changed = Path(folder, source)
    changed.write_text((CHAPTER / source).read_text(encoding="utf-8").replace(*replaced), encoding="utf-8")
    line = nvcc_lines.prepared(line, folder, "native").replace(f" {source}", f" {changed}")
    line = line.replace("nvcc ", f"{shlex.quote(str(NVCC))} --check -I. ", 1)
    done = subprocess.run(["bash", "-c", line], cwd=CHAPTER, capture_output=True, text=True, timeout=900, check=False)
    said = [line for line in done.stderr.splitlines() if not re.match(r"nvcc_cpu: (compiling the emulator|\d+ of)", line)]
    if done.returncode != 0 or said:
        raise AssertionError(line + "\n" + done.stdout + done.stderr)


class ReportsInTheLessons(Folder):
    def test_six_threads_in_a_row(self):
        """What 01_basics/errors.md and emulator/docs/checked_build.md show is what the emulator says."""
        build("2_matrix_add_one.cu", self.root, ("block(columns, rows)", "block(6, rows)"))
        done = ends(self.root / "2_matrix_add_one")
        self.assertEqual(done.returncode, 5, done.stderr)
        reports = done.stderr[:done.stderr.index("emulator: checked")]
        for page in ("01_basics/errors.md", "emulator/docs/checked_build.md"):
            self.assertIn(reports, (ROOT / page).read_text(encoding="utf-8"), f"{page} is to show this")


class AtomicsTour(Folder):
    def test_counting_without_atomics(self):
        """08_atomic_sum/atomics_tour has the races that the lesson tells of, and no others."""
        source = ROOT / "08_atomic_sum/atomics_tour.cu"
        names = ("common/capability", "harness/output", "harness/program", "harness/text")
        self.write(  # The real one takes longer to compile than all the rest.
            "harness/command_line.h",
            "struct CommandLine {\nCommandLine(const char*, const char*) {}\n"
            "void flag(const char*, bool&, const char*) {}\nvoid parse(int, char**) {}\n};\n",
        )
        subprocess.run([NVCC, "--check", "-std=c++20", "-I", self.root, "-I", ROOT, "-o", self.root / "tour", source,
                        *(ROOT / f"{name}.cpp" for name in names)], check=True)
        done = ends(self.root / "tour", EMULATOR_CHECK_JSON=str(self.root / "found"))
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        races = in_short(found_in(self.root / "found"))
        plain, read, write = (line_with(text, source)
                              for text in ("*counter += 1;", "const unsigned seen = *counter", "*counter = seen + 1"))
        kernel = "void {anonymous}::count_%s(unsigned int*)"
        self.assertEqual([(kind, kernel, sorted(lines)) for kind, kernel, lines in races],
                         [("race", kernel % "plainly", [plain, plain]), ("race", kernel % "late", [write, write]),
                          ("race", kernel % "late", [read, write])], done.stderr)


class LookBack(Folder):
    def test_a_flag_without_a_fence(self):
        """13_scan/8_look_back without the fence in front of its flag: the sums are right, and the checked build says what is not."""
        text = stage.exported(ROOT, stage.find(ROOT, "13_scan", "8")).replace("1 << 20", "40003")
        fence = "        __threadfence();  // Others see the sum no later than the flag.\n"
        self.assertEqual(text.count(fence), 1)
        source, program = self.write("look_back.cu", text.replace(fence, "")), self.root / "look_back"
        subprocess.run([NVCC, "--check", "-std=c++17", "-O1", "-o", program, source], check=True)
        done = ends(program)
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn("all as on the CPU", done.stdout)
        self.assertRegex(done.stderr, "emulator: race in kernel void scan::.*scan_in_one_pass")
        self.assertIn("said[t].up_to_end = before + own;", done.stderr)
        self.assertIn("asked.up_to_end : asked.own;", done.stderr)


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        build("3_errors.cu", cls.folder)

    def run_case(self, case, how):
        """The exit status (negative: a signal), what was said, and the findings as (kind, kernel, lines)."""
        written = Path(self.folder, f"{case}{how}.json")
        done = ends(Path(self.folder, "3_errors"), "--case", case, how, EMULATOR_CHECK_JSON=str(written))
        for finding in (findings := found_in(written)):
            self.assertIn(finding["report"], done.stderr)
            self.assertEqual({Path(deed["file"]).name for deed in finding["deeds"]}, {"3_errors.cu"})
        return done, in_short(findings)

    def test_a_refused_launch(self):
        """It is a finding where nobody looks at the error; the summary never says that all is well."""
        refused = {"block-too-large": "write_squares<<<1, n>>>", "unchecked": "<<<n / 256, 256>>>"}
        for case, launch in refused.items():
            done, findings = self.run_case(case, "--unchecked")
            self.assertEqual((done.returncode, findings), (5, [("refused-launch", "", [line_with(launch)])]), done.stderr)
            done, findings = self.run_case(case, "--checked")
            self.assertEqual((done.returncode, findings), (3, []), done.stderr)
            self.assertRegex(done.stderr, r"emulator: checked \d launch\w*: nothing found in what ran, and 1 launch was refused\n$")

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
