//! What fuzz targets share.

use xxhash_rust::xxh3::xxh3_64;

/// The envelope of saved things around a body: without the right checksum every change would be refused for
/// that alone.
#[must_use]
pub fn seal(label: &[u8; 8], version: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = label.to_vec();
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(body);
    let checksum = xxh3_64(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}
