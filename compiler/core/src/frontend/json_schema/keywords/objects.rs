//! Reads keywords about objects. `dependencies` becomes its two successors.

use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::super::site::Site;
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, ObjectKeywords};

impl<'a> Reader<'a> {
    pub(super) fn unevaluated_properties(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        let rest = self.schema_at(site, member);
        self.pending.add_properties(site.node, rest);
        Ok(())
    }

    pub(super) fn properties(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        let entries = self.object(site, member)?;
        out.properties.reserve_exact(entries.len());
        for entry in entries {
            if is_list_of_names(entry) {
                self.say_of_required(site, entry);
                continue;
            }
            let node = self.named_schema(site, member, entry);
            out.properties.push((entry.key.value.clone(), node));
        }
        Ok(())
    }

    /// Reports a `required` list that stands among the properties, one object too deep.
    fn say_of_required(&mut self, site: &Site<'a>, entry: &Member) {
        let message = "a list of names is no schema: this makes no property required";
        let finding = Diagnostic::error(Code::NotASchema, self.span(site.scope, entry.key.span), message);
        self.say(finding.help("move `required` out of `properties`, beside it"));
    }

    pub(super) fn pattern_properties(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        for entry in self.object(site, member)? {
            let node = self.named_schema(site, member, entry);
            self.warn_of_slashes(&entry.key.value, self.span(site.scope, entry.key.span));
            let pattern = self.key_at(site, entry);
            out.pattern_properties.push((pattern, node));
        }
        Ok(())
    }

    fn key_at(&mut self, site: &Site<'a>, entry: &Member) -> At<String> {
        At { origin: self.origin(site.scope, entry.key.span), value: entry.key.value.clone() }
    }

    pub(super) fn required(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        if member.value.as_bool().is_some() {
            let message = "`required` takes the list of the required names; a boolean is of draft 3";
            let help = "list the name of this property in the `required` of the object that has it";
            return Err(self.invalid(site, &member.value, message, help));
        }
        for name in self.list(site, member)? {
            let text = self.text(site, member, name)?.to_owned();
            let origin = self.origin(site.scope, name.span);
            out.required.push(At { origin, value: text });
        }
        Ok(())
    }

    /// Reads `dependencies`, which has names for some keys and schemas for others.
    pub(super) fn dependencies(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        for entry in self.object(site, member)? {
            match &entry.value.kind {
                JsonKind::Array(names) => self.dependent_names(site, member, entry, names, out)?,
                _ => self.dependent_schema(site, member, entry, out),
            }
        }
        Ok(())
    }

    pub(super) fn dependent_required(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        for entry in self.object(site, member)? {
            match &entry.value.kind {
                JsonKind::Array(names) => self.dependent_names(site, member, entry, names, out)?,
                _ => return Err(self.malformed(site, member, &entry.value, "lists of names")),
            }
        }
        Ok(())
    }

    pub(super) fn dependent_schemas(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        for entry in self.object(site, member)? {
            self.dependent_schema(site, member, entry, out);
        }
        Ok(())
    }

    fn dependent_names(
        &mut self,
        site: &Site<'a>,
        member: &'a Member,
        entry: &'a Member,
        names: &'a [JsonValue],
        out: &mut ObjectKeywords,
    ) -> Read {
        let names = self.names(site, member, names)?;
        let trigger = self.key_at(site, entry);
        out.dependent_required.push((trigger, names));
        Ok(())
    }

    fn dependent_schema(&mut self, site: &Site<'a>, member: &'a Member, entry: &'a Member, out: &mut ObjectKeywords) {
        let node = self.named_schema(site, member, entry);
        let trigger = self.key_at(site, entry);
        out.dependent_schemas.push((trigger, node));
    }

    fn names(&mut self, site: &Site<'a>, member: &'a Member, names: &'a [JsonValue]) -> Result<Vec<String>, FateKind> {
        names.iter().map(|name| self.text(site, member, name).map(str::to_owned)).collect()
    }
}

/// Returns whether a member is `required` with a list of names.
fn is_list_of_names(member: &Member) -> bool {
    let names = member.value.as_array().filter(|_| member.key.value == "required");
    names.is_some_and(|names| names.iter().all(|name| name.as_str().is_some()))
}
