//! Pointers from C as references and slices. Null is an error; all other validity is the caller's promise.

use crate::status::Failure;

/// Returns a shared reference to the target of a pointer.
///
/// # Safety
///
/// The pointer is null, or points to a `T` that nobody changes during `'a`.
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: as this function's.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::argument(&format!("{name} is null")))
}

/// Returns a mutable reference to the target of a pointer.
///
/// # Safety
///
/// The pointer is null, or points to a `T` that nobody else uses during `'a`.
pub(crate) unsafe fn unique<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    // SAFETY: as this function's.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::argument(&format!("{name} is null")))
}

/// Returns the `len` elements at a pointer; null is valid if `len` is 0.
///
/// # Safety
///
/// The pointer is null, or points to `len` elements that nobody changes during `'a`.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, len: usize, name: &str) -> Result<&'a [T], Failure> {
    check_len::<T>(pointer.is_null(), len, name)?;
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: the pointer is not null, and the length fits in memory; the rest as this function's.
    Ok(unsafe { std::slice::from_raw_parts(pointer, len) })
}

/// Returns the elements of an optional list; `None` for null, for which `len` must be 0.
///
/// # Safety
///
/// As for [`slice()`].
pub(crate) unsafe fn optional_slice<'a, T>(
    pointer: *const T,
    len: usize,
    name: &str,
) -> Result<Option<&'a [T]>, Failure> {
    // SAFETY: as this function's.
    let elements = unsafe { slice(pointer, len, name) }?;
    Ok((!pointer.is_null()).then_some(elements))
}

/// Returns the `len` elements at a pointer, mutable; null is valid if `len` is 0.
///
/// # Safety
///
/// The pointer is null, or points to `len` elements that nobody else uses during `'a`.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, len: usize, name: &str) -> Result<&'a mut [T], Failure> {
    check_len::<T>(pointer.is_null(), len, name)?;
    if len == 0 {
        return Ok(&mut []);
    }
    // SAFETY: the pointer is not null, and the length fits in memory; the rest as this function's.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, len) })
}

fn check_len<T>(is_null: bool, len: usize, name: &str) -> Result<(), Failure> {
    if is_null && len > 0 {
        return Err(Failure::argument(&format!("{name} is null")));
    }
    match len.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok()) {
        true => Ok(()),
        false => Err(Failure::argument(&format!("{name} has {len} elements, more than memory has"))),
    }
}

/// Passes an object to C, which frees it by [`take`].
pub(crate) fn give<T>(object: T, out: &mut *mut T) {
    *out = Box::into_raw(Box::new(object));
}

/// Frees an object; does nothing for null.
///
/// # Safety
///
/// The pointer is null, or from [`give`], and is not used again.
pub(crate) unsafe fn take<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the pointer is from `Box::into_raw`, and nobody uses it again.
        drop(unsafe { Box::from_raw(pointer) });
    }
}
