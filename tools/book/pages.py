"""What the book consists of: the pages in its navigation, and all that they lead to."""

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from book import markdown, watch
from book.markdown import Heading
from book.watch import LabPage
from exercises import folder
from exercises.folder import Exercise
from lessons import course
from lessons.front_page import LINKS
from lessons.page import slug
from shared import chapters, console
from shared.console import Failure
from shared.language import ENGLISH
from translating import pictures
from translating.templates import phrase
from translating.translation import SASS, Translation

FRONT = "README.md"
AT_FIRST = ("SETUP.md", "GUIDE.md", "COURSE.md")
BEHIND = ("NEXT.md", "GLOSSARY.md", "emulator/README.md", "emulator/watch/README.md", "results/README.md", "CONTRIBUTING.md")
STAY_ENGLISH = (phrase("Watch the threads: the page and the trace"), phrase("Contributing"))  # in menus
AS_THEY_ARE = (".svg", ".png", ".jpg", ".pdf", ".html")
EXERCISE = re.compile(r"<code>\./lab exercise (\d+\.\d)</code>")
ELSEWHERE = re.compile(r"[a-z]+:|//|#|$")

Item: TypeAlias = "dict[str, str | list[Item]]"  # of MkDocs's navigation: a title, and a page or a section


@dataclass(frozen=True)
class Page:
    """A page made of Markdown."""

    source: str  # below the root, as all names here
    title: str
    html: str
    headings: list[Heading]
    english_parts: int  # that have no translation


@dataclass
class Book:
    """All of it, in one language. In another one than English only the pages, those on which threads are watched, and the
    pictures with labels are its own: all else is in the English book, in whose folder it lies."""

    root: Path
    translation: Translation
    made: Path | None = None  # the folder with pages of ./lab sass, where it leads to no others; None: to all
    labelled: Collection[str] = ()  # the pictures that it has in its own language, where it leads to them
    pages: dict[str, Page] = field(default_factory=dict)
    sources: set[str] = field(default_factory=set)  # files that are shown as highlighted pages
    as_they_are: set[str] = field(default_factory=set)  # pictures
    watched: dict[str, LabPage] = field(default_factory=dict)  # pages of ./lab watch and ./lab sass, by address
    navigation: list[Item] = field(default_factory=list)

    @property
    def folder(self) -> str:
        """In the English book; '' for that itself."""
        return "" if self.translation.language == ENGLISH else self.translation.language


def collect(root: Path, language: str = ENGLISH, made: Path | None = None) -> Book:
    """Reads the repository. A link that leads nowhere stays as it is: the check of links finds it."""
    book = Book(root, Translation(root, language), made, () if language == ENGLISH else pictures.files(root))
    exercises = {exercise.number: exercise for exercise in folder.discover(root)}
    texts = {_task(exercise): exercise for exercise in exercises.values()}
    own = {_task(exercise): exercise for exercise in folder.discover(root, book.translation)}
    todo = [FRONT, *_lessons(root), *texts, *(name for name in (*AT_FIRST, *BEHIND) if (root / name).is_file())]
    while todo:
        name = todo.pop()
        if name not in book.pages:
            text = exercise_text(texts[name]) if name in texts else _read(root / name)
            shown = exercise_text(own[name]) if name in own else book.translation.page(name, text)
            try:
                book.pages[name] = _page(book, name, text, shown, exercises, todo.append)
            except Failure as failure:
                raise Failure(f"{name}: {failure}") from failure
    book.navigation = list(_navigation(book, exercises.values()))
    return book


def address(name: str) -> str:
    """Where the book has a file of the repository."""
    folder_name, file = posixpath.split(name)
    if file == "README.md":
        return posixpath.join(folder_name, "index.html")
    if file.endswith(".md"):
        return name.removesuffix(".md") + ".html"
    return name if name.endswith(AS_THEY_ARE) else name + ".html"


def _lessons(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in course.pages(root)]


def _task(exercise: Exercise) -> str:
    return exercise.path("task.md").relative_to(exercise.folder.parents[2]).as_posix()


def _read(path: Path) -> str:
    try:
        return LINKS.sub("", path.read_text(encoding="utf-8"), 1)  # the book has its own
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8"
        raise Failure(f"{console.quoted(os.path.relpath(path), 200)} cannot be read: {why}") from error


def exercise_text(exercise: Exercise) -> str:
    """The task's page: what is counted and the hints are folded, and what comes afterwards is left to ./lab exercise."""
    task = exercise.task
    file, section = exercise.place
    phrase = exercise.translation.phrase
    first, _, rest = task.text.partition("\n")
    chapter = f"[{exercise.chapter[:2]}](../../README.md)"
    shown_section = exercise.translation.message(f"{exercise.chapter}/{file}", section)
    after = f"[{shown_section}](../../{file}#{slug(section)})"
    kind = phrase("core") if task.front["kind"] == "core" else phrase("optional")
    effort = phrase("About {minutes} minutes, {points} points, {kind}. Chapter {chapter}, after {section}.").format(
        minutes=exercise.minutes, points=task.front["points"], kind=kind, chapter=chapter, section=after
    )
    lines = [
        f"# {exercise.number} · {first.removeprefix('# ')}",
        f"*{effort}*",
        rest.strip(),
        f"```sh\n./lab exercise {exercise.number}           # makes my/{exercise.file_name}; from then on, checks it\n"
        f"./lab exercise {exercise.number} --hint    # the next hint\n```",
    ]
    folded = {phrase("What is counted"): task.counted} if task.counted else {}
    folded |= {phrase("Hint {number}").format(number=number): hint for number, hint in enumerate(task.hints, 1)}
    for title, text in folded.items():
        lines.append(f"<details>\n<summary>{title}</summary>\n\n{text}\n\n</details>")
    lines.append(phrase("`./lab exercise` says more about the subject once your answer is right."))
    return "\n\n".join(lines)


def _page(
    book: Book, name: str, english: str, shown: str, exercises: dict[str, Exercise], and_read: Callable[[str], None]
) -> Page:
    """The page, and into the book what it leads to. english, shown: its Markdown, and that in the book's language."""
    here = posixpath.dirname(name)
    of_english = posixpath.join(book.folder, here)  # where links to what both books share begin

    def to(link: str) -> str:
        if ELSEWHERE.match(link):
            return link
        path, sharp, anchor = link.partition("#")
        target = _target(book.root, posixpath.normpath(posixpath.join(here, unquote(path))))
        if target is None:
            return link
        if target.endswith(".md"):
            and_read(target)
            return posixpath.relpath(address(target), here) + sharp + anchor
        if target.endswith(AS_THEY_ARE):
            book.as_they_are.add(target)
            if target in book.labelled:
                return posixpath.relpath(target, here)
        else:
            book.sources.add(target)
            anchor = anchor.partition("-")[0]  # of #L10-L20
        return posixpath.relpath(address(target), of_english) + sharp + anchor

    def to_exercise(match: re.Match[str]) -> str:
        exercise = exercises.get(match[1])
        return f'<a href="{posixpath.relpath(_task(exercise), here)}">{match[0]}</a>' if exercise else match[0]

    def to_lab_page(page: LabPage) -> str:
        if page.command == SASS and book.made and not (book.made / page.address).is_file():
            return ""
        book.watched[page.address] = page
        return posixpath.relpath(page.address, here)

    html = EXERCISE.sub(to_exercise, markdown.to_html(shown))
    in_english = html if shown == english else markdown.to_html(english)
    html, headings = markdown.with_slugs(markdown.with_links(html, to), in_english)
    html = watch.with_links(book.root, markdown.with_large_pictures(html), to_lab_page)
    title = markdown.plain(headings[0].html) if headings else name
    return Page(name, title, html, headings, book.translation.missing(name, _read(book.root / name)))


def _target(root: Path, name: str) -> str | None:
    """The file that a link means, below the root; None if there is none."""
    path = root / name
    if name.startswith("..") or not path.exists():
        return None
    if path.is_dir():
        return posixpath.join(name, "README.md") if (path / "README.md").is_file() else None
    return name


def _navigation(book: Book, exercises: Collection[Exercise]) -> Iterator[Item]:
    """Front page, set-up and plans, a section for each chapter with its lessons and tasks, and what one looks up."""
    yield {book.translation.phrase("Overview"): FRONT}
    yield from (_item(book, name) for name in AT_FIRST if name in book.pages)
    all_lessons = _lessons(book.root)
    for chapter in chapters.discover(book.root):
        tasks = [_task(exercise) for exercise in exercises if exercise.chapter == chapter]
        lessons = [name for name in all_lessons if name.startswith(f"{chapter}/")]
        if lessons:
            yield {book.pages[lessons[0]].title: [_item(book, name) for name in [*lessons, *tasks]]}
    yield from (_item(book, name) for name in BEHIND if name in book.pages)


def _item(book: Book, name: str) -> Item:
    return {book.translation.phrase(book.pages[name].title): name}
