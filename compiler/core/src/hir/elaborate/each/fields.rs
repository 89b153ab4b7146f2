//! Reads the fields of a type from its shape: the keys of each object arm, and the conditions on their combinations.

use ogc_grammar::{Code, Diagnostic};
use ogc_regular::{Dfa, union_all};
use ogc_schema::source::{NodeId, Origin};
use ogc_schema::{Algebra, KeyDiagram, ObjectArm, SchemaErrorKind, Shape, ValueId};

use crate::SchemaFault;

/// The values of a field: a conjunction of nodes. The flag says that the node is excluded.
pub(super) type FieldValue = Vec<(NodeId, bool)>;

/// One object arm of a type.
#[derive(Clone, Debug)]
pub(super) struct FieldArm {
    /// The declared fields, in their order.
    pub(super) fields: Vec<Field>,
    /// Conditions on which combinations of the fields are allowed.
    pub(super) conditions: Vec<KeyDiagram>,
    /// Index of undeclared fields in the conditions.
    pub(super) undeclared: usize,
    /// Minimum number of fields.
    pub(super) min: u64,
    /// Maximum number of fields.
    pub(super) max: Option<u64>,
    /// The undeclared fields, by their values.
    pub(super) others: Vec<OtherFields>,
}

/// A declared field.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// Index of the field in the conditions.
    pub(super) first: usize,
    /// The field's values, split into options where the conditions distinguish them: each with its option number, from
    /// 1.
    pub(super) options: Vec<(usize, FieldValue)>,
    pub(super) required: bool,
}

/// Undeclared fields whose values have the same type.
#[derive(Clone, Debug)]
pub(super) struct OtherFields {
    /// Names of these fields.
    pub(super) names: Dfa,
    pub(super) value: FieldValue,
    /// Whether the type allows any value for them.
    pub(super) is_any: bool,
}

/// Returns the fields of a solved value, one list for each object arm. If the value holds nothing, the result is empty
/// if `may_be_empty`, otherwise an error.
pub(super) fn fields_of(
    algebra: &Algebra<'_>,
    value: ValueId,
    origin: Origin,
    may_be_empty: bool,
) -> Result<Vec<FieldArm>, Box<Diagnostic<Origin>>> {
    if !algebra.holds_something(value) {
        let empty = ogc_schema::SchemaError::new(origin, SchemaErrorKind::Empty);
        return if may_be_empty { Ok(Vec::new()) } else { Err(Box::new(SchemaFault::from(empty).finding())) };
    }
    let shape = algebra.shape(value);
    if let Some(error) = shape.errors.first() {
        return Err(Box::new(SchemaFault::from(&**error).finding()));
    }
    let others = other_types(algebra, &shape);
    if !others.is_empty() {
        let verb = if others == ["`null`"] { "is" } else { "are" };
        let message =
            format!("`each` goes through the fields of objects, and {} {verb} in this type too", others.join(", "));
        let has_objects = shape.objects.iter().any(|arm| algebra.object_holds(arm));
        let help = match has_objects {
            true => "write `each<T & object, field>` for its objects alone, and the other values beside it",
            false => "name the type of the objects; for several of them repeat the text: `each<T, field>[1..3]`",
        };
        return Err(Box::new(Diagnostic::error(Code::EachFields, origin, message).help(help)));
    }
    let held = shape.objects.iter().filter(|arm| algebra.object_holds(arm));
    held.map(|arm| arm_of(algebra, arm, origin)).collect()
}

/// Returns the kinds of values in a shape that are no objects, in words.
fn other_types(algebra: &Algebra<'_>, shape: &Shape) -> Vec<&'static str> {
    let kinds = [
        ("`null`", shape.null),
        ("booleans", shape.yes || shape.no),
        ("numbers", !shape.numbers.is_empty()),
        ("strings", !shape.strings.is_empty()),
        ("arrays", shape.arrays.iter().any(|arm| algebra.array_holds(arm))),
    ];
    kinds.into_iter().filter(|(_, held)| *held).map(|(name, _)| name).collect()
}

fn arm_of(algebra: &Algebra<'_>, arm: &ObjectArm, origin: Origin) -> Result<FieldArm, Box<Diagnostic<Origin>>> {
    if let Some(error) = &arm.poison {
        return Err(Box::new(SchemaFault::from(&**error).finding()));
    }
    if let Some(demand) = arm.demands.all.first() {
        let message = "some undeclared field must be there, and of which kind is not known to `each`";
        let found = Diagnostic::error(Code::EachFields, origin, message).label(demand.origin, "because of this");
        return Err(Box::new(found.help("declare the field by its name")));
    }
    let possible = algebra.possible_keys(arm);
    let value = |value: ValueId| algebra.literals_of(value).collect::<FieldValue>();
    let mut fields: Vec<Field> = Vec::new();
    let mut first = 0;
    for keys in arm.keys.chunk_by(|key, other| key.name == other.name) {
        let options = keys.iter().enumerate().filter(|(at, _)| possible[first + at]);
        let options: Vec<_> = options.map(|(at, key)| (at + 1, value(key.value))).collect();
        if !options.is_empty() {
            let required = keys.iter().any(|key| key.required.is_some());
            fields.push(Field { name: keys[0].name.clone(), first, options, required });
        }
        first += keys.len();
    }
    let others = match possible.last() {
        Some(false) => Vec::new(),
        _ => others_of(algebra, arm).map_err(|error| {
            let error = ogc_schema::SchemaError::new(origin, error);
            Box::new(SchemaFault::from(error).finding())
        })?,
    };
    Ok(FieldArm {
        fields,
        conditions: arm.conditions.clone(),
        undeclared: arm.keys.len(),
        min: arm.min,
        max: arm.max,
        others,
    })
}

/// Returns the undeclared fields of an arm, by their values.
fn others_of(algebra: &Algebra<'_>, arm: &ObjectArm) -> Result<Vec<OtherFields>, ogc_regular::LimitError> {
    let limit = ogc_regular::Limits::default().states;
    let declared: Vec<Dfa> = arm.keys.iter().map(|key| Dfa::literal(key.name.as_bytes())).collect();
    let declared = union_all(&declared.iter().collect::<Vec<_>>(), limit)?;
    let mut others = Vec::new();
    for (class, &value) in arm.rest.classes.iter().enumerate().filter(|(_, value)| algebra.holds_something(**value)) {
        let names = arm.rest.keys_of(class).difference(&declared, limit)?;
        if !names.is_empty() {
            let is_any = value == ValueId::ANY;
            others.push(OtherFields { names, value: algebra.literals_of(value).collect(), is_any });
        }
    }
    Ok(others)
}
