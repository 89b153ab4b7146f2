//! Reads the tokens of a model by the functions of llama.cpp.
//!
//! The vocabulary equals the one read from the metadata of the same GGUF file, so that artifacts with masks for the file fit. llama.cpp often ends a
//! generation at more tokens than the file names; they are returned as a separate list.

use std::ffi::CStr;

use ogc_runtime::vocabulary::{TokenId, Vocabulary, VocabularyBuilder};

use super::llama_vocab;
use super::symbols::{VocabularyFunctions, vocabulary_functions};
use crate::status::Failure;

/// The bits of `enum llama_token_attr`.
mod attr {
    pub(super) const UNKNOWN: i32 = 1 << 0;
    pub(super) const UNUSED: i32 = 1 << 1;
    pub(super) const NORMAL: i32 = 1 << 2;
    pub(super) const CONTROL: i32 = 1 << 3;
    pub(super) const USER_DEFINED: i32 = 1 << 4;
    pub(super) const BYTE: i32 = 1 << 5;
}

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The token has a name, and is never text.
    Special,
    /// The id is not used.
    Gap,
    /// The token is text, and has a name.
    Named,
    /// The token is text.
    Text,
}

impl Kind {
    /// Returns the kind of the first test that holds. A token without attributes has no bytes, whatever its name.
    fn of(attributes: i32) -> Kind {
        const TESTS: [(i32, Kind); 4] = [
            (attr::CONTROL | attr::UNKNOWN, Kind::Special),
            (attr::UNUSED, Kind::Gap),
            (attr::USER_DEFINED, Kind::Named),
            (attr::NORMAL | attr::BYTE, Kind::Text),
        ];
        TESTS.iter().find(|(bits, _)| attributes & bits != 0).map_or(Kind::Gap, |&(_, kind)| kind)
    }
}

/// Reads a vocabulary, and the tokens at which llama.cpp ends a generation, ascending.
///
/// # Safety
///
/// The pointer is a vocabulary of the libllama that is loaded.
pub(super) unsafe fn read(vocab: *const llama_vocab) -> Result<(Vocabulary, Vec<TokenId>), Failure> {
    let functions = vocabulary_functions()?;
    let mut source = Source { vocab, functions, piece: vec![0; 64] };
    let mut builder = VocabularyBuilder::new();
    let mut ends = Vec::new();
    // SAFETY: as this function's.
    for id in 0..unsafe { (functions.n_tokens)(vocab) } {
        // SAFETY: as this function's; the id is in range.
        unsafe { source.define(&mut builder, id) }?;
        // SAFETY: as this function's; the id is in range.
        if unsafe { (functions.is_eog)(vocab, id) } {
            ends.push(TokenId(id as u32));
        }
    }
    let vocabulary = builder.build().map_err(|error| Failure::data(&error))?;
    // SAFETY: as this function's.
    let named = unsafe { [(functions.eos)(vocab), (functions.eot)(vocab)] };
    let named = named.into_iter().filter_map(|id| u32::try_from(id).ok()).map(TokenId);
    let eos: Vec<TokenId> = vocabulary.eos().iter().copied().chain(named).collect();
    let vocabulary = vocabulary.with_eos(&eos).map_err(|error| Failure::data(&error))?;
    Ok((vocabulary, ends))
}

/// A vocabulary under construction.
struct Source {
    vocab: *const llama_vocab,
    functions: VocabularyFunctions,
    /// A buffer for the bytes of a token.
    piece: Vec<u8>,
}

impl Source {
    /// Defines a token.
    ///
    /// # Safety
    ///
    /// `vocab` is a valid vocabulary, and has the id.
    unsafe fn define(&mut self, builder: &mut VocabularyBuilder, id: i32) -> Result<(), Failure> {
        // SAFETY: as this function's.
        let kind = Kind::of(unsafe { (self.functions.get_attr)(self.vocab, id) });
        let defined = match kind {
            Kind::Gap => Ok(()),
            // SAFETY: as this function's.
            Kind::Special => builder.special(id as u64, unsafe { self.name(id) }?),
            Kind::Named => {
                // SAFETY: as this function's.
                let name = unsafe { self.name(id) }?.to_owned();
                // SAFETY: as this function's.
                builder.named_text(id as u64, &name, unsafe { self.bytes(id) }?)
            }
            // SAFETY: as this function's.
            Kind::Text => builder.text(id as u64, unsafe { self.bytes(id) }?),
        };
        defined.map_err(|error| Failure::data(&error))
    }

    /// Returns the name of a token.
    ///
    /// # Safety
    ///
    /// As for [`Source::define`].
    unsafe fn name(&self, id: i32) -> Result<&str, Failure> {
        // SAFETY: as this function's.
        let text = unsafe { (self.functions.get_text)(self.vocab, id) };
        if text.is_null() {
            return Err(Failure::data(&format!("token {id} has no name")));
        }
        // SAFETY: llama.cpp gives a string that ends with a zero, and lives as long as the vocabulary.
        let name = unsafe { CStr::from_ptr(text) };
        name.to_str().map_err(|error| Failure::data(&format!("the name of token {id}: {error}")))
    }

    /// Returns the bytes that a token adds in the middle of a text.
    ///
    /// # Safety
    ///
    /// As for [`Source::define`].
    unsafe fn bytes(&mut self, id: i32) -> Result<&[u8], Failure> {
        for _ in 0..2 {
            let room = i32::try_from(self.piece.len()).unwrap_or(i32::MAX);
            // SAFETY: as this function's; the buffer has that much room.
            let len =
                unsafe { (self.functions.to_piece)(self.vocab, id, self.piece.as_mut_ptr().cast(), room, 0, false) };
            match usize::try_from(len) {
                Ok(len) if len <= self.piece.len() => return Ok(&self.piece[..len]),
                Ok(len) => return Err(Failure::data(&format!("token {id} has {len} bytes in a buffer of {room}"))),
                Err(_) => self.piece.resize(len.unsigned_abs() as usize, 0),
            }
        }
        Err(Failure::data(&format!("llama_token_to_piece does not say how long token {id} is")))
    }
}
