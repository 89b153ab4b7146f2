//! Undefined names directly next to a text or pattern, which are the marks that programming languages use: `r"..."`,
//! `/.../g`.

use super::quoted::PatternSigns;
use crate::code::Code;
use crate::diagnostic::Diagnostic;

/// Maximum length of a mark, in bytes.
const MARK: usize = 3;

/// Rewrites the findings in `found` about undefined names that are string prefixes or regex flags; `text` is the
/// grammar.
pub(crate) fn text_marks(found: &mut [Diagnostic], text: &str, signs: PatternSigns) {
    for error in found.iter_mut().filter(|one| one.code == Code::UndefinedRule && one.span.len() as usize <= MARK) {
        let name = error.span.text(text);
        if !name.chars().all(char::is_alphabetic) {
            continue;
        }
        let behind = text.get(error.span.end as usize..).unwrap_or_default();
        let before = text.get(..error.span.start as usize).unwrap_or_default();
        if let Some(quote) = behind.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
            error.message = format!("`{name}` before a text marks nothing: it is read as the name of a rule");
            let inside = behind.get(1..).and_then(|inside| inside.split_once(quote)).map_or("", |parts| parts.0);
            let pattern = signs.warning(inside, error.span).and_then(|warning| warning.help);
            error.help = Some(pattern.unwrap_or_else(|| format!("remove the `{name}`")));
        } else if before.ends_with('/') {
            error.message = format!("there is no flag `{name}`: it is read as the name of a rule");
            error.help = Some("remove it; flags of a regular expression are `i`, `m`, `s`, `u` and `x`".to_owned());
        }
    }
}
