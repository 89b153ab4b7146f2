//! Error messages without a driver, without a device, or with an old one: with a fake driver in a process of its own.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the process with the fake driver answers by printing")]

use crate::fake;

use fake::Behaviour;
use ogc_cuda::{Device, DeviceInfo};

/// The error message for a second device.
const SECOND: &str = "there is no device 1: devices are numbered from 0, and there are 1";

/// Returns the message of opening a device.
fn said(ordinal: u32) -> String {
    match Device::open(ordinal) {
        Ok(device) => {
            let DeviceInfo { name, capability: (major, minor), driver, kernels } = device.info();
            format!("{name} {major}.{minor}, CUDA {driver}: {kernels}")
        }
        Err(error) => error.to_string(),
    }
}

/// Checks the messages of opening device 0 and device 1 with a driver of this behaviour.
fn check(test: &str, behaviour: Behaviour, first: &str, second: &str) {
    if fake::is_here() {
        println!("0: {}\n1: {}", said(0), said(1));
        return;
    }
    let Some(output) = fake::run(&format!("driver::{test}"), behaviour) else { return };
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let expected = format!("0: {first}\n1: {second}\n");
    assert!(output.status.success() && stdout.contains(&expected), "expected {expected}found {stdout}\n{stderr}");
}

#[test]
fn a_device_is_opened() {
    let first = "a fake device 9.5, CUDA 13.1: code of compute capability 9.0";
    check("a_device_is_opened", Behaviour::Works, first, SECOND);
}

#[test]
fn a_device_without_code_uses_ptx() {
    let first = "a fake device 12.5, CUDA 13.1: PTX, compiled by the driver";
    check("a_device_without_code_uses_ptx", Behaviour::NewDevice, first, SECOND);
}

#[test]
fn ptx_replaces_code_that_the_device_refuses() {
    let first = "a fake device 9.5, CUDA 13.1: PTX, compiled by the driver, as the code was refused: \
                 cuModuleLoadData failed: CUDA_ERROR_INVALID_IMAGE: another error";
    check("ptx_replaces_code_that_the_device_refuses", Behaviour::RefusesCode, first, SECOND);
}

#[test]
fn a_library_that_lacks_a_function_is_refused() {
    let said = "the CUDA driver that was found has no function cuMemcpyDtoH_v2: it is too old, or a stub";
    check("a_library_that_lacks_a_function_is_refused", Behaviour::Incomplete, said, said);
}

#[test]
fn a_driver_without_devices_is_reported() {
    let said = "the CUDA driver finds no device";
    check("a_driver_without_devices_is_reported", Behaviour::NoDevice, said, said);
}

#[test]
fn an_unknown_error_code_is_reported_by_number() {
    let said = "cuInit failed: an unknown error: code 4242";
    check("an_unknown_error_code_is_reported_by_number", Behaviour::NewError, said, said);
}

#[test]
fn a_device_count_of_zero_is_reported() {
    let said = "the CUDA driver finds no device";
    check("a_device_count_of_zero_is_reported", Behaviour::Empty, said, said);
}

#[test]
fn an_old_driver_takes_ptx() {
    let first = "a fake device 9.5, CUDA 12.0: PTX, compiled by the driver";
    check("an_old_driver_takes_ptx", Behaviour::OldDriver, first, SECOND);
}

#[test]
fn a_driver_that_is_too_old_is_refused() {
    let said = "the driver supports CUDA 11.8, the kernels need 12.0: update the driver";
    check("a_driver_that_is_too_old_is_refused", Behaviour::TooOldDriver, said, said);
}

#[test]
fn an_old_device_is_refused() {
    let first = "the device has compute capability 7.5, the kernels need 8.0";
    check("an_old_device_is_refused", Behaviour::OldDevice, first, SECOND);
}

#[test]
fn a_device_opens_while_another_thread_captures_a_graph() {
    let first = "a fake device 9.5, CUDA 13.1: code of compute capability 9.0";
    check("a_device_opens_while_another_thread_captures_a_graph", Behaviour::AnotherRecords, first, SECOND);
}

#[test]
fn kernels_that_the_jit_refuses_are_reported() {
    let first = "cuModuleLoadData failed: CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed";
    check("kernels_that_the_jit_refuses_are_reported", Behaviour::RefusesKernels, first, SECOND);
}
