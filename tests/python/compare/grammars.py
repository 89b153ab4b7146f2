"""Grammars in GBNF, validated by parsers of another kind.

All backends take the same text: GBNF is xgrammar's own notation, and llguidance converts it.
"""

from __future__ import annotations

import re

from .examples import FOLDER
from .format import Format
from .parsers import is_arithmetic, is_list

#: Lists in parentheses, of any depth.
LISTS = """\
root ::= list
list ::= "(" item (" " item)* ")"
item ::= list | word | number
word ::= [a-z]+
number ::= "0" | [1-9] [0-9]*
"""

_SQUARE = "[a-h][1-8]"
_PIECE = f"[KQRBN][a-h]?[1-8]?x?{_SQUARE}"
_PAWN = f"([a-h]x)?{_SQUARE}(=[QRBN])?"
_MOVE = rf"(O-O(-O)?|{_PIECE}|{_PAWN})[+#]?"
_TURN = rf"[1-9][0-9]?[0-9]?\. {_MOVE} ({_MOVE})?"
CHESS = re.compile(f"{_TURN}( {_TURN})*")


def grammars() -> list[Format]:
    arithmetic = (FOLDER / "arithmetic.gbnf").read_text(encoding="utf-8")
    chess = (FOLDER / "chess.gbnf").read_text(encoding="utf-8")
    return [
        Format(
            "grammars",
            "arithmetic.gbnf",
            "grammar",
            arithmetic,
            "Solve x - 3 = 7 step by step.",
            "x = 7 + 3\n",
            is_arithmetic,
        ),
        Format(
            "grammars", "chess.gbnf", "grammar", chess, "Play the Italian opening.", "1. e4 e5 2. Nf3 Nc6", _is_chess
        ),
        Format(
            "grammars",
            "lists",
            "grammar",
            LISTS,
            "Write a function in Lisp that adds 2 to x.",
            "(defun f (x) (add x 2))",
            is_list,
        ),
    ]


def _is_chess(text: str) -> bool:
    return bool(CHESS.fullmatch(text))
