"""Which body of a function a token stands in."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .passes.declarations import Declaration
    from .token_stream import TokenStream


T = TypeVar("T")  # what is known of a body


class Bodies(Generic[T]):
    """`bodies`: (index of the {, index of the }, anything) of some functions. Those in another one are not asked for."""

    def __init__(self, bodies: Iterable[tuple[int, int, T]]) -> None:
        self.outermost: list[tuple[int, int, T]] = []
        for body in sorted(bodies, key=lambda each: each[0]):
            if not self.outermost or self.outermost[-1][1] < body[0]:
                self.outermost.append(body)

    def around(self, i: float) -> tuple[int, int, T] | None:
        """The one of `bodies` that the token at i stands in, or None."""
        at = bisect.bisect_left(self.outermost, i, key=lambda each: each[0]) - 1
        return self.outermost[at] if at >= 0 and i < self.outermost[at][1] else None


def device_bodies(stream: TokenStream, functions: Sequence[Declaration]) -> Bodies[Declaration]:
    """Those of the Declarations that the device alone can call."""
    return Bodies((each.brace, stream.partner.get(each.brace, 0), each) for each in functions if each.device_only())
