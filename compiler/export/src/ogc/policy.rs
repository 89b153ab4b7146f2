//! Exports the spelling of values as the `policy` item of a file.

use ogc_compiler::lower::json::{JsonPolicy, Space};
use ogc_grammar::ogc::ast::{Argument, Item, ItemKind, Policy};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Escapes, KeyOrder};

use super::build::{number, setting, text};

/// The longest run of white space that a `.ogc` file can name, and its default.
const RUN: (u32, u32) = (100_000, 32);

/// The default indentation of a `.ogc` file.
const INDENT: u32 = 2;

/// Returns the settings that a `.ogc` file needs to spell values as `policy` does: those that differ from its own
/// defaults. `None` where there are none. `integers` is the spelling of whole numbers
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
    let mut settings = space(policy.space);
    if policy.order == KeyOrder::Any {
        settings.push(setting("order", text("any")));
    }
    if policy.escapes == Escapes::Canonical {
        settings.push(setting("escapes", text("canonical")));
    }
    if policy.spelling != Spelling::Plain {
        settings.push(setting("numbers", text("printed")));
    }
    let item = |settings| Item {
        docs: Vec::new(),
        attributes: Vec::new(),
        kind: ItemKind::Policy(Policy { settings }),
        span: Span::default(),
    };
    ((!settings.is_empty()).then(|| item(settings)), widened(policy, integers))
}

fn space(space: Space) -> Vec<Argument> {
    let (name, detail) = match space {
        Space::Compact => return Vec::new(),
        Space::Spaced => ("spaced", None),
        Space::Pretty { indent } => ("pretty", (indent != INDENT).then_some(("indent", indent))),
        Space::Any { max_run } => {
            let (most, usual) = RUN;
            let run = max_run.unwrap_or(most).min(most);
            ("any", (run != usual).then_some(("run", run)))
        }
    };
    let detail = detail.map(|(name, value)| setting(name, number(value)));
    [setting("space", text(name))].into_iter().chain(detail).collect()
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
