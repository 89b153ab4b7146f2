//! Tools for working with formats, for the command line and for editors: sample them, try texts and tests on them, draw
//! them, correct them, and read their settings and vocabularies.
//!
//! Everything here is a function over the compiler's database, or over an automaton, that returns plain data. The crate
//! knows no files, terminals or protocols: its callers read files, keep the database and show results.
//!
//! | module | does |
//! |---|---|
//! | [`attempt`] | tries a text: how far it is accepted, what may follow, why it is refused |
//! | [`cases`] | runs the cases of `test` items |
//! | [`correct`] | applies the corrections of findings that lose nothing |
//! | [`diagram`] | draws definitions as railroad diagrams |
//! | [`difference`] | finds texts that one of two formats accepts and the other refuses |
//! | [`mask_view`] | shows the tokens that may follow, in groups, and why one may not |
//! | [`repair`] | finds a text of a format near to one that it refuses |
//! | [`sample`] | writes random texts |
//! | [`settings`] | reads `ogc.toml`, and lists what may stand in it |
//! | [`vocabulary`] | reads vocabularies, and encodes texts in their tokens |
//! | [`describe`], [`words`], [`markup`] | write sets of characters, numbers and markup for people |

pub mod attempt;
pub mod cases;
pub mod correct;
mod cut;
pub mod describe;
pub mod diagram;
pub mod difference;
pub mod markup;
pub mod mask_view;
pub mod random;
pub mod repair;
pub mod sample;
pub mod settings;
pub mod vocabulary;
pub mod words;
