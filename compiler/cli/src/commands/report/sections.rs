//! Writes the sections of the page.

use ogc_grammar::{LineIndex, MaskCost, Severity};
use ogc_workbench::diagram::{Definition, Diagram, svg};
use ogc_workbench::markup::escape;

use super::facts::{Facts, Machine, RuleCost};
use super::masks::{Masks, Width, grouped};
use super::place::At;
use crate::render::excerpt;
use crate::table::{bytes, millis, time};

/// Maximum number of rules that get a line of their own.
const RULES: usize = 30;

/// Wraps content in a box that scrolls by itself, also by keyboard.
fn scroll(label: &str, content: &str) -> String {
    format!("<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">{content}</div>", escape(label))
}

pub(super) fn diagrams(definitions: &[Definition], language: &str) -> String {
    if definitions.is_empty() {
        return "<p class=\"soft\">There are no definitions that can be drawn.</p>".to_owned();
    }
    let commas = if language == "JSON Schema" { " Commas between the members of objects are left out." } else { "" };
    let cards: String = definitions.iter().map(definition).collect();
    format!(
        "<p>Read from left to right: a text of the format is what stands on the way.{commas}</p>{}{cards}",
        legend()
    )
}

/// Writes the legend of the shapes.
fn legend() -> String {
    let shapes = [
        (Diagram::Terminal("abc".to_owned()), "these characters"),
        (Diagram::Described("[a-z]".to_owned()), "characters like these"),
        (Diagram::Nonterminal("name".to_owned(), None), "a diagram of its own"),
    ];
    let item = |(diagram, words): &(Diagram, &str)| format!("<li>{}{words}</li>", svg(diagram, words));
    format!("<ul class=\"legend\">{}</ul>", shapes.iter().map(item).collect::<String>())
}

fn definition(definition: &Definition) -> String {
    let name = escape(&definition.name);
    let title = format!("railroad diagram of the {} {}", definition.kind, definition.name);
    let docs = if definition.docs.is_empty() { String::new() } else { format!("<p>{}</p>", escape(&definition.docs)) };
    let drawn = scroll(&title, &svg(&definition.diagram, &title));
    let (place, kind) = (escape(&definition.place), definition.kind);
    format!(
        "<article class=\"card\" id=\"{place}\"><h3><small>{kind}</small> <code>{name}</code></h3>{docs}{drawn}</article>\n"
    )
}

pub(super) fn costs(machine: &Machine) -> String {
    let most = machine.rules.iter().map(RuleCost::bytes).max().unwrap_or(1);
    let rows: String = machine.rules.iter().take(RULES).map(|rule| cost(rule, most)).collect();
    let more = machine.rules.len().saturating_sub(RULES);
    let rest: usize = machine.rules.iter().skip(RULES).map(RuleCost::bytes).sum();
    let rest = if more == 0 {
        String::new()
    } else {
        format!("<p class=\"soft\">And {more} rules more, {}.</p>", bytes(rest))
    };
    let number = |name| format!("<th scope=\"col\" class=\"num\">{name}</th>");
    let numbers: String = ["states", "edges", "calls", "tables", "rows", "masks"].map(number).concat();
    let times: String = ["build", "slowest", "line"].map(number).concat();
    let table = format!(
        "<table><thead><tr><th scope=\"col\">rule</th>{numbers}<th scope=\"col\">to scale</th>{times}<th \
         scope=\"col\">source</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    format!(
        "<p>Rules of the automaton, the one with the most bytes first: those of its tables, and of the rows of its masks. Rules \
         that use one row both count it. A rule's share of building the masks is under <em>build</em>; its slowest row is what a \
         step waits for where masks are made as they are needed. One place of the source can become several rules, and \
         equal rules are one.</p><div class=\"card\">{}{rest}</div>",
        scroll("costs of the rules", &table)
    )
}

fn cost(rule: &RuleCost, most: usize) -> String {
    let cell = |text: String| format!("<td class=\"num\">{text}</td>");
    let MaskCost { rows, row_bytes, times } = rule.cost.masks.unwrap_or_default();
    let counts = [rule.cost.states, rule.edges, rule.calls].map(grouped);
    let sizes = [bytes(rule.cost.bytes), grouped(rows), bytes(row_bytes)];
    let numbers: String = counts.into_iter().chain(sizes).map(cell).collect();
    let times = [times.build, times.slowest].map(|took| cell(millis(took))).concat();
    format!(
        "<tr><td class=\"name\"><code>{}</code></td>{numbers}{}{times}{}</tr>",
        escape(&rule.name),
        bar(rule.bytes(), most),
        place(rule.at.as_ref())
    )
}

/// Draws a bar with its number beside it.
fn bar(value: usize, most: usize) -> String {
    let percent = 100.0 * value as f64 / most.max(1) as f64;
    let filled = if value == 0 { String::new() } else { format!("<span style=\"width:{percent:.1}%\"></span>") };
    format!("<td class=\"bar\" aria-hidden=\"true\">{filled}</td>")
}

fn place(at: Option<&At>) -> String {
    match at {
        None => "<td></td><td></td>".to_owned(),
        Some(At { position, excerpt }) => {
            let excerpt = escape(excerpt);
            format!("<td class=\"num\">{position}</td><td class=\"excerpt\"><code>{excerpt}</code></td>")
        }
    }
}

pub(super) fn masks(masks: &Masks) -> String {
    let complete = match masks.report.complete {
        true => "The masks are complete: none is computed at run time.",
        false => "Some masks are left to be computed at run time.",
    };
    format!(
        "<p>A mask says which tokens may come next. Here are the tokens that a state allows and that end inside its own rule; \
         what a token may do after the rule's end depends on who called it. {complete} Loading the vocabulary took {}, \
         building the masks {}.</p><div class=\"card\">{}</div><div class=\"two\">{}{}</div>",
        time(masks.load),
        time(masks.build),
        scroll("how many states allow how many tokens", &histogram(&masks.histogram)),
        widths("The narrowest states", &masks.narrowest, |width| width.least),
        widths("The widest states", &masks.widest, |width| width.most),
    )
}

fn histogram(bars: &[(String, usize)]) -> String {
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let row = |(words, count): &(String, usize)| {
        format!(
            "<tr><th scope=\"row\" class=\"num\">{words}</th><td class=\"num\">{}</td>{}</tr>",
            grouped(*count),
            bar(*count, most)
        )
    };
    let rows: String = bars.iter().map(row).collect();
    format!(
        "<table class=\"histogram\"><caption>How many states allow how many tokens, at most</caption><thead><tr><th \
         scope=\"col\" class=\"num\">tokens</th><th scope=\"col\" class=\"num\">states</th><td></td></tr></thead><tbody>{rows}\
         </tbody></table>"
    )
}

fn widths(title: &str, widths: &[Width], count: fn(&Width) -> usize) -> String {
    let row = |width: &Width| {
        let (tokens, state, rule) = (grouped(count(width)), width.state, escape(&width.rule));
        format!(
            "<tr><td class=\"num\">{tokens}</td><td class=\"num\">{state}</td><td class=\"name\"><code>{rule}</code></td>{}</tr>",
            place(width.at.as_ref())
        )
    };
    let table = format!(
        "<table><caption>{title}</caption><thead><tr><th scope=\"col\" class=\"num\">tokens</th><th scope=\"col\" \
         class=\"num\">state</th><th scope=\"col\">rule</th><th scope=\"col\" class=\"num\">line</th><th scope=\"col\">source\
         </th></tr></thead><tbody>{}</tbody></table>",
        widths.iter().map(row).collect::<String>()
    );
    format!("<div class=\"card\">{}</div>", scroll(title, &table))
}

pub(super) fn samples(machine: &Machine) -> String {
    let texts = match &machine.samples {
        Err(error) => return format!("<p>No sample: {}.</p>", escape(&error.to_string())),
        Ok(texts) => texts,
    };
    let shown: String =
        texts.iter().map(|text| format!("<div class=\"card\"><pre>{}</pre></div>", escape(text))).collect();
    format!("<p>Random texts of the format, by a walk over the bytes that it allows.</p>{shown}")
}

pub(super) fn findings(facts: &Facts<'_>) -> String {
    if facts.found.is_empty() {
        return "<p>Nothing was found to complain of.</p>".to_owned();
    }
    let text = facts.source.text;
    let lines = LineIndex::new(text);
    let one = |found: &ogc_grammar::Diagnostic| {
        let severity = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let at = lines.place(found.span.start);
        let help = found.help.as_ref().map(|help| format!("<p class=\"soft\">Help: {}</p>", escape(help)));
        format!(
            "<div class=\"card\"><p><span class=\"sev {severity}\">{severity}</span> <code>{}</code> at {at}: {}</p>\
             <pre>{}</pre>{}</div>",
            escape(found.code.name()),
            escape(&found.message),
            escape(&excerpt(text, found.span)),
            help.unwrap_or_default()
        )
    };
    facts.found.iter().map(one).collect()
}
