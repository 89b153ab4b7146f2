//! Sums, quotients and roots in binary64, rounded to odd.
//!
//! A result that is not exact gets an odd last bit, so that rounding it to a format of at most 51 bits gives the same
//! as rounding the exact result (Boldo and Melquiond 2008). Operands come from formats below binary64: products of two
//! are exact, and nothing here overflows or becomes subnormal.

/// Returns `a + b`, rounded to odd.
pub(super) fn add(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    let part = sum - a;
    let rest = (a - (sum - part)) + (b - part);
    to_odd(sum, rest)
}

/// Returns `a / b`, rounded to odd.
pub(super) fn divide(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if !quotient.is_finite() || quotient == 0.0 || b.is_infinite() {
        return quotient;
    }
    let rest = (-quotient).mul_add(b, a);
    to_odd(quotient, if b < 0.0 { -rest } else { rest })
}

/// Returns the square root of `a`, rounded to odd.
pub(super) fn square_root(a: f64) -> f64 {
    let root = a.sqrt();
    if !root.is_finite() || root == 0.0 {
        return root;
    }
    to_odd(root, (-root).mul_add(root, a))
}

/// Returns `nearest`, or its neighbour with an odd last bit if it is not exact; `rest` has the sign of the error.
fn to_odd(nearest: f64, rest: f64) -> f64 {
    if rest == 0.0 || nearest.to_bits() & 1 == 1 {
        nearest
    } else if rest > 0.0 {
        nearest.next_up()
    } else {
        nearest.next_down()
    }
}
