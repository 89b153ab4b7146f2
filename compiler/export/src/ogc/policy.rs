//! Exports the spelling of values as the `policy` item of a file.

use ogc_compiler::lower::json::{JsonPolicy, SettingValue};
use ogc_grammar::ogc::ast::{Argument, Expr, Item, ItemKind, Policy};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::number::Spelling;

use super::build::{number, setting, text};

/// Returns the settings that a `.ogc` file needs to spell values as `policy` does: only the settings that differ from
/// the defaults; `None` if there are none. `integers` is the spelling of whole numbers
/// ([`ogc_compiler::frontend::json_schema::Imported::integers`]).
///
/// ```
/// use ogc_compiler::db::JsonPolicy;
/// use ogc_export::ogc;
/// use ogc_grammar::ogc::ast::File;
/// let policy = JsonPolicy::default();
/// let (item, findings) = ogc::policy(&policy, policy.spelling);
/// let text = ogc_grammar::ogc::print(&File { items: item.into_iter().collect() });
/// assert_eq!((text.as_str(), findings.len()), ("policy space = \"any\", numbers = \"printed\"\n", 0));
/// ```
#[must_use]
pub fn policy(policy: &JsonPolicy, integers: Spelling) -> (Option<Item>, Vec<Diagnostic>) {
    let settings: Vec<Argument> =
        policy.settings().into_iter().map(|(name, value)| setting(name, written(value))).collect();
    let item = |settings| Item {
        docs: Vec::new(),
        attributes: Vec::new(),
        kind: ItemKind::Policy(Policy { settings }),
        span: Span::default(),
    };
    ((!settings.is_empty()).then(|| item(settings)), widened(policy, integers))
}

fn written(value: SettingValue) -> Expr {
    match value {
        SettingValue::Word(word) => text(word),
        SettingValue::Number(value) => number(value),
    }
}

/// Returns a warning if the file accepts spellings of whole numbers that the format does not.
fn widened(policy: &JsonPolicy, integers: Spelling) -> Vec<Diagnostic> {
    if integers == policy.spelling {
        return Vec::new();
    }
    let message = "draft 4 writes an `integer` without a fraction, and the file also accepts `1.0`";
    let help = "write `numbers = \"plain\"` in its `policy`, if no number has an exponent or a zero behind the point";
    vec![Diagnostic::warning(Code::ExportIntegers, Span::default(), message).help(help)]
}
