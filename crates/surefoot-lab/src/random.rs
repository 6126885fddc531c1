//! Randomness that repeats.
//!
//! The n-th number of a stream is a mix of the seed, the stream's number and n (`SplitMix64`: Steele, Lea and
//! Flood 2014, with Stafford's 13th finaliser). Two streams of one seed have nothing to do with each other,
//! so problem 7 comes out the same whether or not problems 0 to 6 were made, and so does row 7 of a map.
//! General crates change how they draw from one version to the next; this file does not change.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

/// What is added from one number to the next: 2⁶⁴ divided by the golden ratio, made odd.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stafford's finaliser: each bit of the result depends on all bits of `value`, and no two values collide.
#[inline]
pub(crate) const fn mix(mut value: u64) -> u64 {
    value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

impl Rng {
    /// The numbered stream of a seed.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        Self { state: mix(mix(seed.wrapping_add(STRIDE)) ^ stream.wrapping_mul(STRIDE)) }
    }

    /// The next number, any of 2⁶⁴.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STRIDE);
        mix(self.state)
    }

    /// A number below `n`, each with the same chance; 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        // Lemire 2019: the high word of a product is the number. The low word tells the few draws that would
        // make some numbers likelier than others, and those are drawn again.
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let surplus = n.wrapping_neg() % n;
            while (product as u64) < surplus {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// True with probability `p`: never for 0 and below, always for 1 and above.
    pub fn chance(&mut self, p: f64) -> bool {
        // 53 random bits fill a double exactly; the comparison rounds nothing.
        ((self.next_u64() >> 11) as f64) < p * (1_u64 << 53) as f64
    }

    /// A number from `low` to `high`, both included; `low` if they are the wrong way round.
    #[inline]
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(u64::from(high.saturating_sub(low)) + 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_never_change() {
        let mut rng = Rng::new(1, 2);
        let numbers = [rng.next_u64(), rng.next_u64(), rng.below(1000)];
        assert_eq!(numbers, GOLDEN);
        assert_ne!(Rng::new(1, 3).next_u64(), numbers[0]);
        assert_ne!(Rng::new(2, 2).next_u64(), numbers[0]);
    }

    const GOLDEN: [u64; 3] = [10_116_348_427_443_287_449, 18_331_329_602_660_409_995, 84];

    #[test]
    fn draws_are_even_and_within_bounds() {
        let mut rng = Rng::new(7, 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
        assert_eq!((rng.below(1), rng.below(0)), (0, 0));
        // Two thirds of 2⁶⁴: without the second draw the lower half would come up twice as often.
        let n = u64::MAX / 3 * 2;
        let low = (0..10_000).filter(|_| rng.below(n) < n / 2).count();
        assert!((4_700..5_300).contains(&low), "{low}");
    }

    #[test]
    fn chances_are_kept() {
        let mut rng = Rng::new(3, 0);
        assert!((0..1000).all(|_| rng.chance(1.0) && !rng.chance(0.0) && !rng.chance(f64::NAN)));
        let hits = (0..100_000).filter(|_| rng.chance(0.3)).count();
        assert!((29_300..30_700).contains(&hits), "{hits}");
        assert!((0..100).all(|_| (3..=5).contains(&rng.between(3, 5))));
        assert_eq!(rng.between(9, 2), 9);
    }
}
