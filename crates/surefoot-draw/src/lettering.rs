//! Letters for pixels: captions of sheets. Drawn here, so that a picture needs no font.

use crate::picture::Colour;
use crate::pixels::Pixels;

/// The columns of a letter and of the space after it, at scale 1.
pub(super) const ADVANCE: usize = 6;

/// The rows of a letter: seven, and two for what hangs below.
const ROWS: usize = 9;

/// The columns of a letter.
const COLUMNS: usize = 5;

/// Letters side by side: those named first, a column of space after each.
const BANDS: [(&str, [&str; ROWS]); 3] = [
    (
        "abcdefghijklmnop",
        [
            "      #               #         ##        #       #      #  #      ##                          ",
            "      #               #        #          #                 #       #                          ",
            " ###  ####   ####  ####  ###  ####   #### ####   ##     ##  #  #    #   ## #  ####   ###  #### ",
            "    # #   # #     #   # #   #  #    #   # #   #   #      #  # #     #   # # # #   # #   # #   #",
            " #### #   # #     #   # #####  #    #   # #   #   #      #  ##      #   # # # #   # #   # #   #",
            "#   # #   # #     #   # #      #    #   # #   #   #      #  # #     #   # # # #   # #   # #   #",
            " #### ####   ####  ####  ###   #     #### #   #  ###     #  #  #   ###  # # # #   #  ###  #### ",
            "                                        #             #  #                                #    ",
            "                                     ###               ##                                 #    ",
        ],
    ),
    (
        "qrstuvwxyz012345",
        [
            "                   #                                         ###    #    ###   ###     #  #####",
            "                   #                                        #   #  ##   #   # #   #   ##  #    ",
            " #### # ##   #### ####  #   # #   # #   # #   # #   # ##### #  ##   #       #     #  # #  #### ",
            "#   # ##  # #      #    #   # #   # # # #  # #  #   #    #  # # #   #     ##    ##  #  #      #",
            "#   # #      ###   #    #   # #   # # # #   #   #   #   #   ##  #   #    #        # #####     #",
            "#   # #         #  #  # #  ##  # #  # # #  # #  #   #  #    #   #   #   #     #   #    #  #   #",
            " #### #     ####    ##   ## #   #    # #  #   #  #### #####  ###   ###  #####  ###     #   ### ",
            "    #                                               #                                          ",
            "    #                                            ###                                           ",
        ],
    ),
    (
        "6789,.:()-%*=/",
        [
            " ###  #####  ###   ###                       #   #          ##                    #",
            "#         # #   # #   #                     #     #         ##  #   #            # ",
            "#        #  #   # #   #               #    #       #           #  # # #          # ",
            "####    #    ###   ####                    #       #          #    ###  ####    #  ",
            "#   #  #    #   #     #                    #       #  ####   #    # # #        #   ",
            "#   #  #    #   #     #   #    ##           #     #         #  ##   #   ####   #   ",
            " ###   #     ###   ###    #    ##     #      #   #             ##             #    ",
            "                         #                                                         ",
            "                                                                                   ",
        ],
    ),
];

impl Pixels {
    /// Writes a line of text, `scale` pixels for each dot of a letter, its upper left corner at `(x, y)`.
    /// Capitals are written small, and what there is no letter for is a box.
    pub(super) fn write(&mut self, text: &str, (x, y): (usize, usize), scale: usize, colour: Colour) {
        for (place, letter) in text.chars().enumerate() {
            let left = x + place * ADVANCE * scale;
            for row in 0..ROWS {
                for column in 0..COLUMNS {
                    if is_inked(letter.to_ascii_lowercase(), column, row) {
                        self.fill(left + column * scale, y + row * scale, scale, scale, colour);
                    }
                }
            }
        }
    }
}

/// Whether a letter has a dot there.
fn is_inked(letter: char, column: usize, row: usize) -> bool {
    if letter == ' ' {
        return false;
    }
    for (letters, art) in BANDS {
        if let Some(place) = letters.chars().position(|known| known == letter) {
            return art[row].as_bytes().get(place * ADVANCE + column) == Some(&b'#');
        }
    }
    row < 7 && (row == 0 || row == 6 || column == 0 || column == COLUMNS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(letter: char) -> Vec<String> {
        let row =
            |row| (0..COLUMNS).map(|column| if is_inked(letter, column, row) { '#' } else { '.' }).collect();
        (0..ROWS).map(row).collect()
    }

    #[test]
    fn every_letter_is_there_and_like_no_other() {
        let letters: Vec<char> = BANDS.iter().flat_map(|(letters, _)| letters.chars()).collect();
        for (letters, art) in BANDS {
            assert!(art.iter().all(|row| row.len() == letters.len() * ADVANCE - 1));
        }
        let all: std::collections::BTreeSet<Vec<String>> =
            letters.iter().chain(&['?', ' ']).map(|&letter| drawn(letter)).collect();
        assert_eq!(all.len(), letters.len() + 2);
        assert!(('a'..='z').chain('0'..='9').all(|letter| letters.contains(&letter)));
    }

    #[test]
    fn a_letter_looks_like_itself() {
        assert_eq!(drawn('7')[..7], ["#####", "....#", "...#.", "..#..", ".#...", ".#...", ".#..."]);
        assert_eq!(drawn('p')[2..], ["####.", "#...#", "#...#", "#...#", "####.", "#....", "#...."]);
    }
}
