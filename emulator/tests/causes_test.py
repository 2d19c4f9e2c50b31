"""What the checked build calls the usual cause."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
SOURCE = r"""
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
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

__global__ void pipeline_without_release(const int* x, int* sum) {
    __shared__ int stages[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
    for (int i = 0; i < 3; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&stages[i % 2][threadIdx.x], &x[threadIdx.x], sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum[threadIdx.x] = stages[i % 2][threadIdx.x];
    }
}

__global__ void barrier_of(int n, int leave) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (n > 0 && threadIdx.x == 0) init(&barrier, n);
    __syncthreads();
    if (static_cast<int>(threadIdx.x) >= leave) return;
    barrier.arrive_and_wait();
}

__global__ void count_down() {
    __shared__ char place[sizeof(cuda::latch<cuda::thread_scope_block>)];
    auto* latch = reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(place);
    if (threadIdx.x == 0) new (latch) cuda::latch<cuda::thread_scope_block>(64);
    __syncthreads();
    if (threadIdx.x % 32 == 0) latch->count_down();
    if (threadIdx.x == 63) latch->wait();
}

__global__ void two_roles(int* sum) {
    __shared__ int value;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 7;
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0) {}  // the flag
        *sum = value;
    }
}

__global__ void masks_of_halves(int* sum) {
    const unsigned mask = 0xffffu << threadIdx.x % 32 / 16;
    sum[threadIdx.x] = __shfl_down_sync(mask, threadIdx.x, 1, 16);
}

struct Shape {
    __device__ virtual ~Shape() {}
};
__global__ void delete_by_all() {
    __shared__ Shape* shape;
    if (threadIdx.x == 0) shape = new Shape;
    __syncthreads();
    delete shape;
}

__global__ void __cluster_dims__(2) count_in_cluster() {
    __shared__ int bins[1];
    if (threadIdx.x == 0) bins[0] = 0;
    const auto cluster = cooperative_groups::this_cluster();
    atomicAdd(cluster.map_shared_rank(bins, 1 - cluster.block_rank()), 1);
    cluster.sync();
}

__global__ void too_small() {
    int own[4];
    for (int i = 0; i < 200; ++i) own[i] = i;
    asm volatile("" ::"r"(own[1]));
}

__global__ void dynamic() {
    extern __shared__ int part[];
    part[threadIdx.x] = 1;
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
        case 7:
            cudaMalloc(&x, 64 * sizeof(int));
            cudaMemset(x, 0, 64 * sizeof(int));
            pipeline_without_release<<<1, 64>>>(x, sum);
            return 0;
        case 8:
            barrier_of<<<1, 64>>>(0, 64);
            return 0;
        case 9:
            barrier_of<<<1, 64>>>(64, 32);
            return 0;
        case 10:
            barrier_of<<<1, 64>>>(64, 64);  // right
            barrier_of<<<1, 64>>>(65, 64);
            return 0;
        case 11:
            count_down<<<1, 64>>>();
            return 0;
        case 12:
            two_roles<<<1, 64>>>(sum);
            return 0;
        case 13:
            masks_of_halves<<<1, 64>>>(sum);
            return 0;
        case 14:
            delete_by_all<<<1, 32>>>();
            return 0;
        case 15:
            count_in_cluster<<<2, 64>>>();
            return 0;
        case 16:
            too_small<<<1, 32>>>();
            return 0;
        case 17:
            dynamic<<<1, 32>>>();
            return 0;
        case 18:
            cudaEvent_t done;
            cudaEventCreate(&done);
            cudaSetDevice(1);
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            cudaEventRecord(done, stream);  // on another device
            cudaStreamWaitEvent(stream, done);
            return 0;
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
WAIT, ONE_PLACE, OTHER_PLACE, FLAG, RECORD = (1 + next(i for i, line in enumerate(LINES) if text in line)
                                for text in ("bar.sync", "// one place", "// the other", "// the flag", "// on another"))
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
                (7, "often consumer_release() is missing behind its last use.", "the first wait is for parity"),
                (8, "One thread has to initialise the barrier, init(&barrier, n)", "arrivals are missing"),
                (9, "calls arrive_and_drop(), or stays and arrives in each phase.", "Often some threads never reach"),
                (10, "in which 1 arrival is missing", "arrive_and_drop()"),
                (11, "waits in the wait of a latch whose count is still 62 at causes.cu:", "race"),
                (12, f"has waited for a flag before, at causes.cu:{FLAG}, and a flag alone orders nothing", "__syncthreads()"),
                (13, "is named, and has come there with the mask 0x0000ffff.", "never gets there"),
                (14, "Each thread that comes here deletes it: one of them is to do so", "an element of a list"),
                (15, "if it is the first value, a cluster.sync() is missing.", "in an earlier launch"),
                (16, "checked 1 launch: 1 finding\n", "scheduler.cpp"),
                (17, "The launch has no third argument, the number of bytes: kernel<<<grid, block, bytes>>>(...).", "<="),
                (18, f"cudaEventRecord() at causes.cu:{RECORD} has failed. The event belongs to device 0", "is missing."),
            ):
                with self.subTest(cause):
                    environment = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
                    environment |= {"EMULATOR_SPIN_SECONDS": "3", "EMULATOR_DEVICES": "2"}
                    command = [source.with_suffix(""), str(number)]
                    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100)
                    self.assertEqual(done.returncode, FINDINGS, done.stderr)
                    self.assertIn(cause, done.stderr)
                    self.assertNotIn(not_said, done.stderr)


if __name__ == "__main__":
    unittest.main()
