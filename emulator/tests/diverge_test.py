"""EMULATOR_DIVERGE and EMULATOR_REFUSE_LAUNCHES: what programs count on, and CUDA does not promise."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
SOURCE = r"""
#include <cooperative_groups.h>

#include <cstdio>

// Counts each lane once, whoever is there.
__global__ void count_together(int* counters) {
    const auto lanes = cooperative_groups::coalesced_threads();
    if (lanes.thread_rank() == 0) atomicAdd(&counters[0], static_cast<int>(lanes.size()));
    if (lanes.thread_rank() == 0) atomicAdd(&counters[1], 1);
}

// Right only if all lanes of a warp are there.
__global__ void count_a_warp(int* counter) {
    const unsigned lanes = __ballot_sync(__activemask(), true);
    if (threadIdx.x % 32 == 0) atomicAdd(counter, __popc(lanes));
}

int main() {
    int *counters, counts[3];
    cudaMalloc(&counters, sizeof counts);
    cudaMemset(counters, 0, sizeof counts);
    count_together<<<2, 64>>>(counters);
    count_a_warp<<<2, 64>>>(counters + 2);
    const cudaError_t error = cudaGetLastError();
    cudaMemcpy(counts, counters, sizeof counts, cudaMemcpyDeviceToHost);
    std::printf("%s %d %d %d\n", cudaGetErrorName(error), counts[0], counts[1], counts[2]);
}
"""


class Diverge(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        source = Path(cls.folder.name, "lanes.cu")
        source.write_text(SOURCE)
        subprocess.run([NVCC, "--check", "-o", source.with_suffix(""), source], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def said(self, **settings: str) -> list[str]:
        """The launches' error; the lanes of four warps, their groups, and what the lanes 0 of the warps have seen."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
        command = [Path(self.folder.name, "lanes")]
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment | settings, check=True, timeout=100
        )
        return done.stdout.split()

    def test_lanes_run_together_without_it(self) -> None:
        self.assertEqual(self.said(), ["cudaSuccess", "128", "4", "128"])
        self.assertEqual(self.said(EMULATOR_DIVERGE=""), ["cudaSuccess", "128", "4", "128"])

    def test_only_some_lanes_are_found(self) -> None:
        for seed in ("0", "1", "17"):
            error, lanes, groups, seen = self.said(EMULATOR_DIVERGE=seed)
            self.assertEqual((error, lanes), ("cudaSuccess", "128"))
            self.assertGreater(int(groups), 4)
            self.assertLess(int(seen), 128)

    def test_a_seed_repeats_it(self) -> None:
        self.assertEqual(self.said(EMULATOR_DIVERGE="5"), self.said(EMULATOR_DIVERGE="5"))

    def test_launches_are_refused(self) -> None:
        self.assertEqual(self.said(EMULATOR_REFUSE_LAUNCHES="1"), ["cudaErrorLaunchOutOfResources", "0", "0", "0"])


if __name__ == "__main__":
    unittest.main()
