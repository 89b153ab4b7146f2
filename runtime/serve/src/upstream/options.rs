//! Which server writes the texts, and how it is asked.

use std::fmt;

use reqwest::Url;

use super::dialect::Dialect;

/// Another server that writes the texts, and how it is asked.
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
    /// The address that paths such as `/chat/completions` follow; ends without a slash.
    url: String,
    /// What the server reads.
    pub dialect: Dialect,
    /// How often a text that is not of its format is begun again or gone on with.
    pub retries: usize,
    /// The key with which the server is asked, in place of those of requests.
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

/// The reason why a server cannot be asked.
///
/// ```
/// use ogc_serve::{Dialect, UpstreamOptions};
/// let error = UpstreamOptions::new("ftp://x", Dialect::OpenAi).expect_err("another protocol");
/// assert!(error.to_string().contains("http"));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    /// The address is none of HTTP.
    #[error("`{given}` is no address of a server: {reason}; write for example http://127.0.0.1:8000/v1")]
    Url {
        /// The address.
        given: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Connections cannot be made.
    #[error("connections cannot be made: {reason}")]
    Client {
        /// What is wrong.
        reason: String,
    },
}

impl UpstreamOptions {
    /// Makes the options of a server at an address, with two retries and no key. `/v1` is added to an address without a path.
    ///
    /// # Errors
    /// The address is none of HTTP.
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

    /// Returns the address that paths such as `/chat/completions` follow.
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
