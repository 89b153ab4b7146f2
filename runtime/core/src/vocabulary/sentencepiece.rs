//! Reads SentencePiece's `.model`, a message of Protocol Buffers (`sentencepiece_model.proto`). A constructor of
//! [`Vocabulary`].
//!
//! Normal and user-defined pieces have `▁` for a space, and byte pieces have names such as `<0x0A>`. Control pieces and
//! the unknown piece are special; unused pieces are gaps. The end of a sequence is the piece whose number is in the
//! trainer's settings, by default 2.

use super::builder::check_source;
use super::gguf::byte;
use super::{TokenId, Vocabulary, VocabularyBuilder, VocabularyError};

/// The field numbers of the model, of a piece, and of the settings.
const PIECES: u64 = 1;
const TRAINER: u64 = 2;
const NORMALIZER: u64 = 3;
const PIECE_TEXT: u64 = 1;
const PIECE_KIND: u64 = 3;
const END_ID: u64 = 42;
const DUMMY_PREFIX: u64 = 3;

/// The piece that ends a sequence by default.
const USUAL_END: u64 = 2;

/// Returns whether bytes begin like a model, with a first piece.
#[must_use]
pub fn is_sentencepiece(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x0a) && Message(bytes).next().is_some_and(|field| field.is_ok_and(|(at, _)| at == PIECES))
}

/// The value of a field.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// Four or eight bytes, whose value is not needed.
    Fixed,
}

/// The unread rest of a message; iterating reads its fields.
struct Message<'a>(&'a [u8]);

impl<'a> Message<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for at in 0..10 {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f).checked_shl(7 * at).unwrap_or(0);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, len: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(len).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn field(&mut self) -> Option<(u64, Value<'a>)> {
        let head = self.number()?;
        let value = match head & 7 {
            0 => Value::Number(self.number()?),
            1 => self.take(8).map(|_| Value::Fixed)?,
            2 => {
                let len = self.number()?;
                Value::Bytes(self.take(len)?)
            }
            5 => self.take(4).map(|_| Value::Fixed)?,
            _ => return None,
        };
        Some((head >> 3, value))
    }
}

impl<'a> Iterator for Message<'a> {
    type Item = Result<(u64, Value<'a>), VocabularyError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self
            .field()
            .ok_or(VocabularyError::SentencePiece { fault: "ends inside a field, or has one of an unknown kind" });
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

pub(super) fn read(model: &[u8]) -> Result<Vocabulary, VocabularyError> {
    check_source(model)?;
    let mut builder = VocabularyBuilder::new();
    let (mut next, mut end, mut strips) = (0u64, USUAL_END, true);
    for field in Message(model) {
        match field? {
            (PIECES, Value::Bytes(piece)) => {
                define(&mut builder, next, piece)?;
                next += 1;
            }
            (TRAINER, Value::Bytes(settings)) => end = setting(settings, END_ID)?.unwrap_or(USUAL_END),
            (NORMALIZER, Value::Bytes(settings)) => strips = setting(settings, DUMMY_PREFIX)? != Some(0),
            _ => {}
        }
    }
    builder.strips_leading_space(strips);
    let vocabulary = builder.build()?;
    let mut ends = vocabulary.eos().to_vec();
    // A model without an end-of-sequence piece has -1, which is not a piece.
    let named = u32::try_from(end).ok().map(TokenId).filter(|id| u64::from(id.0) < next);
    ends.extend(named);
    vocabulary.with_eos(&ends)
}

/// Returns the number in the field `wanted` of the settings.
fn setting(settings: &[u8], wanted: u64) -> Result<Option<u64>, VocabularyError> {
    let mut found = None;
    for field in Message(settings) {
        if let (at, Value::Number(number)) = field?
            && at == wanted
        {
            found = Some(number);
        }
    }
    Ok(found)
}

fn define(builder: &mut VocabularyBuilder, id: u64, piece: &[u8]) -> Result<(), VocabularyError> {
    let (mut text, mut kind) = ("", 1);
    for field in Message(piece) {
        match field? {
            (PIECE_TEXT, Value::Bytes(bytes)) => {
                let fault = "has a piece that is not UTF-8";
                text = std::str::from_utf8(bytes).map_err(|_| VocabularyError::SentencePiece { fault })?;
            }
            (PIECE_KIND, Value::Number(number)) => kind = number,
            _ => {}
        }
    }
    match kind {
        2 | 3 => builder.special(id, text),
        4 => builder.named_text(id, text, text.replace('▁', " ").as_bytes()),
        5 => Ok(()),
        6 => builder.text(id, &[byte(text).ok_or_else(|| VocabularyError::NoByte { id, token: text.to_owned() })?]),
        _ => builder.text(id, text.replace('▁', " ").as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::TokenKind;

    fn field(at: u8, bytes: &[u8]) -> Vec<u8> {
        [&[at << 3 | 2, bytes.len() as u8], bytes].concat()
    }

    fn piece(text: &str, kind: u8) -> Vec<u8> {
        field(1, &[field(1, text.as_bytes()), vec![2 << 3 | 5, 0, 0, 0, 0], vec![3 << 3, kind]].concat())
    }

    fn model(settings: &[u8]) -> Vec<u8> {
        let pieces = [("<unk>", 2), ("<s>", 3), ("</s>", 3), ("<0x0A>", 6), ("▁a", 1), ("<x▁>", 4), ("gone", 5)];
        let mut model: Vec<u8> = pieces.iter().flat_map(|&(text, kind)| piece(text, kind)).collect();
        model.extend(settings);
        model
    }

    #[test]
    fn sentencepiece_pieces_become_tokens() {
        let model = model(&[]);
        assert!(is_sentencepiece(&model) && !is_sentencepiece(b"YQ== 0\n") && !is_sentencepiece(b"\n"));
        let vocabulary = read(&model).unwrap();
        let text = |id| vocabulary.text(TokenId(id));
        assert_eq!((text(3), text(4), text(5)), (Some(&b"\n"[..]), Some(&b" a"[..]), Some(&b"<x >"[..])));
        assert_eq!(vocabulary.kind(TokenId(0)), TokenKind::Special);
        assert_eq!(vocabulary.kind(TokenId(6)), TokenKind::Gap);
        assert_eq!(vocabulary.eos(), [TokenId(2)]);
    }

    #[test]
    fn sentencepiece_settings_name_the_end_tokens() {
        let ends = |settings: &[u8]| read(&model(&field(2, settings))).unwrap().eos().to_vec();
        // Field 42: a head of two bytes.
        assert_eq!(ends(&[0xd0, 0x02, 1]), [TokenId(1), TokenId(2)]);
        let none = [&[0xd0, 0x02][..], &[0xff; 9], &[1]].concat();
        assert_eq!(ends(&none), [TokenId(2)], "known by its name");
    }

    #[test]
    fn a_truncated_sentencepiece_model_is_an_error() {
        let whole = model(&field(2, &[0xd0, 0x02, 1]));
        for len in 1..whole.len() {
            let _ = read(&whole[..len]);
        }
        assert!(read(&whole[..whole.len() - 1]).is_err());
    }
}
