//! Expands templates to rules, one for each list of arguments, and applies `%override` and `%extend`.
//!
//! Arguments are leaves (names, strings, patterns), so bodies do not grow; the number of rules is bounded, which stops
//! templates that call themselves with ever new arguments.

use super::ast::{Ending, File, Item, Mode, Node, NodeKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::pulse::step;
use crate::span::{Span, Spanned};
use std::collections::{HashMap, HashSet, VecDeque};

/// Cap on the rules that templates expand to.
const INSTANCES: usize = 1_000;

/// Cap on the total bytes of the rules that templates expand to. A template is copied for each list of arguments, and
/// an argument for each occurrence of its parameter.
const BYTES: usize = 32 << 20;

/// Maximum length in characters of a name that is built from arguments; longer ones are replaced by numbers.
const NAME: usize = 60;

/// Returns a file with templates expanded and changes of other items applied.
pub(super) fn expand(file: File, sink: &mut Sink) -> File {
    let (templates, items): (Vec<Item>, Vec<Item>) =
        changed(file.items, sink).into_iter().partition(|item| !item.params.is_empty());
    let mut known = HashMap::new();
    for template in &templates {
        known.entry(template.name.value.as_str()).or_insert(template);
    }
    let mut expansion = Expansion {
        templates: known,
        instances: HashMap::new(),
        open: VecDeque::new(),
        bytes: 0,
        refused: false,
        sink,
    };
    let empty = HashMap::new();
    let mut done: Vec<Item> = items.into_iter().map(|item| expansion.item(item, &empty)).collect();
    let ignored = file.ignored.iter().map(|node| expansion.node(node, &empty)).collect();
    while let Some(instance) = expansion.open.pop_front() {
        step();
        let bound =
            instance.template.params.iter().map(|param| param.value.as_str()).zip(&instance.arguments).collect();
        let mut item = instance.template.clone();
        item.name.value = instance.name;
        done.push(expansion.item(item, &bound));
    }
    File { items: done, ignored, options: file.options, imports: Vec::new() }
}

/// Applies `%override` and `%extend`.
pub(super) fn changed(items: Vec<Item>, sink: &mut Sink) -> Vec<Item> {
    let (mut kept, changes): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| item.mode == Mode::Define);
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for (at, item) in kept.iter().enumerate() {
        numbers.entry(item.name.value.clone()).or_insert(at);
    }
    // Items whose body is already the alternation of the original and its extensions.
    let mut extended: HashSet<usize> = HashSet::new();
    for change in changes {
        step();
        let at = numbers.get(&change.name.value).copied();
        let Some((at, target)) = at.and_then(|at| Some((at, kept.get_mut(at)?))) else {
            let message = format!("there is no `{}` that this could change", change.name.value);
            let found = Diagnostic::error(Code::LarkOverride, change.name.span, message);
            sink.push(found.help("define it without %override or %extend, or import it first"));
            continue;
        };
        if change.mode == Mode::Override {
            *target = Item { mode: Mode::Define, ..change };
            extended.remove(&at);
            continue;
        }
        match &mut target.body.kind {
            NodeKind::Alternation(arms) if extended.contains(&at) => arms.push(change.body),
            _ => {
                let span = target.body.span;
                let own = std::mem::replace(&mut target.body, Node::new(NodeKind::Alternation(Vec::new()), span));
                target.body = Node::new(NodeKind::Alternation(vec![own, change.body]), span);
                extended.insert(at);
            }
        }
    }
    kept
}

/// A template with arguments that is still to be written as a rule.
struct Instance<'i> {
    name: String,
    template: &'i Item,
    arguments: Vec<Node>,
}

struct Expansion<'i, 's> {
    templates: HashMap<&'i str, &'i Item>,
    /// The rules that calls were expanded to, by the text of the call.
    instances: HashMap<String, String>,
    open: VecDeque<Instance<'i>>,
    /// Bytes of the expressions copied so far.
    bytes: usize,
    /// Whether a limit has been exceeded, which is then reported.
    refused: bool,
    sink: &'s mut Sink,
}

/// The arguments of a template, by parameter.
type Bound<'b> = HashMap<&'b str, &'b Node>;

impl<'i> Expansion<'i, '_> {
    fn item(&mut self, item: Item, bound: &Bound<'_>) -> Item {
        let body = self.node(&item.body, bound);
        let ending = match item.ending {
            Ending::Marker(node, span) => Ending::Marker(Box::new(self.node(&node, bound)), span),
            other => other,
        };
        Item { params: Vec::new(), ending, body, ..item }
    }

    /// Expands an expression. The parser's nesting limit bounds the recursion.
    fn node(&mut self, node: &Node, bound: &Bound<'_>) -> Node {
        if !bound.is_empty() && !self.may_copy(node, bound) {
            return Node::new(NodeKind::Sequence(Vec::new()), node.span);
        }
        let kind = match &node.kind {
            NodeKind::Name(name) => match bound.get(name.as_str()) {
                Some(argument) => argument.kind.clone(),
                None => self.plain(name, node.span),
            },
            NodeKind::Template { name, arguments } => self.call(name, arguments, bound),
            NodeKind::Sequence(nodes) => NodeKind::Sequence(self.nodes(nodes, bound)),
            NodeKind::Alternation(nodes) => NodeKind::Alternation(self.nodes(nodes, bound)),
            NodeKind::And(nodes) => NodeKind::And(self.nodes(nodes, bound)),
            NodeKind::Repeat { node, min, max } => {
                NodeKind::Repeat { node: Box::new(self.node(node, bound)), min: *min, max: *max }
            }
            NodeKind::Not(node) => NodeKind::Not(Box::new(self.node(node, bound))),
            NodeKind::Literal(_)
            | NodeKind::Range(..)
            | NodeKind::Regex(_)
            | NodeKind::Token(_)
            | NodeKind::Substring(_)
            | NodeKind::Json(_)
            | NodeKind::Nested(_)
            | NodeKind::Given(_) => node.kind.clone(),
        };
        Node::new(kind, node.span)
    }

    /// Charges an expression of a template that is to be copied; returns whether it is within the limit.
    fn may_copy(&mut self, node: &Node, bound: &Bound<'_>) -> bool {
        step();
        let text = |node: &Node| match &node.kind {
            NodeKind::Literal(text) | NodeKind::Regex(text) | NodeKind::Name(text) => text.len(),
            NodeKind::Token(token) => token.to_string().len(),
            _ => 0,
        };
        let argument = match &node.kind {
            NodeKind::Name(name) => bound.get(name.as_str()).copied(),
            _ => None,
        };
        self.bytes = self.bytes.saturating_add(size_of::<Node>() + text(argument.unwrap_or(node)));
        if self.bytes > BYTES && !std::mem::replace(&mut self.refused, true) {
            let message = format!("templates become rules of {} bytes here; the limit is {BYTES}", self.bytes);
            self.fail(node.span, message, "make the parts of the template that have no parameters rules of their own");
        }
        self.bytes <= BYTES
    }

    fn nodes(&mut self, nodes: &[Node], bound: &Bound<'_>) -> Vec<Node> {
        nodes.iter().map(|node| self.node(node, bound)).collect()
    }

    /// Expands a name without arguments; it must not be the name of a template.
    fn plain(&mut self, name: &str, span: Span) -> NodeKind {
        if let Some(template) = self.templates.get(name) {
            let message = format!("the template `{name}` needs {} arguments", template.params.len());
            self.fail(span, message, "write them in braces: `name{a, b}`");
        }
        NodeKind::Name(name.to_owned())
    }

    /// Expands a call: returns the name of its rule; at the first call, makes the rule.
    fn call(&mut self, name: &Spanned<String>, arguments: &[Node], bound: &Bound<'_>) -> NodeKind {
        let arguments = self.nodes(arguments, bound);
        let Some(&template) = self.templates.get(name.value.as_str()) else {
            let message = format!("no template is called `{}`", name.value);
            self.fail(name.span, message, "define it: `name{x}: ...`; repetition is `name~2..5` or `name{2,5}`");
            return NodeKind::Sequence(Vec::new());
        };
        let (given, wanted) = (arguments.len(), template.params.len());
        if given != wanted {
            let message = format!("the template `{}` has {wanted} parameters, and {given} arguments here", name.value);
            self.fail(name.span, message, "give one argument for each parameter");
            return NodeKind::Sequence(Vec::new());
        }
        let mut written = Vec::new();
        for argument in &arguments {
            let Some(text) = leaf(argument) else {
                let message = "an argument of a template is a name, a string or a regular expression";
                self.fail(argument.span, message.to_owned(), "give the group a name of its own");
                return NodeKind::Sequence(Vec::new());
            };
            written.push(text);
        }
        NodeKind::Name(self.instance(template, arguments, &written.join(","), name.span))
    }

    fn instance(&mut self, template: &'i Item, arguments: Vec<Node>, written: &str, span: Span) -> String {
        let call = format!("{}{{{written}}}", template.name.value);
        if let Some(known) = self.instances.get(&call) {
            return known.clone();
        }
        let given = self.instances.len() + 1;
        if given > INSTANCES {
            if !std::mem::replace(&mut self.refused, true) {
                let message = format!("templates become {given} rules here; the limit is {INSTANCES}");
                self.fail(span, message, "a template must not call itself with ever new arguments");
            }
            return call;
        }
        let name = if call.len() <= NAME { call.clone() } else { format!("{}{{#{given}}}", template.name.value) };
        self.instances.insert(call, name.clone());
        self.open.push_back(Instance { name: name.clone(), template, arguments });
        name
    }

    fn fail(&mut self, span: Span, message: String, help: &str) {
        self.sink.push(Diagnostic::error(Code::LarkTemplate, span, message).help(help));
    }
}

/// Returns the text of a leaf; leaves with equal texts are equal.
fn leaf(node: &Node) -> Option<String> {
    Some(match &node.kind {
        NodeKind::Literal(text) => format!("{text:?}"),
        NodeKind::Range(low, high) => format!("{low:?}..{high:?}"),
        NodeKind::Regex(pattern) => format!("/{pattern}/"),
        NodeKind::Name(name) => name.clone(),
        NodeKind::Token(token) => token.to_string(),
        _ => return None,
    })
}
