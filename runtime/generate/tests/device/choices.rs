//! Tests of tokens that the device chooses, against the host's choices by the same logits: texts of several formats and
//! samplings, token by token.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use ogc_cuda::{CudaError, KernelLaunch, Machine, ModelLimits, Plan, PoolLimits, SlotLimits};
use ogc_generate::{
    Choices, ChosenBy, Ended, GenerateError, Generated, Jump, LoadedModel, Request, Sampling, Sequence, Speculation,
    generate, pass,
};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::canonical::TokenPolicy;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use super::interpreter::{self, Interpreter};
use super::{KERNELS, formats, on_host};

/// Returns the kernels of models, of choices and of slots.
fn kernels() -> &'static ogc_ptx::Module {
    static MODULE: OnceLock<ogc_ptx::Module> = OnceLock::new();
    MODULE.get_or_init(|| {
        let others = [ogc_cuda::sample_ptx(), ogc_cuda::fused_ptx(), ogc_cuda::ADVANCE_PTX, ogc_cuda::LOCATE_PTX];
        let texts: Vec<&str> = KERNELS.iter().copied().chain(others.map(|text| text.to_str().unwrap())).collect();
        interpreter::module(&texts)
    })
}

const LIMITS: ModelLimits = ModelLimits { positions: 1024, pages: 8 * 32, rows: 40 };

/// A model on the interpreter, which chooses tokens under masks of the host.
pub(super) fn on_device() -> LoadedModel {
    on_host().on_machine(Interpreter::new(kernels()), LIMITS).unwrap()
}

/// A model on the interpreter that also finds masks, for `slots` texts at a time.
fn with_slots(slots: u32) -> LoadedModel {
    let pool = PoolLimits { rows: 4096, blocks: 1 << 12 };
    let limits =
        SlotLimits { slots, formats: 5, format_bytes: 1 << 20, pool, logits: 0, run_tokens: 16, draft_tokens: 0 };
    on_host().on_machine_with_slots(Interpreter::new(kernels()), LIMITS, limits).unwrap()
}

/// Any text.
fn free() -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("free", 0);
    let [start, body] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.edge(start, 0, 0x7f, OpId::NONE, body);
    builder.edge(body, 0, 0x7f, OpId::NONE, body);
    builder.accept(body);
    Arc::new(builder.finish((rule, 0, 0), true, Escapes::Any).unwrap())
}

/// A format, the cap on the tokens of a text, and the number of tokens after which the text is stopped.
type Asked = (&'static str, Arc<Automaton>, u32, usize);

/// Known formats, and one that allows everything: some texts end because of their budgets, others stop long before.
fn all_formats() -> Vec<Asked> {
    let known = formats::all();
    let of = |name: &str| Arc::clone(&known.iter().find(|(other, _)| *other == name).unwrap().1);
    let some = [
        ("declared order", 900, 16),
        ("any order, open", 900, 12),
        ("arrays", 10, 10),
        ("string of 2 to 5", 900, 9),
        ("ambiguous", 40, 8),
    ];
    some.into_iter().map(|(name, most, stop)| (name, of(name), most, stop)).chain([("free", free(), 500, 6)]).collect()
}

/// Several samplings: the likeliest token, draws of all tokens, draws with everything that changes logits, and draws of
/// the likeliest tokens.
fn samplings() -> [Sampling; 4] {
    let drawn = Sampling { temperature: 1.5, seed: 5, ..Sampling::default() };
    // The visible bytes are the first tokens.
    let token = |byte: u8| TokenId(u32::from(byte - b'!'));
    let bias = vec![(token(b'b'), 0.5), (token(b'"'), 1.0), (token(b'b'), -0.25)];
    let changed =
        Sampling { repetition_penalty: 1.3, presence_penalty: 0.2, frequency_penalty: 0.1, bias, ..drawn.clone() };
    let truncated = Sampling { top_k: 12, top_p: 0.9, min_p: 0.05, ..drawn.clone() };
    [Sampling::default(), drawn, changed, truncated]
}

/// Writes two texts of each format in the same passes: one of the likeliest tokens, and one of another sampling.
fn texts(loaded: &LoadedModel, change: impl Fn(&mut Request)) -> Vec<Generated> {
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    let prompt = loaded.tokenizer.tokens("a b").unwrap();
    let [likeliest, others @ ..] = samplings();
    let mut sequences = Vec::new();
    for (number, (_, format, most, stop)) in (0..).zip(all_formats()) {
        for sampling in [&likeliest, &others[number as usize % others.len()]] {
            let sampling = sampling.clone();
            let mut request = Request { sampling, number, ..Request::new(prompt.clone(), most) };
            change(&mut request);
            let matcher = Matcher::new(Arc::clone(&format), Arc::clone(&store));
            sequences.push((Sequence::new(loaded, matcher, request).unwrap(), stop));
        }
    }
    while sequences.iter().any(|(sequence, _)| sequence.ended().is_none()) {
        let mut all: Vec<&mut Sequence> = sequences.iter_mut().map(|(sequence, _)| sequence).collect();
        pass(loaded, &mut all).unwrap().into_iter().for_each(|result| result.unwrap());
        sequences.iter_mut().filter(|(text, stop)| text.tokens().len() >= *stop).for_each(|(text, _)| text.stop());
    }
    sequences.into_iter().map(|(sequence, _)| sequence.into_generated()).collect()
}

/// Returns the choices of all texts together. They must be the host's choices by the same logits, as far as both were
/// written: drafts write several tokens before a text is stopped.
fn compare(loaded: &LoadedModel, expected: &[Generated], jump: Jump, speculation: Speculation) -> Choices {
    let found = texts(loaded, |request| (request.jump, request.speculation) = (jump, speculation));
    let mut all = Choices::default();
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let choices = found.statistics.choices;
        let both = found.tokens.len().min(expected.tokens.len());
        assert_eq!(
            found.tokens[..both],
            expected.tokens[..both],
            "{at}: {:?} {:?} {choices}",
            found.text,
            expected.text
        );
        let is_stopped = [found.ended, expected.ended].contains(&Ended::Stopped);
        assert!(is_stopped || (found.ended, found.tokens.len()) == (expected.ended, both), "{at}: {:?}", found.text);
        all.add(&choices);
    }
    all
}

#[test]
fn tokens_of_the_device_are_those_of_the_host() {
    let loaded = with_slots(32);
    // Probabilities need all logits, so the host chooses.
    let expected = texts(&loaded, |request| request.probabilities = Some(0));
    for text in &expected {
        let choices = text.statistics.choices;
        assert!(choices.on_device() == 0 && choices.by(ChosenBy::Probabilities) > 0, "{choices}");
    }
    let choices = compare(&loaded, &expected, Jump::Verify, Speculation::Off);
    assert!([ChosenBy::Device, ChosenBy::DeviceBudget].iter().all(|by| choices.by(*by) > 5), "{choices}");
    // There is room for all formats but one.
    assert!(choices.by(ChosenBy::DeviceFormat) > 0, "{choices}");
    let choices = compare(&loaded, &expected, Jump::Off, Speculation::Lookup { most: 3 });
    assert!([ChosenBy::Device, ChosenBy::DeviceDraft].iter().all(|by| choices.by(*by) > 0), "{choices}");

    let choices = compare(&on_device(), &expected, Jump::Verify, Speculation::Off);
    assert!(choices.by(ChosenBy::Device) == 0 && choices.by(ChosenBy::DeviceFormat) > 20, "{choices}");
    let choices = compare(&with_slots(2), &expected, Jump::Off, Speculation::Off);
    assert!([ChosenBy::Device, ChosenBy::DeviceSlots].iter().all(|by| choices.by(*by) > 0), "{choices}");
}

/// Rules that each read an `a`, call the next rule, and continue with a byte of their own; the last reads a `b`. The
/// last masks have more rows than a slot holds.
fn chain() -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rules: Vec<_> = (0..=40).map(|_| builder.rule("link", 0)).collect();
    for (own, (at, rule)) in (0x80..).zip(rules.iter().enumerate()) {
        let [start, middle, end] = std::array::from_fn(|_| builder.state(*rule, StateKind::Bytes));
        builder.start(*rule, start);
        builder.edge(start, b'a', b'a', OpId::NONE, middle);
        builder.edge(end, own, own, OpId::NONE, end);
        builder.accept(end);
        match rules.get(at + 1) {
            Some(next) => builder.call(middle, formats::call(*next, end, 0, 0)),
            None => {
                builder.edge(middle, b'b', b'b', OpId::NONE, middle);
                builder.accept(middle);
            }
        }
    }
    Arc::new(builder.finish((rules[0], 0, 0), false, Escapes::Any).unwrap())
}

#[test]
fn the_host_continues_texts_that_leave_the_device() {
    let loaded = with_slots(1);
    let text = |probabilities| {
        let matcher = Matcher::new(chain(), MaskStore::new(Arc::clone(&loaded.vocabulary)));
        let tokens = Some(TokenPolicy::Any); // canonical ones are the host's
        let request = Request { jump: Jump::Off, tokens, probabilities, ..Request::new(vec![TokenId(1)], 1000) };
        let mut shown = 0;
        let enough = |_: &str| {
            shown += 1;
            if shown < 60 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        generate(&loaded, matcher, request, enough).unwrap()
    };
    let (expected, found) = (text(Some(0)), text(None));
    assert_eq!(found.tokens, expected.tokens);
    let choices = found.statistics.choices;
    // The device chooses the first tokens. Where a mask has too many rows, the logits come back, and then the host
    // finds masks for some tokens.
    assert!(choices.by(ChosenBy::Device) > 30 && choices.by(ChosenBy::Handover) > 0, "{choices}");
    assert!(choices.by(ChosenBy::DeviceHandover) > 0, "{choices}");
}

/// A machine that reports another token than the one it chose.
#[derive(Debug)]
struct Lying(Interpreter);

#[allow(unsafe_code, reason = "launches are passed on")]
impl Machine for Lying {
    fn reserve(&mut self, name: &str, bytes: u64) -> Result<u64, CudaError> {
        self.0.reserve(name, bytes)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), CudaError> {
        self.0.write(address, bytes)
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), CudaError> {
        self.0.read(address, bytes)?;
        if let [1, 0, 0, 0, token, ..] = bytes {
            *token = 122;
        }
        Ok(())
    }

    unsafe fn launch(&mut self, launch: &KernelLaunch) -> Result<(), CudaError> {
        // SAFETY: as this function's.
        unsafe { self.0.launch(launch) }
    }

    unsafe fn run(&mut self, plan: &Plan) -> Result<(), CudaError> {
        // SAFETY: as this function's.
        unsafe { self.0.run(plan) }
    }
}

#[test]
fn a_token_that_the_host_refuses_is_an_error() {
    let loaded = on_host().on_machine(Lying(Interpreter::new(kernels())), LIMITS).unwrap();
    let format = all_formats().swap_remove(2).1;
    let matcher = Matcher::new(format, MaskStore::new(Arc::clone(&loaded.vocabulary)));
    let request = Request::new(vec![TokenId(1)], 8);
    let error = generate(&loaded, matcher, request, |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, GenerateError::DeviceToken { token: 122, tokens: 1, .. }), "{error}");
    assert!(
        error.to_string().starts_with("after 1 tokens the device chose token 122, which the host refuses (byte 0"),
        "{error}"
    );
}
