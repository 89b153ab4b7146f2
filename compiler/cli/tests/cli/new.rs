//! `ogc new`.

use super::Folder;

#[test]
fn new_writes_a_template_and_never_overwrites() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["new", "formats/order", "--template", "events"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = folder.read("formats/order.ogc");
    assert!(text.contains("output Events"), "{text}");
    let ran = folder.run(&["new", "formats/order.ogc"]);
    assert!(ran.code == 3 && ran.err.contains("file-exists"), "{ran:?}");
    assert_eq!(folder.read("formats/order.ogc"), text);
    assert_eq!(folder.run(&["fmt", "--check"]).code, 0);
}

#[test]
fn new_lists_templates_and_refuses_unknown_ones() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["new", "--list"]);
    assert!(ran.code == 0 && ran.out.contains("tools") && ran.out.contains("grammar"), "{ran:?}");
    assert!(folder.run(&["new", "--list", "--message-format", "json"]).objects("template").len() >= 5);
    assert_eq!(folder.run(&["new", "a.ogc", "--template", "none"]).code, 2);
    assert!(folder.run(&["new", "-"]).out.contains("output Answer = Person"));
}
