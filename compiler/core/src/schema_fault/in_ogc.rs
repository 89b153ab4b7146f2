//! The wording of faults for authors of `.ogc` files: with `.ogc` keywords instead of JSON Schema's.

use ogc_grammar::{Diagnostic, Fix};
use ogc_schema::SchemaErrorKind;
use ogc_schema::source::Origin;

use super::{SchemaFault, SchemaFaultKind, labelled};
use crate::contradiction::Contradiction;

/// A message and a help text; `None` if the text is the same in both languages.
type Words = (Option<&'static str>, Option<&'static str>);

impl SchemaFault {
    /// Makes the finding with the fault's origin as the place, in the words of `.ogc`.
    #[must_use]
    pub fn in_ogc(&self) -> Diagnostic<Origin> {
        if let SchemaFaultKind::Contradiction(contradiction) = &self.kind {
            return of_contradiction(self, contradiction);
        }
        let (message, help) = words(&self.kind);
        let message = message.map_or_else(|| self.to_string(), str::to_owned);
        Diagnostic::error(self.kind.code(), self.origin, message).help(help.unwrap_or_else(|| self.kind.help()))
    }
}

/// Makes the finding about a contradiction. The places of its fix are the closed records: a caller that knows the text
/// computes where in them to write `...`.
fn of_contradiction(fault: &SchemaFault, contradiction: &Contradiction) -> Diagnostic<Origin> {
    let message = format!("no value is in this type: {}", contradiction.in_ogc());
    let found = Diagnostic::error(fault.kind.code(), fault.origin, message).help(contradiction.help_in_ogc());
    let edits: Vec<_> = contradiction.to_open().iter().map(|place| (*place, "...".to_owned())).collect();
    let fix = (!edits.is_empty()).then(|| Fix { label: "let the records have more keys".to_owned(), edits });
    labelled(found, contradiction.labels_in_ogc()).fix(fix)
}

fn words(kind: &SchemaFaultKind) -> Words {
    match kind {
        SchemaFaultKind::Schema(kind) => words_of_schema(kind),
        SchemaFaultKind::Unsatisfiable | SchemaFaultKind::Contradiction(_) => (
            Some("no value is in this type"),
            Some(
                "look for conditions that exclude each other, closed records joined by `&`, a required key that needs the \
                 type itself",
            ),
        ),
        SchemaFaultKind::TooFewKeys => (
            Some("no record has so many members: all keys that are left are declared"),
            Some("lower the least number of members, as in `object<2..>`, or declare more keys"),
        ),
        SchemaFaultKind::FewUndeclaredKeys => (
            Some(
                "no record has so many members in declared order: no declared key comes behind the others, and these are too few",
            ),
            Some("lower the least number of members, or let keys come in any order: `@order(\"any\")`"),
        ),
        SchemaFaultKind::RulesForMinProperties => (
            Some("rules cannot count the members of an open record: undeclared keys may repeat"),
            Some("declare the keys, or leave the least number out"),
        ),
        SchemaFaultKind::FreeItemsDiffer => (
            Some(
                "`unique = true` over free items cannot be kept where an item that must come may have no new value left",
            ),
            Some(
                "let items that must come have more values, let the array begin at 0 or 1 items, or list the items as strings, as in `(\"a\" | \"b\")[2..]`",
            ),
        ),
        SchemaFaultKind::ManyItemsDiffer(_) => (
            None,
            Some("let the array begin at fewer items, or list the items as strings, as in `(\"a\" | \"b\")[2..]`"),
        ),
        SchemaFaultKind::Counts(_) => (None, Some("use small numbers for `times`")),
        SchemaFaultKind::CountedPadding => (
            Some("the upper end of `times` and the least number of items cannot both be kept here"),
            Some("let items be outside of `contains` too, or leave one of the bounds out"),
        ),
        SchemaFaultKind::Nesting(_) => {
            (None, Some("say how deep values may nest: `depth = 6` in `json<...>`, or `@depth(6)`"))
        }
        SchemaFaultKind::RulesForUniqueItems => (None, Some("leave `unique = true` out, or allow at most one item")),
        SchemaFaultKind::Budget(_)
        | SchemaFaultKind::Automaton(_)
        | SchemaFaultKind::PythonEscapes
        | SchemaFaultKind::RulesForAnyOrder
        | SchemaFaultKind::RulesForContains
        | SchemaFaultKind::RulesForLength(_)
        | SchemaFaultKind::RulesForKeys(_)
        | SchemaFaultKind::TooManyRules(_) => (None, None),
    }
}

fn words_of_schema(kind: &SchemaErrorKind) -> Words {
    match kind {
        SchemaErrorKind::Cycle => (
            Some("this type leads back to itself with nothing between"),
            Some("let it pass through a record or an array: `{ next: T | null }`, `T[0..]`"),
        ),
        SchemaErrorKind::UnnamedKey { .. } => (
            Some("this type cannot be taken away here: some undeclared key would have to break its condition on keys"),
            Some("take it away from a closed record, or tell the types apart by a required key"),
        ),
        SchemaErrorKind::EqualItems => (None, Some("say which items there are instead of taking `unique = true` away")),
        SchemaErrorKind::FormatComplement { .. } => (None, Some("write a regex in place of the format")),
        SchemaErrorKind::Empty
        | SchemaErrorKind::UnknownFormat { .. }
        | SchemaErrorKind::Limit(_)
        | SchemaErrorKind::Number(_)
        | SchemaErrorKind::Pattern(_)
        | SchemaErrorKind::RawBrackets
        | SchemaErrorKind::RawWithoutEnd => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use ogc_regular::LimitError;
    use ogc_schema::KeyCondition;

    use super::*;

    fn shown(kind: SchemaFaultKind) -> String {
        let found = SchemaFault::new(Origin(0), kind).in_ogc();
        format!("{}: {}; {}", found.code, found.message, found.help.unwrap_or_default())
    }

    #[test]
    fn schema_faults_are_worded_in_ogc_terms() {
        let kinds = [
            SchemaFaultKind::Unsatisfiable,
            SchemaFaultKind::TooFewKeys,
            SchemaFaultKind::FewUndeclaredKeys,
            SchemaFaultKind::RulesForMinProperties,
            SchemaFaultKind::FreeItemsDiffer,
            SchemaFaultKind::ManyItemsDiffer(LimitError { what: "items", given: 300, limit: 128 }),
            SchemaFaultKind::Counts(LimitError { what: "counts of items to tell apart", given: 300, limit: 256 }),
            SchemaFaultKind::CountedPadding,
            SchemaFaultKind::RulesForUniqueItems,
            SchemaErrorKind::UnnamedKey { condition: KeyCondition::AdditionalProperties }.into(),
            SchemaErrorKind::EqualItems.into(),
        ];
        for shown in kinds.map(shown) {
            let keywords = ["schema", "Properties", "uniqueItems", "Contains", "minItems"];
            assert!(!keywords.iter().any(|keyword| shown.contains(keyword)), "{shown}");
        }
    }

    #[test]
    fn limits_keep_their_numbers() {
        let limit = LimitError { what: "levels of indented nesting", given: 25, limit: 24 };
        let way_out = "say how deep values may nest: `depth = 6` in `json<...>`, or `@depth(6)`";
        let message = "levels of indented nesting: 25; the limit is 24";
        assert_eq!(shown(SchemaFaultKind::Nesting(limit)), format!("limit: {message}; {way_out}"));
    }
}
