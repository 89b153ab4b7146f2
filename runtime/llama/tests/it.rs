//! Tests of libllama as an engine, in one program.

mod llama;
