//! `surefoot serve`: the playground in a browser, with a map at hand.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use surefoot::formats::read_any_map;
use surefoot_lab::io_problem;

use crate::failure::Failure;
use crate::file_server::FileServer;
use crate::number;
use crate::output::{self, tell};

/// Where `cargo xtask web` puts the page, seen from the repository.
const PAGE: &str = "web/dist";

/// Where the page finds the map that it was given.
const GIVEN_MAP: &str = "/given-map";

/// Open the playground in a browser, with a map at hand
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot serve\n  \
    surefoot serve --map arena.map --open\n  \
    surefoot serve --port 8000 --page ~/surefoot/web/dist\n\n\
    It prints the address to open, and goes on until Ctrl-C. Only programs on this machine reach it, unless \
    --host says otherwise. The page is what 'cargo xtask web' builds.")]
pub(crate) struct Arguments {
    /// The map that the page begins with: .map, .txt, .png or .bmp
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,

    /// The port to listen on [default: any that is free]
    #[arg(long, value_parser = number::whole::<u16>(0..=65535), allow_negative_numbers = true)]
    port: Option<u16>,

    /// The address to listen on: 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    host: String,

    /// The folder with the page [default: web/dist, here or in a folder above]
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,

    /// Open the address in the browser, too
    #[arg(long)]
    open: bool,
}

/// Serves the page until somebody ends the program.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let map = arguments.map.as_deref().map(read).transpose()?;
    let folder = arguments.page.as_deref().map_or_else(find_page, check_page)?;
    let (host, port) = (arguments.host.as_str(), arguments.port.unwrap_or(0));
    let server = FileServer::bind(host, port, &folder).map_err(|error| {
        let problem = io_problem(&error);
        let advice = "choose another --port or --host, or leave them out";
        Failure::Other(format!("cannot listen on {host}, port {port}: {problem}; {advice}"))
    })?;
    let url = url(server.address(), map.is_some());
    let server = match map {
        Some((name, bytes)) => server.with_file(GIVEN_MAP, &name, bytes),
        None => server,
    };
    output::print(&format!("{url}\n"))?;
    tell(&format!("serving {}; Ctrl-C ends it", folder.display()));
    if !server.address().ip().is_loopback() {
        tell("anyone who can reach this machine can open the page and read the map");
    }
    if arguments.open {
        open(&url);
    }
    server.run()
}

/// The name of a map and its bytes as they are, once they are known to be a map.
fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    read_any_map(path)?;
    let fail = |problem: &str| Failure::Other(format!("cannot read {}: {problem}", path.display()));
    if !path.is_file() {
        return Err(fail("a pipe can be read only once; write the map to a file first"));
    }
    let bytes = fs::read(path).map_err(|error| fail(&io_problem(&error)))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok((name.unwrap_or_default(), bytes))
}

/// The page of the repository that the program runs in.
fn find_page() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::Other(format!("cannot tell the current folder: {}", io_problem(&error))))?;
    let found = here.ancestors().map(|folder| folder.join(PAGE)).find(|folder| has_page(folder).is_ok());
    found.ok_or_else(|| {
        Failure::Other(format!(
            "there is no {PAGE}/index.html in {} or a folder above; run 'cargo xtask web' in surefoot's \
             repository, which builds the page, and name its folder with --page",
            here.display()
        ))
    })
}

/// The folder, if there is a page in it.
fn check_page(folder: &Path) -> Result<PathBuf, Failure> {
    has_page(folder).map(|()| folder.to_path_buf()).map_err(|error| {
        let problem = io_problem(&error);
        let advice = "name the folder that 'cargo xtask web' builds: web/dist of surefoot's repository";
        Failure::Other(format!("cannot read {}: {problem}; {advice}", folder.join("index.html").display()))
    })
}

fn has_page(folder: &Path) -> io::Result<()> {
    match fs::metadata(folder.join("index.html"))?.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("it is no file")),
    }
}

/// What to open in a browser on this machine.
fn url(address: SocketAddr, has_map: bool) -> String {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    let state = if has_map { "#map=given" } else { "" };
    format!("http://{}/{state}", SocketAddr::new(ip, address.port()))
}

/// Opens a browser. If that fails, there is still the address.
fn open(url: &str) {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", "", url]);
        command
    } else {
        let mut command = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
        command.arg(url);
        command
    };
    let name = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
        // Some of them last as long as the browser does.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => {
            tell(&format!("cannot start {name}: {}; open the address yourself", io_problem(&error)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_that_a_browser_on_this_machine_opens() {
        let url = |address: &str, has_map| url(address.parse().unwrap(), has_map);
        assert_eq!(url("127.0.0.1:8000", false), "http://127.0.0.1:8000/");
        assert_eq!(url("0.0.0.0:8000", true), "http://127.0.0.1:8000/#map=given");
        assert_eq!(url("[::]:80", false), "http://[::1]:80/");
        assert_eq!(url("192.168.0.7:80", false), "http://192.168.0.7:80/");
    }
}
