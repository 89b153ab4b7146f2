//! What authors say of types and fields: doc comments and the attributes that constrain nothing.

use ogc_grammar::ogc::ast::{Attribute, Doc, ExprKind};
use ogc_schema::source::NodeId;

use super::{Elaborator, EnvId};
use crate::frontend::docs::Docs;

impl<'db> Elaborator<'db> {
    /// Keeps what is said of a node.
    pub(super) fn document(&mut self, node: NodeId, docs: &[Doc], attributes: &'db [Attribute], env: EnvId) {
        let lines: Vec<&str> = docs.iter().map(|doc| doc.text.as_str()).collect();
        let mut said = Docs { description: (!lines.is_empty()).then(|| lines.join("\n")), ..Docs::default() };
        for attribute in attributes {
            match (attribute.name.text.as_str(), attribute.arguments.first().map(|one| &one.value.kind)) {
                ("title", Some(ExprKind::String(title))) => said.title = Some(title.clone()),
                ("deprecated", _) => said.deprecated = true,
                ("examples", Some(_)) => {
                    let values = attribute.arguments.iter().filter_map(|one| self.constant(&one.value, env));
                    said.examples = values.collect();
                }
                _ => {}
            }
        }
        if !said.is_empty() {
            self.docs.insert(node, said);
        }
    }
}
