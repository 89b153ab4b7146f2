//! The vocabulary that is read by the functions of llama.cpp is that of the model's file, but for the tokens that end texts.

use std::fs::File;
use std::ptr;
use std::sync::Arc;

use ogc_capi::*;
use ogc_runtime::artifact::{Format, write};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::vocabulary::{Gguf, Vocabulary};

use super::{MODEL, last_error, llama, vocabulary};

/// The vocabulary of the model's file.
fn of_file() -> Option<Vocabulary> {
    let mut file = File::open(ogc_kit::corpora::find_model(MODEL)?).expect("a file");
    let len = file.metadata().expect("a length").len();
    let gguf = Gguf::read(&mut file, len).expect("a GGUF file");
    Some(Vocabulary::from_gguf(&gguf).expect("a vocabulary"))
}

/// The format `a`.
fn letter() -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("a", 0);
    let [start, end] = [0; 2].map(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.edge(start, b'a', b'a', OpId::NONE, end);
    builder.accept(end);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format"))
}

#[test]
fn masks_built_for_the_gguf_file_fit_libllama_and_its_end_tokens() {
    let (Some(llama), Some(of_file)) = (llama(), of_file()) else { return };
    let (automaton, store) = (letter(), MaskStore::new(Arc::new(of_file)));
    let masks = MaskPack::build(&automaton, &store, &PackLimits::default(), |_, _| {}).expect("masks");
    let bytes = write(&Format::new(automaton), Some(&masks));
    let (vocabulary, mut format, mut matcher) = (vocabulary(&llama), ptr::null_mut(), ptr::null_mut());
    let ids = 0..llama.width() as u32;
    let ends: Vec<u32> = ids.clone().filter(|&id| llama.is_end(id as i32)).collect();
    assert!(ends.len() > store.vocabulary().eos().len(), "llama.cpp stops at more than the file says: {ends:?}");
    // SAFETY: all pointers are to what lives on, and each object is freed once.
    unsafe {
        assert_eq!(ogc_format_load(bytes.as_ptr(), bytes.len(), &raw mut format), ogc_status::OK);
        // This fails if the fingerprints differ.
        let made = ogc_matcher_new(format, vocabulary, ptr::null(), &raw mut matcher);
        assert_eq!(made, ogc_status::OK, "{}", last_error());
        assert_eq!(ogc_matcher_accept_bytes(matcher, b"a".as_ptr(), 1), ogc_status::OK);
        let mut words = vec![0_u32; llama.width().div_ceil(32)];
        assert_eq!(ogc_matcher_fill_mask(matcher, words.as_mut_ptr(), words.len()), ogc_status::OK);
        let allowed: Vec<u32> = ids.filter(|&id| words[id as usize / 32] >> (id % 32) & 1 == 1).collect();
        assert_eq!(allowed, ends);
        ogc_matcher_free(matcher);
        ogc_format_free(format);
        ogc_vocabulary_free(vocabulary);
    }
}
