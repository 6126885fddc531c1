//! A page of a browser, and what a person does with it: looks, clicks, drags, touches, types, drops files.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::browser::{Browser, PATIENCE, exception, words};

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// In how many steps the mouse or a finger gets somewhere.
const STEPS: u32 = 12;

/// A page. Places are in CSS pixels from its upper left corner, as it is scrolled.
pub(crate) struct Page<'b> {
    browser: &'b mut Browser,
    session: String,
}

/// Where a visible element is.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    /// Its tag, id, class and words, to find it again.
    pub(crate) name: String,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Which of the same list it is in.
    inside: Vec<usize>,
}

impl Placed {
    pub(crate) fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

impl<'b> Page<'b> {
    pub(crate) fn new(browser: &'b mut Browser, session: String) -> Self {
        Self { browser, session }
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Result<Value, String> {
        self.browser.call(Some(&self.session), method, parameters)
    }

    /// Goes to an address, and waits until it has loaded.
    pub(crate) fn goto(&mut self, url: &str) -> Result<(), String> {
        self.browser.forget_load(&self.session);
        let gone = self.call("Page.navigate", &json!({"url": url}))?;
        match (gone["errorText"].as_str(), gone["loaderId"].as_str()) {
            (Some(problem), _) => Err(format!("{url} did not load: {problem}")),
            // Another place of the same page.
            (None, None) => Ok(()),
            (None, Some(_)) => self.browser.wait_for_load(&self.session, url),
        }
    }

    /// Loads the page anew.
    pub(crate) fn reload(&mut self) -> Result<(), String> {
        self.browser.forget_load(&self.session);
        self.call("Page.reload", &json!({}))?;
        self.browser.wait_for_load(&self.session, "the page")
    }

    /// What an expression is in the page, once it is if it is a promise. It may call what only a person's click
    /// may call.
    pub(crate) fn eval(&mut self, script: &str) -> Result<Value, String> {
        self.eval_within(PATIENCE, script)
    }

    fn eval_within(&mut self, time: Duration, script: &str) -> Result<Value, String> {
        let parameters =
            json!({"expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let done = self.browser.call_within(time, Some(&self.session), "Runtime.evaluate", &parameters)?;
        match done.get("exceptionDetails") {
            Some(details) => Err(format!("{script}: {}", exception(details))),
            None => Ok(done["result"]["value"].clone()),
        }
    }

    /// Waits until a condition holds.
    pub(crate) fn wait_for(&mut self, condition: &str, seconds: u64) -> Result<(), String> {
        let end = Instant::now() + Duration::from_secs(seconds);
        loop {
            // A look may take a moment, however little time there is left.
            let left = end.saturating_duration_since(Instant::now()) + Duration::from_secs(1);
            let looked = self.eval_within(left, &format!("(async () => Boolean(await ({condition})))()"));
            if looked == Ok(Value::Bool(true)) {
                return Ok(());
            }
            if Instant::now() >= end {
                let last = looked.err().map(|error| format!("; at last: {error}")).unwrap_or_default();
                return Err(format!("waited {seconds} s for {condition}{last}{}", self.errors_so_far()));
            }
            self.browser.listen(LOOK)?;
        }
    }

    /// The errors of the page's and its workers' consoles since the last look: what was thrown and not caught, what
    /// `console.error` said, and files that did not load.
    pub(crate) fn console_errors(&mut self) -> Result<Vec<String>, String> {
        // What happened before an answer has been told by then.
        self.eval("new Promise(done => setTimeout(done, 50))")?;
        self.browser.listen(LOOK)?;
        Ok(self.browser.take_errors(&self.session))
    }

    fn errors_so_far(&mut self) -> String {
        self.browser.take_errors(&self.session).iter().map(|error| format!("\n  {error}")).collect()
    }

    /// Has the page a size, and the finger in the place of the mouse if it is `mobile`.
    pub(crate) fn set_viewport(
        &mut self,
        width: u32,
        height: u32,
        scale: f64,
        mobile: bool,
    ) -> Result<(), String> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile});
        self.call("Emulation.setDeviceMetricsOverride", &size)?;
        let touch = json!({"enabled": mobile, "maxTouchPoints": 5});
        self.call("Emulation.setTouchEmulationEnabled", &touch).map(drop)
    }

    /// Has a media query hold, such as `prefers-color-scheme`: `dark`.
    pub(crate) fn set_media(&mut self, feature: &str, value: &str) -> Result<(), String> {
        let media = json!({"features": [{"name": feature, "value": value}]});
        self.call("Emulation.setEmulatedMedia", &media).map(drop)
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), is_down: bool) -> Result<(), String> {
        let button = if kind == "mouseMoved" && !is_down { "none" } else { "left" };
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": u8::from(is_down),
            "clickCount": u8::from(kind != "mouseMoved")});
        self.call("Input.dispatchMouseEvent", &event).map(drop)
    }

    /// Moves the mouse there.
    pub(crate) fn hover(&mut self, x: f64, y: f64) -> Result<(), String> {
        self.mouse("mouseMoved", (x, y), false)
    }

    /// Clicks at a place.
    pub(crate) fn click(&mut self, x: f64, y: f64) -> Result<(), String> {
        self.hover(x, y)?;
        self.mouse("mousePressed", (x, y), true)?;
        self.mouse("mouseReleased", (x, y), false)
    }

    /// Scrolls to the first visible element of a selector, and clicks on its middle.
    pub(crate) fn click_on(&mut self, selector: &str) -> Result<(), String> {
        let (x, y) = self.find(selector)?.centre();
        self.click(x, y)
    }

    /// Scrolls to the first visible element of a selector.
    pub(crate) fn find(&mut self, selector: &str) -> Result<Placed, String> {
        let is_visible = "element => element.checkVisibility({visibilityProperty: true})";
        self.eval(&format!(
            "[...document.querySelectorAll({})].find({is_visible})?.scrollIntoView({{block: 'nearest', behavior: 'instant'}})",
            json!(selector)
        ))?;
        let found = self.boxes(selector)?.into_iter().next();
        found.ok_or_else(|| format!("nothing visible is {selector}"))
    }

    /// Drags with the mouse, in steps.
    pub(crate) fn drag(&mut self, from: (f64, f64), to: (f64, f64)) -> Result<(), String> {
        self.hover(from.0, from.1)?;
        self.mouse("mousePressed", from, true)?;
        for place in steps(from, to) {
            self.mouse("mouseMoved", place, true)?;
        }
        self.mouse("mouseReleased", to, false)
    }

    /// Turns the mouse wheel at a place, down if `down` is above 0.
    pub(crate) fn wheel(&mut self, x: f64, y: f64, down: f64) -> Result<(), String> {
        let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": down});
        self.call("Input.dispatchMouseEvent", &event).map(drop)
    }

    /// Fingers on the screen: `kind` is `touchStart`, `touchMove` or, without fingers, `touchEnd`.
    pub(crate) fn touch(&mut self, kind: &str, fingers: &[(f64, f64)]) -> Result<(), String> {
        let fingers = fingers.iter().enumerate().map(|(id, (x, y))| json!({"x": x, "y": y, "id": id}));
        let event = json!({"type": kind, "touchPoints": fingers.collect::<Vec<_>>()});
        self.call("Input.dispatchTouchEvent", &event).map(drop)
    }

    /// Touches a place with a finger.
    pub(crate) fn tap(&mut self, x: f64, y: f64) -> Result<(), String> {
        self.touch("touchStart", &[(x, y)])?;
        self.touch("touchEnd", &[])
    }

    /// Drags with a finger, in steps.
    pub(crate) fn swipe(&mut self, from: (f64, f64), to: (f64, f64)) -> Result<(), String> {
        self.touch("touchStart", &[from])?;
        for place in steps(from, to) {
            self.touch("touchMove", &[place])?;
        }
        self.touch("touchEnd", &[])
    }

    /// Presses a key and lets it go: a character, or a name such as `Enter` and `ArrowLeft`. What is held meanwhile
    /// comes before it: `Shift+Tab`, `Control+z`.
    pub(crate) fn key(&mut self, keys: &str) -> Result<(), String> {
        let mut held: Vec<&str> = keys.split_inclusive('+').collect();
        let key = held.pop().unwrap_or_default();
        let modifiers = held.iter().try_fold(0, |all, name| match *name {
            "Alt+" => Ok(all | 1),
            "Control+" => Ok(all | 2),
            "Meta+" => Ok(all | 4),
            "Shift+" => Ok(all | 8),
            _ => Err(format!("{keys}: expected Alt, Control, Meta or Shift before +")),
        })?;
        let (code, number, text) =
            key_facts(key).ok_or_else(|| format!("{keys}: no key of that name is known"))?;
        let key = if key == "Space" { " " } else { key };
        // With Control a letter is a command.
        let text = if modifiers & 0b111 == 0 { text } else { String::new() };
        for kind in [if text.is_empty() { "rawKeyDown" } else { "keyDown" }, "keyUp"] {
            let text = if kind == "keyUp" { "" } else { text.as_str() };
            let event = json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number,
                "modifiers": modifiers, "text": text});
            self.call("Input.dispatchKeyEvent", &event)?;
        }
        Ok(())
    }

    /// Types a text where the cursor is.
    pub(crate) fn type_text(&mut self, text: &str) -> Result<(), String> {
        self.call("Input.insertText", &json!({"text": text})).map(drop)
    }

    /// Chooses files in an `<input type=file>`.
    pub(crate) fn set_files(&mut self, selector: &str, files: &[&Path]) -> Result<(), String> {
        let script = format!("document.querySelector({})", json!(selector));
        let found = self.call("Runtime.evaluate", &json!({"expression": script}))?;
        let object = found["result"]["objectId"].as_str().ok_or_else(|| format!("nothing is {selector}"))?;
        let files = json!({"files": files, "objectId": object});
        self.call("DOM.setFileInputFiles", &files).map(drop)
    }

    /// Drops a file at a place, as if it came from another program.
    pub(crate) fn drop_file(&mut self, x: f64, y: f64, file: &Path) -> Result<(), String> {
        let data = json!({"items": [], "files": [file], "dragOperationsMask": 1});
        for kind in ["dragEnter", "dragOver", "drop"] {
            self.call("Input.dispatchDragEvent", &json!({"type": kind, "x": x, "y": y, "data": data}))?;
        }
        Ok(())
    }

    /// Writes what is seen to a PNG file.
    pub(crate) fn screenshot(&mut self, path: &Path) -> Result<(), String> {
        let shot = self.call("Page.captureScreenshot", &json!({"format": "png"}))?;
        let bytes = from_base64(&words(&shot["data"])).ok_or("the browser's picture is no base64")?;
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// Where the visible elements of a selector are. What is cut off, as by a list that scrolls, does not count.
    pub(crate) fn boxes(&mut self, selector: &str) -> Result<Vec<Placed>, String> {
        let script = format!("({BOXES})({})", json!(selector));
        let boxes = self.eval(&script)?;
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let placed = |value: &Value| Placed {
            name: words(&value[0]),
            x: number(&value[1]),
            y: number(&value[2]),
            width: number(&value[3]),
            height: number(&value[4]),
            inside: serde_json::from_value(value[5].clone()).unwrap_or_default(),
        };
        Ok(boxes.as_array().map(|boxes| boxes.iter().map(placed).collect()).unwrap_or_default())
    }

    /// Visible elements of a selector whose middle is on the screen and under something else: a click on them
    /// would go elsewhere.
    pub(crate) fn covered(&mut self, selector: &str) -> Result<Vec<String>, String> {
        let covered = self.eval(&format!("({COVERED})({})", json!(selector)))?;
        Ok(covered.as_array().map(|covered| covered.iter().map(words).collect()).unwrap_or_default())
    }

    /// The files that the page has saved so far.
    pub(crate) fn saved_files(&self) -> Vec<std::path::PathBuf> {
        let files = fs::read_dir(self.browser.downloads()).into_iter().flatten().flatten();
        let mut files: Vec<_> = files.map(|file| file.path()).collect();
        files.retain(|file| file.extension().is_none_or(|extension| extension != "crdownload"));
        files.sort();
        files
    }
}

/// Pairs that cover the same place, by more than a line of pixels. What is within something does not cover it.
pub(crate) fn overlaps(boxes: &[Placed]) -> Vec<(&Placed, &Placed)> {
    let mut found = Vec::new();
    for (second, b) in boxes.iter().enumerate() {
        for (first, a) in boxes[..second].iter().enumerate() {
            let across = (a.x + a.width).min(b.x + b.width) - a.x.max(b.x);
            let down = (a.y + a.height).min(b.y + b.height) - a.y.max(b.y);
            let is_nested = a.inside.contains(&second) || b.inside.contains(&first);
            if across > 1.0 && down > 1.0 && !is_nested {
                found.push((a, b));
            }
        }
    }
    found
}

/// Gives name, x, y, width, height and the list of surrounding elements for each visible element.
const BOXES: &str = r"selector => {
    const modal = document.querySelector(':modal');
    const seen = element => {
        if (modal && !modal.contains(element)) return null;
        if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) return null;
        let {left, top, right, bottom} = element.getBoundingClientRect();
        let isFixed = getComputedStyle(element).position === 'fixed';
        for (let around = element.parentElement; around && !isFixed; around = around.parentElement) {
            const style = getComputedStyle(around);
            isFixed = style.position === 'fixed';
            // What the page itself cuts off at its sides would be scrolled to.
            if (around === document.body || around === document.documentElement) continue;
            const outer = around.getBoundingClientRect();
            if (style.overflowX !== 'visible') [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
            if (style.overflowY !== 'visible') [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
        }
        return right - left > 0 && bottom - top > 0 ? [left, top, right - left, bottom - top] : null;
    };
    const name = element => {
        const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ');
        const id = element.id ? '#' + element.id : [...element.classList].map(name => '.' + name).join('');
        return `<${element.localName}${id}> ${text.slice(0, 30)}`.trim();
    };
    const all = [...document.querySelectorAll(selector)].map(element => [element, seen(element)]).filter(([, box]) => box);
    const order = new Map(all.map(([element], number) => [element, number]));
    return all.map(([element, box]) => {
        const inside = [];
        for (let around = element.parentElement; around; around = around.parentElement) {
            if (order.has(around)) inside.push(order.get(around));
        }
        return [name(element), ...box, inside];
    });
}";

/// Names what is under something else, and that.
const COVERED: &str = r"selector => [...document.querySelectorAll(selector)].flatMap(element => {
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) return [];
    const modal = document.querySelector(':modal');
    if (modal && !modal.contains(element)) return [];
    // A link may go over several lines: the middle of all of them may be beside it.
    const {left, top, width, height} = element.getClientRects()[0] ?? element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    // What a list that scrolls cuts off can be scrolled to.
    for (let around = element.parentElement; around; around = around.parentElement) {
        const outer = around.getBoundingClientRect(), isCut = y < outer.top || y > outer.bottom || x < outer.left || x > outer.right;
        if (isCut && getComputedStyle(around).overflowY === 'auto') return [];
    }
    const hit = document.elementFromPoint(x, y);
    const isIt = !hit || element.contains(hit) || hit.contains(element) || [...(element.labels ?? [])].includes(hit);
    return isIt || width < 2 || height < 2 ? [] : [`${element.outerHTML.slice(0, 60)} under ${hit.outerHTML.slice(0, 60)}`];
})";

fn steps(from: (f64, f64), to: (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    (1..=STEPS).map(move |step| {
        let part = f64::from(step) / f64::from(STEPS);
        (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
    })
}

/// A key's code, its number and the text that it types.
fn key_facts(key: &str) -> Option<(String, u32, String)> {
    let named = |number, text: &str| Some((key.to_string(), number, text.to_string()));
    match key {
        "Backspace" => named(8, ""),
        "Tab" => named(9, ""),
        "Enter" => named(13, "\r"),
        "Escape" => named(27, ""),
        "Space" | " " => Some(("Space".to_string(), 32, " ".to_string())),
        "PageUp" => named(33, ""),
        "PageDown" => named(34, ""),
        "End" => named(35, ""),
        "Home" => named(36, ""),
        "ArrowLeft" => named(37, ""),
        "ArrowUp" => named(38, ""),
        "ArrowRight" => named(39, ""),
        "ArrowDown" => named(40, ""),
        "Delete" => named(46, ""),
        _ => {
            let mut characters = key.chars();
            let character = characters.next().filter(|_| characters.next().is_none())?;
            let large = character.to_ascii_uppercase();
            let code = match large {
                'A'..='Z' => format!("Key{large}"),
                '0'..='9' => format!("Digit{large}"),
                _ => String::new(),
            };
            let number = if code.is_empty() { 0 } else { u32::from(large) };
            Some((code, number, key.to_string()))
        }
    }
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for character in text.trim_end_matches('=').bytes() {
        let digit = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xFF).ok()?);
        }
    }
    Some(bytes)
}
