//! Files by path; everything else takes bytes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{FormatError, Place, map, parse_art, parse_map, parse_map_within, parse_weights, within};
use crate::files::OpenFile;
use crate::space::{CellWeights, Limits, TerrainMap};

/// A file that could not be read.
///
/// Prints on one line, as `maps/arena.map:12:5: expected a terrain letter (A to Z, '.' or '@'), found '#'`.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    problem: FileProblem,
}

/// Why a file could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// There is no file at the path.
    Missing,
    /// The operating system did not let it be read.
    Io(io::Error),
    /// It was read, but it is not in the format.
    Format(FormatError),
}

impl FileError {
    fn new(path: &Path, problem: FileProblem) -> Self {
        Self { path: path.to_path_buf(), problem }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong with it.
    #[must_use]
    pub fn problem(&self) -> &FileProblem {
        &self.problem
    }
}

impl core::fmt::Display for FileError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // A path may have line ends in it, and a message should not.
        for character in self.path.to_string_lossy().chars() {
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                write!(f, "{character}")?;
            }
        }
        match &self.problem {
            FileProblem::Missing => f.write_str(
                ": no such file; check the spelling of the path (a relative one starts at the current folder)",
            ),
            FileProblem::Io(error) if error.kind() == io::ErrorKind::IsADirectory => {
                f.write_str(": expected a file, found a folder; name a file in it")
            }
            FileProblem::Io(error) => write!(f, ": expected a file that can be read, found: {error}"),
            FileProblem::Format(error) => {
                write!(f, "{}: expected {}, found {}", error.place(), error.expected(), error.found())
            }
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            FileProblem::Missing => None,
            FileProblem::Io(error) => Some(error),
            FileProblem::Format(error) => Some(error),
        }
    }
}

/// Reads a `MovingAI` `.map` file.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is no map.
pub fn read_map(path: impl AsRef<Path>) -> Result<TerrainMap, FileError> {
    let limits = Limits::default();
    read(path.as_ref(), &limits, |head| map::most_bytes(head, &limits).map(Some), parse_map)
}

/// Reads a file of any other format with its parser. The file may have 256 MiB at most.
///
/// # Errors
/// If there is no such file, it cannot be read, it is too long, or `parse` finds that it is not in the
/// format.
pub fn read_with<T>(
    path: impl AsRef<Path>,
    parse: impl Fn(&[u8]) -> Result<T, FormatError>,
) -> Result<T, FileError> {
    read_within(path, &Limits::default(), parse)
}

/// The same for a file that may have so many bytes.
pub(crate) fn read_within<T>(
    path: impl AsRef<Path>,
    limits: &Limits,
    parse: impl Fn(&[u8]) -> Result<T, FormatError>,
) -> Result<T, FileError> {
    read(path.as_ref(), limits, |_| Ok(None), parse)
}

/// Reads a map in whichever format it is in: `MovingAI` `.map`, ASCII art (`.txt`), and with the feature
/// `images` PNG and BMP. What the file starts with decides, and its extension where that does not tell.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is no map.
pub fn read_any_map(path: impl AsRef<Path>) -> Result<TerrainMap, FileError> {
    read_any_map_within(path, &Limits::default())
}

/// The same for a map that may ask for so much.
///
/// # Errors
/// As for [`read_any_map`]; also if it asks for more.
pub fn read_any_map_within(path: impl AsRef<Path>, limits: &Limits) -> Result<TerrainMap, FileError> {
    let path = path.as_ref();
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let kind = |head: &[u8]| FileType::of(head, extension.as_deref());
    read(
        path,
        limits,
        |head| match kind(head)? {
            FileType::Map => map::most_bytes(head, limits).map(Some),
            _ => Ok(None),
        },
        |bytes| match kind(bytes)? {
            FileType::Map => parse_map_within(bytes, limits),
            FileType::Art => parse_art(bytes).and_then(|map| within(map, limits)),
            #[cfg(feature = "images")]
            FileType::Image => super::parse_image_within(bytes, limits),
        },
    )
}

/// Reads the weights of a map's cells: rows of numbers, and with the feature `images` grey PNG and BMP
/// images. What the file starts with decides, and its extension where that does not tell.
///
/// # Errors
/// If there is no such file, it cannot be read, or it has no weights in it.
pub fn read_weights(path: impl AsRef<Path>) -> Result<CellWeights, FileError> {
    let path = path.as_ref();
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let is_image = |head: &[u8]| has_image(head) || matches!(extension.as_deref(), Some("png" | "bmp"));
    let parse = |bytes: &[u8]| if is_image(bytes) { weights_of_image(bytes) } else { parse_weights(bytes) };
    read_with(path, parse)
}

#[cfg(feature = "images")]
fn weights_of_image(bytes: &[u8]) -> Result<CellWeights, FormatError> {
    super::parse_weights_image(bytes)
}

#[cfg(not(feature = "images"))]
fn weights_of_image(_: &[u8]) -> Result<CellWeights, FormatError> {
    let found = "an image, which only the feature `images` of surefoot reads";
    Err(FormatError::new(Place::Whole, "rows of weights from 0 to 255", found))
}

/// Whether a file begins as images do.
fn has_image(head: &[u8]) -> bool {
    head.starts_with(b"\x89PNG") || (head.starts_with(b"BM") && head.contains(&0))
}

/// The formats that a map can have.
enum FileType {
    Map,
    Art,
    #[cfg(feature = "images")]
    Image,
}

impl FileType {
    fn of(head: &[u8], extension: Option<&str>) -> Result<Self, FormatError> {
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        match extension {
            _ if has_image(head) => Self::image(),
            Some("png" | "bmp") => Self::image(),
            _ if text.starts_with(b"type ") || text.starts_with(b"type\t") => Ok(Self::Map),
            Some("map") => Ok(Self::Map),
            Some("txt") => Ok(Self::Art),
            other => {
                let found = match other {
                    Some(extension) => format!("a file .{extension} that is none of these"),
                    None => String::from("a file without extension that is none of these"),
                };
                Err(FormatError::new(
                    Place::Whole,
                    "a map as .map, .txt (ASCII art), .png or .bmp",
                    found.escape_debug().collect::<String>(),
                ))
            }
        }
    }

    #[cfg(feature = "images")]
    fn image() -> Result<Self, FormatError> {
        Ok(Self::Image)
    }

    #[cfg(not(feature = "images"))]
    fn image() -> Result<Self, FormatError> {
        let found = "an image, which only the feature `images` of surefoot reads";
        Err(FormatError::new(Place::Whole, "a map as .map or .txt (ASCII art)", found))
    }
}

/// Enough of a file to find a header in.
const HEAD: usize = 4096;

/// Reads the file at `path` and parses it; `most_bytes` finds in its beginning how long it can be, if that
/// says.
///
/// Devices and pipes have no length to ask for, and a file may be anything: `/dev/zero` and a film are
/// refused after one block or at the limit, not when memory is full.
fn read<T>(
    path: &Path,
    limits: &Limits,
    most_bytes: impl Fn(&[u8]) -> Result<Option<u64>, FormatError>,
    parse: impl Fn(&[u8]) -> Result<T, FormatError>,
) -> Result<T, FileError> {
    let io_problem = |error: io::Error| {
        let problem = match error.kind() {
            io::ErrorKind::NotFound => FileProblem::Missing,
            _ => FileProblem::Io(error),
        };
        FileError::new(path, problem)
    };
    let format_problem = |error| FileError::new(path, FileProblem::Format(error));

    let mut file = OpenFile::open(path).map_err(io_problem)?;
    let length = file.as_file().metadata().map_or(0, |metadata| metadata.len());
    let mut bytes = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut bytes).map_err(io_problem)?;
    if bytes.len() == HEAD {
        let header_says = most_bytes(&bytes).map_err(format_problem)?;
        let most = header_says.unwrap_or(limits.bytes);
        let rest = most.saturating_sub(HEAD as u64);
        // One more byte than allowed shows that there are too many.
        let expected = length.saturating_sub(HEAD as u64).min(rest) + 1;
        let _ = bytes.try_reserve_exact(usize::try_from(expected).unwrap_or(0));
        file.by_ref().take(rest + 1).read_to_end(&mut bytes).map_err(io_problem)?;
        if bytes.len() as u64 > most {
            let place = Place::Byte(usize::try_from(most).unwrap_or(usize::MAX));
            let too_long = FormatError::new(place, format!("a file of at most {most} bytes"), "more");
            // Where the header gives the length, the parser can say which line is one too many.
            let error = header_says.and_then(|_| parse(&bytes).err()).unwrap_or(too_long);
            return Err(format_problem(error));
        }
    }
    parse(&bytes).map_err(format_problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use std::fs;

    /// A folder of its own for each test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("surefoot-formats-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, bytes).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MAP: &str = "type octile\nheight 2\nwidth 2\nmap\n.@\n..\n";

    #[test]
    fn the_content_tells_the_format_and_then_the_extension() {
        let folder = Folder::new("kinds");
        let map = parse_map(MAP.as_bytes()).unwrap();
        for (name, content) in [("a.map", MAP), ("b.txt", MAP), ("c", MAP), ("d.txt", ".#\n..\n")] {
            assert_eq!(read_any_map(folder.write(name, content)).unwrap(), map, "{name}");
        }
        assert_eq!(read_map(folder.write("e.map", MAP)).unwrap(), map);
        let error = read_any_map(folder.write("f.doc", "hello")).unwrap_err();
        assert!(error.to_string().ends_with(
            "f.doc: expected a map as .map, .txt (ASCII art), .png or .bmp, found a file .doc that is none of these"
        ));
    }

    #[cfg(feature = "images")]
    #[test]
    fn images_are_maps_whatever_they_are_called() {
        let folder = Folder::new("images");
        let map = parse_map(MAP.as_bytes()).unwrap();
        let image = ::image::GrayImage::from_vec(2, 2, Vec::from([255, 0, 255, 255])).unwrap();
        let mut png = io::Cursor::new(Vec::new());
        image.write_to(&mut png, ::image::ImageFormat::Png).unwrap();
        let png = png.into_inner();
        for name in ["a.png", "a.map", "a"] {
            assert_eq!(read_any_map(folder.write(name, &png)).unwrap(), map, "{name}");
        }
        let message = read_any_map(folder.write("b.png", &png[..20])).unwrap_err().to_string();
        assert!(message.ends_with(
            "b.png: byte 16: expected the width and height of the image, found the end of the file"
        ));
    }

    #[cfg(not(feature = "images"))]
    #[test]
    fn without_the_feature_images_are_refused_by_name() {
        let folder = Folder::new("no-images");
        let message = read_any_map(folder.write("a.png", b"\x89PNG")).unwrap_err().to_string();
        assert!(message.ends_with("found an image, which only the feature `images` of surefoot reads"));
    }

    #[test]
    fn errors_start_with_a_place_that_editors_open() {
        let folder = Folder::new("places");
        let path = folder.write("bad.map", MAP.replace("..", ".#"));
        let error = read_map(&path).unwrap_err();
        let expected = ":6:2: expected a terrain letter (A to Z, '.' or '@'), found '#'";
        assert_eq!(error.to_string(), format!("{}{expected}", path.display()));
        let path = folder.write("bad.csv", "1 2\n1 x\n");
        let error = read_with(&path, parse_weights).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}:2:3: expected ", path.display())), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read_map("no/such/file.map").unwrap_err();
        assert!(matches!(error.problem(), FileProblem::Missing));
        assert_eq!(
            error.to_string(),
            "no/such/file.map: no such file; check the spelling of the path (a relative one starts at the current folder)"
        );
        let folder = Folder::new("folder");
        let message = read_map(&folder.0).unwrap_err().to_string();
        // Some systems call a folder a file that may not be read.
        let expected =
            [": expected a file, found a folder; name a file in it", ": expected a file that can be read"];
        assert!(expected.iter().any(|expected| message.contains(expected)), "{message}");
        assert!(!read_map("a\nb").unwrap_err().to_string().contains('\n'));
    }

    #[test]
    fn files_are_not_read_further_than_their_header_allows() {
        let folder = Folder::new("long");
        let path = folder.write("garbage.map", format!("{MAP}{}", "x".repeat(100_000)));
        assert!(
            read_map(&path)
                .unwrap_err()
                .to_string()
                .contains("garbage.map:7:1: expected the end of the file")
        );
        let path = folder.write("blank.map", format!("{MAP}{}", "\n".repeat(100_000)));
        assert!(read_map(&path).unwrap_err().to_string().contains("expected a file of at most"));
        let path = folder.write("large.map", {
            let row = ".".repeat(300);
            format!("type octile\nheight 200\nwidth 300\nmap\n{}", format!("{row}\r\n").repeat(200))
        });
        assert_eq!(read_map(&path).unwrap().height(), 200);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn endless_files_end() {
        let message = read_map("/dev/zero").unwrap_err().to_string();
        assert!(message.starts_with("/dev/zero:1:1: expected \"type octile\""), "{message}");
    }
}
