//! `surefoot replay`, and what else `surefoot solve` makes of a walk: tapes, films and search traces.

use std::collections::HashSet;

use saphyr::{LoadableYamlNode as _, Yaml};

use crate::{Workplace, json};

const ROOM: &str = "\
type octile
height 7
width 12
map
............
.........@..
.........@..
.........@..
.........@..
.@@@@@@@@@..
............
";

/// A walk into a dead end and out again.
const SOLVE: [&str; 9] =
    ["solve", "--map", "room.map", "--start", "1,4", "--goal", "11,4", "--algorithm", "lrta*(d=2)"];

fn room() -> Workplace {
    let place = Workplace::with_arena();
    place.put("room.map", ROOM);
    place
}

fn solve(place: &Workplace, more: &[&str]) -> serde_json::Value {
    json(&place.succeed(&[&SOLVE[..], more, &["--json"]].concat()))
}

#[test]
fn a_tape_tells_what_the_walk_told() {
    let place = room();
    let walk = solve(&place, &["--tape", "walk.tape"]);
    let told = json(&place.succeed(&["replay", "walk.tape", "--map", "room.map", "--json"]));
    for key in
        ["algorithm", "rule", "cost_model", "start", "goal", "moves", "expansions", "expansions_max", "path"]
    {
        assert_eq!(told[key], walk[key], "{key}");
    }
    assert_eq!(
        (&told["end"], &told["truncated"], &told["waits"]),
        (&"arrived".into(), &false.into(), &0.into())
    );
    assert!(walk["moves"].as_u64() > Some(15), "the walk learns: {walk}");
    assert!(told["raises"].as_u64() > Some(0) && told["raises"].as_u64() >= told["raised_states"].as_u64());
    // Recording changes nothing but times.
    let plain = solve(&place, &[]);
    assert_eq!((&plain["path"], &plain["expansions"]), (&walk["path"], &walk["expansions"]));
    let text = place.succeed(&["replay", "walk.tape", "--map", "room.map"]);
    for line in ["algorithm     lrta*(d=2)", "end           arrived", "moves  ", "expansions  ", "raised  "] {
        assert!(text.contains(line), "{line} in {text}");
    }
    // The rule and the cost model are on the tape.
    let cardinal = ["--rule", "cardinal", "--cost", "1.4", "--max-moves", "5", "--tape", "short.tape"];
    solve(&place, &cardinal);
    let told = json(&place.succeed(&["replay", "short.tape", "--map", "room.map", "--json"]));
    assert_eq!(
        (&told["rule"], &told["cost_model"], &told["moves"], &told["end"]),
        (&"cardinal".into(), &"1.4".into(), &5.into(), &"given up".into())
    );
}

#[test]
fn every_algorithm_is_recorded() {
    let place = room();
    for entry in json(&place.succeed(&["list", "--json"])).as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        let arguments =
            ["solve", "--map", "room.map", "--start", "1,4", "--goal", "11,4", "--algorithm", name];
        let walk = json(&place.succeed(&[&arguments[..], &["--tape", "x.tape", "--json"]].concat()));
        let told = json(&place.succeed(&["replay", "x.tape", "--map", "room.map", "--json"]));
        assert_eq!((&told["path"], &told["expansions"]), (&walk["path"], &walk["expansions"]), "{name}");
        assert!(told["expansions"].as_u64() > Some(0), "{name}");
    }
}

#[test]
fn a_gif_has_a_frame_for_each_move() {
    let place = room();
    let walk = solve(&place, &["--render", "walk.gif", "--tape", "walk.tape"]);
    let bytes = place.read("walk.gif");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    // The whole room is shown, since the walk touches all of it; a cell has 32 pixels at most.
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    assert_eq!((width, height), (12 * 32, 7 * 32));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut screen = vec![0_u8; 4 * width * height];
    let mut agent_at = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (row, pixels) in frame.buffer.chunks(4 * usize::from(frame.width)).enumerate() {
            let from = 4 * ((top + row) * width + left);
            screen[from..from + pixels.len()].copy_from_slice(pixels);
        }
        let colour_in = |x: usize, y: usize| &screen[4 * ((y * 32 + 16) * width + x * 32 + 16)..][..3];
        let cells = (0..7).flat_map(|y| (0..12).map(move |x| [x, y]));
        let agents: Vec<[usize; 2]> = cells.filter(|&[x, y]| colour_in(x, y) == [0x00, 0x4C, 0x99]).collect();
        assert_eq!(agents.len(), 1, "one agent in a frame");
        assert_eq!(colour_in(9, 3), [0x26, 0x26, 0x2B], "a wall");
        agent_at.push(agents[0]);
    }
    assert_eq!(serde_json::json!(agent_at), walk["path"], "the first frame is the start");
    // A tape makes the same film.
    place.succeed(&["replay", "walk.tape", "--map", "room.map", "--render", "again.gif"]);
    assert!(place.read("again.gif") == bytes);
}

#[test]
fn an_svg_is_a_picture_or_a_film() {
    let place = room();
    let walk = solve(&place, &["--render", "film.svg", "--animate", "--tape", "walk.tape"]);
    let text = place.text("film.svg");
    let svg = roxmltree::Document::parse(&text).unwrap();
    let agent = svg
        .descendants()
        .find(|node| node.attribute("attributeName") == Some("cx"))
        .expect("the agent goes from left to right");
    let list = |name: &str| agent.attribute(name).unwrap().split(';').collect::<Vec<_>>();
    let columns: Vec<f64> = list("values").iter().map(|x| x.parse::<f64>().unwrap() - 0.5).collect();
    let walked: Vec<f64> =
        walk["path"].as_array().unwrap().iter().map(|cell| cell[0].as_f64().unwrap()).collect();
    assert_eq!(columns, walked);
    for animate in svg.descendants().filter(|node| node.has_tag_name("animate")) {
        let times: Vec<f64> =
            animate.attribute("keyTimes").unwrap().split(';').map(|time| time.parse().unwrap()).collect();
        assert_eq!(times.len(), animate.attribute("values").unwrap().split(';').count());
        assert!(
            times[0] == 0.0 && times.is_sorted_by(|a, b| a < b) && times[times.len() - 1] < 1.0,
            "{times:?}"
        );
    }
    let colours: HashSet<&str> = svg.descendants().filter_map(|node| node.attribute("fill")).collect();
    for (what, colour) in
        [("expanded", "#9ad1f5"), ("raised", "#7a3c10"), ("start", "#009e73"), ("goal", "#c41e3a")]
    {
        assert!(colours.contains(colour), "{what} in {colours:?}");
    }
    // Without the option it is still, from a tape as from a walk.
    let still = |name: &str| {
        let text = place.text(name);
        let svg = roxmltree::Document::parse(&text).unwrap();
        assert!(!svg.descendants().any(|node| node.has_tag_name("animate")));
        text
    };
    place.succeed(&["replay", "walk.tape", "--map", "room.map", "--render", "tape.svg"]);
    solve(&place, &["--render", "walk.svg"]);
    assert_eq!(still("tape.svg"), still("walk.svg"));
    place.succeed(&["replay", "walk.tape", "--map", "room.map", "--render", "walk.png"]);
    assert!(place.read("walk.png").starts_with(b"\x89PNG"));
}

#[test]
fn a_search_trace_is_yaml_with_all_events() {
    let place = room();
    let walk = solve(&place, &["--trace", "walk.trace.yaml", "--tape", "walk.tape"]);
    let text = place.text("walk.trace.yaml");
    let documents = Yaml::load_from_str(&text).unwrap();
    let [trace] = &documents[..] else { panic!("{} documents", documents.len()) };
    assert_eq!(trace["version"].as_str(), Some("1.4.0"));
    for view in trace["views"]["main"].as_vec().unwrap() {
        assert!(["rect", "circle"].contains(&view["$"].as_str().unwrap()));
        assert!(view["fill"].as_str().unwrap().starts_with('#'));
    }
    let events = trace["events"].as_vec().unwrap();
    let of_type =
        |name: &str| events.iter().filter(|event| event["type"].as_str() == Some(name)).collect::<Vec<_>>();
    let cell = |event: &Yaml<'_>| [event["x"].as_integer().unwrap(), event["y"].as_integer().unwrap()];
    let path: Vec<[i64; 2]> = of_type("moving").into_iter().map(cell).collect();
    assert_eq!(serde_json::json!(path), walk["path"]);
    assert_eq!(of_type("expanding").len() as u64, walk["expansions"].as_u64().unwrap());
    assert_eq!(of_type("source").into_iter().map(cell).collect::<Vec<_>>(), [[1, 4]]);
    assert_eq!(of_type("destination").into_iter().map(cell).collect::<Vec<_>>(), [[11, 4]]);
    assert_eq!(of_type("end")[0]["how"].as_str(), Some("arrived"));
    let raised = of_type("updating");
    let part = |event: &Yaml<'_>| event["part"].as_floating_point().unwrap();
    assert!(raised.iter().all(|event| (0.0..=1.0).contains(&part(event))));
    assert!(raised.iter().any(|event| part(event) == 1.0));
    for event in events {
        assert!(event.as_mapping_get("id").is_some(), "{event:?}");
    }
    place.succeed(&["replay", "walk.tape", "--map", "room.map", "--trace", "again.trace.yaml"]);
    assert_eq!(place.text("again.trace.yaml"), text);
}

#[test]
fn a_tape_belongs_to_its_map() {
    let place = room();
    solve(&place, &["--tape", "walk.tape"]);
    let fail = |map: &str, message: &str| {
        place.fail(&["replay", "walk.tape", "--map", map, "--render", "x.gif"], 1, message);
        place.fail(&["replay", "walk.tape", "--map", map], 1, "walk.tape: it was not recorded on ");
    };
    fail("arena.map", "its map has 12 x 7 cells, and this one 10 x 6");
    let with_wall = |x: usize, y: usize| {
        let mut rows: Vec<String> = ROOM.lines().map(str::to_string).collect();
        rows[4 + y].replace_range(x..=x, "@");
        place.put("other.map", rows.join("\n"));
    };
    with_wall(1, 4);
    fail("other.map", "its start (1, 4) is blocked here");
    with_wall(4, 4);
    fail("other.map", "is not legal here");
    with_wall(11, 6);
    fail("other.map", "other cells can be walked on here");
}

#[test]
fn bad_tapes_are_told_in_one_line() {
    let place = room();
    solve(&place, &["--tape", "walk.tape"]);
    let tape = place.read("walk.tape");
    let mut damaged = tape.clone();
    damaged[tape.len() / 2] ^= 1;
    place.put("damaged.tape", &damaged);
    place.put("short.tape", &tape[..tape.len() - 1]);
    place.put("empty.tape", "");
    let mut future = tape.clone();
    future[8] = 9;
    place.put("future.tape", &future);
    for (name, message) in [
        ("damaged.tape", "damaged.tape: the checksum"),
        ("short.tape", "short.tape: this tape should have"),
        ("empty.tape", "empty.tape: this is no tape"),
        ("room.map", "room.map: this is no tape"),
        ("future.tape", "future.tape: this tape has version 9"),
        ("missing.tape", "missing.tape: "),
        (".", ".: "),
    ] {
        place.fail(&["replay", name, "--map", "room.map", "--render", "x.gif"], 1, message);
    }
    let message = "it is also the file to read; choose another name";
    std::fs::rename(place.path("walk.tape"), place.path("walk.gif")).unwrap();
    place.fail(&["replay", "walk.gif", "--map", "room.map", "--render", "walk.gif"], 1, message);
    assert!(place.read("walk.gif") == tape);
}

#[test]
fn where_there_is_no_walk_there_is_no_tape() {
    let place = room();
    let solve = |goal| ["solve", "--map", "arena.map", "--start", "0,0", "--goal", goal, "--tape", "x.tape"];
    // From land into water there is not even a goal.
    place.fail(&solve("6,5"), 1, "there is no walk to record");
    // Into a locked room there is no way, which is an answer.
    place.succeed(&solve("4,2"));
    let told = json(&place.succeed(&["replay", "x.tape", "--map", "arena.map", "--json"]));
    assert_eq!((&told["end"], &told["moves"]), (&"unreachable".into(), &0.into()));
    place.succeed(&["replay", "x.tape", "--map", "arena.map", "--render", "x.gif"]);
    place.succeed(&["replay", "x.tape", "--map", "arena.map", "--render", "x.svg", "--animate"]);
    // Walks on water are replayed on water.
    let swim = ["solve", "--map", "arena.map", "--start", "2,2", "--goal", "3,3", "--tape", "swim.tape"];
    place.succeed(&swim);
    let replay = ["replay", "swim.tape", "--map", "arena.map"];
    assert!(place.succeed(&replay).contains("arrived"));
    place.fail(&[&replay[..], &["--passable", "ground"]].concat(), 1, "its start (2, 2) is blocked here");
}
