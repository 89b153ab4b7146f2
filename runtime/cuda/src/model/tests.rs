//! Compares kernels in the interpreter with plain loops that add in the same order, to the last bit; and whole models.

mod choices;
#[path = "../../tests/interpreter/mod.rs"]
mod interpreter;
mod kernels;
mod matmul;
#[path = "../../tests/mirror/mod.rs"]
mod mirror;
mod reference;
mod whole;

use interpreter::Interpreter;
use ogc_kit::Random;
use ogc_ptx::Module;

use crate::machine::kernel::{DeviceKernel, ModelKernel, Together, Work};
use crate::machine::launch::{KernelLaunch, KernelParameter};
use crate::weight_format::WeightFormat;

/// Returns blocks of random bits, in which floating-point numbers are of middling size.
fn blocks(random: &mut Random, format: WeightFormat, numbers: usize) -> Vec<u8> {
    let mut blocks = random.bytes(numbers / format.numbers() * format.bytes());
    // The upper bytes of the floating-point numbers of a block.
    let (upper, size): (&[usize], u8) = match format {
        WeightFormat::F32 => (&[3], 0x3e),
        WeightFormat::Bf16 => (&[1], 0x3e),
        WeightFormat::F16 | WeightFormat::Q8_0 | WeightFormat::Q4_0 => (&[1], 0x2c),
        WeightFormat::Q4_1 => (&[1, 3], 0x2c),
        WeightFormat::Groups => (&[3, 7], 0x3d),
    };
    for block in blocks.chunks_exact_mut(format.bytes()) {
        upper.iter().for_each(|&at| block[at] = block[at] & 0x80 | size);
    }
    blocks
}

fn ptx(work: Work) -> &'static str {
    DeviceKernel::Model(ModelKernel(work)).ptx().to_str().unwrap()
}

/// Returns a module with the kernels that models of these weight formats need; it lives as long as the tests run.
fn module(formats: &[WeightFormat]) -> &'static Module {
    module_with(formats, &[])
}

/// As [`module`], with further PTX texts.
fn module_with(formats: &[WeightFormat], others: &[&'static str]) -> &'static Module {
    let rest = [Work::Embed(WeightFormat::F32), Work::Norm, Work::Rope, Work::Attend, Work::Swiglu, Work::Copy];
    let matmuls = formats.iter().map(|format| Work::Matmul(*format, Together::One));
    let texts: Vec<&str> = matmuls.chain(rest).map(ptx).chain(others.iter().copied()).collect();
    Box::leak(Box::new(interpreter::module(&texts)))
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn launch(
    work: Work,
    blocks: (u32, u32),
    threads: u32,
    parameters: &(impl zerocopy::IntoBytes + zerocopy::Immutable),
) -> KernelLaunch {
    let parameters = vec![KernelParameter::Record(parameters.as_bytes().to_vec())];
    KernelLaunch { kernel: DeviceKernel::Model(ModelKernel(work)), blocks, threads, parameters }
}

#[test]
fn no_multiply_add_of_the_kernels_may_be_fused() {
    for format in WeightFormat::ALL {
        let module = module(&[format]);
        assert!(module.fusible_lines().is_empty(), "{format:?}: {:?}", module.fusible_lines());
    }
}

/// Without one of its barriers, a kernel reads memory that was not written yet, or that others write.
#[test]
fn kernels_without_one_of_their_barriers_are_found_out() {
    for (work, kernel) in [(Work::Norm, "ogc_model_norm"), (Work::Matmul(WeightFormat::F16, Together::Four), "_f16_4(")]
    {
        let text = ptx(work);
        let start = text.find(kernel).unwrap();
        let end = text[start..].find("\n}").map_or(text.len(), |end| start + end);
        let barriers: Vec<usize> = text[start..end].match_indices("bar.sync").map(|(at, _)| start + at).collect();
        assert!(!barriers.is_empty(), "{kernel}");
        for at in barriers {
            let line = at + text[at..].find(';').unwrap() + 1;
            let broken = format!("{}{}", &text[..at], &text[line..]);
            let module: &'static Module = Box::leak(Box::new(interpreter::module(&[&broken])));
            let outcome = std::panic::catch_unwind(|| match work {
                Work::Norm => kernels::check_norm(module),
                _ => matmul::check_long_rows(module),
            });
            assert!(outcome.is_err(), "{kernel} without the barrier at {at}");
        }
    }
}
