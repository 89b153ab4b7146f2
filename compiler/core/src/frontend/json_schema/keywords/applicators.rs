//! Reads keywords that combine schemas of the same value.

use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::Site;
use ogc_grammar::json::Member;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{Conditional, Keywords, NodeId};

impl<'a> Reader<'a> {
    pub(super) fn applicator(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        match member.key.value.as_str() {
            "allOf" => out.all_of.extend(self.schemas(site, member)?),
            "anyOf" => {
                let arms = self.schemas(site, member)?;
                out.any_of.push(self.at(site, member, arms));
            }
            "oneOf" => {
                let arms = self.schemas(site, member)?;
                out.one_of.push(self.at(site, member, arms));
            }
            "not" => out.not = Some(self.schema_at(site, member)),
            "if" => self.conditional(site, member, out),
            _ => return self.branch(site, member),
        }
        Ok(())
    }

    fn conditional(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) {
        let condition = self.schema(site, member);
        let then = self.sibling_schema(site, "then");
        let otherwise = self.sibling_schema(site, "else");
        out.conditional = Some(self.at(site, member, Conditional { condition, then, otherwise }));
    }

    fn sibling_schema(&mut self, site: &Site<'a>, key: &str) -> Option<NodeId> {
        let member = site.members.iter().find(|m| m.key.value == key)?;
        Some(self.schema(site, member))
    }

    /// Reads `then` and `else`, which belong to their `if`.
    fn branch(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        if site.get("if").is_some() {
            return Ok(());
        }
        let message = format!("`{}` without `if` constrains nothing", member.key.value);
        let span = self.span(site.scope, member.key.span);
        let finding = Diagnostic::warning(Code::IdleKeyword, span, message).help("add `if`, or remove it");
        self.say(finding);
        Err(FateKind::Annotation)
    }
}
