"""The generated parts of COURSE.md: what each lesson takes and needs, plans of sessions, and which chapter builds on which."""

import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from exercises import folder
from exercises.folder import Exercise
from lessons import chart, minutes, page
from lessons.page import Page
from shared import chapters
from shared.console import Failure

PLAN = re.compile(r"<!-- plan: (\w+).*? \| (.+?) -->")
LESSON = re.compile(r"(\d\d)(?:/(\w+))?(\+?)")  # 01, 11/tiles; with + also what is marked "(optional)"
OTHER_CHAPTER = re.compile(r"\.\./(\d\d_\w+)/")

BOX_WIDTH, BOX_HEIGHT = 118, 62
COLUMN, ROW = 160, 84
MARGIN, TOP = 16, 84


def overview(root: Path) -> str:
    """A table of all lessons: what each takes, and the chapters that it builds on."""
    exercises = folder.discover(root)
    rows = [
        "| lesson | lesson, core | lesson, optional | exercises, core | exercises, optional | builds on |",
        "| :-- | --: | --: | --: | --: | :-- |",
    ]
    for path in pages(root):
        read = minutes.reading(path)
        own = minutes.of_page(exercises, path)
        core = sum(e.minutes for e in own if e.task.front["kind"] == "core")
        optional = sum(e.minutes for e in own) - core
        cells = [link(path, root), *(str(number or "–") for number in (read.core, read.optional, core, optional))]
        rows.append(f"| {' | '.join([*cells, ', '.join(needs_of(path)) or '–'])} |")
    return "\n".join(rows)


def plan(root: Path, limit: str | None, text: str) -> str:
    """A table with a row for each session: sessions are separated by semicolons, and each names lessons and exercises."""
    exercises = folder.discover(root)
    rows = ["| | lessons | minutes | exercises | minutes | together |", "| --: | :-- | --: | :-- | --: | --: |"]
    totals = [0, 0]
    for number, session in enumerate(text.split(";"), 1):
        lessons, reading, chosen = _session(root, session.split(), exercises)
        practice = sum(exercise.minutes for exercise in chosen)
        totals = [totals[0] + reading, totals[1] + practice]
        named = ", ".join(exercise.number for exercise in chosen) or "–"
        cells = [number, ", ".join(lessons) or "–", reading or "–", named, practice or "–", reading + practice]
        rows.append(f"| {' | '.join(map(str, cells))} |")
    hours, rest = divmod(sum(totals), 60)
    rows.append(f"| | **all** | {totals[0]} | | {totals[1]} | **{sum(totals)}**, {hours} h {rest} min |")
    if limit and sum(totals) > int(limit):
        raise Failure(f"this plan takes {sum(totals)} minutes, and it may take {limit}")
    return "\n".join(rows)


def pages(root: Path) -> list[Path]:
    """The pages of all chapters, each chapter's README.md first and then those that it links to, in that order."""
    found = []
    for chapter in chapters.discover(root):
        first = root / chapter / "README.md"
        if first.is_file():
            others = [first.with_name(link.target) for link in Page(first).links if re.fullmatch(r"\w+\.md", link.target)]
            found += [first, *(path for path in dict.fromkeys(others) if path.is_file() and path != first)]
    return found


def needs_of(path: Path) -> list[str]:
    """The numbers of the chapters that a page needs: those linked after "You need", above its first section."""
    lines = Page(path).sections[1].lines if len(Page(path).sections) > 1 else []
    _, _, need = "\n".join(line.text for line in lines).partition("ou need")
    linked = [match[1][:2] for target in page.LINK.findall(need) if (match := OTHER_CHAPTER.match(target))]
    own = [] if path.name == "README.md" else [path.parent.name[:2]]
    return sorted({*linked, *own})


def picture(root: Path) -> str | None:
    """What builds on what, as an SVG; None where there is no COURSE.md, or no lesson."""
    course = root / "COURSE.md"
    if not course.is_file() or not pages(root):
        return None
    plans = {match[1]: match[2] for match in PLAN.finditer(course.read_text(encoding="utf-8"))}
    core = {match[1] for word in plans.get("core", "").split() if (match := LESSON.fullmatch(word.strip(";")))}
    lessons = {path.parent.name[:2]: path for path in pages(root) if path.name == "README.md"}
    needs = {number: [need for need in needs_of(path) if need in lessons] for number, path in lessons.items()}
    places = _places(needs)
    titles = {number: _title(path).partition(" · ")[2].partition(",")[0] for number, path in lessons.items()}
    width = max(x for x, _ in places.values()) + BOX_WIDTH + MARGIN
    height = max(y for _, y in places.values()) + BOX_HEIGHT + MARGIN
    core_path = "An arrow leads from a chapter to one that needs it. Thick frame: the core path."
    shapes = chart.frame(height, "Which chapter builds on which", core_path, width)
    shapes.append(
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M 0 0 L 10 5 L 0 10 z" fill="{chart.FAINT}"/></marker></defs>'
    )
    shapes += [_arrow(places[need], places[number]) for number, direct in _direct(needs).items() for need in direct]
    shapes += [shape for number, at in places.items() for shape in _box(number, titles[number], at, number in core)]
    return chart.svg(shapes)


def _session(root: Path, names: Sequence[str], exercises: Sequence[Exercise]) -> tuple[list[str], int, list[Exercise]]:
    """The links to the lessons of a session, the minutes to read them, and its exercises."""
    lessons, chosen, reading = [], [], 0
    for name in names:
        if match := LESSON.fullmatch(name):
            path = _lesson(root, match[1], match[2] or "README")
            read = minutes.reading(path)
            reading += read.core + (read.optional if match[3] else 0)
            lessons.append(link(path, root) + (" and its optional sections" if match[3] and read.core else ""))
        else:
            chosen.append(folder.find(exercises, name))
    return lessons, reading, chosen


def _lesson(root: Path, number: str, stem: str) -> Path:
    for chapter in chapters.discover(root):
        if chapter.startswith(f"{number}_") and (root / chapter / f"{stem}.md").is_file():
            return root / chapter / f"{stem}.md"
    raise Failure(f"there is no lesson '{number}{'' if stem == 'README' else f'/{stem}'}'")


def link(path: Path, folder: Path) -> str:
    """To a page, for one in that folder."""
    return f"[{_title(path)}]({os.path.relpath(path, folder)})"


def _title(path: Path) -> str:
    sections = Page(path).sections
    return sections[1].title.removesuffix(" (optional)") if len(sections) > 1 else path.parent.name


def _direct(needs: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The needs without those that another need brings along."""
    return {
        number: [need for need in own if not any(need in _all(other, needs) for other in own)] for number, own in needs.items()
    }


def _all(number: str, needs: Mapping[str, Sequence[str]]) -> set[str]:
    """All that a chapter needs, directly or not."""
    return {more for need in needs[number] if need < number for more in (need, *_all(need, needs))}


def _places(needs: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, int]]:
    """The upper left corner of each box: a column for each step of the longest way to a chapter, centred."""
    columns: dict[int, list[str]] = {}
    depth: dict[str, int] = {}
    for number, own in needs.items():
        depth[number] = 1 + max((depth[need] for need in own if need in depth), default=-1)
        columns.setdefault(depth[number], []).append(number)
    tallest = max(map(len, columns.values()))
    return {
        number: (MARGIN + COLUMN * column, TOP + ROW * (tallest - len(numbers)) // 2 + ROW * row)
        for column, numbers in columns.items()
        for row, number in enumerate(numbers)
    }


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y = start[0] + BOX_WIDTH, start[1] + BOX_HEIGHT // 2
    to_x, to_y = end[0] - 1, end[1] + BOX_HEIGHT // 2
    middle = (x + to_x) // 2
    way = f"M {x} {y} C {middle} {y} {middle} {to_y} {to_x} {to_y}"
    return f'<path d="{way}" fill="none" stroke="{chart.FAINT}" stroke-width="1.5" marker-end="url(#arrow)"/>'


def _box(number: str, title: str, at: tuple[int, int], core: bool) -> list[str]:
    x, y = at
    middle = x + BOX_WIDTH // 2
    lines = textwrap.wrap(title, 16)
    first = y + 40 - 4 * (len(lines) - 1)
    look = f'fill="#dceefb" stroke="{chart.INK}" stroke-width="3"' if core else f'fill="#f5f7fa" stroke="{chart.FAINT}"'
    return [
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" {look}/>',
        chart.text(middle, y + 19, number, chart.INK, 'text-anchor="middle" font-size="13" font-weight="bold"'),
        *(chart.label(middle, first + 15 * row, line, "middle", chart.INK) for row, line in enumerate(lines)),
    ]
