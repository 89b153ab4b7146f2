//! Reads and checks the policies of schemas: attributes of an import, which take precedence over the `policy` items of
//! its file.
//!
//! They change the values of an imported schema, so they belong to the importing file. An `.ogc` definition that is
//! imported further keeps the policies of its own file.

use std::sync::Arc;

use ogc_grammar::ogc::ast::{Argument, Expr, ExprKind, Import, ItemKind};
use ogc_grammar::{Code, Diagnostic};

use super::items::{ItemId, ItemKey, item_tree, policies};
use super::scope::{import_target, imported_files};
use super::setting::{SchemaPolicyKind, Setting, SettingKind};
use crate::db::{Db, Formats, Language, OtherMembers, SourceFile, annotated};
use crate::foreign::{SchemaPolicy, foreign_schema_by};

/// Returns the policy by which an import reads its schema; the default for imports of other files.
pub fn schema_policy(db: &dyn Db, import: &ItemId) -> SchemaPolicy {
    policy_of(db, import.file, Arc::clone(&import.key))
}

#[salsa::tracked(returns(copy))]
fn policy_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> SchemaPolicy {
    let import = ItemId { file, key };
    if import_target(db, &import).is_none_or(|target| target.language(db) != Language::JsonSchema) {
        return SchemaPolicy::default();
    }
    policies(db, file).iter().rev().fold(own(db, &import), |policy, item| policy.over(own(db, item)))
}

/// Returns the policies of schemas that an item sets, by its attributes or as the settings of a `policy` item.
fn own(db: &dyn Db, item: &ItemId) -> SchemaPolicy {
    let tree = &item_tree(db, item).item;
    let attributes = tree.attributes.iter().filter_map(|one| Some((kind_of(&one.name.text)?, one.arguments.first()?)));
    let settings = match &tree.kind {
        ItemKind::Policy(policy) => policy.settings.as_slice(),
        _ => &[],
    };
    let settings = settings.iter().filter_map(|one| Some((kind_of(&one.name.as_ref()?.text)?, one)));
    let mut policy = SchemaPolicy::default();
    for (kind, argument) in attributes.chain(settings) {
        policy = policy.over(read(kind, &argument.value).unwrap_or_default());
    }
    policy
}

/// Returns the policy of schemas that has this name.
fn kind_of(name: &str) -> Option<SchemaPolicyKind> {
    match Setting::of(name)?.kind {
        SettingKind::Schemas(kind) => Some(kind),
        SettingKind::Policy(_) | SettingKind::Budget(_) => None,
    }
}

/// Reads the value of one policy. `Err` holds the reason, if there is more to say than a list of the valid values.
fn read(kind: SchemaPolicyKind, value: &Expr) -> Result<SchemaPolicy, Option<String>> {
    let ExprKind::String(text) = &value.kind else { return Err(None) };
    let policy = SchemaPolicy::default();
    Ok(match kind {
        SchemaPolicyKind::Annotate => SchemaPolicy { annotate: Some(annotated(text).map_err(Some)?), ..policy },
        SchemaPolicyKind::Formats => {
            let formats = Formats::ALL.into_iter().find(|formats| formats.name() == text);
            SchemaPolicy { formats: Some(formats.ok_or(None)?), ..policy }
        }
        SchemaPolicyKind::Objects => {
            let objects = OtherMembers::ALL.into_iter().find(|objects| objects.name() == text);
            SchemaPolicy { objects: Some(objects.ok_or(None)?), ..policy }
        }
    })
}

/// Reports a value that is invalid for a policy of schemas.
fn wrong_value(setting: &Setting, kind: SchemaPolicyKind, value: &Expr) -> Option<Diagnostic> {
    let more = read(kind, value).err()?;
    let message = match more {
        Some(more) => format!("this is no value of `{}`: {more}", setting.name),
        None => format!("this is no value of `{}`", setting.name),
    };
    Some(Diagnostic::error(Code::PolicyValue, value.span, message).help(setting.values))
}

/// Checks one setting of a `policy` item: its value, and that the file imports a schema.
pub(super) fn check_setting(db: &dyn Db, file: SourceFile, argument: &Argument) -> Option<Diagnostic> {
    let name = argument.name.as_ref()?;
    let setting = Setting::of(&name.text)?;
    let kind = kind_of(&name.text)?;
    if let Some(wrong) = wrong_value(setting, kind, &argument.value) {
        return Some(wrong);
    }
    let is_used = imported_files(db, file).iter().any(|(_, target)| target.language(db) == Language::JsonSchema);
    let message = || format!("`{}` is about imported schemas, and this file imports none", name.text);
    let help = "leave it out: types of the language say themselves which values they have";
    (!is_used).then(|| Diagnostic::error(Code::MisplacedPolicy, argument.span, message()).help(help))
}

/// Checks the policies of schemas before an import, and names the keywords that they turn into annotations.
pub(super) fn check_import(
    db: &dyn Db,
    item: &ItemId,
    import: &Import,
    target: SourceFile,
    found: &mut Vec<Diagnostic>,
) {
    let is_schema = target.language(db) == Language::JsonSchema;
    let tree = &item_tree(db, item).item;
    let mut asked = import.path.span;
    for attribute in &tree.attributes {
        let name = &attribute.name.text;
        let Some((setting, kind)) = Setting::of(name).zip(kind_of(name)) else { continue };
        match attribute.arguments.as_slice() {
            _ if !is_schema => {
                let message = format!("`@{name}` is about schemas, and `{}` is none", target.name(db));
                let help =
                    "a file of types says itself which values they have, and how it reads the schemas that it imports";
                found.push(Diagnostic::error(Code::MisplacedAttribute, attribute.span, message).help(help));
            }
            [argument] => found.extend(wrong_value(setting, kind, &argument.value)),
            _ => {
                let message = format!("`@{name}` takes one value");
                found.push(Diagnostic::error(Code::PolicyValue, attribute.span, message).help(setting.values));
            }
        }
        if kind == SchemaPolicyKind::Annotate {
            asked = attribute.span;
        }
    }
    if is_schema {
        found.extend(
            weakened(db, item, target)
                .map(|(message, help)| Diagnostic::warning(Code::WeakenedKeyword, asked, message).help(help)),
        );
    }
}

/// Returns a message about the keywords of an imported schema that are read as annotations, and a help that says where
/// they are listed.
fn weakened(db: &dyn Db, item: &ItemId, target: SourceFile) -> Option<(String, String)> {
    let imported = &foreign_schema_by(db, target, schema_policy(db, item)).0;
    let met = imported.diagnostics.iter().filter(|one| one.code == Code::WeakenedKeyword);
    let mut names: Vec<&str> = met.map(|one| one.span.text(target.text(db)).trim_matches('"')).collect();
    let places = names.len();
    names.sort_unstable();
    names.dedup();
    let named: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let places = if places == 1 { "one place".to_owned() } else { format!("{places} places") };
    let message = format!(
        "{} of `{}` read as annotations, as was asked, at {places}: values that break them are accepted",
        named.join(", "),
        target.name(db)
    );
    let help = format!("`ogc import --report {}` lists them", item.file.name(db));
    (!names.is_empty()).then_some((message, help))
}
