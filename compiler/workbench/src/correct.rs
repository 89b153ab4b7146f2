//! Applies the corrections of a text's findings that leave fewer errors and lose nothing, and removes what is unused.
//!
//! The caller supplies a function that returns the findings of a text, usually by setting the text in a database.

use ogc_grammar::ogc::{self, Corrected, Done, Refusal};
use ogc_grammar::{Code, Diagnostic, Fix, Span, fix};

/// The number of notation errors from which notation is corrected first by itself: too many errors hide other findings.
const MANY: usize = 40;

/// The most rounds of removing unused items: each round can make others unused.
const ROUNDS: usize = 20;

/// Returns the findings of a text, those of the lints included.
pub type Findings<'f> = &'f mut dyn FnMut(&str) -> Vec<Diagnostic>;

/// A text after its corrections, and the corrections that were made and not made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrections {
    /// The corrected text.
    pub text: String,
    /// The effect of each correction, in the imperative.
    pub done: Vec<String>,
    /// The corrected findings: their codes, and the first bytes of their corrections in the original text.
    pub corrected: Vec<(Code, u32)>,
    /// The corrections that were not made.
    pub left: Vec<Left>,
}

/// A correction that was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The code of the finding.
    pub code: Code,
    /// The place of the finding in the corrected text.
    pub span: Span,
    /// The effect that the correction would have.
    pub label: String,
    /// The reason why it was not made.
    pub reason: String,
}

impl Left {
    /// Makes the record of a correction that was not made.
    #[must_use]
    pub fn of(found: &Diagnostic, reason: &str) -> Self {
        let label = found.fix.as_ref().map_or("remove it", |fix| &fix.label).to_owned();
        Self { code: found.code, span: found.span, label, reason: reason.to_owned() }
    }
}

impl Corrections {
    /// Returns whether a finding of the original text is corrected.
    #[must_use]
    pub fn has(&self, found: &Diagnostic) -> bool {
        let start = found.fix.as_ref().and_then(|fix| fix.edits.iter().map(|(span, _)| span.start).min());
        start.is_some_and(|start| self.corrected.contains(&(found.code, start)))
    }
}

/// Corrects the text of an `.ogc` file; what is unused stays.
pub fn correct(text: &str, findings: Findings<'_>) -> Corrections {
    let mistakes = ogc::notation(text).iter().filter(|found| found.is_error()).count();
    let first = match mistakes > MANY {
        true => ogc::correct(text, &mut ogc::notation),
        false => Corrected { text: text.to_owned(), ..Corrected::default() },
    };
    let then = ogc::correct(&first.text, &mut |text| {
        let mut found = findings(text);
        found.iter_mut().filter(|found| found.code == Code::UnusedItem).for_each(|found| found.fix = None);
        found
    });
    let left = then.refused.iter().map(|(found, why)| Left::of(found, &reason(&then.text, why))).collect();
    let again = then.done.iter().map(|done| Done { origin: first.trail.origin(done.origin), ..done.clone() });
    let all: Vec<Done> = first.done.iter().cloned().chain(again).collect();
    Corrections {
        done: all.iter().map(|done| done.label.clone()).collect(),
        corrected: all.iter().map(|done| (done.code, done.origin)).collect(),
        text: then.text,
        left,
    }
}

/// Corrects the text of a grammar in another notation: corrections that leave fewer findings, and no error that was not there before.
pub fn correct_grammar(text: &str, findings: Findings<'_>) -> Corrections {
    let mut corrections = Corrections { text: text.to_owned(), ..Corrections::default() };
    for round in 0..ROUNDS {
        let found = findings(&corrections.text);
        let fixable: Vec<&Diagnostic> = found.iter().filter(|one| one.fix.is_some()).collect();
        let (after, applied) = fix::apply(&corrections.text, fixable.iter().filter_map(|one| one.fix.as_ref()));
        if applied.is_empty() {
            return corrections;
        }
        let left = findings(&after);
        let is_new = |one: &&Diagnostic| one.is_error() && !found.iter().any(|known| known.code == one.code);
        if left.len() >= found.len() || left.iter().any(|one| is_new(&one)) {
            let why = "the file would have no fewer errors";
            corrections.left.extend(fixable.into_iter().map(|one| Left::of(one, why)));
            return corrections;
        }
        for (one, fix) in
            applied.iter().filter_map(|at| fixable.get(*at)).filter_map(|one| Some((one, one.fix.as_ref()?)))
        {
            corrections.done.push(fix.label.clone());
            // Later rounds correct findings that were not in the original text.
            let start = fix.edits.iter().map(|(span, _)| span.start).min().filter(|_| round == 0);
            corrections.corrected.extend(start.map(|start| (one.code, start)));
        }
        corrections.text = after;
    }
    corrections
}

/// Removes unused items from a corrected text without errors, again and again.
pub fn remove_unused(corrections: &mut Corrections, findings: Findings<'_>) {
    for _ in 0..ROUNDS {
        let found = findings(&corrections.text);
        let unused: Vec<&Diagnostic> = found.iter().filter(|found| found.code == Code::UnusedItem).collect();
        if found.iter().any(Diagnostic::is_error) {
            let why = "nothing is removed from a file with errors";
            corrections.left.extend(unused.into_iter().map(|one| Left::of(one, why)));
            return;
        }
        let fixes: Vec<&Fix> = unused.iter().filter_map(|found| found.fix.as_ref()).collect();
        let (after, applied) = fix::apply(&corrections.text, fixes.iter().copied());
        if applied.is_empty() || findings(&after).iter().any(Diagnostic::is_error) {
            return;
        }
        let name = |at: &usize| unused.get(*at).map(|found| found.span.text(&corrections.text).to_owned());
        let removed = applied.iter().filter_map(name).map(|name| format!("remove `{name}`, which nothing uses"));
        corrections.done.extend(removed);
        corrections.text = after;
    }
}

fn reason(text: &str, why: &Refusal) -> String {
    match why {
        Refusal::Loses(place) => format!("`{}` would be lost or mean something else", place.text(text).trim()),
        Refusal::Brings(code, message) => format!("the file would have another error, {code}: {message}"),
        Refusal::Leaves(code, message) => format!("what follows would still be wrong, {code}: {message}"),
        Refusal::NoBetter => "the file would have no fewer errors".to_owned(),
        Refusal::NotTried => "too many corrections were tried before it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_applied_and_reported_with_original_spans() {
        let text = "type A = { a: int; b: int }\ntype B = int;\n";
        let corrections = correct(text, &mut ogc::notation);
        assert!(!corrections.done.is_empty() && ogc::notation(&corrections.text).is_empty(), "{corrections:?}");
        assert!(ogc::notation(text).iter().filter(|found| found.fix.is_some()).any(|found| corrections.has(found)));
    }

    #[test]
    fn grammars_are_corrected_only_if_findings_decrease() {
        let corrected = |text: &str| correct_grammar(text, &mut |text| ogc_grammar::parse_gbnf(text).1);
        let flags = corrected("root ::= \"ab\"i [\"c\"]\n");
        assert_eq!((flags.text.as_str(), flags.done.len()), ("root ::= [aA][bB] (\"c\")?\n", 2));
        let sound = corrected("root ::= \"ab\"\n");
        assert_eq!((sound.text.as_str(), sound.done.len(), sound.left.len()), ("root ::= \"ab\"\n", 0, 0));
        let worse = correct_grammar("root ::= x\n", &mut |text| {
            let whole = Span::of(0, text.len());
            vec![Diagnostic::error(Code::UndefinedRule, whole, "m").fix(Fix::new("", whole, "root ::= y\n"))]
        });
        assert_eq!((worse.text.as_str(), worse.left.len()), ("root ::= x\n", 1));
    }

    #[test]
    fn unused_items_are_removed_one_after_the_other() {
        let unused = |text: &str| -> Vec<Diagnostic> {
            let last = text.rfind("type");
            let found = last.filter(|at| *at > 0).map(|at| {
                let name = Span::of(at + 5, at + 6);
                let whole = Span::of(at, text.len());
                Diagnostic::warning(Code::UnusedItem, name, "m").fix(Fix::new("remove it", whole, ""))
            });
            found.into_iter().collect()
        };
        let mut corrections =
            Corrections { text: "type A = 1\ntype B = 2\ntype C = 3\n".to_owned(), ..Corrections::default() };
        remove_unused(&mut corrections, &mut { unused });
        assert_eq!(corrections.text, "type A = 1\n");
        assert_eq!(corrections.done, ["remove `C`, which nothing uses", "remove `B`, which nothing uses"]);
    }
}
