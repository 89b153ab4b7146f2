//! The metered filters, tests, methods and functions: before each call, a bound of its result is counted.

use std::sync::Arc;

use minijinja::value::{Kwargs, Rest, ValueKind, from_args};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};

use crate::prompt::chat::meter::{Meter, NODE_BYTES, TemplateLimit, ValueSize};
use crate::prompt::chat::operators::{self, PLAIN};
use crate::prompt::python_json;

/// Cap on the columns of an indentation.
const INDENT: u64 = 64;

/// Cap on the times that a comparison sort visits each value.
const COMPARISONS: u64 = 24;

/// The cost of a call: a bound of what it makes of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallCost {
    /// It inspects only the top level of a value, and makes nothing.
    Glance,
    /// It makes a text of a value, with escapes.
    Text,
    /// It makes a list of the parts of a value: of a text, its characters.
    Items,
    /// It orders the parts of a value.
    Order,
    Replace,
    Join,
    Split,
    Lines,
    Indent,
    Json,
    /// It makes as many parts as a number says.
    Count,
    Format,
    /// It adds all parts, which may be texts.
    Sum,
    Chain,
    /// It calls another filter or test by name, which is metered.
    Calls,
}

const FILTERS: [(&str, CallCost); 48] = {
    use CallCost::{
        Calls, Chain, Count, Format, Glance, Indent, Items, Join, Json, Lines, Order, Replace, Split, Sum, Text,
    };
    [
        ("safe", Text),
        ("escape", Text),
        ("e", Text),
        ("lower", Text),
        ("upper", Text),
        ("title", Text),
        ("capitalize", Text),
        ("replace", Replace),
        ("length", Glance),
        ("count", Glance),
        ("dictsort", Order),
        ("items", Items),
        ("reverse", Items),
        ("trim", Text),
        ("join", Join),
        ("split", Split),
        ("lines", Lines),
        ("default", Glance),
        ("d", Glance),
        ("round", Text),
        ("abs", Glance),
        ("int", Glance),
        ("float", Glance),
        ("attr", Glance),
        ("first", Glance),
        ("last", Glance),
        ("min", Order),
        ("max", Order),
        ("sort", Order),
        ("list", Items),
        ("string", Text),
        ("bool", Glance),
        ("batch", Count),
        ("slice", Count),
        ("sum", Sum),
        ("indent", Indent),
        ("select", Calls),
        ("reject", Calls),
        ("selectattr", Calls),
        ("rejectattr", Calls),
        ("map", Calls),
        ("groupby", Order),
        ("unique", Order),
        ("chain", Chain),
        ("zip", Items),
        ("pprint", Json),
        ("format", Format),
        ("tojson", Json),
    ]
};

/// The tests that look at the outside of a value; the others walk it.
const GLANCES: [&str; 22] = [
    "undefined",
    "defined",
    "none",
    "safe",
    "escaped",
    "boolean",
    "odd",
    "even",
    "divisibleby",
    "number",
    "integer",
    "int",
    "float",
    "string",
    "sequence",
    "iterable",
    "mapping",
    "startingwith",
    "endingwith",
    "true",
    "false",
    "sameas",
];

const WALKS: [&str; 20] = [
    "lower",
    "upper",
    "eq",
    "equalto",
    "==",
    "ne",
    "!=",
    "lt",
    "lessthan",
    "<",
    "le",
    "<=",
    "gt",
    "greaterthan",
    ">",
    "ge",
    ">=",
    "in",
    "filter",
    "test",
];

/// Defines the filters, the tests and the functions of the engine.
pub(super) fn define(environment: &mut Environment<'_>, meter: &Arc<Meter>) {
    for (name, cost) in FILTERS {
        let meter = Arc::clone(meter);
        environment.add_filter(name, move |state: &State, args: Rest<Value>| filter(&meter, state, name, cost, &args));
    }
    for name in GLANCES.into_iter().chain(WALKS) {
        let meter = Arc::clone(meter);
        environment.add_test(name, move |args: Rest<Value>| {
            if GLANCES.contains(&name) {
                args.iter().try_for_each(|value| meter.glance(value))?;
            } else {
                let size = meter.sizes(&args)?;
                meter.make(if name == "in" { size.rendered() } else { 0 })?;
            }
            // In Python `None` is not iterable; in the engine it is.
            if name == "iterable" && args.first().is_some_and(Value::is_none) {
                return Ok(false);
            }
            PLAIN.empty_state().perform_test(name, &args)
        });
    }
    let methods = Arc::clone(meter);
    environment.add_function("ogc method", move |state: &State, args: Rest<Value>| method(&methods, state, &args));
    for name in ["range", "dict", "namespace"] {
        let meter = Arc::clone(meter);
        environment.add_function(name, move |args: Rest<Value>| function(&meter, name, &args));
    }
}

fn function(meter: &Meter, name: &str, args: &[Value]) -> Result<Value, Error> {
    let size = meter.sizes(args)?;
    if name != "range" {
        args.iter().try_for_each(|value| operators::kept(meter, std::slice::from_ref(value)).map(drop))?;
    }
    meter.make(size.nodes * NODE_BYTES)?;
    let state = PLAIN.empty_state();
    let function = state.lookup(name).ok_or_else(|| Error::from(ErrorKind::UnknownFunction))?;
    meter.settled(function.call(&state, args)?)
}

fn filter(meter: &Meter, state: &State, name: &str, cost: CallCost, args: &[Value]) -> Result<Value, Error> {
    count(meter, cost, args)?;
    let made = match name {
        "chain" => return operators::chain(meter, args),
        "tojson" => python_json::dumps(args)?,
        "map" => {
            let (value, rest) = from_args(args)?;
            Value::from(filters::map(state, value, rest)?)
        }
        "select" | "reject" => {
            let (value, test, rest) = from_args(args)?;
            let picks = if name == "select" { filters::select } else { filters::reject };
            Value::from(picks(state, value, test, rest)?)
        }
        "selectattr" | "rejectattr" => {
            let (value, attribute, test, rest) = from_args(args)?;
            let picks = if name == "selectattr" { filters::selectattr } else { filters::rejectattr };
            Value::from(picks(state, value, attribute, test, rest)?)
        }
        _ => PLAIN.empty_state().apply_filter(name, args)?,
    };
    finished(meter, cost, made)
}

/// Checks the result of a call, and turns a lazy value into a list.
fn finished(meter: &Meter, cost: CallCost, made: Value) -> Result<Value, Error> {
    let made = meter.settled(made)?;
    if cost != CallCost::Glance {
        meter.size(&made)?;
    }
    Ok(made)
}

/// Calls a method of a value: the arguments are the value, its own arguments, and the name.
fn method(meter: &Meter, state: &State, args: &[Value]) -> Result<Value, Error> {
    let missing = || Error::from(ErrorKind::MissingArgument);
    let (name, args) = args.split_last().ok_or_else(missing)?;
    let (value, rest) = args.split_first().ok_or_else(missing)?;
    let name = name.as_str().ok_or_else(missing)?;
    let cost = method_cost(value, name);
    match (cost, rest) {
        // The first argument is the list to join, as for the filter.
        (CallCost::Join, [list, ..]) => count(meter, cost, &[list.clone(), value.clone()])?,
        _ => count(meter, cost, args)?,
    }
    if name == "count"
        && let (Some(text), Some("")) = (value.as_str(), rest.first().and_then(Value::as_str))
    {
        return Ok(Value::from(text.chars().count() + 1));
    }
    finished(meter, cost, value.call_method(state, name, rest)?)
}

fn method_cost(value: &Value, name: &str) -> CallCost {
    match (value.kind(), name) {
        (ValueKind::String, "split") => CallCost::Split,
        (ValueKind::String, "splitlines") => CallCost::Lines,
        (ValueKind::String, "replace") => CallCost::Replace,
        (ValueKind::String, "join") => CallCost::Join,
        (ValueKind::String, "format") => CallCost::Format,
        (ValueKind::String, "strip" | "lstrip" | "rstrip" | "upper" | "lower" | "title" | "capitalize") => {
            CallCost::Text
        }
        (ValueKind::String, _) | (ValueKind::Map, "get") => CallCost::Glance,
        _ => CallCost::Items,
    }
}

/// Counts the size of the result that a call may make, and the size of the inputs that it reads, before it is called.
fn count(meter: &Meter, cost: CallCost, args: &[Value]) -> Result<(), Error> {
    if cost == CallCost::Glance {
        return args.iter().try_for_each(|value| meter.glance(value));
    }
    let made = made(meter, cost, args)?;
    meter.make(made)
}

/// Returns a bound of the bytes of a call's result.
fn made(meter: &Meter, cost: CallCost, args: &[Value]) -> Result<u64, Error> {
    let size = meter.sizes(args)?;
    let number = largest_number(args.get(1..).unwrap_or_default());
    let parts = size.nodes.saturating_mul(NODE_BYTES);
    let text = args.first().and_then(Value::as_str);
    Ok(match cost {
        CallCost::Glance | CallCost::Chain => 0,
        CallCost::Text => {
            // Characters to strip are compared with each character.
            let set = args.get(1).and_then(Value::as_str).map_or(1, |set| set.len() as u64);
            meter.work(size.text.saturating_mul(set))?;
            if text.is_some() { size.text * 6 + 48 } else { size.rendered() }
        }
        CallCost::Items | CallCost::Calls => {
            parts + text.map_or(0, |text| (text.len() as u64).saturating_mul(NODE_BYTES))
        }
        CallCost::Order => {
            meter.work((size.text + size.nodes * 16).saturating_mul(COMPARISONS))?;
            parts
        }
        CallCost::Replace => replaced(text.unwrap_or_default(), args),
        CallCost::Join => joined(&size, args),
        CallCost::Split => split(text, args) * NODE_BYTES + size.text,
        CallCost::Lines => text.unwrap_or_default().matches('\n').count() as u64 * NODE_BYTES + parts + size.text,
        CallCost::Indent => {
            let lines = text.unwrap_or_default().matches('\n').count() as u64 + 1;
            size.text.saturating_add(lines.saturating_mul(number))
        }
        CallCost::Json => json(meter, &size, number)?,
        CallCost::Count => parts.saturating_add(number.saturating_mul(NODE_BYTES)).saturating_add(size.text),
        CallCost::Format => formatted(text.unwrap_or_default(), &size, args),
        CallCost::Sum => size.text.saturating_mul(size.nodes),
    })
}

fn replaced(text: &str, args: &[Value]) -> u64 {
    let argument = |index| args.get(index).map(ToString::to_string).unwrap_or_default();
    let (old, new): (String, String) = (argument(1), argument(2));
    let places = if old.is_empty() { text.chars().count() + 1 } else { text.matches(old.as_str()).count() };
    (text.len() as u64).saturating_add((places as u64).saturating_mul(new.len() as u64))
}

fn joined(size: &ValueSize, args: &[Value]) -> u64 {
    let between = args.get(1).and_then(Value::as_str).map_or(0, |between| between.len() as u64);
    let parts = args.first().and_then(Value::len).unwrap_or(size.nodes as usize) as u64;
    let text = args.first().and_then(Value::as_str).map_or(0, |text| text.chars().count() as u64);
    size.rendered().saturating_add(parts.max(text).saturating_mul(between))
}

fn split(text: Option<&str>, args: &[Value]) -> u64 {
    let text = text.unwrap_or_default();
    let parts = match args.get(1).and_then(Value::as_str) {
        Some("") => text.chars().count() + 2,
        Some(between) => text.matches(between).count() + 1,
        None => text.split_whitespace().count() + 1,
    };
    parts as u64
}

fn json(meter: &Meter, size: &ValueSize, indent: u64) -> Result<u64, Error> {
    if indent > INDENT {
        return Err(meter.refuse(TemplateLimit { what: "columns of indentation", given: indent, limit: INDENT }));
    }
    let escaped = size.text.saturating_mul(10).saturating_add(size.nodes * 48);
    Ok(escaped.saturating_add(size.depths.saturating_mul(indent.max(4))))
}

/// Bounds a text with places to fill: any number in it may be a width.
fn formatted(text: &str, size: &ValueSize, args: &[Value]) -> u64 {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let widths = numbers.fold(0, |sum: u64, digits| sum.saturating_add(digits.parse().unwrap_or(u64::MAX)));
    let given = largest_number(args.get(1..).unwrap_or_default());
    let places = text.matches(['*', '{']).count() as u64;
    let from_arguments = if text.contains('*') || text.contains(":{") { given.saturating_mul(places) } else { 0 };
    let places = text.matches(['%', '{']).count() as u64 + 1;
    size.rendered().saturating_mul(places).saturating_add(widths).saturating_add(from_arguments)
}

/// The largest number among arguments, named ones among them.
fn largest_number(args: &[Value]) -> u64 {
    let named = args.last().and_then(|last| Kwargs::try_from(last.clone()).ok());
    let named = named.iter().flat_map(|named| named.args().map(|name| named.get::<Value>(name).unwrap_or_default()));
    let number = |value: &Value| match (value.is_true(), value.as_i64(), f64::try_from(value.clone())) {
        (true, Some(number), _) => number.unsigned_abs(),
        (true, None, Ok(number)) => number.abs() as u64,
        _ => 0,
    };
    args.iter().map(number).chain(named.collect::<Vec<_>>().iter().map(number)).max().unwrap_or(0)
}
