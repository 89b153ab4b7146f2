//! Tests of the server over real sockets, with a small model of random weights or in front of a mock of another server.

mod access;
mod drafts;
mod failures;
mod fields;
mod old_forms;
mod other_names;
mod prefixes;
mod responses;
mod running;
mod sharing;
