"""The exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._ogc import Finding

__all__ = ["BudgetError", "DeviceError", "FormatError", "LimitError", "NotAllowedError"]


class FormatError(ValueError):
    """A format has errors. The text is the output of the command line; ``findings`` has the same as data."""

    findings: tuple[Finding, ...]

    def __init__(self, message: str, findings: Iterable[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class NotAllowedError(ValueError):
    """The format does not allow a token or a text here, or the text has ended."""


class BudgetError(ValueError):
    """No completion of the text is known that fits into the tokens that are left."""


class LimitError(RuntimeError):
    """A format is so ambiguous here that it takes too much memory or time, or a text does not fit on a device."""


class DeviceError(RuntimeError):
    """There is no NVIDIA device or driver that the kernels run on, or the device failed; the text gives the reason."""
