//! Reads keywords about any value, and those that name and hold schemas.

use super::super::foreign_types::{Meant, TYPE_NAMES, meant_type};
use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::super::site::Site;
use super::super::value;
use ogc_grammar::json::{JsonValue, Member};
use ogc_grammar::{Code, Diagnostic, Fix};
use ogc_schema::source::{Keywords, Types, Value};

impl<'a> Reader<'a> {
    pub(super) fn read_type(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        let single = std::slice::from_ref(&member.value);
        let names = member.value.as_array().unwrap_or(single);
        if names.is_empty() {
            return Err(self.invalid(site, &member.value, "`type` names no type", "remove `type`, or name a type"));
        }
        let mut types = Types {
            null: false,
            boolean: false,
            integer: false,
            number: false,
            string: false,
            array: false,
            object: false,
        };
        for name in names {
            self.add_type(site, member, name, &mut types)?;
        }
        out.types = Some(self.at(site, member, types));
        Ok(())
    }

    fn add_type(&mut self, site: &Site<'a>, member: &'a Member, value: &'a JsonValue, types: &mut Types) -> Read {
        let Some(name) = value.as_str() else {
            return Err(self.malformed(site, member, value, "the name of a type or a list of names"));
        };
        match name {
            "null" => types.null = true,
            "boolean" => types.boolean = true,
            "integer" => types.integer = true,
            "number" => types.number = true,
            "string" => types.string = true,
            "array" => types.array = true,
            "object" => types.object = true,
            _ => return Err(self.unknown_type(site, value, name)),
        }
        Ok(())
    }

    fn unknown_type(&mut self, site: &Site<'a>, value: &JsonValue, name: &str) -> FateKind {
        let span = self.span(site.scope, value.span);
        if name == "function" {
            let message = "this file describes one tool, and is neither a schema nor a list of tools";
            return self
                .refuse(Diagnostic::error(Code::UnknownType, span, message).help(super::super::no_schema::TOOL));
        }
        let meant = meant_type(name);
        let help = meant.map_or_else(|| format!("the types are {}", TYPE_NAMES.join(", ")), Meant::help);
        let fix = match meant {
            Some(Meant::Type(name)) if site.scope.via.is_none() => {
                Some(Fix::new(format!("write `{name}`"), value.span, format!("{name:?}")))
            }
            _ => None,
        };
        let message = format!("{name:?} is no type of JSON");
        self.refuse(Diagnostic::error(Code::UnknownType, span, message).help(help).fix(fix))
    }

    pub(super) fn read_enum(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        let items = self.list(site, member)?;
        let values = items.iter().map(|item| self.value(site, item)).collect::<Result<_, _>>()?;
        out.one_of_values.push(self.at(site, member, values));
        Ok(())
    }

    pub(super) fn read_const(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        let value = self.value(site, &member.value)?;
        out.one_of_values.push(self.at(site, member, vec![value]));
        Ok(())
    }

    fn value(&mut self, site: &Site<'a>, found: &'a JsonValue) -> Result<Value, FateKind> {
        value::exact(found).map_err(|(number, why)| self.number_limit(site, number, why))
    }

    pub(super) fn read_schema_keyword(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        let uri = self.text(site, member, &member.value)?;
        if self.resources.dialect(uri).is_some() {
            return Ok(());
        }
        if let Some(name) = old_draft(uri) {
            let span = self.span(site.scope, member.value.span);
            let message = format!("{uri:?} names {name}, and the drafts from 4 on are read");
            let help = "list the required names in `required` of the object, write `allOf` for `extends`, `not` for `disallow` and \
                        `multipleOf` for `divisibleBy`; then name draft 4 or a later one";
            return Err(self.refuse(Diagnostic::error(Code::OldDraft, span, message).help(help)));
        }
        let message = format!("{uri:?} names no known draft; the schema is read as {}", site.draft().name());
        let span = self.span(site.scope, member.value.span);
        let help = "name one of the drafts 4, 6, 7, 2019-09 and 2020-12, or give the meta-schema as a resource";
        Err(self.refuse(Diagnostic::warning(Code::UnknownDraft, span, message).help(help)))
    }

    pub(super) fn read_name(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        self.text(site, member, &member.value).map(|_| ())
    }
}

/// Returns the name of the draft in a URI of a draft before 4.
fn old_draft(uri: &str) -> Option<&'static str> {
    let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
    let draft = rest.strip_prefix("json-schema.org/draft-0")?;
    [("1/", "draft 1"), ("2/", "draft 2"), ("3/", "draft 3")]
        .iter()
        .find(|(number, _)| draft.starts_with(number))
        .map(|(_, name)| *name)
}
