//! `unspelled-text`: a vocabulary whose tokens cannot spell any text of a format, or can lead to a text that cannot be
//! completed.
//!
//! An error where no text can be written at all, a warning where masks allow tokens that lead to a dead end.

use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::mask::{DeadEnd, SpelledTexts, spelling};
use ogc_schema::source::Origin;

use super::compiled::Compiled;

/// Cap on the listed places.
const SHOWN: usize = 4;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(vocabulary) = compiled.vocabulary() else { return Vec::new() };
    // A missing token has an error of its own.
    if !vocabulary.missing_tokens(&compiled.automaton.tokens).is_empty() {
        return Vec::new();
    }
    match spelling(&compiled.automaton, &vocabulary) {
        SpelledTexts::Whole => Vec::new(),
        SpelledTexts::Nothing(end) => vec![nothing(compiled, end.as_ref())],
        SpelledTexts::Parts(ends) => ends.iter().take(SHOWN).map(|end| dead_end(compiled, end)).collect(),
        SpelledTexts::Unknown { limit } => vec![unknown(limit)],
    }
}

/// Returns the place of a state, or else of its rule.
fn place(compiled: &Compiled<'_>, end: &DeadEnd) -> Origin {
    let own = compiled.automaton.origins.get(end.state.index()).copied().unwrap_or(0);
    Compiled::place(if own == 0 { compiled.automaton.rule_of(end.state).origin } else { own })
}

fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    if text.contains(char::REPLACEMENT_CHARACTER) || text.chars().any(char::is_control) {
        format!("`{}`", text.escape_default())
    } else {
        format!("`{text}`")
    }
}

const HELP: &str = "use a vocabulary with a token for each byte, or allow only characters that it has";

fn nothing(compiled: &Compiled<'_>, end: Option<&DeadEnd>) -> Diagnostic<Origin> {
    let message = match end.filter(|end| !end.text.is_empty()) {
        Some(end) => {
            format!("the vocabulary cannot write any text of this format: no tokens of it spell {}", shown(&end.text))
        }
        None => "the vocabulary cannot write any text of this format: its tokens always leave a rest".to_owned(),
    };
    Diagnostic::error(Code::UnspelledText, end.map_or_else(Default::default, |end| place(compiled, end)), message)
        .help(HELP)
}

fn dead_end(compiled: &Compiled<'_>, end: &DeadEnd) -> Diagnostic<Origin> {
    let rest = if end.text.is_empty() { String::new() } else { format!(": none spell {}", shown(&end.text)) };
    let message = format!("tokens of the vocabulary can lead here, and none of them complete the text{rest}");
    Diagnostic::warning(Code::UnspelledText, place(compiled, end), message).help(HELP)
}

fn unknown(limit: usize) -> Diagnostic<Origin> {
    let message = format!(
        "whether the vocabulary, which lacks single bytes, can write every text is not checked: more than {limit} places"
    );
    Diagnostic::warning(Code::UnspelledText, Origin(0), message).help(HELP)
}
