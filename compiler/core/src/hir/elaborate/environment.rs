//! Holds environments: the meaning of names in an expression, determined by its file, its item and the item's
//! arguments.
//!
//! Environments are interned: a definition used twice with the same arguments has one environment, and so is one
//! instance. Two arguments are equal if they are written alike and come from the same environment.
//!
//! An argument that names no parameter means the same in every environment of its item, so it is moved to the
//! environment without arguments. For this reason recursive generics end. For example, in
//! `type Tree<T> = { value: T, children: Tree<T>[0..], tag: Box<int> }`
//!
//! - `Tree<T>` passes on the argument of `T` as it is, so that inside `Tree<int>` it is `Tree<int>` again;
//! - `int` in `Box<int>` does not name `T`, so that all `Tree<...>` share one `Box<int>`.
//!
//! `type Grow<T> = { next: Grow<T[0..]> }` does not end: each argument names the `T` around it. [`Env::depth`] finds
//! that.

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind};
use ogc_grammar::ogc::print_expr;
use ogc_regular::budget;
use ogc_schema::source::NodeId;
use rustc_hash::FxHashMap;

use super::super::items::ItemId;
use super::super::module::OriginPlace;
use crate::db::SourceFile;
use crate::foreign::SchemaPolicy;
use crate::ir::MachineId;

/// Work charged for an instance besides its expressions: names, the rule or node, places.
const INSTANCE_WORK: usize = 100;

/// Memory of an instance in bytes without its expressions: its entries in all tables, in its module and in the
/// automaton.
const INSTANCE_BYTES: usize = 2 * size_of::<Env<'_>>() + 600;

/// Index of a view: a file with the replacements of the import that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ViewId(u32);

/// Index of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EnvId(u32);

/// A file with the replacements of the import that led to it. A file has one view for all imports that replace nothing
/// and read it under the same policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct View {
    file: SourceFile,
    /// The policy under which the import reads the file, if the file is a schema.
    policy: SchemaPolicy,
    /// The import whose `with { ... }` holds here, and the environment that its replacements are written in.
    replaced_by: Option<(ItemId, EnvId)>,
}

/// The argument that a parameter stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument<'db> {
    /// An expression, and the environment that it is written in.
    Given(&'db Expr, EnvId),
    /// Anything, because the definition is elaborated alone. Everything that depends on such an argument is accepted.
    Opaque,
    /// The values of a field, in a template of [`super::each`].
    Value(NodeId),
    /// The names of undeclared fields, in a template of [`super::each`].
    Names(MachineId),
}

/// The arguments of one use of a definition, by parameter.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments<'db>(pub(super) Vec<(&'db str, Argument<'db>)>);

impl<'db> Arguments<'db> {
    /// Returns opaque arguments for all parameters of a definition.
    pub(super) fn opaque(definition: &'db Definition) -> Self {
        Self(definition.parameters.iter().map(|one| (one.name.text.as_str(), Argument::Opaque)).collect())
    }
}

/// An environment.
struct Env<'db> {
    view: ViewId,
    item: ItemId,
    arguments: Vec<(&'db str, Argument<'db>)>,
    /// Nesting of uses inside arguments of uses: one more than the depth of the deepest environment among the
    /// arguments.
    depth: u32,
    /// Whether an argument is a field or depends on a field, in a template of [`super::each`].
    of_field: bool,
}

/// The key by which environments are interned.
type EnvKey = (ViewId, ItemId, Vec<ArgumentKey>);

/// The identity of an argument, by which arguments are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ArgumentKey {
    Written(String, EnvId),
    Opaque,
    Value(NodeId),
    Names(MachineId),
}

impl ArgumentKey {
    fn of(argument: &Argument<'_>) -> Self {
        match argument {
            Argument::Given(expr, env) => Self::Written(print_expr(expr), *env),
            Argument::Opaque => Self::Opaque,
            Argument::Value(node) => Self::Value(*node),
            Argument::Names(machine) => Self::Names(*machine),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Written(text, _) => text.len(),
            Self::Opaque | Self::Value(_) | Self::Names(_) => 0,
        }
    }
}

/// All environments and views of one elaboration.
pub(crate) struct Environment<'db> {
    /// Each view, with the import in the root's file by which it was first reached; `None` for the view of the root's
    /// file itself.
    views: Vec<(View, Option<(ItemId, Span)>)>,
    known_views: FxHashMap<View, ViewId>,
    envs: Vec<Env<'db>>,
    known: FxHashMap<EnvKey, EnvId>,
}

impl<'db> Environment<'db> {
    pub(super) fn new(home: SourceFile) -> Self {
        let view = View { file: home, policy: SchemaPolicy::default(), replaced_by: None };
        let known_views = FxHashMap::from_iter([(view.clone(), ViewId(0))]);
        Self { views: vec![(view, None)], known_views, envs: Vec::new(), known: FxHashMap::default() }
    }

    /// Returns the view of the root's file.
    pub(super) fn home(&self) -> ViewId {
        ViewId(0)
    }

    /// Returns the file of the root.
    pub(super) fn home_file(&self) -> SourceFile {
        self.views[0].0.file
    }

    /// Returns the view of an imported file.
    pub(super) fn through(
        &mut self,
        (file, policy): (SourceFile, SchemaPolicy),
        import: &ItemId,
        path: Span,
        replaces: bool,
        env: EnvId,
    ) -> ViewId {
        let from = self.envs[env.0 as usize].view;
        // Replacements are written in the import's item, which has no parameters.
        let place = replaces.then(|| (import.clone(), self.instance(from, import, Arguments::default())));
        let view = View { file, policy, replaced_by: place };
        let via = self.views[from.0 as usize].1.clone().unwrap_or_else(|| (import.clone(), path));
        let fresh = ViewId(self.views.len() as u32);
        let id = *self.known_views.entry(view.clone()).or_insert(fresh);
        if id == fresh {
            self.views.push((view, Some(via)));
        }
        id
    }

    pub(super) fn file(&self, view: ViewId) -> SourceFile {
        self.views[view.0 as usize].0.file
    }

    /// Returns the policy under which a view's file is read, if it is a schema.
    pub(super) fn policy(&self, view: ViewId) -> SchemaPolicy {
        self.views[view.0 as usize].0.policy
    }

    pub(super) fn replaced_by(&self, view: ViewId) -> Option<(ItemId, EnvId)> {
        self.views[view.0 as usize].0.replaced_by.clone()
    }

    /// Returns the environment inside a definition for these arguments; at the first use, makes it.
    pub(super) fn instance(&mut self, view: ViewId, item: &ItemId, arguments: Arguments<'db>) -> EnvId {
        let arguments = arguments.0;
        let written = arguments.iter().map(|(_, argument)| ArgumentKey::of(argument));
        let key = (view, item.clone(), written.collect::<Vec<_>>());
        let length: usize = key.2.iter().map(ArgumentKey::len).sum();
        let _ = budget::work(4 + length / 8);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let depths = arguments.iter().filter_map(|(_, argument)| match argument {
            Argument::Given(_, env) => Some(self.envs[env.0 as usize].depth + 1),
            Argument::Opaque | Argument::Value(_) | Argument::Names(_) => None,
        });
        let depth = depths.max().unwrap_or(0);
        let of_field = arguments.iter().any(|(_, argument)| match argument {
            Argument::Given(_, env) => self.envs[env.0 as usize].of_field,
            Argument::Value(_) | Argument::Names(_) => true,
            Argument::Opaque => false,
        });
        let _ = budget::work(INSTANCE_WORK).and(budget::keep(INSTANCE_BYTES + length));
        let id = EnvId(self.envs.len() as u32);
        self.envs.push(Env { view, item: item.clone(), arguments, depth, of_field });
        self.known.insert(key, id);
        id
    }

    /// Returns an expression as an argument. The name of a parameter becomes that parameter's argument; an expression
    /// that names no parameter is moved to its item's environment without arguments.
    pub(super) fn argument(&mut self, expr: &'db Expr, env: EnvId) -> Argument<'db> {
        let here = &self.envs[env.0 as usize];
        if let ExprKind::Reference(reference) = &expr.ungrouped().kind
            && let [name] = reference.path.segments.as_slice()
            && let Some((_, argument)) = here.arguments.iter().find(|(parameter, _)| *parameter == name.text)
        {
            return *argument;
        }
        let names: Vec<&str> = here.arguments.iter().map(|(name, _)| *name).collect();
        if mentions(expr, &names) {
            return Argument::Given(expr, env);
        }
        let (view, item) = (here.view, here.item.clone());
        Argument::Given(expr, self.instance(view, &item, Arguments::default()))
    }

    /// Returns the argument of a parameter; `None` if the environment's item has no such parameter.
    pub(super) fn parameter(&self, name: &str, env: EnvId) -> Option<Argument<'db>> {
        let arguments = &self.envs[env.0 as usize].arguments;
        arguments.iter().find(|(parameter, _)| *parameter == name).map(|(_, argument)| *argument)
    }

    pub(super) fn view(&self, env: EnvId) -> ViewId {
        self.envs[env.0 as usize].view
    }

    pub(super) fn item(&self, env: EnvId) -> &ItemId {
        &self.envs[env.0 as usize].item
    }

    pub(super) fn depth(&self, env: EnvId) -> u32 {
        self.envs[env.0 as usize].depth
    }

    /// Returns whether an environment is inside a template of [`super::each`], so that its contents depend on a field.
    pub(super) fn of_field(&self, env: EnvId) -> bool {
        self.envs[env.0 as usize].of_field
    }

    /// Converts a span in the item of an environment to a place.
    pub(super) fn place(&self, span: Span, env: EnvId) -> OriginPlace {
        let env = &self.envs[env.0 as usize];
        let (view, via) = &self.views[env.view.0 as usize];
        OriginPlace { file: view.file, item: Some(env.item.clone()), span, via: via.clone() }
    }

    /// Converts a span in a file of another language, which has no items, to a place.
    pub(super) fn place_in(&self, span: Span, view: ViewId) -> OriginPlace {
        let (view, via) = &self.views[view.0 as usize];
        OriginPlace { file: view.file, item: None, span, via: via.clone() }
    }
}

/// Returns whether a reference or a bound in the expression uses any of these names.
fn mentions(expr: &Expr, names: &[&str]) -> bool {
    use ogc_grammar::ogc::ast::{BoundKind, Repetition};
    if names.is_empty() {
        return false;
    }
    let named = |bound: &ogc_grammar::ogc::ast::Bound| matches!(&bound.kind, BoundKind::Name(name) if names.contains(&name.as_str()));
    let of_range = |range: &ogc_grammar::ogc::ast::Range| [&range.min, &range.max].into_iter().flatten().any(named);
    let of_times = |times: &Repetition| match times {
        Repetition::Exactly(bound) => named(bound),
        Repetition::Between(range) => of_range(range),
        Repetition::Optional | Repetition::Star | Repetition::Plus => false,
    };
    let mut found = false;
    expr.walk(&mut |inner| {
        found |= match &inner.kind {
            ExprKind::Reference(reference) => {
                reference.path.segments.first().is_some_and(|first| names.contains(&first.text.as_str()))
            }
            ExprKind::Range(range) => of_range(range),
            ExprKind::Repeat { times, .. } | ExprKind::List { times: Some(times), .. } => of_times(times),
            _ => false,
        };
    });
    found
}
