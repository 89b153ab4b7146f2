//! Any bytes as a pool of rows, and an artifact whose rows are in it: an error with a reason, or masks; no panic.
//!
//! Inputs are used unchanged, or as changes to a good pool.

#![no_main]

mod forged;

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use ogc_runtime::artifact::{Artifact, write_pooled};
use ogc_runtime::mask::{MaskStore, RowPool, RowPoolBuilder};

struct Good {
    artifact: Vec<u8>,
    pool: Vec<u8>,
    store: Arc<MaskStore>,
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let (format, masks, store) = forged::format();
        let mut pool = RowPoolBuilder::new(store.vocabulary());
        pool.add(&masks).expect("rows of the vocabulary");
        Good { artifact: write_pooled(&format, &masks), pool: pool.finish(), store }
    })
}

fuzz_target!(|input: forged::Input| {
    let Ok(pool) = RowPool::open(forged::bytes(input, &good().pool)) else { return };
    let Ok(artifact) = Artifact::load_with(good().artifact.clone(), &Arc::new(pool)) else { return };
    forged::step(&artifact, &good().store);
});
