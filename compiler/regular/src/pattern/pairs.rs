//! Surrogate pairs that a pattern spells in halves: `\ud83d[\ude00-\ude4f]`, as programs without the `u` flag write
//! them.
//!
//! A Unicode text contains no half on its own. So a set of high halves followed by a set of low halves matches the
//! characters of these pairs, wherever the two stand: in groups, alternatives and repetitions. In the program, an
//! instruction for a high half and an instruction for a low half right after it become one instruction that reads the
//! characters of the pairs. An instruction for a half in any other place matches nothing: tools write
//! `[\ud800-\udbff](?![\udc00-\udfff])` beside the pairs for lone halves. A pattern that matches nothing for this
//! reason is rejected.

use super::ast::{Half, HalfId, SetId};
use super::error::{INSTRUCTIONS, PatternError, PatternErrorKind as Kind};
use super::program::{Instr, Pc, Program};
use crate::charset::CharSet;
use crate::limits::LimitError;

/// All low halves.
const LOW: (u32, u32) = (0xDC00, 0xDFFF);

/// Replaces the instructions that read halves by those that read pairs.
pub(super) fn join(program: &mut Program, halves: &[Half], limit: usize) -> Result<(), PatternError> {
    if halves.is_empty() {
        return Ok(());
    }
    let nothing = SetId(program.sets.len() as u32);
    program.sets.push(CharSet::from_ranges(Vec::new()));
    let half = |id: HalfId| &halves[id.0 as usize];
    for pc in 0..program.code.len() {
        let Instr::Half { half: high, next } = program.code[pc] else { continue };
        if !half(high).is_high {
            continue;
        }
        let lows = behind(program, halves, next, half(high))?;
        let mut entry = None;
        for (low, next) in lows {
            let set = SetId(program.sets.len() as u32);
            program.sets.push(characters(half(high), &low));
            let read = push(program, Instr::Char { set, next }, limit)?;
            entry = Some(match entry {
                None => read,
                Some(others) => push(program, Instr::Split(read, others), limit)?,
            });
        }
        program.code[pc] = match entry {
            Some(entry) => Instr::Split(entry, entry),
            None => Instr::Char { set: nothing, next },
        };
    }
    for instr in &mut program.code {
        if let Instr::Half { next, .. } = *instr {
            *instr = Instr::Char { set: nothing, next };
        }
    }
    Ok(())
}

fn push(program: &mut Program, instr: Instr, limit: usize) -> Result<Pc, PatternError> {
    let at = program.code.len();
    LimitError::check(INSTRUCTIONS, at + 1, limit).map_err(|error| Kind::Limit(error).at(0..0))?;
    program.code.push(instr);
    Ok(at as Pc)
}

/// Returns the low halves that are read right after a high one, each with the instruction that follows. The text
/// neither begins nor ends between the halves of a pair.
fn behind(program: &Program, halves: &[Half], next: Pc, high: &Half) -> Result<Vec<(Half, Pc)>, PatternError> {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![next], vec![false; program.code.len()]);
    while let Some(pc) = open.pop() {
        if std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        match program.code[pc as usize] {
            Instr::Half { half, next } => {
                let half = &halves[half.0 as usize];
                found.extend(Some((half.clone(), next)).filter(|_| !half.is_high));
            }
            Instr::Split(one, other) => open.extend([other, one]),
            Instr::Char { .. } | Instr::Start { .. } | Instr::End { .. } | Instr::Match | Instr::Found => {}
            // How tools match lone halves; in a text, the low half of a pair always follows.
            Instr::Ahead { entry, negated: true, .. } if is_any_low(program, halves, entry) => {}
            Instr::Ahead { .. } | Instr::Before { .. } | Instr::Behind { .. } => {
                let what = "a lookaround between the halves of a surrogate pair";
                return Err(Kind::Unsupported(what).at(high.span.clone()));
            }
        }
    }
    Ok(found)
}

/// Returns whether a lookahead asks for exactly any low half.
fn is_any_low(program: &Program, halves: &[Half], entry: Pc) -> bool {
    let Instr::Half { half, next } = program.code[entry as usize] else { return false };
    let half = &halves[half.0 as usize];
    half.ranges == [LOW] && program.code[next as usize] == Instr::Match
}

/// Returns the characters of the pairs of high and low halves.
fn characters(high: &Half, low: &Half) -> CharSet {
    let character = |high: u32, low: u32| 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    let mut ranges = Vec::new();
    for &(first, last) in &high.ranges {
        if low.ranges == [LOW] {
            ranges.push((character(first, LOW.0), character(last, LOW.1)));
            continue;
        }
        for high in first..=last {
            ranges.extend(low.ranges.iter().map(|&(first, last)| (character(high, first), character(high, last))));
        }
    }
    let set = CharSet::from_ranges(ranges);
    if high.ignores_case || low.ignores_case { set.fold_case() } else { set }
}
