//! Draws diagrams of GBNF, EBNF and ABNF from their rule trees.

use ogc_grammar::rules::{Expr, ExprKind, Grammar, TextLength};

use super::{Definition, Diagram, place, quoted};

/// Returns a diagram for each rule.
pub(super) fn definitions(grammar: &Grammar) -> Vec<Definition> {
    let rules = grammar.rules.iter().map(|rule| Definition {
        name: rule.name.value.clone(),
        kind: "rule",
        docs: String::new(),
        diagram: diagram(&rule.body),
        place: place(&rule.name.value),
    });
    rules.collect()
}

fn diagram(expr: &Expr) -> Diagram {
    match &expr.kind {
        ExprKind::Literal(text) => Diagram::Terminal(quoted(text)),
        ExprKind::Class { negated, ranges } => Diagram::Described(class(*negated, ranges)),
        ExprKind::Regex(pattern) => Diagram::Described(format!("/{pattern}/")),
        ExprKind::Any => Diagram::Described("any character".to_owned()),
        ExprKind::Name(name) => Diagram::Nonterminal(name.clone(), Some(place(name))),
        ExprKind::Sequence(parts) => Diagram::sequence(parts.iter().map(diagram).collect()),
        ExprKind::Alternation(arms) => Diagram::choice(arms.iter().map(diagram).collect()),
        ExprKind::Repeat { expr, min, max } => diagram(expr).times(u64::from(*min), max.map(u64::from), None),
        ExprKind::Exception(kept, refused) => {
            Diagram::sequence(vec![diagram(kept), diagram(refused).labelled("but not")])
        }
        ExprKind::Token(name) => Diagram::Described(format!("token {name}")),
        ExprKind::Substring(chunks) => Diagram::Described(format!("part of {}", quoted(&chunks.concat()))),
        ExprKind::Json(_) => Diagram::Described("JSON of a schema".to_owned()),
        ExprKind::Captured { expr, name, .. } => diagram(expr).labelled(name.value.clone()),
        ExprKind::Lazy(expr) => diagram(expr).labelled("as short as it can"),
        ExprKind::Limited(expr, TextLength::Chars(most)) => {
            diagram(expr).labelled(format!("at most {most} characters"))
        }
        ExprKind::Limited(expr, TextLength::Tokens(most)) => diagram(expr).labelled(format!("at most {most} tokens")),
    }
}

/// Writes a class of characters as in regular expressions.
fn class(negated: bool, ranges: &[(char, char)]) -> String {
    let show = |c: char| match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '\\' | ']' | '^' | '-' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    };
    let range = |(first, last): &(char, char)| match first == last {
        true => show(*first),
        false => format!("{}-{}", show(*first), show(*last)),
    };
    format!("[{}{}]", if negated { "^" } else { "" }, ranges.iter().map(range).collect::<String>())
}

#[cfg(test)]
mod tests {
    use ogc_grammar::parse_gbnf;

    use super::*;

    #[test]
    fn rules_become_diagrams() {
        let found = definitions(&parse_gbnf("root ::= \"a\\n\" [^0-9]* | (root \",\"){2,3}\n").0);
        let text = |text: &str| Diagram::Terminal(text.to_owned());
        let class = Diagram::Described("[^0-9]".to_owned()).repeated().optional();
        let root = Diagram::Nonterminal("root".to_owned(), Some("d-root".to_owned()));
        let twice = Diagram::sequence(vec![root, text("\",\"")]).times(2, Some(3), None);
        let first = Diagram::sequence(vec![text("\"a\\n\""), class]);
        assert_eq!((found[0].name.as_str(), &found[0].diagram), ("root", &Diagram::choice(vec![first, twice])));
    }
}
