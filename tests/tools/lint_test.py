"""./lab lint, with stand-ins for the programs that it runs."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import unittest
import unittest.mock

from support import ROOT, FakeRepository
from linting import checks, programs

PROGRAM = '#!/bin/sh\necho "{name} $*" >> {log}\n{does}\n'


class Lint(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.log = self.temporary / "log"
        self.write("build/lint/installed.txt", programs.REQUIREMENTS.read_text())
        for name in ("clang-format", "ruff", "mypy"):
            self.program(name, "exit 0")

    def program(self, name: str, does: str) -> None:
        path = self.write(f"build/lint/bin/{name}", PROGRAM.format(name=name, log=self.log, does=does))
        path.chmod(0o755)

    def ran(self, name: str) -> list[list[str]]:
        lines = self.log.read_text().splitlines()
        return [words for words in map(str.split, lines) if words[0] == name]

    def test_all_that_git_knows_is_formatted(self) -> None:
        for name in ("03_vector_add/1.cu", "emulator/x.h", "build/b.cpp", "my/c.cu", ".hidden/d.cpp", "x.md"):
            self.write(name, "")
        result = self.runs("lint")
        (words,) = self.ran("clang-format")
        files = {word for word in words[1:] if not word.startswith(("-", "tools/"))}
        self.assertEqual(files, {"03_vector_add/1.cu", "emulator/x.h"})
        self.assertIn("--dry-run", words)
        self.assertIn("mypy: clean", result.stdout)

    def test_fix(self) -> None:
        self.write("03_vector_add/1.cu", "")
        self.runs("lint", "--fix")
        self.assertIn("-i", self.ran("clang-format")[0])
        check, layout = self.ran("ruff")
        self.assertIn("--fix", check)
        self.assertNotIn("--check", layout)

    def test_what_is_found_is_told_with_its_place(self) -> None:
        self.write("03_vector_add/1.cu", "")
        form = "echo '03_vector_add/1.cu:3:7: error: code should be clang-formatted [-Wclang-format-violations]' >&2; exit 1"
        self.program("clang-format", form)
        self.program("mypy", "echo 'tools/x.py:1: error: no'; exit 1")
        result = self.ends(1, "lint")
        self.assertIn("03_vector_add/1.cu:3: not as clang-format has it\nclang-format: not clean", result.stdout)
        self.assertIn("ruff: clean", result.stdout)
        self.assertIn("tools/x.py:1: error: no\nmypy: not clean", result.stdout)
        self.assertTrue(result.stderr.startswith("lab: clang-format and mypy: see above"))
        self.assert_one_line(result.stderr)

    def test_without_the_programs(self) -> None:
        self.write("build/lint/installed.txt", "ruff==0.0.1\n")
        result = self.ends(4, "lint", "--no-install")
        self.assertRegex(result.stderr, r"^lab: missing: clang-format [\d.]+, mypy [\d.]+, ruff [\d.]+; ")
        self.assert_one_line(result.stderr)

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_subjects_of_new_commits(self) -> None:
        def git(*words: str) -> None:
            subprocess.run(
                ["git", "-C", str(self.root), "-c", "user.name=x", "-c", "user.email=x@example.org", *words],
                check=True,
                capture_output=True,
            )

        git("init", "-q")
        git("commit", "-q", "--allow-empty", "-m", "x" * 90)
        for _ in range(checks.COMMITS):
            git("commit", "-q", "--allow-empty", "-m", "y" * checks.LONGEST_SUBJECT)
        self.runs("lint")
        git("commit", "-q", "--allow-empty", "-m", "y" * checks.LONGEST_SUBJECT + "z")
        result = self.ends(1, "lint")
        self.assertEqual(result.stdout.count("73 characters in the subject, and 72 are the most"), 1)
        self.write("results/gpu.json", '{"commit": "0123abc"}')
        self.assertIn("results/ names commit 0123abc, which is not there", self.ends(1, "lint").stdout)

    def test_the_hook_of_a_message(self) -> None:
        subject = "y" * checks.LONGEST_SUBJECT
        for text, code in ((f"{subject}\n\n{'z' * 90}\n", 0), (f"\n{subject}z\n", 1), (f"# {subject}\n{subject}\n", 0)):
            with self.subTest(text):
                message = self.write("message", text)
                self.ends(code, "lint", "--message", str(message))
        self.assertFalse(self.log.exists(), "nothing else is run")

    def test_the_hooks_call_lab(self) -> None:
        hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE), ["./lab lint", "./lab lint --message"])

    def test_clang_tidy_gets_the_hosts_files_but_no_tests(self) -> None:
        names = ("common/a.cpp", "03_vector_add/1.cpp", "03_vector_add/2.cu", "tests/x.cpp", "emulator/tests/y.cpp")
        build = self.write("build/cpu/compile_commands.json", json.dumps([{"file": str(self.root / name)} for name in names]))
        self.command("cmake", "#!/bin/sh\n")
        self.command("clang-tidy", '#!/bin/sh\necho "$*"; exit 1\n')
        with unittest.mock.patch.dict(os.environ, self.env), contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertFalse(checks.clang_tidy(self.root, build.parent))
        self.assertEqual(said.getvalue().split()[-2:], ["03_vector_add/1.cpp", "common/a.cpp"])
