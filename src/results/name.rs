//! Names: they become file names, CSV fields and console columns.

/// What is wrong with a name that stands in rows and tables.
#[must_use]
pub fn name_problem(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() {
        Some("is empty")
    } else if name.chars().any(char::is_control) {
        Some("has a control character")
    } else if name.len() > 1000 {
        Some("is longer than 1000 bytes")
    } else {
        None
    }
}

/// What is wrong with a name that is a folder's too.
#[must_use]
pub fn folder_name_problem(name: &str) -> Option<&'static str> {
    if let Some(problem) = name_problem(name) {
        Some(problem)
    } else if name.len() > 200 {
        Some("names a folder, and cannot be longer than 200 bytes")
    } else if name.contains(['/', '\\', '\0']) || name.starts_with('.') {
        Some("names a folder, and cannot hold `/` or `\\` or begin with `.`")
    } else {
        None
    }
}
