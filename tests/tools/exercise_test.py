"""./lab exercise, on one small exercise. What the judge finds in wrong answers of all kinds, ./lab exercise --verify proves
with those of the chapters' exercises."""

import contextlib
import io
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

from support import ROOT, FakeRepository, Folder, left_running, wait_until
from building import dependencies
from building.dependencies import NeededBy
from exercises import box, compile_errors, folder, hostile, sandbox, screen, sharing, toolchain, verify
from exercises.folder import discover, read_task, read_wrong
from exercises.judge import SOLVED, Verdict
from exercises.learner import Learner
from exercises.limits import Limit
from exercises.sandbox import Ended, Patience
from exercises.starter import starter_of
from exercises.toolchain import Toolchain
from exercises.verify import Proof, missing_in_lesson, tried
from exercises.words import ENDLESS_LOOP, FIRST_VALUE, NOT_READY, STILL_RUNNING, of_finding, of_run
from shared.console import Failure, columns

TASK = """\
---
title: two
minutes: 5
points: 1
after: "1 · Two"
kind: core
fails: values
learnt: two
limits:
  - blocks <= 2
---

# Make it two

Set `c[i]` to 2.

## Hint 1

First hint.

## Hint 2

Second hint.

## Afterwards

Well done.
"""

COUNTED_SECTION = "## What is counted\n\nAt most 2 blocks.\n\n"

SOLUTION = """\
__global__ void two_kernel(float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // BEGIN SOLUTION
    if (i < n) c[i] = 2;
    // STUB
    // if (i < n) c[i] = 3;
    // END SOLUTION
}

void two(float* c, int n) {
    if (n > 0) two_kernel<<<(n + 255) / 256, 256>>>(c, n);
}
"""

CHECK = """\
#include <cstdio>

#include "checker.h"

void two(float* c, int n);

static void run(int n) {
    exercise::Input<float> ignored("ignored", exercise::distinct_values<float>(n));
    exercise::Output<float> c("c", n);
    two(c.data(), n);
    exercise::finish();
    c.require_same(std::vector<float>(n, 2.0f));
}

void check() {
    exercise::for_each_size(run);
    std::puts("Two it is.");
}
void counted() { run(64); }
"""

WRONG = """\
[[wrong]]
name = "four"
find = "c[i] = 2"
put = "c[i] = 4"
caught_by = "values"
says = "expected 2"
thinks = "Four is two."
"""

# For programs without CUDA: a sum that a team shares.
THREADS = """\
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>
double piece(std::int64_t i);

double sum(std::int64_t n, int threads) {
    double total = 0;
    std::mutex adding;
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
            double mine = 0;
            for (std::int64_t i = t; i < n; i += threads) mine += piece(i);
            const std::lock_guard alone(adding);
            total += mine;
        });
    for (std::thread& thread : running) thread.join();
    return total;
}
"""

TEAM_CHECK = """\
#include "checker.h"
#include "team.h"

double sum(std::int64_t n, int threads);

static exercise::Ledger* ledger;
double piece(std::int64_t i) {
    ledger->note(i);
    return static_cast<double>(i);
}

static void run(exercise::Ledger& now, int threads) {
    ledger = &now;
    const double got = sum(now.n(), threads);
    exercise::require_each_once("piece", now.times(), now.outside());
    exercise::require_near("sum", got, static_cast<double>(now.n() * (now.n() - 1) / 2), 0);
}

void check() {
    exercise::for_each_team([](std::int64_t n, int threads) { exercise::Ledger now(n); run(now, threads); }, "thread");
}
void counted() {
    exercise::Ledger now(400, 4);
    run(now, 4);
    exercise::require_shared("piece", now.of_threads(), 4, "threads", now.apart());
}
"""

# The first call keeps what it has allocated.
KEPT = "static float* more; if (!more) cudaMalloc(&more, 64);"
STREAM = "cudaStream_t stream; cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);"
EVENT = "cudaEvent_t event; cudaEventCreate(&event);"
RACE = SOLUTION.replace("c[i] = 2;", "{ c[i] = 2; if (i > 0 && c[i - 1] > 2) c[i] = 3; }")


class Exercise(FakeRepository):
    """A repository with exercise 3.1, and the files that a learner has."""

    builds = ""

    @classmethod
    def setUpClass(cls) -> None:
        """What checks is compiled once for all tests: it goes by contents."""
        if dependencies.missing({NeededBy.EMULATOR}):
            raise unittest.SkipTest("skipped: the emulator lacks what ./lab would install")
        cls.builds = tempfile.mkdtemp(prefix="lab-test-")
        cls.addClassCleanup(shutil.rmtree, cls.builds)

    def setUp(self) -> None:
        super().setUp()
        (self.root / "common").mkdir()
        for name in ("check.h", "device_buffer.h"):
            shutil.copy2(ROOT / "common" / name, self.root / "common" / name)
        patience = self.root / "tools/exercises/sandbox.py"  # less of it, for what never ends
        self.assertIn("ANSWER = Patience(10, 8)", patience.read_text())
        patience.write_text(patience.read_text().replace("ANSWER = Patience(10, 8)", "ANSWER = Patience(3, 1)"))
        (self.root / "emulator").symlink_to(ROOT / "emulator")
        self.command("bwrap", "#!/bin/sh\nexit 1\n")  # a learner need not have it; grade_test.py has boxes
        self.folder = "03_vector_add/exercises/1_two"
        for name, text in (("task.md", TASK), ("solution.cu", SOLUTION), ("check.cpp", CHECK), ("wrong.toml", WRONG)):
            self.write(f"{self.folder}/{name}", text)
        self.mine = self.root / "my/03_1_two.cu"
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.env |= {
            "CXX": os.environ.get("CXX") or shutil.which("g++") or "g++",
            "XDG_CACHE_HOME": cache,
            "LAB_BUILD": self.builds,
            "CUDA_VISIBLE_DEVICES": "",  # what a GPU makes of an answer is no matter here
        }
        self.scratch = self.temporary / "scratch"
        self.scratch.mkdir()
        self.env["TMPDIR"] = str(self.scratch)
        self.addCleanup(self.assert_nothing_left_behind)

    def assert_nothing_left_behind(self) -> None:
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assertEqual(left_running(self.scratch), [])

    def without_cuda(self, host: str) -> None:
        """Has the exercise programs of threads or MPI, a checker for these, and THREADS as its solution."""
        (self.root / self.folder / "solution.cu").unlink()
        task = TASK.replace("limits:\n  - blocks <= 2\n", "").replace("fails: values", f"fails: counts\nhost: {host}")
        solution = f"// BEGIN SOLUTION\n// STUB\n// END SOLUTION\n{THREADS}"
        for name, text in (("task.md", task), ("solution.cpp", solution), ("check.cpp", TEAM_CHECK)):
            self.write(f"{self.folder}/{name}", text)
        self.mine = self.root / "my/03_1_two.cpp"

    def exercise(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        result = self.lab("exercise", *arguments, "--no-install", **env)
        self.assertNotIn("Traceback", result.stderr)
        return result

    def verdict(self, answer: str) -> str:
        """What is said about an answer that fails, in one line."""
        self.mine.parent.mkdir(exist_ok=True)
        self.mine.write_text(answer, encoding="utf-8")
        result = self.exercise("3.1")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(self.mine.read_text(encoding="utf-8"), answer)
        return " ".join(result.stdout.split())

    @contextlib.contextmanager
    def on_watch(self, **env: str) -> Iterator[Callable[..., None]]:
        """--watch on a terminal: presses a key, if one is given, and waits until something is shown. At the end it presses q."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.root)
            os.execve(self.root / "lab", ["lab", "exercise", "--watch", "--no-install"], self.env | {"TERM": "dumb"} | env)
        text = ""

        def until(expected: str, key: bytes = b"") -> None:
            nonlocal text
            os.write(terminal, key)
            end = time.monotonic() + 60
            while expected not in text and time.monotonic() < end:
                if select.select([terminal], [], [], 1)[0]:
                    text += os.read(terminal, 1 << 16).decode("utf-8", "replace")
            self.assertIn(expected, text)
            text = text.partition(expected)[2]

        yield until
        os.write(terminal, b"q")
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        os.close(terminal)


class Learning(Exercise):
    def test_from_the_starter_to_solved(self) -> None:
        self.assertIn("0 of 1 exercise solved", self.exercise().stdout)
        result = self.exercise("3.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Make it two", result.stdout)
        self.assertIn("    if (i < n) c[i] = 3;\n", self.mine.read_text())
        self.assertNotIn("SOLUTION", self.mine.read_text())

        result = self.exercise("3.1", SEED="7")
        self.assertEqual(result.returncode, 1)
        self.assertIn("n = 1: c[0] is 3, expected 2", result.stdout)
        self.assertIn("SEED=7 ./lab exercise 3.1", result.stdout)

        self.mine.write_text(self.mine.read_text().replace("= 3", "= 2"))
        self.command("lab", f'#!/bin/sh\nexec {self.root}/lab "$@" <&-\n')
        result = self.runs("exercise", "my/03_1_two.cu", "--no-install", command=self.bin / "lab")
        self.assertIn("3.1 two · solved", result.stdout)
        self.assertIn("blocks: 1; the solution has 1", result.stdout)
        self.assertIn("Your program printed:\n      Two it is.\n", result.stdout)
        self.assertIn("1 of 1 exercise solved", self.exercise().stdout)

    def test_answers_that_no_checker_lets_pass(self) -> None:
        head = "#include <cstdio>\n#include <unistd.h>\n"
        for answer, expected in (
            ("", "the file is empty"),
            ("void two(float* c, int n) { oops; }\n", "my/03_1_two.cu:1 void two(float* c, int n) { oops; }"),
            ("int main() { return 0; }\nvoid two(float*, int) {}\n", "remove yours"),
            ("// nothing\n", "two(float*, int) is missing"),
            ("#error red \x1b[31m\n", r"#error red \x1b[31m my/03_1_two.cu:1 #error red \x1b[31m"),
            (f'{head}void two(float*, int) {{ puts("passed"); fflush(stdout); _exit(0); }}\n', "Your program printed: passed"),
            (f'{head}void two(float*, int) {{ for (;;) puts("0123456789"); }}\n', "wrote more than 8 MiB"),
            (RACE.replace("= 2;", "= n < 33 ? 2 : 3;"), "The checked build has found a mistake at n = 31: thread"),
            (
                SOLUTION.replace("if (n > 0)", f"{KEPT}\n    if (n > 0)"),
                "right, but device memory is lost n = 0: a call keeps 64 bytes",
            ),
        ):
            with self.subTest(answer):
                self.assertIn(expected, self.verdict(answer))
        self.assertIn("two(float*, int) is missing", self.verdict("//" + "x" * 100_000 + "\n"))
        self.assertIn("larger than 1 MiB", self.verdict("//" + "x" * (2 << 20)))

    def test_streams_and_events(self) -> None:
        on_stream = SOLUTION.replace("256>>>", "256, 0, stream>>>").replace("if (n > 0)", f"{STREAM}\n    if (n > 0)")
        unawaited = "kernel two_kernel is on a stream of its own, and nobody waits for it"
        fill = "float* own; cudaMalloc(&own, 4); cudaMemsetAsync(own, 0, 4, stream)"
        for answer, expected in (
            (on_stream, unawaited),
            (on_stream.replace("(c, n);", "(c, n); cudaStreamDestroy(stream);"), unawaited),
            (SOLUTION.replace("if (n > 0)", f"{STREAM} {fill};\n    if (n > 0)"), "a copy or a fill is on a stream of its own"),
            (
                on_stream.replace("(c, n);", "(c, n); cudaStreamSynchronize(stream);"),
                "a stream is lost n = 0: a call keeps 1 stream",
            ),
            (SOLUTION.replace("if (n > 0)", f"{EVENT}\n    if (n > 0)"), "an event is lost n = 0: a call keeps 1 event"),
            (SOLUTION.replace("if (n > 0)", "cudaDeviceReset();\n    if (n > 0)"), "cudaDeviceReset() was called"),
        ):
            with self.subTest(answer):
                self.assertIn(expected, self.verdict(answer))

    def test_a_folder_in_place_of_the_file(self) -> None:
        (self.root / "my/03_1_two.cu").mkdir(parents=True)
        self.assertIn("is a folder", self.exercise("3.1").stdout)
        self.assertEqual(self.exercise("3.1", "--reset").returncode, 0)
        self.assertTrue(self.mine.is_file())
        self.mine.unlink()
        os.mkfifo(self.mine)
        self.assertIn("it is no file", self.exercise("3.1").stdout)

    def test_no_such_exercise(self) -> None:
        for word in ("9.9", "frob", "3.1.1", "../x"):
            result = self.exercise(word)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn("the exercises are 3.1 to 3.1", result.stderr)
            self.assert_one_line(result.stderr)
        self.assertIn("there is no exercise 3.9; chapter 3 has 3.1 two", self.exercise("3.9").stderr)
        self.assertIn("there is nothing behind ./lab exercise", self.exercise("").stderr)
        self.assertIn("--watch takes single keys", self.exercise("--watch").stderr)
        self.assertIn("of which exercise? E.g. ./lab exercise 3.1 --reset", self.exercise("--reset").stderr)

    def test_a_file_in_place_of_the_folder(self) -> None:
        self.write("my", "")
        for words in ([], ["--hint"], ["--stdin"]):
            self.assertIn("lab: my is no folder, and your files go there", self.exercise("3.1", *words).stderr)

    def test_nothing_on_standard_input(self) -> None:
        self.write("my/03_1_two.cu", "mine")
        self.assertIn("there is nothing on standard input", self.exercise("3.1", "--stdin").stderr)
        self.assertEqual(self.mine.read_text(), "mine")

    def test_hints_come_one_by_one(self) -> None:
        for expected in ("First hint.", "Second hint.", "First hint."):
            self.assertIn(expected, self.exercise("3.1", "--hint").stdout)
        self.assertIn("Ask once more", self.exercise("3.1", "--solution").stdout)
        self.assertIn("c[i] = 2;", self.exercise("3.1", "--solution").stdout)

    def test_reset_keeps_what_was_there(self) -> None:
        self.mine.parent.mkdir()
        for text in ("one", "two"):
            self.mine.write_text(text)
            self.assertEqual(self.exercise("3.1", "--reset").returncode, 0)
            self.assertIn("c[i] = 3", self.mine.read_text())
        kept = [self.mine.with_suffix(f".old{number}.cu").read_text() for number in (1, 2)]
        self.assertEqual(kept, ["one", "two"])

    def test_damaged_progress_costs_nothing(self) -> None:
        self.mine.parent.mkdir()
        for text, is_kept in (("{", True), ("[]", True), ('{"3.1": 4}', False), ('{"3.1": {"hints": "x"}}', False)):
            self.write("my/.progress.json", text)
            listed = self.exercise()
            self.assertIn("0 of 1 exercise solved", listed.stdout)
            self.assertEqual("my/.progress.json is damaged" in listed.stderr, is_kept, listed.stderr)
            for kept in self.mine.parent.glob(".progress.damaged*") if is_kept else ():
                self.assertEqual(kept.read_text(), text)
                kept.rename(kept.with_name(f"seen{len(text)}"))
            self.assertIn("First hint.", self.exercise("3.1", "--hint").stdout)

    def test_interrupted(self) -> None:
        self.exercise("3.1")
        begun = self.temporary / "begun"
        self.mine.write_text(
            f'#include <cstdio>\nvoid two(float*, int) {{ std::fclose(std::fopen("{begun}", "w"));\n'
            "    for (volatile int i = 0;; i = i + 1) {} }\n"
        )
        process = self.start_lab("exercise", "3.1")
        wait_until(lambda: begun.exists() or process.poll() is not None, 300)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, errors)

    def test_watch(self) -> None:
        with self.on_watch() as until:
            until("q quit")
            self.mine.write_text(self.mine.read_text().replace("= 3", "= 5"))
            until("c[0] is 5, expected 2")
            until("First hint.", key=b"h")
            self.mine.write_text(self.mine.read_text().replace("= 5", "= 2"))
            until("solved")


# As g++ 12's ThreadSanitizer, where addresses are too random for it.
NO_ROOM = """\
#include <sys/personality.h>
#include <unistd.h>
#include <cstdio>
static const bool none = [] {
    if (personality(0xffffffff) & ADDR_NO_RANDOMIZE) return false;
    std::fputs("FATAL: ThreadSanitizer: unexpected memory mapping 0x0-0x1\\n", stderr);
    _exit(66);
}();
"""


class WithALibrary(Exercise):
    def test_without_its_headers(self) -> None:
        self.write(f"{self.folder}/task.md", TASK.replace("limits:\n", "library: thrust\nlimits:\n"))
        nowhere = {"CUDACXX": "/nowhere/nvcc", "XDG_CACHE_HOME": str(self.temporary / "cache")}
        result = self.exercise("3.1", **nowhere)
        self.assertEqual(result.returncode, 4, result.stdout)
        self.assertIn("3.1 two needs Thrust's headers (NVIDIA's CCCL): install a CUDA toolkit from 13 on", result.stderr)
        result = self.exercise("--verify", **nowhere)
        self.assertIn("3.1 two: skipped, it needs Thrust's headers", result.stdout)
        self.assertIn("0 exercises: all sound, 1 skipped", result.stdout)
        self.assertEqual(self.exercise(**nowhere).returncode, 0)

    def test_what_compilers_say(self) -> None:
        before, after = "In file included from my/a.cu:2:\n", "call.h:9:5: error: x cannot be used as a function\n"
        in_the_library = ("x cannot be used as a function", [], 7)  # at the line that calls it
        for said, expected in (
            (f"{before}call.h: In instantiation of f:\nmy/a.cu:7:3:   required from here\n{after}", in_the_library),
            (f"{before}{after}my/a.cu:7:3: note: in instantiation of function f requested here\n", in_the_library),
            (
                "my/a.cu: Assembler messages:\nmy/a.cu:12: Error: no such instruction: `x'\n",
                ("no such instruction: `x'", [], 12),
            ),
            (
                "ld: /tmp/lab-vz/nvcc_cpu.tv/1_a.o: overflow\ncollect2: error: ld\n",
                ("the compiler failed", ["ld: 1_a.o: overflow"], 0),
            ),
            (
                "g++: error: as\nPlease submit a report\nSee <file:///usr/README.Bugs>.\n",
                ("the compiler failed", ["g++: error: as"], 0),
            ),
        ):
            with self.subTest(said):
                self.assertEqual(compile_errors.explain(Ended(1, "", said, False, 0.0), "my/a.cu"), expected)


class WithoutCuda(Exercise):
    """Threads and MPI: what their programs do wrong is found, and what is right is left alone."""

    def test_a_crash_in_a_thread(self) -> None:
        self.without_cuda("threads")
        crash = "double mine = *static_cast<volatile double*>(nullptr);"
        self.assertIn("stops: SEGV", self.verdict(THREADS.replace("double mine = 0;", crash)))

    def test_where_addresses_are_too_random(self) -> None:
        if subprocess.run(["setarch", "-R", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("setarch -R is not allowed here")
        self.without_cuda("threads")
        self.mine.parent.mkdir()
        self.mine.write_text(NO_ROOM + THREADS)
        self.assertIn("solved", self.exercise("3.1").stdout)

    def test_without_mpi(self) -> None:
        self.command("mpicxx", "#!/bin/sh\nexit 1\n")
        self.without_cuda("mpi")
        result = self.exercise("3.1")
        self.assertEqual(result.returncode, 4, result.stdout)
        self.assertIn("3.1 two needs Open MPI (Debian and Ubuntu: apt-get install libopenmpi-dev", result.stderr)
        result = self.exercise("--verify")
        self.assertIn("3.1 two: skipped, it needs Open MPI", result.stdout)
        self.assertIn("0 exercises: all sound, 1 skipped", result.stdout)

    def test_the_files_go_together(self) -> None:
        self.without_cuda("threads")
        self.write(f"{self.folder}/task.md", TASK)
        self.assertIn("`host: …` and a solution.cpp go together", self.exercise("3.1").stderr)

    def test_reset_keeps_the_suffix(self) -> None:
        self.without_cuda("threads")
        self.mine.parent.mkdir()
        self.mine.write_text("one")
        self.assertEqual(self.exercise("my/03_1_two.cpp", "--reset").returncode, 0)
        self.assertEqual((self.root / "my/03_1_two.old1.cpp").read_text(), "one")


class Sandbox(Folder):
    def test_there_is_room_for_the_stacks_of_all_threads_that_may_wait(self) -> None:
        script = (
            "import mmap, os\n"
            "flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE\n"
            "stacks = [mmap.mmap(-1, 3 << 20, flags=flags) for _ in range(16384)]\n"
            "os._exit(7 if len(stacks) == 16384 else 0)"
        )
        ended = sandbox.run([sys.executable, "-c", script], self.root, os.environ)
        self.assertEqual(ended.code, 7, ended.said)

    def test_what_leaves_the_process_group_is_ended(self) -> None:
        leaves = "setsid sh -c 'touch began; exec sleep 99' & until [ -e began ]; do sleep 0.1; done"
        ended = sandbox.run(["sh", "-c", leaves], self.root, os.environ)
        self.assertEqual((ended.code, ended.late), (0, False), ended.said)
        self.assertEqual(left_running(self.root), [])

    def test_an_answer_that_kills_its_parent(self) -> None:
        kills = ["/bin/sh", "-c", "kill -9 $PPID; kill -9 0; echo alive"]
        ended = sandbox.run(kills, self.root, os.environ, patience=Patience(100))
        self.assertEqual((ended.code, ended.printed, ended.late), (128 + signal.SIGKILL, "", False))
        self.assertIn("the program was ended by SIGKILL", of_run(ended, {"kind": "begin", "case": ""}, "my/x.cu")[0])

    def test_memory(self) -> None:
        more = f"x = bytearray({box.most_memory() + (64 << 20)})"
        ended = sandbox.run([sys.executable, "-c", f"{more}; x[:] = bytes([1]) * len(x)"], self.root, os.environ)
        self.assertIn("GiB of memory", ended.exceeded)

    def test_a_full_disk_is_no_verdict(self) -> None:
        on_the_host = next(exercise for exercise in discover(ROOT) if exercise.host == "threads")
        with unittest.mock.patch("exercises.toolchain.ROOM", 1 << 60):
            for compiles in (
                Toolchain(self.root).compile,
                lambda *_: toolchain._compile(self.root / "x.o", Path("x"), "threads"),
            ):
                self.assertRaisesRegex(Failure, f"the disk of {self.root} is full", compiles, on_the_host, "x.cpp", self.root)


class Proofs(Folder):
    def test_an_exercise_is_tried_again_when_something_has_changed(self) -> None:
        known = discover(ROOT)[:2]
        toolchain = unittest.mock.Mock(made=Path("the judge, the emulator and the compiler"))
        judge = unittest.mock.Mock(toolchain=toolchain)

        def tried(said: str = "") -> list[str]:
            trial = verify.Trial(Proof("the starter", "", "runs"), unittest.mock.Mock(on_gpu=False, seconds=1.0), said)
            with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch("exercises.verify.tried") as judged:
                judged.return_value = trial
                self.assertEqual(verify.run(judge, known), 1 if said else 0)
            return sorted({call.args[1].number for call in judged.call_args_list})

        with unittest.mock.patch.dict(os.environ, LAB_PROOFS=f"{self.root}/made/when/needed"):
            both = [exercise.number for exercise in known]
            self.assertEqual(tried(), both)
            self.assertEqual(tried(), [])
            contents = verify._contents
            second = known[1]
            with unittest.mock.patch("exercises.verify._contents", lambda e: "changed" if e is second else contents(e)):
                self.assertEqual(tried(), [second.number])
            toolchain.made = Path("another compiler")
            self.assertEqual(tried(), both)
            toolchain.made = Path("a third compiler")
            self.assertEqual(tried("the starter passes"), both)  # which is no proof
            self.assertEqual(tried(), both)


class Authoring(Folder):
    def failure(self, action: object, *arguments: object) -> str:
        with self.assertRaises(Failure) as raised:
            action(*arguments)  # type: ignore[operator]
        return str(raised.exception)

    def test_marks_in_the_solution(self) -> None:
        starter, solution = starter_of(SOLUTION, "s.cu")
        self.assertIn("    if (i < n) c[i] = 3;\n}", starter)
        self.assertNotIn("= 2", starter)
        self.assertIn("    if (i < n) c[i] = 2;\n}", solution)
        self.assertNotIn("= 3", solution)
        for old, new, expected in (
            (
                "    // END SOLUTION\n",
                "",
                "s.cu:7: what the learner starts from stands here as comments, up to // END SOLUTION",
            ),
            ("    // STUB\n", "", "s.cu:6: expected // STUB and not // END SOLUTION (the part began in line 3)"),
            ("    // STUB\n", "    // BEGIN SOLUTION\n", "s.cu:5: expected // STUB and not // BEGIN SOLUTION"),
            ("    // if (i", "    if (i", "s.cu:6: what the learner starts from stands here as comments"),
            ("// BEGIN SOLUTION", "// BEGIN SOLUTION here", "s.cu:3: a mark stands alone"),
        ):
            self.assertIn(expected, self.failure(starter_of, SOLUTION.replace(old, new), "s.cu"))
        at_the_end = SOLUTION.partition("    // END")[0]
        self.assertIn("s.cu:3: // END SOLUTION is missing", self.failure(starter_of, at_the_end, "s.cu"))
        self.assertIn("no // BEGIN SOLUTION", self.failure(starter_of, "int x;\n", "s.cu"))

    def test_wrong_versions(self) -> None:
        solution = starter_of(SOLUTION, "s.cu")[1]

        def read(text: str) -> object:
            return read_wrong(text, "w.toml", solution, Path("/nowhere"))

        self.assertEqual([version.name for version in read(WRONG)], ["four"])  # type: ignore[attr-defined]
        twice = WRONG.replace('"c[i] = 2"', '"int n"')
        self.assertIn("w.toml:1: find must match once in the solution and matches 2 times", self.failure(read, twice))
        self.assertIn("matches 0 times", self.failure(read, WRONG.replace('"c[i] = 2"', '"c[j]"')))
        self.assertIn("needs thinks", self.failure(read, WRONG.replace("thinks", "thought")))
        self.assertIn("caught_by is one of", self.failure(read, WRONG.replace('"values"', '"luck"')))
        self.assertIn("no file", self.failure(read, WRONG.replace('find = "c[i] = 2"', 'file = "x.cu"')))
        self.assertIn("w.toml: Expected '='", self.failure(read, WRONG.replace("says =", "says")))
        self.assertIn("at line 6", self.failure(read, WRONG.replace("says =", "says")))

    def test_task(self) -> None:
        task = read_task(TASK, "t.md")
        self.assertEqual((list(task.hints), task.afterwards), (["First hint.", "Second hint."], "Well done."))
        self.assertEqual(task.counted, "")
        counted = read_task(TASK.replace("## Hint 1", f"{COUNTED_SECTION}## Hint 1"), "t.md")
        self.assertEqual((counted.text, counted.counted), (task.text, "At most 2 blocks."))
        self.assertEqual((list(counted.hints), counted.afterwards), (list(task.hints), task.afterwards))
        for old, new, expected in (
            ("---\n", "", "t.md:1: the front matter is missing"),
            ("minutes: 5", "minutes: some", "t.md:3: minutes is a number"),
            ("points: 1\n", "", "t.md:1: the front matter lacks points"),
            ("title: two", "titel: two", "t.md:2: expected one of the keys"),
            ("fails: values", "fails: compiles", "t.md:7: fails is one of"),
            ("fails: values", "fails: values\nsheet: yes", "t.md:8: sheet is one of no"),
            ("fails: values", "fails: values\nhost: fibers", "t.md:8: host is one of threads, openmp, mpi"),
            ("fails: values", "fails: values\nlibrary: boost", "t.md:8: library is one of thrust"),
            ("blocks <= 2", "time <= 2 s", "t.md:10: no limit that can be counted"),
            ("## Hint 2", "## Hint 3", "t.md:21: after the task come"),
            ("## Afterwards", "## After", "t.md:25: after the task come"),
            ("First hint.", "", "t.md: Hint 1 is empty"),
            ("## Hint 2", f"{COUNTED_SECTION}## Hint 2", "t.md:21: after the task come"),
        ):
            self.assertIn(expected, self.failure(read_task, TASK.replace(old, new), "t.md"))

    def test_the_place_in_the_lesson(self) -> None:
        announced = "*Exercise (5 minutes):* Write two:\n`./lab exercise 3.1`.\n"
        self.write("03_vector_add/README.md", f"## 1 · Two\n\n{announced}")
        self.write("03_vector_add/tiles.md", "### 2 · Three: or more\n\n`./lab exercise 3.1`\n")

        def missing(after: str) -> str:
            task = self.write("03_vector_add/exercises/1_two/task.md", TASK.replace("1 · Two", after))
            return "; ".join(missing_in_lesson(folder.Exercise(task.parent)))

        self.assertEqual(missing("1 · Two"), "")
        self.assertEqual(missing("README.md: 1 · Two"), "")
        self.assertIn("README.md has no section '2 · Three: or more'", missing("2 · Three: or more"))
        self.assertIn("tiles.md has no section '1 · Two'", missing("tiles.md: 1 · Two"))
        self.assertEqual(missing("absent.md: 1 · Two"), "the chapter has no absent.md")
        said = missing("tiles.md: 2 · Three: or more")
        self.assertIn("tiles.md has no paragraph '*Exercise (5 minutes):* … ./lab exercise 3.1 …'", said)
        self.assertNotIn("section", said)
        self.write("03_vector_add/tiles.md", f"### 2 · Three: or more\n\n{announced}")
        self.assertEqual(missing("tiles.md: 2 · Three: or more"), "")
        self.write("03_vector_add/tiles.md", f"### 2 · Three: or more\n\n{announced.replace('5', '50')}")
        self.assertIn("has no paragraph", missing("tiles.md: 2 · Three: or more"))

    def test_the_next_one_is_behind(self) -> None:
        learner, known = Learner(self.root), discover(ROOT)
        self.assertEqual(learner.next_unsolved(known), known[0])
        learner.note(known[2], "hints", 1)
        learner.note(known[6], "solved", True)
        self.assertEqual(learner.next_unsolved(known), known[7])
        self.assertIn(f"next: ./lab exercise {known[7].number}", screen.overview(known, learner))
        learner.note(known[2], "hints", 1)
        self.assertEqual(Learner(self.root).next_unsolved(known), known[2])
        self.assertEqual(learner.next_unsolved(known, known[5]), known[7])
        self.assertEqual(learner.next_unsolved(known, known[-1]), known[0])

    def test_a_cell_of_a_notebook(self) -> None:
        """It is what the file has, but nothing is lost that was written there otherwise."""
        learner, exercise = Learner(self.root), discover(ROOT)[0]
        mine = learner.path(exercise)
        for text in ("one", "two", exercise.starter, "three"):
            learner.put(exercise, text)
            self.assertEqual(mine.read_text(), text)
        self.assertEqual(list(mine.parent.glob("*.old*")), [])
        mine.write_bytes(b"mine \xff")
        learner.put(exercise, "four")
        self.assertEqual(mine.read_text(), "four")
        self.assertEqual(mine.with_suffix(".old1.cu").read_bytes(), b"mine \xff")

    def test_the_decoy_of_all_exercises(self) -> None:
        known = [exercise for exercise in discover(ROOT) if not exercise.host]
        decoys = {e.number: hostile.on_the_host(e.solution, e.checker) for e in known}
        without = [e.number for e in known if "require_from_kernels(" in e.checker]  # whose result is in host memory
        self.assertEqual([number for number, decoy in decoys.items() if not decoy], without)
        self.assertIn("if (decoy::is_on_device(a)) decoy::to_host(a);", decoys["3.1"])
        self.assertIn("decoy::to_host_and_back(c);", decoys["3.1"])

    def test_a_loop_without_end_is_no_barrier(self) -> None:
        def cause(*waits: str) -> str:
            deeds = [{"who": "thread", "what": what, "file": "my/a.cu", "line": 3} for what in waits]
            finding = {"kind": "deadlock", "deeds": deeds, "detail": "In a deadlock.", "cause": "Often a barrier."}
            return of_finding(finding, "n = 1", "my/a.cu")[1][-1]

        self.assertEqual(cause("waits in a loop"), ENDLESS_LOOP)
        self.assertEqual(cause("wait in a loop", "waits in __syncthreads()"), "Often a barrier.")

    def test_a_kernel_without_end(self) -> None:
        last = {"kind": "cuda", "case": "n = 1", "error": "cudaErrorLaunchTimeout", "says": "a.cu:9: cudaFree: timeout"}
        for place, line in (("hooks.cpp:72", 0), ("my/a.cu:7", 7)):
            said = (
                f"emulator: kernel k(): thread (0,0,0) has not ended after the 4 seconds of EMULATOR_TIMEOUT. It is at {place}"
            )
            headline, details, found = of_run(Ended(1, "", said, late=False, seconds=5.0), last, "my/a.cu")
            self.assertTrue(headline.startswith("n = 1: thread (0,0,0) has not ended after the 4 seconds."))
            self.assertNotIn("hooks.cpp", headline)
            self.assertIn(ENDLESS_LOOP, details)
            self.assertEqual(found, line)

    def test_the_cause_of_a_race(self) -> None:
        def cause(first: str, second: str, lines: tuple[int, int], said: str = "Often a barrier is missing.") -> str:
            deeds = [
                {"who": f"thread ({i},0,0)", "what": what, "file": "my/a.cu", "line": line}
                for i, (what, line) in enumerate(zip((first, second), lines, strict=True))
            ]
            finding = {"kind": "race", "deeds": deeds, "detail": "", "cause": said}
            return of_finding(finding, "", "my/a.cu")[1][-1]

        self.assertIn("same element", cause("wrote 4 bytes", "wrote it", (7, 7)))
        self.assertIn("barrier", cause("wrote 4 bytes", "wrote it", (7, 9)))
        self.assertIn("barrier", cause("wrote 4 bytes", "read it", (7, 7)))

        barrier = "Often a __syncthreads() is missing: before what others wrote is read, or before it is overwritten."
        self.assertEqual(cause("wrote a[0] in shared memory", "read it", (7, 9), barrier), barrier)
        self.assertEqual(cause("wrote a[0] in shared memory", "wrote it", (7, 9), barrier), barrier)
        self.assertIn("__threadfence()", cause("wrote 4 bytes, 0 bytes into a", "read it", (7, 9), barrier))
        self.assertIn("index right in both", cause("wrote 4 bytes, 0 bytes into a", "wrote it", (7, 9), barrier))
        self.assertEqual(cause("changed (atomically) a[0] in shared memory", "wrote it", (7, 9), "A flag?"), FIRST_VALUE)
        self.assertEqual(cause("changed (atomically) a[0] in shared memory", "read it", (7, 9), barrier), barrier)
        self.assertEqual(cause("changed (atomically) 4 bytes", "wrote it", (7, 9), "A flag?"), "A flag?")

    def test_what_is_not_ready(self) -> None:
        for says, causes in (
            ("my/a.cu:9: cudaEventElapsedTime(&t, a, b): cudaErrorNotReady", [NOT_READY]),
            ("my/a.cu:9: cudaEventQuery(): cudaErrorNotReady", [STILL_RUNNING]),
            ("the last error: cudaErrorNotReady", [NOT_READY, STILL_RUNNING]),
        ):
            last = {
                "kind": "cuda",
                "case": "",
                "error": "cudaErrorNotReady",
                "says": says,
            }
            self.assertEqual(of_run(Ended(1, "", "", False, 0.1), last, "my/a.cu")[1], causes)

    def test_a_division_by_zero(self) -> None:
        last = {"kind": "nothing", "case": "n = 0"}
        headline = of_run(Ended(128 + signal.SIGFPE, "", "", False, 0.1), last, "my/a.cu")[0]
        self.assertEqual(headline, "n = 0: the program crashed (SIGFPE: an integer was divided by 0)")

    def test_an_exception_that_leaves_a_thread(self) -> None:
        said = "terminate called after throwing an instance of 'broken'\n  what():  term 0\n"
        last = {"kind": "nothing", "case": "n = 1"}
        details = of_run(Ended(128 + signal.SIGABRT, "", said, False, 0.1), last, "my/a.cpp")[1]
        self.assertEqual(len(details), 3)
        self.assertIn("An exception that leaves a thread's function", details[2])

    def test_a_number_at_the_beginning_of_a_line_is_no_list(self) -> None:
        def shown(text: str) -> str:
            return screen.task(SimpleNamespace(task=SimpleNamespace(text=text, counted="")))  # type: ignore[arg-type]

        self.assertEqual(shown("4, 4, 1 and 5.\n8,192 are\nmany."), "4, 4, 1 and 5. 8,192 are many.")
        self.assertEqual(shown("1. one\n2. two"), "1. one\n2. two")
        words = "word " * 30
        self.assertRegex(shown(f"- {words}"), r"\n  word")
        self.assertNotRegex(shown(f"4, {words}"), r"\n  word")

    def test_a_verdict_fits_the_terminal(self) -> None:
        exercise, learner = discover(ROOT)[0], Learner(Path("my"))
        for text in ("words of it " * 30, "线程的结果" * 30):
            outcome = Verdict("values", "wrong values", text, [text])
            for said in (screen.verdict(exercise, outcome, learner, None, {}), screen.hint(exercise, 1)):
                lines = said.splitlines()[1:]
                self.assertEqual([line for line in lines if not line.startswith(screen.INDENT)], [])
                self.assertLess(max(map(columns, lines)), 80, said)

    def test_a_floor_says_whose_time_it_is(self) -> None:
        def floor(*seconds_and_limits: tuple[float, str]) -> str:
            mine, its = ([{"floors": [{"gpu": "H100", "seconds": s, "limit": what}]}] for s, what in seconds_and_limits)
            return " ".join(" ".join(screen._floor(mine, its, str)).split())

        launch, moved = (1.6e-6, "its launch"), (3.44e-6, "its bytes")
        self.assertEqual(floor(launch, launch), "")
        self.assertIn("kernel cannot be faster than 3.4 µs on an H100 (limited by its bytes); nor can the", floor(moved, moved))
        self.assertIn("(limited by its bytes); the solution's: 1.6 µs on an H100", floor(moved, launch))

    def test_what_is_caught_in_other_words_is_judged_once_more(self) -> None:
        race, value, solved = (
            Verdict("checked build", "", "a race"),
            Verdict("values", "", "expected 2"),
            Verdict(SOLVED, "", ""),
        )

        class Judge:
            def __init__(self, *verdicts: Verdict) -> None:
                self.verdicts = list(verdicts)

            def judge(self, *_: object) -> Verdict:
                return self.verdicts.pop(0)

        def trial(layer: str, *verdicts: Verdict) -> tuple[bool, bool]:
            proof = Proof("a version", "", layer, "expected" if layer == "values" else "")
            done = tried(Judge(*verdicts), discover(ROOT)[0], proof)  # type: ignore
            return bool(done.said), bool(done.at_first)

        self.assertEqual(trial("values", value), (False, False))
        self.assertEqual(trial("values", race, value), (False, True))
        self.assertEqual(trial("values", race, race), (True, True))
        self.assertEqual(trial("values", race, solved), (True, True))
        self.assertEqual(trial("values", solved), (True, False))
        self.assertEqual(trial(SOLVED, value), (True, False))

    def test_who_works_alone(self) -> None:
        def kernel(all_steps: int, of_thread: int, of_warp: int, of_lane: int, of_block: int) -> dict[str, object]:
            steps = {"all": all_steps, "of_thread": of_thread, "of_warp": of_warp, "of_lane": of_lane, "of_block": of_block}
            return {"blocks": 4, "launches": 1, "steps": steps}

        shared = [kernel(10240, 10, 320, 320, 2560)]
        for answer, who in (
            (kernel(11000, 9500, 9600, 9700, 9800), "thread"),
            (kernel(11000, 300, 9600, 500, 9800), "warp"),
            (kernel(11000, 300, 1200, 9600, 2500), "lane of each warp"),
            (kernel(11000, 10, 300, 400, 9600), "block"),
            (kernel(10240, 10, 320, 320, 2560), ""),
            (kernel(100_000, 90_000, 90_100, 90_200, 90_300), ""),  # the others work too, and one waits in a loop
        ):
            self.assertEqual(sharing.who_works_alone([answer], shared), who)
        self.assertEqual(sharing.who_works_alone([answer], [kernel(90, 90, 90, 90, 90)]), "")  # nothing is to be shared

    def test_whose_limit_it_is(self) -> None:
        kernels = [{"kernel": name, "blocks": blocks} for name, blocks in (("void two(float*)", 5), ("void other<2>(float*)", 1))]
        for text, value in (("blocks = 6", 6), ("blocks in two = 5", 5), ("blocks in other = 1", 1), ("blocks in float = 0", 0)):
            self.assertEqual(Limit.read(text, "t.md:1").value(kernels), value, text)
        at_work = Limit.read("warps at work on global load requests >= 8", "t.md:1")
        self.assertEqual(at_work.says(1), "1 warp at work on global load requests: at least 8 are asked for")
