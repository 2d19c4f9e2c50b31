"""Which body of a function a token stands in."""

import bisect


class Bodies:
    """`bodies`: (index of the {, index of the }, anything) of some functions. Those in another one are not asked for."""

    def __init__(self, bodies):
        self.outermost = []
        for body in sorted(bodies, key=lambda each: each[0]):
            if not self.outermost or self.outermost[-1][1] < body[0]:
                self.outermost.append(body)

    def around(self, i):
        """The one of `bodies` that the token at i stands in, or None."""
        at = bisect.bisect_left(self.outermost, i, key=lambda each: each[0]) - 1
        return self.outermost[at] if at >= 0 and i < self.outermost[at][1] else None

    @classmethod
    def of_the_device(cls, stream, functions):
        """Those of the Declarations that the device alone can call."""
        return cls([(each.body, stream.partner.get(each.body, 0), each) for each in functions if each.device_only()])
