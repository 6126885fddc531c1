//! `surefoot map`

use crate::{ARENA, Workplace, json};

#[test]
fn info_counts_terrain_and_components() {
    let place = Workplace::with_arena();
    let info = json(&place.succeed(&["map", "info", "arena.map", "--json"]));
    assert_eq!((&info["width"], &info["height"], &info["cells"]), (&10.into(), &6.into(), &60.into()));
    let water = info["terrain"].as_array().unwrap().iter().find(|count| count["letter"] == "W").unwrap();
    assert_eq!((&water["terrain"], &water["cells"]), (&"water".into(), &5.into()));
    let worlds = info["worlds"].as_array().unwrap();
    assert_eq!(worlds[0]["passable"], "ground");
    assert_eq!(worlds[0]["free"], 35);
    assert_eq!(worlds[1]["free"], 5);
    // Under squeeze one can leave the room between two corners at its upper right.
    let counts: Vec<_> =
        worlds[0]["components"].as_array().unwrap().iter().map(|c| c["count"].clone()).collect();
    assert_eq!(counts, [1, 2, 2, 2]);
    let text = place.succeed(&["map", "info", "arena.map"]);
    assert!(text.starts_with("10 x 6 cells, 60 in all\n"), "{text}");
    assert!(text.contains("no-cut"), "{text}");
}

#[test]
fn maps_survive_the_way_through_other_formats() {
    let place = Workplace::with_arena();
    place.succeed(&["map", "convert", "arena.map", "arena.txt"]);
    place.succeed(&["map", "convert", "arena.txt", "again.map"]);
    assert_eq!(place.text("again.map"), ARENA);
    place.succeed(&["map", "convert", "arena.map", "arena.png"]);
    place.succeed(&["map", "convert", "arena.png", "image.map"]);
    // An image knows free and blocked only.
    assert_eq!(place.text("image.map"), ARENA.replace(['W', 'T'], "@"));
    assert_eq!(place.succeed(&["map", "convert", "arena.map", "-"]), ARENA);
}

#[test]
fn bitmaps_are_maps() {
    let place = Workplace::empty();
    // 2 x 1 pixels of 24 bits, white and black, padded to 8 bytes.
    let mut bitmap = b"BM".to_vec();
    for number in [62_u32, 0, 54, 40, 2, 1, 24 << 16 | 1, 0, 8, 0, 0, 0, 0] {
        bitmap.extend(number.to_le_bytes());
    }
    bitmap.extend([255, 255, 255, 0, 0, 0, 0, 0]);
    place.put("tiny.bmp", bitmap);
    place.succeed(&["map", "convert", "tiny.bmp", "tiny.map"]);
    assert_eq!(place.text("tiny.map"), "type octile\nheight 1\nwidth 2\nmap\n.@\n");
}

#[test]
fn pictures_are_drawn() {
    let place = Workplace::with_arena();
    place.succeed(&["map", "render", "arena.map", "--out", "arena.png"]);
    assert!(place.read("arena.png").starts_with(b"\x89PNG"));
    place.succeed(&["map", "render", "arena.map", "--level", "1", "--out", "level.svg"]);
    let (plain, regions) = (place.read("arena.png"), place.text("level.svg"));
    // Pale vermilion and pale blue: at least two regions, and they touch.
    assert!(!plain.is_empty() && regions.contains("#eaaf80") && regions.contains("#80b9d9"), "{regions}");
    place.fail(
        &["map", "render", "arena.map", "--level", "99", "--out", "x.png"],
        2,
        "there is no level 99, only 1 to ",
    );
    place.succeed(&["map", "render", "arena.map", "--side", "100", "--out", "arena.svg"]);
    let svg = place.text("arena.svg");
    assert!(svg.starts_with("<svg") && svg.contains("width=\"100\" height=\"60\""), "{svg}");
}

#[test]
fn generated_maps_repeat_by_seed() {
    let place = Workplace::empty();
    for kind in ["rooms", "maze", "caves", "random", "game"] {
        let make = |seed: &str, name: &str| {
            let arguments =
                ["map", "generate", kind, "--width", "70", "--height", "50", "--seed", seed, "--out", name];
            place.succeed(&arguments);
            place.read(name)
        };
        let first = make("5", "a.map");
        assert!(first == make("5", "b.map"), "{kind}");
        assert!(first != make("6", "c.map"), "{kind}");
        assert!(first.starts_with(b"type octile\nheight 50\nwidth 70\nmap\n"), "{kind}");
    }
}

#[test]
fn maps_are_enlarged() {
    let place = Workplace::with_arena();
    place.succeed(&["map", "scale", "arena.map", "--factor", "2", "--out", "double.map"]);
    let double = place.text("double.map");
    assert!(double.starts_with("type octile\nheight 12\nwidth 20\nmap\n"), "{double}");
    assert_eq!(double.lines().nth(9), Some("..@@WWWW........@@.."), "{double}");

    let smooth = |seed: &str, name: &str| {
        let arguments =
            ["map", "scale", "arena.map", "--factor", "6", "--smooth", "--seed", seed, "--out", name];
        place.succeed(&arguments);
        place.read(name)
    };
    assert!(smooth("1", "a.map") == smooth("1", "b.map"));
    assert!(smooth("1", "a.map") != smooth("2", "b.map"));
}

#[test]
fn only_the_largest_component_is_kept() {
    let place = Workplace::with_arena();
    place.succeed(&["map", "scale", "arena.map", "--factor", "1", "--largest", "--out", "largest.map"]);
    let info = json(&place.succeed(&["map", "info", "largest.map", "--json"]));
    let no_cut = &info["worlds"][0]["components"][2];
    assert_eq!((&no_cut["rule"], &no_cut["count"]), (&"no-cut".into(), &1.into()));
    assert_eq!(no_cut["largest"], 28);
}
