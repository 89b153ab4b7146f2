//! Walks a schema's tree with a work list instead of recursion, and makes one node for each schema that it reaches.

use super::annotations::annotations;
use super::closed::Closing;
use super::definitions::Definition;
use super::graph::Graph;
use super::head::Head;
use super::options::OtherMembers;
use super::reader::{Reader, Work};
use super::report::{Fate, FateKind};
use super::scope::{Dialect, DynamicId, Scope, ScopedSchema};
use super::site::Site;
use super::{Draft, Imported};
use super::{no_schema, openapi, unevaluated};
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{Keywords, NodeId, NodeKind, Schemas, Value};

impl<'a> Reader<'a> {
    /// Reads all schemas that the root reaches; `pointer` is the root's JSON pointer in its text.
    pub(super) fn read(mut self, pointer: &str) -> Imported {
        let resource = self.resources.open(&self.options.base_uri, self.root);
        let dialect = openapi::dialect(self.root).unwrap_or_else(|| Dialect::of(self.options.default_draft));
        let dynamic = self.resources.bind(resource, DynamicId::default());
        let scope = Scope { dialect, resource, dynamic, via: None };
        let is_named = self.options.root.is_some();
        if let Some(finding) = no_schema::finding(self.root, self.options.default_draft).filter(|_| !is_named) {
            self.say(finding);
        }
        let wanted = self.wanted(scope);
        let (place, pointer) = wanted.unwrap_or((ScopedSchema { value: self.root, scope }, pointer.to_owned()));
        let root = self.node_at(place, || pointer);
        self.fill_all();
        self.note_family(place, root);
        self.fill_all();
        let root = self.families.nodes.get(&root).copied().unwrap_or(root);
        let mut definitions = Vec::new();
        if self.options.definitions {
            self.keep_name(root);
            definitions = self.definitions(self.root, scope);
            self.fill_all();
        }
        self.report_undeclared_keys();
        let root = self.close_objects(root, &mut definitions);
        unevaluated::rewrite(&mut self.graph, &self.pending, self.options.limits.unevaluated_arms);
        self.finish(root, definitions)
    }

    /// Closes objects if the options ask for it; returns the root.
    fn close_objects(&mut self, root: NodeId, definitions: &mut [Definition]) -> NodeId {
        if self.options.adjustments.objects == OtherMembers::Open {
            return root;
        }
        let mut closing = Closing::new(&mut self.graph, &mut self.pending, &mut self.docs);
        for definition in definitions {
            definition.node = closing.close(definition.node);
        }
        for (target, _) in &mut self.targets {
            *target = closing.close(*target);
        }
        closing.close(root)
    }

    /// Records the URI of the whole schema, which an export repeats.
    fn keep_name(&mut self, root: NodeId) {
        let id = Head::of(self.root.as_object().unwrap_or_default()).id(self.draft());
        if let Some(id) = id.filter(|id| !id.is_empty() && !id.contains('#')) {
            let name = ("$id".to_owned(), Value::String(id.to_owned()));
            self.docs.entry(root).or_default().others.insert(0, name);
        }
    }

    /// Returns the draft of the root.
    fn draft(&self) -> Draft {
        let named = self.root.get("$schema").and_then(JsonValue::as_str);
        let dialect = named.and_then(|uri| self.resources.dialect(uri)).or_else(|| openapi::dialect(self.root));
        dialect.map_or(self.options.default_draft, |dialect| dialect.draft)
    }

    fn fill_all(&mut self) {
        while let Some(work) = self.work.pop() {
            if self.graph.is_full {
                break;
            }
            self.fill(work);
        }
    }

    fn finish(self, root: NodeId, definitions: Vec<Definition>) -> Imported {
        let draft = self.draft();
        let mut report = self.report;
        report.sort_by_key(|fate| fate.span.start);
        let Graph { nodes, origins, findings, whole, .. } = self.graph;
        Imported {
            schemas: Schemas { nodes, root: Some(root) },
            origins,
            definitions,
            targets: self.targets,
            docs: self.docs,
            report,
            diagnostics: findings.finish(whole),
            is_tools: false,
            asked: self.resources.asked,
            draft,
            plain_integers: draft == Draft::Draft4,
        }
    }

    fn fill(&mut self, work: Work<'a>) {
        let ScopedSchema { value, scope } = work.place;
        let kind = match &value.kind {
            JsonKind::Bool(truth) => NodeKind::Bool(*truth),
            JsonKind::Object(members) => {
                let head = Head::of(members);
                let scope = self.resources.enter(value, &head, scope);
                self.annotate(work.node, members);
                let site = Site { members, scope, node: work.node, pointer: work.pointer };
                let mut keywords = self.read_keywords(&site, &head);
                self.report_traps(&site);
                self.discriminate(&site, &mut keywords);
                if openapi::is_nullable(scope.dialect, members) {
                    let origin = self.origin(scope, value.span);
                    keywords = self.or_null(origin, keywords);
                }
                NodeKind::Keywords(Box::new(keywords))
            }
            JsonKind::Null | JsonKind::Number(_) | JsonKind::String(_) | JsonKind::Array(_) => {
                let message = format!("a schema is an object or a boolean, and this is of type {}", value.type_name());
                let finding = Diagnostic::error(Code::NotASchema, self.span(scope, value.span), message);
                self.say(finding.help(no_schema::meant(value)));
                NodeKind::Bool(true)
            }
        };
        self.graph.set_kind(work.node, kind);
    }

    fn read_keywords(&mut self, site: &Site<'a>, head: &Head<'a>) -> Keywords {
        let mut keywords = Keywords::default();
        let is_hidden = head.has_reference && site.scope.dialect.draft.hides_siblings();
        for member in site.members {
            let read = if openapi::is_enforced(site.scope.dialect, &member.key.value) {
                Ok(())
            } else if is_hidden && member.key.value != "$ref" {
                self.hidden(site, member)
            } else {
                self.keyword(site, member, &mut keywords)
            };
            if self.options.report {
                self.note(site, member, read.err().unwrap_or(FateKind::Enforced));
            }
        }
        keywords
    }

    fn annotate(&mut self, node: NodeId, members: &[Member]) {
        if self.options.definitions {
            let docs = annotations(members, self.options.formats);
            if !docs.is_empty() {
                self.docs.insert(node, docs);
            }
        }
    }

    fn note(&mut self, site: &Site<'a>, member: &Member, fate: FateKind) {
        let keyword = member.key.value.clone();
        let pointer = site.pointer_to(&keyword, None);
        let span = self.span(site.scope, member.key.span);
        self.report.push(Fate { pointer, keyword, fate, span });
    }
}
