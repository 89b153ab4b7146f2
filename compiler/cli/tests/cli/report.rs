//! `ogc report`.

use super::Folder;

/// A grammar whose words look like markup.
const HOSTILE: &str =
    "root ::= \"<script>alert(1)</script>\" | \"\\\"><img src=x onerror=y>\" | root2\nroot2 ::= [<&>]{1,3}\n";

#[test]
fn a_report_page_is_self_contained_and_escapes_texts() {
    let folder = Folder::with(&[("a<b>&.gbnf", HOSTILE)]);
    let ran = folder.run(&["report", "a<b>&.gbnf", "-o", "page.html"]);
    assert!(ran.code == 0 && ran.out.contains("page.html"), "{ran:?}");
    let page = folder.read("page.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for outside in ["<script", "<img", "src=x onerror=y>", "http://", "https://", "<link", "@import", "url("] {
        assert!(!page.replace("src=x onerror=y&gt;", "").contains(outside), "{outside}");
    }
    for part in [
        "<svg",
        "<title>railroad diagram of the rule root2",
        "a&lt;b&gt;&amp;.gbnf",
        "The narrowest states",
        "&lt;script&gt;",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn every_part_of_a_schema_is_on_the_page() {
    let schema =
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false, "then": true}"#;
    let folder = Folder::with(&[("a.schema.json", schema)]);
    let ran = folder.run(&["report", "a.schema.json", "--samples", "2", "--message-format", "json"]);
    assert_eq!((ran.code, &ran.objects("report")[0]["path"]), (0, &"a.schema.json.html".into()), "{ran:?}");
    let page = folder.read("a.schema.json.html");
    for part in
        ["time for masks", "Where states and bytes go", "How many states allow", "idle-keyword", "integer", "o200k"]
    {
        assert!(page.contains(part), "{part}");
    }
    let opened = page.matches("<div").count() + page.matches("<section").count() + page.matches("<article").count();
    let closed = page.matches("</div").count() + page.matches("</section").count() + page.matches("</article").count();
    assert_eq!(opened, closed);
}

#[test]
fn a_broken_format_has_a_page_with_its_errors() {
    let folder = Folder::with(&[("a.gbnf", "root ::= undefined-rule\n")]);
    let ran = folder.run(&["report", "a.gbnf", "-o", "-"]);
    assert!(ran.code == 1 && ran.out.contains("undefined-rule") && !ran.out.contains("Sample outputs"), "{ran:?}");
}

#[test]
fn imported_types_are_drawn_and_linked() {
    let schema =
        r##"{"type": "object", "properties": {"size": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}"##;
    let source = "import root as S from \"one.json\"\nimport \"two.gbnf\" as g\n\
                  import Inner from \"three.ogc\"\noutput A = S | { s: S, i: Inner }\noutput B = g.word\n";
    let folder = Folder::with(&[
        ("a.ogc", source),
        ("one.json", schema),
        ("two.gbnf", "root ::= word\nword ::= [a-z]{2}\n"),
        ("three.ogc", "import root from \"one.json\"\ntype Inner = { r: root }\n"),
    ]);
    let ran = folder.run(&["report", "a.ogc", "-d", "A", "-o", "-"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for part in ["From one.json.", "From two.gbnf.", "From three.ogc.", "railroad diagram of the schema n", "rule word"]
    {
        assert!(ran.out.contains(part), "{part}");
    }
    let links = ran.out.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
    let drawn: Vec<&str> = links.filter(|link| link.contains("d-")).collect();
    assert!(drawn.iter().filter(|link| link.starts_with('f')).count() >= 4, "{drawn:?}");
    for link in drawn {
        assert_eq!(ran.out.matches(&format!("id=\"{link}\"")).count(), 1, "{link}");
    }
}

#[test]
fn a_page_has_the_findings_of_check_with_a_vocabulary() {
    let folder = Folder::with(&[(
        "a.ogc",
        "type T = { a: int, b: string }\noutput A = (T | { a: int, c?: bool })[0..]\nrule unused = \"x\"\n",
    )]);
    let checked = folder.run(&["check", "a.ogc", "--vocab", "o200k", "--message-format", "json"]);
    let found = checked.objects("diagnostic");
    assert!(!found.is_empty(), "{checked:?}");
    let page = folder.run(&["report", "a.ogc", "-o", "-"]).out;
    for code in found.iter().filter_map(|found| found["code"].as_str()) {
        assert!(page.contains(&format!(">{code}<")), "{code}");
    }
}
