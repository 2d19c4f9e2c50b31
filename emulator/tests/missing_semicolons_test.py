"""Where a semicolon is missing, the first error names its line and says so, whatever the rewriter does to the code."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
# What stands in a kernel; the semicolon is missing where the @ is.
IN_KERNEL = [
    "p[0] = 1@\n",
    "if (p) {\n    p[0] = 1@\n}\n",
    "p[0] = 1@\n__syncthreads();\n",
    "__syncthreads()@\np[0] = 1;\n",
    "p[0] = 1;\n__syncthreads()@\n",
    "atomicAdd(p, 1)@\np[0] = 1;\n",
    'p[0] = 1@\nprintf("x");\n',
    '__syncthreads()@\nprintf("x");\n',
    "__shared__ int a[4]@\na[0] = 1;\n",
    "__shared__ int a@\na = 1;\n",
    "__shared__ int a[4]@\n__shared__ int b[4];\n",
    "extern __shared__ int a[]@\nint i = 0;\n",
    "int i = threadIdx.x@\n__shared__ int a[4];\n",
    "p[0] = 1@\nwhile (p[0] == 0) {}\n",
]
OUTSIDE = [
    "__global__ void k(int* p) { p[0] = 1@ }\n",
    "__device__ void f(int* p) {\n    p[0] = 1@\n}\n",
    "__device__ int w@\n__global__ void k(int* p) {}\n",
    "int w@\n__global__ void k(int* p) {}\n",
    "__global__ void k(int* p) {}\nvoid f() {\n    k<<<1, 1>>>(nullptr)@\n}\n",
    "__global__ void k(int* p) {}\nvoid f() {\n    k<<<1, 1>>>(nullptr)@\n    cudaDeviceSynchronize();\n}\n",
]
# Nothing is missing here, though some of it looks so.
RIGHT = """#include <cstdio>
#define each(i) for (int i = 0; i < 3; ++i)
#define ALL(i) for (int i = 0; i < 3; ++i)
#define API
API
__global__ void k(volatile int* p) {
    each(i)
        p[i] = 1;
    ALL(i)
        p[i] = 2;
    if (p[0])
        p[1] = 3;
    else
        printf("x");
    if (p[0]) [[likely]]
        p[1] = 3;
    for (int i = 0; i < 3; ++i)
        printf("x");
    p[1] = true ?
        1 : 2;
    alignas(16)
    __shared__ int c
        [4];
    c[0] = 1;
    if (p[2]) goto done;
    p[2] = c[0];
done:
}
"""


class MissingSemicolons(unittest.TestCase):
    def compile_all(self, texts: list[str], *options: str) -> list[str]:
        """What the compiler says of each."""
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            def compile_one(number: int) -> str:
                source = Path(folder, f"a{number}.cu")
                source.write_text(texts[number].replace("@", ""))
                command = [NVCC, *options, "-c", "-o", source.with_suffix(".o"), source]
                return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600).stderr

            return list(pool.map(compile_one, range(len(texts))))

    def test_the_line_is_named(self) -> None:
        texts = [f"#include <cstdio>\n__global__ void k(int* p) {{\n{text}}}\n" for text in IN_KERNEL] + OUTSIDE
        for compiler, *options in (("g++",), ("g++", "--check"), ("clang++",)):
            if shutil.which(compiler) is None:
                continue
            for text, said in zip(texts, self.compile_all(texts, "-ccbin", compiler, *options), strict=True):
                with self.subTest(compiler=compiler, options=options, text=text):
                    error = re.search(r"\.cu:(\d+):\d+: error: (.*)", said)
                    assert error, said
                    self.assertEqual(int(error[1]), text[:text.index("@")].count("\n") + 1, said)
                    self.assertRegex(error[2], "expected .;. ")

    def test_what_is_right_is_compiled(self) -> None:
        for form in ((), ("--check",)):
            self.assertEqual(self.compile_all([RIGHT], *form), [""])


if __name__ == "__main__":
    unittest.main()
