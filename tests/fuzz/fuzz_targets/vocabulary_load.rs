//! Any bytes as a tokenizer file of each kind: a vocabulary whose parts agree, or an error; no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_runtime::trie::TokenTrie;
use ogc_runtime::vocabulary::Vocabulary;

fuzz_target!(|input: (u8, &[u8])| {
    let (kind, bytes) = input;
    let read = match kind % 3 {
        0 => Vocabulary::from_tokenizer_json(bytes),
        1 => Vocabulary::from_tekken_json(bytes),
        _ => Vocabulary::from_tiktoken(bytes, &[]),
    };
    let Ok(vocabulary) = read else { return };
    let trie = TokenTrie::new(&vocabulary);
    for (id, text) in vocabulary.texts().filter(|(_, text)| !text.is_empty()).take(1_000) {
        let node = trie.find(text).expect("every text is in the trie");
        assert!(trie.tokens(node).contains(&id));
    }
});
