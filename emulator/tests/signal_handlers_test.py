"""Programs with a handler of their own for segmentation faults: it is called, and in the end the program ends as it would."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
SOURCE = r"""
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>

__global__ void store(int* p) { p[threadIdx.x] = 100 / (p[threadIdx.x] + 1); }

static std::string handler, when, what;
static struct sigaction old;
static void (*old_of_signal)(int);
static sigjmp_buf back;
static int calls, *p;

static void say(const char* text) {
    if (write(STDOUT_FILENO, text, std::strlen(text)) < 0 || ++calls > 20) _exit(7);
}

static void with_information(int number, siginfo_t* information, void* context) {
    say("mine ");
    if (handler == "jump") siglongjmp(back, 1);
    if (handler == "restore") {
        sigaction(number, &old, nullptr);
    } else if (old.sa_flags & SA_SIGINFO) {
        old.sa_sigaction(number, information, context);
    } else {
        std::signal(number, SIG_DFL);
    }
}

static void with_number(int number) {
    say("mine ");
    volatile char frame[3000];
    std::memset(const_cast<char*>(frame), 1, sizeof frame);
    if (old_of_signal == SIG_DFL) std::signal(number, SIG_DFL); else old_of_signal(number);
}

static void install() {
    const int number = what == "divide" ? SIGFPE : SIGSEGV;
    if (handler == "none") return;
    if (handler == "signal") {
        old_of_signal = std::signal(number, with_number);
        return;
    }
    struct sigaction action = {};
    action.sa_sigaction = with_information;
    action.sa_flags = SA_SIGINFO;
    if (handler == "stack") {
        stack_t stack = {};
        stack.ss_size = 1 << 16;
        stack.ss_sp = std::malloc(stack.ss_size);
        sigaltstack(&stack, nullptr);
        action.sa_flags |= SA_ONSTACK;
    }
    sigaction(number, &action, &old);
}

static void launch() {
    store<<<2, 32>>>(p);
    say(cudaDeviceSynchronize() == cudaSuccess ? "launched " : "failed ");
}

static void go_wrong() {
    if (sigsetjmp(back, 1) != 0) return say("back ");
    volatile int zero = 0;
    volatile int* volatile null = nullptr;
    if (what == "null") *null = 1;
    if (what == "device") *static_cast<volatile int*>(p) = 1;
    if (what == "divide") zero = 100 / zero;
    if (what == "kill") kill(getpid(), SIGSEGV), usleep(100000);
}

int main(int, char** words) {
    handler = words[1], when = words[2], what = words[3];
    alarm(30);
    if (when == "first") install();
    cudaMalloc(&p, 128);
    cudaMemset(p, 0xff, 128);  // kernels divide by zero
    launch();
    if (when != "first") install();
    if (when != "last") launch();
    if (when == "thread") std::thread(go_wrong).join(); else go_wrong();
    launch();
}
"""


class SignalHandlers(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        source = Path(cls.folder.name, "handlers.cu")
        source.write_text(SOURCE)
        for form, option in (("plain", "-O2"), ("checked", "--check")):
            subprocess.run([NVCC, option, "-o", source.with_name(form), source], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def run_it(self, *words: str, form: str = "plain") -> subprocess.CompletedProcess[str]:
        return subprocess.run([Path(self.folder.name, form), *words], capture_output=True, text=True, check=False,
                              timeout=100)

    def test_the_program_ends_by_the_signal(self) -> None:
        number = {"divide": signal.SIGFPE}
        for handler in ("chain", "restore", "signal", "stack"):
            for when in ("first", "between", "last", "thread"):
                for what in ("null", "device") + ("divide",) * (os.uname().machine == "x86_64"):
                    with self.subTest(handler=handler, when=when, what=what):
                        done = self.run_it(handler, when, what)
                        self.assertEqual(done.stdout.count("mine "), 1, done.stdout + done.stderr)
                        self.assertEqual(done.returncode, -number.get(what, signal.SIGSEGV), done.stdout + done.stderr)
                        self.assertNotIn("failed", done.stdout)
                        self.assertEqual("host code touched device memory" in done.stderr, what == "device", done.stderr)
                        self.assertNotIn("lock", done.stderr)

    def test_a_signal_that_was_sent_is_not_lost(self) -> None:
        self.assertEqual(self.run_it("none", "first", "kill").returncode, -signal.SIGSEGV)
        for when in ("first", "between", "last", "thread"):
            with self.subTest(when=when):
                self.assertEqual(self.run_it("chain", when, "kill").stdout.count("mine "), 1)

    def test_a_handler_that_jumps_out_goes_on(self) -> None:
        for when in ("first", "between", "last", "thread"):
            for what in ("null", "device"):
                for form in ("plain", "checked"):
                    with self.subTest(when=when, what=what, form=form):
                        done = self.run_it("jump", when, what, form=form)
                        self.assertTrue(done.stdout.endswith("mine back launched "), done.stdout + done.stderr)

    def test_in_the_checked_build(self) -> None:
        for handler in ("chain", "signal"):
            for when in ("first", "between", "last"):
                with self.subTest(handler=handler, when=when):
                    done = self.run_it(handler, when, "device", form="checked")
                    self.assertEqual(done.returncode, -signal.SIGSEGV)
                    self.assertIn("emulator: host-touches-device in host code", done.stderr)


if __name__ == "__main__":
    unittest.main()
