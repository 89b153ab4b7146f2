//! Reads keywords that combine schemas of the same value.

use super::super::reader::{Read, Reader};
use super::super::site::Site;
use ogc_grammar::json::Member;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Conditional, Keywords, NodeId};

impl<'a> Reader<'a> {
    pub(super) fn all_of(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        out.all_of.extend(self.schemas(site, member)?);
        Ok(())
    }

    /// Reads `anyOf` or `oneOf`.
    pub(super) fn alternatives(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Vec<At<Vec<NodeId>>>) -> Read {
        let arms = self.schemas(site, member)?;
        out.push(self.at(site, member, arms));
        Ok(())
    }

    pub(super) fn conditional(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        let condition = self.schema(site, member);
        let then = self.sibling_schema(site, "then");
        let otherwise = self.sibling_schema(site, "else");
        out.conditional = Some(self.at(site, member, Conditional { condition, then, otherwise }));
        Ok(())
    }

    fn sibling_schema(&mut self, site: &Site<'a>, key: &str) -> Option<NodeId> {
        let member = site.members.iter().find(|m| m.key.value == key)?;
        Some(self.schema(site, member))
    }

    /// Reads `then` and `else`, which belong to their `if`.
    pub(super) fn branch(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        if site.get("if").is_some() {
            return Ok(());
        }
        let message = format!("`{}` without `if` constrains nothing", member.key.value);
        let span = self.span(site.scope, member.key.span);
        let finding = Diagnostic::warning(Code::IdleKeyword, span, message).help("add `if`, or remove it");
        Err(self.refuse(finding))
    }
}
