"""A translation unit: a .cu file and the headers of the user that it includes, of which some need a rewritten copy."""

from __future__ import annotations

import bisect
import os
import re
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .checks import find_mistakes
from .edits import Edit
from .encoding import as_text, from_text, read_text
from .errors import PositionError, RewriteError
from .parsed_file import ParsedFile, SymbolTable
from .passes import finish_passes, run_passes
from .rendering import LineTable, Renderer
from .unsupported import UNSUPPORTED_HEADERS, UNSUPPORTED_WORD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .checks.sides import Suspicion
    from .lexer import Directive
    from .passes.ptx_macros import Place
    from .rendering import Frozen


EMULATOR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
# A file without any of these stays as it is, and no time is spent on its tokens.
WORTH_READING = re.compile(
    r"<<\s*<|__(?:global|device|shared|constant|managed|noinline)__|__sync(?:threads|warp)|_sync\b|\batomic[A-Z]|"
    r"cuda(?:Launch|Func|Occupancy|Graph|KernelNodeParams)|\b(?:__)?asm|" + UNSUPPORTED_WORD.pattern
)
WORTH_READING_WHEN_CHECKED = re.compile(r"\bcuda[A-Z]\w*[ \t]*\(")
DEFINE, PRINTF = re.compile(r"\bdefine\b"), re.compile(r"\bprintf\s*\(")


CCCL = re.compile(r"(?:thrust|cub|cuda|nv)/.*")
# What threads wait by. CCCL's own, which come with Thrust, make the whole worker wait.
WAITING = re.compile(r"cuda/(?:std/)?(?:atomic|barrier|latch|semaphore)|cuda/(?:pipeline|ptx)")
MOST_INCLUDES = 200  # in each other, as with g++


@dataclass
class Options:
    include_folders: list[str] = field(default_factory=list)  # -I
    quote_folders: list[str] = field(default_factory=list)  # -iquote
    system_folders: list[str] = field(default_factory=list)  # -isystem, whose headers are left alone
    copies: str | None = None  # the folder for rewritten copies of headers; without it headers are left alone
    checked: bool = False  # for the checked build
    definitions: list[str] = field(default_factory=list)  # -D, NAME or NAME=TEXT


class Include(NamedTuple):
    """An #include of a file of the user."""

    start: int  # of the name with its quotes
    end: int
    path: str  # resolved
    quoted: bool


@dataclass
class Source:
    """A file of the user, and what becomes of it."""

    path: str  # as the compiler is to name it
    text: str
    edits: list[Edit]
    frozen: Frozen
    includes: list[Include]
    suspicions: list[Suspicion] = field(default_factory=list)  # see checks/
    marks: list[Edit] = field(default_factory=list)
    copy: str | None = None  # where the rewritten text goes
    changed: bool = False


class Project:
    def __init__(self, options: Options) -> None:
        self.options = options
        words = self.options.definitions
        self.symbols = SymbolTable(own_variables="EMULATOR_OWN_VARIABLES" in words, strict="EMULATOR_STRICT" in words)
        self.sources: dict[str, Source] = {}  # by their real paths
        self.own_headers = os.path.join(EMULATOR, "include")
        self.cccl: str | None = None  # the user's folder with NVIDIA's CCCL, if a file includes Thrust from there
        self.files: list[tuple[Source, ParsedFile]] = []  # what was read
        # Texts that may have macros or calls of macros.
        self.unread = ["#define {} {}".format(*each.split("=", 1)) for each in self.options.definitions if "=" in each]
        self.waiting: list[tuple[Source, re.Match[str]]] = []  # the #includes of WAITING

    def add(self, path: str, text: str | None = None, depth: int = 0) -> Source:
        """Reads a file and, before it, what it includes. Returns its Source."""
        key = os.path.realpath(path)
        if key in self.sources:
            return self.sources[key]
        if text is None:
            text = read_text(path)
        text = text.removeprefix("\xef\xbb\xbf")  # the byte order mark of UTF-8, read as Latin-1
        source = self.sources[key] = Source(path, text, [], {}, [])
        try:
            self._analyse(source, depth)
        except PositionError as error:
            raise _located(source, error) from None
        return source

    def _analyse(self, source: Source, depth: int) -> None:
        text = source.text
        includes = list(INCLUDE.finditer(text))
        of_cccl = {m.start(1): folder for m in includes if (folder := self._folder_of_cccl(m[2]))}
        waiting = [m for m in includes if WAITING.fullmatch(m[2])]
        for match in includes:
            is_left_alone = self.options.copies is None or match.start(1) in of_cccl
            found = None if is_left_alone else self.resolve(source.path, match)
            if found is not None and is_pipe(found):
                raise PositionError(match.start(1), f"{match[2]} is a pipe and cannot be included")
            if found is not None and depth == MOST_INCLUDES:
                raise PositionError(match.start(1), f"#include is nested more than {MOST_INCLUDES} deep")
            if found is not None:
                self.add(found, depth=depth + 1)
                source.includes.append(Include(match.start(1), match.end(), found, match[1] == '"'))
        resolved = {start for start, *_ in source.includes}
        resolved |= {m.start(1) for m in includes if m.start(1) in of_cccl and not m[2].startswith("cub/")}
        unsupported = [m for m in includes if self._unsupported_header(m[2]) and m.start(1) not in resolved]
        if not (unsupported or of_cccl or waiting or self._is_worth_reading(text)):
            self.unread.append(text)
            return
        certain = source is next(iter(self.sources.values()))
        file = ParsedFile(text, self.symbols, certain, self.options.checked)
        directives = [d for d in file.directives if d.name == "include" and not d.skipped]
        self._refuse_headers(file, directives, unsupported)
        starts = [directive.start for directive in directives]

        def is_read(position: int) -> bool:
            at = bisect.bisect_left(starts, position)
            return at > 0 and position < directives[at - 1].end

        source.includes = [each for each in source.includes if is_read(each.start)]
        thrust = (m.start(1) for m in includes if m[2].startswith("thrust/"))
        self.cccl = self.cccl or next((of_cccl[at] for at in thrust if at in of_cccl and is_read(at)), None)
        self.waiting += [(source, match) for match in waiting if is_read(match.start(1))]
        run_passes(file)
        self.files.append((source, file))
        source.edits, source.frozen = file.edits, file.frozen()
        source.suspicions, source.marks = find_mistakes(file, alone=not source.includes)

    def _is_worth_reading(self, text: str) -> bool:
        define = DEFINE.search(text)
        return bool(
            WORTH_READING.search(text)
            or (self.options.checked and WORTH_READING_WHEN_CHECKED.search(text))
            or (define and PRINTF.search(text, define.end()))
            or any(word in text for word in self.symbols.words())
        )

    def _refuse_headers(self, file: ParsedFile, directives: list[Directive], unsupported: list[re.Match[str]]) -> None:
        """An error for each #include of what the emulator does not have, now or left to the compiler."""
        for directive in directives:
            at = bisect.bisect_right(unsupported, directive.start, key=lambda m: m.end())
            match = unsupported[at] if at < len(unsupported) else None
            if match and match.end() <= directive.end:
                message = f"not supported: <{match[2]}> ({self._unsupported_header(match[2])})"
                if file.certain and not directive.conditional:
                    raise PositionError(match.start(1), message)
                file.edits.append(Edit(directive.start, directive.end, [f'#pragma GCC error "{message}"']))

    def _folder_of_cccl(self, name: str) -> str | None:
        """The folder from which a header comes that is NVIDIA's CCCL's."""
        if CCCL.fullmatch(name):
            for folder in self.options.include_folders + self.options.system_folders:
                if os.path.isfile(os.path.join(folder, from_text(name))):
                    return folder if os.path.isfile(os.path.join(folder, "thrust", "version.h")) else None
        return None

    def _unsupported_header(self, name: str) -> str | None:
        if os.path.exists(os.path.join(self.own_headers, name)):
            return None
        what = next((what for pattern, what in UNSUPPORTED_HEADERS if re.fullmatch(pattern, name)), None)
        return what and what.replace("{libcuxx}", self._libcuxx() if "{libcuxx}" in what else "")

    def _libcuxx(self) -> str:
        """The headers of libcu++ that there are."""
        folder = os.path.join(self.own_headers, "cuda")
        names = sorted(name for name in os.listdir(folder) if name != "std")
        names += sorted(f"std/{name}" for name in os.listdir(os.path.join(folder, "std")))
        return ", ".join(f"<cuda/{name}>" for name in names)

    def resolve(self, includer: str, include: re.Match[str]) -> str | None:
        """The file that a match of INCLUDE means, if it is one of the user's."""
        quoted, name = include[1] == '"', from_text(include[2])
        folders = ([os.path.dirname(includer)] + self.options.quote_folders) if quoted else []
        for folder in folders + self.options.include_folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path) or is_pipe(path):
                own = os.path.realpath(path).startswith(os.path.realpath(self.own_headers) + os.sep)
                return None if own else path
        return None

    def finish(self) -> None:
        """Decides which headers need a copy: those with edits, and those that include one that needs a copy."""
        for source, match in self.waiting if self.cccl else ():
            message = f"not supported: <{match[2]}> in a program that includes Thrust"
            raise _located(source, PositionError(match.start(1), message))
        unread = [ParsedFile(text, SymbolTable(), certain=False) for text in self.unread if any(f.later for _, f in self.files)]
        finish_passes([file for _, file in self.files] + unread, self._refuse)
        for source in self.sources.values():
            source.changed = bool(source.edits)
        again = True
        while again:
            again = False
            for source in self.sources.values():
                if not source.changed and any(self._target(each).changed for each in source.includes):
                    source.changed = again = True
        if self.options.copies is not None:
            for number, source in enumerate(self.sources.values()):
                name = f"{number}_{os.path.basename(source.path)[-60:]}"
                source.copy = os.path.join(os.path.abspath(self.options.copies), name) if source.changed else None

    def _refuse(self, place: Place, message: str) -> None:
        """As ParsedFile.refuse(), of a file that was read before."""
        file, stream, i = place
        source = next((source for source, each in self.files if each is file), None)
        if source is None:
            return
        try:
            file.refuse(stream, i, message)
        except PositionError as error:
            raise _located(source, error) from None

    def _target(self, include: Include) -> Source:
        return self.sources[os.path.realpath(include[2])]

    def render(self, source: Source, is_copy: bool = True, marked: bool = False) -> tuple[Renderer, str]:
        """Returns the Renderer of a file and its new text; `marked`: with marks on what is suspected (checks/)."""
        edits = source.edits + (source.marks if marked else [])
        for include in source.includes:
            start, end, path, quoted = include
            target = self._target(include)
            new = target.copy if target.changed else os.path.abspath(path) if is_copy and quoted else None
            if new:
                edits.append(Edit(start, end, [f"<{as_text(new)}>" if '"' in new else f'"{as_text(new)}"']))
        frozen = source.frozen or {"directive": [(start, end) for start, end, *_ in source.includes]}
        try:
            renderer = Renderer(source.text, source.path, edits, frozen)
            return renderer, renderer.render() if edits else source.text
        except PositionError as error:
            raise _located(source, error) from None


def is_pipe(path: str) -> bool:
    return os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)


def _located(source: Source, error: PositionError) -> RewriteError:
    return RewriteError(source.path, *LineTable(source.text).location(error.position), from_text(error.message))


def included(paths: Iterable[str], options: Options) -> set[str]:
    """The real paths of the user's files that files include, and of what those include."""
    project, found, unread = Project(options), set(), list(paths)
    while unread:
        path = unread.pop()
        names = [project.resolve(path, match) for match in INCLUDE.finditer(read_text(path))]
        for name in (name for name in names if name is not None and not is_pipe(name)):
            if (real := os.path.realpath(name)) not in found:
                found.add(real)
                unread.append(name)
    return found
