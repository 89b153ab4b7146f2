//! Applies corrections of findings to a file, but only if they improve it and lose nothing.
//!
//! A correction is applied if three conditions hold. The file then has fewer errors and no new one (for a warning: no
//! new error, and the warning is gone). Its item then has no syntax error from the corrected line on, which would make
//! the intent unclear. All text outside of the corrected place is read as before, with the same tokens and comments.
//! Other corrections are refused, with the reason. After each step the file is read again, because one correction can
//! uncover the next.

mod kept;
mod trail;

use std::collections::BTreeMap;

use always_assert::never;

pub use self::trail::Trail;
use super::parse::{items, parse_item};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::{self, Fix};
use crate::span::Span;

/// Maximum number of steps; each applies one correction, or several that do not touch.
const STEPS: usize = 40;

/// Maximum number of times that a text is read in all.
const READINGS: usize = 400;

/// Maximum number of bytes of text that are processed in all, by reading and comparing texts.
const BYTES: usize = 64 << 20;

/// The cost of reading a text, as a multiple of the cost of comparing it with another.
const READING: usize = 8;

/// Maximum number of successive corrections that count as one, if only the last of them improves the file.
const CHAIN: usize = 3;

/// A corrected file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrected {
    /// The text after the corrections.
    pub text: String,
    /// The corrections that were applied.
    pub done: Vec<Done>,
    /// The edits that led to the text.
    pub trail: Trail,
    /// Findings of `text` whose correction was not applied, each with the reason.
    pub refused: Vec<(Diagnostic, Refusal)>,
}

/// A correction that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Effect of the correction in the imperative, such as "write `=`".
    pub label: String,
    /// The code of the finding that it corrected.
    pub code: Code,
    /// Offset in the original text at which the correction begins.
    pub origin: u32,
}

/// The reason why a correction is not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text at this place would be lost, or read as different tokens.
    Loses(Span),
    /// The file would have an error that it does not have now: its code and message.
    Brings(Code, String),
    /// From the corrected line on, its item would still have this error: its code and message.
    Leaves(Code, String),
    /// The file would have as many errors as now.
    NoBetter,
    /// The correction was not tried, because the limit on trials was reached.
    NotTried,
}

/// Returns all findings about the syntax of a text, without a limit on their number.
#[must_use]
pub fn notation(text: &str) -> Vec<Diagnostic> {
    let all = items(text);
    let of_items = all.items.iter().flat_map(|item| parse_item(item.span.text(text), item.span.start).1);
    all.diagnostics.iter().cloned().chain(of_items).collect()
}

/// Corrects a text. `read` returns the findings in a text, with corrections whose places are in that text.
///
/// ```
/// use ogc_grammar::ogc::{correct, notation};
/// let corrected = correct("type A: { a: int b: string }\n", &mut notation);
/// assert_eq!((corrected.text.as_str(), corrected.done.len()), ("type A = { a: int, b: string }\n", 2));
/// ```
#[must_use]
pub fn correct(text: &str, read: &mut dyn FnMut(&str) -> Vec<Diagnostic>) -> Corrected {
    let mut search = Search { read, readings: 0, bytes: 0 };
    let mut now = search.reading(text.to_owned(), Trail::default());
    let mut done = Vec::new();
    for _ in 0..STEPS {
        let fixes: Vec<&Diagnostic> =
            now.found.iter().filter(|one| search.refused_at_once(&now.text, one).is_none()).collect();
        match search.better(&now, &fixes) {
            Some((better, applied)) => {
                now = better;
                done.extend(applied.into_iter().map(|one| one.done));
            }
            None => break,
        }
    }
    let correctable = now.found.iter().filter(|one| one.fix.is_some());
    let refused = correctable.map(|one| (one.clone(), search.why(&now, one))).collect();
    Corrected { text: now.text, done, trail: now.trail, refused }
}

/// A text, the edits that led to it, and the findings in it.
struct Reading {
    text: String,
    trail: Trail,
    found: Vec<Diagnostic>,
}

/// A correction that was tried.
struct Applied {
    done: Done,
    /// The place of the correction, in the text before step `step`.
    place: Span,
    step: usize,
}

struct Search<'r> {
    read: &'r mut dyn FnMut(&str) -> Vec<Diagnostic>,
    readings: usize,
    bytes: usize,
}

impl Search<'_> {
    fn reading(&mut self, text: String, trail: Trail) -> Reading {
        self.readings += 1;
        self.bytes += READING * text.len();
        let found = (self.read)(&text);
        Reading { text, trail, found }
    }

    /// Returns whether a limit on trials is reached, so that the search ends.
    fn is_spent(&self) -> bool {
        self.readings >= READINGS || self.bytes >= BYTES
    }

    /// Returns the reason not to try the correction of a finding, if there is one; a finding without a correction has a
    /// reason too.
    fn refused_at_once(&mut self, text: &str, found: &Diagnostic) -> Option<Refusal> {
        let Some(fix) = &found.fix else { return Some(Refusal::NoBetter) };
        if self.is_spent() {
            return Some(Refusal::NotTried);
        }
        self.bytes += text.len();
        kept::lost(text, found.span, fix).map(Refusal::Loses)
    }

    /// Returns a text that is improved by as many of these corrections as possible: by all of them, or by those of one
    /// half.
    fn better(&mut self, now: &Reading, fixes: &[&Diagnostic]) -> Option<(Reading, Vec<Applied>)> {
        if fixes.is_empty() || self.is_spent() {
            return None;
        }
        if let Ok(better) = self.step(now, fixes) {
            return Some(better);
        }
        let (one, other) = fixes.split_at(fixes.len() / 2);
        if one.is_empty() {
            return None;
        }
        self.better(now, one).or_else(|| self.better(now, other))
    }

    /// Applies corrections, and corrects the findings that they uncover; returns the text and the applied corrections
    /// if the text is better, else the reason against it.
    fn step(&mut self, now: &Reading, fixes: &[&Diagnostic]) -> Result<(Reading, Vec<Applied>), Refusal> {
        let mut all = Vec::new();
        let mut after = self.applied(now, fixes, &mut all).ok_or(Refusal::NoBetter)?;
        let first = judge(now, &after, fixes, &all);
        let mut verdict = first.clone();
        for _ in 0..CHAIN {
            if verdict.is_ok() {
                break;
            }
            let uncovered = after.found.iter().filter(|one| one.is_error());
            let safe: Vec<&Diagnostic> =
                uncovered.filter(|one| self.refused_at_once(&after.text, one).is_none()).collect();
            let Some(next) = self.applied(&after, &safe, &mut all) else { break };
            after = next;
            verdict = judge(now, &after, fixes, &all);
        }
        match verdict {
            Ok(()) => Ok((after, all)),
            Err(last) => Err(first.err().unwrap_or_else(|| {
                never!("what was good at first is refused: {:?}", last);
                last
            })),
        }
    }

    /// Applies corrections and reads the text; `None` if they change nothing.
    fn applied(&mut self, now: &Reading, fixes: &[&Diagnostic], all: &mut Vec<Applied>) -> Option<Reading> {
        let fixable: Vec<(&Diagnostic, &Fix)> =
            fixes.iter().filter_map(|one| Some((*one, one.fix.as_ref()?))).collect();
        let (after, applied) = fix::apply(&now.text, fixable.iter().map(|(_, fix)| *fix));
        if applied.is_empty() || after == now.text {
            return None;
        }
        let mut trail = now.trail.clone();
        let mut edits = Vec::new();
        for (found, fix) in applied.iter().filter_map(|at| fixable.get(*at)) {
            let place = place(fix);
            let done = Done { label: fix.label.clone(), code: found.code, origin: now.trail.origin(place.start) };
            all.push(Applied { done, place, step: trail.len() });
            edits.extend(fix.edits.iter().cloned());
        }
        trail.push(edits);
        Some(self.reading(after, trail))
    }

    fn why(&mut self, now: &Reading, found: &Diagnostic) -> Refusal {
        if let Some(refusal) = self.refused_at_once(&now.text, found) {
            return refusal;
        }
        if self.is_spent() {
            return Refusal::NotTried;
        }
        self.step(now, &[found]).err().unwrap_or(Refusal::NotTried)
    }
}

/// Returns the range from the first place that a correction changes to the last.
fn place(fix: &Fix) -> Span {
    let places = fix.edits.iter().map(|(span, _)| *span);
    places.reduce(Span::merge).unwrap_or_default()
}

/// Checks that a text is better after corrections; `all` holds all corrections that were tried since `before`.
fn judge(before: &Reading, after: &Reading, fixes: &[&Diagnostic], all: &[Applied]) -> Result<(), Refusal> {
    let (old, new) = (counted(&before.found, true), counted(&after.found, true));
    if let Some(((code, message), _)) = new.iter().find(|(one, count)| old.get(*one).is_none_or(|old| old < *count)) {
        return Err(Refusal::Brings(*code, (*message).to_owned()));
    }
    let sum = |counts: &Counts<'_>| counts.values().sum::<usize>();
    let fewer = sum(&new) < sum(&old);
    let bracket = fixes.iter().any(|one| moves_bracket(one.code));
    if fewer && bracket && items(&before.text).items.len() != items(&after.text).items.len() {
        return Err(Refusal::NoBetter);
    }
    if let Some(left) = left_in_item(after, all) {
        return Err(left);
    }
    // Corrections of warnings alone must remove these warnings; they remove no error.
    let (old, new) = (counted(&before.found, false), counted(&after.found, false));
    let gone = |one: &Diagnostic| new.get(&key(one)) < old.get(&key(one));
    let silent = fixes.iter().all(|one| !one.is_error() && gone(one)) && sum(&new) < sum(&old);
    if fewer || silent { Ok(()) } else { Err(Refusal::NoBetter) }
}

/// Returns whether a correction for this code moves a bracket, which changes the meaning of the rest of the item and
/// may change its end.
fn moves_bracket(code: Code) -> bool {
    use Code::{UnclosedAngle, UnclosedBrace, UnclosedBracket, UnclosedParenthesis, WrongBracket};
    matches!(code, WrongBracket | UnclosedAngle | UnclosedBrace | UnclosedBracket | UnclosedParenthesis)
}

/// Returns an error that makes the intent at a corrected place unclear: a syntax error from its line to the end of the
/// item, or any error inside of the place. An undefined name after the beginning of the place is a separate error.
fn left_in_item(after: &Reading, all: &[Applied]) -> Option<Refusal> {
    let items = items(&after.text).items;
    let leaves = |one: &Diagnostic| Refusal::Leaves(one.code, one.message.clone());
    all.iter().find_map(|applied| {
        let place = after.trail.now(applied.step, applied.place);
        let inside = |one: &&Diagnostic| {
            let begins = one.span.start == place.start && !place.is_empty();
            let within = (place.start..place.end).contains(&one.span.start) && one.code != Code::UnknownName;
            one.is_error() && (begins || within)
        };
        let of_notation = || {
            let item = items.iter().find(|item| item.span.start <= place.start && place.start <= item.span.end)?;
            let found = parse_item(item.span.text(&after.text), item.span.start).1;
            let before = after.text.get(..place.start as usize).unwrap_or_default();
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            found.iter().find(|one| one.is_error() && one.span.start as usize >= line).map(leaves)
        };
        after.found.iter().find(inside).map(leaves).or_else(of_notation)
    })
}

type Counts<'d> = BTreeMap<(Code, &'d str), usize>;

fn key(found: &Diagnostic) -> (Code, &str) {
    (found.code, &found.message)
}

/// Counts the findings of each kind: errors, or all others.
fn counted(found: &[Diagnostic], errors: bool) -> Counts<'_> {
    let mut counts = BTreeMap::new();
    found.iter().filter(|one| one.is_error() == errors).for_each(|one| *counts.entry(key(one)).or_default() += 1);
    counts
}

#[cfg(test)]
mod tests;
