//! Folding: the parts of a file that an editor can collapse.
