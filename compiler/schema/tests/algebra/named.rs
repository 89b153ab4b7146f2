//! Schemas that random generation rarely produces, and that a mistake in the algebra would get wrong.

use ogc_schema::source::{Keywords, Node, NodeId, NodeKind, Origin, Schemas, Types, Value};
use ogc_schema::{Algebra, Limits, SchemaErrorKind, Table};

use crate::compare::{Fates, with_model};
use crate::generate::at;
use crate::universe::{Universe, number};
use ogc_kit::Random;

fn node(change: impl FnOnce(&mut Keywords)) -> NodeKind {
    let mut all = Keywords::default();
    change(&mut all);
    NodeKind::Keywords(Box::new(all))
}

fn graph(kinds: impl IntoIterator<Item = NodeKind>) -> Schemas {
    let nodes = kinds.into_iter().map(|kind| Node { origin: Origin(0), kind });
    Schemas { nodes: nodes.collect(), root: Some(NodeId(0)) }
}

fn strings() -> Types {
    Types { null: false, boolean: false, integer: false, number: false, string: true, array: false, object: false }
}

/// Compares a graph with the model, on some samples of the universe.
fn check(schemas: &Schemas) -> Fates {
    let universe = Universe::new();
    let mut fates = Fates::default();
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let sample = universe.sample(&mut random);
        let found = with_model(schemas, Limits::default(), &sample, &mut random);
        fates.add(&found.unwrap_or_else(|error| panic!("{error}\n{}", crate::print::graph(schemas))));
    }
    fates
}

#[test]
fn a_length_that_no_string_of_the_pattern_has_is_empty() {
    let fates = check(&graph([node(|all| {
        all.types = Some(at(strings()));
        all.string.patterns = vec![at("^(a|bbb)$".to_owned())];
        all.string.min_length = Some(at(2));
        all.string.max_length = Some(at(2));
    })]));
    assert_eq!((fates.empty, fates.held), (20, 0));
}

#[test]
fn listed_objects_are_equal_regardless_of_key_order() {
    let member = |key: &str, literal: &str| (key.to_owned(), Value::Number(number(literal)));
    let list = |members: Vec<(String, Value)>| node(|all| all.one_of_values = vec![at(vec![Value::Object(members)])]);
    let schemas = graph([
        node(|all| all.one_of = vec![at(vec![NodeId(1), NodeId(2)])]),
        list(vec![member("a", "1"), member("b", "2")]),
        list(vec![member("b", "2"), member("a", "1")]),
    ]);
    let fates = check(&schemas);
    assert_eq!((fates.empty, fates.held), (20, 40));
}

#[test]
fn pattern_properties_allow_keys_without_additional_properties() {
    let schemas = graph([
        node(|all| all.any_of = vec![at(vec![NodeId(1)]), at(vec![NodeId(2), NodeId(3)])]),
        node(|all| {
            all.object.pattern_properties = vec![(at("b".to_owned()), NodeId(4))];
            all.object.additional_properties = Some(at(NodeId(3)));
        }),
        node(|all| all.object.required = vec![at("ab".to_owned())]),
        NodeKind::Bool(false),
        NodeKind::Bool(true),
    ]);
    assert_eq!(check(&schemas).held, 80);
}

#[test]
fn a_schema_that_is_only_a_self_reference_is_refused() {
    let schemas = graph([node(|all| all.not = Some(at(NodeId(0))))]);
    let table = Table::new(&schemas);
    let mut algebra = Algebra::new(&table, Limits::default());
    let root = algebra.root();
    algebra.solve(root).expect("few values");
    let shape = algebra.shape(root);
    assert!(algebra.holds_something(root));
    assert!(
        !shape.errors.is_empty() && shape.errors.iter().all(|error| error.kind == SchemaErrorKind::Cycle),
        "{shape:?}"
    );
}

/// `{"next": ...}` that never ends has no value; with an end it has one.
#[test]
fn recursion_needs_an_end() {
    let chain = |required: bool| {
        graph([node(|all| {
            all.types = Some(at(Types { string: false, object: true, ..strings() }));
            all.object.properties = vec![("a".to_owned(), NodeId(0))];
            all.object.required = required.then(|| at("a".to_owned())).into_iter().collect();
        })])
    };
    assert_eq!(check(&chain(true)).empty, 20);
    assert_eq!(check(&chain(false)).held, 20);
}
