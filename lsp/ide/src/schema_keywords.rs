//! The keywords of JSON Schema in one table: what stands behind each, and a sentence about it.

use crate::documentation::{CodeBlock, Documentation};

/// A keyword of JSON Schema.
#[derive(Debug)]
pub(crate) struct SchemaKeyword {
    pub(crate) name: &'static str,
    pub(crate) holds: Holds,
    pub(crate) doc: &'static str,
}

/// What stands behind a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// A schema, or in older drafts a list of them.
    Items,
    /// Schemas by name.
    Map,
    /// A name of a type, or several.
    Types,
    /// The name of a format.
    Format,
    /// A reference.
    Reference,
    /// Names of properties.
    Names,
    /// Names of properties by name.
    NamesMap,
    /// Any value.
    Value,
    /// A list of values.
    Values,
    /// A number.
    Number,
    /// A string.
    String,
    /// `true` or `false`.
    Bool,
}

const fn keyword(name: &'static str, holds: Holds, doc: &'static str) -> SchemaKeyword {
    SchemaKeyword { name, holds, doc }
}

/// All keywords that are known, those used most first.
pub(crate) static KEYWORDS: &[SchemaKeyword] = &[
    keyword("type", Holds::Types, "The type of the value, or a list of types."),
    keyword("properties", Holds::Map, "The schemas of the members of an object, by key."),
    keyword("required", Holds::Names, "The keys that an object must have."),
    keyword(
        "additionalProperties",
        Holds::Schema,
        "The schema of members that neither `properties` nor `patternProperties` names; `false` for none.",
    ),
    keyword("items", Holds::Items, "The schema of the items of an array; of those behind `prefixItems`."),
    keyword("enum", Holds::Values, "The values that are allowed."),
    keyword("const", Holds::Value, "The only value that is allowed."),
    keyword("description", Holds::String, "What the value is, for people and models. It constrains nothing."),
    keyword("title", Holds::String, "A short name for people. It constrains nothing."),
    keyword("$ref", Holds::Reference, "Another schema that must hold: `#/$defs/name`, or a URI."),
    keyword("$defs", Holds::Map, "Schemas by name, for `$ref`."),
    keyword("definitions", Holds::Map, "Schemas by name, for `$ref`, as drafts up to 7 call them."),
    keyword("anyOf", Holds::Schemas, "At least one of these schemas holds."),
    keyword("oneOf", Holds::Schemas, "Exactly one of these schemas holds."),
    keyword("allOf", Holds::Schemas, "All of these schemas hold."),
    keyword("not", Holds::Schema, "This schema does not hold."),
    keyword("if", Holds::Schema, "If this schema holds, `then` must hold too, else `else`."),
    keyword("then", Holds::Schema, "The schema that holds if `if` does."),
    keyword("else", Holds::Schema, "The schema that holds if `if` does not."),
    keyword("format", Holds::Format, "A format of strings."),
    keyword("pattern", Holds::String, "A pattern that is found somewhere in a string (ECMA-262)."),
    keyword("minLength", Holds::Number, "The least number of characters of a string."),
    keyword("maxLength", Holds::Number, "The most characters of a string."),
    keyword("minimum", Holds::Number, "The least number."),
    keyword("maximum", Holds::Number, "The greatest number."),
    keyword("exclusiveMinimum", Holds::Number, "Numbers are greater than this."),
    keyword("exclusiveMaximum", Holds::Number, "Numbers are less than this."),
    keyword("multipleOf", Holds::Number, "Numbers are whole multiples of this."),
    keyword("minItems", Holds::Number, "The least number of items of an array."),
    keyword("maxItems", Holds::Number, "The most items of an array."),
    keyword("uniqueItems", Holds::Bool, "Whether no two items of an array are equal."),
    keyword("prefixItems", Holds::Schemas, "The schemas of the first items of an array, in order."),
    keyword("contains", Holds::Schema, "A schema that some items of an array are in."),
    keyword("minContains", Holds::Number, "The least number of items that are in `contains`."),
    keyword("maxContains", Holds::Number, "The most items that are in `contains`."),
    keyword("additionalItems", Holds::Schema, "The schema of items behind a list in `items`, up to draft 2019-09."),
    keyword("unevaluatedItems", Holds::Schema, "The schema of items that no other keyword looked at."),
    keyword("patternProperties", Holds::Map, "The schemas of members whose key has a pattern in it."),
    keyword("propertyNames", Holds::Schema, "The schema of every key of an object."),
    keyword("unevaluatedProperties", Holds::Schema, "The schema of members that no other keyword looked at."),
    keyword("minProperties", Holds::Number, "The least number of members of an object."),
    keyword("maxProperties", Holds::Number, "The most members of an object."),
    keyword("dependentRequired", Holds::NamesMap, "The keys that an object must have beside another key."),
    keyword("dependentSchemas", Holds::Map, "The schemas that hold for an object that has a key."),
    keyword("dependencies", Holds::Map, "What holds for an object that has a key, up to draft 7: keys or a schema."),
    keyword("default", Holds::Value, "The value that is meant where none is written. It constrains nothing."),
    keyword("examples", Holds::Values, "Values as they may be. They constrain nothing."),
    keyword("deprecated", Holds::Bool, "Whether the value should not be used any more. It constrains nothing."),
    keyword("readOnly", Holds::Bool, "Whether the value is read and not written. It constrains nothing."),
    keyword("writeOnly", Holds::Bool, "Whether the value is written and not read. It constrains nothing."),
    keyword("$schema", Holds::String, "The draft that the schema is written in."),
    keyword("$id", Holds::String, "The URI of the schema, which relative references begin at."),
    keyword("$anchor", Holds::String, "A name for this schema, for `$ref`: `#name`."),
    keyword("$dynamicRef", Holds::Reference, "A reference that outer schemas can redirect."),
    keyword("$dynamicAnchor", Holds::String, "A name that `$dynamicRef` finds."),
    keyword("$comment", Holds::String, "A remark for those who edit the schema."),
    keyword(
        "contentEncoding",
        Holds::String,
        "The encoding of bytes in a string, such as `base64`. It constrains nothing.",
    ),
    keyword("contentMediaType", Holds::String, "The media type of what a string contains. It constrains nothing."),
    keyword("contentSchema", Holds::Schema, "The schema of what a string contains. It constrains nothing."),
];

/// The names of types, with a few words about each.
pub(crate) const TYPES: [(&str, &str); 7] = [
    ("string", "a string"),
    ("integer", "a whole number"),
    ("number", "a number"),
    ("boolean", "`true` or `false`"),
    ("object", "an object"),
    ("array", "an array"),
    ("null", "`null`"),
];

/// The drafts, by their URI.
pub(crate) const DRAFTS: [(&str, &str); 5] = [
    ("https://json-schema.org/draft/2020-12/schema", "draft 2020-12"),
    ("https://json-schema.org/draft/2019-09/schema", "draft 2019-09"),
    ("http://json-schema.org/draft-07/schema#", "draft 7"),
    ("http://json-schema.org/draft-06/schema#", "draft 6"),
    ("http://json-schema.org/draft-04/schema#", "draft 4"),
];

/// Returns the keyword of a name.
pub(crate) fn of(name: &str) -> Option<&'static SchemaKeyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == name)
}

/// Returns what is known of a keyword.
pub(crate) fn documentation(name: &str) -> Option<Documentation> {
    let keyword = of(name)?;
    let signature = CodeBlock { language: "json", text: format!("\"{name}\": {}", example(keyword.holds)) };
    Some(Documentation { signature: Some(signature), text: keyword.doc.to_owned(), ..Documentation::default() })
}

/// Returns the form of what stands behind a keyword.
pub(crate) fn example(holds: Holds) -> &'static str {
    match holds {
        Holds::Schema | Holds::Items => "{ ... }",
        Holds::Schemas => "[{ ... }]",
        Holds::Map => "{ \"name\": { ... } }",
        Holds::Types => "\"string\"",
        Holds::Format => "\"date\"",
        Holds::Reference => "\"#/$defs/name\"",
        Holds::Names => "[\"name\"]",
        Holds::NamesMap => "{ \"name\": [\"other\"] }",
        Holds::Value => "value",
        Holds::Values => "[value]",
        Holds::Number => "0",
        Holds::String => "\"text\"",
        Holds::Bool => "true",
    }
}

/// Returns what is written behind a keyword, as a snippet.
pub(crate) fn snippet(holds: Holds) -> &'static str {
    match holds {
        Holds::Schema | Holds::Items | Holds::Map | Holds::NamesMap => "{ $1 \\}",
        Holds::Schemas => "[{ $1 \\}]",
        Holds::Types | Holds::Format | Holds::Reference | Holds::String => "\"$1\"",
        Holds::Names => "[\"$1\"]",
        Holds::Values => "[$1]",
        Holds::Value => "$1",
        Holds::Number => "${1:0}",
        Holds::Bool => "${1|true,false|}",
    }
}
