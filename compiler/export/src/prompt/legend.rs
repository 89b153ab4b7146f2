//! The legend of the signs and words in the shown definitions; every line explains something that occurs there.

use std::collections::BTreeSet;

use ogc_compiler::hir::Builtin;
use ogc_grammar::ogc::ast::{Argument, Definition, Expr, ExprKind, Item, ItemKind, Member, MemberKind, Repetition};

/// The signs that can be explained, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Docs,
    Text,
    Optional,
    Union,
    Range,
    StringLength,
    StringPattern,
    StringSearch,
    Number,
    Above,
    Multiple,
    Digits,
    Format(&'static str, &'static str),
    Times,
    TextTimes,
    Question,
    Star,
    Plus,
    List,
    Open,
    Spread,
    Pattern,
    Parameter,
    Token,
    Json,
    Raw,
    Depth,
    Capture,
    Both,
    Without,
    Regex,
    Map,
    Tuple,
    TupleRest,
    TupleItems,
    Array,
    Unique,
    Contains,
    Object,
    Keys,
    FreeText,
    MaxTokens,
    MaxChars,
    Excluded,
    Mix,
    Calls,
    Substring,
    Lazy,
    Quoted,
    Deprecated,
}

impl Sign {
    fn says(self) -> String {
        match self {
            Sign::Docs => "Text behind `//` explains what follows it and is not written.",
            Sign::Text => {
                "In a `rule`, and in an `output` that is made of several parts, quoted text is written without its quotes and \
                 parts follow one another."
            }
            Sign::Optional => "A field `name?: T` may be left out; all others must be there.",
            Sign::Union => "`A | B` is either of them.",
            Sign::Range => "`0..5` is a number from 0 to 5; an end that is not written is open.",
            Sign::StringLength => "`string<1..80>` has 1 to 80 characters; an end that is not written is open.",
            Sign::StringPattern => "`string</.../>` is a string that the pattern matches as a whole.",
            Sign::StringSearch => "`search = /.../`: the pattern matches somewhere in the string.",
            Sign::Number => "`int<0..5>` is an integer from 0 to 5, `number<0..5>` any number; an end that is not written is open.",
            Sign::Above => "`above = a` means greater than `a`, `below = b` less than `b`.",
            Sign::Multiple => "`multiple_of = n`: a multiple of `n`.",
            Sign::Digits => "`digits = 2`: at most two digits behind the point; `digits = 2..2`: exactly two.",
            Sign::Format(name, example) => return format!("`{name}` is a string such as {example:?}."),
            Sign::Times => "`T[1..5]` is a list of 1 to 5 `T`; an end that is not written is open, `T[3]` has exactly 3.",
            Sign::TextTimes => "In text, `x[1..5]` is `x` 1 to 5 times in a row.",
            Sign::Question => "`x?` may be left out.",
            Sign::Star => "`x*` is `x` any number of times, perhaps not at all.",
            Sign::Plus => "`x+` is `x` once or more.",
            Sign::List => "`x % \",\"` is one `x` or more with `,` between them.",
            Sign::Open => "`...` alone in a record allows fields of other names, with any values.",
            Sign::Spread => "`...Base` in a record stands for the fields of `Base`.",
            Sign::Pattern => "`[K]: V` in a record allows any number of fields whose names are in `K`, with values in `V`.",
            Sign::Parameter => "`Name<T>` is a definition with a gap for `T`; `Name<int>` is that definition with `int` there.",
            Sign::Token => "`tok\"<x>\"` is the special token of that name.",
            Sign::Json => "`json<T>` is JSON of the type `T`.",
            Sign::Raw => "`raw<T>` is a value of the type `T` without quotes and escapes.",
            Sign::Depth => "`depth = 3`: records and lists nest at most that deep.",
            Sign::Capture => "`name: x` in text is just `x`; the name is not written.",
            Sign::Both => "`A & B` is what is in both: a record has the fields of both, with values that both allow.",
            Sign::Without => "`A - B` is what is in `A` and not in `B`.",
            Sign::Regex => "`/.../` is a text that the pattern matches as a whole; in JSON, a string.",
            Sign::Map => "`map<K, V>` is an object with any keys in `K` and values in `V`.",
            Sign::Tuple => "`tuple<A, B>` is a list of an `A` and then a `B`.",
            Sign::TupleRest => "`rest = T`: any number of `T` follow in the list.",
            Sign::TupleItems => "`items = 1..5`: the list has 1 to 5 items in all, and may end before all that are named.",
            Sign::Array => "`array` is a list of anything; `array<1..5>` has 1 to 5 items.",
            Sign::Unique => "`unique = true`: no two items are equal.",
            Sign::Contains => "`contains = T`: some item is a `T`; `times = 1..2` says how many are.",
            Sign::Object => "`object` is an object with any fields; `object<1..5>` has 1 to 5.",
            Sign::Keys => "`keys = K`: the names of all fields are in `K`.",
            Sign::FreeText => "`text` is free text.",
            Sign::MaxTokens => "`max_tokens = 50`: at most 50 tokens.",
            Sign::MaxChars => "`max_chars = 50`: at most 50 characters.",
            Sign::Excluded => "`without = x`: no `x` occurs in it.",
            Sign::Mix => "`mix<text, x>` is free text with any number of `x` in it.",
            Sign::Calls => "`calls = 0..3` says how many.",
            Sign::Substring => "`substring<\"...\">` is any part of the quoted text.",
            Sign::Lazy => "`lazy<x>` ends as soon as it is an `x`.",
            Sign::Quoted => "`quoted<x>` is a string of JSON whose characters are an `x`.",
            Sign::Deprecated => "A field marked `@deprecated` should not be used any more.",
        }
        .to_owned()
    }
}

/// Returns the lines of the legend for the shown items.
pub(super) fn lines<'i>(items: impl Iterator<Item = &'i Item>, is_text: bool) -> Vec<String> {
    let mut signs = BTreeSet::new();
    for item in items {
        of_item(item, is_text, &mut signs);
    }
    signs.into_iter().map(|sign| format!("- {}", sign.says())).collect()
}

fn of_item(item: &Item, is_text: bool, signs: &mut BTreeSet<Sign>) {
    let (definition, in_rule) = match &item.kind {
        ItemKind::Type(definition) => (definition, false),
        ItemKind::Rule(definition) => (definition, true),
        ItemKind::Output(definition) => (definition, is_text),
        _ => return,
    };
    let Definition { parameters, body, .. } = definition;
    signs.extend((!item.docs.is_empty()).then_some(Sign::Docs));
    signs.extend((!parameters.is_empty()).then_some(Sign::Parameter));
    signs.extend(in_rule.then_some(Sign::Text));
    body.walk(&mut |expr| of_expr(expr, in_rule, signs));
}

fn of_expr(expr: &Expr, in_rule: bool, signs: &mut BTreeSet<Sign>) {
    match &expr.kind {
        ExprKind::Range(_) => drop(signs.insert(Sign::Range)),
        ExprKind::Regex(_) => drop(signs.insert(Sign::Regex)),
        ExprKind::Token(_) => drop(signs.insert(Sign::Token)),
        ExprKind::Union(arms) => {
            signs.insert(Sign::Union);
            signs.extend(arms.iter().any(|arm| !arm.docs.is_empty()).then_some(Sign::Docs));
        }
        ExprKind::Intersection(_) => drop(signs.insert(Sign::Both)),
        ExprKind::Difference { .. } => drop(signs.insert(Sign::Without)),
        ExprKind::Capture { .. } => drop(signs.insert(Sign::Capture)),
        ExprKind::Repeat { times, .. } => of_times(times, in_rule, signs),
        ExprKind::List { times, .. } => {
            signs.insert(Sign::List);
            times.iter().for_each(|times| of_times(times, true, signs));
        }
        ExprKind::Record(record) => record.members.iter().for_each(|member| of_member(member, signs)),
        ExprKind::Reference(reference) => {
            if let [only] = reference.path.segments.as_slice() {
                of_name(&only.text, &reference.arguments, signs);
            }
        }
        _ => {}
    }
}

fn of_times(times: &Repetition, in_rule: bool, signs: &mut BTreeSet<Sign>) {
    match times {
        Repetition::Optional => drop(signs.insert(Sign::Question)),
        Repetition::Star => drop(signs.insert(Sign::Star)),
        Repetition::Plus => drop(signs.insert(Sign::Plus)),
        // In a rule, the meaning depends on the repeated part: a value makes a list.
        Repetition::Exactly(_) | Repetition::Between(_) => {
            signs.insert(Sign::Times);
            signs.extend(in_rule.then_some(Sign::TextTimes));
        }
    }
}

fn of_member(member: &Member, signs: &mut BTreeSet<Sign>) {
    signs.extend((!member.docs.is_empty()).then_some(Sign::Docs));
    let is_deprecated = member.attributes.iter().any(|attribute| attribute.name.text == "deprecated");
    signs.extend(is_deprecated.then_some(Sign::Deprecated));
    match &member.kind {
        MemberKind::Field(field) => signs.extend(field.optional.then_some(Sign::Optional)),
        MemberKind::Pattern { .. } => drop(signs.insert(Sign::Pattern)),
        MemberKind::Spread(_) => drop(signs.insert(Sign::Spread)),
        MemberKind::Open => drop(signs.insert(Sign::Open)),
        MemberKind::Error => {}
    }
}

/// Collects the signs of a built-in name and its arguments; other names are definitions, which need no explanation.
fn of_name(name: &str, arguments: &[Argument], signs: &mut BTreeSet<Sign>) {
    let own = match name {
        "map" => Some(Sign::Map),
        "tuple" => Some(Sign::Tuple),
        "array" => Some(Sign::Array),
        "object" => Some(Sign::Object),
        "json" => Some(Sign::Json),
        "raw" => Some(Sign::Raw),
        "text" => Some(Sign::FreeText),
        "mix" => Some(Sign::Mix),
        "substring" => Some(Sign::Substring),
        "lazy" => Some(Sign::Lazy),
        "quoted" => Some(Sign::Quoted),
        _ => Builtin::of(name).and_then(|known| Some(Sign::Format(known.name, known.format()?.example?))),
    };
    signs.extend(own);
    let is_string = Builtin::of(name).is_some_and(Builtin::is_string);
    let is_number = matches!(name, "int" | "number");
    for argument in arguments {
        let setting = argument.name.as_ref().map(|setting| setting.text.as_str());
        signs.extend(match (setting, &argument.value.ungrouped().kind) {
            (None, ExprKind::Range(_)) if is_string => Some(Sign::StringLength),
            (None, ExprKind::Regex(_)) if is_string => Some(Sign::StringPattern),
            (None, ExprKind::Range(_)) if is_number => Some(Sign::Number),
            (Some("search"), _) if is_string => Some(Sign::StringSearch),
            (Some("above" | "below"), _) if is_number => Some(Sign::Above),
            (Some("multiple_of"), _) if is_number => Some(Sign::Multiple),
            (Some("digits"), _) if is_number => Some(Sign::Digits),
            (Some("rest"), _) if name == "tuple" => Some(Sign::TupleRest),
            (Some("items"), _) if name == "tuple" => Some(Sign::TupleItems),
            (Some("unique"), _) if name == "array" => Some(Sign::Unique),
            (Some("contains" | "times"), _) if name == "array" => Some(Sign::Contains),
            (Some("keys"), _) if name == "object" => Some(Sign::Keys),
            (Some("depth"), _) if name == "json" => Some(Sign::Depth),
            (Some("max_tokens"), _) if name == "text" => Some(Sign::MaxTokens),
            (Some("max_chars"), _) if name == "text" => Some(Sign::MaxChars),
            (Some("without"), _) if name == "text" => Some(Sign::Excluded),
            (Some("calls"), _) if name == "mix" => Some(Sign::Calls),
            _ => None,
        });
    }
}
