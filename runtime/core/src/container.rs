//! The container of an artifact: a header, a table of sections, aligned sections with checksums, and typed views of them.
//!
//! This is the lowest layer of loading. It knows the names of sections, but nothing of automata, masks or matchers. [`crate::artifact`]
//! lays out the sections of a format, and [`crate::mask`] the sections of masks.
//!
//! Tables of small numbers are packed ([`packed`]); text, and tables that are used in place, are not.
//!
//! All numbers are little-endian. The sections follow one another in the order of the table, the padding between them is zero, and the file
//! ends with the last section, so that every byte of the file is checked.

mod bytes;
mod error;
mod packed;
mod record;

pub(crate) use bytes::{Bytes, Table};
pub(crate) use error::check;
pub use error::{Fingerprint, LoadError};
pub(crate) use record::record;

use std::ops::Range;

use always_assert::never;
use twox_hash::XxHash3_128;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use bytes::ALIGN;

/// The first bytes of every artifact. They are not text, so that a transfer in text mode visibly damages them.
const MAGIC: [u8; 8] = *b"\x89ogc\r\n\x1a\n";

/// The version of the container that this code writes and reads.
pub(crate) const VERSION: u32 = 12;

/// Cap on the number of sections.
const MAX_SECTIONS: u32 = 64;

macro_rules! sections {
    ($($name:ident = $code:literal, $text:literal, $columns:literal;)*) => {
        /// The kind of a section.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u32)]
        pub(crate) enum SectionKind {
            $(#[doc = $text] $name = $code,)*
        }

        impl SectionKind {
            fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Returns the number of words in a record of the section's table, which packing needs; 0 if the section is never packed.
            fn columns(self) -> usize {
                match self {
                    $(Self::$name => $columns,)*
                }
            }

            /// Returns the section's name in messages.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

sections! {
    Format = 1, "format", 0;
    Rules = 2, "rules", 8;
    States = 3, "states", 8;
    Edges = 4, "edges", 3;
    Calls = 5, "calls", 5;
    Ops = 6, "operations", 6;
    Objects = 7, "objects", 8;
    Lists = 8, "lists", 1;
    Text = 9, "text", 0;
    Sources = 10, "sources", 0;
    Places = 11, "places", 4;
    Provenance = 12, "provenance", 0;
    Tokens = 13, "tokens", 0;
    Twins = 14, "twins", 2;
    Captures = 15, "captures", 0;
    Parts = 16, "parts", 3;
    Masks = 32, "masks", 0;
    Rows = 33, "rows", 5;
    RowData = 34, "row data", 0;
    Exits = 35, "exits", 2;
    ExitNodes = 36, "exit nodes", 1;
    Bases = 37, "bases", 4;
    BaseRanges = 38, "lists of bases", 1;
    BaseRuns = 39, "runs of bases", 6;
    TailRanges = 40, "lists of tails", 1;
    TailRuns = 41, "runs of tails", 8;
    Sets = 42, "key sets", 4;
    Ways = 43, "ways", 2;
    WayEntries = 44, "entries of ways", 6;
    PoolUse = 45, "use of a pool", 0;
    RowNames = 46, "names of rows", 0;
    BaseLists = 47, "states' bases", 1;
    TailLists = 48, "states' tails", 1;
    Pool = 64, "pool", 0;
    PoolRows = 65, "rows of the pool", 0;
    PoolData = 66, "row data of the pool", 0;
}

/// Form of a section that is stored as it is.
const STORED: u32 = 0;

/// Form of a section that is packed.
const PACKED: u32 = 1;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    version: u32,
    sections: u32,
    len: u64,
    /// The checksum of the version, the number of sections, the length, and the table of sections.
    checksum: [u8; 16],
    reserved: [u8; 24],
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct Entry {
    kind: u32,
    /// [`STORED`] or [`PACKED`].
    form: u32,
    offset: u64,
    len: u64,
    checksum: [u8; 16],
}

/// Returns the XXH3 hash of `parts`. It detects accidents, not attacks: an attacker can fix the checksums.
fn checksum(parts: &[&[u8]]) -> [u8; 16] {
    if let [whole] = parts {
        return XxHash3_128::oneshot(whole).to_le_bytes();
    }
    let mut hasher = XxHash3_128::new();
    parts.iter().for_each(|part| hasher.write(part));
    hasher.finish_128().to_le_bytes()
}

fn header_checksum(header: &Header, table: &[u8]) -> [u8; 16] {
    checksum(&[&header.version.to_le_bytes(), &header.sections.to_le_bytes(), &header.len.to_le_bytes(), table])
}

/// Writes sections as one artifact.
pub(crate) fn assemble(sections: &[(SectionKind, Vec<u8>)]) -> Vec<u8> {
    let table_end = size_of::<Header>() + sections.len() * size_of::<Entry>();
    let mut body = vec![0; table_end];
    let mut entries = Vec::with_capacity(sections.len());
    for (kind, content) in sections {
        body.resize(body.len().next_multiple_of(ALIGN), 0);
        let packed = packed::pack(content, kind.columns());
        let content = packed.as_ref().unwrap_or(content);
        entries.push(Entry {
            kind: *kind as u32,
            form: if packed.is_some() { PACKED } else { STORED },
            offset: body.len() as u64,
            len: content.len() as u64,
            checksum: checksum(&[content]),
        });
        body.extend_from_slice(content);
    }
    let mut header = Header {
        magic: MAGIC,
        version: VERSION,
        sections: sections.len() as u32,
        len: body.len() as u64,
        checksum: [0; 16],
        reserved: [0; 24],
    };
    header.checksum = header_checksum(&header, entries.as_slice().as_bytes());
    body[..size_of::<Header>()].copy_from_slice(header.as_bytes());
    body[size_of::<Header>()..table_end].copy_from_slice(entries.as_slice().as_bytes());
    body
}

/// The sections of an artifact whose header and checksums have been checked.
#[derive(Clone, Debug)]
pub(crate) struct Sections {
    entries: Vec<Section>,
}

/// A section, unpacked.
#[derive(Clone, Debug)]
struct Section {
    kind: SectionKind,
    bytes: Bytes,
    range: Range<usize>,
}

impl Sections {
    /// Reads the header, locates every section, and compares every checksum.
    pub(crate) fn open(bytes: Bytes) -> Result<Self, LoadError> {
        let placed = placed(bytes.as_slice())?;
        for (entry, kind, range) in &placed {
            let content = bytes.as_slice().get(range.clone());
            never!(content.is_none(), "the section {} was placed outside", kind.name());
            let content = content.unwrap_or_default();
            if checksum(&[content]) != entry.checksum {
                return Err(LoadError::Corrupt { section: kind.name() });
            }
        }
        Self::unpack(&bytes, placed)
    }

    /// Reads the header and locates every section. Sections that are not packed are not read.
    pub(crate) fn open_unread(bytes: Bytes) -> Result<Self, LoadError> {
        let placed = placed(bytes.as_slice())?;
        Self::unpack(&bytes, placed)
    }

    fn unpack(bytes: &Bytes, placed: Vec<Placed>) -> Result<Self, LoadError> {
        let entries = placed.into_iter().map(|(entry, kind, range)| Section::open(bytes, entry.form, kind, range));
        Ok(Self { entries: entries.collect::<Result<_, _>>()? })
    }

    /// Returns whether the artifact has a section of this kind.
    pub(crate) fn has(&self, kind: SectionKind) -> bool {
        self.entries.iter().any(|section| section.kind == kind)
    }

    /// Returns whether the artifact has no sections of masks.
    pub(crate) fn has_no_masks(&self) -> bool {
        self.entries.iter().all(|section| section.kind < SectionKind::Masks)
    }

    /// Returns a section as a table of records.
    pub(crate) fn table<T>(&self, kind: SectionKind) -> Result<Table<T>, LoadError>
    where
        T: FromBytes + Immutable + KnownLayout,
    {
        debug_assert!([0, size_of::<T>()].contains(&(4 * kind.columns())), "the words of a record of {}", kind.name());
        let invalid = |what| LoadError::Invalid { section: kind.name(), what };
        let section = self.entries.iter().find(|section| section.kind == kind).ok_or(invalid("it is missing"))?;
        Table::new(&section.bytes, section.range.clone()).ok_or(invalid("its length is not whole records"))
    }
}

impl Section {
    /// Unpacks a section if it is packed.
    fn open(bytes: &Bytes, form: u32, kind: SectionKind, range: Range<usize>) -> Result<Self, LoadError> {
        if form == STORED {
            return Ok(Self { kind, bytes: bytes.clone(), range });
        }
        let invalid = LoadError::Invalid { section: kind.name(), what: "it cannot be unpacked" };
        let packed = bytes.as_slice().get(range).filter(|_| form == PACKED && kind.columns() > 0);
        let words = packed.and_then(|packed| packed::unpack(packed, kind.columns())).ok_or(invalid)?;
        let range = 0..4 * words.len();
        Ok(Self { kind, bytes: Bytes::of_words(words), range })
    }
}

/// An entry of the table of sections, and the section's kind and byte range.
type Placed = (Entry, SectionKind, Range<usize>);

/// Reads the header and locates every section.
fn placed(all: &[u8]) -> Result<Vec<Placed>, LoadError> {
    check(cfg!(target_endian = "little"), "header", "this machine is not little-endian")?;
    let header = read_header(all)?;
    let table_end = size_of::<Header>() + header.sections as usize * size_of::<Entry>();
    let truncated = LoadError::Truncated { given: all.len() as u64, limit: header.len };
    let raw = all.get(size_of::<Header>()..table_end).ok_or_else(|| truncated.clone())?;
    if header_checksum(&header, raw) != header.checksum {
        return Err(LoadError::Corrupt { section: "header" });
    }
    if (all.len() as u64) < header.len {
        return Err(truncated);
    }
    check(all.len() as u64 == header.len, "header", "bytes after the end")?;
    let table = <[Entry]>::ref_from_bytes(raw).map_err(|_| LoadError::Corrupt { section: "header" })?;
    place(all, table, table_end)
}

fn read_header(all: &[u8]) -> Result<Header, LoadError> {
    let start = all.get(..MAGIC.len()).unwrap_or(all);
    if !MAGIC.starts_with(start) || start.is_empty() {
        return Err(LoadError::NotAnArtifact);
    }
    let (header, _) = Header::read_from_prefix(all)
        .map_err(|_| LoadError::Truncated { given: all.len() as u64, limit: size_of::<Header>() as u64 })?;
    if header.version != VERSION {
        return Err(LoadError::Version { given: header.version, supported: VERSION });
    }
    check(header.sections <= MAX_SECTIONS, "header", "too many sections")?;
    check(header.reserved == [0; 24], "header", "a reserved byte is set")?;
    Ok(header)
}

/// Finds the byte range of each section. Rejects gaps that are not zero, overlaps and duplicates.
fn place(all: &[u8], table: &[Entry], table_end: usize) -> Result<Vec<Placed>, LoadError> {
    let mut entries: Vec<Placed> = Vec::with_capacity(table.len());
    let mut end = table_end;
    for entry in table {
        let kind = SectionKind::from_code(entry.kind).filter(|_| entry.form <= PACKED);
        let kind = kind.ok_or(LoadError::Invalid { section: "header", what: "a section of an unknown kind" })?;
        let ascending = entries.last().is_none_or(|(_, last, _)| *last < kind);
        check(ascending, "header", "sections are not in order")?;
        let start = end.next_multiple_of(ALIGN);
        check(entry.offset == start as u64, "header", "a section is not in its place")?;
        let truncated =
            || LoadError::Truncated { given: all.len() as u64, limit: entry.offset.saturating_add(entry.len) };
        let len = usize::try_from(entry.len).map_err(|_| truncated())?;
        let range = start..start.checked_add(len).ok_or_else(truncated)?;
        if range.end > all.len() {
            return Err(truncated());
        }
        let gap = all.get(end..start).ok_or_else(truncated)?;
        check(gap.iter().all(|&byte| byte == 0), "header", "a byte between sections is set")?;
        end = range.end;
        entries.push((*entry, kind, range));
    }
    check(end == all.len(), "header", "bytes after the last section")?;
    Ok(entries)
}

/// Corrects all checksums of altered bytes, for tests of the validation after the checksums.
#[cfg(test)]
pub(crate) fn repair(bytes: &mut [u8]) {
    let Ok((header, _)) = Header::read_from_prefix(bytes) else {
        return;
    };
    let table_end = size_of::<Header>() + header.sections.min(MAX_SECTIONS) as usize * size_of::<Entry>();
    let Some(raw) = bytes.get(size_of::<Header>()..table_end) else {
        return;
    };
    let table: Vec<Entry> =
        raw.chunks_exact(size_of::<Entry>()).filter_map(|raw| Entry::read_from_bytes(raw).ok()).collect();
    let mut fixed = Vec::new();
    for mut entry in table {
        let from = entry.offset as usize;
        let to = from.saturating_add(entry.len as usize);
        if let Some(content) = bytes.get_mut(from..to) {
            if entry.kind == SectionKind::Captures as u32 {
                repair(content);
            }
            entry.checksum = checksum(&[content]);
        }
        fixed.extend_from_slice(entry.as_bytes());
    }
    bytes[size_of::<Header>()..table_end].copy_from_slice(&fixed);
    let sum = header_checksum(&header, &fixed);
    bytes[24..40].copy_from_slice(&sum);
}
