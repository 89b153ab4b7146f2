//! Compares tokens chosen after a pass with the logits of the same pass: under masks, penalties and biases, beside rows that request
//! logits.

use std::sync::Arc;

use ogc_runtime::vocabulary::Vocabulary;

use super::super::DeviceModel;
use super::super::choice::{ChoiceMask, RowAnswer, RowAsk, RowChoice};
use super::super::pages::ModelText;
use super::super::part::{AskingPart, ModelPart};
use super::super::shape::ModelLimits;
use super::whole::{POSITIONS, Plain, SHAPE, TOKENS};
use super::*;
use crate::machine::shared::SharedMachine;
use crate::outcome::Outcome;
use crate::pool::PoolLimits;
use crate::sampling::{Adjustments, RowSampling, TokenChoice};
use crate::slots::DeviceSlots;
use crate::slots::limits::SlotLimits;

/// A row's request, which owns its lists.
#[derive(Clone, Debug)]
enum Asked {
    Nothing,
    Logits,
    Token { mask: Vec<u32>, written: Vec<(u32, u32)>, biases: Vec<(u32, f32)> },
}

const ADJUSTMENTS: Adjustments = Adjustments {
    repetition_penalty: 1.25,
    presence_penalty: 0.5,
    frequency_penalty: 0.25,
    written: (0, 0),
    written_capacity: 0,
    biases: (0, 0),
};

impl Asked {
    fn random(random: &mut Random) -> Self {
        match random.below(6) {
            0 => Self::Nothing,
            1 => Self::Logits,
            kind => {
                let mut mask: Vec<u32> =
                    (0..TOKENS.div_ceil(32)).map(|_| random.below(1 << 31) as u32 * 2 + 1).collect();
                if kind == 2 {
                    // A mask of one token, or of none.
                    mask.fill(0);
                    mask[random.below(TOKENS / 32)] = [1 << random.below(32), 0][random.below(2)];
                }
                let mut listed =
                    |share: usize| (0..TOKENS as u32).filter(|_| random.below(100) < share).collect::<Vec<_>>();
                let (written, biased) = (listed(20), listed(10));
                let written = written.into_iter().map(|token| (token, 1 + random.below(3) as u32)).collect();
                let biases = biased.into_iter().map(|token| (token, random.below(8) as f32 - 4.0)).collect();
                Self::Token { mask, written, biases }
            }
        }
    }

    fn ask(&self) -> RowAsk<'_> {
        match self {
            Self::Nothing => RowAsk::Nothing,
            Self::Logits => RowAsk::Logits,
            Self::Token { mask, written, biases } => {
                let sampling =
                    RowSampling { choice: TokenChoice::Highest, adjustments: ADJUSTMENTS, ..RowSampling::default() };
                RowAsk::Token(RowChoice { sampling, mask: ChoiceMask::Bits(mask), written, biases })
            }
        }
    }

    /// Returns the answer that plain loops compute from the logits of a row.
    fn expected(&self, logits: &[f32]) -> RowAnswer {
        let (mask, written, biases) = match self {
            Self::Nothing => return RowAnswer::Nothing,
            Self::Logits => return RowAnswer::Logits(logits.to_vec()),
            Self::Token { mask, written, biases } => (mask, written, biases),
        };
        let mut logits = logits.to_vec();
        for (token, times) in written {
            let logit = &mut logits[*token as usize];
            *logit *= if *logit > 0.0 { 1.0 / ADJUSTMENTS.repetition_penalty } else { ADJUSTMENTS.repetition_penalty };
            *logit -= ADJUSTMENTS.presence_penalty + ADJUSTMENTS.frequency_penalty * *times as f32;
        }
        biases.iter().for_each(|(token, bias)| logits[*token as usize] += bias);
        let allowed = (0..TOKENS).filter(|token| mask[token / 32] >> (token % 32) & 1 == 1);
        let best = allowed.reduce(|best, token| if logits[token] > logits[best] { token } else { best });
        best.map_or(RowAnswer::NoToken, |token| RowAnswer::Token { token: token as u32, slot: Outcome::None })
    }
}

#[test]
fn tokens_chosen_on_the_device_match_the_logits() {
    let mut random = Random::new(21);
    let plain = Plain::random(&mut random, SHAPE, &[WeightFormat::F16]);
    let limits = ModelLimits { rows: 10, ..ModelLimits::for_texts(6, POSITIONS as u32) };
    let machine = Interpreter::new(module_with(&[WeightFormat::F16], &[crate::sample_ptx().to_str().unwrap()]));
    let mut model = DeviceModel::new(machine, SHAPE, limits, plain.weights()).unwrap();
    let texts = [(); 3].map(|()| model.open());
    let mut chosen = 0;
    for _ in 0..6 {
        let parts: Vec<(ModelText, Vec<u32>, Vec<Asked>)> = texts
            .iter()
            .map(|text| {
                let tokens: Vec<u32> = (0..random.below(7)).map(|_| random.below(TOKENS) as u32).collect();
                let asked = (0..random.below(tokens.len() + 1)).map(|_| Asked::random(&mut random)).collect();
                (*text, tokens, asked)
            })
            .collect();
        // The same texts are read twice: for their logits, and for the answers.
        let forks = texts.map(|text| model.fork(text).unwrap());
        let plain_parts =
            parts.iter().zip(forks).map(|((_, tokens, asked), text)| ModelPart { text, tokens, wanted: asked.len() });
        let logits = model.forward(&plain_parts.collect::<Vec<_>>()).unwrap();
        forks.iter().for_each(|fork| model.close(*fork).unwrap());
        let rows: Vec<Vec<RowAsk<'_>>> =
            parts.iter().map(|(_, _, asked)| asked.iter().map(Asked::ask).collect()).collect();
        let asking = parts.iter().zip(&rows).map(|((text, tokens, _), rows)| AskingPart { text: *text, tokens, rows });
        let answers = model.answer(&asking.collect::<Vec<_>>()).unwrap();
        for (((_, _, asked), logits), answers) in parts.iter().zip(logits).zip(answers) {
            let expected: Vec<RowAnswer> =
                asked.iter().zip(logits.chunks_exact(TOKENS)).map(|(asked, logits)| asked.expected(logits)).collect();
            assert_eq!(answers, expected);
            chosen += answers.iter().filter(|answer| matches!(answer, RowAnswer::Token { .. })).count();
        }
    }
    assert!(chosen > 12, "{chosen}");
}

#[test]
fn invalid_requests_for_tokens_are_refused() {
    let mut random = Random::new(22);
    let plain = Plain::random(&mut random, SHAPE, &[WeightFormat::F16]);
    let machine = Interpreter::new(module(&[WeightFormat::F16]));
    let mut model =
        DeviceModel::new(machine, SHAPE, ModelLimits::for_texts(1, POSITIONS as u32), plain.weights()).unwrap();
    let text = model.open();
    let mask = vec![1; TOKENS.div_ceil(32)];
    let many = vec![(1, 1); RowChoice::MOST_LISTED + 1];
    let ask = |mask, written| RowAsk::Token(RowChoice { sampling: RowSampling::default(), mask, written, biases: &[] });
    let refusals = [
        (vec![ask(ChoiceMask::Slot(0), &[])], "the number of a slot is 0: it must be below 0, the number of slots"),
        (vec![ask(ChoiceMask::Bits(&mask[1..]), &[])], "the number of words of a mask is 4: it must be 5"),
        (
            vec![ask(ChoiceMask::Bits(&mask), &many)],
            "the number of listed tokens of a row is 1025: it must be at most 1024: choose by the logits",
        ),
        (vec![RowAsk::Logits; 2], "the number of rows that are asked is 2: it must be at most 1, as many as tokens"),
    ];
    for (rows, expected) in &refusals {
        let refused = model.answer(&[AskingPart { text, tokens: &[1], rows }]).unwrap_err();
        assert_eq!(refused.to_string(), *expected);
        assert_eq!(model.len(text), Ok(0));
    }
}

#[test]
fn slots_must_share_the_machine_and_have_one_row_each() {
    let mut random = Random::new(23);
    let plain = Plain::random(&mut random, SHAPE, &[WeightFormat::F16]);
    let vocabulary = Arc::new(Vocabulary::from_tokens(&[Some("a")], &[]).unwrap());
    let pool = PoolLimits { rows: 1, blocks: 1 };
    let limits =
        SlotLimits { slots: 2, formats: 1, format_bytes: 256, pool, logits: 0, run_tokens: 16, draft_tokens: 0 };
    let new = || {
        let machine = SharedMachine::new(Interpreter::new(module(&[WeightFormat::F16])));
        let slots = DeviceSlots::new(machine.clone(), Arc::clone(&vocabulary), limits).unwrap();
        (machine, slots)
    };
    let ((machine, slots), (_, others)) = (new(), new());
    let limits = ModelLimits::for_texts(2, POSITIONS as u32);
    let mut model = DeviceModel::new(machine, SHAPE, limits, plain.weights()).unwrap();
    let said = "the number of slots of another machine is 2: they must be of the machine that the model is on";
    assert_eq!(model.step_slots(&others).unwrap_err().to_string(), said);
    model.step_slots(&slots).unwrap();
    let texts = [model.open(), model.open()];
    let row = |slot| {
        let (sampling, mask) = (RowSampling::default(), ChoiceMask::Slot(slot));
        [RowAsk::Token(RowChoice { sampling, mask, written: &[], biases: &[] })]
    };
    let mut refused = |rows: [u32; 2]| {
        let rows = rows.map(row);
        let parts = [0, 1].map(|at| AskingPart { text: texts[at], tokens: &[1], rows: &rows[at] });
        model.answer(&parts).unwrap_err().to_string()
    };
    assert_eq!(refused([1, 1]), "the number of a slot is 1: several rows have it, and each moves it: ask of one");
    assert_eq!(refused([0, 2]), "the number of a slot is 2: it must be below 2, the number of slots");
}
