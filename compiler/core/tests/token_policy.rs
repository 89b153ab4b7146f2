//! The policy `tokens` of an output or a file reaches the automaton and the artifact.

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::{Format, automaton, bare_artifact, diagnostics, machine};
use ogc_runtime::artifact::Artifact;
use ogc_runtime::automaton::TokenPolicy;
use salsa::Setter;

/// The imported files. They do not set the policy, except one that sets it for its own outputs.
const BESIDE: [(&str, Language, &str); 4] = [
    ("a/a.schema.json", Language::JsonSchema, r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#),
    ("a/b.gbnf", Language::Gbnf, "root ::= \"yes\" | \"no\"\n"),
    ("a/c.lark", Language::Lark, "start: \"yes\" | \"no\"\n"),
    ("a/d.ogc", Language::Ogc, "policy tokens = \"canonical\"\noutput Any = int\n"),
];

/// Outputs of values, of texts, and of imported definitions.
const OUTPUTS: &str = r#"
import root as a from "a.schema.json"
import root as b from "b.gbnf"
import start as c from "c.lark"
import Any from "d.ogc"
output Value = { kind: "a" | "b" }
output Whole = json<{ kind: "a" }>
output Text = "- " json<int> "\n"
output Schema = a
output Gbnf = b
output Lark = c
output Ogc = Any
"#;

const NAMES: [&str; 7] = ["Value", "Whole", "Text", "Schema", "Gbnf", "Lark", "Ogc"];

fn program(text: &str) -> (Compiler, SourceFile) {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file =
        |name: &str, text: &str, language| SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options);
    let main = file("a/main.ogc", text, Language::Ogc);
    let beside = BESIDE.map(|(name, language, text)| (name.to_owned(), file(name, text, language)));
    Workspace::new(&db, beside.into_iter().chain([("a/main.ogc".to_owned(), main)]).collect());
    (db, main)
}

/// Returns the policy of an output, which must be equal in its automaton and its artifact.
fn policy_of(db: &Compiler, main: SourceFile, name: &str) -> Option<TokenPolicy> {
    let found: Vec<String> = diagnostics(db, main).iter().map(|one| one.message.clone()).collect();
    let automaton = automaton(db, Format::named(main, name)).unwrap_or_else(|| panic!("{name}: {found:?}"));
    let bytes = bare_artifact(db, Format::named(main, name)).expect("an artifact");
    let loaded = Artifact::load(bytes.to_vec()).expect("an artifact");
    assert_eq!(loaded.format().automaton.token_policy, automaton.token_policy);
    automaton.token_policy
}

#[test]
fn outputs_have_their_own_token_policy_or_that_of_the_file() {
    let given = [
        ("", None),
        ("policy tokens = \"any\"\n", Some(TokenPolicy::Any)),
        ("policy tokens = \"canonical\"\n", Some(TokenPolicy::Canonical)),
    ];
    for (policy, expected) in given {
        let (db, main) = program(&format!("{policy}{OUTPUTS}"));
        for name in NAMES {
            assert_eq!(policy_of(&db, main, name), expected, "{policy}{name}");
        }
    }
    let own = OUTPUTS.replace("output", "@tokens(\"any\")\noutput");
    let (db, main) = program(&format!("policy tokens = \"canonical\"\n{own}"));
    for name in NAMES {
        assert_eq!(policy_of(&db, main, name), Some(TokenPolicy::Any), "{name}");
    }
}

/// Files of rules cannot set this policy.
#[test]
fn files_of_other_languages_have_no_token_policy() {
    let (db, _) = program("output A = int");
    for (name, language, text) in &BESIDE[..3] {
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(&db, (*name).to_owned(), (*text).to_owned(), *language, options);
        assert_eq!(automaton(&db, Format::from(file)).expect(name).token_policy, None);
    }
}

#[test]
fn the_machine_does_not_depend_on_the_token_policy() {
    let (mut db, main) = program("output A = { a: int }");
    let before = machine(&db, Format::named(main, "A")).expect("an automaton");
    main.set_text(&mut db).to("@tokens(\"any\") output A = { a: int }".to_owned());
    assert!(machine(&db, Format::named(main, "A")).as_ref() == Some(&before));
    assert_eq!(policy_of(&db, main, "A"), Some(TokenPolicy::Any));
}
