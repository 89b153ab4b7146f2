//! Reads keywords about arrays. The array form of `items` and its `additionalItems` become `prefixItems` and `items`.

use super::super::by_name::Draft;
use super::super::reader::{Read, Reader};
use super::super::site::Site;
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{ArrayKeywords, At};

impl<'a> Reader<'a> {
    pub(super) fn prefix_items(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ArrayKeywords) -> Read {
        out.prefix_items = self.schemas(site, member)?;
        Ok(())
    }

    pub(super) fn unevaluated_items(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        let rest = self.schema_at(site, member);
        self.pending.add_items(site.node, rest);
        Ok(())
    }

    pub(super) fn items(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ArrayKeywords) -> Read {
        let JsonKind::Array(items) = &member.value.kind else {
            out.items = Some(self.schema_at(site, member));
            return Ok(());
        };
        if site.draft() < Draft::Draft2020 {
            out.prefix_items = self.element_schemas(site, member, items);
            return Ok(());
        }
        if site.get("prefixItems").is_some() {
            return Err(self.malformed(site, member, &member.value, "a schema beside `prefixItems`"));
        }
        out.prefix_items = self.element_schemas(site, member, items);
        let span = self.span(site.scope, member.key.span);
        let message = "the array form of `items` is of older drafts; it is read as they mean it";
        Err(self.refuse(Diagnostic::warning(Code::ArrayItems, span, message).help("write `prefixItems`")))
    }

    /// Reads `additionalItems`, which every draft ignores without the array form of `items`.
    pub(super) fn additional_items(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ArrayKeywords) -> Read {
        if site.get("items").and_then(JsonValue::as_array).is_some() {
            out.items = Some(self.schema_at(site, member));
            return Ok(());
        }
        let message = "`additionalItems` without an array in `items` constrains nothing";
        let span = self.span(site.scope, member.key.span);
        let help = "write `items` for a schema of all items, or remove it";
        Err(self.refuse(Diagnostic::warning(Code::IdleKeyword, span, message).help(help)))
    }

    pub(super) fn unique_items(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ArrayKeywords) -> Read {
        let Some(is_unique) = member.value.as_bool() else {
            return Err(self.malformed(site, member, &member.value, "a boolean"));
        };
        out.unique_items = is_unique.then(|| self.at(site, member, ()).origin);
        Ok(())
    }

    pub(super) fn contains(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ArrayKeywords) -> Read {
        out.contains = Some(self.schema_at(site, member));
        if site.draft() < Draft::Draft2020 {
            self.pending.contains_evaluates_nothing(site.node);
        }
        Ok(())
    }

    /// Reads `minContains` or `maxContains`; without `contains` beside it, it has no effect.
    pub(super) fn contains_count(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Option<At<u64>>) -> Read {
        let count = self.count(site, member)?;
        if site.get("contains").is_none() {
            let message = format!("`{}` without `contains` constrains nothing", member.key.value);
            let span = self.span(site.scope, member.key.span);
            let help = "add `contains`, or remove it";
            return Err(self.refuse(Diagnostic::warning(Code::IdleKeyword, span, message).help(help)));
        }
        *out = Some(count);
        Ok(())
    }
}
