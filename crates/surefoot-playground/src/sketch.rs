//! Sketches of databases as JSON: shapes and words, which the page draws.

use surefoot::Cell;
use surefoot::store::{Mark, Shade, Sketch};

use crate::json::{list, numbers, object, text};

/// A sketch: `panels` with `title`, `caption` and `marks`; `legend` with `shade` and `words`; `table` with
/// `head` and `rows`, or null; `words`.
#[must_use]
pub fn to_json(sketch: &Sketch) -> String {
    let panels = sketch.panels.iter().map(|(title, caption, marks)| {
        object(&[
            ("title", text(title)),
            ("caption", text(caption)),
            ("marks", list(marks.iter().filter_map(mark))),
        ])
    });
    let legend =
        sketch.legend.iter().map(|&(of, words)| object(&[("shade", shade(of)), ("words", text(words))]));
    let table = sketch.table.as_ref().map_or_else(
        || String::from("null"),
        |(head, rows)| {
            let rows = rows.iter().map(|row| list(row.iter().map(|field| text(field))));
            object(&[("head", list(head.iter().map(|field| text(field)))), ("rows", list(rows))])
        },
    );
    object(&[
        ("panels", list(panels)),
        ("legend", list(legend)),
        ("table", table),
        ("words", text(&sketch.words)),
    ])
}

/// A shape: its name, its shade (null if the shape says it), its numbers. `None` if the page knows no such
/// shape.
fn mark(mark: &Mark) -> Option<String> {
    let (shape, of, data) = match mark {
        Mark::Cells(cells, shade) => ("cells", Some(*shade), of_cells(cells)),
        Mark::Lines(lines, shade) => ("lines", Some(*shade), of_cells(lines.as_flattened())),
        Mark::Path(cells, shade) => ("path", Some(*shade), of_cells(cells)),
        Mark::Curve(points, shade) => ("curve", Some(*shade), of_points(points)),
        Mark::Dots(cells, shade) => ("dots", Some(*shade), of_cells(cells)),
        Mark::Spots(cells, shade) => ("spots", Some(*shade), of_cells(cells)),
        Mark::SpotsAt(points, shade) => ("spotsAt", Some(*shade), of_points(points)),
        Mark::Start(cell) => ("start", None, of_cells(&[*cell])),
        Mark::Goal(cell) => ("goal", None, of_cells(&[*cell])),
        Mark::Meeting(cell) => ("meeting", None, of_cells(&[*cell])),
        _ => return None,
    };
    let shade = of.map_or_else(|| String::from("null"), shade);
    Some(object(&[("shape", text(shape)), ("shade", shade), ("data", data)]))
}

fn of_cells(cells: &[Cell]) -> String {
    numbers(cells.iter().flat_map(|cell| [cell.x, cell.y]))
}

fn of_points(points: &[(f64, f64)]) -> String {
    numbers(points.iter().flat_map(|&(x, y)| [x, y]))
}

fn shade(shade: Shade) -> String {
    let (name, number) = match shade {
        Shade::Path(number) => ("path", number),
        Shade::Region(number) => ("region", number),
        Shade::Line => ("line", 0),
        Shade::FaintLine => ("faintLine", 0),
        Shade::Subgoal => ("subgoal", 0),
        // Faint, and whatever there may be.
        _ => ("faint", 0),
    };
    object(&[("name", text(name)), ("number", number.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn every_shape_keeps_its_numbers() {
        let (one, other) = (Cell::new(1, 2), Cell::new(30, 4));
        let points = vec![(0.5, 1.25), (3.0, 4.0)];
        let marks = vec![
            Mark::Cells(vec![one, other], Shade::Region(3)),
            Mark::Lines(vec![[one, other]], Shade::Line),
            Mark::Path(vec![one], Shade::Path(1)),
            Mark::Curve(points.clone(), Shade::FaintLine),
            Mark::Dots(Vec::new(), Shade::Faint),
            Mark::Spots(vec![other], Shade::Subgoal),
            Mark::SpotsAt(points, Shade::Path(0)),
            Mark::Start(one),
            Mark::Goal(other),
            Mark::Meeting(one),
        ];
        let sketch = Sketch { legend: vec![(Shade::Path(2), "a \"way\"")], ..Sketch::of(marks) }
            .with_table(vec!["a", "b"], vec![vec!["1".into(), "2".into()]]);
        let read: Value = serde_json::from_str(&to_json(&sketch)).unwrap();
        let marks = read["panels"][0]["marks"].as_array().unwrap();
        let data: Vec<&Value> = marks.iter().map(|mark| &mark["data"]).collect();
        assert_eq!(data[0], &json!([1, 2, 30, 4]));
        assert_eq!(data[1], data[0], "a line is two cells");
        assert_eq!(data[3], &json!([0.5, 1.25, 3, 4]));
        assert_eq!(data[4], &json!([]));
        assert_eq!(data[9], &json!([1, 2]));
        assert_eq!(marks[0]["shade"], json!({"name": "region", "number": 3}));
        assert_eq!(marks[7]["shade"], Value::Null);
        let shapes: Vec<&str> = marks.iter().map(|mark| mark["shape"].as_str().unwrap()).collect();
        let expected =
            ["cells", "lines", "path", "curve", "dots", "spots", "spotsAt", "start", "goal", "meeting"];
        assert_eq!(shapes, expected);
        assert_eq!(read["legend"][0]["words"], "a \"way\"");
        assert_eq!(read["table"], json!({"head": ["a", "b"], "rows": [["1", "2"]]}));
        let plain: Value = serde_json::from_str(&to_json(&Sketch::default())).unwrap();
        assert_eq!(plain, json!({"panels": [], "legend": [], "table": null, "words": ""}));
    }
}
