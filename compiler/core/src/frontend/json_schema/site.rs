//! A schema object while its keywords are read.

use super::by_name::Draft;
use super::scope::Scope;
use ogc_grammar::json::{JsonValue, Member, pointer_token};
use ogc_schema::source::NodeId;

/// A schema object that is being read.
#[derive(Debug)]
pub(super) struct Site<'a> {
    pub(super) members: &'a [Member],
    /// The scope inside the object.
    pub(super) scope: Scope,
    pub(super) node: NodeId,
    /// The JSON pointer of the object; empty unless a report is wanted.
    pub(super) pointer: String,
}

impl<'a> Site<'a> {
    /// Returns the value of the keyword called `key`.
    pub(super) fn get(&self, key: &str) -> Option<&'a JsonValue> {
        self.members.iter().find(|m| m.key.value == key).map(|m| &m.value)
    }

    pub(super) fn draft(&self) -> Draft {
        self.scope.dialect.draft
    }

    /// Returns the JSON pointer of a keyword of this object, or of the element `token` in its operand.
    pub(super) fn pointer_to(&self, keyword: &str, token: Option<&str>) -> String {
        let element = token.map_or(String::new(), |token| format!("/{}", pointer_token(token)));
        format!("{}/{}{element}", self.pointer, pointer_token(keyword))
    }
}
