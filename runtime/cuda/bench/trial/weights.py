"""Makes a model of random weights of 16 bits in a folder that has its tokenizer: `weights.py FOLDER [--dry-run]`.

Its shape is that of SmolLM2-135M, with the vocabulary of the tokenizer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

HIDDEN, LAYERS, HEADS, KEY_HEADS, HEAD, INNER = 576, 30, 9, 3, 64, 1536
TOKENS = 128_256


def shapes() -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yields the names of the weights, with their sizes."""
    yield "model.embed_tokens.weight", (TOKENS, HIDDEN)
    yield "model.norm.weight", (HIDDEN,)
    matrices = {
        "self_attn.q_proj": (HEADS * HEAD, HIDDEN),
        "self_attn.k_proj": (KEY_HEADS * HEAD, HIDDEN),
        "self_attn.v_proj": (KEY_HEADS * HEAD, HIDDEN),
        "self_attn.o_proj": (HIDDEN, HEADS * HEAD),
        "mlp.gate_proj": (INNER, HIDDEN),
        "mlp.up_proj": (INNER, HIDDEN),
        "mlp.down_proj": (HIDDEN, INNER),
    }
    for layer in range(LAYERS):
        for norm in ("input_layernorm", "post_attention_layernorm"):
            yield f"model.layers.{layer}.{norm}.weight", (HIDDEN,)
        for name, sizes in matrices.items():
            yield f"model.layers.{layer}.{name}.weight", sizes


def config() -> dict[str, object]:
    """Returns what `config.json` says."""
    return {
        "model_type": "llama",
        "hidden_size": HIDDEN,
        "intermediate_size": INNER,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KEY_HEADS,
        "head_dim": HEAD,
        "max_position_embeddings": 2048,
        "rms_norm_eps": 1e-5,
        "hidden_act": "silu",
        "rope_theta": 10_000.0,
        "tie_word_embeddings": True,
        "eos_token_id": 128_009,
    }


def header() -> tuple[bytes, int]:
    """Returns the header of the file of weights, and how many bytes follow it."""
    tensors, at = {}, 0
    for name, sizes in shapes():
        count = 2
        for size in sizes:
            count *= size
        tensors[name] = {"dtype": "BF16", "shape": list(sizes), "data_offsets": [at, at + count]}
        at += count
    text = json.dumps(tensors).encode()
    return len(text).to_bytes(8, "little") + text, at


def main(folder: Path, is_dry: bool) -> int:
    """Writes the files."""
    head, size = header()
    print(f"{size / 1e6:.0f} MB of weights of 16 bits")
    if is_dry:
        return 0
    import torch

    (folder / "config.json").write_text(json.dumps(config()), encoding="utf-8")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    drawn = torch.Generator(device).manual_seed(1)
    with (folder / "model.safetensors").open("wb") as file:
        file.write(head)
        for _, sizes in shapes():
            if len(sizes) == 1:
                numbers = torch.ones(sizes, dtype=torch.bfloat16)
            else:
                numbers = torch.randn(sizes, generator=drawn, device=device) * sizes[-1] ** -0.5
            file.write(numbers.to(torch.bfloat16).cpu().view(torch.int16).numpy().tobytes())
    print("done")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--dry-run" in sys.argv))
