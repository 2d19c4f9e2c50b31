"""What the environment tells the emulator: the table of docs/environment.md is that of settings.h, and nonsense is told of.

    python3 emulator/tests/settings_test.py
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

EMULATOR = Path(__file__).resolve().parents[1]
SOURCE = r"""
#include <cstdio>

__global__ void kernel(int* x) { *x = 7; }

__global__ void twice(int* x) { *x *= 2; }

// Two captured streams; the second waits for the first one's kernel only if `joined`.
int graph(bool joined) {
    int got = 0, *x;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event);
    kernel<<<1, 1, 0, a>>>(x);
    if (joined) {
        cudaEventRecord(event, a);
        cudaStreamWaitEvent(b, event);
    }
    twice<<<1, 1, 0, b>>>(x);
    cudaEventRecord(event, b);
    cudaStreamWaitEvent(a, event);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, a);
    cudaStreamSynchronize(a);
    cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost);
    return got;
}

int main(int count, char**) {
    if (count > 1) {
        std::printf("%d %d\n", graph(true), graph(false));
        return 0;
    }
    int n = -1, got = 0, *x;
    cudaGetDeviceCount(&n);
    if (n > 0) {
        cudaMalloc(&x, sizeof *x);
        kernel<<<1, 1>>>(x);
        cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost);
        cudaEvent_t event;
        cudaEventCreate(&event);
        cudaEventRecord(event);
        cudaEventQuery(event);
        cudaEventDestroy(event);
        cudaFree(x);
    }
    std::printf("%d %d %s\n", n, got, cudaGetErrorName(cudaGetLastError()));
}
"""


def settings() -> list[tuple[str, str, str, str]]:
    """Of each variable: its name, its value, what holds without it, and what it is for."""
    header = (EMULATOR / "src" / "settings.h").read_text()
    values = dict(re.findall(r'struct (\w+) : Setting \{.*?values = "([^"]*)"', header, re.DOTALL))
    rows = re.findall(r'inline constexpr (\w+) \w+\{+"(\w+)", "([^"]*)",\s*"([^"]*)"', header)
    return [(name, values[kind], otherwise, meaning) for kind, name, otherwise, meaning in rows]


class Table(unittest.TestCase):
    def test_page_has_the_same_table(self) -> None:
        section = (EMULATOR / "docs" / "environment.md").read_text().partition("\n## ")[0]
        lines = [line for line in section.replace("`", "").splitlines() if re.match(r"\| [A-Z]", line)]
        table = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
        self.assertGreater(len(table), 10)
        self.assertEqual(table, settings())

    def test_nothing_else_reads_the_environment(self) -> None:
        reading = [path.name for path in (EMULATOR / "src").rglob("*") if path.is_file() and "getenv" in path.read_text()]
        self.assertEqual(reading, ["settings.h"])


class Nonsense(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        source = Path(cls.folder.name, "program.cu")
        source.write_text(SOURCE)
        subprocess.run([EMULATOR / "nvcc_cpu", "-o", source.with_suffix(""), source], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def said(self, *arguments: str, **variables: str) -> tuple[str, str]:
        """On standard output and standard error."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
        command = [Path(self.folder.name, "program"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment | variables, check=True, timeout=100)
        return done.stdout, done.stderr

    def test_nonsense_is_told_of_and_ignored(self) -> None:
        for name, value, legal in (
            ("EMULATOR_SHUFFLE", "abc", "a whole number"),
            ("EMULATOR_SHUFFLE", "1.5", "a whole number"),
            ("EMULATOR_SHUFFLE", "-1", "a whole number"),
            ("EMULATOR_SHUFFLE", "99999999999999999999", "a whole number"),
            ("EMULATOR_TIMEOUT", "5s", "seconds"),
            ("EMULATOR_TIMEOUT", "-1", "seconds"),
            ("EMULATOR_TIMEOUT", "nan", "seconds"),
            ("EMULATOR_SPIN_SECONDS", "twenty", "seconds"),
            ("EMULATOR_POISON", "yes", "1"),
            ("EMULATOR_NOT_READY", "2", "1"),
            ("EMULATOR_DEVICES", "9", "0 to 8"),
            ("EMULATOR_DEVICES", "-1", "0 to 8"),
            ("EMULATOR_DEVICES", "none", "0 to 8"),
            ("CUDA_LAUNCH_BLOCKING", "on", "1"),
        ):
            with self.subTest(name=name, value=value):
                out, err = self.said(**{name: value})
                self.assertEqual(err, f"emulator: {name}={value} is ignored: its value is {legal}\n")
                self.assertEqual(out, "1 7 cudaSuccess\n")

    def test_what_makes_sense_is_silent(self) -> None:
        for name, values in (
            ("EMULATOR_SHUFFLE", ("", "0", "1", "18446744073709551615")),
            ("EMULATOR_TIMEOUT", ("", "0", "50", "2.5e1", "inf")),
            ("EMULATOR_SPIN_SECONDS", ("", "3", "0.5")),
            ("EMULATOR_POISON", ("", "0", "1")),
            ("EMULATOR_NEAR_MISSES", ("", "go-on")),
            ("EMULATOR_DEVICES", ("", "1")),
            ("CUDA_LAUNCH_BLOCKING", ("", "0", "1")),
        ):
            for value in values:
                # A shuffle leaves the recording of the event in its stream.
                error = "cudaErrorNotReady" if name == "EMULATOR_SHUFFLE" and value else "cudaSuccess"
                with self.subTest(name=name, value=value):
                    self.assertEqual(self.said(**{name: value}), (f"1 7 {error}\n", ""))

    def test_they_do_what_they_say(self) -> None:
        self.assertEqual(self.said(EMULATOR_DEVICES="0"), ("0 0 cudaErrorNoDevice\n", ""))
        self.assertEqual(self.said(EMULATOR_DEVICES="8"), ("8 7 cudaSuccess\n", ""))
        self.assertEqual(self.said(EMULATOR_NOT_READY="1"), ("1 7 cudaErrorNotReady\n", ""))

    def test_a_shuffle_of_a_graph(self) -> None:
        """The nodes run in another order where the edges allow one."""
        self.assertEqual(self.said("graph"), ("14 14\n", ""))
        shuffled = {self.said("graph", EMULATOR_SHUFFLE=str(seed))[0] for seed in range(16)}
        self.assertEqual(shuffled, {"14 14\n", "14 7\n"})


if __name__ == "__main__":
    unittest.main()
