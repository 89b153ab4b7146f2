"""Masks applied to logits of torch, on the host or on a device."""

from __future__ import annotations

import torch

from ._ogc import mask_logits


def masked(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """A copy of ``logits`` [rows, vocabulary] in which tokens that ``masks`` [rows, words of 32 bits] do not allow are minus infinity."""
    if logits.device.type == "cpu":
        out = logits.contiguous().clone()
        mask_logits(masks, out)
        return out
    return logits.masked_fill(_refused(masks, logits), float("-inf"))


def mask_in_place(logits: torch.Tensor, masks: torch.Tensor) -> None:
    """As :func:`masked`, in place."""
    if logits.device.type == "cpu":
        mask_logits(masks, logits)
    else:
        logits.masked_fill_(_refused(masks, logits), float("-inf"))


def _refused(masks: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
    bits = torch.arange(32, dtype=torch.int32, device=logits.device)
    allowed = (masks.to(logits.device)[:, :, None] >> bits) & 1
    return allowed.flatten(1)[:, : logits.shape[1]] == 0
