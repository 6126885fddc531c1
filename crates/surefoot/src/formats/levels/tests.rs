//! Levels as editors write them, and broken ones.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use alloc::{format, vec};
use std::io::Write as _;

use super::*;
use crate::formats::{parse_art, write_art};

fn art(map: &TerrainMap) -> String {
    write_art(map)
}

fn layer(name: &str) -> LevelOptions {
    LevelOptions { layer: Some(name.into()), ..LevelOptions::default() }
}

fn tmx(data: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" infinite="0">
 <tileset firstgid="1" source="ground.tsx"/>
 <tileset firstgid="10" name="inline"><tile id="2"><properties><property name="walkable" type="bool" value="true"/></properties></tile></tileset>
 <layer name="ground" width="3" height="2"><data encoding="csv">1,1,1,1,1,1</data></layer>
 <group name="all"><layer name="walls" width="3" height="2">{data}</layer></group>
</map>"#
    )
}

fn ground(_: &str) -> Result<Vec<u8>, FormatError> {
    let set = r#"<tileset name="ground"><tile id="4"><properties><property name="walkable" type="bool" value="false"/></properties></tile></tileset>"#;
    Ok(set.into())
}

fn parse(text: &str, options: &LevelOptions) -> Result<TerrainMap, FormatError> {
    parse_tmx(text.as_bytes(), options, &mut ground)
}

/// Tiles 0, 1 and 12 turned over; 5, 0, 12.
const GIDS: [u32; 6] = [0, 1, 12 | 0x8000_0000, 5, 0, 12];

fn encoded(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let mut all = [0; 3];
        all[..three.len()].copy_from_slice(three);
        let bits = u32::from_be_bytes([0, all[0], all[1], all[2]]);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize] as char;
            text.push(if at <= three.len() { letter } else { '=' });
        }
    }
    text
}

#[test]
fn a_layer_is_read_in_every_encoding() {
    let csv: Vec<String> = GIDS.iter().map(u32::to_string).collect();
    let bytes: Vec<u8> = GIDS.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(&bytes).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&bytes).unwrap();
    let tiles: String = GIDS.iter().map(|gid| format!("<tile gid=\"{gid}\"/>")).collect();
    let data = [
        format!("<data encoding=\"csv\">\n{},\n{}\n</data>", csv[..3].join(","), csv[3..].join(",")),
        format!("<data>{tiles}</data>"),
        format!("<data encoding=\"base64\">\n  {}\n</data>", encoded(&bytes)),
        format!("<data encoding=\"base64\" compression=\"zlib\">{}</data>", encoded(&zlib.finish().unwrap())),
        format!("<data encoding=\"base64\" compression=\"gzip\">{}</data>", encoded(&gzip.finish().unwrap())),
    ];
    for data in data {
        let map = parse(&tmx(&data), &layer("walls")).unwrap();
        // Tile 1 is a wall, 12 can be walked on by its property, however it is turned, and 5 cannot.
        assert_eq!(art(&map), ".#.\n#..\n", "{data}");
    }
}

#[test]
fn a_name_that_two_layers_have_is_refused() {
    let text =
        tmx("<data encoding=\"csv\">0,1,12,5,0,12</data>").replace("\"ground\" width", "\"walls\" width");
    let words = parse(&text, &layer("walls")).unwrap_err().to_string();
    assert!(words.contains("only one layer \"walls\", found 2; give them names of their own"), "{words}");
}

#[test]
fn values_and_properties_say_what_is_free() {
    let data = "<data encoding=\"csv\">0,1,12,5,0,12</data>";
    let walkable = LevelOptions { walkable: vec![1, 5], ..layer("walls") };
    assert_eq!(art(&parse(&tmx(data), &walkable).unwrap()), "#..\n##.\n");
    let other = LevelOptions { property: "passable".into(), ..walkable };
    assert_eq!(art(&parse(&tmx(data), &other).unwrap()), "#.#\n.##\n");
}

#[test]
fn chunks_of_infinite_maps_are_put_together() {
    let text = r#"<map orientation="orthogonal" width="4" height="4" infinite="1"><tileset firstgid="1"/>
        <layer name="walls" width="4" height="4"><data encoding="csv">
        <chunk x="-2" y="-1" width="2" height="2">1,0,0,1</chunk>
        <chunk x="0" y="1" width="2" height="1">1,1</chunk></data></layer></map>"#;
    let map = parse(text, &LevelOptions::default()).unwrap();
    assert_eq!(art(&map), "#...\n.#..\n..##\n");
    let far = text.replace("x=\"0\" y=\"1\"", "x=\"900000\" y=\"900000\"");
    assert!(parse(&far, &LevelOptions::default()).unwrap_err().to_string().contains("closer together"));
    let overflow = text.replace("x=\"0\"", "x=\"9223372036854775807\"");
    assert!(parse(&overflow, &LevelOptions::default()).is_err());
}

#[test]
fn errors_name_layer_and_cell() {
    let cases = [
        ("<data encoding=\"csv\">0,1,x,5,0,12</data>", "layer \"walls\", cell (2, 0), found \"x\""),
        ("<data encoding=\"csv\">0,1,1,5</data>", "a tile at layer \"walls\", cell (1, 1)"),
        ("<data encoding=\"csv\">0,1,1,5,1,1,1</data>", "no tile after 6"),
        ("<data encoding=\"base64\">AAAAAA==</data>", "layer \"walls\", cell (1, 0)"),
        ("<data encoding=\"base64\">?</data>", "expected base64"),
        ("<data encoding=\"base64\" compression=\"zlib\">AAAA</data>", "data of the layer \"walls\""),
        ("<data encoding=\"base64\" compression=\"zstd\">AAAA</data>", "zlib or gzip"),
        ("<data encoding=\"hex\">00</data>", "csv or base64"),
        ("", "<data> in the layer \"walls\""),
    ];
    for (data, expected) in cases {
        let error = parse(&tmx(data), &layer("walls")).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.line(), Some(6), "{error}");
    }
    let text = tmx("<data/>");
    let error = parse(&text, &LevelOptions::default()).unwrap_err().to_string();
    assert!(error.contains("--layer") && error.contains("\"ground\", \"walls\""), "{error}");
    let error = parse(&text, &layer("wals")).unwrap_err().to_string();
    assert!(error.contains("\"wals\"") && error.contains("\"walls\""), "{error}");
    let unknown =
        tmx("<data encoding=\"csv\">0,1,1,5,1,1</data>").replace("firstgid=\"1\"", "firstgid=\"2\"");
    let error = parse(&unknown, &layer("walls")).unwrap_err().to_string();
    assert!(error.contains("cell (1, 0)") && error.contains("no tileset"), "{error}");
    assert!(parse("<map", &layer("walls")).unwrap_err().to_string().contains("XML"));
    assert!(parse("<svg/>", &layer("walls")).is_err());
    assert!(parse(&text.replace("orthogonal", "hexagonal"), &layer("walls")).is_err());
}

fn ldtk(values: &str) -> String {
    format!(
        r#"{{"levels": [
        {{"identifier": "Cave", "layerInstances": [
            {{"__identifier": "Tiles", "__type": "Tiles", "__cWid": 3, "__cHei": 2, "intGridCsv": []}},
            {{"__identifier": "Collisions", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "intGridCsv": [{values}]}}]}},
        {{"identifier": "Tower", "layerInstances": null, "externalRelPath": "world/Tower.ldtkl"}}]}}"#
    )
}

/// A level in a file of its own.
fn tower(name: &str) -> Result<Vec<u8>, FormatError> {
    match name {
        "world/Tower.ldtkl" => {
            Ok(br#"{"identifier": "Tower", "layerInstances": [
            {"__identifier": "Walls", "__type": "IntGrid", "__cWid": 2, "__cHei": 1, "intGridCsv": [1,0]}]}"#
                .into())
        }
        "world/Broken.ldtkl" => Ok(b"?".into()),
        _ => Err(whole("a level that can be read", "no such file")),
    }
}

#[test]
fn levels_in_files_of_their_own_are_read() {
    let options = LevelOptions { level: Some("Tower".into()), ..LevelOptions::default() };
    let map = parse_ldtk(ldtk("0").as_bytes(), &options, &mut tower).unwrap();
    assert_eq!(map, parse_art(b"#.\n").unwrap());
}

/// Bytes that somebody has meddled with are refused or read, and never more than that.
#[test]
fn meddled_levels_are_refused_with_words() {
    let mut state = 27_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let csv = "<data encoding=\"csv\">0,1,12,5,0,12</data>";
    let infinite = r#"<data encoding="csv"><chunk x="-2" y="-1" width="2" height="1">1,0</chunk></data>"#;
    for text in [tmx(csv), tmx(infinite), ldtk("0,1,2,1,1,0")] {
        for _ in 0..3_000 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] = random(256) as u8,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.splice(at..at, *b"99999999").for_each(drop),
                }
            }
            let _ = parse_tmx(&bytes, &layer("walls"), &mut ground);
            let _ = parse_ldtk(
                &bytes,
                &LevelOptions { level: Some("Cave".into()), ..layer("Collisions") },
                &mut tower,
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_beside_a_level_are_files() {
    let folder = std::env::temp_dir().join(format!("surefoot-levels-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("maps")).unwrap();
    let path = folder.join("maps/level.tmx");
    let data = tmx("<data encoding=\"csv\">0,1,1,1,0,1</data>");
    // As Tiled writes it if tilesets have a folder of their own.
    std::fs::write(folder.join("ground.tsx"), ground("").unwrap()).unwrap();
    std::fs::write(&path, data.replace("ground.tsx", "../ground.tsx")).unwrap();
    let read = read_level(&path, &layer("walls"));
    std::fs::write(&path, data.replace("ground.tsx", "/dev/zero")).unwrap();
    let refused = read_level(&path, &layer("walls"));
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(art(&read.unwrap()), ".##\n#.#\n");
    let words = refused.unwrap_err().to_string();
    assert!(words.contains("a tileset in a file, found \"/dev/zero\""), "{words}");
}

#[test]
fn an_int_grid_is_read() {
    let options = LevelOptions { level: Some("Cave".into()), walkable: vec![0, 2], ..layer("Collisions") };
    let map = parse_ldtk(ldtk("0,1,2, 1,1,0").as_bytes(), &options, &mut tower).unwrap();
    assert_eq!(map, parse_art(b".#.\n##.\n").unwrap());
    let only = LevelOptions { layer: None, ..options };
    assert_eq!(parse_ldtk(ldtk("0,1,2, 1,1,0").as_bytes(), &only, &mut tower).unwrap(), map);
}

#[test]
fn errors_of_projects_say_where() {
    let cave = LevelOptions { level: Some("Cave".into()), ..layer("Collisions") };
    let error = |text: &str, options: &LevelOptions| {
        parse_ldtk(text.as_bytes(), options, &mut tower).unwrap_err().to_string()
    };
    assert!(error(&ldtk("0,1,2,1,-1,0"), &cave).contains("layer \"Collisions\", cell (1, 1), found -1"));
    assert!(error(&ldtk("0,1"), &cave).contains("6 values"));
    assert!(error(&ldtk("0"), &LevelOptions::default()).contains("--level NAME), found \"Cave\", \"Tower\""));
    let other = LevelOptions { level: Some("Tower".into()), ..LevelOptions::default() };
    let broken = ldtk("0").replace("Tower.ldtkl", "Broken.ldtkl");
    let words = error(&broken, &other);
    assert!(words.contains("Broken.ldtkl") && words.contains("line 1, column 1"), "{words}");
    let missing = ldtk("0").replace("Tower.ldtkl", "Missing.ldtkl");
    assert!(error(&missing, &other).contains("no such file"));
    let nowhere = ldtk("0").replace("externalRelPath", "elsewhere");
    assert!(error(&nowhere, &other).contains("layers of the level \"Tower\""));
    let tiles = LevelOptions { layer: Some("Tiles".into()), ..cave.clone() };
    assert!(error(&ldtk("0"), &tiles).contains("\"Collisions\""));
    assert!(error("{\"levels\": [", &cave).starts_with("line 1, column 12: "));
    assert!(error("[]", &cave).contains("levels"));
}

#[test]
fn an_error_is_one_line_whatever_is_in_the_file() {
    for text in ["<lx/\nx", "<map orientation=\"a&#10;b\"/>"] {
        let error = parse(text, &LevelOptions::default()).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
    }
}
