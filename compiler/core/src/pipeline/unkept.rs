//! Definitions of `.ogc` files that are compiled for one use and not kept.
//!
//! A module and an automaton hold all that a definition uses. Thousands of types that use each other would each keep
//! all of them. So callers that need many definitions use this module: definitions that the file's check compiles
//! anyway, within its budget, are taken from the database; the others are compiled and not kept.

use std::sync::Arc;

use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;

use super::inferred::inferred_in;
use super::ogc::{findings_of, is_kept};
use super::{Inferred, LoweredModule, lower_as, lower_module};
use crate::db::{Db, SourceFile};
use crate::hir::elaborate::{fresh_module, module};
use crate::hir::{Module, Root};

/// A compiled definition, with or without errors.
#[derive(Debug)]
pub struct Definition {
    file: SourceFile,
    name: Arc<str>,
    module: Arc<Module>,
    lowered: LoweredModule,
}

/// Compiles a definition of an `.ogc` file without parameters; `None` if no definition has the name. Inside a query, it
/// counts as a part of that query.
pub fn definition(db: &dyn Db, file: SourceFile, name: &Arc<str>) -> Option<Definition> {
    let (module, lowered) = if is_kept(db, file, name) {
        (module(db, file, Arc::clone(name))?, lower_module(db, file, Arc::clone(name)).clone())
    } else {
        let module = fresh_module(db, file, name)?;
        let lowered = lower_as(&module, &file.options(db).limits(db));
        (Arc::new(module), lowered)
    };
    Some(Definition { file, name: Arc::clone(name), module, lowered })
}

impl Definition {
    /// Returns the automaton; `None` if there are errors.
    #[must_use]
    pub fn automaton(&self) -> Option<&Arc<Automaton>> {
        self.lowered.automaton.as_ref()
    }

    /// Returns whether the texts are JSON values.
    #[must_use]
    pub fn is_value(&self) -> bool {
        matches!(self.module.root, Root::Value(_))
    }

    /// Returns the work of compiling it, in steps.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.module.usage.work + self.lowered.usage.work
    }

    /// Returns the findings about it and all that it uses. Places are in its file.
    pub fn diagnostics(&self, db: &dyn Db) -> Vec<Diagnostic> {
        findings_of(db, self.file, &self.name, &self.module, &self.lowered)
    }

    /// Returns the facts inferred in it, ordered by place; none for values.
    pub fn inferences(&self, db: &dyn Db) -> Vec<Inferred> {
        inferred_in(db, self.file, &self.module)
    }
}
