//! Writes the page: one file without scripts or outside resources, as its content security policy enforces.

use std::path::Path;

use ogc_workbench::diagram::Definition;
use ogc_workbench::markup::escape;

use super::facts::{Facts, Machine};
use super::masks::grouped;
use super::sections;
use crate::table::{bytes, time};

/// Writes the whole page.
pub(super) fn page(facts: &Facts<'_>, definitions: &[Definition]) -> String {
    // The folder is left out: it would reveal details of the author's machine.
    let source = facts.source.name;
    let file = Path::new(source).file_name().map_or(source.into(), |name| name.to_string_lossy());
    let name = facts.definition.as_ref().map_or_else(|| file.to_string(), |name| format!("{name} in {file}"));
    let name = escape(&name);
    let mut sections: Vec<(&str, &str, String)> = Vec::new();
    let findings = ("findings", "Findings", sections::findings(facts));
    if facts.machine.is_none() {
        sections.push(findings.clone());
    }
    sections.push(("diagrams", "Diagrams", sections::diagrams(definitions, facts.language)));
    if let Some(machine) = &facts.machine {
        sections.push(("costs", "Where states and bytes go", sections::costs(machine)));
        sections.push(("masks", "What masks allow", sections::masks(&machine.masks)));
        sections.push(("samples", "Sample outputs", sections::samples(machine)));
        sections.push(findings);
    }
    let links = sections.iter().map(|(id, title, _)| format!("<a href=\"#{id}\">{title}</a>")).collect::<String>();
    let body: String = sections
        .iter()
        .map(|(id, title, text)| {
            format!("<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{title}</h2>{text}</section>\n")
        })
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{name} – ogc report</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<header><h1>{name}</h1>\n<p>{}</p>\n{}<nav aria-label=\"Sections\">{links}</nav>\
         </header>\n<main>\n{body}</main>\n<footer>Written by ogc {}. Times are those of this run.</footer>\n</body>\n</html>\n",
        include_str!("page.css"),
        lead(facts),
        facts.machine.as_ref().map(tiles).unwrap_or_default(),
        env!("CARGO_PKG_VERSION"),
    )
}

/// Describes the format in a sentence.
fn lead(facts: &Facts<'_>) -> String {
    let lines = facts.source.text.lines().count();
    let source = format!("{} of {} lines", escape(facts.language), grouped(lines));
    match &facts.machine {
        None => format!("{source}. It has errors, so there is nothing to measure yet."),
        Some(machine) => format!(
            "{source}, compiled to a byte automaton and to token masks for the vocabulary <b>{}</b> with {} tokens.",
            escape(&machine.masks.vocabulary),
            grouped(machine.masks.tokens)
        ),
    }
}

fn tiles(machine: &Machine) -> String {
    let masks = &machine.masks;
    let automaton: usize = machine.rules.iter().map(|rule| rule.cost.bytes).sum();
    let tiles = [
        ("rules", grouped(machine.rules.len())),
        ("states", grouped(machine.states)),
        ("edges", grouped(machine.edges)),
        ("automaton", bytes(automaton)),
        ("mask rows", grouped(masks.report.rows)),
        ("masks", bytes(masks.report.row_bytes + masks.report.exit_bytes)),
        ("time to compile", time(machine.compile)),
        ("time for masks", time(masks.build)),
    ];
    let tiles = tiles.iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"));
    format!("<dl class=\"tiles\">{}</dl>\n", tiles.collect::<String>())
}
