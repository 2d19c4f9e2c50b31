"""./lab check."""

import json

from support import FakeRepository


def program_with(*findings: tuple[str, int], exit_code: int = 0, launches: int = 1, file: str = "kernel.cu") -> str:
    """A program of the checked build: it finds these kinds at these lines of a file."""
    script = "echo a table; echo a remark >&2\n"
    for kind, line in findings:
        report = f"emulator: {kind} in kernel k\n  thread 0 wrote at {file}:{line}\n"
        finding = {"kind": kind, "kernel": "k", "report": report, "deeds": [{"file": f"/{file}", "line": line}]}
        script += f"printf '%s\\n' '{json.dumps(finding)}' >> \"$EMULATOR_CHECK_JSON\"\nprintf '{report}' >&2\n"
    end = f"{len(findings)} findings" if findings else "nothing found"
    script += f"echo 'emulator: checked {launches} launch{'' if launches == 1 else 'es'}: {end}' >&2\n"
    return script + f"exit {exit_code or (5 if findings else 0)}\n"


class Check(FakeRepository):
    def test_all_is_well(self) -> None:
        self.chapter("01_hello", "hello", program_with())
        self.chapter("03_vector_add", "vector_add", f"echo \"ran $*\" >> ~/log\n{program_with(launches=20)}")
        self.checks("01_hello", "hello")
        self.checks("03_vector_add", "vector_add --n 1", "vector_add --n 33")
        result = self.runs("check")
        lines = result.stdout.splitlines()
        self.assertEqual(lines[-1], "checked 3 runs with 41 launches: nothing found")
        self.assertIn("vector_add --n 33: ok", lines)
        self.assertNotIn("a table", result.stdout)
        self.assertNotIn("a remark", result.stderr)
        self.assertEqual(sorted((self.temporary / "log").read_text().splitlines()), ["ran --n 1", "ran --n 33"])
        self.assertTrue((self.root / "build/check/01_hello/hello").exists())

    def test_findings_are_shown_once(self) -> None:
        script = program_with(("race", 7), ("out-of-bounds", 9), launches=2)
        self.chapter("01_hello", "hello", f'if [ "$2" = 1 ]; then {program_with()}fi\n{script}')
        self.checks("01_hello", "hello --n 1", "hello --n 2", "hello --n 3")
        written = self.temporary / "findings.json"
        result = self.ends(5, "check", "1", "--json", str(written))
        self.assertEqual(
            result.stdout.split("\n", 2)[2],
            "hello --n 1: ok\n"
            "hello --n 2: 2 findings\n"
            "emulator: race in kernel k\n  thread 0 wrote at kernel.cu:7\n"
            "emulator: out-of-bounds in kernel k\n  thread 0 wrote at kernel.cu:9\n"
            "hello --n 3: 2 findings, 2 of them known from above\n"
            "\nchecked 3 runs with 5 launches: 2 findings\n",
        )
        findings = json.loads(written.read_text())
        self.assertEqual([f["kind"] for f in findings], ["race", "out-of-bounds"])
        self.assertEqual({(f["chapter"], f["command"]) for f in findings}, {("01_hello", "hello --n 2")})
        self.assertNotIn("emulator: race", result.stderr)

    def test_the_command_that_shows_a_finding(self) -> None:
        self.write("03_vector_add/2_two.cu", "")
        self.write("03_vector_add/4_four.cu", "")
        two = program_with(("race", 7), file="2_two.cu")
        script = f"case \"$*\" in *'--n 33'*) {two} ;; *) {program_with(launches=0)} ;; esac\n"
        self.chapter("03_vector_add", "vector_add", script)
        self.checks("03_vector_add", "vector_add --repeat 1 --n 1", "vector_add --repeat 1 --n 33 --data one --data two")
        self.watches("03_vector_add", "vector_add --repeat 1 --n 1000 --data one")

        def look(*arguments: str) -> list[str]:
            lines = self.lab("check", *arguments).stdout.splitlines()
            return [line for line in lines if line.startswith("look: ")]

        self.assertEqual(look("3"), ["look: ./lab watch 3 2 -- --n 33 --data one --data two"])
        self.assertEqual(look("3", "two"), ["look: ./lab watch 3 two -- --n 33 --data one --data two"])
        self.assertEqual(look("3", "--", "--stage", "2", "--n", "33"), ["look: ./lab watch 3 2 -- --n 33"])
        self.assertEqual(look("3", "--", "--n", "5"), [])

        both = program_with(("race", 7), file="4_four.cu").replace("exit 5\n", two)
        self.chapter("03_vector_add", "vector_add", both)
        self.checks("03_vector_add", "vector_add --n 1000", "vector_add --n 33")
        self.watches("03_vector_add", "vector_add --n 1000")
        self.assertEqual(look("3"), ["look: ./lab watch 3 2", "look: ./lab watch 3 4"])

    def test_what_cannot_be_watched(self) -> None:
        self.write("03_vector_add/2_two.cu", "")
        found = program_with(("race", 7), file="2_two.cu")
        self.chapter("01_hello", "hello", found.replace('"kernel": "k"', '"kernel": ""'))
        self.checks("01_hello", "hello")
        self.watches("01_hello", "hello")
        self.assertNotIn("look:", self.lab("check", "1").stdout)
        self.chapter("03_vector_add", "vector_add", found)
        self.checks("03_vector_add", "vector_add")
        result = self.ends(5, "check", "3")
        self.assertNotIn("look:", result.stdout)

    def test_a_program_without_stages(self) -> None:
        self.chapter("01_hello", "hello", program_with(("race", 7)))
        self.checks("01_hello", "hello")
        self.watches("01_hello", "hello")
        self.assertIn("\nlook: ./lab watch 1 hello\n", self.lab("check", "1").stdout)

    def test_a_program_that_fails_says_why(self) -> None:
        self.chapter("01_hello", "hello", program_with(exit_code=1))
        self.chapter("03_vector_add", "vector_add", program_with(("race", 7), exit_code=3))
        self.checks("01_hello", "hello")
        self.checks("03_vector_add", "vector_add")
        result = self.ends(1, "check", "1", "--json", str(self.temporary / "none"))
        self.assertEqual(result.stderr.splitlines()[-2:], ["a remark", "lab: hello ended with exit code 1"])
        self.assertEqual((self.temporary / "none").read_text(), "[]\n")
        result = self.ends(5, "check", "3")
        self.assertIn("lab: vector_add ended with exit code 3\n", result.stderr)
        self.assertEqual((result.stdout + result.stderr).count("emulator: race"), 1)

    def test_one_stage(self) -> None:
        knows = 'case "$*" in *"--stage 2"*) ;; *) echo "error: no such stage" >&2; exit 2;; esac\n' + program_with()
        self.chapter("03_vector_add", "vector_add", knows)
        self.checks("03_vector_add", "vector_add --n 1", "false")
        self.command("false", "#!/bin/sh\nexit 2\n")
        result = self.runs("check", "3", "2")
        self.assertTrue(result.stdout.endswith("\nchecked 1 run with 1 launch: nothing found\n"), result.stdout)
        result = self.ends(2, "check", "3", "4")
        self.assertIn("no such stage", result.stderr)

    def test_arguments_of_ones_own(self) -> None:
        self.chapter("03_vector_add", "vector_add", f"echo \"ran $*\" >> ~/log\n{program_with()}")
        self.checks("03_vector_add", "vector_add --n 1", "vector_add --n 33")
        self.runs("check", "3", "--", "--n", "5")
        self.runs("check", "3", "2", "--", "--n", "5")
        self.assertEqual((self.temporary / "log").read_text(), "ran --n 5\nran --n 5 --stage 2\n")

    def test_nothing_to_check_is_a_failure(self) -> None:
        result = self.ends(1, "check", "3")
        self.assertIn("03_vector_add has nothing to check", result.stderr)
        self.assertFalse((self.root / "build/check/03_vector_add/vector_add").exists(), "nothing is built for that")

    def test_what_is_no_program(self) -> None:
        self.write("emulator/nvcc_cpu", "#!/bin/sh\nexit 1\n").chmod(0o755)
        self.write("my/part.cu", "int x;")
        self.refused(2, "my/part.cu has no main()\n", "check", "my/part.cu")
        self.write("my/part.cu", "int main() { ")
        self.refused(1, "my/part.cu does not compile\n", "check", "my/part.cu")
        for command in ("check", "watch"):
            self.refused(2, "there is no file 'my/nope.cu'\n", command, "my/nope.cu")
            self.refused(2, "'CONTRIBUTING.md' is no .cu file", command, "CONTRIBUTING.md")
