//! The proof that a device agrees with the matcher. Sequences of mixed formats go through the shipped kernels, which
//! the interpreter of PTX runs, and each outcome, each mask and each chosen token is compared with the matcher's.
//!
//! # Steps
//! 1. [`kernels`] reads the PTX, and [`Proof::new`] takes a vocabulary.
//! 2. [`Proof::subject`] builds the masks of a format; [`random_format`] and the packs of [`crate::corpus`] give
//!    formats.
//! 3. [`Proof::run`] makes a batch of sequences of several formats. A matcher for each sequence chooses commands and
//!    their expected outcomes (`sequence`), the kernels run the commands (`machine`), and both are compared step by
//!    step (`batch`).
//! 4. A [`Tally`] counts the comparisons, the sequences that the device left to the host, and the differences.

mod batch;
mod logits;
mod machine;
mod sequence;
mod tally;

use std::sync::Arc;

use ogc_cuda::{DevicePool, DeviceVocabulary};
use ogc_ptx::Module;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use crate::formats;
use ogc_kit::Random;
pub use tally::{Handed, Tally};

/// The kernels that step, take back, find masks, write them and choose tokens.
///
/// # Panics
/// The shipped text is not PTX that the interpreter supports.
#[must_use]
pub fn kernels() -> Module {
    let texts = [ogc_cuda::ADVANCE_PTX, ogc_cuda::LOCATE_PTX, ogc_cuda::FILL_PTX, ogc_cuda::sample_ptx()];
    let texts = texts.map(|text| text.to_str().expect("PTX is text"));
    // Buffers belong to a module, so all kernels must be in one module.
    let is_head = |line: &&str| [".version", ".target", ".address_size"].iter().any(|head| line.starts_with(head));
    let bodies = texts.iter().flat_map(|text| text.lines().filter(|line| !is_head(line)));
    let lines: Vec<&str> = texts[0].lines().filter(is_head).chain(bodies).collect();
    ogc_ptx::parse(&lines.join("\n")).expect("the kernels that ship are known to the interpreter")
}

/// Returns a random format; `None` if the generated format has no text.
#[must_use]
pub fn random_format(seed: u64) -> Option<Arc<Automaton>> {
    let mut random = Random::new(seed);
    if seed.is_multiple_of(3) {
        crate::random_objects::random_objects(&mut random)
    } else {
        crate::random_rules::random_format(&mut random)
    }
}

/// Returns the vocabulary of random formats: all bytes, and tokens that cross frames.
#[must_use]
pub fn small_vocabulary() -> Arc<Vocabulary> {
    formats::vocabulary()
}

/// The size of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Sequences of each format.
    pub sequences: usize,
    /// Cap on the commands of each sequence.
    pub steps: usize,
}

/// A format with its masks.
#[derive(Debug)]
pub struct Subject {
    name: String,
    automaton: Arc<Automaton>,
    pack: Arc<MaskPack>,
    /// The texts along which sequences go, as tokens; without texts, sequences go anywhere.
    texts: Vec<Vec<TokenId>>,
}

/// A vocabulary, and the kernels that are tested with it.
#[derive(Debug)]
pub struct Proof<'m> {
    module: &'m Module,
    store: Arc<MaskStore>,
    on_device: DeviceVocabulary,
    /// Tokens that are tried more often than others: single bytes that begin escapes or structure texts.
    likely: Vec<TokenId>,
    threads: usize,
}

impl<'m> Proof<'m> {
    /// Takes a vocabulary; masks are built on `threads` threads.
    #[must_use]
    pub fn new(module: &'m Module, vocabulary: Arc<Vocabulary>, threads: usize) -> Self {
        const LIKELY: &[u8] = b"\\\":,{}[]udD8cC01ab<";
        let is_likely = |text: &[u8]| matches!(text, [byte] if LIKELY.contains(byte));
        let likely = vocabulary.texts().filter(|(_, text)| is_likely(text)).map(|(token, _)| token).collect();
        let on_device = DeviceVocabulary::new(&vocabulary);
        Self { module, store: MaskStore::new(vocabulary), on_device, likely, threads }
    }

    /// Builds the masks of a format; `None` if the vocabulary lacks tokens that it asks for by name.
    #[must_use]
    pub fn subject(&self, name: &str, automaton: Arc<Automaton>, texts: Vec<Vec<TokenId>>) -> Option<Subject> {
        let limits = PackLimits { threads: self.threads, ..PackLimits::default() };
        let pack = Arc::new(MaskPack::build(&automaton, &self.store, &limits, |_, _| {}).ok()?);
        // This checks whether tokens are missing.
        Matcher::with_masks(Arc::clone(&automaton), Arc::clone(&self.store), Arc::clone(&pack)).ok()?;
        Some(Subject { name: name.to_owned(), automaton, pack, texts })
    }

    /// Compares a batch of sequences of these formats, side by side.
    ///
    /// # Errors
    /// The formats do not fit on a device. Differences are no errors here; they are counted.
    pub fn run(&self, subjects: &[Subject], size: Size, seed: u64, tally: &mut Tally) -> Result<(), String> {
        let mut pool = DevicePool::new(machine::POOL_LIMITS);
        let mut random = Random::new(seed);
        batch::run(self, subjects, &mut pool, size, &mut random, tally)
    }
}
