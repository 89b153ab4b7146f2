//! Code actions: corrections of findings, and refactorings.
