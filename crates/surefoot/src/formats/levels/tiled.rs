//! Tiled's maps: one of their layers, with what tilesets say of tiles.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use std::io::Read as _;

use roxmltree::{Document, Node};

use super::{LevelOptions, cell_of, choose, terrain};
use crate::formats::{FormatError, Place, quoted};
use crate::space::{Limits, MAX_CELLS, TerrainMap};

/// The bits of a tile's number that say how it is turned.
const TURNED: u32 = 0xF000_0000;

/// Chunks may leave so much of the map empty.
const MOST_EMPTY: u64 = 1024;

/// Reads a layer of a map of Tiled, `.tmx`. `tileset` gives the bytes of tilesets in files of their own
/// (`.tsx`), by the name that the map has for them.
///
/// Of infinite maps it is the rectangle of all chunks of the layer: its top left cell is (0, 0).
///
/// # Errors
/// If it is no such map, there is no such layer, or something in it is wrong: the error says in which layer
/// and cell.
pub fn parse_tmx(
    bytes: &[u8],
    options: &LevelOptions,
    tileset: &mut dyn FnMut(&str) -> Result<Vec<u8>, FormatError>,
) -> Result<TerrainMap, FormatError> {
    let text = text_of(bytes)?;
    let document = document_of(text)?;
    let map = document.root_element();
    if !map.has_tag_name("map") {
        return Err(at(&map, "a map of Tiled (<map>)", map.tag_name().name()));
    }
    let orientation = map.attribute("orientation").unwrap_or("orthogonal");
    if !matches!(orientation, "orthogonal" | "isometric") {
        let found = quoted(orientation.as_bytes());
        return Err(at(&map, "a map of squares, orthogonal or isometric", found));
    }
    let layers = map.descendants().filter(|node| node.has_tag_name("layer"));
    let named = layers.map(|layer| (layer.attribute("name").unwrap_or_default().to_owned(), layer));
    let (name, layer) = choose("layer", options.layer.as_deref(), named)?;
    let tiles = Tiles::read(&map, &options.property, tileset)?;

    let missing = || at(&layer, format!("<data> in the layer {}", quoted(name.as_bytes())), "none");
    let data = layer.children().find(|node| node.has_tag_name("data")).ok_or_else(missing)?;
    let chunks: Vec<Node<'_, '_>> = data.children().filter(|node| node.has_tag_name("chunk")).collect();
    let blocks = if chunks.is_empty() {
        if map.attribute("infinite") == Some("1") {
            return Err(at(&data, format!("chunks in the layer {}", quoted(name.as_bytes())), "none"));
        }
        Vec::from([Block::read(&name, &layer, &data, &data, (0, 0), &options.limits)?])
    } else {
        // All that is unpacked counts, not that of one chunk.
        let mut limits = options.limits;
        let read = |chunk| {
            let place = (number(chunk, "x")?, number(chunk, "y")?);
            let block = Block::read(&name, chunk, chunk, &data, place, &limits)?;
            if data.attribute("compression").is_some() {
                limits.bytes = limits.bytes.saturating_sub(4 * block.gids.len() as u64);
            }
            Ok(block)
        };
        chunks.iter().map(read).collect::<Result<_, FormatError>>()?
    };
    let (corner, width, height) = bounds(&blocks, &data, &options.limits)?;
    let is_free = |gid: u32| tiles.is_free(gid).unwrap_or_else(|| options.walkable.contains(&gid));
    let mut free = alloc::vec![is_free(0); width as usize * height as usize];
    for block in &blocks {
        for (number, &gid) in block.gids.iter().enumerate() {
            let gid = gid & !TURNED;
            let (x, y) = (number as u32 % block.width, number as u32 / block.width);
            let x = (block.x - corner.0) as usize + x as usize;
            let y = (block.y - corner.1) as usize + y as usize;
            let place = y * width as usize + x;
            if gid != 0 && !tiles.has(gid) {
                let expected = format!("a tile of a tileset at {}", cell_of(&name, place, width));
                return Err(at(&data, expected, format!("the number {gid}, which no tileset has")));
            }
            free[place] = is_free(gid);
        }
    }
    terrain(width, height, &free, &options.limits)
}

/// A rectangle of tiles.
struct Block {
    x: i64,
    y: i64,
    width: u32,
    height: u32,
    gids: Vec<u32>,
}

impl Block {
    /// Reads what is in `inside`, which has the size that `sized` says and is encoded as `data` says.
    fn read(
        name: &str,
        sized: &Node<'_, '_>,
        inside: &Node<'_, '_>,
        data: &Node<'_, '_>,
        (x, y): (i64, i64),
        limits: &Limits,
    ) -> Result<Self, FormatError> {
        let side = |key: &str| {
            let side = number(sized, key)?;
            let fits = u32::try_from(side).ok().filter(|&side| side > 0 && u64::from(side) <= MAX_CELLS);
            fits.ok_or_else(|| at(sized, format!("{key} from 1 to {MAX_CELLS}"), side.to_string()))
        };
        let (width, height) = (side("width")?, side("height")?);
        let cells = u64::from(width) * u64::from(height);
        let most = limits.cells.min(MAX_CELLS);
        if cells > most {
            return Err(at(sized, format!("at most {most} cells"), cells.to_string()));
        }
        let text = || inside.text().unwrap_or_default().trim();
        let wrong = |number: usize, found: String| {
            at(inside, format!("the number of a tile at {}", cell_of(name, number, width)), found)
        };
        let gids: Vec<u32> = match (data.attribute("encoding"), data.attribute("compression")) {
            (None, _) => {
                let tiles = inside.children().filter(|node| node.has_tag_name("tile")).enumerate();
                let gid = |(number, tile): (usize, Node<'_, '_>)| {
                    // A tile without a number is none.
                    let gid = tile.attribute("gid").unwrap_or("0");
                    gid.parse().map_err(|_| wrong(number, quoted(gid.as_bytes())))
                };
                tiles.map(gid).collect::<Result<_, _>>()?
            }
            (Some("csv"), _) => {
                let words = text().split(',').map(str::trim).enumerate();
                let gid = |(number, word): (usize, &str)| {
                    word.parse().map_err(|_| wrong(number, quoted(word.as_bytes())))
                };
                words.map(gid).collect::<Result<_, _>>()?
            }
            (Some("base64"), compression) => {
                let packed = base64(text()).map_err(|found| at(inside, "base64", found))?;
                let bytes = unpack(packed, compression, cells, limits).map_err(|found| {
                    at(inside, format!("data of the layer {}", quoted(name.as_bytes())), found)
                })?;
                if bytes.len() % 4 != 0 {
                    return Err(wrong(bytes.len() / 4, "only a part of it".to_owned()));
                }
                let gid = |four: &[u8]| four.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte));
                bytes.chunks_exact(4).map(gid).collect()
            }
            (Some(other), _) => return Err(at(data, "encoding csv or base64", quoted(other.as_bytes()))),
        };
        if gids.len() as u64 != cells {
            let few = (gids.len() as u64) < cells;
            let place = cell_of(name, gids.len().min(cells as usize), width);
            let expected =
                if few { format!("a tile at {place}") } else { format!("no tile after {cells} of them") };
            return Err(at(inside, expected, format!("{} tiles for {width} x {height} cells", gids.len())));
        }
        Ok(Self { x, y, width, height, gids })
    }
}

/// The top left cell, width and height of all blocks together.
fn bounds(
    blocks: &[Block],
    data: &Node<'_, '_>,
    limits: &Limits,
) -> Result<((i64, i64), u32, u32), FormatError> {
    let least = |of: fn(&Block) -> i64| blocks.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&Block) -> i64| blocks.iter().map(of).max().unwrap_or(0);
    let corner = (least(|block| block.x), least(|block| block.y));
    let width =
        i128::from(most(|block| block.x.saturating_add(i64::from(block.width)))) - i128::from(corner.0);
    let height =
        i128::from(most(|block| block.y.saturating_add(i64::from(block.height)))) - i128::from(corner.1);
    let tiles: u64 = blocks.iter().map(|block| block.gids.len() as u64).sum();
    let fits = |side: i128| u32::try_from(side).ok();
    let (Some(wide), Some(high)) = (fits(width), fits(height)) else {
        return Err(at(data, "chunks that lie closer together", format!("{width} x {height} cells")));
    };
    let cells = u64::from(wide) * u64::from(high);
    let is_empty = cells > tiles && cells > limits.bytes;
    if !limits.allow(wide, high) || is_empty || cells > tiles.saturating_mul(MOST_EMPTY) {
        return Err(at(data, "chunks that lie closer together", format!("{wide} x {high} cells")));
    }
    Ok((corner, wide, high))
}

/// What is known of tiles.
struct Tiles {
    /// The first number of each tileset.
    firsts: Vec<u32>,
    /// What a property says of tiles, by their global numbers.
    said: BTreeMap<u32, bool>,
}

impl Tiles {
    fn read(
        map: &Node<'_, '_>,
        property: &str,
        tileset: &mut dyn FnMut(&str) -> Result<Vec<u8>, FormatError>,
    ) -> Result<Self, FormatError> {
        let mut tiles = Self { firsts: Vec::new(), said: BTreeMap::new() };
        for set in map.children().filter(|node| node.has_tag_name("tileset")) {
            let first = number(&set, "firstgid")?;
            let first = u32::try_from(first).ok().filter(|&first| first > 0 && first & TURNED == 0);
            let Some(first) = first else { return Err(at(&set, "a firstgid of 1 or more", "another")) };
            tiles.firsts.push(first);
            match set.attribute("source") {
                None => tiles.hear(&set, first, property)?,
                Some(source) => {
                    let within = |error: FormatError| {
                        let found = format!("{error}");
                        at(&set, format!("the tileset {}", quoted(source.as_bytes())), found)
                    };
                    let bytes = tileset(source)?;
                    let document = text_of(&bytes).and_then(document_of).map_err(within)?;
                    tiles.hear(&document.root_element(), first, property).map_err(within)?;
                }
            }
        }
        Ok(tiles)
    }

    /// Hears what a tileset says of its tiles.
    fn hear(&mut self, set: &Node<'_, '_>, first: u32, name: &str) -> Result<(), FormatError> {
        for tile in set.children().filter(|node| node.has_tag_name("tile")) {
            let of_tile = tile.children().filter(|node| node.has_tag_name("properties"));
            let mut properties = of_tile.flat_map(|all| all.children());
            let Some(property) = properties.find(|node| node.attribute("name") == Some(name)) else {
                continue;
            };
            let is_true = match property.attribute("value") {
                Some("true") => true,
                Some("false") => false,
                other => {
                    let found = quoted(other.unwrap_or_default().as_bytes());
                    return Err(at(
                        &property,
                        format!("true or false for {}", quoted(name.as_bytes())),
                        found,
                    ));
                }
            };
            let id = u32::try_from(number(&tile, "id")?).ok().and_then(|id| first.checked_add(id));
            let id = id.ok_or_else(|| at(&tile, "the number of a tile", "one that is too large"))?;
            self.said.insert(id, is_true);
        }
        Ok(())
    }

    fn has(&self, gid: u32) -> bool {
        self.firsts.iter().any(|&first| first <= gid)
    }

    /// What a property says of a tile.
    fn is_free(&self, gid: u32) -> Option<bool> {
        self.said.get(&gid).copied()
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, FormatError> {
    core::str::from_utf8(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
        .map_err(|error| FormatError::new(Place::Byte(error.valid_up_to()), "text in UTF-8", "other bytes"))
}

fn document_of(text: &str) -> Result<Document<'_>, FormatError> {
    Document::parse(text).map_err(|error| {
        let place = Place::Text { line: error.pos().row as usize, column: error.pos().col as usize };
        // It has characters of the file in it as they are, line breaks, too.
        let found = error.to_string().replace(char::is_control, " ");
        FormatError::new(place, "XML of Tiled", found)
    })
}

/// An error at a tag.
fn at(node: &Node<'_, '_>, expected: impl Into<String>, found: impl Into<String>) -> FormatError {
    let position = node.document().text_pos_at(node.range().start);
    let place = Place::Text { line: position.row as usize, column: position.col as usize };
    FormatError::new(place, expected.into(), found.into())
}

fn number(node: &Node<'_, '_>, key: &str) -> Result<i64, FormatError> {
    let value = node.attribute(key);
    let number = value.and_then(|value| value.parse().ok());
    number.ok_or_else(|| {
        let found = value.map_or_else(|| "none".to_owned(), |value| quoted(value.as_bytes()));
        at(node, format!("a whole number {key:?} in <{}>", node.tag_name().name()), found)
    })
}

/// Unpacks the bytes of a layer of so many cells.
fn unpack(
    packed: Vec<u8>,
    compression: Option<&str>,
    cells: u64,
    limits: &Limits,
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    if compression.is_some_and(|name| !name.is_empty()) && cells.saturating_mul(4) > limits.bytes {
        let most = limits.bytes / 4;
        return Err(format!("{cells} compressed tiles, and at most {most} are unpacked; save them as CSV"));
    }
    // One more than there should be shows that there are too many.
    let most = cells.saturating_mul(4).saturating_add(4);
    let read = match compression {
        None | Some("") => return Ok(packed),
        Some("zlib") => flate2::read::ZlibDecoder::new(&*packed).take(most).read_to_end(&mut bytes),
        Some("gzip") => flate2::read::GzDecoder::new(&*packed).take(most).read_to_end(&mut bytes),
        Some(other) => {
            let other = quoted(other.as_bytes());
            return Err(format!("compression {other}; save it as CSV, or compressed by zlib or gzip"));
        }
    };
    read.map(|_| bytes).map_err(|error| error.to_string())
}

fn base64(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            other => return Err(quoted(&[other])),
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Ok(bytes)
}
