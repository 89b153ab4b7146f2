//! Writes plain tables: columns are as wide as their widest cell, and numbers are right-aligned.

use std::fmt::Write as _;

/// A table with a header row.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &[&str]) -> Self {
        Self { rows: vec![head.iter().map(|&name| name.to_owned()).collect()] }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Returns the lines without trailing spaces.
    pub(crate) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        let numeric: Vec<bool> = (0..columns).map(|column| self.is_numeric(column)).collect();
        let lines: Vec<String> = self.rows.iter().map(|row| line(row, &widths, &numeric)).collect();
        lines.join("\n")
    }

    fn width(&self, column: usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().skip(1).filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
        cells.all(|cell| cell.starts_with(|first: char| first.is_ascii_digit() || first == '-')) && self.rows.len() > 1
    }
}

fn line(row: &[String], widths: &[usize], numeric: &[bool]) -> String {
    let mut line = String::new();
    for ((cell, &width), &numeric) in row.iter().zip(widths).zip(numeric) {
        // Writing to a string cannot fail.
        let _ = if numeric { write!(line, "{cell:>width$}  ") } else { write!(line, "{cell:<width$}  ") };
    }
    line.trim_end().to_owned()
}

/// Formats a number of bytes for people.
pub(crate) fn bytes(count: usize) -> String {
    match count {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{} KB", count / 1_000),
        _ => format!("{} MB", count / 1_000_000),
    }
}

/// Formats a duration for people: in milliseconds, or in seconds from one second on.
pub(crate) fn time(duration: std::time::Duration) -> String {
    if duration.as_secs() == 0 { millis(duration) } else { format!("{:.1} s", duration.as_secs_f64()) }
}

/// Formats a duration for people in milliseconds.
pub(crate) fn millis(duration: std::time::Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["name", "n"]);
        table.row(vec!["a".into(), "10".into()]);
        table.row(vec!["long one".into(), "9".into()]);
        assert_eq!(table.render(), "name       n\na         10\nlong one   9");
    }
}
