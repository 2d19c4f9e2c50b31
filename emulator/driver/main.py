"""From the arguments of nvcc_cpu to its exit status."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from .command_line import parse
from .compiler import find_compiler
from .library_folder import library_folder
from .messages import Failure, explained, open_standard_streams, short, show
from .options import HELP, VERSION
from .steps import Driver
from .temporary import own_folder

if TYPE_CHECKING:
    from types import FrameType


def end(number: int, _: FrameType | None) -> None:
    """As if the signal had ended the program, but what it has begun is cleared away."""
    sys.exit(128 + number)


def main() -> None:
    open_standard_streams()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, end)
    try:
        command = parse(sys.argv[1:])
        if "help" in command.flags:
            show(HELP)
        elif "version" in command.flags:
            show(VERSION)
        elif {"architectures", "codes"} & command.flags:
            show("compute_90\n" if "architectures" in command.flags else "sm_90\n")
        elif "print library folder" in command.flags:
            show(library_folder(find_compiler(command), "check" in command.flags) + "\n")
        else:
            with own_folder() as folder:
                Driver(command, folder).run()
    except Failure as failure:
        sys.exit(str(failure))
    except OSError as error:
        sys.exit(f"nvcc_cpu: error: {short(explained(error))}")
    except KeyboardInterrupt:
        sys.exit(130)
