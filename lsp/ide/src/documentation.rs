//! The documentation of a named thing as data: its signature, its text, and its unfolded meaning.
//!
//! Hovers, completion and signature help all show it.

mod builtin;
mod definition;
mod foreign;

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::{Setting, SettingKind, standard};
use ogc_compiler::pipeline::Format;
use ogc_grammar::Code;

use crate::snapshot::Snapshot;

pub(crate) use builtin::{parameter as builtin_parameter, signature as builtin_signature};
pub(crate) use definition::{head, joined, laid_out, named};
pub(crate) use foreign::schema_json;

/// Text in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// The name of the language for the block of Markdown: `ogc`, `json`, `gbnf`.
    pub language: &'static str,
    /// The text.
    pub text: String,
}

/// The documentation of a thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documentation {
    /// Its signature: `type Page<T, max = 50>`.
    pub signature: Option<CodeBlock>,
    /// Its documentation, as Markdown.
    pub text: String,
    /// Its meaning, unfolded by one level.
    pub unfolded: Option<CodeBlock>,
    /// The format that it can be compiled as.
    pub format: Option<Format>,
}

impl CodeBlock {
    /// Makes text in the ogc language.
    pub(crate) fn ogc(text: impl Into<String>) -> CodeBlock {
        CodeBlock { language: "ogc", text: text.into() }
    }

    /// Returns the text as a block of Markdown that fits any content: a fence is longer than the fences in the text.
    #[must_use]
    pub fn markdown(&self) -> String {
        let longest = self.text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        format!("{fence}{}\n{}\n{fence}", self.language, self.text)
    }
}

impl Documentation {
    /// Returns signature, documentation and unfolding as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let signature = self.signature.iter().map(CodeBlock::markdown);
        let text = Some(self.text.clone()).filter(|text| !text.is_empty());
        let unfolded = self.unfolded.iter().map(CodeBlock::markdown);
        signature.chain(text).chain(unfolded).collect::<Vec<_>>().join("\n\n")
    }
}

/// Returns the documentation of a thing; `None` for unknown names.
pub(crate) fn of_symbol(snapshot: &Snapshot, symbol: &Symbol) -> Option<Documentation> {
    match symbol {
        Symbol::Definition(item) => definition::definition(snapshot, item),
        Symbol::Parameter { item, name } => definition::parameter(snapshot, item, name),
        Symbol::Field { item, place } => definition::field(snapshot, item, place.start),
        Symbol::Capture { item, name } => definition::capture(snapshot, item, name),
        Symbol::Foreign { file, name } => foreign::definition(snapshot, *file, name),
        Symbol::File(file) => Some(of_file(snapshot, *file)),
        Symbol::Builtin(one) => Some(builtin::builtin(one)),
        Symbol::BuiltinParameter(one, parameter) => Some(builtin::parameter(one, parameter)),
        Symbol::Attribute(kind) => Some(builtin::attribute(*kind)),
        Symbol::Setting(setting) => Some(builtin::setting(setting)),
        Symbol::Unknown => None,
    }
}

/// Returns the explanation of a diagnostic code.
pub(crate) fn of_code(code: Code) -> Documentation {
    // The title of the explanation would be too large in a hover.
    let explanation = code.explanation();
    let body = explanation.split_once("\n\n").map_or(explanation, |(_, body)| body);
    let short = body.split("\n## ").next().unwrap_or(body).trim();
    Documentation { text: format!("**{code}**: {}\n\n{short}", code.summary()), ..Documentation::default() }
}

/// Describes a file and its definitions.
fn of_file(snapshot: &Snapshot, file: SourceFile) -> Documentation {
    let name = snapshot.name(file);
    if let Some(text) = standard::text(name) {
        return of_standard(name, text);
    }
    let language = snapshot.language(file);
    let names = crate::lookup::definitions(snapshot, file);
    let named = |name: &String| format!("`{name}`");
    let mut listed: Vec<String> = names.iter().take(12).map(|(name, _)| named(name)).collect();
    if names.len() > listed.len() {
        listed.push(format!("{} more", names.len() - listed.len()));
    }
    let what = match language {
        Language::JsonSchema if ogc_compiler::foreign::is_tool_list(&snapshot.db, file) => "list of tools",
        language => language.name(),
    };
    let has = if listed.is_empty() { String::new() } else { format!("\n\nIt has {}.", listed.join(", ")) };
    let format = (language != Language::Ogc).then(|| Format::from(file));
    Documentation { text: format!("`{name}`: {what}.{has}"), format, ..Documentation::default() }
}

/// Describes a file of the standard library by the comment at its start.
pub(crate) fn of_standard(name: &str, text: &str) -> Documentation {
    let lines = text.lines().take_while(|line| line.starts_with("//") && !line.starts_with("///"));
    let head: Vec<&str> = lines.map(|line| line.trim_start_matches('/').trim()).collect();
    Documentation { text: format!("`{name}`: standard library.\n\n{}", head.join("\n")), ..Documentation::default() }
}

/// Returns whether a setting is a policy.
pub(crate) fn is_policy(setting: &Setting) -> bool {
    !matches!(setting.kind, SettingKind::Budget(_))
}
