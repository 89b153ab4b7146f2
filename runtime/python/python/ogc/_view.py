"""A text token by token, as a notebook shows it: the source of each token, and the tokens that the format allowed at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Literal, NamedTuple

from ._buffers import mask_rows
from ._ogc import Format, Matcher, Vocabulary

#: Maximum number of allowed tokens that are listed.
_NAMED = 8

_MEANINGS = {
    "sampled": "the model chose it",
    "forced": "the format left no choice",
    "guessed": "drafted and kept",
    "refused": "the format does not allow it",
}

# The colours of the pages that `ogc report` writes.
_STYLE = """
.ogc-view { --paper: #fff; --ink: #1d1f24; --soft: #5b606b; --sampled: #e7eefb; --forced: #e6f3ea; --guessed: #fdf1dc; --refused: #fbe4e2;
  --sampled-line: #1f5fbf; --forced-line: #2f7d4f; --guessed-line: #a4690f; --refused-line: #b3261e;
  background: var(--paper); color: var(--ink); border: 1px solid #7a808c55; border-radius: 8px; padding: .7em .9em; font: 14px/1.9 system-ui; }
@media (prefers-color-scheme: dark) { .ogc-view { --paper: #1c1f25; --ink: #e8e6e1; --soft: #a3a8b3;
  --sampled: #1b2a45; --forced: #163022; --guessed: #33270f; --refused: #401c1a;
  --sampled-line: #8ab4f8; --forced-line: #6fcf97; --guessed-line: #e6b45c; --refused-line: #ff8a80; } }
.ogc-view .text { white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
.ogc-view b { font-weight: 400; padding: .1em 0; border-bottom: 2px solid; margin-right: 1px; }
.ogc-view .sampled { background: var(--sampled); border-color: var(--sampled-line); }
.ogc-view .forced { background: var(--forced); border-color: var(--forced-line); }
.ogc-view .guessed { background: var(--guessed); border-color: var(--guessed-line); }
.ogc-view .refused { background: var(--refused); border-color: var(--refused-line); text-decoration: line-through; }
.ogc-view small, .ogc-view summary { color: var(--soft); font-size: 12px; }
.ogc-view td, .ogc-view th { text-align: left; padding: 0 1em 0 0; font-size: 12px; line-height: 1.5; background: none; color: inherit; }
"""

TokenKind = Literal["sampled", "forced", "guessed", "refused"]


class ViewedToken(NamedTuple):
    """A token of a text, and the tokens that were allowed in its place."""

    token: int
    #: Its text for people.
    text: str
    kind: TokenKind
    #: The number of tokens that the mask allowed here.
    allowed: int
    #: Some of the allowed tokens, by their texts.
    some: tuple[str, ...]


class TextView:
    """A text as :func:`view` has read it. In a notebook it is shown with a colour for each kind of token."""

    def __init__(self, tokens: Sequence[ViewedToken], vocabulary_size: int, unread: int) -> None:
        self.tokens: tuple[ViewedToken, ...] = tuple(tokens)
        self._size = vocabulary_size
        self._unread = unread

    def __repr__(self) -> str:
        counts = [f"{count} {kind}" for kind in _MEANINGS if (count := sum(token.kind == kind for token in self.tokens))]
        return f"<TextView {''.join(token.text for token in self.tokens)!r}: {', '.join(counts) or 'no tokens'}>"

    def html(self) -> str:
        """The view as a part of a page, without scripts."""
        kinds = {token.kind for token in self.tokens}
        legend = " ".join(f'<b class="{kind}">&nbsp;{kind}&nbsp;</b> {why} &nbsp;' for kind, why in _MEANINGS.items() if kind in kinds)
        unread = f" Not read behind it: {self._unread}." if self._unread else ""
        titled = [(token, escape(self._title(token))) for token in self.tokens]
        text = "".join(f'<b class="{token.kind}" title="{title}">{_marked(token.text)}</b>' for token, title in titled)
        rows = "".join(f"<tr><td>{token.token}<td>{escape(_quoted(token.text))}<td>{title}" for token, title in titled)
        return (
            f'<div class="ogc-view"><style>{_STYLE}</style><div class="text">{text}</div><small>{legend}{unread}</small>'
            f"<details><summary>What each token was chosen from</summary><table>{rows}</table></details></div>"
        )

    _repr_html_ = html

    def _title(self, token: ViewedToken) -> str:
        more = ", …" if token.allowed > len(token.some) else ""
        return f"{token.kind}; {token.allowed:,} of {self._size:,} tokens allowed: {', '.join(map(_quoted, token.some))}{more}"


def view(
    format: Format,
    vocabulary: Vocabulary,
    tokens: Iterable[int],
    *,
    max_tokens: int | None = None,
    guessed: Iterable[int] = (),
    encode: Callable[[str], Sequence[int]] | None = None,
) -> TextView:
    """Reads a text again, to show how each token came about: sampled, forced by the format, or guessed.

    ``guessed`` are the indices of tokens that were drafted and kept. Forced tokens are the result of :meth:`Matcher.forced_tokens`, with the
    vocabulary's tokenizer or ``encode``, and tokens that were the only allowed ones. A token that is not allowed is shown as refused, and ends the
    view.

    >>> import ogc
    >>> vocabulary = ogc.Vocabulary.built_in()
    >>> answer = ogc.Format.json_schema({"enum": ["small", "large"]}, space="compact")
    >>> ogc.view(answer, vocabulary, vocabulary.encode('"large"'))
    <TextView '"large"': 2 sampled, 1 forced>
    """
    matcher, ids, drafted = format.matcher(vocabulary, max_tokens=max_tokens), [int(token) for token in tokens], set(guessed)
    buffer = bytearray(4 * ((len(vocabulary) + 31) // 32))
    rows, read, forced = mask_rows(buffer), list[ViewedToken](), list[int]()
    for at, token in enumerate(ids):
        matcher.fill_mask(rows)
        mask = int.from_bytes(buffer, "little")
        forced = forced or _forced(matcher, encode)
        is_forced = forced[:1] == [token] or (mask.bit_count() == 1 and mask >> token == 1)
        forced = forced[1:] if forced[:1] == [token] else []
        kind: TokenKind = "guessed" if at in drafted else "forced" if is_forced else "sampled"
        if not matcher.try_accept(token):
            kind = "refused"
        some = tuple(_shown(vocabulary, id) for id in _first(mask, _NAMED))
        read.append(ViewedToken(token, _shown(vocabulary, token), kind, mask.bit_count(), some))
        if kind == "refused":
            break
    return TextView(read, len(vocabulary), len(ids) - len(read))


def _forced(matcher: Matcher, encode: Callable[[str], Sequence[int]] | None) -> list[int]:
    try:
        return matcher.forced_tokens(encode)
    except ValueError:
        if encode is not None:
            raise
        return []


def _first(mask: int, count: int) -> list[int]:
    """The first tokens of a mask."""
    found: list[int] = []
    while mask and len(found) < count:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _shown(vocabulary: Vocabulary, token: int) -> str:
    """The text of a token, or its name, with escapes for invisible characters."""
    data = vocabulary.token_bytes(token)
    text = vocabulary.token_name(token) or f"<{token}>" if data is None else data.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def _quoted(text: str) -> str:
    return "'" + text.replace("\n", "\\n") + "'"


def _marked(text: str) -> str:
    return escape(text).replace("\n", "↵\n")
