//! The members of a schema object that identify it: its dialect, its name, whether it is a reference.

use super::by_name::Draft;
use ogc_grammar::json::{JsonValue, Member};

/// The identifying members of one schema object, found in one pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head<'a> {
    pub(super) schema: Option<&'a str>,
    pub(super) has_reference: bool,
    pub(super) anchor: Option<&'a str>,
    pub(super) dynamic_anchor: Option<&'a str>,
    pub(super) recursive_anchor: bool,
    dollar_id: Option<&'a str>,
    plain_id: Option<&'a str>,
}

impl<'a> Head<'a> {
    pub(super) fn of(members: &'a [Member]) -> Head<'a> {
        let mut head = Head::default();
        for member in members {
            let key = member.key.value.as_str();
            if key.starts_with('$') || key == "id" {
                head.note(key, &member.value);
            }
        }
        head
    }

    fn note(&mut self, key: &str, value: &'a JsonValue) {
        match key {
            "$schema" => self.schema = value.as_str(),
            "$ref" => self.has_reference = true,
            "$id" => self.dollar_id = value.as_str(),
            "id" => self.plain_id = value.as_str(),
            "$anchor" => self.anchor = value.as_str(),
            "$dynamicAnchor" => self.dynamic_anchor = value.as_str(),
            "$recursiveAnchor" => self.recursive_anchor = value.as_bool() == Some(true),
            _ => {}
        }
    }

    /// Returns the URI reference that makes this schema a resource of its own; `None` if it is no resource.
    pub(super) fn id(&self, draft: Draft) -> Option<&'a str> {
        self.written_id(draft).filter(|id| !(draft.hides_siblings() && id.starts_with('#')))
    }

    /// Returns the name by which a fragment can refer to this schema, in drafts that write such a name as an id.
    pub(super) fn fragment_id(&self, draft: Draft) -> Option<&'a str> {
        if !draft.hides_siblings() {
            return None;
        }
        self.written_id(draft)?.strip_prefix('#').filter(|name| !name.is_empty())
    }

    fn written_id(&self, draft: Draft) -> Option<&'a str> {
        if draft.hides_siblings() && self.has_reference {
            return None;
        }
        if draft == Draft::Draft4 { self.plain_id } else { self.dollar_id }
    }
}
