//! Division by multiplication.

/// Division by a number that stays the same, as one multiplication.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastDivision {
    divisor: u32,
    /// ⌈2⁶⁴ / divisor⌉; 0 stands for 2⁶⁴ itself.
    reciprocal: u64,
}

impl FastDivision {
    pub(crate) fn by(divisor: u32) -> Self {
        Self { divisor, reciprocal: (u64::MAX / u64::from(divisor)).wrapping_add(1) }
    }

    /// Quotient and remainder, exact for every 32-bit number (Granlund and Montgomery).
    #[inline(always)]
    pub(crate) fn divide(self, number: u32) -> (u32, u32) {
        // In a browser's module a product of 128 bits is a call, and a division is not.
        if cfg!(target_family = "wasm") {
            return (number / self.divisor, number % self.divisor);
        }
        if self.reciprocal == 0 {
            return (number, 0);
        }
        let quotient = ((u128::from(self.reciprocal) * u128::from(number)) >> 64) as u32;
        (quotient, number - quotient * self.divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_division_is_exact() {
        for divisor in [1, 2, 3, 5, 7, 64, 641, 1000, 65_537, 0x7fff_ffff, u32::MAX - 1, u32::MAX] {
            let fast = FastDivision::by(divisor);
            for number in [0, 1, 2, divisor - 1, divisor, divisor.wrapping_add(1), u32::MAX - 1, u32::MAX] {
                assert_eq!(fast.divide(number), (number / divisor, number % divisor), "{number} / {divisor}");
            }
        }
    }
}
