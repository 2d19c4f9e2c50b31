"""Adds up what CTest wrote with --output-junit: prints 'passed failed skipped', or with --failed the name of each test
that failed and how its output ended, or with --slowest the ten that took longest. Called by .ci/run.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree


def count(path: str) -> tuple[int, int, int]:
    """The tests of one file that passed, failed and were left out."""
    suite = ElementTree.parse(path).getroot().attrib
    failed = int(suite["failures"])
    left_out = int(suite.get("skipped", 0)) + int(suite.get("disabled", 0))
    return int(suite["tests"]) - failed - left_out, failed, left_out


def failures(path: str, lines: int = 40) -> str:
    """The failed tests of one file, each with the last lines of its output."""
    cases = ElementTree.parse(path).getroot().iter("testcase")
    failed = ((case.get("name"), case.findtext("system-out", "")) for case in cases if case.get("status") == "fail")
    return "".join("\n".join([f"--- {name}", *output.splitlines()[-lines:], ""]) for name, output in failed)


def slowest(path: str, most: int = 10) -> str:
    """The tests of one file that took longest, each with its seconds."""
    took = [(float(case.get("time", 0)), case.get("name", "")) for case in ElementTree.parse(path).getroot().iter("testcase")]
    return "".join(f"{seconds:6.1f} s  {name}\n" for seconds, name in sorted(took, reverse=True)[:most])


def main(paths: list[str]) -> int:
    if paths[:1] == ["--failed"]:
        print(*map(failures, paths[1:]), sep="", end="")
        return 0
    if paths[:1] == ["--slowest"]:
        print("--- the slowest tests", *map(slowest, paths[1:]), sep="\n", end="")
        return 0
    try:
        counts = [count(path) for path in paths]
    except (OSError, ElementTree.ParseError, KeyError):
        return 1  # the tests did not get that far
    print(*map(sum, zip(*counts, strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
