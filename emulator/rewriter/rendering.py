"""Applies the edits of a file to its text, and keeps the compiler's idea of line and column right."""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING

from .edits import Span
from .encoding import as_text
from .errors import PositionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .edits import Edit


END_OF_LINE = re.compile(r"[ \t\r]*\n")
LAST_COLUMN = 5000  # behind it, only the line is kept right: blanks up to the column are the price of each edit
BRANCH_ENDS = re.compile(r"#[ \t]*(?:else|elif\w*|endif)\b")


Frozen = dict[str, list[tuple[int, int]]]  # see ParsedFile.frozen


class LineTable:
    """Line and column, both from 1, of positions in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.line_starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def location(self, position: int) -> tuple[int, int]:
        line = bisect.bisect_right(self.line_starts, position)
        return line, position - self.line_starts[line - 1] + 1


class Renderer:
    """Writes the new text piece by piece, and a #line where the compiler would count another line or column."""

    def __init__(self, text: str, path: str, edits: list[Edit], frozen: Frozen) -> None:
        self.text, self.lines = text, LineTable(text)
        self.file = as_text(path).replace("\\", "\\\\").replace('"', '\\"')
        self.edits = self._nest(edits)
        self.frozen = frozen  # see ParsedFile.frozen
        self.out: list[str] = []
        self.line, self.column = 1, 1  # where the compiler believes the end of the output to be
        self.has_line_directive = False  # besides the one that begins the text
        self.branch_ends = [end for start, end in frozen["directive"] if BRANCH_ENDS.match(text, start)]
        self.copied: list[tuple[int, int, int]] = []  # (position in the output, position in the text, length): for tests
        self.size = 0

    @staticmethod
    def _nest(edits: list[Edit]) -> list[Edit]:
        """Edits inside another edit become its `inner` ones. Returns the outermost."""
        roots: list[Edit] = []
        stack: list[Edit] = []
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end > edit.start, -edit.end)):
            edit.inner = []  # a file may be rendered twice
            while stack and stack[-1].end <= edit.start:
                stack.pop()
            if stack and edit.end > stack[-1].end:
                raise PositionError(edit.start, "this cannot be understood here")
            (stack[-1].inner if stack else roots).append(edit)
            if edit.end > edit.start:
                stack.append(edit)
        return roots

    def render(self) -> str:
        self._write(f'#line 1 "{self.file}"\n')
        self.line = 1
        self._apply(0, len(self.text), self.edits)
        return "".join(self.out)

    def _apply(self, start: int, end: int, edits: list[Edit]) -> None:
        """Writes text[start:end] with these edits."""
        steps = [self._steps(start, end, edits)]
        while steps:  # edits may be inside each other deeper than calls can be
            inner = next(steps[-1], None)
            if inner is None:
                steps.pop()
            else:
                steps.append(self._steps(*inner))

    def _steps(self, start: int, end: int, edits: list[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
        """Does what _apply does, but for the pieces of the text inside an edit: it yields the arguments for those."""
        for edit in edits:
            self._original(start, edit.start)
            applied = 0
            for piece in edit.pieces:
                if isinstance(piece, Span):
                    first, last = (
                        side(edit.inner, where, key=lambda each: each.start)
                        for side, where in ((bisect.bisect_left, piece.start), (bisect.bisect_right, piece.end))
                    )
                    inner = [each for each in edit.inner[first:last] if each.end <= piece.end]
                    applied += len(inner)
                    yield piece.start, piece.end, inner
                else:
                    self._write(piece)
            if applied != len(edit.inner):
                raise PositionError(edit.inner[0].start, "this cannot be understood here")
            start = edit.end
        self._original(start, end)

    def _original(self, start: int, end: int) -> None:
        """Writes text[start:end] as it is."""
        while start < end:
            frozen_end = self._frozen_end(start)
            if frozen_end is not None:
                stop = min(end, frozen_end + 1)
            else:
                self._synchronise(start, end)
                stop = min(end, self._branch_end(start) + 1)
            self.copied.append((self.size, start, stop - start))
            self._write(self.text[start:stop])
            if self.has_line_directive and self._branch_end(stop - 1) == stop - 1:
                self.line = 0  # in a branch that it skips, the compiler counts our lines and heeds no #line
            start = stop

    def _branch_end(self, position: int) -> int:
        """The first end of an #else or #endif that is not before the position, or that of the text."""
        at = bisect.bisect_left(self.branch_ends, position)
        return self.branch_ends[at] if at < len(self.branch_ends) else len(self.text)

    def _synchronise(self, start: int, end: int) -> None:
        """Tells the compiler where text[start:end] stands, if it would think otherwise."""
        line, column = self.lines.location(start)
        if line == self.line and (column == self.column or column > LAST_COLUMN or END_OF_LINE.match(self.text, start, end)):
            return
        before = self.text[start - column + 1 : start] if column <= LAST_COLUMN else ""
        self.has_line_directive = True
        self._write(f'\n#line {line} "{self.file}"\n' + re.sub(r"[^\t]", " ", before))
        self.line, self.column = line, column

    def _write(self, piece: str) -> None:
        if piece.startswith("::") and self.out and self.out[-1].endswith(":"):  # x?y:float4{}
            piece = " " + piece
        self.out.append(piece)
        self.size += len(piece)
        newlines = piece.count("\n")
        self.line += newlines
        self.column = len(piece) - piece.rindex("\n") if newlines else self.column + len(piece)

    def _frozen_end(self, position: int) -> int | None:
        """The end of the stretch around the position where no #line may stand, or None."""
        for stretches in self.frozen.values():
            i = bisect.bisect_right(stretches, (position, len(self.text))) - 1
            if i >= 0 and position <= stretches[i][1]:
                return stretches[i][1]
        return None
