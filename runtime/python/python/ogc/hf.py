"""ogc for Hugging Face transformers: every text that ``generate`` writes is of a format, and complete within ``max_new_tokens``.

    processor = ogc.hf.LogitsProcessor(ogc.Format.of(Person), tokenizer, model=model, max_new_tokens=80)
    ids = model.generate(**inputs, logits_processor=[processor], max_new_tokens=80)

The processor only looks at the rows of tokens, so greedy search, sampling, several returned sequences, beams, assisted generation and prompt look-up
all work. If the format leaves no choice, :func:`forced_generate` reads the tokens in one pass of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import torch
import transformers

from . import Format, Matcher, NotAllowedError, RowFollower, Vocabulary, mask_rows
from ._format import TokenPolicy
from ._serving import rollback_window
from ._torch import masked

__all__ = ["LogitsProcessor", "forced_generate"]


class LogitsProcessor(transformers.LogitsProcessor):
    """Allows only tokens after which a text of the format can be completed.

    ``format`` is a :class:`ogc.Format`, or a sequence of them, one for each prompt of the batch. The first call of ``generate`` gives the length of
    the prompt; call :meth:`reset` before the processor is given to another ``generate``.

    Keys, punctuation and other constants are written only with the tokens of the tokenizer, unless ``tokens="any"`` or the format's policy allows any
    tokens.

    ``max_new_tokens`` must be the same as for ``generate``: every text is complete within it. A format that takes more tokens raises
    :class:`ogc.BudgetError`.
    """

    supports_continuous_batching = False

    def __init__(
        self,
        format: Format | Sequence[Format],
        tokenizer: Any,
        *,
        model: Any = None,
        max_new_tokens: int | None = None,
        threads: int = 1,
        tokens: TokenPolicy | None = None,
    ) -> None:
        is_known = isinstance(tokenizer, Vocabulary)
        vocabulary = tokenizer if is_known else Vocabulary.of_transformers(tokenizer, model=model)
        formats = [format] if isinstance(format, Format) else list(format)
        # Rows go back by rejected candidates; a row that goes back further is read again.
        window = rollback_window(0)
        self._starts = [format.matcher(vocabulary, max_tokens=max_new_tokens, rollback_window=window, tokens=tokens) for format in formats]
        for start in self._starts:
            start.warm_up()
        self._threads = threads
        self.reset()

    def reset(self) -> None:
        """Forgets the rows and the length of the prompt."""
        self._prompt: int | None = None
        self._followers = [RowFollower(start) for start in self._starts]
        self._masks = torch.empty((0, 0), dtype=torch.int32)

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.FloatTensor:
        """Masks the scores of the next token of each row; ``scores`` is [rows, logits]."""
        if self._prompt is None:
            self._prompt = input_ids.shape[1]
        rows, width = scores.shape
        words = (width + 31) // 32
        if self._masks.shape[0] < rows or self._masks.shape[1] != words:
            self._masks = torch.empty((rows, words), dtype=torch.int32)
        if rows % len(self._followers):
            raise ValueError(f"there are {rows} rows for {len(self._followers)} formats")
        ids = input_ids.to("cpu", torch.int64).contiguous()
        # The rows of one prompt are next to each other; all prompts have the same number of rows.
        group = rows // len(self._followers)
        for at, follower in enumerate(self._followers):
            some = slice(at * group, (at + 1) * group)
            self._fill(follower, ids[some], self._masks[some])
        return cast("torch.FloatTensor", masked(scores, self._masks[:rows]))

    def _fill(self, follower: RowFollower, ids: torch.Tensor, masks: torch.Tensor) -> None:
        assert self._prompt is not None
        refused = follower._follow_at(ids.data_ptr(), (ids.shape[0], ids.shape[1]), ids.stride(0), self._prompt)
        if refused:
            _check_beams(ids[:, : self._prompt], refused)
        follower.fill_masks(mask_rows(masks), threads=self._threads)


def _check_beams(prompts: torch.Tensor, refused: list[tuple[int, str]]) -> None:
    """Accepts rows with a token that is not allowed if another row of the same prompt has only allowed tokens: then they are beams.

    If fewer tokens are allowed than there are beams, beam search fills the other beams with any token, with the score minus infinity.
    """
    rows = {row for row, _ in refused}
    listed: list[list[int]] = cast("Any", prompts).tolist()
    good = {tuple(prompt) for row, prompt in enumerate(listed) if row not in rows}
    for row, reason in refused:
        if tuple(listed[row]) not in good:
            raise NotAllowedError(f"{reason}; call reset() before another generate, and let no processor behind this one change its choice")


def forced_generate(
    model: Any,
    input_ids: torch.Tensor,
    logits_processor: Any = None,
    stopping_criteria: Any = None,
    generation_config: Any = None,
    ogc_matcher: Matcher | None = None,
    ogc_tokenizer: Any = None,
    **model_kwargs: Any,
) -> torch.Tensor:
    """A ``custom_generate`` that reads the tokens that the format forces in one pass of the model. They are the tokens of the tokenizer.

        model.generate(**inputs, custom_generate=ogc.hf.forced_generate, ogc_matcher=format.matcher(vocabulary, max_tokens=80, tokens="canonical"),
                       ogc_tokenizer=tokenizer, max_new_tokens=80)

    For one row, greedy or sampled. Formats with ``escapes="canonical"`` force the most; a matcher of
    canonical tokens asks the tokenizer of its vocabulary. ``model.ogc_passes`` counts the passes of the last call.
    """
    if ogc_matcher is None or ogc_tokenizer is None:
        raise TypeError("forced_generate needs ogc_matcher and ogc_tokenizer")
    if input_ids.shape[0] != 1:
        raise ValueError(f"forced_generate writes one row, not {input_ids.shape[0]}")

    def encode(text: str) -> list[int]:
        return list(ogc_tokenizer.encode(text, add_special_tokens=False))

    def is_done(ids: torch.Tensor) -> bool:
        return ogc_matcher.is_ended or (stopping_criteria is not None and bool(stopping_criteria(ids, None).all()))

    reader = _Reader(model, input_ids, model_kwargs.get("attention_mask"))
    limit = getattr(generation_config, "max_length", None)
    is_sampled = generation_config is not None and generation_config.do_sample
    while True:
        forced = ogc_matcher.forced_tokens(encode)
        if limit is not None:
            forced = forced[: max(limit - reader.ids.shape[1], 0)]
        for token in forced:
            ogc_matcher.accept(token)
        if forced:
            reader.append(forced)
            if is_done(reader.ids):
                break
        logits = reader.read()
        masks = torch.empty((1, (logits.shape[1] + 31) // 32), dtype=torch.int32)
        ogc_matcher.fill_mask(masks)
        scores = masked(logits, masks)
        if logits_processor is not None:
            scores = logits_processor(reader.ids, scores)
        chosen = torch.multinomial(scores.softmax(-1), 1) if is_sampled else scores.argmax(-1)
        ogc_matcher.accept(int(chosen))
        reader.append([int(chosen)])
        if is_done(reader.ids):
            break
    model.ogc_passes = reader.passes
    return reader.ids


class _Reader:
    """Reads one row into a model's cache, all unread tokens at once."""

    def __init__(self, model: Any, ids: torch.Tensor, attention: torch.Tensor | None) -> None:
        self.ids = ids
        self.passes = 0
        self._model = model
        self._attention = attention
        self._unread = ids
        self._cache = transformers.DynamicCache()

    def append(self, tokens: list[int]) -> None:
        more = torch.tensor([tokens], device=self.ids.device)
        self.ids, self._unread = torch.cat([self.ids, more], 1), torch.cat([self._unread, more], 1)

    def read(self) -> torch.Tensor:
        """The logits behind the last token, [1, logits]."""
        given: dict[str, Any] = {}
        if self._attention is not None:
            more = self.ids.shape[1] - self._attention.shape[1]
            given["attention_mask"] = torch.nn.functional.pad(self._attention, (0, more), value=1)
        out = self._model(input_ids=self._unread, past_key_values=self._cache, use_cache=True, logits_to_keep=1, **given)
        self.passes += 1
        self._unread = self.ids[:, :0]
        logits: torch.Tensor = out.logits[:, -1].float()
        return logits
