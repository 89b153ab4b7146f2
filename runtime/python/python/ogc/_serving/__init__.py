"""The common parts of plug-ins for serving engines: formats of requests, caches, and texts that engines step."""

from .cache import MAX_FORMATS, FormatCache, LeastRecentlyUsed, RowsCache
from .requests import FORMATS, SPACE, Kind, format_of, space_of
from .texts import SteppedText, rollback_window, with_room_for_the_end

__all__ = [
    "FORMATS",
    "MAX_FORMATS",
    "FormatCache",
    "Kind",
    "LeastRecentlyUsed",
    "RowsCache",
    "SPACE",
    "SteppedText",
    "format_of",
    "rollback_window",
    "space_of",
    "with_room_for_the_end",
]
