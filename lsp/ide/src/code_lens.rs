//! Code lenses: run the tests of a definition, build it, write samples.
