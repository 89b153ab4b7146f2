//! The fields, items and literals of types, in `.ogc` and in imported schemas, for completion of keys and values.
//!
//! Types are followed through names, parameters, `&`, `|` and spreads, for a bounded number of steps.

mod schema;

use std::rc::Rc;

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::items::{ItemId, item_tree};
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_compiler::hir::{Builtin, BuiltinKind, TextKind, ValueKind};
use ogc_grammar::ogc::ast::{Argument, Definition, Expr, ExprKind, MemberKind, Reference};
use ogc_grammar::ogc::print_expr;
use ogc_grammar::span::part;
use ogc_schema::source::NodeId;

use crate::snapshot::Snapshot;

/// Maximum number of steps to find the members of a type.
const STEPS: usize = 4000;

/// Number of steps that a spread counts for, which also bounds the nesting of spreads.
const SPREAD: usize = 100;

/// A type: an expression with the arguments of its parameters, or a schema.
#[derive(Clone, Debug)]
pub(crate) enum Shape<'s> {
    /// An expression of an item.
    Expr(&'s ItemId, &'s Expr, Rc<Arguments<'s>>),
    /// A schema of a file in JSON Schema.
    Schema(SourceFile, NodeId),
}

/// The arguments of a use, by parameter.
pub(crate) type Arguments<'s> = Vec<(&'s str, Shape<'s>)>;

/// A field of a record.
#[derive(Clone, Debug)]
pub(crate) struct Field<'s> {
    pub(crate) name: String,
    pub(crate) optional: bool,
    pub(crate) value: Shape<'s>,
    /// The item that contains the field, and the place of the field's name in it; `None` for fields of schemas.
    pub(crate) written: Option<(&'s ItemId, ogc_grammar::Span)>,
}

/// Follows types, for a bounded number of steps.
pub(crate) struct Shapes<'s> {
    snapshot: &'s Snapshot,
    left: usize,
}

impl<'s> Shapes<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot) -> Self {
        Shapes { snapshot, left: STEPS }
    }

    /// Returns the type of a symbol: for a definition its body, with parameters left open.
    pub(crate) fn of(&self, symbol: &Symbol) -> Option<Shape<'s>> {
        match symbol {
            Symbol::Definition(item) => {
                let (item, definition) = self.definition(item)?;
                Some(Shape::Expr(item, &definition.body, Rc::default()))
            }
            Symbol::Foreign { file, name } => schema::named(self.snapshot, *file, name),
            _ => None,
        }
    }

    /// Returns a definition, and its identity with the life of the snapshot.
    fn definition(&self, item: &ItemId) -> Option<(&'s ItemId, &'s Definition)> {
        let db = &self.snapshot.db;
        let items = &ogc_compiler::hir::items::file_items(db, item.file).items;
        let (own, _) = items.iter().find(|(one, _)| one == item)?;
        Some((own, item_tree(db, own).item.definition()?))
    }

    /// Returns the fields of a type, each name once; for a union, those of all branches.
    pub(crate) fn fields(&mut self, shape: &Shape<'s>) -> Vec<Field<'s>> {
        let mut found: Vec<Field<'s>> = Vec::new();
        for one in self.alternatives(shape) {
            for field in self.own_fields(&one) {
                if !found.iter().any(|known| known.name == field.name) {
                    found.push(field);
                }
            }
        }
        found
    }

    /// Returns the types of a field in all branches that have it.
    pub(crate) fn values_of(&mut self, shape: &Shape<'s>, key: &str) -> Vec<Shape<'s>> {
        let branches = self.alternatives(shape);
        let fields = branches.iter().flat_map(|one| self.own_fields(one)).filter(|field| field.name == key);
        fields.map(|field| field.value).collect()
    }

    /// Returns the types of the items of an array.
    pub(crate) fn items(&mut self, shape: &Shape<'s>) -> Vec<Shape<'s>> {
        let mut found = Vec::new();
        for one in self.alternatives(shape) {
            match &one {
                Shape::Expr(item, expr, env) => match &expr.kind {
                    ExprKind::Repeat { item: inner, .. } => found.push(Shape::Expr(item, inner, Rc::clone(env))),
                    ExprKind::Reference(reference) => {
                        let unnamed = reference.arguments.iter().filter(|one| one.name.is_none() || is_rest(one));
                        found.extend(unnamed.map(|one| Shape::Expr(item, &one.value, Rc::clone(env))));
                    }
                    _ => {}
                },
                Shape::Schema(file, node) => found.extend(schema::items(self.snapshot, *file, *node)),
            }
        }
        found
    }

    /// Returns the literals that a type lists, as JSON.
    pub(crate) fn literals(&mut self, shape: &Shape<'s>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for one in self.alternatives(shape) {
            let written = match &one {
                Shape::Expr(_, expr, _) => match &expr.kind {
                    ExprKind::String(text) => vec![quoted(text)],
                    ExprKind::Number(number) => vec![number.clone()],
                    ExprKind::Bool(truth) => vec![truth.to_string()],
                    ExprKind::Null => vec!["null".to_owned()],
                    ExprKind::Reference(_) => match self.builtin(&one) {
                        Some(BuiltinKind::Value(ValueKind::Bool)) => vec!["true".to_owned(), "false".to_owned()],
                        _ => Vec::new(),
                    },
                    _ => Vec::new(),
                },
                Shape::Schema(file, node) => schema::literals(self.snapshot, *file, *node),
            };
            for text in written {
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        }
        found
    }

    /// Returns whether a type has objects, and whether it has arrays.
    pub(crate) fn brackets(&mut self, shape: &Shape<'s>) -> (bool, bool) {
        let all = self.alternatives(shape);
        let object = all.iter().any(|one| match one {
            Shape::Expr(_, expr, _) => matches!(expr.kind, ExprKind::Record(_)),
            Shape::Schema(file, node) => schema::is_object(self.snapshot, *file, *node),
        });
        let array = all.iter().any(|one| match one {
            Shape::Expr(_, expr, _) => matches!(expr.kind, ExprKind::Repeat { .. }) || self.is_array(one),
            Shape::Schema(file, node) => !schema::items(self.snapshot, *file, *node).is_empty(),
        });
        (object, array)
    }

    fn is_array(&self, shape: &Shape<'s>) -> bool {
        matches!(self.builtin(shape), Some(BuiltinKind::Value(ValueKind::Array | ValueKind::Tuple)))
    }

    fn builtin(&self, shape: &Shape<'s>) -> Option<BuiltinKind> {
        let Shape::Expr(_, Expr { kind: ExprKind::Reference(reference), .. }, _) = shape else { return None };
        let [name] = reference.path.segments.as_slice() else { return None };
        Builtin::of(&name.text).map(|builtin| builtin.kind)
    }

    /// Returns the branches of a union, including those of nested unions.
    pub(crate) fn branches(&mut self, shape: &Shape<'s>) -> Vec<Shape<'s>> {
        self.alternatives(shape)
    }

    /// Returns the parts of a type that are not names, unions, conjunctions or groups themselves. All parts of a
    /// conjunction are included, so that no field is missing.
    fn alternatives(&mut self, shape: &Shape<'s>) -> Vec<Shape<'s>> {
        let (mut open, mut found) = (vec![shape.clone()], Vec::new());
        while let Some(one) = open.pop() {
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            let inner = self.inside(&one);
            if inner.is_empty() { found.push(one) } else { open.extend(inner.into_iter().rev()) }
        }
        found
    }

    /// Returns the parts from which a type is made by names, `|`, `&` and groups.
    fn inside(&self, shape: &Shape<'s>) -> Vec<Shape<'s>> {
        let (item, expr, env) = match shape {
            Shape::Expr(item, expr, env) => (*item, *expr, env),
            Shape::Schema(file, node) => return schema::inside(self.snapshot, *file, *node),
        };
        let same = |expr: &'s Expr| Shape::Expr(item, expr, Rc::clone(env));
        match &expr.kind {
            ExprKind::Union(arms) => arms.iter().map(|arm| same(&arm.expr)).collect(),
            ExprKind::Intersection(parts) => parts.iter().map(same).collect(),
            ExprKind::Difference { kept, .. } => vec![same(kept)],
            ExprKind::Group(inner)
            | ExprKind::Attributed { item: inner, .. }
            | ExprKind::Capture { item: inner, .. } => {
                vec![same(inner)]
            }
            ExprKind::Reference(reference) => self.target(item, reference, env).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the type that a reference means.
    fn target(&self, item: &'s ItemId, reference: &'s Reference, env: &Rc<Arguments<'s>>) -> Option<Shape<'s>> {
        let db = &self.snapshot.db;
        match &resolution(db, item).get(&reference.path)?.target {
            Target::Parameter(name) => {
                env.iter().find(|(parameter, _)| parameter == name).map(|(_, argument)| argument.clone())
            }
            Target::Item(target) | Target::Imported { item: target, .. } => {
                let (target, definition) = self.definition(target)?;
                let arguments = arguments(definition, item, reference, env);
                Some(Shape::Expr(target, &definition.body, Rc::new(arguments)))
            }
            Target::Foreign { file, name, .. } => schema::named(self.snapshot, *file, name),
            // `json<T>` is the text of a `T`.
            Target::Builtin(Builtin { kind: BuiltinKind::Text(TextKind::Json | TextKind::Raw), .. }) => {
                let first = reference.arguments.first()?;
                Some(Shape::Expr(item, &first.value, Rc::clone(env)))
            }
            Target::Builtin(_) | Target::WholeFile(_) | Target::Unknown => None,
        }
    }

    /// Returns the fields of a record, including those of spreads.
    fn own_fields(&mut self, shape: &Shape<'s>) -> Vec<Field<'s>> {
        let (item, expr, env) = match shape {
            Shape::Expr(item, expr, env) => (*item, *expr, env),
            Shape::Schema(file, node) => return schema::fields(self.snapshot, *file, *node),
        };
        let ExprKind::Record(record) = &expr.kind else { return Vec::new() };
        let mut found = Vec::new();
        for member in &record.members {
            match &member.kind {
                MemberKind::Field(field) => found.push(Field {
                    name: field.name.text.clone(),
                    optional: field.optional,
                    value: Shape::Expr(item, &field.value, Rc::clone(env)),
                    written: Some((item, field.name.span)),
                }),
                // Expensive, because spreads may be cyclic.
                MemberKind::Spread(base) if self.left > SPREAD => {
                    self.left -= SPREAD;
                    let base = Shape::Expr(item, base, Rc::clone(env));
                    found.extend(self.fields(&base));
                }
                MemberKind::Spread(_) | MemberKind::Pattern { .. } | MemberKind::Open | MemberKind::Error => {}
            }
        }
        found
    }

    /// Shows a type in a few words: its expression, or the JSON of its schema.
    pub(crate) fn shown(&self, shape: &Shape<'s>) -> String {
        match shape {
            Shape::Expr(_, expr, _) => shortened(&print_expr(expr)),
            Shape::Schema(file, node) => schema::shown(self.snapshot, *file, *node),
        }
    }
}

/// Returns the parameters of a definition with their arguments in a use.
fn arguments<'s>(
    definition: &'s Definition,
    item: &'s ItemId,
    reference: &'s Reference,
    env: &Rc<Arguments<'s>>,
) -> Arguments<'s> {
    let parameters = definition.parameters.iter().enumerate();
    let given = parameters.filter_map(|(at, parameter)| {
        let named = reference
            .arguments
            .iter()
            .find(|one| one.name.as_ref().is_some_and(|name| name.text == parameter.name.text));
        let argument = named.or_else(|| reference.arguments.get(at).filter(|one| one.name.is_none()))?;
        Some((parameter.name.text.as_str(), Shape::Expr(item, &argument.value, Rc::clone(env))))
    });
    given.collect()
}

fn is_rest(argument: &Argument) -> bool {
    argument.name.as_ref().is_some_and(|name| name.text == "rest")
}

/// Returns a text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub(crate) use schema::{docs as schema_docs, json as schema_source};

/// Shortens a text to some lines.
pub(crate) fn shortened_lines(text: &str) -> String {
    const MOST: usize = 30;
    let mut lines: Vec<&str> = text.lines().take(MOST + 1).collect();
    if lines.len() > MOST {
        lines.pop();
        lines.push("…");
    }
    lines.join("\n")
}

/// Shortens a text to the length that fits beside a name.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", part(text, ..at)),
        None => text.to_owned(),
    }
}
