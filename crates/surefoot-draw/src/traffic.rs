//! Traffic: how many moves led into each cell, in bands of a log scale.

use surefoot::space::{Cell, TerrainMap};

use crate::picture::{Colour, Picture};

/// How many moves led into each cell of a map.
#[derive(Clone, Debug)]
pub struct Traffic {
    width: u32,
    /// For each cell, row by row.
    counts: Vec<u32>,
    /// Cells that a move led into, each once.
    used: Vec<Cell>,
    most: u32,
}

impl Traffic {
    /// How many bands there are, each with a colour.
    pub const BANDS: u32 = 8;

    /// No traffic yet.
    #[must_use]
    pub fn new(map: &TerrainMap) -> Self {
        let cells = map.width() as usize * map.height() as usize;
        Self { width: map.width(), counts: vec![0; cells], used: Vec::new(), most: 0 }
    }

    /// Counts a move into a cell. One outside the map is left out.
    pub fn add(&mut self, to: Cell) {
        let place = to.y as usize * self.width as usize + to.x as usize;
        if let Some(count) = self.counts.get_mut(place).filter(|_| to.x < self.width) {
            if *count == 0 {
                self.used.push(to);
            }
            *count = count.saturating_add(1);
            self.most = self.most.max(*count);
        }
    }

    /// How many moves led into a cell.
    #[must_use]
    pub fn count(&self, cell: Cell) -> u32 {
        let place = cell.y as usize * self.width as usize + cell.x as usize;
        self.counts.get(place).filter(|_| cell.x < self.width).copied().unwrap_or(0)
    }

    /// The sum over all cells.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.used.iter().map(|&cell| u64::from(self.count(cell))).sum()
    }

    /// The bytes that it takes since it was begun.
    #[must_use]
    pub fn own_bytes(&self) -> u64 {
        (self.used.capacity() * size_of::<Cell>()) as u64
    }

    /// The colour of a band, from pale to dark.
    #[must_use]
    pub fn colour(band: u32) -> Colour {
        const COLOURS: [[u8; 3]; Traffic::BANDS as usize] = [
            [0xFF, 0xDF, 0x8E],
            [0xFF, 0xC7, 0x59],
            [0xFF, 0xA6, 0x2E],
            [0xF7, 0x7F, 0x22],
            [0xE2, 0x55, 0x1F],
            [0xC0, 0x2A, 0x32],
            [0x8A, 0x10, 0x44],
            [0x54, 0x05, 0x40],
        ];
        let [red, green, blue] = COLOURS[band.min(Self::BANDS - 1) as usize];
        Colour { red, green, blue }
    }

    /// The least count of a band: 1, 2, 4, 8 and so on, while all counts fit into the bands. Else 1, 4, 16 or
    /// 1, 8, 64, and so on.
    #[must_use]
    pub fn least(&self, band: u32) -> u64 {
        1 << (u64::from(band) * u64::from(self.doublings())).min(63)
    }

    /// The bands that there is traffic in, or in one above: at least one.
    #[must_use]
    pub fn bands(&self) -> u32 {
        self.band(self.most.max(1)) + 1
    }

    /// By how many doublings a band differs from the next.
    fn doublings(&self) -> u32 {
        (self.most.max(1).ilog2() / Self::BANDS) + 1
    }

    fn band(&self, count: u32) -> u32 {
        count.ilog2() / self.doublings()
    }

    /// Paints the cells, what is used most over the rest.
    pub(super) fn paint<'a>(&self, picture: Picture<'a>) -> Picture<'a> {
        let mut bands = vec![Vec::new(); Self::BANDS as usize];
        for &cell in &self.used {
            bands[self.band(self.count(cell)) as usize].push(cell);
        }
        (0..).zip(bands).fold(picture, |picture, (band, cells)| picture.with_cells(cells, Self::colour(band)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;

    #[test]
    fn every_move_is_counted_once() {
        let map = parse_art(b"...\n...").unwrap();
        let mut traffic = Traffic::new(&map);
        let (quiet, busy) = (Cell::new(0, 1), Cell::new(2, 0));
        traffic.add(quiet);
        (0..300).for_each(|_| traffic.add(busy));
        for outside in [Cell::new(3, 0), Cell::new(0, 2)] {
            traffic.add(outside);
        }
        assert_eq!((traffic.moves(), traffic.count(busy), traffic.count(Cell::new(1, 1))), (301, 300, 0));
        assert_eq!(traffic.count(Cell::new(3, 0)), 0);
        let pixels = traffic.paint(Picture::new(&map).with_longer_side(3)).to_pixels();
        let colour = |cell: Cell| &pixels.rgb()[3 * (cell.y * 3 + cell.x) as usize..][..3];
        let of_band = |band| {
            let Colour { red, green, blue } = Traffic::colour(band);
            [red, green, blue]
        };
        assert_eq!((colour(quiet), colour(busy)), (&of_band(0)[..], &of_band(4)[..]));
    }

    #[test]
    fn bands_are_of_a_log_scale_and_hold_every_count() {
        let map = parse_art(b".").unwrap();
        let mut traffic = Traffic::new(&map);
        assert_eq!((traffic.bands(), traffic.least(0)), (1, 1));
        for (most, bands, least) in
            [(1, 1, 128), (2, 2, 128), (255, 8, 128), (256, 5, 1 << 14), (u32::MAX, 8, 1 << 28)]
        {
            traffic.most = most;
            assert_eq!((traffic.bands(), traffic.least(7)), (bands, least), "{most}");
            for count in [1, most / 2, most].into_iter().filter(|&count| count > 0) {
                let band = traffic.band(count);
                assert!(band < Traffic::BANDS && traffic.least(band) <= u64::from(count));
                assert!(u64::from(count) < traffic.least(band + 1));
            }
        }
    }
}
