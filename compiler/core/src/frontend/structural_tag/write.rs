//! Writes the tree of a structural tag as `.ogc`: with a rule for each node, so that each finding can be mapped to a
//! node.
//!
//! For example, `{"type": "tag", "begin": "<a>", "content": {"type": "any_text"}, "end": "</a>"}` becomes
//!
//! ```text
//! rule any = /[\s\S]*/
//! rule n1 = (any - (any ("</a>") any))
//! rule n2 = "<a>" n1 "</a>"
//! output root = n2
//! ```
//!
//! Free text before a trigger ends at the first occurrence of any trigger, as in the automaton of Aho and Corasick
//! ("Efficient string matching", 1975). It is written as the texts that end with the trigger, minus the texts in which
//! a trigger is followed by anything.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ogc_grammar::json::JsonValue;
use ogc_grammar::ogc::quote;
use ogc_grammar::span::part;
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_runtime::automaton::KeyOrder;

use super::places::PartPlaces;
use super::style::{Frame, Style};
use super::tree::{Arm, Dispatch, Edge, FreeLimit, Node, NodeKind, SchemaNode, Tag, TokenName, Trigger};
use super::{Part, PartKind, SpecialTokens, Translated};
use crate::lower::json::{JsonPolicy, Space};

/// Names of the rules for all texts and for all texts but the empty one.
const ANY: &str = "everything";
const SOME: &str = "something";

/// Greatest length of the white space between fields in styles other than JSON, unless the policy or the tag sets a
/// smaller one.
const GAP: u32 = 32;

/// The writer, with the rules and parts so far.
pub(super) struct Writer<'a> {
    /// The text of the tag.
    source: &'a str,
    policy: JsonPolicy,
    special: Option<&'a SpecialTokens>,
    text: String,
    parts: Vec<Part>,
    /// Bounds of the white space between fields; each has its own rule.
    gaps: BTreeSet<u32>,
    /// The rules of fields.
    fields: Vec<FieldRule>,
    /// Pairs of a rule's span, counted from the end of the head, and the span of its node in the tag.
    places: Vec<(Span, Span)>,
    rules: usize,
    findings: Vec<Diagnostic>,
}

impl<'a> Writer<'a> {
    /// Makes a writer. The tag decides whether keys may come in any order, so the policy does not.
    pub(super) fn new(source: &'a str, policy: JsonPolicy, special: Option<&'a SpecialTokens>) -> Self {
        Self {
            source,
            policy: JsonPolicy { order: KeyOrder::Declared, ..policy },
            special,
            text: String::new(),
            parts: Vec::new(),
            gaps: BTreeSet::new(),
            fields: Vec::new(),
            places: Vec::new(),
            rules: 0,
            findings: Vec::new(),
        }
    }

    /// Writes the complete text.
    pub(super) fn translate(mut self, root: &Node<'a>) -> Translated {
        let rule = self.node(root, &[]);
        let head = self.head();
        let base = head.len() as u32;
        let places = self.places.iter().map(|(inside, outside)| (inside.shifted(base), *outside)).collect();
        let text = format!("{head}{}output root = {rule}\n", self.text);
        Translated { text, parts: self.parts, places, findings: self.findings }
    }

    /// Writes the text before the rules of nodes: policies, imports, and shared rules.
    fn head(&self) -> String {
        let mut head = String::new();
        let settings = self.policy.settings();
        if !settings.is_empty() {
            let settings: Vec<String> = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let _infallible = writeln!(head, "policy {}", settings.join(", "));
        }
        for (at, part) in self.parts.iter().enumerate() {
            let policy = if part.kind == PartKind::Schema { "@objects(\"closed\")\n" } else { "" };
            let _infallible = writeln!(head, "{policy}import \"{}\" as part{at}", part.name);
        }
        for run in &self.gaps {
            let _infallible = writeln!(head, "rule {} = /[ \\n\\r\\t]{{0,{run}}}/", gap_rule(*run));
        }
        self.fields.iter().for_each(|field| head.push_str(&field.written));
        let _infallible = writeln!(head, "rule {ANY} = /[\\s\\S]*/\nrule {SOME} = /[\\s\\S]+/");
        head
    }

    /// Writes a node as a rule and returns the rule's name; `ends` are the endings of the enclosing tag.
    fn node(&mut self, node: &Node<'a>, ends: &[Edge<'a>]) -> String {
        let body = self.body(node, ends);
        self.rules += 1;
        let name = format!("n{}", self.rules);
        let start = self.text.len();
        let _infallible = writeln!(self.text, "rule {name} = {body}");
        self.places.push((Span::of(start, self.text.len()), node.span));
        name
    }

    fn body(&mut self, node: &Node<'a>, ends: &[Edge<'a>]) -> String {
        match &node.kind {
            NodeKind::Literal(text) => self.literal(text),
            NodeKind::Schema(schema) => self.schema(schema),
            NodeKind::Free { excludes, limit } => {
                let excluded: Vec<&str> = excludes.iter().copied().chain(texts(ends)).collect();
                free(&excluded, *limit)
            }
            NodeKind::Token(token) => self.token(*token, node.span),
            NodeKind::TextToken => {
                let text = "root ::= <[*]>".to_owned();
                self.own_part(text, PartPlaces::plain(node.span), PartKind::Grammar) + ".root"
            }
            NodeKind::Grammar(text) => self.grammar(text, PartKind::Grammar),
            NodeKind::Regex(pattern) => self.grammar(pattern, PartKind::Regex),
            NodeKind::Sequence(items) => self.all(items, ends).join(" "),
            NodeKind::Union(items) => self.all(items, ends).join(" | "),
            NodeKind::Tag(tag) => self.tag(tag),
            NodeKind::Dispatch(dispatch) => self.dispatch(dispatch, ends),
            NodeKind::List { tags, separator, repeats, may_be_empty } => {
                let one = self.all(tags, ends).join(" | ");
                let list = match (repeats, separator.is_empty()) {
                    (false, _) => format!("({one})"),
                    (true, true) => format!("({one})+"),
                    (true, false) => format!("(({one}) % ({}))", self.literal(separator)),
                };
                if *may_be_empty { format!("({list})?") } else { list }
            }
            NodeKind::Repeat { content, min, max } => {
                let content = self.node(content, ends);
                let max = max.map(|max| max.to_string()).unwrap_or_default();
                format!("{content}[{min}..{max}]")
            }
        }
    }

    fn all(&mut self, nodes: &[Node<'a>], ends: &[Edge<'a>]) -> Vec<String> {
        nodes.iter().map(|one| self.node(one, ends)).collect()
    }

    fn tag(&mut self, tag: &Tag<'a>) -> String {
        let begin = self.edge(tag.begin);
        let content = self.node(&tag.content, &tag.ends);
        format!("{begin} {content} {}", self.end(&tag.ends))
    }

    fn edge(&mut self, edge: Edge<'a>) -> String {
        match edge {
            Edge::Text(text) => self.literal(text),
            Edge::Token(token, span) => self.token(token, span),
        }
    }

    fn end(&mut self, ends: &[Edge<'a>]) -> String {
        let ends: Vec<String> = ends.iter().map(|end| self.edge(*end)).collect();
        match ends.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            several => format!("({})", several.join(" | ")),
        }
    }

    fn dispatch(&mut self, dispatch: &Dispatch<'a>, ends: &[Edge<'a>]) -> String {
        let around = texts(ends).filter(|_| dispatch.stops_at_end);
        let excludes: Vec<&str> = dispatch.excludes.iter().copied().chain(around).collect();
        let triggers = dispatch.triggers.iter().filter_map(|one| self.trigger_text(one.text)).collect::<Vec<_>>();
        let (mut later, mut first) = (Vec::new(), Vec::new());
        for trigger in &dispatch.triggers {
            let arms = self.arms(&trigger.arms);
            later.push(format!("{} {arms}", self.up_to(trigger, &triggers, &excludes)));
            first.push(format!("{} {arms}", self.edge(trigger.text)));
        }
        let (later, first) = (later.join(" | "), first.join(" | "));
        let all: Vec<&str> = triggers.iter().chain(&excludes).copied().collect();
        let rest = free(&all, None);
        match (dispatch.begins_at_once, dispatch.repeats) {
            (true, false) => format!("({first})"),
            (true, true) => format!("({first}) ({later})* {rest}"),
            (false, true) => format!("({later})* {rest}"),
            (false, false) => format!("{later} | {rest}"),
        }
    }

    fn arms(&mut self, arms: &[Arm<'a>]) -> String {
        let mut all = Vec::new();
        for Arm { rest, content, ends } in arms {
            let content = self.node(content, ends);
            let rest = if rest.is_empty() { String::new() } else { self.literal(rest) };
            all.push(format!("{rest} {content} {}", self.end(ends)).trim().to_owned());
        }
        format!("({})", all.join(" | "))
    }

    /// Returns the text of a trigger, if it consists of plain characters.
    fn trigger_text(&self, trigger: Edge<'a>) -> Option<&'a str> {
        match trigger {
            Edge::Text(text) if self.first_special(text).is_none() => Some(text),
            _ => None,
        }
    }

    /// Writes free text up to and including a trigger.
    fn up_to(&mut self, trigger: &Trigger<'a>, triggers: &[&'a str], excludes: &[&'a str]) -> String {
        if let Some(text) = self.trigger_text(trigger.text) {
            let found = format!("({ANY} {})", quote(text));
            let earlier = format!("({ANY} {} {SOME})", union(triggers));
            let excluded = without(excludes);
            return format!("({found} - {earlier}{excluded})");
        }
        let all: Vec<&str> = triggers.iter().chain(excludes).copied().collect();
        format!("{} {}", free(&all, None), self.edge(trigger.text))
    }

    /// Writes text as literals; names of special tokens in it become tokens.
    fn literal(&self, text: &str) -> String {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((at, name)) = self.first_special(rest) {
            if at > 0 {
                pieces.push(quote(part(rest, ..at)));
            }
            pieces.push(format!("tok{}", quote(name)));
            rest = part(rest, at + name.len()..);
        }
        if !rest.is_empty() || pieces.is_empty() {
            pieces.push(quote(rest));
        }
        pieces.join(" ")
    }

    /// Returns the offset and name of the first special token that a text names; if several begin there, the longest.
    fn first_special<'s>(&'s self, text: &str) -> Option<(usize, &'s str)> {
        let names = self.special?.names();
        let found = names.filter_map(|name| Some((text.find(name)?, name)));
        found.min_by_key(|(at, name)| (*at, std::cmp::Reverse(name.len())))
    }

    fn token(&mut self, token: TokenName<'a>, span: Span) -> String {
        match (token, self.special) {
            (TokenName::Name(name), None) => format!("tok{}", quote(name)),
            (TokenName::Name(name), Some(special)) if special.names().any(|known| known == name) => {
                format!("tok{}", quote(name))
            }
            // A token that is not special stands for its characters.
            (TokenName::Name(name), Some(_)) => quote(name),
            (TokenName::Id(id), special) => match special.and_then(|special| special.name(id)) {
                Some(name) => format!("tok{}", quote(name)),
                None => self.unknown_token(id, span, special.is_some()),
            },
        }
    }

    fn unknown_token(&mut self, id: u32, span: Span, is_known: bool) -> String {
        let (message, help) = match is_known {
            true => (
                format!("token {id} is no special token of the vocabulary"),
                "write its text: characters have no numbers",
            ),
            false => (
                format!("token {id} is named by its number, and no vocabulary says which it is"),
                "write the token's name, or compile the tag for a vocabulary",
            ),
        };
        self.findings.push(Diagnostic::error(Code::StructuralTag, span, message).help(help));
        "\"\"".to_owned()
    }

    fn schema(&mut self, node: &SchemaNode<'a>) -> String {
        let name = self.part(node.schema, PartKind::Schema);
        let space = self.space(node.longest_space);
        let mut policies: Vec<String> = Vec::new();
        if space != self.policy.space {
            let settings = match space.settings() {
                none if none.is_empty() => vec!["space = \"compact\"".to_owned()],
                some => some.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
            };
            policies.extend(settings);
        }
        if node.is_unordered {
            policies.push("order = \"any\"".to_owned());
        }
        let policies: String = policies.iter().map(|one| format!(", {one}")).collect();
        match node.style {
            Style::Json => format!("json<{name}.root{policies}>"),
            style => {
                let gap = self.gap(node.longest_space);
                let rule = self.style(style, &gap, &node.excludes);
                format!("each<{name}.root & object, {rule}, others = {rule}{policies}> {gap}")
            }
        }
    }

    /// Returns the white space policy under a tag's bound.
    fn space(&self, longest: Option<u32>) -> Space {
        match (self.policy.space, longest) {
            (space, None) => space,
            (_, Some(0)) => Space::Compact,
            (Space::Any { max_run }, Some(longest)) => {
                Space::Any { max_run: Some(max_run.map_or(longest, |run| run.min(longest))) }
            }
            (space, Some(_)) => space,
        }
    }

    /// Returns the name of the rule for the white space between fields.
    fn gap(&mut self, longest: Option<u32>) -> String {
        let run = match self.policy.space {
            Space::Any { max_run: Some(run) } => run,
            _ => GAP,
        };
        let run = longest.map_or(run, |longest| run.min(longest));
        self.gaps.insert(run);
        gap_rule(run)
    }

    /// Returns the name of the rule that writes a field in a style.
    fn style(&mut self, style: Style, gap: &str, excludes: &[&str]) -> String {
        let is_known =
            |one: &FieldRule| (one.style, one.gap.as_str()) == (style, gap) && one.excludes.iter().eq(excludes.iter());
        if let Some(at) = self.fields.iter().position(is_known) {
            return format!("field{at}");
        }
        let rule = format!("field{}", self.fields.len());
        let frame = Frame { rule: &rule, gap, excludes, literal: &|text| self.literal(text) };
        if let Some(written) = style.field(&frame) {
            let excludes = excludes.iter().map(|&text| text.to_owned()).collect();
            self.fields.push(FieldRule { style, gap: gap.to_owned(), excludes, written });
        }
        rule
    }

    fn grammar(&mut self, text: &'a JsonValue, kind: PartKind) -> String {
        format!("{}.root", self.part(text, kind))
    }

    /// Imports a part of the tag, unless an equal part is imported already; returns its import name.
    fn part(&mut self, value: &JsonValue, kind: PartKind) -> String {
        let source = value.span.text(self.source);
        let (text, places) = match value.as_str() {
            Some(text) => (text.to_owned(), PartPlaces::in_string(source, value.span)),
            None => (source.to_owned(), PartPlaces::plain(value.span)),
        };
        self.own_part(text, places, kind)
    }

    fn own_part(&mut self, text: String, places: PartPlaces, kind: PartKind) -> String {
        let known = self.parts.iter().position(|part| part.kind == kind && part.text == text);
        let at = known.unwrap_or_else(|| {
            let name = format!("part{}.{}", self.parts.len(), kind.ending());
            self.parts.push(Part { name, kind, text, places });
            self.parts.len() - 1
        });
        format!("part{at}")
    }
}

/// A rule that writes a field, with the options that it was made for.
struct FieldRule {
    style: Style,
    /// Name of the rule for the surrounding white space.
    gap: String,
    /// Texts that must not occur in its strings.
    excludes: Vec<String>,
    /// Text of the rule.
    written: String,
}

/// Returns the name of the rule for white space of at most `run` characters.
fn gap_rule(run: u32) -> String {
    format!("gap{run}")
}

/// Returns the endings that are plain text.
fn texts<'a>(ends: &[Edge<'a>]) -> impl Iterator<Item = &'a str> {
    ends.iter().filter_map(|end| match end {
        Edge::Text(text) if !text.is_empty() => Some(*text),
        _ => None,
    })
}

/// Writes free text that contains none of the texts.
fn free(excluded: &[&str], limit: Option<FreeLimit>) -> String {
    let (name, most) = match limit {
        None if excluded.is_empty() => return ANY.to_owned(),
        None => return format!("({ANY}{})", without(excluded)),
        Some(FreeLimit::Tokens(most)) => ("max_tokens", most),
        Some(FreeLimit::Chars(most)) => ("max_chars", most),
    };
    match excluded {
        _ if most == 0 => "\"\"".to_owned(),
        [] => format!("text<{name} = {most}>"),
        excluded => format!("text<{name} = {most}, without = {}>", union(excluded)),
    }
}

/// Writes a difference that removes the texts that contain one of `excluded`.
fn without(excluded: &[&str]) -> String {
    if excluded.is_empty() { String::new() } else { format!(" - ({ANY} {} {ANY})", union(excluded)) }
}

fn union(texts: &[&str]) -> String {
    let all: Vec<String> = texts.iter().map(|text| quote(text)).collect();
    format!("({})", all.join(" | "))
}
