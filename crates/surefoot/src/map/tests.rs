use alloc::string::ToString;
use alloc::vec::Vec;

use super::*;
use crate::space::CellWeights;

const ART: &str = "
....
.##.
....
";

fn free(map: &Map) -> Vec<(u32, u32)> {
    map.space().grid().free_cells().map(Into::into).collect()
}

#[test]
fn every_way_in_gives_the_same_map() {
    let map = Map::from_art(ART).unwrap();
    assert_eq!((map.width(), map.height()), (4, 3));
    assert_eq!((map.rule(), map.costs()), (MoveRule::NoCut, CostModel::Sqrt2));
    let drawn = |cell: Cell| cell.y != 1 || cell.x == 0 || cell.x == 3;
    let others = [
        Map::from_fn(4, 3, drawn).unwrap(),
        Map::from_bytes(ART.as_bytes()).unwrap(),
        Map::from_bytes(b"type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n").unwrap(),
        Map::from(Grid::from_fn(4, 3, drawn).unwrap()),
    ];
    for other in others {
        assert_eq!(free(&other), free(&map));
    }
}

#[cfg(feature = "images")]
#[test]
fn bright_pixels_are_free() {
    let map = Map::from_art(ART).unwrap();
    let is_free = |x, y| map.space().grid().is_free(Cell::new(x, y));
    let pixels = image::GrayImage::from_fn(4, 3, |x, y| image::Luma([if is_free(x, y) { 255 } else { 0 }]));
    let mut png = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let png = png.into_inner();
    for image in [Map::from_image(&png), Map::from_bytes(&png)] {
        assert_eq!(free(&image.unwrap()), free(&map));
    }
}

#[cfg(feature = "std")]
#[test]
fn a_file_that_is_no_map_is_named() {
    let message = Map::open("no/such.map").unwrap_err().to_string();
    assert!(message.starts_with("no/such.map: no such file"), "{message}");
    assert!(Map::from_art("..\n.").unwrap_err().to_string().starts_with("line 2, column 2: expected"));
    assert!(Map::from_fn(0, 3, |_| true).is_err());
}

#[test]
fn rule_costs_and_weights_can_be_set_in_any_order() {
    let weights = CellWeights::from_fn(4, 3, |cell| 1 + cell.x as u8).unwrap();
    let map = || Map::from_art(ART).unwrap();
    let some = map().with_weights(weights.clone()).unwrap().with_rule(MoveRule::Cardinal);
    let others = map().with_costs(CostModel::Diagonal14).with_rule(MoveRule::Cardinal).with_weights(weights);
    for (map, costs) in [(some, CostModel::Sqrt2), (others.unwrap(), CostModel::Diagonal14)] {
        assert_eq!((map.rule(), map.costs()), (MoveRule::Cardinal, costs));
        assert_eq!(map.space().weight(Cell::new(2, 0)), Some(3));
        assert_eq!(free(&map), free(&Map::from_art(ART).unwrap()));
    }
    let too_small = CellWeights::from_fn(2, 2, |_| 1).unwrap();
    assert!(map().with_weights(too_small).is_err());
}

#[test]
fn an_edit_is_made_as_a_whole_or_not_at_all() {
    let before = Map::from_art(ART).unwrap();
    let mut map = before.clone();
    let changed = map.make([Edit::block((0, 0)), Edit::free([1, 1]), Edit::block((2, 1))]).unwrap();
    assert_eq!(changed, [Cell::new(0, 0), Cell::new(1, 1)]);
    assert!(!map.is_free((0, 0)) && map.is_free((1, 1)) && before.is_free((0, 0)));
    // One after the other: the last one counts.
    assert_eq!(map.make([Edit::free((0, 0)), Edit::block((0, 0))]).unwrap(), []);

    let now = free(&map);
    let message = map.edit([Edit::block((3, 0)), Edit::block((4, 0))]).unwrap_err().to_string();
    assert_eq!(message, "cell (4, 0) is outside the map, which is 4 x 3 cells; x is 0 to 3, y is 0 to 2");
    let message = map.edit([Edit::block((3, 0)), Edit::weigh((3, 0), 2)]).unwrap_err().to_string();
    assert_eq!(message, "this map has no weights; make it with Map::with_weights or GridSpace::weighted");
    assert_eq!(free(&map), now);

    let mut heavy = before.with_weights(CellWeights::from_fn(4, 3, |_| 1).unwrap()).unwrap();
    assert_eq!(heavy.make([Edit::weigh((3, 0), 2), Edit::weigh((0, 0), 1)]).unwrap(), [Cell::new(3, 0)]);
    assert!(heavy.edit([Edit::weigh((3, 0), 0)]).is_err());
}
