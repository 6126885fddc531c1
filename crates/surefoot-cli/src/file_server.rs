//! A folder of files over HTTP, for browsers on this machine: what `surefoot serve` shows the page with, and
//! what `cargo xtask web --check` tries it with. It needs the standard library only.
//!
//! Requests may be anything. One is 16 KiB of headers at most, has ten seconds to come, and gets a thread of
//! its own. Bodies are never kept. After each answer the connection is closed.
//!
//! Pages of other sites get nothing to read: there is no CORS, and whoever names the server by another name
//! than that of this machine is sent away. So a site whose name leads here from one moment to the next reads
//! nothing either.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fmt::Write as _, thread};

/// The most bytes that a request line and its headers may have.
const LONGEST_REQUEST: usize = 16 * 1024;
/// How long a request may take to come, and how long one piece of an answer may wait to be taken.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most requests that are answered at the same time.
const MOST_AT_ONCE: usize = 64;
/// How much of a body is read, and for how long, and thrown away, so that whoever sends it reads the answer.
const LONGEST_FAREWELL: usize = 256 * 1024;
const FAREWELL: Duration = Duration::from_millis(500);

/// What every answer says. The page has scripts, modules of WebAssembly and workers of its own; nothing of
/// another site is loaded, and no other site shows it. A page that was built anew is to be seen at the next
/// look.
const HEADERS: &str = "\
Cache-Control: no-cache\r\n\
Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Referrer-Policy: no-referrer\r\n\
X-Content-Type-Options: nosniff\r\n\
Connection: close\r\n";

/// A server of one folder.
pub(crate) struct FileServer {
    listener: TcpListener,
    address: SocketAddr,
    files: Files,
}

/// What there is to be had.
struct Files {
    /// The folder by its own name, without links.
    folder: PathBuf,
    extra: Vec<Extra>,
    /// What it is called beside `localhost` and numbers.
    name: String,
}

/// A file that is not in the folder.
struct Extra {
    path: &'static str,
    name: String,
    bytes: Vec<u8>,
}

impl FileServer {
    /// Listens on an address of this machine, or a name of it; port 0 is any free one. Nothing is answered
    /// before [`FileServer::run`].
    pub(crate) fn bind(host: &str, port: u16, folder: &Path) -> io::Result<Self> {
        let folder = fs::canonicalize(folder)?;
        let listener = TcpListener::bind((host, port))?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, files: Files { folder, extra: Vec::new(), name: host.to_string() } })
    }

    /// Serves `bytes` at `path`, which begins with `/`. The answer has `name`, percent-encoded, in its header
    /// `X-File-Name`, and the name says what type the bytes are of.
    pub(crate) fn with_file(mut self, path: &'static str, name: &str, bytes: Vec<u8>) -> Self {
        self.files.extra.push(Extra { path, name: name.to_string(), bytes });
        self
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests for as long as the program runs.
    pub(crate) fn run(self) -> ! {
        let files = Arc::new(self.files);
        loop {
            // What goes wrong here has to do with one client, or passes: too many open files.
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            // Each thread has one of the others.
            if Arc::strong_count(&files) > MOST_AT_ONCE {
                let _ = Answer::error(503, "too many requests at the same time").send(&stream, false);
                continue;
            }
            let files = Arc::clone(&files);
            // A thread that cannot be started drops the connection. Whoever asked may ask again.
            let _ = thread::Builder::new().spawn(move || {
                // It is the client's loss if it has gone.
                let _ = serve(&stream, &files);
            });
        }
    }
}

/// Answers one request.
fn serve(mut stream: &TcpStream, files: &Files) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let (answer, is_head) = match read_request(stream)? {
        Ok(request) => (files.answer(&request), request.method == "HEAD"),
        Err(answer) => (answer, false),
    };
    answer.send(stream, is_head)?;
    // A connection that is closed while there is something to read takes the answer along.
    stream.shutdown(Shutdown::Write)?;
    let end = Instant::now() + FAREWELL;
    let (mut piece, mut taken) = ([0; 2048], 0);
    while taken < LONGEST_FAREWELL {
        // Whoever sends a byte now and then does not keep the connection.
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut piece)? {
            0 => break,
            count => taken += count,
        }
    }
    Ok(())
}

/// What a client asks for.
struct Request {
    method: String,
    target: String,
    /// Whom it is for. Browsers always say so.
    host: Option<String>,
}

/// Reads the headers of a request, or says what is wrong with them. An error if the client has gone.
fn read_request(mut stream: &TcpStream) -> io::Result<Result<Request, Answer>> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut piece = [0; 2048];
    while !has_all_headers(&bytes) {
        if bytes.len() > LONGEST_REQUEST {
            return Ok(Err(Answer::error(431, "the headers of the request are too long")));
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Err(Answer::error(408, "the request took too long to come")));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut piece) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(error) if is_late(&error) || error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Request::parse(&bytes)
        .ok_or_else(|| Answer::error(400, "expected a line like: GET /index.html HTTP/1.1, and one Host")))
}

/// Systems have two names for a read that takes too long.
fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn has_all_headers(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|end| end == b"\r\n\r\n") || bytes.windows(2).any(|end| end == b"\n\n")
}

impl Request {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        let line = std::str::from_utf8(lines.next()?).ok()?;
        let mut hosts = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            line[..colon].eq_ignore_ascii_case(b"host").then(|| line[colon + 1..].trim_ascii())
        });
        let host = hosts.next().map(|host| String::from_utf8_lossy(host).into_owned());
        if hosts.next().is_some() {
            return None;
        }
        let mut words = line.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        let is_sound = words.next().is_none()
            && !method.is_empty()
            && method.bytes().all(|byte| byte.is_ascii_alphabetic())
            && target.starts_with('/')
            && version.starts_with("HTTP/1.");
        is_sound.then(|| Self { method: method.to_string(), target: target.to_string(), host })
    }
}

impl Files {
    fn answer(&self, request: &Request) -> Answer {
        if !request.host.as_deref().is_none_or(|host| self.is_called(host)) {
            return Answer::error(421, "this server is called localhost, or by the address of this machine");
        }
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return Answer::error(405, "only GET and HEAD are answered");
        }
        // Browsers keep what follows a #, but other programs send it.
        let path = request.target.split(['?', '#']).next().unwrap_or_default();
        let Some(path) = percent_decoded(path) else {
            return Answer::error(400, "expected a path in UTF-8, with two hexadecimal digits after each %");
        };
        if let Some(extra) = self.extra.iter().find(|extra| extra.path == path) {
            return Answer::of_extra(extra);
        }
        self.open(&path).unwrap_or_else(|| Answer::error(404, "there is no such file"))
    }

    /// Whether a client that calls the server so means it. Any name may lead here, whoever it belongs to; no
    /// number does.
    fn is_called(&self, host: &str) -> bool {
        let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let name = match host.rsplit_once(':') {
            Some((name, port)) if is_port(port) => name,
            _ => host,
        };
        let number = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        name.eq_ignore_ascii_case("localhost")
            || number.parse::<IpAddr>().is_ok()
            || self.name.eq_ignore_ascii_case(name)
    }

    /// The file at a path of the folder. `None` if there is none, or if it lies elsewhere.
    fn open(&self, path: &str) -> Option<Answer> {
        let path = path.strip_prefix('/')?;
        let path =
            if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.into() };
        let is_plain =
            |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':', '\0']);
        if !path.split('/').all(is_plain) {
            return None;
        }
        // Links may lead out of the folder.
        let file = fs::canonicalize(self.folder.join(path)).ok()?;
        if !file.starts_with(&self.folder) || !file.is_file() {
            return None;
        }
        let content_type = content_type(file.to_str().unwrap_or_default());
        let file = File::open(file).ok()?;
        let length = file.metadata().ok()?.len();
        Some(Answer { status: 200, content_type, name: None, length, body: Body::File(file) })
    }
}

/// What is sent back.
struct Answer {
    status: u16,
    content_type: &'static str,
    /// The name of a file, for the header.
    name: Option<String>,
    length: u64,
    body: Body,
}

enum Body {
    Bytes(Vec<u8>),
    File(File),
}

impl Answer {
    fn of_bytes(status: u16, content_type: &'static str, bytes: Vec<u8>) -> Self {
        Self { status, content_type, name: None, length: bytes.len() as u64, body: Body::Bytes(bytes) }
    }

    fn of_extra(extra: &Extra) -> Self {
        let answer = Self::of_bytes(200, content_type(&extra.name), extra.bytes.clone());
        Self { name: Some(percent_encoded(&extra.name)), ..answer }
    }

    fn error(status: u16, message: &str) -> Self {
        Self::of_bytes(status, content_type(".txt"), format!("{status}: {message}\n").into_bytes())
    }

    fn send(self, mut stream: &TcpStream, is_head: bool) -> io::Result<()> {
        let Self { status, content_type, name, length, body } = self;
        let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
        // Writing to a string cannot fail.
        let _ = write!(head, "Content-Type: {content_type}\r\nContent-Length: {length}\r\n");
        head += HEADERS;
        if status == 405 {
            head += "Allow: GET, HEAD\r\n";
        }
        if let Some(name) = name {
            let _ = write!(head, "X-File-Name: {name}\r\n");
        }
        head += "\r\n";
        stream.write_all(head.as_bytes())?;
        match body {
            _ if is_head => {}
            Body::Bytes(bytes) => stream.write_all(&bytes)?,
            // A file that grows meanwhile is sent as long as was said.
            Body::File(file) => drop(io::copy(&mut file.take(length), &mut stream)?),
        }
        stream.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    }
}

/// What browsers are told that a file of this name is.
fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    match extension.as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "bmp" => "image/bmp",
        "ico" => "image/x-icon",
        "txt" | "md" | "ts" | "map" | "scen" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut left = text.bytes();
    while let Some(byte) = left.next() {
        bytes.push(match byte {
            b'%' => hexadecimal(left.next()?)? * 16 + hexadecimal(left.next()?)?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// What `decodeURIComponent` makes the text of again.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
