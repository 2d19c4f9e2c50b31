"""Threads get in each other's way at their atomic operations and accesses through volatile: in launches that have
atomicCAS(), and with EMULATOR_INTERLEAVE in all."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
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
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=100)
        return [int(word) for word in done.stdout.split()]

    def test_threads_run_one_after_the_other(self) -> None:
        self.assertEqual(self.counts(""), [256, 256, 64, 0, 64])

    def test_what_atomic_cas_and_exch_go_by_may_be_out_of_date_without_it(self) -> None:
        once, in_a_loop, of_blocks, *others = self.counts(None)
        self.assertLess(once, 200)
        self.assertLess(of_blocks, 64)
        self.assertEqual([in_a_loop, *others], [256, 0, 64])

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
        """Where a block has other threads to go on with: how long blocks of one thread wait depends on the machine."""
        in_blocks_of_many = [0, 1, 3]
        first, second = self.counts("5"), self.counts("5")
        self.assertEqual([first[i] for i in in_blocks_of_many], [second[i] for i in in_blocks_of_many])


# A stack of nodes that are used, written to and given back. `tagged`: its head also counts what is taken, so that a head
# that has come back is not taken for one that never changed (ABA).
STACK = r"""
#include <cstdlib>

struct Node {
    volatile unsigned next;
    unsigned uses;
};
using Head = unsigned long long;
constexpr unsigned nodes = 64, none = nodes;

__device__ Head successor(Head head, unsigned node, bool tagged) {
    return (tagged ? (head >> 32) + 1 : 0) << 32 | node;
}

__global__ void use(Head* head, Node* node, bool tagged) {
    for (int round = 0; round < 4; ++round) {
        Head seen = atomicAdd(head, 0);
        unsigned taken = none;
        while ((taken = static_cast<unsigned>(seen)) != none) {
            const Head found = atomicCAS(head, seen, successor(seen, node[taken].next, tagged));
            if (found == seen) break;
            seen = found;
        }
        if (taken == none) continue;
        __threadfence();
        node[taken].uses += 1;
        seen = atomicAdd(head, 0);
        for (;;) {
            node[taken].next = static_cast<unsigned>(seen);
            __threadfence();
            const Head found = atomicCAS(head, seen, successor(seen, taken, tagged));
            if (found == seen) break;
            seen = found;
        }
    }
}

int main(int, char** arguments) {
    Head* head;
    Node* node;
    cudaMalloc(&head, sizeof(Head));
    cudaMalloc(&node, nodes * sizeof(Node));
    cudaMemset(head, 0, sizeof(Head));
    Node first[nodes] = {};
    for (unsigned i = 0; i < nodes; ++i) first[i].next = i + 1;
    cudaMemcpy(node, first, sizeof first, cudaMemcpyHostToDevice);
    use<<<2, 64>>>(head, node, std::atoi(arguments[1]) != 0);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class AbaProblem(unittest.TestCase):
    def test_it_is_found_and_the_order_is_said(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "stack.cu")
            source.write_text(STACK)
            subprocess.run([NVCC, "--check", "-o", source.with_suffix(""), source], check=True)

            def said(tagged: int, seed: str | None) -> str:
                environment = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
                environment |= {} if seed is None else {"EMULATOR_INTERLEAVE": seed}
                command = [source.with_suffix(""), str(tagged)]
                done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=100)
                return done.stderr

            found = said(0, None)
            self.assertIn("race in kernel void use", found)
            self.assertIn("note: at atomic operations the threads took turns, in the order of the default seed", found)
            self.assertIn("nothing found", said(0, ""))
            of_seeds = {seed: said(0, seed) for seed in "123456"}
            self.assertTrue(any("race" in text for text in of_seeds.values()))
            for seed, text in of_seeds.items():
                self.assertEqual(f"in the order of EMULATOR_INTERLEAVE={seed}" in text, "race" in text)
            for setting in (None, "", "1", "2", "3"):
                self.assertIn("nothing found", said(1, setting))


if __name__ == "__main__":
    unittest.main()
