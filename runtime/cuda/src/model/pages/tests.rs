//! Tests that each text finds its own positions in its pages, whatever the others do.

use ogc_kit::Random;

use super::*;

const PAGES: u32 = 24;
const TEXTS: usize = 5;
const POSITIONS: u32 = 100;

/// The pages, and the contents that a device would have: for each position, the time of its last write.
struct Played {
    pages: Pages,
    memory: Vec<Option<u64>>,
    /// The values that each open text should find.
    texts: Vec<(ModelText, Vec<u64>)>,
    clock: u64,
}

impl Played {
    fn new() -> Self {
        let memory = vec![None; (PAGES * PAGE_POSITIONS) as usize];
        Self { pages: Pages::new(PAGES, POSITIONS), memory, texts: Vec::new(), clock: 0 }
    }

    fn place(&self, text: ModelText, position: usize) -> usize {
        let page = self.pages.table(text).unwrap()[position / PAGE_POSITIONS as usize];
        page as usize * PAGE_POSITIONS as usize + position % PAGE_POSITIONS as usize
    }

    fn copy(&mut self, copy: PageCopy) {
        let page = |page: u32| page as usize * PAGE_POSITIONS as usize;
        let from = page(copy.from);
        self.memory.copy_within(from..from + copy.positions as usize, page(copy.to));
        // The positions after the copied ones belong to no text.
        self.memory[page(copy.to) + copy.positions as usize..page(copy.to + 1)].fill(None);
    }

    /// Lets some texts grow, and writes all their new positions.
    fn grow(&mut self, wanted: &[(usize, usize)]) -> Result<(), ModelError> {
        let texts: Vec<_> = wanted.iter().map(|(at, count)| (self.texts[*at].0, *count)).collect();
        let before = self.pages.clone();
        let copies = match self.pages.grow(&texts) {
            Ok(copies) => copies,
            Err(error) => {
                assert_eq!(format!("{before:?}"), format!("{:?}", self.pages), "nothing has changed");
                return Err(error);
            }
        };
        copies.into_iter().for_each(|copy| self.copy(copy));
        for &(at, count) in wanted {
            for _ in 0..count {
                self.clock += 1;
                self.texts[at].1.push(self.clock);
                let place = self.place(self.texts[at].0, self.texts[at].1.len() - 1);
                self.memory[place] = Some(self.clock);
            }
        }
        Ok(())
    }

    /// Checks that all texts find what they wrote, and that each page without a text is free.
    fn check(&self) {
        for (text, written) in &self.texts {
            assert_eq!(self.pages.len(*text).unwrap() as usize, written.len());
            for (position, written) in written.iter().enumerate() {
                assert_eq!(self.memory[self.place(*text, position)], Some(*written));
            }
        }
        let used: std::collections::BTreeSet<u32> =
            self.texts.iter().flat_map(|(text, _)| self.pages.table(*text).unwrap().to_vec()).collect();
        assert_eq!(used.len() + self.pages.free.len(), PAGES as usize);
    }
}

#[test]
fn texts_read_back_the_pages_that_they_wrote() {
    let (mut random, mut refused) = (Random::new(1), 0);
    for _ in 0..40 {
        let mut played = Played::new();
        for _ in 0..120 {
            let count = played.texts.len();
            let step = random.below(10);
            match step {
                0 | 1 if count < TEXTS => {
                    let text = played.pages.open();
                    played.texts.push((text, Vec::new()));
                }
                2 if count > 0 && count < TEXTS => {
                    let (from, written) = played.texts[random.below(count)].clone();
                    let text = played.pages.fork(from).unwrap();
                    played.texts.push((text, written));
                }
                3 if count > 0 => {
                    let at = random.below(count);
                    let len = random.below(played.texts[at].1.len() + 2);
                    played.texts[at].1.truncate(len);
                    played.pages.truncate(played.texts[at].0, len as u32).unwrap();
                }
                4 if count > 0 => {
                    let (text, _) = played.texts.swap_remove(random.below(count));
                    played.pages.close(text).unwrap();
                    assert!(played.pages.len(text).is_err());
                }
                _ => {
                    let first = random.below(count + 1);
                    let wanted: Vec<_> = (first..count).map(|at| (at, random.below(40))).collect();
                    refused += usize::from(played.grow(&wanted).is_err());
                }
            }
            played.check();
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn growth_over_the_limits_is_refused() {
    let mut pages = Pages::new(2, 100);
    let text = pages.open();
    assert_eq!(pages.grow(&[(text, 33)]).unwrap_err(), ModelError::Pages { given: 3, limit: 2 });
    assert_eq!(pages.grow(&[(text, 101)]).unwrap_err(), ModelError::Positions { given: 101, limit: 100 });
    assert_eq!(pages.grow(&[(text, 1), (text, 1)]).unwrap_err(), ModelError::Closed { given: 0 });
    assert_eq!(pages.grow(&[(ModelText(7), 1)]).unwrap_err(), ModelError::Closed { given: 7 });
}
