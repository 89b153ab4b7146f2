//! Options of the server that writes the texts.

use std::fmt;

use reqwest::Url;

use super::dialect::Dialect;

/// Address, dialect, retries and key of another server that writes the texts.
///
/// ```
/// use ogc_serve::{Dialect, UpstreamOptions};
/// let options = UpstreamOptions::new("http://127.0.0.1:8000", Dialect::Vllm)?;
/// assert_eq!(options.url(), "http://127.0.0.1:8000/v1");
/// assert!(UpstreamOptions::new("127.0.0.1", Dialect::OpenAi).is_err());
/// # Ok::<(), ogc_serve::UpstreamError>(())
/// ```
#[derive(Clone)]
pub struct UpstreamOptions {
    /// Base address of paths such as `/chat/completions`; it does not end with a slash.
    url: String,
    /// Notations that the server reads.
    pub dialect: Dialect,
    /// Number of times that a text is begun again or continued after it violated its format.
    pub retries: usize,
    /// Key for the server; it replaces the keys of requests.
    pub key: Option<String>,
}

/// Leaves out the key.
impl fmt::Debug for UpstreamOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, dialect, retries, key } = self;
        let key = key.as_ref().map(|_| "(secret)");
        f.debug_struct("UpstreamOptions")
            .field("url", url)
            .field("dialect", dialect)
            .field("retries", retries)
            .field("key", &key)
            .finish()
    }
}

/// Reason why another server cannot be used.
///
/// ```
/// use ogc_serve::{Dialect, UpstreamOptions};
/// let error = UpstreamOptions::new("ftp://x", Dialect::OpenAi).expect_err("another protocol");
/// assert!(error.to_string().contains("http"));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    /// The address is not an HTTP address.
    #[error("`{given}` is no address of a server: {reason}; write for example http://127.0.0.1:8000/v1")]
    Url {
        /// The address.
        given: String,
        /// Reason why the address is invalid.
        reason: String,
    },
    /// No connections can be made.
    #[error("connections cannot be made: {reason}")]
    Client {
        /// Reason of the failure.
        reason: String,
    },
}

impl UpstreamOptions {
    /// Makes the options of a server at an address, with two retries and no key. `/v1` is added to an address without a path.
    ///
    /// # Errors
    /// The address is not an HTTP address.
    ///
    /// ```
    /// use ogc_serve::{Dialect, UpstreamOptions};
    /// let options = UpstreamOptions::new("https://example.org/api/v1/", Dialect::OpenAi)?;
    /// assert_eq!((options.url(), options.retries), ("https://example.org/api/v1", 2));
    /// # Ok::<(), ogc_serve::UpstreamError>(())
    /// ```
    pub fn new(given: &str, dialect: Dialect) -> Result<Self, UpstreamError> {
        let wrong = |reason: String| UpstreamError::Url { given: given.to_owned(), reason };
        let url = Url::parse(given).map_err(|error| wrong(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("it begins neither with `http:` nor with `https:`".to_owned()));
        }
        if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it has more than a host, a port and a path".to_owned()));
        }
        let mut url = url.as_str().trim_end_matches('/').to_owned();
        if Url::parse(&url).is_ok_and(|url| url.path() == "/") {
            url.push_str("/v1");
        }
        Ok(Self { url, dialect, retries: 2, key: None })
    }

    /// Returns the base address of paths such as `/chat/completions`.
    ///
    /// ```
    /// use ogc_serve::{Dialect, UpstreamOptions};
    /// assert_eq!(UpstreamOptions::new("http://[::1]:80/a", Dialect::Ogc)?.url(), "http://[::1]/a");
    /// # Ok::<(), ogc_serve::UpstreamError>(())
    /// ```
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}
