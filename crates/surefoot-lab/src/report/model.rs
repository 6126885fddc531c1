//! What a report is made of.

use super::figure::Figure;
use super::numbers::is_same;

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What it is about.
    pub title: String,
    /// What the results come from: one for each version, machine and build that took part.
    pub made_of: Vec<Source>,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// Where results come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Names and values: version, revision, machine …
    pub facts: Vec<(String, String)>,
}

/// A part of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its name in links: lower-case letters, digits and dashes.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// What it says.
    pub items: Vec<Item>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Figure),
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its name in links and files: lower-case letters, digits and dashes.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The heads.
    pub columns: Vec<Column>,
    /// The lines.
    pub rows: Vec<Row>,
    /// What is to be said of it as a whole.
    pub notes: Vec<String>,
}

/// The head of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The unit of its numbers.
    pub unit: Option<String>,
}

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Words, and perhaps numbers.
    Words,
    /// Numbers alone.
    Numbers,
    /// Published figures beside ours: shown as three columns.
    Beside,
}

/// A line of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// One for each column.
    pub cells: Vec<Cell>,
    /// What is to be said of the line, such as why it differs from what was published.
    pub note: Option<String>,
}

/// What stands in a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Nothing is known.
    #[default]
    Missing,
    /// Words.
    Text(String),
    /// A number with so many decimals.
    Number(f64, u8),
    /// A published figure and ours.
    Beside(Beside),
}

/// A published figure and ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// What was published. `None` if the paper has no such figure.
    pub published: Option<Published>,
    /// Ours. `None` if it was not measured.
    pub ours: Option<f64>,
    /// The decimals of both.
    pub digits: u8,
    /// The lowest and the highest of ours, where there are several: over seeds, or over ways to lay the maps.
    pub spread: Option<(f64, f64)>,
    /// Why the two are no match for each other, if they are not: another machine, other maps.
    pub apart: Option<&'static str>,
}

/// How near ours comes to a published figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// The same, or within a tenth of it.
    Near,
    /// Farther away, but within the spread of ours.
    InSpread,
    /// Within a factor of two.
    Twice,
    /// Farther away.
    Off,
    /// The two measure different things, or the published digits are lost.
    Apart,
    /// Ours was not measured.
    Missing,
}

/// A published figure, and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Published {
    /// As printed.
    Printed(f64),
    /// Filled in by arithmetic from figures that are printed.
    Computed(f64),
    /// Not certain in its last digits.
    About(f64),
    /// The paper prints one figure; another one of its own shows what it must be.
    Misprint {
        /// As printed.
        printed: f64,
        /// What it must be.
        corrected: f64,
    },
    /// As printed, and said to be an upper bound.
    AtMost(f64),
    /// The paper has it, but it cannot be read any more.
    Lost,
}

impl Published {
    /// The figure to compare with.
    #[must_use]
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Printed(value) | Self::Computed(value) | Self::About(value) | Self::AtMost(value) => {
                Some(value)
            }
            Self::Misprint { corrected, .. } => Some(corrected),
            Self::Lost => None,
        }
    }

    /// The mark beside the figure, and what it means; nothing for a figure as printed.
    #[must_use]
    pub const fn mark(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Printed(_) => None,
            Self::Computed(_) => Some(("=", "filled in by arithmetic from printed figures")),
            Self::About(_) => Some(("~", "about: the last digits are not certain")),
            Self::Misprint { .. } => Some(("†", "misprinted in the paper; shown corrected")),
            Self::AtMost(_) => Some(("≤", "an upper bound")),
            Self::Lost => Some(("?", "in the paper, but lost in the texts that are left of it")),
        }
    }
}

impl Beside {
    /// How many times the published figure ours is. `None` if one of them is not there or the published one
    /// is 0 and ours is not.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let (published, ours) = (self.published?.value()?, self.ours?);
        match (published == 0.0, ours == 0.0) {
            (true, true) => Some(1.0),
            (true, false) => None,
            _ => Some(ours / published),
        }
    }

    /// How near ours comes. `None` if nothing was published.
    #[must_use]
    pub fn verdict(&self) -> Option<Match> {
        let Some(published) = self.published?.value() else { return Some(Match::Apart) };
        let Some(ours) = self.ours else { return Some(Match::Missing) };
        let is_within = |factor: f64| {
            let times = ours / published;
            times >= 1.0 / factor && times <= factor
        };
        let is_kept = matches!(self.published, Some(Published::AtMost(most)) if ours <= most);
        Some(match self.spread {
            _ if self.apart.is_some() => Match::Apart,
            _ if is_kept => Match::Near,
            _ if is_same(published, ours, self.digits) || is_within(1.1) => Match::Near,
            Some((low, high)) if (low..=high).contains(&published) => Match::InSpread,
            _ if is_within(2.0) => Match::Twice,
            _ => Match::Off,
        })
    }

    /// Whether both figures are there and differ by more than rounding.
    #[must_use]
    pub fn differs(&self) -> bool {
        let published = self.published.and_then(Published::value);
        published.zip(self.ours).is_some_and(|(published, ours)| !is_same(published, ours, self.digits))
    }
}

impl Column {
    /// A column of words or of numbers without a unit.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), unit: None }
    }

    /// A column of numbers in a unit.
    #[must_use]
    pub fn with_unit(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: Some(unit.into()) }
    }

    /// The name, and the unit in brackets.
    #[must_use]
    pub fn label(&self) -> String {
        with_unit(&self.name, self.unit.as_deref())
    }
}

pub(super) fn with_unit(name: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| name.to_owned(), |unit| format!("{name} ({unit})"))
}

impl Cell {
    /// Words.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A number that may be missing.
    #[must_use]
    pub fn number(value: Option<f64>, digits: u8) -> Self {
        value.map_or(Self::Missing, |value| Self::Number(value, digits))
    }

    /// A count.
    #[must_use]
    pub const fn count(value: u64) -> Self {
        Self::Number(value as f64, 0)
    }

    /// A published figure and ours.
    #[must_use]
    pub const fn beside(published: Option<Published>, ours: Option<f64>, digits: u8) -> Self {
        Self::Beside(Beside { published, ours, digits, spread: None, apart: None })
    }

    /// The same with the lowest and the highest of ours.
    #[must_use]
    pub fn in_spread(mut self, of_ours: Option<(f64, f64)>) -> Self {
        if let Self::Beside(beside) = &mut self {
            beside.spread = of_ours;
        }
        self
    }

    /// The same with a reason why the two are no match for each other.
    #[must_use]
    pub fn apart(mut self, why: Option<&'static str>) -> Self {
        if let Self::Beside(beside) = &mut self {
            beside.apart = why;
        }
        self
    }
}

impl Table {
    /// A table without lines.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>, columns: Vec<Column>) -> Self {
        Self { id: id.into(), title: title.into(), columns, ..Self::default() }
    }

    /// Adds a line.
    pub fn push(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row { cells, note: None });
    }

    /// Adds a line with what is to be said of it.
    pub fn push_noted(&mut self, cells: Vec<Cell>, note: Option<String>) {
        self.rows.push(Row { cells, note });
    }

    /// What a column has.
    #[must_use]
    pub fn kind(&self, column: usize) -> ColumnKind {
        let has = |is: fn(&Cell) -> bool| self.rows.iter().filter_map(|row| row.cells.get(column)).any(is);
        if has(|cell| matches!(cell, Cell::Beside(_))) {
            ColumnKind::Beside
        } else if has(|cell| matches!(cell, Cell::Text(_))) {
            ColumnKind::Words
        } else {
            ColumnKind::Numbers
        }
    }

    /// What all columns have.
    #[must_use]
    pub fn kinds(&self) -> Vec<ColumnKind> {
        (0..self.columns.len()).map(|column| self.kind(column)).collect()
    }

    /// The lines with a figure that differs from the published one and no word on it, neither there nor on
    /// the whole table.
    #[must_use]
    pub fn unexplained(&self) -> Vec<&Row> {
        let differs = |cell: &Cell| matches!(cell, Cell::Beside(beside) if beside.differs());
        let is_silent = |row: &&Row| row.note.is_none() && self.notes.is_empty();
        self.rows.iter().filter(is_silent).filter(|row| row.cells.iter().any(differs)).collect()
    }

    /// The marks of published figures that it uses, each with its meaning.
    #[must_use]
    pub fn marks(&self) -> Vec<(&'static str, &'static str)> {
        let mut marks = Vec::new();
        for cell in self.rows.iter().flat_map(|row| &row.cells) {
            let Cell::Beside(Beside { published: Some(published), .. }) = cell else { continue };
            marks.extend(published.mark().filter(|mark| !marks.contains(mark)));
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_ours_over_theirs() {
        let beside = |published, ours| Beside { published, ours, digits: 2, spread: None, apart: None };
        assert_eq!(beside(Some(Published::Printed(4.0)), Some(2.0)).ratio(), Some(0.5));
        let misprint = Published::Misprint { printed: 83.31, corrected: 131.12 };
        assert_eq!(beside(Some(misprint), Some(131.12)).ratio(), Some(1.0));
        assert!(!beside(Some(misprint), Some(131.12)).differs());
        assert_eq!(beside(Some(Published::Printed(0.0)), Some(0.0)).ratio(), Some(1.0));
        assert_eq!(beside(Some(Published::Printed(0.0)), Some(0.1)).ratio(), None);
        assert_eq!(beside(Some(Published::Lost), Some(0.1)).ratio(), None);
        assert_eq!(beside(None, Some(0.1)).ratio(), None);
        assert!(!beside(Some(Published::About(1.0)), None).differs());
        assert!(!beside(Some(Published::Computed(1.0)), Some(1.004)).differs());
        assert!(beside(Some(Published::Computed(1.0)), Some(1.006)).differs());
    }

    #[test]
    fn figures_are_near_or_not() {
        let verdict =
            |published, ours, spread, apart| Beside { published, ours, digits: 2, spread, apart }.verdict();
        let printed = |value| Some(Published::Printed(value));
        let plain = |published: f64, ours: f64| verdict(printed(published), Some(ours), None, None);
        assert_eq!(plain(100.0, 110.0), Some(Match::Near));
        assert_eq!((plain(100.0, 91.0), plain(100.0, 90.0)), (Some(Match::Near), Some(Match::Twice)));
        assert_eq!((plain(100.0, 199.0), plain(100.0, 50.5)), (Some(Match::Twice), Some(Match::Twice)));
        assert_eq!((plain(100.0, 49.0), plain(0.0, 0.1)), (Some(Match::Off), Some(Match::Off)));
        assert_eq!((plain(0.0, 0.004), plain(-10.0, -10.5)), (Some(Match::Near), Some(Match::Near)));
        let spread = Some((90.0, 400.0));
        assert_eq!(verdict(printed(100.0), Some(300.0), spread, None), Some(Match::InSpread));
        assert_eq!(verdict(printed(80.0), Some(300.0), spread, None), Some(Match::Off));
        assert_eq!(verdict(printed(100.0), Some(100.0), None, Some("other maps")), Some(Match::Apart));
        assert_eq!(verdict(printed(100.0), None, None, Some("other maps")), Some(Match::Missing));
        assert_eq!(verdict(Some(Published::Lost), Some(1.0), None, None), Some(Match::Apart));
        assert_eq!(verdict(None, Some(1.0), None, None), None);
        let bound = |ours| verdict(Some(Published::AtMost(5.0)), Some(ours), None, None);
        assert_eq!(
            (bound(0.1), bound(5.2), bound(6.0)),
            (Some(Match::Near), Some(Match::Near), Some(Match::Twice))
        );
    }

    #[test]
    fn differences_want_a_word() {
        let mut table = Table::new("t", "t", vec![Column::new("a"), Column::with_unit("b", "%")]);
        let off = || Cell::beside(Some(Published::Lost), Some(3.0), 0);
        table.push(vec![Cell::text("lost"), off()]);
        table.push(vec![Cell::text("same"), Cell::beside(Some(Published::About(3.0)), Some(3.4), 0)]);
        assert!(table.unexplained().is_empty());
        let differs = vec![Cell::text("other"), Cell::beside(Some(Published::Printed(3.0)), Some(4.0), 0)];
        table.push_noted(differs.clone(), Some("why".to_owned()));
        assert!(table.unexplained().is_empty());
        table.push(differs);
        assert_eq!(table.unexplained().len(), 1);
        table.notes.push("all of it".to_owned());
        assert!(table.unexplained().is_empty());
        assert_eq!(table.marks().iter().map(|mark| mark.0).collect::<Vec<_>>(), ["?", "~"]);
        assert_eq!(table.kinds(), [ColumnKind::Words, ColumnKind::Beside]);
        assert_eq!(table.kind(2), ColumnKind::Numbers);
        assert_eq!(table.columns[1].label(), "b (%)");
    }
}
