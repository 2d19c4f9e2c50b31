"""Sources that are long, deep or broken: emulator/rewriter/ reads each token a fixed number of times, and says in one line
what it refuses.

    python3 emulator/tests/hostile_sources_test.py
"""

import glob
import os
import random
import signal
import sys
import time
import unittest

EMULATOR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, EMULATOR)
import rewriter  # noqa: E402

SIZE = 100_000  # bytes of each source
SECONDS = 5  # of CPU time for it; what looks at pairs of tokens takes minutes
KERNEL = """
__global__ void k%(i)d(float* a, volatile int n) {
    __shared__ float tile[64];
    for (int j = threadIdx.x; j < n; ++j) tile[j %% 64] += a[j] < 3 ? f%(i)d(j) : 0;
    if (threadIdx.x == 0) printf("%%f", tile[0]);
}
void launch%(i)d(float* a) { k%(i)d<<<1, 64>>>(a, (void*)k%(i)d); }
"""
IN_KERNEL = "__global__ void k(volatile int* a) {"


def many(text, before="", after=""):
    return before + text * (SIZE // len(text)) + after


def numbered(text, before="", after=""):
    return before + "".join(text % {"i": i} for i in range(SIZE // len(text))) + after


def nested(opening, closing, before=IN_KERNEL, after="}"):
    number = SIZE // (len(opening) + len(closing))
    return before + opening * number + closing * number + after


SOURCES = {
    "kernels": lambda: numbered(KERNEL),
    "kernels on one line": lambda: numbered(KERNEL.replace("\n", " ")),
    "launches on one line": lambda: many("k<<<1, 1>>>(a);", IN_KERNEL + "}void f() {", "}"),
    "launches in each other": lambda: nested("k<<<f(1", "), 1>>>(a)", "__global__ void k(int* a); void f() {", ";}"),
    "less than": lambda: many(" < b", IN_KERNEL, ";}"),
    "greater than": lambda: many(" > b", IN_KERNEL, ";}"),
    "greater than before __device__": lambda: many("a > __device__ ", "__device__ "),
    "template arguments": lambda: nested("a<", ">"),
    "open launches": lambda: many("k<<<", IN_KERNEL, "}"),
    "(": lambda: many("(", IN_KERNEL),
    ")": lambda: many(")", IN_KERNEL),
    "( and )": lambda: nested("(", ")"),
    "{ and }": lambda: nested("{", "}"),
    "( closed by ]": lambda: nested("(", "]"),
    "names in parentheses": lambda: many("(k(", IN_KERNEL + "}void f() {"),
    "#if": lambda: many("#if A\n{\n", IN_KERNEL),
    "#if with braces": lambda: many("#if A\nf(\n#else\ng(\n#endif\n1);\n", IN_KERNEL, "}"),
    "#if nested": lambda: nested("#if A\n{\n#else\n{\n", "#endif\n", IN_KERNEL, ""),
    "#if of guards": lambda: numbered("#ifndef A%(i)d\n#define A%(i)d\n", "", IN_KERNEL),
    "#ifndef and comments": lambda: many("/**/", "#ifndef A\n", IN_KERNEL),
    "#ifndef and lines of comments": lambda: many("// x\n", "#ifndef A\n", IN_KERNEL),
    "#if __CUDA_ARCH__": lambda: many("#if __CUDA_ARCH__\n#endif\n", IN_KERNEL + "}"),
    "#if and launches": lambda: many("#if A\nk<<<1, 1>>>(a);\n#endif\n", "void f() {", "}"),
    "#define": lambda: many("#define A 1\n"),
    "#define of specifiers": lambda: numbered("#define A%(i)d __device__\n"),
    "#define of launches": lambda: many("#define A(k) k<<<1, 1>>>(a)\n"),
    "#include": lambda: many('#include "not_there.h"\n', "#if A\n#include <cub/cub.cuh>\n#endif\n"),
    "#include of what is not supported": lambda: many("#include <cub/cub.cuh>\n", "#if A\n", "#endif\n"),
    "lines that go on": lambda: many("\\\n", IN_KERNEL),
    "comments that do not end": lambda: many("/*\n", IN_KERNEL),
    "strings that do not end": lambda: many('"\n', IN_KERNEL),
    "a string of quotes": lambda: many('\\"', IN_KERNEL + '"'),
    "letters that do not end": lambda: many("'\n", IN_KERNEL),
    "raw strings that do not end": lambda: many('R"a(', IN_KERNEL),
    "device functions": lambda: numbered("__device__ int f%(i)d() { return h%(i)d(); }\nint h%(i)d() { return 1; }\n"),
    "device variables": lambda: many("inline __device__ int x;\n"),
    "device variables in namespaces": lambda: nested("namespace a { __device__ int x; ", "}", "", ""),
    "host functions": lambda: numbered("int h%(i)d(int a) { return atomicAdd%(i)d(a); }\n", IN_KERNEL + "}"),
    "host variables in kernels": lambda: numbered("int v%(i)d;\n__device__ int d%(i)d() { return v%(i)d; }\n"),
    "shared variables": lambda: numbered("__shared__ int x%(i)d; ", IN_KERNEL, "}"),
    "shared variables of a namespace": lambda: numbered("__shared__ int x%(i)d;\n__global__ void k%(i)d() { x%(i)d = 1; }\n"),
    "shared variables in one declaration": lambda: many("x[4], ", IN_KERNEL + "__shared__ int ", "y;}"),
    "shared variables without an end": lambda: many("__shared__ int a { ", IN_KERNEL),
    "lambdas": lambda: numbered("__shared__ int x%(i)d; [](){ x%(i)d; }; ", IN_KERNEL, "}"),
    "lambdas in lambdas": lambda: nested("[](){ x; ", "}", IN_KERNEL + "__shared__ int x;"),
    "local arrays": lambda: many("float x[4]; ", IN_KERNEL, "}"),
    "local arrays and #if": lambda: many("float x[4];\n#if A\n#endif\n", IN_KERNEL, "}"),
    "local arrays in one declaration": lambda: many("x[4], ", IN_KERNEL + "float ", "y;}"),
    "vectors": lambda: many("float4{", IN_KERNEL),
    "loops": lambda: many("while (x); ", IN_KERNEL, "}"),
    "loops in loops": lambda: many("do ", IN_KERNEL, "}"),
    "loops around conditions": lambda: many("do if (x) ", IN_KERNEL, "}"),
    "assignments": lambda: many("a[1] = ", IN_KERNEL, "1;}"),
    "calls of members": lambda: many("a.b()", IN_KERNEL + "}void f() {", "<<<1, 1>>>(a);}"),
    "printf in printf": lambda: many("printf(", IN_KERNEL),
    "casts to void*": lambda: many("(void*)a", IN_KERNEL + "}void f() {"),
    "asm in asm": lambda: nested("asm(", ")", "void f() {"),
    "launch bounds": lambda: many("1,", "__global__ void __launch_bounds__(", "1) k() {}"),
    "zero bytes": lambda: many("\0", IN_KERNEL),
}


class OutOfTime(Exception):
    pass


def out_of_time(*_):
    raise OutOfTime


class Hostile(unittest.TestCase):
    def seconds(self, text, limit, checked):
        """CPU time for the text. It is rewritten, or refused as one line."""
        before = signal.signal(signal.SIGPROF, out_of_time)
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, limit)
        try:
            rewriter.rewrite(text, "test.cu", rewriter.Options(checked=checked))
        except rewriter.RewriteError as error:
            self.assertRegex(str(error), r"\Atest\.cu:\d+:\d+: error: [^\n]*\Z")
        except OutOfTime:
            self.fail(f"more than {limit} s for {len(text)} bytes")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
        return time.process_time() - start

    def test_time_is_linear(self):
        for name, source in SOURCES.items():
            for checked in (False, True):
                with self.subTest(name, checked=checked):
                    self.seconds(source(), SECONDS, checked)

    def test_a_megabyte_of_programs(self):
        texts = []
        for path in sorted(glob.glob(os.path.join(EMULATOR, "tests", "programs", "*.cu"))):
            with open(path, encoding="latin-1") as file:
                texts.append(file.read())
        self.assertTrue(texts)
        while sum(map(len, texts)) < 1_000_000:
            texts += texts
        self.seconds("\n".join(texts), 12, False)  # a sixth of that on a machine with nothing else to do

    def test_random_pieces(self):
        """Whatever stands where: an answer, and no traceback."""
        seed = int(os.environ.get("SEED") or random.randrange(10**9))
        rng = random.Random(seed)
        pieces = """( ) [ ] { } < > <<< >>> ; , : :: = & * ## # ... "a" ' " R"( /* // do while if else for switch [] struct
            namespace extern operator template typename __global__ __device__ __shared__ __constant__ __managed__ __host__
            __launch_bounds__ __align__ inline static const volatile int float4 void printf asm (void*) a k threadIdx
            sizeof decltype return""".split() + ["\n#if A\n", "\n#else\n", "\n#endif\n", "\n#if 0\n", "\n#define A ",
                                                  "\n#include <cub/cub.cuh>\n", "\n", "__global__ void k(int* a) {"]
        for number in range(1000):
            text = " ".join(rng.choice(pieces) for _ in range(rng.randrange(60)))
            with self.subTest(seed=seed, number=number, text=text):
                self.seconds(text, 5, number % 2 == 1)

    def test_brackets_that_are_too_deep(self):
        with self.assertRaisesRegex(rewriter.RewriteError, r"test.cu:2:\d+: error: brackets are nested more than 1000 deep"):
            rewriter.rewrite(IN_KERNEL + "}\n" + "(" * 1001, "test.cu")
        deep = IN_KERNEL + "int x = " + "(" * 900 + "1" + ")" * 900 + "; }"
        self.assertIn("(" * 900 + "1" + ")" * 900, rewriter.rewrite(deep, "test.cu"))


if __name__ == "__main__":
    unittest.main()
