//! How the work of a build is divided into blocks: what is made, written and dealt out at once.

use core::ops::Range;

/// So many pieces in blocks of one size; the last block may have fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// All pieces.
    pub pieces: u64,
    /// The pieces of a block, at least 1.
    pub size: u64,
}

impl Division {
    /// The number of blocks.
    pub fn blocks(self) -> u64 {
        self.pieces.div_ceil(self.size)
    }

    /// The numbers of the pieces in a block; none if there is no such block.
    pub fn pieces_of(self, block: u64) -> Range<u64> {
        let up_to = |block: u64| block.saturating_mul(self.size).min(self.pieces);
        up_to(block)..up_to(block.saturating_add(1))
    }

    /// The blocks of a shard.
    pub fn blocks_of(self, (shard, count): (u32, u32)) -> impl Iterator<Item = u64> {
        (u64::from(shard) - 1..self.blocks()).step_by(count as usize)
    }

    /// The number of pieces in the blocks of a shard.
    pub fn pieces_of_shard(self, (shard, count): (u32, u32)) -> u64 {
        let (shard, count) = (u64::from(shard), u64::from(count));
        let blocks = self.blocks();
        let own = (blocks + count).saturating_sub(shard) / count;
        let Some(last) = own.checked_sub(1).map(|own| shard - 1 + own * count) else { return 0 };
        // All blocks are full but the very last one.
        let missing = if last + 1 == blocks { blocks * self.size - self.pieces } else { 0 };
        own * self.size - missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_every_piece_once() {
        for (pieces, size) in [(0, 1), (1, 1), (7, 1), (64, 64), (65, 64), (1000, 64), (3, 5)] {
            let division = Division { pieces, size };
            for count in 1..9 {
                let mut all = 0;
                for shard in 1..=count {
                    let own: u64 = division
                        .blocks_of((shard, count))
                        .map(|block| division.pieces_of(block))
                        .map(|pieces| pieces.end - pieces.start)
                        .sum();
                    assert_eq!(own, division.pieces_of_shard((shard, count)));
                    all += own;
                }
                assert_eq!(all, pieces);
            }
            assert!(division.pieces_of(division.blocks()).is_empty());
        }
    }
}
