"""From the arguments of nvcc_cpu to its exit status."""

import sys
import tempfile

from .command_line import parse
from .messages import Failure, explained, open_standard_streams, short, show
from .options import HELP, VERSION
from .steps import Driver


def main():
    open_standard_streams()
    try:
        command = parse(sys.argv[1:])
        if "help" in command.flags:
            show(HELP)
        elif "version" in command.flags:
            show(VERSION)
        elif {"architectures", "codes"} & command.flags:
            show("compute_90\n" if "architectures" in command.flags else "sm_90\n")
        else:
            with tempfile.TemporaryDirectory(prefix="nvcc_cpu.") as folder:
                Driver(command, folder).run()
    except Failure as failure:
        sys.exit(str(failure))
    except OSError as error:
        sys.exit(f"nvcc_cpu: error: {short(explained(error))}")
    except KeyboardInterrupt:
        sys.exit(130)
