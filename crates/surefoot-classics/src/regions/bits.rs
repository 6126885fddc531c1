//! Numbers in a few bits each, one after the other.

use alloc::vec::Vec;

/// Writes bits, the lowest of a byte first.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    length: u64,
}

impl BitWriter {
    /// The bits so far.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// The lowest `count` bits of a number.
    pub(crate) fn put(&mut self, number: u64, count: u32) {
        for bit in 0..count {
            if self.length.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> bit & 1) as u8) << (self.length % 8);
            }
            self.length += 1;
        }
    }

    /// A number of any size: short if it is below 2^`usual`, two bits more each time it doubles (exponential
    /// Golomb).
    pub(crate) fn put_number(&mut self, number: u64, usual: u32) {
        let shifted = number + (1 << usual);
        let bits = 63 - shifted.leading_zeros();
        for _ in usual..bits {
            self.put(1, 1);
        }
        self.put(0, 1);
        self.put(shifted, bits);
    }

    /// A number of at most `most`, in as few bits as that needs.
    pub(crate) fn put_up_to(&mut self, number: u64, most: u64) {
        self.put(number, u64::BITS - most.leading_zeros());
    }

    /// All bits, with zeros up to the end of the last byte.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The length of what [`BitWriter::put_number`] writes.
pub(crate) fn number_length(number: u64, usual: u32) -> u64 {
    let bits = 63 - (number + (1 << usual)).leading_zeros();
    u64::from(bits - usual + 1 + bits)
}

/// Reads what was written. Past the end all bits are zero: whoever reads checks where it got to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    position: u64,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8], position: u64) -> Self {
        Self { bytes, position }
    }

    /// The bits before the next one.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    pub(crate) fn skip(&mut self, count: u64) {
        self.position = self.position.saturating_add(count);
    }

    /// The next 57 bits or more, the first one lowest.
    #[inline]
    fn window(&self) -> u64 {
        let byte = usize::try_from(self.position / 8).unwrap_or(usize::MAX).min(self.bytes.len());
        let rest = &self.bytes[byte..];
        let mut window = [0; 8];
        let count = rest.len().min(8);
        window[..count].copy_from_slice(&rest[..count]);
        u64::from_le_bytes(window) >> (self.position % 8)
    }

    /// A number of `count` bits, at most 57.
    #[inline]
    pub(crate) fn take(&mut self, count: u32) -> u64 {
        let number = self.window() & ((1 << count) - 1);
        self.position = self.position.saturating_add(u64::from(count));
        number
    }

    /// What [`BitWriter::put_number`] wrote. `None` if it is no such thing.
    #[inline]
    pub(crate) fn take_number(&mut self, usual: u32) -> Option<u64> {
        let ones = self.window().trailing_ones();
        let bits = usual + ones;
        if bits > 40 {
            return None;
        }
        self.position = self.position.saturating_add(u64::from(ones) + 1);
        let shifted = self.take(bits) + (1 << bits);
        Some(shifted - (1 << usual))
    }

    /// What [`BitWriter::put_up_to`] wrote. `None` if it is more than `most`.
    #[inline]
    pub(crate) fn take_up_to(&mut self, most: u64) -> Option<u64> {
        let number = self.take(u64::BITS - most.leading_zeros());
        (number <= most).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_read_back(numbers in prop::collection::vec((0_u64..1 << 33, 0_u32..30, 0_u32..12), 0..60)) {
            let mut writer = BitWriter::default();
            for &(number, shift, usual) in &numbers {
                let before = writer.length();
                writer.put_number(number >> shift, usual);
                prop_assert_eq!(writer.length() - before, number_length(number >> shift, usual));
                writer.put_up_to(number >> shift, number);
            }
            let length = writer.length();
            let bytes = writer.into_bytes();
            let mut reader = BitReader::new(&bytes, 0);
            for &(number, shift, usual) in &numbers {
                prop_assert_eq!(reader.take_number(usual), Some(number >> shift));
                prop_assert_eq!(reader.take_up_to(number), Some(number >> shift));
            }
            prop_assert_eq!(reader.position(), length);
        }

        #[test]
        fn any_bits_are_read_without_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..20), position in any::<u64>(), usual in 0_u32..12,
        ) {
            let mut reader = BitReader::new(&bytes, position % 200);
            let mut count = 0;
            while reader.position() < 200 && count < 200 {
                if reader.take_number(usual).is_none() {
                    break;
                }
                count += 1;
            }
            BitReader::new(&bytes, position).take_number(usual);
        }
    }
}
