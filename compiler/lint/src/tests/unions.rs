//! Lints about branches and recursion.

use super::{Checked, check};
use ogc_grammar::Code;

#[test]
fn branches_with_a_long_common_prefix_are_found() {
    let event = |own: &str| format!("{{ id: string, created: string, actor: string, {own} }}");
    let text = format!("type E = {} | {}\noutput Out = E\n", event("opened: int"), event("closed: date"));
    let checked = Checked::ogc(&text);
    let found: Vec<_> = checked.all(None).into_iter().filter(|found| found.code == Code::OverlappingUnion).collect();
    let [found] = found.as_slice() else { panic!("{found:?}") };
    let shortest = "{\"id\":\"\",\"created\":\"\",\"actor\":\"\",\"";
    assert!(
        found.message.ends_with(&format!("before byte {}, after {shortest}", shortest.len() + 1)),
        "{}",
        found.message
    );
    assert!(found.message.starts_with("2 branches"), "{}", found.message);
    let branches: Vec<&str> = found.labels.iter().map(|(span, _)| span.text(&text)).collect();
    assert_eq!(branches, [event("opened: int"), event("closed: date")]);
}

#[test]
fn branches_told_apart_by_their_first_key_are_not_reported() {
    let event = |kind: &str| format!("{{ kind: \"{kind}\", id: string, created: string, {kind}: string }}");
    let text = format!("type E = {} | {}\noutput Out = E\n", event("opened"), event("closed"));
    check(&text, Code::OverlappingUnion, &[]);
    let key = "a_rather_long_name_of_a_discriminating_key";
    check(
        &format!("output Out = {{ {key}: \"a\", b: int }} | {{ {key}: \"b\", c: int }}\n"),
        Code::OverlappingUnion,
        &[],
    );
}

#[test]
fn four_branches_with_one_common_member_are_found_and_three_are_not() {
    let branch = |at: u32| format!("{{ n: string, k{at}: string }}");
    let union = |count: u32| (0..count).map(branch).collect::<Vec<_>>().join(" | ");
    assert_eq!(Checked::ogc(&format!("output Out = {}\n", union(4))).found(Code::OverlappingUnion).len(), 1);
    check(&format!("output Out = {}\n", union(3)), Code::OverlappingUnion, &[]);
}

#[test]
fn branches_without_values_are_found_and_removed() {
    let text = "type A = string | (int & \"a\") | { a: int }\noutput Out = { a: A }\n";
    let checked = Checked::ogc(text);
    assert_eq!(checked.found(Code::EmptyBranch), ["int & \"a\": no value satisfies this branch"]);
    assert_eq!(checked.fixed(), "type A = string | { a: int }\noutput Out = { a: A }\n");
    check("type A = string | (int & 5) | { a: int }\noutput Out = { a: A }\n", Code::EmptyBranch, &[]);
}

#[test]
fn optional_members_and_items_without_values_are_found() {
    let text = r#"{"properties": {"a": {"type": "object", "enum": ["x"]}, "b": false, "c": {"items": {"type": "string", "const": 1}}}}"#;
    let found = Checked::schema(text).found(Code::EmptyBranch);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("optional member") && found[1].contains("always empty"), "{found:?}");
}

#[test]
fn recursive_types_without_depth_are_found() {
    let tree = "type Tree = { value: int, children: Tree[0..4] }\n";
    let checked = Checked::ogc(&format!("{tree}output Out = Tree\n"));
    let states = checked.states("object") + checked.states("array");
    let found = checked.found(Code::UnboundedRecursion);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with(&format!("Tree: `Tree` may hold itself to any depth: {states} states ")), "{found:?}");
    check(&format!("{tree}output Out = json<Tree, depth = 6>\n"), Code::UnboundedRecursion, &[]);
    check(&format!("@depth(6)\n{tree}output Out = Tree\n"), Code::UnboundedRecursion, &[]);
    check("type Any = { value: any }\noutput Out = Any\n", Code::UnboundedRecursion, &[]);
}

#[test]
fn recursive_schemas_are_found_at_the_recursive_node() {
    let tree = r##"{"type": "array", "items": {"$ref": "#/$defs/t"}}"##;
    let found = |root: &str| {
        Checked::schema(&format!(r##"{{"$defs": {{"t": {tree}}}, {root}}}"##)).found(Code::UnboundedRecursion)
    };
    let [one] = found(r##""$ref": "#/$defs/t""##).try_into().expect("one finding");
    assert!(one.starts_with(&format!("{tree}: this may hold itself to any depth: ")), "{one}");
    assert_eq!(found(r#""type": "array", "items": {}"#), [""; 0]);
    assert_eq!(found(r#""type": "array", "items": {"type": "array"}"#), [""; 0]);
}

#[test]
fn alternatives_that_free_text_swallows_are_found() {
    let call = "rule call = \"CALL \" json<{ a: int }>\nrule calls = call[1..3] \"END\"\n";
    let message = "this free text may begin with \"CALL \" too, so that the other alternative enforces nothing";
    let found = |text: &str, place: &str| {
        let expected = [format!("{place}: {message}")];
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&format!("{call}{text}"), Code::SwallowedAlternative, &expected);
    };
    found("output Out = text | calls\n", "text");
    found("rule answer = text<max_tokens = 9>\noutput Out = \"x\"? (answer | calls)\n", "text<max_tokens = 9>");
    let silent = |text: &str| check(&format!("{call}{text}"), Code::SwallowedAlternative, &[]);
    silent("output Out = text<without = \"CALL \"> | calls\n");
    silent("output Out = text | tok\"<call>\" call\n");
    silent("output Out = \"say \" text | calls\n");
    silent("output Out = mix<text, call>\n");
}

#[test]
fn a_one_of_branch_contained_in_another_is_found() {
    let found = |text: &str| Checked::schema(text).found(Code::ContainedBranch).len();
    assert_eq!(found(r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#), 1);
    assert_eq!(found(r#"{"oneOf": [{"type": "string"}, {"type": "string", "minLength": 1}]}"#), 1);
    assert_eq!(found(r#"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#), 0);
    assert_eq!(found(r#"{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#), 0);
    assert_eq!(found(r#"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"#), 0);
    // Open objects: an object of one branch is valid in the other too.
    let objects = |one: &str, two: &str| {
        found(&format!(r#"{{"oneOf": [{{"type": "object", {one}}}, {{"type": "object", {two}}}]}}"#))
    };
    let (a, b) = (r#""properties": {"a": {"type": "string"}}"#, r#""properties": {"b": {"type": "string"}}"#);
    assert_eq!(objects(a, b), 1);
    assert_eq!(objects(a, &format!(r#"{b}, "required": ["b"]"#)), 1);
    assert_eq!(objects(&format!(r#"{a}, "required": ["a"]"#), &format!(r#"{b}, "required": ["b"]"#)), 0);
    let kind = |kind: &str| format!(r#""properties": {{"kind": {{"const": "{kind}"}}}}, "required": ["kind"]"#);
    assert_eq!(objects(&kind("a"), &kind("b")), 0);
}

/// Each `oneOf`, and the value named by its single finding.
#[test]
fn a_value_shared_by_two_one_of_branches_is_found() {
    let arm = |keys: &str| format!(r#"{{"type": "object", "properties": {{{keys}}}}}"#);
    let (a, b) = (r#""a": {"type": "string"}"#, r#""b": {"type": "string"}"#);
    let kinds = |more: &str| {
        format!(
            r#"{}, {}"#,
            arm(&format!(r#""kind": {{"const": "a"}}, {a}"#)),
            arm(&format!(r#""kind": {{"const": "b"}}, {b}"#))
        )
        .replace(r#""object","#, &format!(r#""object", {more}"#))
    };
    let closed = |keys: &str, more: &str| {
        format!(r#"{{"type": "object", "properties": {{{keys}}}, {more} "additionalProperties": false}}"#)
    };
    for (arms, expected) in [
        (r#"{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "number"}}"#.to_owned(), Some("[]")),
        (r#"{"type": "string", "pattern": "^a"}, {"type": "string", "maxLength": 3}"#.to_owned(), Some("\"a\"")),
        (r#"{"type": "integer", "minimum": 0}, {"type": "number", "maximum": 5}"#.to_owned(), Some("0")),
        (r#"{"type": "integer", "multipleOf": 6}, {"type": "integer", "multipleOf": 10, "minimum": 1}"#.to_owned(), Some("30")),
        (r#"{"type": ["string", "null"], "maxLength": 2}, {"type": ["integer", "null"]}"#.to_owned(), Some("null")),
        (r#"{"enum": ["x", "y"]}, {"enum": ["y", "z"]}"#.to_owned(), Some("\"y\"")),
        (kinds(""), Some("{}")),
        (kinds(r#""required": ["kind"],"#), None),
        (format!("{}, {}", closed(&format!("{a}, {b}"), ""), closed(&format!(r#"{a}, "c": {{}}"#), "")), Some("{}")),
        (
            format!("{}, {}", closed(&format!("{a}, {b}"), r#""required": ["a"],"#), closed(&format!(r#"{a}, "c": {{}}"#), r#""required": ["a"],"#)),
            Some("{\"a\":\"\"}"),
        ),
        (format!("{}, {}", closed(a, r#""required": ["a"],"#), closed(b, r#""required": ["b"],"#)), None),
        // Keys that exclude each other, in branches that are only for objects.
        (r#"{"required": ["a"]}, {"required": ["b"]}"#.to_owned(), None),
        (format!(r#"{}, {}"#, closed(&format!("{a}, {b}"), r#""required": ["a"],"#), closed(&format!("{a}, {b}"), r#""required": ["b"],"#)), None),
        (r#"{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"a": {"type": "number"}}, "required": ["a"]}"#.to_owned(), None),
        (r#"{"type": "string"}, {"type": "array", "items": {"type": "string"}}"#.to_owned(), None),
        (r#"{"type": "array", "minItems": 1, "items": {"type": "string"}}, {"type": "array", "items": {"type": "number"}}"#.to_owned(), None),
        // One branch contains the other, which another lint reports.
        (r#"{"type": "string", "maxLength": 3}, {"type": "string"}"#.to_owned(), None),
    ] {
        let found = Checked::schema(&format!(r#"{{"oneOf": [{arms}]}}"#)).found(Code::SharedValue);
        match expected {
            Some(value) => {
                let [one] = &found[..] else { panic!("{arms}: {found:?}") };
                assert!(one.contains(&format!("branches 1 and 2 of `oneOf` both take `{value}`, so it is refused")), "{arms}: {one}");
            }
            None => assert_eq!(found, [""; 0], "{arms}"),
        }
    }
}

#[test]
fn keywords_beside_one_of_narrow_the_shared_values() {
    let found = |text: &str| Checked::schema(text).found(Code::SharedValue);
    let arrays = r#""oneOf": [{"items": {"type": "string"}}, {"items": {"type": "number"}}]"#;
    assert_eq!(found(&format!(r#"{{"type": "array", "minItems": 1, {arrays}}}"#)), [""; 0]);
    let [one] = found(&format!(r#"{{"type": "array", {arrays}}}"#)).try_into().expect("one finding");
    assert!(one.contains("`[]`"), "{one}");
    // Two overlapping pairs of three branches make one finding, at the `oneOf`.
    let three = r#"{"oneOf": [{"enum": [1, 2]}, {"enum": [2, 3]}, {"enum": [3, 4]}]}"#;
    let [one] = found(three).try_into().expect("one finding");
    assert!(one.contains("branches 1 and 2") && one.ends_with("another pair of branches shares values too"), "{one}");
}

#[test]
fn branches_excluded_by_sibling_keywords_are_found() {
    let found = |text: &str| Checked::schema(text).found(Code::EmptyBranch);
    assert_eq!(found(r#"{"type": "string", "anyOf": [{"type": "null"}, {"minLength": 1}]}"#).len(), 1);
    assert_eq!(found(r#"{"type": ["string", "null"], "anyOf": [{"type": "null"}, {"minLength": 1}]}"#), [""; 0]);
    let closed = |keys: &str| {
        format!(
            r#"{{"type": "object", "properties": {{{keys}}}, "additionalProperties": false,
                "oneOf": [{{"required": ["a"]}}, {{"required": ["b"]}}]}}"#
        )
    };
    assert_eq!(found(&closed(r#""a": {}, "b": {}"#)), [""; 0]);
    assert_eq!(found(&closed(r#""a": {}"#)).len(), 1);
}

#[test]
fn differences_that_take_nothing_away_are_found() {
    let said = "nothing is taken away: no value is on both sides of `-`";
    let user = "type User = { id: int, password: string }\n";
    for (text, place) in [
        (format!("{user}type Public = User - \"password\"\noutput Out = Public\n"), "User - \"password\""),
        (format!("{user}output Out = {{ user: User - \"password\" }}\n"), "User - \"password\""),
        ("output Out = { kind: (\"a\" | \"b\") - \"c\" }\n".to_owned(), "(\"a\" | \"b\") - \"c\""),
        ("output Out = { n: int<0..9> - int<20..30> }\n".to_owned(), "int<0..9> - int<20..30>"),
        (
            format!("{user}output Out = User - {{ id: string, password: string }}\n"),
            "User - { id: string, password: string }",
        ),
    ] {
        check(&text, Code::IdleOperation, &[&format!("{place}: {said}")]);
    }
}

#[test]
fn differences_that_take_something_away_are_silent() {
    for text in [
        "output Out = { kind: (\"a\" | \"b\") - \"b\" }\n",
        "output Out = { n: int<0..9> - 3 }\n",
        "output Out = any - null\n",
        "output Out = { a: (string | null) - null }\n",
        // With other arguments, the same difference subtracts something.
        "type Strict<T> = T - null\noutput Out = { a: Strict<int>, b: Strict<int | null> }\n",
        "type Strict<T> = T - null\noutput Out = { a: Strict<int> }\n",
    ] {
        check(text, Code::IdleOperation, &[]);
    }
}
