//! A report as one page that needs nothing else: no other file, no network.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::NOTHING;
use super::figure::Figure;
use super::model::{Beside, Cell, ColumnKind, Item, Published, Report, Section, Source, Table};
use super::numbers::{fixed, significant};
use super::plain::plain;
use super::svg::{self, Size};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a report.
#[must_use]
pub fn page(report: &Report) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (report.title) }
                style { (PreEscaped(svg::STYLE)) (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (report.title) }
                    (made_of(&report.made_of))
                }
                nav aria-label="Contents" { (contents(&report.sections)) }
                main {
                    @if report.sections.is_empty() { p { "There are no results." } }
                    @for part in &report.sections { (section(part)) }
                }
                div id="told" role="status" hidden="hidden" {}
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

fn made_of(sources: &[Source]) -> Markup {
    html! {
        @if sources.len() > 1 {
            p class="warning" { "These results come from " (sources.len()) " different builds or machines: times are not to be compared." }
        }
        @for source in sources {
            dl class="source" {
                @for (name, value) in &source.facts {
                    div { dt { (name) } dd { (value) } }
                }
            }
        }
    }
}

fn contents(sections: &[Section]) -> Markup {
    html! {
        details open="open" {
            summary { "Contents" }
            ol {
                @for section in sections {
                    li {
                        a href=(format!("#{}", section.id)) { (section.title) }
                        ul {
                            @for item in &section.items {
                                @match item {
                                    Item::Text(_) => {}
                                    Item::Table(table) => li { a href=(format!("#{}", table.id)) { (table.title) } },
                                    Item::Figure(figure) => li { a href=(format!("#{}", figure.id)) { (figure.title) } },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn section(section: &Section) -> Markup {
    html! {
        section id=(section.id) {
            h2 { (section.title) }
            @for item in &section.items {
                @match item {
                    Item::Text(text) => p { (text) },
                    Item::Table(own) => (table(own)),
                    Item::Figure(own) => (figure(own)),
                }
            }
        }
    }
}

fn table(table: &Table) -> Markup {
    let kinds = table.kinds();
    let width: usize = kinds.iter().map(|&kind| if kind == ColumnKind::Beside { 3 } else { 1 }).sum();
    let row_notes: Vec<&String> = table.rows.iter().filter_map(|row| row.note.as_ref()).collect();
    html! {
        figure class="table" id=(table.id) {
            figcaption { (table.title) }
            // The box scrolls, and can be reached by the keyboard.
            div class="scroll" tabindex="0" {
                table { (head(table, &kinds)) tbody {
                    @if table.rows.is_empty() {
                        tr { td colspan=(width.max(1)) { "no results" } }
                    }
                    @for (line, row) in table.rows.iter().enumerate() {
                        tr {
                            @for (column, &kind) in kinds.iter().enumerate() {
                                @let note = note_number(table, line).filter(|_| column == 0);
                                (cell(row.cells.get(column).unwrap_or(&Cell::Missing), column == 0, kind, note))
                            }
                        }
                    }
                } }
            }
            @if !row_notes.is_empty() {
                ol class="notes" { @for note in row_notes { li { (note) } } }
            }
            (notes(&table.notes))
            @let marks = table.marks();
            @if !marks.is_empty() {
                p class="marks" {
                    @for (at, (mark, meaning)) in marks.iter().enumerate() {
                        @if at > 0 { "; " }
                        b { (mark) } " " (meaning)
                    }
                    "."
                }
            }
        }
    }
}

/// The number of the note on a line.
pub(super) fn note_number(table: &Table, line: usize) -> Option<usize> {
    table.rows[line].note.as_ref()?;
    Some(table.rows[..=line].iter().filter(|row| row.note.is_some()).count())
}

fn head(table: &Table, kinds: &[ColumnKind]) -> Markup {
    let has_beside = kinds.contains(&ColumnKind::Beside);
    let class = |kind| match kind {
        ColumnKind::Beside => "group",
        ColumnKind::Words => "words",
        ColumnKind::Numbers => "number",
    };
    html! {
        thead {
            tr {
                @for (column, &kind) in table.columns.iter().zip(kinds) {
                    @let is_beside = kind == ColumnKind::Beside;
                    th scope="col" class=(class(kind)) colspan=[is_beside.then_some("3")] rowspan=[(has_beside && !is_beside).then_some("2")] {
                        (column.label())
                    }
                }
            }
            @if has_beside {
                tr {
                    @for _ in kinds.iter().filter(|&&kind| kind == ColumnKind::Beside) {
                        th scope="col" class="first" { "published" }
                        th scope="col" { "ours" }
                        th scope="col" { "ratio" }
                    }
                }
            }
        }
    }
}

fn cell(cell: &Cell, is_first: bool, kind: ColumnKind, note: Option<usize>) -> Markup {
    let class = if kind == ColumnKind::Words { "words" } else { "number" };
    let content = html! {
        (breakable(&plain(cell)))
        @if let Some(note) = note { sup { (note) } }
    };
    match (cell, kind == ColumnKind::Beside, is_first) {
        (Cell::Beside(figures), _, _) => beside(figures),
        (Cell::Missing, true, _) => {
            html! { td class="number first" { (NOTHING) } td class="number" { (NOTHING) } td class="number" {} }
        }
        // A figure of ours in a column where others have published ones.
        (_, true, _) => {
            html! { td class="number first" { (NOTHING) } td class=(class) { (content) } td class="number" {} }
        }
        (_, false, true) => html! { th scope="row" class=(class) { (content) } },
        (_, false, false) => html! { td class=(class) { (content) } },
    }
}

/// Words that may be broken after a comma: names of algorithms are long. A comma before a digit may be part
/// of a number.
fn breakable(words: &str) -> Markup {
    let mut pieces = Vec::new();
    let mut rest = words;
    while let Some(comma) = rest
        .match_indices(',')
        .map(|(at, _)| at + 1)
        .find(|&at| rest[at..].starts_with(|next: char| next.is_alphabetic()))
    {
        let (piece, left) = rest.split_at(comma);
        pieces.push(piece);
        rest = left;
    }
    html! { @for piece in pieces { (piece) wbr; } (rest) }
}

fn beside(figures: &Beside) -> Markup {
    html! {
        td class="number first" {
            @match figures.published {
                None => (NOTHING),
                Some(published) => {
                    (published.value().map_or(NOTHING.to_owned(), |value| fixed(value, figures.digits)))
                    @if let Some((mark, meaning)) = published.mark() { abbr title=(said(published, meaning, figures.digits)) { (mark) } }
                }
            }
        }
        td class="number" { (figures.ours.map_or(NOTHING.to_owned(), |ours| fixed(ours, figures.digits))) }
        td class=(if figures.differs() { "number ratio" } else { "number ratio same" }) {
            (figures.ratio().map_or(String::new(), |ratio| significant(ratio, 3)))
        }
    }
}

/// What a mark means for a figure.
fn said(published: Published, meaning: &str, digits: u8) -> String {
    match published {
        Published::Misprint { printed, .. } => format!("{meaning}; printed: {}", fixed(printed, digits)),
        _ => meaning.to_owned(),
    }
}

fn notes(notes: &[String]) -> Markup {
    html! { @for note in notes { p class="note" { (note) } } }
}

fn figure(figure: &Figure) -> Markup {
    html! {
        figure class="plots" id=(figure.id) {
            figcaption { (figure.title) }
            (svg::part(figure, Size::Wide))
            (svg::part(figure, Size::Narrow))
            @if let Some(told) = without_place(figure) { p class="note" { (told) } }
            (notes(&figure.notes))
        }
    }
}

/// What is said of points that have no place in a figure.
pub(super) fn without_place(figure: &Figure) -> Option<String> {
    match figure.without_place() {
        0 => None,
        1 => Some("1 point has no place on these axes.".to_owned()),
        count => Some(format!("{count} points have no place on these axes.")),
    }
}

#[cfg(test)]
pub(crate) mod tests;
