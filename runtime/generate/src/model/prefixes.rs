//! Beginnings of prompts that were read before: texts that begin alike share the pages of their positions.
//!
//! A page is identified by its tokens and by the page before it, so that it stands for all tokens from the beginning on. Pages are compared
//! token by token, and no hash is trusted. When all pages together exceed the limit of bytes, pages that no page follows are evicted, the
//! least recently used first. A text that uses an evicted page keeps it.
//!
//! Texts share pages within a group only, such as that of one client, so that the time to read a prompt reveals nothing of the prompts of others.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ogc_runtime::vocabulary::TokenId;

use super::cache::Page;

/// The page before a page, or the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BeforePage {
    /// The beginning of a text of a group.
    Group(u64),
    /// The beginning of a text of a group, for pages that a draft model has read.
    DraftGroup(u64),
    /// The page of this number.
    Page(u64),
}

/// The identity of a page: its tokens, and the page before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PageKey {
    before: BeforePage,
    tokens: Box<[TokenId]>,
}

#[derive(Debug)]
struct KnownPage {
    key: PageKey,
    page: Arc<Page>,
    /// The number of known pages that follow it.
    behind: usize,
    /// The time of its last use, on the clock of [`Known`].
    used: u64,
}

/// The known pages; a number is never given twice.
#[derive(Debug, Default)]
struct Known {
    numbers: HashMap<PageKey, u64>,
    pages: HashMap<u64, KnownPage>,
    /// The pages that no known page follows, by the time of their last use.
    last: BTreeSet<(u64, u64)>,
    next: u64,
    clock: u64,
    bytes: usize,
    dropped: u64,
}

impl Known {
    fn touch(&mut self, number: u64) {
        self.clock += 1;
        let Some(known) = self.pages.get_mut(&number) else { return };
        if known.behind == 0 {
            self.last.remove(&(known.used, number));
            self.last.insert((self.clock, number));
        }
        known.used = self.clock;
    }

    /// Counts one page more or one page less that follows another.
    fn count_behind(&mut self, before: BeforePage, added: bool) {
        let BeforePage::Page(number) = before else { return };
        let Some(known) = self.pages.get_mut(&number) else { return };
        match added {
            true => known.behind += 1,
            false => known.behind -= 1,
        }
        match known.behind {
            0 => self.last.insert((known.used, number)),
            _ => self.last.remove(&(known.used, number)),
        };
    }

    fn add(&mut self, key: PageKey, page: Arc<Page>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.clock += 1;
        self.bytes += page.bytes();
        self.count_behind(key.before, true);
        self.numbers.insert(key.clone(), number);
        self.pages.insert(number, KnownPage { key, page, behind: 0, used: self.clock });
        self.last.insert((self.clock, number));
        number
    }

    fn drop_oldest(&mut self) -> bool {
        let Some((_, number)) = self.last.pop_first() else { return false };
        let Some(known) = self.pages.remove(&number) else { return false };
        self.numbers.remove(&known.key);
        self.bytes -= known.page.bytes();
        self.dropped += 1;
        self.count_behind(known.key.before, false);
        true
    }
}

/// The usage of a prefix cache.
///
/// ```
/// let prefixes = ogc_generate::PrefixCache::new(1 << 20);
/// assert_eq!(prefixes.usage(), ogc_generate::PrefixUsage::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrefixUsage {
    /// The number of pages that are kept.
    pub pages: usize,
    /// The bytes of these pages.
    pub bytes: usize,
    /// The number of pages that were evicted to make room.
    pub dropped: u64,
}

/// Keeps the keys and values that one model, and its draft model, have computed, for texts that begin alike. Texts are the same with it and
/// without, to the bit.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_generate::{PrefixCache, Prefixes};
/// let prefixes = Prefixes { cache: Arc::new(PrefixCache::new(1 << 20)), group: 0 };
/// let prompt: Vec<_> = (0..40).map(ogc_runtime::vocabulary::TokenId).collect();
/// let request = Request { prompt, prefixes: Some(prefixes), ..request };
/// let first = generate(&loaded, matcher.fork(), request.clone(), |_| ControlFlow::Continue(()))?;
/// let second = generate(&loaded, matcher, request, |_| ControlFlow::Continue(()))?;
/// assert_eq!((first.statistics.reused, second.statistics.reused), (0, 32));
/// assert_eq!(first.text, second.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PrefixCache {
    known: Mutex<Known>,
    limit: usize,
}

impl PrefixCache {
    /// Makes an empty cache of at most `bytes` bytes.
    ///
    /// ```
    /// assert_eq!(ogc_generate::PrefixCache::new(0).usage().pages, 0);
    /// ```
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { known: Mutex::default(), limit: bytes }
    }

    /// Returns the current usage.
    ///
    /// ```
    /// assert_eq!(ogc_generate::PrefixCache::new(100).usage().bytes, 0);
    /// ```
    #[must_use]
    pub fn usage(&self) -> PrefixUsage {
        let known = self.lock();
        PrefixUsage { pages: known.pages.len(), bytes: known.bytes, dropped: known.dropped }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the page of some tokens after the page `before`, if it is kept, and the predecessor of the next page.
    pub(crate) fn find(&self, before: BeforePage, tokens: &[TokenId]) -> Option<(BeforePage, Arc<Page>)> {
        let mut known = self.lock();
        let key = PageKey { before, tokens: tokens.into() };
        let number = *known.numbers.get(&key)?;
        known.touch(number);
        let page = known.pages.get(&number).map(|known| Arc::clone(&known.page))?;
        Some((BeforePage::Page(number), page))
    }

    /// Keeps the page of some tokens after the page `before`, as long as there is room, and returns the predecessor of
    /// the next page. `None` if the page `before`, or this page itself, is not kept.
    pub(crate) fn keep(&self, before: BeforePage, tokens: &[TokenId], page: &Arc<Page>) -> Option<BeforePage> {
        let mut known = self.lock();
        let key = PageKey { before, tokens: tokens.into() };
        if let Some(&number) = known.numbers.get(&key) {
            known.touch(number);
            return Some(BeforePage::Page(number));
        }
        if matches!(before, BeforePage::Page(number) if !known.pages.contains_key(&number)) {
            return None;
        }
        let number = known.add(key, Arc::clone(page));
        while known.bytes > self.limit && known.drop_oldest() {}
        known.pages.contains_key(&number).then_some(BeforePage::Page(number))
    }
}

/// The cache in which a text finds beginnings that were read before, and the group of the text.
///
/// ```
/// use ogc_generate::{PrefixCache, Prefixes};
/// let prefixes = Prefixes { cache: std::sync::Arc::new(PrefixCache::new(1 << 20)), group: 7 };
/// assert_eq!(prefixes.group, 7);
/// ```
#[derive(Clone, Debug)]
pub struct Prefixes {
    /// The cache.
    pub cache: Arc<PrefixCache>,
    /// The group: a text finds only pages that texts of the same group have read.
    pub group: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Arc<Page> {
        Arc::new(Page::empty(1, 1))
    }

    fn tokens(first: u32) -> Vec<TokenId> {
        (first..first + 16).map(TokenId).collect()
    }

    #[test]
    fn least_recently_used_pages_are_evicted_and_leaves_before_their_parents() {
        let bytes = page().bytes();
        let cache = PrefixCache::new(3 * bytes);
        let start = BeforePage::Group(1);
        let one = cache.keep(start, &tokens(0), &page()).expect("room");
        let two = cache.keep(one, &tokens(16), &page()).expect("room");
        let other = cache.keep(start, &tokens(100), &page()).expect("room");
        assert_eq!(cache.keep(start, &tokens(0), &page()), Some(one), "it is there already");
        assert!(cache.find(start, &tokens(100)).is_some());
        // The second page of the first text is evicted: of the pages that no page follows, it was not used for longest.
        // Its first page stays.
        cache.keep(other, &tokens(116), &page()).expect("room");
        assert!(cache.find(one, &tokens(16)).is_none());
        assert_eq!(cache.keep(two, &tokens(32), &page()), None, "what stands before it is gone");
        assert_eq!(cache.find(start, &tokens(0)).map(|found| found.0), Some(one));
        assert_eq!(cache.usage(), PrefixUsage { pages: 3, bytes: 3 * bytes, dropped: 1 });
        assert!(cache.find(BeforePage::Group(2), &tokens(0)).is_none());
        // Where nothing fits, nothing is kept.
        assert_eq!(PrefixCache::new(bytes - 1).keep(start, &tokens(0), &page()), None);
    }
}
