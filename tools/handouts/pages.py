"""From Markdown to HTML, with cmark-gfm, and from there to PDF, with WeasyPrint. The HTML file needs no other file."""

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from book.markdown import data_url
from shared import console
from shared.chapters import ROOT
from shared.console import Failure
from translating.translation import Translation

STYLE = Path(__file__).with_name("handout.css")
# Letter is 18 mm shorter, and the longest sheet must still fit on four pages.
PAPERS = {"a4": "size: A4", "letter": "size: letter; margin: 10mm 16mm 12mm"}
PICTURE = re.compile(r"^!\[", re.MULTILINE)  # in Markdown
IMAGE = re.compile(r'<img src="([^"]+)"')
# In a watch picture: `:root { --paper: #fff; … }` and `fill: var(--paper)`; more for screens that are dark, or show motion.
ON_SCREEN = re.compile(r"@media [^{]*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}")
VARIABLE = re.compile(r"(--[\w-]+):\s*([^;{}]+);")
USED = re.compile(r"var\((--[\w-]+)\)")
FONT = re.compile(r"font: (\d+px) ([^;]+);")
PAGE = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
@page {{ {paper}; @bottom-right {{ content: string(kind) " · {before}" counter(page) "{after}"; }} }}
</style>
</head>
<body>
{body}</body>
</html>
"""


def html(markdown: str, title: str, paper: str, translation: Translation) -> str:
    """A whole page. Markdown's pictures are named by their paths below the root, in which no blank ends a name."""
    body = _run(["cmark-gfm", "--unsafe", "--extension", "table", "--to", "html"], markdown.encode()).decode()
    body, shown = IMAGE.subn(lambda match: f'<img src="{_data(ROOT / match[1], translation.picture)}"', body)
    if shown != (named := len(PICTURE.findall(markdown))):
        raise Failure(f"{title} names {console.counted(named, 'picture')} and shows {shown}")
    style = STYLE.read_text(encoding="utf-8")
    before, _, after = translation.phrase("page {page}").partition("{page}")
    return PAGE.format(
        title=title, paper=PAPERS[paper], style=style, body=body, language=translation.language, before=before, after=after
    )


def write_pdf(page: Path) -> Path:
    """The PDF beside an HTML file. An older one stays if this fails."""
    path = page.with_suffix(".pdf")
    temporary = page.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        _run(["weasyprint", "--encoding", "utf-8", page, temporary])
        temporary.replace(path)
    except OSError as error:
        raise Failure(f"{console.quoted(console.shown(path), 200)} cannot be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _data(path: Path, translated: Callable[[str], str]) -> str:
    try:
        return data_url(path, lambda svg: on_paper(translated(svg)))
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}") from error


def on_paper(svg: str) -> str:
    """The picture in the colours for light paper, each in its place, and the font in two properties: WeasyPrint knows no
    variables in a picture, and draws in black what has the colour of one; nor does it know `font` there."""
    light = FONT.sub(r"font-size: \1; font-family: \2;", ON_SCREEN.sub("", svg))
    colours = dict(VARIABLE.findall(light))
    return USED.sub(lambda match: colours[match[1]], light)


def _run(command: Sequence[str | Path], given: bytes = b"") -> bytes:
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    lost = [line for line in said if line.startswith("ERROR: ")]  # WeasyPrint goes on without a picture
    if done.returncode != 0 or lost:
        why = (lost or said or [f"exit code {done.returncode}"])[-1]
        raise Failure(f"{command[0]} fails: {console.quoted(why, 200)}")
    return done.stdout
