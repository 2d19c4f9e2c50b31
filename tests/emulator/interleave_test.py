"""EMULATOR_INTERLEAVE: threads get in each other's way at their atomic operations and accesses through volatile."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[2] / "emulator" / "nvcc_cpu"
SOURCE = r"""
#include <cstdio>

__global__ void count_once(unsigned* counter) {
    const unsigned seen = *counter;
    atomicCAS(counter, seen, seen + 1);
}

__global__ void count_in_a_loop(unsigned* counter) {
    unsigned seen = *counter;
    for (;;) {
        const unsigned found = atomicCAS(counter, seen, seen + 1);
        if (found == seen) return;
        seen = found;
    }
}

// One thread of each block, and no other that could come between.
__global__ void add_in_two_steps(unsigned* counter) {
    const unsigned seen = *counter;
    atomicExch(counter, seen + 1);
}

__global__ void add_through_volatile(volatile unsigned* counter) {
    *counter = *counter + 1;
}

// saw_more: 1 if another thread has counted between a thread's two steps.
__global__ void count_and_look(unsigned* counter, unsigned* saw_more) {
    atomicAdd(counter, 1);
    if (*static_cast<volatile unsigned*>(counter) != threadIdx.x + 1) *saw_more = 1;
}

int main() {
    unsigned *counters, counts[6];
    cudaMalloc(&counters, sizeof counts);
    cudaMemset(counters, 0, sizeof counts);
    count_once<<<2, 128>>>(counters);
    count_in_a_loop<<<2, 128>>>(counters + 1);
    add_in_two_steps<<<64, 1>>>(counters + 2);
    count_and_look<<<1, 128>>>(counters + 3, counters + 4);
    add_through_volatile<<<64, 1>>>(counters + 5);
    cudaMemcpy(counts, counters, sizeof counts, cudaMemcpyDeviceToHost);
    std::printf("%u %u %u %u %u\n", counts[0], counts[1], counts[2], counts[4], counts[5]);
}
"""


class Interleave(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        source = Path(cls.folder.name, "count.cu")
        source.write_text(SOURCE)
        subprocess.run([NVCC, "--check", "-o", source.with_suffix(""), source], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def counts(self, seed: str | None) -> list[int]:
        """What 256 threads count that try once, those that try until they get through, and 64 blocks of one thread; whether
        somebody came between counting and looking; and what 64 blocks count through volatile."""
        environment = {name: value for name, value in os.environ.items() if name != "EMULATOR_INTERLEAVE"}
        if seed is not None:
            environment["EMULATOR_INTERLEAVE"] = seed
        command = [Path(self.folder.name, "count")]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=100)
        return [int(word) for word in done.stdout.split()]

    def test_threads_run_one_after_the_other_without_it(self) -> None:
        self.assertEqual(self.counts(None), [256, 256, 64, 0, 64])
        self.assertEqual(self.counts(""), [256, 256, 64, 0, 64])

    def test_what_was_read_may_be_out_of_date(self) -> None:
        for seed in ("0", "1", "17"):
            once, in_a_loop, of_blocks, came_between, through_volatile = self.counts(seed)
            self.assertEqual(in_a_loop, 256)
            self.assertLess(once, 200)
            self.assertGreater(once, 0)
            self.assertLess(of_blocks, 64)
            self.assertLess(through_volatile, 64)
            self.assertEqual(came_between, 1)

    def test_a_seed_repeats_it(self) -> None:
        self.assertEqual(self.counts("5"), self.counts("5"))


if __name__ == "__main__":
    unittest.main()
