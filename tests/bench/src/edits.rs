//! `edits`: measures the time from an edit of an `.ogc` file to its findings, and to its artifacts.
//!
//! Two workloads: one file of some thousand lines, and a workspace of some hundred files that import each other in
//! chains. Each edit changes one bound inside one type; the time covers all queries that an editor or a build then
//! makes.

use std::sync::Arc;
use std::time::Instant;

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput, Workspace,
};
use ogc_compiler::pipeline::{artifact, diagnostics, formats};
use ogc_runtime::mask::MaskStore;
use salsa::Setter;

use crate::args::Edits;
use crate::tokens::Tokens;

/// The number of files in a chain of imports.
const CHAIN: usize = 10;

/// The number of types in one file of the workspace.
const TYPES: usize = 6;

/// A database with files to edit.
struct Workload {
    db: Compiler,
    files: Vec<SourceFile>,
}

/// Runs both workloads and prints a table.
pub(crate) fn run(args: &Edits) -> Result<(), String> {
    let tokens = Tokens::read(&args.vocab)?;
    println!("workload                what                     edits   p50 ms   p99 ms   max ms");
    let large = Workload::new(vec![lines(args.lines)]);
    measure(&large_title(args), large, args, &tokens)?;
    let many = Workload::new((0..args.files).map(member).collect());
    measure(&format!("{} files", args.files), many, args, &tokens)
}

fn large_title(args: &Edits) -> String {
    format!("1 file, {} lines", args.lines)
}

fn measure(title: &str, mut workload: Workload, args: &Edits, tokens: &Tokens) -> Result<(), String> {
    let begin = Instant::now();
    workload.check()?;
    row(title, "first check", &[begin.elapsed().as_secs_f64() * 1e3]);
    let mut times = Vec::new();
    for edit in 0..args.edits {
        let at = workload.edit(edit);
        let begin = Instant::now();
        workload.set(at.0, at.1);
        workload.check()?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    row(title, "edit to findings", &times);
    let vocabulary = VocabularyInput::of(&workload.db, MaskStore::new(Arc::clone(&tokens.vocabulary)));
    let begin = Instant::now();
    workload.build(vocabulary)?;
    row(title, "first build", &[begin.elapsed().as_secs_f64() * 1e3]);
    let mut times = Vec::new();
    for edit in args.edits..args.edits + args.edits.min(20) {
        let at = workload.edit(edit);
        let begin = Instant::now();
        workload.set(at.0, at.1);
        workload.build(vocabulary)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    row(title, "edit to artifacts", &times);
    Ok(())
}

fn row(title: &str, what: &str, times: &[f64]) {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |part: f64| sorted.get(((sorted.len() as f64 - 1.0) * part) as usize).copied().unwrap_or(0.0);
    println!("{title:<22}  {what:<22} {:>7} {:>8.2} {:>8.2} {:>8.2}", sorted.len(), at(0.5), at(0.99), at(1.0));
}

impl Workload {
    fn new(texts: Vec<String>) -> Self {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = |(at, text)| SourceFile::new(&db, format!("f{at}.ogc"), text, Language::Ogc, options);
        let files: Vec<SourceFile> = texts.into_iter().enumerate().map(file).collect();
        Workspace::new(&db, files.iter().map(|&file| (file.name(&db).to_owned(), file)).collect());
        Self { db, files }
    }

    fn check(&self) -> Result<(), String> {
        for &file in &self.files {
            if let Some(found) = diagnostics(&self.db, file).iter().find(|found| found.is_error()) {
                return Err(format!("{}: {}", file.name(&self.db), found.message));
            }
        }
        Ok(())
    }

    fn build(&self, vocabulary: VocabularyInput) -> Result<(), String> {
        self.check()?;
        for &file in &self.files {
            for format in formats(&self.db, file) {
                artifact(&self.db, format, vocabulary).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// Returns the n-th edit: a file, and its text with another bound in one of its types.
    fn edit(&self, n: usize) -> (SourceFile, String) {
        let file = self.files[n * 37 % self.files.len()];
        let text = file.text(&self.db);
        let bounds: Vec<usize> = text.match_indices("<0..").map(|(at, _)| at + 4).collect();
        let at = bounds[n * 101 % bounds.len()];
        let rest = text[at..].trim_start_matches(|char: char| char.is_ascii_digit());
        (file, format!("{}{}{rest}", &text[..at], 1_000 + n))
    }

    fn set(&mut self, file: SourceFile, text: String) {
        file.set_text(&mut self.db).to(text);
    }
}

/// Writes a file of about `count` lines: types that use the ones before them, and an output for every twentieth.
pub(crate) fn lines(count: usize) -> String {
    let mut text = String::new();
    let mut lines = 0;
    let mut at = 0;
    while lines < count {
        let uses = if at % 20 == 0 { "string".to_owned() } else { format!("T{}", at - 1) };
        text += &format!(
            "/// The type number {at}.\ntype T{at} = {{\n  /// Its number.\n  id: int<0..{at}>,\n  name: string<1..40>,\n  \
             kind: \"a\" | \"b\" | \"c{at}\",\n  before?: {uses},\n}}\n\n"
        );
        lines += 9;
        if at % 20 == 19 {
            text += &format!("output O{at} = T{at}\n\n");
            lines += 2;
        }
        at += 1;
    }
    text + &format!("output Last = T{}\n", at - 1)
}

/// Writes a file of a workspace; each imports the one before it, in chains.
pub(crate) fn member(at: usize) -> String {
    let import =
        if at.is_multiple_of(CHAIN) { String::new() } else { format!("import \"f{}.ogc\" as before\n", at - 1) };
    let inner = if at.is_multiple_of(CHAIN) { "string<1..8>" } else { "before.Shared" };
    let mut text = format!("{import}type Shared = {{ id: int<0..{at}>, inner?: {inner} }}\n");
    for n in 0..TYPES {
        text += &format!("type Own{n} = {{ kind: \"{at}-{n}\", tags: string<1..9>[0..3], size: int<0..{n}> }}\n");
    }
    text + "output First = Shared\noutput Second = \"<\" json<Own0 | Own1 | Own2> \">\"\n"
}
