"""Tests of emulator/nvcc_cpu: classic CUDA programs (in programs/), its options, its errors.

    python3 emulator/tests/nvcc_cpu_test.py
"""

import fcntl
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
EMULATOR = os.path.dirname(HERE)
NVCC = os.path.join(EMULATOR, "nvcc_cpu")

KERNEL = """\
__global__ void add(int *a, int b) {
    a[threadIdx.x] += b;
}
"""
MAIN = """\
#include <cstdio>
int run(int x) {
    int *d, h = 5;
    cudaMalloc(&d, sizeof(int));
    cudaMemcpy(d, &h, sizeof(int), cudaMemcpyHostToDevice);
    add<<<1, 1>>>(d, x);
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    return h;
}
#ifndef NO_MAIN
int main() { std::printf("%d\\n", run(37)); }
#endif
"""


def headers():
    """The text of all of the emulator's headers."""
    text = ""
    for folder, _, files in os.walk(os.path.join(EMULATOR, "include")):
        for name in files:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text += name + "\n" + file.read()
    return text


class Programs(unittest.TestCase):
    """Each program checks its own result. One whose first line says `// needs: NAME...` waits until the emulator's
    headers have those names."""

    @classmethod
    def setUpClass(cls):
        cls.words = set(re.findall(r"\w+", headers()))
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.programs = sorted(name for name in os.listdir(PROGRAMS) if name.endswith(".cu"))
        cls.run_program(cls.programs[0])  # makes the emulator's library, if it has to be made
        with ThreadPoolExecutor(2) as pool:
            cls.results = dict(zip(cls.programs, pool.map(cls.run_program, cls.programs), strict=True))

    @classmethod
    def missing(cls, name):
        with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
            needed = re.match(r"// needs: (.*)", file.readline())
        return [word for word in needed[1].split() if word not in cls.words] if needed else []

    @classmethod
    def run_program(cls, name):
        if cls.missing(name):
            return None
        program = os.path.join(cls.folder, name[:-3])
        compiled = subprocess.run([NVCC, "-O1", "--extended-lambda", os.path.join(PROGRAMS, name), "-o", program],
                                  capture_output=True, text=True, timeout=900, check=False)
        if compiled.returncode != 0:
            return compiled
        result = subprocess.run([program], capture_output=True, text=True, timeout=900, check=False)
        result.warnings = "".join(line for line in compiled.stderr.splitlines(True) if not line.startswith("nvcc_cpu: "))
        return result

    def check(self, name):
        if missing := self.missing(name):
            self.skipTest(f"the emulator has no {', '.join(missing)} yet")
        result = self.results[name]
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with open(os.path.join(PROGRAMS, name), encoding="utf-8") as source:
            told = set(re.findall(r"// told: (.*)", source.read()))
        self.assertEqual((set(result.stderr.splitlines()), result.warnings), (told, ""))
        self.assertIn("PASSED", result.stdout)
        return result.stdout

    def test_printf_of_every_thread(self):
        lines = self.check("hello_printf.cu").splitlines()
        expected = [f"Hello World from GPU! block ({x},{y}) thread {t} of 3"
                    for x in range(2) for y in range(2) for t in range(3)]
        self.assertEqual(sorted(lines[:12]), sorted(expected))
        self.assertEqual(lines[12], " 3.14|7   |x|abc|1099511627776|%")


def add_program_tests():
    for name in sorted(os.listdir(PROGRAMS)):
        if name.endswith(".cu"):
            setattr(Programs, f"test_program_{name[:-3]}", lambda self, name=name: (self.check(name), None)[1])


add_program_tests()


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)

    def run_command(self, *command, **environment):
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=900, check=False,
                              env=os.environ | environment)

    def nvcc(self, *arguments, **environment):
        return self.run_command(NVCC, *arguments, **environment)

    def compiles(self, *arguments, **environment):
        result = self.nvcc(*arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def fails(self, *arguments, status=1):
        """Expects one line on stderr, and returns it."""
        result = self.nvcc(*arguments)
        self.assertEqual((result.returncode, result.stdout), (status, ""))
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def prints(self, program, text):
        result = self.run_command(self.path(program))
        self.assertEqual((result.stdout, result.stderr, result.returncode), (text, "", 0))

    def files(self):
        return sorted(os.listdir(self.folder))


class Building(Folder):
    def test_all_ways_to_say_the_options(self):
        self.write("include dir/used.h", "#pragma once\n#define USED 1\n")
        self.write("before.h", "#define BEFORE 2\n")
        self.write("a.cu", KERNEL + MAIN + textwrap.dedent("""\
            #include "used.h"
            static_assert(USED + BEFORE + A + B + C == 3 + 1 + 2 + 3 && __cplusplus == STANDARD);
            #ifdef GONE
            #error
            #endif
            """))
        common = ["-DA", "-D", "B=2", "--define-macro=C=3", "-DGONE", "-U", "GONE"]
        self.compiles("a.cu", *common, "-Iinclude dir", "-include", "before.h", "-std=c++20", "-DSTANDARD=202002L",
                      "-arch=sm_90", "-gencode", "arch=compute_80,code=sm_80", "-code=sm_90", "-rdc=true", "-O3", "-g",
                      "-lineinfo", "-maxrregcount", "32", "--expt-relaxed-constexpr", "--expt-extended-lambda",
                      "--use_fast_math", "-ftz=true", "-prec-div=false", "-prec-sqrt", "false", "-fmad=false",
                      "-Xcompiler", "-Wall,-Wextra", "-Xcompiler=-fopenmp", "-Xlinker", "-O1", "-Xptxas", "-v,-dlcm=ca",
                      "-Werror", "all-warnings", "-diag-suppress", "177", "-Wno-deprecated-gpu-targets",
                      "-cudart=shared", "-lcudart", "-lcuda", "-lm", "-L/nowhere", "-m64", "-o", "one")
        self.prints("one", "42\n")
        self.compiles("--include-path", "include dir", *common, "--pre-include=before.h", "--std", "c++11",
                      "-DSTANDARD=201703L", "--gpu-architecture", "sm_70", "--generate-code=arch=compute_70,code=sm_70",
                      "--relocatable-device-code=true", "--optimize=1", "--debug", "--device-debug", "-w",
                      "--compiler-options", "-Wall", "--ptxas-options=-v", "-use_fast_math", "--library=m",
                      "--library-path=/nowhere", "--output-file=two", "a.cu")
        self.prints("two", "42\n")

    def test_options_from_files_and_the_environment(self):
        self.write("a.cu", KERNEL + MAIN + "static_assert(A + B + C == 6);\n")
        self.write("inner.txt", "--define-macro B=2 'a.cu'")
        self.write("outer.txt", "-DA=1\n@inner.txt\n-O0")
        environment = {"NVCC_PREPEND_FLAGS": "-DC=3", "NVCC_APPEND_FLAGS": "-o 'a program'"}
        self.compiles("--options-file", "outer.txt", **environment)
        self.prints("a program", "42\n")
        self.compiles("@outer.txt", **environment)
        self.write("outer.txt", "@outer.txt")
        self.assertIn("outer.txt: files of options that name each other", self.fails("@outer.txt"))

    def test_options_for_the_host_compiler(self):
        self.write("a.cu", KERNEL + MAIN)
        shown = self.compiles("-dryrun", "-O9", "a.cu", "-Xcompiler", "'-Wall',-DX=a\\,b \"-fopenmp\"", "-noeh",
                              "-ftemplate-depth=77", "-forward-unknown-to-host-compiler", "-march=native").stderr
        for option in ("-O9", "-Wall", "-DX=a,b", "-fopenmp", "-fno-exceptions", "-ftemplate-depth=77", "-march=native"):
            self.assertRegex(shown.splitlines()[0], f"['\" ]{re.escape(option)}['\" ]")
        self.assertRegex(shown.splitlines()[-1], " -fopenmp .* -march=native ")

    def test_values_stay_across_barriers_however_it_is_compiled(self):
        source = os.path.join(PROGRAMS, "values_across_barriers.cu")
        for options in (["-O0"], ["-O3"], ["-O3", "-Xcompiler", "-march=native"], ["-O2", "-Xcompiler", "-fPIC"],
                        ["-O2", "-g", "-Xcompiler", "-fno-omit-frame-pointer"],
                        ["-O1", "-Xcompiler", "-fsanitize=address"]):
            with self.subTest(options=options):
                self.compiles(source, *options, "-o", "program")
                self.prints("program", "PASSED\n")

    def test_options_for_debuggers(self):
        """Behind -Xcompiler, as with nvcc; whatever they say, a report names the line."""
        self.write("a.cu", textwrap.dedent("""\
            __global__ void store(int* x) {
                x[1 << 20] = 1;
            }
            int main() {
                int* x;
                cudaMalloc(&x, 4);
                store<<<1, 1>>>(x);
                return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
            }
            """))
        for option in ("-g0", "-g1", "-g3", "-ggdb", "-gdwarf-4", "-gdwarf-5", "-gz"):
            for check in ([], ["--check"]):
                with self.subTest(option=option, check=check):
                    self.assertEqual(self.compiles(*check, "-O1", "-Xcompiler", option, "a.cu", "-o", "a").stderr, "")
                    result = self.run_command(self.path("a"))
                    self.assertIn(" at a.cu:2", result.stderr)
                    self.assertEqual(result.returncode, 5 if check else 0, result.stderr)
            self.assertIn(f"unknown option '{option}' (one for the host compiler goes behind -Xcompiler)",
                          self.fails(option, "a.cu"))

    def test_run(self):
        self.write("a.cu", "#include <cstdio>\nint main(int n, char** a) { std::puts(n > 2 ? a[2] : \"?\"); return n; }\n")
        result = self.nvcc("-O0", "-run", "-run-args", "x,-y", "a.cu")
        self.assertEqual((result.stdout, result.returncode), ("-y\n", 3))

    def test_objects_and_other_files(self):
        self.write("k.cuh", "#pragma once\n" + KERNEL)
        self.write("sub/a.cu", '#include "../k.cuh"\n' + MAIN)
        self.write("b.cpp", "#include <cuda_runtime.h>\n#include <cstdio>\nint run(int);\n"
                            'int main() { dim3 d(3); std::printf("%d %u\\n", run(1), d.x * d.y); }\n')
        self.write("c.c", "int new(int class) { return class; }\n")
        self.compiles("-c", "-DNO_MAIN", "sub/a.cu", "b.cpp", "c.c")
        self.assertEqual(self.files(), ["a.o", "b.cpp", "b.o", "c.c", "c.o", "k.cuh", "sub"])
        self.compiles("-o", "p", "a.o", "b.o", "c.o")
        self.prints("p", "6 3\n")
        self.compiles("-lib", "-o", "libboth.a", "a.o", "c.o")
        self.compiles("b.o", "-L.", "-lboth")
        self.prints("a.out", "6 3\n")
        self.compiles("-dc", "-DNO_MAIN", "-o", "x.o", "sub/a.cu")
        self.compiles("-dlink", "x.o", "b.o", "-o", "linked.o")
        self.compiles("x.o", "linked.o", "b.cpp", "-o", "q")
        self.prints("q", "6 3\n")

    def test_variables_belong_to_their_file(self):
        for name, value in ("a", 1), ("b", 2):
            self.write(f"{name}.cu", f"""
                __constant__ int value = {value}; __device__ int calls; extern __device__ int own; __device__ int own = {value};
                __global__ void k{name}(int* p) {{ *p = value + own + atomicAdd(&calls, 10); }}
                int {name}() {{
                    int *p, r = 5;
                    cudaMalloc(&p, 4);
                    cudaMemcpyToSymbol(value, &r, 4);
                    for (int i = 0; i < {value}; ++i) k{name}<<<1, 1>>>(p);
                    cudaMemcpy(&r, p, 4, cudaMemcpyDeviceToHost);
                    cudaFree(p);
                    return r;
                }}
                """.replace("own", f"own_{name}"))
        self.write("main.cpp", '#include <cstdio>\nint a(), b();\nint main() { std::printf("%d %d\\n", a(), b()); }\n')
        self.compiles("-Xcompiler", "-Wall", "-Werror", "all-warnings", "a.cu", "b.cu", "main.cpp", "-o", "p")
        self.prints("p", "6 17\n")
        self.compiles("-dc", "a.cu", "b.cu")
        self.compiles("-c", "main.cpp")
        for result in self.nvcc("-rdc=true", "a.cu", "b.cu", "main.cpp"), self.nvcc("a.o", "b.o", "main.o"):
            self.assertEqual(result.returncode, 1)
            self.assertIn("multiple definition of `calls'", result.stderr)
        self.write("c.cu", "__device__ int shared = 3;\n")
        self.write("d.cu", "extern __device__ int shared;\n__global__ void k(int* p) { *p = shared; }\nint main() {}\n")
        self.compiles("-rdc=true", "c.cu", "d.cu", "-o", "p")

    def test_printf_with_a_wrong_format(self):
        self.write("a.cu", '#include <cstdio>\n__global__ void k(long long x) {\n    printf("%d\\n", x);\n}\nint main() {}\n')
        result = self.nvcc("a.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("a.cu:3:", result.stderr)
        self.assertIn("warning: format ", result.stderr)

    def test_what_cuda_13_has_no_longer(self):
        self.write("a.cu", "#include <cstdio>\nint main() {\n    cudaDeviceProp p;\n    cudaGetDeviceProperties(&p, 0);\n"
                           '    std::printf("%d\\n", cudaThreadSynchronize() + p.computeMode);\n}\n')
        warnings = self.compiles("a.cu", "-o", "p").stderr
        self.assertRegex(warnings, r"a.cu:5:\d+: warning: .*gone from CUDA 13, where it is cudaDeviceSynchronize\(\)")
        self.assertRegex(warnings, r"a.cu:5:\d+: warning: .*gone from CUDA 13: ask cudaDeviceGetAttribute\(\) for "
                                   r"cudaDevAttrComputeMode")
        self.assertEqual(self.compiles("a.cu", "-w", "-o", "p").stderr, "")
        self.prints("p", "0\n")

    PRINTING = r"""
#include <cstdio>
#include "show.h"
__device__ void rest(int i) { SHOW("%d", i); }
__global__ void lanes() {
    int i = threadIdx.x;
    if (i == 0) printf("a ");
    printf("%d ", i);
    if (i % 2) printf("odd "); else printf("even ");
    if (i == 2) printf("b ");
    rest(i);
    for (int k = 0; k < i; ++k) printf(".");
    printf("%s", i + 1 == blockDim.x ? "\\n" : "");
}
__global__ void warps() {
    int i = threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        if (i % 32 == 0) printf("%d%c ", k, 'a' + i / 32);
        if (k == 0) __syncthreads();
    }
    int sum = __shfl_xor_sync(~0u, i, 1);
    for (int half = 2; half > 0; half /= 2)
        if (__shfl_sync(~0u, sum, 0) && i < half) printf("%d%d ", half, i);
}
__device__ int flag;
__global__ void tells() {
    if (threadIdx.x == 32) { printf("first "); atomicExch(&flag, 1); }
    if (threadIdx.x == 0) { while (atomicAdd(&flag, 0) == 0); printf("then "); }
}
__global__ void fails(int* p) { printf("before "); p[1 << 20] = 1; }
int main(int n, char**) {
    printf("host ");
    lanes<<<1, 4>>>();
    printf("asynchronous ");
    cudaStreamSynchronize(nullptr);
    warps<<<1, 64>>>();
    int* p;
    cudaMalloc(&p, 4);
    cudaMemcpyAsync(p, p, 4, cudaMemcpyDeviceToDevice);
    printf("still ");
    cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice);
    tells<<<1, 64>>>();
    cudaDeviceSynchronize();
    if (n > 1) fails<<<1, 1>>>(nullptr);
    lanes<<<1, 2>>>();
    printf("end\n");
}
"""

    def test_printf_comes_in_a_gpus_order_and_when_the_program_waits(self):
        self.write("show.h", "#define SHOW(...) \\\n    printf(__VA_ARGS__)\n")
        self.write("a.cu", self.PRINTING.replace("\\\\", "\\"))
        self.compiles("-Werror", "all-warnings", "a.cu", "-o", "p")
        shown = ("host asynchronous a 0 1 2 3 odd odd even even b 0123......\n"
                 "still 0a 0b 1a 1b 20 21 10 first then ")
        result = self.run_command(self.path("p"))
        self.assertEqual(result.stdout, shown + "end\n")
        self.assertEqual(result.stderr, "emulator: 1 line of printf() in kernels did not appear, as on a GPU: the program "
                                        "ended without cudaDeviceSynchronize(), which prints them\n")
        at_once = self.run_command(self.path("p"), CUDA_LAUNCH_BLOCKING="1").stdout
        self.assertIn("\nasynchronous 0a", at_once)
        self.assertTrue(at_once.endswith("then a 0 1 odd even 01.\nend\n"), at_once)
        failed = self.run_command(self.path("p"), "fail")
        self.assertEqual(failed.stdout, shown + "before end\n")
        self.assertRegex(failed.stderr, r"\Aemulator: kernel .* wrote to address \S+ at a.cu:30, [^\n]*\n\Z")

    def test_an_event_that_nobody_waited_for_may_not_be_ready(self):
        ask = 'printf("%s\\n", cudaGetErrorName({}));'
        query, elapsed = ask.format("cudaEventQuery(e)"), ask.format("cudaEventElapsedTime(&t, e, e)")
        record, wait = "cudaEventRecord(e);", "cudaEventSynchronize(e);"
        steps = [query, record, query, query, record, elapsed, elapsed, record, wait, elapsed, record,
                 "cudaDeviceSynchronize();", query, record, "cudaStreamSynchronize(0);", query, record,
                 "cudaMemcpy(p, &t, 4, cudaMemcpyHostToDevice);", query, "cudaEventCreate(&f); cudaEventRecord(f);", record,
                 "cudaEventSynchronize(f);", query, "cudaEventRecord(f);", record, query, query, elapsed.replace("e, e", "f, e")]
        self.write("a.cu", "#include <cstdio>\nint main() {\n    cudaEvent_t e, f;\n    float t, *p;\n    cudaEventCreate(&e);\n"
                           "    cudaMalloc(&p, 4);\n" + "\n".join(steps) + "\n}\n")
        self.compiles("a.cu", "-o", "p")
        ready, not_ready = "cudaSuccess", "cudaErrorNotReady"
        result = self.run_command(self.path("p"), EMULATOR_NOT_READY="1")
        self.assertEqual(result.stdout.split(), [ready, not_ready, ready, not_ready, ready, *[ready] * 4, not_ready, not_ready, *[ready] * 2])
        self.assertEqual(self.run_command(self.path("p")).stdout.split(), [ready] * 13)

    def test_a_default_stream_for_each_host_thread(self):
        self.write("a.cu", textwrap.dedent("""\
            #include <cstdio>
            #include <thread>
            __global__ void change(int *x, int factor, int summand) { *x = factor * *x + summand; }
            int main() {
                int *x, result;
                unsigned long long id;
                cudaMalloc(&x, 4);
                cudaMemset(x, 0, 4);
                cudaDeviceSynchronize();
                std::thread([&] { change<<<1, 1>>>(x, 2, 5); }).join();
                change<<<1, 1>>>(x, 3, 1);
                cudaMemcpy(&result, x, 4, cudaMemcpyDeviceToHost);
                cudaStreamGetId(0, &id);
                cudaGraph_t graph;
                cudaDeviceSynchronize();
                cudaError_t begun = cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal);
                change<<<1, 1>>>(x, 1, 1);
                cudaError_t ended = cudaStreamEndCapture(0, &graph);
                std::printf("%d %llu %s %s\\n", result, id, cudaGetErrorName(begun), cudaGetErrorName(ended));
                cudaGetLastError();
                if (!ended) cudaGraphDestroy(graph);
                cudaFree(x);
            }
            """))
        refused = "cudaErrorStreamCaptureUnsupported cudaErrorIllegalState"
        for options, shown, findings in ((["--default-stream", "per-thread"], "16 2 cudaSuccess cudaSuccess\n", 1),
                                         (["-default-stream=legacy"], f"16 1 {refused}\n", 0),
                                         ([], f"16 1 {refused}\n", 0)):
            with self.subTest(options=options):
                self.compiles("--check", *options, "a.cu", "-o", "a")
                result = self.run_command(self.path("a"))
                self.assertEqual((result.stdout, result.returncode), (shown, 5 if findings else 0), result.stderr)
                self.assertEqual(result.stderr.count("emulator: unordered in kernel"), findings, result.stderr)
        self.compiles("--default-stream", "per-thread", "a.cu", "-o", "a")
        orders = {self.run_command(self.path("a"), EMULATOR_SHUFFLE=str(seed)).stdout.split()[0] for seed in range(20)}
        self.assertLess({"16"}, orders)

    def test_near_misses_fail_or_go_on_as_on_a_gpu(self):
        self.write("a.cu", "#include <cstdio>\n__global__ void k(int *p) {\n    p[-1] = p[256];\n    p[0] = 7;\n}\n"
                           "int main() {\n    int *p, x = 0;\n    cudaMalloc(&p, 1024);\n    k<<<1, 1>>>(p);\n"
                           "    cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);\n    std::printf(\"%d\\n\", x);\n}\n")
        self.compiles("-g", "a.cu", "-o", "p")
        result = self.run_command(self.path("p"), EMULATOR_NEAR_MISSES="go-on")
        self.assertEqual((result.stdout, result.returncode), ("7\n", 0))
        self.assertRegex(result.stderr, r"\Aemulator: kernel .* read .* at a.cu:3, 0 bytes past the end of an allocation of "
                                        r"1024 bytes. It goes on, since a GPU would not notice.\n\Z")
        strict = self.run_command(self.path("p"))
        self.assertEqual((strict.stdout, strict.returncode), ("0\n", 0))
        self.assertRegex(strict.stderr, r"\Aemulator: kernel .* at a.cu:3, 0 bytes past the end of [^.]*\n\Z")

    def test_gcc_links(self):
        """A Makefile's own link step, of the plain and of the checked build, with a libcudart to link with."""
        self.write("a.cu", textwrap.dedent("""\
            #include <cstring>
            __global__ void add(int* a, int b) {
                if (threadIdx.x == 0) a[0] += b;
            #ifndef RACE
                __syncthreads();
            #endif
                if (threadIdx.x == 1) memcpy(a + 1, a, threadIdx.x * sizeof *a);
            }
            extern "C" int run(int x) {
                int *d, h[2] = {5, 0};
                cudaMalloc(&d, sizeof h);
                cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
                add<<<1, 2>>>(d, x);
                cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
                if (x < 0) std::memcpy(h, d, -x * sizeof h[0]);
                return h[1];
            }
            """))
        self.write("main.c", textwrap.dedent("""\
            #include <stdio.h>
            #include <stdlib.h>
            int run(int x);
            int cudaSetDevice(int device), cudaDeviceSynchronize(void), cudaGetLastError(void);  /* of C's linkage */
            int main(int n, char** words) {
                if (cudaSetDevice(0) || printf("%d\\n", run(atoi(words[n - 1]))) < 0) return 1;
                return cudaDeviceSynchronize() || cudaGetLastError();
            }
            """))
        self.write("none.c", "int main(void) { return 0; }\n")
        self.assertEqual(self.run_command("gcc", "-c", "main.c", "none.c").returncode, 0)
        ways = ("gcc main.o a.o", "gcc main.o a.o -lcuda -lstdc++ -lm", "g++ a.o main.o", "gcc none.o",
                "gcc main.o a.o -lcudart_static -lcudadevrt -lrt -ldl")
        folders = []
        for check, race, commands in (([], [], ways), (["--check"], ["-DRACE"], ways), (["--check"], [], ways[:1])):
            folder = self.compiles(*check, "--print-library-dir").stdout.removesuffix("\n")
            folders.append(folder)
            self.compiles(*check, *race, "-c", "a.cu")
            for command in commands:
                with self.subTest(command=command, check=check, race=race):
                    done = self.run_command(*command.split(), f"-L{folder}", "-lcudart", "-lpthread", "-o", "p")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    result = self.run_command(self.path("p"), "37")
                    self.assertEqual(result.stdout, "" if "none.o" in command else "42\n")
                    is_found = bool(race and "none.o" not in command)
                    self.assertEqual("race in kernel" in result.stderr, is_found, result.stderr)
                    self.assertEqual(result.returncode != 0, is_found, result.stderr)
                    if "none.o" not in command:
                        result = self.run_command(self.path("p"), "-1")
                        self.assertEqual(result.returncode, -signal.SIGSEGV)
                        self.assertIn("host code touched device memory at a.cu:15", result.stderr)
        self.assertNotEqual(folders[0], folders[1])

    def test_language_is_said(self):
        self.write("a.txt", KERNEL + MAIN)
        self.compiles("-x", "cu", "a.txt", "-o", "p")
        self.prints("p", "42\n")

    def test_dependencies(self):
        self.write("k.cuh", KERNEL)
        self.write("a.cu", '#include "k.cuh"\n' + MAIN)
        for options in (["-MM"], ["-M"]):
            rule = self.compiles("a.cu", *options).stdout
            self.assertTrue(rule.startswith("a.o:"), rule)
            for name in (" a.cu", " k.cuh"):
                self.assertIn(name, rule)
            self.assertNotIn(tempfile.gettempdir() + "/nvcc_cpu", rule)
        self.compiles("-MD", "-c", "a.cu", "-o", "x.o")
        self.assertEqual(self.files(), ["a.cu", "k.cuh", "x.d", "x.o"])
        self.compiles("-MMD", "-MF", "deps", "-MT", "goal", "-MP", "a.cu", "-o", "p")
        with open(self.path("deps"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("goal:"), text)
        self.assertIn("k.cuh:", text)

    def test_a_header_that_is_compiled_once(self):
        self.write("first.h", "#include <cuda_runtime.h>\n#define B 37\n")
        self.write("c.cu", KERNEL + MAIN.replace("run(37)", "run(B)"))
        for _ in range(2):
            self.compiles("c.cu", "-o", "c", EMULATOR_PRECOMPILED=self.path("first.h"))
            self.prints("c", "42\n")
            self.assertEqual(self.files(), ["c", "c.cu", "first.h", "first.h.gch"])
            self.write("first.h", "#error nobody reads this again\n")

    def test_preprocessing_and_showing(self):
        self.write("a.cu", KERNEL + MAIN)
        self.assertIn("::emulator::Launch", self.compiles("-E", "a.cu").stdout)
        shown = self.compiles("-dryrun", "a.cu", "-o", "p")
        self.assertIn("-c a.cu", shown.stderr)
        self.assertEqual(self.files(), ["a.cu"])
        self.assertIn("#$ ", self.compiles("-v", "a.cu", "-o", "p").stderr)
        version = self.compiles("--version").stdout
        self.assertIn("emulator", version)
        self.assertRegex(version, r"release 1[0-9]\.[0-9]")
        self.assertIn("gnu++17", self.compiles("-h").stdout)

    @unittest.skipUnless(shutil.which("make"), "skipped: there is no make")
    def test_makefile(self):
        folder = self.path("several")
        shutil.copytree(os.path.join(PROGRAMS, "several"), folder)
        os.symlink(NVCC, self.path("nvcc"))  # whose own path may have blanks in it
        make = ["make", "-C", folder, f"NVCC={self.path('nvcc')}"]
        self.assertEqual((done := self.run_command(*make)).returncode, 0, done.stderr)
        self.prints("several/particles", "PASSED\n")
        self.assertIn("up to date", self.run_command(*make).stdout)
        os.utime(os.path.join(folder, "kernels.cuh"), (2e9, 2e9))
        again = self.run_command(*make, "-n").stdout
        self.assertIn("advance.cu", again)
        self.assertNotIn("main.cpp", again)

    @unittest.skipUnless(shutil.which("clang++"), "needs clang++")
    def test_another_compiler(self):
        self.write("a.cu", KERNEL + MAIN)
        self.compiles("-ccbin", "clang++", "-O0", "-c", "a.cu")

    def test_emulator_alone_in_a_fresh_cache(self):
        """A copy of emulator/ and nothing else of the repository; two at once make the library once. A shared library has it
        in it."""
        shutil.copytree(EMULATOR, self.path("elsewhere/emulator"), ignore=shutil.ignore_patterns("__pycache__"))
        self.write("a.cu", KERNEL + MAIN)
        self.write("b.cpp", "#include <cstdio>\nint run(int);\nint main() { std::printf(\"%d\\n\", run(1)); }\n")
        self.write("quick/g++", '#!/bin/sh\nexec g++ "$@" -O0\n')
        os.chmod(self.path("quick/g++"), 0o755)
        nvcc = [self.path("elsewhere/emulator/nvcc_cpu"), "-ccbin", self.path("quick")]
        cache = {"XDG_CACHE_HOME": self.path("cache")}
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda name: self.run_command(*nvcc, "a.cu", "-o", name, **cache), "pq"))
        for result in results:
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sum("compiling the emulator itself, once" in result.stderr for result in results), 1)
        self.prints("p", "42\n")
        self.prints("q", "42\n")
        # The one in a build folder is for programs only.
        self.write("elsewhere/build/cpu/emulator/libemulator.a", "not for shared libraries\n")
        result = self.run_command(*nvcc, "-shared", "-Xcompiler", "-fPIC", "-DNO_MAIN", "a.cu", "-o", "liba.so", **cache)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        shutil.rmtree(self.path("elsewhere/build"))
        result = self.run_command(*nvcc, "b.cpp", "-L.", "-la", "-Xlinker", "-rpath=" + self.folder, "-o", "r", **cache)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.prints("r", "6\n")
        # A program that is there already has little room for what a library keeps of each thread.
        loads = f"import ctypes; print(ctypes.CDLL({self.path('liba.so')!r})._Z3runi(1))"
        result = self.run_command(sys.executable, "-c", loads)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "6\n", ""))


class Thrust(Folder):
    """Thrust with the headers of an installed CCCL."""

    def setUp(self):
        super().setUp()
        nvcc = shutil.which(os.environ.get("CUDACXX") or "nvcc") or "/usr/local/cuda/bin/nvcc"
        self.cccl = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), "include", "cccl")
        if not os.path.exists(os.path.join(self.cccl, "thrust", "version.h")):
            self.skipTest("there is no CCCL beside nvcc")

    def test_vectors_and_kernels(self):
        """In the checked build, which must not be alarmed by what Thrust writes. With an argument the host reads a pointer."""
        self.write("parts.cuh", "#include <thrust/scan.h>\n#include <thrust/reduce.h>\n#define SIDES __host__ __device__\n")
        self.write("a.cu", textwrap.dedent("""\
            #include <cstdio>
            #include <thrust/device_vector.h>
            #include <thrust/execution_policy.h>
            #include <thrust/host_vector.h>
            #include <thrust/sequence.h>
            #include <thrust/sort.h>
            #include <thrust/system/cuda/execution_policy.h>
            #include <thrust/transform.h>
            #include "parts.cuh"
            struct Square { SIDES int operator()(int x) const { return x * x; } };
            __global__ void add(int* x, const int* y, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) x[i] += y[i];
            }
            int main(int count, char**) {
                const int n = 300;
                thrust::host_vector<int> host(n, 7);
                thrust::device_vector<int> x = host, y(n);
                thrust::sequence(y.begin(), y.end(), 200, -1);
                thrust::sort(y.begin(), y.end());
                int *raw = thrust::raw_pointer_cast(x.data()), *mine;
                if (count > 1) return *raw;
                cudaStream_t stream;
                cudaStreamCreate(&stream);
                add<<<2, 256, 0, stream>>>(raw, thrust::raw_pointer_cast(y.data()), n);
                printf("%d\\n", thrust::reduce(thrust::cuda::par.on(stream), x.begin(), x.end()));
                add<<<2, 256, 0, stream>>>(raw, raw, n);
                thrust::inclusive_scan(x.begin(), x.end(), x.begin());
                x[0] = 1;
                host = x;
                printf("%d %d %d %d\\n", host[0], host[1], host[n - 1], int(y[n - 1]));
                cudaMalloc(&mine, n * sizeof(int));
                thrust::transform(y.begin(), y.end(), thrust::device_pointer_cast(mine), Square());
                add<<<2, 256>>>(raw, mine, n);
                printf("%d\\n", thrust::reduce(thrust::device, mine, mine + n));
                cudaFree(mine);
                cudaStreamDestroy(stream);
            }
            """))
        self.compiles("--check", "-I", self.cccl, "a.cu", "-o", "a")
        expected = [200 - i for i in range(300)]
        squares = sum(y * y for y in expected)
        result = self.run_command(self.path("a"))
        total = sum(expected) + 300 * 7
        self.assertEqual(result.stdout, f"{total}\n1 {2 * (-99 + -98 + 14)} {2 * total} 200\n{squares}\n")
        self.assertEqual((result.stderr, result.returncode), ("emulator: checked 3 launches: nothing found\n", 0))
        self.assertRegex(self.run_command(self.path("a"), "x").stderr, r"(?s)a\.cu:22\b.*device memory")

    def test_an_observer_hears_of_algorithms_and_copies(self):
        self.write("a.cu", textwrap.dedent("""\
            #include <cstdio>
            #include <thrust/device_vector.h>
            #include <thrust/host_vector.h>
            #include <thrust/reduce.h>
            #include "emulator/observer.h"
            struct Told : emulator::Observer {
                int algorithms = 0;
                std::size_t bytes = 0;
                void library_works(const char*) override { ++algorithms; }
                void copied(const void*, const void*, std::size_t n) override { bytes += n; }
            };
            int main() {
                Told told;
                const thrust::device_vector<int> x(100, 3);
                emulator::observe(&told);
                const thrust::host_vector<int> host = x;
                const int sum = thrust::reduce(x.begin(), x.end()) + x[7] + host[99];
                emulator::observe(nullptr);
                std::printf("%d: %d algorithms, %zu bytes\\n", sum, told.algorithms, told.bytes);
            }
            """))
        for build in [], ["--check"]:
            self.compiles(*build, "-I", self.cccl, "a.cu", "-o", "a")
            self.assertEqual(self.run_command(self.path("a")).stdout, "306: 3 algorithms, 400 bytes\n")

    def test_beside_it(self):
        self.write("a.cu", "#include <thrust/sort.h>\n#include <cuda/barrier>\n")
        self.assertEqual(self.fails("-I", self.cccl, "a.cu"),
                         "a.cu:2:10: error: not supported: <cuda/barrier> in a program that includes Thrust\n")
        self.write("a.cu", "#include <cub/cub.cuh>\n")
        self.assertEqual(self.fails("-isystem", self.cccl, "a.cu"), "a.cu:1:10: error: not supported: <cub/cub.cuh> (CUB)\n")


class Curand(Folder):
    """Random numbers in kernels, with the headers of an installed toolkit."""

    def setUp(self):
        super().setUp()
        nvcc = shutil.which(os.environ.get("CUDACXX") or "nvcc") or "/usr/local/cuda/bin/nvcc"
        self.toolkit = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), "include")
        if not os.path.exists(os.path.join(self.toolkit, "curand_kernel.h")):
            self.skipTest("there is no cuRAND beside nvcc")
        os.mkdir(self.path("curand"))
        for name in os.listdir(self.toolkit):
            if name.startswith("curand"):
                os.symlink(os.path.join(self.toolkit, name), self.path(f"curand/{name}"))

    def test_generators(self):
        """Philox gives the answer that its authors publish; what is skipped beside what is drawn; and moments."""
        self.write("a.cu", textwrap.dedent("""\
            #include <cmath>
            #include <cstdio>
            #include <curand_kernel.h>
            __global__ void known(uint4* x) { *x = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0)); }
            template <class State> __global__ void skip(unsigned long long seed, int* same) {
                State drawn, begun, skipped;
                curand_init(seed, threadIdx.x, 0, &drawn);
                curand_init(seed, threadIdx.x, 777, &begun);
                curand_init(seed, threadIdx.x, 0, &skipped);
                skipahead(777, &skipped);
                for (int i = 0; i < 777; ++i) curand(&drawn);
                bool equal = true;
                for (int i = 0; i < 5; ++i) {
                    const unsigned next = curand(&drawn);
                    equal &= curand(&begun) == next && curand(&skipped) == next;
                }
                same[threadIdx.x] = equal;
            }
            template <class State> __global__ void draw(unsigned long long seed, double* sums) {
                State state;
                curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
                for (int i = 0; i < 100; ++i) {
                    const double uniform = curand_uniform_double(&state), normal = curand_normal(&state);
                    if (!(uniform > 0 && uniform <= 1)) atomicAdd(&sums[4], 1.0);
                    atomicAdd(&sums[0], uniform);
                    atomicAdd(&sums[1], normal);
                    atomicAdd(&sums[2], normal * normal);
                    atomicAdd(&sums[3], static_cast<double>(curand_poisson(&state, 3.5)));
                }
            }
            template <class State> void test(const char* name, unsigned long long seed) {
                int* same;
                double* sums;
                cudaMallocManaged(&same, 33 * sizeof(int));
                cudaMallocManaged(&sums, 5 * sizeof(double));
                cudaMemset(sums, 0, 5 * sizeof(double));
                skip<State><<<1, 33>>>(seed, same);
                draw<State><<<5, 50>>>(seed, sums);
                cudaDeviceSynchronize();
                int equal = 0;
                for (int i = 0; i < 33; ++i) equal += same[i];
                const double n = 5 * 50 * 100;  // bounds: about eight standard deviations
                const bool fits = std::abs(sums[0] / n - 0.5) < 0.015 && std::abs(sums[1] / n) < 0.05 &&
                                  std::abs(sums[2] / n - 1) < 0.08 && std::abs(sums[3] / n - 3.5) < 0.1 && sums[4] == 0;
                std::printf("%s %d %d\\n", name, equal, fits);
                cudaFree(same);
                cudaFree(sums);
            }
            int main(int, char** arguments) {
                uint4* x;
                cudaMallocManaged(&x, sizeof *x);
                known<<<1, 1>>>(x);
                cudaDeviceSynchronize();
                std::printf("%08x %08x %08x %08x\\n", x->x, x->y, x->z, x->w);
                cudaFree(x);
                const unsigned long long seed = std::strtoull(arguments[1], nullptr, 10);
                test<curandState>("xorwow", seed);
                test<curandStatePhilox4_32_10_t>("philox", seed);
                test<curandStateMRG32k3a>("mrg32k3a", seed);
            }
            """))
        seed = str(random.randrange(1 << 32))
        print("seed", seed)
        expected = "6627e8d5 e169c58d bc57ac4c 9b00dbd8\nxorwow 33 1\nphilox 33 1\nmrg32k3a 33 1\n"
        for build in [], ["--check"]:
            self.compiles(*build, "-I", "curand", "a.cu", "-lcurand", "-o", "a")
            self.assertEqual(self.run_command(self.path("a"), seed).stdout, expected)

    def test_host(self):
        self.write("a.cu", "#include <curand.h>\nint main() { return curandCreateGenerator(nullptr, CURAND_RNG_TEST); }\n")
        self.assertIn("undefined reference to `curandCreateGenerator'", self.nvcc("-I", "curand", "a.cu", "-lcurand").stderr)
        self.assertIn("a.cu:1:10: error: not supported: <curand.h> (cuRAND, unless", self.fails("-I", self.toolkit, "a.cu"))


class Outputs(Folder):
    """What the command line says is written does not take the place of what somebody has written."""

    def write_sources(self):
        self.write("a.cu", '#include "used.h"\n' + KERNEL + MAIN)
        self.write("used.h", '#include "values.txt"\n')
        self.write("values.txt", "#define VALUE 1\n")
        self.write("sub/angle.inc", "#define ANGLE 2\n")
        self.write("other.hpp", "// Nobody includes this.\n")
        self.write("before", "#define BEFORE 1\n")
        self.write("options.txt", "-DX=1")
        self.write("m.o", "an object")
        self.write("libm.a", "an archive")
        os.symlink("a.cu", self.path("link"))
        os.link(self.path("a.cu"), self.path("hard link"))
        os.link(self.path("values.txt"), self.path("values"))

    def contents(self):
        found = {}
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8", errors="surrogateescape") as file:
                    found[os.path.join(folder, name)] = file.read()
        return found

    def test_no_source_is_overwritten(self):
        self.write_sources()
        before = self.contents()
        ways = [["-o"], ["-c", "-o"], ["-E", "-o"], ["-M", "-o"], ["-MM", "-MF"], ["-c", "-MMD", "-MF"], ["-shared", "-o"],
                ["-lib", "-o"], ["-dlink", "-o"], ["-run", "-o"], ["-MD", "-o", "p", "-MF"], ["-dryrun", "-o"],
                ["-c", "-Xcompiler", "-MD", "-Xcompiler", "-MF", "-Xcompiler"]]
        names = ["./a.cu", self.path("a.cu"), "sub/../a.cu", "link", "hard link", "used.h", "values.txt", "values",
                 "other.hpp"]
        for way, name in [(way, "a.cu") for way in ways] + [(way, name) for way in (*ways[:2], ways[5]) for name in names]:
            with self.subTest(way=way, name=name):
                expected = "'other.hpp' is a source file and would be overwritten" if name == "other.hpp" \
                    else " is the same as output file"
                self.assertIn(expected, self.fails("a.cu", *way, name))
                self.assertEqual(self.contents(), before)

    def test_nothing_else_that_is_read_is_overwritten(self):
        self.write_sources()
        self.write("b.cu", "#include <angle.inc>\n")
        before = self.contents()
        for arguments, name in ((["m.o", "-o", "m.o"], "m.o"),
                                (["-lib", "-o", "m.o", "a.cu", "m.o"], "m.o"),
                                (["libm.a", "a.cu", "-o", "libm.a"], "libm.a"),
                                (["-L.", "-lm", "a.cu", "-o", "libm.a"], "libm.a"),
                                (["-dlink", "m.o", "-o", "m.o"], "m.o"),
                                (["-include", "before", "a.cu", "-o", "before"], "before"),
                                (["@options.txt", "a.cu", "-o", "options.txt"], "options.txt"),
                                (["-isystem", "sub", "-c", "b.cu", "-o", "sub/angle.inc"], "angle.inc"),
                                (["-x", "cu", "-c", "values.txt", "-odir", ".", "-MD", "-MF", "values"], "values")):
            with self.subTest(arguments=arguments):
                self.assertRegex(self.fails(*arguments), rf"input file '[^']*{name}[^']*' is the same as output file")
                self.assertEqual(self.contents(), before)
        for arguments in (["-c", "a.cu", "./a.cu"], ["-MMD", "-MF", "p", "a.cu", "-o", "p"]):
            self.assertIn("would be written twice", self.fails(*arguments))

    def test_what_was_made_before_is_made_again(self):
        self.write_sources()
        for arguments in (["-c"], ["-o", "p"], ["-c", "-MD"], ["-E", "-o", "a.ii"], ["-M", "-MF", "rule"]):
            self.compiles("a.cu", *arguments)
            self.compiles("a.cu", *arguments)
        self.prints("p", "42\n")
        self.compiles("-c", "a.cu", "-o", "-odd.o")
        self.compiles("./-odd.o", "-o", "-lead")
        self.prints("-lead", "42\n")

    def test_where_nothing_can_be_written(self):
        self.write_sources()
        self.write("b.cpp", "int main() {}\n")
        before = self.contents()
        reasons = {"sub": "this is a directory", "none/x": "there is no folder 'none'", "a.cu/x": "there is no folder 'a.cu'",
                   "x" * 256: "the name is too long", "/dev/full": ""}
        for way in (["-o"], ["-c", "-o"], ["-E", "-o"], ["-M", "-o"], ["-c", "-MD", "-MF"]):
            for source in ("a.cu", "b.cpp"):
                for name, reason in reasons.items():
                    with self.subTest(way=way, source=source, name=name[:20]):
                        message = self.fails(source, *way, name)
                        self.assertRegex(message, r"\Anvcc_cpu: error: cannot write '(sub|none/x|a.cu/x|x+\.\.\.x+|/dev/full)'")
                        self.assertIn(reason, message)
                        self.assertEqual(self.contents(), before)
        self.assertIn("cannot write 'none/a.o': there is no folder 'none'", self.fails("-c", "a.cu", "-odir", "none"))
        self.assertIn("not a place for a program", self.fails("a.cu", "-o", "/dev/stdout"))

    def test_a_compilation_that_fails_leaves_what_was_there(self):
        self.write("a.cu", "int main() { return oops; }\n")
        self.write("a.o", "old")
        self.write("p", "old")
        self.write("a.d", "old")
        before = self.contents()
        for arguments in (["-c"], ["-o", "p"], ["-MD", "-MF", "a.d", "-c"]):
            self.assertEqual(self.nvcc("a.cu", *arguments).returncode, 1)
            self.assertEqual(self.contents(), before)

    def test_rules_go_to_standard_output(self):
        self.write_sources()
        for arguments in (["-M"], ["-M", "-o", "-"], ["-MM", "-MF", "/dev/stdout"], ["-c", "-MD", "-MF", "/dev/stdout"],
                          ["-c", "-MD", "-MF", "-"]):
            rule = self.compiles("a.cu", *arguments).stdout
            self.assertTrue(rule.startswith("a.o: "), rule)
            self.assertIn(" a.cu", rule)

    def test_standard_streams_that_are_full_or_closed(self):
        self.write_sources()
        self.write("wrong.cu", "int main() { return oops; }\n")

        def run(redirection, *arguments):
            return self.run_command("sh", "-c", f'exec "$@" {redirection}', "sh", NVCC, *arguments)

        for arguments in (["--help"], ["--version"], ["--list-gpu-arch"], ["-M", "a.cu"], ["-E", "a.cu"]):
            for redirection in (">/dev/full", ">&-"):
                result = run(redirection, *arguments)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, r"\Anvcc_cpu: error: cannot write to standard output[^\n]*\n\Z")
        for arguments, status in ((["-c", "a.cu"], 0), (["-dryrun", "-c", "a.cu"], 0), (["-c", "wrong.cu"], 1), (["-x"], 1)):
            for redirection in (">&-", "2>&-", "2>/dev/full", "<&- >&- 2>&-"):
                self.assertEqual(run(redirection, *arguments).returncode, status)
        piped = self.run_command("bash", "-c", 'set -o pipefail; "$0" --help | true', NVCC)
        self.assertEqual((piped.returncode, piped.stderr), (1, ""))


class Inputs(Folder):
    def test_names_of_files(self):
        """A header with a kernel in a folder, and a source; each with an odd name."""
        for number, name in enumerate(("größe", "日本", "x y", "quote\"s'", "back\\slash", "$x#y", "c" * 250, "\udcff", "-dash")):
            with self.subTest(name=name):
                header = "k.cuh" if '"' in name else name + ".cuh"
                self.write(f"{number}/{name}/{header}", "#pragma once\n" + KERNEL)
                self.write(f"{number}/{name}/{name}.cu", f'#include "{header}"\n{MAIN}')
                self.compiles("-MMD", "-MF", "rule", f"./{number}/{name}/{name}.cu", "-o", "p")
                self.prints("p", "42\n")
                with open(self.path("rule"), encoding="utf-8", errors="surrogateescape") as file:
                    self.assertNotIn("nvcc_cpu.", file.read())
        self.write("main.cpp", "int main() {}\n")
        self.compiles("-MM", "./8/-dash/-dash.cu")

    def test_names_in_messages(self):
        self.write("größe.cu", "void prägt() {}\n__global__ void übel() { prägt(); }\nint main() {}\n")
        self.assertRegex(self.fails("größe.cu"), r'\Agröße.cu:2:\d+: error: calling a host function \("prägt"\) from device')
        self.write("größe.cu", "__global__ void k() { oops; }\nint main() {}\n")
        self.assertIn("\ngröße.cu:1:23: error: ", "\n" + self.nvcc("größe.cu").stderr)

    def test_kinds_of_files(self):
        self.write("d.cu/a.txt", "")
        self.write("d.o/a.txt", "")
        for name, content in (("utf16.cu", "int main() {}\n".encode("utf-16")), ("program.cu", b"\x7fELF\0\0")):
            with open(self.path(name), "wb") as file:
                file.write(content)
        for arguments, text in ((["d.cu"], "d.cu: this is a directory"), (["-x", "cu", "-c", "d.o/"], "d.o/: this is a directory"),
                                (["d.o"], "d.o: this is a directory"), ([""], "'': no such file"),
                                (["utf16.cu"], "utf16.cu: not C++, but a binary file or text in UTF-16"),
                                (["-c", "program.cu"], "program.cu: not C++"),
                                (["@d.o"], "d.o: Is a directory"), (["@"], "'': No such file")):
            self.assertIn(text, self.fails(*arguments))
        self.write("empty.cu", "")
        self.write("comment.cu", "// nothing")
        self.write("windows.cu", "\ufeff" + (KERNEL + MAIN).replace("\n", "\r\n"))
        self.compiles("empty.cu", "comment.cu", "windows.cu", "-o", "p")
        self.prints("p", "42\n")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_what_may_not_be_read_or_written(self):
        self.write("a.cu", KERNEL + MAIN)
        self.write("closed/b.cu", "")
        os.chmod(self.path("closed"), 0o500)
        self.assertIn("cannot write 'closed/x': no permission", self.fails("a.cu", "-o", "closed/x"))
        os.chmod(self.path("closed"), 0o700)
        os.chmod(self.path("a.cu"), 0)
        self.assertIn("a.cu: no permission to read it", self.fails("a.cu"))

    def test_sources_from_a_pipe(self):
        for source in (KERNEL + MAIN, '#include <cstdio>\nint main() { std::puts("42"); }\n'):
            done = self.run_command("bash", "-c", '"$0" -x cu <(printf %s "$1") -o p', NVCC, source)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.prints("p", "42\n")

    def test_files_and_variables_of_options(self):
        self.write("quote", "-DA='x")
        self.write("both", "@again @again")
        self.write("again", "@both")
        with open(self.path("zero"), "wb") as file:
            file.write(b"a\0b")
        for name, text in (("quote", "quote: No closing quotation"), ("both", "files of options that name each other"),
                           ("zero", "zero: not a file of options (it has a zero byte)")):
            self.assertIn(text, self.fails("@" + name))
        result = self.nvcc("a.cu", NVCC_APPEND_FLAGS='"')
        self.assertEqual((result.returncode, result.stderr), (1, "nvcc_cpu: error: NVCC_APPEND_FLAGS: No closing quotation\n"))


class Hostile(Folder):
    """What would wait for ever, go down too far, or leave something behind."""

    def test_a_pipe_as_a_header(self):
        os.mkfifo(self.path("pipe.h"))
        self.write("a.cu", KERNEL + '#include "pipe.h"\n')
        result = self.nvcc("-c", "a.cu", "-o", "a.o")
        self.assertEqual((result.returncode, result.stderr),
                         (1, "a.cu:4:10: error: pipe.h is a pipe and cannot be included\n"))

    def test_headers_that_include_each_other_too_deep(self):
        for number in range(300):
            self.write(f"{number}.h", f'#include "{number + 1}.h"\n')
        self.write("300.h", KERNEL)
        self.write("a.cu", '#include "0.h"\n')
        result = self.nvcc("-c", "a.cu", "-o", "a.o")
        self.assertEqual((result.returncode, result.stderr),
                         (1, "199.h:1:10: error: #include is nested more than 200 deep\n"))
        self.write("a.cu", '#include "150.h"\n')
        self.compiles("-c", "a.cu", "-o", "a.o")

    def test_nothing_is_left_behind(self):
        """By who is ended there is no folder; that of who is killed goes with the next run, unless it is somebody's."""
        self.addCleanup(signal.signal, signal.SIGHUP, signal.signal(signal.SIGHUP, signal.SIG_DFL))  # Under nohup it is ignored.
        os.mkdir(self.path("temporary"))
        self.write("a.cu", KERNEL)
        self.write("slow", "#!/bin/sh\n: > running\nexec sleep 60\n")
        os.chmod(self.path("slow"), 0o755)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL):
            process = subprocess.Popen([NVCC, "-ccbin", self.path("slow"), "-c", "a.cu"], cwd=self.folder,
                                       env=os.environ | {"TMPDIR": self.path("temporary")}, stderr=subprocess.DEVNULL)
            while not os.path.exists(self.path("running")):
                self.assertIsNone(process.poll())
                time.sleep(0.05)
            os.remove(self.path("running"))
            process.send_signal(number)
            process.wait(30)
            left = os.listdir(self.path("temporary"))
            self.assertEqual(len(left), number == signal.SIGKILL, (number, left))
        held = tempfile.mkdtemp(prefix="nvcc_cpu.", dir=self.path("temporary"))
        other = tempfile.mkdtemp(prefix="other.", dir=self.path("temporary"))
        descriptor = os.open(held, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        for name in os.listdir(self.path("temporary")):
            os.utime(os.path.join(self.path("temporary"), name), (0, 0))
        young = tempfile.mkdtemp(prefix="nvcc_cpu.", dir=self.path("temporary"))
        self.write("b.cpp", "int x;\n")
        self.compiles("-c", "b.cpp", TMPDIR=self.path("temporary"))
        self.assertEqual(sorted(os.listdir(self.path("temporary"))), sorted(map(os.path.basename, (held, other, young))))

    def test_a_folder_that_is_in_use_is_not_removed(self):
        """However old it looks: a driver may get no time between two of its steps."""
        os.mkdir(self.path("temporary"))
        self.write("a.cu", KERNEL)
        self.write("b.cpp", "int x;\n")
        self.write("slow", "#!/bin/sh\nwhile [ -e slow ] && [ ! -e go ]; do sleep 0.1; done\nexec g++ \"$@\"\n")
        os.chmod(self.path("slow"), 0o755)
        process = subprocess.Popen([NVCC, "-ccbin", self.path("slow"), "-c", "a.cu"], cwd=self.folder, text=True,
                                   env=os.environ | {"TMPDIR": self.path("temporary")}, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        while not (in_use := list(pathlib.Path(self.path("temporary")).glob("*/*"))):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        folder = in_use[0].parent
        os.utime(folder, (0, 0))
        self.compiles("-c", "b.cpp", TMPDIR=self.path("temporary"))
        self.assertEqual(os.listdir(self.path("temporary")), [folder.name])
        self.write("go", "")
        self.assertEqual((process.communicate(timeout=600)[1], process.returncode), ("", 0))
        self.assertEqual(os.listdir(self.path("temporary")), [])

    def test_a_folder_that_is_not_yet_locked_may_be_removed(self):
        """Two drivers at the worst moments: between the folder and its lock, and between the lock and the removal."""
        where = self.path("temporary")
        os.mkdir(where)
        done = self.run_command(sys.executable, "-c", textwrap.dedent("""\
            import fcntl, os, shutil, sys, tempfile, threading, time
            sys.path.insert(0, sys.argv[1])
            from driver import temporary
            where = tempfile.gettempdir()
            lock, rmtree, steps = fcntl.flock, shutil.rmtree, []

            def starved(descriptor, how):
                fcntl.flock = lock
                for name in os.listdir(where):
                    os.utime(os.path.join(where, name), (0, 0))
                if steps == ["at once"]:
                    temporary.remove_left_behind(where)
                else:  # the lock is asked for while the other one removes
                    begun = threading.Event()
                    def slow(*arguments, **options):
                        begun.set()
                        time.sleep(1)
                        rmtree(*arguments, **options)
                    shutil.rmtree = slow
                    threading.Thread(target=temporary.remove_left_behind, args=[where]).start()
                    begun.wait(60)
                    shutil.rmtree = rmtree
                lock(descriptor, how)

            for step in ("at once", "meanwhile"):
                steps[:] = [step]
                fcntl.flock = starved
                with temporary.own_folder() as folder:
                    time.sleep(1.5)
                    os.utime(folder, (0, 0))
                    temporary.remove_left_behind(where)
                    open(os.path.join(folder, "object"), "w").close()
                    print(step, os.listdir(where) == [os.path.basename(folder)])
                print(os.listdir(where))
            """), EMULATOR, TMPDIR=where)
        self.assertEqual((done.stdout, done.stderr), ("at once True\n[]\nmeanwhile True\n[]\n", ""))

    def test_options_that_do_not_end(self):
        self.write("a.cu", KERNEL)
        self.write("options", "-DA='1")
        for arguments, environment in ((["@options"], {}), ([], {"NVCC_APPEND_FLAGS": '-DA="1'}),
                                       ([], {"NVCC_PREPEND_FLAGS": "-DA=\\"})):
            result = self.nvcc("-c", "a.cu", *arguments, **environment)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"\Anvcc_cpu: error: (options|NVCC_\w+): No (closing quotation|escaped character)\n\Z")

    def test_an_empty_folder_of_libraries(self):
        self.write("a.cu", "int main() {}\n")
        self.compiles("-L", "", "-L=", "a.cu", "-o", "a")
        self.assertIn("needs a value", self.nvcc("a.cu", "-L").stderr)

    def test_what_was_preprocessed_is_preprocessed_again(self):
        self.write("a.cu", KERNEL)
        for _ in range(2):
            self.compiles("-E", "a.cu", "-o", "x.cpp")
        self.write("x.cpp", "int by_hand;\n")
        self.assertIn("would be overwritten", self.nvcc("-E", "a.cu", "-o", "x.cpp").stderr)


class Errors(Folder):
    def test_messages_are_one_short_line(self):
        self.write("a.cu", "")
        self.write("a\nb.cu", "")
        for odd in ("x\ny", "x\r\x1b[31my", "x\u2028y", "x" * 10_000, "x{0}{}y"):
            for option in ("", "-", "--", "@", "-std=", "-x", "-O", "-ccbin=", "-sanitize=", "-o=none/", "-odir="):
                with self.subTest(option=option, odd=odd[:10]):
                    message = self.fails("-c", "a.cu", option + odd)
                    self.assertTrue(message[:-1].isprintable() and len(message) < 500, message[:1000])
        self.assertIn("a\\nb.cu: the name of a source file cannot have line breaks", self.fails("-c", "a\nb.cu"))

    def test_bad_command_lines(self):
        self.write("a.cu", KERNEL + MAIN)
        self.write("a.txt", "")
        for arguments, text in (
            ([], "no input files"),
            (["-O2"], "no input files"),
            (["-Wall", "a.cu"], "unknown option '-Wall'"),
            (["--no-such-thing=3", "a.cu"], "unknown option '--no-such-thing=3'"),
            (["a.cu", "-o"], "option '-o' needs a value"),
            (["a.cu", "-o", ""], "option '-o' needs a value"),
            (["a.cu", "-std="], "option '-std=' needs a value"),
            (["a.cu", "-lineinfo=1"], "option '-lineinfo' takes no value"),
            (["a.cu", "-shared", "-run"], "-run needs a program"),
            (["a.cu", "-std=c++9"], "-std=c++9"),
            (["a.cu", "-Ofast"], "-Ofast"),
            (["a.cu", "-default-stream", "own"], "--default-stream own is not one of legacy, null and per-thread"),
            (["a.cu", "-march=native"], "unknown option '-march=native'"),
            (["a.cu", "-relocatable-link"], "not supported: -relocatable-link"),
            (["a.cu", "-sanitize=memcheck"], "not supported: memcheck"),
            (["@none.txt", "a.cu"], "none.txt"),
            (["none.cu"], "none.cu: no such file"),
            (["a.txt"], "a.txt: don't know what to do"),
            (["a.cu", "-lcublas"], "not supported: -lcublas"),
            (["-ptx", "a.cu"], "not supported: PTX"),
            (["-c", "a.cu", "a.cu", "-o", "x.o"], "one source file at a time"),
            (["-ccbin", "no_such_compiler", "a.cu"], "no_such_compiler"),
        ):
            self.assertIn(text, self.fails(*arguments))

    def test_not_supported(self):
        for line, text in (
            ("#include <thrust/sort.h>",
             "a.cu:2:10: error: not supported: <thrust/sort.h> (Thrust, unless -I names a folder with NVIDIA's CCCL)"),
            ("#include <cublas_v2.h>", "not supported: <cublas_v2.h> (cuBLAS)"),
            ("cudaUserObject_t object;", "a.cu:2:1: error: not supported: objects of the user in CUDA graphs"),
            ("cudaGraphicsResource* r;", "a.cu:2:1: error: not supported: graphics interoperability"),
            ("auto status = cudaMemPoolSetAccess(nullptr, nullptr, 0);",
             "a.cu:2:15: error: not supported: memory pools of other devices or processes"),
            ("cudaLibrary_t library;", "a.cu:2:1: error: not supported: libraries that are loaded"),
            ("auto status = cudaMemcpy3DBatchAsync(0, nullptr, 0, nullptr);",
             "a.cu:2:15: error: not supported: 3-D copies in batches or between devices"),
            ("auto status = cudaLogsCurrent(nullptr, 0);", "a.cu:2:15: error: not supported: the driver's logs"),
            ("cudaIpcMemHandle_t handle;", "a.cu:2:1: error: not supported: memory and events of other processes (IPC)"),
            ("texture<float, 2> t;", "texture references, which CUDA 13 does not have either: read device memory through a pointer"),
            ("cudaTextureObject_t t;", "a.cu:2:1: error: not supported: textures: read device memory through a pointer to const"),
            ("#include <curand_kernel.h>", "not supported: <curand_kernel.h> (cuRAND, unless -I names a folder"),
            ("#include <cub/cub.cuh>", "not supported: <cub/cub.cuh> (CUB)"),
            ("#include <cuda/warp>", "not supported: <cuda/warp> (libcu++, of which there are <cuda/annotated_ptr>, <cuda/atomic>, "),
            ("#include <cuda_awbarrier.h>", "not supported: <cuda_awbarrier.h> (asynchronous barriers)"),
            ("#include <texture_fetch_functions.h>", "not supported: <texture_fetch_functions.h> (textures)"),
            ("  # include <cudaProfiler.h>", "a.cu:2:13: error: not supported: <cudaProfiler.h> (profiling)"),
            ("cudaChannelFormatDesc d;", "a.cu:2:1: error: not supported: CUDA arrays (textures)"),
            ("CUdevice device;", "not supported: the CUDA driver API"),
            ("auto status = cuInit(0);", "a.cu:2:15: error: not supported: the CUDA driver API"),
            ("auto status = cuMemGetInfo(nullptr, nullptr);", "not supported: the CUDA driver API"),
            ("auto group = cooperative_groups::this_multi_grid();", "not supported: grids over several devices"),
        ):
            self.write("a.cu", "\n" + line + "\nint main() {}\n")
            self.assertIn(text, self.fails("a.cu"))
            self.assertEqual(self.files(), ["a.cu"])

    def test_own_functions_with_names_of_what_is_not_there(self):
        self.write("a.cu", """\
            #include <cuda.h>
            #include <cstdio>
            static int cuInit(int x) { return x + 1; }
            __device__ float tex2D(const float *rows, int x, int y) { return rows[2 * y + x]; }
            __global__ void k(float *rows) { rows[0] = tex2D(rows, 1, 1); }
            int main() {
                float rows[] = {1, 2, 3, 41}, *device;
                cudaMalloc(&device, sizeof rows);
                cudaMemcpy(device, rows, sizeof rows, cudaMemcpyHostToDevice);
                k<<<1, 1>>>(device);
                cudaMemcpy(rows, device, sizeof rows, cudaMemcpyDeviceToHost);
                printf("%d\\n", cuInit((int)rows[0]));
            }
            """)
        self.assertEqual(self.compiles("a.cu", "-o", "a").stderr, "")
        self.prints("a", "42\n")

    def test_macros_with_names_of_what_the_rewriter_writes(self):
        self.write("a.cu", """\
            #include <cstdio>
            #define print(x) printf(#x ": %d\\n", (x))
            #define check(call) do { if ((call) != cudaSuccess) printf("line %d\\n", __LINE__); } while (0)
            #define relax(u, v) ((u) < (v) ? (u) : (v))
            #define run_kernel(k, x) do { k<<<1, 2>>>(x); check(cudaDeviceSynchronize()); } while (0)
            __global__ void k(volatile int *flag) {
                if (threadIdx.x == 0) while (*flag == 0);
                else *flag = relax(3, 4);
                if (threadIdx.x == 0) printf("%d\\n", *flag);
            }
            int main() {
                int *flag;
                check(cudaMallocManaged(&flag, sizeof(int)));
                *flag = 0;
                run_kernel(k, flag);
                print(flag[0] + 1);
            }
            """)
        self.compiles("a.cu", "-o", "a")
        self.prints("a", "3\nflag[0] + 1: 4\n")

    def test_a_function_without_its_return(self):
        self.write("a.cu", """\
            #include <cstdio>
            __device__ unsigned still_to_be_written(unsigned x) {
            }
            int as_well(bool now) {
                if (!now) return 1;
            }
            __global__ void k(unsigned *result) {
                *result = still_to_be_written(threadIdx.x);
            }
            int main(int count, char **) {
                unsigned *result;
                cudaMallocManaged(&result, 4);
                k<<<1, 32>>>(result);
                printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
                fflush(stdout);
                as_well(count == 1);
            }
            """)
        for checked in ([], ["--check"]):
            self.compiles("-w", *checked, "a.cu", "-o", "a")
            run = self.run_command("./a")
            self.assertEqual(run.stdout, "unspecified launch failure\n")
            self.assertIn("comes to the end of the function at a.cu:2, which does not return its value", run.stderr)
            self.assertIn("host code comes to the end of the function at a.cu:4, which does", run.stderr)
            self.assertEqual(run.returncode, -signal.SIGABRT)

    def test_names_of_the_standard_library_that_nvcc_does_not_include(self):
        # Not search: <cmath>, which nvcc includes, brings that with g++ 14.
        self.write("a.cu", """\
            #include <iostream>
            using namespace std;
            __device__ int count = 40;
            int merge = 1, rotate = 1;
            __global__ void sort() { atomicAdd(&count, 1); }
            int main() {
                sort<<<1, 1>>>();
                int result;
                cudaMemcpyFromSymbol(&result, count, sizeof result);
                cout << max(result, 0) + merge * rotate << endl;
            }
            """)
        self.compiles("a.cu", "-o", "a")
        self.prints("a", "42\n")

    def test_macros_with_words_of_the_headers(self):
        self.write("a.cu", """\
            #define real float
            #define block 16
            #define bytes 64
            #include <cuComplex.h>
            #include <cooperative_groups.h>
            #include <cuda_pipeline.h>
            #include <cstdio>
            __global__ void k(real *x) {
                __shared__ real shared[bytes];
                shared[threadIdx.x] = x[threadIdx.x];
                cooperative_groups::this_thread_block().sync();
                x[threadIdx.x] += shared[bytes - 1 - threadIdx.x];
            }
            int main() {
                real *x;
                cudaMallocManaged(&x, bytes * sizeof(real));
                for (int i = 0; i < bytes; ++i) x[i] = i;
                k<<<1, 4 * block>>>(x);
                cudaDeviceSynchronize();
                printf("%g\\n", cuCrealf(make_cuComplex(x[3], 1)));
            }
            """)
        self.compiles("a.cu", "-o", "a")
        self.prints("a", "63\n")

    def test_arrays_of_the_host_with_a_length_of_the_run(self):
        """g++'s extension, without a warning; in a kernel they are an error, before and after such a function."""
        host = "int sum(int n) { int a[n]; a[n - 1] = n; return a[n - 1]; }\n"
        kernel = "__global__ void k(int *p, int n) { p[0] = n; }\n"
        self.write("a.cu", kernel + host + kernel.replace(" k(", " l(") + "int main() { return sum(3); }\n")
        self.assertEqual(self.compiles("a.cu", "-o", "a").stderr, "")
        self.write("b.cu", kernel + host + kernel.replace("p[0]", "int a[n]; a[0]") + "int main() { return sum(3); }\n")
        self.assertRegex(self.nvcc("b.cu").stderr, r"b.cu:3:\d+: error: (ISO C\+\+ forbids )?variable length array")

    def test_a_function_that_is_not_there(self):
        self.write("a.cu", "int main() {\n    cudaNoSuchFunction(1);\n}\n")
        result = self.nvcc("a.cu")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.cu:2:5: error: ", result.stderr)
        self.assertTrue(result.stderr.endswith("nvcc_cpu: not supported (or misspelt): cudaNoSuchFunction\n"))

    def test_a_kernel_in_a_cpp_file(self):
        kernel = "__global__ void k(int* x) { __shared__ int s; s = 1; *x = s; }\n"
        host = "nvcc_cpu: {} is compiled as host code, as by nvcc: kernels, what they call and their launches need a name that "
        for file, text in {"kernel.cpp": kernel, "launch.cc": "void k(int*);\nvoid f() { k<<<1, 1>>>(nullptr); }\n"}.items():
            self.write(file, "#include <cuda_runtime.h>\n" + text)
            self.assertIn("\n" + host.format(file), self.nvcc("-c", file).stderr)
        self.assertNotIn("host code", self.nvcc("-c", "-x", "cu", "kernel.cpp").stderr)
        self.write("call.cpp", "#include <cuda_runtime.h>\nvoid f() { cudaNoSuchFunction(1); }\n")
        self.assertTrue(self.nvcc("-c", "call.cpp").stderr.endswith("not supported (or misspelt): cudaNoSuchFunction\n"))

    def test_headers_of_the_samples(self):
        self.write("a.cu", "#include <helper_cuda.h>\nint main() { checkCudaErrors(cudaDeviceSynchronize()); }\n")
        result = self.nvcc("a.cu")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.cu:1:10: fatal error: ", result.stderr)
        self.assertTrue(result.stderr.endswith("\nnvcc_cpu: helper_cuda.h comes with NVIDIA's CUDA samples; -I names their "
                                               "folder Common\n"), result.stderr)

    def test_messages_point_to_the_users_file(self):
        self.write("k.cuh", "\n__global__ void k(int *p) {\n    *p = oops;\n}\n")
        self.write("a.cu", '#include "k.cuh"\nint main() {\n    k<<<1, 1>>>(nullptr); int x = "text";\n}\n')
        result = self.nvcc("a.cu")
        self.assertEqual(result.returncode, 1)
        self.assertIn("k.cuh:3:10: error: ", result.stderr)
        self.assertIn("a.cu:3:35: error: ", result.stderr)
        self.write("a.cu", "__global__ void k() {}\nint main() {\n    k<<<1, 1, 0, 0, 0>>>();\n}\n")
        self.assertIn("a.cu:3:", self.nvcc("a.cu").stderr)

    def test_link_errors(self):
        self.write("a.cu", "void nowhere();\nint main() { nowhere(); }\n")
        result = self.nvcc("a.cu")
        self.assertEqual(result.returncode, 1)
        self.assertIn("nowhere", result.stderr)

    def test_no_libdw(self):
        """A compiler that finds no libdw is told of in one line, and before anything is compiled."""
        compiler = self.path("g++")
        self.write("g++", '#!/bin/sh\ncase "$*" in *-ldw*) echo "ld: cannot find -ldw" >&2; exit 1;; *) touch compiled;; esac\n')
        os.chmod(compiler, 0o755)
        shutil.copytree(EMULATOR, self.path("elsewhere/emulator"), ignore=shutil.ignore_patterns("__pycache__"))
        self.write("a.cu", "int main() {}\n")
        result = self.run_command(self.path("elsewhere/emulator/nvcc_cpu"), "-ccbin", compiler, "a.cu",
                                  XDG_CACHE_HOME=self.path("cache"))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "nvcc_cpu: error: libdw is missing (Debian and Ubuntu: apt-get install libdw-dev)\n")
        self.assertFalse(os.path.exists(self.path("compiled")))


if __name__ == "__main__":
    unittest.main()
