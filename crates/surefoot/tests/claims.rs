//! No map makes its reader take memory far beyond its size or the limits that were set, whatever it claims.
//! Counted by the allocator, so in a file, and so in a process, of its own.
#![cfg(all(feature = "images", feature = "levels"))]
#![allow(clippy::unwrap_used)] // the functions below are part of the test

use std::alloc::System;
use std::fmt::Write as _;
use std::io::Write as _;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use surefoot::formats::{
    FormatError, LevelOptions, parse_art, parse_image, parse_image_within, parse_ldtk, parse_map,
    parse_map_within, parse_tmx, parse_weights, parse_weights_image, read_any_map_within,
};
use surefoot::space::Limits;
use surefoot::{Cell, Map};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What came of it, and all that was asked of the allocator meanwhile, given back or not.
fn counted<T>(act: impl FnOnce() -> T) -> (T, u64) {
    let region = Region::new(ALLOCATOR);
    let came = act();
    let change = region.change();
    (came, change.bytes_allocated as u64 + change.bytes_reallocated.max(0) as u64)
}

fn no_file(_: &str) -> Result<Vec<u8>, FormatError> {
    panic!("no other file is named")
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0_u32, |all, &byte| all << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * at)) as usize & 63]);
            text.push(if at <= three.len() { letter } else { '=' });
        }
    }
    text
}

/// A map of Tiled with these data of a layer of this size.
fn tmx(width: u32, height: u32, attributes: &str, data: &str) -> String {
    format!(
        "<map orientation=\"orthogonal\" infinite=\"0\"><tileset firstgid=\"1\"/>\
         <layer name=\"a\" width=\"{width}\" height=\"{height}\"><data {attributes}>{data}</data></layer></map>"
    )
}

/// A picture with the size that is claimed and next to nothing behind it, as long as a real one would be.
fn png(width: u32, height: u32) -> Vec<u8> {
    let image = image::GrayImage::from_pixel(8, 8, image::Luma([255]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let mut bytes = bytes.into_inner();
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let mut checksum = flate2::Crc::new();
    checksum.update(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.sum().to_be_bytes());
    bytes.resize(bytes.len() + (u64::from(width) * u64::from(height) / 8000) as usize, 0);
    bytes
}

/// One test: others would be counted, too.
#[test]
fn claims_take_no_memory() {
    let mut cases = 0;
    let mut refused = |what: &str, most: u64, read: &dyn Fn() -> Option<FormatError>| {
        let (error, asked) = counted(read);
        let error = error.unwrap_or_else(|| panic!("{what} was read"));
        println!("{what}: {asked} bytes; {error}");
        assert!(asked <= most, "{what}: {asked} bytes; {error}");
        cases += 1;
    };
    let small = Limits { cells: 1000, bytes: 4096 };
    let options = LevelOptions::default();
    let strict = LevelOptions { limits: small, ..LevelOptions::default() };

    // Headers that claim what is not there.
    let header = b"type octile\nheight 32768\nwidth 32768\nmap\n....\n";
    refused("a .map of 2^30 cells in 50 bytes", 4096, &|| parse_map(header).err());
    let corners = b"type octile-corner\nheight 32768\nwidth 32768\nmap\n....\n";
    refused("the same with corners", 4096, &|| parse_map(corners).err());
    let honest =
        format!("type octile\nheight 40\nwidth 40\nmap\n{}", format!("{}\n", ".".repeat(40)).repeat(40));
    refused("a .map above the limit", 4096, &|| parse_map_within(honest.as_bytes(), &small).err());
    assert!(parse_map(honest.as_bytes()).is_ok());

    // Pictures.
    let (huge, large) = (png(32_768, 16_384), png(16_384, 16_384));
    refused("a PNG of 2^29 pixels", 512 * 1024, &|| parse_image(&huge).err());
    refused("the same as weights", 512 * 1024, &|| parse_weights_image(&huge).err());
    refused("a PNG above the limit", 100_000, &|| parse_image_within(&large, &small).err());

    // What is compressed.
    let bomb = base64(&zlib(&vec![0; 16 << 20]));
    let own = bomb.len() as u64;
    let compressed = "encoding=\"base64\" compression=\"zlib\"";
    let claimed = tmx(32_768, 32_768, compressed, &bomb);
    refused("tiles of 4 GB in a few bytes", 16 * own, &|| {
        parse_tmx(claimed.as_bytes(), &options, &mut no_file).err()
    });
    let longer = tmx(4, 4, compressed, &bomb);
    refused("tiles that go on behind the last", 16 * own, &|| {
        parse_tmx(longer.as_bytes(), &options, &mut no_file).err()
    });
    let within = tmx(40, 25, compressed, &base64(&zlib(&[0; 4000])));
    assert!(parse_tmx(within.as_bytes(), &strict, &mut no_file).is_ok());
    let above = tmx(41, 25, compressed, &base64(&zlib(&[0; 4100])));
    refused("a level above the limit", 16 * 1024, &|| {
        parse_tmx(above.as_bytes(), &strict, &mut no_file).err()
    });
    // Each chunk may be as large as the limit, all of them together may not be larger.
    let mut chunks = String::new();
    for number in 0..3 {
        let data = base64(&zlib(&[0; 1600]));
        write!(chunks, "<chunk x=\"{}\" y=\"0\" width=\"20\" height=\"20\">{data}</chunk>", 20 * number)
            .unwrap();
    }
    let many = tmx(20, 20, compressed, &chunks);
    assert!(parse_tmx(many.as_bytes(), &options, &mut no_file).is_ok());
    let budget = LevelOptions { limits: Limits { cells: 2000, bytes: 4096 }, ..LevelOptions::default() };
    refused("chunks above the limit together", 512 * 1024, &|| {
        parse_tmx(many.as_bytes(), &budget, &mut no_file).err()
    });
    // Empty ground between chunks.
    let tiles = ["0"; 1 << 10].join(",");
    let chunk = |x: u32| format!("<chunk x=\"{x}\" y=\"0\" width=\"1024\" height=\"1\">{tiles}</chunk>");
    let far = tmx(1, 1, "encoding=\"csv\"", &format!("{}{}", chunk(0), chunk(2_000_000)));
    let close = Limits { bytes: 1 << 20, ..Limits::default() };
    let close = LevelOptions { limits: close, ..LevelOptions::default() };
    assert!(parse_tmx(far.as_bytes(), &options, &mut no_file).is_ok());
    refused("chunks that lie far apart", 64 * far.len() as u64, &|| {
        parse_tmx(far.as_bytes(), &close, &mut no_file).err()
    });
    // XML that stands for more than it is.
    let mut laughs = String::from("<!DOCTYPE map [<!ENTITY a0 \"ha\">");
    for number in 1..20 {
        let before = format!("&a{};", number - 1);
        write!(laughs, "<!ENTITY a{number} \"{}\">", before.repeat(10)).unwrap();
    }
    laughs.push_str("]><map>&a19;</map>");
    refused("a billion laughs", 64 * 1024, &|| parse_tmx(laughs.as_bytes(), &options, &mut no_file).err());
    let nested = "[".repeat(100_000);
    refused("lists within lists", 64 * 1024, &|| parse_ldtk(nested.as_bytes(), &options, &mut no_file).err());
    let ldtk = |width: u32| {
        format!(
            "{{\"levels\": [{{\"identifier\": \"a\", \"layerInstances\": [{{\"__type\": \"IntGrid\", \
             \"__identifier\": \"b\", \"__cWid\": {width}, \"__cHei\": {width}, \"intGridCsv\": [0, 0, 0, 0]}}]}}]}}"
        )
    };
    assert!(parse_ldtk(ldtk(2).as_bytes(), &options, &mut no_file).is_ok());
    refused("an LDtk layer of 2^30 cells", 64 * 1024, &|| {
        parse_ldtk(ldtk(32_768).as_bytes(), &options, &mut no_file).err()
    });
    let long = LevelOptions { limits: Limits { bytes: 400, ..Limits::default() }, ..LevelOptions::default() };
    refused("a long LDtk project", 4096, &|| parse_ldtk(ldtk(2).as_bytes(), &long, &mut no_file).err());
    println!("{cases} claims");

    // What is honest takes a small multiple of its bytes.
    let art = format!("{}\n", ".".repeat(1000)).repeat(300);
    let weights = format!("{}\n", ["1"; 1000].join(",")).repeat(300);
    let csv = tmx(1000, 300, "encoding=\"csv\"", &["0"; 300_000].join(","));
    let json = ldtk(2).replace("[0, 0, 0, 0]", &format!("[{}]", ["0"; 300_000].join(",")));
    let json = json.replace("\"__cWid\": 2", "\"__cWid\": 1000").replace("\"__cHei\": 2", "\"__cHei\": 300");
    type Reader<'a> = &'a dyn Fn() -> bool;
    let honest: [(&str, usize, u64, Reader<'_>); 4] = [
        ("a drawing", art.len(), 4, &|| parse_art(art.as_bytes()).is_ok()),
        ("weights", weights.len(), 8, &|| parse_weights(weights.as_bytes()).is_ok()),
        ("a .tmx", csv.len(), 16, &|| parse_tmx(csv.as_bytes(), &options, &mut no_file).is_ok()),
        ("a .ldtk", json.len(), 64, &|| parse_ldtk(json.as_bytes(), &options, &mut no_file).is_ok()),
    ];
    for (what, length, times, read) in honest {
        let (is_read, asked) = counted(read);
        println!("{what}: {asked} bytes for {length}, {:.1} times as many", asked as f64 / length as f64);
        assert!(is_read && asked <= times * length as u64, "{what}: {asked} bytes for {length}");
    }
    limits_hold_for_every_way_in();
}

fn limits_hold_for_every_way_in() {
    let limits = Limits { cells: 5, ..Limits::default() };
    let map = "type octile\nheight 2\nwidth 3\nmap\n...\n...\n";
    let folder = std::env::temp_dir().join(format!("surefoot-claims-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [("a.map", map), ("a.txt", "...\n...\n")] {
        assert!(Map::from_bytes(text.as_bytes()).is_ok(), "{name}");
        let message = Map::from_bytes_within(text.as_bytes(), &limits).unwrap_err().to_string();
        assert!(message.contains("at most 5 cells"), "{name}: {message}");
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        let message = read_any_map_within(&file, &limits).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains("at most 5 cells"), "{name}: {message}");
    }
    // A file that does not say how long it is.
    std::fs::write(folder.join("b.txt"), ".".repeat(10_000)).unwrap();
    let short = Limits { bytes: 5000, ..Limits::default() };
    let message = read_any_map_within(folder.join("b.txt"), &short).unwrap_err().to_string();
    assert!(message.contains("at most 5000 bytes"), "{message}");
    std::fs::remove_dir_all(&folder).unwrap();
    let map = Map::from_bytes_within(map.as_bytes(), &Limits { cells: 6, ..limits }).unwrap();
    assert!(map.is_free(Cell::new(2, 1)));
}
