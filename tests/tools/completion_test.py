"""What the Tab key completes after ./lab, in the shells that are there."""

import json
import shlex
import shutil
import subprocess
import sys
import unittest
from collections.abc import Sequence

from support import FakeRepository
from lab import COMMANDS

# What a shell tells its completion function, for a line of words of which the last one is being typed.
BASH = "COMP_WORDS=({words}); COMP_CWORD={last}; _lab_of_cuda_chapters; echo ${{COMPREPLY[@]}}\n"
ZSH = """\
compdef() {{ }}; _files() {{ print -l *(N) }}; _describe() {{ shift 2; print -l -- ${{(P)1}} }}
eval "$script"; words=({words}); CURRENT={last_from_1}; _lab_of_cuda_chapters
"""
# Many command lines of lab in one process, for the time's sake.
LABS = """\
import json, sys
sys.path.insert(0, "tools")
import lab
for words in json.load(sys.stdin):
    lab.main(words)
    print("\\0", end="")
"""


class Completion(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        for name in ("1_cpu.cpp", "2_one_thread.cu", "10_best.cu"):
            self.write(f"03_vector_add/{name}", "")
        for name in ("1_guard", "2_coalesced"):
            self.write(f"03_vector_add/exercises/{name}/task.md", "")

    def script(self, shell: str) -> str:
        result = self.lab("completion", shell)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def ask(self, command: list[str], text: str = "") -> str:
        result = subprocess.run(command, input=text, cwd=self.root, env=self.env, capture_output=True, encoding="utf-8")
        self.assertEqual(result.stderr, "")
        return result.stdout

    def labs(self, *lines: Sequence[str]) -> list[str]:
        """What lab prints for each of these command lines."""
        return self.ask([sys.executable, "-c", LABS], json.dumps(lines)).split("\0")[:-1]

    def offered(self, *lines: Sequence[str]) -> list[list[str]]:
        """The words that lab offers for the last word of each of these."""
        answers = self.labs(*(["completion", "--words", "--", *line] for line in lines))
        return [[line.partition("\t")[0] for line in answer.splitlines()] for answer in answers]

    def bash(self, *lines: Sequence[str]) -> list[list[str]]:
        """The same from bash's own completion function."""
        calls = [BASH.format(words=shlex.join(["./lab", *words]), last=len(words)) for words in lines]
        answers = self.ask(["bash", "--norc"], "".join([self.script("bash"), *calls]))
        return [answer.split() for answer in answers.split("\n")[:-1]]

    def test_what_the_parsers_take(self) -> None:
        chapters = ["01_hello", "03_vector_add"]
        stages = ["1_cpu", "2_one_thread", "10_best"]
        rows: Sequence[tuple[Sequence[str], Sequence[str]]] = (
            (["ru"], ["run"]),
            (["c"], ["check", "count", "clean", "completion"]),
            (["frobnicate", ""], []),
            (["run", ""], chapters),
            (["run", "01_hello", ""], ["03_vector_add"]),
            (["run", "--cpu", "0"], chapters),
            (["run", "--c"], ["--cuda", "--cpu"]),
            (["run", "--cuda", "--c"], []),
            (["run", "3", "--", "--stage", ""], stages),
            (["test", "3", "e"], ["emulator"]),
            (["test", "--preset", "a"], ["asan"]),
            (["test", "--preset", "=", "a"], ["asan"]),
            (["test", "--preset", "="], ["cpu", "cuda", "asan", "check"]),
            (["test", "--preset=a"], ["--preset=asan"]),
            (["check", "3", ""], stages),
            (["check", "--json", "f", "vector_add", "2"], ["2_one_thread"]),
            (["check", "--json=f", "03", "2"], ["2_one_thread"]),
            (["check", "3", "2", ""], []),
            (["check", "nonsense", ""], []),
            (["watch", "3.1", ""], []),
            (["watch", "3"], ["3.1", "3.2"]),
            (["watch", "01_hello", "--no-"], ["--no-open", "--no-install"]),
            (["exercise", "3."], ["3.1", "3.2"]),
            (["exercise", "--hint", "--s"], []),
            (["clean", ""], []),
            (["completion", "f"], ["fish"]),
            (["completion", "--"], ["--help", "--language", "--"]),
            (["help", "w"], ["watch"]),
            (["help", "run", ""], []),
            (["--v"], ["--version"]),
        )
        for (words, expected), offered in zip(rows, self.offered(*(words for words, _ in rows)), strict=True):
            with self.subTest(words=words):
                self.assertEqual(offered, expected)

    def test_bash(self) -> None:
        lines = (["ru"], ["run", "--cpu", ""], ["check", "3", "1"], ["test", "--preset", "=", "a"], ["clean", ""])
        self.assertEqual(self.bash(*lines), [["run"], ["01_hello", "03_vector_add"], ["1_cpu", "10_best"], ["asan"], []])

    def test_every_command_and_every_option_of_it_is_there(self) -> None:
        commands, *offered = self.offered([""], *([command, "--"] for command in COMMANDS))
        self.assertEqual(commands, [*COMMANDS, "help", "--help", "--version"])
        shown = self.labs(*([command, "--help"] for command in COMMANDS))
        for command, there, text in zip(COMMANDS, offered, shown, strict=True):
            options = [word.strip(",") for word in text.partition("options:")[2].split() if word.startswith("--")]
            self.assertIn("--help", options)
            for option in options:
                self.assertIn(option, there, command)

    def test_a_path_is_the_shell_s_own_business(self) -> None:
        lines = (["count", "--json", ""], ["clean", "--build=x"], ["watch", "my/"], ["exercise", "my"], ["run", "3", "--", ""])
        self.assertEqual(self.offered(*lines), [[":files"]] * len(lines))
        self.assertEqual(self.bash(*lines[:2]), [[], []])

    def test_a_folder_with_an_awkward_name(self) -> None:
        for name in ("it's a folder", 'with "quotes", $HOME and back\\slash, and LAB'):
            new = self.temporary / name
            self.root.rename(new)
            self.root = new
            self.assertEqual(self.bash(["ru"]), [["run"]])
            if shutil.which("fish"):
                self.assertEqual(self.fish("./lab ru"), ["run"])

    def test_another_program_of_this_name_is_not_called(self) -> None:
        self.command("lab", f"#!/bin/sh\ntouch {self.temporary}/called\n")
        call = BASH.format(words="lab ru", last=1)
        self.assertEqual(self.ask(["bash", "--norc"], self.script("bash") + call), "run\n")
        self.assertFalse((self.temporary / "called").exists())

    def fish(self, line: str) -> list[str]:
        program = f"{self.script('fish')}\ncomplete --do-complete {shlex.quote(line)}"
        return [answer.partition("\t")[0] for answer in self.ask(["fish", "--no-config"], program).splitlines()]

    @unittest.skipUnless(shutil.which("fish"), "skipped: there is no fish")
    def test_fish(self) -> None:
        self.assertEqual(self.fish("./lab ru"), ["run"])
        self.assertEqual(self.fish("./lab run "), ["01_hello", "03_vector_add"])
        self.assertEqual(self.fish("./lab check 3 "), ["1_cpu", "2_one_thread", "10_best"])
        self.assertEqual(self.fish("./lab test --preset=a"), ["--preset=asan"])
        self.assertEqual(self.fish("./lab count --json CMakeL"), ["CMakeLists.txt"])

    @unittest.skipUnless(shutil.which("zsh"), "skipped: there is no zsh")
    def test_zsh(self) -> None:
        self.env["script"] = self.script("zsh")
        for words, expected in (
            (("ru",), ["run:build the chapters and run their programs"]),
            (("run", ""), ["01_hello", "03_vector_add"]),
            (("exercise", "3.1", ""), ["3.2:coalesced"]),
            (("test", "--preset=a"), ["--preset=asan"]),
            (("count", "--json", "CMakeL"), sorted(path.name for path in self.root.iterdir())),
        ):
            with self.subTest(words=words):
                text = ZSH.format(words=shlex.join(["./lab", *words]), last_from_1=len(words) + 1)
                self.assertEqual(self.ask(["zsh", "-f"], text).splitlines(), expected)

    def test_wrong_words(self) -> None:
        for words in ((), ("tcsh",), ("bash", "--", "x")):
            self.refused(2, "", "completion", *words)
