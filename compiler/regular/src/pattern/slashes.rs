//! Patterns between slashes, as programs in JavaScript write them.

/// Returns the help for a text such as `/^a$/i`: a pattern with the slashes of a program around it, which matches nothing, as an anchor
/// stands inside of it.
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
