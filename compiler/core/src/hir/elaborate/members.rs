//! Collects the members of a record, from the record itself and from its spreads.

use ogc_grammar::ogc::ast::{Expr, Member};
use ogc_grammar::{Code, Span};
use ogc_schema::source::{At, NodeId, Origin};
use rustc_hash::FxHashMap;

use super::{Elaborator, EnvId};

/// Maximum number of members of one record; the members of a spread record count each time that it is spread.
pub(super) const MEMBERS: usize = 100_000;

/// Memory of a collected member with its name, in bytes.
pub(super) const MEMBER: usize = 3 * size_of::<Declared<'_>>();

/// A declared key of a record that is being collected.
pub(super) struct Declared<'db> {
    pub(super) name: String,
    pub(super) optional: bool,
    pub(super) value: Source<'db>,
    pub(super) origin: Origin,
    /// The spread that the key comes from; `None` for a member that is written in the record itself.
    pub(super) spread: Option<Spread>,
}

/// A spread in the record itself: its index among the members, and its place. Members of nested spreads belong to the
/// outermost spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) at: usize,
    pub(super) span: Span,
    pub(super) env: EnvId,
}

/// The source of a key's value.
pub(super) enum Source<'db> {
    Member(&'db Member, &'db Expr, EnvId),
    /// A key of a spread schema: the node of its value, and the index of the schema among the record's spread schemas.
    Schema {
        node: NodeId,
        schema: usize,
    },
}

impl Source<'_> {
    /// Returns the index of the spread schema that the key comes from.
    pub(super) fn schema(&self) -> Option<usize> {
        match self {
            Source::Member(..) => None,
            Source::Schema { schema, .. } => Some(*schema),
        }
    }
}

/// The collected members of a record.
#[derive(Default)]
pub(super) struct Members<'db> {
    /// The declared keys in order. A key of a spread that the record declares again keeps its position.
    pub(super) declared: Vec<Declared<'db>>,
    /// The index of each key in `declared`.
    at: FxHashMap<String, usize>,
    /// Number of members collected so far; those of a spread record count at each spread.
    pub(super) read: usize,
    pub(super) patterns: Vec<(&'db Expr, &'db Expr, EnvId)>,
    pub(super) open: bool,
    /// The keys that the enclosing `omit`s leave out, and whether a member with that key was met.
    pub(super) omitted: Vec<(String, bool)>,
    /// For each spread schema, its rules for keys that it does not declare.
    pub(super) foreign: Vec<OtherKeys>,
}

impl<'db> Members<'db> {
    /// Returns the key with this name, and its index.
    fn known(&self, name: &str) -> Option<(usize, &Declared<'db>)> {
        let at = *self.at.get(name)?;
        Some((at, self.declared.get(at)?))
    }

    fn push(&mut self, new: Declared<'db>) {
        self.at.insert(new.name.clone(), self.declared.len());
        self.declared.push(new);
    }
}

/// The rules of a spread schema for keys that it does not declare: `patternProperties` and `additionalProperties`.
#[derive(Debug)]
pub(super) struct OtherKeys {
    pub(super) patterns: Vec<(At<String>, NodeId)>,
    /// The values of all other keys; `None` if other keys are forbidden, or may have any value.
    pub(super) rest: Option<At<NodeId>>,
}

impl<'db> Elaborator<'db> {
    /// Reports too many members once; the members collected so far stay.
    pub(super) fn too_many_members(&mut self, (span, env): (Span, EnvId), given: usize) {
        if given == MEMBERS + 1 {
            let message =
                format!("the record has {given} members, those of spreads counted in; the limit is {MEMBERS}");
            let help = "write keys of one kind as a pattern, `[/k[0-9]+/]: T`, or spread each record once";
            self.error(Code::Limit, span, env, message).help = Some(help.to_owned());
        }
    }

    /// Adds a key, and reports a key that exists already. A key of the record itself replaces a key of a spread, at
    /// that key's position.
    pub(super) fn declare(&mut self, new: Declared<'db>, span: Span, env: EnvId, members: &mut Members<'db>) {
        let mut omitted = members.omitted.iter_mut().filter(|(name, _)| *name == new.name).peekable();
        if omitted.peek().is_some() {
            return omitted.for_each(|(_, met)| *met = true);
        }
        let Some((at, known)) = members.known(&new.name) else { return members.push(new) };
        match (known.spread, new.spread) {
            (Some(_), None) => members.declared[at] = new,
            (None, Some(_)) => {}
            (Some(one), Some(other)) if one.at != other.at => {
                let first = self.origin(one.span, one.env);
                let message = format!("two spreads both have `{}`", new.name);
                let found = self.error(Code::SpreadConflict, other.span, other.env, message);
                found.labels.push((first, "the other one".to_owned()));
                found.help = Some(format!("write `{}: ...` in the record itself, which replaces both", new.name));
            }
            _ => {
                let first = known.origin;
                let found = self.error(Code::DuplicateField, span, env, format!("`{}` is declared twice", new.name));
                found.labels.push((first, "here first".to_owned()));
                found.help = Some("remove one, or join their types with `|`".to_owned());
            }
        }
    }
}
