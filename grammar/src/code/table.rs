//! The table of diagnostic codes, the one place where a code is declared: its name, the severities of its findings (the
//! usual one first), `fix` if some have a correction, and a summary. The explanation is in the file with its name in
//! `explain/`.

use super::Entry;
use crate::severity::Severity;

/// Declares codes by group.
macro_rules! codes {
    ($($(#[$about:meta])* $group:ident $title:literal {
        $($code:ident $name:literal [$($severity:ident),+] $($fix:ident)? $summary:literal;)*
    })*) => {
        /// The subject of a diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Group {
            $($(#[$about])* $group,)*
        }

        /// The kind of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = concat!("`", $name, "`: ", $summary, ".")] $code,)*)*
        }

        /// In the order of [`Code::ALL`].
        pub(super) static ENTRIES: &[Entry] = &[$($(Entry {
            name: $name,
            group: Group::$group,
            severities: &[$(Severity::$severity),+],
            has_fix: !stringify!($($fix)?).is_empty(),
            summary: $summary,
            explanation: concat!("# ", $name, ": ", $summary, "\n\n", include_str!(concat!("explain/", $name, ".md"))),
        },)*)*];

        impl Group {
            /// All groups, in the order of the table.
            pub const ALL: &[Group] = &[$(Group::$group),*];

            /// Returns the group in words.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$group => $title,)* }
            }
        }

        impl Code {
            /// All codes, group by group and there by name.
            pub const ALL: &[Code] = &[$($(Code::$code),*),*];

            /// Returns the code of a name.
            ///
            /// ```
            /// use ogc_grammar::Code;
            /// assert_eq!(Code::from_name("unknown-name"), Some(Code::UnknownName));
            /// assert_eq!(Code::from_name("UnknownName"), None);
            /// ```
            #[must_use]
            pub fn from_name(name: &str) -> Option<Code> {
                match name { $($($name => Some(Code::$code),)*)* _ => None }
            }
        }
    };
}

codes! {
    /// The notation of `.ogc` files.
    Syntax "syntax" {
        BadNumber "bad-number" [Error] fix "a number is not written as one";
        BareRange "bare-range" [Error] fix "a range stands directly beside other expressions";
        BlockComment "block-comment" [Error] fix "a comment is opened with `/*`";
        Call "call" [Error] fix "arguments stand in parentheses";
        ColonForEquals "colon-for-equals" [Error] fix "an item is defined with `:`";
        Comparison "comparison" [Error] fix "`<` and `>` are brackets and compare nothing";
        DefaultValue "default-value" [Error] "a field has a default value";
        DoubledOperator "doubled-operator" [Error] fix "an operator is doubled";
        EmptyAlternative "empty-alternative" [Error, Warning] fix "nothing stands after a `|`";
        EmptyArguments "empty-arguments" [Error] fix "there is nothing between `<` and `>`";
        EmptyBounds "empty-bounds" [Error] fix "a repetition has no bounds";
        EmptyToken "empty-token" [Error] "a token has no text";
        EqualsForColon "equals-for-colon" [Error] fix "a field or a capture is written with `=`";
        ExpectedItem "expected-item" [Error] fix "an item was expected";
        ExtraComma "extra-comma" [Error] fix "a comma has no field before it";
        ExtraSign "extra-sign" [Error] fix "a superfluous sign";
        ForeignSign "foreign-sign" [Error] fix "a sign of another language";
        ForeignType "foreign-type" [Error] fix "a type is written as another language writes it";
        ForeignWord "foreign-word" [Error] fix "a word of another language";
        LeadingBracket "leading-bracket" [Error] fix "an expression begins with `[`";
        MissingColon "missing-colon" [Error] fix "a field's name is not followed by `:`";
        MissingComma "missing-comma" [Error] fix "a comma is missing";
        MissingEquals "missing-equals" [Error] fix "`=` is missing after an item's name";
        MissingKeyword "missing-keyword" [Error] fix "a definition without its keyword";
        MissingName "missing-name" [Error] "an item has no name";
        MissingQuotes "missing-quotes" [Error] fix "a text stands without quotes";
        MissingSlashes "missing-slashes" [Error] fix "a regex stands without slashes";
        OutputParameters "output-parameters" [Error] "an output has parameters";
        RegexFlags "regex-flags" [Error] fix "flags stand after a regex";
        ReservedWord "reserved-word" [Error] "a reserved word is used as a name";
        Semicolon "semicolon" [Error] fix "a semicolon stands where none is needed";
        SideBySide "side-by-side" [Error] "two expressions stand side by side in a type";
        SplitRegex "split-regex" [Error, Warning] fix "a regex ends at a `/` that was meant as a character";
        SplitString "split-string" [Error] fix "a string ends at a quote that was meant as a character";
        StrayAttribute "stray-attribute" [Error] fix "an attribute that applies to nothing";
        StrayDoc "stray-doc" [Warning] fix "a doc comment that documents nothing";
        TextOperator "text-operator" [Error] fix "a repetition operator of text in a type";
        UnclosedAngle "unclosed-angle" [Error] fix "a `<` is not closed";
        UnclosedBrace "unclosed-brace" [Error] fix "a `{` is not closed";
        UnclosedBracket "unclosed-bracket" [Error] fix "a `[` is not closed";
        UnclosedParenthesis "unclosed-parenthesis" [Error] fix "a `(` is not closed";
        UnclosedRegex "unclosed-regex" [Error] fix "a regex is not closed";
        UnclosedString "unclosed-string" [Error] fix "a string is not closed";
        UnexpectedEnd "unexpected-end" [Error] fix "an item ends too early";
        UnexpectedToken "unexpected-token" [Error] fix "an unexpected token";
        UnknownCharacter "unknown-character" [Error] fix "a character that begins no token";
        UnknownEscape "unknown-escape" [Error] "an escape that strings do not have";
        UnopenedBracket "unopened-bracket" [Error] "a closing bracket closes nothing";
        WrongBracket "wrong-bracket" [Error] fix "a bracket is closed by another";
        WrongName "wrong-name" [Error] fix "a name is not written as one";
        WrongQuotes "wrong-quotes" [Error] fix "a string stands in quotes of another language";
        WrongRange "wrong-range" [Error] fix "a range has the wrong number of dots";
        WrongRepetition "wrong-repetition" [Error] fix "a repetition is written as other languages write it";
    }
    /// Names and imports.
    Names "names" {
        BuiltinName "builtin-name" [Error] "a definition has a built-in name";
        Deprecated "deprecated" [Warning] "something that is deprecated is used";
        DuplicateField "duplicate-field" [Error] "a key is declared twice in a record";
        DuplicateName "duplicate-name" [Error] "a name is given twice";
        GenericRecursion "generic-recursion" [Error] "a definition uses itself with ever larger arguments";
        ImportCycle "import-cycle" [Error] "an import leads back to its own file";
        ImportErrors "import-errors" [Error] "an imported file has errors";
        ImportWithoutName "import-without-name" [Error] "an import brings no name into scope";
        ParameterOrder "parameter-order" [Error] "a parameter without a default follows one with a default";
        UnknownImport "unknown-import" [Error] "the imported file does not exist";
        UnknownName "unknown-name" [Error] fix "a name is not defined";
        WrongArguments "wrong-arguments" [Error] "wrong arguments of a definition or built-in name";
    }
    /// Types, rules and what they are made of.
    Types "types" {
        AmbiguousTrigger "ambiguous-trigger" [Error] "the trigger of one region begins the trigger of another";
        Discriminator "discriminator" [Error] "the discriminator does not distinguish the branches of a union";
        EachFields "each-fields" [Error] "the fields of a type cannot be written one by one";
        EmptyPattern "empty-pattern" [Warning] "no text matches a pattern";
        EmptyRange "empty-range" [Error] "a range ends before it begins";
        FractionalBound "fractional-bound" [Warning] "no integer is equal to a bound";
        HalfAnchored "half-anchored" [Warning] "an anchor in a pattern, which matches whole texts anyway";
        IdleOperation "idle-operation" [Warning] "a difference or `lazy` without effect";
        KeySet "key-set" [Error] "the keys of a record are not a set of strings";
        LostCapture "lost-capture" [Warning] "a capture that is never reported";
        MixWithoutTrigger "mix-without-trigger" [Error] "a region in mixed text has no trigger";
        NotARecord "not-a-record" [Error] "a spread of something other than a record";
        RawValue "raw-value" [Error] "a type with values that cannot be written without quotes";
        RepeatedLiteral "repeated-literal" [Warning] "a literal occurs twice in a union";
        SpreadConflict "spread-conflict" [Error] "two spreads have the same key";
        SpreadCycle "spread-cycle" [Error] "a record spreads itself";
        TextInType "text-in-type" [Error] "text stands where a value is needed";
        TextWithoutStop "text-without-stop" [Warning] "free text without an end marker";
        UnwrittenFields "unwritten-fields" [Warning] "fields without a name of their own are not written";
        WrongBound "wrong-bound" [Error] "a bound is not a number of the required kind";
        WrongRefinement "wrong-refinement" [Error] fix "a built-in type does not have this refinement";
    }
    /// Attributes, policies and budgets.
    Policies "policies" {
        AttributeArguments "attribute-arguments" [Error] fix "an attribute has arguments that it does not take";
        Budget "budget" [Error] "a definition costs more than its budget";
        DuplicatePolicy "duplicate-policy" [Error] "a policy is set twice";
        MisplacedAttribute "misplaced-attribute" [Error] "an attribute stands where it has no meaning";
        MisplacedPolicy "misplaced-policy" [Error] "a policy stands where it has no effect";
        MixedEscapes "mixed-escapes" [Error] "strings are escaped in two ways in one output";
        PolicyValue "policy-value" [Error] fix "a policy or budget has an invalid value";
        PythonEscapes "python-escapes" [Error] "an output with Python's words has escapes that Python reads in another way";
        UncheckedBudget "unchecked-budget" [Note] "a budget of masks or of time is not checked without a vocabulary";
        UnknownAttribute "unknown-attribute" [Error] "there is no such attribute";
        UnknownLint "unknown-lint" [Warning] "a level for a code that no warning or note has";
        UnknownPolicy "unknown-policy" [Error] "there is no such policy";
        UnsupportedPolicy "unsupported-policy" [Error] "a policy is not supported yet";
    }
    /// Disagreements between language models and formats, as `ogc fit` finds them.
    Fit "models" {
        FitEnd "fit-end" [Warning, Note] "a model wants to end a text elsewhere";
        FitEscape "fit-escape" [Warning, Note] fix "a model wants another spelling in strings";
        FitKey "fit-key" [Warning, Note] "a model wants other keys";
        FitLength "fit-length" [Warning, Note] "a model wants shorter or longer strings or arrays";
        FitOrder "fit-order" [Warning, Note] fix "a model wants keys in another order";
        FitPreface "fit-preface" [Warning, Note] "a model wants to write text before the value";
        FitSpace "fit-space" [Warning, Note] fix "a model wants other white space";
        FitText "fit-text" [Warning, Note] "a model wants other text";
        FitValue "fit-value" [Warning, Note] fix "a model wants another value";
    }
    /// `test` blocks.
    Tests "tests" {
        Test "test" [Error] "a test case fails";
        TestSubject "test-subject" [Error] "a test case does not fit its subject";
        TestTarget "test-target" [Error] "the subject of a test cannot be tested";
    }
    /// The notation of JSON.
    Json "JSON" {
        JsonControl "json-control" [Error] "a control character stands in a string";
        JsonEscape "json-escape" [Error] "an escape that JSON does not have";
        JsonLoneSurrogate "json-lone-surrogate" [Error] "an escape of a lone surrogate";
        JsonNumber "json-number" [Error] "a number is not valid JSON";
        JsonRepeatedKey "json-repeated-key" [Error] "a key is written twice";
        JsonSyntax "json-syntax" [Error] "the text is not JSON";
        JsonTooDeep "json-too-deep" [Error] "the text nests too deeply";
        JsonUnclosed "json-unclosed" [Error] "a string, list or object is not closed";
    }
    /// The keywords of JSON Schema.
    Schema "JSON Schema" {
        ArrayItems "array-items" [Warning] "the array form of `items` stands in a schema of a newer draft";
        BooleanBound "boolean-bound" [Warning] "`exclusiveMinimum` or `exclusiveMaximum` has the form of another draft";
        ExclusiveWithoutBound "exclusive-without-bound" [Warning] "a boolean exclusive bound has no bound beside it";
        ForeignKeyword "foreign-keyword" [Warning] "the schema's draft does not know a keyword";
        HiddenSibling "hidden-sibling" [Warning] "a keyword beside `$ref` is ignored";
        IdleKeyword "idle-keyword" [Warning] "a keyword has no effect without another";
        IrregularContent "irregular-content" [Warning] "a content keyword constrains nothing";
        KeywordValue "keyword-value" [Error, Warning] "a keyword has an invalid value";
        LostKeys "lost-keys" [Warning] "closed objects of an `allOf` exclude each other's keys";
        LostNull "lost-null" [Warning] "`type` allows null but the listed values do not";
        LostValue "lost-value" [Warning] "a listed value has none of the allowed types";
        MisspelledKeyword "misspelled-keyword" [Warning] fix "a key of a schema is nearly a keyword";
        NarrowedFormat "narrowed-format" [Warning, Note] "not all strings of a format are allowed";
        NoKeywords "no-keywords" [Warning] "a schema does not constrain values";
        NotASchema "not-a-schema" [Error] "something other than a schema stands where one is expected";
        NumberLimit "number-limit" [Error] "a number has too many digits";
        NumericBound "numeric-bound" [Warning] "an exclusive bound of draft 4 is a number";
        OldDraft "old-draft" [Error] "`$schema` names a draft that is too old";
        ReferenceCycle "reference-cycle" [Error] "a schema refers to itself without content";
        ReferenceScope "reference-scope" [Warning] "a reference does not resolve within the nearest `$id`";
        ReferenceTarget "reference-target" [Error] "the target of a reference is not a schema";
        RemoteReference "remote-reference" [Error] "the document of a reference is not available";
        RemoteSyntax "remote-syntax" [Error] "the document of a reference cannot be read";
        TooManySchemas "too-many-schemas" [Error] "too many schemas are reachable from a schema";
        UndeclaredKey "undeclared-key" [Warning] "`required` has a key that `properties` lacks";
        Unevaluated "unevaluated" [Error] "`unevaluatedProperties` or `unevaluatedItems` cannot be resolved";
        UnknownDraft "unknown-draft" [Warning] "`$schema` names no known draft";
        UnknownFormat "unknown-format" [Warning] "the schema's draft does not define this `format`";
        UnknownType "unknown-type" [Error] fix "a type that JSON does not have";
        UnresolvedReference "unresolved-reference" [Error] "a reference cannot be resolved";
        WeakenedKeyword "weakened-keyword" [Warning] "a keyword is read as an annotation, as requested";
        WrappedSchema "wrapped-schema" [Note] "the schema is part of a request";
    }
    /// Lists of tools.
    Tools "tools" {
        BrokenTool "broken-tool" [Error, Warning] fix "an entry of a list of tools cannot be read";
        DuplicateTool "duplicate-tool" [Error] "two tools of a list have the same name";
        PythonName "python-name" [Warning] "a name in a call of Python is no identifier";
        StrictTool "strict-tool" [Warning] "a tool is marked `strict` but its schema is not";
        StructuralTag "structural-tag" [Error] "a structural tag cannot be read";
        ToolArguments "tool-arguments" [Error, Warning] fix "the schema of a tool's arguments does not describe objects";
        ToolList "tool-list" [Warning] "a list of tools is read as a schema";
    }
    /// The notation that grammars have in common.
    Grammar "grammars" {
        DoubtfulPattern "doubtful-pattern" [Warning] fix "a pattern or class probably does not mean what is intended";
        DuplicateRule "duplicate-rule" [Error] "two rules have one name";
        EmptyClass "empty-class" [Error] "a character class without characters";
        ExpectedExpression "expected-expression" [Error] "something to match is missing";
        ExpectedRule "expected-rule" [Error] "a rule was expected";
        MissingRoot "missing-root" [Error] "a grammar has no start rule";
        NestingTooDeep "nesting-too-deep" [Error] "a grammar nests too deeply";
        NoRules "no-rules" [Error] "there is no rule";
        NothingToRepeat "nothing-to-repeat" [Error] "a repetition operator without an operand";
        OtherNotation "other-notation" [Error] "a text is in another notation";
        RepetitionLimit "repetition-limit" [Error] "the bound of a repetition is too large";
        ReversedRange "reversed-range" [Error] "a range ends before it begins";
        SpacedRange "spaced-range" [Warning] "a range has spaces around its hyphen";
        TextTooLong "text-too-long" [Error] "a text is over the limit";
        TokenTerminal "token-terminal" [Error] "a grammar names a token by its number";
        UnclosedComment "unclosed-comment" [Error] "a comment is not closed";
        UnclosedGroup "unclosed-group" [Error] "a parenthesis is not closed";
        UndefinedRule "undefined-rule" [Error] fix "a rule is used but not defined";
        UnexpectedCharacter "unexpected-character" [Error] "a character has no meaning here";
        UnmatchedParenthesis "unmatched-parenthesis" [Error] "a closing parenthesis closes nothing";
        UnproductiveRule "unproductive-rule" [Warning] "no text matches a rule";
    }
    /// The notation of ABNF.
    Abnf "ABNF" {
        AbnfCharacter "abnf-character" [Error] "a string of ABNF contains an invalid character";
        AbnfIncremental "abnf-incremental" [Error] "`=/` adds to a rule that is not defined before it";
        AbnfLine "abnf-line" [Error] "a line belongs to no rule";
        AbnfList "abnf-list" [Error] "a list is written with `#`, an extension of HTTP's specifications";
        AbnfOctetOrCharacter "abnf-octet-or-character" [Error] "a value may be an octet or a character";
        AbnfOctets "abnf-octets" [Warning] "octets beyond ASCII are read as characters";
        AbnfProse "abnf-prose" [Error] "prose in place of a rule";
        AbnfRepetition "abnf-repetition" [Error] "a repetition without an operand";
        AbnfSign "abnf-sign" [Error] "a sign is of another notation";
        AbnfUnclosed "abnf-unclosed" [Error] "a quote or an angle bracket is not closed";
        AbnfValue "abnf-value" [Error] "a number is not the code of a character";
    }
    /// The notation of GBNF.
    Gbnf "GBNF" {
        GbnfEscape "gbnf-escape" [Error] "an unknown escape";
        GbnfLine "gbnf-line" [Error] "two rules stand on one line";
        GbnfLookahead "gbnf-lookahead" [Error, Note] "a lookahead that the grammar does not guarantee, or that has no effect";
        GbnfMacro "gbnf-macro" [Error] "a malformed or unsupported call";
        GbnfRepetition "gbnf-repetition" [Error] "a malformed repetition in braces";
        GbnfRuleAttribute "gbnf-rule-attribute" [Error, Note] "an option of a rule that is wrong or has no effect";
        GbnfSingleQuotes "gbnf-single-quotes" [Error] "GBNF has no single quotes";
        GbnfToken "gbnf-token" [Error, Warning] "a malformed token of the vocabulary";
        GbnfUnclosed "gbnf-unclosed" [Error] "a quote or class is not closed";
    }
    /// The notations of EBNF.
    Ebnf "EBNF" {
        EbnfBackslash "ebnf-backslash" [Error] "a backslash that may be an escape or itself";
        EbnfCharacter "ebnf-character" [Error] "`#x...` is not the code of a character";
        EbnfConstraint "ebnf-constraint" [Error] "a well-formedness constraint is prose";
        EbnfDialect "ebnf-dialect" [Error] "a text that is valid W3C EBNF and GBNF with different meanings";
        EbnfMixedStyles "ebnf-mixed-styles" [Error] "a sign of one EBNF style stands in a file of the other";
        EbnfRepetition "ebnf-repetition" [Error] "a repetition of ISO EBNF is incomplete";
        EbnfSpecialSequence "ebnf-special-sequence" [Error] "a special sequence has no meaning here";
        EbnfTerminator "ebnf-terminator" [Error] "a rule of ISO EBNF has no end sign";
        EbnfUnclosed "ebnf-unclosed" [Error] "a quote, bracket or special sequence is not closed";
    }
    /// The notation of Lark.
    Lark "Lark" {
        LarkAttribute "lark-attribute" [Error] "an unsupported attribute of a rule";
        LarkCapture "lark-capture" [Note, Warning] "a capture that is not reported, or an attribute without effect";
        LarkDeclare "lark-declare" [Error] "a terminal without a definition";
        LarkDirective "lark-directive" [Error] fix "an unknown directive after `%`";
        LarkEmbedded "lark-embedded" [Error] "another language inside of the grammar";
        LarkEscape "lark-escape" [Error] "an unknown escape in a string";
        LarkImport "lark-import" [Error] "an unknown import";
        LarkLazyChoice "lark-lazy-choice" [Error] "a lazy rule beside other terminals";
        LarkLazyRepetition "lark-lazy-repetition" [Warning] "a lazy repetition in a terminal";
        LarkLine "lark-line" [Error] "a line that belongs to no rule";
        LarkName "lark-name" [Error] "a name that is neither a rule's nor a terminal's";
        LarkOption "lark-option" [Error] "an unknown option";
        LarkOverride "lark-override" [Error] "an override or extension of something undefined";
        LarkParametric "lark-parametric" [Error] "a rule with bit parameters";
        LarkPriority "lark-priority" [Note] "a priority without effect";
        LarkRange "lark-range" [Error] "a range whose sides are not one character each";
        LarkRegex "lark-regex" [Error] "a pattern without an exact meaning for a terminal";
        LarkRepetition "lark-repetition" [Error] "an impossible repetition";
        LarkSingleQuotes "lark-single-quotes" [Error] "single quotes";
        LarkTemplate "lark-template" [Error] "a template that cannot be expanded";
        LarkTerminalCycle "lark-terminal-cycle" [Error] "a terminal that refers to itself";
        LarkTerminalOnly "lark-terminal-only" [Error] "a construct of terminals in a rule, or of rules in a terminal";
        LarkToken "lark-token" [Error] "a malformed token";
        LarkUnclosed "lark-unclosed" [Error] "a string, pattern or block without end";
    }
    /// Automata, masks and artifacts.
    Compilation "compilation" {
        Automaton "automaton" [Error] "the automaton of a schema cannot be built";
        CapturesLimit "captures-limit" [Warning] "the captures of a format cannot be reported";
        Contains "contains" [Error] "counts of matching items cannot be distinguished";
        EmptyFormat "empty-format" [Error] fix "no value satisfies the schema";
        EmptyGrammar "empty-grammar" [Error] "no text matches the start rule";
        EmptyTextOnly "empty-text-only" [Error] "the start rule matches only the empty text";
        ExceptionNotRegular "exception-not-regular" [Error] "the sides of an exception must not be recursive";
        Format "format" [Error] "a format cannot be enforced";
        GrammarAutomaton "grammar-automaton" [Error] "the automaton of a grammar cannot be built";
        GrammarLimit "grammar-limit" [Error] "a grammar is over a budget of the compiler";
        Limit "limit" [Error] "a format is over a budget of the compiler";
        MinPropertiesOpen "min-properties-open" [Error] "`minProperties` of an open object cannot be enforced";
        MissingToken "missing-token" [Error] "the vocabulary has no token of this name";
        NondeterministicRule "nondeterministic-rule" [Note] "a rule would need too many states to be deterministic";
        Number "number" [Error] "the numbers of a schema cannot be compiled";
        Pattern "pattern" [Error] "a pattern cannot be compiled";
        Regex "regex" [Error] "a regular expression cannot be compiled";
        TokenLimit "token-limit" [Error] "a text with a limit of tokens that cannot end everywhere";
        UniqueItems "unique-items" [Error] "`uniqueItems` over free items cannot be enforced here";
        UnsupportedComplement "unsupported-complement" [Error] "a required complement cannot be expressed";
    }
    /// Lints: legal, but expensive or probably not meant.
    Lint "lints" {
        ContainedBranch "contained-branch" [Warning] "a branch of `oneOf` is contained in another";
        DefaultMismatch "default-mismatch" [Warning] "a default or an example is no value of its type";
        EmptyBranch "empty-branch" [Warning] fix "a branch, an optional member or a kind of items holds no value";
        ExpensivePart "expensive-part" [Note] "one part takes more than half of a large format";
        IdlePolicy "idle-policy" [Warning] "a policy depends on another that is not set";
        IgnoredElsewhere "ignored-elsewhere" [Note] "something that other engines ignore or refuse";
        LargePattern "large-pattern" [Warning] "a pattern needs many states";
        LargeRepetition "large-repetition" [Warning] "the bound of a repetition makes a format large";
        LintLimit "lint-limit" [Note] "the lints did not look at every format of a file";
        LooseSpace "loose-space" [Note] "white space wherever JSON allows it makes a format much larger";
        MixedScripts "mixed-scripts" [Warning] fix "a name mixes look-alike letters of several scripts";
        NoOutput "no-output" [Note, Warning] "a file of which nothing is compiled";
        OpenRecord "open-record" [Note] "any other key beside many declared ones";
        OverlappingUnion "overlapping-union" [Warning] "branches that many bytes do not tell apart";
        QuotedPattern "quoted-pattern" [Warning] fix "a pattern stands in quotes";
        QuotedText "quoted-text" [Warning] "a JSON string stands in text";
        QuotedType "quoted-type" [Warning] fix "the name of a type stands in quotes";
        SharedValue "shared-value" [Warning] "two branches of `oneOf` accept the same value, which is therefore refused";
        SpacedOperator "spaced-operator" [Warning] "a repetition looks like a sum";
        StackedRepetition "stacked-repetition" [Warning] fix "a repetition of a repetition";
        SwallowedAlternative "swallowed-alternative" [Warning] fix "free text stands beside an alternative that begins with a literal";
        SwallowedPart "swallowed-part" [Warning] fix "free text follows an optional part and can begin like it";
        SwappedParameters "swapped-parameters" [Warning] "the parameters of a template of `each` are swapped";
        TextSpellsToken "text-spells-token" [Note] "free text can spell a control token's name in ordinary characters";
        UnboundedRecursion "unbounded-recursion" [Note] "a type that contains itself, to any depth";
        UnbuiltMasks "unbuilt-masks" [Warning] "the build of the masks reached its limit";
        UnpairedToken "unpaired-token" [Warning] "a token begins what a text ends, or the other way";
        UnspelledText "unspelled-text" [Error, Warning] "the vocabulary cannot spell the format or some of its texts";
        UnusedItem "unused-item" [Warning] fix "an unused definition or import";
        UnusedParameter "unused-parameter" [Warning] "a definition does not use its parameter";
        WideRecord "wide-record" [Note] "the keys of a record need a large automaton";
    }
    /// Other notations that a format is written in.
    Export "export" {
        ExportCaptures "export-captures" [Note] "an export leaves captures out";
        ExportContains "export-contains" [Error] "counted items cannot be exported";
        ExportIntegers "export-integers" [Warning] "a file of this language also accepts whole numbers with a fraction";
        ExportLength "export-length" [Error] "an automaton is too large to be exported as rules";
        ExportNotation "export-notation" [Error] "the notation cannot express this format";
        ExportOrder "export-order" [Error] "keys in any order cannot be exported";
        ExportPolicy "export-policy" [Error] "a value has policies that an export cannot express";
        ExportRecursion "export-recursion" [Error] "a regex cannot be recursive";
        ExportSize "export-size" [Error] "part of a format needs too many rules in another notation";
        ExportTextLimit "export-text-limit" [Error] "rules cannot express the length limit of a text";
        ExportToken "export-token" [Error] "the name of a token cannot be written in rules";
        ExportUnique "export-unique" [Error] "items that must differ cannot be exported";
        PrintFormat "print-format" [Error] "the ogc language has no type for this format";
        PrintPattern "print-pattern" [Error] "the keys of a pattern cannot be determined";
        PrintToken "print-token" [Error] "the ogc language cannot express this token";
    }
    /// The list of findings itself.
    Output "findings" {
        MoreDiagnostics "more-diagnostics" [Note] "further findings are not shown";
        MoreFindings "more-findings" [Note] "further findings are not shown";
    }
    /// Files, settings and arguments.
    CommandLine "command line" {
        Definition "definition" [Error] "the requested definition is ambiguous";
        Engine "engine" [Error] "a stage after compilation failed";
        FileExists "file-exists" [Error] "a file exists already";
        FileTooLarge "file-too-large" [Error] "a file is over the size limit";
        FileUnreadable "file-unreadable" [Error] "a file cannot be read";
        FileUnwritable "file-unwritable" [Error] "a file cannot be written";
        FolderTooDeep "folder-too-deep" [Error] "a folder is nested too deeply to be searched";
        NoFormats "no-formats" [Error] "no formats were found";
        NoStage "no-stage" [Error] "the format does not pass through the requested stage";
        NoTests "no-tests" [Error] "there are no tests to run";
        NoTexts "no-texts" [Error] "there are no texts to match";
        NotOgc "not-ogc" [Error] "a file is not in the ogc language";
        NotUtf8 "not-utf8" [Error] "a file is not UTF-8";
        Output "output" [Error] "standard output cannot be written";
        PolicyFlag "policy-flag" [Error] "flags of policies do not apply to `.ogc` files";
        SettingValue "setting-value" [Error] "a setting has an invalid value";
        Settings "settings" [Error] "the settings are invalid";
        SettingsSyntax "settings-syntax" [Error] "the settings are not valid TOML";
        StdinTwice "stdin-twice" [Error] "standard input is requested twice";
        UnknownCode "unknown-code" [Error] "no diagnostic has this code";
        UnknownLanguage "unknown-language" [Error] "the language of a file cannot be told from its name";
        UnknownSetting "unknown-setting" [Error] "there is no such setting";
        Usage "usage" [Error] "the command line is invalid";
        Vocabulary "vocabulary" [Error] "a vocabulary cannot be used";
        Watch "watch" [Error] "changes of files cannot be watched";
    }
}
