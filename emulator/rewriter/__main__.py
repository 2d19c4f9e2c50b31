"""Makes `python3 emulator/rewriter FILE.cu` work, from any folder."""

import os
import sys

# Python has put this folder there; what is imported is the package, and its modules are no one else's.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

from rewriter.command_line import main  # noqa: E402

main()
