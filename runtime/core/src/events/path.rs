//! Paths of values inside other values.

use std::fmt;
use std::sync::Arc;

/// One step of a path: from an object or an array to a value in it.
///
/// ```
/// use ogc_runtime::events::Step;
/// assert_ne!(Step::Key("0".into()), Step::Index(0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the member with this key (escapes decoded).
    Key(String),
    /// To the item with this index, counted from 0.
    Index(usize),
}

/// The path from the outermost value to a value in it. Clones share their steps, so that a longer path costs only its last step.
///
/// It is displayed as a JSON pointer (RFC 6901).
///
/// ```
/// use ogc_runtime::events::{Path, Step};
/// let path = Path::default().then(Step::Key("a/b".into())).then(Step::Index(2));
/// assert_eq!(path.to_string(), "/a~1b/2");
/// assert_eq!(path.last(), Some(&Step::Index(2)));
/// assert_eq!(path.parent().to_string(), "/a~1b");
/// ```
#[derive(Clone, Default)]
pub struct Path(Option<Arc<Link>>);

/// A step, and the path before it.
struct Link {
    before: Path,
    step: Step,
}

impl Path {
    /// Returns the path with one more step.
    ///
    /// ```
    /// use ogc_runtime::events::{Path, Step};
    /// assert_eq!(Path::default().then(Step::Index(0)).to_string(), "/0");
    /// ```
    #[must_use]
    pub fn then(&self, step: Step) -> Self {
        Self(Some(Arc::new(Link { before: self.clone(), step })))
    }

    /// Returns the path without its last step; an empty path stays empty.
    ///
    /// ```
    /// use ogc_runtime::events::Path;
    /// assert_eq!(Path::default().parent(), Path::default());
    /// ```
    #[must_use]
    pub fn parent(&self) -> Self {
        self.0.as_ref().map(|link| link.before.clone()).unwrap_or_default()
    }

    /// Returns the last step; `None` for the outermost value.
    ///
    /// ```
    /// use ogc_runtime::events::Path;
    /// assert_eq!(Path::default().last(), None);
    /// ```
    #[must_use]
    pub fn last(&self) -> Option<&Step> {
        self.0.as_ref().map(|link| &link.step)
    }

    /// Returns the steps, the outermost first.
    ///
    /// ```
    /// use ogc_runtime::events::{Path, Step};
    /// let path = Path::default().then(Step::Index(1)).then(Step::Key("x".into()));
    /// assert_eq!(path.steps(), [&Step::Index(1), &Step::Key("x".into())]);
    /// ```
    #[must_use]
    pub fn steps(&self) -> Vec<&Step> {
        let mut steps = Vec::new();
        let mut at = self;
        while let Some(link) = &at.0 {
            steps.push(&link.step);
            at = &link.before;
        }
        steps.reverse();
        steps
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.steps() == other.steps()
    }
}

impl Eq for Path {}

/// Drops the steps one after another, so that dropping a long path does not recurse deeply.
impl Drop for Path {
    fn drop(&mut self) {
        let mut at = self.0.take();
        while let Some(link) = at {
            at = Arc::into_inner(link).and_then(|mut link| link.before.0.take());
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.steps() {
            match step {
                Step::Key(key) => write!(to, "/{}", key.replace('~', "~0").replace('/', "~1"))?,
                Step::Index(index) => write!(to, "/{index}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{:?}", self.to_string())
    }
}
