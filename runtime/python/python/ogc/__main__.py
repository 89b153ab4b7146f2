"""The command ``ogc``."""

from __future__ import annotations

import signal
import sys

from ._ogc import run_command


def main() -> int:
    """Runs the command line of this process; returns its exit code."""
    # Python would handle the interruption only after the end of the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["ogc", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
