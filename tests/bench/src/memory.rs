//! Reads the process's resident memory, as the kernel counts it.
//!
//! Two engines in one process share one peak: run each alone for its own figure. The memory that an engine *keeps* is
//! approximated by the sum of the changes of resident memory over its turns.

/// Returns the resident memory now, in KiB; 0 if the system does not report it.
pub(crate) fn resident_kib() -> i64 {
    field("VmRSS:")
}

/// Returns the peak of resident memory so far, in KiB; 0 if the system does not report it.
pub(crate) fn peak_kib() -> i64 {
    field("VmHWM:")
}

fn field(name: &str) -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    value.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
