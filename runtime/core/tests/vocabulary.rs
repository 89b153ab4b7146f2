//! Published vocabularies, read here and by the reference implementation: the ids that it writes for a text must spell that text, and the
//! trie must hold every token. The files are a corpus beside the repository; without it the tests count as skipped.
#![expect(clippy::print_stderr, reason = "tests report what they counted")]
#![expect(clippy::disallowed_methods, reason = "tests read the corpus")]

use std::time::Instant;

use ogc_runtime::trie::{NodeId, TokenTrie, greedy_tokens};
use ogc_runtime::vocabulary::{TokenId, TokenKind, Vocabulary, marker};
use tokenizers::Tokenizer;

/// Texts in Unicode's composed form, as some normalizers would change others; and without `▁`, which the tokenizer of a metaspace
/// vocabulary takes for a space.
const TEXTS: &[&str] = &[
    "",
    "a",
    "Hello, world!",
    " leading space",
    "   three leading spaces",
    "trailing spaces   ",
    "a  b   c    d        e",
    "line\nline\n\nline\r\n\ttab\t\ttab\n",
    "naïve café, Straße, Ελληνικά, русский, עברית, العربية, हिन्दी",
    "日本語のテキストと中文文本，以及한국어",
    "👩‍👩‍👧‍👦 🇪🇺 🎉 \u{1F9D1}\u{1F3FD}‍🚀 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \u{10FFFF}",
    "\u{0}\u{1}\u{7f}\u{80}\u{a0}\u{ad}\u{200b}\u{feff}\u{fffd}",
    "0 12 345 6789 12345678901234567890 3.14159 -1e-10 0xFF 1,000,000",
    "fn main() {\n    let x = vec![1, 2, 3];\n    println!(\"{x:?}\");\n}\n",
    "def f(self, *args):\n\treturn {k: v for k, v in args if k is not None}  # comment\n",
    r#"{"name": "Ann \"A\" \u00e9", "tags": ["x", "y"], "n": -1.5e3, "ok": true, "no": null, "e": {}}"#,
    "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {\"c\": \"\\n\"}\n}",
    "<0x0A> <tag attr=\"v\">_ Ġ Ċ</tag> &amp; <!-- x -->",
    "https://example.org/a/b?c=d&e=%20#f user@example.org",
    "I'm don't we'll THEY'VE it's '' \"\" `` ``` ... !!! ??? --- ___ *** ///",
];

/// The tokenizer files of the corpus by name; empty if there is no corpus.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let Some(root) = ogc_kit::corpora::find("tokenizers") else { return Vec::new() };
    let folders = std::fs::read_dir(root).expect("the folder is readable");
    let mut files: Vec<_> = folders.flatten().filter_map(|folder| file(&folder.path())).collect();
    files.sort();
    files
}

fn file(folder: &std::path::Path) -> Option<(String, Vec<u8>)> {
    let json = std::fs::read(folder.join("tokenizer.json")).ok()?;
    Some((folder.file_name()?.to_str()?.to_owned(), json))
}

fn load(name: &str, json: &[u8]) -> Vocabulary {
    Vocabulary::from_tokenizer_json(json).unwrap_or_else(|error| panic!("{name}: {error}")).with_name(name)
}

/// Returns the bytes of some ids, one after another.
fn spell(vocabulary: &Vocabulary, ids: &[u32]) -> Vec<u8> {
    let texts = ids.iter().map(|&id| vocabulary.text(TokenId(id)).unwrap_or(b"<no text>"));
    texts.collect::<Vec<_>>().concat()
}

#[test]
fn tokens_of_a_text_spell_the_text() {
    for (name, json) in corpus() {
        let vocabulary = load(&name, &json);
        let reference = Tokenizer::from_bytes(&json).unwrap();
        for text in TEXTS {
            let ids = reference.encode(*text, false).unwrap();
            let space = if vocabulary.strips_leading_space() && !text.is_empty() { " " } else { "" };
            let expected = format!("{space}{text}");
            let spelt = spell(&vocabulary, ids.get_ids());
            assert_eq!(String::from_utf8_lossy(&spelt), expected, "{name}: {:?}", ids.get_tokens());
        }
    }
}

#[test]
fn every_token_spells_what_the_reference_decodes() {
    for (name, json) in corpus() {
        let vocabulary = load(&name, &json);
        let reference = Tokenizer::from_bytes(&json).unwrap();
        // A token before the text keeps the decoder from treating it as the start of a text.
        let anchor = vocabulary.texts().find(|(_, text)| *text == b"a").map(|(id, _)| id).unwrap();
        for (id, text) in vocabulary.texts() {
            let decoded = reference.decode(&[anchor.0, id.0], false).unwrap();
            match std::str::from_utf8(text) {
                Ok(text) => assert_eq!(decoded.strip_prefix('a'), Some(text), "{name}: {id:?}"),
                Err(_) => assert!(decoded.contains('\u{fffd}'), "{name}: {id:?}"),
            }
        }
    }
}

#[test]
fn kinds_names_and_ends_agree_with_the_reference() {
    for (name, json) in corpus() {
        let vocabulary = load(&name, &json);
        let reference = Tokenizer::from_bytes(&json).unwrap();
        let added = reference.get_added_tokens_decoder();
        for (id, token) in &added {
            let expected = if token.special { TokenKind::Special } else { TokenKind::Text };
            assert_eq!(vocabulary.kind(TokenId(*id)), expected, "{name}: {id}");
            assert_eq!(vocabulary.named(&token.content), Some(TokenId(*id)), "{name}");
            assert_eq!(vocabulary.name_of(TokenId(*id)), Some(token.content.as_str()), "{name}");
        }
        let defined = (0..vocabulary.len() as u32).filter(|&id| vocabulary.kind(TokenId(id)) != TokenKind::Gap).count();
        assert_eq!(defined, reference.get_vocab_size(true), "{name}");
        assert!(!vocabulary.eos().is_empty(), "{name}");
        assert!(vocabulary.missing_bytes().is_empty(), "{name}");
    }
}

#[test]
fn the_trie_holds_every_text_and_every_name_once() {
    for (name, json) in corpus() {
        let vocabulary = load(&name, &json);
        let trie = TokenTrie::new(&vocabulary);
        check_layout(&trie);
        let mut held = 0;
        for (id, text) in vocabulary.texts().filter(|(_, text)| !text.is_empty() && !text.contains(&0xff)) {
            let node = trie.find(text).unwrap_or_else(|| panic!("{name}: {id:?} is not in the trie"));
            assert!(trie.tokens(node).contains(&id), "{name}: {id:?}");
            assert_eq!(trie.depth(node), text.len());
            held += 1;
        }
        for (id, token) in vocabulary.named_tokens() {
            let node = trie.find(&marker(token)).unwrap_or_else(|| panic!("{name}: {token} is not in the trie"));
            assert_eq!(trie.tokens(node), [id], "{name}: {token}");
            held += 1;
        }
        assert_eq!(trie.subtree_tokens(NodeId::ROOT).len(), held, "{name}");
        for text in TEXTS {
            let ids = greedy_tokens(&trie, text.as_bytes()).unwrap();
            let ids: Vec<u32> = ids.into_iter().map(|id| id.0).collect();
            assert_eq!(spell(&vocabulary, &ids), text.as_bytes(), "{name}");
        }
    }
}

/// Children lie inside their parent, one level deeper, by ascending byte; every leaf has a token.
fn check_layout(trie: &TokenTrie) {
    for node in (0..trie.len() as u32).map(NodeId) {
        let bytes: Vec<u8> = trie.children(node).map(|child| trie.byte(child)).collect();
        assert!(bytes.is_sorted_by(|one, other| one < other));
        assert!(trie.children(node).all(|child| trie.depth(child) == trie.depth(node) + 1));
        assert!(trie.children(node).all(|child| trie.subtree_end(child) <= trie.subtree_end(node)));
        assert!(!bytes.is_empty() || !trie.tokens(node).is_empty());
    }
    for node in (0..trie.len() as u32).step_by(997).map(NodeId) {
        assert_eq!(trie.find(&trie.path(node)), Some(node));
    }
}

/// Prints how long loading, building and walking take; `cargo test --release --test vocabulary -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn print_load_and_walk_times_of_vocabularies() {
    for (name, json) in corpus() {
        let start = Instant::now();
        let vocabulary = load(&name, &json);
        let loaded = start.elapsed();
        let start = Instant::now();
        let trie = TokenTrie::new(&vocabulary);
        let built = start.elapsed();
        let each = (0..20).map(|_| time(&trie, walk_each)).min().unwrap();
        let runs = (0..20).map(|_| time(&trie, walk_runs)).min().unwrap();
        eprintln!(
            "{name}: {} ids, {} nodes; loaded in {loaded:.1?}, built in {built:.1?}, \
             walked in {each:.1?} by node, {runs:.1?} by runs; eos {:?}",
            vocabulary.len(),
            trie.len(),
            vocabulary.eos()
        );
    }
}

fn time(trie: &TokenTrie, walk: fn(&TokenTrie, &mut [u32])) -> std::time::Duration {
    let mut mask = vec![0; 1 << 17];
    let start = Instant::now();
    walk(trie, &mut mask);
    let elapsed = start.elapsed();
    std::hint::black_box(mask);
    elapsed
}

/// Visits every node as a mask does, setting the bits of each node's tokens.
fn walk_each(trie: &TokenTrie, mask: &mut [u32]) {
    let (mut node, end) = (NodeId(1), trie.subtree_end(NodeId::ROOT));
    while node < end {
        if trie.byte(node) == 0xff {
            node = trie.subtree_end(node);
            continue;
        }
        allow(trie.tokens(node), mask);
        node = NodeId(node.0 + 1);
    }
}

/// As [`walk_each`], but sets the bits of all nodes between two skips at once.
fn walk_runs(trie: &TokenTrie, mask: &mut [u32]) {
    let (mut node, end) = (NodeId(1), trie.subtree_end(NodeId::ROOT));
    let mut run = node;
    while node < end {
        if trie.byte(node) == 0xff {
            allow(trie.tokens_between(run, node), mask);
            node = trie.subtree_end(node);
            run = node;
        } else {
            node = NodeId(node.0 + 1);
        }
    }
    allow(trie.tokens_between(run, end), mask);
}

fn allow(tokens: &[TokenId], mask: &mut [u32]) {
    for token in tokens {
        mask[token.index() / 32] |= 1 << (token.0 % 32);
    }
}

#[test]
fn both_trie_walks_allow_the_same_tokens() {
    for (name, json) in corpus() {
        let vocabulary = load(&name, &json);
        let trie = TokenTrie::new(&vocabulary);
        let [mut each, mut runs] = [(); 2].map(|()| vec![0; vocabulary.len().div_ceil(32)]);
        walk_each(&trie, &mut each);
        walk_runs(&trie, &mut runs);
        assert_eq!(each, runs, "{name}");
    }
}
