//! Tests of models on the interpreter of device code: the shipped kernels compute the same numbers as the CPU, except
//! for the last bits.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod choices;
use crate::formats;
use crate::interpreter;

use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use interpreter::Interpreter;
use ogc_cuda::ModelLimits;
use ogc_generate::{BatchPart, GenerateError, LoadedModel, Request, generate};
use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

/// The kernels of a model whose weights are Q8_0, Q4_1 or have 32 bits.
const KERNELS: [&str; 8] = [
    include_str!("../../../cuda/kernels/ptx/model_embed.ptx"),
    include_str!("../../../cuda/kernels/ptx/model_norm.ptx"),
    include_str!("../../../cuda/kernels/ptx/model_matmul_q8_0.ptx"),
    include_str!("../../../cuda/kernels/ptx/model_matmul_q4_1.ptx"),
    include_str!("../../../cuda/kernels/ptx/model_rope.ptx"),
    include_str!("../../../cuda/kernels/ptx/model_attend.ptx"),
    include_str!("../../../cuda/kernels/ptx/model_swiglu.ptx"),
    include_str!("../../../cuda/kernels/ptx/model_copy.ptx"),
];

fn on_host() -> LoadedModel {
    LoadedModel::from_gguf(Cursor::new(ogc_kit::model::gguf())).unwrap()
}

fn on_device(limits: ModelLimits) -> LoadedModel {
    let module = Box::leak(Box::new(interpreter::module(&KERNELS)));
    on_host().on_machine(Interpreter::new(module), limits).unwrap()
}

/// The model in the layout of folders: its weights have 32 bits, and the halves of heads are rotated together.
fn from_folder() -> LoadedModel {
    let folder = ogc_kit::model::folder();
    LoadedModel::from_folder(|name| Ok(folder.get(name).map(Cursor::new))).unwrap()
}

fn tokens(count: u32, step: u32) -> Vec<TokenId> {
    (0..count).map(|at| TokenId(at * step % 260)).collect()
}

/// Checks that logits are equal except for the last bits.
#[track_caller]
fn close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{found} {expected}");
    }
}

#[test]
fn logits_are_those_of_the_host() {
    let (host, device) = (on_host().model, on_device(ModelLimits::for_texts(4, 100)).model);
    assert_eq!((device.width(), device.context()), (host.width(), 100));
    let tokens = tokens(40, 7);
    let expected = host.forward(&mut host.cache(0), &tokens, tokens.len()).unwrap();
    let mut cache = device.cache(0);
    let found = device.forward(&mut cache, &tokens, tokens.len()).unwrap();
    close(&found, &expected);
    // Rolled back, continued in a clone, and read again one by one: the same to the last bit.
    let mut other = cache.clone();
    other.truncate(21);
    device.forward(&mut other, &[TokenId(5); 3], 1).unwrap();
    cache.truncate(35);
    let width = device.width();
    for at in 35..40 {
        let again = device.forward(&mut cache, &tokens[at..at + 1], 1).unwrap();
        assert!(again == found[at * width..(at + 1) * width], "token {at}");
    }
    assert_eq!((cache.len(), other.len()), (40, 24));
}

#[test]
fn device_logits_of_models_from_folders_match_the_host() {
    let host = from_folder().model;
    let mut kernels = KERNELS;
    kernels[2] = include_str!("../../../cuda/kernels/ptx/model_matmul_f32.ptx");
    let machine = Interpreter::new(Box::leak(Box::new(interpreter::module(&kernels))));
    let device = from_folder().on_machine(machine, ModelLimits::for_texts(1, 100)).unwrap().model;
    let tokens = tokens(9, 11);
    let expected = host.forward(&mut host.cache(0), &tokens, 9).unwrap();
    close(&device.forward(&mut device.cache(0), &tokens, 9).unwrap(), &expected);
}

#[test]
fn batched_device_rows_match_those_of_each_text_alone() {
    let model = on_device(ModelLimits { rows: 7, ..ModelLimits::for_texts(8, 64) }).model;
    let texts = [tokens(3, 5), tokens(1, 3), tokens(10, 9)];
    let alone = texts.each_ref().map(|tokens| model.forward(&mut model.cache(0), tokens, 2).unwrap());
    let mut caches = [(); 3].map(|()| model.cache(0));
    let parts = caches.iter_mut().zip(&texts).map(|(cache, tokens)| BatchPart { cache, tokens, rows: 2 });
    assert!(model.forward_all(&mut parts.collect::<Vec<_>>()).unwrap() == alone);
}

#[test]
fn texts_over_the_context_or_the_pages_are_refused() {
    let model = on_device(ModelLimits { pages: 2, ..ModelLimits::for_texts(1, 64) }).model;
    let mut cache = model.cache(0);
    let refused = model.forward(&mut cache, &tokens(65, 1), 1).unwrap_err();
    assert!(matches!(refused, GenerateError::Context { given: 65, limit: 64 }), "{refused}");
    let said = model.forward(&mut cache, &tokens(33, 1), 1).unwrap_err().to_string();
    assert!(said.starts_with("on the device: 3 pages of 16 positions are asked for; 2 are free"), "{said}");
    assert!(cache.is_empty());
    let said = model.forward(&mut on_host().model.cache(0), &tokens(1, 1), 1).unwrap_err().to_string();
    assert_eq!(said, "a cache of the model is that of another model; it must be of the model that uses it");
    // The memory of dropped texts is free again.
    model.forward(&mut model.cache(0), &tokens(32, 1), 1).unwrap();
    model.forward(&mut cache, &tokens(32, 1), 1).unwrap();
}

/// Returns a text of the format `(ab|ba)`, four times, that a model writes.
fn written(loaded: &LoadedModel) -> String {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("pairs", 0);
    let mut state = builder.state(rule, StateKind::Bytes);
    builder.start(rule, state);
    for _ in 0..4 {
        let [a, b, end] = [(); 3].map(|()| builder.state(rule, StateKind::Bytes));
        builder.edge(state, b'a', b'a', OpId::NONE, a);
        builder.edge(state, b'b', b'b', OpId::NONE, b);
        builder.edge(a, b'b', b'b', OpId::NONE, end);
        builder.edge(b, b'a', b'a', OpId::NONE, end);
        state = end;
    }
    builder.accept(state);
    let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap());
    let matcher = Matcher::new(format, MaskStore::new(Arc::clone(&loaded.vocabulary)));
    let request = Request::new(loaded.tokenizer.tokens("Write: ").unwrap(), 10);
    generate(loaded, matcher, request, |_| ControlFlow::Continue(())).unwrap().text
}

#[test]
fn texts_are_those_of_the_host() {
    assert_eq!(written(&choices::on_device()), written(&on_host()));
}
