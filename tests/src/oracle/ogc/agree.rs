//! Checks that a compiled format and the oracle agree about texts, and about masks for a vocabulary of pieces of texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use super::{Program, Verdict, sample};
use ogc_kit::Random;

/// Pieces that spoil texts.
pub const PIECES: [&str; 26] = [
    "a", "b", "ab", "c", ";", ",", "-", " ", "\n", "\"", "\\u0061", "\\n", "{}", "[]", "0", "1", ".5", ":", "null",
    "None", "True", "\"a\":1", "é", "(", "<a>", "]",
];

/// The last output of a program, as an oracle and as a compiled format.
#[derive(Debug)]
pub struct Pair<'p> {
    /// The oracle.
    pub program: &'p Program,
    /// The compiled format.
    pub automaton: Arc<Automaton>,
    /// Bytes that walks prefer.
    pub liked: &'p [u8],
}

/// The numbers of events, by name.
pub type Counts = BTreeMap<String, usize>;

impl Pair<'_> {
    /// Checks that both agree about random texts of the format, and about a spoilt text for each. Returns the texts
    /// that are in the format.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn texts(&self, count: usize, random: &mut Random, counts: &mut Counts) -> Result<Vec<Vec<u8>>, String> {
        let store = self.store(&[]);
        let mut inside = Vec::new();
        for _ in 0..count {
            let Some((one, _)) = sample::walk(&self.automaton, &store, random, self.liked)? else { continue };
            let other = sample::nearly(&one, &PIECES, random);
            for text in [one, other] {
                let verdict = self.compare(&text)?;
                *counts.entry(verdict.to_owned()).or_default() += 1;
                inside.extend((verdict == "texts: in").then_some(text));
            }
        }
        Ok(inside)
    }

    /// Compares the verdicts about a text; returns them as a name for the counts.
    ///
    /// # Errors
    /// The verdicts are opposite.
    pub fn compare(&self, text: &[u8]) -> Result<&'static str, String> {
        let mut matcher = Matcher::new(Arc::clone(&self.automaton), self.store(&[]));
        let accepted = matcher.accept_bytes(text).is_ok() && matcher.is_complete();
        match (self.program.contains(text), accepted) {
            (Verdict::In, true) => Ok("texts: in"),
            (Verdict::Out, false) => Ok("texts: out"),
            (Verdict::Doubt, _) => Ok("texts: doubt"),
            (_, true) => Err(format!("accepts `{}`", text.escape_ascii())),
            (_, false) => Err(format!("refuses `{}`", text.escape_ascii())),
        }
    }

    /// Checks masks for a vocabulary of pieces of the texts: they allow every way to cut a text into tokens, agree at
    /// some places with the matcher token by token, and lead only to texts of the format.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn masks(&self, texts: &[Vec<u8>], random: &mut Random) -> Result<(), String> {
        let store = self.store(&pieces(texts, random));
        for text in texts.iter().take(3) {
            let mut matcher = Matcher::new(Arc::clone(&self.automaton), Arc::clone(&store));
            for token in sample::tokens(store.vocabulary(), text, random) {
                if random.one_in(8) {
                    exact(&mut matcher)?;
                }
                let taken = matcher.accept_token(token);
                taken.map_err(|error| format!("`{}` in tokens: {error}", text.escape_ascii()))?;
            }
            exact(&mut matcher)?;
        }
        for _ in 0..2 {
            if let Some((text, _)) = sample::walk(&self.automaton, &store, random, self.liked)? {
                self.compare(&text)?;
            }
        }
        Ok(())
    }

    fn store(&self, more: &[Vec<u8>]) -> Arc<MaskStore> {
        let own = self.automaton.tokens.iter().map(String::as_str);
        let mut names: Vec<&str> = own.chain(super::generate::TOKENS).collect();
        names.sort_unstable();
        names.dedup();
        sample::store_with(more, &names)
    }
}

/// Cuts different tokens out of texts; none is a part of a named token.
fn pieces(texts: &[Vec<u8>], random: &mut Random) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = PIECES.iter().map(|piece| piece.as_bytes().to_vec()).collect();
    for text in texts {
        let from = random.below(text.len());
        let to = (from + 2 + random.below(6)).min(text.len());
        all.push(text.get(from..to).unwrap_or_default().to_vec());
    }
    all.retain(|piece| piece.len() > 1 && !piece.contains(&0xff) && !piece.contains(&0xfe));
    all.sort_unstable();
    all.dedup();
    all
}

/// Checks that a token is in the mask if and only if the matcher accepts it.
///
/// # Errors
/// The first token for which the mask is wrong.
pub fn exact(matcher: &mut Matcher) -> Result<(), String> {
    let mask = matcher.mask().map_err(|error| error.to_string())?;
    let store = Arc::clone(matcher.store());
    for id in (0..store.vocabulary().len() as u32).map(TokenId) {
        let accepted = matcher.accept_token(id).is_ok();
        if accepted {
            matcher.rollback(1).map_err(|error| error.to_string())?;
        }
        if mask.contains(id) != accepted {
            return Err(format!("the mask is wrong about token {id:?} {:?}", store.vocabulary().text(id)));
        }
    }
    Ok(())
}
