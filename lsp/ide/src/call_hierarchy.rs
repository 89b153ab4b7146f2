//! Call hierarchy: which definitions a definition uses, and which use it.
