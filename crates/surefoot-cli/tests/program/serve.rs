//! `surefoot serve`

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::{ARENA, Workplace};

/// A folder with a page, a secret beside it, and a map.
fn with_page() -> Workplace {
    let place = Workplace::with_arena();
    fs::create_dir_all(place.path("web/dist/surefoot")).unwrap();
    place.put("web/dist/index.html", "<p>the page");
    place.put("web/dist/main.js", "1;");
    place.put("web/dist/two words.txt", "two");
    place.put("web/dist/surefoot/surefoot_bg.wasm", b"\0asm");
    place.put("web/secret.txt", "secret");
    place
}

/// The program while it serves.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(place: &Workplace, arguments: &[&str]) -> Self {
        let mut command = place.command(&[&["serve"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim_end().to_string() }
    }

    fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    /// What comes back for these bytes.
    fn send(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    /// The head and the body of the answer.
    fn ask(&self, method: &str, target: &str) -> (String, Vec<u8>) {
        self.ask_as(&format!("Host: {}", self.address()), method, target)
    }

    /// The same with these headers.
    fn ask_as(&self, headers: &str, method: &str, target: &str) -> (String, Vec<u8>) {
        let answer = self.send(format!("{method} {target} HTTP/1.1\r\n{headers}\r\n\r\n").as_bytes());
        let end = answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap();
        (String::from_utf8(answer[..end].to_vec()).unwrap(), answer[end + 4..].to_vec())
    }

    fn status(&self, method: &str, target: &str) -> String {
        self.ask(method, target).0.split(' ').nth(1).unwrap().to_string()
    }

    /// The words on standard error, once the program was ended.
    fn end(mut self) -> String {
        self.child.kill().unwrap();
        let mut words = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        words
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_is_served_with_its_types() {
    let place = with_page();
    let server = Server::start(&place, &[]);
    assert!(server.url.starts_with("http://127.0.0.1:") && server.url.ends_with('/'), "{}", server.url);
    for (target, content_type, body) in [
        ("/", "text/html; charset=utf-8", &b"<p>the page"[..]),
        ("/index.html?x=1", "text/html; charset=utf-8", b"<p>the page"),
        ("/main.js#here", "text/javascript; charset=utf-8", b"1;"),
        ("/two%20words.txt", "text/plain; charset=utf-8", b"two"),
        ("/surefoot/surefoot_bg.wasm", "application/wasm", b"\0asm"),
    ] {
        let (head, found) = server.ask("GET", target);
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{target}: {head}");
        assert!(head.contains(&format!("Content-Type: {content_type}\r\n")), "{target}: {head}");
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{target}: {head}");
        assert_eq!(found, body, "{target}");
        let (head_alone, nothing) = server.ask("HEAD", target);
        assert_eq!((head_alone, nothing), (head, Vec::new()), "{target}");
    }
    assert!(server.end().contains("web/dist; Ctrl-C ends it"));
}

#[test]
fn nothing_else_is_served() {
    let place = with_page();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.txt", place.path("web/dist/link.txt")).unwrap();
        std::os::unix::fs::symlink("..", place.path("web/dist/up")).unwrap();
        std::os::unix::fs::symlink("main.js", place.path("web/dist/within.js")).unwrap();
    }
    let server = Server::start(&place, &[]);
    for target in [
        "/nowhere.txt",
        "/given-map",
        "/surefoot",
        "/surefoot/",
        "/main.js/",
        "//main.js",
        "/./main.js",
        "/../secret.txt",
        "/surefoot/../../secret.txt",
        "/surefoot/../main.js",
        "/%2e%2e/secret.txt",
        "/%2E%2E%2Fsecret.txt",
        "/..%5Csecret.txt",
        "/%2fetc/passwd",
        "//etc/passwd",
        "/C:/Windows/win.ini",
        "/main.js%00",
        "/%252e%252e/secret.txt",
        "/..;/secret.txt",
        "/.../secret.txt",
        "/surefoot/%2e%2e/%2e%2e/secret.txt",
        "/surefoot%2F..%2F..%2Fsecret.txt",
        "/%5c..%5csecret.txt",
        "/~/secret.txt",
        "/up/../secret.txt",
        "/link.txt",
        "/up/secret.txt",
    ] {
        let (head, body) = server.ask("GET", target);
        assert!(head.starts_with("HTTP/1.1 404 Not Found\r\n"), "{target}: {head}");
        assert_eq!(body, b"404: there is no such file\n", "{target}");
    }
    #[cfg(unix)]
    assert_eq!(server.status("GET", "/within.js"), "200");
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "get"] {
        let (head, _) = server.ask(method, "/");
        assert!(
            head.starts_with("HTTP/1.1 405 ") && head.contains("\r\nAllow: GET, HEAD"),
            "{method}: {head}"
        );
    }
}

/// A name of another site may lead here from one moment to the next, so that its page would read what is here.
#[test]
fn nobody_who_calls_it_by_another_name_is_answered() {
    let place = with_page();
    let server = Server::start(&place, &["--map", "arena.map"]);
    let port = server.address().rsplit_once(':').unwrap().1;
    let status = |headers: &str| {
        let (head, body) = server.ask_as(headers, "GET", "/given-map");
        let status = head.split(' ').nth(1).unwrap().to_string();
        assert_eq!(body == ARENA.as_bytes(), status == "200", "{headers}");
        status
    };
    let own = [format!("Host: localhost:{port}"), format!("host:LOCALHOST:{port}")];
    let own = own.iter().map(String::as_str);
    for headers in own.chain(["Host: 127.0.0.1", "Host: [::1]:80", "Host: 192.168.0.7:1", "X: y"]) {
        assert_eq!(status(headers), "200", "{headers}");
    }
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.1@evil.example",
        "evil.example:80:80",
        "0x7f000001",
        "[::1",
        "",
    ] {
        assert_eq!(status(&format!("Host: {host}")), "421", "{host}");
    }
    assert_eq!(status("Host: localhost\r\nHost: evil.example"), "400");
}

#[test]
fn answers_say_what_browsers_may_do_with_them() {
    let place = with_page();
    let server = Server::start(&place, &["--map", "arena.map"]);
    for target in ["/", "/main.js", "/given-map", "/nowhere"] {
        let (head, _) = server.ask_as("Host: localhost\r\nOrigin: http://evil.example", "GET", target);
        for header in [
            "X-Content-Type-Options: nosniff",
            "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';",
            "frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy: same-origin",
            "Referrer-Policy: no-referrer",
        ] {
            assert!(head.contains(header), "{target}: {header} in {head}");
        }
        assert!(!head.to_ascii_lowercase().contains("access-control"), "{target}: {head}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn only_this_machine_reaches_it_unless_something_else_is_said() {
    let place = with_page();
    let server = Server::start(&place, &[]);
    let port: u16 = server.address().rsplit_once(':').unwrap().1.parse().unwrap();
    // What listens, as the system has it: address and port in hexadecimal digits, and state 0A.
    let listening = |file: &str| {
        let table = fs::read_to_string(file).unwrap_or_default();
        let rows = table.lines().filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (address, own) = words.get(1)?.split_once(':')?;
            let is_own = u16::from_str_radix(own, 16) == Ok(port) && words.get(3) == Some(&"0A");
            is_own.then(|| address.to_string())
        });
        rows.collect::<Vec<String>>()
    };
    assert_eq!(listening("/proc/net/tcp"), ["0100007F"], "127.0.0.1, and no other address");
    assert_eq!(listening("/proc/net/tcp6"), [""; 0]);
}

#[test]
fn bad_requests_are_answered_and_the_next_one_is_served() {
    let place = with_page();
    let server = Server::start(&place, &[]);
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    for (request, status) in [
        (&b"\r\n\r\n"[..], "400"),
        (b"\0\xFF\r\n\r\n", "400"),
        (b"GET\r\n\r\n", "400"),
        (b"GET /\r\n\r\n", "400"),
        (b"GET  / HTTP/1.1\r\n\r\n", "400"),
        (b"GET / HTTP/9\r\n\r\n", "400"),
        (b"GET http://x/ HTTP/1.1\r\n\r\n", "400"),
        (b"GET /%F HTTP/1.1\r\n\r\n", "400"),
        (b"GET /%+1 HTTP/1.1\r\n\r\n", "400"),
        (b"GET /%FF HTTP/1.1\r\n\r\n", "400"),
        (b"GET /%c0%ae%c0%ae/secret.txt HTTP/1.1\r\n\r\n", "400"),
        (b"GET /\xC3\xA9 HTTP/1.1\r\n\r\n", "404"),
        (b"GET / HTTP/1.1\n\n", "200"),
        (b"GET / HTTP/1.0\r\nContent-Length: -1\r\nHost\r\n\r\n", "200"),
        (b"GET / HTTP/1.1\r\nHost: \xFF\r\n\r\n", "421"),
        (b"POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nmore", "405"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", "405"),
        (long.as_bytes(), "431"),
    ] {
        let answer = String::from_utf8(server.send(request)).unwrap();
        let start = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&start), "{:?}: {answer}", String::from_utf8_lossy(request));
    }
    // Somebody who says nothing, somebody who leaves in the middle, and many who wait.
    let silent = TcpStream::connect(server.address()).unwrap();
    TcpStream::connect(server.address()).unwrap().write_all(b"GET / HT").unwrap();
    let many: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    many.iter().for_each(|stream| drop(stream.shutdown(Shutdown::Read)));
    assert_eq!(server.status("GET", "/"), "200");
    drop((silent, many));
    assert_eq!(server.end().lines().count(), 1, "a word about where, and none about panics");
}

#[test]
fn a_given_map_is_served_as_it_is() {
    let place = with_page();
    place.put("größe 1.map", ARENA);
    let server = Server::start(&place, &["--map", "größe 1.map", "--page", "web/dist"]);
    assert!(server.url.ends_with("/#map=given"), "{}", server.url);
    let (head, body) = server.ask("GET", "/given-map");
    assert!(head.contains("\r\nX-File-Name: gr%C3%B6%C3%9Fe%201.map"), "{head}");
    assert_eq!(body, ARENA.as_bytes());
}

#[test]
fn the_page_is_found_from_folders_below() {
    let place = with_page();
    fs::create_dir_all(place.path("crates/x")).unwrap();
    let mut command = place.command(&["serve", "--host", "localhost"]);
    command.current_dir(place.path("crates/x")).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let server = Server { child, url: url.trim_end().to_string() };
    assert_eq!(server.status("GET", "/"), "200");
}

#[test]
fn mistakes_are_told_before_anything_is_served() {
    let place = with_page();
    place.put("bad.map", "type octile\nheight 2\nwidth 2\nmap\n..\n.#\n");
    place.fail(&["serve", "--map", "bad.map"], 1, "bad.map:6:2: expected a terrain letter");
    place.fail(&["serve", "--map", "none.map"], 1, "none.map: no such file");
    place.fail(&["serve", "--page", "web"], 1, "cannot read web/index.html: No such file or directory; name");
    place.fail(&["serve", "--host", "no such host"], 1, "cannot listen on no such host, port 0: ");
    for port in ["-1", "65536", "x", ""] {
        place.fail(&["serve", "--port", port], 2, "expected a whole number from 0 to 65535");
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    place.fail(&["serve", "--port", &port], 1, "choose another --port");
    Workplace::empty().fail(&["serve"], 1, "run 'cargo xtask web'");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_it() {
    use std::os::unix::process::ExitStatusExt as _;
    if crate::mistakes::ignores_signals() {
        eprintln!("signals are ignored here, and the program leaves it at that");
        return;
    }
    let place = with_page();
    let mut server = Server::start(&place, &[]);
    let kill =
        std::process::Command::new("kill").args(["-s", "INT", &server.child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let status = server.child.wait().unwrap();
    assert!(status.signal() == Some(2) || status.code() == Some(130), "{status}");
}
