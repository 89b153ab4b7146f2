//! A format on its way from the grammar IR to the automaton, for people who inspect the compiler.

use ogc_schema::source::Origin;
use thiserror::Error;

use super::text::text_base;
use super::{Format, ogc, tag};
use crate::budget::within;
use crate::db::{Db, Language};
use crate::foreign::foreign_grammar;
use crate::frontend::regex::automaton_limits;
use crate::hir::Root;
use crate::hir::elaborate::module;
use crate::ir::Grammar;
use crate::pass::{Base, Limits, Pass, Passed, compile_watched};

/// The reason why a format has no grammar IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoGrammar {
    /// The format is a JSON Schema.
    #[error("schemas are lowered by their algebra, not by the grammar IR")]
    Schema,
    /// The format is a definition of values.
    #[error("this definition is a set of values, which the algebra of schemas lowers and not the grammar IR")]
    Values,
}

/// Returns the grammar IR of a format before the passes; `None` if there are errors.
///
/// # Errors
///
/// The format is lowered without a grammar IR.
pub fn grammar(db: &dyn Db, format: &Format) -> Result<Option<Grammar>, NoGrammar> {
    let format = &tag::compiled(db, format.clone());
    match format.file.language(db) {
        Language::Ogc => match format.name.clone().and_then(|name| module(db, format.file, name)) {
            Some(module) if matches!(module.root, Root::Value(_)) => Err(NoGrammar::Values),
            module => Ok(module.map(|module| module.grammar.clone())),
        },
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            Ok(foreign_grammar(db, format.file).0.as_ref().map(|placed| placed.grammar.clone()))
        }
        Language::JsonSchema => Err(NoGrammar::Schema),
    }
}

/// Runs the passes and returns the result of one of them, with the rules' places printed by `place`; `None` if there
/// are errors.
///
/// # Errors
///
/// The format is lowered without a grammar IR.
pub fn after_pass(
    db: &dyn Db,
    format: &Format,
    pass: Pass,
    place: &dyn Fn(Origin) -> String,
) -> Result<Option<Passed>, NoGrammar> {
    let Some(grammar) = grammar(db, format)? else { return Ok(None) };
    let all = format.file.options(db).limits(db);
    let mut seen = None;
    let watch = || {
        let Some(base) = base(db, format) else { return };
        let limits = pass_limits(format.file.language(db), all.grammar);
        let marks = pass == Pass::Captures;
        compile_watched(grammar, base, &limits, marks, &mut |done, after| {
            if done == pass {
                seen = Some(after.shown(place));
            }
        });
    };
    within(&all, watch, |_| ());
    Ok(seen)
}

/// Lowers the values that the grammar of a format calls; `None` if there are errors.
fn base(db: &dyn Db, format: &Format) -> Option<Base> {
    let format = tag::compiled(db, format.clone());
    match (format.file.language(db), format.name) {
        (Language::Ogc, Some(name)) => ogc::text_base(db, format.file, name),
        (Language::Ogc, None) => Some(Base::none()),
        _ => text_base(db, format.file),
    }
}

fn pass_limits(language: Language, limits: Limits) -> Limits {
    match language {
        Language::Regex => automaton_limits(&limits),
        Language::Ogc | Language::JsonSchema | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            limits
        }
    }
}
