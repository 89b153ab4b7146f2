//! Programs in C mask, and step slots, on a device that is the host: the driver is the fake one of `ogc-cuda`. Where it finds no device, the program is
//! told so.

#![cfg(feature = "cuda")]
#![allow(clippy::disallowed_methods, reason = "compilers read and write files")]

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use ogc_runtime::artifact::{Format, write};
use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::vocabulary::Vocabulary;

/// Runs a compiler; `None`, counted as skipped, if there is none.
fn compile(arguments: &[&str]) -> Option<()> {
    match Command::new("cc").args(arguments).output() {
        Ok(output) => {
            assert!(output.status.success(), "cc {arguments:?}: {}", said(&output));
            Some(())
        }
        Err(_) => {
            ogc_kit::skip("devices in C: no C compiler `cc`");
            None
        }
    }
}

fn said(output: &Output) -> String {
    [&*output.stdout, &*output.stderr].map(String::from_utf8_lossy).concat()
}

/// Runs the program that masks.
fn check(behaviour: Option<&str>, arguments: &[&str]) {
    check_program("device", behaviour, arguments, "ok\n");
}

/// Runs a program with a driver that behaves in a way, as `runtime/cuda/tests/fake` lists them, or with none; it prints what is expected.
fn check_program(program: &str, behaviour: Option<&str>, arguments: &[&str], expected: &str) {
    if !cfg!(target_os = "linux") {
        return ogc_kit::skip("devices in C: libraries are found otherwise on this system");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let here = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(path).to_str().expect("a path").to_owned();
    let (name, driver, program) = (program, place("libcuda.so"), place(program));
    let test = std::env::current_exe().expect("a path");
    let library = test.parent().expect("a folder").join("libogc_capi.a").to_str().expect("a path").to_owned();
    let fake = ["-std=gnu11", "-shared", "-fPIC", "-o", &driver, &here("../cuda/tests/fake/cuda.c")];
    let (include, source) = (here("include"), here(&format!("tests/c/{name}.c")));
    let flags = ["-std=c99", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-I", &include];
    let files = [&*source, &library, "-lpthread", "-ldl", "-lm", "-o", &program];
    if behaviour.is_some() && compile(&fake).is_none() || compile(&[&flags[..], &files].concat()).is_none() {
        return;
    }
    let mut run = Command::new(&program);
    run.args(arguments).env("LD_LIBRARY_PATH", folder.path()).env_remove("OGC_FAKE_DRIVER");
    if let Some(behaviour) = behaviour {
        run.env("OGC_FAKE_DRIVER", behaviour);
    }
    let output = run.output().expect("it runs");
    assert!(output.status.success() && said(&output) == expected, "{behaviour:?}: {}", said(&output));
}

#[test]
fn logits_are_masked_in_c() {
    check(Some("Works"), &["masks"]);
}

#[test]
fn without_a_device_the_reason_is_reported() {
    check(Some("NoDevice"), &["none", "the CUDA driver finds no device"]);
    check(Some("TooOldDriver"), &["none", "the driver supports CUDA 11.8, the kernels need 12.0: update the driver"]);
}

#[test]
fn without_a_driver_the_reason_is_reported() {
    if let Err(ogc_cuda::CudaError::NoDriver) = ogc_cuda::Device::open(0) {
        let expected = "no CUDA driver was found: libcuda is not where the system looks for libraries";
        check(None, &["none", expected]);
    } else {
        ogc_kit::skip("devices in C without a driver: there is one");
    }
}

/// Writes the artifact of `ab+` with masks and one without, over the tokens of `slots.c`.
fn artifacts(folder: &Path) -> [String; 2] {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("ab+", 0);
    let [start, middle, end] = [0; 3].map(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.edge(start, b'a', b'a', OpId::NONE, middle);
    builder.edge(middle, b'b', b'b', OpId::NONE, end);
    builder.edge(end, b'b', b'b', OpId::NONE, end);
    builder.accept(end);
    let automaton = builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format");
    let format = Format::new(Arc::new(automaton));
    let texts = [Some("a"), Some("b"), Some("ab"), Some("ba")];
    let vocabulary = Vocabulary::from_tokens(&texts, &[("</s>", 4)]).expect("a vocabulary");
    let store = MaskStore::new(Arc::new(vocabulary));
    let masks = MaskPack::build(&format.automaton, &store, &PackLimits::default(), |_, _| {}).expect("masks");
    [("masks.ogca", Some(&masks)), ("none.ogca", None)].map(|(name, masks)| {
        let path = folder.join(name);
        std::fs::write(&path, write(&format, masks)).expect("a file");
        path.to_str().expect("a path").to_owned()
    })
}

#[test]
fn slots_are_stepped_in_c() {
    let folder = tempfile::tempdir().expect("a folder");
    let [masks, none] = artifacts(folder.path());
    let launches = "\
        ogc_begin: 3 x 1 blocks of 32 on the default stream\n\
        ogc_locate: 3 x 1 blocks of 32 on the default stream\n\
        ogc_advance: 3 x 1 blocks of 32 on the default stream\n\
        ogc_locate: 3 x 1 blocks of 32 on the default stream\n\
        ogc_rollback: 3 x 1 blocks of 32 on the default stream\n\
        ogc_locate: 3 x 1 blocks of 32 on the default stream\n\
        ogc_fill: 1 x 3 blocks of 256 on the default stream\n\
        ogc_begin: 1 x 1 blocks of 32 on the default stream\n\
        ogc_locate: 1 x 1 blocks of 32 on the default stream\n\
        ogc_step_bf16: 1 x 2 blocks of 256 on the default stream\n\
        ogc_run: 3 x 1 blocks of 32 on the default stream\n\
        ogc_draft: 2 x 1 blocks of 32 on the default stream\n\
        ogc_step_bf16: 1 x 4 blocks of 256 on the default stream\n\
        ogc_verify: 2 x 1 blocks of 32 on the default stream\n\
        ogc_locate: 1 x 1 blocks of 32 on its stream\n\
        ok\n";
    check_program("slots", Some("Works"), &[&masks, &none], launches);
}
