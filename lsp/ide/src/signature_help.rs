//! Signature help: the parameters of the definition whose arguments are written.
