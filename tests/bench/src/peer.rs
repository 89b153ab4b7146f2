//! Runs llguidance behind the bench's interface, with the settings of its own bench: default limits, the JSON slices,
//! flexible white space. All its sequences of one schema share the lexer's cache.

use crate::engine::{Engine, Format, Next, Refusal, Sequence};
use crate::tokens::Tokens;
use llguidance::api::TopLevelGrammar;
use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{
    ApproximateTokEnv, InferenceCapabilities, SimpleVob, TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv,
};
use llguidance::{ParserFactory, TokenParser, panic_utils};
use ogc_runtime::vocabulary::{TokenKind, Vocabulary};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokenizers::Tokenizer;

/// The peer's engine.
pub(crate) struct Peer {
    factory: ParserFactory,
}

impl Peer {
    /// Loads the vocabulary. With `forces`, the peer gets the canonical tokeniser.
    pub(crate) fn new(tokens: &Tokens, forces: bool) -> Result<Peer, String> {
        let trie = trie(&tokens.vocabulary);
        let environment: TokEnv = if forces {
            Arc::new(Canonical { trie, tokenizer: Arc::clone(&tokens.canonical) })
        } else {
            Arc::new(ApproximateTokEnv::new(trie))
        };
        let slices = SlicedBiasComputer::json_slices();
        let factory = ParserFactory::new(&environment, InferenceCapabilities::default(), &slices);
        let mut factory = factory.map_err(|error| error.to_string())?;
        factory.quiet();
        Ok(Peer { factory })
    }
}

/// Builds the peer's trie of the vocabulary; special tokens carry the peer's marker, gaps have no bytes.
fn trie(vocabulary: &Vocabulary) -> TokTrie {
    let words: Vec<Vec<u8>> = (0..vocabulary.len() as u32).map(|id| word(vocabulary, id)).collect();
    let eos: Vec<TokenId> = vocabulary.eos().iter().map(|token| token.0).collect();
    let first = eos.first().copied().unwrap_or(0);
    let trie = TokTrie::from(&TokRxInfo::new(vocabulary.len() as u32, first), &words);
    if eos.is_empty() { trie } else { trie.with_eos_tokens(&eos) }
}

fn word(vocabulary: &Vocabulary, id: u32) -> Vec<u8> {
    let id = ogc_runtime::vocabulary::TokenId(id);
    match vocabulary.kind(id) {
        TokenKind::Text => vocabulary.text(id).unwrap_or_default().to_vec(),
        TokenKind::Special => {
            let name = vocabulary.name_of(id).unwrap_or_default();
            [&[TokTrie::SPECIAL_TOKEN_MARKER], name.as_bytes()].concat()
        }
        TokenKind::Gap => Vec::new(),
    }
}

/// The peer's view of the canonical tokeniser.
struct Canonical {
    trie: TokTrie,
    tokenizer: Arc<Tokenizer>,
}

impl TokenizerEnv for Canonical {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, text: &[u8]) -> Vec<TokenId> {
        self.trie.tokenize_with_greedy_fallback(text, |text| {
            self.tokenizer.encode_fast(text, false).map_or_else(|_| Vec::new(), |encoding| encoding.get_ids().to_vec())
        })
    }
}

impl Engine for Peer {
    fn name(&self) -> &'static str {
        "llguidance"
    }

    fn compile(&mut self, schema: &str) -> Result<Box<dyn Format>, Refusal> {
        let parser = panic_utils::catch_unwind(AssertUnwindSafe(|| {
            let grammar = TopLevelGrammar::from_json_schema(serde_json::from_str(schema)?);
            let mut parser = self.factory.create_parser(grammar)?;
            parser.start_without_prompt();
            Ok(parser)
        }));
        match parser {
            Ok(parser) => Ok(Box::new(PeerFormat { parser })),
            Err(error) => Err(refusal(&error.to_string())),
        }
    }
}

/// Names the kind of error: its first words, without quoted parts.
fn refusal(message: &str) -> Refusal {
    let line = message.lines().next().unwrap_or_default();
    let head = line.split([':', '"', '[', '{']).next().unwrap_or_default();
    let code = head.trim().chars().take(40).collect();
    Refusal { code, message: line.chars().take(400).collect() }
}

struct PeerFormat {
    parser: TokenParser,
}

impl Format for PeerFormat {
    fn first_mask(&mut self) -> Result<(), String> {
        self.parser.compute_mask().map(drop).map_err(|error| first_line(&error.to_string()))
    }

    fn start(&mut self, _expected: usize) -> Result<Box<dyn Sequence + '_>, String> {
        Ok(Box::new(PeerSequence { parser: self.parser.clone(), mask: None }))
    }
}

struct PeerSequence {
    parser: TokenParser,
    mask: Option<SimpleVob>,
}

impl Sequence for PeerSequence {
    fn accept(&mut self, token: u32) -> Result<(), String> {
        self.parser.consume_token(token).map(drop).map_err(|error| first_line(&error.to_string()))
    }

    fn mask(&mut self, next: Next) -> Result<bool, String> {
        let mask = self.parser.compute_mask().map_err(|error| first_line(&error.to_string()))?;
        let mask = self.mask.insert(mask);
        let eos = || self.parser.token_env.tok_trie().eos_token();
        Ok(match next {
            Next::Token(token) => mask.is_allowed(token),
            Next::End => mask.is_allowed(eos()),
        })
    }

    fn fill(&mut self, buffer: &mut [u32]) {
        if let Some(mask) = &self.mask {
            let len = buffer.len().min(mask.as_slice().len());
            buffer[..len].copy_from_slice(&mask.as_slice()[..len]);
        }
    }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().chars().take(300).collect()
}
