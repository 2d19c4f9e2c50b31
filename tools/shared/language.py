"""Which language the course is shown in."""

import os
from pathlib import Path

from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure, quoted

ENGLISH = "en"  # the source of all translations
NAMES = {"en": "English", "zh": "中文"}  # what their readers call them
FOLDER = "translations"  # with a folder for each other language
VARIABLE = "LAB_LANGUAGE"


def languages(root: Path) -> list[str]:
    return [ENGLISH, *sorted(path.name for path in (root / FOLDER).glob("*") if path.is_dir())]


def choose(asked: str) -> str:
    """What --language says: for all that this process and its children show."""
    there = languages(ROOT)
    if asked not in there:
        raise Failure(f"the course is not there in '{quoted(asked)}'; its languages: {', '.join(there)}", EXIT_USAGE)
    os.environ[VARIABLE] = asked
    return asked


def chosen() -> str:
    """What --language or $LAB_LANGUAGE says, else the locale where the course has its language."""
    if asked := os.environ.get(VARIABLE):
        return choose(asked)
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    language = locale.partition(".")[0].partition("_")[0]
    return language if language in languages(ROOT) else ENGLISH
