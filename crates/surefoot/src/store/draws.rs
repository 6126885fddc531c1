//! Random draws that depend on a seed and a number alone: record i of a database is the same in whichever
//! order, by whichever thread and in whichever part it is made.

/// The draws that belong to one number.
#[derive(Clone, Debug)]
pub struct Draws {
    key: u64,
    count: u64,
}

impl Draws {
    /// The draws of a number, for a seed.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        Self { key: mix(mix(seed ^ 0x5ee1_f007_5ee1_f007).wrapping_add(number)), count: 0 }
    }

    /// The next draw: any number below `limit`, which is at least 1 and fits 32 bits, each as likely as the
    /// next.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.count += 1;
        let draw = mix(self.key.wrapping_add(self.count.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        // The high half of a product: off by less than one in 2³² from being even.
        ((u128::from(draw) * u128::from(limit)) >> 64) as u64
    }
}

/// Spreads a number over all 64 bits (the finaliser of SplitMix64).
pub const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_differ_from_number_to_number() {
        let mut counts = [0_u32; 10];
        let mut firsts = alloc::collections::BTreeSet::new();
        for number in 0..10_000 {
            let mut draws = Draws::new(7, number);
            counts[draws.below(10) as usize] += 1;
            firsts.insert(draws.below(1 << 31));
            assert_ne!(draws.below(1 << 31), draws.below(1 << 31));
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert!(firsts.len() > 9_990);
    }
}
