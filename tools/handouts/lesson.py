"""What a handout takes from a lesson: what one can do afterwards, what one needs first, the predictions, the pictures."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from exercises.folder import shown
from lessons.page import OPTIONAL, Page
from shared.console import Failure
from translating.translation import Translation

# In running text; code is left alone, since `[&](int i)` is no link.
LINK = re.compile(r"(```.*?```|`[^`]*`)|(?<!!)\[([^\]]+)\]\([^)\s]+\)", re.DOTALL)
PICTURE = re.compile(r"^!\[([^\]]*)\]\((pictures/[^)\s]+\.svg)\)$", re.MULTILINE)
ANSWER = re.compile(r"(.*?)<details><summary>Answer</summary>(.*?)</details>", re.DOTALL)
PREDICT = "**Predict.**"
MARKED = re.compile(r"\*\*[^*]+\*\*\s*")  # how a question begins, in any language
END = ".,;\uff0c\u3002\uff1b"
ABLE, NEEDED = "Afterwards you can", "You need"


@dataclass(frozen=True)
class Prediction:
    question: str
    answer: str


@dataclass(frozen=True)
class Picture:
    path: Path
    alternative: str

    @property
    def is_watched(self) -> bool:
        """Drawn from what the threads did, and so it may show what a prediction asks for."""
        return self.path.name.startswith("watch_")


@dataclass
class Section:
    """What stands below a heading, up to the next one."""

    file: str
    title: str  # as it stands there, with "(optional)"
    shown: str  # the same in the handout's language
    chief: str  # the title of the section of the second level that it belongs to
    optional: bool
    predictions: list[Prediction] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)


@dataclass(frozen=True)
class Lesson:
    title: str
    able: Sequence[str]  # what one can do afterwards
    needs: Sequence[str]
    sections: Sequence[Section]


def read(folder: Path, files: Sequence[str], translation: Translation) -> Lesson:
    """The lesson in a chapter's folder. files: README.md, and the others in which it goes on. It is taken apart in English, and
    its parts are translated."""
    path = folder / "README.md"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Failure(f"{shown(path)} cannot be read: {error.strerror}") from error
    head = text.partition("\n## ")[0]

    def translate(part: str) -> str:
        return translation.page(f"{folder.name}/README.md", part)

    able, needs = list(_able(head, translate)), list(_needs(head, translate, translation.phrase))
    for part, what in ((able, ABLE), (needs, NEEDED)):
        if not part:
            raise Failure(f"{shown(path)}: nothing before its first section says '{what} …'")
    sections = [section for name in files for section in _sections(folder, name, translation)]
    title = translate(text.splitlines()[0].removeprefix("# "))
    return Lesson(title, able, needs, sections)


def without_links(text: str) -> str:
    """Markdown as it reads on paper, where no link can be followed."""
    return LINK.sub(lambda match: match[1] or match[2], text)


def _able(head: str, translate: Callable[[str], str]) -> Iterator[str]:
    row = _row(head, ABLE)
    for item in translate(row).split(" · ") if row else map(translate, _items_after(head, ABLE)):
        yield without_links(item).rstrip(END)


def _needs(head: str, translate: Callable[[str], str], phrase: Callable[[str], str]) -> Iterator[str]:
    """A row of a table, a list, or a paragraph in italics."""
    if row := _row(head, NEEDED):
        yield without_links(translate(row))
        if languages := _row(head, "C++"):
            yield without_links(phrase("C++: {what}").format(what=translate(languages)))
        return
    items = _items_after(head, NEEDED)
    if not items:
        paragraphs = (paragraph.strip() for paragraph in head.split("\n\n"))
        items = [text for text in paragraphs if text.startswith("*") and NEEDED.lower() in text.lower()]
    yield from (without_links(translate(item)).strip("*") for item in items)


def _row(head: str, name: str) -> str:
    match = re.search(rf"^\| \*\*{re.escape(name)}\*\* \| (.+?) \|$", head, re.MULTILINE)
    return match[1] if match else ""


def _items_after(head: str, line: str) -> list[str]:
    """The items of the list that follows a line."""
    match = re.search(rf"^{re.escape(line)}\n\n((?:[- ] .*\n?)+)", head, re.MULTILINE)
    return [" ".join(item.split()) for item in re.split(r"^- ", match[1], flags=re.MULTILINE) if item] if match else []


def _sections(folder: Path, file: str, translation: Translation) -> Iterator[Section]:
    def translate(part: str) -> str:
        return translation.page(f"{folder.name}/{file}", part)

    page = Page(folder / file)
    lines = page.text.splitlines()
    chief = ""
    for part, after in itertools.zip_longest(page.sections[2:], page.sections[3:]):  # without the title's
        if part.lines[0].text.startswith("## "):
            chief = part.title
        optional = OPTIONAL in chief or OPTIONAL in part.title  # and not as all of the file is
        section = Section(file, part.title, translate(part.title), chief, optional)
        text = "\n".join(lines[part.lines[0].number : after.lines[0].number - 1 if after else None])
        for quoted in re.findall(r"(?:^>.*\n?)+", text, re.MULTILINE):
            question = re.sub(r"^> ?", "", quoted, flags=re.MULTILINE)
            if question.startswith(PREDICT):
                section.predictions.append(_prediction(question, f"{shown(folder / file)}, '{part.title}'", translate))
        for picture in PICTURE.finditer(text):
            in_words = PICTURE.fullmatch(translate(picture[0])) or picture
            section.pictures.append(Picture(folder / picture[2], in_words[1]))
        yield section


def _prediction(text: str, where: str, translate: Callable[[str], str]) -> Prediction:
    match = ANSWER.fullmatch(text.strip())
    if not match:
        raise Failure(f"{where}: a prediction needs <details><summary>Answer</summary> … </details> behind its question")
    question = MARKED.sub("", translate(match[1].strip()), count=1)
    return Prediction(without_links(question), without_links(translate(match[2].strip())))
