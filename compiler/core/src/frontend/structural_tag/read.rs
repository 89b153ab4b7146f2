//! Reads the tree of a structural tag from its JSON: every member is checked, and an unknown member is an error, as it
//! might change the meaning.

use ogc_grammar::json::JsonValue;
use ogc_grammar::{Diagnostic, Span};

use super::SpecialTokens;
use super::style::{ITEM_BY_ITEM, Style};
use super::tree::{Arm, Dispatch, Edge, FreeLimit, Node, NodeKind, SchemaNode, Tag, TokenName, Trigger};

/// Greatest nesting depth of nodes.
const DEPTH: usize = 100;

/// Returned for a node that cannot be read; the findings tell why.
pub(super) struct Refused;

pub(super) type Read<T> = Result<T, Refused>;

/// The types of nodes, each with its members besides `type`.
const TYPES: [(&str, &[&str]); 21] = [
    ("const_string", &["value"]),
    ("json_schema", &["json_schema", "style", "any_order", "max_whitespace_cnt", "excludes"]),
    ("qwen_xml_parameter", &["json_schema"]),
    ("any_text", &["excludes", "max_tokens", "max_chars"]),
    ("token", &["token"]),
    ("exclude_token", &["exclude_tokens"]),
    ("any_tokens", &["exclude_tokens", "max_tokens"]),
    ("grammar", &["grammar"]),
    ("regex", &["pattern"]),
    ("sequence", &["elements"]),
    ("or", &["elements"]),
    ("tag", &["begin", "content", "end"]),
    ("triggered_tags", &["triggers", "tags", "at_least_one", "stop_after_first", "excludes"]),
    ("token_triggered_tags", &["trigger_tokens", "tags", "exclude_tokens", "at_least_one", "stop_after_first"]),
    ("tags_with_separator", &["tags", "separator", "at_least_one", "stop_after_first"]),
    ("optional", &["content"]),
    ("plus", &["content"]),
    ("star", &["content"]),
    ("repeat", &["min", "max", "content"]),
    ("dispatch", &["rules", "loop", "excludes"]),
    ("token_dispatch", &["rules", "loop", "exclude_tokens"]),
];

/// The reader, with its findings so far.
pub(super) struct Reader<'s> {
    pub(super) findings: Vec<Diagnostic>,
    pub(super) depth: usize,
    /// The special tokens of the vocabulary, if one is known.
    pub(super) special: Option<&'s SpecialTokens>,
}

impl Reader<'_> {
    /// Reads the root of a tag.
    pub(super) fn root<'a>(&mut self, root: &'a JsonValue) -> Read<Node<'a>> {
        self.known(root, "a structural tag", &["type", "format"])?;
        let format = self.needed(root, "format")?;
        self.node(format)
    }

    /// Reads the root of a tag in its older form: `structures` and `triggers`.
    pub(super) fn legacy<'a>(&mut self, root: &'a JsonValue) -> Read<Node<'a>> {
        self.known(root, "a structural tag with `structures`", &["type", "structures", "triggers"])?;
        let triggers = self.texts(root, "triggers")?;
        let mut tags = Vec::new();
        for one in self.array(root, "structures")? {
            self.known(one, "an entry of `structures`", &["begin", "schema", "end"])?;
            let schema = self.needed(one, "schema")?;
            let kind = NodeKind::Schema(SchemaNode::plain(schema, Style::Json));
            let content = Node { span: schema.span, kind };
            let ends = vec![Edge::Text(self.text(one, "end")?)];
            tags.push((one.span, Tag { begin: Edge::Text(self.text(one, "begin")?), content, ends }));
        }
        let triggers = triggers.into_iter().map(|(text, span)| (Edge::Text(text), span)).collect();
        let dispatch = self.triggered(root.span, triggers, tags)?;
        Ok(Node { span: root.span, kind: NodeKind::Dispatch(dispatch) })
    }

    /// Reads a node.
    pub(super) fn node<'a>(&mut self, value: &'a JsonValue) -> Read<Node<'a>> {
        if self.depth == DEPTH {
            return self.refuse(value.span, format!("nodes nest deeper than {DEPTH}"), "use fewer nodes inside nodes");
        }
        self.depth += 1;
        let read = self.of_type(value);
        self.depth -= 1;
        Ok(Node { span: value.span, kind: read? })
    }

    fn of_type<'a>(&mut self, value: &'a JsonValue) -> Read<NodeKind<'a>> {
        let name = self.text(value, "type")?;
        let Some((_, members)) = TYPES.iter().find(|(known, _)| *known == name) else {
            let span = value.get("type").map_or(value.span, |name| name.span);
            return self.unknown(
                span,
                &format!("there is no node of type `{name}`"),
                name,
                TYPES.map(|(name, _)| name),
            );
        };
        let known: Vec<&str> = std::iter::once("type").chain(members.iter().copied()).collect();
        self.known(value, &format!("a node of type `{name}`"), &known)?;
        match name {
            "const_string" => Ok(NodeKind::Literal(self.text(value, "value")?)),
            "json_schema" => self.schema(value),
            "qwen_xml_parameter" => {
                let schema = self.needed(value, "json_schema")?;
                Ok(NodeKind::Schema(SchemaNode::plain(schema, Style::Qwen)))
            }
            "any_text" => self.any_text(value),
            "any_tokens" => {
                let excludes = self.names(value, "exclude_tokens")?;
                let limit = self.count(value, "max_tokens")?.map(FreeLimit::Tokens);
                Ok(NodeKind::Free { excludes, limit })
            }
            "token" => {
                let token = self.needed(value, "token")?;
                Ok(NodeKind::Token(self.token(token)?))
            }
            "exclude_token" => {
                // A special token is no text, so there is nothing to exclude.
                self.names(value, "exclude_tokens")?;
                Ok(NodeKind::TextToken)
            }
            "grammar" => self.quoted(value, "grammar").map(NodeKind::Grammar),
            "regex" => self.quoted(value, "pattern").map(NodeKind::Regex),
            "sequence" => self.nodes(value, "elements").map(NodeKind::Sequence),
            "or" => self.nodes(value, "elements").map(NodeKind::Union),
            "tag" => Ok(NodeKind::Tag(Box::new(self.tag(value)?))),
            "triggered_tags" => self.triggered_tags(value),
            "token_triggered_tags" => self.token_triggered_tags(value),
            "tags_with_separator" => self.list(value),
            "optional" => self.repeat(value, 0, Some(1)),
            "plus" => self.repeat(value, 1, None),
            "star" => self.repeat(value, 0, None),
            "repeat" => self.counted(value),
            _ => self.dispatch(value, name == "token_dispatch"),
        }
    }

    fn schema<'a>(&mut self, value: &'a JsonValue) -> Read<NodeKind<'a>> {
        let schema = self.needed(value, "json_schema")?;
        let style = match value.get("style").filter(|style| !style.is_null()) {
            None => Style::Json,
            Some(given) => {
                let name = self.text(value, "style")?;
                self.style(name, given.span)?
            }
        };
        let excludes = self.excludes(value)?;
        if style == Style::Json && !excludes.is_empty() {
            let help = "leave `excludes` out, and say with `pattern` in the schema what its strings are";
            let message = "`excludes` is about strings without quotes, and this style has none".to_owned();
            return self.refuse(value.get("excludes").map_or(value.span, |one| one.span), message, help);
        }
        let is_unordered = self.flag(value, "any_order", false)?;
        let longest_space = self.count(value, "max_whitespace_cnt")?;
        Ok(NodeKind::Schema(SchemaNode { schema, style, is_unordered, longest_space, excludes }))
    }

    fn style(&mut self, name: &str, span: Span) -> Read<Style> {
        if let Some(style) = Style::of(name) {
            return Ok(style);
        }
        if ITEM_BY_ITEM.contains(&name) {
            let message = format!("the style `{name}` writes the items of arrays one by one, which is not supported");
            return self.refuse(span, message, "write the call as a grammar, or use another style");
        }
        self.unknown(span, &format!("there is no style `{name}`"), name, Style::ALL.map(|(name, _)| name))
    }

    fn any_text<'a>(&mut self, value: &'a JsonValue) -> Read<NodeKind<'a>> {
        let excludes = self.excludes(value)?;
        let tokens = self.count(value, "max_tokens")?.map(FreeLimit::Tokens);
        let chars = self.count(value, "max_chars")?.map(FreeLimit::Chars);
        if tokens.is_some() && chars.is_some() {
            let message = "a text has one limit: `max_tokens` or `max_chars`".to_owned();
            return self.refuse(value.span, message, "keep one of them");
        }
        Ok(NodeKind::Free { excludes, limit: tokens.or(chars) })
    }

    fn tag<'a>(&mut self, value: &'a JsonValue) -> Read<Tag<'a>> {
        let begin = self.needed(value, "begin")?;
        let begin = self.edge(begin)?;
        let content = self.needed(value, "content")?;
        let content = self.node(content)?;
        let end = self.needed(value, "end")?;
        let ends = match end.as_array() {
            Some([]) => return self.refuse(end.span, "`end` is an empty list".to_owned(), "write one end at least"),
            Some(ends) => ends.iter().map(|end| self.edge(end)).collect::<Read<Vec<_>>>()?,
            None => vec![self.edge(end)?],
        };
        Ok(Tag { begin, content, ends })
    }

    fn edge<'a>(&mut self, value: &'a JsonValue) -> Read<Edge<'a>> {
        if let Some(text) = value.as_str() {
            return Ok(Edge::Text(text));
        }
        if value.get("type").and_then(JsonValue::as_str) == Some("token") {
            self.known(value, "a node of type `token`", &["type", "token"])?;
            let token = self.needed(value, "token")?;
            return Ok(Edge::Token(self.token(token)?, token.span));
        }
        self.refuse(value.span, "a text or a node of type `token` is needed here".to_owned(), "write it in quotes")
    }

    fn tags<'a>(&mut self, value: &'a JsonValue) -> Read<Vec<(Span, Tag<'a>)>> {
        let all = self.array(value, "tags")?;
        let read = |reader: &mut Self, one: &'a JsonValue| {
            if one.get("type").is_some_and(|name| name.as_str() != Some("tag")) {
                let message = "each of `tags` is a node of type `tag`".to_owned();
                return reader.refuse(one.span, message, "put the node inside a tag, as its `content`");
            }
            reader.known(one, "a tag", &["type", "begin", "content", "end"])?;
            Ok((one.span, reader.tag(one)?))
        };
        all.iter().map(|one| read(self, one)).collect()
    }

    fn triggered_tags<'a>(&mut self, value: &'a JsonValue) -> Read<NodeKind<'a>> {
        let triggers = self.texts(value, "triggers")?;
        let triggers = triggers.into_iter().map(|(text, span)| (Edge::Text(text), span)).collect();
        let tags = self.tags(value)?;
        let dispatch = self.triggered(value.span, triggers, tags)?;
        let excludes = self.excludes(value)?;
        self.ended(value, Dispatch { excludes, ..dispatch })
    }

    fn token_triggered_tags<'a>(&mut self, value: &'a JsonValue) -> Read<NodeKind<'a>> {
        let mut triggers = Vec::new();
        for one in self.array(value, "trigger_tokens")? {
            triggers.push((Edge::Token(self.token(one)?, one.span), one.span));
        }
        let tags = self.tags(value)?;
        let dispatch = self.triggered(value.span, triggers, tags)?;
        let excludes = self.names(value, "exclude_tokens")?;
        self.ended(value, Dispatch { excludes, ..dispatch })
    }

    fn ended<'a>(&mut self, value: &'a JsonValue, dispatch: Dispatch<'a>) -> Read<NodeKind<'a>> {
        let begins_at_once = self.flag(value, "at_least_one", false)?;
        let repeats = !self.flag(value, "stop_after_first", false)?;
        Ok(NodeKind::Dispatch(Dispatch { begins_at_once, repeats, ..dispatch }))
    }

    /// Assigns to each trigger the tags that begin with it.
    fn triggered<'a>(
        &mut self,
        whole: Span,
        triggers: Vec<(Edge<'a>, Span)>,
        tags: Vec<(Span, Tag<'a>)>,
    ) -> Read<Dispatch<'a>> {
        if tags.is_empty() {
            return self.refuse(whole, "there are no tags".to_owned(), "write one tag at least, or `any_text`");
        }
        let mut triggers: Vec<Trigger<'a>> =
            triggers.into_iter().map(|(text, _)| Trigger { text, arms: Vec::new() }).collect();
        for (span, Tag { begin, content, ends }) in tags {
            let mut fitting = triggers.iter_mut().filter_map(|one| Some((begun_with(one.text, begin)?, one)));
            let first = fitting.next();
            let several = fitting.next().is_some();
            let Some((rest, trigger)) = first.filter(|_| !several) else {
                let which = if several { "with several of the triggers" } else { "with none of the triggers" };
                let help = "each tag begins with exactly one of the triggers";
                return self.refuse(span, format!("this tag begins {which}"), help);
            };
            trigger.arms.push(Arm { rest, content, ends });
        }
        triggers.retain(|trigger| !trigger.arms.is_empty());
        Ok(Dispatch { triggers, excludes: Vec::new(), stops_at_end: true, repeats: true, begins_at_once: false })
    }

    fn dispatch<'a>(&mut self, value: &'a JsonValue, is_tokens: bool) -> Read<NodeKind<'a>> {
        let mut triggers = Vec::new();
        for pair in self.array(value, "rules")? {
            let Some([pattern, content]) = pair.as_array() else {
                let help = "write `[\"trigger\", {\"type\": ...}]`";
                return self.refuse(pair.span, "a rule is a trigger and what follows it".to_owned(), help);
            };
            let text = match pattern.as_str() {
                _ if is_tokens => Edge::Token(self.token(pattern)?, pattern.span),
                Some(text) if !text.is_empty() => Edge::Text(text),
                _ => return self.refuse(pattern.span, "a trigger is a text".to_owned(), "write it in quotes"),
            };
            let arm = Arm { rest: "", content: self.node(content)?, ends: Vec::new() };
            triggers.push(Trigger { text, arms: vec![arm] });
        }
        if triggers.is_empty() {
            return self.refuse(value.span, "there are no rules".to_owned(), "write one rule at least, or `any_text`");
        }
        let excludes = if is_tokens { self.names(value, "exclude_tokens")? } else { self.excludes(value)? };
        let repeats = self.flag(value, "loop", true)?;
        Ok(NodeKind::Dispatch(Dispatch { triggers, excludes, stops_at_end: false, repeats, begins_at_once: false }))
    }

    fn list<'a>(&mut self, value: &'a JsonValue) -> Read<NodeKind<'a>> {
        let tags = self.tags(value)?;
        if tags.is_empty() {
            return self.refuse(value.span, "there are no tags".to_owned(), "write one tag at least");
        }
        let tag = |(span, tag)| Node { span, kind: NodeKind::Tag(Box::new(tag)) };
        Ok(NodeKind::List {
            tags: tags.into_iter().map(tag).collect(),
            separator: self.text(value, "separator")?,
            repeats: !self.flag(value, "stop_after_first", false)?,
            may_be_empty: !self.flag(value, "at_least_one", false)?,
        })
    }

    fn repeat<'a>(&mut self, value: &'a JsonValue, min: u32, max: Option<u32>) -> Read<NodeKind<'a>> {
        let content = self.needed(value, "content")?;
        Ok(NodeKind::Repeat { content: Box::new(self.node(content)?), min, max })
    }

    fn counted<'a>(&mut self, value: &'a JsonValue) -> Read<NodeKind<'a>> {
        let min = self.needed(value, "min")?;
        let min = self.number(min, "min")?;
        let most = self.needed(value, "max")?;
        let max = if most.as_number() == Some("-1") { None } else { Some(self.number(most, "max")?) };
        if max.is_some_and(|max| max < min) {
            return self.refuse(most.span, format!("`max` is less than `min`, which is {min}"), "`-1` is no maximum");
        }
        self.repeat(value, min, max)
    }
}

/// Returns the rest of a tag's beginning after the trigger; `None` if it does not begin with the trigger.
fn begun_with<'a>(trigger: Edge<'a>, begin: Edge<'a>) -> Option<&'a str> {
    match (trigger, begin) {
        (Edge::Text(trigger), Edge::Text(begin)) => begin.strip_prefix(trigger),
        (Edge::Token(TokenName::Name(one), _), Edge::Token(TokenName::Name(other), _)) => (one == other).then_some(""),
        (Edge::Token(TokenName::Id(one), _), Edge::Token(TokenName::Id(other), _)) => (one == other).then_some(""),
        _ => None,
    }
}
