//! Folders of files that a server is measured on.

use std::path::Path;

/// Files, one of which is edited.
pub(super) struct Workload {
    pub(super) title: &'static str,
    /// Names and texts.
    pub(super) files: Vec<(String, String)>,
    /// The file that is opened and edited.
    pub(super) edited: String,
    /// The protocol's name of its language.
    pub(super) language: &'static str,
    /// A text before a number that edits change.
    pub(super) marks: &'static str,
    /// A text; hover and completion are requested in its middle.
    pub(super) name: &'static str,
}

impl Workload {
    /// The workloads of ogc: one large file, many files, a large imported schema.
    pub(super) fn ours() -> Vec<Workload> {
        let of = |title, files: Vec<(String, String)>| {
            let edited = files.last().map(|file| file.0.clone()).unwrap_or_default();
            Workload { title, files, edited, language: "ogc", marks: "int<0..", name: "string<" }
        };
        let many = (0..200).map(|at| (format!("f{at}.ogc"), crate::edits::member(at))).collect();
        let user = "import root as Big, D7 from \"big.schema.json\"\ntype Own = { size: int<0..7>, name: string<1..9> }\n\
                    output Out = { own: Own, seven: D7 }\n";
        let schema = vec![("big.schema.json".to_owned(), schema()), ("main.ogc".to_owned(), user.to_owned())];
        vec![
            of("1 file, 2,000 lines", vec![("main.ogc".to_owned(), crate::edits::lines(2_000))]),
            of("200 files", many),
            of("a schema of 1 MB", schema),
        ]
    }

    /// A file of 2,000 lines for servers of Python, as a yardstick.
    pub(super) fn python() -> Workload {
        let mut text = "from dataclasses import dataclass\n\n".to_owned();
        for at in 0..250 {
            let before = if at == 0 { "str".to_owned() } else { format!("T{}", at - 1) };
            text += &format!(
                "@dataclass\nclass T{at}:\n    \"\"\"The type number {at}.\"\"\"\n    id: int = len(\"0..{at}\")\n    name: str = \"\"\n    \
                 before: {before} | None = None\n\n\n"
            );
        }
        let (files, edited) = (vec![("main.py".to_owned(), text)], "main.py".to_owned());
        Workload { title: "Python, 2,000 lines", files, edited, language: "python", marks: "len(\"0..", name: "str = " }
    }

    /// Writes the files into a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<(), String> {
        for (name, text) in &self.files {
            std::fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(())
    }

    /// Returns the text of the edited file.
    pub(super) fn text(&self) -> &str {
        self.files.iter().find(|file| file.0 == self.edited).map_or("", |file| &file.1)
    }
}

/// Writes a schema of about a megabyte with definitions that use one another.
fn schema() -> String {
    let mut text = String::from("{\n  \"$ref\": \"#/$defs/D0\",\n  \"$defs\": {\n");
    let mut at = 0;
    while text.len() < 1_000_000 {
        let before = if at == 0 {
            "{ \"type\": \"null\" }".to_owned()
        } else {
            format!("{{ \"$ref\": \"#/$defs/D{}\" }}", at - 1)
        };
        text += &format!(
            "    \"D{at}\": {{\n      \"description\": \"The definition number {at}.\",\n      \"type\": \"object\",\n      \"properties\": {{\n        \
             \"id\": {{ \"type\": \"integer\", \"minimum\": 0, \"maximum\": {at} }},\n        \"name\": {{ \"type\": \"string\", \"maxLength\": 40 }},\n        \
             \"kind\": {{ \"enum\": [\"a\", \"b\", \"c{at}\"] }},\n        \"before\": {before}\n      }},\n      \
             \"required\": [\"id\", \"name\"],\n      \"additionalProperties\": false\n    }},\n"
        );
        at += 1;
    }
    text + "    \"Last\": { \"type\": \"boolean\" }\n  }\n}\n"
}
