//! Any bytes as a tokenizer file of each kind: a vocabulary whose parts agree, or an error; no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_runtime::trie::TokenTrie;
use ogc_runtime::vocabulary::{Vocabulary, marker};

fuzz_target!(|input: (u8, &[u8])| {
    let (kind, bytes) = input;
    let read = match kind % 4 {
        0 => Vocabulary::from_tokenizer_json(bytes),
        1 => Vocabulary::from_tekken_json(bytes),
        2 => Vocabulary::from_sentencepiece(bytes),
        _ => Vocabulary::from_tiktoken(bytes, &[]),
    };
    let Ok(vocabulary) = read else { return };
    let trie = TokenTrie::new(&vocabulary);
    for (id, text) in vocabulary.texts().filter(|(_, text)| !text.is_empty()).take(1_000) {
        // The byte with which markers begin is reserved: a text that contains it is never part of UTF-8 text, and is
        // left out.
        let reserved = text.contains(&marker("")[0]);
        let found = trie.find(text).is_some_and(|node| trie.tokens(node).contains(&id));
        assert!(found || reserved, "{text:?} is not in the trie");
    }
});
