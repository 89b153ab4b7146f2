//! Sixteen numbers in two registers: AVX2, with FMA and F16C, which all processors with AVX2 in use have.

#![allow(unsafe_code, reason = "instructions that the processor was asked for; see `Avx2`")]

use std::arch::x86_64::{
    __m256, __m256i, _mm_cvtsi64_si128, _mm_loadl_epi64, _mm_loadu_si128, _mm_set1_epi16, _mm256_and_si256,
    _mm256_cvtepi8_epi32, _mm256_cvtepi32_ps, _mm256_cvtepu8_epi32, _mm256_cvtph_ps, _mm256_fmadd_ps, _mm256_load_ps,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_srli_epi32, _mm256_store_ps,
};

use super::Part;
use super::simd::{Bytes, LANES, Simd, Sixteen};
use super::tile;

/// The proof that the processor has AVX2, FMA and F16C: only [`Avx2::detect`] makes such a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let has_all =
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
        has_all.then_some(Self(()))
    }

    /// Computes a part of a product, in code that is compiled for these instructions.
    pub(super) fn multiply(self, part: Part<'_>) {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn inner(simd: Avx2, part: Part<'_>) {
            tile::multiply::<_, 2, 3>(simd, part);
        }
        // SAFETY: a value of this type exists only if the processor has the instructions.
        unsafe { inner(self, part) }
    }

    /// Widens each byte to 32 bits.
    #[inline(always)]
    fn wide(self, bytes: &[u8; LANES]) -> [__m256i; 2] {
        // SAFETY: the processor has AVX2, as `self` proves; both halves of eight bytes lie inside of the sixteen.
        unsafe {
            let (low, high) = (_mm_loadl_epi64(bytes.as_ptr().cast()), _mm_loadl_epi64(bytes.as_ptr().add(8).cast()));
            [_mm256_cvtepu8_epi32(low), _mm256_cvtepu8_epi32(high)]
        }
    }
}

impl Simd for Avx2 {
    type Lanes = [__m256; 2];

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Lanes {
        // SAFETY: the processor has AVX, as `self` proves.
        unsafe { [_mm256_set1_ps(number); 2] }
    }

    #[inline(always)]
    fn load(self, from: &Sixteen) -> Self::Lanes {
        // SAFETY: the processor has AVX, as `self` proves; both halves of eight numbers lie inside of the sixteen, which begin a line.
        unsafe { [_mm256_load_ps(from.0.as_ptr()), _mm256_load_ps(from.0.as_ptr().add(8))] }
    }

    #[inline(always)]
    fn store(self, lanes: Self::Lanes, to: &mut Sixteen) {
        // SAFETY: the processor has AVX, as `self` proves; both halves of eight numbers lie inside of the sixteen, which begin a line.
        unsafe {
            _mm256_store_ps(to.0.as_mut_ptr(), lanes[0]);
            _mm256_store_ps(to.0.as_mut_ptr().add(8), lanes[1]);
        }
    }

    #[inline(always)]
    fn mul_add(self, one: Self::Lanes, two: Self::Lanes, sums: Self::Lanes) -> Self::Lanes {
        // SAFETY: the processor has FMA, as `self` proves.
        unsafe { [_mm256_fmadd_ps(one[0], two[0], sums[0]), _mm256_fmadd_ps(one[1], two[1], sums[1])] }
    }

    #[inline(always)]
    fn small(self, integers: Bytes) -> Self::Lanes {
        // SAFETY: the processor has AVX2, as `self` proves.
        unsafe {
            let [low, high] = integers.map(|bytes| _mm_cvtsi64_si128(bytes.cast_signed()));
            [_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(low)), _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(high))]
        }
    }

    #[inline(always)]
    fn low(self, bytes: &[u8; LANES]) -> Self::Lanes {
        // SAFETY: the processor has AVX2, as `self` proves.
        unsafe {
            let mask = _mm256_set1_epi32(0xf);
            self.wide(bytes).map(|bytes| _mm256_cvtepi32_ps(_mm256_and_si256(bytes, mask)))
        }
    }

    #[inline(always)]
    fn high(self, bytes: &[u8; LANES]) -> Self::Lanes {
        // SAFETY: the processor has AVX2, as `self` proves.
        unsafe { self.wide(bytes).map(|bytes| _mm256_cvtepi32_ps(_mm256_srli_epi32::<4>(bytes))) }
    }

    #[inline(always)]
    fn halves(self, bytes: &[u8; 2 * LANES]) -> Self::Lanes {
        // SAFETY: the processor has F16C, as `self` proves; both halves of sixteen bytes lie inside of the 32.
        unsafe {
            let (low, high) = (_mm_loadu_si128(bytes.as_ptr().cast()), _mm_loadu_si128(bytes.as_ptr().add(16).cast()));
            [_mm256_cvtph_ps(low), _mm256_cvtph_ps(high)]
        }
    }

    #[inline(always)]
    fn half(self, bits: u16) -> Self::Lanes {
        // SAFETY: the processor has F16C, as `self` proves.
        unsafe { [_mm256_cvtph_ps(_mm_set1_epi16(bits.cast_signed())); 2] }
    }
}
