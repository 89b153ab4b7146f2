//! Guesses the tokens that end a sequence, which tokenizer files do not name. Part of building a [`Vocabulary`].

use super::{TokenId, Vocabulary};

/// Names of tokens that end a text or a turn in published models.
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

/// A name that marks the harmony format, in which `<|end|>` ends a message and not the sequence.
const HARMONY: &str = "<|return|>";

/// Guesses the special tokens that end a sequence by well-known names; never guesses a text token.
pub(super) fn guess(vocabulary: &Vocabulary) -> Vec<TokenId> {
    let harmony = vocabulary.special(HARMONY).is_some();
    let names = WELL_KNOWN.iter().filter(|&&name| !(harmony && name == "<|end|>"));
    names.filter_map(|name| vocabulary.special(name)).collect()
}

#[cfg(test)]
mod tests {
    use crate::vocabulary::{TokenId, TokenKind, Vocabulary, VocabularyBuilder};

    #[track_caller]
    fn check(specials: &[(&str, u32)], expected: &[u32]) {
        let vocabulary = Vocabulary::from_tokens(&[Some("a")], specials).unwrap();
        assert!(vocabulary.eos().iter().map(|id| id.0).eq(expected.iter().copied()));
    }

    #[test]
    fn well_known_names_end_a_sequence() {
        check(&[("<|im_start|>", 1), ("<|im_end|>", 2), ("<|endoftext|>", 3)], &[2, 3]);
        check(&[("<|end|>", 1), ("<|endoftext|>", 2)], &[1, 2]);
        check(&[("<|end|>", 1), ("<|return|>", 2)], &[2]);
        check(&[("<pad>", 1)], &[]);
    }

    #[test]
    fn a_text_token_ends_a_sequence_only_if_chosen_and_then_has_no_text() {
        let mut builder = VocabularyBuilder::new();
        builder.named_text(0, "</s>", b"</s>").unwrap();
        let vocabulary = builder.build().unwrap();
        assert_eq!(vocabulary.eos(), []);
        let before = vocabulary.fingerprint();
        let vocabulary = vocabulary.with_eos(&[TokenId(0)]).unwrap();
        assert_eq!((vocabulary.kind(TokenId(0)), vocabulary.text(TokenId(0))), (TokenKind::Special, None));
        assert_ne!(vocabulary.fingerprint(), before);
        assert!(vocabulary.with_eos(&[TokenId(1)]).is_err());
    }
}
