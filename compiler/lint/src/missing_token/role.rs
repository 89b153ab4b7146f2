//! The role of a control token, by its name: `<think>`, `<|im_start|>` and `<|tool_call>` begin something; `</think>`,
//! `<|im_end|>` and `<tool_call|>` end it. A suggested name has the same role.

use ogc_grammar::nearest;

/// The role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It begins a part.
    Begins,
    /// It ends a part.
    Ends,
    /// The name does not tell.
    Unknown,
}

/// Words in names of tokens that begin something, and of tokens that end something.
const BEGIN_WORDS: [&str; 5] = ["begin", "bos", "open", "soh", "start"];
const END_WORDS: [&str; 7] = ["close", "end", "eoh", "eom", "eos", "eot", "stop"];

/// Returns the name among `known` that is probably meant: one with the same role and the same words, else the most
/// similar spelling with a fitting role.
pub(super) fn meant<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let wanted = Role::of(name);
    let fits = |one: &&&str| wanted.is_served_by(Role::of(one));
    let (plural, singular) = (stem(name), singular(stem(name)));
    let same = known.iter().filter(fits).filter(|one| !plural.is_empty() && self::singular(stem(one)) == singular);
    let unlike = |one: &str| (Role::of(one) != wanted, Role::of(one) == Role::Ends, stem(one) != plural);
    let best = same.min_by_key(|one| unlike(one));
    best.copied().or_else(|| nearest(name, known.iter().filter(fits).copied()))
}

impl Role {
    fn of(name: &str) -> Role {
        let words = words(name);
        // `endoftext` counts as `end` too.
        let says = |word: &str, role: &str| {
            word.strip_prefix(role).is_some_and(|rest| rest.is_empty() || rest.starts_with("of"))
        };
        let has = |list: &[&str]| words.iter().any(|word| list.iter().any(|role| says(word, role)));
        let (bare, open, close) = (inner(name), name.starts_with(['<', '[']), name.ends_with(['>', ']']));
        let bars = (bare.starts_with(['|', '｜']), bare.ends_with(['|', '｜']));
        if has(&END_WORDS) || bare.trim_start_matches(['|', '｜']).starts_with('/') {
            return Role::Ends;
        }
        match bars {
            _ if has(&BEGIN_WORDS) => Role::Begins,
            (true, false) => Role::Begins,
            (false, true) => Role::Ends,
            (false, false) if open && close => Role::Begins,
            (true, true) | (false, false) => Role::Unknown,
        }
    }

    /// Returns whether a token of role `other` can be suggested. For an end, a token that may also begin something is
    /// never suggested.
    fn is_served_by(self, other: Role) -> bool {
        match self {
            Role::Begins => other != Role::Ends,
            Role::Ends => other == Role::Ends,
            Role::Unknown => true,
        }
    }
}

/// Returns the text inside of `<...>` or `[...]`.
fn inner(name: &str) -> &str {
    let rest = name.strip_prefix(['<', '[']).unwrap_or(name);
    rest.strip_suffix(['>', ']']).unwrap_or(rest)
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Returns the words of a name that do not tell its role.
fn stem(name: &str) -> Vec<String> {
    let is_role = |word: &String| BEGIN_WORDS.contains(&word.as_str()) || END_WORDS.contains(&word.as_str());
    words(name).into_iter().filter(|word| !is_role(word)).collect()
}

fn singular(words: Vec<String>) -> Vec<String> {
    let one = |word: String| word.strip_suffix('s').filter(|rest| !rest.is_empty()).map(str::to_owned).unwrap_or(word);
    words.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::{Role, meant};

    const GEMMA: [&str; 12] = [
        "<bos>",
        "<eos>",
        "<|tool>",
        "<tool|>",
        "<tool_call|>",
        "<|tool_call>",
        "<tool_response|>",
        "<|tool_response>",
        "<|think|>",
        "<channel|>",
        "<|channel>",
        "<|image|>",
    ];
    const QWEN: [&str; 6] = ["<|endoftext|>", "<|im_end|>", "<|im_start|>", "</tool_call>", "<tool_call>", "<think>"];
    const DEEPSEEK: [&str; 6] = [
        "<｜end▁of▁sentence｜>",
        "<｜begin▁of▁sentence｜>",
        "<｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁call▁end｜>",
        "<｜tool▁call▁begin｜>",
    ];
    const LLAMA: [&str; 5] =
        ["<|end_of_text|>", "<|begin_of_text|>", "<|end_header_id|>", "<|start_header_id|>", "<|eot_id|>"];
    const MISTRAL: [&str; 5] = ["</s>", "[INST]", "[/INST]", "[TOOL_CALLS]", "[/TOOL_RESULTS]"];

    #[test]
    fn the_role_of_a_token_is_read_from_its_name() {
        for name in ["<think>", "<|im_start|>", "<|tool_call>", "[INST]", "<bos>", "<｜tool▁call▁begin｜>", "<s>"]
        {
            assert_eq!(Role::of(name), Role::Begins, "{name}");
        }
        for name in
            ["</think>", "<|im_end|>", "<tool_call|>", "[/INST]", "<eos>", "<｜tool▁call▁end｜>", "<|eot_id|>", "</s>"]
        {
            assert_eq!(Role::of(name), Role::Ends, "{name}");
        }
        for name in ["<|think|>", "<|channel|>", "<|message|>", "word"] {
            assert_eq!(Role::of(name), Role::Unknown, "{name}");
        }
    }

    #[test]
    fn suggested_tokens_have_the_same_role() {
        for (known, name, expected) in [
            (&GEMMA[..], "<tool_call>", Some("<|tool_call>")),
            (&GEMMA, "</tool_call>", Some("<tool_call|>")),
            (&GEMMA, "<think>", Some("<|think|>")),
            (&GEMMA, "</think>", None),
            (&GEMMA, "<|channel|>", Some("<|channel>")),
            (&GEMMA, "<tool_response>", Some("<|tool_response>")),
            (&QWEN, "<|im_begin|>", Some("<|im_start|>")),
            (&QWEN, "<|imend|>", Some("<|im_end|>")),
            (&QWEN, "<|tool_call>", Some("<tool_call>")),
            (&QWEN, "<tool_call|>", Some("</tool_call>")),
            (&QWEN, "</think>", None),
            (&DEEPSEEK, "<tool_call>", Some("<｜tool▁call▁begin｜>")),
            (&DEEPSEEK, "</tool_call>", Some("<｜tool▁call▁end｜>")),
            (&LLAMA, "<|end_text|>", Some("<|end_of_text|>")),
            (&LLAMA, "<|begin_header_id|>", Some("<|start_header_id|>")),
            (&LLAMA, "<think>", None),
            (&MISTRAL, "<tool_call>", Some("[TOOL_CALLS]")),
            (&MISTRAL, "</inst>", Some("[/INST]")),
        ] {
            assert_eq!(meant(name, known), expected, "{name}");
        }
    }
}
