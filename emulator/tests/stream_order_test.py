"""EMULATOR_SHUFFLE and streams: a program that forgets to wait gives other values, and a correct one the same.

The programs of broken/ are compiled without the checks, which would keep the order of the program.

    python3 emulator/tests/stream_order_test.py
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import broken_test

SEEDS = range(16)

# Their values do not depend on the order, whatever it is; or launches that overlap on a GPU (dependency_not_awaited and its
# like), or two default streams, which keep their order here where there are several devices; or memory is used behind a free
# that comes first in each order.
ALWAYS_THE_SAME = {"answer_of_a_query_thrown_away", "columns_overlap", "constants_beside_the_kernel", "default_streams_of_two_devices", "dependency_not_awaited",
                   "halo_sent_early", "allocated_in_another_stream", "kernel_between_that_does_not_wait",
                   "triggered_before_the_wait", "used_behind_the_free"}

# With a seed a kernel runs to its end before what other streams have to do: it cannot wait for that.
WAITS_FOR_OTHER_STREAMS = {"flags_that_copies_raise"}

# What the runtime promises of work that waits, and how a program may see it.
PROMISES = r"""
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#define CHECK(call) if (const cudaError_t e = (call)) return std::printf("%s: %s\n", #call, cudaGetErrorName(e)), 1

__global__ void add(int* x, int y) { *x += y; }
__global__ void store_in_host(volatile int* x) { *x = 5; }
__global__ void fail(int* x) { x[1 << 28] = 1; }

int pageable() {
    std::vector<int> from{1, 2, 3}, to(3);
    int* x;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&x, 12));
    CHECK(cudaMemcpyAsync(x, from.data(), 12, cudaMemcpyHostToDevice, s));
    from = {0, 0, 0};
    add<<<1, 1, 0, s>>>(x, 10);
    CHECK(cudaMemcpyAsync(to.data(), x, 12, cudaMemcpyDeviceToHost, s));
    std::printf("%d %d %d\n", to[0], to[1], to[2]);
    return 0;
}

// Nothing but the memory says that the kernel, and then the function, has been there.
int looks() {
    int *pinned, value = 3;
    CHECK(cudaMallocHost(&pinned, 4));
    *pinned = 0;
    store_in_host<<<1, 1>>>(pinned);
    while (*static_cast<volatile int*>(pinned) == 0) std::this_thread::yield();
    std::atomic<int> told = 0;
    CHECK(cudaLaunchHostFunc(0, [](void* to) { *static_cast<std::atomic<int>*>(to) = 7; }, &told));
    while (told == 0) std::this_thread::yield();
    std::printf("%d %d %d\n", *pinned, told.load(), value);
    return 0;
}

// Asks until the device is there.
int asks() {
    int* x;
    cudaStream_t s;
    cudaEvent_t begin, end;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaMalloc(&x, 4));
    CHECK(cudaMemset(x, 0, 4));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin, s));
    for (int i = 0; i < 40; ++i) add<<<1, 1, 0, s>>>(x, i);
    CHECK(cudaEventRecord(end, s));
    cudaError_t e;
    while ((e = cudaEventQuery(end)) == cudaErrorNotReady) {}
    CHECK(e);
    while ((e = cudaStreamQuery(s)) == cudaErrorNotReady) {}
    CHECK(e);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    int got = 0;
    CHECK(cudaMemcpyAsync(&got, x, 4, cudaMemcpyDefault, s));
    CHECK(cudaFreeAsync(x, s));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    std::printf("%d %d\n", got, ms >= 0);
    return 0;
}

// An executable graph is changed, and destroyed, while its launches wait.
int graphs() {
    int *x, one = 1, hundred = 100;
    CHECK(cudaMallocManaged(&x, 4));
    *x = 0;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    void* arguments[] = {&x, &one};
    cudaKernelNodeParams p{};
    p.func = reinterpret_cast<void*>(add);
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = arguments;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    cudaStream_t s[2];
    for (auto& each : s) CHECK(cudaStreamCreate(&each));
    CHECK(cudaGraphLaunch(exec, s[0]));
    arguments[1] = &hundred;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &p));
    CHECK(cudaGraphLaunch(exec, s[1]));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaStreamSynchronize(s[1]));  // behind the launch in the other stream
    std::printf("%d\n", *x);
    return 0;
}

// The error of a kernel is met by the call that waits; a callback is told.
int errors() {
    int* x;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&x, 4));
    fail<<<1, 1, 0, s>>>(x);
    static cudaError_t told = cudaSuccess;
    const cudaError_t added = cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t e, void*) { told = e; }, nullptr, 0);
    const cudaError_t met = cudaStreamSynchronize(s);
    std::printf("%d %s\n", added == cudaSuccess ? told == met : told == cudaSuccess && added == met, cudaGetErrorName(met));
    return 0;
}

// The host waits for its first kernel and not for its second one; an event is no loss.
int leaves(bool only_an_event) {
    int* x;
    cudaEvent_t event;
    CHECK(cudaMalloc(&x, 4));
    CHECK(cudaEventCreate(&event));
    add<<<1, 1>>>(x, 1);
    CHECK(cudaDeviceSynchronize());
    if (!only_an_event) add<<<1, 1>>>(x, 2);
    CHECK(cudaEventRecord(event));
    return 0;
}

int main(int, char** argv) {
    const char* what = argv[1];
    if (!std::strncmp(what, "leaves", 6)) return leaves(!std::strcmp(what, "leaves an event"));
    return !std::strcmp(what, "pageable") ? pageable() : !std::strcmp(what, "looks") ? looks()
        : !std::strcmp(what, "asks") ? asks() : !std::strcmp(what, "graphs") ? graphs() : errors();
}
"""
PROMISED = {"pageable": "11 2 3\n", "looks": "5 7 3\n", "asks": "780 1\n", "graphs": "101\n",
            "errors": "1 cudaErrorIllegalAddress\n"}


class Streams(unittest.TestCase):
    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        uses_streams = ("cudaStream_t", "Async(", "cudaEvent_t", "cudaSetDevice")
        cls.programs = [each for each in broken_test.all_programs() if each.folder == "streams" or (
            each.folder == "correct" and any(word in line for word in uses_streams for line in each.lines))]
        cls.compile("right", broken_test.bundle(cls.programs))
        cls.compile("broken", broken_test.bundle([each for each in cls.programs if each.is_broken]), "-DBROKEN")
        cls.compile("promises", PROMISES)

    @classmethod
    def compile(cls, name: str, source: str, *options: str) -> None:
        file = cls.folder / f"{name}.cu"
        file.write_text(source)
        subprocess.run([broken_test.NVCC, "-std=c++20", *options, file, "-o", file.with_suffix("")], check=True)

    def run_with(self, form: str, name: str, devices: int = 1, seed: int | None = None) -> subprocess.CompletedProcess[str]:
        environment = {each: value for each, value in os.environ.items() if not each.startswith("EMULATOR_")}
        environment["EMULATOR_DEVICES"] = str(devices)
        if seed is not None:
            environment["EMULATOR_SHUFFLE"] = str(seed)
        return subprocess.run([self.folder / form, name], capture_output=True, text=True, env=environment, timeout=100, check=False)

    def said(self, form: str, name: str, devices: int = 1, seed: int | None = None) -> tuple[int, str]:
        done = self.run_with(form, name, devices, seed)
        return done.returncode, done.stdout

    def test_correct_programs_give_the_same(self) -> None:
        self.assertGreater(len(self.programs), 25)
        for each in self.programs:
            for seed in (None, *(SEEDS[:6] if each.name not in WAITS_FOR_OTHER_STREAMS else ())):
                with self.subTest(program=str(each), seed=seed):
                    self.assertEqual(self.said("right", each.name, each.devices, seed)[0], 0)

    def test_broken_programs_give_something_else(self) -> None:
        for each in self.programs:
            if each.is_broken:
                with self.subTest(program=str(each)):
                    plain = self.said("broken", each.name, each.devices)
                    others = {self.said("broken", each.name, each.devices, seed) for seed in SEEDS}
                    self.assertEqual(others == {plain}, each.name in ALWAYS_THE_SAME, others)

    def test_a_seed_repeats_the_order(self) -> None:
        for seed in SEEDS:
            with self.subTest(seed=seed):
                runs = {self.said("broken", "kernel_beside_kernel", seed=seed) for _ in range(3)}
                self.assertEqual(len(runs), 1)

    def test_what_the_runtime_promises(self) -> None:
        for name, expected in PROMISED.items():
            for seed in (None, *SEEDS):
                with self.subTest(name=name, seed=seed):
                    self.assertEqual(self.said("promises", name, seed=seed), (0, expected))

    def test_work_that_is_left_at_the_end_is_told(self) -> None:
        for name, seeds, expected in (("leaves", SEEDS, True), ("leaves", (None,), False), ("leaves an event", SEEDS, False)):
            with self.subTest(name=name, seeds=seeds):
                ends = [self.run_with("promises", name, seed=seed).stderr for seed in seeds]
                self.assertEqual(any("the program ended before all that it had given to streams" in end for end in ends), expected)


if __name__ == "__main__":
    unittest.main()
