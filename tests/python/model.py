"""Writes the small model of tests as a folder that transformers and vLLM read: `model.py FOLDER_OF_THE_GGUF_FILE OUT`."""

import os
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(source: Path, out: Path) -> None:
    (file,) = source.glob("SmolLM2*.gguf")
    tokenizer = AutoTokenizer.from_pretrained(source, gguf_file=file.name)
    model = AutoModelForCausalLM.from_pretrained(source, gguf_file=file.name, dtype=torch.float32)
    # The weights are unpacked now, but the marks of their file would prevent transformers from saving them.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    for mark, plain in [("hf_quantizer", None), ("is_quantized", False), ("quantization_method", None)]:
        if hasattr(model, mark):
            setattr(model, mark, plain)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
