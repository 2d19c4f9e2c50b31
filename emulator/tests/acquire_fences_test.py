"""EMULATOR_ACQUIRE_FENCES: an atomic operation is an acquire only once a fence has followed it."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
# The last block to come reads what the others have written. `where`: of the reader's fence; 0: it has none, 1: before the
# number is drawn, 2: behind it, 3: in the thread that draws, before a barrier, 4: behind the barrier, in the thread that
# reads, 5: behind it, but for the block only.
SOURCE = r"""
#include <cstdlib>

__global__ void add_up(unsigned* values, unsigned* arrived, unsigned* sum, int where) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        values[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        if (where == 1) __threadfence();
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
        if (where == 2 || where == 3) __threadfence();
        if (where == 5) __threadfence_block();
    }
    if (where >= 3 && where <= 4) __syncthreads();
    if (threadIdx.x != (where == 3 || where == 4 ? 1 : 0) || !last) return;
    if (where == 4) __threadfence();
    unsigned total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += values[block];
    *sum = total;
}

// A lock that each thread takes, and frees by an atomic operation (0), through volatile (1) or by a plain store (2).
__global__ void take_turns(int* lock, int* turns, int how) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) != 0) continue;
        __threadfence();
        ++*turns;
        __threadfence();
        if (how == 0) atomicExch(lock, 0);
        if (how == 1) *static_cast<volatile int*>(lock) = 0;
        if (how == 2) *lock = 0;
        done = true;
    }
}

// The same with fences of the block's scope on one side or both. `how`: 0: both, 1: where it is taken, 2: where it is
// freed, 3: both, and the atomic operations are of that scope, too.
__global__ void take_turns_in_block(int* lock, int* turns, int how) {
    while ((how == 3 ? atomicCAS_block(lock, 0, 1) : atomicCAS(lock, 0, 1)) != 0) continue;
    if (how == 2)
        __threadfence();
    else
        __threadfence_block();
    ++*turns;
    if (how == 1)
        __threadfence();
    else
        __threadfence_block();
    if (how == 3)
        atomicExch_block(lock, 0);
    else
        atomicExch(lock, 0);
}

int main(int count, char** arguments) {
    unsigned* words;
    cudaMalloc(&words, 18 * sizeof(unsigned));
    cudaMemset(words, 0, 18 * sizeof(unsigned));
    if (count == 2)
        add_up<<<16, 64>>>(words, words + 16, words + 17, std::atoi(arguments[1]));
    else if (count == 4)
        take_turns_in_block<<<std::atoi(arguments[3]), 64>>>(reinterpret_cast<int*>(words),
                                                             reinterpret_cast<int*>(words + 1), std::atoi(arguments[1]));
    else
        take_turns<<<2, 64>>>(reinterpret_cast<int*>(words), reinterpret_cast<int*>(words + 1), std::atoi(arguments[1]));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class AcquireFences(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        source = Path(cls.folder.name, "last.cu")
        source.write_text(SOURCE)
        subprocess.run([NVCC, "--check", "-o", source.with_suffix(""), source], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def said(self, setting: str, *arguments: object) -> str:
        environment = os.environ | {"EMULATOR_ACQUIRE_FENCES": setting}
        command = [Path(self.folder.name, "last"), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=100).stderr

    def races(self, where: int, setting: str) -> bool:
        return "race in kernel void add_up" in self.said(setting, where)

    def test_without_it_the_writers_fence_is_enough(self) -> None:
        for where in range(6):
            self.assertFalse(self.races(where, ""), where)

    def test_with_it_the_reader_needs_one_too(self) -> None:
        for where, races in ((0, True), (1, True), (2, False), (3, False), (4, False), (5, True)):
            self.assertEqual(self.races(where, "1"), races, where)

    def test_a_lock_is_not_freed_by_a_plain_store(self) -> None:
        for setting in ("", "1"):
            for how, races in ((0, False), (1, False), (2, True)):
                said = self.said(setting, how, "lock")
                self.assertEqual("race in kernel void take_turns" in said, races, how)
                self.assertIn(": 1 finding" if races else "nothing found", said)
                self.assertEqual("A plain store orders nothing." in said, races, how)

    def test_fences_of_the_block_order_its_threads(self) -> None:
        for setting in ("", "1"):
            for how in range(4):
                self.assertIn("nothing found", self.said(setting, how, "lock", 1), how)

    def test_fences_of_the_block_do_not_order_blocks(self) -> None:
        too_narrow, of_block = "orders only within a block", "The scope of atomicAdd_block() and its like is the block"
        for setting, how, expected in (("", 0, too_narrow), ("", 2, too_narrow), ("", 3, of_block),
                                       ("1", 0, too_narrow), ("1", 1, too_narrow), ("1", 2, too_narrow), ("1", 3, of_block)):
            said = self.said(setting, how, "lock", 2)
            self.assertIn(expected, said, (setting, how))
            self.assertEqual(set(re.findall(r"of block (\S+) ", said)[:2]), {"(0,0,0)", "(1,0,0)"}, (setting, how))


if __name__ == "__main__":
    unittest.main()
