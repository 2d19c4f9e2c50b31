"""Cuts a Markdown page into what a translator reads, and all the rest, which stays as it is.

A message is a paragraph, an item of a list, a heading, a cell of a table or a line between HTML's tags. Code blocks, comments,
generated tables, and text without words of its own, as `| 4 | 16 |`, are no messages. A sentence in a generated part is one for
all pages: what differs from page to page, numbers, code and links, has places in it: {1}, {2}.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lessons import figures
from lessons.page import CODE, PICTURES, TABLES, after_block
from translating.templates import Translate, put_in_places, with_places

# What may stand before a line's text: quotations, items of a list, a heading.
BEFORE = re.compile(r"(?P<around>[ \t>]*)(?P<mark>(?:(?:[-*+]|\d+[.)]) +)*(?:#{1,6} +)?)(?P<text>.*)")
GENERATED = re.compile(rf"<!-- ({TABLES}|{PICTURES})\b")
LINKS = "<!-- links -->"  # at the end of a line that front_page.py makes in each language
TAGS = re.compile(r"(<(?!!--[=i])(?:[^<>]|<!--)*>)")  # but the marker of a figure
TAG_FIRST = re.compile(r"</?(?:details|summary|p|div|section|img|br|sub|a)\b[^<>]*>")
DEFINITION = re.compile(r"\[[^\]]+\]: ")
RULE = re.compile(r"[-=*_ |:]+")
CELL = re.compile(r"((?<!\\)\|)")
TARGET = re.compile(r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?\)")
SENTENCE = re.compile(r"\*\*Time:\*\*.*|\*[^*].*\*|The minutes .*|Of all .*", re.DOTALL)  # in a generated part
FILLED_IN = re.compile(r"`[^`]*`|(?<=\])\([^()\s]*\)|\b\d+_\w+|\d[\d,.]*\d|\d")
ASIDE = re.compile(r"(… \d+ others?|\d+ B a lane.*)$", re.MULTILINE)  # what stands beside machine code
CAPTION = re.compile(r"\*\*[^*\n]+\*\*( · .*)?")  # of a table: the GPU, what was measured there, with what and when
NO_MESSAGE = re.compile(r"\*\*|CUDA |commit ")
PICTURE = re.compile(r"!\[(?:[^\[\]]|\[[^\]]*\])*\]\([^()\s]*\)")
AROUND_TABLES = re.compile(r"(<details><summary>|</summary>|^!\[|\]\([^()\s]*\)\n?$)")
SHARE = re.compile(r"(\d[\d,.]*)(<!--[^>]*-->)? %")  # the marker of a figure stays
IDEA = 4  # of a stage: the cell, with the bars between them
WORD = re.compile(r"[^\W\d_]{2,}")
TRANSLATED_KEYS = ("title", "learnt")  # of a task's front matter
TASK_SECTION = re.compile(r"## (?:What is counted|Hint \d|Afterwards)$")  # names that the tools read


@dataclass(frozen=True)
class Message:
    source: str  # as the page has it, without what stands before its first line
    generated: bool = False

    @property
    def text(self) -> str:
        """On one line, and without the marks of a quotation around it."""
        line = " ".join(re.sub(r"\n[ \t>]*", "\n", self.source).split())
        return with_places(line, FILLED_IN)[0] if self.generated else figures.named(line)

    def put(self, translation: str) -> str:
        """For the page: what `text` has become. What was left as it is stays on its lines."""
        if translation == self.text:
            return self.source
        if self.generated:
            return put_in_places(translation, FILLED_IN.findall(self.source))
        return figures.put(translation, " ".join(self.source.split()))


@dataclass(frozen=True)
class Word:
    """In a generated part a cell of a table, or what stands around one. Elsewhere a cell that is a share: 77 %."""

    source: str


def translated(page: str, translate: Translate, sentence: Translate = str, word: Translate = str) -> str:
    """The page with each message as `translate` has it, and the sentences and the words of generated parts as `sentence` and
    `word` have them."""

    def put(piece: str | Message | Word) -> str:
        if isinstance(piece, Word):
            share = SHARE.fullmatch(piece.source)
            if not (share and share[2]):
                return word(piece.source)
            return word(f"{share[1]} %").replace(share[1], share[1] + share[2], 1)
        return piece if isinstance(piece, str) else piece.put((sentence if piece.generated else translate)(piece.text))

    return "".join(map(put, pieces(page)))


def messages(page: str, generated: bool = False) -> list[str]:
    """All messages, each once, in the page's order; or the sentences of its generated parts."""
    found = (piece for piece in pieces(page) if isinstance(piece, Message) and piece.generated == generated)
    return list(dict.fromkeys(piece.text for piece in found))


def pieces(page: str) -> Iterator[str | Message | Word]:
    """Joined, these are the page."""
    lines = page.splitlines(keepends=True)
    at = 0
    if lines[:1] == ["---\n"] and "---\n" in lines[1:]:
        at = lines.index("---\n", 1) + 1
        for line in lines[:at]:
            yield from _front_matter(line)
    is_task = at > 0
    while at < len(lines):
        end = _end_of_block(lines, at)
        if end > at:
            yield from _block("".join(lines[at:end]))
        else:
            end = _end_of_paragraph(lines, at)
            text = "".join(lines[at:end])
            if is_task and TASK_SECTION.match(text.rstrip()):
                yield text
            else:
                yield from _paragraph(text)
        at = end


def _front_matter(line: str) -> Iterator[str | Message]:
    key, colon, value = line.partition(": ")
    text = value.strip().strip('"')
    if colon and key in TRANSLATED_KEYS:
        before, _, after = value.partition(text)
        yield from (key + colon + before, Message(text), after)
    else:
        yield line


def _block(text: str) -> Iterator[str | Message | Word]:
    """What is not translated, but for the sentences, words and pictures in a generated part."""
    generated = GENERATED.match(text)
    if not generated:
        yield text
        return
    for part in re.split(r"(\n\n)", text):
        if SENTENCE.fullmatch(part):
            yield Message(part, generated=True)
        elif generated[1] == "watch" and PICTURE.fullmatch(part):  # what it shows stands in the page
            yield Message(part)
        elif generated[1] == "sass":
            yield from (Message(piece, generated=True) if ASIDE.fullmatch(piece) else piece for piece in ASIDE.split(part))
        elif CAPTION.fullmatch(part):
            for piece in re.split("( · )", part):
                yield Message(piece, generated=True) if _has_words(piece) and not NO_MESSAGE.match(piece) else piece
        else:
            yield from _words(part, is_payoff=generated[1] == "payoff")


def _words(part: str, is_payoff: bool) -> Iterator[str | Message | Word]:
    for line in part.splitlines(keepends=True):
        if line.startswith("<!--"):
            yield line
            continue
        divider = CELL if line.startswith("|") else AROUND_TABLES if line.startswith(("<", "![")) else None
        pieces = divider.split(line) if divider else [line]  # a link at a line's end is no picture's
        for at, piece in enumerate(pieces):
            inner = piece.strip()
            if (_has_words(inner) or inner.endswith(" %")) and (line.startswith("|") or not AROUND_TABLES.fullmatch(piece)):
                before, _, after = piece.partition(inner)
                yield from (before, Message(inner) if is_payoff and at == IDEA and "[" in line else Word(inner), after)
            else:
                yield piece


def _end_of_block(lines: list[str], at: int) -> int:
    """Where it ends if a block that is not translated begins here: code, a comment, a generated part. Else `at` itself."""
    if (end := after_block(lines, at)) > at:
        return end
    text = lines[at].lstrip(" >\t")
    if generated := GENERATED.match(text):
        ends = (end for end in range(at + 1, len(lines)) if f"<!-- /{generated[1]}" in lines[end])
        return next(ends, at) + 1
    if text.startswith("<!--"):
        return next(end for end in range(at, len(lines)) if "-->" in lines[end]) + 1
    return at + 1 if RULE.fullmatch(text.strip()) or not text.strip() or DEFINITION.match(text) or LINKS in text else at


def _end_of_paragraph(lines: list[str], at: int) -> int:
    first = BEFORE.fullmatch(lines[at].rstrip("\n"))
    assert first
    alone = first["mark"].endswith("# ") or first["text"].startswith("|") or TAG_FIRST.match(first["text"])
    end = at + 1
    while not alone and end < len(lines) and _end_of_block(lines, end) == end:
        line = BEFORE.fullmatch(lines[end].rstrip("\n"))
        assert line
        quoted_alike = line["around"].count(">") == first["around"].count(">")
        if line["mark"] or not quoted_alike or line["text"].startswith("|") or TAG_FIRST.match(line["text"]):
            break
        end += 1
    return end


def _paragraph(text: str) -> Iterator[str | Message | Word]:
    body = text.rstrip()
    match = BEFORE.match(body)
    assert match
    yield match["around"] + match["mark"]
    rest = body[match.start("text") :]
    separator = CELL if rest.startswith("|") else TAGS if TAG_FIRST.match(rest) else None
    for part in separator.split(rest) if separator else [rest]:
        if separator is CELL and SHARE.fullmatch(inner := part.strip()):
            before, _, after = part.partition(inner)
            yield from (before, Word(inner), after)
        elif (separator and separator.fullmatch(part)) or not _has_words(part):
            yield part
        else:
            inner = part.strip()
            before, _, after = part.partition(inner)
            yield from (before, Message(inner), after)
    yield text[len(body) :]


def _has_words(text: str) -> bool:
    shown = figures.without_markers(text.replace("\n", " "))
    return WORD.search(TARGET.sub("", CODE.sub("", shown))) is not None
