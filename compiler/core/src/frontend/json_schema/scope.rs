//! Scopes: the context that a schema inherits from the schemas around it (dialect, base, dynamic scope, and the place
//! for findings).

use super::by_name::Draft;
use always_assert::never;
use ogc_grammar::Span;
use ogc_grammar::json::JsonValue;
use rustc_hash::FxHashMap;

/// Index of a schema resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ResourceId(pub(super) u32);

/// Index of a JSON document: the text that is read, or a remote schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DocumentId(pub(super) u32);

/// Index of a dynamic scope: a set of bindings of dynamic anchors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct DynamicId(u32);

/// A version of OpenAPI, as far as its schemas differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenApi {
    /// 2.0, called Swagger, and 3.0: a dialect of their own, near the early drafts.
    Early {
        /// Whether `nullable` is a keyword, as in 3.0.
        has_nullable: bool,
    },
    /// 3.1 and later: draft 2020-12.
    Late,
}

/// A draft, less the vocabularies that a custom meta-schema leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) draft: Draft,
    /// Whether the validation vocabulary is in force.
    pub(super) assertions: bool,
    /// The version of OpenAPI; `None` outside OpenAPI documents.
    pub(super) openapi: Option<OpenApi>,
}

impl Dialect {
    pub(super) fn of(draft: Draft) -> Dialect {
        Dialect { draft, assertions: true, openapi: None }
    }
}

/// The scope of a schema: the context that it inherits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) dialect: Dialect,
    pub(super) resource: ResourceId,
    pub(super) dynamic: DynamicId,
    /// In a remote document, the reference in the text that led there; it is the place of all findings in that
    /// document. `None` in the text itself.
    pub(super) via: Option<Span>,
}

/// A schema with its scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopedSchema<'a> {
    pub(super) value: &'a JsonValue,
    pub(super) scope: Scope,
}

/// A dynamic anchor and where it is declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a JsonValue,
    pub(super) dialect: Dialect,
    pub(super) resource: ResourceId,
}

/// The dynamic scopes found so far, each as its observable bindings: for each name, the outermost declaration.
///
/// The standard's dynamic scope is the path of an evaluation. Only one thing about a path can be observed: the first
/// declaration of each name on it. A path adds bindings and never changes one, so there are finitely many sets of
/// bindings. A schema becomes one node for each set, so dynamic references need no evaluation.
#[derive(Debug)]
pub(super) struct DynamicScopes<'a> {
    scopes: Vec<Vec<Binding<'a>>>,
    ids: FxHashMap<Vec<(&'a str, usize)>, DynamicId>,
}

impl<'a> DynamicScopes<'a> {
    pub(super) fn new() -> DynamicScopes<'a> {
        DynamicScopes { scopes: vec![Vec::new()], ids: FxHashMap::default() }
    }

    /// Returns the declaration that `name` means in `scope`.
    pub(super) fn get(&self, scope: DynamicId, name: &str) -> Option<Binding<'a>> {
        self.scopes.get(scope.0 as usize)?.iter().find(|binding| binding.name == name).copied()
    }

    /// Returns `scope` extended by the bindings of `declared` whose names it does not bind yet.
    pub(super) fn extend(&mut self, scope: DynamicId, declared: &[Binding<'a>]) -> DynamicId {
        let mut bindings = self.scopes.get(scope.0 as usize).cloned().unwrap_or_else(|| {
            never!("{:?} is no dynamic scope", scope);
            Vec::new()
        });
        let before = bindings.len();
        for binding in declared {
            if !bindings.iter().any(|bound| bound.name == binding.name) {
                bindings.push(*binding);
            }
        }
        if bindings.len() == before { scope } else { self.intern(bindings) }
    }

    fn intern(&mut self, bindings: Vec<Binding<'a>>) -> DynamicId {
        let mut key: Vec<_> = bindings.iter().map(|b| (b.name, address(b.value))).collect();
        key.sort_unstable();
        let fresh = DynamicId(u32::try_from(self.scopes.len()).unwrap_or(u32::MAX));
        let id = *self.ids.entry(key).or_insert(fresh);
        if id == fresh {
            self.scopes.push(bindings);
        }
        id
    }
}

/// Returns a value's address, the key of maps of places. Trees never move while they are read.
pub(super) fn address(value: &JsonValue) -> usize {
    std::ptr::from_ref(value).addr()
}
