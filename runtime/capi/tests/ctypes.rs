//! The records, constants and functions of `include/ogc.h` for Python, which the comparison in PyTorch calls: `runtime/cuda/bench/compare/header.py` is written from
//! the header. `OGC_BLESS=1` writes it anew.

#![allow(clippy::disallowed_methods, reason = "headers are files")]

use std::fmt::Write;
use std::path::Path;

/// The longest line of Python.
const WIDTH: usize = 120;

const BEGINNING: &str = r#"# Generated from runtime/capi/include/ogc.h by the tests of ogc-capi, with OGC_BLESS=1; do not edit.
"""The records, constants and functions of the C interface, in `ctypes`."""

from __future__ import annotations

from ctypes import (
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_float,
    c_int32,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from enum import IntEnum
"#;

/// What a header declares.
#[derive(Debug, Default)]
struct Header {
    enums: Vec<Enum>,
    records: Vec<Record>,
    functions: Vec<Function>,
}

#[derive(Debug)]
struct Enum {
    doc: String,
    name: String,
    /// The comment, the name in C and the number of each value.
    values: Vec<(String, String, String)>,
}

#[derive(Debug)]
struct Record {
    doc: String,
    name: String,
    /// The comment, the type and the name of each field.
    fields: Vec<(String, String, String)>,
}

#[derive(Debug)]
struct Function {
    result: String,
    name: String,
    arguments: Vec<String>,
}

/// Reads a header as cbindgen writes it.
fn read(header: &str) -> Header {
    let mut found = Header::default();
    let mut lines = header.lines().map(str::trim);
    let mut doc = String::new();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("//") {
            doc += comment;
            continue;
        }
        let doc = std::mem::take(&mut doc);
        if let Some(name) = line.strip_prefix("typedef enum ").and_then(|line| line.strip_suffix(" {")) {
            let values = entries(&mut lines, ',').into_iter().map(|(doc, value)| {
                let (name, number) = value.split_once(" = ").expect("a value with its number");
                (doc, name.to_owned(), number.to_owned())
            });
            found.enums.push(Enum { doc, name: name.to_owned(), values: values.collect() });
        } else if let Some(name) = line.strip_prefix("typedef struct ").and_then(|line| line.strip_suffix(" {")) {
            let fields = entries(&mut lines, ';').into_iter().map(|(doc, field)| {
                let (kind, name) = declaration(&field);
                (doc, kind, name)
            });
            found.records.push(Record { doc, name: name.to_owned(), fields: fields.collect() });
        } else if line.contains('(') {
            let mut text = line.to_owned();
            while !text.ends_with(';') {
                text = text + " " + lines.next().expect("the rest of a function");
            }
            let (head, arguments) = text.trim_end_matches(");").split_once('(').expect("a function");
            let (result, name) = declaration(head);
            let arguments = arguments.split(", ").filter(|argument| *argument != "void");
            let arguments = arguments.map(|argument| declaration(argument).0).collect();
            found.functions.push(Function { result, name, arguments });
        }
    }
    found
}

/// Reads the entries of an enumeration or a record, each with its comment.
fn entries<'a>(lines: &mut impl Iterator<Item = &'a str>, end: char) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut doc = String::new();
    for line in lines.take_while(|line| !line.starts_with('}')) {
        match line.strip_prefix("//") {
            Some(comment) => doc += comment,
            None => found.push((std::mem::take(&mut doc), line.trim_end_matches(end).to_owned())),
        }
    }
    found
}

/// Divides a declaration into a type and a name.
fn declaration(text: &str) -> (String, String) {
    if let Some((_, rest)) = text.split_once("(*") {
        let (name, _) = rest.split_once(')').expect("the name of a pointer to a function");
        return ("void *".to_owned(), name.to_owned());
    }
    let at = text.rfind([' ', '*']).expect("a type and a name") + 1;
    (text[..at].trim().to_owned(), text[at..].to_owned())
}

impl Header {
    /// Returns the name of a type in Python.
    fn kind(&self, kind: &str) -> String {
        let plain = kind.trim_start_matches("const ");
        let target = plain.trim_end_matches('*').trim().trim_end_matches(" *const");
        let pointers = plain.matches('*').count();
        let target = target.trim_start_matches("struct ");
        let is_record = self.records.iter().any(|record| record.name == target);
        match (target, pointers) {
            ("uint8_t" | "char", 1) if kind.starts_with("const") => "c_char_p".to_owned(),
            ("void", 1) => "c_void_p".to_owned(),
            (_, 0) if is_record => class(target),
            (_, 1) if is_record => format!("POINTER({})", class(target)),
            (_, 0 | 1) if is_number(target) => {
                let number = number(target);
                if pointers == 0 { number.to_owned() } else { format!("POINTER({number})") }
            }
            // Objects are known by their address alone.
            (_, 1) => "c_void_p".to_owned(),
            (_, 2) => "POINTER(c_void_p)".to_owned(),
            _ => panic!("{kind}: no type of Python is known for it"),
        }
    }

    /// Returns the type of a field: memory that is written is told by its address.
    fn field(&self, kind: &str) -> String {
        let is_written = kind.ends_with('*') && !kind.starts_with("const");
        if is_written { "c_void_p".to_owned() } else { self.kind(kind) }
    }

    /// Returns the module.
    fn in_python(&self) -> String {
        let mut text = BEGINNING.to_owned();
        for Enum { doc, name, values } in &self.enums {
            let class = class(name);
            text += &format!("\n\nclass {class}(IntEnum):\n{}\n", docstring(doc));
            for (doc, value, number) in values {
                let value = &value[name.len() + 1..];
                text += &format!("{}    {value} = {number}\n", comment("    ", doc));
            }
        }
        for Record { doc, name, fields } in &self.records {
            text += &format!("\n\nclass {}(Structure):\n{}\n    _fields_ = [\n", class(name), docstring(doc));
            for (doc, kind, name) in fields {
                text += &format!("{}        (\"{name}\", {}),\n", comment("        ", doc), self.field(kind));
            }
            text += "    ]\n";
        }
        text += "\n\n# The records by their names in C.\nRECORDS: dict[str, type[Structure]] = {\n";
        self.records.iter().for_each(|Record { name, .. }| text += &format!("    \"{name}\": {},\n", class(name)));
        text += "}\n\n# What the names of constants in C begin with.\nENUMS: dict[str, type[IntEnum]] = {\n";
        self.enums
            .iter()
            .for_each(|Enum { name, .. }| text += &format!("    \"{}_\": {},\n", name.to_uppercase(), class(name)));
        text += "}\n\n# The constants by their names in C.\n";
        text += "CONSTANTS = {begin + value.name: value for begin, kind in ENUMS.items() for value in kind}\n";
        text += "\n# The arguments of the functions that return a status.\nFUNCTIONS: dict[str, list[type]] = {\n";
        for Function { name, arguments, .. } in self.functions.iter().filter(|one| one.result == "enum ogc_status") {
            let arguments: Vec<String> = arguments.iter().map(|kind| self.kind(kind)).collect();
            text += &list(&format!("    \"{name}\": "), &arguments);
        }
        text += "}\n\n# The functions that free an object.\nFREES = (\n";
        for Function { name, .. } in self.functions.iter().filter(|one| one.name.ends_with("_free")) {
            text += &format!("    \"{name}\",\n");
        }
        text + ")\n"
    }
}

/// Returns the name of a class: `ogc_slot_limits` is `SlotLimits`.
fn class(name: &str) -> String {
    let words = name.trim_start_matches("ogc_").split('_');
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn is_number(kind: &str) -> bool {
    kind.starts_with("enum ")
        || ["bool", "float", "int32_t", "size_t", "uint8_t", "uint32_t", "uint64_t"].contains(&kind)
}

fn number(kind: &str) -> &'static str {
    match kind {
        "bool" => "c_bool",
        "float" => "c_float",
        "size_t" => "c_size_t",
        "uint8_t" => "c_uint8",
        "uint32_t" => "c_uint32",
        "uint64_t" => "c_uint64",
        _ => "c_int32",
    }
}

/// Returns an entry of a dictionary of lists, a line for each item if one line is too short.
fn list(key: &str, items: &[String]) -> String {
    let line = format!("{key}[{}],\n", items.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let items: String = items.iter().map(|item| format!("        {item},\n")).collect();
    format!("{key}[\n{items}    ],\n")
}

/// Returns words as lines that begin with `prefix`, and are no longer than `width`.
fn wrapped(prefix: &str, words: &str, width: usize) -> String {
    let mut lines = vec![prefix.to_owned()];
    for word in words.split_whitespace() {
        let line = lines.last_mut().expect("a line");
        if line.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("{prefix} {word}"));
        } else {
            let _ = write!(line, " {word}");
        }
    }
    lines.iter().map(|line| line.clone() + "\n").collect()
}

fn comment(indent: &str, doc: &str) -> String {
    wrapped(&format!("{indent}#"), doc, WIDTH)
}

/// Returns a string of documentation: its first sentence alone in the first line.
fn docstring(doc: &str) -> String {
    let doc = doc.trim();
    let (first, rest) = doc.split_once(". ").map_or((doc, ""), |(first, rest)| (first, rest));
    let first = first.trim_end_matches('.');
    // There is room for the quotes behind it.
    let text = wrapped("   ", &format!("\"\"\"{first}."), WIDTH - 3);
    if rest.is_empty() {
        format!("{}\"\"\"\n", text.trim_end())
    } else {
        format!("{text}\n{}    \"\"\"\n", wrapped("   ", rest, WIDTH))
    }
}

#[test]
fn the_python_module_of_the_comparison_matches_the_header() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = std::fs::read_to_string(here.join("include/ogc.h")).expect("the header");
    let written = read(&header).in_python();
    let path = here.join("../cuda/bench/compare/header.py");
    if std::env::var_os("OGC_BLESS").is_some() {
        std::fs::write(&path, &written).expect("a file");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == written, "{} is not that of the header: run this test with OGC_BLESS=1", path.display());
}
