//! Reads keywords about objects. `dependencies` becomes its two successors.

use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::Site;
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_schema::source::{At, ObjectKeywords};

impl<'a> Reader<'a> {
    pub(super) fn object_keyword(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        match member.key.value.as_str() {
            "properties" => return self.properties(site, member, out),
            "patternProperties" => return self.pattern_properties(site, member, out),
            "additionalProperties" => out.additional_properties = Some(self.schema_at(site, member)),
            "propertyNames" => out.property_names = Some(self.schema_at(site, member)),
            "required" => return self.required(site, member, out),
            "minProperties" => out.min_properties = Some(self.count(site, member)?),
            "maxProperties" => out.max_properties = Some(self.count(site, member)?),
            "unevaluatedProperties" => {
                let rest = self.schema_at(site, member);
                self.pending.add_properties(site.node, rest);
            }
            _ => return self.dependencies(site, member, out),
        }
        Ok(())
    }

    fn properties(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        let entries = self.object(site, member)?;
        out.properties.reserve_exact(entries.len());
        for entry in entries {
            let node = self.named_schema(site, member, entry);
            out.properties.push((entry.key.value.clone(), node));
        }
        Ok(())
    }

    fn pattern_properties(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        for entry in self.object(site, member)? {
            let node = self.named_schema(site, member, entry);
            let pattern = self.key_at(site, entry);
            out.pattern_properties.push((pattern, node));
        }
        Ok(())
    }

    fn key_at(&mut self, site: &Site<'a>, entry: &Member) -> At<String> {
        At { origin: self.origin(site.scope, entry.key.span), value: entry.key.value.clone() }
    }

    fn required(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
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

    fn dependencies(&mut self, site: &Site<'a>, member: &'a Member, out: &mut ObjectKeywords) -> Read {
        for entry in self.object(site, member)? {
            match (member.key.value.as_str(), &entry.value.kind) {
                ("dependencies" | "dependentRequired", JsonKind::Array(names)) => {
                    let names = self.names(site, member, names)?;
                    let trigger = self.key_at(site, entry);
                    out.dependent_required.push((trigger, names));
                }
                ("dependentRequired", _) => return Err(self.malformed(site, member, &entry.value, "lists of names")),
                _ => {
                    let node = self.named_schema(site, member, entry);
                    let trigger = self.key_at(site, entry);
                    out.dependent_schemas.push((trigger, node));
                }
            }
        }
        Ok(())
    }

    fn names(&mut self, site: &Site<'a>, member: &'a Member, names: &'a [JsonValue]) -> Result<Vec<String>, FateKind> {
        names.iter().map(|name| self.text(site, member, name).map(str::to_owned)).collect()
    }
}
