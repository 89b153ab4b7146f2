//! Explains mistakes about the keys of objects: missing, unknown, repeated, out of order.

use indexmap::IndexMap;
use ogc_grammar::nearest;
use ogc_runtime::automaton::KeyOrder;
use ogc_runtime::matcher::ObjectKeys;

use super::super::json::{Json, JsonPlace, Level, decoded, is_space};
use super::{Mistake, Reason, Refusal};
use crate::describe;
use crate::words::{either, joined};

/// The help for a key in the wrong place.
const DECLARED: &str =
    "keys are written in declared order, unless the format lets them come in any: `order` is the policy";

/// Maximum number of keys that are listed.
const MOST_KEYS: usize = 8;

/// The keys of an object, merged over all readings of the text.
struct Keys {
    all: Vec<String>,
    /// Keys that may come now.
    allowed: Vec<String>,
    /// Keys that every reading still requires.
    missing: Vec<String>,
    /// Keys that no reading allows any more.
    past: Vec<String>,
    order: KeyOrder,
    others: bool,
    others_now: bool,
}

impl Keys {
    fn of(readings: &[ObjectKeys]) -> Option<Self> {
        let first = readings.first()?;
        // For each key, the number of readings in which it may come now, is still missing, or can no longer come.
        let mut merged: IndexMap<&str, [usize; 3]> = IndexMap::new();
        for key in readings.iter().flat_map(|reading| &reading.keys).filter(|key| !key.name.is_empty()) {
            let [allowed, missing, open] = merged.entry(&key.name).or_default();
            *allowed += usize::from(key.allowed);
            *missing += usize::from(key.required && !key.past);
            *open += usize::from(!key.past);
        }
        let names = |wanted: &dyn Fn(&[usize; 3]) -> bool| {
            merged.iter().filter(|(_, counts)| wanted(counts)).map(|(name, _)| (*name).to_owned()).collect()
        };
        Some(Self {
            all: names(&|_| true),
            allowed: names(&|[allowed, ..]| *allowed > 0),
            missing: names(&|[_, missing, _]| *missing == readings.len()),
            past: names(&|[.., open]| *open == 0),
            order: first.order,
            others: readings.iter().any(|reading| reading.others),
            others_now: readings.iter().any(|reading| reading.others_now),
        })
    }

    /// Describes the keys that may come.
    fn describe(&self) -> Option<String> {
        let quote = |keys: &[String]| either(keys.iter().map(|key| describe::quoted_key(key)));
        let listed = match self.allowed.as_slice() {
            [] => None,
            [only] => Some(format!("the key {}", describe::quoted_key(only))),
            some if some.len() <= MOST_KEYS => Some(format!("one of the keys {}", quote(some))),
            many => {
                let more = many.len() - MOST_KEYS;
                let shown = quote(many.get(..MOST_KEYS).unwrap_or_default());
                Some(format!("one of the keys {shown} ({more} more)"))
            }
        };
        match (listed, self.others_now) {
            (Some(listed), true) => Some(format!("{listed}, or another key")),
            (None, true) => Some("another key".to_owned()),
            (listed, false) => listed,
        }
    }
}

impl Refusal<'_> {
    /// Explains a refused key that starts at `start`, or something else in the place of a key.
    pub(super) fn key(&self, json: &Json, start: usize, at: usize) -> Option<Reason> {
        let keys = Keys::of(&self.matcher_at(start)?.object_keys())?;
        let path = json.container();
        let reason = match self.rest(start).first() {
            Some(b'"') => match decoded(self.text, start) {
                Some(key) => self.wrong_key(json, &keys, &key),
                None => (Mistake::EndsEarly, format!("the text ends inside a key of `{path}`"), None),
            },
            Some(b'}') if json.place == JsonPlace::Key => {
                (Mistake::TrailingComma, format!("a key is expected in `{path}` after the last `,`"), None)
            }
            Some(b'}') => missing(&path, &keys)?,
            Some(b'\'') => (Mistake::NotJson, "JSON writes keys in double quotes".to_owned(), None),
            Some(_) => (Mistake::KeyExpected, format!("a key of `{path}` is expected here"), None),
            None => (Mistake::EndsEarly, format!("the text ends where a key of `{path}` is expected"), None),
        };
        let (code, message, help) = reason;
        if code == Mistake::NotAllowed {
            return self.plain(at, code, Some(path), message);
        }
        let end = self.next_at(start).filter(|next| next.words.iter().any(|word| word.starts_with('}')));
        let described = keys.describe().into_iter().chain(end.map(|_| "`}`".to_owned()));
        let expected = either(described);
        Some(Reason {
            code: Some(code),
            message,
            at: start,
            path: Some(path),
            expected,
            keys: keys.allowed,
            help,
            ..Reason::default()
        })
    }

    /// Explains why a key cannot come now: a code, a sentence, and help.
    fn wrong_key(&self, json: &Json, keys: &Keys, key: &str) -> (Mistake, String, Option<String>) {
        let (path, shown) = (json.container(), describe::quoted_key(key));
        let written = match json.place {
            JsonPlace::AfterValue | JsonPlace::Key | JsonPlace::InKey(_) | JsonPlace::KeyOrEnd => json.keys(),
            _ => &[],
        };
        let is = |names: &[String]| names.iter().any(|name| name == key);
        if written.iter().any(|name| name == key) && !is(&keys.allowed) {
            return (Mistake::DuplicateKey, format!("the key {shown} is written twice in `{path}`"), None);
        }
        if is(&keys.allowed) {
            return (
                Mistake::NotAllowed,
                format!("the key {shown} of `{path}` is not written as the format spells it"),
                None,
            );
        }
        let index = |name: &str| keys.all.iter().position(|known| known == name);
        if is(&keys.all) && is(&keys.past) && keys.order == KeyOrder::Declared {
            let later = written.iter().find(|name| index(name) > index(key));
            let after = later.map_or_else(|| "the keys before it".to_owned(), |name| describe::quoted_key(name));
            let message = format!("the key {shown} comes too late in `{path}`: {shown} comes before {after}");
            return (Mistake::KeyOrder, message, Some(DECLARED.to_owned()));
        }
        if is(&keys.all) || keys.others && !keys.others_now {
            let before = keys.missing.iter().filter(|name| !is(&keys.all) || index(name) < index(key));
            let before: Vec<String> = before.map(|name| describe::quoted_key(name)).collect();
            if !before.is_empty() {
                let (key_or_keys, are) = plural(before.len());
                let message =
                    format!("the {key_or_keys} {} {are} missing before {shown} in `{path}`", joined(before, "and"));
                let help = (keys.order == KeyOrder::Declared).then(|| DECLARED.to_owned());
                return (Mistake::MissingKey, message, help);
            }
            return (Mistake::KeyNotAllowed, format!("the key {shown} is not allowed here in `{path}`"), None);
        }
        let near = nearest(key, keys.all.iter().filter(|name| !written.contains(name)).map(String::as_str));
        let help = near.map(|near| format!("did you mean {}?", describe::quoted_key(near)));
        (Mistake::UnknownKey, format!("`{path}` has no key {shown}"), help)
    }

    /// Explains a refusal after a value: at a comma, or at the end of the object, the array or the text.
    pub(super) fn after(&self, json: &Json, at: usize) -> Option<Reason> {
        let path = json.container();
        match (json.levels.last(), self.rest(at).first()) {
            (None, _) => None,
            (Some(Level::Object(_)), Some(b',')) => self.next_member(json, at),
            (Some(Level::Object(_)), Some(b'}')) => {
                let keys = Keys::of(&self.matcher_at(at)?.object_keys());
                let (code, message, _) = keys.and_then(|keys| missing(&path, &keys))?;
                self.with_keys(at, code, path, message)
            }
            (Some(Level::Object(_)), None) => {
                let keys = Keys::of(&self.matcher_at(at)?.object_keys()).and_then(|keys| missing(&path, &keys));
                let rest = keys.map_or_else(String::new, |(_, message, _)| format!(": {message}"));
                self.with_keys(
                    at,
                    Mistake::EndsEarly,
                    path.clone(),
                    format!("the text ends before the object `{path}` ends{rest}"),
                )
            }
            (Some(Level::Object(_)), Some(_)) => self.plain(
                at,
                Mistake::Comma,
                Some(path.clone()),
                format!("`,` or `}}` is expected after `{}`", json.path()),
            ),
            (Some(Level::Array(items)), byte) => {
                let items = match items + 1 {
                    1 => "1 item".to_owned(),
                    many => format!("{many} items"),
                };
                let (code, message) = match byte {
                    Some(b',') => (Mistake::TooManyItems, format!("`{path}` has {items} already; no more are allowed")),
                    Some(b']') => (Mistake::TooFewItems, format!("`{path}` needs more than {items}")),
                    Some(_) => (Mistake::Comma, format!("`,` or `]` is expected after `{}`", json.path())),
                    None => (Mistake::EndsEarly, format!("the text ends before the array `{path}` ends")),
                };
                self.plain(at, code, Some(path), message)
            }
        }
    }

    /// Explains a refused `,`: the object allows no more keys, or not the key that follows.
    fn next_member(&self, json: &Json, at: usize) -> Option<Reason> {
        let path = json.container();
        let behind = self.rest(at + 1).iter().position(|&byte| !is_space(byte)).map(|skipped| at + 1 + skipped);
        let key =
            behind.filter(|&start| self.text.get(start) == Some(&b'"')).and_then(|start| decoded(self.text, start));
        let keys = Keys::of(&self.matcher_at(at)?.object_keys());
        let (code, message, help) = match (keys, key) {
            (Some(keys), Some(key)) if !keys.allowed.contains(&key) => self.wrong_key(json, &keys, &key),
            _ => (Mistake::TooManyKeys, format!("`{path}` ends here: no more keys are allowed"), None),
        };
        Some(Reason { help, ..self.plain(at, code, Some(path), message)? })
    }

    /// Makes a reason after a value, with the keys that may follow a comma.
    fn with_keys(&self, at: usize, code: Mistake, path: String, message: String) -> Option<Reason> {
        let keys = Keys::of(&self.matcher_at(at)?.object_keys());
        let reason = self.plain(at, code, Some(path), message)?;
        let next =
            keys.as_ref().and_then(Keys::describe).filter(|_| reason.words.iter().any(|word| word.starts_with(',')));
        let expected =
            next.map_or_else(|| reason.expected.clone(), |next| format!("{}, and {next} after `,`", reason.expected));
        Some(Reason { expected, ..reason })
    }
}

/// Explains missing required keys; `None` if there are none.
fn missing(path: &str, keys: &Keys) -> Option<(Mistake, String, Option<String>)> {
    let names: Vec<String> = keys.missing.iter().map(|key| describe::quoted_key(key)).collect();
    let (key_or_keys, are) = plural(names.len());
    let message = format!("the {key_or_keys} {} {are} missing in `{path}`", joined(names.clone(), "and"));
    (!names.is_empty()).then_some((Mistake::MissingKey, message, None))
}

fn plural(count: usize) -> (&'static str, &'static str) {
    if count == 1 { ("key", "is") } else { ("keys", "are") }
}
