//! `swapped-parameters`: a template of `each` whose first parameter is called like the value and whose second like the
//! name, `rule field<Value, name>`: `each` gives the name first.

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::hir::items::{Keyword, file_items, item_start, item_tree};
use ogc_compiler::hir::scope::item_named;
use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind, Name, Reference};
use ogc_grammar::{Code, Diagnostic, Fix};

/// Finds templates with swapped parameters among the rules that uses of `each` in a file name.
pub(super) fn lint(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut names: Vec<&str> = Vec::new();
    for (item, _) in &file_items(db, file).items {
        for root in item_tree(db, item).item.expressions() {
            root.walk(&mut |expr| names.extend(templates(expr)));
        }
    }
    names.sort_unstable();
    names.dedup();
    names.into_iter().filter_map(|name| of_template(db, file, name)).collect()
}

/// Returns the names that stand in `each<T, field, optional = other>` for rules.
fn templates(expr: &Expr) -> Vec<&str> {
    let ExprKind::Reference(reference) = &expr.kind else { return Vec::new() };
    if plain(reference).is_none_or(|name| name.text != "each") {
        return Vec::new();
    }
    let rules = reference.arguments.iter().skip(1);
    let of_fields =
        rules.filter(|one| one.name.as_ref().is_none_or(|name| matches!(name.text.as_str(), "optional" | "others")));
    let named = of_fields.filter_map(|one| match &one.value.kind {
        ExprKind::Reference(rule) if rule.arguments.is_empty() => plain(rule),
        _ => None,
    });
    named.map(|name| name.text.as_str()).collect()
}

/// Returns the name of a reference without a dot.
fn plain(reference: &Reference) -> Option<&Name> {
    match reference.path.segments.as_slice() {
        [name] => Some(name),
        _ => None,
    }
}

fn of_template(db: &dyn Db, file: SourceFile, name: &str) -> Option<Diagnostic> {
    let item = item_named(db, file, name).filter(|item| item.key.kind == Keyword::Rule)?;
    found(item_tree(db, &item).item.definition()?).map(|found| found.shifted(item_start(db, &item)))
}

/// Reports a rule whose first two parameters have each other's names.
fn found(rule: &Definition) -> Option<Diagnostic> {
    let [first, second, ..] = rule.parameters.as_slice() else { return None };
    let (one, other) = (&first.name, &second.name);
    let lower = |name: &Name| name.text.trim_start_matches('_').to_lowercase();
    let is_value = matches!(lower(one).as_str(), "value" | "type" | "t" | "v");
    let is_name = matches!(lower(other).as_str(), "name" | "key" | "field");
    if !is_value || !is_name || first.default.is_some() || second.default.is_some() {
        return None;
    }
    let message = format!(
        "`each` gives `{}` the field's name first, and its type second: here `{}` is the name and `{}` the type",
        rule.name.text, one.text, other.text
    );
    let written = format!("{}<{}, {}>", rule.name.text, other.text, one.text);
    let fix = Fix::new("swap the parameters", one.span, other.text.clone()).and(other.span, one.text.clone());
    let found = Diagnostic::warning(Code::SwappedParameters, one.span.merge(other.span), message);
    Some(found.help(format!("write `rule {written}`")).guess(fix))
}
