"""Prints what a package needs beside torch, for pip: `requirements.py PACKAGE with|without`.

`with` prints what is installed with all that it needs in turn, `without` what would bring torch's CUDA libraries and is installed alone.
"""

from __future__ import annotations

import sys
from importlib.metadata import requires

from pip._vendor.packaging.requirements import Requirement

#: Large, and not needed on a processor.
LEFT_OUT = {"torch", "torchaudio", "torchvision", "torchcodec", "opencv-python-headless", "intel-openmp"}

#: These need torch, and would have it installed with the libraries of CUDA.
ALONE = {"compressed-tensors", "xgrammar"}


def main(package: str, which: str) -> None:
    for requirement in map(Requirement, requires(package) or []):
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if applies and requirement.name not in LEFT_OUT and (requirement.name in ALONE) == (which == "without"):
            extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
            print(f"{requirement.name}{extras}{requirement.specifier}")


if __name__ == "__main__":
    main(*sys.argv[1:])
