//! Completes policies and budgets: their names and values. A `policy` item takes all of them, `json<T, ...>` only those
//! about writing values.

use ogc_compiler::hir::{BudgetKind, SETTINGS, SchemaPolicyKind, Setting, SettingKind};
use ogc_grammar::ogc::token::TokenKind;
use ogc_schema::keyword::Keyword;

use super::item::{CompletionKey, CompletionKind, Items, Rank, escaped};
use super::{names, operands};
use crate::shape::quoted;
use crate::walk::{At, Walk};

/// Adds the settings that are not written yet: in a `policy` all of them, in `json<T, ...>` only policies.
pub(super) fn names(walk: &Walk<'_>, items: &mut Items) {
    let in_policy = walk.frames.is_empty();
    listed(walk, items, |setting| in_policy || setting.is_of_values());
}

/// Adds the budgets that are not written yet.
pub(super) fn budgets(walk: &Walk<'_>, items: &mut Items) {
    listed(walk, items, |setting| matches!(setting.kind, SettingKind::Budget(_)));
}

fn listed(walk: &Walk<'_>, items: &mut Items, test: impl Fn(&Setting) -> bool) {
    let written = match walk.frames.last() {
        Some(_) => operands::written_arguments(walk),
        None => {
            (0..walk.all.len()).filter(|at| walk.is(at + 1, TokenKind::Equals)).map(|at| walk.written(at)).collect()
        }
    };
    let follows = names::next_is(walk, TokenKind::Equals);
    for setting in SETTINGS.iter().filter(|setting| test(setting)) {
        let at_cursor = follows && walk.replaced().text(walk.text) == setting.name;
        if written.contains(&setting.name) && !at_cursor {
            continue;
        }
        let key = CompletionKey::Setting(setting.name.to_owned());
        let item = items.add(CompletionKind::Setting, Rank::First, setting.name, Some(key));
        item.says(setting.doc);
        if !follows {
            item.writes_snippet(format!("{} = {}", setting.name, place(setting)));
        }
    }
}

/// Returns a placeholder for the value of a setting, as a snippet.
pub(super) fn place(setting: &Setting) -> String {
    let words: Vec<String> = setting.choices.iter().map(|choice| escaped(choice.written)).collect();
    if words.is_empty() { format!("${{1:{}}}", example(setting)) } else { format!("${{1|{}|}}", words.join(",")) }
}

/// Returns an example value for a setting without a list of values.
fn example(setting: &Setting) -> &'static str {
    match setting.kind {
        SettingKind::Budget(BudgetKind::Mask) => "\"64KiB\"",
        SettingKind::Budget(BudgetKind::Build) => "\"50ms\"",
        SettingKind::Budget(BudgetKind::States) => "400",
        SettingKind::Policy(_) => "8",
        SettingKind::Schemas(_) => "\"uniqueItems\"",
    }
}

/// Adds the values of a setting.
pub(super) fn values(walk: &Walk<'_>, name: &str, items: &mut Items) {
    let Some(setting) = Setting::of(name) else { return };
    let in_string = matches!(walk.at, At::String(..));
    for (at, choice) in setting.choices.iter().enumerate() {
        let content = choice.written.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let label = match (in_string, content) {
            (true, Some(content)) => content,
            (true, None) => continue,
            (false, _) => choice.written,
        };
        items.add(CompletionKind::Value, Rank::First, label, None).at(at).says(choice.doc);
    }
    if setting.kind == SettingKind::Schemas(SchemaPolicyKind::Annotate) {
        annotated(in_string, items);
    }
    if !in_string {
        for parameter in walk.parameters() {
            items.add(CompletionKind::Parameter, Rank::Own, parameter, None).says("parameter");
        }
    }
}

/// Adds the keywords of JSON Schema that can be read as annotations.
fn annotated(in_string: bool, items: &mut Items) {
    for keyword in Keyword::ALL.iter().filter(|keyword| keyword.can_be_annotation()) {
        let item = items.add(CompletionKind::Value, Rank::First, keyword.name(), None);
        item.says(keyword.doc());
        if !in_string {
            item.writes(quoted(keyword.name()));
        }
    }
}
