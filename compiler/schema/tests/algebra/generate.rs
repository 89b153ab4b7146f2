//! Random small schema graphs.

use ogc_schema::source::{At, Conditional, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Types, Value};

use crate::pattern::PATTERNS;
use crate::universe::{KEYS, instance, number, text};
use ogc_kit::Random;

const BOUNDS: &[&str] = &["-1", "0", "1", "2", "3", "0.5", "2.5"];
const DIVISORS: &[&str] = &["1", "2", "3", "0.5", "1.5"];

pub(crate) fn at<T>(value: T) -> At<T> {
    At { origin: Origin(0), value }
}

/// Makes a graph: the first node is the root, the last three are leaves.
pub(crate) fn schemas(random: &mut Random) -> Schemas {
    let inner = 2 + random.below(6);
    let focus = *random.pick(Focus::ALL);
    let count = inner + LISTS;
    let mut kinds: Vec<NodeKind> = Vec::new();
    for own in 0..inner {
        kinds.push(match random.below(24) {
            0 | 1 => NodeKind::Bool(true),
            2 => NodeKind::Bool(false),
            _ => keywords(Maker { random, own, count, focus }.keywords()),
        });
    }
    let texts = (0..=random.below(3)).map(|_| text(random.pick::<&str>(NAMES))).collect();
    let listed = (0..=random.below(2)).map(|_| random.pick(&familiar()).clone()).collect();
    for list in [texts, listed] {
        kinds.push(keywords(Keywords { one_of_values: vec![at(list)], ..Keywords::default() }));
    }
    kinds.push(NodeKind::Bool(false));
    let nodes = kinds.into_iter().map(|kind| Node { origin: Origin(0), kind });
    Schemas { nodes: nodes.collect(), root: Some(NodeId(0)) }
}

fn keywords(all: Keywords) -> NodeKind {
    NodeKind::Keywords(Box::new(all))
}

/// Number of leaves that list values: one lists texts, one any values.
const LISTS: usize = 2;

/// The texts of the leaf that lists texts: keys, and one character of two UTF-16 units.
const NAMES: &[&str] = &["a", "b", "ab", "\u{1F600}"];

/// A few recurring values, so that lists have some in common. One object is here in two key orders.
fn familiar() -> Vec<Value> {
    let [one, two] = ["1", "2"].map(|literal| Value::Number(number(literal)));
    let [first, second] = [("a".to_owned(), one.clone()), ("b".to_owned(), two.clone())];
    vec![
        Value::Null,
        one.clone(),
        text("a"),
        text("\u{1F600}"),
        Value::Array(vec![one.clone()]),
        Value::Array(vec![one, two]),
        Value::Object(vec![first.clone()]),
        Value::Object(vec![first.clone(), second.clone()]),
        Value::Object(vec![second, first]),
    ]
}

/// The kind of values that most nodes of a graph constrain, so that their keywords interact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    Numbers,
    Strings,
    Arrays,
    Objects,
    /// Objects whose values are distinguished by lists.
    Tags,
    Lists,
    Nothing,
}

impl Focus {
    const ALL: &[Self] =
        &[Self::Numbers, Self::Strings, Self::Arrays, Self::Objects, Self::Tags, Self::Lists, Self::Nothing];
}

/// Makes the keywords of one node. References lead to nodes below `count`; the node after them is `false`.
struct Maker<'r> {
    random: &'r mut Random,
    own: usize,
    count: usize,
    focus: Focus,
}

impl Maker<'_> {
    fn keywords(&mut self) -> Keywords {
        let mut all = Keywords::default();
        if self.random.one_in(2) {
            all.types = Some(at(self.types()));
        }
        if self.speaks_of(Focus::Lists) {
            all.one_of_values = self.lists();
        }
        if self.speaks_of(Focus::Numbers) {
            self.number(&mut all);
        }
        if self.speaks_of(Focus::Strings) {
            self.string(&mut all);
        }
        if self.speaks_of(Focus::Arrays) {
            self.array(&mut all);
        }
        if self.speaks_of(Focus::Objects) || self.speaks_of(Focus::Tags) {
            self.object(&mut all);
        }
        while self.own + 1 < self.count && self.random.one_in(2) {
            self.combinator(&mut all);
        }
        all
    }

    fn speaks_of(&mut self, focus: Focus) -> bool {
        match self.focus {
            Focus::Nothing => self.random.one_in(5),
            known if known == focus => !self.random.one_in(4),
            _ => self.random.one_in(12),
        }
    }

    /// The type of the focus alone, so that no other type hides that it is empty, or some types.
    fn types(&mut self) -> Types {
        let mut flags = [false; 7];
        match self.focus {
            Focus::Strings if self.random.one_in(2) => flags[4] = true,
            Focus::Arrays if self.random.one_in(2) => flags[5] = true,
            Focus::Objects | Focus::Tags if self.random.one_in(2) => flags[6] = true,
            _ => (0..=self.random.below(3)).for_each(|_| flags[self.random.below(7)] = true),
        }
        let [null, boolean, integer, number, string, array, object] = flags;
        Types { null, boolean, integer, number, string, array, object }
    }

    fn lists(&mut self) -> Vec<At<Vec<Value>>> {
        let lists = if self.random.one_in(6) { 2 } else { 1 };
        let depth = self.random.below(3);
        let familiar = familiar();
        let any = self.random.one_in(2);
        let mut value = || if any { instance(self.random, depth) } else { self.random.pick(&familiar).clone() };
        (0..lists).map(|_| at((0..4).map(|_| value()).collect())).collect()
    }

    /// Picks any node: for schemas of the parts of a value.
    fn node(&mut self) -> NodeId {
        NodeId(self.random.below(self.count) as u32)
    }

    /// Picks one of the leaves that list values.
    fn list(&mut self) -> NodeId {
        NodeId((self.count - 1 - self.random.below(LISTS)) as u32)
    }

    /// The leaf that lists texts.
    fn texts(&self) -> NodeId {
        NodeId((self.count - LISTS) as u32)
    }

    fn nothing(&self) -> NodeId {
        NodeId(self.count as u32)
    }

    /// Picks a later node: for schemas of the same value. A schema that refers to itself without content has no
    /// meaning.
    fn later(&mut self) -> NodeId {
        let after = self.own + 1;
        NodeId((after + self.random.below(self.count - after)) as u32)
    }

    fn some_later(&mut self) -> Vec<NodeId> {
        (0..=self.random.below(3)).map(|_| self.later()).collect()
    }

    fn combinator(&mut self, all: &mut Keywords) {
        match self.random.below(12) {
            0 => all.reference = Some(at(self.later())),
            1 | 2 => all.all_of = self.some_later(),
            3 | 4 => all.any_of.push(at(self.some_later())),
            5 | 6 => all.one_of.push(at(self.some_later())),
            7 | 8 => all.not = Some(at(self.later())),
            9 | 10 => {
                let then = self.random.one_in(2).then(|| self.later());
                let otherwise = self.random.one_in(2).then(|| self.later());
                all.conditional = Some(at(Conditional { condition: self.later(), then, otherwise }));
            }
            _ => {
                let key = self.key();
                all.object.dependent_schemas.push((at(key), self.later()));
            }
        }
    }

    fn count(&mut self, times: usize) -> Option<At<u64>> {
        self.random.one_in(times).then(|| at(self.random.below(4) as u64))
    }

    fn number(&mut self, all: &mut Keywords) {
        let mut bound = |times| self.random.one_in(times).then(|| at(number(self.random.pick::<&str>(BOUNDS))));
        all.number.minimum = bound(3);
        all.number.maximum = bound(3);
        all.number.exclusive_minimum = bound(4);
        all.number.exclusive_maximum = bound(4);
        if self.random.one_in(3) {
            all.number.multiple_of = Some(at(number(self.random.pick::<&str>(DIVISORS))));
        }
    }

    fn pattern(&mut self) -> At<String> {
        at(self.random.pick(PATTERNS).0.to_owned())
    }

    fn string(&mut self, all: &mut Keywords) {
        all.string.min_length = self.count(2);
        all.string.max_length = self.count(2);
        while self.random.one_in(2) {
            let pattern = self.pattern();
            all.string.patterns.push(pattern);
        }
    }

    fn array(&mut self, all: &mut Keywords) {
        let prefix = if self.random.one_in(3) { 1 + self.random.below(2) } else { 0 };
        all.array.prefix_items = (0..prefix).map(|_| self.node()).collect();
        all.array.items = self.random.one_in(2).then(|| at(self.node()));
        all.array.min_items = self.count(4);
        all.array.max_items = self.count(4);
        if self.random.one_in(8) {
            all.array.unique_items = Some(Origin(0));
            let items = self.texts();
            all.array.items = all.array.items.take().filter(|_| self.random.one_in(2)).or(Some(at(items)));
        }
        if self.random.one_in(4) {
            all.array.contains = Some(at(self.node()));
            all.array.min_contains = self.count(3);
            all.array.max_contains = self.count(3);
        }
    }

    fn key(&mut self) -> String {
        (*self.random.pick(KEYS)).to_owned()
    }

    fn object(&mut self, all: &mut Keywords) {
        let tagged = self.focus == Focus::Tags && !self.random.one_in(3);
        for key in KEYS {
            if self.random.one_in(if tagged { 2 } else { 3 }) {
                let node = if tagged { self.list() } else { self.node() };
                all.object.properties.push(((*key).to_owned(), node));
            }
            if self.random.one_in(if tagged { 2 } else { 6 }) {
                all.object.required.push(at((*key).to_owned()));
            }
        }
        while self.random.one_in(5) {
            let pattern = self.pattern();
            all.object.pattern_properties.push((pattern, self.node()));
        }
        if self.random.one_in(2) {
            let node = if self.random.one_in(2) { self.nothing() } else { self.node() };
            all.object.additional_properties = Some(at(node));
        }
        if self.random.one_in(8) {
            let node = if self.random.one_in(2) { self.texts() } else { self.node() };
            all.object.property_names = Some(at(node));
        }
        all.object.min_properties = self.count(5);
        all.object.max_properties = self.count(8);
        if self.random.one_in(8) {
            let needed = (0..=self.random.below(2)).map(|_| self.key()).collect();
            all.object.dependent_required.push((at(self.key()), needed));
        }
    }
}
