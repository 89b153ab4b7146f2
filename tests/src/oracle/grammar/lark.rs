//! Writes the random grammars as Lark, and adds ignored text to them.

use super::{Expr, Grammar, name};
use ogc_kit::Random;
use std::fmt::Write;

impl Grammar {
    /// Writes the grammar as Lark; a leaf becomes a string, a pattern, or a terminal of its own.
    #[must_use]
    pub fn lark(&self, random: &mut Random) -> String {
        let mut writer = Writer { text: String::new(), terminals: String::new(), count: 0, random };
        for (at, rule) in self.rules.iter().enumerate() {
            writer.text.push_str(&lark_name(at));
            writer.text.push_str(": ");
            writer.expr(rule);
            writer.text.push('\n');
        }
        writer.text + &writer.terminals
    }

    /// Returns the grammar with `ignored` any number of times after every terminal and before the first one.
    #[must_use]
    pub fn ignoring(&self, ignored: &'static str) -> Grammar {
        let mut rules: Vec<Expr> = self.rules.iter().map(|rule| rule.ignoring(ignored)).collect();
        if let Some(first) = rules.first_mut() {
            let start = std::mem::replace(first, Expr::Literal(""));
            *first = Expr::Sequence(vec![repeated(ignored), start]);
        }
        Grammar { rules }
    }
}

impl Expr {
    fn ignoring(&self, ignored: &'static str) -> Expr {
        let all = |items: &[Expr]| items.iter().map(|item| item.ignoring(ignored)).collect();
        match self {
            Expr::Literal("") | Expr::Rule(_) => self.clone(),
            Expr::Literal(_) | Expr::Class(_) => Expr::Sequence(vec![self.clone(), repeated(ignored)]),
            Expr::Sequence(parts) => Expr::Sequence(all(parts)),
            Expr::Alternation(arms) => Expr::Alternation(all(arms)),
            Expr::Repeat(inner, least, most) => Expr::Repeat(Box::new(inner.ignoring(ignored)), *least, *most),
        }
    }
}

fn repeated(text: &'static str) -> Expr {
    Expr::Repeat(Box::new(Expr::Literal(text)), 0, None)
}

fn lark_name(rule: usize) -> String {
    if rule == 0 { "start".to_owned() } else { name(rule) }
}

struct Writer<'r> {
    text: String,
    terminals: String,
    count: usize,
    random: &'r mut Random,
}

impl Writer<'_> {
    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Literal(text) => self.leaf(&format!("\"{text}\""), text),
            Expr::Class(characters) => {
                let class = format!("[{}]", characters.iter().collect::<String>());
                let choice: Vec<String> = characters.iter().map(|c| format!("\"{c}\"")).collect();
                self.leaf(&format!("({})", choice.join(" | ")), &class);
            }
            Expr::Rule(rule) => self.text.push_str(&lark_name(*rule)),
            Expr::Sequence(parts) => self.list(parts, " "),
            Expr::Alternation(arms) => self.list(arms, " | "),
            Expr::Repeat(inner, least, most) => {
                self.text.push('(');
                self.expr(inner);
                let times = match most {
                    Some(most) if self.random.one_in(2) => format!(")~{least}..{most}"),
                    _ => format!("){{{least},{}}}", most.map_or_else(String::new, |most| most.to_string())),
                };
                self.text.push_str(&times);
            }
        }
    }

    /// Writes a terminal in one of its spellings. A choice of strings consists of several terminals; with ignored text,
    /// that makes no difference.
    fn leaf(&mut self, string: &str, pattern: &str) {
        let kind = if pattern.is_empty() { 0 } else { self.random.below(3) };
        match kind {
            0 => self.text.push_str(string),
            1 => write!(self.text, "/{pattern}/").unwrap_or(()),
            _ => {
                self.count += 1;
                let count = self.count;
                write!(self.text, "T{count}").unwrap_or(());
                writeln!(self.terminals, "T{count}: {string} | /{pattern}/").unwrap_or(());
            }
        }
    }

    fn list(&mut self, items: &[Expr], separator: &str) {
        self.text.push('(');
        for (at, item) in items.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { separator });
            self.expr(item);
        }
        self.text.push(')');
    }
}
