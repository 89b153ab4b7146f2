//! Completes items of a file, and the words of imports and tests.

use super::item::{CompletionKind, Items, Rank};
use crate::walk::Walk;

/// The words that start items, each with a description.
const WORDS: [(&str, &str); 6] = [
    ("type", "a set of JSON values"),
    ("rule", "a set of texts"),
    ("output", "a set of texts that can be compiled"),
    ("import", "names of another file"),
    ("test", "examples of what a definition accepts and rejects"),
    ("policy", "policies of the outputs of this file"),
];

/// Snippets of items: label, filter, snippet, and a description.
const SNIPPETS: [(&str, &str, &str, &str); 8] = [
    ("type … = { … }", "type", "type ${1:Name} = {\n  ${2:name}: ${3:string},\n\\}$0", "a record"),
    (
        "type … = | … | …",
        "type",
        "@discriminator(\"${1:kind}\")\ntype ${2:Name} =\n  | { ${1:kind}: \"${3:a}\", $4 \\}\n  | { ${1:kind}: \"${5:b}\", $6 \\}$0",
        "a union of records, told apart by one key",
    ),
    ("rule … = …", "rule", "rule ${1:name} = ${0:\"text\"}", "a text"),
    ("output … = …", "output", "output ${1:Name} = $0", "what is compiled"),
    ("import … from …", "import", "import ${2:Name} from \"${1:file}\"$0", "names of another file"),
    ("import … as …", "import", "import \"${1:file}\" as ${2:name}$0", "all names of another file"),
    ("test … { … }", "test", "test ${1:Name} {\n  accept $2\n  reject $3\n\\}$0", "accepted and rejected texts"),
    ("policy space = …", "policy", "policy space = \"${1|compact,spaced,pretty,any|}\"$0", "the white space of values"),
];

/// Adds the items that can start at the cursor.
pub(super) fn items(walk: &Walk<'_>, items: &mut Items) {
    for (word, doc) in WORDS {
        items.add(CompletionKind::Keyword, Rank::First, word, None).writes(format!("{word} ")).says(doc);
    }
    // A snippet has several lines, so it needs an empty line.
    let alone = walk.indent().is_some();
    for (label, filter, snippet, doc) in SNIPPETS.into_iter().filter(|_| alone) {
        let item = items.add(CompletionKind::Snippet, Rank::Snippet, label, None);
        item.filter = Some(filter.to_owned());
        item.writes_snippet(snippet).says(doc);
    }
}

/// Adds keywords in the given order, each with the text that usually follows it.
pub(super) fn words(words: &[&str], items: &mut Items) {
    for (at, word) in words.iter().enumerate() {
        let item = items.add(CompletionKind::Keyword, Rank::First, *word, None);
        item.at(at);
        match *word {
            "with" => item.writes_snippet("with { $1 \\}"),
            "because" => item.writes_snippet("because \"$1\""),
            word => item.writes(format!("{word} ")),
        };
    }
}
