//! Tables in plain text: columns as wide as they need to be, numbers to the right, and no line wider than a
//! terminal.

pub(crate) use surefoot_lab::report::thousands;

/// A table that grows row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self { rows: vec![columns.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row, one text for each column.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.rows[0].len());
        self.rows.push(cells);
    }

    /// The heads of the columns.
    pub(crate) fn head(&self) -> &[String] {
        &self.rows[0]
    }

    /// The rows below the head.
    pub(crate) fn body(&self) -> &[Vec<String>] {
        &self.rows[1..]
    }

    /// Whether a column holds numbers, and therefore leans to the right.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        let cells = || self.body().iter().filter_map(move |row| row.get(column)).map(String::as_str);
        cells().any(looks_like_a_number) && cells().all(|cell| cell == NOTHING || looks_like_a_number(cell))
    }

    /// The table as text: the head, a rule, and every row. If it is too wide for a terminal, heads of several
    /// words take several lines; if that is not enough, the columns are set in groups below each other, each
    /// with the first column before it.
    pub(crate) fn to_text(&self) -> String {
        let all: Vec<usize> = (0..self.head().len()).collect();
        let mut rows = self.in_lines(|_, _, cell| vec![cell.to_string()]);
        if total_width(&rows, &all) <= WIDEST {
            return self.set(&rows, &all);
        }
        let fold_heads = |row: usize, column: usize, cell: &str| {
            let body = self.body().iter().map(|row| width(&row[column])).max().unwrap_or(0);
            if row == 0 { fold(cell, ' ', body) } else { vec![cell.to_string()] }
        };
        rows = self.in_lines(fold_heads);
        if total_width(&rows, &all) <= WIDEST {
            return self.set(&rows, &all);
        }
        rows = self.in_lines(|row, column, cell| match column {
            0 if row > 0 => fold(cell, ',', WIDEST_FIRST),
            _ => fold_heads(row, column, cell),
        });
        // As few groups as can be, all of about the same width.
        let fewest = groups(&rows, WIDEST).len();
        let even = (1..=WIDEST).map(|widest| groups(&rows, widest)).find(|groups| groups.len() == fewest);
        even.iter().flatten().map(|group| self.set(&rows, group)).collect::<Vec<_>>().join("\n")
    }

    /// Every cell in lines: `fold` gets its row, its column and its text.
    fn in_lines(&self, fold: impl Fn(usize, usize, &str) -> Vec<String>) -> Vec<Vec<Vec<String>>> {
        let row = |(row, cells): (usize, &Vec<String>)| {
            cells.iter().enumerate().map(|(column, cell)| fold(row, column, cell)).collect()
        };
        self.rows.iter().enumerate().map(row).collect()
    }

    /// Some of the columns as text.
    fn set(&self, rows: &[Vec<Vec<String>>], columns: &[usize]) -> String {
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            let height = columns.iter().map(|&column| row[column].len()).max().unwrap_or(0);
            for at in 0..height {
                let mut line = String::new();
                for &column in columns {
                    let cell = &row[column];
                    // Heads stand on the rule, the rest hangs from the line above.
                    let from = if index == 0 { height - cell.len() } else { 0 };
                    let part = at.checked_sub(from).and_then(|at| cell.get(at)).map_or("", String::as_str);
                    let padding = " ".repeat(column_width(rows, column) - width(part));
                    line.push_str(if line.is_empty() { "" } else { "  " });
                    match self.is_numeric(column) {
                        true => line.extend([&padding, part]),
                        false => line.extend([part, &padding]),
                    }
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
            if index == 0 {
                text.push_str(&"-".repeat(total_width(rows, columns)));
                text.push('\n');
            }
        }
        text
    }
}

/// The widest that a table may be: a terminal's width, and that of the help.
const WIDEST: usize = 100;

/// The widest that a first column may be that is repeated.
const WIDEST_FIRST: usize = 32;

fn column_width(rows: &[Vec<Vec<String>>], column: usize) -> usize {
    rows.iter().flat_map(|row| &row[column]).map(|line| width(line)).max().unwrap_or(0)
}

fn total_width(rows: &[Vec<Vec<String>>], columns: &[usize]) -> usize {
    let widths = columns.iter().map(|&column| column_width(rows, column) + 2);
    widths.sum::<usize>().saturating_sub(2)
}

/// The columns in groups that are at most so wide, if they can be; the first is in each.
fn groups(rows: &[Vec<Vec<String>>], widest: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for column in 1..rows[0].len() {
        match groups.last_mut() {
            Some(group) if total_width(rows, &[group, &[column][..]].concat()) <= widest => {
                group.push(column);
            }
            _ => groups.push(vec![0, column]),
        }
    }
    groups
}

/// Words in lines of at most so many letters.
pub(crate) fn fold_words(text: &str, most: usize) -> Vec<String> {
    fold(text, ' ', most)
}

/// `text` in lines of at most so many letters, where it can be broken after `separator`. Lines after the
/// first of a list with commas are indented.
fn fold(text: &str, separator: char, most: usize) -> Vec<String> {
    let indent = if separator == ' ' { "" } else { "  " };
    let mut lines: Vec<String> = Vec::new();
    for piece in text.split_inclusive(separator) {
        match lines.last_mut() {
            Some(line) if width(line) + width(piece.trim_end()) <= most => line.push_str(piece),
            Some(_) => lines.push(format!("{indent}{piece}")),
            None => lines.push(piece.to_string()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

/// What stands in a cell that has nothing to say.
pub(crate) const NOTHING: &str = "-";

fn width(text: &str) -> usize {
    text.chars().count()
}

fn looks_like_a_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.contains(|c: char| c.is_ascii_digit())
}

/// How many of something there are: 1 node, 2 nodes.
pub(crate) fn counted(count: u64, one: &str) -> String {
    format!("{} {one}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// Nanoseconds in the unit that suits them, with three digits or so.
pub(crate) fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e4 => format!("{:.2} µs", ns / 1e3),
        ns if ns < 1e6 => format!("{:.0} µs", ns / 1e3),
        ns if ns < 1e7 => format!("{:.2} ms", ns / 1e6),
        ns if ns < 1e9 => format!("{:.0} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

/// Seconds as people plan with them.
pub(crate) fn span(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s if s < 360_000.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// Lines of a label and what it stands for.
pub(crate) fn labelled(lines: &[(&str, String)]) -> String {
    lines.iter().map(|(label, value)| format!("{label:<14}{value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["name", "cost"]);
        table.row(vec!["a*".into(), "9.5".into()]);
        table.row(vec!["dijkstra".into(), "10.25".into()]);
        table.row(vec!["b".into(), NOTHING.into()]);
        assert_eq!(
            table.to_text(),
            "name       cost\n---------------\na*          9.5\ndijkstra  10.25\nb             -\n"
        );
    }

    #[test]
    fn heads_of_several_words_are_folded_where_the_table_is_too_wide() {
        let heads: Vec<String> = (0..6).map(|at| format!("published percentage {at}")).collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let mut table = Table::new(&heads);
        table.row(vec!["12.5".to_string(); 6]);
        let text = table.to_text();
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(text.starts_with(" published   published "), "{text}");
        assert!(text.lines().all(|line| width(line) <= WIDEST), "{text}");
    }

    #[test]
    fn too_many_columns_are_set_below_each_other() {
        let heads: Vec<String> = (0..30).map(|at| format!("column {at}")).collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let mut table = Table::new(&heads);
        let long = "name(first=1000,second=no,third=none,fourth=10)";
        for name in ["short", long] {
            let mut row: Vec<String> = (0..30).map(|at| format!("{}.{at}", at * 1000)).collect();
            row[0] = name.to_string();
            table.row(row);
        }
        let text = table.to_text();
        assert!(text.lines().all(|line| width(line) <= WIDEST), "{text}");
        let groups: Vec<&str> = text.split("\n\n").collect();
        assert!(groups.len() > 2, "{text}");
        for group in groups {
            assert!(group.contains("short ") && group.contains("name(first=1000,second=no,"), "{text}");
            assert!(group.contains("\n  third=none,fourth=10)"), "{text}");
        }
        for at in 1..30 {
            assert_eq!(text.matches(&format!(" {}.{at}", at * 1000)).count(), 2, "{text}");
        }
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1, 2000].map(|count| counted(count, "node")), ["0 nodes", "1 node", "2,000 nodes"]);
        assert_eq!(duration(12.3), "12 ns");
        assert_eq!(duration(1234.0), "1.23 µs");
        assert_eq!(duration(45_600_000.0), "46 ms");
        assert_eq!(duration(2.5e9), "2.50 s");
        assert_eq!([0.4, 99.0, 200.0, 7200.0, 9e5].map(span), ["0 s", "99 s", "3 min", "2 h", "10 days"]);
    }
}
