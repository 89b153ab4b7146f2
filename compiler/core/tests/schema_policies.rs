//! Policies of schemas in `.ogc` files: for one import, and for all imports of a file.

use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::{automaton, diagnostics, formats, imported_fates};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;

const SCHEMA: &str = r#"{"type": "object", "properties": {"at": {"format": "date"}, "items": {"uniqueItems": true}}}"#;
const GRAMMAR: &str = "root ::= \"a\"\n";
const BETWEEN: &str = "import S from \"s.json\"\ntype Whole = S\n";

/// Returns a workspace with the program as `main.ogc`.
fn workspace(db: &Compiler, program: &str) -> SourceFile {
    let options = Options::new(db, JsonPolicy::default(), Formats::default(), Limits::default());
    let schema = SCHEMA.replacen('{', "{\"title\": \"S\", ", 1);
    let texts = [
        ("main.ogc", program, Language::Ogc),
        ("between.ogc", BETWEEN, Language::Ogc),
        ("s.json", &schema, Language::JsonSchema),
        ("g.gbnf", GRAMMAR, Language::Gbnf),
    ];
    let files = texts.map(|(name, text, language)| {
        (name.to_owned(), SourceFile::new(db, name.to_owned(), text.to_owned(), language, options))
    });
    let main = files[0].1;
    Workspace::new(db, files.into());
    main
}

/// Returns the findings in a program, as place, code and message.
fn found(program: &str) -> Vec<String> {
    let db = Compiler::default();
    let main = workspace(&db, program);
    let all = diagnostics(&db, main);
    all.iter().map(|one| format!("{} {}: {}", one.span.text(program), one.code, one.message)).collect()
}

/// Returns the automaton of the first output.
fn output(db: &Compiler, main: SourceFile) -> Arc<Automaton> {
    let wrong: Vec<_> =
        diagnostics(db, main).iter().filter(|one| one.is_error()).map(|one| one.message.clone()).collect();
    let output = formats(db, main).into_iter().next().expect("an output");
    automaton(db, output).unwrap_or_else(|| panic!("{}: {wrong:?}", main.text(db)))
}

fn accepts(automaton: &Arc<Automaton>, text: &str) -> bool {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).expect("a vocabulary")));
    let mut matcher = Matcher::new(Arc::clone(automaton), store);
    matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
}

fn compiled(program: &str) -> Arc<Automaton> {
    let db = Compiler::default();
    let main = workspace(&db, program);
    output(&db, main)
}

const OPEN: &str = r#"{"more":1}"#;
const REPEATED: &str = r#"{"items":[1,1]}"#;
const DATE: &str = r#"{"at":"x"}"#;
const YEAR: &str = r#"{"at":"0000-01-01"}"#;

/// Each program, with the verdicts on four texts.
#[test]
fn the_innermost_policy_holds_for_an_import() {
    let out = "import S from \"s.json\"\noutput Out = S\n";
    let cases: [(String, [bool; 4]); 9] = [
        (out.to_owned(), [true, false, false, true]),
        (format!("@objects(\"closed\") {out}"), [false, false, false, true]),
        (format!("@annotate(\"uniqueItems\")\n{out}"), [true, true, false, true]),
        (format!("@formats(\"practical\") {out}"), [true, false, false, false]),
        (format!("@formats(\"annotate\")\n@objects(\"closed\")\n{out}"), [false, false, true, true]),
        (format!("policy objects = \"closed\", annotate = \"uniqueItems, minItems\"\n{out}"), [false, true, false, true]),
        (format!("policy objects = \"closed\"\n@objects(\"open\")\n{out}"), [true, false, false, true]),
        ("import \"s.json\" as s\npolicy formats = \"annotate\"\noutput Out = s.root\n".to_owned(), [true, false, true, true]),
        ("policy objects = \"closed\"\nimport S from \"s.json\"\nimport Whole from \"between.ogc\"\noutput Out = Whole\n".to_owned(), [true, false, false, true]),
    ];
    for (program, verdicts) in cases {
        let automaton = compiled(&program);
        let found = [OPEN, REPEATED, DATE, YEAR].map(|text| accepts(&automaton, text));
        assert_eq!(found, verdicts, "{program}");
    }
}

/// One format can read the same schema in two ways.
#[test]
fn two_imports_of_one_schema_can_have_different_policies() {
    let program = "import S from \"s.json\"\n@objects(\"closed\") import S as Closed from \"s.json\"\noutput Out = { a: S, b: Closed }\n";
    let automaton = compiled(program);
    assert!(accepts(&automaton, r#"{"a":{"more":1},"b":{}}"#));
    assert!(!accepts(&automaton, r#"{"a":{},"b":{"more":1}}"#));
}

#[test]
fn keywords_read_as_annotations_are_reported() {
    let program = "@annotate(\"uniqueItems\") import S from \"s.json\"\noutput Out = S\n";
    let message = "`uniqueItems` of `s.json` read as annotations, as was asked, at one place: values that break them are accepted";
    assert_eq!(found(program), [format!("@annotate(\"uniqueItems\") weakened-keyword: {message}")]);
    let program = "policy annotate = \"uniqueItems\"\nimport S from \"s.json\"\noutput Out = S\n";
    assert_eq!(found(program), [format!("\"s.json\" weakened-keyword: {message}")]);

    let db = Compiler::default();
    let main = workspace(&db, program);
    let fates = imported_fates(&db, main);
    let weakened = fates[0].1.iter().find(|fate| fate.pointer == "/properties/items/uniqueItems").expect("its fate");
    assert!(fates.len() == 1 && format!("{:?}", weakened.fate).starts_with("Warning"), "{weakened:?}");
}

#[test]
fn invalid_schema_policies_are_errors() {
    let of = |program: &str| {
        let codes: Vec<String> =
            found(program).iter().map(|one| one.split(": ").next().unwrap_or("").to_owned()).collect();
        codes.join("; ")
    };
    let tail = "import S from \"s.json\"\noutput Out = S\n";
    assert_eq!(of(&format!("@objects(\"shut\") {tail}")), "\"shut\" policy-value");
    assert_eq!(of(&format!("@objects {tail}")), "@objects policy-value");
    assert_eq!(of(&format!("@annotate(\"uniqueItem\") {tail}")), "\"uniqueItem\" policy-value");
    assert_eq!(of(&format!("policy annotate = \"$ref\"\n{tail}")), "\"$ref\" policy-value");
    assert_eq!(of(&format!("policy formats = wide\n{tail}")), "wide policy-value");
    assert_eq!(of(&format!("@formats(\"all\") @formats(\"wide\") {tail}")), "@formats(\"wide\") duplicate-policy");
    assert_eq!(of("policy objects = \"closed\"\noutput Out = { a: int }\n"), "objects = \"closed\" misplaced-policy");
    assert_eq!(of("output Out = json<{ a: int }, objects = \"closed\">\n"), "objects misplaced-policy");
    assert_eq!(of("@objects(\"closed\") output Out = { a: int }\n"), "@objects(\"closed\") misplaced-attribute");
    assert_eq!(
        of("@objects(\"closed\") import \"g.gbnf\" as g\noutput Out = g.root\n"),
        "@objects(\"closed\") misplaced-attribute"
    );
    assert_eq!(
        of("@objects(\"closed\") import Whole from \"between.ogc\"\noutput Out = Whole\n"),
        "@objects(\"closed\") misplaced-attribute"
    );
}

/// A list of tools is also read under the policies of its import.
#[test]
fn import_policies_apply_to_tool_arguments() {
    let tools = r#"[{"name": "now", "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}}}]"#;
    for (head, is_open) in [("", true), ("@objects(\"closed\") ", false)] {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let program =
            format!("{head}import tools from \"t.json\"\nimport \"std.tools\" as std\noutput Out = std.bare<tools>\n");
        let new = |name: &str, text: &str, language| {
            SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options)
        };
        let main = new("main.ogc", &program, Language::Ogc);
        let list = new("t.json", tools, Language::JsonSchema);
        Workspace::new(&db, [("main.ogc".to_owned(), main), ("t.json".to_owned(), list)].into());
        let automaton = output(&db, main);
        let call = |arguments: &str| format!(r#"{{"name":"now","arguments":{arguments}}}"#);
        assert!(accepts(&automaton, &call(r#"{"zone":"utc"}"#)));
        assert_eq!(accepts(&automaton, &call(r#"{"zone":"utc","more":1}"#)), is_open);
    }
}
