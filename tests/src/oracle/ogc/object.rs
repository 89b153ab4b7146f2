//! Decides whether an object is in records, maps and conditions: its keys, their order, their values.

use ogc_grammar::ogc::ast::{Expr, ExprKind, MemberKind, Record};

use super::Judge;
use super::json::Value;
use super::scope::{Env, Meaning};
use super::value::{Look, Typed, within};

/// The members of a record; spreads are replaced by the members that they add.
#[derive(Clone, Debug, Default)]
struct Members<'p> {
    declared: Vec<Declared<'p>>,
    patterns: Vec<(Typed<'p>, Typed<'p>)>,
    open: bool,
}

#[derive(Clone, Debug)]
struct Declared<'p> {
    key: &'p str,
    optional: bool,
    value: Typed<'p>,
}

impl<'p> Members<'p> {
    fn find(&self, key: &str) -> Option<&Declared<'p>> {
        self.declared.iter().find(|declared| declared.key == key)
    }
}

impl<'p> Judge<'p> {
    /// Returns whether an object satisfies all conditions.
    pub(super) fn object(&self, conditions: &[Typed<'p>], members: &[(String, Value)], look: Look) -> bool {
        let records: Vec<Members<'p>> = conditions.iter().filter_map(|(expr, env)| self.record_of(expr, env)).collect();
        let declared: Vec<&str> = order(&records);
        self.keys_stand(&declared, members, look)
            && conditions.iter().all(|(expr, env)| self.counted(expr, env, members))
            && records.iter().all(|record| complete(record, members))
            && members.iter().all(|(key, value)| {
                let types: Option<Vec<Vec<Typed<'p>>>> = records.iter().map(|record| self.types(record, key)).collect();
                types.is_some_and(|types| self.fits(types.concat(), value, Look { branch: false, ..look }))
            })
    }

    /// Returns whether declared keys come once each, in their order, before all others.
    fn keys_stand(&self, declared: &[&str], members: &[(String, Value)], look: Look) -> bool {
        let place = |key: &str| declared.iter().position(|known| *known == key);
        let places: Vec<Option<usize>> = members.iter().map(|(key, _)| place(key)).collect();
        let repeated = |at: usize| members[..at].iter().any(|(key, _)| *key == members[at].0);
        for at in (0..members.len()).filter(|&at| repeated(at)) {
            if places[at].is_some() {
                return false;
            }
            // The reference does not define the meaning of a repeated key for counts and differences.
            self.give_up();
        }
        let number = |place: &Option<usize>| place.unwrap_or(declared.len());
        !look.written || look.any_order || places.is_sorted_by_key(number)
    }

    /// Returns whether an object satisfies `object<m..n, keys = K>`.
    fn counted(&self, expr: &'p Expr, env: &Env<'p>, members: &[(String, Value)]) -> bool {
        let ExprKind::Reference(reference) = &expr.kind else { return true };
        let Meaning::Builtin("object") = self.meaning(reference, env) else { return true };
        reference.arguments.iter().all(|argument| match &argument.name {
            None => within(members.len(), self.times_argument(&argument.value, env)),
            Some(_) => members.iter().all(|(key, _)| self.is_key(&(&argument.value, env.clone()), key)),
        })
    }

    fn is_key(&self, keys: &Typed<'p>, key: &str) -> bool {
        self.member(keys.clone(), &Value::String(key.to_owned()))
    }

    /// Returns the types of a key's value; `None` if there is no such key.
    fn types(&self, record: &Members<'p>, key: &str) -> Option<Vec<Typed<'p>>> {
        if let Some(declared) = record.find(key) {
            return Some(vec![declared.value.clone()]);
        }
        let patterns = record.patterns.iter().filter(|(keys, _)| self.is_key(keys, key));
        let found: Vec<Typed<'p>> = patterns.map(|(_, value)| value.clone()).collect();
        (record.open || !found.is_empty()).then_some(found)
    }

    /// Returns the members of a condition that is a record or a map.
    fn record_of(&self, expr: &'p Expr, env: &Env<'p>) -> Option<Members<'p>> {
        match &expr.kind {
            ExprKind::Record(record) => Some(self.members(record, env)),
            ExprKind::Reference(reference) => match (self.meaning(reference, env), reference.arguments.as_slice()) {
                (Meaning::Builtin("omit"), [_, _]) => self.spread(expr, env),
                (Meaning::Builtin("map"), [keys, values]) => {
                    let pattern = ((&keys.value, env.clone()), (&values.value, env.clone()));
                    Some(Members { patterns: vec![pattern], ..Members::default() })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the members that a spread adds: of a record, or of a record without some of its members.
    fn spread(&self, base: &'p Expr, env: &Env<'p>) -> Option<Members<'p>> {
        let (base, inside) = self.unfolded(base, env);
        match &base.kind {
            ExprKind::Record(record) => Some(self.members(record, &inside)),
            ExprKind::Reference(reference) => {
                match (self.meaning(reference, &inside), reference.arguments.as_slice()) {
                    (Meaning::Builtin("omit"), [record, keys]) => {
                        let mut members = self.spread(&record.value, &inside)?;
                        let keys = (&keys.value, inside);
                        members.declared.retain(|one| !self.is_key(&keys, one.key));
                        Some(members)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn members(&self, record: &'p Record, env: &Env<'p>) -> Members<'p> {
        let mut all = Members::default();
        for member in &record.members {
            match &member.kind {
                MemberKind::Field(field) => {
                    let value = (&field.value, env.clone());
                    let new = Declared { key: &field.name.text, optional: field.optional, value };
                    match all.declared.iter_mut().find(|one| one.key == new.key) {
                        Some(inherited) => *inherited = new,
                        None => all.declared.push(new),
                    }
                }
                MemberKind::Pattern { key, value } => all.patterns.push(((key, env.clone()), (value, env.clone()))),
                MemberKind::Open => all.open = true,
                MemberKind::Spread(base) => {
                    let Some(base) = self.spread(base, env) else { continue };
                    for inherited in base.declared {
                        if all.find(inherited.key).is_none() {
                            all.declared.push(inherited);
                        }
                    }
                    all.patterns.extend(base.patterns);
                    all.open |= base.open;
                }
                MemberKind::Error => {}
            }
        }
        all
    }
}

/// Returns the declared keys of all records, beginning with those of the first one.
fn order<'p>(records: &[Members<'p>]) -> Vec<&'p str> {
    let mut all = Vec::new();
    for declared in records.iter().flat_map(|record| &record.declared) {
        if !all.contains(&declared.key) {
            all.push(declared.key);
        }
    }
    all
}

fn complete(record: &Members<'_>, members: &[(String, Value)]) -> bool {
    let has = |key: &str| members.iter().any(|(name, _)| name == key);
    record.declared.iter().all(|declared| declared.optional || has(declared.key))
}
