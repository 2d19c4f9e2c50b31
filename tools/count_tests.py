"""Adds up what CTest wrote with --output-junit: prints 'passed failed skipped'. Called by .ci/run."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree


def count(path: str) -> tuple[int, int, int]:
    """The tests of one file that passed, failed and were left out."""
    suite = ElementTree.parse(path).getroot().attrib
    failed = int(suite["failures"])
    left_out = int(suite.get("skipped", 0)) + int(suite.get("disabled", 0))
    return int(suite["tests"]) - failed - left_out, failed, left_out


def main(paths: list[str]) -> int:
    try:
        counts = [count(path) for path in paths]
    except (OSError, ElementTree.ParseError, KeyError):
        return 1  # the tests did not get that far
    print(*map(sum, zip(*counts)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
