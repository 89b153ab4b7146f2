//! Exports rule trees of GBNF, EBNF and ABNF as rules.

use super::build::{argument, expr, name, number, setting, text, with, word};
use super::names::{Taken, is_legal};
use super::output;
use ogc_grammar::ogc::ast::{
    Alternative, Bound, BoundKind, Definition, Expr, ExprKind, File, Item, ItemKind, Range, Repetition,
};
use ogc_grammar::rules::{Expr as Tree, ExprKind as TreeKind, Grammar, TextLength, TokenSet, VocabularyToken};
use ogc_grammar::{Code, Diagnostic, Span};
use rustc_hash::FxHashMap;

/// Builds the rules of a grammar, and an output for the rule with which a text begins: `root`, or the first one.
///
/// In names that are illegal in ogc, underscores replace illegal characters; a number keeps names unique. Duplicate
/// rules and undefined names are kept: reporting them is not the task of the printer.
///
/// ```
/// use ogc_export::ogc::rules;
/// let (tree, _) = ogc_grammar::parse_gbnf(r#"root ::= "a" sub-rule*
/// sub-rule ::= [^\]x-z] | "text"{2,3}"#);
/// let (file, findings) = rules(&tree, Some("root"));
/// assert!(findings.is_empty());
/// assert_eq!(
///     ogc_grammar::ogc::print(&file),
///     "rule root = \"a\" sub_rule*\nrule sub_rule = /[^\\]x-z]/ | \"text\"[2..3]\noutput Output = root\n"
/// );
/// ```
#[must_use]
pub fn rules(grammar: &Grammar, root: Option<&str>) -> (File, Vec<Diagnostic>) {
    let mut writer = Writer::new(grammar);
    let mut items = Vec::with_capacity(grammar.rules.len() + 1);
    for rule in &grammar.rules {
        let body = writer.expr(&rule.body);
        let definition = Definition { name: name(&writer.name(&rule.name.value)), parameters: Vec::new(), body };
        let kind = ItemKind::Rule(definition);
        items.push(Item { docs: Vec::new(), attributes: Vec::new(), kind, span: Span::default() });
    }
    let first = grammar.rules.first().map(|rule| rule.name.value.as_str());
    if let Some(root) = root.or(first) {
        let root = writer.name(root);
        items.push(output(&root, writer.taken.take("Output")));
    }
    (File { items }, writer.findings)
}

/// Cap on the chunks of a text for which every run of chunks is written out.
const CHUNKS: usize = 60;

#[derive(Debug)]
struct Writer<'g> {
    names: FxHashMap<&'g str, String>,
    taken: Taken,
    findings: Vec<Diagnostic>,
}

impl<'g> Writer<'g> {
    /// Makes a writer. Legal names go first, so that no changed name takes them.
    fn new(grammar: &'g Grammar) -> Writer<'g> {
        let mut writer = Writer { names: FxHashMap::default(), taken: Taken::default(), findings: Vec::new() };
        let mut all: Vec<&str> = grammar.rules.iter().map(|rule| rule.name.value.as_str()).collect();
        for rule in &grammar.rules {
            rule.body.walk(&mut |expr| {
                if let TreeKind::Name(name) = &expr.kind {
                    all.push(name);
                }
            });
        }
        let (legal, odd): (Vec<&str>, Vec<&str>) = all.into_iter().partition(|name| is_legal(name));
        for name in legal.into_iter().chain(odd) {
            if !writer.names.contains_key(name) {
                let legal = writer.taken.take(&legal_name(name));
                writer.names.insert(name, legal);
            }
        }
        writer
    }

    fn name(&self, name: &str) -> String {
        self.names.get(name).cloned().unwrap_or_else(|| legal_name(name))
    }

    /// Exports an expression. The limit of the tree's reader bounds the recursion.
    fn expr(&mut self, tree: &Tree) -> Expr {
        match &tree.kind {
            TreeKind::Literal(literal) => text(literal),
            TreeKind::Class { negated, ranges } => class(*negated, ranges),
            TreeKind::Regex(pattern) => expr(ExprKind::Regex(pattern.clone())),
            TreeKind::Any => expr(ExprKind::Regex("[\\s\\S]".to_owned())),
            TreeKind::Name(name) => word(&self.name(name)),
            TreeKind::Sequence(items) if items.is_empty() => text(""),
            TreeKind::Sequence(items) => expr(ExprKind::Sequence(items.iter().map(|item| self.expr(item)).collect())),
            TreeKind::Alternation(arms) => {
                let arm = |arm| Alternative { docs: Vec::new(), expr: self.expr(arm) };
                expr(ExprKind::Union(arms.iter().map(arm).collect()))
            }
            TreeKind::Repeat { expr: item, min, max } => {
                if let TreeKind::Token(token @ VocabularyToken::Except(_)) = &item.kind {
                    return self.token(token, (*min, *max), tree.span);
                }
                let item = Box::new(self.expr(item));
                expr(ExprKind::Repeat { item, times: times(*min, *max) })
            }
            TreeKind::Exception(kept, removed) => {
                let (kept, removed) = (Box::new(self.expr(kept)), vec![self.expr(removed)]);
                expr(ExprKind::Difference { kept, removed })
            }
            TreeKind::Token(token) => self.token(token, (1, Some(1)), tree.span),
            TreeKind::Substring(chunks) => self.substring(chunks, tree.span),
            TreeKind::Json(_) => {
                let found =
                    Diagnostic::error(Code::ExportNotation, tree.span, "a schema inside a grammar is not written out");
                self.findings.push(found.help("save the schema as a file and import both in an .ogc file"));
                text("")
            }
            TreeKind::Captured { expr, .. } => self.expr(expr),
            TreeKind::Lazy(body) => with("lazy", vec![argument(self.expr(body))]),
            TreeKind::Limited(body, length) => self.limited(body, *length, tree.span),
        }
    }

    /// Exports the runs of parts of a text: of characters through the built-in, of chunks written out.
    fn substring(&mut self, chunks: &[String], span: Span) -> Expr {
        if chunks.iter().all(|chunk| chunk.chars().count() == 1) {
            return with("substring", vec![argument(text(&chunks.concat()))]);
        }
        if chunks.len() > CHUNKS {
            let message =
                format!("a text in {} parts is too long to be written out; the limit is {CHUNKS}", chunks.len());
            let finding = Diagnostic::error(Code::ExportSize, span, message);
            self.findings.push(finding.help("import the grammar, or allow parts by characters: `substring<\"...\">`"));
            return text("");
        }
        let from = |at: usize| {
            let runs = chunks[at..].iter().rev().fold(None, |rest: Option<Expr>, chunk| {
                let items = [Some(text(chunk)), rest.map(optional)];
                Some(expr(ExprKind::Sequence(items.into_iter().flatten().collect())))
            });
            runs.unwrap_or_else(|| text(""))
        };
        let arms = (0..chunks.len()).map(from).chain([text("")]);
        let arm = |expr| Alternative { docs: Vec::new(), expr };
        match chunks {
            [] => text(""),
            _ => expr(ExprKind::Union(arms.map(arm).collect())),
        }
    }

    /// Exports a text of bounded length: as an intersection with all texts of at most that length, or as free text with
    /// a limit in tokens.
    fn limited(&mut self, body: &Tree, length: TextLength, span: Span) -> Expr {
        let most = match length {
            TextLength::Chars(most) => {
                let any = expr(ExprKind::Regex(format!("[\\s\\S]{{0,{most}}}")));
                return expr(ExprKind::Intersection(vec![self.expr(body), any]));
            }
            TextLength::Tokens(most) => most,
        };
        if is_any_text(body) {
            return with("text", vec![setting("max_tokens", number(most))]);
        }
        let finding = Diagnostic::error(Code::ExportTextLimit, span, "ogc counts the tokens of free text only");
        self.findings.push(finding.help("bound it in characters, or import the grammar as it is"));
        text("")
    }

    /// Exports one or several vocabulary tokens in a text. Special tokens are not text, so nothing has to be excluded.
    fn token(&mut self, token: &VocabularyToken, (least, most): (u32, Option<u32>), span: Span) -> Expr {
        let set = match token {
            VocabularyToken::Of(TokenSet::Named(name)) => return expr(ExprKind::Token(name.clone())),
            VocabularyToken::Except(set) => Some(set),
            VocabularyToken::Of(TokenSet::Numbered(_)) => None,
        };
        let is_named = matches!(set, Some(TokenSet::Named(_)));
        match most {
            None if is_named && least <= 1 => {
                let any = Box::new(expr(ExprKind::Regex("[\\s\\S]".to_owned())));
                return expr(ExprKind::Repeat { item: any, times: times(least, None) });
            }
            Some(most) if is_named && least == 0 => return with("text", vec![setting("max_tokens", number(most))]),
            _ => {}
        }
        let message = format!(
            "ogc cannot say {token} here: it names tokens, not their numbers, and counts no least number of them"
        );
        let finding = Diagnostic::error(Code::PrintToken, span, message);
        self.findings.push(finding.help("name the token, as in `<think>`"));
        text("")
    }
}

fn optional(item: Expr) -> Expr {
    expr(ExprKind::Repeat { item: Box::new(item), times: Repetition::Optional })
}

/// Returns whether an expression means any text.
fn is_any_text(tree: &Tree) -> bool {
    matches!(&tree.kind, TreeKind::Repeat { expr, min: 0, max: None } if expr.kind == TreeKind::Any)
}

/// Returns the name with underscores instead of illegal characters.
fn legal_name(name: &str) -> String {
    if is_legal(name) {
        return name.to_owned();
    }
    let mut out: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if !is_legal(&out) {
        // The name begins with a digit, or is a reserved word.
        let digit = out.starts_with(|c: char| c.is_numeric());
        out = if digit { format!("_{out}") } else { format!("{out}_") };
    }
    if is_legal(&out) { out } else { "rule_".to_owned() }
}

fn times(min: u32, max: Option<u32>) -> Repetition {
    let bound = |count: u32| Bound { kind: BoundKind::Number(count.to_string()), span: Span::default() };
    match (min, max) {
        (0, Some(1)) => Repetition::Optional,
        (0, None) => Repetition::Star,
        (1, None) => Repetition::Plus,
        (_, Some(max)) if max == min => Repetition::Exactly(bound(min)),
        _ => Repetition::Between(Range { min: Some(bound(min)), max: max.map(bound) }),
    }
}

fn class(negated: bool, ranges: &[(char, char)]) -> Expr {
    let mut out = String::from(if negated { "[^" } else { "[" });
    for (first, last) in ranges {
        character(*first, &mut out);
        if first != last {
            out.push('-');
            character(*last, &mut out);
        }
    }
    out.push(']');
    expr(ExprKind::Regex(out))
}

/// Writes a character in a class.
fn character(c: char, out: &mut String) {
    match c {
        '\\' | ']' | '[' | '^' | '-' => out.extend(['\\', c]),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c.is_control() || (c.is_whitespace() && c != ' ') => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        c => out.push(c),
    }
}
