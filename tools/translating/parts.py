"""The parts of the course that are translated, each with a file of its own in translations/LANGUAGE/: what is in them, how
much of it is translated, and how a file follows the English."""

import ast
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises import folder
from lessons import course
from shared.console import Failure, counted
from translating import catalogue, markdown, pictures, sentences, web
from translating.templates import phrases
from translating.translation import MESSAGES, PHRASES, PICTURES, SASS, VERDICTS, WATCH, WRONG, catalogue_of, part_of

BELOW = ("emulator/README.md", "results/README.md", "results/floors.md", "results/profiler.md", "tools/grading/GRADING.md")
PAGES = ("README.md", "SETUP.md", "GUIDE.md", "COURSE.md", "NEXT.md", "GLOSSARY.md", *BELOW)
WEB_PAGES = {WATCH: "emulator/watch", SASS: "tools/sass"}  # the folders of their scripts and of what makes their data
# In one piece, in several, or many in one text.
PHRASE = re.compile(r"""\bphrases?\(\s*(?:\"{3}(.+?)\"{3}|((?:"[^"\\]+"|'[^'\\]+')(?:\s*"[^"\\]+")*))""", re.DOTALL)
# What says something in a verdict: the emulator, but for what it prints itself or writes for a page (trace/), checkers, and
# what judges.
SAYING = (
    *("emulator/src/*/*.cpp", "emulator/src/checked/[!t]*/*.cpp", "tools/exercises/checker/*.cpp", "*/exercises/**/*.cpp"),
    *(f"tools/exercises/{name}.py" for name in ("words", "judge", "compile_errors", "host", "box", "sharing")),
)
# What lab and the chapters' programs say, on the screens of who learns: help, progress, errors and tables.
TALKING = (
    *("tools/lab.py", "tools/commands/*.py", "tools/shared/*.py", "tools/building/*.py", "tools/sass/*.py"),
    *(f"tools/{name}.py" for name in ("exercises/[ljpstw]*", "handouts/[cps]*", "exporting/*", "reports/*")),
    *(f"{folder}/*.{suffix}" for folder in ("common", "harness", "[01]*") for suffix in ("cpp", "cu", "h")),
)
PRINTING = ("counters_report", "errors", "fault_handler", "floors", "graph", "hooks", "printed", "stream_queues", "tensor_maps")
FIGURES = re.compile(r"\d[\d,.]*")
SHOWN = ("name", "thinks", "asks")  # of a wrong version; the rest is code, and words of the checker
MOST_LEFT = 0.02  # of the messages of the parts that are begun: an English correction need not wait for its translator


@dataclass(frozen=True)
class Part:
    """A page of the root, a chapter with its lessons and its exercises' tasks, the wrong versions of a chapter's exercises,
    the labels of all pictures, what verdicts say, or what tools and their pages say."""

    name: str
    files: Sequence[str]  # below the root

    def messages(self, root: Path) -> list[str]:
        """Each once."""
        texts = ((file, (root / file).read_text(encoding="utf-8")) for file in self.files)
        return list(dict.fromkeys(message for file, text in texts for message in self._of(text, file)))

    def _of(self, text: str, file: str) -> list[str]:
        suffix = Path(file).suffix
        if self.name.startswith(WRONG):
            return [entry[key] for entry in folder.wrong_entries(text, file) for key in SHOWN if entry.get(key)]
        if self.name == MESSAGES:
            return sentences.messages(text, suffix)
        if self.name == VERDICTS:
            return sentences.templates(text, suffix)
        if suffix == ".svg":
            return pictures.messages(text)
        if suffix == ".md":
            return markdown.messages(text, generated=self.name == PHRASES)
        return _phrases(text) if self.name == PHRASES else web.messages(text, suffix)


def _phrases(source: str) -> list[str]:
    found = (phrases(many) if many else [ast.literal_eval(f"({one})")] for many, one in PHRASE.findall(source))
    return [text for texts in found for text in texts]


@dataclass(frozen=True)
class State:
    """How far a part's translation is."""

    part: Part
    begun: bool
    messages: int
    new: int
    fuzzy: int  # translations of a text that has changed since
    slips: Sequence[str]  # a line for each message that differs from a translated one in its figures only


def parts(root: Path) -> list[Part]:
    """Pages of the root first, then chapters, then their wrong versions, and last the tools."""
    paths = [root / name for name in PAGES if (root / name).is_file()]
    exercises = folder.discover(root)
    paths += [*course.pages(root), *(exercise.path("task.md") for exercise in exercises)]
    files = _by_part(root, paths)
    wrong = _by_part(root, [exercise.path("wrong.toml") for exercise in exercises])
    tools = sorted(path.relative_to(root).as_posix() for path in (root / "tools").rglob("*.py"))
    tools += [file for of_part in files.values() for file in of_part]  # for the sentences of their generated parts
    pages = [Part(name, _files(root, folder)) for name, folder in WEB_PAGES.items() if (root / folder).is_dir()]
    drawn = [Part(PICTURES, found)] if (found := pictures.files(root)) else []
    written = [Part(name, of_part) for name, of_part in (*files.items(), *wrong.items())]
    saying = [path for pattern in SAYING for path in sorted(root.glob(pattern)) if path.stem not in PRINTING]
    verdicts = [path.relative_to(root).as_posix() for path in saying]
    talking = [path.relative_to(root).as_posix() for pattern in TALKING for path in sorted(root.glob(pattern))]
    return [*written, *drawn, *pages, Part(VERDICTS, verdicts), Part(MESSAGES, talking), Part(PHRASES, tools)]


def _by_part(root: Path, paths: Iterable[Path]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for path in paths:
        file = path.relative_to(root).as_posix()
        files.setdefault(part_of(file), []).append(file)
    return files


def _files(root: Path, folder: str) -> list[str]:
    paths = [path for suffix in ("html", "js", "py", "toml") for path in sorted((root / folder).rglob(f"*.{suffix}"))]
    return [path.relative_to(root).as_posix() for path in paths]


def state(part: Part, root: Path, language: str) -> State:
    path = catalogue_of(root, language, part.name)
    entries = catalogue.read(path) if path.is_file() else {}
    messages = part.messages(root)
    there = [entry for message in messages if (entry := entries.get(message)) and entry.translation]
    fuzzy = sum(entry.fuzzy for entry in there)
    alike = {FIGURES.sub("0", entry.translated): entry.line for entry in entries.values() if entry.translation}
    changed = [message for message in messages if message not in entries or entries[message].fuzzy]
    lines = ((message, alike.get(FIGURES.sub("0", message))) for message in changed)
    wrong = "other figures than the English; put one of the two right, or translate"
    slips = [f"{path.relative_to(root)}:{line}: {wrong}: {message}" for message, line in lines if line]
    return State(part, path.is_file(), len(messages), len(messages) - len(there), fuzzy, slips)


def update(part: Part, root: Path, language: str) -> None:
    """Begins the part's file, or brings it up to date: a new message is added, one whose English has changed a little keeps its
    translation and is marked fuzzy. What another part's file says to the same English goes into a new file."""
    path = catalogue_of(root, language, part.name)
    # Words of tools are short, and mean something else elsewhere.
    others = sorted(other for other in path.parent.glob("*.po") if other != path and other.stem != PHRASES)
    command: list[str | Path] = ["msgmerge", "--quiet", "--no-wrap", "--no-location"]
    with tempfile.TemporaryDirectory(prefix="lab-") as scratch:
        template = Path(scratch, "messages.pot")
        template.write_text(catalogue.template(language, part.messages(root)), encoding="utf-8")
        if path.is_file():
            command += ["--update", "--backup=none", "--previous", path, template]
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            nothing = Path(scratch, "nothing.po")
            nothing.write_text(catalogue.template(language, []), encoding="utf-8")
            known = [f"--compendium={other}" for other in others]
            command += ["--no-fuzzy-matching", *known, "--output-file", path, nothing, template]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise Failure(f"msgmerge, for {os.path.relpath(path)}: {done.stderr.strip()}")


def left(states: Iterable[State]) -> tuple[int, int]:
    """Of the parts that are begun: how many messages have no translation of their present text, and how many there are."""
    begun = [each for each in states if each.begun]
    return sum(each.new + each.fuzzy for each in begun), sum(each.messages for each in begun)


def in_words(state: State) -> str:
    """'03_vector_add            210 messages, 3 new, 1 fuzzy'"""
    line = f"{state.part.name:24} {counted(state.messages, 'message')}"
    if not state.begun:
        return f"{line}, not begun"
    return line + "".join(f", {n} {what}" for n, what in ((state.new, "new"), (state.fuzzy, "fuzzy")) if n)
