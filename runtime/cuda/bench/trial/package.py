"""Runs the tests of the Python package on the device: `package.py FOLDER [--dry-run]`; the folder has them.

Each launch that they make is compared with matchers and plain loops on the host, in tensors of PyTorch.
"""

from __future__ import annotations

import sys
import unittest
from pathlib import Path


def main(folder: Path, is_dry: bool) -> int:
    """Returns the exit code: 0 if all tests passed, or in a dry run if the package can be loaded."""
    import ogc.cuda

    print(f"ogc {ogc.__version__}, {ogc.__file__}")
    if is_dry:
        return 0
    print(ogc.cuda.Device(), flush=True)
    sys.path.insert(0, str(folder))
    tests = unittest.defaultTestLoader.discover(str(folder))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--dry-run" in sys.argv[2:]))
