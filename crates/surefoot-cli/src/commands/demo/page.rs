//! The demo's page: one HTML file that needs no other.

use std::fmt::Write as _;

use surefoot_lab::problems::GeneratedProblem;

use super::crowd::Filmed;
use super::picture::{Line, SEEN, stroke};
use super::{MAP, SCEN};
use crate::algorithm::{self, Algorithm};
use crate::databases::Origin;
use crate::summary_table;
use crate::table::{Table, thousands};
use crate::world::Worlds;

/// The page around the contents, with names in double braces where they go.
const TEMPLATE: &str = include_str!("page.html");

/// What the page shows.
pub(super) struct Page<'a> {
    pub(super) worlds: &'a Worlds,
    pub(super) problems: &'a [GeneratedProblem],
    /// The problem of the picture.
    pub(super) shown: &'a GeneratedProblem,
    pub(super) lines: &'a [Line],
    pub(super) table: &'a Table,
    pub(super) crowd: &'a Filmed,
    /// The algorithms that need databases, and where these came from.
    pub(super) databases: Vec<(&'a str, Origin)>,
}

impl Page<'_> {
    pub(super) fn to_html(&self, picture: &str, algorithms: &[Algorithm]) -> String {
        let mut html = TEMPLATE.to_string();
        for (name, content) in [
            ("introduction", self.introduction(algorithms)),
            ("facts", self.facts(algorithms)),
            ("picture", labelled(picture)),
            ("caption", self.caption()),
            ("legend", self.legend()),
            ("table", self.table()),
            ("crowd", self.crowd.to_html()),
            ("more", more(algorithms)),
            ("databases", self.databases()),
            (
                "columns",
                definitions(summary_table::COLUMNS.iter().map(|c| (escape(c.name), escape(c.meaning)))),
            ),
            ("algorithms", definitions(algorithms.iter().filter_map(about))),
            ("command", escape(&command(algorithms))),
        ] {
            html = html.replace(&format!("{{{{{name}}}}}"), &content);
        }
        html
    }

    fn introduction(&self, algorithms: &[Algorithm]) -> String {
        format!(
            "Pathfinding on a map as a game has it. {} algorithms walked the same {} problems, move by move; the \
             picture shows one of them, the table all. A real-time algorithm promises a bound on the planning \
             before each move, whatever the size of the map; the others plan for as long as it takes. The first, <code>{}</code>, is \
             surefoot's own, and what you get unless you ask for another.",
            algorithms.len(),
            self.problems.len(),
            escape(algorithm::DEFAULT)
        )
    }

    fn facts(&self, algorithms: &[Algorithm]) -> String {
        let space = self.worlds.main();
        let grid = space.grid();
        let costs: Vec<f64> =
            self.problems.iter().map(|problem| space.units().to_f64(problem.cost)).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = costs.iter().copied().fold(0.0, f64::max);
        let facts = [
            (format!("{} × {}", grid.width(), grid.height()), "cells of map"),
            (thousands(grid.free_count()), "free cells"),
            (self.problems.len().to_string(), "problems"),
            (format!("{least:.0} to {greatest:.0}"), "optimal cost"),
            (algorithms.len().to_string(), "algorithms"),
            (space.rule().to_string(), "move rule"),
        ];
        facts.iter().fold(String::new(), |html, (value, what)| {
            format!("{html}<li><b>{}</b><span>{what}</span></li>\n", escape(value))
        })
    }

    fn caption(&self) -> String {
        let cost = self.worlds.main().units().to_f64(self.shown.cost);
        format!(
            "The longest problem: from {} (white) to {} (black), optimal cost {cost:.2}.",
            self.shown.start, self.shown.goal
        )
    }

    fn legend(&self) -> String {
        let mut html = String::new();
        for (index, line) in self.lines.iter().enumerate() {
            let checked = if index < SEEN { " checked" } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                html,
                "<li><label><input type=\"checkbox\"{checked} data-line=\"line-{index}\">\
                 <svg viewBox=\"0 0 32 12\" aria-hidden=\"true\"><path d=\"M4 6H28\" {}/></svg>\
                 <span class=\"name\">{}</span><small>cost {:.2}</small></label></li>",
                stroke(index, 6.0),
                escape(&line.algorithm),
                line.cost
            );
        }
        html
    }

    fn databases(&self) -> String {
        self.databases.iter().fold(String::new(), |html, (algorithm, origin)| {
            let (name, what) = (escape(algorithm), escape(&origin.to_text()));
            format!("{html}<p class=\"note\">The database of <code>{name}</code> was {what}, before the first walk.</p>\n")
        })
    }

    fn table(&self) -> String {
        let cell = |tag: &str, column: usize, text: &str| {
            let class = match column {
                0 => " class=\"name\"",
                _ if self.table.is_numeric(column) => " class=\"number\"",
                _ => "",
            };
            format!("<{tag}{class}>{}</{tag}>", escape(text))
        };
        let row = |tag: &str, cells: &[String]| {
            let cells: String =
                cells.iter().enumerate().map(|(column, text)| cell(tag, column, text)).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let head = row("th", self.table.head());
        let body: String = self.table.body().iter().map(|cells| row("td", cells)).collect();
        format!("<thead>\n{head}</thead>\n<tbody>\n{body}</tbody>\n")
    }
}

/// The picture with a name for those who cannot see it.
fn labelled(svg: &str) -> String {
    svg.replacen("<svg ", "<svg role=\"img\" aria-label=\"The map with a line for each algorithm\" ", 1)
}

/// Where all others are, unless they are here.
fn more(algorithms: &[Algorithm]) -> String {
    let all = surefoot_classics::ROSTER.entries().len();
    if algorithms.len() == all {
        return String::new();
    }
    format!("<p class=\"note\"><code>surefoot demo --all</code> has all {all} algorithms.</p>")
}

fn about(algorithm: &Algorithm) -> Option<(String, String)> {
    let entry = algorithm.entry()?;
    let text = format!(
        "{}. <span class=\"faint\">Per move: {}. {}.</span>",
        escape(entry.summary),
        escape(&entry.bound.to_string()),
        escape(entry.paper)
    );
    Some((format!("<span class=\"name\">{}</span>", escape(&algorithm.name())), text))
}

fn definitions(items: impl Iterator<Item = (String, String)>) -> String {
    items.fold(String::new(), |html, (term, meaning)| format!("{html}<dt>{term}</dt><dd>{meaning}</dd>\n"))
}

/// The command that makes the table again.
fn command(algorithms: &[Algorithm]) -> String {
    let specs: String =
        algorithms.iter().map(|algorithm| format!(" \\\n  --algorithm '{}'", algorithm.name())).collect();
    format!("surefoot run --map {MAP} --scen {SCEN}{specs} \\\n  --out rows.csv")
}

/// `text` as HTML shows it literally.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
