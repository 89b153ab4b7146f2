//! Elaborates `tuple<A, B, rest = T, items = m..n>`.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::{Argument, Reference};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Origin};

use super::{Elaborator, EnvId, base};
use crate::hir::builtin::ValueKind;

impl<'db> Elaborator<'db> {
    /// Elaborates `tuple<A, B, rest = T, items = m..n>`.
    pub(super) fn tuple(&mut self, reference: &'db Reference, env: EnvId, origin: Origin) -> NodeId {
        let mut keywords = base(ValueKind::Tuple, origin);
        for written in reference.arguments.iter().filter(|written| written.name.is_none()) {
            let node = self.value(&written.value, env);
            keywords.array.prefix_items.push(node);
        }
        let count = keywords.array.prefix_items.len() as u64;
        if count == 0 {
            self.error(Code::WrongArguments, reference.path.span, env, "`tuple` needs its items").help =
                Some("write `tuple<A, B>`; an empty array is `any[0]`, one of any length `T[0..]`".to_owned());
        }
        keywords.array.min_items = Some(At { origin, value: count });
        for written in &reference.arguments {
            self.tuple_parameter(&mut keywords, written, env);
        }
        if keywords.array.items.is_none() {
            let none = self.parts.node(NodeKind::Bool(false), origin);
            keywords.array.items = Some(At { origin, value: none });
        }
        self.parts.keywords(keywords, origin)
    }

    fn tuple_parameter(&mut self, keywords: &mut Keywords, written: &'db Argument, env: EnvId) {
        let Some(name) = &written.name else { return };
        let origin = self.origin(written.span, env);
        match name.text.as_str() {
            "rest" => {
                let value = self.value(&written.value, env);
                keywords.array.items = Some(At { origin, value });
            }
            "items" => {
                if let Some(ends) = self.count_argument(&written.value, env) {
                    keywords.array.min_items = ends.min.map(|value| At { origin, value });
                    keywords.array.max_items = ends.max.map(|value| At { origin, value });
                }
            }
            name => {
                let message = format!("`tuple` has no parameter `{name}`");
                let help = "list the items: `tuple<A, B>`; any number of others is `rest = T`, how many there are in all \
                            `items = 1..5`";
                self.error(Code::WrongRefinement, written.span, env, message).help = Some(help.to_owned());
            }
        }
    }
}
