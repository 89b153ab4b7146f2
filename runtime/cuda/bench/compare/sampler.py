"""The sampler of all arms but the fused one: a draw by the weights of all tokens, at temperature 1."""

from __future__ import annotations

import torch
from torch import Tensor

# The logit that the replayed token is given. The weights of all others sum up to less than 1e-30 of its own then, so
# that each draw is that token, and a mask without it would show.
FORCED = 100.0


def force(logits: Tensor, tokens: Tensor) -> None:
    """Gives the replayed token of each row the logit that makes it certain."""
    logits.scatter_(1, tokens.unsqueeze(1), FORCED)


def draw(logits: Tensor) -> Tensor:
    """Draws a token for each row: the greatest of weights over exponential noise, as servers do without a host read."""
    weights = torch.softmax(logits, dim=-1, dtype=torch.float32)
    noise = torch.empty_like(weights).exponential_()
    return weights.div_(noise).argmax(dim=-1)
