//! Small files, and some large ones, that demand much work: each family stresses a stage of the compiler in its own
//! way.
//!
//! To add a family, add a line to [`FAMILIES`]: a name, the commands to run, the file's name, and a function that makes
//! the text.

use std::fmt::Write;

/// One hostile file.
pub(crate) struct Family {
    /// Name for reports; unique.
    pub(crate) name: &'static str,
    /// Arguments of `ogc`; the file comes last.
    pub(crate) command: &'static [&'static str],
    /// Name of the file; its extension tells the language.
    pub(crate) file: &'static str,
    /// Makes the text.
    pub(crate) text: fn() -> String,
}

const fn check(name: &'static str, file: &'static str, text: fn() -> String) -> Family {
    Family { name, command: &["check"], file, text }
}

/// A family for `ogc cost`: builds the masks for the built-in vocabulary without writing them.
const fn cost(name: &'static str, file: &'static str, text: fn() -> String) -> Family {
    Family { name, command: &["cost"], file, text }
}

const fn sample(name: &'static str, file: &'static str, text: fn() -> String) -> Family {
    Family { name, command: &["sample"], file, text }
}

const fn report(name: &'static str, file: &'static str, text: fn() -> String) -> Family {
    Family { name, command: &["report", "-o", "/dev/null"], file, text }
}

/// Families that end within the limits.
pub(crate) const FAMILIES: &[Family] = &[
    // Masks of many states.
    cost("masks of repeated words with separators", "a.ogc", || {
        "output Out = /[a-z]{1,20}/[1..400] % /[ ,.]?/\n".to_owned()
    }),
    cost("masks of a long length of any pattern", "a.schema.json", || pattern_value("^[\\\\s\\\\S]{0,10000}$")),
    cost("masks of lookaheads", "a.schema.json", || pattern_value(&"(?=.*x)".repeat(14))),
    cost("masks of different lookaheads", "a.schema.json", || {
        pattern_value(&('a'..='i').map(|c| format!("(?=.*{c})")).collect::<String>())
    }),
    // Shortest texts that are very long.
    sample("sample of nested repetitions", "a.ogc", || nested_copies(3)),
    sample("sample of deeply nested repetitions", "a.ogc", || nested_copies(12)),
    sample("sample of nested arrays", "a.schema.json", || arrays_of_thousands(6)),
    report("report on nested repetitions", "a.ogc", || nested_copies(3)),
    report("report on nested arrays", "a.schema.json", || arrays_of_thousands(6)),
    // Products of regular languages.
    check("ten conjunctions of two pattern alternatives", "a.schema.json", || alternatives_of_patterns(10, &words)),
    check("ten conjunctions of two growing alternatives", "a.schema.json", || alternatives_of_patterns(10, &growing)),
    check("sixteen conjunctions of two pattern alternatives", "a.schema.json", || alternatives_of_patterns(16, &words)),
    check("64 patterns in two conjunctions", "a.schema.json", || periods(2, 32)),
    check("36 patterns in three conjunctions", "a.schema.json", || periods(3, 12)),
    check("32 patterns in a conjunction", "a.schema.json", || conjunctions_of_patterns(2, 32)),
    check("fifty conjunctions of patterns", "a.schema.json", || conjunctions_of_patterns(50, 4)),
    check("pattern properties with folded classes", "a.schema.json", || folded_pattern_properties(400)),
    check("pattern properties of long words", "a.schema.json", || {
        pattern_properties(|at| format!("x{at}.*y{at}.*z{at}"), 40)
    }),
    check("pattern properties with far characters", "a.schema.json", || {
        pattern_properties(|at| format!("a.{{{at}}}b$"), 60)
    }),
    check("property names of many patterns", "a.schema.json", || property_names(20)),
    check("names of names of names", "a.schema.json", || names_of_names(30)),
    check("names of names without end", "a.schema.json", || {
        r##"{"type":"object","propertyNames":{"$ref":"#"}}"##.to_owned()
    }),
    check("chain of property names", "a.schema.json", || chain_of_property_names(30)),
    check("long chain of property names", "a.schema.json", || chain_of_property_names(20_000)),
    check("complement of many patterns", "a.schema.json", || not_patterns(40)),
    check("lengths of gapped patterns", "a.schema.json", || gapped_lengths(30)),
    check("long length of any pattern", "a.schema.json", || pattern_value("^[\\\\s\\\\S]{0,10000}$")),
    check("lookaheads", "a.schema.json", || pattern_value(&"(?=.*x)".repeat(14))),
    check("different lookaheads", "a.schema.json", || {
        pattern_value(&('a'..='z').map(|c| format!("(?=.*{c})")).collect::<String>())
    }),
    check("many patterns with lookaheads", "a.schema.json", || {
        many_patterns(60, |at| format!("(?=.*a.{{8}}{at})(?=.*b.{{8}}{at}).*"))
    }),
    check("many large patterns", "a.schema.json", || many_patterns(400, |at| format!("^[ab]*a[ab]{{14}}{at}$"))),
    check("many folded classes", "a.schema.json", || {
        many_patterns(400, |at| format!("(?i)^[\\\\p{{L}}\\\\p{{N}}]{{{}}}$", at % 60 + 1))
    }),
    check("nested repetitions of a pattern", "a.schema.json", || {
        pattern_value("(((((((a{1,9}){1,9}){1,9}){1,9}){1,9}){1,9}){1,9}){1,9}")
    }),
    check("folded repetitions", "a.schema.json", || pattern_value("^(?i:[\\\\p{L}]{1,900}[\\\\p{N}]{1,900})$")),
    check("deep groups", "a.schema.json", || {
        pattern_value(&format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000)))
    }),
    check("alternation of a megabyte", "a.schema.json", || {
        pattern_value(&(0..100_000).map(|at| format!("word{at}|")).collect::<String>())
    }),
    // Boolean combinations of schemas.
    check("all of any of objects", "a.schema.json", || {
        all_of_any_of(14, 3, |at, arm| {
            format!(r#"{{"properties":{{"k{at}":{{"const":{arm}}}}},"required":["k{at}"]}}"#)
        })
    }),
    check("all of one of objects", "a.schema.json", || all_of_one_of(12, 4)),
    check("nested negations", "a.schema.json", || nested_negations(40)),
    check("negated unions of objects", "a.schema.json", || negated_unions(60)),
    check("nested conditions", "a.schema.json", || conditions(60)),
    check("conditions in conditions", "a.schema.json", || nested_conditions(60)),
    check("overlapping one of", "a.schema.json", || overlapping_one_of(400)),
    check("overlapping one of nested", "a.schema.json", || nested_one_of(12)),
    check("dependent schemas", "a.schema.json", || dependent_schemas(60)),
    check("unevaluated properties", "a.schema.json", || unevaluated(30)),
    check("contains with counts", "a.schema.json", || contains(8)),
    check("doubling definitions", "a.schema.json", || doubling_definitions(40, "allOf")),
    check("doubling alternatives", "a.schema.json", || doubling_definitions(40, "anyOf")),
    check("doubling exclusive alternatives", "a.schema.json", || doubling_definitions(40, "oneOf")),
    check("doubling arrays", "a.schema.json", || doubling_definitions(40, "prefixItems")),
    check("recursive conjunctions", "a.schema.json", || recursive_conjunctions(12)),
    check("long chain of references", "a.schema.json", || chain_of_references(100_000)),
    // Numbers.
    check("large divisors", "a.schema.json", || all_of(&["multipleOf"], &["99991", "99989", "99971"])),
    check("divisor of many digits", "a.schema.json", || format!(r#"{{"multipleOf":1{}7}}"#, "0".repeat(2_000))),
    check("small divisor of many digits", "a.schema.json", || format!(r#"{{"multipleOf":0.{}7}}"#, "0".repeat(2_000))),
    check("bounds of many digits", "a.schema.json", || {
        format!(r#"{{"minimum":1{},"maximum":2{}}}"#, "3".repeat(50_000), "4".repeat(50_000))
    }),
    check("bounds of large exponents", "a.schema.json", || {
        r#"{"minimum":1e-999999999,"maximum":1e999999999,"multipleOf":1e-99999999}"#.to_owned()
    }),
    check("numbers with many exceptions", "a.schema.json", || {
        format!(r#"{{"type":"number","not":{{"enum":[{}]}}}}"#, list(100_000, |at| format!("{at}.5")))
    }),
    // Size.
    check("const of 8 MB", "a.schema.json", || format!(r#"{{"const":"{}"}}"#, "x".repeat(8 << 20))),
    check("consts of 8 MB in a union", "a.schema.json", || {
        format!(r#"{{"anyOf":[{}]}}"#, list(8, |at| format!(r#"{{"const":"{at}{}"}}"#, "x".repeat(1 << 20))))
    }),
    check("enum of 500,000 strings", "a.schema.json", || {
        format!(r#"{{"enum":[{}]}}"#, list(500_000, |at| format!(r#""value {at}""#)))
    }),
    check("enum of 300,000 numbers", "a.schema.json", || {
        format!(r#"{{"enum":[{}]}}"#, list(300_000, |at| (at * 7919).to_string()))
    }),
    check("enum of 20,000 objects", "a.schema.json", || {
        format!(r#"{{"enum":[{}]}}"#, list(20_000, |at| format!(r#"{{"a":{at},"b":[{at}]}}"#)))
    }),
    check("enums that exclude", "a.schema.json", || {
        format!(r#"{{"type":"string","not":{{"enum":[{}]}}}}"#, list(200_000, |at| format!(r#""value {at}""#)))
    }),
    check("enums joined", "a.schema.json", || {
        format!(
            r#"{{"allOf":[{}]}}"#,
            list(40, |from| format!(r#"{{"enum":[{}]}}"#, list(20_000, |at| format!(r#""v{}""#, at + from))))
        )
    }),
    check("union of 100,000 constants", "a.schema.json", || {
        format!(r#"{{"anyOf":[{}]}}"#, list(100_000, |at| format!(r#"{{"const":"c{at}"}}"#)))
    }),
    check("one of 20,000 constants", "a.schema.json", || {
        format!(r#"{{"oneOf":[{}]}}"#, list(20_000, |at| format!(r#"{{"const":"c{at}"}}"#)))
    }),
    check("union of 5,000 objects", "a.schema.json", || {
        format!(
            r#"{{"anyOf":[{}]}}"#,
            list(5_000, |at| format!(
                r#"{{"type":"object","properties":{{"a{at}":{{"const":{at}}}}},"required":["a{at}"]}}"#
            ))
        )
    }),
    check("object of 100,000 keys", "a.schema.json", || object_of_keys(100_000)),
    check("required keys of many objects", "a.schema.json", || {
        format!(
            r#"{{"allOf":[{}]}}"#,
            list(300, |from| format!(r#"{{"required":[{}]}}"#, list(300, |at| format!(r#""k{}""#, at * 300 + from))))
        )
    }),
    check("tuple of 200,000 items", "a.schema.json", || {
        format!(r#"{{"prefixItems":[{}],"items":false}}"#, list(200_000, |at| format!(r#"{{"const":{at}}}"#)))
    }),
    check("array of a billion items", "a.schema.json", || nested_arrays(8, 1_000_000_000)),
    check("deep nesting", "a.schema.json", || format!("{}{}", "{\"not\":".repeat(200_000), "}".repeat(200_000))),
    check("thirty megabytes of numbers", "a.schema.json", || {
        format!(r#"{{"enum":[{}]}}"#, "1,".repeat(15_000_000).trim_end_matches(','))
    }),
    check("thirty megabytes of schemas", "a.schema.json", || {
        format!(r#"{{"allOf":[{}]}}"#, "{},".repeat(10_000_000).trim_end_matches(','))
    }),
    check("thirty megabytes of values", "a.schema.json", || {
        format!(r#"{{"const":[{}]}}"#, "[],".repeat(10_000_000).trim_end_matches(','))
    }),
    check("thirty megabytes of keys", "a.schema.json", || {
        format!(r#"{{"default":{{{}}}}}"#, list(2_000_000, |at| format!(r#""k{at}":0"#)))
    }),
    check("enum of 1,100 objects", "a.schema.json", || {
        format!(r#"{{"enum":[{}]}}"#, list(1_100, |at| format!(r#"{{"a":{at},"b":[{at}]}}"#)))
    }),
    check("union of 3,000 constants", "a.schema.json", || {
        format!(r#"{{"anyOf":[{}]}}"#, list(3_000, |at| format!(r#"{{"const":"c{at}"}}"#)))
    }),
    check("one of 3,000 constants", "a.schema.json", || {
        format!(r#"{{"oneOf":[{}]}}"#, list(3_000, |at| format!(r#"{{"const":"c{at}"}}"#)))
    }),
    // Languages of grammars.
    check("doubling rules", "a.gbnf", || doubling_rules("::=", 40)),
    check("nested repetitions of rules", "a.gbnf", || nested_repetitions(12, 9)),
    check("repetition of a billion", "a.gbnf", || "root ::= \"a\"{1000000000}\n".to_owned()),
    check("alternatives of 200,000 words", "a.gbnf", || alternatives("root ::=", 200_000)),
    check("circular rules", "a.gbnf", || circular_rules("::=", 300)),
    check("rule of 8 MB", "a.gbnf", || format!("root ::= \"{}\"\n", "x".repeat(8 << 20))),
    check("left recursion through many rules", "a.gbnf", || left_recursion(200)),
    check("many optional parts", "a.gbnf", || {
        format!("root ::= {}\n", (0..3_000).map(|at| format!("(\"a{at}\" | \"b\")? ")).collect::<String>())
    }),
    check("determinisation", "a.gbnf", || format!("root ::= [ab]* \"a\" {}\n", "[ab] ".repeat(24))),
    check("determinisation of many rules", "a.gbnf", || {
        (0..200).fold("root ::= r0\n".to_owned(), |text, at| {
            format!("{text}r{at} ::= [ab]* \"a\" {} | r{}\n", "[ab] ".repeat(18), (at + 1) % 200)
        })
    }),
    check("doubling rules of EBNF", "a.ebnf", || doubling_rules("::=", 40)),
    check("doubling rules of ABNF", "a.abnf", || doubling_rules("=", 40).replace("|", "/")),
    check("doubling rules of Lark", "a.lark", || doubling_rules(":", 40).replace("root", "start")),
    check("terminals with folded classes", "a.lark", || {
        format!(
            "start: {}\n{}",
            (0..200).map(|at| format!("T{at} ")).collect::<String>(),
            (0..200).map(|at| format!("T{at}: /[a-zà-ÿ]{{1,{}}}x/i\n", at % 90 + 1)).collect::<String>()
        )
    }),
    check("regex of nested repetitions", "a.regex", || {
        "((((((a|b){1,20}c){1,20}d){1,20}e){1,20}f){1,20}g){1,20}".to_owned()
    }),
    check("regex of a megabyte", "a.regex", || "(a|b)?".repeat(170_000)),
    check("regex of subset blow-up", "a.regex", || format!("[ab]*a[ab]{{{}}}", 30)),
    // The language itself.
    check("generic tuple that doubles", "a.ogc", || doubling_generics(16)),
    check("generic tuple that doubles thirty times", "a.ogc", || doubling_generics(30)),
    check("generic records that double", "a.ogc", || doubling_records(24)),
    check("generic rules that double", "a.ogc", || doubling_generic_rules(24)),
    check("generic recursion that grows", "a.ogc", || {
        "type Grow<A> = { a: A, next: Grow<tuple<A, A>> | null }\noutput Out = Grow<int>\n".to_owned()
    }),
    check("records that refer to each other", "a.ogc", || referring_records(10_000, false)),
    check("records that refer to each other in an output", "a.ogc", || referring_records(10_000, true)),
    check("records that refer to many", "a.ogc", || dense_records(400)),
    check("spread of 90,000 keys", "a.ogc", || spread_keys(90_000, 50)),
    check("spreads that double", "a.ogc", || doubling_spreads(28)),
    check("differences of regexes", "a.ogc", || operators(" - ", 30)),
    check("intersections of regexes", "a.ogc", || operators(" & ", 30)),
    check("differences of record unions", "a.ogc", || record_differences(30)),
    check("text without many words", "a.ogc", || {
        format!(
            "output Out = text<without = {}>\n",
            (0..3_000).map(|at| format!("\"word {at}\"")).collect::<Vec<_>>().join(" | ")
        )
    }),
    check("text without a regex", "a.ogc", || "output Out = text<without = /[ab]*a[ab]{18}/> \"c\"\n".to_owned()),
    check("substring of 200,000 words", "a.ogc", || {
        format!("output Out = substring<\"{}\">\n", (0..200_000).map(|at| format!("w{at} ")).collect::<String>())
    }),
    check("1,000 quoted texts of 5,000 rules", "a.ogc", || {
        let rules = (0..5_000).map(|at| format!("rule r{at} = \"x{at}\" /[^a]/ r{}?\n", at + 1));
        let quotes: Vec<String> = (0..1_000).map(|at| format!("quoted<r{}>", at * 5)).collect();
        format!("{}rule r5000 = \"e\"\noutput Out = {}\n", rules.collect::<String>(), quotes.join(" "))
    }),
    check("mix of 2,000 parts", "a.ogc", || mix(2_000)),
    check("nested repetitions of regexes", "a.ogc", || "output Out = /[a-z]{1,20}/[1..400] % /[ ,.]?/\n".to_owned()),
    check("nested counts", "a.ogc", || {
        "output Out = ((((\"a\"[1..1000] \"b\")[1..1000] \"c\")[1..1000] \"d\")[1..1000] \"e\")[1..1000]\n".to_owned()
    }),
    check("a union of 50,000 literals", "a.ogc", || {
        format!(
            "type T = {}\noutput Out = T\n",
            (0..50_000).map(|at| format!("\"l{at}\"")).collect::<Vec<_>>().join(" | ")
        )
    }),
    check("a sequence of 100,000 literals", "a.ogc", || format!("output Out = {}\n", "\"ab\" ".repeat(100_000))),
    check("20,000 types in a row", "a.ogc", || {
        (0..20_000).map(|at| format!("type T{at} = {{ next: T{} | null }}\n", at + 1)).collect::<String>()
            + "type T20000 = int\n"
    }),
    check("indented nesting", "a.ogc", || indented(30)),
    check("a line of a megabyte", "a.ogc", || {
        format!("output Out = {}\"x\"{}\n", "(".repeat(500_000), ")".repeat(500_000))
    }),
    check("depth of records", "a.ogc", || {
        format!("type T = {}int{}\noutput Out = T\n", "{ a: ".repeat(100_000), " }".repeat(100_000))
    }),
    check("unterminated everything", "a.ogc", || "type A = { \"".repeat(100_000)),
    check("garbage of a megabyte", "a.ogc", || "\\}>|-&% @x(".repeat(100_000)),
    // Files with many parts, each of which is cheap or just within the budget of one part.
    check("20,000 outputs", "a.ogc", || {
        (0..20_000).fold(String::new(), |text, at| text + &format!("output O{at} = \"a\" O{}\n", (at + 1) % 20_000))
    }),
    check("many costly definitions", "a.ogc", || {
        (0..400).map(|at| format!("type T{at} = /[ab]*a[ab]{{15}}{at}/\n")).collect()
    }),
    check("many costly outputs", "a.ogc", || {
        (0..400).map(|at| format!("output T{at} = /[ab]*a[ab]{{15}}{at}/\n")).collect()
    }),
    check("unknown keywords", "a.schema.json", || {
        format!("{{{}}}", list(300_000, |at| format!(r#""properties{at}":{{}}"#)))
    }),
    // Just under the limit on bytes, with tokens as short as possible.
    check("tokens of alternatives", "a.ogc", || flood("output Out = a", "|a")),
    check("tokens of nothing", "a.ogc", || flood("", "}")),
    check("tokens of items", "a.ogc", || flood("", "rule a=a ")),
    check("tokens of tests", "a.ogc", || flood("type A = int[0..]\ntest A { accept [1", ",1")),
    check("tokens of gbnf", "a.gbnf", || flood("root ::= a", "|a")),
    check("rules of gbnf", "a.gbnf", || flood("root ::= a\n", "a::=a\n")),
    check("tokens of ebnf", "a.ebnf", || flood("root ::= a", "|a")),
    check("tokens of iso ebnf", "a.ebnf", || flood("root = a", "|a")),
    check("tokens of abnf", "a.abnf", || flood("root = a", "/a")),
    check("rules of abnf", "a.abnf", || flood("root = a\n", "a=a\n")),
    check("letters of abnf", "a.abnf", || flood("root = \"a\"\n", "root =/ \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n")),
    check("tokens of lark", "a.lark", || flood("start: a", "|a")),
    check("rules of lark", "a.lark", || flood("start: a\n", "a:a\n")),
    Family {
        name: "formatting many tokens",
        command: &["fmt", "--check"],
        file: "a.ogc",
        text: || "rule a = \"x\"\noutput Out = a".to_owned() + &"|a".repeat(2_500_000),
    },
    Family {
        name: "export of a large enum",
        command: &["export", "--to", "gbnf"],
        file: "a.schema.json",
        text: || format!(r#"{{"enum":[{}]}}"#, list(100_000, |at| format!(r#""v{at}""#))),
    },
];

/// Makes a text of nearly 32 MiB that begins with `head`.
fn flood(head: &str, part: &str) -> String {
    let parts = ((32 << 20) - head.len()) / part.len();
    head.to_owned() + &part.repeat(parts)
}

fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

fn pattern_value(pattern: &str) -> String {
    format!(r#"{{"type":"string","pattern":"{pattern}"}}"#)
}

fn many_patterns(count: usize, pattern: impl Fn(usize) -> String) -> String {
    let property = |at| format!(r#""p{at}":{}"#, pattern_value(&pattern(at)));
    format!(r#"{{"type":"object","properties":{{{}}}}}"#, list(count, property))
}

fn alternatives_of_patterns(count: usize, pattern: &dyn Fn(usize, usize) -> String) -> String {
    let arm = |at: usize, way: usize| format!(r#"{{"pattern":"{}"}}"#, pattern(at, way));
    let any = |at: usize| format!(r#"{{"anyOf":[{},{}]}}"#, arm(at, 0), arm(at, 1));
    format!(r#"{{"type":"string","allOf":[{}]}}"#, list(count, any))
}

/// Makes a pattern of two characters in order, with anything between: it has three states, and each further such
/// pattern multiplies the states by three.
fn words(at: usize, way: usize) -> String {
    let character = |nth: usize| char::from_u32('A' as u32 + ((4 * at + 2 * way + nth) % 50) as u32).unwrap_or('A');
    let escaped = |nth| match character(nth) {
        special @ ('[' | ']' | '^') => format!("\\\\{special}"),
        '\\' => "0".to_owned(),
        other => other.to_string(),
    };
    format!("{}.*{}", escaped(0), escaped(1))
}

fn growing(at: usize, way: usize) -> String {
    format!("{}.{{{}}}x", if way == 0 { 'a' } else { 'b' }, at + 1)
}

/// Makes lengths that are multiples of two numbers at once: products of just under 100,000 states, one for each pair.
fn periods(conjunctions: usize, alternatives: usize) -> String {
    let step = if conjunctions == 2 { 250 } else { 38 };
    let one = |nth: usize| format!(r#"{{"pattern":"^(?:.{{{}}})*$"}}"#, step + nth);
    let any = |from: usize| format!(r#"{{"anyOf":[{}]}}"#, list(alternatives, |at| one(conjunctions * at + from)));
    format!(r#"{{"type":"string","allOf":[{}]}}"#, list(conjunctions, any))
}

fn conjunctions_of_patterns(conjunctions: usize, patterns: usize) -> String {
    let one = |nth: usize| {
        let pattern = |at: usize| format!(r#"{{"pattern":"k{}[a-z]{{{}}}q"}}"#, at % 10, at % 5 + nth % 7);
        format!(r#""c{nth}":{{"type":"string","allOf":[{}]}}"#, list(patterns, pattern))
    };
    format!(r#"{{"type":"object","properties":{{{}}}}}"#, list(conjunctions, one))
}

fn folded_pattern_properties(count: usize) -> String {
    pattern_properties(|at| format!("^\\\\p{{L}}{{{}}}i$", at + 1), count)
}

fn pattern_properties(pattern: impl Fn(usize) -> String, count: usize) -> String {
    let one = |at: usize| format!(r#""{}":{{"minimum":{at}}}"#, pattern(at));
    format!(r#"{{"type":"object","patternProperties":{{{}}}}}"#, list(count, one))
}

fn property_names(count: usize) -> String {
    let one = |at: usize| format!(r#"{{"propertyNames":{{"pattern":"[ab]*a[ab]{{{at}}}c"}}}}"#);
    format!(r#"{{"type":"object","allOf":[{}]}}"#, list(count, one))
}

fn names_of_names(count: usize) -> String {
    let one = |at: usize| format!(r##""n{at}":{{"propertyNames":{{"$ref":"#/$defs/n{}"}}}}"##, at + 1);
    format!(
        r##"{{"$defs":{{{},"n{count}":{{"pattern":"^a"}}}},"type":"object","$ref":"#/$defs/n0"}}"##,
        list(count, one)
    )
}

fn chain_of_property_names(count: usize) -> String {
    let one = |at: usize| format!(r##""n{at}":{{"$ref":"#/$defs/n{}"}}"##, at + 1);
    format!(
        r##"{{"$defs":{{{},"n{count}":{{"pattern":"^a"}}}},"type":"object","propertyNames":{{"$ref":"#/$defs/n0"}}}}"##,
        list(count, one)
    )
}

fn not_patterns(count: usize) -> String {
    let one = |at: usize| format!(r#"{{"not":{{"pattern":"[ab]*a[ab]{{{at}}}c"}}}}"#);
    format!(r#"{{"type":"string","allOf":[{}]}}"#, list(count, one))
}

fn gapped_lengths(count: usize) -> String {
    let one = |at: usize| {
        format!(
            r#""p{at}":{{"type":"string","pattern":"^(abc|de{{{at}}})*$","minLength":2000,"maxLength":{}}}"#,
            4_000 + at
        )
    };
    format!(r#"{{"type":"object","properties":{{{}}}}}"#, list(count, one))
}

fn all_of_any_of(count: usize, arms: usize, arm: impl Fn(usize, usize) -> String) -> String {
    let any = |at: usize| format!(r#"{{"anyOf":[{}]}}"#, list(arms, |nth| arm(at, nth)));
    format!(r#"{{"type":"object","allOf":[{}]}}"#, list(count, any))
}

fn all_of_one_of(count: usize, arms: usize) -> String {
    let arm = |at: usize, nth: usize| {
        format!(r#"{{"properties":{{"k{at}":{{"minimum":{nth}}},"l{nth}":{{"maximum":{at}}}}}}}"#)
    };
    all_of_any_of(count, arms, arm).replace("anyOf", "oneOf")
}

fn nested_negations(depth: usize) -> String {
    (0..depth).fold(r#"{"type":"object","properties":{"a":{"pattern":"x"}},"required":["b"]}"#.to_owned(), |inner, at| {
        format!(r#"{{"not":{{"allOf":[{inner},{{"properties":{{"k{at}":{{"pattern":"a{at}"}}}},"minProperties":{}}}]}}}}"#, at % 3)
    })
}

fn negated_unions(count: usize) -> String {
    let arm = |at: usize| {
        format!(
            r#"{{"properties":{{"a{at}":{{"const":{at}}},"b{}":{{"type":"string"}}}},"required":["a{at}"]}}"#,
            at / 2
        )
    };
    let properties = list(count, |at| format!(r#""a{at}":{{"type":"integer"}}"#));
    format!(
        r#"{{"type":"object","properties":{{{properties}}},"additionalProperties":false,"not":{{"anyOf":[{}]}},"allOf":[{{"not":{{"oneOf":[{}]}}}}]}}"#,
        list(count, arm),
        list(count.min(64), arm)
    )
}

fn conditions(count: usize) -> String {
    let one = |at: usize| {
        format!(
            r#"{{"if":{{"properties":{{"k{at}":{{"pattern":"a{at}"}}}}}},"then":{{"required":["k{}"]}},"else":{{"properties":{{"k{}":{{"pattern":"b{at}"}}}}}}}}"#,
            at + 1,
            at + 2
        )
    };
    format!(r#"{{"type":"object","allOf":[{}]}}"#, list(count, one))
}

fn nested_conditions(depth: usize) -> String {
    (0..depth).fold(r#"{"type":"object"}"#.to_owned(), |inner, at| {
        format!(r#"{{"if":{{"properties":{{"k{at}":{{"const":1}}}}}},"then":{inner},"else":{{"allOf":[{{"required":["r{at}"]}}]}}}}"#)
    })
}

fn overlapping_one_of(count: usize) -> String {
    let arm = |at: usize| {
        format!(r#"{{"type":"object","properties":{{"a{at}":{{"minimum":{at}}},"c":{{"maximum":{at}}}}}}}"#)
    };
    format!(r#"{{"oneOf":[{}]}}"#, list(count, arm))
}

fn nested_one_of(depth: usize) -> String {
    (0..depth).fold(r#"{"type":"object"}"#.to_owned(), |inner, at| {
        format!(r#"{{"type":"object","properties":{{"n":{{"oneOf":[{inner},{{"type":"object","properties":{{"k{at}":{{"minimum":1}}}}}},{inner}]}}}}}}"#)
    })
}

fn dependent_schemas(count: usize) -> String {
    let one = |at: usize| {
        format!(r#""k{at}":{{"properties":{{"k{}":{{"minimum":{at}}}}},"required":["k{}"]}}"#, at + 1, at + 2)
    };
    format!(r#"{{"type":"object","dependentSchemas":{{{}}}}}"#, list(count, one))
}

fn unevaluated(count: usize) -> String {
    let one =
        |at: usize| format!(r#"{{"anyOf":[{{"properties":{{"a{at}":true}}}},{{"properties":{{"b{at}":true}}}}]}}"#);
    format!(r#"{{"type":"object","allOf":[{}],"unevaluatedProperties":false}}"#, list(count, one))
}

fn contains(count: usize) -> String {
    let one =
        |at: usize| format!(r#"{{"contains":{{"minimum":{at}}},"minContains":{},"maxContains":{}}}"#, at + 1, at + 40);
    format!(r#"{{"type":"array","allOf":[{}],"maxItems":100000}}"#, list(count, one))
}

fn doubling_definitions(count: usize, keyword: &str) -> String {
    let one = |at: usize| {
        format!(r##""d{at}":{{"{keyword}":[{{"$ref":"#/$defs/d{0}"}},{{"$ref":"#/$defs/d{0}"}}]}}"##, at + 1)
    };
    format!(
        r##"{{"$defs":{{{},"d{count}":{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/d0"}}}}}}}},"$ref":"#/$defs/d0"}}"##,
        list(count, one)
    )
}

fn recursive_conjunctions(count: usize) -> String {
    let one = |at: usize| {
        format!(
            r##""d{at}":{{"type":"object","properties":{{"n":{{"allOf":[{{"$ref":"#/$defs/d{}"}},{{"$ref":"#/$defs/d{}"}}]}},"k{at}":{{}}}}}}"##,
            (at + 1) % count,
            (at * 5 + 2) % count
        )
    };
    format!(r##"{{"$defs":{{{}}},"$ref":"#/$defs/d0"}}"##, list(count, one))
}

fn chain_of_references(count: usize) -> String {
    let one = |at: usize| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}}"##, at + 1);
    format!(r##"{{"$defs":{{{},"d{count}":{{"type":"null"}}}},"$ref":"#/$defs/d0"}}"##, list(count, one))
}

fn all_of(keywords: &[&str], values: &[&str]) -> String {
    let one = |(at, value): (usize, &&str)| format!(r#"{{"{}":{value}}}"#, keywords[at % keywords.len()]);
    format!(r#"{{"type":"number","allOf":[{}]}}"#, values.iter().enumerate().map(one).collect::<Vec<_>>().join(","))
}

fn object_of_keys(count: usize) -> String {
    format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        list(count, |at| format!(r#""key{at}":{{"type":"integer","minimum":{at}}}"#))
    )
}

fn nested_arrays(depth: usize, items: u64) -> String {
    (0..depth).fold(r#"{"type":"null"}"#.to_owned(), |inner, _| {
        format!(r#"{{"type":"array","items":{inner},"minItems":{items},"maxItems":{items}}}"#)
    })
}

fn doubling_rules(sign: &str, count: usize) -> String {
    (0..count).fold(format!("root {sign} r0\n"), |mut text, at| {
        let _ = writeln!(text, "r{at} {sign} r{0} r{0}", at + 1);
        text
    }) + &format!("r{count} {sign} \"a\" | \"b\"\n")
}

fn nested_repetitions(depth: usize, times: usize) -> String {
    let inner = (0..depth).fold("\"a\"".to_owned(), |inner, at| format!("({inner} \"{at}\"){{1,{times}}}"));
    format!("root ::= {inner}\n")
}

fn alternatives(head: &str, count: usize) -> String {
    format!("{head} {}\n", (0..count).map(|at| format!("\"word{at}\"")).collect::<Vec<_>>().join(" | "))
}

fn circular_rules(sign: &str, count: usize) -> String {
    (0..count).fold(format!("root {sign} r0\n"), |mut text, at| {
        let alternatives: Vec<String> = (0..count).map(|to| format!("\"{at}-{to}\" r{to}")).collect();
        let _ = writeln!(text, "r{at} {sign} {} | \"x\"", alternatives.join(" | "));
        text
    })
}

fn left_recursion(count: usize) -> String {
    (0..count).fold("root ::= r0\n".to_owned(), |mut text, at| {
        let all: Vec<String> = (0..count).map(|to| format!("r{to} \"{at}\"")).collect();
        let _ = writeln!(text, "r{at} ::= {} | \"x{at}\"", all.join(" | "));
        text
    })
}

fn doubling_generics(count: usize) -> String {
    let mut text = "type T0<A> = tuple<A, A>\n".to_owned();
    for at in 1..count {
        let _ = writeln!(text, "type T{at}<A> = T{0}<tuple<A, A>>", at - 1);
    }
    text + &format!("output Out = T{}<int>\n", count - 1)
}

fn doubling_records(count: usize) -> String {
    let mut text = "type R0<A> = { a: A, b: A }\n".to_owned();
    for at in 1..count {
        let _ = writeln!(text, "type R{at}<A> = {{ a: R{0}<{{ l: A, r: A }}>, b: R{0}<A[1..{at}]> }}", at - 1);
    }
    text + &format!("output Out = R{}<int>\n", count - 1)
}

fn doubling_generic_rules(count: usize) -> String {
    let mut text = "rule r0<a> = a a\n".to_owned();
    for at in 1..count {
        let _ = writeln!(text, "rule r{at}<a> = r{0}<(a \"x\")> r{0}<(\"y\" a)>", at - 1);
    }
    text + &format!("output Out = r{}<\"z\">\n", count - 1)
}

fn referring_records(count: usize, output: bool) -> String {
    let mut text = String::new();
    for at in 0..count {
        let _ = writeln!(
            text,
            "type R{at} = {{ a: R{} | null, b: R{}[0..], c: R{} | int }}",
            (at + 1) % count,
            (at * 7 + 3) % count,
            (at * 31 + 5) % count
        );
    }
    if output { text + "output Out = R0\n" } else { text }
}

fn dense_records(count: usize) -> String {
    let mut text = String::new();
    for at in 0..count {
        let fields: Vec<String> = (0..count).map(|to| format!("f{to}: R{to} | null")).collect();
        let _ = writeln!(text, "type R{at} = {{ id: {at}, {} }}", fields.join(", "));
    }
    text + "output Out = R0\n"
}

fn spread_keys(keys: usize, types: usize) -> String {
    let fields: Vec<String> = (0..keys).map(|at| format!("k{at}: int")).collect();
    let mut text = format!("type Base = {{ {} }}\n", fields.join(", "));
    for at in 0..types {
        let _ = writeln!(text, "type T{at} = {{ ...Base, own{at}: string }}");
    }
    let all: Vec<String> = (0..types).map(|at| format!("T{at}")).collect();
    text + &format!("output Out = {}\n", all.join(" | "))
}

fn doubling_spreads(count: usize) -> String {
    let mut text = "type S0<A> = { x: A }\n".to_owned();
    for at in 1..count {
        let _ = writeln!(text, "type S{at}<A> = {{ ...S{0}<tuple<A, A>>, k{at}: S{0}<A> }}", at - 1);
    }
    text + &format!("output Out = S{}<int>\n", count - 1)
}

fn operators(sign: &str, count: usize) -> String {
    let parts: Vec<String> = (0..count).map(|at| format!("/.*a.{{{at}}}b.*/")).collect();
    format!("type T = string & ({})\noutput Out = T | ({})\n", parts.join(sign), parts.join(sign))
}

fn record_differences(count: usize) -> String {
    let parts: Vec<String> = (0..count).map(|at| format!("{{ a{at}: int, b{}: string, ... }}", at / 2)).collect();
    format!("type T = object - {}\noutput Out = T\n", parts.join(" - "))
}

fn mix(count: usize) -> String {
    let parts: Vec<String> = (0..count).map(|at| format!("(\"<t{at}>\" /[a-z]*/ \"</t{at}>\")")).collect();
    format!("output Out = mix<text, {}>\n", parts.join(" | "))
}

fn indented(count: usize) -> String {
    let mut text = "policy space = \"pretty\"\n".to_owned();
    for at in 0..count {
        let _ = writeln!(text, "type T{at} = {{ a: T{0} | null, b: T{0}[0..], c: T{0} }}", at + 1);
    }
    text + &format!("type T{count} = int\noutput Out = T0\n")
}

/// Makes nested repetitions: a thousand times a thousand times ... the letter `a`.
fn nested_copies(depth: usize) -> String {
    let text = (0..depth).fold("\"a\"".to_owned(), |text, _| format!("({text}[1000])"));
    format!("output Out = {text}\n")
}

/// Makes arrays of at least a thousand arrays of at least a thousand ...
fn arrays_of_thousands(depth: usize) -> String {
    let items = r#"{"type":"string","minLength":1000}"#.to_owned();
    (0..depth).fold(items, |items, _| format!(r#"{{"type":"array","minItems":1000,"items":{items}}}"#))
}
