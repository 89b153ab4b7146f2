//! The metered operators, which [`super::instructions`] calls instead of the engine's own.

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Expression, State, Value, context};

use crate::prompt::chat::meter::{Meter, NODE_BYTES};

/// The unmodified engine, for operations that are not replaced.
pub(super) static PLAIN: LazyLock<Environment<'static>> = LazyLock::new(Environment::new);

/// Numbers are added and multiplied by the engine itself.
static SUM: LazyLock<Option<Expression<'static, 'static>>> = LazyLock::new(|| PLAIN.compile_expression("a + b").ok());
static PRODUCT: LazyLock<Option<Expression<'static, 'static>>> =
    LazyLock::new(|| PLAIN.compile_expression("a * b").ok());
static PART: LazyLock<Option<Expression<'static, 'static>>> =
    LazyLock::new(|| PLAIN.compile_expression("a[b:c:d]").ok());

type Operator = fn(&Meter, &State, &[Value]) -> Result<Value, Error>;

const OPERATORS: [(&str, Operator); 17] = [
    ("ogc +", |meter, _, args| add(meter, args)),
    ("ogc *", |meter, _, args| multiply(meter, args)),
    ("ogc ~", |meter, _, args| concatenate(meter, args)),
    ("ogc ==", |meter, _, args| ordered(meter, args, |a, b| a == b)),
    ("ogc !=", |meter, _, args| ordered(meter, args, |a, b| a != b)),
    ("ogc <", |meter, _, args| ordered(meter, args, |a, b| a < b)),
    ("ogc <=", |meter, _, args| ordered(meter, args, |a, b| a <= b)),
    ("ogc >", |meter, _, args| ordered(meter, args, |a, b| a > b)),
    ("ogc >=", |meter, _, args| ordered(meter, args, |a, b| a >= b)),
    ("ogc in", |meter, state, args| contained(meter, state, args)),
    ("ogc compare", |meter, state, args| compare(meter, state, args)),
    ("ogc item", |meter, _, args| item(meter, args)),
    ("ogc slice", |meter, _, args| slice(meter, args)),
    ("ogc list", |meter, _, args| list(meter, args)),
    ("ogc map", |meter, _, args| map(meter, args)),
    ("ogc kept", |meter, _, args| kept(meter, args)),
    ("ogc walked", |meter, _, args| walked(meter, args)),
];

/// Defines the operators.
pub(super) fn define(environment: &mut Environment<'_>, meter: &Arc<Meter>) {
    for (name, operator) in OPERATORS {
        let meter = Arc::clone(meter);
        environment.add_function(name, move |state: &State, args: Rest<Value>| operator(&meter, state, &args));
    }
}

fn pair(args: &[Value]) -> Result<(&Value, &Value), Error> {
    let [a, b, ..] = args else { return Err(Error::from(ErrorKind::MissingArgument)) };
    Ok((a, b))
}

fn is_list(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable)
}

/// Appends text to text, a list to a list, or adds numbers.
fn add(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    let (a, b) = pair(args)?;
    if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
        meter.make((a.len() + b.len()) as u64)?;
        return Ok(Value::from([a, b].concat()));
    }
    if is_list(a) && is_list(b) {
        return chain(meter, args);
    }
    calculated(&SUM, context! { a, b })
}

/// Makes one list of the items of several.
pub(super) fn chain(meter: &Meter, lists: &[Value]) -> Result<Value, Error> {
    let mut items = Vec::new();
    for list in lists {
        for item in list.try_iter()? {
            meter.work(NODE_BYTES)?;
            meter.make(NODE_BYTES)?;
            items.push(item);
        }
    }
    Ok(Value::from(items))
}

fn multiply(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    let (a, b) = pair(args)?;
    for (value, times) in [(a, b), (b, a)] {
        let unit = match (value.as_str(), is_list(value)) {
            (Some(text), _) => text.len() as u64,
            (None, true) => value.len().unwrap_or_default() as u64 * NODE_BYTES,
            (None, false) => continue,
        };
        let bytes = unit.saturating_mul(times.as_usize().unwrap_or_default() as u64);
        meter.work(bytes)?;
        meter.make(bytes)?;
        // A list of nothing is repeated without bytes, but not without steps.
        if is_list(value) && unit == 0 {
            return Ok(Value::from(Vec::<Value>::new()));
        }
        return lasting(calculated(&PRODUCT, context! { a, b })?);
    }
    calculated(&PRODUCT, context! { a, b })
}

/// Evaluates an expression on numbers, or on values that are counted already.
fn calculated(how: &Option<Expression<'_, '_>>, values: Value) -> Result<Value, Error> {
    how.as_ref().ok_or_else(|| Error::from(ErrorKind::BadEscape))?.eval(values)
}

/// Makes a list of a lazy value whose items are counted already.
fn lasting(value: Value) -> Result<Value, Error> {
    if value.kind() != ValueKind::Iterable {
        return Ok(value);
    }
    Ok(value.try_iter()?.collect::<Vec<_>>().into())
}

fn concatenate(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    let (a, b) = pair(args)?;
    meter.make(meter.size(a)?.rendered() + meter.size(b)?.rendered())?;
    Ok(Value::from(format!("{a}{b}")))
}

fn ordered(meter: &Meter, args: &[Value], holds: fn(&Value, &Value) -> bool) -> Result<Value, Error> {
    let (a, b) = pair(args)?;
    meter.sizes(args)?;
    Ok(Value::from(holds(a, b)))
}

fn contained(meter: &Meter, state: &State, args: &[Value]) -> Result<Value, Error> {
    let (value, container) = pair(args)?;
    let size = meter.sizes(args)?;
    // The engine searches for the text of a value that is not a text.
    meter.make(if value.as_str().is_none() { size.rendered() } else { 0 })?;
    Ok(Value::from(minijinja::tests::is_in(state, value, container)?))
}

/// Compares two values of a chain (`a < b < c`), and returns whether it holds, and the second value.
fn compare(meter: &Meter, state: &State, args: &[Value]) -> Result<Value, Error> {
    let [a, b, operator] = args else { return Err(Error::from(ErrorKind::MissingArgument)) };
    let pair = [a.clone(), b.clone()];
    let holds = match operator.as_usize() {
        Some(6) => contained(meter, state, &pair)?.is_true(),
        Some(7) => !contained(meter, state, &pair)?.is_true(),
        operator => {
            meter.sizes(&pair)?;
            let order = a.partial_cmp(b);
            match operator {
                Some(0) => a == b,
                Some(1) => a != b,
                Some(2) => order == Some(Ordering::Less),
                Some(3) => order.is_some_and(Ordering::is_le),
                Some(4) => order == Some(Ordering::Greater),
                _ => order.is_some_and(Ordering::is_ge),
            }
        }
    };
    Ok(Value::from(vec![Value::from(holds), b.clone()]))
}

fn item(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    let (value, key) = pair(args)?;
    meter.glance(value)?;
    meter.sizes(std::slice::from_ref(key))?;
    value.get_item(key)
}

fn slice(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    let [a, b, c, d] = args else { return Err(Error::from(ErrorKind::MissingArgument)) };
    let items = if is_list(a) { a.len().unwrap_or_default() as u64 } else { 0 };
    meter.glance(a)?;
    meter.work(items * NODE_BYTES)?;
    let made = calculated(&PART, context! { a, b, c, d })?;
    meter.make(made.as_bytes().map_or(0, |text| text.len() as u64))?;
    meter.settled(made)
}

fn list(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    meter.make(args.len() as u64 * NODE_BYTES)?;
    let list = Value::from(args.to_vec());
    meter.size(&list)?;
    Ok(list)
}

fn map(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    meter.make(args.len() as u64 * NODE_BYTES)?;
    let map: Value = args.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    meter.size(&map)?;
    Ok(map)
}

/// Lets a namespace keep a value. A namespace that holds a namespace could hold itself, and would never be freed; so
/// this is an error.
pub(super) fn kept(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    if meter.sizes(args)?.has_namespace {
        let message = "a namespace in a namespace is not supported in chat templates; keep its values one by one";
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    }
    meter.make(NODE_BYTES)?;
    args.first().cloned().ok_or_else(|| Error::from(ErrorKind::MissingArgument))
}

/// Passes a value to a loop.
fn walked(meter: &Meter, args: &[Value]) -> Result<Value, Error> {
    let value = args.first().ok_or_else(|| Error::from(ErrorKind::MissingArgument))?;
    meter.glance(value)?;
    meter.work(value.len().unwrap_or_default() as u64)?;
    meter.settled(value.clone())
}
