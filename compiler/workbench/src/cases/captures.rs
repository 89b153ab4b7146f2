//! Compares the captures of a text with those that its case expects.

use ogc_compiler::hir::cases::{ExpectedCapture, TestCase};
use ogc_grammar::{Code, Diagnostic, nearest};
use ogc_runtime::captures::Capture;

use crate::attempt::Captured;
use crate::describe::show;

/// Returns a finding for the first capture that differs from the case's expectation; `names` are the format's captures.
pub(super) fn difference(case: &TestCase, captured: &Captured, names: &[String]) -> Option<Diagnostic> {
    if let Some(refused) = &captured.refused {
        let message = format!("the captures cannot be tested: {}", refused.message);
        return Some(Diagnostic::error(Code::Test, case.span, message));
    }
    case.captures.iter().find_map(|expected| difference_of(case, expected, &captured.captures, names))
}

fn difference_of(
    case: &TestCase,
    expected: &ExpectedCapture,
    captures: &[Capture],
    names: &[String],
) -> Option<Diagnostic> {
    let mut found: Vec<(usize, &[u8])> = Vec::new();
    spans(captures, expected, &case.text, &mut found);
    found.sort_by_key(|(start, _)| *start);
    if found.iter().map(|(_, text)| *text).eq(expected.texts.iter().map(String::as_bytes)) {
        return None;
    }
    let name = &expected.name;
    let finding = |message: String| Diagnostic::error(Code::Test, expected.span, message);
    if !names.contains(name) {
        let help = match (nearest(name, names.iter().map(String::as_str)), names) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => "a capture is a name and `:` before a part of a rule or output".to_owned(),
            (None, names) => format!("it has {}", listed(names.iter().map(String::as_bytes))),
        };
        return Some(finding(format!("the format has no capture `{name}`")).help(help));
    }
    let texts = |texts: &[&[u8]]| if texts.is_empty() { "nothing".to_owned() } else { listed(texts.iter().copied()) };
    let (is, wanted): (Vec<&[u8]>, Vec<&[u8]>) =
        (found.iter().map(|(_, text)| *text).collect(), expected.texts.iter().map(String::as_bytes).collect());
    let message = format!("`{name}` should have captured {}, but captured {}", texts(&wanted), texts(&is));
    let help: Vec<String> = case.reason.iter().map(|reason| format!("because {reason}")).collect();
    let found = finding(message).label(case.span, "in this case");
    Some(if help.is_empty() { found } else { found.help(help.join("; ")) })
}

/// Collects the starts and texts of all captures with a name, also inside other captures.
fn spans<'t>(captures: &[Capture], expected: &ExpectedCapture, text: &'t [u8], found: &mut Vec<(usize, &'t [u8])>) {
    for one in captures {
        let end = one.end.unwrap_or(text.len());
        if one.name == expected.name {
            found.push((one.start, text.get(one.start..end).unwrap_or_default()));
        }
        spans(&one.inner, expected, text, found);
    }
}

fn listed<'t>(texts: impl Iterator<Item = &'t [u8]>) -> String {
    texts.map(|text| format!("`{}`", show(text))).collect::<Vec<_>>().join(", ")
}
