//! Tests that small GGUF files are read, and that broken files are errors.

use super::*;
use crate::vocabulary::{TokenId, TokenKind, Vocabulary};

/// Writes the parts of GGUF files.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn head(tensors: u64, entries: u64) -> Self {
        let mut writer = Self(b"GGUF".to_vec());
        writer.u32(3).u64(tensors).u64(entries);
        writer
    }

    fn u32(&mut self, number: u32) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn u64(&mut self, number: u64) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.u64(text.len() as u64).0.extend(text.as_bytes());
        self
    }

    fn texts(&mut self, key: &str, texts: &[&str]) -> &mut Self {
        self.text(key).u32(9).u32(8).u64(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
        self
    }

    fn numbers(&mut self, key: &str, numbers: &[u32]) -> &mut Self {
        self.text(key).u32(9).u32(5).u64(numbers.len() as u64);
        for &number in numbers {
            self.u32(number);
        }
        self
    }
}

/// A file with a vocabulary of all kinds of tokens and one tensor.
fn small(model: &str) -> Vec<u8> {
    let mut writer = Writer::head(1, 5);
    writer.text("tokenizer.ggml.model").u32(8).text(model);
    writer.texts("tokenizer.ggml.tokens", &["<unk>", "Ġa▁", "<|x|>", "<think>", "[PAD]", "<0x0A>", "<|im_end|>", "b"]);
    writer.numbers("tokenizer.ggml.token_type", &[2, 1, 3, 4, 5, 6, 3, 1]);
    writer.text("tokenizer.ggml.eos_token_id").u32(4).u32(2);
    writer.text("general.alignment").u32(4).u32(8);
    writer.text("output.weight").u32(2).u64(3).u64(2).u32(0).u64(8);
    let data = writer.0.len().next_multiple_of(8) + 8 + 24;
    writer.0.resize(data, 0);
    writer.0
}

fn read_all(file: &[u8]) -> Result<Gguf, GgufError> {
    Gguf::read(file, file.len() as u64)
}

#[test]
fn tokens_of_all_kinds_are_read_from_gguf() {
    let gguf = read_all(&small("llama")).unwrap();
    let vocabulary = Vocabulary::from_gguf(&gguf).unwrap();
    assert_eq!((vocabulary.len(), vocabulary.padded_len()), (8, 8));
    let kinds = [2, 1, 2, 1, 0, 1, 2, 1].map(|kind| [TokenKind::Gap, TokenKind::Text, TokenKind::Special][kind]);
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|id| vocabulary.kind(TokenId(id))), kinds);
    assert_eq!(vocabulary.text(TokenId(1)), Some("Ġa ".as_bytes()));
    assert_eq!(vocabulary.text(TokenId(5)), Some(&b"\n"[..]));
    assert_eq!(vocabulary.named("<think>"), Some(TokenId(3)));
    assert_eq!(vocabulary.eos(), [TokenId(2), TokenId(6)]);
    assert!(vocabulary.strips_leading_space());
    let tensor = gguf.tensor("output.weight").unwrap();
    assert_eq!((tensor.shape.as_slice(), tensor.elements), (&[3, 2][..], 6));
    assert_eq!(tensor.start as usize + 24, small("llama").len());
}

#[test]
fn byte_level_tokens_of_gpt2_are_decoded() {
    let vocabulary = Vocabulary::from_gguf(&read_all(&small("gpt2")).unwrap()).unwrap();
    assert_eq!(vocabulary.text(TokenId(7)), Some(&b"b"[..]));
    assert_eq!(vocabulary.text(TokenId(1)), Some("Ġa▁".as_bytes()), "with a character that stands for no byte");
    assert!(!vocabulary.strips_leading_space());
}

#[test]
fn a_tokenizer_of_another_kind_is_refused() {
    let error = Vocabulary::from_gguf(&read_all(&small("bert")).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "the tokenizer bert is not supported: `gpt2` and `llama` are");
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let file = small("gpt2");
    let head = file.len() - 32;
    for len in 0..head {
        let cut = Gguf::read(&file[..len], len as u64);
        assert!(cut.is_err(), "{len} of {} bytes", file.len());
        // A given length that the bytes do not reach does no harm either.
        assert!(Gguf::read(&file[..len.min(head - 16)], file.len() as u64).is_err());
    }
}

#[test]
fn a_changed_byte_never_panics() {
    let file = small("gpt2");
    for at in 0..file.len() {
        for byte in [0, 1, 9, 0x7f, 0xff] {
            let mut file = file.clone();
            file[at] = byte;
            if let Ok(gguf) = read_all(&file) {
                drop(Vocabulary::from_gguf(&gguf));
            }
        }
    }
}

#[track_caller]
fn check_error(file: &Writer, expected: &str) {
    assert_eq!(read_all(&file.0).unwrap_err().to_string(), expected);
}

#[test]
fn absurd_lengths_are_errors() {
    check_error(&Writer::head(u64::MAX, 0), "the GGUF file has 18446744073709551615 tensors; the limit is 1048576");
    let entries = Writer::head(0, u64::MAX);
    check_error(&entries, "the GGUF file has 18446744073709551615 entries of the metadata; the limit is 65536");
    let mut key = Writer::head(0, 1);
    key.u64(u64::MAX - 7);
    check_error(&key, "the GGUF file has 32 bytes and needs 18446744073709551615 for a key of the metadata");
    let mut array = Writer::head(0, 1);
    array.text("k").u32(9).u32(4).u64(1 << 20);
    check_error(&array, "the GGUF file has 49 bytes and needs 4194353 for an array of the metadata");
    let mut array = Writer::head(0, 1);
    array.text("k").u32(9).u32(9).u64(1);
    check_error(&array, "`k` has values of kind 9, which is not supported");
    let mut tensor = Writer::head(1, 0);
    tensor.text("t").u32(2).u64(u64::MAX).u64(2).u32(0).u64(0);
    check_error(&tensor, "the GGUF file has 18446744073709551615 elements in a tensor; the limit is 1099511627776");
    let mut tensor = Writer::head(1, 0);
    tensor.text("t").u32(1).u64(2).u32(0).u64(u64::MAX - 63);
    check_error(&tensor, "the tensor `t` cannot be at byte 18446744073709551552 of the tensor data of the GGUF file");
    let mut alignment = Writer::head(1, 1);
    alignment.text("general.alignment").u32(4).u32(0).text("t").u32(1).u64(2).u32(0).u64(0);
    check_error(&alignment, "the alignment 0 of the GGUF file is no power of two");
}

#[test]
fn a_key_twice_is_an_error() {
    let mut file = Writer::head(0, 2);
    file.text("k").u32(7).0.push(1);
    file.text("k").u32(7).0.push(1);
    check_error(&file, "the GGUF file defines `k` twice");
}
