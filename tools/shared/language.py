"""Which language the course is shown in."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure, quoted

ENGLISH = "en"  # the source of all translations
NAMES = {"en": "English", "zh": "中文"}  # what their readers call them
FOLDER = "translations"  # with a folder for each other language
VARIABLE = "LAB_LANGUAGE"


def languages(root: Path) -> list[str]:
    return [ENGLISH, *sorted(path.name for path in (root / FOLDER).glob("*") if path.is_dir())]


def chosen(options: Namespace, root: Path = ROOT) -> str:
    """What --language says, else $LAB_LANGUAGE, else the locale where the course has its language."""
    there = languages(root)
    asked: str | None = options.language
    if asked is None:
        asked = os.environ.get(VARIABLE) or None
    if asked is not None:
        if asked not in there:
            raise Failure(f"the course is not there in '{quoted(asked)}'; its languages: {', '.join(there)}", EXIT_USAGE)
        return asked
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    language = locale.partition(".")[0].partition("_")[0]
    return language if language in there else ENGLISH
