//! Pages: the keys and values of a few positions in all layers.

use std::sync::Arc;

/// The number of positions in a page.
pub(crate) const PAGE: usize = 16;

/// The layout of a page in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) struct PageShape {
    pub(in crate::model) layers: usize,
    /// The number of floats of one position in a layer's keys; its values take as many.
    pub(in crate::model) width: usize,
}

/// The two kinds of rows that a page keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) enum KeptRows {
    Keys,
    Values,
}

/// The keys and values of [`PAGE`] positions: layer by layer the keys, a row for each position, and then the values.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    numbers: Box<[f32]>,
}

impl Page {
    pub(super) fn new(shape: PageShape) -> Self {
        Self { numbers: vec![0.0; 2 * shape.layers * PAGE * shape.width].into() }
    }

    /// Makes a page of `layers` layers with rows of `width` numbers.
    #[cfg(test)]
    pub(in crate::model) fn empty(layers: usize, width: usize) -> Self {
        Self::new(PageShape { layers, width })
    }

    /// Returns the bytes that it takes.
    pub(in crate::model) fn bytes(&self) -> usize {
        size_of_val(&*self.numbers)
    }

    /// Returns the rows of a layer.
    pub(super) fn rows(&self, shape: PageShape, layer: usize, kept: KeptRows) -> &[f32] {
        let first = first(shape, layer, kept);
        &self.numbers[first..first + PAGE * shape.width]
    }

    /// Writes rows of a layer from a position of the page on.
    pub(super) fn write(&mut self, shape: PageShape, (layer, kept): (usize, KeptRows), at: usize, rows: &[f32]) {
        let first = first(shape, layer, kept) + at * shape.width;
        self.numbers[first..first + rows.len()].copy_from_slice(rows);
    }
}

/// Returns the index at which the rows of a layer begin.
fn first(shape: PageShape, layer: usize, kept: KeptRows) -> usize {
    (2 * layer + usize::from(kept == KeptRows::Values)) * PAGE * shape.width
}

/// The pages of one text: first those that may be shared, which are full and do not change, then its own.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    shape: PageShape,
    shared: Vec<Arc<Page>>,
    own: Vec<Page>,
}

impl Pages {
    /// Makes an empty list with room for the pages of about `positions` positions; pages are made as they are filled.
    pub(super) fn new(shape: PageShape, positions: usize) -> Self {
        Self { shape, shared: Vec::with_capacity(positions.div_ceil(PAGE)), own: Vec::new() }
    }

    /// Writes rows of a layer from a position on, after all positions that are kept. They may replace rows of an
    /// earlier pass that was not counted.
    pub(super) fn write(&mut self, of: (usize, KeptRows), mut position: usize, mut rows: &[f32]) {
        while !rows.is_empty() {
            let (page, at) = (position / PAGE - self.shared.len(), position % PAGE);
            if page == self.own.len() {
                self.own.push(Page::new(self.shape));
            }
            let (now, later) = rows.split_at(rows.len().min((PAGE - at) * self.shape.width));
            self.own[page].write(self.shape, of, at, now);
            position += now.len() / self.shape.width;
            rows = later;
        }
    }

    /// Returns the rows of a layer, page by page.
    pub(super) fn rows(&self, layer: usize, kept: KeptRows) -> Vec<&[f32]> {
        let pages = self.shared.iter().map(|page| &**page).chain(&self.own);
        pages.map(|page| page.rows(self.shape, layer, kept)).collect()
    }

    /// Keeps the first `len` positions. If a shared page is kept in part, the text gets a copy of its own.
    pub(super) fn truncate(&mut self, len: usize) {
        let whole = len / PAGE;
        if whole >= self.shared.len() {
            self.own.truncate(len.div_ceil(PAGE) - self.shared.len());
            return;
        }
        self.own.clear();
        if !len.is_multiple_of(PAGE) {
            self.own.push(Page::clone(&self.shared[whole]));
        }
        self.shared.truncate(whole);
    }

    /// Shares the pages whose positions are all among the first `len`; returns all shared pages.
    pub(super) fn share(&mut self, len: usize) -> &[Arc<Page>] {
        let full = (len / PAGE).saturating_sub(self.shared.len()).min(self.own.len());
        self.shared.extend(self.own.drain(..full).map(Arc::new));
        &self.shared
    }

    /// Adopts a page that another text has filled with the same positions, if this text has no page of its own; returns whether it did.
    pub(super) fn adopt(&mut self, page: Arc<Page>) -> bool {
        if !self.own.is_empty() {
            return false;
        }
        self.shared.push(page);
        true
    }
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::*;

    const SHAPE: PageShape = PageShape { layers: 2, width: 3 };

    /// Pages, and the rows that they should hold: for each position its number in all layers.
    #[derive(Clone)]
    struct Both {
        pages: Pages,
        plain: Vec<f32>,
    }

    impl Both {
        fn write(&mut self, random: &mut Random) {
            let added: Vec<f32> = (0..random.below(40)).map(|_| random.below(1 << 20) as f32).collect();
            for layer in 0..SHAPE.layers {
                for (kept, more) in [(KeptRows::Keys, 0.25), (KeptRows::Values, 0.5)] {
                    let rows: Vec<f32> = added.iter().flat_map(|number| [number + layer as f32 + more; 3]).collect();
                    self.pages.write((layer, kept), self.plain.len(), &rows);
                }
            }
            self.plain.extend(added);
        }

        fn check(&self) {
            for layer in 0..SHAPE.layers {
                for (kept, more) in [(KeptRows::Keys, 0.25), (KeptRows::Values, 0.5)] {
                    let found: Vec<f32> = self.pages.rows(layer, kept).concat();
                    let expected: Vec<f32> =
                        self.plain.iter().flat_map(|number| [number + layer as f32 + more; 3]).collect();
                    assert_eq!(found[..expected.len()], expected);
                    assert!(found.len() < expected.len() + PAGE * SHAPE.width, "no page is empty");
                }
            }
        }
    }

    #[test]
    fn paged_and_contiguous_caches_hold_the_same_values() {
        let mut random = Random::new(7);
        let mut texts = vec![Both { pages: Pages::new(SHAPE, 0), plain: Vec::new() }];
        let (mut adopted, mut copied) = (0, 0);
        for _ in 0..4_000 {
            let at = random.below(texts.len());
            match random.below(6) {
                0 | 1 => texts[at].write(&mut random),
                2 => {
                    let text = &mut texts[at];
                    let len = random.below(text.plain.len() + 1);
                    let len = if random.below(2) == 0 { len / PAGE * PAGE } else { len };
                    copied += usize::from(len / PAGE < text.pages.shared.len() && !len.is_multiple_of(PAGE));
                    text.pages.truncate(len);
                    text.plain.truncate(len);
                }
                3 => {
                    let len = texts[at].plain.len();
                    assert_eq!(texts[at].pages.share(len).len(), len / PAGE);
                }
                4 if texts.len() < 8 => texts.push(texts[at].clone()),
                _ => {
                    // A text that has the same full pages takes the next page from another text.
                    let other = texts[random.below(texts.len())].clone();
                    let text = &mut texts[at];
                    let len = text.plain.len();
                    let next = other.pages.shared.get(len / PAGE).cloned();
                    let is_whole = len.is_multiple_of(PAGE) && text.pages.share(len).len() * PAGE == len;
                    if let Some(page) = next.filter(|_| is_whole && other.plain.starts_with(&text.plain)) {
                        assert!(text.pages.adopt(page));
                        text.plain.extend(&other.plain[len..len + PAGE]);
                        adopted += 1;
                    }
                }
            }
            texts[at].check();
        }
        texts.iter().for_each(Both::check);
        assert!(adopted > 10 && copied > 50, "{adopted} adopted, {copied} copied");
    }
}
