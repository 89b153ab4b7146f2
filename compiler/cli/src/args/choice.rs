//! Parses the names of policies; the names are the same as in `ogc.toml`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ogc_workbench::settings::table::{Choice, chosen};

/// Makes a parser of the names of choices.
pub(super) fn parser<T>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = choices.iter().map(|choice| PossibleValue::new(choice.name).help(choice.doc).aliases(choice.alias));
    PossibleValuesParser::new(names).try_map(|name| chosen(choices, &name).ok_or("no value has this name"))
}
