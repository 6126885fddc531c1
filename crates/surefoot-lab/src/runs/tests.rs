mod faults;
mod kept;
mod shares;

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::plan::Plan;
use crate::rows::Row;

const PLAN: &str = r#"
title = "small"
timed = false
seeds = 2
most-moves = 5000

[[maps]]
generate = "game"
width = 40
height = 30
largest = true
rule = "no-cut"
cost = "sqrt2"
problems = { count = 4, min-cost = 5, max-cost = 30 }

[[maps]]
generate = "rooms"
width = 30
height = 30
rule = "squeeze"
cost = "1.4"
problems = { count = 1, min-cost = 0, max-cost = 40, per-bucket = true }

[[algorithms]]
name = "first"
specs = ["a*", "lrta*(d={1,2})", "knn-lrta*(n=50)"]

[[algorithms]]
name = "second"
specs = ["pra*(k=2)", "d-lrta*(level=3)"]
every-bucket = 2
"#;

/// Writes files as they come, and fails from the nth unit on.
struct TestHost {
    units_left: usize,
    told: Vec<String>,
}

impl TestHost {
    fn new() -> Self {
        Self { units_left: usize::MAX, told: Vec::new() }
    }
}

impl Host for TestHost {
    fn write(
        &mut self,
        path: &Path,
        fill: &mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), String> {
        if path.parent().is_some_and(|parent| parent.ends_with("units")) {
            self.units_left = self.units_left.checked_sub(1).ok_or("ended early")?;
        }
        let mut bytes = Vec::new();
        fill(&mut bytes).map_err(|error| error.to_string())?;
        fs::write(path, bytes).map_err(|error| error.to_string())
    }

    fn tell(&mut self, message: &str) {
        self.told.push(message.to_owned());
    }

    fn progress(&mut self, _label: &str, _done: u64, _total: u64) {}
}

/// A folder of its own that vanishes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surefoot-runs-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn setting(&self) -> Setting<'_> {
        Setting {
            quick: false,
            maps: &self.0,
            out: &self.0,
            cache: &self.0,
            mix: false,
            provenance: Provenance::here(Some("abc"), None),
            stop: &NEVER,
        }
    }

    fn units(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.0.join("units")).unwrap();
        let mut paths: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn plan() -> Plan {
    Plan::parse("small", PLAN).unwrap()
}

/// The results without what no two runs share: how long databases took to build.
fn without_times(results: &ResultSet) -> ResultSet {
    let mut results = results.clone();
    for unit in &mut results.units {
        unit.rows = unit.rows.drain(..).map(Row::untimed).collect();
        if let Some(database) = &mut unit.database {
            database.build_seconds = 0.0;
        }
    }
    results
}

#[test]
fn a_plan_is_run() {
    let folder = Folder::new("whole");
    let results = run(&plan(), &folder.setting(), &mut TestHost::new()).unwrap();
    let of = |unit: &UnitResult| format!("{} {} {} {}", unit.part, unit.spec, unit.seed, unit.map.name);
    let units: Vec<String> = results.units.iter().map(of).collect();
    // By algorithm, seed and map; only the records of kNN LRTA* depend on a seed.
    assert_eq!(units.len(), 14);
    assert_eq!(units[0], "first a* 1 game 40 x 30");
    assert_eq!(units[1], "first a* 1 rooms 30 x 30");
    assert_eq!(units[8], "first knn-lrta*(n=50) 2 game 40 x 30");
    assert_eq!(units[13], "second d-lrta*(level=3) 1 rooms 30 x 30");
    assert_eq!(results.units[0].rows.len(), 4);
    let sampled = results.units[11].rows.len();
    assert!(sampled > 0 && sampled < results.units[1].rows.len());
    for unit in &results.units {
        assert_eq!(unit.database.is_some(), unit.rows.iter().all(|row| row.database.is_some()));
        for row in &unit.rows {
            assert!(row.solved && row.suboptimality_pct.unwrap() >= 0.0, "{row:?}");
            assert_eq!((row.plan_ns_mean, row.plan_ns_max, row.first_move_ns), (None, None, None));
        }
    }
    assert!(results.units[0].rows.iter().all(|row| row.suboptimality_pct == Some(0.0)));
    assert_eq!(ResultSet::read(&folder.0).unwrap(), results);
    // Once more: nothing is left to do, and nothing changes.
    let mut host = TestHost { units_left: 0, told: Vec::new() };
    assert_eq!(run(&plan(), &folder.setting(), &mut host).unwrap(), results);
    assert_eq!(results.sources().len(), 1);
}

#[test]
fn maps_are_laid_in_eight_ways() {
    let folder = Folder::new("ways");
    let part = "\n[[algorithms]]\nname = \"third\"\nspecs = [\"a*\", \"lrta*(d=3)\"]\nsymmetries = true\nmost-moves = 400\n";
    let plan = Plan::parse("small", &format!("{PLAN}{part}")).unwrap();
    let results = run(&plan, &folder.setting(), &mut TestHost::new()).unwrap();
    // Eight ways for two algorithms on two maps; the other parts walk maps as they are.
    assert_eq!(results.units.len(), 14 + 2 * 2 * 8);
    let laid: Vec<&UnitResult> = results.units.iter().filter(|unit| unit.part == "third").collect();
    for way in laid[..16].chunks_exact(8) {
        let costs = |unit: &UnitResult| unit.rows.iter().map(|row| row.travel_cost).collect::<Vec<_>>();
        for unit in way {
            assert_eq!(unit.map.of_map(), way[0].map.name);
            assert_eq!(costs(unit), costs(way[0]), "cheapest paths cost the same in {}", unit.map.name);
        }
        assert!(way.iter().any(|unit| unit.rows[0].start_x != way[0].rows[0].start_x));
        let sizes: Vec<_> = way.iter().map(|unit| (unit.map.width, unit.map.height)).collect();
        assert_eq!((sizes[3], sizes[4]), (sizes[0], (sizes[0].1, sizes[0].0)));
    }
    let moves: Vec<u64> = laid[16..].iter().flat_map(|unit| &unit.rows).map(|row| row.moves).collect();
    assert!(moves.iter().all(|&moves| moves <= 400), "the part's own limit");
    assert_eq!(ResultSet::read(&folder.0).unwrap(), results);
}

#[test]
fn a_run_in_pieces_gives_the_same_rows() {
    let (whole, pieces) = (Folder::new("one-go"), Folder::new("pieces"));
    let expected = run(&plan(), &whole.setting(), &mut TestHost::new()).unwrap();
    for finished in [3, 7, 8] {
        let units_left = finished - pieces.0.join("units").read_dir().map_or(0, Iterator::count);
        let mut host = TestHost { units_left, told: Vec::new() };
        assert!(run(&plan(), &pieces.setting(), &mut host).is_err());
        assert_eq!(pieces.units().len(), finished);
        let so_far = ResultSet::read(&pieces.0).unwrap();
        assert_eq!((so_far.units.len(), so_far.missing), (finished, 14 - finished as u64));
    }
    let results = run(&plan(), &pieces.setting(), &mut TestHost::new()).unwrap();
    assert_eq!(without_times(&results), without_times(&expected));
}

#[test]
fn a_damaged_unit_is_run_again() {
    let folder = Folder::new("damaged");
    let expected = run(&plan(), &folder.setting(), &mut TestHost::new()).unwrap();
    let units = folder.units();
    let text = fs::read_to_string(&units[0]).unwrap();
    for damaged in [text.replace("true", "false"), text[..text.len() - 9].to_owned(), String::new()] {
        fs::write(&units[0], damaged).unwrap();
        assert!(ResultSet::read(&folder.0).unwrap_err().to_string().contains("is damaged"));
        let mut host = TestHost { units_left: 1, told: Vec::new() };
        let results = run(&plan(), &folder.setting(), &mut host).unwrap();
        assert_eq!(without_times(&results), without_times(&expected));
        assert!(host.told.len() == 1 && host.told[0].ends_with("it is run again"), "{:?}", host.told);
    }
    // A database or a list of problems that is damaged is made anew.
    for entry in fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|extension| extension == "sfdb" || extension == "csv") {
            let mut bytes = fs::read(&entry).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(&entry, bytes).unwrap();
        }
    }
    fs::remove_dir_all(folder.0.join("units")).unwrap();
    let results = run(&plan(), &folder.setting(), &mut TestHost::new()).unwrap();
    assert_eq!(without_times(&results), without_times(&expected));
}

#[test]
fn two_runs_are_not_at_work_in_one_folder() {
    let folder = Folder::new("shared");
    let other = lock::FolderLock::take(&folder.0, lock::RUN).unwrap();
    let error = run(&plan(), &folder.setting(), &mut TestHost::new()).unwrap_err().to_string();
    let expected = format!(
        "another run is at work in {}: wait for its end, or choose another folder",
        folder.0.display()
    );
    assert_eq!(error, expected);
    assert!(!ResultSet::is_in(&folder.0));
    drop(other);
    let results = run(&plan(), &folder.setting(), &mut TestHost::new()).unwrap();
    assert_eq!(ResultSet::read(&folder.0).unwrap(), results);
}

#[test]
fn other_programs_and_machines_are_not_mixed_in() {
    let folder = Folder::new("mixed");
    let mut host = TestHost { units_left: 5, told: Vec::new() };
    assert!(run(&plan(), &folder.setting(), &mut host).is_err());
    let newer = Setting { provenance: Provenance::here(Some("def"), None), ..folder.setting() };
    let message = run(&plan(), &newer, &mut TestHost::new()).unwrap_err().to_string();
    assert!(message.contains("(abc)") && message.contains("(def)") && message.contains("--mix"), "{message}");
    let mixed = run(&plan(), &Setting { mix: true, ..newer }, &mut TestHost::new()).unwrap();
    let revisions: Vec<Option<&str>> =
        mixed.sources().iter().map(|source| source.revision.as_deref()).collect();
    assert_eq!(revisions.len(), 2);
    assert!(revisions.contains(&Some("abc")) && revisions.contains(&Some("def")));
    assert_eq!(
        mixed.units.iter().filter(|unit| unit.provenance.revision.as_deref() == Some("abc")).count(),
        5
    );
}

#[test]
fn timed_walks_in_the_game_have_times_and_frames() {
    let folder = Folder::new("timed");
    let text = PLAN.replace("timed = false", "timed = true\ngame = {}").replace("\"knn-lrta*(n=50)\"", "");
    let text = text.replace("every-bucket = 2", "passes = 2");
    let results =
        run(&Plan::parse("timed", &text).unwrap(), &folder.setting(), &mut TestHost::new()).unwrap();
    for row in results.units.iter().flat_map(|unit| &unit.rows).filter(|row| row.moves > 0) {
        assert!(row.plan_ns_mean.unwrap() > 0.0 && row.planning_ms.unwrap() > 0.0);
        assert!(row.plan_ns_median.unwrap() <= row.plan_ns_max.unwrap());
        let frames = [row.frames_without_thinking, row.frames_10_ms, row.frames_2_ms, row.frames_1_ms];
        assert!(frames.is_sorted() && row.frames_of_shortest <= row.frames_without_thinking, "{row:?}");
    }
    assert_eq!(ResultSet::read(&folder.0).unwrap(), results);
}

#[test]
fn walks_of_a_single_part_can_be_timed() {
    let folder = Folder::new("one-part");
    let text = PLAN.replace("every-bucket = 2", "timed = true");
    let results =
        run(&Plan::parse("one-part", &text).unwrap(), &folder.setting(), &mut TestHost::new()).unwrap();
    for unit in &results.units {
        assert_eq!(unit.timed, unit.part == "second");
        assert!(unit.rows.iter().all(|row| row.plan_ns_mean.is_some() == unit.timed));
    }
    // What is not changed by that is not done again.
    let untimed = Plan::parse("one-part", &text.replace("timed = true", "")).unwrap();
    let mut host = TestHost { units_left: 4, told: Vec::new() };
    assert!(run(&untimed, &folder.setting(), &mut host).is_ok() && host.units_left == 0);
}

#[test]
fn missing_maps_and_problems_are_named() {
    let folder = Folder::new("missing");
    let error = |from: &str, to: &str| {
        let text = PLAN.replacen(from, to, 1);
        let plan = Plan::parse("missing", &text).unwrap();
        run(&plan, &folder.setting(), &mut TestHost::new()).unwrap_err().to_string()
    };
    let generated = "generate = \"game\"\nwidth = 40\nheight = 30";
    assert!(error(generated, "files = [\"no.map\"]").contains("no.map"));
    assert!(error(generated, "folder = \"nowhere\"").contains("nowhere"));
    assert!(
        error("min-cost = 5, max-cost = 30", "min-cost = 9000, max-cost = 9900")
            .starts_with("game 40 x 30: ")
    );
    assert!(
        ResultSet::read(&folder.0.join("units")).unwrap_err().to_string().contains("no folder of results")
    );
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_what_csv_has() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    let folder = Folder::new("parquet");
    let results = run(&plan(), &folder.setting(), &mut TestHost::new()).unwrap();
    let mut text = Vec::new();
    write_csv(&results, &mut text).unwrap();
    let columns: Vec<_> = columns().collect();
    let path = folder.0.join("rows.parquet");
    write_parquet(&text[..], &columns, fs::File::create(&path).unwrap()).unwrap();
    let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
    let cells = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::ULong(number) => number.to_string(),
        Field::Bool(flag) => flag.to_string(),
        Field::Double(number) => format!("{number:?}"),
        other => panic!("{other:?}"),
    };
    let mut records = csv::Reader::from_reader(&text[..]);
    let names: Vec<String> = records.headers().unwrap().iter().map(str::to_owned).collect();
    let mut count = 0;
    for (row, record) in reader.get_row_iter(None).unwrap().zip(records.records()) {
        let (row, record) = (row.unwrap(), record.unwrap());
        for ((name, field), (own_name, cell)) in row.get_column_iter().zip(names.iter().zip(&record)) {
            assert_eq!(name, own_name);
            match field {
                Field::Double(number) => assert_eq!(cell.parse::<f64>().unwrap(), *number),
                _ => assert_eq!(cells(field), cell, "{name}"),
            }
        }
        count += 1;
    }
    assert_eq!(count, results.units.iter().map(|unit| unit.rows.len()).sum::<usize>());
    let wrong = String::from_utf8(text).unwrap().replace(",true,", ",perhaps,");
    let error = write_parquet(wrong.as_bytes(), &columns, Vec::new()).unwrap_err().to_string();
    assert!(error.contains("\"perhaps\" does not belong"), "{error}");
}

/// A problem is walked with the tree of its fold, which was grown from the problems of all maps, wherever the
/// run begins.
#[test]
fn trees_are_grown_from_the_problems_of_the_plan() {
    let part = "[[algorithms]]\nname = \"first\"\nspecs = [\"lrta*(dt,g;dmax=5)\"]\ntrees = { folds = 3, leaf = 5, pruning = 0.25 }\n";
    let text = format!("{}{part}", &PLAN[..PLAN.find("[[algorithms]]").unwrap()]);
    let plan = Plan::parse("trees", &text).unwrap();
    let built_in = Plan::parse("trees", &text.replace("trees = {", "# {")).unwrap();
    let steps = |plan: &Plan, name: &str| {
        let folder = Folder::new(name);
        let results = run(plan, &folder.setting(), &mut TestHost::new()).unwrap();
        let rows = results.units.iter().flat_map(|unit| &unit.rows);
        rows.map(|row| {
            assert!(row.solved);
            (row.moves, row.expansions_mean)
        })
        .collect::<Vec<(u64, f64)>>()
    };
    let own = steps(&plan, "trees-a");
    assert!(own.len() > 8);
    assert_eq!(own, steps(&plan, "trees-b"));
    assert_ne!(own, steps(&built_in, "trees-c"), "the trees of the library are others");
}
