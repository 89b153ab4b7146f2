//! Says which device and driver there are, or why there is none: `cargo run -p ogc-cuda --example device`.

#![allow(clippy::print_stdout, reason = "it prints what there is")]

fn main() {
    match ogc_cuda::Device::open(0) {
        Ok(device) => {
            let ogc_cuda::DeviceInfo { name, capability: (major, minor), driver, kernels } = device.info();
            println!("device 0: {name}, compute capability {major}.{minor}; driver: CUDA {driver}; kernels: {kernels}");
        }
        Err(error) => println!("no device: {error}"),
    }
}
