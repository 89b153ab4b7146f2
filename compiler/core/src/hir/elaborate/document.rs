//! Keeps doc comments and annotations (`@title`, `@examples` and others that constrain nothing) of types, fields and
//! branches.

use ogc_grammar::ogc::ast::{Attribute, Doc, Expr, ExprKind, Member, MemberKind, Reference};
use ogc_schema::source::{NodeId, Value};

use super::{Elaborator, EnvId};
use crate::frontend::docs::{Docs, WHY_DEPRECATED};
use crate::hir::attribute::AttributeKind;

impl<'db> Elaborator<'db> {
    /// Keeps the doc comments and annotations of a node.
    pub(super) fn document(&mut self, node: NodeId, docs: &[Doc], attributes: &'db [Attribute], env: EnvId) {
        let lines: Vec<&str> = docs.iter().map(|doc| doc.text.as_str()).collect();
        let mut said = Docs { description: (!lines.is_empty()).then(|| lines.join("\n")), ..Docs::default() };
        for attribute in attributes {
            let values: Vec<&Expr> = attribute.arguments.iter().map(|one| &one.value).collect();
            let first = values.first().map(|first| &first.kind);
            match (AttributeKind::of(&attribute.name.text), first) {
                (Some(AttributeKind::Title), Some(ExprKind::String(title))) => said.title = Some(title.clone()),
                (Some(AttributeKind::Discriminator), Some(ExprKind::String(key))) => {
                    said.discriminator = Some(key.clone())
                }
                (Some(AttributeKind::Deprecated), why) => {
                    said.deprecated = true;
                    if let Some(ExprKind::String(why)) = why {
                        said.others.push((WHY_DEPRECATED.to_owned(), Value::String(why.clone())));
                    }
                }
                (Some(AttributeKind::Examples), Some(_)) => {
                    said.examples = values.iter().filter_map(|one| self.said(one, env)).collect();
                }
                (Some(AttributeKind::Default), Some(_)) => {
                    said.default = values.first().and_then(|one| self.said(one, env))
                }
                (Some(AttributeKind::Annotation), Some(ExprKind::String(key))) => {
                    let value = values.get(1).and_then(|one| self.said(one, env));
                    said.others.extend(value.map(|value| (key.clone(), value)));
                }
                _ => {}
            }
        }
        if !said.is_empty() {
            self.parts.docs.insert(node, said);
        }
    }

    /// Returns the JSON value of an example or default. It is written as a literal, a record, `tuple<...>` of such
    /// values, or `array<0..0>` for `[]`. The parser's nesting limit bounds the recursion.
    fn said(&mut self, expr: &Expr, env: EnvId) -> Option<Value> {
        match &expr.ungrouped().kind {
            ExprKind::Record(record) => {
                let members = record.members.iter().map(|member| self.said_member(member, env));
                Some(Value::Object(members.collect::<Option<_>>()?))
            }
            ExprKind::Reference(reference) => self.said_items(reference, env),
            _ => self.constant(expr, env),
        }
    }

    fn said_member(&mut self, member: &Member, env: EnvId) -> Option<(String, Value)> {
        let MemberKind::Field(field) = &member.kind else { return None };
        Some((field.name.text.clone(), self.said(&field.value, env)?))
    }

    fn said_items(&mut self, reference: &Reference, env: EnvId) -> Option<Value> {
        let [name] = reference.path.segments.as_slice() else { return None };
        let items = match name.text.as_str() {
            "tuple" => reference.arguments.iter().map(|one| self.said(&one.value, env)).collect::<Option<_>>()?,
            "array" => Vec::new(),
            _ => return None,
        };
        Some(Value::Array(items))
    }
}
