//! A visit to the page, as a person makes it: clicks, drags, keys, files. What comes of it is held against the
//! library as it runs here.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use surefoot::Map;
use surefoot::agent::{CORE, Step};
use surefoot::search::Meter;

use crate::page::Page;

/// An open field with a wall that has a gap at its lower end: 40 × 30 cells.
const FIELD: &str = "surefoot.setWorld({ name: 'field', width: 40, height: 30, rule: 'no-cut', costs: 'sqrt2', \
    cells: new Uint8Array(1200).fill(1) })";

/// The map at hand, as `surefoot serve --map` gives one: its name and its bytes.
pub(crate) const GIVEN: (&str, &[u8]) =
    ("at hand, 5 × 2.map", b"type octile\nheight 2\nwidth 5\nmap\n.....\n.@@@.\n");

/// Everything, one after the other.
///
/// # Errors
/// What did not work, in words.
pub(crate) fn run(page: &mut Page<'_>, url: &str, root: &Path, scratch: &Path) -> Result<(), String> {
    page.set_viewport(1280, 800, 1.0, false)?;
    page.goto(url)?;
    page.wait_for("document.documentElement.dataset.ready === 'yes'", 30)?;
    thousands_move(page, root)?;
    a_wall_is_gone_around(page)?;
    walks_are_native(page, root)?;
    every_algorithm_walks(page)?;
    databases_are_native(page, root)?;
    files_are_read(page, scratch)?;
    links_bring_it_back(page, url)?;
    tours_play(page, root)?;
    keys_and_fingers(page, url)?;
    match &page.console_errors()?[..] {
        [] => Ok(()),
        errors => Err(format!("the console has errors:\n  {}", errors.join("\n  "))),
    }
}

fn expect(is_so: bool, what: &str, seen: &Value) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(format!("{what}; seen: {seen}")) }
}

/// 10,000 units walk, and go on while their database is built.
fn thousands_move(page: &mut Page<'_>, root: &Path) -> Result<(), String> {
    page.wait_for("surefoot.crowd.figures().moves > 0", 60)?;
    let units = page.eval("surefoot.crowd.figures().units")?;
    expect(units == 10_000, "there should be 10,000 units", &units)?;
    let before = page.eval("surefoot.crowd.positions()")?;
    page.wait_for("new Promise((done) => setTimeout(() => done(true), 500))", 10)?;
    let after = page.eval("surefoot.crowd.positions()")?;
    let (before, after) = (before.as_array().ok_or("no positions")?, after.as_array().ok_or("no positions")?);
    let moved = before.chunks(2).zip(after.chunks(2)).filter(|(before, after)| before != after).count();
    expect(moved > 9_000, "9,000 of 10,000 units should have moved", &json!(moved))?;
    page.wait_for("new Promise((done) => setTimeout(() => done(true), 2500))", 10)?;
    let seen = page.eval("surefoot.crowd.figures()")?;
    let first = page.eval("performance.getEntriesByName('first map')[0]?.startTime ?? null")?;
    println!("first picture after {first} ms; 10,000 units: {seen}");
    page.screenshot(&root.join("target/web/crowd.png"))
}

/// Where a cell is on the screen.
fn point(page: &mut Page<'_>, x: u32, y: u32) -> Result<(f64, f64), String> {
    let at = page.eval(&format!(
        "(() => {{ const box = document.getElementById('crowd-canvas').getBoundingClientRect(), \
         at = surefoot.crowd.view.pointOf({x}, {y}); return [box.x + at.x, box.y + at.y]; }})()"
    ))?;
    let part = |number: usize| at[number].as_f64().ok_or_else(|| format!("no place of a cell: {at}"));
    Ok((part(0)?, part(1)?))
}

/// A wall is drawn with the mouse between units and where they are sent: they go around it.
fn a_wall_is_gone_around(page: &mut Page<'_>) -> Result<(), String> {
    page.eval(
        "document.getElementById('crowd-count').value = 100; \
         document.getElementById('crowd-wander').checked = false; \
         document.getElementById('crowd-speed').value = 32",
    )?;
    page.eval(FIELD)?;
    page.wait_for("surefoot.crowd.figures().units === 100 && surefoot.crowd.figures().isReady", 20)?;
    // Another map is seen as a whole: 40 cells wide, not 256.
    let scale = page.eval("surefoot.crowd.view.scale")?;
    expect(scale.as_f64().is_some_and(|scale| scale > 10.0), "a small map should fill its canvas", &scale)?;
    page.click_on("input[name=tool][value=wall]")?;
    let (from, to) = (point(page, 20, 0)?, point(page, 20, 24)?);
    page.drag(from, to)?;
    page.wait_for("surefoot.world.cells[10 * 40 + 20] === 0 && surefoot.world.cells[23 * 40 + 20] === 0", 5)?;
    page.click_on("input[name=tool][value=send]")?;
    page.click_on("#crowd-all")?;
    let (x, y) = point(page, 34, 4)?;
    page.click(x, y)?;
    let across = "surefoot.crowd.positions().every((at, number) => number % 2 || at > 21)";
    page.wait_for(across, 60)?;
    let stuck = page.eval(
        "surefoot.crowd.positions().reduce((all, at, number, list) => number % 2 ? all : \
         all + (surefoot.world.cells[Math.round(list[number + 1]) * 40 + Math.round(at)] ? 0 : 1), 0)",
    )?;
    expect(stuck == 0, "nobody should stand in the wall", &stuck)?;
    // The same wall in the other tab.
    page.eval("surefoot.algorithms.set({ start: { x: 2, y: 2 }, goal: { x: 38, y: 2 } })")?;
    page.click_on("#tab-algorithms")?;
    page.wait_for("surefoot.algorithms.walks()[1].end === 'arrived'", 30)?;
    let walk = page.eval("surefoot.algorithms.walks()[1]")?;
    let is_around = walk["cost"].as_f64().is_some_and(|cost| cost > 60.0) && walk["cost"] == walk["optimum"];
    expect(is_around, "beacon* should go around the wall, and as short as can be", &walk)
}

/// The page's walk, cell by cell, beside that of the library.
fn walks_are_native(page: &mut Page<'_>, root: &Path) -> Result<(), String> {
    page.eval("surefoot.firstWorld()")?;
    page.wait_for("surefoot.world.width === 256 && !surefoot.algorithms.isBusy()", 30)?;
    let map = Map::open(root.join("web/page/valley.map")).map_err(|error| error.to_string())?;
    let space = map.space();
    for spec in ["beacon*", "lrta*(d=3)", "tba*"] {
        page.eval(&format!("surefoot.algorithms.walkWith({spec:?})"))?;
        page.wait_for("!surefoot.algorithms.isBusy()", 60)?;
        let ends = page.eval("surefoot.algorithms.get()")?;
        let cell = |name: &str| {
            let part = |part: &str| ends[name][part].as_u64().and_then(|part| u32::try_from(part).ok());
            part("x").zip(part("y")).ok_or_else(|| format!("no {name}: {ends}"))
        };
        let (start, goal) = (cell("start")?, cell("goal")?);
        let walk = page.eval("surefoot.algorithms.walks()[0]")?;
        let native = walk_natively(space, spec, start, goal)?;
        expect(walk["path"] == json!(native), &format!("{spec} should walk as natively"), &walk["end"])?;
    }
    Ok(())
}

/// Where an agent is after each step, as x, y, x, y and so on.
fn walk_natively(
    space: &surefoot::space::GridSpace,
    spec: &str,
    start: (u32, u32),
    goal: (u32, u32),
) -> Result<Vec<u32>, String> {
    let words = |error: &dyn std::fmt::Display| format!("{spec}: {error}");
    let (start, goal) = space.locate_ends(start.into(), goal.into()).map_err(|error| words(&error))?;
    let spec = spec.parse().map_err(|error| words(&error))?;
    let mut agent = CORE.agent_for(&spec, space, 1).map_err(|error| words(&error))?;
    agent.begin(space, start, goal).map_err(|error| words(&error))?;
    let (mut meter, mut place) = (Meter::new(), start);
    let mut cells = vec![space.cell(start).x, space.cell(start).y];
    loop {
        match agent.step(space, &mut meter) {
            Step::Moved(state) => place = state,
            Step::Arrived | Step::Unreachable | Step::Stuck => return Ok(cells),
            _ => {}
        }
        cells.extend([space.cell(place).x, space.cell(place).y]);
    }
}

/// Every line of the menu, on a small map.
fn every_algorithm_walks(page: &mut Page<'_>) -> Result<(), String> {
    page.eval(FIELD)?;
    let specs = page.eval("surefoot.algorithms.roster().map(({ quick }) => quick)")?;
    let specs = specs.as_array().filter(|specs| specs.len() > 20).ok_or("the roster is short")?.clone();
    for spec in specs {
        page.eval(&format!("surefoot.algorithms.walkWith({spec})"))?;
        page.wait_for("!surefoot.algorithms.isBusy()", 60)?;
        let walk = page.eval("surefoot.algorithms.walks()[0]")?;
        expect(walk["end"] == "arrived", &format!("{spec} should arrive"), &walk)?;
    }
    Ok(())
}

/// The database that the page saves has the bytes that the library makes here.
fn databases_are_native(page: &mut Page<'_>, root: &Path) -> Result<(), String> {
    page.eval("surefoot.firstWorld()")?;
    page.click_on("#tab-map")?;
    page.wait_for("document.getElementById('gen-kind').options.length > 3", 30)?;
    page.click_on("#save-database")?;
    let file = saved(page, ".sfdb")?;
    let map = Map::open(root.join("web/page/valley.map")).map_err(|error| error.to_string())?;
    let spec = "beacon*".parse().map_err(|error| format!("beacon*: {error}"))?;
    let native = CORE.build_database(&spec, map.space(), 1).map_err(|error| error.to_string())?;
    let is_same = native.is_some_and(|native| native.to_bytes()[..] == file[..]);
    expect(is_same, "the saved database should have the bytes of a native build", &json!(file.len()))?;
    page.click_on("#save-map")?;
    let text = saved(page, ".map")?;
    expect(Map::from_bytes(&text).is_ok(), "the saved map should be one", &json!(text.len()))?;
    page.click_on("#save-picture")?;
    let picture = saved(page, ".png")?;
    expect(picture.starts_with(b"\x89PNG"), "the saved picture should be one", &json!(picture.len()))?;
    page.click_on("#save-tape")?;
    saved(page, ".tape").map(drop)
}

/// The bytes of a file that the page saved.
fn saved(page: &mut Page<'_>, ending: &str) -> Result<Vec<u8>, String> {
    for _ in 0..100 {
        let files = page.saved_files();
        if let Some(file) = files.iter().find(|file| file.to_string_lossy().ends_with(ending)) {
            return fs::read(file).map_err(|error| format!("{}: {error}", file.display()));
        }
        page.wait_for("new Promise((done) => setTimeout(() => done(true), 100))", 5)?;
    }
    Err(format!("the page saved no file that ends with {ending}"))
}

/// Good and bad files: the bad ones say what is wrong, and the page goes on.
fn files_are_read(page: &mut Page<'_>, scratch: &Path) -> Result<(), String> {
    let write = |name: &str, text: &[u8]| {
        let path = scratch.join(name);
        fs::write(&path, text).map(|()| path).map_err(|error| format!("{name}: {error}"))
    };
    let good = write("small.map", b"type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n")?;
    let problems = write("small.scen", b"version 1\n0\tsmall.map\t4\t3\t0\t0\t3\t2\t5\n")?;
    let bad = [
        ("bad.map", &b"type octile\nheight 3\nwidth 4\nmap\n....\n.?\n"[..], "row"),
        ("bad.png", &b"no picture"[..], "image"),
        ("bad.scen", &b"version 1\n0\tsmall.map\t4"[..], "line"),
        ("bad.tape", &b"no tape"[..], "tape"),
        ("bad.sfdb", &b"no database"[..], "database"),
    ];
    for (name, text, word) in bad {
        page.eval("surefoot.showTab('map')")?;
        page.set_files("#file", &[&write(name, text)?])?;
        page.wait_for("!document.getElementById('message').hidden", 20)
            .map_err(|error| format!("{name} should give a message: {error}"))?;
        let message = page.eval("document.getElementById('message').textContent")?;
        let says = message.as_str().is_some_and(|message| message.to_lowercase().contains(word));
        expect(says, &format!("the message of {name} should name the {word}"), &message)?;
        page.click_on("#tab-map")?;
        page.wait_for("document.getElementById('message').hidden", 5)?;
    }
    // Algorithms go by a database that was opened, though they would build another one.
    page.eval(
        "surefoot.algorithms.lab.call('database', { plain: surefoot.algorithms.plain(), specs: ['knn-lrta*(n=50)'] }) \
         .then((bytes) => surefoot.map.open(new File([bytes], 'fifty.sfdb')))",
    )?;
    page.wait_for("!surefoot.algorithms.isBusy() && surefoot.algorithms.get().b === 'knn-lrta*'", 30)?;
    let said = page.eval("document.querySelectorAll('.said')[1].textContent")?;
    let is_small = said.as_str().is_some_and(|said| said.contains("database 0.8 KB"));
    expect(is_small, "kNN LRTA* should go by the database that was opened", &said)?;
    page.click_on("#tab-map")?;
    let (x, y) = page.find("#map-canvas")?.centre();
    page.drop_file(x, y, &good)?;
    page.wait_for("surefoot.world.name === 'small.map' && surefoot.world.width === 4", 20)?;
    page.set_files("#file", &[&problems])?;
    page.wait_for("document.querySelectorAll('#problem-rows tr').length === 1", 20)?;
    page.click_on("#problem-rows tr")?;
    page.wait_for("surefoot.algorithms.walks()[1].moves === 5", 30)
}

/// A link restores map, rule, problem and algorithms; a damaged one says so.
fn links_bring_it_back(page: &mut Page<'_>, url: &str) -> Result<(), String> {
    page.eval(
        "surefoot.algorithms.set({ a: 'rtaa*' }); document.getElementById('show-trail').checked = false",
    )?;
    page.click_on("#walk-first")?;
    page.click_on("#walk-step")?;
    let link = page.eval("surefoot.map.linkOf('algorithms')")?;
    let link = link.as_str().ok_or("no link")?.to_string();
    page.goto("about:blank")?;
    page.goto(&link)?;
    page.wait_for("document.documentElement.dataset.ready === 'yes'", 30)?;
    page.wait_for("surefoot.algorithms.walks()[0].end === 'arrived'", 30)?;
    let seen = page.eval(
        "[surefoot.world.width, surefoot.algorithms.get().a, surefoot.algorithms.get().goal.x, \
         surefoot.algorithms.get().at, document.getElementById('show-trail').checked]",
    )?;
    expect(
        seen == json!([4, "rtaa*", 3, 1, false]),
        "the link should bring back the map and the walk",
        &seen,
    )?;
    page.goto("about:blank")?;
    page.goto(&format!("{url}#map=given"))?;
    page.wait_for("document.documentElement.dataset.ready === 'yes'", 30)?;
    let seen = page.eval("[surefoot.world.name, surefoot.world.width]")?;
    expect(seen == json!([GIVEN.0, 5]), "the page should show the map at hand", &seen)?;
    page.goto("about:blank")?;
    page.goto(&format!("{url}#cells=AAAA&size=9999999,2"))?;
    page.wait_for("!document.getElementById('message').hidden", 20)?;
    page.wait_for("document.documentElement.dataset.ready === 'yes'", 30)
}

/// Each tour shows its walk, and the database where it says so.
fn tours_play(page: &mut Page<'_>, root: &Path) -> Result<(), String> {
    for number in 1..=5 {
        page.click_on("#tab-papers")?;
        page.click_on(&format!("#tours .card:nth-child({number}) button"))?;
        page.wait_for("!surefoot.algorithms.isBusy() && !document.getElementById('tour').hidden", 60)?;
        page.wait_for("surefoot.algorithms.walks().every(({ end }) => end === 'arrived')", 60)
            .map_err(|error| format!("tour {number}: {error}"))?;
        page.click_on("#walk-last")?;
        page.screenshot(&root.join(format!("target/web/tour-{number}.png")))?;
    }
    Ok(())
}

/// The crowd by keys alone, and by fingers.
fn keys_and_fingers(page: &mut Page<'_>, url: &str) -> Result<(), String> {
    page.set_viewport(390, 844, 2.0, true)?;
    page.goto("about:blank")?;
    page.goto(url)?;
    page.wait_for("surefoot?.crowd.figures().moves > 0", 60)?;
    let (x, y) = page.find("#crowd-canvas")?.centre();
    page.swipe((x - 100.0, y - 60.0), (x + 100.0, y + 60.0))?;
    page.wait_for("surefoot.crowd.figures().chosen > 100", 10)?;
    page.key("Escape")?;
    page.wait_for("surefoot.crowd.figures().chosen === 0", 10)?;
    page.key("a")?;
    page.wait_for("surefoot.crowd.figures().chosen === 4000", 10)?;
    page.eval("document.getElementById('crowd-canvas').focus()")?;
    // The cross begins in the middle of the map, which is rock.
    page.key("3")?;
    page.wait_for("document.querySelector('input[name=tool]:checked').value === 'floor'", 5)?;
    let before = page.eval("surefoot.world.cells.reduce((all, cell) => all + cell, 0)")?;
    page.key("Enter")?;
    for _ in 0..6 {
        page.key("ArrowRight")?;
        page.key("Enter")?;
    }
    page.wait_for(&format!("surefoot.world.cells.reduce((all, cell) => all + cell, 0) > {before}"), 5)
}
