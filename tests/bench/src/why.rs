//! Explains wrong verdicts for people: the place in the instance, and the tokens that the engine would have allowed
//! there.

use crate::engine::{Engine, Format, Next, Refusal};
use crate::tokens::Tokens;
use crate::verdict::{Prepared, Verdict};
use ogc_tests::corpus::Case;

/// Prints explanations of the schemas whose id contains `id`.
pub(crate) struct Why<'w> {
    /// Part of the ids of the schemas that are chosen.
    pub(crate) id: &'w str,
    /// The tokens, which are shown as text.
    pub(crate) tokens: &'w Tokens,
}

/// The number of characters shown before a place and after it.
const AROUND: usize = 160;

/// Cap on the allowed tokens that are shown.
const SHOWN: usize = 24;

impl Why<'_> {
    /// Explains why a schema did not compile.
    pub(crate) fn compile_error(&self, case: &Case, engine: &dyn Engine, refusal: &Refusal) {
        if case.id.contains(self.id) {
            println!("{} [{}] does not compile: {}: {}", case.id, engine.name(), refusal.code, refusal.message);
            println!("  schema: {}", case.schema);
        }
    }

    /// Explains a wrong verdict.
    pub(crate) fn verdict(
        &self,
        prepared: &Prepared,
        index: usize,
        format: &mut dyn Format,
        engine: &str,
        what: &str,
        verdict: &Verdict,
    ) {
        let case = &prepared.case;
        let (Some(test), Some(tokens)) = (case.tests.get(index), prepared.tokens.get(index)) else { return };
        if !case.id.contains(self.id) {
            return;
        }
        println!("{} test {index} [{engine}]: {} ({})", case.id, verdict.sentence(what), test.description);
        println!("  schema: {}", case.schema);
        match verdict {
            Verdict::Accepted => println!("  instance: {}", test.text),
            Verdict::Refused { at, .. } => self.place(tokens, *at, format),
        }
    }

    fn place(&self, tokens: &[u32], at: usize, format: &mut dyn Format) {
        let before = self.tokens.show(tokens.get(..at).unwrap_or_default());
        let here = tokens.get(at).map_or_else(|| "<end>".to_owned(), |&token| self.tokens.show(&[token]));
        let after = self.tokens.show(tokens.get(at + 1..).unwrap_or_default());
        let skipped = before.chars().count().saturating_sub(AROUND);
        let near: String = before.chars().skip(skipped).collect();
        let after: String = after.chars().take(AROUND).collect();
        println!("  at byte {}: {near}⟦{here}⟧{after}", before.len());
        println!("  allowed there: {}", self.allowed(tokens, at, format).unwrap_or_else(|error| error));
    }

    /// Returns the first tokens that are allowed after the tokens before `at`.
    fn allowed(&self, tokens: &[u32], at: usize, format: &mut dyn Format) -> Result<String, String> {
        let mut sequence = format.start(tokens.len())?;
        for (index, &token) in tokens.iter().enumerate().take(at) {
            sequence.mask(Next::at(tokens, index))?;
            sequence.accept(token)?;
        }
        sequence.mask(Next::at(tokens, at))?;
        let mut buffer = vec![0; self.tokens.vocabulary.padded_len().div_ceil(32)];
        sequence.fill(&mut buffer);
        let bit = |id: &u32| buffer.get(*id as usize / 32).is_some_and(|word| word >> (id % 32) & 1 == 1);
        let ids: Vec<u32> = (0..self.tokens.vocabulary.len() as u32).filter(bit).collect();
        let eos = self.tokens.vocabulary.eos().iter().any(|eos| ids.contains(&eos.0));
        let shown: Vec<String> = ids.iter().take(SHOWN).map(|&id| format!("{:?}", self.tokens.show(&[id]))).collect();
        Ok(format!("{} tokens{}: {}", ids.len(), if eos { " and the end" } else { "" }, shown.join(" ")))
    }
}
