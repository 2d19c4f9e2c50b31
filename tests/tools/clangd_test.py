"""An editor's clangd reads .cu files with the options in .clangd: a chapter's kernel has no error, and a mistake has one."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CLANG = os.environ["CXX"] if "clang" in os.environ.get("CXX", "") else "clang++"

SOURCE = """\
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <span>
#include <string>
#include <vector>

__constant__ float weights[4];

__global__ void sum(const float* x, float* result, int n) {
    __shared__ float part[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? sqrtf(fmaxf(x[i], 0.0f)) + std::abs(sin(1.0)) + __sinf(0.5f) * weights[0] : 0;
    memcpy(&part[threadIdx.x], &mine, sizeof(mine));
    __syncthreads();
    __pipeline_commit();
    __pipeline_wait_prior(0);
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    mine += __shfl_down_sync(0xffffffff, part[threadIdx.x], 1) + __half2float(__float2half(mine));
    if (warp.thread_rank() == 0) atomicAdd(result, mine);
    if (i == 0) printf("%f\\n", std::max(mine, std::min(1.0f, __popc(7) * 1.0f)));
    assert(n > 0);
    MISTAKE
}

int main() {
    std::vector<float> x(100);
    float* on_device = nullptr;
    if (cudaMalloc(&on_device, std::span(x).size_bytes()) != cudaSuccess) return 1;
    sum<<<dim3(1), 256, 0, nullptr>>>(on_device, on_device, 100);
    std::cout << std::string(cudaGetErrorString(cudaDeviceSynchronize()));
}
"""


@unittest.skipUnless(shutil.which(CLANG), "skipped: there is no clang++")
class Clangd(unittest.TestCase):
    def errors(self, mistake: str) -> list[str]:
        added = re.search(r"PathMatch: .*cu.*\nCompileFlags:\n  Add: \[(.*)\]", (ROOT / ".clangd").read_text())
        assert added
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.cu")
            path.write_text(SOURCE)
            command = [CLANG, "-std=c++20", f"-I{ROOT}/emulator/include", f"-DMISTAKE={mistake}", *added[1].split(", ")]
            result = subprocess.run([*command, "-fsyntax-only", path], capture_output=True, encoding="utf-8")
        self.assertEqual(result.returncode == 0, "error: " not in result.stderr, result.stderr)
        return re.findall(r"error: (.*)", result.stderr)

    def test_what_is_right(self) -> None:
        self.assertEqual(self.errors(""), [])

    def test_what_is_wrong(self) -> None:
        self.assertRegex("".join(self.errors("sum<<<1>>>(x, result, n);")), "at least 2|too few")
        self.assertRegex("".join(self.errors("undeclared(x);")), "undeclared")


if __name__ == "__main__":
    unittest.main()
