//! Any bytes as an artifact: an error with a reason, or a format that can be stepped; no panic.
//!
//! Inputs are used unchanged, or as changes to a good artifact.

#![no_main]

mod forged;

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use ogc_runtime::artifact::{Artifact, write};
use ogc_runtime::mask::MaskStore;

struct Good {
    artifact: Vec<u8>,
    store: Arc<MaskStore>,
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let (format, masks, store) = forged::format();
        Good { artifact: write(&format, Some(&masks)), store }
    })
}

fuzz_target!(|input: forged::Input| {
    let Ok(artifact) = Artifact::load(forged::bytes(input, &good().artifact)) else { return };
    forged::step(&artifact, &good().store);
});
