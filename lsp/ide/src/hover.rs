//! Hover: what the name at the cursor is, and what it costs.
