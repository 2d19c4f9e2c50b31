"""The measured numbers: results/<device>.json, one file per device, written by ./lab bench."""

import datetime
import json
import os
import re
from pathlib import Path
from typing import Any

from shared import console, processes
from shared.console import Failure

Json = dict[str, Any]

EMULATOR_FILE = "CPU_emulator.json"
NO_COMMIT = "unknown"
# What a measurement does not depend on, and what measuring itself changes.
GENERATED = (":(exclude)results", ":(exclude,glob)**/*.md", ":(exclude,glob)**/*.svg")


def read_program_output(path: Path, chapter: str) -> Json:
    """What a program wrote with --json, once it is known to hold what the rest relies on."""
    try:
        entry: Json = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{chapter}: the program wrote no usable JSON: {error}") from error
    device = entry.get("device") if isinstance(entry, dict) else None
    if not isinstance(device, dict) or not device.get("name") or entry.get("chapter") != chapter:
        raise Failure(f"{chapter}: the program's JSON names no device, or another chapter")
    return entry


def combine(entries: list[Json]) -> Json:
    """Makes one entry of what a chapter's programs wrote: their runs, tables and timelines, one after the other."""
    combined: Json = {}
    for entry in entries:
        lists = {key: combined.get(key, []) + entry.get(key, []) for key in ("runs", "tables", "timelines")}
        combined |= entry
        combined |= {key: all_of_them for key, all_of_them in lists.items() if all_of_them}
    return combined


def file_name(device: Json) -> str:
    """'NVIDIA H100 80GB HBM3' is kept in NVIDIA_H100_80GB_HBM3.json."""
    if device.get("backend") != "cuda":
        return EMULATOR_FILE
    return in_file_name(device["name"]) + ".json"


def in_file_name(device: str) -> str:
    """The name of a device as it may stand in a file's."""
    return re.sub(r"[^A-Za-z0-9]+", "_", device).strip("_")


def save(folder: Path, entry: Json) -> Path:
    """Puts a chapter's entry in place of the older one in its device's file."""
    path = folder / file_name(entry["device"])
    chapters = load(path)["chapters"] if path.exists() else {}
    chapters[entry["chapter"]] = entry
    whole = {"device": entry["device"]["name"], "chapters": dict(sorted(chapters.items()))}
    console.write_file(path, in_rows(whole) + "\n")
    return path


def in_rows(value: object, indent: str = "") -> str:
    """The value as JSON, with a line for each row: whatever holds plain values only, such as a stage with its times. So the
    difference between two measurements shows rows, and the file is as long as its tables."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    if not any(isinstance(part, (dict, list)) for part in parts):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {in_rows(part, inner)}" for key, part in value.items()]
        opening, closing = "{}"
    else:
        lines = [inner + in_rows(part, inner) for part in parts]
        opening, closing = "[]"
    return f"{opening}\n" + ",\n".join(lines) + f"\n{indent}{closing}"


def load(path: Path) -> Json:
    """One device's file."""
    try:
        whole: Json = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(whole["chapters"], dict):
            return whole
    except (ValueError, KeyError, TypeError):
        pass
    raise Failure(f"{path}: this is no file of results; delete it and run ./lab bench again")


def load_gpus(folder: Path) -> list[Json]:
    """Every GPU's results, by the device's name. The emulator's say nothing about a GPU and are left out."""
    return [load(path) for path in sorted(folder.glob("*.json")) if path.name != EMULATOR_FILE]


def facts(root: Path, driver: str) -> Json:
    """When and with what something is measured."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"date": today, "commit": commit(root), "driver": driver}


def commit(root: Path) -> str:
    """The checkout's commit, with '-dirty' when a source differs; $LAB_COMMIT where this is no checkout."""
    git = ["git", "-C", str(root)]
    top = processes.ask([*git, "rev-parse", "--show-toplevel"])
    name = processes.ask([*git, "rev-parse", "--short", "HEAD"])
    if not top or not name or not os.path.samefile(top.strip(), root):
        return os.environ.get("LAB_COMMIT") or NO_COMMIT
    changes = processes.ask([*git, "status", "--porcelain", "--untracked-files=no", "--", ".", *GENERATED])
    return name.strip() + ("-dirty" if changes else "")
