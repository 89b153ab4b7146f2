//! Patterns between slashes, as JavaScript programs write them.

/// Returns the advice for a text such as `/^a$/i`: a pattern that still has the slashes of a JavaScript literal. It
/// matches nothing, as its anchors stand inside the slashes.
///
/// ```
/// use ogc_regular::pattern::help_for_slashes;
/// assert_eq!(help_for_slashes("/^a$/"), Some("leave the slashes out, which programs write around a pattern"));
/// assert!(help_for_slashes("/^a$/i").is_some_and(|help| help.contains("(?i)")));
/// assert_eq!(help_for_slashes("^/v1/$"), None);
/// ```
#[must_use]
pub fn help_for_slashes(pattern: &str) -> Option<&'static str> {
    let (body, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    let is_anchored = body.starts_with('^') || body.ends_with('$') && !body.ends_with("\\$");
    if !is_anchored || !flags.bytes().all(|flag| b"dgimsuvy".contains(&flag)) {
        return None;
    }
    Some(match flags.contains('i') {
        true => {
            "leave the slashes out, which programs write around a pattern, and write `(?i)` in front for the flag `i`"
        }
        false => "leave the slashes out, which programs write around a pattern",
    })
}
