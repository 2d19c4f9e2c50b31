"""What the Tab key completes after ./lab, in the shells that are there."""

import os
import shlex
import shutil
import subprocess
import unittest

from support import FakeRepository
from building import toolkit
from commands import completion
from shared.console import Failure

# What a shell does at a Tab, as argcomplete's own tests do it.
TABS = {
    "bash": "COMP_LINE={line} COMP_POINT={length}; _python_argcomplete_{ask}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
    "zsh": """is-at-least() {{ true }}; _describe() {{ print -l ${{(P)2}} }}
        BUFFER={line} CURSOR={length} words=(./lab); _python_argcomplete_{ask}""",
    "fish": "complete --do-complete {line}",
}


def setUpModule() -> None:
    try:
        completion.library(may_install=os.environ.get("CI") == "true")
    except Failure as failure:
        raise unittest.SkipTest(str(failure)) from failure


class Completion(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        for name in ("1_cpu.cpp", "2_one_thread.cu", "10_best.cu"):
            self.write(f"03_vector_add/{name}", "")
        for name in ("1_guard", "2_coalesced"):
            self.write(f"03_vector_add/exercises/{name}/task.md", "")
        new = self.temporary / "it's ein Kurs für alle, and LAB"
        self.root.rename(new)
        self.root = new
        self.env |= {"XDG_CACHE_HOME": str(toolkit.cache().parent), "LC_ALL": "C.UTF-8"}
        self.scripts: dict[str, str] = {}
        self.command("lab", "#!/bin/sh\necho another program >&8\n")

    def tab(self, line: str, shell: str = "bash") -> list[str]:
        tab = TABS[shell].format(line=shlex.quote(line), length=len(line), ask=completion.ASK)
        if shell not in self.scripts:
            self.scripts[shell] = "compdef() { }\n" * (shell == "zsh") + self.runs("completion", shell).stdout
        program = f"{self.scripts[shell]}\n{tab}\n"
        asked = subprocess.run([shell], input=program, cwd=self.root, env=self.env, capture_output=True, text=True)
        self.assertEqual(asked.stderr, "")
        return [word.strip() for word in asked.stdout.splitlines() if word]

    def test_bash(self) -> None:
        chapters, stages = ["01_hello", "03_vector_add"], ["1_cpu", "2_one_thread", "10_best"]
        for line, expected in {
            "lab ru": ["run"],
            "./lab he": ["help"],
            "./lab help w": ["watch"],
            "./lab run ": chapters,
            "./lab run --cpu 01_hello ": ["03_vector_add"],
            "./lab run --cuda --c": [],
            "./lab run --c": ["--cuda", "--cpu"],
            "./lab run 3 -- --stage ": stages,
            "./lab run 3 -- CMakeL": ["CMakeLists.txt"],
            "./lab test 3 e": ["emulator"],
            "./lab test --preset=a": ["asan"],
            "./lab check --json f vector_add 2": ["2_one_thread"],
            "./lab check nonsense ": [],
            "./lab watch 3": ["3.1", "3.2"],
            "./lab exercise 3.1 3": ["3.2"],
            "./lab count --json CMakeL": ["CMakeLists.txt"],
            "./lab clean ": [],
        }.items():
            with self.subTest(line):
                self.assertEqual(self.tab(line), expected)

    @unittest.skipUnless(shutil.which("zsh"), "skipped: there is no zsh")
    def test_zsh(self) -> None:
        self.assertEqual(self.tab("./lab ru", "zsh"), ["run:build the chapters and run their programs"])
        self.assertEqual(self.tab("./lab exercise 3.1 3", "zsh"), ["3.2:coalesced"])

    @unittest.skipUnless(shutil.which("fish"), "skipped: there is no fish")
    def test_fish(self) -> None:
        self.assertEqual(self.tab("./lab ru", "fish"), ["run\tbuild the chapters and run their programs"])
        self.assertEqual(self.tab("./lab test --preset=a", "fish"), ["--preset=asan"])

    def test_what_is_refused(self) -> None:
        for words in ((), ("tcsh",), ("bash", "x")):
            self.refused(2, "", "completion", *words)
        self.refused(4, f"missing: {completion.PACKAGE}", "completion", "bash", "--no-install", XDG_CACHE_HOME="/nowhere")
