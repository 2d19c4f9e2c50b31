"""The limits on what an answer's kernels may do, as task.md states them, held against what the emulator has counted.

sectors per global load <= 4.0      ways per shared load <= 1.0      lanes per shared atomic >= 16
global atomic requests <= 512       shared load requests per block <= 28
warp operation requests >= 40      fence requests per block >= 1
barriers per block <= 9             blocks <= 64                       launches = 1
blocks per launch >= 2                              threads per block = 96             steps >= 100000
global load sectors <= 4096         threads = 1024                     sectors per global load in stride_2 = 8
global store requests of a warp <= 1, of the one that has the most: is the work shared out?
warps at work on global load requests >= 8: all requests, divided by those of the warp that has the most
A loop that waits makes requests as long as it does: where there is one, no limit may be on what stands in it.

Of all kernels together, or of the one that a limit names with `in`. What costs something "per" a request is 0 where there is no
such request: `lanes per shared atomic >= 1` says that there is to be one. Many steps show that the host has not done the work.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.results import Json
from shared.console import DASH, Failure

# What each request of a kind costs: the name in a limit, the member of the counters, and that of what there must be.
RATIOS = {
    "sectors": "sectors",
    "ways": "wavefronts",
    "addresses": "addresses",
    "lanes": "lanes",
    "same-address lanes": "same_address",
}
REQUEST = r"(?:global|shared|constant) (?:load|store|atomic)"
LIMIT = re.compile(
    rf"(?P<quantity>(?P<ratio>{'|'.join(RATIOS)}) per (?P<what>{REQUEST})"
    rf"|(?P<requests>{REQUEST}|warp operation|fence) requests(?: per block| of a warp)?"
    rf"|warps at work on (?P<shared>{REQUEST}|fence) requests"
    r"|(?P<sectors>global (?:load|store|atomic)) sectors|barriers per block|blocks per launch|threads per block"
    r"|blocks|threads|launches|steps)"
    r"(?P<place> in (?P<kernel>\w+))? (?P<relation><=|>=|=) (?P<number>\d+(?:\.\d+)?)"
)
PLURAL = re.compile(r"\b(launch)es\b|\b(block|barrier|thread|request|sector|warp|step)s\b")
SIGNS = {"<=": "at most", ">=": "at least", "=": "exactly"}


@dataclass(frozen=True)
class Limit:
    quantity: str
    relation: str
    number: float
    what: str  # the kind of request, as the emulator calls it; "" for blocks, threads and launches
    ratio: str  # of RATIOS; "" for sums
    kernel: str = ""  # of which alone it speaks; "" for all

    @staticmethod
    def read(text: str, where: str) -> "Limit":
        match = LIMIT.fullmatch(text)
        if not match:
            raise Failure(f"{where}: no limit that can be counted; tools/exercises/limits.py lists them")
        quantity, kernel = match["quantity"] + (match["place"] or ""), match["kernel"] or ""
        what = match["what"] or match["requests"] or match["shared"] or match["sectors"]
        what = what or ("barrier" if "barriers" in quantity else "")
        return Limit(quantity, match["relation"], float(match["number"]), what, match["ratio"] or "", kernel)

    def value(self, kernels: Sequence[Json]) -> float:
        """What the answer's kernels did, all of them together."""
        kernels = self._meant(kernels)
        quantity = self.quantity.partition(" in ")[0]
        if quantity.endswith("of a warp"):
            return max((float(kernel["most_of_a_warp"].get(self.what, 0)) for kernel in kernels), default=0.0)
        if quantity == "blocks per launch":
            return _total(kernels, "blocks") / max(1, _total(kernels, "launches"))
        if quantity == "threads per block":
            return _total(kernels, "threads") / max(1, _total(kernels, "blocks"))
        if quantity == "steps":
            return float(sum(kernel["steps"]["all"] for kernel in kernels))
        if not self.what:
            return _total(kernels, quantity)
        entries = [entry for kernel in kernels for entry in kernel["counts"] if entry["what"] == self.what]
        if quantity.startswith("warps"):
            busiest: int = sum(kernel["most_of_a_warp"].get(self.what, 0) * kernel["launches"] for kernel in kernels)
            return self._of(entries) / max(1, busiest)
        blocks = _total(kernels, "blocks") if quantity.endswith("per block") else 1
        return self._of(entries) / max(1, blocks)

    def holds(self, value: float) -> bool:
        small = 1e-9 * max(1.0, self.number)
        if self.relation == "<=":
            return value <= self.number + small
        return value >= self.number - small if self.relation == ">=" else abs(value - self.number) <= small

    def says(self, value: float) -> str:
        """'8.0 sectors per global load; at most 4.0 are asked for'"""
        quantity = PLURAL.sub(r"\1\2", self.quantity, count=1) if self.shown(value) == "1" else self.quantity
        wanted = self.shown(self.number)
        return f"{self.shown(value)} {quantity}: {SIGNS[self.relation]} {wanted} {'is' if wanted == '1' else 'are'} asked for"

    def shown(self, value: float) -> str:
        """'4.0' of what is a ratio, unless that is large and whole; '2' of what is a number of things; '–' per no request."""
        if self.ratio and not value:
            return DASH
        is_whole = value == int(value) and (value > 9 or not (self.ratio or self.quantity.endswith("per block")))
        return f"{value:,.0f}" if is_whole or value >= 100 else f"{value:,.1f}"

    def worst_line(self, kernels: Sequence[Json]) -> int:
        """The line of the answer that does most of it; 0 where no line does."""
        kernels = self._meant(kernels)
        if self.quantity.endswith("of a warp"):
            kernels = [max(kernels, key=lambda kernel: kernel["most_of_a_warp"].get(self.what, 0))] if kernels else []
        lines = [line for kernel in kernels for line in kernel["lines"] if line["counts"]["what"] == self.what]
        if not lines:
            return 0
        most = self.relation != ">="
        worst = (max if most else min)(lines, key=lambda line: (self._of([line["counts"]]), line["counts"]["requests"]))
        number: int = worst["line"]
        return number

    def _meant(self, kernels: Sequence[Json]) -> list[Json]:
        named = re.compile(rf"\b{self.kernel}\b[^(]*\(")
        return [kernel for kernel in kernels if not self.kernel or named.search(kernel["kernel"])]

    def _of(self, entries: Sequence[Mapping[str, float]]) -> float:
        requests = sum(entry["requests"] for entry in entries)
        if "sectors" in self.quantity and not self.ratio:
            return sum(entry["sectors"] for entry in entries)
        if not self.ratio:
            return requests
        cost = sum(entry.get(RATIOS[self.ratio], 0) for entry in entries)
        if self.ratio == "ways":
            requests = sum(entry.get("least_wavefronts", entry["requests"]) for entry in entries)
        return cost / requests if requests else 0.0


def _total(kernels: Sequence[Json], what: str) -> float:
    return float(sum(kernel[what] for kernel in kernels))
