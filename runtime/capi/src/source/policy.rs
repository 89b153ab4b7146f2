//! Policies of a schema, as fields of a source: how its values are written, and how the schema is read.

use ogc_compiler::db::{Adjustments, Formats, JsonPolicy, OtherMembers, Space, Spelling, Words, annotated};
use ogc_runtime::automaton::{Escapes, KeyOrder};

use super::ogc_source;
use crate::status::Failure;

/// White space between the parts of a JSON text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_space {
    /// Any that JSON allows, in runs of at most 32.
    ANY = 0,
    /// None.
    COMPACT = 1,
    /// One space after each comma and colon.
    SPACED = 2,
}

/// The order of the keys of an object.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_key_order {
    /// As the schema declares them.
    DECLARED = 0,
    /// Any.
    ANY = 1,
}

/// Escapes in strings.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_escapes {
    /// One spelling for each character: unescaped where JSON allows it. Keys and constants then have one spelling, which is forced.
    CANONICAL = 0,
    /// Every escape that JSON allows: to check texts of other writers.
    ANY = 1,
}

/// Spellings of numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_numbers {
    /// With or without an exponent, as printers of numbers write them.
    PRINTED = 0,
    /// Without exponents.
    PLAIN = 1,
}

/// The words for `null`, `true` and `false`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_words {
    /// As in JSON.
    JSON = 0,
    /// As in Python: `None`, `True` and `False`. Escapes are then canonical.
    PYTHON = 1,
}

/// The effect of the keyword `format`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_formats {
    /// Enforces the formats that the schema's draft defines.
    ASSERT = 0,
    /// Enforces the formats of all drafts.
    ALL = 1,
    /// Enforces no formats: the keyword is an annotation.
    ANNOTATE = 2,
    /// As `OGC_FORMATS_ASSERT`, and of dates, times, durations, host names and email addresses only their practical forms.
    PRACTICAL = 3,
    /// As `OGC_FORMATS_ASSERT`; host names have any labels with `xn--` and times any leap seconds, instead of none that cannot be checked.
    WIDE = 4,
}

/// Members of objects that their schema does not name.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_objects {
    /// Any, unless the schema forbids them.
    OPEN = 0,
    /// None, where the schema has `properties` and says nothing of others.
    CLOSED = 1,
}

/// The policies of a source.
pub(super) struct Policies {
    pub(super) json: JsonPolicy,
    pub(super) formats: Formats,
    pub(super) adjustments: Adjustments,
}

impl Default for Policies {
    /// Policies of a source without any: it is meant for generation, with one spelling of each string.
    fn default() -> Self {
        let json = JsonPolicy { escapes: Escapes::Canonical, ..JsonPolicy::default() };
        Self { json, formats: Formats::default(), adjustments: Adjustments::default() }
    }
}

/// Reads the policies of a source; `annotate` is its field of that name. `None` if the source sets none.
pub(super) fn read(source: &ogc_source, annotate: &str) -> Result<Option<Policies>, Failure> {
    let &ogc_source { space, order, escapes, numbers, formats, objects, words, .. } = source;
    if [space, order, escapes, numbers, formats, objects, words] == [0; 7] && source.annotate.is_null() {
        return Ok(None);
    }
    let mut policies = Policies::default();
    let json = &mut policies.json;
    json.space = one_of("space", space, &[json.space, Space::Compact, Space::Spaced])?;
    json.order = one_of("order", order, &[KeyOrder::Declared, KeyOrder::Any])?;
    json.escapes = one_of("escapes", escapes, &[Escapes::Canonical, Escapes::Any])?;
    json.spelling = one_of("numbers", numbers, &[Spelling::Json, Spelling::Plain])?;
    json.words = one_of("words", words, &[Words::Json, Words::Python])?;
    policies.formats = one_of(
        "formats",
        formats,
        &[Formats::Assert, Formats::All, Formats::Annotate, Formats::Practical, Formats::Wide],
    )?;
    policies.adjustments.objects = one_of("objects", objects, &[OtherMembers::Open, OtherMembers::Closed])?;
    if !source.annotate.is_null() {
        let wrong = |message: String| Failure::argument(&format!("source.annotate: {message}"));
        policies.adjustments.annotate = annotated(annotate).map_err(wrong)?;
    }
    Ok(Some(policies))
}

/// Returns the choice with a number.
fn one_of<T: Copy>(field: &str, number: u32, choices: &[T]) -> Result<T, Failure> {
    let choice = usize::try_from(number).ok().and_then(|at| choices.get(at)).copied();
    let most = choices.len() - 1;
    choice.ok_or_else(|| Failure::argument(&format!("source.{field} is {number}; it is at most {most}")))
}
