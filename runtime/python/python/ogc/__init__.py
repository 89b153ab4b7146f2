"""Output formats for language models: typed, compiled, enforced token by token.

>>> import ogc
>>> answer = ogc.Format.regex("yes|no")
>>> vocabulary = ogc.Vocabulary.of_tokens([(0, b"y"), (1, b"es"), (2, b"no")], special={"</s>": 3})
>>> matcher = answer.matcher(vocabulary)
>>> matcher.allowed_tokens()
[0, 2]
>>> matcher.accept(0)
>>> matcher.allowed_tokens()
[1]
"""

from . import _format, _vocabulary
from ._buffers import logit_rows, mask_rows
from ._errors import BudgetError, FormatError, LimitError, NotAllowedError
from ._ogc import (
    EventReader,
    Finding,
    Format,
    LogitRows,
    MaskRows,
    Matcher,
    RowFollower,
    Vocabulary,
    __version__,
    accept_tokens,
    fill_masks,
    forget_shared,
    mask_logits,
)
from ._stream import PartialValue, events, partials
from ._view import TextView, ViewedToken, view

__all__ = [
    "BudgetError",
    "EventReader",
    "Finding",
    "Format",
    "FormatError",
    "LimitError",
    "LogitRows",
    "MaskRows",
    "Matcher",
    "NotAllowedError",
    "PartialValue",
    "RowFollower",
    "TextView",
    "ViewedToken",
    "Vocabulary",
    "__version__",
    "accept_tokens",
    "events",
    "fill_masks",
    "forget_shared",
    "logit_rows",
    "mask_logits",
    "mask_rows",
    "partials",
    "view",
]

# The classes of the extension module have the constructors that Python writes; `_ogc.pyi` declares them.
for _name in ("abnf", "artifact", "ebnf", "file", "gbnf", "json_schema", "lark", "of", "regex", "source", "structural_tag", "tools"):
    setattr(Format, _name, staticmethod(getattr(_format, _name)))
setattr(Format, "parse", _format.parse)
for _name in ("built_in", "of_file", "of_tokens", "of_transformers"):
    setattr(Vocabulary, _name, staticmethod(getattr(_vocabulary, _name)))
del _name
