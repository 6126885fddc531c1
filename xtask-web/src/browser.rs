//! A real browser, driven over the DevTools protocol: Chromium reads commands from its file descriptor 3 and
//! writes answers to 4, JSON with a zero byte after each. A shell connects them with our two pipes. So there is
//! no port, no websocket and no driver; and if this program ends in any way, the browser sees it and ends, too.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::page::Page;

/// How long a command may take. Machines that check changes are busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How long a browser may take to end itself before it is ended.
const FAREWELL: Duration = Duration::from_secs(3);

/// Names of the browser. Chrome does as well as Chromium.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const FLAGS: [&str; 13] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// The browser of this machine: what `CHROMIUM` names, or the first that is installed. Where there is none it is
/// installed if that is possible. `None` if it is not.
///
/// # Errors
/// If `CHROMIUM` names what is not there.
pub(crate) fn find(root: &Path) -> Result<Option<PathBuf>, String> {
    if let Some(name) = std::env::var_os("CHROMIUM") {
        let name = name.to_string_lossy();
        let found = on_path(&name);
        return found.map(Some).ok_or_else(|| format!("CHROMIUM is {name}, and there is no such program"));
    }
    let installed = || NAMES.iter().find_map(|name| on_path(name));
    if let Some(found) = installed() {
        return Ok(Some(found));
    }
    // The script says why it does nothing where it can do nothing.
    let script = root.join("web/install-browser.sh");
    let status = Command::new("sh").arg(script).status();
    Ok(status.is_ok_and(|status| status.success()).then(installed).flatten())
}

fn on_path(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |path: &PathBuf| path.is_file();
    // A name with a slash in it stays what it is.
    std::env::split_paths(&paths).map(|folder| folder.join(name)).find(is_there)
}

/// A browser that runs until this is dropped.
pub(crate) struct Browser {
    child: Child,
    commands: Option<ChildStdin>,
    messages: Receiver<Value>,
    last_id: u64,
    /// What is known of each page and of each of its workers, by session.
    sessions: BTreeMap<String, Session>,
    folder: TempDir,
}

/// What a page told.
#[derive(Default)]
struct Session {
    /// The page that a worker is of.
    parent: Option<String>,
    /// Whether it has loaded since it was last asked to.
    has_loaded: bool,
    errors: Vec<String>,
}

impl Browser {
    /// Starts a browser without a window, with a profile of its own.
    ///
    /// # Errors
    /// If it does not start, or does not answer.
    pub(crate) fn start(program: &Path) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let problem = |error| format!("{} could not be started: {error}", program.display());
        let log = File::create(folder.path().join("log")).map_err(problem)?;
        fs::create_dir(folder.path().join("downloads")).map_err(problem)?;
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >&2"#])
            .arg(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(problem)?;
        let (sender, messages) = mpsc::channel();
        let commands = child.stdin.take();
        let answers = child.stdout.take();
        std::thread::spawn(move || {
            for message in BufReader::new(answers.into_iter().next()?).split(0) {
                let message = serde_json::from_slice(&message.ok()?).ok()?;
                sender.send(message).ok()?;
            }
            Some(())
        });
        let mut browser = Self { child, commands, messages, last_id: 0, sessions: BTreeMap::new(), folder };
        let downloads = browser.downloads();
        browser.call(
            None,
            "Browser.setDownloadBehavior",
            &json!({"behavior": "allow", "downloadPath": downloads}),
        )?;
        Ok(browser)
    }

    /// Opens an empty page.
    pub(crate) fn open(&mut self) -> Result<Page<'_>, String> {
        let target = self.call(None, "Target.createTarget", &json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call(None, "Target.attachToTarget", &attach)?;
        let session = session["sessionId"].as_str().ok_or("the browser named no session")?.to_string();
        self.sessions.insert(session.clone(), Session::default());
        for domain in ["Page", "Runtime", "Log", "DOM"] {
            self.call(Some(&session), &format!("{domain}.enable"), &json!({}))?;
        }
        self.call(Some(&session), "Target.setAutoAttach", &workers())?;
        Ok(Page::new(self, session))
    }

    /// The folder that files are saved to.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Has a command done, and gives its result.
    pub(crate) fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        parameters: &Value,
    ) -> Result<Value, String> {
        self.call_within(PATIENCE, session, method, parameters)
    }

    /// The same, if it does not take longer than that.
    pub(crate) fn call_within(
        &mut self,
        time: Duration,
        session: Option<&str>,
        method: &str,
        parameters: &Value,
    ) -> Result<Value, String> {
        let id = self.send(session, method, parameters)?;
        let end = Instant::now() + time;
        while let Some(message) = self.next(end)? {
            if message["id"] != id {
                self.note(&message)?;
            } else if let Some(error) = message.get("error") {
                return Err(format!("{method} {}: {}", shortened(parameters), error["message"]));
            } else {
                return Ok(message["result"].clone());
            }
        }
        let seconds = time.as_secs_f32();
        Err(format!("waited {seconds:.1} s for an answer to {method} {}", shortened(parameters)))
    }

    /// Takes in what pages told, for this long.
    pub(crate) fn listen(&mut self, time: Duration) -> Result<(), String> {
        let end = Instant::now() + time;
        while let Some(message) = self.next(end)? {
            self.note(&message)?;
        }
        Ok(())
    }

    /// Waits until the page of a session has loaded.
    pub(crate) fn wait_for_load(&mut self, session: &str, url: &str) -> Result<(), String> {
        let end = Instant::now() + PATIENCE;
        while !self.sessions.get(session).is_some_and(|session| session.has_loaded) {
            let message = self.next(end)?;
            let message =
                message.ok_or_else(|| format!("waited {} s for {url} to load", PATIENCE.as_secs()))?;
            self.note(&message)?;
        }
        Ok(())
    }

    /// Forgets that the page of a session has loaded: the next time counts.
    pub(crate) fn forget_load(&mut self, session: &str) {
        if let Some(session) = self.sessions.get_mut(session) {
            session.has_loaded = false;
        }
    }

    /// Takes the errors of a page and of its workers.
    pub(crate) fn take_errors(&mut self, session: &str) -> Vec<String> {
        let is_of_page = |(name, of): &(&String, &mut Session)| {
            name.as_str() == session || of.parent.as_deref() == Some(session)
        };
        let mut errors = Vec::new();
        for (_, of) in self.sessions.iter_mut().filter(is_of_page) {
            errors.append(&mut of.errors);
        }
        errors
    }

    fn send(&mut self, session: Option<&str>, method: &str, parameters: &Value) -> Result<u64, String> {
        self.last_id += 1;
        let mut message = json!({"id": self.last_id, "method": method, "params": parameters});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let sent = self.commands.as_mut().is_some_and(|commands| commands.write_all(&bytes).is_ok());
        if sent { Ok(self.last_id) } else { Err(self.epitaph()) }
    }

    /// The next message. `None` if none comes in time.
    fn next(&mut self, end: Instant) -> Result<Option<Value>, String> {
        match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.epitaph()),
        }
    }

    /// What to say of a browser that has ended.
    fn epitaph(&self) -> String {
        let log = fs::read(self.folder.path().join("log")).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        format!("the browser ended; its last words:\n{}", lines[lines.len().saturating_sub(10)..].join("\n"))
    }

    /// Takes in a message that nobody waits for.
    fn note(&mut self, message: &Value) -> Result<(), String> {
        let told = &message["params"];
        let name = message["sessionId"].as_str().unwrap_or_default();
        let Some(session) = self.sessions.get_mut(name) else { return Ok(()) };
        match message["method"].as_str().unwrap_or_default() {
            "Page.loadEventFired" => session.has_loaded = true,
            "Inspector.targetCrashed" => return Err("the page crashed".to_string()),
            "Runtime.exceptionThrown" => session.errors.push(exception(&told["exceptionDetails"])),
            "Runtime.consoleAPICalled" if matches!(told["type"].as_str(), Some("error" | "assert")) => {
                session.errors.push(format!(
                    "console.{}: {}",
                    words(&told["type"]),
                    console_text(&told["args"])
                ));
            }
            "Log.entryAdded" if told["entry"]["level"] == "error" => {
                let entry = &told["entry"];
                session.errors.push(format!("{} ({})", words(&entry["text"]), words(&entry["url"])));
            }
            "Target.attachedToTarget" => {
                let worker = words(&told["sessionId"]);
                let parent = session.parent.clone().unwrap_or_else(|| name.to_string());
                self.sessions.insert(worker.clone(), Session { parent: Some(parent), ..Session::default() });
                // Nobody waits for the answers: this may be in the middle of another command.
                for (method, parameters) in [
                    ("Runtime.enable", json!({})),
                    ("Log.enable", json!({})),
                    ("Target.setAutoAttach", workers()),
                ] {
                    self.send(Some(&worker), method, &parameters)?;
                }
            }
            // A page that asks waits for ever for its answer.
            "Page.javascriptDialogOpening" => {
                let name = name.to_string();
                self.send(Some(&name), "Page.handleJavaScriptDialog", &json!({"accept": true}))?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.send(None, "Browser.close", &json!({}));
        // Without it the browser ends, too.
        self.commands = None;
        let end = Instant::now() + FAREWELL;
        while Instant::now() < end && self.child.try_wait().is_ok_and(|status| status.is_none()) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tells of a page's workers, and of theirs.
fn workers() -> Value {
    json!({"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
}

/// The words of an error that was thrown.
pub(crate) fn exception(details: &Value) -> String {
    let thrown = &details["exception"];
    let text = thrown["description"].as_str().map_or_else(|| words(&thrown["value"]), str::to_string);
    let place = match details["url"].as_str() {
        Some(url) => format!(" ({url}:{})", details["lineNumber"].as_u64().unwrap_or(0) + 1),
        None => String::new(),
    };
    format!("{}: {text}{place}", words(&details["text"]))
}

fn console_text(arguments: &Value) -> String {
    let text =
        |argument: &Value| argument.get("description").map_or_else(|| words(&argument["value"]), words);
    arguments
        .as_array()
        .map(|arguments| arguments.iter().map(text).collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
}

/// A text without quotes; anything else as JSON.
pub(crate) fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

fn shortened(parameters: &Value) -> String {
    let text = parameters.to_string();
    if text.chars().count() <= 200 { text } else { text.chars().take(200).chain(['…']).collect() }
}
