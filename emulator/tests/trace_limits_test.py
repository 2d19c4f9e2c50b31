"""Tests of the trace of watched kernels: how much of it is kept, what findings are marked at, and what goes wrong."""

import html
import json
import os
import re
import struct
import time
import unittest

from trace_prediction import (
    EXIT_FINDINGS,
    MOST_PAGE,
    MOST_STEPS,
    Json,
    Run,
    Traced,
    floats,
    ints,
    steps_of,
    sums_of_counts,
    understood,
)


class Limits(Traced):
    program = "patterns"

    def left_out(self, launch: Json) -> int:
        return sum(block["steps_left_out"] for block in launch["shown"])

    def barriers(self, launch: Json) -> int:
        return sum(each["barrier"] is not None for block in launch["shown"] for each in block["rounds"])

    def test_ten_million_accesses(self) -> None:
        """250 blocks of 256 threads, each of which reads and writes 78 times."""
        values = floats(self.random.uniform(-1e3, 1e3) for _ in range(1 << 16))
        for arguments, blocks in (("work", "250"), 250), (("long_work", "19500"), 1):
            begin = time.monotonic()
            run = self.watch(*arguments, data=values)
            (launch,) = run.trace["launches"]
            steps = sum(1 for _ in steps_of(launch))
            print(f"{arguments}: {time.monotonic() - begin:.1f} s, {steps} steps, a page of {len(run.page)} bytes")
            self.assertLessEqual(len(run.page), MOST_PAGE)
            self.assertLessEqual(steps, MOST_STEPS)
            requests = sum(n for (_, name), n in sums_of_counts(run.counts).items() if name == "requests")
            self.assertEqual(requests % blocks, 0)
            self.assertEqual(steps + self.left_out(launch), requests // blocks * len(launch["shown"]))
            for block in launch["shown"]:
                self.assertGreater(sum(len(warp) for each in block["rounds"] for warp in each["warps"]), 500)

    def test_barriers_without_end(self) -> None:
        run = self.watch("barriers", "200000")
        self.assertLessEqual(len(run.page), MOST_PAGE)
        (block,) = run.trace["launches"][0]["shown"]
        self.assertLessEqual(len(block["rounds"]), MOST_STEPS + 1)
        self.assertEqual(self.barriers(run.trace["launches"][0]) + block["steps_left_out"], 200000)
        self.assertGreater(len(block["rounds"]), 1000)

    def test_large_pages(self) -> None:
        """Random numbers, which cannot be compressed, of all sizes, and irregular addresses."""
        for kernel, data in (("wide_doubles", "d"), ("wide_floats", "f")):
            values = [self.random.uniform(-1e3, 1e3) for _ in range(1 << 17)]
            run = self.watch(kernel, data=struct.pack(f"{len(values)}{data}", *values))
            print(f"{kernel}: a page of {len(run.page)} bytes, {sum(1 for _ in steps_of(run.trace['launches'][0]))} steps")
            self.assertLessEqual(len(run.page), MOST_PAGE)
            self.assertGreater(len(run.page), MOST_PAGE / 4)
            self.assertGreater(self.left_out(run.trace["launches"][0]), 0)

    def test_many_launches(self) -> None:
        """Each finds other numbers, up to the moment when they are all 0; and then the trace is full."""
        begin = time.monotonic()
        run = self.watch("launches", "30000", data=ints(self.random.randrange(1 << 20) * 2 + 1 for _ in range(64)))
        print(f"30,000 launches: {time.monotonic() - begin:.1f} s, a page of {len(run.page)} bytes")
        self.assertLessEqual(len(run.page), MOST_PAGE)
        shown = len(run.trace["launches"])
        self.assertEqual(run.trace["left_out"]["launches"], 30000 - shown)
        self.assertIn("the page is full", run.trace["left_out"]["why"])


class Mistakes(Traced):
    program = "mistakes"

    def found(self, kernel: str, kind: str, code: int = EXIT_FINDINGS) -> tuple[Run, list[tuple]]:
        """The marked steps of the only finding: (step, lane)."""
        report = os.path.join(self.folder, f"{kernel}.findings")
        run = self.watch(kernel, code=code, EMULATOR_CHECK_JSON=report)
        (launch,) = run.trace["launches"]
        with open(report, encoding="utf-8") as file:
            told = [json.loads(line) for line in file]
        self.assertEqual([each["kind"] for each in launch["findings"]], [each["kind"] for each in told])
        (finding,) = launch["findings"]
        self.assertEqual(finding["kind"], kind)
        self.assertEqual(finding["report"], told[0]["report"])
        self.assertIn(finding["report"], run.said)
        marked = []
        for block, each, warp, step, lane in finding["steps"]:
            steps = launch["shown"][block]["rounds"][each]["warps"][warp]
            marked.append((warp, lane, step, understood(run.trace, launch, warp, steps[step])))
            self.assertIn(lane, marked[-1][3]["lanes"])
        return run, marked

    def expect(self, kernel: str, kind: str, *steps: tuple, code: int = EXIT_FINDINGS) -> Run:
        """steps: warp, lane, the step's number, mark, operation, memory, offset in bytes."""
        run, marked = self.found(kernel, kind, code)
        self.assertEqual([(warp, lane, number, step["mark"], step["operation"], step["memory"], step["lanes"][lane]["at"])
                          for warp, lane, number, step in marked], list(steps))
        return run

    def test_race(self) -> None:
        self.expect("race", "race", (0, 0, 2, "give", "load", "shared", 4 * 63), (1, 31, 1, "keep", "store", "shared", 4 * 63))

    def test_race_with_an_earlier_round_of_a_loop(self) -> None:
        at = 4 * (64 + 63)
        self.expect("race_in_loop", "race", (0, 0, 4, "give", "load", "shared", at), (1, 31, 1, "keep", "store", "shared", at))

    def test_out_of_bounds(self) -> None:
        self.expect("out_of_bounds", "out-of-bounds", (1, 8, 3, "beyond", "store", "global", 4 * 40))

    def test_index_out_of_bounds(self) -> None:
        run = self.expect("out_of_shared", "out-of-bounds", (0, 31, 0, "beyond", "store", "shared", 4 * 32))
        self.assertEqual([a["name"] for a in run.trace["arrays"]], ["cache", "a"])

    def test_uninitialised(self) -> None:
        run = self.expect("uninitialised", "uninitialised", (1, 4, 2, "read", "load", "global", 4 * 100))
        steps = run.trace["launches"][0]["shown"][0]["rounds"][0]["warps"][1]
        self.assertEqual(steps[2]["values"], [0] * 4 + [None] * 28)

    def test_wild_pointer(self) -> None:
        run = self.expect("wild", "out-of-bounds", (1, 5, 3, "write", "store", "global", 64), code=1)
        self.assertEqual(run.trace["arrays"][-1]["name"], "no memory")

    def test_deadlock(self) -> None:
        """Who waits at a barrier does nothing that could be marked, but what was before is there."""
        run, marked = self.found("deadlock", "warp-mask", code=1)
        self.assertEqual(marked, [])
        (steps,) = run.trace["launches"][0]["shown"][0]["rounds"][0]["warps"]
        self.assertEqual([understood(run.trace, run.trace["launches"][0], 0, step)["mark"] for step in steps], ["before"])

    def test_trap(self) -> None:
        run, marked = self.found("traps", "trap", code=1)
        self.assertEqual(marked, [])
        (launch,) = run.trace["launches"]
        marks = [understood(run.trace, launch, warp, step)["mark"] for warp, step in steps_of(launch)]
        self.assertEqual(marks, ["before", "before"])

    def test_findings_are_summed_up_all_the_same(self) -> None:
        done = self.execute("race", EMULATOR_WATCH="/dev/full")
        self.assertEqual(done.returncode, EXIT_FINDINGS, done.stderr)
        self.assertIn(b"cannot write to /dev/full", done.stderr)
        self.assertIn(b"emulator: checked 1 launch: 1 finding\n", done.stderr)

    def test_hostile_names(self) -> None:
        run = self.watch("named")
        kernels = [launch["kernel"] for launch in run.trace["launches"]]
        self.assertEqual(len(kernels), 4)
        self.assertIn("letter = '<'", kernels[1])
        self.check_page(run)

    def test_hostile_arguments_and_files(self) -> None:
        folder = os.path.join(self.folder, "a b<b>\"&amp;'")
        os.mkdir(folder)
        source = os.path.join(folder, "<script>é.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <cuda_runtime.h>\n"
                       "__global__ void k(int* a) { a[threadIdx.x] = 1; }  // </script><b>\"'&{{trace}}\u2028 store\n"
                       "int main() { int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); return cudaDeviceSynchronize(); }\n")
        self.compile(source, "hostile")
        with open(source, "ab") as file:
            file.write(b"// not UTF-8: \xe9\xff\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\n")
        arguments = b"</script><b>", b"\xff\xfe\"'", b"two\nlines\t\x01", b"{{script}}", b"\xe2\x82", "€😀"
        run = self.watch(*arguments, program="hostile")
        self.assertEqual(run.trace["program"],
                         "hostile </script><b> \ufffd\ufffd\"' two\nlines\t\x01 {{script}} \ufffd\ufffd €😀")
        self.assertIn("<script>é.cu", run.trace["files"][0]["path"])
        self.assertIn("</script><b>\"'&{{trace}}\u2028 store", run.trace["files"][0]["lines"][1])
        self.assertEqual(run.trace["files"][0]["lines"][3][:14], "// not UTF-8: ")
        self.check_page(run)
        title = re.search(r"<title>(.*?)</title>", run.page, re.DOTALL)
        self.assertEqual(html.unescape(title[1]).count(run.trace["program"]), 1)

    def check_page(self, run: Run) -> None:
        """The page is the one around any trace: what is hostile has opened or closed nothing."""
        def tags(page: str) -> list[str]:
            return re.findall(r"</?(?:script|b|title|style|body|html|svg)\b", page)

        plain = self.watch("traps", code=1)
        self.assertEqual(tags(run.page), tags(plain.page))
        self.assertNotIn("{{", re.sub(r"(?s)<(script|style|title)\b.*?</\1>", "", run.page))


class Names(Traced):
    """What arrays are called, of kernels whose parameters are written in many ways."""

    program = "patterns"
    SOURCE = """
        struct Matrix { int n; float* data; int* other; };
        template <class T> struct View { T* p; int n; };
        __global__ void k(const __grid_constant__ Matrix m, View<double> v, const short* const __restrict__ a, unsigned n,
                          std::size_t, float*, int (*f)(int), struct Matrix same, dim3 d = 1, unsigned long long x = 3,
                          const Matrix = {}, const unsigned char *b = nullptr) {
            const int i = threadIdx.x;
            m.data[i] = a[i]; v.p[i] = 1; same.other[i] = b[i];
        }
        int main() {
            Matrix m{3}; short* a; View<double> v; unsigned char* b;
            cudaMalloc(&m.data, 128); cudaMalloc(&m.other, 128); cudaMalloc(&a, 64); cudaMalloc(&v.p, 256); cudaMalloc(&b, 32);
            cudaMemset(a, 0, 64); cudaMemset(b, 7, 32);
            k<<<1, 32>>>(m, v, a, 3, 1, nullptr, nullptr, m, 1, 3, m, b);
            return cudaDeviceSynchronize();
        }
        """

    def test_names(self) -> None:
        source = os.path.join(self.folder, "names.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write(self.SOURCE)
        self.compile(source, "names")
        trace = self.watch(program="names").trace
        found = {a["name"]: (a["kind"], a["unit"], a["extents"]) for a in trace["arrays"]}
        self.assertEqual(found, {"a": ("int", 2, [32]), "m": ("int", 4, [32]), "v": ("float", 8, [32]),
                                 "m (2)": ("int", 4, [32]), "b": ("unsigned", 1, [32])})


class BadInput(Traced):
    program = "patterns"

    def refused(self, *arguments: str, data: bytes = b"", **environment: str) -> str:
        done = self.execute(*arguments, data=data, **environment)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr.decode()

    def test_no_launch(self) -> None:
        page = os.path.join(self.folder, "none.html")
        for kernel, code in ("nothing", 1), ("refused", EXIT_FINDINGS):
            done = self.execute(kernel, EMULATOR_WATCH=page)
            self.assertEqual(done.returncode, code)
            self.assertIn(b"emulator: there is nothing to watch: no kernel was launched\n", done.stderr)
            self.assertFalse(os.path.exists(page))
        self.assertEqual(self.execute("unknown", EMULATOR_WATCH=page).returncode, 2)

    def test_files_that_cannot_be_written(self) -> None:
        values = floats([1.5] * 128)
        for name in "EMULATOR_WATCH", "EMULATOR_WATCH_JSON":
            for path, why in (("/dev/full", "No space left on device"), ("/no/folder/x", "No such file or directory"),
                              (self.folder, "Is a directory"), ("", "No such file or directory")):
                said = self.refused("copy", "1", data=values, **{name: path})
                self.assertEqual(said, f"emulator: {name}: cannot write to {path}: {why}\n")

    def test_one_file_of_two(self) -> None:
        page = os.path.join(self.folder, "kept.html")
        said = self.refused("copy", "1", data=floats([1.5] * 128), EMULATOR_WATCH=page, EMULATOR_WATCH_JSON="/dev/full")
        self.assertIn("EMULATOR_WATCH_JSON: cannot write to /dev/full", said)
        self.assertIn(f"emulator: {page} shows 1 launch", said)
        self.assertTrue(os.path.exists(page))


if __name__ == "__main__":
    unittest.main()
