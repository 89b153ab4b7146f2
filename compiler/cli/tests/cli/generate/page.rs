//! `ogc generate --html`: the page is complete and self-contained, and no text of a format, a prompt or a model becomes
//! markup in it.

use crate::cli::Folder;

/// A text that looks like markup.
const HOSTILE: &str = "</script><img src=x onerror=\"alert(1)\"> {{answers}} \u{202e}&amp;'\u{1b}";

fn folder() -> Folder {
    let format = "output Out = \"</script><img src=x onerror='alert(1)'>\\n\" name: /[<>&\" \\t]{4}/ \" \" json<{ a: string<1..4> }>\n";
    let folder = Folder::with(&[("a<b>.ogc", format), ("b.regex", "[ab]{4}")]);
    std::fs::write(folder.path("tiny.gguf"), ogc_kit::model::gguf()).expect("a file");
    folder
}

/// Checks that tags are balanced; returns how often each was opened.
fn balanced(page: &str) -> std::collections::BTreeMap<String, usize> {
    let (mut open, mut count) = (Vec::new(), std::collections::BTreeMap::new());
    for tag in page.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a `<` begins a tag");
        let name = tag.split_whitespace().next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop().as_deref(), Some(closed), "{tag}"),
            None if matches!(name, "!DOCTYPE" | "meta") => {}
            None => {
                assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
                *count.entry(name.to_owned()).or_insert(0) += 1;
                open.push(name.to_owned());
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    count
}

fn check(page: &str) {
    let tags = balanced(page);
    for forbidden in ["script", "img", "link", "iframe", "object", "base"] {
        assert!(!tags.contains_key(forbidden), "{forbidden}");
    }
    for outside in ["http:", "https:", "@import", "url(", "{{", "\u{202e}", "\u{1b}"] {
        assert!(!page.replace("{{answers}} ", "").contains(outside), "{outside:?}");
    }
    assert!(page.contains("default-src 'none'"), "scripts are forbidden");
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for to in page.split("href=\"#").skip(1).chain(page.split("aria-describedby=\"").skip(1)) {
        let to = to.split('"').next().unwrap_or_default();
        assert_eq!(ids.iter().filter(|id| **id == to).count(), 1, "{to}");
    }
}

#[test]
fn texts_are_escaped_in_the_html_page() {
    let folder = folder();
    let flags = ["generate", "a<b>.ogc", "--model", "tiny.gguf", "--prompt", HOSTILE, "--system", HOSTILE];
    let ran = folder.run(&[&flags[..], &["--temperature", "1", "--html", "page.html"]].concat());
    assert!(ran.code == 0 && ran.err.contains("the page is in page.html"), "{ran:?}");
    assert_eq!(folder.run(&[&flags[..], &["--temperature", "1"]].concat()).out, ran.out, "the page changes nothing");
    let page = folder.read("page.html");
    check(&page);
    for part in ["a&lt;b&gt;.ogc", "System message", "capture-ends", "first choices refused", "no other token may come"]
    {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn all_texts_of_a_request_file_share_a_page() {
    let folder = folder();
    let requests = [
        r#"{"prompt": "one", "temperature": 1.2, "seed": 4}"#,
        r#"{"prompt": "two", "format": "b.regex", "max_tokens": 1}"#,
        r#"{"prompt": "three </section>", "format": "b.regex"}"#,
    ];
    std::fs::write(folder.path("all.jsonl"), requests.join("\n")).expect("a file");
    let flags = ["generate", "a<b>.ogc", "--model", "tiny.gguf", "--requests", "all.jsonl", "--html", "page.html"];
    let ran = folder.run(&[&flags[..], &["--message-format", "json"]].concat());
    assert_eq!(ran.code, 1, "one text does not fit: {ran:?}");
    assert_eq!(ran.objects("report")[0]["path"], "page.html");
    let page = folder.read("page.html");
    check(&page);
    assert!(page.matches("<section").count() == 2 && page.contains("Text 2: b.regex"), "two texts were written");
}

#[test]
fn an_unwritable_page_is_reported() {
    let folder = folder();
    let flags = ["generate", "b.regex", "--model", "tiny.gguf", "--prompt", "x", "--html", "tiny.gguf/page.html"];
    let ran = folder.run(&flags);
    assert!(ran.code == 3 && ran.err.contains("file-unwritable"), "{ran:?}");
}
