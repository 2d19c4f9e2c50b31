"""The container's steps: that they are few, and that what they copy is enough for them."""

import json
import re
import shutil
import subprocess
import unittest

from support import ROOT, FakeRepository

INSTRUCTION = re.compile(r"^([A-Z]+) (.+)$", re.MULTILINE)


class Container(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.steps = INSTRUCTION.findall((ROOT / "Containerfile").read_text(encoding="utf-8"))

    def of_kind(self, kind: str) -> list[str]:
        return [what for name, what in self.steps if name == kind]

    def test_it_does_no_more_than_the_packages(self) -> None:
        """A bare Debian, as in tests/README.md, has been through these; other steps want to be tried there, too."""
        self.assertEqual([name for name, _ in self.steps], ["FROM", "COPY", "COPY", "RUN", "WORKDIR"])
        self.assertEqual(self.of_kind("FROM"), ["docker.io/library/debian:13"])
        self.assertEqual(self.of_kind("RUN"), ["/opt/lab/lab doctor --install && rm -rf /var/lib/apt/lists/*"])

    def test_what_is_copied_is_enough_to_install(self) -> None:
        inside = self.temporary / "image"
        for what in self.of_kind("COPY"):
            source, target = what.split()
            place = inside / target.strip("/")
            if (self.root / source).is_dir():
                shutil.copytree(self.root / source, place)
            else:
                place.mkdir(parents=True)
                shutil.copy2(self.root / source, place)
        log = self.temporary / "apt.log"
        self.only_these_commands("bash", "sh", "env", "dirname", "readlink")
        self.command("apt-get", f'#!/bin/sh\necho "$*" >> {log}\n')
        (run,) = self.of_kind("RUN")
        command = run.partition(" && ")[0].replace("/opt/lab/", f"{inside}/opt/lab/")
        result = subprocess.run(["bash", "-c", command], env=self.env, capture_output=True, encoding="utf-8")
        self.assertEqual(result.returncode, 4, result.stderr)  # this apt-get installs nothing
        self.assertIn("still missing after apt-get: CMake", result.stderr)
        asked = log.read_text().splitlines()[-1].split()
        for package in ("cmake", "ninja-build", "make", "clangd", "gdb", "git"):
            self.assertIn(package, asked)

    def test_editors_use_the_same_container(self) -> None:
        path = ROOT / ".devcontainer" / "devcontainer.json"
        described = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((path.parent / described["build"]["dockerfile"]).resolve(), ROOT / "Containerfile")
        self.assertEqual((path.parent / described["build"]["context"]).resolve(), ROOT)
        program, command, *_ = described["postCreateCommand"].split()
        self.assertEqual((program, command), ("./lab", "run"))


if __name__ == "__main__":
    unittest.main()
