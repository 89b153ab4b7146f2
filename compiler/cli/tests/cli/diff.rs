//! `ogc diff`.

use std::process::Command;

use serde_json::{Value, json};

use super::Folder;

/// Runs `ogc diff` with JSON output; returns its exit code and the differences.
fn differences(folder: &Folder, arguments: &[&str]) -> (i32, Vec<Value>) {
    let ran = folder.run(&[&["diff", "--message-format", "json"], arguments].concat());
    (ran.code, ran.objects("difference"))
}

#[test]
fn diff_names_the_relation_and_the_shortest_differing_texts() {
    let folder = Folder::with(&[
        ("a.ogc", "output O = \"a\" | \"b\"\n"),
        ("same.gbnf", "root ::= [ab]\n"),
        ("wider.ogc", "output P = \"a\" | \"b\" | \"cc\"\n"),
        ("other.ogc", "output O = \"b\" | \"c\"\n"),
    ]);
    // The second file, whether it keeps all texts, whether it adds texts, the refused and the accepted text, and the
    // matching values of `--expect`.
    let cases: [(_, _, _, _, _, &[&str]); 4] = [
        ("same.gbnf", true, false, None, None, &["same", "wider", "narrower"]),
        ("wider.ogc", true, true, None, Some("cc"), &["wider"]),
        ("other.ogc", false, true, Some("a"), Some("c"), &[]),
        ("a.ogc", true, false, None, None, &["same", "wider", "narrower"]),
    ];
    for (new, keeps, adds, refused, accepted, fits) in cases {
        for expect in ["same", "wider", "narrower"] {
            let (code, found) = differences(&folder, &["a.ogc", new, "--expect", expect]);
            let [one] = &found[..] else { panic!("{found:?}") };
            let told = (&one["keeps"], &one["adds"], &one["refused_now"], &one["accepted_now"]);
            assert_eq!(told, (&json!(keeps), &json!(adds), &json!(refused), &json!(accepted)), "{new}");
            assert_eq!(one["reason"].is_string(), refused.is_some(), "{new}");
            let fits = fits.contains(&expect);
            assert_eq!((code, &one["expected"]), (i32::from(!fits), &json!(fits)), "{new} {expect}");
        }
    }
    let (code, found) = differences(&folder, &["wider.ogc", "a.ogc", "--expect", "narrower"]);
    assert_eq!((code, &found[0]["refused_now"]), (0, &json!("cc")));
}

#[test]
fn diff_says_which_text_is_refused_and_why() {
    let schema = |required: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"id": {{"type": "integer"}}, "name": {{"type": "string"}}}},
                "required": [{required}], "additionalProperties": false}}"#
        )
    };
    let folder =
        Folder::with(&[("old.json", &schema("\"id\"")), ("new.json", &schema("\"id\", \"name\"")), ("bad.json", "{]")]);
    let ran = folder.run(&["diff", "old.json", "new.json", "--space", "compact"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    for line in
        ["refused now:  {\"id\":0}", "`name`", "nothing more is accepted", "1 format compared, 1 with differences"]
    {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
    let ran = folder.run(&["diff", "new.json", "old.json", "--expect", "wider"]);
    assert!(ran.code == 0 && ran.out.contains("each old text is still accepted"), "{ran:?}");
    let ran = folder.run(&["diff", "old.json", "bad.json"]);
    assert!(ran.code == 1 && ran.err.contains("bad.json") && ran.out.is_empty(), "{ran:?}");
}

#[test]
fn outputs_are_compared_by_name() {
    let folder = Folder::with(&[
        ("old.ogc", "output A = int<0..1>\noutput B = \"b\"\n"),
        ("new.ogc", "output B = \"b\" | \"bb\"\noutput C = \"c\"\n"),
    ]);
    let (code, found) = differences(&folder, &["old.ogc", "new.ogc"]);
    let told: Vec<_> =
        found.iter().map(|one| (&one["output"], &one["versions"], &one["keeps"], &one["adds"])).collect();
    let (yes, no) = (&json!(true), &json!(false));
    let expected = [
        (&json!("A"), &json!("old"), no, no),
        (&json!("B"), &json!("both"), yes, yes),
        (&json!("C"), &json!("new"), yes, yes),
    ];
    assert_eq!((code, &told[..]), (1, &expected[..]));
    let (code, found) = differences(&folder, &["old.ogc", "new.ogc", "-d", "C", "--old-definition", "A"]);
    assert_eq!((code, &found[0]["refused_now"], &found[0]["accepted_now"]), (1, &json!("0"), &json!("c")));
}

#[test]
fn an_undecided_comparison_is_not_success() {
    let schema = |most| {
        format!(r#"{{"type": "array", "items": {{"type": "string"}}, "uniqueItems": true, "maxItems": {most}}}"#)
    };
    let folder = Folder::with(&[("set.json", &schema(4)), ("more.json", &schema(5))]);
    assert_eq!(differences(&folder, &["set.json", "set.json"]).0, 0);
    let ran = folder.run(&["diff", "more.json", "set.json"]);
    assert!(ran.code == 1 && ran.out.contains("not known") && ran.out.contains("`uniqueItems`"), "{ran:?}");
    let (code, found) = differences(&folder, &["set.json", "more.json", "--expect", "wider"]);
    assert_eq!((code, &found[0]["keeps"], &found[0]["adds"]), (1, &Value::Null, &Value::Null));
}

#[test]
fn a_git_revision_is_compared_with_the_imports_of_that_revision() {
    let folder = Folder::with(&[
        ("formats/main.ogc", "import Size from \"../lib.ogc\"\noutput O = { size: Size }\n"),
        ("lib.ogc", "type Size = int<0..9>\n"),
    ]);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]);
        let ran = command.args(arguments).current_dir(folder.place.path()).output().expect("git");
        assert!(ran.status.success(), "{ran:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    folder.write("lib.ogc", "type Size = int<0..12>\n");
    for file in ["formats/main.ogc", "./formats/main.ogc"] {
        let (code, found) = differences(&folder, &["--since", "HEAD", file, "--expect", "wider"]);
        assert_eq!((code, &found[0]["keeps"], &found[0]["adds"]), (0, &json!(true), &json!(true)), "{found:?}");
    }
    git(&["commit", "-q", "-a", "-m", "two"]);
    assert_eq!(differences(&folder, &["--since", "HEAD", "formats/main.ogc"]).0, 0);
    assert_eq!(differences(&folder, &["--since", "HEAD~1", "formats/main.ogc"]).0, 1);
    folder.write("lib.ogc", "type Size = Nothing\n");
    git(&["commit", "-q", "-a", "-m", "three"]);
    folder.write("lib.ogc", "type Size = int<0..12>\n");
    let ran = folder.run(&["diff", "--since", "HEAD", "formats/main.ogc"]);
    assert!(
        ran.code == 1 && ran.err.contains("Nothing") && ran.err.contains("HEAD:formats/main.ogc has errors"),
        "{ran:?}"
    );
    folder.write("fresh.ogc", "output O = int\n");
    for (revision, file, why) in [
        ("HEAD", "fresh.ogc", "no such file"),
        ("nowhere", "fresh.ogc", "git: "),
        ("--help", "fresh.ogc", "git: "),
        ("HEAD", "absent/x.ogc", "git: "),
    ] {
        let ran = folder.run(&["diff", "--since", revision, file]);
        let ran =
            if revision.starts_with('-') { folder.run(&["diff", &format!("--since={revision}"), file]) } else { ran };
        assert!(ran.code == 3 && ran.err.contains(why) && ran.err.contains(file), "{ran:?}");
    }
}

#[test]
fn diff_takes_two_files_or_one_file_and_a_revision() {
    let folder = Folder::with(&[("a.regex", "a"), ("b.regex", "b")]);
    for (arguments, why) in [
        (&["diff", "a.regex"][..], "--since"),
        (&["diff", "a.regex", "b.regex", "--since", "HEAD"], "only the new file"),
        (&["diff", "-", "-"], "only once"),
        (&["diff", "-", "--since", "HEAD"], "no revisions"),
        (&["diff"], "OLD"),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.code == 2 && ran.err.contains(why), "{arguments:?} {ran:?}");
    }
    let ran = folder.run_with(&["diff", "--language", "regex", "-", "a.regex"], "a");
    assert_eq!(ran.code, 0, "{ran:?}");
}
