//! Tables in plain text: columns as wide as they need to be, numbers to the right.

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

    /// The table as text, a line each for the head, a rule and every row.
    pub(crate) fn to_text(&self) -> String {
        let widths: Vec<usize> = (0..self.rows[0].len())
            .map(|column| self.rows.iter().map(|row| width(&row[column])).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let padding = " ".repeat(widths[column] - width(cell));
                let separator = if column == 0 { "" } else { "  " };
                line.push_str(separator);
                line.push_str(&if self.is_numeric(column) {
                    padding + cell
                } else {
                    cell.clone() + &padding
                });
            }
            text.push_str(line.trim_end());
            text.push('\n');
            if index == 0 {
                text.push_str(&"-".repeat(widths.iter().sum::<usize>() + 2 * (widths.len() - 1)));
                text.push('\n');
            }
        }
        text
    }
}

/// What stands in a cell that has nothing to say.
pub(crate) const NOTHING: &str = "-";

fn width(text: &str) -> usize {
    text.chars().count()
}

fn looks_like_a_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.contains(|c: char| c.is_ascii_digit())
}

/// A whole number with its thousands set apart, as in 12,345.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn numbers_are_easy_to_read() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(duration(12.3), "12 ns");
        assert_eq!(duration(1234.0), "1.23 µs");
        assert_eq!(duration(45_600_000.0), "46 ms");
        assert_eq!(duration(2.5e9), "2.50 s");
        assert_eq!([0.4, 99.0, 200.0, 7200.0, 9e5].map(span), ["0 s", "99 s", "3 min", "2 h", "10 days"]);
    }
}
