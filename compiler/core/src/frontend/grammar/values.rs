//! JSON Schemas inside of grammars: `%json { ... }` of Lark.

use ogc_grammar::{Diagnostic, Span};
use ogc_schema::Limits;
use ogc_schema::source::Origin;

use crate::frontend::json_schema::{Imported, ReadOptions, read};
use crate::ir::{GrammarValues, PlacedGrammar, Places};
use crate::lower::json::{JsonPolicy, Policies, ValueUse, lower_inside};
use crate::pass::{Base, External};
use crate::{SchemaFault, SchemaFaultKind};

/// Reads the schemas in a grammar's text into one graph; returns the findings, with places in the grammar's text.
pub(crate) fn read_values(placed: &mut PlacedGrammar, options: &ReadOptions) -> Vec<Diagnostic> {
    let PlacedGrammar { places, values, .. } = placed;
    let mut found = Vec::new();
    for text in std::mem::take(&mut values.texts) {
        let imported = read(&text.value, options);
        // A schema from another file has the place of its import.
        let is_here = text.span.len() as usize == text.value.len();
        let inside = |span: Span| if is_here { span.shifted(text.span.start) } else { text.span };
        found.extend(imported.diagnostics.iter().map(|one| one.map_places(|span| inside(*span))));
        add(&imported, text.span, &inside, places, values);
        values.texts.push(text);
    }
    found
}

/// Adds a schema to the graph of all values.
fn add(
    imported: &Imported,
    whole: Span,
    inside: &dyn Fn(Span) -> Span,
    places: &mut Places,
    values: &mut GrammarValues,
) {
    let outside = places.add(whole);
    let origins: Vec<Origin> = imported.origins.iter().map(|span| places.add(inside(*span))).collect();
    let place = |origin: Origin| origins.get(origin.0 as usize).copied().unwrap_or(outside);
    let base = values.schemas.reserve(&imported.schemas, outside);
    let Some(root) = imported.schemas.root else { return };
    let mut is_reserved = vec![true; imported.schemas.nodes.len()];
    values.schemas.fill(&imported.schemas, base, root, &place, &mut is_reserved);
    values.nodes.push(ogc_schema::source::NodeId(root.0 + base));
}

/// Lowers the schemas in a grammar's text; the grammar is then compiled on top of that base.
pub(crate) fn value_base(placed: &PlacedGrammar, policy: JsonPolicy, limits: &Limits) -> Result<Base, Vec<Diagnostic>> {
    let GrammarValues { schemas, nodes, .. } = &placed.values;
    if nodes.is_empty() {
        return Ok(Base::none());
    }
    if let Some(text) = placed.values.texts.first().filter(|_| policy.is_misread()) {
        return Err(vec![SchemaFault::new(Origin(0), SchemaFaultKind::PythonEscapes).at(text.span)]);
    }
    let uses: Vec<ValueUse> = nodes.iter().map(|&node| ValueUse { node, policy }).collect();
    let place = |origin: Origin| placed.places.get(origin).unwrap_or_default();
    let lowered = lower_inside(schemas, &uses, &Policies::default(), limits);
    let (builder, inside) =
        lowered.map_err(|faults| faults.iter().map(|fault| fault.placed(place)).collect::<Vec<_>>())?;
    Ok(Base { builder, externals: inside.into_iter().map(External::from).collect(), escapes: policy.escapes })
}
