//! The table.

use super::Draft::{Draft6, Draft7, Draft2019, Draft2020};
use super::Elsewhere::{Ignored, Known};
use super::Life::{Always, Only, Since};
use super::{Elsewhere, Life, Operand, Subject, Vocabulary};

/// A row of the table.
struct Row {
    name: &'static str,
    vocabulary: Vocabulary,
    operand: Operand,
    subject: Subject,
    life: Life,
    elsewhere: Elsewhere,
    doc: &'static str,
}

macro_rules! keywords {
    ($($variant:ident = $name:literal: $vocabulary:ident, $operand:ident, $subject:ident, $life:expr, $elsewhere:ident, $doc:literal;)*) => {
        /// A keyword of JSON Schema; the most used come first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Keyword {
            $(
                #[doc = concat!("`", $name, "`: ", $doc)]
                $variant,
            )*
        }

        impl Keyword {
            /// All known keywords, the most used first.
            pub const ALL: &'static [Keyword] = &[$(Keyword::$variant),*];

            /// Returns the keyword of a name.
            ///
            /// ```
            /// # use ogc_schema::keyword::Keyword;
            /// assert_eq!(Keyword::of_name("$ref"), Some(Keyword::Ref));
            /// assert_eq!(Keyword::of_name("x-order"), None);
            /// ```
            #[must_use]
            pub fn of_name(name: &str) -> Option<Keyword> {
                match name {
                    $($name => Some(Keyword::$variant),)*
                    _ => None,
                }
            }

            fn row(self) -> &'static Row {
                match self {
                    $(Keyword::$variant => &Row {
                        name: $name,
                        vocabulary: Vocabulary::$vocabulary,
                        operand: Operand::$operand,
                        subject: Subject::$subject,
                        life: $life,
                        elsewhere: $elsewhere,
                        doc: $doc,
                    },)*
                }
            }
        }
    };
}

keywords! {
    Type = "type": Validation, Types, Any, Always, Known,
        "The type of the value, or a list of types.";
    Properties = "properties": Applicator, Map, Objects, Always, Known,
        "The schemas of the members of an object, by key.";
    Required = "required": Validation, Names, Objects, Always, Known,
        "The keys that an object must have.";
    AdditionalProperties = "additionalProperties": Applicator, Schema, Objects, Always, Known,
        "The schema of members that neither `properties` nor `patternProperties` names; `false` for none.";
    Items = "items": Applicator, Items, Arrays, Always, Known,
        "The schema of the items of an array; of those behind `prefixItems`.";
    Enum = "enum": Validation, Values, Any, Always, Known,
        "The values that are allowed.";
    Const = "const": Validation, Value, Any, Since(Draft6), Known,
        "The only value that is allowed.";
    Description = "description": MetaData, String, Any, Always, Known,
        "What the value is, for people and models. It constrains nothing.";
    Title = "title": MetaData, String, Any, Always, Known,
        "A short name for people. It constrains nothing.";
    Ref = "$ref": Core, Reference, Any, Always, Known,
        "Another schema that must hold: `#/$defs/name`, or a URI.";
    Defs = "$defs": Core, Map, Any, Always, Known,
        "Schemas by name, for `$ref`.";
    Definitions = "definitions": Core, Map, Any, Always, Known,
        "Schemas by name, for `$ref`, as drafts up to 7 call them.";
    AnyOf = "anyOf": Applicator, Schemas, Any, Always, Known,
        "At least one of these schemas holds.";
    OneOf = "oneOf": Applicator, Schemas, Any, Always, Known,
        "Exactly one of these schemas holds.";
    AllOf = "allOf": Applicator, Schemas, Any, Always, Known,
        "All of these schemas hold.";
    Not = "not": Applicator, Schema, Any, Always, Ignored,
        "This schema does not hold.";
    If = "if": Applicator, Schema, Any, Since(Draft7), Ignored,
        "If this schema holds, `then` must hold too, else `else`.";
    Then = "then": Applicator, Schema, Any, Since(Draft7), Ignored,
        "The schema that holds if `if` does.";
    Else = "else": Applicator, Schema, Any, Since(Draft7), Ignored,
        "The schema that holds if `if` does not.";
    Format = "format": Format, Format, Strings, Always, Known,
        "A format of strings.";
    Pattern = "pattern": Validation, String, Strings, Always, Known,
        "A pattern that is found somewhere in a string (ECMA-262).";
    MinLength = "minLength": Validation, Number, Strings, Always, Known,
        "The least number of characters of a string.";
    MaxLength = "maxLength": Validation, Number, Strings, Always, Known,
        "The most characters of a string.";
    Minimum = "minimum": Validation, Number, Numbers, Always, Known,
        "The least number.";
    Maximum = "maximum": Validation, Number, Numbers, Always, Known,
        "The greatest number.";
    ExclusiveMinimum = "exclusiveMinimum": Validation, Number, Numbers, Always, Known,
        "Numbers are greater than this.";
    ExclusiveMaximum = "exclusiveMaximum": Validation, Number, Numbers, Always, Known,
        "Numbers are less than this.";
    MultipleOf = "multipleOf": Validation, Number, Numbers, Always, Ignored,
        "Numbers are whole multiples of this.";
    MinItems = "minItems": Validation, Number, Arrays, Always, Known,
        "The least number of items of an array.";
    MaxItems = "maxItems": Validation, Number, Arrays, Always, Known,
        "The most items of an array.";
    UniqueItems = "uniqueItems": Validation, Bool, Arrays, Always, Ignored,
        "Whether no two items of an array are equal.";
    PrefixItems = "prefixItems": Applicator, Schemas, Arrays, Since(Draft2020), Known,
        "The schemas of the first items of an array, in order.";
    Contains = "contains": Applicator, Schema, Arrays, Since(Draft6), Ignored,
        "A schema that some items of an array are in.";
    MinContains = "minContains": Validation, Number, Arrays, Since(Draft2019), Ignored,
        "The least number of items that are in `contains`.";
    MaxContains = "maxContains": Validation, Number, Arrays, Since(Draft2019), Ignored,
        "The most items that are in `contains`.";
    AdditionalItems = "additionalItems": Applicator, Schema, Arrays, Always, Known,
        "The schema of items behind a list in `items`, up to draft 2019-09.";
    UnevaluatedItems = "unevaluatedItems": Unevaluated, Schema, Arrays, Since(Draft2019), Ignored,
        "The schema of items that no other keyword looked at.";
    PatternProperties = "patternProperties": Applicator, Map, Objects, Always, Ignored,
        "The schemas of members whose key has a pattern in it.";
    PropertyNames = "propertyNames": Applicator, Schema, Objects, Since(Draft6), Ignored,
        "The schema of every key of an object.";
    UnevaluatedProperties = "unevaluatedProperties": Unevaluated, Schema, Objects, Since(Draft2019), Ignored,
        "The schema of members that no other keyword looked at.";
    MinProperties = "minProperties": Validation, Number, Objects, Always, Ignored,
        "The least number of members of an object.";
    MaxProperties = "maxProperties": Validation, Number, Objects, Always, Ignored,
        "The most members of an object.";
    DependentRequired = "dependentRequired": Validation, NamesMap, Objects, Since(Draft2019), Ignored,
        "The keys that an object must have beside another key.";
    DependentSchemas = "dependentSchemas": Applicator, Map, Objects, Since(Draft2019), Ignored,
        "The schemas that hold for an object that has a key.";
    Dependencies = "dependencies": Applicator, Map, Objects, Always, Ignored,
        "What holds for an object that has a key, up to draft 7: keys or a schema.";
    Default = "default": MetaData, Value, Any, Always, Known,
        "The value that is meant where none is written. It constrains nothing.";
    Examples = "examples": MetaData, Values, Any, Always, Known,
        "Values as they may be. They constrain nothing.";
    Deprecated = "deprecated": MetaData, Bool, Any, Always, Known,
        "Whether the value should not be used any more. It constrains nothing.";
    ReadOnly = "readOnly": MetaData, Bool, Any, Always, Known,
        "Whether the value is read and not written. It constrains nothing.";
    WriteOnly = "writeOnly": MetaData, Bool, Any, Always, Known,
        "Whether the value is written and not read. It constrains nothing.";
    Schema = "$schema": Core, String, Any, Always, Known,
        "The draft that the schema is written in.";
    Id = "$id": Core, String, Any, Always, Known,
        "The URI of the schema, which relative references begin at.";
    Anchor = "$anchor": Core, String, Any, Always, Known,
        "A name for this schema, for `$ref`: `#name`.";
    DynamicRef = "$dynamicRef": Core, Reference, Any, Since(Draft2020), Ignored,
        "A reference that outer schemas can redirect.";
    DynamicAnchor = "$dynamicAnchor": Core, String, Any, Always, Known,
        "A name that `$dynamicRef` finds.";
    Comment = "$comment": Core, String, Any, Always, Known,
        "A remark for those who edit the schema.";
    ContentEncoding = "contentEncoding": Content, String, Strings, Always, Known,
        "The encoding of bytes in a string, such as `base64`. It constrains nothing.";
    ContentMediaType = "contentMediaType": Content, String, Strings, Always, Known,
        "The media type of what a string contains. It constrains nothing.";
    ContentSchema = "contentSchema": Content, Schema, Strings, Always, Known,
        "The schema of what a string contains. It constrains nothing.";
    LegacyId = "id": Core, String, Any, Always, Known,
        "The URI of the schema in draft 4, which calls it so.";
    RecursiveRef = "$recursiveRef": Core, Reference, Any, Only(Draft2019), Known,
        "A reference that outer schemas can redirect, in draft 2019-09.";
    RecursiveAnchor = "$recursiveAnchor": Core, Bool, Any, Always, Known,
        "Whether `$recursiveRef` finds this schema, in draft 2019-09.";
    Vocabulary = "$vocabulary": Core, Value, Any, Always, Known,
        "The vocabularies of a meta-schema.";
}

impl Keyword {
    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns its vocabulary.
    #[must_use]
    pub fn vocabulary(self) -> Vocabulary {
        self.row().vocabulary
    }

    /// Returns the kind of its operand.
    #[must_use]
    pub fn operand(self) -> Operand {
        self.row().operand
    }

    /// Returns the values that it constrains.
    #[must_use]
    pub fn subject(self) -> Subject {
        self.row().subject
    }

    /// Returns the drafts in which it is read.
    #[must_use]
    pub fn life(self) -> Life {
        self.row().life
    }

    /// Returns its support in other engines.
    #[must_use]
    pub fn elsewhere(self) -> Elsewhere {
        self.row().elsewhere
    }

    /// Returns a one-sentence description.
    #[must_use]
    pub fn doc(self) -> &'static str {
        self.row().doc
    }
}
