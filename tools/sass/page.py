"""The page: one HTML file that needs nothing else. Colours, style and the way it makes elements are the watch page's."""

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from sass import limits, text, view
from sass.limits import MOST_THREADS, WARP
from sass.opcodes import KINDS, explanation
from sass.said import Said
from sass.view import Kernel, Unit
from shared.chapters import ROOT

HERE = Path(__file__).with_name("page")
WATCH = ROOT / "emulator" / "watch"
OF_WATCH = ("say.js", "svg.js", "dom.js")
Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"


def written(units: Sequence[Unit]) -> str:
    """The page that shows one or two of them."""
    title = " beside ".join(unit.title for unit in units)
    scripts = [*(WATCH / name for name in OF_WATCH), *sorted(HERE.glob("*.js"))]
    data = json.dumps(_data(units), ensure_ascii=False, separators=(",", ":"))
    places = {
        "title": html.escape(title),
        "style": "\n".join(path.read_text(encoding="utf-8") for path in (WATCH / "page.css", HERE / "page.css")),
        "script": "\n".join(path.read_text(encoding="utf-8") for path in scripts),
        "data": data.replace("<", "\\u003c"),
        "listing": html.escape("\n".join(text.written(unit) for unit in units)),
    }
    before, *parts = (HERE / "page.html").read_text(encoding="utf-8").split("{{")
    return before + "".join(places[part.partition("}}")[0]] + part.partition("}}")[2] for part in parts)


def _data(units: Sequence[Unit]) -> Json:
    return {
        "kinds": KINDS,
        "opcodes": {
            opcode: [_said(each) for each in explanation(opcode)]
            for opcode in sorted({line.it.opcode for unit in units for it in unit.kernels for line in it.code})
        },
        "sides": [_side(unit) for unit in units],
    }


def _side(unit: Unit) -> Json:
    files = list(unit.files)
    return {
        "title": unit.title,
        "arch": limits.in_words(unit.arch),
        "made": f"CUDA {unit.cuda}: {unit.command}",
        "files": [{"path": path, "lines": list(lines)} for path, lines in unit.files.items()],
        "kernels": [_kernel(kernel, unit, files) for kernel in unit.kernels],
    }


def _kernel(kernel: Kernel, unit: Unit, files: Sequence[str]) -> Json:
    use = kernel.use
    return {
        "name": kernel.name,
        "full": kernel.full,
        "isKernel": kernel.is_kernel,
        "registers": use.registers,
        "shared": use.shared,
        "reserved": limits.of(unit.arch).reserved,
        "spills": _said(text.spills(kernel)),
        "spilled": use.spill_stores + use.spill_loads > 0,
        "threads": kernel.launch.threads,
        "origin": _said(kernel.launch.origin),
        "dynamic": kernel.launch.shared,
        "occupancy": _occupancies(kernel, unit.arch) if kernel.is_kernel else {},
        "loops": [
            {
                "head": loop.head,
                "body": sorted(loop.body),
                "depth": loop.depth,
                "flying": [_said(each) for each in view.in_flight(kernel.body(loop))],
            }
            for loop in kernel.loops
        ],
        "code": [
            {
                "address": f"{line.it.address:04x}",
                "predicate": line.it.predicate,
                "opcode": line.it.opcode,
                "operands": line.operands,
                "kind": line.kind,
                "note": _said(line.note),
                "rail": line.rail,
                "loop": line.loop,
                "target": line.target,
                "places": [[files.index(file), number] for file, number in line.places],
            }
            for line in kernel.code
        ],
    }


def _said(it: Said) -> Json:
    """For the page's spoken(): the text, and what is in its places."""
    return [it.text, *(_said(value) if isinstance(value, Said) else value for value in it.values)]


def _occupancies(kernel: Kernel, arch: str) -> Json:
    """By the threads of a block."""
    sizes = sorted({*range(WARP, MOST_THREADS + 1, WARP), kernel.launch.threads})
    return {str(threads): vars(kernel.occupancy(arch, threads)) for threads in sizes}
