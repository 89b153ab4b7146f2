//! Blocks of memory for structs of parameters, which are passed by value and whose layouts change from version to version.
//!
//! A block is larger than any of the structs. The library writes its defaults at the beginning of one, and reads them again when the block is passed to
//! it: structs of more than 16 bytes are passed in memory, on x86-64 and on 64-bit ARM. As the block is filled with a pattern before, it is
//! seen how much the library has written, which is the size of its struct.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

/// A function that returns a struct in memory, not to be called as such: see [`Parameters::of`].
pub(crate) type ReturnsStruct = unsafe extern "C" fn();

/// The bytes of a block; the largest struct has 160.
pub(crate) const BLOCK: usize = 1024;

/// What a block is filled with; no default has such bytes.
pub(crate) const PATTERN: u8 = 0xa5;

/// A struct of parameters, and room behind it.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters(pub(crate) [u8; BLOCK]);

impl Parameters {
    /// Returns the defaults of a library.
    ///
    /// # Safety
    /// The function takes nothing and returns a struct of more than 16 bytes and at most [`BLOCK`].
    pub(crate) unsafe fn of(function: ReturnsStruct) -> Self {
        let mut block = Self([PATTERN; BLOCK]);
        // SAFETY: as the caller says, and the block has room for the struct.
        unsafe { return_into(function, &raw mut block) };
        block
    }

    /// Writes a field.
    pub(crate) fn set(&mut self, offset: usize, bytes: [u8; 4]) {
        self.0[offset..offset + 4].copy_from_slice(&bytes);
    }
}

/// Whether it is known here how structs are returned.
pub(crate) const IS_KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// Has a function return a struct into a block.
///
/// # Safety
/// The function takes nothing and returns a struct of more than 16 bytes, for which the block has room.
#[cfg(not(target_arch = "aarch64"))]
unsafe fn return_into(function: ReturnsStruct, block: *mut Parameters) {
    // SAFETY: on x86-64, with the conventions of System V and of Windows alike, where a large struct goes is passed as a first argument.
    // Elsewhere this is not called ([`IS_KNOWN`]).
    unsafe {
        let function =
            std::mem::transmute::<ReturnsStruct, unsafe extern "C" fn(*mut Parameters) -> *mut Parameters>(function);
        function(block);
    }
}

/// Has a function return a struct into a block.
///
/// # Safety
/// The function takes nothing and returns a struct of more than 16 bytes, for which the block has room.
#[cfg(target_arch = "aarch64")]
unsafe fn return_into(function: ReturnsStruct, block: *mut Parameters) {
    // SAFETY: on 64-bit ARM, where a large struct goes is in the register x8; everything that a function may change is named.
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
    fn what_is_written_is_seen_and_passed_on() {
        // SAFETY: it is called with the convention of a struct in memory alone.
        let function = unsafe { std::mem::transmute::<extern "C" fn() -> Thirty, ReturnsStruct>(thirty) };
        // SAFETY: it returns a struct of 30 bytes.
        let block = unsafe { Parameters::of(function) };
        assert_eq!(block.0[..30], [7; 30]);
        assert_eq!(block.0[30..], [PATTERN; BLOCK - 30]);
        assert_eq!(sum(block), 30 * 7 + (BLOCK as u32 - 30) * u32::from(PATTERN));
    }
}
