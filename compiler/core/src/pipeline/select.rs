//! Selects the format of a file that a user asks for: a definition by its name, or the only output.

use std::fmt;
use std::sync::Arc;

use ogc_grammar::nearest;

use super::{Format, definitions, formats};
use crate::db::{Db, Language, SourceFile};
use crate::foreign::{foreign_names_of, is_tool_list, named_rule, read_rules};

/// Maximum number of a grammar's rules that a message names.
const MOST_RULES: usize = 20;

/// The reason why no single format of a file can be selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectError {
    /// The file is a list of tools, which is no format.
    ToolList,
    /// The file has no output.
    NoOutput {
        /// The definitions that the user can name instead.
        definitions: Vec<Arc<str>>,
    },
    /// The file has several outputs, and none was named.
    SeveralOutputs {
        /// The outputs.
        outputs: Vec<Arc<str>>,
    },
    /// No definition without parameters has the name.
    Unknown {
        /// The name that the user gave.
        name: String,
        /// The definition with the most similar name, if there is one.
        near: Option<Arc<str>>,
        /// All definitions that the user can name.
        definitions: Vec<Arc<str>>,
    },
    /// No rule of a grammar has the name.
    UnknownRule {
        /// The name that the user gave.
        name: String,
        /// The rule with the most similar name, if there is one.
        near: Option<Arc<str>>,
        /// The rules, in source order.
        rules: Vec<Arc<str>>,
    },
}

impl std::error::Error for SelectError {}

/// Returns the format of a file that a user asks for. With a name: the definition called `name`, which may be an
/// output, or a type or rule without parameters; in a grammar, the rule that its options name as the start rule.
/// Without a name: the only output, or the whole of a file in another language.
///
/// # Errors
///
/// No format fits, or several do.
pub fn select(db: &dyn Db, file: SourceFile, name: Option<&str>) -> Result<Format, SelectError> {
    if let Some(name) = name.filter(|_| file.language(db) == Language::JsonSchema && !is_tool_list(db, file)) {
        return select_schema(db, file, name);
    }
    if let Some(name) = name.filter(|_| file.language(db).dialect().is_some()) {
        return select_rule(db, file, name);
    }
    if let Some(name) = name {
        let known = definitions(db, file);
        let found = known.iter().find(|format| format.name.as_deref() == Some(name));
        return found.cloned().ok_or_else(|| {
            let definitions = names(&known);
            let near = nearest(name, definitions.iter().map(|known| &**known)).map(Arc::from);
            SelectError::Unknown { name: name.to_owned(), near, definitions }
        });
    }
    let outputs = formats(db, file);
    match &outputs[..] {
        [only] => Ok(only.clone()),
        [] if is_tool_list(db, file) => Err(SelectError::ToolList),
        [] => Err(SelectError::NoOutput { definitions: names(&definitions(db, file)) }),
        several => Err(SelectError::SeveralOutputs { outputs: names(several) }),
    }
}

/// Returns the format of a schema whose options select the definition `name`.
fn select_schema(db: &dyn Db, file: SourceFile, name: &str) -> Result<Format, SelectError> {
    let known = foreign_names_of(db, file);
    let is_meant = file.options(db).definition(db).as_deref() == Some(name);
    if known.iter().any(|known| known == name) && (is_meant || name == "root") {
        return Ok(file.into());
    }
    let near = nearest(name, known.iter().map(String::as_str)).filter(|near| *near != name).map(Arc::from);
    let definitions = known.iter().map(|name| Arc::from(name.as_str())).collect();
    Err(SelectError::Unknown { name: name.to_owned(), near, definitions })
}

/// Returns the format of a grammar that begins with the rule `name`, which the file's options select; an error names the rules there are.
fn select_rule(db: &dyn Db, file: SourceFile, name: &str) -> Result<Format, SelectError> {
    if named_rule(db, file, name).is_some() {
        return Ok(file.into());
    }
    // Names with `%` belong to rules that the reader itself adds.
    let known = read_rules(db, file).0.rules.iter().map(|rule| rule.name.value.as_str());
    let known: Vec<&str> = known.filter(|name| !name.contains('%')).collect();
    let near = nearest(name, known.iter().copied()).map(Arc::from);
    Err(SelectError::UnknownRule { name: name.to_owned(), near, rules: known.into_iter().map(Arc::from).collect() })
}

fn names(formats: &[Format]) -> Vec<Arc<str>> {
    formats.iter().filter_map(|format| format.name.clone()).collect()
}

impl SelectError {
    /// Returns the definitions that the user can name.
    #[must_use]
    pub fn names(&self) -> &[Arc<str>] {
        match self {
            Self::ToolList => &[],
            Self::NoOutput { definitions: names }
            | Self::SeveralOutputs { outputs: names }
            | Self::Unknown { definitions: names, .. }
            | Self::UnknownRule { rules: names, .. } => names,
        }
    }

    /// Returns the message. If no definition was named, `way` says how to name one: it continues the phrase "name one".
    #[must_use]
    pub fn with_way(&self, way: &str) -> String {
        match self {
            Self::NoOutput { definitions: names } | Self::SeveralOutputs { outputs: names } if !names.is_empty() => {
                format!("{self}: name one {way}")
            }
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ToolList => f.write_str(
                "this is a list of tools and has no output; an `.ogc` file imports it: `import tools from \"...\"`",
            )?,
            Self::NoOutput { .. } => f.write_str("there is no output")?,
            Self::SeveralOutputs { .. } => f.write_str("there are several outputs")?,
            Self::Unknown { name, .. } => write!(f, "there is no definition `{name}` without parameters")?,
            Self::UnknownRule { name, .. } => write!(f, "there is no rule `{name}`")?,
        }
        match self {
            Self::Unknown { near: Some(near), .. } | Self::UnknownRule { near: Some(near), .. } => {
                write!(f, "; did you mean `{near}`?")
            }
            Self::UnknownRule { rules, .. } if rules.len() > MOST_RULES => {
                let first = rules.iter().take(MOST_RULES).map(|name| &**name).collect::<Vec<_>>().join(", ");
                write!(f, "; the rules are {first} and {} more", rules.len() - MOST_RULES)
            }
            Self::UnknownRule { rules, .. } if !rules.is_empty() => write!(f, "; the rules are {}", rules.join(", ")),
            _ if self.names().is_empty() => Ok(()),
            _ => write!(f, "; the definitions are {}", self.names().join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::select;
    use crate::db::{Compiler, JsonPolicy, Language, Limits, Options, SourceFile};
    use crate::frontend::json_schema::Formats;

    #[track_caller]
    fn check(language: Language, text: &str, name: Option<&str>, expected: Result<Option<&str>, &str>) {
        let db = Compiler::default();
        let options = Options::builder(JsonPolicy::default(), Formats::default(), Limits::default());
        let options = options.definition(name.map(str::to_owned)).new(&db);
        let file = SourceFile::new(&db, "a".to_owned(), text.to_owned(), language, options);
        let selected = select(&db, file, name);
        let selected = selected.as_ref().map(|format| format.name.as_deref()).map_err(|error| error.with_way("here"));
        assert_eq!(selected.as_ref().map(|name| *name).map_err(String::as_str), expected);
    }

    #[test]
    fn the_only_output_needs_no_name() {
        check(Language::Ogc, "type A = int\noutput O = A\n", None, Ok(Some("O")));
        check(Language::Ogc, "type A = int\noutput O = A\n", Some("A"), Ok(Some("A")));
        check(Language::JsonSchema, "{}", None, Ok(None));
    }

    #[test]
    fn definitions_of_schemas_can_be_named() {
        let schema = r#"{"title": "Pets", "$defs": {"Pet": {"type": "object"}}}"#;
        check(Language::JsonSchema, schema, Some("Pet"), Ok(None));
        check(Language::JsonSchema, schema, Some("root"), Ok(None));
        let unknown = "there is no definition `Pats` without parameters; did you mean `Pets`?";
        check(Language::JsonSchema, schema, Some("Pats"), Err(unknown));
    }

    #[test]
    fn the_start_rule_of_a_grammar_can_be_named() {
        let gbnf = "item ::= [a-z]\nlist ::= item+\n";
        check(Language::Gbnf, gbnf, Some("list"), Ok(None));
        check(Language::Gbnf, gbnf, Some("lsit"), Err("there is no rule `lsit`; did you mean `list`?"));
        check(Language::Gbnf, gbnf, Some("value"), Err("there is no rule `value`; the rules are item, list"));
        check(Language::Lark, "start: B\nB: \"b\"\n%ignore \" \"\n", Some("B"), Ok(None));
        check(Language::Lark, "start: \"a\"\n", Some("root"), Ok(None));
        check(Language::Abnf, "a = B\nb = DIGIT\n", Some("B"), Ok(None));
    }

    #[test]
    fn errors_list_the_definitions_that_can_be_named() {
        let none = "there is no output; the definitions are A: name one here";
        check(Language::Ogc, "type A = int\n", None, Err(none));
        check(Language::Ogc, "", None, Err("there is no output"));
        let several = "there are several outputs; the definitions are A, B: name one here";
        check(Language::Ogc, "output A = int\ntype T = int\noutput B = int\n", None, Err(several));
        let tools = r#"[{"name": "f", "parameters": {"type": "object"}}]"#;
        let list = "this is a list of tools and has no output; an `.ogc` file imports it: `import tools from \"...\"`";
        check(Language::JsonSchema, tools, None, Err(list));
    }

    #[test]
    fn an_unknown_name_has_a_suggestion() {
        let text = "type List<T> = T[0..]\noutput Answer = int\noutput Reply = List<int>\n";
        let unknown = |rest: &str| format!("there is no definition {rest}");
        let near = unknown("`Anwser` without parameters; did you mean `Answer`?");
        check(Language::Ogc, text, Some("Anwser"), Err(&near));
        let parameters = unknown("`List` without parameters; the definitions are Answer, Reply");
        check(Language::Ogc, text, Some("List"), Err(&parameters));
        check(Language::Regex, "a", Some("A"), Err("there is no definition `A` without parameters"));
    }
}
