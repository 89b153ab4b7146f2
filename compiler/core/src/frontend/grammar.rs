//! The front end of GBNF, EBNF, ABNF and Lark: text -> rule tree -> grammar IR -> automaton.

mod values;

pub(crate) use values::{read_values, value_base};

use ogc_grammar::{Diagnostic, lark, parse_abnf, parse_ebnf, parse_gbnf, parse_lark};
use ogc_runtime::automaton::Automaton;

use crate::frontend::json_schema::ReadOptions;
use crate::ir::PlacedGrammar;
use crate::lower::grammar::lower;
use crate::lower::json::JsonPolicy;
use crate::pass::{Limits, compile_on};

/// The notation of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// GBNF, llama.cpp's notation; the start rule is `root`.
    Gbnf,
    /// EBNF of W3C or ISO 14977, or GBNF; the text tells which. The start rule is the first rule, in GBNF `root`.
    Ebnf,
    /// The ABNF of RFC 5234; the first rule is the start rule.
    Abnf,
    /// Lark's notation; the start rule is `start`.
    Lark,
}

impl Dialect {
    /// Returns the name of the start rule; `None` stands for the rule written first.
    ///
    /// ```
    /// use ogc_compiler::frontend::grammar::Dialect;
    /// assert_eq!((Dialect::Lark.root(), Dialect::Ebnf.root()), (Some("start"), None));
    /// ```
    #[must_use]
    pub fn root(self) -> Option<&'static str> {
        match self {
            Dialect::Gbnf => Some("root"),
            Dialect::Ebnf | Dialect::Abnf => None,
            Dialect::Lark => Some(lark::START),
        }
    }
}

/// Compiles a grammar. The source map of the automaton's origins is dropped; [`lower`] returns it.
///
/// Returns an automaton exactly if no diagnostic is an error.
///
/// ```
/// use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
/// use ogc_compiler::pass::Limits;
/// let (automaton, found) = compile_grammar(r#"root ::= "[" root? "]""#, Dialect::Gbnf, &Limits::default());
/// assert!(automaton.is_some() && found.is_empty());
/// ```
#[must_use]
pub fn compile_grammar(text: &str, dialect: Dialect, limits: &Limits) -> (Option<Automaton>, Vec<Diagnostic>) {
    let (tree, mut found) = match dialect {
        Dialect::Gbnf => parse_gbnf(text),
        Dialect::Ebnf => parse_ebnf(text),
        Dialect::Abnf => parse_abnf(text),
        Dialect::Lark => parse_lark(text),
    };
    if found.iter().any(Diagnostic::is_error) {
        return (None, found);
    }
    let (grammar, more) = lower(&tree, tree.start.as_deref().or(dialect.root()));
    found.extend(more);
    let Some(mut placed) = grammar else { return (None, found) };
    found.extend(read_values(&mut placed, &ReadOptions::default()));
    let base = match value_base(&placed, JsonPolicy::default(), &ogc_schema::Limits::default()) {
        Ok(base) if !found.iter().any(Diagnostic::is_error) => base,
        Ok(_) => return (None, found),
        Err(errors) => {
            found.extend(errors);
            return (None, found);
        }
    };
    let PlacedGrammar { grammar, places, .. } = placed;
    let (automaton, more) = compile_on(grammar, base, limits);
    found.extend(more.iter().map(|one| places.resolve(one)));
    (automaton, found)
}
