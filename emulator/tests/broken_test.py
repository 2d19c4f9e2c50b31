"""Tests of the checked build (nvcc_cpu --check) on broken/: programs with one mistake each, which must be reported, and
their correct twins and others that are right, which must not. broken/README.md says how they are written.

    python3 emulator/tests/broken_test.py            # all of them
    python3 emulator/tests/broken_test.py --table    # the table for broken/README.md
    python3 emulator/tests/broken_test.py --advice   # broken/ADVICE.md
    python3 emulator/tests/broken_test.py --all      # with all data, orders of the threads and levels of optimisation
"""

import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
BROKEN = os.path.join(HERE, "broken")
NVCC = os.path.join(os.path.dirname(HERE), "nvcc_cpu")
FOLDERS = ("memory", "race", "sync", "clusters", "streams", "init", "arithmetic", "calls", "correct")
KINDS = {"out-of-bounds", "use-after-free", "double-free", "invalid-free", "invalid-copy", "misaligned",
         "host-touches-device", "device-touches-host", "device-touches-peer", "stack-overflow", "race", "divergent-barrier", "warp-mask",
         "deadlock", "uninitialised", "copy-in-flight", "division-by-zero", "shift", "refused-launch", "failed-call", "assertion",
         "trap", "unordered"}


# What the programs' arrays hold: the values of the source, or others (BROKEN_DATA in arrays.h).
DATA = ("as-is", "zeros", "constant", "random")

ADVICE = """# What each advice is said for

`broken_test.py --advice` writes this list: each advice that the checked build gives for the [broken programs](README.md), numbers
and places left out, and the programs that get it. The test fails where the list and the reports differ. So read what a change of
the list says: an advice has to be right for each program below it.

"""


@dataclass
class Finding:
    kind: str
    file: str
    lines: list[int]  # where each of those that take part was
    report: str = field(default="", repr=False)
    advice: str = field(default="", repr=False)


class Program:
    """One file of broken/, and what it says about itself."""

    def __init__(self, path):
        self.path = path
        self.folder, name = os.path.split(os.path.relpath(path, BROKEN))
        self.name = name[:-3]
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().splitlines()
        title = []
        while self.lines[len(title)].startswith("// ") and not self.lines[len(title)].startswith("// devices:"):
            title.append(self.lines[len(title)][3:])
        self.title = " ".join(title)
        self.expected = {}  # kind -> lines: a finding has to name one of them
        self.others = {}    # kind -> lines: the same finding has to name one of them, too
        self.allowed = {}   # kind -> lines that a finding may name besides
        self.says = [line.split("// says: ")[1] for line in self.lines if "// says: " in line]
        self.data = DATA    # those with which it is what it says
        self.devices = 1
        for number, line in enumerate(self.lines, 1):
            if match := re.match(r"// devices: (\d)$", line):
                self.devices = int(match[1])
            if match := re.match(r" *// data: ([a-z, -]+): .", line):
                self.data = tuple(match[1].split(", "))
            if match := re.search(r"// (expect|may): ([a-z, -]+)$", line):
                words = match[2].split(", ")
                place = self.allowed if match[1] == "may" else self.others if "other" in words else self.expected
                for kind in words:
                    if kind != "other":
                        place.setdefault(kind, set()).add(number)

    @property
    def is_broken(self):
        return self.folder != "correct"

    def __str__(self):
        return f"{self.folder}/{self.name}"

    def marked(self, kind):
        return set().union(*(table.get(kind, set()) for table in (self.expected, self.others, self.allowed)))

    def complaints(self, findings):
        """What is wrong with the findings of the broken form."""
        text = []
        for each in findings:
            if os.path.basename(each.file) != self.name + ".cu" or not set(each.lines) <= self.marked(each.kind):
                text.append(f"not expected: {each}")
        for kind in self.expected:
            if not any(self._is_it(kind, each) for each in findings):
                lines = " or ".join(f"{n}" for n in sorted(self.expected[kind]))
                others = "".join(f", other line {n}" for n in sorted(self.others.get(kind, ())))
                text.append(f"missing: {kind} at line {lines}{others}; found: {findings or 'nothing'}")
        reports = "".join(each.report for each in findings)
        return text + [f"not said: {each}" for each in self.says if each not in reports]

    def _is_it(self, kind, finding):
        if finding.kind != kind:
            return False
        if kind not in ("race", "unordered"):
            return not self.expected[kind].isdisjoint(finding.lines)
        # Both lines are named, in either order.
        one_line = self.expected[kind]
        return len(finding.lines) == 2 and any(one in one_line and other in self.others.get(kind, one_line)
                                               for one, other in (finding.lines, finding.lines[::-1]))


def all_programs():
    return [Program(os.path.join(BROKEN, folder, name)) for folder in FOLDERS
            for name in sorted(os.listdir(os.path.join(BROKEN, folder))) if name.endswith(".cu")]


def table(programs):
    text = ""
    for folder in FOLDERS:
        last = " kind |\n| :-- | :-- | :-- |" if folder != "correct" else "\n| :-- | :-- |"
        text += f"\n### {folder}/\n\n| program | {'why it is right' if folder == 'correct' else 'what is wrong'} |{last}\n"
        for each in programs:
            if each.folder == folder:
                kinds = f" {', '.join(each.expected)} |" if each.is_broken else ""
                text += f"| [{each.name}]({folder}/{each.name}.cu) | {each.title} |{kinds}\n"
    return text


def advice_table(results):
    """broken/ADVICE.md, of (program, findings): each advice, without its numbers and places, and the programs that get it."""
    table = {}
    for program, found in results:
        for each in found:
            advice = re.sub(r"\d+", "N", re.sub(r"\w+\.cu:\d+", "PLACE", each.advice)) or "(none)"
            table.setdefault(advice, set()).add(str(program))
    rows = (f"- {advice}\n" + "".join(f"  - {program}\n" for program in sorted(table[advice])) for advice in sorted(table))
    return ADVICE + "".join(rows)


def bundle(programs):
    """One source with all of the programs: most of the time to compile one goes into the headers."""
    headers = sorted({match for each in programs for line in each.lines
                      for match in re.findall(r"^#include (<.*>)", line)} | {"<cstring>"})
    text = "".join(f"#include {name}\n" for name in headers)
    text += f'#include "{os.path.join(BROKEN, "arrays.h")}"\n#define main program\n'
    for each in programs:
        text += f'namespace {each.name} {{\n#include "{each.path}"\n}}\n'
    text += "#undef main\nint main(int, char** argv) {\n"
    for each in programs:
        text += f'    if (std::strcmp(argv[1], "{each.name}") == 0) return {each.name}::program();\n'
    return text + "    return 99;\n}\n"


def findings(report):
    """What a program of the checked build has written to EMULATOR_CHECK_JSON."""
    if not os.path.exists(report):
        return []
    with open(report, encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    # Of a double-free and its like the first place counts; the others are where the memory came from.
    together = {"race", "unordered", "copy-in-flight", "divergent-barrier", "warp-mask", "deadlock"}
    return [Finding(each["kind"], each["deeds"][0]["file"],
                    [deed["line"] for deed in each["deeds"][:None if each["kind"] in together else 1]],
                    each["report"], each["cause"])
            for each in found]


def compile_source(source, program, *options):
    return subprocess.run([NVCC, "--check", "-std=c++20", *options, source, "-o", program], capture_output=True, text=True,
                          timeout=900, check=False)


def run_program(folder, program, form, data="as-is", order=0):
    """What a program of the folder's bundle gave, and what was found. `order`: a seed for that of the threads; 0: the usual."""
    report = os.path.join(folder, f"{program.folder}_{program.name}_{form}_{data}_{order}.json")
    command = [os.path.join(folder, f"{program.folder}_{form}"), program.name]
    env = os.environ | {"EMULATOR_CHECK_JSON": report}
    if form == "broken":  # what waits for ever is told soon; what is right may wait as long as on a reader's busy machine
        env["EMULATOR_SPIN_SECONDS"] = "1"
    if program.devices > 1:
        env["EMULATOR_DEVICES"] = str(program.devices)
    if data != "as-is":
        env["BROKEN_DATA"] = f"random:{order + 1}" if data == "random" else data
    if order:
        env["EMULATOR_SHUFFLE"] = str(order)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600, check=False, env=env)
    except subprocess.TimeoutExpired as expired:
        done = subprocess.CompletedProcess(command, -1, "", f"has not ended after {expired.timeout:g} seconds\n")
    found = findings(report)
    if os.path.exists(report):
        os.remove(report)
    return done, found


def complaints_of(folder, program, form, data, order):
    """What is wrong with a run of a program."""
    done, found = run_program(folder, program, form, data, order)
    if form == "broken":
        return program.complaints(found) + ["it ended with 0"] * (done.returncode == 0)
    return [f"not expected: {each}" for each in found] + [f"it ended with {done.returncode}"] * (done.returncode != 0)


def compile_bundles(folder, programs, *options):
    """Compiles each folder's programs in both forms. Returns what the compiler said."""
    def build(what):
        name, form = what
        source = os.path.join(folder, f"{name}_{form}.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write(bundle([each for each in programs if each.folder == name]))
        done = compile_source(source, source[:-3], "-Xcompiler", "-Wall", *options, *["-DBROKEN"] * (form == "broken"))
        return f"{name}, {form}: {done.stderr}" if done.stderr or done.returncode else ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return "".join(pool.map(build, [(name, form) for name in FOLDERS
                                        for form in ("right", "broken")[:2 if name != "correct" else 1]]))


def check_all(orders=20):
    """All programs with all data, in the usual order of the threads and in others, at each level of optimisation."""
    programs, wrong, runs = all_programs(), 0, 0
    for level in ("-O0", "-O1", "-O2"):
        with tempfile.TemporaryDirectory() as folder:
            if errors := compile_bundles(folder, programs, level):
                sys.exit(errors)
            todo = [(folder, each, form, data, order) for each in programs
                    for form in ("right", "broken")[:2 if each.is_broken else 1]
                    for data in each.data for order in range(orders + 1)]
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                for run, complaints in zip(todo, pool.map(lambda run: complaints_of(*run), todo), strict=True):
                    runs += 1
                    if complaints:
                        wrong += 1
                        print(level, *run[1:], *complaints, sep=", ", flush=True)
        print(f"{level}: {runs} runs so far, {wrong} wrong", flush=True)
    return 1 if wrong else 0


class Markers(unittest.TestCase):
    """What the programs say about themselves."""

    def test_programs(self):
        programs = all_programs()
        self.assertGreaterEqual(sum(each.is_broken for each in programs), 100)
        self.assertGreaterEqual(sum(not each.is_broken for each in programs), 50)
        self.assertEqual(len({each.name for each in programs}), len(programs))
        for each in programs:
            with self.subTest(program=str(each)):
                text = "\n".join(each.lines)
                self.assertTrue(each.title)
                self.assertEqual(each.is_broken, "BROKEN" in text)
                self.assertEqual(each.is_broken, bool(each.expected))
                self.assertLessEqual(set(each.expected) | set(each.others) | set(each.allowed), KINDS)
                self.assertLessEqual({"as-is"}, set(each.data))
                self.assertLessEqual(set(each.data), set(DATA))
                self.assertEqual(each.data != DATA, "// data:" in text)
                self.assertLessEqual(set(each.others), {"race", "unordered"} & set(each.expected))
                self.assertEqual(len(re.findall("(?:expect|may):", text)), len(re.findall(r"// (?:expect|may): ", text)))

    def test_table(self):
        with open(os.path.join(BROKEN, "README.md"), encoding="utf-8") as file:
            self.assertTrue(table(all_programs()) in file.read(), "broken_test.py --table prints what is to be there")

    def test_complaints(self):
        program = Program(os.path.join(BROKEN, "race", "before_the_tree.cu"))
        store, load = (next(n for n, line in enumerate(program.lines, 1) if text in line)
                       for text in ("cache[t] = x[t]", "cache[t] +="))
        file = program.path
        self.assertEqual(program.complaints([Finding("race", file, [store, load])]), [])
        self.assertEqual(program.complaints([Finding("race", file, [load, store])]), [])
        for wrong in ([], [Finding("race", file, [store])], [Finding("race", file, [store, store])],
                      [Finding("race", file, [store, load + 1])], [Finding("race", file + "x", [store, load])],
                      [Finding("uninitialised", file, [store, load])],
                      [Finding("race", file, [store, load]), Finding("race", file, [load + 1, store])]):
            self.assertNotEqual(program.complaints(wrong), [], wrong)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.programs = all_programs()
        with open(os.path.join(cls.folder, "empty.cu"), "w", encoding="utf-8") as file:
            file.write("int main() {}\n")
        compile_source(file.name, os.path.join(cls.folder, "empty"))  # makes the emulator's library, if it has to be made
        if errors := compile_bundles(cls.folder, cls.programs):
            raise AssertionError(errors)
        runs = [(each, form) for each in cls.programs for form in ("right", "broken")[:2 if each.is_broken else 1]]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            cls.results = {(str(each), form): result
                           for (each, form), result in zip(runs, pool.map(cls.run_program, runs), strict=True)}

    @classmethod
    def run_program(cls, what, data="as-is", order=0):
        """Runs a program in one of its forms; what the process gave, and what was found."""
        return run_program(cls.folder, *what, data, order)

    def test_right(self):
        """What is right ends with 0, and nothing is found."""
        for each in self.programs:
            with self.subTest(program=str(each)):
                done, found = self.results[str(each), "right"]
                self.assertEqual((done.returncode, found), (0, []), done.stdout + done.stderr)
                self.assertTrue(done.stdout.endswith("\n"))

    def test_broken(self):
        """What is wrong ends with something else, and is found in its place; nothing else is."""
        for each in self.programs:
            if each.is_broken:
                with self.subTest(program=str(each)):
                    done, found = self.results[str(each), "broken"]
                    self.assertEqual(each.complaints(found), [], done.stdout + done.stderr)
                    self.assertNotEqual(done.returncode, 0)

    @classmethod
    def advice_table(cls):
        return advice_table((each, cls.results[str(each), "broken"][1]) for each in cls.programs if each.is_broken)

    def test_advice(self):
        """Each advice is said for the programs for which it is right, and for no others."""
        with open(os.path.join(BROKEN, "ADVICE.md"), encoding="utf-8") as file:
            self.assertEqual(self.advice_table(), file.read())

    def test_other_data(self):
        """Some of the programs, with other data and the threads in another order: SEED says which."""
        seed = int(os.environ.get("SEED") or random.randrange(1, 1 << 30))
        runs = [(each, form, data) for each in self.programs for form in ("right", "broken")[:2 if each.is_broken else 1]
                for data in each.data if data != "as-is"]
        chosen = random.Random(seed).sample(runs, 120)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for run, wrong in zip(chosen, pool.map(lambda run: complaints_of(self.folder, *run, seed), chosen), strict=True):
                with self.subTest(program=str(run[0]), form=run[1], data=run[2], seed=seed):
                    self.assertEqual(wrong, [])

    def test_few_addresses(self):
        """Some arm64 kernels give a process 39 bits of addresses. Here a limit does."""
        limits = resource.getrlimit(resource.RLIMIT_AS)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_AS, limits)
        resource.setrlimit(resource.RLIMIT_AS, (1 << 39, limits[1]))
        program = next(each for each in self.programs if each.name == "before_the_tree")
        for form in ("right", "broken"):
            with self.subTest(form=form):
                self.assertEqual(complaints_of(self.folder, program, form, "as-is", 0), [])

    def test_alone(self):
        """Each of them is a program of its own; here some are compiled as such."""
        def build(number):
            program = self.programs[number]
            options = ["-DBROKEN"] * (number % 2 and program.is_broken)
            return program, compile_source(program.path, os.path.join(self.folder, f"alone_{number}"), *options)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for program, done in pool.map(build, range(5, len(self.programs), 35)):
                with self.subTest(program=str(program)):
                    self.assertEqual((done.returncode, done.stderr), (0, ""))


    def test_fortified(self):
        """Ubuntu's compilers check calls of memcpy(), and put an instruction or two in the place of small ones."""
        program = next(each for each in self.programs if each.name == "memcpy_in_a_kernel")
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, f"{program.folder}_broken.cu")
            with open(source, "w", encoding="utf-8") as file:
                file.write(bundle([program]))
            for level in ("-O0", "-O2"):
                done = compile_source(source, source[:-3], "-DBROKEN", level, "-Xcompiler", "-D_FORTIFY_SOURCE=3")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(complaints_of(folder, program, "broken", "as-is", 0), [])


class FullStacks(unittest.TestCase):
    """A stack may end anywhere, in what the checker itself does for a local array, too."""

    SOURCE = """
        #include <cstdlib>
        template <int n> __device__ int walk(int i) {
            volatile int own[n];
            own[i % n] = i;
            return walk<n>(i + 1) + own[i % n];
        }
        template <int n> __global__ void begin(int* y) {
            __syncthreads();
            if (threadIdx.x == 5) *y = walk<n>(1);
            __syncthreads();
        }
        template <int n> void launch(int* y, int wanted) {
            if (n == wanted) begin<n><<<2, 64>>>(y);
            if constexpr (n > 8) launch<n - 8>(y, wanted);
        }
        int main(int, char** argv) {
            int* y;
            cudaMalloc(&y, 4);
            launch<128>(y, std::atoi(argv[1]));
            return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
        }
        """

    def test_sizes(self):
        with tempfile.TemporaryDirectory() as folder:
            program, report = os.path.join(folder, "a"), os.path.join(folder, "report.json")
            with open(program + ".cu", "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(self.SOURCE))
            done = compile_source(program + ".cu", program)
            self.assertEqual(done.returncode, 0, done.stderr)
            for n in range(8, 129, 8):
                with self.subTest(n=n):
                    subprocess.run([program, str(n)], capture_output=True, timeout=60, check=False,
                                   env=os.environ | {"EMULATOR_CHECK_JSON": report})
                    self.assertEqual([each.kind for each in findings(report)], ["stack-overflow"])
                    os.remove(report)


class Words(unittest.TestCase):
    """What a report calls the memory."""

    HEADER = """
        template <class T>
        struct Buffer {
            explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(T)); }
            T* data;
        };"""
    TOP = """
        #include "arrays.h"
        __device__ int table[4];
        namespace { __device__ int hidden; }
        template <class T> __device__ T several[2];
        __constant__ float weights[3];
        struct Pointers { int* one; };
        """
    # What main() does, an address that is wrong or not, and what the report calls it; @ is the line of the former.
    IN_MAIN = [
        ("int* d_x; cudaMalloc(&d_x, 8);", "d_x + 2", "4 bytes, 0 bytes past the end of d_x (8 bytes, made at a.cu:@)"),
        ("float* list[2]; if (cudaMalloc((void**)&list[1],\n12) != cudaSuccess) return 1;", "list[1] - 1",
         "4 bytes, 4 bytes before list[1] (12 bytes, made at a.cu:@)"),
        ("Pointers all; cudaMalloc(reinterpret_cast<void**>(&all.one), 4);", "all.one + 2",
         "4 bytes, 4 bytes past the end of all.one (4 bytes, made at a.cu:@)"),
        ("double* managed; cudaMallocManaged(&managed, 8);", "managed + 1",
         "8 bytes, 0 bytes past the end of managed (8 bytes, made at a.cu:@)"),
        ("int* pinned; cudaHostAlloc((void **) &pinned, 1, cudaHostAllocDefault);", "pinned + 2",
         "4 bytes, 7 bytes past the end of pinned (1 byte, made at a.cu:@)"),
        ("int *a, *b; cudaMalloc(&a, 4); cudaMalloc(&b, 4);", "b + 1",  # which of the two is not clear
         "4 bytes, 0 bytes past the end of an allocation of 4 bytes (made at a.cu:@)"),
        ("Buffer<int> numbers(5);", "numbers.data + 5", "4 bytes, 0 bytes past the end of numbers (20 bytes, made at a.cu:@)"),
        ("auto copies = Buffer<char>(3);", "copies.data + 3",
         "1 byte, 0 bytes past the end of copies (3 bytes, made at a.cu:@)"),
        ("static Buffer<char> kept(7);", "kept.data + 7", "1 byte, 0 bytes past the end of kept (7 bytes, made at a.cu:@)"),
        ("Buffer<int> one(1), two(2);", "two.data + 2",
         "4 bytes, 0 bytes past the end of an allocation of 8 bytes (made at a.cu:@)"),
        ("int* symbol; cudaGetSymbolAddress((void**)&symbol, table);", "symbol + 4", "4 bytes at byte 16 of table (16 bytes)"),
        ("", "symbol - 1", "4 bytes, 4 bytes before table (16 bytes)"),
        ("cudaGetSymbolAddress((void**)&symbol, hidden);", "symbol + 1",
         "4 bytes at byte 4 of (anonymous namespace)::hidden (4 bytes)"),
        # Behind it may lie what the emulator needs: not its end is missed, but a multiple of 8.
        ("char* pair; cudaGetSymbolAddress((void**)&pair, several<double>);", "(double*)(pair + 4)",
         "8 bytes at byte 4 of several<double> (16 bytes)"),
        ("cudaFree(d_x);", "d_x + 1", "4 bytes, 4 bytes into d_x (8 bytes, made at a.cu:%(d_x)d, freed at a.cu:@)"),
    ]
    IN_KERNEL = [
        ("y = const_cast<float*>(weights) + i - 1;", "4 bytes at byte 12 of weights (12 bytes)"),
        ("extern __shared__ double pool[]; y = (float*)(pool + i);",
         "pool[4], 4 bytes, 0 bytes past the end of the 32 bytes of dynamic shared memory that the launch asks for"),
        ("extern __shared__ char bytes[]; y = (float*)(bytes - i);",
         "bytes[-4], 4 bytes, 4 bytes before the 32 bytes of dynamic shared memory that the launch asks for"),
        ("extern __shared__ float far_away[]; y = far_away + 1000 * i;",
         "far_away[4000], 4 bytes, 15968 bytes past the end of the 32 bytes of dynamic shared memory that the launch asks for"),
        ("__shared__ float tile[4][5]; y = tile[i] + 1;", "tile[4][1] in shared memory, declared as tile[4][5]"),
        ("__shared__ float count; y = &count + i - 3;", "count + 4 bytes in shared memory, declared as count"),
        ("float own[3]; y = own + i;", "own[4] in local memory, declared as own[3]"),
    ]

    def test_variables(self):
        source, expected, made = textwrap.dedent(self.TOP), [], {}
        for i in range(len(self.IN_MAIN)):
            source += f"template <class T> __global__ void touch_{i}(T* address) {{ *address = T(1); }}\n"
        source += "__global__ void in_kernel(int i, float* y) {\n"
        source += "".join(f"{{ {statements}\n*y = 1; }}\n" for statements, _ in self.IN_KERNEL)
        source += "}\nint main(int argc, char**) {\nif (argc > 1) return in_kernel<<<1, 1, 32>>>(4, nullptr), 0;\n"
        for i, (statements, address, words) in enumerate(self.IN_MAIN):
            line = source.count("\n") + 1
            made.setdefault(re.search(r"\w+", address)[0], line)
            expected.append(words.replace("@", str(line)) % made)
            source += f"{statements}\ntouch_{i}<<<1, 1>>>({address});\n"
        source += "}\n"
        expected += [words for _, words in self.IN_KERNEL]
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("arrays.h", self.HEADER), ("a.cu", source)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            report, program = os.path.join(folder, "report"), os.path.join(folder, "a")
            compiled = compile_source(program + ".cu", program)
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            started = os.path.join(folder, "started")
            for name in ("nm", "addr2line", "sh"):  # It finds the names and the lines by itself.
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\necho {name} >> {started}\n")
                os.chmod(file.name, 0o755)
            found = []
            for arguments in ([], ["in_kernel"]):  # which a store outside of its own array ends
                subprocess.run([program, *arguments], capture_output=True, check=False, env=os.environ | {
                    "EMULATOR_CHECK_JSON": report, "EMULATOR_NEAR_MISSES": "go-on", "PATH": folder})
                with open(report, encoding="utf-8") as file:
                    found += [json.loads(line)["deeds"][0]["what"] for line in file]
                os.remove(report)
            self.assertFalse(os.path.exists(started))
        self.assertEqual([words.removeprefix("writes ") for words in found], expected)

    def test_a_race_names_the_bytes_that_both_touch(self):
        source = """
            __global__ void one_byte(unsigned char* flags) { flags[5] = threadIdx.x; }
            __global__ void half_and_byte(unsigned char* flags) {
                if (threadIdx.x == 0) *(short*)(flags + 2) = 7; else flags[3] = threadIdx.x;
            }
            __global__ void in_shared() { __shared__ volatile unsigned char seen[8]; seen[6] = threadIdx.x; }
            __global__ void neighbours(unsigned char* flags) { flags[threadIdx.x] = threadIdx.x; }
            int main() {
                unsigned char* flags; cudaMalloc(&flags, 8);
                one_byte<<<1, 2>>>(flags);
                half_and_byte<<<1, 2>>>(flags);
                in_shared<<<1, 2>>>();
                neighbours<<<1, 8>>>(flags);
                cudaDeviceSynchronize();
            }"""
        flags = "flags (8 bytes, made at a.cu:9)"
        expected = [f"wrote 1 byte, 5 bytes into {flags}", f"wrote 1 byte, 3 bytes into {flags}", "wrote seen[6] in shared memory"]
        with tempfile.TemporaryDirectory() as folder:
            report, program = os.path.join(folder, "report"), os.path.join(folder, "a")
            with open(program + ".cu", "w", encoding="utf-8") as file:
                file.write(source)
            compiled = compile_source(program + ".cu", program)
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
            subprocess.run([program], capture_output=True, check=False, env=os.environ | {"EMULATOR_CHECK_JSON": report})
            with open(report, encoding="utf-8") as file:
                found = [json.loads(line) for line in file]
        self.assertEqual([(each["kind"], each["deeds"][0]["what"]) for each in found], [("race", words) for words in expected])


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print(table(all_programs()), end="")
    elif sys.argv[1:] == ["--advice"]:
        Programs.setUpClass()
        print(Programs.advice_table(), end="")
        Programs.doClassCleanups()
    elif sys.argv[1:] == ["--all"]:
        sys.exit(check_all())
    else:
        unittest.main()
