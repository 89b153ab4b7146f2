//! Reads operands of keywords: lists, objects, counts, numbers and subschemas. An operand of another type is reported.

use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::super::scope::ScopedSchema;
use super::super::site::Site;
use super::super::value;
use ogc_grammar::json::{JsonValue, Member};
use ogc_grammar::{Code, Diagnostic};
use ogc_regular::number::Decimal;
use ogc_schema::source::{At, NodeId};

impl<'a> Reader<'a> {
    /// Reports that the operand of `member`, or the part `found` of it, is not what it must be.
    pub(super) fn malformed(&mut self, site: &Site<'a>, member: &Member, found: &JsonValue, wanted: &str) -> FateKind {
        let (key, kind) = (&member.key.value, found.type_name());
        let message = format!("`{key}` takes {wanted}, and this is of type {kind}");
        self.invalid(site, found, message, format!("write {wanted}, or remove `{key}`"))
    }

    /// Reports that `found` has the right type but a value that the standard forbids.
    pub(super) fn invalid(
        &mut self,
        site: &Site<'a>,
        found: &JsonValue,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> FateKind {
        let span = self.span(site.scope, found.span);
        self.refuse(Diagnostic::error(Code::KeywordValue, span, message).help(help))
    }

    pub(super) fn list(&mut self, site: &Site<'a>, member: &'a Member) -> Result<&'a [JsonValue], FateKind> {
        member.value.as_array().ok_or_else(|| self.malformed(site, member, &member.value, "an array"))
    }

    pub(super) fn object(&mut self, site: &Site<'a>, member: &'a Member) -> Result<&'a [Member], FateKind> {
        member.value.as_object().ok_or_else(|| self.malformed(site, member, &member.value, "an object"))
    }

    pub(super) fn text(
        &mut self,
        site: &Site<'a>,
        member: &'a Member,
        value: &'a JsonValue,
    ) -> Result<&'a str, FateKind> {
        value.as_str().ok_or_else(|| self.malformed(site, member, value, "a string"))
    }

    pub(super) fn count(&mut self, site: &Site<'a>, member: &'a Member) -> Result<At<u64>, FateKind> {
        let found = &member.value;
        let wanted = "a whole number not below zero";
        let literal = found.as_number().ok_or_else(|| self.malformed(site, member, found, wanted))?;
        let Some(count) = value::count(literal) else {
            let message = format!("`{}` takes {wanted}, and this is {literal}", member.key.value);
            return Err(self.invalid(site, found, message, "write 0 or a greater whole number"));
        };
        Ok(self.at(site, member, count))
    }

    /// Reads a keyword whose operand is a count.
    pub(super) fn set_count(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Option<At<u64>>) -> Read {
        *out = Some(self.count(site, member)?);
        Ok(())
    }

    /// Reads a keyword whose operand is a schema.
    pub(super) fn set_schema(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Option<At<NodeId>>) -> Read {
        *out = Some(self.schema_at(site, member));
        Ok(())
    }

    pub(super) fn number(&mut self, site: &Site<'a>, member: &'a Member) -> Result<At<Decimal>, FateKind> {
        let found = &member.value;
        let literal = found.as_number().ok_or_else(|| self.malformed(site, member, found, "a number"))?;
        match Decimal::parse(literal) {
            Ok(number) => Ok(self.at(site, member, number)),
            Err(error) => Err(self.number_limit(site, found, error.to_string())),
        }
    }

    pub(super) fn number_limit(&mut self, site: &Site<'a>, found: &JsonValue, why: String) -> FateKind {
        let span = self.span(site.scope, found.span);
        self.refuse(Diagnostic::error(Code::NumberLimit, span, why).help("write a number with fewer digits"))
    }

    /// Returns the node of the subschema that is a keyword's whole operand.
    pub(super) fn schema(&mut self, site: &Site<'a>, member: &'a Member) -> NodeId {
        self.subschema(site, member, &member.value, || None)
    }

    /// Returns the node of a subschema with its place.
    pub(super) fn schema_at(&mut self, site: &Site<'a>, member: &'a Member) -> At<NodeId> {
        let node = self.schema(site, member);
        self.at(site, member, node)
    }

    /// Returns the nodes of a list of subschemas.
    pub(super) fn schemas(&mut self, site: &Site<'a>, member: &'a Member) -> Result<Vec<NodeId>, FateKind> {
        let items = self.list(site, member)?;
        if items.is_empty() {
            let message = format!("`{}` is empty, and the standard wants at least one schema", member.key.value);
            return Err(self.invalid(site, &member.value, message, format!("remove `{}`", member.key.value)));
        }
        Ok(self.element_schemas(site, member, items))
    }

    pub(super) fn element_schemas(
        &mut self,
        site: &Site<'a>,
        member: &'a Member,
        items: &'a [JsonValue],
    ) -> Vec<NodeId> {
        let node = |(index, item)| self.subschema(site, member, item, || Some(format!("{index}")));
        items.iter().enumerate().map(node).collect()
    }

    /// Returns the node of the subschema under a key in an object of schemas.
    pub(super) fn named_schema(&mut self, site: &Site<'a>, member: &'a Member, entry: &'a Member) -> NodeId {
        self.subschema(site, member, &entry.value, || Some(entry.key.value.clone()))
    }

    fn subschema(
        &mut self,
        site: &Site<'a>,
        member: &'a Member,
        value: &'a JsonValue,
        token: impl FnOnce() -> Option<String>,
    ) -> NodeId {
        let place = ScopedSchema { value, scope: site.scope };
        self.node_at(place, || site.pointer_to(&member.key.value, token().as_deref()))
    }
}
