"""The parts of a chapter's headers that a stage uses, in the order in which they are defined."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lessons import excerpt

INCLUDE = re.compile(r'^#include (["<])([^">]+)[">]\n', re.MULTILINE)
MACRO = re.compile(r"^#define (\w+)(?:.*\\\n)*.*\n", re.MULTILINE)
NAMESPACE = re.compile(r"^namespace (\w+) \{$", re.MULTILINE)
COMMENT = re.compile(r"(?:^//.*\n)*\Z", re.MULTILINE)  # at the end of a text
WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Part:
    """A definition of a header. about: the comment above; namespace: '' for none."""

    name: str
    namespace: str
    about: str
    text: str


@dataclass(frozen=True)
class Source:
    """A file without its #include lines, and what these name: other files of this repository, and headers of the system."""

    path: Path
    text: str
    own: tuple[Path, ...]
    system: tuple[str, ...]


def words_of(text: str) -> set[str]:
    """The names in code, without those in comments and literals."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", " ", text, flags=re.DOTALL)
    return set(WORD.findall(code))


def read(path: Path, root: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    own, system = [], []
    for kind, name in INCLUDE.findall(text):
        if kind == "<":
            system.append(name)
        else:
            places = (root, path.parent, root / path.parent.name)  # the last one is the chapter's, of a file in my/
            own.append(next((place / name for place in places if (place / name).is_file()), path.parent / name))
    return Source(path, INCLUDE.sub("", text), tuple(own), tuple(system))


def headers_of(source: Source, root: Path) -> list[Source]:
    """All headers of this repository that a file includes, directly or not, each after those that it includes itself."""
    found: dict[Path, Source] = {}

    def visit(path: Path) -> None:
        if path not in found:
            header = read(path, root)
            for other in header.own:
                visit(other)
            found.setdefault(path, header)

    for path in source.own:
        visit(path)
    return list(found.values())


def parts_of(header: Source) -> Iterator[Part]:
    """The definitions and macros of a header, in order."""
    found = [(match.start(), Part(match[1], "", "", match[0])) for match in MACRO.finditer(header.text)]
    namespaces = [(match.end(), match[1]) for match in NAMESPACE.finditer(header.text)]
    for begin, end, name in excerpt.outermost(header.text):
        found.append((begin, Part(name, "", "", header.text[begin:end] + "\n")))
    for begin, part in sorted(found, key=lambda item: item[0]):
        namespace = next((name for at, name in reversed(namespaces) if at < begin), "")
        above = COMMENT.findall(header.text, 0, header.text.rfind("\n", 0, begin) + 1)[0]
        yield replace(part, namespace="" if MACRO.match(part.text) else namespace, about=above)


def used(source: Source, headers: list[Source], also: str) -> list[tuple[Source, list[Part]]]:
    """Of each header the parts that the source needs, directly or not. also: more text that uses them."""
    parts = [(header, list(parts_of(header))) for header in headers]
    wanted = words_of(source.text) | words_of(also)
    while True:
        chosen = [(header, [part for part in own if part.name.partition("::")[0] in wanted]) for header, own in parts]
        more = wanted.union(*(words_of(part.text) for _, own in chosen for part in own))
        if more == wanted:
            return chosen
        wanted = more
