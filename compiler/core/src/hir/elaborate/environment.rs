//! What names mean at a place: which file, which item, which arguments.
//!
//! Environments are interned, so that the same definition with the same arguments is one instance. An argument is its
//! expression and the environment where it was written; one that names no parameter is the same wherever it is used in
//! its file, which is what makes recursion of generics end.

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind};
use ogc_grammar::ogc::print_expr;
use ogc_regular::budget;
use rustc_hash::FxHashMap;

use super::super::items::ItemId;
use super::super::module::Place;
use crate::db::SourceFile;

/// Steps that elaborating an instance takes besides those of its expressions: names, the rule or node, places.
const INSTANCE_WORK: usize = 100;

/// Bytes of an instance in all tables, in its module and in the automaton, without its expressions.
const INSTANCE_BYTES: usize = 2 * size_of::<Env<'_>>() + 600;

/// A file as seen through the import that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ViewId(u32);

/// An environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EnvId(u32);

/// A file, and what the import that leads to it replaces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct View {
    file: SourceFile,
    /// The import whose replacements hold here, and where it stands.
    replaced_by: Option<(ItemId, EnvId)>,
}

/// What a parameter stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument<'db> {
    /// An expression and where it was written.
    Given(&'db Expr, EnvId),
    /// Anything: the definition is looked at by itself.
    Opaque,
}

/// The arguments of one use of a definition, by parameter.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments<'db>(pub(super) Vec<(&'db str, Argument<'db>)>);

impl<'db> Arguments<'db> {
    /// Arguments that stand for anything.
    pub(super) fn opaque(definition: &'db Definition) -> Self {
        Self(definition.parameters.iter().map(|one| (one.name.text.as_str(), Argument::Opaque)).collect())
    }
}

struct Env<'db> {
    view: ViewId,
    item: ItemId,
    arguments: Vec<(&'db str, Argument<'db>)>,
    /// Uses inside arguments of uses.
    depth: u32,
}

type EnvKey = (ViewId, ItemId, Vec<Option<(String, EnvId)>>);

/// All environments of one elaboration.
pub(crate) struct Environment<'db> {
    views: Vec<(View, Option<(ItemId, Span)>)>,
    known_views: FxHashMap<View, ViewId>,
    envs: Vec<Env<'db>>,
    known: FxHashMap<EnvKey, EnvId>,
}

impl<'db> Environment<'db> {
    pub(super) fn new(home: SourceFile) -> Self {
        let view = View { file: home, replaced_by: None };
        let known_views = FxHashMap::from_iter([(view.clone(), ViewId(0))]);
        Self { views: vec![(view, None)], known_views, envs: Vec::new(), known: FxHashMap::default() }
    }

    /// The file of the definition that is elaborated.
    pub(super) fn home(&self) -> ViewId {
        ViewId(0)
    }

    /// The file itself.
    pub(super) fn home_file(&self) -> SourceFile {
        self.views[0].0.file
    }

    /// The file that an import leads to, with the import's replacements.
    pub(super) fn through(
        &mut self,
        file: SourceFile,
        import: &ItemId,
        path: Span,
        replaces: bool,
        env: EnvId,
    ) -> ViewId {
        let from = self.envs[env.0 as usize].view;
        // Imports do not depend on the parameters of the item that uses them.
        let place = replaces.then(|| (import.clone(), self.instance(from, import, Arguments::default())));
        let view = View { file, replaced_by: place };
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

    pub(super) fn replaced_by(&self, view: ViewId) -> Option<(ItemId, EnvId)> {
        self.views[view.0 as usize].0.replaced_by.clone()
    }

    /// The environment inside a definition that is used with arguments.
    pub(super) fn instance(&mut self, view: ViewId, item: &ItemId, arguments: Arguments<'db>) -> EnvId {
        let arguments = arguments.0;
        let written = arguments.iter().map(|(_, argument)| match argument {
            Argument::Given(expr, env) => Some((print_expr(expr), *env)),
            Argument::Opaque => None,
        });
        let key = (view, item.clone(), written.collect::<Vec<_>>());
        let length: usize = key.2.iter().flatten().map(|(text, _)| text.len()).sum();
        let _ = budget::work(4 + length / 8);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let depths = arguments.iter().filter_map(|(_, argument)| match argument {
            Argument::Given(_, env) => Some(self.envs[env.0 as usize].depth + 1),
            Argument::Opaque => None,
        });
        let depth = depths.max().unwrap_or(0);
        let _ = budget::work(INSTANCE_WORK).and(budget::keep(INSTANCE_BYTES + length));
        let id = EnvId(self.envs.len() as u32);
        self.envs.push(Env { view, item: item.clone(), arguments, depth });
        self.known.insert(key, id);
        id
    }

    /// An argument as written in an environment. What names no parameter does not depend on the environment.
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

    /// What a parameter stands for.
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

    /// A place in the item of an environment.
    pub(super) fn place(&self, span: Span, env: EnvId) -> Place {
        let env = &self.envs[env.0 as usize];
        let (view, via) = &self.views[env.view.0 as usize];
        Place { file: view.file, item: Some(env.item.clone()), span, via: via.clone() }
    }

    /// A place in a file that has no items.
    pub(super) fn place_in(&self, span: Span, view: ViewId) -> Place {
        let (view, via) = &self.views[view.0 as usize];
        Place { file: view.file, item: None, span, via: via.clone() }
    }
}

/// Some name in the expression is one of these, or a bound is.
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
