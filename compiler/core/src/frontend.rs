//! The front ends, one for each input language. First stage after the text.

pub mod docs;
pub mod grammar;
pub mod json_schema;
pub mod regex;
pub mod structural_tag;
pub mod tools;
