//! Plans as they are written: TOML, read with places for everything that can be wrong.

use std::ops::Range;

use serde::Deserialize;
use surefoot::agent::Spec;
use surefoot::space::{MAX_CELLS, SpaceError, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_classics::depth::WITH_TREE;
use toml::Spanned;

use super::size::{self, Factor, TooLarge};
use super::{MOST_SPECS, MapEntry, Origin, OwnTrees, Part, Plan, PlanError, Problems, Quick, expand};
use crate::clock::Pace;
use crate::maps::MapKind;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlanText {
    title: String,
    timed: Spanned<bool>,
    game: Option<Spanned<GameText>>,
    seeds: Option<Spanned<u64>>,
    most_moves: Option<u64>,
    maps: Vec<Spanned<MapsText>>,
    algorithms: Vec<Spanned<PartText>>,
    #[serde(default)]
    quick: QuickText,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GameText {
    expansions_per_ms: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct MapsText {
    folder: Option<String>,
    files: Option<Vec<String>>,
    generate: Option<Spanned<String>>,
    width: Option<u32>,
    height: Option<u32>,
    seed: Option<u64>,
    #[serde(default = "one")]
    scale: u32,
    #[serde(default)]
    smooth: bool,
    #[serde(default)]
    largest: bool,
    rule: Spanned<String>,
    cost: Spanned<String>,
    terrain: Option<Spanned<String>>,
    #[serde(default)]
    optional: bool,
    #[serde(default = "yes")]
    quick: bool,
    problems: Spanned<ProblemsText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ProblemsText {
    #[serde(default)]
    beside: bool,
    every: Option<usize>,
    count: Option<Spanned<usize>>,
    min_cost: Option<f64>,
    max_cost: Option<f64>,
    of_width: Option<f64>,
    seed: Option<u64>,
    per_bucket: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PartText {
    #[serde(default)]
    name: String,
    specs: Vec<Spanned<String>>,
    quick: Option<Vec<Spanned<String>>>,
    timed: Option<Spanned<bool>>,
    passes: Option<Spanned<u32>>,
    every_bucket: Option<u32>,
    #[serde(default)]
    symmetries: bool,
    seeds: Option<Spanned<u64>>,
    most_moves: Option<u64>,
    trees: Option<Spanned<TreesText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TreesText {
    folds: usize,
    leaf: usize,
    pruning: f64,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct QuickText {
    maps: Option<usize>,
    scale: Option<u32>,
    problems: Option<usize>,
    every: Option<usize>,
    seeds: Option<u64>,
    most_moves: Option<u64>,
    passes: Option<u32>,
    symmetries: Option<bool>,
}

fn one<T: From<u8>>() -> T {
    1.into()
}

fn yes() -> bool {
    true
}

/// What is wrong with walks that are not timed in a game that goes by time.
const UNTIMED_GAME: &str =
    "a game whose planning is measured needs timed = true; else say expansions-per-ms in [game]";

/// A mistake at some bytes of the text.
struct Mistake {
    span: Range<usize>,
    problem: String,
}

impl Mistake {
    #[expect(clippy::needless_pass_by_value, reason = "that is how map_err calls it")]
    fn new(span: Range<usize>, problem: impl ToString) -> Self {
        Self { span, problem: problem.to_string() }
    }
}

pub(super) fn parse(name: &str, text: &str) -> Result<Plan, PlanError> {
    let read: Result<PlanText, Mistake> = toml::from_str(text)
        .map_err(|error| Mistake::new(error.span().unwrap_or(0..0), error.message().replace('\n', ", ")));
    read.and_then(|plan| checked(name, text, plan)).map_err(|Mistake { span, problem }| {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        PlanError { line: before.matches('\n').count() + 1, column: line.chars().count() + 1, problem }
    })
}

fn checked(name: &str, text: &str, plan: PlanText) -> Result<Plan, Mistake> {
    let factors = factors(&plan);
    let timed = *plan.timed.get_ref();
    let game = plan.game.map(|game| game_of(&game, &plan.timed)).transpose()?;
    let maps: Vec<MapEntry> = plan.maps.into_iter().map(map_entry).collect::<Result<_, _>>()?;
    let parts: Vec<Part> =
        plan.algorithms.iter().map(|own| part(own, timed, game)).collect::<Result<_, _>>()?;
    for (what, is_empty) in [("maps", maps.is_empty()), ("algorithms", parts.is_empty())] {
        if is_empty {
            return Err(Mistake::new(0..0, format!("the plan has no {what}: add [[{what}]]")));
        }
    }
    let seeds = plan.seeds.as_ref().map_or(1, |seeds| *seeds.get_ref());
    if seeds == 0 || plan.quick.seeds == Some(0) {
        return Err(Mistake::new(0..0, "seeds is 0: there must be at least 1"));
    }
    size::check(&parts, seeds, &maps, factors)
        .map_err(|TooLarge { span, problem }| Mistake { span, problem })?;
    let QuickText {
        maps: quick_maps,
        scale,
        problems,
        every,
        seeds: quick_seeds,
        most_moves,
        passes,
        symmetries,
    } = plan.quick;
    if [quick_maps, problems, every].contains(&Some(0)) || [scale, passes].contains(&Some(0)) {
        return Err(Mistake::new(0..0, "a number of [quick] is 0: leave the key out, or give at least 1"));
    }
    Ok(Plan {
        name: name.to_owned(),
        title: plan.title,
        text: text.to_owned(),
        timed,
        game,
        seeds,
        most_moves: plan.most_moves,
        maps,
        parts,
        quick: Quick {
            maps: quick_maps,
            scale,
            problems,
            every,
            seeds: quick_seeds,
            most_moves,
            passes,
            symmetries,
        },
    })
}

/// The numbers of a plan that are multiplied with each other.
fn factors(plan: &PlanText) -> Vec<Factor> {
    let seeds =
        plan.seeds.iter().chain(plan.algorithms.iter().filter_map(|part| part.get_ref().seeds.as_ref()));
    let seeds = seeds.map(|seeds| ("seeds", *seeds.get_ref(), seeds.span()));
    let maps = plan.maps.iter().filter_map(|maps| {
        let files = maps.get_ref().files.as_ref()?;
        Some(("files", files.len() as u64, maps.span()))
    });
    let counts = plan.maps.iter().filter_map(|maps| maps.get_ref().problems.get_ref().count.as_ref());
    let counts = counts.map(|count| ("count", *count.get_ref() as u64, count.span()));
    let passes = plan.algorithms.iter().filter_map(|part| part.get_ref().passes.as_ref());
    let passes = passes.map(|passes| ("passes", u64::from(*passes.get_ref()), passes.span()));
    let all = seeds.chain(maps).chain(counts).chain(passes);
    all.map(|(key, number, span)| Factor { key, number, span }).collect()
}

fn game_of(game: &Spanned<GameText>, timed: &Spanned<bool>) -> Result<Pace, Mistake> {
    match game.get_ref().expansions_per_ms {
        Some(rate) if rate > 0.0 && rate.is_finite() => Ok(Pace::Rate(rate)),
        Some(_) => Err(Mistake::new(game.span(), "expansions-per-ms must be a number above 0")),
        None if *timed.get_ref() => Ok(Pace::Measured),
        None => Err(Mistake::new(timed.span(), UNTIMED_GAME)),
    }
}

fn map_entry(maps: Spanned<MapsText>) -> Result<MapEntry, Mistake> {
    let span = maps.span();
    let maps = maps.into_inner();
    let origin = match (&maps.folder, &maps.files, &maps.generate) {
        (Some(folder), None, None) => Origin::Folder(folder.clone()),
        (None, Some(files), None) if !files.is_empty() => Origin::Files(files.clone()),
        (None, None, Some(kind)) => {
            let wrong = |error| Mistake::new(kind.span(), error);
            let kind: MapKind = kind.get_ref().parse().map_err(|error| wrong(format!("{error}")))?;
            let (Some(width), Some(height)) = (maps.width, maps.height) else {
                return Err(Mistake::new(span, "a generated map needs a width and a height"));
            };
            let side = |side: u32| side.saturating_mul(maps.scale);
            if u64::from(side(width)) * u64::from(side(height)) > MAX_CELLS {
                let error = SpaceError::TooManyCells { width: side(width), height: side(height) };
                return Err(Mistake::new(span, format!("{error}: lower width, height or scale")));
            }
            Origin::Generated { kind, width, height, seed: maps.seed.unwrap_or(1) }
        }
        _ => {
            let problem =
                "say where maps come from: one of folder = \"…\", files = [\"…\"] and generate = \"…\"";
            return Err(Mistake::new(span, problem));
        }
    };
    let is_generated = matches!(origin, Origin::Generated { .. });
    if !is_generated && (maps.width.is_some() || maps.height.is_some() || maps.seed.is_some()) {
        let problem = "width, height and seed are for maps that are generated";
        return Err(Mistake::new(span, problem));
    }
    if maps.scale == 0 {
        return Err(Mistake::new(span, "scale is 0: 1 leaves maps as they are"));
    }
    let rule = maps.rule.get_ref().parse();
    let cost = maps.cost.get_ref().parse();
    let terrain_text =
        maps.terrain.as_ref().map_or_else(|| "ground".to_owned(), |terrain| terrain.get_ref().clone());
    let terrain: Result<TerrainSet, _> = terrain_text.parse();
    let terrain_span = maps.terrain.as_ref().map_or(span, Spanned::span);
    Ok(MapEntry {
        problems: problems(&maps.problems, is_generated)?,
        origin,
        scale: maps.scale,
        smooth: maps.smooth,
        largest: maps.largest,
        rule: rule.map_err(|error| Mistake::new(maps.rule.span(), error))?,
        cost: cost.map_err(|error| Mistake::new(maps.cost.span(), error))?,
        terrain: terrain.map_err(|error| Mistake::new(terrain_span, error))?,
        terrain_text,
        optional: maps.optional,
        is_quick: maps.quick,
    })
}

fn problems(problems: &Spanned<ProblemsText>, is_generated: bool) -> Result<Problems, Mistake> {
    let wrong = |problem: &str| Err(Mistake::new(problems.span(), problem));
    let given = problems.get_ref();
    let ProblemsText { beside, every, ref count, min_cost, max_cost, of_width, seed, per_bucket } = *given;
    let count = count.as_ref().map(|count| *count.get_ref());
    if beside {
        let is_drawn = count.is_some() || min_cost.is_some() || max_cost.is_some();
        if is_drawn || of_width.is_some() || seed.is_some() || per_bucket.is_some() {
            return wrong(
                "problems come from a file (beside, every) or are drawn (all other keys), not both",
            );
        }
        if is_generated {
            return wrong(
                "a generated map has no problems beside it: draw them with count, min-cost and max-cost",
            );
        }
        return match every.unwrap_or(1) {
            0 => wrong("every is 0: 1 takes all problems"),
            every => Ok(Problems::Beside { every }),
        };
    }
    let (Some(count), Some(min_cost), Some(max_cost)) = (count, min_cost, max_cost) else {
        return wrong(
            "problems need beside = true (those of the file beside the map) or count, min-cost and max-cost",
        );
    };
    if every.is_some() {
        return wrong("every is for problems from a file; draw fewer with count");
    }
    if count == 0 || !(0.0 <= min_cost && min_cost <= max_cost && max_cost.is_finite()) {
        return wrong("expected a count of at least 1 and numbers 0 <= min-cost <= max-cost");
    }
    if of_width.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        return wrong("of-width must be a number above 0");
    }
    let (seed, per_bucket) = (seed.unwrap_or(1), per_bucket.unwrap_or(false));
    Ok(Problems::Drawn { count, min_cost, max_cost, of_width, seed, per_bucket })
}

fn part(part: &Spanned<PartText>, plan_timed: bool, game: Option<Pace>) -> Result<Part, Mistake> {
    let span = part.span();
    let part = part.get_ref();
    if let Some(timed) = part.timed.as_ref().filter(|timed| !*timed.get_ref() && game == Some(Pace::Measured))
    {
        return Err(Mistake::new(timed.span(), UNTIMED_GAME));
    }
    let passes = part.passes.as_ref().map_or(1, |passes| *passes.get_ref());
    if passes == 0 || part.every_bucket == Some(0) {
        return Err(Mistake::new(span, "passes and every-bucket must be at least 1"));
    }
    if let Some(seeds) = part.seeds.as_ref().filter(|seeds| *seeds.get_ref() == 0) {
        return Err(Mistake::new(seeds.span(), "seeds is 0: there must be at least 1"));
    }
    let all = specs(&part.specs)?;
    for (place, spec) in all.iter().enumerate() {
        if all[..place].contains(spec) {
            return Err(Mistake::new(span, format!("{spec} is there twice")));
        }
    }
    if all.is_empty() {
        return Err(Mistake::new(span, "specs has no algorithm"));
    }
    let trees = part.trees.as_ref().map(|trees| own_trees(trees, part, &all)).transpose()?;
    Ok(Part {
        name: part.name.clone(),
        specs: all,
        quick: part.quick.as_deref().map(specs).transpose()?,
        timed: part.timed.as_ref().map_or(plan_timed, |timed| *timed.get_ref()),
        passes,
        every_bucket: part.every_bucket,
        symmetries: part.symmetries,
        seeds: part.seeds.as_ref().map(|seeds| *seeds.get_ref()),
        most_moves: part.most_moves,
        trees,
    })
}

fn own_trees(trees: &Spanned<TreesText>, part: &PartText, specs: &[Spec]) -> Result<OwnTrees, Mistake> {
    let wrong = |problem: &str| Err(Mistake::new(trees.span(), problem));
    let &TreesText { folds, leaf, pruning } = trees.get_ref();
    if !(2..=1000).contains(&folds) || leaf == 0 || !(pruning > 0.0 && pruning <= 0.5) {
        return wrong(
            "expected folds from 2 to 1000, a leaf of at least 1, and pruning above 0 and at most 0.5",
        );
    }
    if part.every_bucket.is_some() {
        return wrong("trees are grown from all problems: leave every-bucket out");
    }
    if part.symmetries {
        return wrong("trees are grown on maps as they are: leave symmetries out");
    }
    if let Some(other) = specs.iter().find(|spec| spec.algorithm() != WITH_TREE.name) {
        let problem = format!("{other} has no tree: only {} has", WITH_TREE.name);
        return Err(Mistake::new(trees.span(), problem));
    }
    Ok(OwnTrees { folds, leaf, pruning })
}

fn specs(texts: &[Spanned<String>]) -> Result<Vec<Spec>, Mistake> {
    let mut all = Vec::new();
    for text in texts {
        // The quote comes first.
        let at = |byte: usize| text.span().start + 1 + byte..text.span().end;
        for made in expand(text.get_ref()).map_err(|error| Mistake::new(at(error.at), error))? {
            let spec: Spec = made.parse().map_err(|error| Mistake::new(text.span(), error))?;
            let algorithm = ROSTER.algorithm(&spec).map_err(|error| Mistake::new(text.span(), error))?;
            if all.len() == MOST_SPECS {
                let problem = format!("with this there are more than {MOST_SPECS} specs: split the plan");
                return Err(Mistake::new(text.span(), problem));
            }
            all.push(algorithm.spec().clone());
        }
    }
    Ok(all)
}
