//! Elaborates `...S` for an imported schema `S`: the members of the record that the schema describes.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::Expr;
use ogc_regular::pattern::compile;
use ogc_regular::{Limits, budget};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, ObjectKeywords, Origin, Types};
use rustc_hash::FxHashSet;

use super::keys::without_found;
use super::literal::NO_TYPES;
use super::members::{Declared, MEMBER, MEMBERS, Members, OtherKeys, Source, Spread};
use super::{Elaborator, EnvId};
use crate::db::lines;

/// Maximum length of a chain of `$ref`s to a record.
const REFERENCES: usize = 64;

/// The reason why a schema cannot be spread.
struct Obstacle {
    /// The reason as a sentence.
    says: String,
    origin: Origin,
}

impl Obstacle {
    fn keyword(name: &str, origin: Origin) -> Obstacle {
        Obstacle { says: format!("`{name}` says more than which members an object has"), origin }
    }
}

impl<'db> Elaborator<'db> {
    /// Collects the members of an imported schema that is a plain record.
    pub(super) fn spread_schema(
        &mut self,
        base: &'db Expr,
        node: NodeId,
        env: EnvId,
        spread: Spread,
        members: &mut Members<'db>,
    ) {
        let object = match self.plain_record(node) {
            Ok(object) => object,
            Err(obstacle) => return self.no_plain_record(base, env, &obstacle),
        };
        let schema = members.foreign.len();
        let required: FxHashSet<&str> = object.required.iter().map(|name| name.value.as_str()).collect();
        let mut known: FxHashSet<&str> = object.properties.iter().map(|(name, _)| name.as_str()).collect();
        let mut keys: Vec<(String, NodeId, bool)> = Vec::with_capacity(object.properties.len());
        for (name, node) in &object.properties {
            keys.push((name.clone(), *node, !required.contains(name.as_str())));
        }
        for name in &object.required {
            if known.insert(&name.value) {
                let value = self.undeclared(&object, &name.value, name.origin);
                keys.push((name.value.clone(), value, false));
            }
        }
        for (name, node, optional) in keys {
            members.read += 1;
            let drawn = budget::work(4).and(budget::keep(MEMBER));
            if drawn.is_err() {
                break;
            }
            if members.read > MEMBERS {
                self.too_many_members((base.span, env), members.read);
                break;
            }
            let origin = self.origin(base.span, env);
            let value = Source::Schema { node, schema };
            let declared = Declared { name, optional, value, origin, spread: Some(spread) };
            self.declare(declared, base.span, env, members);
        }
        let mut rest = object.additional_properties;
        match &rest {
            None => members.open = true,
            Some(at) if *self.node_kind(at.value) == NodeKind::Bool(true) => {
                members.open = true;
                rest = None;
            }
            Some(at) if *self.node_kind(at.value) == NodeKind::Bool(false) => rest = None,
            Some(_) => {}
        }
        members.foreign.push(OtherKeys { patterns: object.pattern_properties, rest });
    }

    fn node_kind(&self, node: NodeId) -> &NodeKind {
        &self.parts.schemas.nodes[node.0 as usize].kind
    }

    /// Returns the value of a key that is required but not declared. Patterns that match the key still apply beside it,
    /// so the value need not include them.
    fn undeclared(&mut self, object: &ObjectKeywords, name: &str, origin: Origin) -> NodeId {
        let matches = |(pattern, _): &(At<String>, NodeId)| {
            compile(&pattern.value, &Limits::default()).is_ok_and(|dfa| dfa.contains(name.as_bytes()))
        };
        match &object.additional_properties {
            Some(rest) if !object.pattern_properties.iter().any(matches) => rest.value,
            _ => self.anything(origin),
        }
    }

    /// Returns the members of a plain record: a schema with `type: object`, members, and no other keyword about
    /// objects.
    fn plain_record(&self, node: NodeId) -> Result<ObjectKeywords, Obstacle> {
        let mut node = node;
        for _ in 0..REFERENCES {
            let origin = self.parts.schemas.nodes[node.0 as usize].origin;
            let keywords = match self.node_kind(node) {
                NodeKind::Keywords(keywords) => keywords,
                NodeKind::Bool(_) => {
                    return Err(Obstacle { says: "a schema without keywords is no record".into(), origin });
                }
            };
            match alias(keywords) {
                Some(next) => node = next,
                None => {
                    return match obstacle(keywords, origin) {
                        Some(obstacle) => Err(obstacle),
                        None => Ok(keywords.object.clone()),
                    };
                }
            }
        }
        let origin = self.parts.schemas.nodes[node.0 as usize].origin;
        Err(Obstacle { says: format!("`$ref` leads to no record after {REFERENCES} schemas"), origin })
    }

    /// Reports a schema that cannot be spread.
    fn no_plain_record(&mut self, base: &'db Expr, env: EnvId, obstacle: &Obstacle) {
        let place = self.parts.places.get((obstacle.origin.0 as usize).wrapping_sub(1));
        let place = place.map_or_else(String::new, |place| {
            let line = lines(self.db, place.file).place(place.span.start).line + 1;
            format!(" (line {line} of `{}`)", place.file.name(self.db))
        });
        let message = format!("this schema cannot be spread: {}{place}", obstacle.says);
        self.error(Code::NotARecord, base.span, env, message).help = Some(
            "join the schema with `&` instead, as in `S & { more: int, ... }`, or write its members out".to_owned(),
        );
    }

    /// Adds the rules of the spread schemas for other keys to a record whose declared keys are `declared`.
    ///
    /// These rules do not apply to keys that are declared elsewhere in the record. If only one schema has such rules
    /// (`alone`: and the record has neither patterns nor `...`), its `additionalProperties` can stay as it is.
    pub(super) fn other_keys(
        &mut self,
        schemas: Vec<OtherKeys>,
        declared: &[(String, Option<usize>)],
        alone: bool,
        keywords: &mut Keywords,
    ) -> Option<At<NodeId>> {
        let alone = alone && schemas.iter().filter(|one| !one.patterns.is_empty() || one.rest.is_some()).count() == 1;
        let mut only = None;
        for (index, other) in schemas.into_iter().enumerate() {
            let elsewhere = |(name, from): &(String, Option<usize>)| (*from != Some(index)).then(|| name.clone());
            let elsewhere: Vec<String> = declared.iter().filter_map(elsewhere).collect();
            let patterns: Vec<String> = other.patterns.iter().map(|(pattern, _)| pattern.value.clone()).collect();
            for (pattern, node) in other.patterns {
                let value = without_found(&pattern.value, &elsewhere);
                keywords.object.pattern_properties.push((At { value, ..pattern }, node));
            }
            match other.rest {
                Some(rest) if alone => only = Some(rest),
                Some(rest) => {
                    let names: Vec<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
                    let value = super::keys::all_but(&names, &patterns);
                    keywords.object.pattern_properties.push((At { origin: rest.origin, value }, rest.value));
                }
                None => {}
            }
        }
        only
    }
}

/// Returns the target of a schema that is nothing but a `$ref`.
fn alias(keywords: &Keywords) -> Option<NodeId> {
    let mut rest = keywords.clone();
    let target = rest.reference.take()?;
    (rest == Keywords::default()).then_some(target.value)
}

/// Returns the first keyword that makes a schema more than a record. Keywords about other types do not constrain
/// objects.
fn obstacle(keywords: &Keywords, origin: Origin) -> Option<Obstacle> {
    let object = &keywords.object;
    let general = [
        ("enum", keywords.one_of_values.first().map(|list| list.origin)),
        ("$ref", keywords.reference.as_ref().map(|target| target.origin)),
        ("allOf", keywords.all_of.first().map(|_| origin)),
        ("anyOf", keywords.any_of.first().map(|arms| arms.origin)),
        ("oneOf", keywords.one_of.first().map(|arms| arms.origin)),
        ("not", keywords.not.as_ref().map(|not| not.origin)),
        ("if", keywords.conditional.as_ref().map(|conditional| conditional.origin)),
        ("propertyNames", object.property_names.as_ref().map(|names| names.origin)),
        ("minProperties", object.min_properties.as_ref().map(|count| count.origin)),
        ("maxProperties", object.max_properties.as_ref().map(|count| count.origin)),
        ("dependentRequired", object.dependent_required.first().map(|(key, _)| key.origin)),
        ("dependentSchemas", object.dependent_schemas.first().map(|(key, _)| key.origin)),
    ];
    if let Some((name, origin)) = general.iter().find_map(|(name, origin)| Some((*name, (*origin)?))) {
        return Some(Obstacle::keyword(name, origin));
    }
    let only_objects = Types { object: true, ..NO_TYPES };
    match &keywords.types {
        Some(types) if types.value == only_objects => None,
        Some(types) => Some(Obstacle { says: "its `type` is not just `object`".to_owned(), origin: types.origin }),
        None => {
            Some(Obstacle { says: "without `\"type\": \"object\"` it allows more than objects".to_owned(), origin })
        }
    }
}
