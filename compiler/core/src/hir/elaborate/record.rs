//! Elaborates records: members in declared order, spreads (`...Base`), pattern keys (`[K]: V`), discriminators.
//!
//! A record is first collected into [`Members`], which replaces spreads by the members of their records, and is then
//! written as a node.

use ogc_grammar::ogc::ast::{
    Attribute, Definition, Expr, ExprKind, Field, Item, Member, MemberKind, Record, Reference,
};
use ogc_grammar::{Code, nearest};
use ogc_regular::budget;
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Origin, Value};
use rustc_hash::FxHashMap;

use super::members::{Declared, MEMBER, MEMBERS, Members, Source, Spread};
use super::reference::Meaning;
use super::refine::base;
use super::{Elaborator, EnvId};
use crate::hir::attribute::AttributeKind;
use crate::hir::builtin::{BuiltinKind, ValueKind};

/// Maximum nesting of spreads in spreads.
const SPREADS: usize = 32;

/// The records being collected, each spread by the one before it, with their environments.
type Path<'db> = Vec<(&'db Record, EnvId)>;

impl<'db> Elaborator<'db> {
    /// Elaborates a record.
    pub(super) fn record(&mut self, record: &'db Record, env: EnvId, origin: Origin) -> NodeId {
        let spreads = record.members.iter().find(|member| matches!(member.kind, MemberKind::Spread(_)));
        if let Some(spread) = spreads {
            if self.open_spreads.iter().any(|&(open, inside)| inside == env && std::ptr::eq(open, record)) {
                let message = "this record spreads a record in which it stands itself";
                self.error(Code::SpreadCycle, spread.span, env, message).help =
                    Some("give this record a name, `type B = { ... }`, and use it in both places".to_owned());
                return self.anything(origin);
            }
            self.open_spreads.push((record, env));
        }
        let mut members = Members::default();
        self.members(record, env, None, &mut Path::new(), &mut members);
        let node = self.collected(members, origin);
        if spreads.is_some() {
            self.open_spreads.pop();
        }
        node
    }

    /// Writes collected members as a node.
    fn collected(&mut self, members: Members<'db>, origin: Origin) -> NodeId {
        let mut keywords = base(ValueKind::Object, origin);
        let sources: Vec<(String, Option<usize>)> =
            members.declared.iter().map(|one| (one.name.clone(), one.value.schema())).collect();
        let names: Vec<String> = sources.iter().map(|(name, _)| name.clone()).collect();
        for declared in members.declared.into_iter() {
            let node = match declared.value {
                Source::Member(member, value, env) => {
                    let node = self.field_value(value, &member.attributes, env);
                    self.document(node, &member.docs, &member.attributes, env);
                    node
                }
                Source::Schema { node, .. } => node,
            };
            if !declared.optional {
                keywords.object.required.push(At { origin: declared.origin, value: declared.name.clone() });
            }
            keywords.object.properties.push((declared.name, node));
        }
        let alone = members.patterns.is_empty() && !members.open;
        let mut rest = self.other_keys(members.foreign, &sources, alone, &mut keywords);
        let last = members.patterns.len().saturating_sub(1);
        for (at, &(key, value, env)) in members.patterns.iter().enumerate() {
            let before = &members.patterns[..at];
            if at == last && rest.is_none() && self.is_rest(key, env, before) {
                let value = self.value(value, env);
                rest = Some(At { origin: self.origin(key.span, env), value });
                continue;
            }
            self.pattern_key(&mut keywords, &mut rest, &names, (key, value), env);
        }
        if !members.open && rest.is_none() {
            let none = self.parts.node(NodeKind::Bool(false), origin);
            rest = Some(At { origin, value: none });
        }
        keywords.object.additional_properties = rest;
        self.parts.keywords(keywords, origin)
    }

    fn field_value(&mut self, value: &'db Expr, attributes: &'db [Attribute], env: EnvId) -> NodeId {
        let origin = self.origin(value.span, env);
        if attributes.iter().any(super::policy::is_policy) {
            return self.attributed_value(attributes, value, env, origin);
        }
        self.value(value, env)
    }

    /// Collects the members of a record; at each spread, collects the members of the spread record.
    fn members(
        &mut self,
        record: &'db Record,
        env: EnvId,
        spread: Option<Spread>,
        path: &mut Path<'db>,
        members: &mut Members<'db>,
    ) {
        path.push((record, env));
        for (at, member) in record.members.iter().enumerate() {
            members.read += 1;
            // The name is stored twice: here and among the keys.
            let drawn = budget::work(4).and(budget::keep(MEMBER));
            if drawn.is_err() {
                break;
            }
            if members.read > MEMBERS {
                let place = spread.map_or((member.span, env), |spread| (spread.span, spread.env));
                self.too_many_members(place, members.read);
                break;
            }
            match &member.kind {
                MemberKind::Error => {}
                MemberKind::Open => members.open = true,
                MemberKind::Pattern { key, value } => members.patterns.push((key, value, env)),
                MemberKind::Field(field) => self.field(field, member, env, spread, members),
                MemberKind::Spread(base) => {
                    let spread = spread.unwrap_or(Spread { at, span: base.span, env });
                    self.spread(base, env, spread, path, members);
                }
            }
        }
        path.pop();
    }

    /// Collects a field.
    fn field(
        &mut self,
        field: &'db Field,
        member: &'db Member,
        env: EnvId,
        spread: Option<Spread>,
        members: &mut Members<'db>,
    ) {
        let origin = self.origin(field.name.span, env);
        let value = Source::Member(member, &field.value, env);
        let declared = Declared { name: field.name.text.clone(), optional: field.optional, value, origin, spread };
        self.declare(declared, field.name.span, env, members);
    }

    /// Collects the members of a spread: of a record, or of an imported schema that is a plain record.
    fn spread(
        &mut self,
        base: &'db Expr,
        env: EnvId,
        spread: Spread,
        path: &mut Path<'db>,
        members: &mut Members<'db>,
    ) {
        let (inner, inside) = self.unfolded(base, env);
        if let ExprKind::Reference(reference) = &inner.kind
            && let Meaning::Foreign(view, name) = self.meaning(reference, inside)
            && self.is_schema(view)
        {
            if self.is_alone() {
                // When an item is elaborated alone, the schema is not copied, so its keys are unknown.
                return members.open = true;
            }
            let node = self.imported_value(view, &name);
            return self.spread_schema(base, node, env, spread, members);
        }
        if let ExprKind::Reference(reference) = &inner.kind
            && let Meaning::Builtin(builtin) = self.meaning(reference, inside)
            && builtin.kind == BuiltinKind::Value(ValueKind::Omit)
        {
            return self.spread_without(reference, inside, spread, path, members);
        }
        match &inner.kind {
            ExprKind::Record(record) => {
                let known = path.iter().position(|&(known, env)| env == inside && std::ptr::eq(known, record));
                let message = match known {
                    Some(0) => "this record spreads itself".to_owned(),
                    None if path.len() < SPREADS => return self.members(record, inside, Some(spread), path, members),
                    None => format!("spreads nest more than {SPREADS} deep"),
                    // A cycle of other records is reported at one of those records.
                    Some(_) => return self.findings.reported_elsewhere = true,
                };
                self.error(Code::SpreadCycle, spread.span, spread.env, message).help =
                    Some("put what both need into a record of its own, and spread that".to_owned());
            }
            _ if self.is_opaque(inner, inside) => members.open = true,
            ExprKind::Reference(reference) if matches!(self.meaning_reported(reference, inside), Meaning::Unknown) => {}
            _ => {
                self.error(Code::NotARecord, base.span, env, "only a record can be spread").help = Some(
                    "name a type that is `{ ... }`; records are put together by one spread for each: `{ ...A, ...B }`"
                        .to_owned(),
                );
            }
        }
    }

    /// Elaborates `omit<T, K>`: a record with the members of `T` except some.
    pub(super) fn omitted(&mut self, reference: &'db Reference, env: EnvId, origin: Origin) -> NodeId {
        let mut members = Members::default();
        let spread = Spread { at: 0, span: reference.path.span, env };
        self.spread_without(reference, env, spread, &mut Path::new(), &mut members);
        self.collected(members, origin)
    }

    /// Collects the members of a record that `omit<T, K>` keeps.
    fn spread_without(
        &mut self,
        reference: &'db Reference,
        env: EnvId,
        spread: Spread,
        path: &mut Path<'db>,
        members: &mut Members<'db>,
    ) {
        let [base, keys] = reference.arguments.as_slice() else {
            let message = "`omit` takes a record and the keys of the members that it leaves out";
            self.error(Code::WrongArguments, reference.path.span, env, message).help =
                Some("write `omit<T, \"a\" | \"b\">`".to_owned());
            return;
        };
        let (inner, inside) = self.unfolded(&keys.value, env);
        let Some(names) = self.literals(inner, inside) else {
            if !self.is_opaque(inner, inside) {
                self.error(Code::WrongArguments, keys.span, env, "keys are known: literals, with `|` between them")
                    .help = Some("write `omit<T, \"a\" | \"b\">`".to_owned());
            }
            return members.open |= self.is_opaque(inner, inside);
        };
        let text = |name| if let Value::String(text) = name { Some(text) } else { None };
        let names: Vec<String> = names.into_iter().filter_map(text).collect();
        let depth = members.omitted.len();
        members.omitted.extend(names.iter().map(|name| (name.clone(), false)));
        self.spread(&base.value, env, spread, path, members);
        let unmet: Vec<String> = members.omitted.drain(depth..).filter(|(_, met)| !met).map(|(name, _)| name).collect();
        if members.open {
            return;
        }
        for name in unmet {
            let known: Vec<&str> = members.declared.iter().map(|one| one.name.as_str()).collect();
            let near = nearest(&name, known).map(|near| format!("did you mean `{near}`?"));
            let message = format!("the record has no member `{name}` to leave out");
            self.error(Code::WrongArguments, keys.span, env, message).help =
                Some(near.unwrap_or_else(|| "remove the key".to_owned()));
        }
    }

    /// Elaborates `map<K, V>`.
    pub(super) fn map(&mut self, reference: &'db Reference, env: EnvId, origin: Origin) -> NodeId {
        let [key, value] = reference.arguments.as_slice() else {
            self.error(Code::WrongArguments, reference.path.span, env, "`map` needs keys and values").help =
                Some("write `map<string, T>`".to_owned());
            return self.anything(origin);
        };
        let mut keywords = base(ValueKind::Object, origin);
        self.string_keys(&key.value, env);
        let names = self.value(&key.value, env);
        let values = self.value(&value.value, env);
        // All keys are strings, so `string` needs no keyword.
        keywords.object.property_names = (!self.is_every_string(names)).then_some(At { origin, value: names });
        keywords.object.additional_properties = Some(At { origin, value: values });
        self.parts.keywords(keywords, origin)
    }

    /// Returns whether a node is `string` without conditions.
    fn is_every_string(&self, node: NodeId) -> bool {
        let NodeKind::Keywords(keywords) = &self.parts.schemas.nodes[node.0 as usize].kind else { return false };
        let types = keywords.types.as_ref().is_some_and(|types| types.value.string);
        types && Keywords { types: None, ..(**keywords).clone() } == Keywords::default()
    }

    /// Reports a key type that holds no strings.
    fn string_keys(&mut self, key: &'db Expr, env: EnvId) {
        let (inner, inside) = self.unfolded(key, env);
        let other = match &inner.kind {
            ExprKind::Number(_) | ExprKind::Range(_) | ExprKind::Record(_) | ExprKind::Repeat { .. } => true,
            ExprKind::Null | ExprKind::Bool(_) => true,
            ExprKind::Reference(reference) => matches!(
                self.meaning(reference, inside),
                Meaning::Builtin(builtin) if builtin.has_no_string()
            ),
            _ => false,
        };
        if other {
            self.error(Code::KeySet, key.span, env, "keys are strings, and this type has none").help =
                Some("write `string`, a regex or a union of strings; numbers as keys are `/[0-9]+/`".to_owned());
        }
    }

    /// Checks `@discriminator("key")`: every branch must be a record in which the key has literals of its own.
    pub(super) fn discriminated(
        &mut self,
        item: &'db Item,
        definition: &'db Definition,
        body: NodeId,
        env: EnvId,
    ) -> NodeId {
        let Some(attribute) = item.attributes.iter().find(|attribute| AttributeKind::Discriminator.is(attribute))
        else {
            return body;
        };
        let key = match attribute.arguments.as_slice() {
            [one] => match &one.value.kind {
                ExprKind::String(key) => key,
                _ => return body,
            },
            _ => return body,
        };
        let (union, inside) = self.unfolded(&definition.body, env);
        let ExprKind::Union(arms) = &union.kind else {
            self.error(Code::Discriminator, attribute.span, env, "`@discriminator` is for a union of records").help =
                Some("write at least two records with `|` between them".to_owned());
            return body;
        };
        let mut seen: FxHashMap<String, Origin> = FxHashMap::default();
        for arm in arms {
            self.check_branch(&arm.expr, key, inside, &mut seen);
        }
        body
    }

    fn check_branch(&mut self, arm: &'db Expr, key: &str, env: EnvId, seen: &mut FxHashMap<String, Origin>) {
        let here = self.origin(arm.span, env);
        let arm = match &arm.ungrouped().kind {
            ExprKind::Attributed { item, .. } => item,
            _ => arm,
        };
        let (record, inside) = self.unfolded(arm, env);
        let ExprKind::Record(record) = &record.kind else {
            let message = format!("this branch is no record, so it has no key `{key}`");
            self.error(Code::Discriminator, arm.span, env, message).help =
                Some("write a record; what may be null is `| null` where the type is used".to_owned());
            return;
        };
        let mut members = Members::default();
        self.members(record, inside, None, &mut Path::new(), &mut members);
        let declared = members.declared.into_iter().find(|one| one.name == key);
        let literals = match declared {
            Some(Declared { optional: false, value: Source::Member(_, value, env), .. }) => self.literals(value, env),
            _ => None,
        };
        let Some(literals) = literals.filter(|literals| !literals.is_empty()) else {
            let message = format!("this branch has no required key `{key}` with literal values");
            self.error(Code::Discriminator, arm.span, env, message).help =
                Some(format!("write `{key}: \"...\"` in it"));
            return;
        };
        for literal in literals {
            let shown = format!("{literal:?}");
            if let Some(&first) = seen.get(&shown) {
                let found =
                    self.error(Code::Discriminator, arm.span, env, format!("two branches have the same `{key}`"));
                found.labels.push((first, "the other one".to_owned()));
                found.help = Some("give each branch literals of its own".to_owned());
                return;
            }
            seen.insert(shown, here);
        }
    }

    /// Returns the literals of an expression that is a union of literals.
    fn literals(&mut self, expr: &'db Expr, env: EnvId) -> Option<Vec<Value>> {
        let (expr, env) = self.unfolded(expr, env);
        match &expr.kind {
            ExprKind::Union(arms) => {
                let mut all = Vec::new();
                for arm in arms {
                    all.extend(self.literals(&arm.expr, env)?);
                }
                Some(all)
            }
            _ => Some(vec![self.constant(expr, env)?]),
        }
    }
}
