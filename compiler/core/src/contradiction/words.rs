//! The sentences about contradictions, in the words of JSON Schema and of `.ogc`.

use std::fmt;

use ogc_grammar::json::pointer_token;
use ogc_schema::keyword::Keyword;
use ogc_schema::source::Types;

use super::condition::{Condition, short};
use super::{Cause, Contradiction, Step};

/// Maximum number of conditions that one sentence names.
const NAMED: usize = 4;

/// The wording of a language: how it names conditions, and the path to a part of a value.
#[derive(Clone, Copy)]
struct Words {
    condition: fn(&Condition) -> String,
    path: fn(&[Step]) -> String,
    never: &'static str,
    object: &'static str,
    /// The sentence for a difference that leaves nothing; `None` for JSON Schema, which has `not` instead.
    taken: Option<&'static str>,
}

const SCHEMA: Words = Words {
    condition: Condition::in_schema,
    path: pointer,
    never: "its schema is `false`",
    object: "object",
    taken: None,
};

const OGC: Words = Words {
    condition: Condition::in_ogc,
    path: dotted,
    never: "no value is allowed",
    object: "record",
    taken: Some("`-` takes all of it away"),
};

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(SCHEMA))
    }
}

impl Contradiction {
    /// Describes the contradiction in the words of `.ogc`.
    pub(crate) fn in_ogc(&self) -> String {
        self.said(OGC)
    }

    fn said(&self, words: Words) -> String {
        let cause = self.cause.said(words);
        if self.path.is_empty() { cause } else { format!("{} must be there, and {cause}", (words.path)(&self.path)) }
    }

    /// Returns advice for the author of a JSON Schema.
    pub(crate) fn help(&self) -> &'static str {
        match &self.cause {
            Cause::Never => "remove `false`, or what requires the value",
            Cause::Endless => "leave the key out of `required`, or allow `null` for it",
            Cause::Undeclared { .. } => {
                "declare the key in `properties` of the closed object, or leave its `additionalProperties` out; for joined objects, \
                 write `\"unevaluatedProperties\": false` beside the `allOf`"
            }
            Cause::NoBranch { .. } => "correct a branch, or what stands beside the choice",
            Cause::Overlap(_) => {
                "exactly one branch of `oneOf` may hold: write `anyOf` instead, or move what is required beside it into the branches"
            }
            Cause::Together(all) if all.len() == 1 => "correct it, or remove it",
            Cause::Together(_) => "correct one of them, or join the parts with `anyOf`",
        }
    }

    /// Returns advice for the author of an `.ogc` file.
    pub(crate) fn help_in_ogc(&self) -> &'static str {
        match &self.cause {
            Cause::Never => "remove the part, or let it hold something",
            Cause::Endless => "let the member be missing (`key?: T`), or null (`key: T | null`)",
            Cause::Undeclared { both: true, .. } => {
                "spread one record in the other to have the members of both: `{ ...A, key: T }`; `&` takes the values that are in both, \
                 and a closed record has no other keys, unless `, ...` stands before its `}`"
            }
            Cause::Undeclared { .. } => "declare the key in the closed record, or write `, ...` before its `}`",
            Cause::NoBranch { .. } => "correct a branch, or what stands beside the union",
            Cause::Overlap(_) => "join the branches with `|`",
            Cause::Together(all) if all.len() == 1 => "correct it, or remove it",
            Cause::Together(all) if takes_all_away(all) => "take less away, or leave the difference out",
            Cause::Together(_) => "correct one of them, or join the types with `|`",
        }
    }
}

impl Cause {
    fn said(&self, words: Words) -> String {
        let Words { condition, never, object, taken, .. } = words;
        match self {
            Self::Never => never.to_owned(),
            Self::Endless => "it needs another value like it inside, without end".to_owned(),
            Self::Undeclared { key, near, both } => {
                let near = near.as_ref().map(|near| format!("; it declares {near:?}")).unwrap_or_default();
                match both {
                    true => format!(
                        "two closed {object}s are joined, and {key:?} of one is not declared by the other{near}"
                    ),
                    false => format!("{key:?} is required, and a closed {object} does not declare it{near}"),
                }
            }
            Self::NoBranch { choice, others, first } => {
                let beside = beside(others, condition);
                let first =
                    first.as_ref().map(|first| format!("; in the first, {}", first.said(words))).unwrap_or_default();
                format!("no branch of {} is left{beside}{first}", condition(choice))
            }
            Self::Overlap(others) => {
                let beside = beside(others, condition);
                format!("what one branch of `oneOf` accepts{beside}, another accepts too")
            }
            Self::Together(all) => {
                let named: Vec<String> = all.iter().map(condition).collect();
                match (&named[..], taken) {
                    (_, Some(taken)) if takes_all_away(all) => taken.to_owned(),
                    ([one], _) => format!("{one} holds for no value"),
                    (all, _) => format!("{} exclude each other", listed(all)),
                }
            }
        }
    }
}

/// Returns whether one of the conditions is a difference that leaves nothing.
fn takes_all_away(all: &[Condition]) -> bool {
    all.iter().any(|one| matches!(one, Condition::Keyword(Keyword::Not)))
}

impl Condition {
    /// Names the condition in the words of JSON Schema.
    pub(super) fn in_schema(&self) -> String {
        match self {
            Self::Never => "`false`".to_owned(),
            Self::Type(types, _) => format!("`type` {}", names(*types, ["boolean", "integer"])),
            Self::Values(first, 1) => format!("the value {}", first.join(", ")),
            Self::Values(first, count) => format!("the values {}", some_of(first, *count)),
            Self::AnyOf(_) => "`anyOf`".to_owned(),
            Self::OneOf(..) => "`oneOf`".to_owned(),
            Self::Bound(keyword, bound) => format!("`{}` {bound}", keyword.name()),
            Self::Pattern(pattern) => format!("`pattern` {:?}", short(pattern)),
            Self::Format(format) => format!("`format` {format:?}"),
            Self::PrefixItems(_) => "the items by position".to_owned(),
            Self::Items(..) => "`items`".to_owned(),
            Self::Property(key, _) => format!("the schema of {key:?}"),
            Self::PatternProperty(pattern, _) => format!("the schema of the keys {:?}", short(pattern)),
            Self::Additional(.., true) => "the closed object".to_owned(),
            Self::Additional(..) => "`additionalProperties`".to_owned(),
            Self::Required(key) => format!("the required {key:?}"),
            Self::Keyword(keyword) => format!("`{}`", keyword.name()),
        }
    }

    /// Names the condition in the words of `.ogc`.
    pub(super) fn in_ogc(&self) -> String {
        match self {
            Self::Never => "the empty type".to_owned(),
            Self::Type(types, _) => format!("the type `{}`", names(*types, ["bool", "int"]).replace(" or ", " | ")),
            Self::Values(first, 1) => format!("the value {}", first.join(", ")),
            Self::Values(first, count) => format!("the values {}", some_of(first, *count)),
            Self::AnyOf(_) | Self::OneOf(..) => "the union".to_owned(),
            Self::Bound(keyword, bound) => of_bound(*keyword, bound),
            Self::Pattern(pattern) => format!("the pattern /{}/", short(unanchored(pattern))),
            Self::Format(format) => format!("the format `{format}`"),
            Self::PrefixItems(_) => "the items by position".to_owned(),
            Self::Items(..) => "the type of the items".to_owned(),
            Self::Property(key, _) => format!("the type of `{key}`"),
            Self::PatternProperty(..) => "the keys of a pattern".to_owned(),
            Self::Additional(.., true) => "the closed record".to_owned(),
            Self::Additional(..) => "the type of other keys".to_owned(),
            Self::Required(key) => format!("the member `{key}`"),
            Self::Keyword(keyword) => of_keyword(*keyword).to_owned(),
        }
    }
}

/// Returns the regex as its author wrote it, from the anchored pattern that matches it as a whole.
fn unanchored(pattern: &str) -> &str {
    pattern.strip_prefix("^(?:").and_then(|rest| rest.strip_suffix(")$")).unwrap_or(pattern)
}

fn of_bound(keyword: Keyword, bound: &str) -> String {
    match keyword {
        Keyword::MinLength => format!("at least {bound} characters"),
        Keyword::MaxLength => format!("at most {bound} characters"),
        Keyword::MinItems => format!("at least {bound} items"),
        Keyword::MaxItems => format!("at most {bound} items"),
        Keyword::MinProperties => format!("at least {bound} members"),
        Keyword::MaxProperties => format!("at most {bound} members"),
        Keyword::MultipleOf => format!("multiples of {bound}"),
        Keyword::ExclusiveMinimum => format!("more than {bound}"),
        Keyword::ExclusiveMaximum => format!("less than {bound}"),
        Keyword::Minimum => format!("at least {bound}"),
        Keyword::Maximum => format!("at most {bound}"),
        other => format!("`{}` {bound}", other.name()),
    }
}

fn of_keyword(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Not => "what is taken away",
        Keyword::UniqueItems => "`unique = true`",
        Keyword::Contains => "`contains`",
        Keyword::PropertyNames => "the type of the keys",
        _ => "a condition",
    }
}

/// Names types; `own` are the names of booleans and integers, which differ between the languages.
fn names(types: Types, own: [&'static str; 2]) -> String {
    let Types { null, boolean, integer, number, string, array, object } = types;
    let [own_boolean, own_integer] = own;
    let all = [
        (null, "null"),
        (boolean, own_boolean),
        (integer && !number, own_integer),
        (number, "number"),
        (string, "string"),
        (array, "array"),
        (object, "object"),
    ];
    let named: Vec<&str> = all.iter().filter(|(has, _)| *has).map(|(_, name)| *name).collect();
    named.join(" or ")
}

fn some_of(first: &[String], count: usize) -> String {
    match count {
        0 => "of an empty list".to_owned(),
        count if count > first.len() => format!("{} and {} more", first.join(", "), count - first.len()),
        _ => first.join(", "),
    }
}

fn listed(all: &[String]) -> String {
    let mut named: Vec<String> = all.iter().take(NAMED).cloned().collect();
    if all.len() > NAMED {
        named.push(format!("{} more conditions", all.len() - NAMED));
    }
    match named.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => named.concat(),
    }
}

fn beside(others: &[Condition], condition: fn(&Condition) -> String) -> String {
    let others: Vec<String> = others.iter().map(condition).collect();
    if others.is_empty() { String::new() } else { format!(" beside {}", listed(&others)) }
}

fn pointer(path: &[Step]) -> String {
    let token = |step: &Step| match step {
        Step::Key(key) => format!("/{}", pointer_token(key)),
        Step::Item(at) => format!("/{at}"),
    };
    format!("`{}`", path.iter().map(token).collect::<String>())
}

fn dotted(path: &[Step]) -> String {
    let mut shown = String::new();
    for step in path {
        match step {
            Step::Key(key) if shown.is_empty() => shown.push_str(key),
            Step::Key(key) => shown.extend([".", key]),
            Step::Item(at) => shown.push_str(&format!("[{at}]")),
        }
    }
    format!("`{shown}`")
}
