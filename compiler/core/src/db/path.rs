//! Names of files: paths with `/`, relative to one root.

/// Resolves a path relative to the folder of a file, `.` and `..` included.
///
/// ```
/// use ogc_compiler::db::beside;
/// assert_eq!(beside("a/b.ogc", "../x/./c.gbnf"), "x/c.gbnf");
/// ```
#[must_use]
pub fn beside(file: &str, path: &str) -> String {
    let file = file.replace('\\', "/");
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let rooted = path.starts_with('/') || folder.starts_with('/') && !path.starts_with('/');
    let all = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in all.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{}{}", if rooted { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn paths_are_relative_to_the_folder_of_the_file() {
        assert_eq!(beside("a/b.ogc", "c.gbnf"), "a/c.gbnf");
        assert_eq!(beside("a/b.ogc", "../x/./c.gbnf"), "x/c.gbnf");
        assert_eq!(beside("b.ogc", "../c.ogc"), "../c.ogc");
        assert_eq!(beside("/r/b.ogc", "c.ogc"), "/r/c.ogc");
        assert_eq!(beside("a/b.ogc", "/c.ogc"), "/c.ogc");
    }
}
