"""The lessons of a chapter as one notebook: text with its pictures, cells that run the stages, and exercises that are checked.

A stage's cell stands at the end of the section with the first excerpt of its file, an exercise below the paragraph on it.
"""

import json
import posixpath
import re
from html import escape
from pathlib import Path

from book.markdown import COMMENT, data_url
from book.pages import ELSEWHERE, exercise_text
from exercises import folder
from exporting import stage
from lessons import course, front_page
from lessons.page import TARGET
from translating.templates import phrase
from translating.translation import Translation

COLAB = "colab.ipynb"  # in the root: the first chapter, in English
SET_UP = Path(__file__).with_name("set_up.ipy")
BLOCK = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
RUN = re.compile(r"```sh\n((?:\./lab run (?!.*--(?:show|out)\b).*\n)+)```")
EXCERPT = re.compile(r"<!-- excerpt: ([a-z]?\d+\w*\.cu) ")
NAMED = re.compile(r"\]\(([a-z]?\d+\w*\.cu)\)")  # of a stage without an excerpt
AROUND = re.compile(r"<!-- around -->.*<!-- /around -->", re.DOTALL)  # leads to other pages
TASK = re.compile(r"\*(?!\*).*?`\./lab exercise (\d+\.\d)`", re.DOTALL)
COMMANDS = re.compile(r"```sh\n.*?```\n\n", re.DOTALL)  # of an exercise's page
LINK = re.compile(
    r"(?P<code>^```.*?^```$|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`))"
    rf"|(?P<image>!?)\[(?P<text>(?:`[^`]*`|\[[^\[\]]*\]|[^\[\]`])*)\]\({TARGET}\)",
    re.MULTILINE | re.DOTALL,
)
KERNEL = {"display_name": "Python 3", "name": "python3"}
METADATA = {"accelerator": "GPU", "colab": {"gpuType": "T4"}, "kernelspec": KERNEL, "language_info": {"name": "python"}}
INTRODUCTION = (
    phrase(
        "Run the next cell first. It needs Linux, and g++ 12 or newer. Outside of the course's folder it fetches the course "
        "and installs what is missing; if there is no address between its quotes, put the one there that `git clone` takes. "
        "On Colab, *Runtime*, *Change runtime type*, *T4 GPU* gives you a GPU."
    ),
    phrase(
        "A cell that begins with `%%cuda` is a program: change it, and run it again. Its kernels run on the GPU, or on an "
        "emulator if there is none. `%%cuda --check` looks for mistakes in them, `--count` counts what they ask of the "
        "memories, and `--watch` shows their threads, best with a small `n`."
    ),
)
STAGE = phrase("All of `{file}`, to run and to change:")


class Notebook:
    def __init__(self, root: Path, chapter: str, language: str) -> None:
        self.root = root
        self.translation = Translation(root, language)
        self.repository = front_page.address(root, "repository")
        self.exercises = {each.number: each for each in folder.discover(root, self.translation) if each.chapter == chapter}
        self.cells: list[dict[str, object]] = []
        self.text = [self.translation.phrase(text) for text in INTRODUCTION]  # of the cell that is being made
        self.stages: dict[Path, bool] = {}  # those in the text so far, and whether their cells are there
        set_up = SET_UP.read_text(encoding="utf-8").replace("{{repository}}", self.repository)
        self._code(set_up.replace("{{language}}", language))
        pages = [path for path in course.pages(root) if path.parent.name == chapter]
        self.excerpts = {name for path in pages for name in EXCERPT.findall(path.read_text(encoding="utf-8"))}
        for path in pages:
            self._page(path.relative_to(root).as_posix())

    def written(self) -> str:
        made = {"cells": self.cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 4}
        return json.dumps(made, ensure_ascii=False, indent=1) + "\n"

    def _page(self, page: str) -> None:
        text = AROUND.sub("", (self.root / page).read_text(encoding="utf-8"))
        for part in BLOCK.split(self.translation.page(page, text)):
            if run := RUN.fullmatch(part):
                self._code(re.sub("^", "!", run[1].rstrip(), flags=re.MULTILINE))
            elif part.startswith("```"):
                self.text.append(re.sub("^```cuda", "```cpp", part))  # which Jupyter knows, and colours
            else:
                for paragraph in re.split(r"\n{2,}", part):
                    self._paragraph(page, paragraph)
        self._end_section()

    def _paragraph(self, page: str, text: str) -> None:
        if re.match("##? ", text):
            self._end_section()
            self.opens = text.startswith("# ")  # there a table may name all stages
        for name in EXCERPT.findall(text) + NAMED.findall(text):
            if f"excerpt: {name}" in text or not (self.opens or name in self.excerpts):
                self.stages.setdefault(self.root / posixpath.dirname(page) / name, False)
        if is_picture := text.startswith("!["):  # it gets a cell, which nobody needs to edit
            self._flush()
        self.text.append(self._shown(page, text))
        if (task := TASK.match(text)) and (exercise := self.exercises.pop(task[1], None)):
            self._flush()
            page = exercise.path("task.md").relative_to(self.root).as_posix()
            self.text.append(self._shown(page, "##" + COMMANDS.sub("", exercise_text(exercise), 1)))
            self._code(f"%%script --no-raise-error ./lab exercise {exercise.number} --stdin\n{exercise.starter}")
        if is_picture:
            self._flush()

    def _end_section(self) -> None:
        for path, shown in self.stages.items():
            if not shown and (cell := stage.as_cell(self.root, path)):
                self.text.append(self.translation.phrase(STAGE).format(file=path.name))
                self._code(cell)
            self.stages[path] = True
        self._flush()

    def _code(self, text: str) -> None:
        self._flush()
        self._cell("code", text, execution_count=None, outputs=[])

    def _flush(self) -> None:
        if text := "\n\n".join(filter(None, (part.strip("\n") for part in self.text))):
            self._cell("markdown", text)
        self.text = []

    def _cell(self, kind: str, text: str, **more: object) -> None:
        lines = text.rstrip("\n").splitlines(keepends=True)
        self.cells.append({"cell_type": kind, "metadata": {}, "source": lines, **more})

    def _shown(self, page: str, text: str) -> str:
        """Markdown of that page, with pictures in it, and with links only where they lead somewhere."""

        def put(match: re.Match[str]) -> str:
            if match["code"] or (match[5][0] != "#" and ELSEWHERE.match(match[5])):
                return match[0]
            path, sharp, anchor = match[5].partition("#")
            name = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
            if match["image"] and (self.root / name).is_file():
                source = data_url(self.root / name, self.translation.picture)
                return f'<img alt="{escape(match["text"])}" src="{source}">'
            address = f"({self.repository.removesuffix('.git')}/blob/HEAD/{name}{sharp}{anchor})"
            return f"[{match['text']}]{address}" if self.repository.startswith("http") else match["text"]

        return LINK.sub(put, COMMENT.sub("", text))
