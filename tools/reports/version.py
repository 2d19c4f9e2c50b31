"""Which lab this is: its version, and the commit of the checkout."""

from pathlib import Path

from reports import results
from shared import processes

VERSION = "1.0"


def describe(root: Path) -> str:
    """'1.0 (80f57ed of 2026-11-23)'; '-dirty' at the commit says that a source differs from it."""
    commit = results.commit(root)
    if commit == results.NO_COMMIT:
        there = (root / ".git").exists()  # and belongs to another user, or there is no git
        return f"{VERSION} ({'a git checkout, which git does not read here' if there else 'not a git checkout'})"
    date = processes.ask(["git", "-C", str(root), "log", "-1", "--format=%cs"])
    return f"{VERSION} ({commit} of {date.strip()})" if date else f"{VERSION} ({commit})"
