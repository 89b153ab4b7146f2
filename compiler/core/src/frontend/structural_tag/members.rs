//! Reads the members of a node: texts, lists, numbers, flags and tokens. Each reader reports a member of the wrong
//! type.

use ogc_grammar::json::{JsonValue, Member};
use ogc_grammar::{Code, Diagnostic, Fix, Span, nearest};

use super::read::{Read, Reader, Refused};
use super::tree::{Node, TokenName};

impl Reader<'_> {
    pub(super) fn needed<'a>(&mut self, value: &'a JsonValue, key: &str) -> Read<&'a JsonValue> {
        match value.get(key) {
            Some(member) => Ok(member),
            None if value.as_object().is_none() => {
                self.refuse(value.span, format!("an object is needed here, not {}", article(value)), "write a node")
            }
            None => self.refuse(opening(value), format!("`{key}` is missing"), &format!("add `\"{key}\": ...`")),
        }
    }

    pub(super) fn text<'a>(&mut self, value: &'a JsonValue, key: &str) -> Read<&'a str> {
        let member = self.needed(value, key)?;
        match member.as_str() {
            Some(text) => Ok(text),
            None => {
                self.refuse(member.span, format!("`{key}` is a text, not {}", article(member)), "write it in quotes")
            }
        }
    }

    /// Returns a string member whose text is in another language.
    pub(super) fn quoted<'a>(&mut self, value: &'a JsonValue, key: &str) -> Read<&'a JsonValue> {
        self.text(value, key)?;
        self.needed(value, key)
    }

    pub(super) fn array<'a>(&mut self, value: &'a JsonValue, key: &str) -> Read<&'a [JsonValue]> {
        let member = self.needed(value, key)?;
        match member.as_array() {
            Some(items) => Ok(items),
            None => self.refuse(member.span, format!("`{key}` is a list, not {}", article(member)), "write `[...]`"),
        }
    }

    pub(super) fn nodes<'a>(&mut self, value: &'a JsonValue, key: &str) -> Read<Vec<Node<'a>>> {
        let items = self.array(value, key)?;
        if items.is_empty() {
            return self.refuse(value.span, format!("`{key}` is empty"), "write one node at least");
        }
        items.iter().map(|one| self.node(one)).collect()
    }

    /// Reads a list of texts that are not empty.
    pub(super) fn texts<'a>(&mut self, value: &'a JsonValue, key: &str) -> Read<Vec<(&'a str, Span)>> {
        let mut texts = Vec::new();
        for one in self.array(value, key)? {
            match one.as_str().filter(|text| !text.is_empty()) {
                Some(text) => texts.push((text, one.span)),
                None => {
                    let message = format!("each of `{key}` is a text that is not empty");
                    return self.refuse(one.span, message, "write characters in quotes, or leave it out");
                }
            }
        }
        Ok(texts)
    }

    pub(super) fn excludes<'a>(&mut self, value: &'a JsonValue) -> Read<Vec<&'a str>> {
        if value.get("excludes").is_none_or(JsonValue::is_null) {
            return Ok(Vec::new());
        }
        Ok(self.texts(value, "excludes")?.into_iter().map(|(text, _)| text).collect())
    }

    /// Reads names of tokens that must not occur.
    pub(super) fn names<'a>(&mut self, value: &'a JsonValue, key: &str) -> Read<Vec<&'a str>> {
        if value.get(key).is_none_or(JsonValue::is_null) {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for one in self.array(value, key)? {
            match self.token(one)? {
                TokenName::Name(name) => names.push(name),
                // A special token has no text, so no text can contain it.
                TokenName::Id(id) if self.special.is_some_and(|special| special.name(id).is_some()) => {}
                TokenName::Id(id) => {
                    let message = match self.special {
                        Some(_) => format!("token {id} is no special token of the vocabulary"),
                        None => format!("token {id} is excluded by its number, and no vocabulary says which it is"),
                    };
                    return self.refuse(one.span, message, "write the token's text");
                }
            }
        }
        Ok(names)
    }

    pub(super) fn token<'a>(&mut self, value: &'a JsonValue) -> Read<TokenName<'a>> {
        if let Some(name) = value.as_str().filter(|name| !name.is_empty()) {
            return Ok(TokenName::Name(name));
        }
        match value.as_number().and_then(|number| number.parse().ok()) {
            Some(id) => Ok(TokenName::Id(id)),
            None => {
                let message = format!("a token is a name or a number from 0, not {}", article(value));
                self.refuse(value.span, message, "write the token's name in quotes")
            }
        }
    }

    pub(super) fn flag(&mut self, value: &JsonValue, key: &str, otherwise: bool) -> Read<bool> {
        let Some(member) = value.get(key).filter(|member| !member.is_null()) else { return Ok(otherwise) };
        match member.as_bool() {
            Some(flag) => Ok(flag),
            None => self.refuse(member.span, format!("`{key}` is `true` or `false`"), "write one of them"),
        }
    }

    pub(super) fn count(&mut self, value: &JsonValue, key: &str) -> Read<Option<u32>> {
        let Some(member) = value.get(key).filter(|member| !member.is_null()) else { return Ok(None) };
        self.number(member, key).map(Some)
    }

    pub(super) fn number(&mut self, value: &JsonValue, key: &str) -> Read<u32> {
        let number =
            value.as_number().and_then(|number| number.parse().ok()).filter(|&number| number <= i32::MAX as u32);
        match number {
            Some(number) => Ok(number),
            None => self.refuse(
                value.span,
                format!("`{key}` is a whole number from 0 to {}", i32::MAX),
                "write such a number",
            ),
        }
    }

    /// Rejects unknown members, because they may change the meaning.
    pub(super) fn known(&mut self, value: &JsonValue, what: &str, known: &[&str]) -> Read<()> {
        let strange = |member: &&Member| !known.contains(&member.key.value.as_str());
        match value.as_object().unwrap_or_default().iter().find(strange) {
            None => Ok(()),
            Some(member) => {
                let name = &member.key.value;
                self.unknown(member.key.span, &format!("{what} has no member `{name}`"), name, known.iter().copied())
            }
        }
    }

    pub(super) fn unknown<'n, T>(
        &mut self,
        span: Span,
        message: &str,
        given: &str,
        names: impl IntoIterator<Item = &'n str> + Clone,
    ) -> Read<T> {
        let all: Vec<&str> = names.clone().into_iter().filter(|name| *name != "type").collect();
        let found = Diagnostic::error(Code::StructuralTag, span, message).help(format!("it can be {}", all.join(", ")));
        let near = nearest(given, names).map(|near| Fix::instead(span, format!("\"{near}\"")));
        self.findings.push(match near {
            Some(fix) => found.guess(fix),
            None => found,
        });
        Err(Refused)
    }

    pub(super) fn refuse<T>(&mut self, span: Span, message: String, help: &str) -> Read<T> {
        self.findings.push(Diagnostic::error(Code::StructuralTag, span, message).help(help));
        Err(Refused)
    }
}

/// Returns the place of an object's opening brace.
fn opening(value: &JsonValue) -> Span {
    Span::new(value.span.start, (value.span.start + 1).min(value.span.end))
}

fn article(value: &JsonValue) -> &'static str {
    match value.type_name() {
        "null" => "null",
        "boolean" => "a boolean",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        _ => "an object",
    }
}
