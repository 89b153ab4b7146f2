//! Sets of Unicode scalar values: the character classes of patterns.

/// A set of scalar values: sorted, disjoint, not adjacent, without surrogates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct CharSet {
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    /// Makes the union of ranges in any order; surrogates are left out.
    pub(crate) fn from_ranges(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (lo, hi) in ranges.into_iter().filter(|(lo, hi)| lo <= hi) {
            match merged.last_mut() {
                Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
                _ => merged.push((lo, hi)),
            }
        }
        Self { ranges: merged }.without_surrogates()
    }

    /// Makes the set of one character.
    pub(crate) fn single(one: char) -> Self {
        Self { ranges: vec![(one.into(), one.into())] }
    }

    /// Makes the set of all scalar values.
    pub(crate) fn all() -> Self {
        Self { ranges: crate::utf8::ALL.to_vec() }
    }

    fn without_surrogates(self) -> Self {
        if self.ranges.iter().all(|&(lo, hi)| hi < 0xD800 || lo > 0xDFFF) {
            return self;
        }
        let cut = self.ranges.into_iter().flat_map(|(lo, hi)| [(lo, hi.min(0xD7FF)), (lo.max(0xE000), hi)]);
        Self { ranges: cut.filter(|&(lo, hi)| lo <= hi && hi <= 0x10_FFFF).collect() }
    }

    /// Returns the ranges, sorted.
    pub(crate) fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Returns the complement of the set among the scalar values.
    pub(crate) fn complement(&self) -> Self {
        let mut out = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(lo, hi) in &self.ranges {
            if next < lo {
                out.push((next, lo - 1));
            }
            next = hi + 1;
        }
        if next <= 0x10_FFFF {
            out.push((next, 0x10_FFFF));
        }
        Self { ranges: out }.without_surrogates()
    }

    /// Returns the set closed under simple case folding.
    pub(crate) fn fold_case(&self) -> Self {
        let as_char = |value| char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        let ranges =
            self.ranges.iter().map(|&(lo, hi)| regex_syntax::hir::ClassUnicodeRange::new(as_char(lo), as_char(hi)));
        let mut class = regex_syntax::hir::ClassUnicode::new(ranges);
        class.case_fold_simple();
        Self::from(&class)
    }
}

impl From<&regex_syntax::hir::ClassUnicode> for CharSet {
    fn from(class: &regex_syntax::hir::ClassUnicode) -> Self {
        Self::from_ranges(class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect())
    }
}
