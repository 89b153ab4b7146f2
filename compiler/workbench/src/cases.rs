//! Runs the cases of `test` items: tells whether each case holds, and where in the source a text is refused.

mod captures;

use std::sync::Arc;

use ogc_compiler::db::Db;
use ogc_compiler::hir::cases::{CasePart, CasePartKind, TestCase};
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::ogc::character_offset;
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::captures::CapturePart;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::VocabularyError;

use crate::attempt::{Reason, Trial, captured, may_follow};
use crate::cut::cut;
use crate::describe::show;
use crate::vocabulary::bytes_and;

/// The result of running a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseResult {
    /// The format accepts or refuses the text as the case says.
    Holds,
    /// The format does the opposite of what the case expects.
    Fails(Box<Failure>),
}

/// A case that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The finding about the whole case.
    pub finding: Diagnostic,
    /// Offset of the first refused byte in the case's text, or the text's length if it ends too early; `None` if the
    /// format accepts a text that it should refuse.
    pub refused: Option<usize>,
    /// Place of that byte in the source, if it has one.
    pub place: Option<Span>,
}

impl CaseResult {
    /// Returns whether the case holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        *self == Self::Holds
    }
}

/// Runs a case on its compiled format; `is_value` says whether the format's texts are JSON values.
///
/// # Errors
///
/// The tokens that the format names make no vocabulary.
pub fn run(
    db: &dyn Db,
    format: &Format,
    automaton: &Arc<Automaton>,
    is_value: bool,
    case: &TestCase,
) -> Result<CaseResult, VocabularyError> {
    let result = run_text(automaton, is_value, case, format.file.text(db))?;
    if case.captures.is_empty() || !result.holds() {
        return Ok(result);
    }
    let finding = match captured(db, format, &case.text) {
        Ok(found) => captures::difference(case, &found, &capture_names(db, format)),
        Err(error) => Some(Diagnostic::error(Code::Test, case.span, format!("the captures cannot be read: {error}"))),
    };
    Ok(finding.map_or(CaseResult::Holds, |finding| {
        CaseResult::Fails(Box::new(Failure { finding, refused: None, place: None }))
    }))
}

/// Returns the names of the captures of a format.
fn capture_names(db: &dyn Db, format: &Format) -> Vec<String> {
    let parts = pipeline::captures(db, format.clone()).captures;
    let parts = parts.iter().flat_map(|captures| &captures.parts);
    let names = parts.filter_map(|part| match part {
        CapturePart::Capture(name) => Some(name.clone()),
        CapturePart::Call(_) | CapturePart::Value => None,
    });
    names.collect()
}

/// Runs a case of a source text, ignoring its captures.
///
/// # Errors
///
/// The tokens that the format names make no vocabulary.
fn run_text(
    automaton: &Arc<Automaton>,
    is_value: bool,
    case: &TestCase,
    source: &str,
) -> Result<CaseResult, VocabularyError> {
    let mut matcher = Matcher::new(Arc::clone(automaton), bytes_and(&automaton.tokens)?);
    let accepted = matcher.accept_bytes(&case.text);
    let accepts = accepted.is_ok() && matcher.is_complete();
    if accepts == case.accept {
        return Ok(CaseResult::Holds);
    }
    let reason = if case.accept { reason(automaton, is_value, &case.text)? } else { None };
    let message = match (case.accept, accepted, &reason) {
        (false, ..) => "this is accepted, but should be rejected".to_owned(),
        (true, _, Some(reason)) => format!("this should be accepted, but {}", reason.message),
        (true, Ok(()), None) => "this should be accepted, but is not complete".to_owned(),
        (true, Err(error), None) => format!("this should be accepted, but {error}"),
    };
    let mut help: Vec<String> = case.reason.iter().map(|reason| format!("because {reason}")).collect();
    if !case.accept && automaton.rules.iter().any(|rule| rule.counts_tokens) {
        help.push("a test has characters and no tokens, so `max_tokens` allows any number here".to_owned());
    }
    let refused = case.accept.then(|| refused(&mut matcher, &case.text));
    match reason {
        // The path gives the place, and the sentence names the texts that may come there.
        Some(Reason { path: Some(_), help: way_out, .. }) => help.extend(way_out),
        _ => help.extend(refused.map(|at| expected(&mut matcher, cut(&case.text, at).0))),
    }
    let mut finding = Diagnostic::error(Code::Test, case.span, message);
    if !help.is_empty() {
        finding = finding.help(help.join("; "));
    }
    let place = refused.and_then(|at| place_of(case, at, source));
    Ok(CaseResult::Fails(Box::new(Failure { finding, refused, place })))
}

/// Returns the reason why a format refuses a text; `None` if the format is too ambiguous to tell.
fn reason(automaton: &Arc<Automaton>, is_value: bool, text: &[u8]) -> Result<Option<Reason>, VocabularyError> {
    let trial = Trial::new(Arc::clone(automaton), is_value)?;
    let refused = trial.refusal(text).ok().flatten();
    Ok(refused.map(|refused| refused.reason).filter(|reason| reason.code.is_some()))
}

/// Returns the offset of the first refused byte, and leaves the matcher before that byte.
fn refused(matcher: &mut Matcher, text: &[u8]) -> usize {
    matcher.reset();
    text.iter().position(|&byte| matcher.accept_bytes(&[byte]).is_err()).unwrap_or(text.len())
}

/// Describes the accepted part of a case, and the texts that may follow it.
fn expected(matcher: &mut Matcher, accepted: &[u8]) -> String {
    let tail = accepted.get(accepted.len().saturating_sub(40)..).unwrap_or_default();
    let next = may_follow(matcher);
    match tail {
        [] => format!("a text begins with {next}"),
        tail => format!("accepted up to `{}`, where {next} may follow", show(tail)),
    }
}

/// Returns the source place of a byte in a case's text: the place of the character that stands for it. The end of the
/// text maps to the end of its last part, before a closing quote.
#[must_use]
pub fn place_of(case: &TestCase, byte: usize, source: &str) -> Option<Span> {
    let number = case.parts.partition_point(|part| part.start <= byte).checked_sub(1)?;
    let part = case.parts.get(number)?;
    let end = case.parts.get(number + 1).map_or(case.text.len(), |next| next.start);
    let before = case.text.get(part.start..byte.min(end))?;
    let literal = source.get(part.span.start as usize..part.span.end as usize)?;
    let offset = offset_of(part, before, literal)?;
    let character = literal.get(offset..)?.chars().next().map_or(0, char::len_utf8);
    let start = part.span.start as usize + offset;
    Some(Span::of(start, start + character))
}

/// Returns the offset after `before` in the source of a part.
fn offset_of(part: &CasePart, before: &[u8], literal: &str) -> Option<usize> {
    let text = String::from_utf8_lossy(before);
    match part.kind {
        CasePartKind::Token | CasePartKind::Added => Some(0),
        CasePartKind::Same => Some(before.len().min(literal.len())),
        CasePartKind::Text => Some(character_offset(literal, text.trim_end_matches('\u{fffd}').chars().count())),
        CasePartKind::String if before.is_empty() => Some(0),
        CasePartKind::String => {
            let characters = characters(text.trim_end_matches('\u{fffd}').get(1..)?);
            if literal.starts_with(['"', '\'']) {
                return Some(character_offset(literal, characters));
            }
            // An unquoted key.
            Some(literal.char_indices().nth(characters).map_or(literal.len(), |(at, _)| at))
        }
    }
}

/// Counts the characters of a JSON string; an escape counts as one, and an incomplete escape does not count.
fn characters(written: &str) -> usize {
    let (mut count, mut rest) = (0, written);
    while let Some(first) = rest.chars().next() {
        let length = match (first, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => 6,
            ('\\', _) => 2,
            (other, _) => other.len_utf8(),
        };
        let Some(after) = rest.get(length..) else { break };
        rest = after;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
    use ogc_compiler::pipeline::{automaton, tests};

    use super::*;
    use crate::attempt::is_value;

    /// Runs the only case of a program, and marks the place of the refusal in its line with `‹›`; the result is `holds`
    /// if the case holds.
    fn check(definition: &str, case: &str, wanted: &str) {
        let db = Compiler::default();
        let source = format!("{definition}\ntest T {{\n    {case}\n}}\n");
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(&db, "t.ogc".to_owned(), source.clone(), Language::Ogc, options);
        let tests = tests(&db, file);
        let [(format, cases)] = tests.as_slice() else { panic!("{tests:?}") };
        let automaton = automaton(&db, format.clone()).expect("a sound format");
        let is_value = is_value(&db, format);
        let shown = match run(&db, format, &automaton, is_value, &cases[0]).expect("a vocabulary") {
            CaseResult::Holds => "holds".to_owned(),
            CaseResult::Fails(failure) => match failure.place {
                Some(Span { start, end, .. }) => {
                    let (start, end) = (start as usize, end as usize);
                    let line = format!("{}‹{}›{}", &source[..start], &source[start..end], &source[end..]);
                    line.lines().find(|line| line.contains('‹')).map_or(line.clone(), |line| line.trim().to_owned())
                }
                None => failure.finding.message,
            },
        };
        assert_eq!(shown, wanted, "{definition}: {case}");
    }

    #[test]
    fn failures_are_placed_at_the_refused_byte() {
        let texts = "output T = \"a\\n\" /[0-9]{3}/";
        check(texts, r#"accept "a\n123""#, "holds");
        check(texts, r#"accept "a\n1x3""#, r#"accept "a\n1‹x›3""#);
        check(texts, r#"accept "a\u{41}""#, r#"accept "a‹\›u{41}""#);
        check(texts, r#"accept 'a\n12'"#, r#"accept 'a\n12‹'›"#);
        check(texts, r#"accept "é""#, r#"accept "‹é›""#);
        check(texts, r#"reject "a\n123""#, "this is accepted, but should be rejected");
        check("output T = \"é\" \"ö\"", r#"accept "éü""#, r#"accept "é‹ü›""#);
    }

    #[test]
    fn captures_are_compared_with_all_their_spans() {
        let texts = r#"output T = (k: /[a-z]+/ "=" v: (n: /[0-9]+/ "!"?))[0..] % ",""#;
        check(texts, r#"accept "a=1,b=2!" with { k: ["a", "b"], n: ["1", "2"], v: ["1", "2!"] }"#, "holds");
        check(texts, r#"accept "a=1" with { k: "a" } because "so""#, "holds");
        check(texts, r#"accept "" with { k: [] }"#, "holds");
        check(texts, r#"accept "a=1" with { k: "b" }"#, "`k` should have captured `b`, but captured `a`");
        check(texts, r#"accept "a=1,b=2" with { n: "1" }"#, "`n` should have captured `1`, but captured `1`, `2`");
        check(texts, r#"accept "a=1" with { n: ["1"], v: [] }"#, "`v` should have captured nothing, but captured `1`");
        check(texts, r#"accept "a=1" with { key: "a" }"#, "the format has no capture `key`");
        check("output T = int[2]", "accept [1, 2] with { a: \"1\" }", "the format has no capture `a`");
        check(texts, r#"accept "a=" with { k: "a" }"#, r#"accept "a=‹"› with { k: "a" }"#);
        let think = "output T = tok\"<t>\" a: text tok\"</t>\" b: (\"x\" tok\"<t>\")?";
        check(think, r#"accept tok"<t>" "hm" tok"</t>" with { a: "hm", b: "" }"#, "holds");
    }

    #[test]
    fn a_failing_case_says_that_tokens_are_not_counted() {
        let help = |definition: &str, case: &str| {
            let db = Compiler::default();
            let source = format!("{definition}\ntest T {{ {case} }}\n");
            let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
            let file = SourceFile::new(&db, "t.ogc".to_owned(), source, Language::Ogc, options);
            let (format, cases) = tests(&db, file).remove(0);
            let automaton = automaton(&db, format.clone()).expect("a sound format");
            match run(&db, &format, &automaton, false, &cases[0]).expect("a vocabulary") {
                CaseResult::Holds => panic!("{case} holds"),
                CaseResult::Fails(failure) => failure.finding.help.unwrap_or_default(),
            }
        };
        let limited = "output T = text<max_tokens = 2>";
        assert!(help(limited, "reject 'one two three'").contains("`max_tokens` allows any number here"));
        assert_eq!(help("output T = text<max_chars = 20>", "reject 'one two three'"), "");
    }

    #[test]
    fn expected_continuations_are_spelled_plainly() {
        let trial = |text: &str| {
            let db = Compiler::default();
            let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
            let file = SourceFile::new(&db, "t.ogc".to_owned(), text.to_owned(), Language::Ogc, options);
            let automaton = automaton(&db, ogc_compiler::pipeline::Format::named(file, "T")).expect("a sound format");
            Matcher::new(Arc::clone(&automaton), bytes_and(&automaton.tokens).expect("a vocabulary"))
        };
        let units = "policy escapes = \"any\"\noutput T = json<\"celsius\" | \"fahrenheit\">";
        let mut matcher = trial(units);
        matcher.accept_bytes(b"\"").expect("a quote");
        assert_eq!(may_follow(&mut matcher), "`celsius\"` or `fahrenheit\"`");
        let mut quoted = trial("policy escapes = \"any\"\noutput T = json<\"a\" | \"\\\"\">");
        quoted.accept_bytes(b"\"").expect("a quote");
        assert!(may_follow(&mut quoted).contains("\\"), "what has no plain spelling stays");
    }

    #[test]
    fn failures_in_values_are_placed_at_the_value() {
        let record = "policy space = \"pretty\"\noutput T = { a: string<1..4>, b: int[0..5] }";
        check(record, r#"accept { a: "x", b: [1, 2] }"#, "holds");
        check(record, r#"accept { a: "x", b: [1, "2"] }"#, r#"accept { a: "x", b: [1, ‹"›2"] }"#);
        check(record, r#"accept { a: "", b: [] }"#, r#"accept { a: "‹"›, b: [] }"#);
        check(record, r#"accept { a: "\"\u{41}345", b: [] }"#, r#"accept { a: "\"\u{41}34‹5›", b: [] }"#);
        check(record, r#"accept { ab: "1", b: [] }"#, r#"accept { a‹b›: "1", b: [] }"#);
        check(record, r#"accept { a: "1" }"#, r#"accept { a: "1"‹› }"#);
        check(record, r#"accept { a: "1", b: [1.5] }"#, r#"accept { a: "1", b: [1‹.›5] }"#);
    }
}
