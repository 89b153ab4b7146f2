//! Prints names with arguments, attributes, records and doc comments.

use super::expr::{Level, Printer, joined, key};
use crate::ogc::ast::{Argument, Attribute, Doc, Member, MemberKind, Path, Reference};

impl Printer {
    /// Writes `@name(arguments)`.
    pub(super) fn attribute(self, attribute: &Attribute, out: &mut String) {
        out.push_str(&format!("@{}", attribute.name.text));
        if !attribute.arguments.is_empty() {
            out.push('(');
            self.arguments(&attribute.arguments, out);
            out.push(')');
        }
    }

    pub(super) fn arguments(self, arguments: &[Argument], out: &mut String) {
        joined(arguments, ", ", out, |argument, out| {
            if let Some(name) = &argument.name {
                out.push_str(&format!("{} = ", name.text));
            }
            self.expr(&argument.value, Level::Union, out);
        });
    }

    pub(super) fn reference(self, reference: &Reference, out: &mut String) {
        self.path(&reference.path, out);
        if !reference.arguments.is_empty() {
            out.push('<');
            self.arguments(&reference.arguments, out);
            out.push('>');
        }
    }

    /// Writes a path such as `a.b."c-d"`.
    pub(super) fn path(self, path: &Path, out: &mut String) {
        joined(&path.segments, ".", out, key);
    }

    pub(super) fn record(self, members: &[Member], out: &mut String) {
        if members.is_empty() {
            out.push_str("{}");
            return;
        }
        out.push_str("{ ");
        joined(members, ", ", out, |member, out| self.member(member, out));
        out.push_str(" }");
    }

    pub(super) fn member(self, member: &Member, out: &mut String) {
        self.docs(&member.docs, out);
        for attribute in &member.attributes {
            self.attribute(attribute, out);
            out.push(' ');
        }
        match &member.kind {
            MemberKind::Error => out.push_str("error: error"),
            MemberKind::Open => out.push_str("..."),
            MemberKind::Field(field) => {
                key(&field.name, out);
                out.push_str(if field.optional { "?: " } else { ": " });
                self.expr(&field.value, Level::Union, out);
            }
            MemberKind::Pattern { key, value } => {
                self.wrapped("[", key, "]: ", out);
                self.expr(value, Level::Union, out);
            }
            MemberKind::Spread(base) => {
                out.push_str("...");
                self.expr(base, Level::Postfix, out);
            }
        }
    }

    /// Writes doc comments on their own lines.
    pub(super) fn docs(self, docs: &[Doc], out: &mut String) {
        for doc in docs.iter().filter(|_| self.docs) {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            let space = if doc.text.is_empty() { "" } else { " " };
            out.push_str(&format!("///{space}{}\n", doc.text.replace(['\n', '\r'], " ")));
        }
    }
}
