//! Exports white space between the tokens of JSON, as in `lower::json::space`.

use ogc_compiler::lower::json::Space;
use ogc_grammar::rules::Expr;

use super::combine::{empty, sequence};
use super::values::Exporter;
use super::{call, literal};

impl Exporter<'_, '_> {
    /// Exports optional white space, if the policy allows it and demands none.
    pub(super) fn gap(&mut self) -> Expr {
        match self.policy.space {
            Space::Any { max_run } => self.white_space(max_run),
            Space::Compact | Space::Spaced | Space::Pretty { .. } => empty(),
        }
    }

    /// Exports an opening bracket and the white space before the first member, at the members' depth.
    pub(super) fn open(&mut self, bracket: &str, depth: u32) -> Expr {
        let after = self.line(depth);
        sequence(literal(bracket), after)
    }

    /// Exports the white space between the last member and a closing bracket, and the bracket.
    pub(super) fn close(&mut self, bracket: &str, depth: u32) -> Expr {
        let before = self.line(depth.saturating_sub(1));
        sequence(before, literal(bracket))
    }

    /// Exports both brackets of an empty array or object.
    pub(super) fn hollow(&mut self, open: &str, close: &str) -> Expr {
        let gap = self.gap();
        sequence(sequence(literal(open), gap), literal(close))
    }

    /// Exports a comma between members, with the white space around it.
    pub(super) fn comma(&mut self, depth: u32) -> Expr {
        let comma = literal(",");
        match self.policy.space {
            Space::Compact => comma,
            Space::Spaced => literal(", "),
            Space::Pretty { .. } => {
                let line = self.line(depth);
                sequence(comma, line)
            }
            Space::Any { .. } => {
                let gap = self.gap();
                sequence(sequence(gap.clone(), comma), gap)
            }
        }
    }

    /// Exports a colon between a key and its value.
    pub(super) fn colon(&mut self) -> Expr {
        match self.policy.space {
            Space::Compact => literal(":"),
            Space::Spaced | Space::Pretty { .. } => literal(": "),
            Space::Any { .. } => {
                let gap = self.gap();
                sequence(sequence(gap.clone(), literal(":")), gap)
            }
        }
    }

    /// Exports the white space inside of brackets: a line break and indentation, or the white space allowed anywhere.
    fn line(&mut self, depth: u32) -> Expr {
        match self.policy.space {
            Space::Pretty { indent } => {
                let spaces = usize::try_from(indent.saturating_mul(depth)).unwrap_or(usize::MAX);
                literal(format!("\n{}", " ".repeat(spaces)))
            }
            Space::Compact | Space::Spaced | Space::Any { .. } => self.gap(),
        }
    }

    fn white_space(&mut self, max_run: Option<u32>) -> Expr {
        if let Some(name) = &self.space {
            return call(name);
        }
        let name = self.names.fresh("space");
        let class = super::characters::class(&vec![('\t', '\n'), ('\r', '\r'), (' ', ' ')]);
        // In the automaton, a nonempty run has at least one character.
        self.rules.push(super::rule(&name, super::combine::times(class, 0, max_run.map(|run| run.max(1)))));
        self.space = Some(name.clone());
        call(&name)
    }
}
