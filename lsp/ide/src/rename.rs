//! Rename: gives a thing another name everywhere, or says why that cannot be.
