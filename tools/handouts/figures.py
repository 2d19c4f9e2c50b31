"""The tables of a handout: blank for the student's own counts and times, and filled with what was counted and measured."""

import re
from collections.abc import Iterator, Sequence

from handouts.course import Handout
from handouts.lesson import without_links
from lessons import counted, readme, tables
from reports import counts, results
from reports.results import Json
from shared import chapters
from shared.chapters import ROOT
from shared.console import DASH
from translating import tables as in_words

BLANK = "&nbsp;"


def to_fill(handout: Handout) -> Iterator[str]:
    """A table for one's own numbers, if the chapter has something to count or to measure."""
    blank = _blank_table(handout)
    if not blank:
        return
    number = chapters.number(handout.chapter)
    yield '<div class="own">'
    phrase = handout.translation.phrase
    yield f"## {phrase('Your numbers')}"
    count, run = f"`./lab count {number}`", f"`./lab run {number}`"
    if _counted(handout):
        yield phrase("{count} counts, without a GPU; {run} measures the times, on a GPU.").format(count=count, run=run)
    else:
        yield phrase("{run} measures them, on a GPU.").format(run=run)
    yield blank
    yield "</div>"


def known(handout: Handout) -> Iterator[str]:
    """What was counted, and what was measured on the GPU on which that was done last."""
    of_counts, gpu = _counted(handout), _last_measured(handout.chapter)
    if not of_counts and not gpu:
        return
    phrase = handout.translation.phrase
    yield f"## {phrase('What was counted and measured')}"
    yield '<div class="numbers">'
    if of_counts:
        command = f"`./lab count {chapters.number(handout.chapter)} --keep`"
        yield phrase("**{chapter}**, as {command} has counted it:").format(chapter=handout.chapter, command=command)
        yield tables.table(*of_counts)
    if gpu:
        yield _measured(handout, gpu)
    yield "</div>"


def _blank_table(handout: Handout) -> str:
    """The rows and columns of what is known, without the numbers; a dash stays where there is nothing to count."""
    gpu = _last_measured(handout.chapter)
    entry = gpu["chapters"][handout.chapter] if gpu else {}
    if of_counts := _counted(handout):
        header, rows = of_counts
        blank = [[name, *(cell if cell == DASH else BLANK for cell in cells)] for name, *cells in rows]
        if not tables.stage_runs(entry):
            return tables.table(header, blank)
        command, _, stages = _asked(handout)
        if not stages:  # where one alone was counted, the others may have as much to count
            blank = _with_others(blank, entry, BLANK if "--stage" in command.split() else DASH)
        return tables.table([*header, handout.translation.phrase("time, on a GPU")], [[*row, BLANK] for row in blank])
    if gpu and entry.get("measured"):
        lines = _measured(handout, gpu).splitlines()
        header, _, *rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
        return tables.table(header, [[row[0], BLANK] for row in rows])
    return ""


def _named_shortly(rows: Sequence[list[str]]) -> Sequence[list[str]]:
    """Without the values of a kernel's template, if the names still differ."""
    short = [re.sub(r"<.*>`$", "`", row[0]) for row in rows]
    return [[name, *row[1:]] for name, row in zip(short, rows, strict=True)] if len({*short}) == len(rows) else rows


def _with_others(rows: Sequence[list[str]], entry: Json, count: str) -> list[list[str]]:
    """And the stages of which nothing in these columns was counted, but a time was measured. count: what is in the columns."""
    there = {row[0].partition(",")[0] for row in rows}
    others = [
        [stage["name"], *[count] * (len(rows[0]) - 1)]
        for stage in tables.headline_run(entry)["stages"]
        if stage["name"] not in there and "/" not in stage["name"] and not tables.is_cpu(stage) and not tables.is_library(stage)
    ]
    return sorted([*rows, *others], key=_number)


def _number(row: Sequence[str]) -> tuple[str, int]:
    match = chapters.STAGE.match(row[0])
    assert match, row[0]
    return match[1], int(match[2])


def _asked(handout: Handout) -> tuple[str, Sequence[str], Sequence[str]]:
    """Of the counts that the lesson shows first: the command line, the columns and the stages; of these none for all."""
    texts = ((ROOT / handout.chapter / file).read_text(encoding="utf-8") for file in handout.files)
    match = next((match for text in texts if (match := readme.COUNTS.search(text))), None)
    command, columns, stages = match.groups("") if match else ("", "", "")
    return command, list(filter(None, columns.split(", "))), list(filter(None, stages.split(", ")))


def _counted(handout: Handout) -> tuple[list[str], Sequence[list[str]]] | None:
    """Headings and rows of their table, if there is one."""
    command, columns, stages = _asked(handout)
    entry = counts.kept_of(ROOT, handout.chapter, command)
    if entry is None:
        return None
    header, rows = counted.chapter_table(handout.chapter, entry, columns, stages)
    phrase = handout.translation.phrase
    return [in_words.shown(cell, phrase, lambda target, title: title) for cell in header], _named_shortly(rows)


def _last_measured(chapter: str) -> Json | None:
    return tables.last_gpu(chapter, results.load_gpus(ROOT / "results"))


def _measured(handout: Handout, gpu: Json) -> str:
    """The tables without the charts, and on paper no stage's name is a link."""
    chapter = handout.chapter
    text = tables.chapter_tables(chapter, [gpu], ROOT / chapter)
    text = handout.translation.page(f"{chapter}/README.md", f"<!-- results: {chapter} -->\n\n{text}\n\n<!-- /results -->\n")
    return without_links(re.sub(r"^(?:!\[|<!--).*\n\n?", "", text, flags=re.MULTILINE))
