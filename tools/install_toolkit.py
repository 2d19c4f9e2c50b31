"""Downloads the CUDA toolkit of building/toolkit.py where it is missing, and prints its nvcc. Called by .ci/run, which
builds with this one on each machine, whatever else is installed there."""

import sys

from building import toolkit
from shared import console
from shared.console import Failure

if __name__ == "__main__":
    try:
        print(toolkit.install())
    except Failure as failure:
        console.note(f"lab: {failure}")
        sys.exit(failure.code)
