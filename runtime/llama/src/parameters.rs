//! Blocks of memory for parameter structs, which are passed by value and whose layouts change between versions.
//!
//! A block is larger than any of the structs. The library writes its defaults at the beginning of a block, and reads them again when the
//! block is passed to it: structs of more than 16 bytes are passed in memory, on x86-64 and on 64-bit ARM. The block is filled with a
//! pattern first, which shows how many bytes the library wrote, and so the size of its struct.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

/// A function that returns a struct in memory. It must not be called with this type: see [`Parameters::of`].
pub(crate) type ReturnsStruct = unsafe extern "C" fn();

/// Size of a block, in bytes; the largest struct has 160 bytes.
pub(crate) const BLOCK: usize = 1024;

/// Byte that fills a block; no default contains it.
pub(crate) const PATTERN: u8 = 0xa5;

/// A parameter struct, with room after it.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters(pub(crate) [u8; BLOCK]);

impl Parameters {
    /// Returns the default parameters of a library.
    ///
    /// # Safety
    /// The function takes no arguments, and returns a struct of more than 16 and at most [`BLOCK`] bytes.
    pub(crate) unsafe fn of(function: ReturnsStruct) -> Self {
        let mut block = Self([PATTERN; BLOCK]);
        // SAFETY: the caller upholds this function's conditions, and the block has room for the struct.
        unsafe { return_into(function, &raw mut block) };
        block
    }

    /// Writes a field.
    pub(crate) fn set(&mut self, offset: usize, bytes: [u8; 4]) {
        self.0[offset..offset + 4].copy_from_slice(&bytes);
    }
}

/// Whether the convention for returning structs is known on this architecture.
pub(crate) const IS_KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// Calls a function that returns a struct, which is written to the block.
///
/// # Safety
/// The function takes no arguments, and returns a struct of more than 16 bytes that fits in the block.
#[cfg(not(target_arch = "aarch64"))]
unsafe fn return_into(function: ReturnsStruct, block: *mut Parameters) {
    // SAFETY: on x86-64, the conventions of both System V and Windows pass the address for a large struct as the first argument. On other
    // architectures this is not called ([`IS_KNOWN`]).
    unsafe {
        let function =
            std::mem::transmute::<ReturnsStruct, unsafe extern "C" fn(*mut Parameters) -> *mut Parameters>(function);
        function(block);
    }
}

/// Calls a function that returns a struct, which is written to the block.
///
/// # Safety
/// The function takes no arguments, and returns a struct of more than 16 bytes that fits in the block.
#[cfg(target_arch = "aarch64")]
unsafe fn return_into(function: ReturnsStruct, block: *mut Parameters) {
    // SAFETY: on 64-bit ARM, register x8 has the address for a large struct; all registers that a function may change are named.
    unsafe {
        std::arch::asm!("blr {function}", function = in(reg) function, in("x8") block, clobber_abi("C"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    struct Thirty([u8; 30]);

    extern "C" fn thirty() -> Thirty {
        Thirty([7; 30])
    }

    extern "C" fn sum(block: Parameters) -> u32 {
        block.0.iter().map(|byte| u32::from(*byte)).sum()
    }

    #[test]
    fn struct_parameters_are_read_and_passed_by_value() {
        // SAFETY: the result is only called with the convention for a struct in memory.
        let function = unsafe { std::mem::transmute::<extern "C" fn() -> Thirty, ReturnsStruct>(thirty) };
        // SAFETY: it returns a struct of 30 bytes.
        let block = unsafe { Parameters::of(function) };
        assert_eq!(block.0[..30], [7; 30]);
        assert_eq!(block.0[30..], [PATTERN; BLOCK - 30]);
        assert_eq!(sum(block), 30 * 7 + (BLOCK as u32 - 30) * u32::from(PATTERN));
    }
}
