//! Elaborates expressions as sets of JSON values: nodes of the schema graph.

use ogc_grammar::ogc::ast::{Alternative, Expr, ExprKind, Reference, Repetition};
use ogc_grammar::{Code, Fix, Span};
use ogc_regular::budget;
use ogc_schema::source::{ArrayKeywords, At, Keywords, NodeId, NodeKind, Origin, Types, Value};
use rustc_hash::FxHashSet;

use super::environment::Argument;
use super::literal::NO_TYPES;
use super::reference::Meaning;
use super::{Elaborator, EnvId};
use crate::hir::builtin::{BuiltinKind, TextKind};
use crate::hir::items::{Keyword, item_tree};

impl<'db> Elaborator<'db> {
    /// Elaborates an expression as a set of values. The parser's nesting limit bounds the recursion.
    pub(super) fn value(&mut self, expr: &'db Expr, env: EnvId) -> NodeId {
        let origin = self.origin(expr.span, env);
        // If the budget is used up, the module is discarded anyway.
        if budget::exhausted() {
            return self.anything(origin);
        }
        match &expr.kind {
            ExprKind::Error => self.anything(origin),
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => {
                let value = self.constant(expr, env);
                self.listed(value.into_iter().collect(), origin)
            }
            ExprKind::Regex(pattern) => self.pattern_value(expr, pattern, env, origin),
            ExprKind::Range(range) => self.range_value(range, env, origin),
            ExprKind::Reference(reference) => self.reference_value(expr, reference, env, origin),
            ExprKind::Record(record) => self.record(record, env, origin),
            ExprKind::Union(arms) => self.union(arms, env, origin),
            ExprKind::Intersection(parts) => {
                let all_of = parts.iter().map(|part| self.operand(part, env)).collect();
                self.parts.keywords(Keywords { all_of, ..Keywords::default() }, origin)
            }
            ExprKind::Difference { .. } if self.is_native(expr.span, env) && self.hyphenated(expr.span, env) => {
                self.anything(origin)
            }
            ExprKind::Difference { kept, removed } => self.difference(kept, removed, env, origin),
            ExprKind::Repeat { .. } if self.is_called_in_brackets(expr, env) => self.anything(origin),
            ExprKind::Repeat { item, times: times @ (Repetition::Exactly(_) | Repetition::Between(_)) } => {
                self.array(item, times, env, origin)
            }
            ExprKind::Repeat { .. } => self.no_value(
                expr,
                env,
                "`?`, `*` and `+` repeat text",
                "write `[0..]` or `[m..n]` for an array, `| null` for what may be null",
            ),
            ExprKind::Sequence(_) => {
                self.no_value(expr, env, "a sequence is text", "write `tuple<A, B>` for an array of both")
            }
            ExprKind::List { .. } => {
                self.no_value(expr, env, "a list with separators is text", "write `T[m..n]` for an array")
            }
            ExprKind::Capture { .. } => {
                self.no_value(expr, env, "a capture is about text", "write a record: `{ name: T }`")
            }
            ExprKind::Token(_) => self.no_value(
                expr,
                env,
                "a token of the vocabulary is no JSON value",
                "use it in a rule or output, beside `json<T>`",
            ),
            ExprKind::Attributed { attributes, item } => self.attributed_value(attributes, item, env, origin),
            ExprKind::Group(inner) => self.value(inner, env),
        }
    }

    /// Adds a node of all values, also in place of an expression with errors.
    pub(super) fn anything(&mut self, origin: Origin) -> NodeId {
        self.parts.node(NodeKind::Bool(true), origin)
    }

    /// Reports a text where a value is needed, and returns a node of all values.
    pub(super) fn no_value(&mut self, expr: &Expr, env: EnvId, message: &str, help: &str) -> NodeId {
        self.no_value_but(expr, env, message, help, None)
    }

    /// Reports a text where a value is needed, with the value that is probably meant.
    fn no_value_but(
        &mut self,
        expr: &Expr,
        env: EnvId,
        message: &str,
        help: &str,
        guess: Option<Fix<Origin>>,
    ) -> NodeId {
        let origin = self.origin(expr.span, env);
        if self.is_side_by_side(expr, env) {
            self.findings.reported_elsewhere = true;
            return self.anything(origin);
        }
        let message = format!("{message}, but a JSON value is needed here");
        let found = self.error(Code::TextInType, expr.span, env, message);
        found.help = Some(help.to_owned());
        found.guesses.extend(guess);
        self.anything(origin)
    }

    /// Returns whether the parser said that texts stand side by side inside of an expression.
    fn is_side_by_side(&self, expr: &Expr, env: EnvId) -> bool {
        let said = &item_tree(self.db, self.environment.item(env)).diagnostics;
        let inside = |span: Span| expr.span.start <= span.start && span.end <= expr.span.end;
        said.iter().any(|one| one.code == Code::SideBySide && inside(one.span))
    }

    /// Elaborates an operand of `&` or `-`. It cannot have a policy: its values are those of the other operands too.
    fn operand(&mut self, expr: &'db Expr, env: EnvId) -> NodeId {
        let node = self.value(expr, env);
        if let ExprKind::Attributed { attributes, .. } = &expr.ungrouped().kind
            && let Some(policy) = attributes.iter().find(|attribute| super::policy::is_policy(attribute))
        {
            let message = format!(
                "`@{}` cannot be about one part of `&` or `-`: nothing tells its values from the others'",
                policy.name.text
            );
            self.error(Code::MisplacedPolicy, policy.span, env, message).help =
                Some(super::policy::MISPLACED.to_owned());
        }
        node
    }

    /// Elaborates a union. Its literals become one list (`enum`), and the form of [`exclusive`] becomes `oneOf`.
    fn union(&mut self, arms: &'db [Alternative], env: EnvId, origin: Origin) -> NodeId {
        if let Some(each) = exclusive(arms) {
            let arm = |one| {
                let node = self.operand(one, env);
                self.referred(node)
            };
            let value = each.into_iter().map(arm).collect();
            return self.parts.keywords(Keywords { one_of: vec![At { origin, value }], ..Keywords::default() }, origin);
        }
        let mut literals: Vec<Value> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut any_of = Vec::new();
        let mut place = None;
        for arm in arms {
            let constant = if arm.docs.is_empty() { self.constant(&arm.expr, env) } else { None };
            match constant {
                Some(value) if !seen.insert(format!("{value:?}")) => {
                    self.warning(Code::RepeatedLiteral, arm.expr.span, env, "this literal was there already").help =
                        Some("leave it out".to_owned());
                }
                Some(value) => {
                    place.get_or_insert(any_of.len());
                    literals.push(value);
                }
                None => any_of.push(self.branch(arm, env)),
            }
        }
        if let Some(place) = place {
            let listed = self.listed(literals, origin);
            any_of.insert(place, listed);
        }
        if let [only] = any_of.as_slice() {
            return *only;
        }
        self.parts.keywords(Keywords { any_of: vec![At { origin, value: any_of }], ..Keywords::default() }, origin)
    }

    /// Elaborates a branch of a union, with its doc comment and annotations.
    fn branch(&mut self, arm: &'db Alternative, env: EnvId) -> NodeId {
        let node = self.value(&arm.expr, env);
        let attributes = match &arm.expr.ungrouped().kind {
            ExprKind::Attributed { attributes, .. } => attributes.as_slice(),
            _ => &[],
        };
        self.document(node, &arm.docs, attributes, env);
        node
    }

    /// Returns the target of a node that is a reference and nothing else, or the node itself.
    fn referred(&self, node: NodeId) -> NodeId {
        let NodeKind::Keywords(keywords) = &self.parts.schemas.nodes[node.0 as usize].kind else { return node };
        let Some(target) = keywords.reference.clone() else { return node };
        let alone = Keywords { reference: Some(target.clone()), ..Keywords::default() };
        if **keywords == alone { target.value } else { node }
    }

    /// Elaborates `A - B`: the values of `A` that are not in `B`.
    fn difference(&mut self, kept: &'db Expr, removed: &'db [Expr], env: EnvId, origin: Origin) -> NodeId {
        if is_any(kept) && removed.iter().any(is_any) {
            // `any - any` is the way to write the empty set.
            return self.parts.node(NodeKind::Bool(false), origin);
        }
        let mut all_of = vec![self.operand(kept, env)];
        for one in removed {
            let node = self.operand(one, env);
            let not = Keywords { not: Some(At { origin, value: node }), ..Keywords::default() };
            all_of.push(self.parts.keywords(not, origin));
        }
        self.parts.keywords(Keywords { all_of, ..Keywords::default() }, origin)
    }

    /// Elaborates `T[m..n]`.
    fn array(&mut self, item: &'db Expr, times: &'db Repetition, env: EnvId, origin: Origin) -> NodeId {
        let items = self.value(item, env);
        let (min, max) = match times {
            Repetition::Exactly(bound) => {
                let count = self.count(bound, env);
                (count, count)
            }
            Repetition::Between(range) => {
                let ends = self.counts(range, env);
                (ends.min, ends.max)
            }
            Repetition::Optional | Repetition::Star | Repetition::Plus => (None, None),
        };
        let at = |value| At { origin, value };
        let array = ArrayKeywords {
            items: Some(At { origin, value: items }),
            min_items: min.filter(|&min| min > 0).map(at),
            max_items: max.map(at),
            ..ArrayKeywords::default()
        };
        self.parts.keywords(
            Keywords { types: types(origin, Types { array: true, ..NO_TYPES }), array, ..Keywords::default() },
            origin,
        )
    }

    /// Elaborates a name as a set of values.
    fn reference_value(&mut self, expr: &'db Expr, reference: &'db Reference, env: EnvId, origin: Origin) -> NodeId {
        match self.meaning_reported(reference, env) {
            Meaning::Argument(Argument::Given(inner, inside)) => {
                self.no_arguments(reference, "a parameter", env);
                self.value(inner, inside)
            }
            Meaning::Argument(Argument::Opaque) => self.anything(origin),
            Meaning::Argument(Argument::Value(node)) => {
                self.no_arguments(reference, "a parameter", env);
                let reference = Some(At { origin, value: node });
                self.parts.keywords(Keywords { reference, ..Keywords::default() }, origin)
            }
            Meaning::Argument(Argument::Names(_)) => {
                let help = "the names of undeclared fields stand in text only";
                self.no_value(expr, env, "the name of any undeclared field is text", help)
            }
            Meaning::Builtin(builtin) => match builtin.kind {
                BuiltinKind::Value(kind) => self.builtin_value(builtin, kind, reference, env, origin),
                BuiltinKind::Calls => self.calls_value(expr, reference, env, origin),
                BuiltinKind::Text(kind) => {
                    let help = match kind {
                        TextKind::Text => "a JSON string of any text is `string`",
                        TextKind::Json => "a type is a value already: write it without `json`",
                        TextKind::Raw => "a type is a value already: write it without `raw`",
                        TextKind::Each => "a record with these fields is the type itself: write it without `each`",
                        TextKind::Quoted => "a JSON string with conditions is `string</.../>`",
                        TextKind::Lazy | TextKind::Mix | TextKind::Substring => {
                            "use it in a rule or output; a string with conditions is `string</.../>`"
                        }
                    };
                    let string = || self.fix(&Fix::instead(expr.span, "string"), env);
                    let guess = (kind == TextKind::Text && reference.arguments.is_empty()).then(string);
                    self.no_value_but(expr, env, &format!("`{}` is text", builtin.name), help, guess)
                }
            },
            Meaning::Item(view, item) if item.key.kind == Keyword::Type => {
                match self.enter(view, &item, reference, env) {
                    Some(inside) => {
                        let node = self.type_instance(&item, inside);
                        // Each use has a node of its own, whose origin is the place of the use.
                        let reference = Some(At { origin, value: node });
                        self.parts.keywords(Keywords { reference, ..Keywords::default() }, origin)
                    }
                    None => self.anything(origin),
                }
            }
            Meaning::Item(_, item) => {
                let (what, help) = if item.key.kind == Keyword::Output {
                    ("an output", "define its value as a `type`, and use that in both")
                } else {
                    ("a rule", "a type is needed; the text of a string is described by `string</.../>`")
                };
                self.no_value(expr, env, &format!("`{}` is {what}, so it is text", item.key.name), help)
            }
            Meaning::Foreign(view, name) if self.is_schema(view) => {
                self.no_arguments(reference, "an imported schema", env);
                let node = self.imported_value(view, &name);
                let reference = Some(At { origin, value: node });
                self.parts.keywords(Keywords { reference, ..Keywords::default() }, origin)
            }
            Meaning::Foreign(_, name) => self.no_value(
                expr,
                env,
                &format!("`{name}` comes from a grammar, so it is text"),
                "import a schema or an `.ogc` type for values",
            ),
            Meaning::Unknown => self.anything(origin),
        }
    }

    /// Bounds the nesting of arrays and records in a node: returns its conjunction with all values that nest at most
    /// `depth` levels.
    pub(super) fn bounded(&mut self, node: NodeId, depth: u32, origin: Origin) -> NodeId {
        let flat = Types { array: false, object: false, ..all_types() };
        while self.instances.depths.len() <= depth as usize {
            let inner = self.instances.depths.last().copied();
            let keywords = match inner {
                None => Keywords { types: types(origin, flat), ..Keywords::default() },
                Some(inner) => {
                    let mut keywords = Keywords::default();
                    keywords.array.items = Some(At { origin, value: inner });
                    keywords.object.additional_properties = Some(At { origin, value: inner });
                    keywords
                }
            };
            let made = self.parts.keywords(keywords, origin);
            self.instances.depths.push(made);
        }
        let bound = self.instances.depths[depth as usize];
        self.parts.keywords(Keywords { all_of: vec![node, bound], ..Keywords::default() }, origin)
    }
}

/// Returns `A`, `B` and `C` of `(A - B - C) | (B - A - C) | (C - A - B)`: the values that are in exactly one of them.
///
/// This is how `.ogc` expresses `oneOf`. As a `oneOf`, the algebra decides it pair by pair; as a union of differences,
/// it would need a conjunction for each pair. Only names are recognized, because they are easy to compare.
fn exclusive(arms: &[Alternative]) -> Option<Vec<&Expr>> {
    let kept: Vec<&Expr> = arms.iter().map(|arm| without_others(arm, arms.len())).collect::<Option<_>>()?;
    let mut all: Vec<Vec<&str>> = kept.iter().map(|kept| plain_name(kept)).collect::<Option<_>>()?;
    all.sort_unstable();
    let differ = all.windows(2).all(|two| two[0] != two[1]);
    let whole = |arm: &Alternative| {
        let names: Option<Vec<Vec<&str>>> = arm.expr.ungrouped().children().into_iter().map(plain_name).collect();
        names.is_some_and(|mut names| {
            names.sort_unstable();
            names == all
        })
    };
    (differ && arms.iter().all(whole)).then_some(kept)
}

/// Returns the kept side of a difference that removes as many sets as there are other arms.
fn without_others(arm: &Alternative, arms: usize) -> Option<&Expr> {
    match &arm.expr.ungrouped().kind {
        ExprKind::Difference { kept, removed } if removed.len() + 1 == arms => Some(kept),
        _ => None,
    }
}

/// Returns whether an expression is the name `any`.
fn is_any(expr: &Expr) -> bool {
    plain_name(expr).is_some_and(|name| name == ["any"])
}

/// Returns the path of an expression that is a name without arguments.
fn plain_name(expr: &Expr) -> Option<Vec<&str>> {
    match &expr.ungrouped().kind {
        ExprKind::Reference(reference) if reference.arguments.is_empty() => {
            Some(reference.path.segments.iter().map(|name| name.text.as_str()).collect())
        }
        _ => None,
    }
}

/// Returns a set of JSON types as a keyword.
pub(super) fn types(origin: Origin, value: Types) -> Option<At<Types>> {
    Some(At { origin, value })
}

/// Returns the set of all JSON types.
pub(super) fn all_types() -> Types {
    Types { null: true, boolean: true, integer: true, number: true, string: true, array: true, object: true }
}
