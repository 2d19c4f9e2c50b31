"""What is wrong in the Markdown sources: links that lead nowhere, lessons that are too long or do not say how long they take,
figures of which nobody says where they come from, predictions that point at their page, ratios that no longer hold, and
drawings of sources that have changed since.

A picture that was drawn by hand from a source says so, and is to be drawn anew when that is not there any more:
    <!-- drawn from 6_register_tile.cu: tile = 128 -->
"""

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from lessons import course, figures, page
from lessons.page import Page
from lessons.watched import code_of
from shared import chapters

MOST_WORDS = 3500
LONGER = re.compile(r"^<!-- words: up to ([\d,]+), because (.+?) -->$", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")  # links to other sites, and mailto:
DRAWN_FROM = re.compile(r"^<!-- drawn from (\S+): (.+) -->$", re.MULTILINE)
ON_THE_PAGE = re.compile(r"^>.*\b((?:tables?|plot|formula|question)(?: |\n> )(?:below|above))\b", re.MULTILINE)


def problems(root: Path) -> Iterator[str]:
    """One line each, with the file and, where there is one, the line."""
    anchors_of = cache(lambda path: Page(path).anchors)
    for path in sorted(path for path in chapters.files(root) if path.suffix == ".md"):
        yield from _bad_links(Page(path), root, anchors_of)
    for path in course.pages(root):
        lesson = Page(path)
        yield from _length(lesson, root)
        if "<!-- minutes -->" not in lesson.text:
            yield f"{path.relative_to(root)}: the lesson does not say how long it takes: <!-- minutes --> and <!-- /minutes -->"
        yield from figures.problems(lesson, root)
        shown = page.COMMENT.sub("", lesson.text)
        for match in ON_THE_PAGE.finditer(shown):
            number = shown.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(root)}:{number}: {match[1]!r}: on a sheet of paper, a prediction stands alone"
    for path in sorted(root.glob("*/pictures/*.svg")):
        yield from _drawn_before(path, root)


def _bad_links(lesson: Page, root: Path, anchors_of: Callable[[Path], set[str]]) -> Iterator[str]:
    name = lesson.path.relative_to(root)
    for link in lesson.links:
        if not ELSEWHERE.match(link.target) and (wrong := _wrong_in(link.target, lesson, root, anchors_of)):
            yield f"{name}:{link.number}: the link to {link.target} leads nowhere: {wrong}"
    for link in lesson.undefined:
        yield f"{name}:{link.number}: [{link.target}] is used as a link and never defined"


def _wrong_in(target: str, lesson: Page, root: Path, anchors_of: Callable[[Path], set[str]]) -> str:
    """What is wrong with a relative link; '' for nothing."""
    file, _, anchor = unquote(target).partition("#")
    path = Path(os.path.normpath(lesson.path.parent / file)) if file else lesson.path
    if not path.is_relative_to(root):
        return "it leaves the repository"
    shown = path.relative_to(root)
    if shown.parts[:1] and shown.parts[0] in chapters.NOT_IN_GIT:
        return f"git does not know {shown.parts[0]}/"
    if not path.exists():
        return f"there is no {shown}"
    if anchor and path.suffix != ".md":
        return f"{shown} has no anchors, and its lines move"
    return "" if not anchor or anchor in anchors_of(path) else f"{shown} has no heading with this anchor"


def _length(lesson: Page, root: Path) -> Iterator[str]:
    words = sum(map(page.words, lesson.sections))
    longer = LONGER.search(lesson.text)
    most = int(longer[1].replace(",", "")) if longer else MOST_WORDS
    name = lesson.path.relative_to(root)
    if words > most:
        yield f"{name}: {words:,} words, and at most {most:,} can be read in one go; make two lessons of it, or cut"
    elif longer and words <= MOST_WORDS:
        yield f"{name}: {words:,} words are no longer too many: delete <!-- words: up to … -->"


def _drawn_before(picture: Path, root: Path) -> Iterator[str]:
    for name, text in DRAWN_FROM.findall(picture.read_text(encoding="utf-8")):
        source = picture.parent.parent / name
        code = code_of(source.read_text(encoding="utf-8")) if source.is_file() else ""
        if not re.search(rf"(?<!\w){re.escape(text)}(?!\d)", code):
            yield f"{picture.relative_to(root)}: {name} no longer has '{text}', from which it was drawn; draw it anew"
