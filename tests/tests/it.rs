//! All integration tests of this crate: one program, so that one is linked.

mod ambiguous_grammars;
mod canonical;
mod captures;
mod dependencies;
mod device_masks;
mod device_proof;
mod device_steps;
mod distinct_items;
mod distinct_keys;
mod distinct_several;
mod events;
mod export;
mod forced;
#[path = "../../runtime/core/tests/formats/mod.rs"]
mod formats;
mod generate;
#[path = "../../runtime/cuda/tests/host/mod.rs"]
mod host;
mod key_conditions;
mod likeness;
mod mask_exactness;
mod mask_exactness_ogc;
mod maskbench_sample;
mod official_suite;
mod oracle_grammar;
mod oracle_ogc;
mod oracle_schema;
mod peer_cases;
mod policies;
mod readers;
mod reference;
mod round_trip;
mod round_trip_grammars;
#[path = "../../runtime/cuda/tests/rows/mod.rs"]
mod rows;
mod schemastore;
#[path = "../../runtime/cuda/tests/script/mod.rs"]
mod script;
mod textmate;
mod tidy;
mod words;
