"""The errors of the rewriter."""

from __future__ import annotations


class RewriteError(Exception):
    """Something in the user's file that cannot be rewritten. Lines and columns count from 1."""

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{path}:{line}:{column}: error: {message}")
        self.path, self.line, self.column, self.message = path, line, column, message


class PositionError(Exception):
    """A RewriteError whose file, line and column the caller adds."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position, self.message = position, message


class Mistakes(Exception):
    """Mistakes that the compiler has confirmed (see checks/), a line each."""
