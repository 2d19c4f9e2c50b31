"""The pages on which kernels are watched, as the emulator's checked build writes them: what they show, and opening them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from shared import console

SHOWS = re.compile(r"^emulator: .* shows (.*)\n", re.MULTILINE)


def contents(said: str) -> str:
    """What a program's page shows, in the emulator's words; '' if it wrote none."""
    shows = SHOWS.search(said)
    return shows[1] if shows else ""


def open_page(page: Path) -> None:
    """In the reader's browser, where there are a screen and somebody who looks at it."""
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    opener = shutil.which("xdg-open") if has_screen else shutil.which("wslview")
    if opener is None:
        print(console.said("open it in a browser"))
        return
    subprocess.Popen([opener, str(page)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
