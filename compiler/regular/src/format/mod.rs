//! The string formats of JSON Schema (draft 2020-12 and its predecessors) as regular languages.
//!
//! A language contains no string that the format's standard rejects. Where the standard's language is not regular, or
//! takes many thousand states, the language here is smaller; [`StringFormat::left_out`] describes the missing strings.

mod address;
mod host;
mod idn;
mod misc;
mod practical;
mod regex;
mod time;

use std::sync::OnceLock;

pub use practical::{PracticalForm, practical, practical_of_pattern};

use crate::dfa::Dfa;
use crate::length::with_length;
use crate::limits::{LimitError, Limits};
use crate::pattern::compile_anchored;

/// A format's language: the strings of `dfa` with at most `max_chars` characters.
///
/// The length bound is kept apart from the automaton: the product of labels of 63 and names of 253 characters would
/// have 30,000 states, while a caller that counts characters anyway can add the bound at no cost.
/// [`StringFormat::exact`] builds the product.
#[derive(Debug)]
pub struct StringFormat {
    /// The name in schemas.
    pub name: &'static str,
    /// The language without the bound on its length; minimal.
    pub dfa: Dfa,
    /// The greatest length in characters.
    pub max_chars: Option<u32>,
    /// Strings that the standard allows and this language does not, if any.
    pub left_out: Option<LeftOut>,
    /// The wide form: a language with all strings of the standard and some that the standard rejects. Present only if
    /// strings are left out and such a language is known.
    pub wide: Option<Dfa>,
    /// The greatest length of a string of the wide form, in characters.
    pub wide_chars: Option<u32>,
}

/// Strings that a format's standard takes and its language does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// A description of the strings, for people.
    pub what: &'static str,
    /// Whether such strings hardly occur in ordinary data.
    pub rare: bool,
}

impl StringFormat {
    /// Builds the language with the bound on its length. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` states.
    pub fn exact(&self, limit: usize) -> Result<Dfa, LimitError> {
        with_length(&self.dfa, 0, self.max_chars, limit)
    }

    /// Builds a language that contains all strings of the standard, and maybe some that the standard rejects. A string
    /// outside of it is certainly not of this format. `None` if strings are left out and no such language is known.
    ///
    /// # Errors
    ///
    /// More than `limit` states.
    pub fn cover(&self, limit: usize) -> Option<Result<Dfa, LimitError>> {
        match &self.left_out {
            None => Some(self.exact(limit)),
            Some(_) => self.wide.as_ref().map(|wide| with_length(wide, 0, self.wide_chars, limit)),
        }
    }

    /// Returns whether `text` is in the language.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.dfa.contains(text.as_bytes()) && self.max_chars.is_none_or(|max| text.chars().count() <= max as usize)
    }
}

/// The definition of a format; the format is built from it when it is first needed.
enum Definition {
    /// By a pattern for the whole string.
    Pattern(fn() -> String),
    /// From automata.
    Parts(fn(&Limits) -> Option<Dfa>),
}

/// The pattern of a wide form, and its greatest length.
type WideForm = (fn() -> String, Option<u32>);

struct Recipe {
    name: &'static str,
    made: Definition,
    max_chars: Option<u32>,
    left_out: Option<LeftOut>,
    wide: Option<WideForm>,
}

const fn recipe(name: &'static str, pattern: fn() -> String) -> Recipe {
    Recipe { name, made: Definition::Pattern(pattern), max_chars: None, left_out: None, wide: None }
}

/// Strings with leap seconds that the time formats leave out.
const LEAP: Option<LeftOut> =
    Some(LeftOut { what: "leap seconds in offsets that are no whole quarters of an hour", rare: true });
/// Host names whose validity only a decoder of Punycode can decide.
const A_LABELS: Option<LeftOut> = Some(LeftOut { what: "labels that begin with `xn--`", rare: true });
const IDN_HOST: Option<LeftOut> = common(
    "labels that begin with `xn--`, marks of scripts other than Devanagari, Bengali, Gujarati, Tamil, Telugu and Thai, letters of scripts other than \
     these, Latin, Greek, Cyrillic, Armenian, Georgian, Han, Kana, Hangul, Hebrew and Arabic, labels with letters beyond ASCII over 11 characters, \
     names over 50",
);
const IDN: Option<LeftOut> = common(
    "quoted local parts and those over 16 characters, marks of scripts other than Devanagari, Bengali, Gujarati, Tamil, Telugu and Thai in names, \
     letters of scripts other than these, Latin, Greek, Cyrillic, Armenian, Georgian, Han, Kana, Hangul, Hebrew and Arabic in them, labels with letters \
     beyond ASCII over 11 characters, names over 50",
);
const REGEX: Option<LeftOut> = common(
    "groups nested deeper than two, named groups, backreferences, properties other than general categories, bounds over 99 \
     with the same first digit (`{100,150}`), ranges between close characters beyond ASCII (`[é-ü]`), and inside of groups more of \
     such bounds and ranges",
);

const fn common(what: &'static str) -> Option<LeftOut> {
    Some(LeftOut { what, rare: false })
}

static RECIPES: [Recipe; 20] = [
    Recipe {
        left_out: LEAP,
        wide: Some((time::date_time_with_any_leap, None)),
        ..recipe("date-time", time::date_time)
    },
    recipe("date", time::date),
    Recipe { left_out: LEAP, wide: Some((time::time_with_any_leap, None)), ..recipe("time", time::time) },
    recipe("duration", time::duration),
    Recipe { name: "email", made: Definition::Parts(host::email), max_chars: Some(254), left_out: None, wide: None },
    Recipe {
        max_chars: Some(66),
        left_out: IDN,
        wide: Some((host::any_idn_email, Some(254))),
        ..recipe("idn-email", host::idn_email)
    },
    Recipe {
        max_chars: Some(253),
        left_out: A_LABELS,
        wide: Some((host::undecoded_hostname, Some(253))),
        ..recipe("hostname", host::hostname)
    },
    Recipe {
        max_chars: Some(50),
        left_out: IDN_HOST,
        wide: Some((host::any_idn_hostname, Some(253))),
        ..recipe("idn-hostname", host::idn_hostname)
    },
    recipe("ipv4", address::ipv4),
    recipe("ip-address", address::ipv4),
    recipe("ipv6", address::ipv6),
    recipe("uri", || address::absolute(false)),
    recipe("uri-reference", || address::reference(false)),
    recipe("iri", || address::absolute(true)),
    recipe("iri-reference", || address::reference(true)),
    recipe("uuid", misc::uuid),
    recipe("uri-template", misc::uri_template),
    recipe("json-pointer", misc::json_pointer),
    recipe("relative-json-pointer", misc::relative_json_pointer),
    Recipe { name: "regex", made: Definition::Parts(regex::regex), max_chars: None, left_out: REGEX, wide: None },
];

/// Returns the names of all known formats.
pub fn names() -> impl Iterator<Item = &'static str> {
    RECIPES.iter().map(|recipe| recipe.name)
}

/// Returns the strings that the format called `name` leaves out ([`StringFormat::left_out`]), without building the
/// format; the outer `None` if no format of that name has a precise meaning.
#[must_use]
pub fn left_out(name: &str) -> Option<Option<LeftOut>> {
    RECIPES.iter().find(|recipe| recipe.name == name).map(|recipe| recipe.left_out)
}

/// Returns the wide form of a format ([`StringFormat::wide`]) as a pattern anchored at both ends, with the greatest
/// length; `None` if there is none.
#[must_use]
pub fn wide(name: &str) -> Option<(String, Option<u32>)> {
    let recipe = RECIPES.iter().find(|recipe| recipe.name == name)?;
    recipe.wide.map(|(pattern, most)| (format!("^(?:{})$", pattern()), most))
}

/// Returns the format called `name`; `None` if no format of that name has a precise meaning.
#[must_use]
pub fn format(name: &str) -> Option<&'static StringFormat> {
    static BUILT: [OnceLock<Option<StringFormat>>; RECIPES.len()] = [const { OnceLock::new() }; RECIPES.len()];
    let at = RECIPES.iter().position(|recipe| recipe.name == name)?;
    BUILT.get(at)?.get_or_init(|| crate::budget::apart(|| build(&RECIPES[at]))).as_ref()
}

/// Builds a format. Its pattern is within the default limits: the tests build all formats.
fn build(recipe: &Recipe) -> Option<StringFormat> {
    let limits = Limits::default();
    let dfa = match recipe.made {
        Definition::Pattern(pattern) => compile_anchored(&pattern(), &limits).ok()?,
        Definition::Parts(build) => build(&limits)?,
    };
    let wide = recipe.wide.map(|(pattern, _)| compile_anchored(&pattern(), &limits)).transpose().ok()?;
    let wide_chars = recipe.wide.and_then(|(_, most)| most);
    Some(StringFormat {
        name: recipe.name,
        dfa,
        max_chars: recipe.max_chars,
        left_out: recipe.left_out,
        wide,
        wide_chars,
    })
}
