//! Guessing which tokens end a sequence: tokenizer files do not say. Part of building a [`Vocabulary`].

use super::{TokenId, Vocabulary};

/// Names under which published models end a text or a turn.
const WELL_KNOWN: &[&str] = &[
    "</s>",
    "<eos>",
    "<end_of_turn>",
    "<turn|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|im_end|>",
    "<|eos|>",
    "<|eot|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<｜end▁of▁sentence｜>",
    "[EOS]",
];

/// In the harmony format `<|end|>` ends a message, after which the next one begins: it is no end of the sequence there.
const HARMONY: &str = "<|return|>";

/// The special tokens with a well-known name; a text token is never guessed to end a sequence.
pub(super) fn guess(vocabulary: &Vocabulary) -> Vec<TokenId> {
    let harmony = vocabulary.special(HARMONY).is_some();
    let names = WELL_KNOWN
        .iter()
        .filter(|&&name| !(harmony && name == "<|end|>"));
    names.filter_map(|name| vocabulary.special(name)).collect()
}
