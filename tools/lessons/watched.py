"""Pictures of watched threads: what a marker in a lesson asks for, and whether the picture that is there is that one.

    <!-- watch: 5 2 -- --n 16 | picture=rounds array=cache motion=700 | alternative text --> … <!-- /watch -->

First what stands behind `./lab watch`, then the picture and the moment, as emulator/watch/README.md has them, then the text
for those who do not see the picture. It is drawn from a trace, which takes a build and a browser. So the file ends with a
digest of itself, the stage, its chapter's headers with device code and what was asked for: without a build one sees whether
these have changed. All else that decides about a drawing seldom changes one; ./lab docs --draw compares the drawings
themselves, as .ci/run does.
"""

import hashlib
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shared import arguments, chapters
from shared.console import Failure

PLACE = ("launch", "block", "round", "warp", "step")
OPTIONS = ("picture", *PLACE, "array", "first", "count", "rounds", "rows", "width", "ranks", "motion")
DIGEST = re.compile(r"<!-- made from ([0-9a-f]{32}) -->\n\Z")
INCLUDED = re.compile(r'^#include "([^/"]+)"', re.MULTILINE)  # of the chapter's own
COMMENT_OR_LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


@dataclass(frozen=True)
class Picture:
    """What a marker asks for."""

    root: Path
    chapter: str
    stage: str  # in full; or a program of the chapter
    asked: str  # as the marker calls it
    arguments: tuple[str, ...]  # added to the program's own
    options: tuple[tuple[str, str], ...]  # of the drawing, as in the page's address
    alternative: str

    @property
    def path(self) -> Path:
        values = [value if name in ("picture", "array") else f"{name}{value}" for name, value in self.options]
        words = "_".join([self.stage, *self.arguments, *values])
        return self.root / self.chapter / "pictures" / f"watch_{re.sub(r'[^A-Za-z0-9.]+', '_', words)}.svg"

    @property
    def command(self) -> str:
        added = f" -- {shlex.join(self.arguments)}" if self.arguments else ""
        return f"./lab watch {chapters.number(self.chapter)} {self.asked}{added}"

    @property
    def address(self) -> str:
        """What follows the page's name where a browser is to draw nothing but the picture."""
        return "#" + "&".join(f"{name}={value}" for name, value in self.options)

    def lesson_part(self, folder: Path) -> str:
        """The lines of the lesson, which lies in that folder."""
        place = "&".join(f"{name}={value}" for name, value in self.options if name in PLACE)
        moment = f", with `#{place}` at the end of the page's address" if place else ""
        image = f"![{self.alternative}]({os.path.relpath(self.path, folder)})"
        return f"{image}\n\n*Drawn from what the threads did. To step through it: `{self.command}`{moment}.*"

    def is_current(self) -> bool:
        if not self.path.exists():
            return False
        text = self.path.read_text(encoding="utf-8")
        match = DIGEST.search(text)
        return match is not None and match[1] == self._digest(text[: match.start()])

    def holds(self, svg: str) -> bool:
        return self.path.exists() and self.path.read_text(encoding="utf-8") == svg

    def signed(self, svg: str) -> str:
        """The file's text."""
        body = svg + "\n"
        return f"{body}<!-- made from {self._digest(body)} -->\n"

    def _digest(self, body: str) -> str:
        made_from = [body, self.stage, *self.arguments, self.address]
        folder = self.root / self.chapter
        for path in sorted(folder.glob(f"{self.stage.partition('/')[0]}.c*")):
            source = path.read_text(encoding="utf-8")
            headers = [folder / name for name in INCLUDED.findall(source)]
            device = [text for header in headers if "__device__" in (text := header.read_text(encoding="utf-8"))]
            made_from += [code_of(text) for text in (source, *device)]
        return hashlib.sha256("\0".join(made_from).encode()).hexdigest()[:32]


def picture(root: Path, command: str, options: str, alternative: str) -> Picture:
    """What a marker with these parts asks for."""
    words, added = arguments.split_at_dashes(shlex.split(command))
    if len(words) != 2:
        raise Failure(f"this needs a chapter and a stage, and has '{' '.join(words)}'")
    (chapter,) = chapters.choose(root, words[:1])
    pairs = [(name, value) for name, _, value in (word.partition("=") for word in options.split())]
    for name, value in pairs:
        if name not in OPTIONS or not value:
            raise Failure(f"'{name}' is no NAME=VALUE of a picture; the names: {', '.join(OPTIONS)}")
    if "picture" not in dict(pairs):
        raise Failure("this has no picture=…")
    return Picture(root, chapter, full_name(root, chapter, words[1]), words[1], tuple(added), tuple(pairs), alternative)


def unwanted(root: Path, wanted: Sequence[Picture]) -> list[Path]:
    """The pictures that no marker asks for any more."""
    paths = {picture.path for picture in wanted}
    return [path for path in sorted(root.glob("*/pictures/watch_*.svg")) if path not in paths]


def full_name(root: Path, chapter: str, asked: str) -> str:
    """The stage, or the program of the chapter, that a word means."""
    names = chapters.stages(root, chapter)
    for name in names:
        if chapters.may_mean(asked, name):
            return name
    if any((root / chapter / f"{asked}{suffix}").is_file() for suffix in (".cu", ".cpp")):
        return asked
    raise chapters.no_such_stage(chapter, asked, names)


def code_of(source: str) -> str:
    """The source without comments and layout, which change no picture."""
    code = COMMENT_OR_LITERAL.sub(lambda match: match[0] if match[0].startswith('"') else " ", source)
    return " ".join(code.split())
