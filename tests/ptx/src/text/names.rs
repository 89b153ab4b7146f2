//! The names that are in scope.

use crate::ir::{ParameterSlot, Register};
use std::collections::HashMap;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A register of the function.
    Register(Register),
    /// A variable at an address of its space: global, shared or constant.
    Address(u64),
    /// The shared memory whose size the launch gives.
    OpenShared,
    /// A variable in the function's local memory.
    Local(u32),
    /// A parameter of the function, of a result, or of a call.
    Parameter(ParameterSlot),
}

/// Names by scope, the innermost last. A scope is a pair of braces, the function, or the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'t> {
    scopes: Vec<HashMap<String, Named>>,
    /// Lists of labels that `brx.idx` chooses from, by name.
    pub(super) tables: HashMap<&'t str, Vec<&'t str>>,
}

impl Names<'_> {
    pub(super) fn new() -> Names<'static> {
        Names { scopes: vec![HashMap::new()], tables: HashMap::new() }
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Closes the innermost scope; the outermost stays.
    pub(super) fn close(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// Adds a name to the innermost scope; returns whether it was new.
    pub(super) fn add(&mut self, name: String, named: Named) -> bool {
        self.scopes.last_mut().is_some_and(|scope| scope.insert(name, named).is_none())
    }

    pub(super) fn find(&self, name: &str) -> Option<Named> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }
}
