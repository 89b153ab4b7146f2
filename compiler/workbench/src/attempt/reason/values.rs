//! Explains mistakes about values: of the wrong type, not in a list, too long, unfinished.

use ogc_grammar::nearest;

use super::super::json::{Json, JsonPlace, Level, decoded, scalar_end, string_end};
use super::super::next::{Next, excerpt, strings};
use super::{Mistake, Reason, Refusal};
use crate::describe;
use crate::words::either;

impl Refusal<'_> {
    /// Explains a refusal where a value should start.
    pub(super) fn value(&self, json: &Json, at: usize) -> Option<Reason> {
        let path = json.path();
        let (expected, words) = self.kinds(at)?;
        let given = self.kind(at);
        let (code, message, help) = match self.rest(at).first() {
            None => (Mistake::EndsEarly, format!("the text ends where `{path}` is expected"), None),
            Some(b']') if json.place == JsonPlace::ItemOrEnd => {
                (Mistake::TooFewItems, format!("`{}` needs at least one item", json.container()), None)
            }
            Some(b']') if matches!(json.levels.last(), Some(Level::Array(_))) => (
                Mistake::TrailingComma,
                format!("an item is expected in `{}` after the last `,`", json.container()),
                None,
            ),
            Some(b'\'') => (Mistake::NotJson, "JSON writes strings in double quotes".to_owned(), None),
            Some(_) => match given {
                Some(kind) if !expected.contains(kind) => {
                    let help = other_word(kind, &expected);
                    (Mistake::WrongType, format!("`{path}` must be {expected}, not {kind}"), help)
                }
                Some(_) => {
                    let value = self.text.get(at..scalar_end(self.text, at)).unwrap_or_default();
                    (Mistake::NotAllowed, format!("`{path}` does not allow {}", excerpt(value)), None)
                }
                None => {
                    let word = excerpt(&super::first_word(self.rest(at)));
                    let help = other_word(&word, &expected);
                    (Mistake::NotJson, format!("{word} does not begin a value; `{path}` must be {expected}"), help)
                }
            },
        };
        Some(Reason { code: Some(code), message, at, path: Some(path), expected, words, help, ..Reason::default() })
    }

    /// Describes the kinds of values that may start here, and lists the strings if they are few.
    fn kinds(&self, at: usize) -> Option<(String, Vec<String>)> {
        let mut matcher = self.matcher_at(at)?;
        let next = Next::of(&mut matcher);
        let ranges = matcher.next_characters();
        let begins = |c: char| ranges.iter().any(|&(lo, hi)| lo <= c && c <= hi);
        let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
        let listed: Option<Vec<String>> =
            if begins('"') { strings(&mut matcher).map(|listed| listed.iter().map(quoted).collect()) } else { None };
        let mut kinds: Vec<String> = Vec::new();
        match &listed {
            Some(listed) => kinds.extend(listed.iter().map(|text| format!("`{}`", describe::show(text.as_bytes())))),
            None if begins('"') => kinds.push("a string".to_owned()),
            None => {}
        }
        if begins('-') || ('0'..='9').any(begins) {
            kinds.push("a number".to_owned());
        }
        let others = [
            ('t', "`true`"),
            ('f', "`false`"),
            ('n', "`null`"),
            ('T', "`True`"),
            ('F', "`False`"),
            ('N', "`None`"),
            ('{', "an object"),
            ('[', "an array"),
            (']', "`]`"),
        ];
        kinds.extend(others.iter().filter(|(c, _)| begins(*c)).map(|(_, kind)| (*kind).to_owned()));
        let known = |c: char| c.is_ascii_digit() || " \t\n\r\"-tfnTFN{[]".contains(c);
        // The texts look like JSON, but the format is no JSON here.
        if !ranges.iter().all(|&(lo, hi)| (lo..=hi).all(known)) || kinds.is_empty() {
            return Some((next.describe(), next.words));
        }
        Some((either(kinds), listed.unwrap_or_default()))
    }

    /// Returns the kind of the value that starts here in the text.
    fn kind(&self, at: usize) -> Option<&'static str> {
        let word = self.text.get(at..scalar_end(self.text, at)).unwrap_or_default();
        match (self.rest(at).first()?, word) {
            (b'"', _) => Some("a string"),
            (b'-' | b'0'..=b'9', _) => Some("a number"),
            (b'{', _) => Some("an object"),
            (b'[', _) => Some("an array"),
            (_, b"true") => Some("`true`"),
            (_, b"false") => Some("`false`"),
            (_, b"null") => Some("`null`"),
            _ => None,
        }
    }

    /// Explains a number or literal that is refused at its end or inside.
    pub(super) fn scalar(&self, json: &Json, start: usize, at: usize) -> Option<Reason> {
        let end = scalar_end(self.text, start);
        let mut matcher = self.matcher_at(at)?;
        let next = Next::of(&mut matcher);
        let ranges = matcher.next_characters();
        let delimits = |c: char| ranges.iter().any(|&(lo, hi)| lo <= c && c <= hi);
        let may_stop = next.may_end || [',', '}', ']', ' ', '\n'].into_iter().any(delimits);
        if at == end && may_stop && !json.levels.is_empty() {
            return self.after(&Json { place: JsonPlace::AfterValue, ..json.clone() }, at);
        }
        if at == self.text.len() {
            let message = format!("the text ends inside the value of `{}`", json.path());
            return self.plain(at, Mistake::EndsEarly, Some(json.path()), message);
        }
        let value = self.text.get(start..end).unwrap_or_default();
        if at == end && may_stop {
            return None;
        }
        let (expected, words) = match self.kinds(start)? {
            // A number would be right: the texts that may follow the accepted part say more.
            (expected, words) if expected.contains("a number") && words.is_empty() => {
                let message = format!("`{}` does not allow {}", json.path(), excerpt(value));
                return self.plain(at, Mistake::NotAllowed, Some(json.path()), message);
            }
            expected => expected,
        };
        let message = format!("`{}` must be {expected}, not {}", json.path(), excerpt(value));
        let path = Some(json.path());
        Some(Reason { code: Some(Mistake::NotAllowed), message, at: start, path, expected, words, ..Reason::default() })
    }

    /// Explains a string that is refused at its end or inside.
    pub(super) fn string(&self, json: &Json, start: usize, at: usize) -> Option<Reason> {
        let path = json.path();
        let whole = string_end(self.text, start).and_then(|end| self.text.get(start..end));
        let listed = strings(&mut self.matcher_at(start)?).filter(|listed| !listed.is_empty());
        if let (Some(listed), Some(whole)) = (listed, whole) {
            let near = decoded(self.text, start)
                .and_then(|text| nearest(&text, listed.iter().map(String::as_str)).map(str::to_owned));
            let help = near.map(|near| format!("did you mean `{}`?", serde_json::Value::from(near)));
            let (expected, words) = self.kinds(start)?;
            let message = format!("`{path}` must be {expected}, not {}", excerpt(whole));
            let path = Some(path);
            return Some(Reason {
                code: Some(Mistake::NotListed),
                message,
                at: start,
                path,
                expected,
                words,
                help,
                ..Reason::default()
            });
        }
        let characters = String::from_utf8_lossy(self.text.get(start + 1..at).unwrap_or_default()).chars().count();
        let next = self.next_at(at)?.inside_string();
        let only_end = next.words == ["\""] && next.ranges.is_empty();
        let (code, message) = match self.rest(at).first() {
            None => (Mistake::EndsEarly, format!("the text ends inside the string `{path}`")),
            Some(b'"') if only_end => return None,
            Some(b'"') => {
                (Mistake::TooShort, format!("the string `{path}` cannot end here: {} is not allowed", excerpt(whole?)))
            }
            Some(byte @ 0..0x20) => {
                let escaped = serde_json::Value::from(char::from(*byte).to_string()).to_string();
                let name = describe::quoted(&char::from(*byte).to_string());
                (
                    Mistake::NotJson,
                    format!("{name} in the string `{path}` must be written as {}", escaped.replace('"', "`")),
                )
            }
            Some(_) if only_end => {
                (Mistake::TooLong, format!("the string `{path}` must end here, after {}", count(characters)))
            }
            Some(_) => {
                let found =
                    String::from_utf8_lossy(self.rest(at).get(..4.min(self.rest(at).len())).unwrap_or_default())
                        .chars()
                        .next();
                let found = describe::quoted(&found.map(String::from).unwrap_or_default());
                (Mistake::NotAllowed, format!("the string `{path}` does not allow {found} here"))
            }
        };
        let (expected, words) = (next.describe(), next.words);
        Some(Reason { code: Some(code), message, at, path: Some(path), expected, words, ..Reason::default() })
    }
}

/// Returns help for a word that means an expected value elsewhere, as `nil` does in some languages.
fn other_word(given: &str, expected: &str) -> Option<String> {
    let meant = match given.to_ascii_lowercase().as_str() {
        "`none`" | "`nil`" | "`null`" | "`undefined`" => [("JSON", "`null`"), ("Python", "`None`")],
        "`true`" => [("JSON", "`true`"), ("Python", "`True`")],
        "`false`" => [("JSON", "`false`"), ("Python", "`False`")],
        _ => return None,
    };
    let (language, word) = meant.into_iter().find(|(_, word)| expected.contains(word))?;
    Some(format!("{language} writes {word}"))
}

fn count(characters: usize) -> String {
    if characters == 1 { "1 character".to_owned() } else { format!("{characters} characters") }
}
