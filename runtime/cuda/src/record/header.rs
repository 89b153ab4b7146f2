//! Writes the headers of `kernels/records`: the declarations of [`shared`](super::shared), in C++. The compilers of kernels and of their
//! tests check that a record has the same size as in Rust. As a record has no padding, its fields then have the same offsets too.

use std::fmt::Write;

/// A header that is being written.
#[derive(Debug)]
pub(crate) struct Header {
    /// Name of the header file, without its extension.
    pub(crate) subject: &'static str,
    text: String,
}

/// A record to declare in the header.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) docs: &'a [&'static str],
    pub(crate) name: &'static str,
    /// Alignment in bytes, if it is more than that of the fields.
    pub(crate) align: Option<u32>,
    /// Size of the record, in bytes.
    pub(crate) size: usize,
    pub(crate) fields: &'a [Field<'a>],
}

/// A field of a record.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    pub(crate) docs: &'a [&'static str],
    pub(crate) name: &'static str,
    /// Type of the field in Rust, or its type in kernels if the declaration states one.
    pub(crate) kind: &'static str,
}

impl Header {
    /// Begins a header, given its name, the source file of its declarations, and the headers that it includes.
    pub(crate) fn new(subject: &'static str, source: &str, below: &[&str]) -> Self {
        let mut text =
            format!("//! Generated from {source} by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.\n");
        text += "\n#pragma once\n\n#include <stdint.h>\n";
        if !below.is_empty() {
            text += "\n";
        }
        for name in below {
            let _ = writeln!(text, "#include \"{name}.cuh\"");
        }
        text += "\nnamespace ogc {\n";
        Self { subject, text }
    }

    /// Adds a constant. A constant without a comment belongs to the constant before it.
    pub(crate) fn constant<T: TryInto<u32>>(&mut self, docs: &[&str], name: &str, value: T) {
        if !docs.is_empty() {
            self.text += "\n";
        }
        self.comment("", docs);
        let value = value.try_into().ok().expect("a word of 32 bits");
        let value = if value < 1 << 16 { value.to_string() } else { format!("{value:#x}u") };
        let _ = writeln!(self.text, "constexpr uint32_t {name} = {value};");
    }

    /// Adds an enumeration, by the names and numbers of its values.
    pub(crate) fn enumeration(&mut self, docs: &[&str], name: &str, values: &[(&str, u32)]) {
        self.text += "\n";
        self.comment("", docs);
        let values: Vec<String> = values.iter().map(|(name, number)| format!("{name} = {number}")).collect();
        let _ = writeln!(self.text, "enum class {name} : uint32_t {{ {} }};", values.join(", "));
    }

    /// Adds a record.
    pub(crate) fn record(&mut self, record: &Record<'_>) {
        self.text += "\n";
        self.comment("", record.docs);
        let align = record.align.map_or(String::new(), |bytes| format!("alignas({bytes}) "));
        let _ = writeln!(self.text, "struct {align}{} {{", record.name);
        for field in record.fields {
            self.comment("    ", field.docs);
            let _ = writeln!(self.text, "    {};", declaration(field.kind, field.name));
        }
        let _ = writeln!(self.text, "}};\nstatic_assert(sizeof({}) == {}, \"as in Rust\");", record.name, record.size);
    }

    /// Returns the whole text.
    pub(crate) fn finish(self) -> String {
        self.text + "\n}  // namespace ogc\n"
    }

    fn comment(&mut self, indent: &str, docs: &[&str]) {
        for line in docs {
            let _ = writeln!(self.text, "{indent}///{line}");
        }
    }
}

/// Returns the declaration of a field in C++, given its type in Rust.
fn declaration(kind: &str, name: &str) -> String {
    let array = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')).and_then(|kind| kind.rsplit_once(';'));
    if let Some((element, len)) = array {
        return declaration(element.trim(), &format!("{name}[{}]", len.trim()));
    }
    if let Some(target) = kind.strip_prefix("*const ") {
        return format!("const {}* {name}", type_name(target));
    }
    if let Some(target) = kind.strip_prefix("*mut ") {
        return format!("{}* {name}", type_name(target));
    }
    format!("{} {name}", type_name(kind))
}

/// Returns the name of a type in C++; records have the same name in both languages.
fn type_name(kind: &str) -> &str {
    match kind {
        "u16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i32" => "int32_t",
        "f32" => "float",
        "c_void" => "void",
        record => record,
    }
}

#[cfg(test)]
mod tests {
    use super::declaration;

    #[test]
    fn fields_are_declared_in_cpp() {
        assert_eq!(declaration("[[u32; SET_WORDS]; MOST_SETS]", "sets"), "uint32_t sets[MOST_SETS][SET_WORDS]");
        assert_eq!(declaration("*const c_void", "logits"), "const void* logits");
        assert_eq!(declaration("*mut Slot", "slots"), "Slot* slots");
        assert_eq!(declaration("Frame", "top"), "Frame top");
    }
}
