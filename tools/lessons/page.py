"""A Markdown page as its readers see it, by GitHub's rules: sections with their anchors, links, words and code."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

FENCE = re.compile(r"[\s>]*(`{3,}|~{3,})\s*(\S*)")
HEADING = re.compile(r"(#{1,6}) +(.+?)(?: +#+)?$")
COMMENT = re.compile(r"<!--.*?-->")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
TARGET = r"<?([^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)?)>?"
LINK = re.compile(rf'\]\({TARGET}(?:\s+"[^"]*")?\)')
REFERENCE = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
DEFINITION = re.compile(r" {0,3}\[([^\[\]]+)\]: +(\S+)")
TABLES = "results|payoff|counts|nsight|sass|minutes|plan|floors|around"  # markers of parts that nobody reads word for word
PICTURES = "roofline|watch"  # and of others that ./lab docs makes
GENERATED = re.compile(rf"<!-- (/?)(?:{TABLES})\b")
OPTIONAL = "(optional)"


@dataclass(frozen=True)
class Line:
    """A line of prose: no code, and no comment."""

    number: int
    text: str  # without comments
    generated: bool  # in a table that ./lab docs has made
    source: str  # with comments


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    language: str
    excerpt_of: str  # the file that it is an excerpt of; '' for none
    lines: list[str]


@dataclass
class Section:
    """A heading, and what stands below it up to the next heading."""

    title: str
    anchor: str
    optional: bool  # by its own heading, or by that of the section around it
    lines: list[Line] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True)
class Link:
    number: int
    target: str


class Page:
    """One file. Its sections begin with what stands above the first heading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")

    @cached_property
    def sections(self) -> list[Section]:
        sections = [Section("", "", False)]
        used: dict[str, int] = {}
        optional_level = 0  # of the heading that makes what is below it optional; 0: none
        excerpt = ""
        generated = False
        lines = self.text.splitlines()
        end = 0  # of the last fenced block
        for at, line in enumerate(lines):
            if at < end:
                continue
            if fence := FENCE.match(line):
                end = after_block(lines, at)
                sections[-1].blocks.append(Block(fence[2], excerpt, lines[at + 1 : end - 1]))
                continue
            if mark := GENERATED.match(line):
                generated = not mark[1]
            text = COMMENT.sub("", line)
            if text.strip():
                excerpt = ""
            if match := re.match(r"<!-- excerpt: (\S+)", line):
                excerpt = match[1]
            if heading := HEADING.match(text):
                level = len(heading[1])
                if optional_level == 0 or level <= optional_level:
                    optional_level = level if OPTIONAL in heading[2] else 0
                sections.append(Section(heading[2], unique(slug(heading[2]), used), bool(optional_level)))
            sections[-1].lines.append(Line(at + 1, text, generated, line))
        return sections

    @cached_property
    def anchors(self) -> set[str]:
        return {section.anchor for section in self.sections if section.anchor}

    @cached_property
    def links(self) -> list[Link]:
        """All links and pictures, in order, with what they lead to. Those in code are none."""
        return [Link(line.number, target) for line in self.prose() for target in _targets(line.text)]

    @cached_property
    def undefined(self) -> list[Link]:
        """Links to [names] that the page does not define."""
        prose = [(line.number, CODE.sub("", line.text)) for line in self.prose()]
        defined = {match[1].lower() for _, text in prose if (match := DEFINITION.match(text))}
        used = [(number, match[2] or match[1]) for number, text in prose for match in REFERENCE.finditer(text)]
        return [Link(number, name) for number, name in used if name.lower() not in defined]

    def prose(self) -> Iterator[Line]:
        for section in self.sections:
            yield from section.lines


def after_block(lines: Sequence[str], at: int) -> int:
    """The index after the fenced block that begins at this line; the same index when none begins there."""
    fence = FENCE.match(lines[at]) if at < len(lines) else None
    if not fence:
        return at
    for end in range(at + 1, len(lines)):
        closing = lines[end].strip(" >\t\n")
        if closing.startswith(fence[1]) and not closing.strip(fence[1][0]):
            return end + 1
    return len(lines)


def words(section: Section) -> int:
    """The words that are read one after the other: no code blocks, no generated tables, no targets of links."""
    shown = (re.sub(r"<[^<>]+>", " ", LINK.sub("]", line.text)) for line in section.lines if not line.generated)
    return sum(1 for text in shown for word in text.split() if re.search(r"\w", word))


def slug(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    shown = re.sub(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])", r"\1", title)
    shown = re.sub(r"[*`]|<[^<>]+>", "", shown)
    return re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")


def unique(anchor: str, used: dict[str, int]) -> str:
    """The second heading of the same text has -1 behind its anchor."""
    times = used.get(anchor, 0)
    used[anchor] = times + 1
    return f"{anchor}-{times}" if times else anchor


def _targets(text: str) -> list[str]:
    shown = CODE.sub(lambda match: "`" * len(match[0]), text)  # as long as before, so that no link begins or ends in code
    definition = DEFINITION.match(shown)
    return [*LINK.findall(shown), *([definition[2]] if definition else [])]
