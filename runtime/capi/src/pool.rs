//! Pools of rows, which artifacts of one folder share, and formats from artifacts beside one.

use std::sync::Arc;

use ogc_runtime::artifact::Artifact;
use ogc_runtime::mask::RowPool;

use crate::format::ogc_format;
use crate::pointers::{give, shared, slice, take, unique};
use crate::status::{Failure, call, ogc_status};

/// Mask rows that several artifacts share.
#[derive(Debug)]
pub struct ogc_pool {
    pool: Arc<RowPool>,
}

/// Opens a pool, which `ogc build` writes beside artifacts as `rows-....ogcp`; the bytes are copied.
///
/// # Safety
///
/// `bytes` points to `len` bytes, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_pool_open(bytes: *const u8, len: usize, out: *mut *mut ogc_pool) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (bytes, out) = unsafe { (slice(bytes, len, "bytes")?, unique(out, "out")?) };
        let pool = RowPool::open(bytes.to_vec()).map_err(|error| Failure::data(&error))?;
        give(ogc_pool { pool: Arc::new(pool) }, out);
        Ok(())
    })
}

/// Frees a pool; formats loaded with it stay valid.
///
/// # Safety
///
/// `pool` is null, or a pool that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_pool_free(pool: *mut ogc_pool) {
    // SAFETY: as this function's.
    unsafe { take(pool) };
}

/// Loads an artifact whose rows are in a pool; one that holds its rows is loaded as it is. The bytes are copied.
///
/// # Safety
///
/// `bytes` points to `len` bytes, `pool` is a pool, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_load_with(
    bytes: *const u8,
    len: usize,
    pool: *const ogc_pool,
    out: *mut *mut ogc_format,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (bytes, pool, out) = unsafe { (slice(bytes, len, "bytes")?, shared(pool, "pool")?, unique(out, "out")?) };
        let artifact = Artifact::load_with(bytes.to_vec(), &pool.pool).map_err(|error| Failure::data(&error))?;
        give(ogc_format::new(artifact), out);
        Ok(())
    })
}
