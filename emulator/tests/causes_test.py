"""What the checked build calls the usual cause."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
SOURCE = r"""
#include <cstdlib>
#include <cuda/ptx>
#include <cuda_pipeline.h>

__constant__ int table[4];

__global__ void add_up(int* sum) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    total += threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) *sum = total;
}

__global__ void hand_over(int* sum) {
    __shared__ int numbers[64];
    numbers[threadIdx.x] = threadIdx.x;
    sum[threadIdx.x] = numbers[threadIdx.x ^ 1];
}

__global__ void copy(const int* x, int* sum) {
    __shared__ int numbers[64];
    numbers[threadIdx.x] = 0;
    __pipeline_memcpy_async(&numbers[threadIdx.x], &x[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    sum[threadIdx.x] = numbers[63 - threadIdx.x];
}

__device__ void wait(unsigned barrier) {
    asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}

__global__ void wait_for_each_other() {
    if (threadIdx.x < 32)
        wait(1);  // one place
    else
        wait(2);  // the other
}

__global__ void take_turns(unsigned first_parity, int rounds) {
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            cuda::ptx::mbarrier_init(reinterpret_cast<std::uint64_t*>(&full[i]), 32);
            cuda::ptx::mbarrier_init(reinterpret_cast<std::uint64_t*>(&empty[i]), 32);
        }
    __syncthreads();
    const bool fills = threadIdx.x < 32;
    for (int i = 0; i < rounds; ++i) {
        auto* mine = reinterpret_cast<std::uint64_t*>(&(fills ? empty : full)[i % 2]);
        auto* theirs = reinterpret_cast<std::uint64_t*>(&(fills ? full : empty)[i % 2]);
        const unsigned parity = i / 2 % 2 ^ (fills ? first_parity : 0);
        while (!cuda::ptx::mbarrier_try_wait_parity(mine, parity)) {
        }
        cuda::ptx::mbarrier_arrive(theirs);
    }
    if (!fills && rounds == 2)  // one round too many
        while (!cuda::ptx::mbarrier_try_wait_parity(reinterpret_cast<std::uint64_t*>(&full[1]), 1)) {
        }
}

int main(int, char** arguments) {
    int* sum;
    cudaMalloc(&sum, 64 * sizeof(int));
    switch (std::atoi(arguments[1])) {
        case 0:
            add_up<<<1, 64>>>(sum);
            break;
        case 1:
            hand_over<<<1, 64>>>(sum);
            break;
        case 2:
            int* x;
            cudaMalloc(&x, 64 * sizeof(int));
            cudaMemset(x, 0, 64 * sizeof(int));
            copy<<<1, 64>>>(x, sum);
            break;
        case 5:
            take_turns<<<1, 64>>>(1, 6);  // right
            if (cudaDeviceSynchronize() != cudaSuccess) return 1;
            take_turns<<<1, 64>>>(0, 6);
            return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
        case 6:
            take_turns<<<1, 64>>>(1, 2);
            return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
        case 4:
            wait_for_each_other<<<1, 64>>>();
            return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
        default:
            const int values[4] = {1, 2, 3, 4};
            if (cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice) != cudaErrorInvalidValue) return 1;
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""
LINES = SOURCE.splitlines()
WAIT, ONE_PLACE, OTHER_PLACE = (1 + next(i for i, line in enumerate(LINES) if text in line)
                                for text in ("bar.sync", "// one place", "// the other"))
FINDINGS = 5  # the exit code


class Causes(unittest.TestCase):
    def test_each_has_its_own(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "causes.cu")
            source.write_text(SOURCE)
            subprocess.run([NVCC, "--check", "-o", source.with_suffix(""), source], check=True)
            for number, cause, not_said in (
                (0, "need atomicAdd()", "Often a __syncthreads() is missing"),
                (1, "Often a __syncthreads() is missing", "atomicAdd()"),
                (2, "lets the newest 2 groups go on, and the copy is in the newest but 1: at most 1 may go on.", "race"),
                (3, "cudaMemcpyToSymbol() takes the name.", "Often the size"),
                (4, f"causes.cu:{WAIT} (called at causes.cu:{ONE_PLACE})", "race"),
                (4, f"causes.cu:{WAIT} (called at causes.cu:{OTHER_PLACE})", "race"),
                (5, "phase of parity 0, in which 32 arrivals are missing (empty[0] in shared memory)", "race"),
                (5, "the first wait is for parity 1", "the parity is wrong"),
                (6, "phase of parity 1, in which 32 arrivals are missing (full[1] in shared memory)", "race"),
                (6, "the parity is wrong: the first phase has parity 0", "the first wait is for parity 1"),
            ):
                with self.subTest(cause):
                    environment = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
                    environment["EMULATOR_SPIN_SECONDS"] = "3"
                    command = [source.with_suffix(""), str(number)]
                    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100)
                    self.assertEqual(done.returncode, FINDINGS, done.stderr)
                    self.assertIn(cause, done.stderr)
                    self.assertNotIn(not_said, done.stderr)


if __name__ == "__main__":
    unittest.main()
