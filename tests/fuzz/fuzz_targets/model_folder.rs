//! Any bytes as one of the files of a model's folder: `config.json`, `tokenizer.json`, safetensors, their index, and a
//! chat template; an error with a reason, or a model; no panic.

#![no_main]

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use ogc_generate::LoadedModel;

fn good() -> &'static BTreeMap<&'static str, Vec<u8>> {
    static GOOD: OnceLock<BTreeMap<&'static str, Vec<u8>>> = OnceLock::new();
    GOOD.get_or_init(ogc_kit::model::folder)
}

fuzz_target!(|input: (u8, bool, Vec<(u16, u8)>, Vec<u8>)| {
    let (which, fresh, changes, bytes) = input;
    let (name, file) = good().iter().nth(usize::from(which) % good().len()).expect("some file");
    let changed = if fresh {
        bytes
    } else {
        let mut file = file.clone();
        let len = file.len().clamp(1, 4_096);
        changes.iter().for_each(|(at, value)| file[usize::from(*at) % len] = *value);
        file
    };
    let open = |wanted: &str| {
        let file = if wanted == *name { Some(&changed) } else { good().get(wanted) };
        Ok(file.map(|file| Cursor::new(file.clone())))
    };
    drop(LoadedModel::from_folder(open));
});
