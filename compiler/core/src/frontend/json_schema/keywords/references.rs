//! Reads `$ref`, `$dynamicRef` and `$recursiveRef` as edges of the graph.

mod meant;

use super::super::reader::{Read, Reader, ReferenceKind};
use super::super::reference::{Resolved, Unresolved};
use super::super::report::FateKind;
use super::super::scope::Scope;
use super::super::site::Site;
use super::super::uri;
use ogc_grammar::json::Member;
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_schema::source::{Keywords, NodeId};

impl<'a> Reader<'a> {
    pub(super) fn read_reference(
        &mut self,
        kind: ReferenceKind,
        site: &Site<'a>,
        member: &'a Member,
        out: &mut Keywords,
    ) -> Read {
        let text = self.text(site, member, &member.value)?;
        let node = match self.known_reference(kind, site.scope, text) {
            Some(node) => node,
            None => self.new_reference(site, member, kind, text)?,
        };
        let node = self.family_or(node, site.members, site.scope);
        match out.reference {
            None => out.reference = Some(self.at(site, member, node)),
            Some(_) => out.all_of.push(node),
        }
        Ok(())
    }

    fn new_reference(
        &mut self,
        site: &Site<'a>,
        member: &'a Member,
        kind: ReferenceKind,
        text: &'a str,
    ) -> Result<NodeId, FateKind> {
        let span = self.span(site.scope, member.value.span);
        let resolved = match kind {
            ReferenceKind::Static => self.resources.resolve(text, site.scope, span),
            ReferenceKind::Dynamic => self.resources.resolve_dynamic(text, site.scope, span),
            ReferenceKind::Recursive => self.resources.resolve_recursive(site.scope, span),
        };
        let resolved = resolved.map_err(|why| self.unresolved(site, member, text, why))?;
        self.check_target(site, member, text, &resolved)?;
        let document = resolved.place.scope.via.map_or("", |_| text);
        let node = self.node_at(resolved.place, || reported_pointer(document, text));
        self.note_family(resolved.place, node);
        self.remember_reference(kind, site.scope, text, node);
        Ok(node)
    }

    fn check_target(&mut self, site: &Site<'a>, member: &Member, text: &str, resolved: &Resolved<'a>) -> Read {
        let target = resolved.place.value;
        if target.as_object().is_none() && target.as_bool().is_none() {
            let message = format!("{text:?} leads to no schema but to a value of type {}", target.type_name());
            let span = self.span(site.scope, member.value.span);
            let finding = Diagnostic::error(Code::ReferenceTarget, span, message);
            return Err(self.refuse(finding.help("refer to an object or a boolean")));
        }
        if resolved.is_lenient {
            let message =
                format!("{text:?} leads nowhere inside the nearest `$id`; it is read from the document's root");
            let span = self.span(site.scope, member.value.span);
            let help = "remove the `$id` between the root and here, or write the root's URI before the `#`";
            self.say(Diagnostic::warning(Code::ReferenceScope, span, message).help(help));
        }
        Ok(())
    }

    fn unresolved(&mut self, site: &Site<'a>, member: &Member, text: &str, why: Unresolved) -> FateKind {
        let span = self.span(site.scope, member.value.span);
        let finding = match why {
            Unresolved::Remote(uri) => match self.meant_reference(site.scope, text) {
                Some(meant) => missing(span, &uri).help(format!("did you mean {meant:?}?")),
                None => missing(span, &uri),
            },
            Unresolved::Broken(uri, why) => {
                let message = format!("the schema at {:?} cannot be read: {why}", uri::shown(&uri));
                Diagnostic::error(Code::RemoteSyntax, span, message).help("mend the text of this schema")
            }
            Unresolved::Pointer(pointer) => {
                let message = format!("{text:?} leads nowhere: no {pointer:?} here");
                let found = Diagnostic::error(Code::UnresolvedReference, span, message);
                found.help(match self.meant_reference(site.scope, text) {
                    Some(meant) => match meant::renamed(&meant, &pointer) {
                        Some((key, keyword)) => format!("the key is called `{key}` here: call it `{keyword}`"),
                        None => format!("did you mean {meant:?}?"),
                    },
                    None => "refer to a schema that exists, or add it".to_owned(),
                })
            }
            Unresolved::Anchor(name) => {
                let meant = self.meant_reference(site.scope, text);
                let help = match name.contains('/') {
                    _ if let Some(meant) = meant => format!("did you mean {meant:?}?"),
                    true => format!("a pointer begins with a slash: write \"#/{name}\""),
                    false => "add an anchor of this name, or refer by a pointer, as in \"#/$defs/name\"".to_owned(),
                };
                Diagnostic::error(Code::UnresolvedReference, span, format!("no schema is called {name:?} here"))
                    .help(help)
            }
            Unresolved::Escape => {
                Diagnostic::error(Code::UnresolvedReference, span, format!("{text:?} is not percent-encoded UTF-8"))
                    .help("write two hexadecimal digits after each `%`")
            }
        };
        self.refuse(finding)
    }

    /// Returns the reference into this document that was probably meant.
    fn meant_reference(&self, scope: Scope, text: &str) -> Option<String> {
        let root = self.resources.get(self.resources.document_root(scope.resource)?)?.root;
        meant::pointer(root, text).map(|pointer| format!("#{pointer}"))
    }
}

/// Returns the finding about a reference whose document is missing.
fn missing(span: Span, uri: &str) -> Diagnostic {
    let (message, help) = match uri::file_of(uri) {
        Some(name) => (
            format!("there is no schema {name:?}"),
            "put it there, name its file with `--resource URI=FILE` or in `[resources]` of `ogc.toml`, or copy it into `$defs` \
             with its `$id`; nothing is fetched"
                .to_owned(),
        ),
        None => (
            format!("no schema is known as {uri:?}"),
            format!(
                "name its file, with `--resource {uri}=FILE` or in `[resources]` of `ogc.toml`; or copy it into `$defs` with its \
                 `$id`; nothing is fetched"
            ),
        ),
    };
    Diagnostic::error(Code::RemoteReference, span, message).help(help)
}

/// Returns the name of a reference's target in a report.
fn reported_pointer(document: &str, text: &str) -> String {
    let (uri, fragment) = uri::split_fragment(text);
    let pointer = uri::percent_decode(fragment).unwrap_or_default();
    if document.is_empty() && uri.is_empty() { pointer } else { format!("{uri}#{pointer}") }
}
