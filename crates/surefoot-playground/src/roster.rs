//! The roster as JSON: what the page offers to choose from.

use surefoot::agent::{Bound, Entry};
use surefoot_classics::ROSTER;

use crate::json::{list, object, text};

/// All algorithms, in the roster's order. `quick` is a spec that is quick to prepare on a map of so many
/// states.
#[must_use]
pub fn roster(states: usize) -> String {
    list(ROSTER.entries().iter().map(|entry| of_entry(entry, states)))
}

fn of_entry(entry: &Entry, states: usize) -> String {
    let parameters = entry.parameters.iter().map(|parameter| {
        object(&[
            ("name", text(parameter.name)),
            ("default", text(parameter.default)),
            ("what", text(parameter.meaning)),
        ])
    });
    let needs_database = entry
        .name
        .parse()
        .is_ok_and(|spec| ROSTER.database_for(&spec, 1).is_ok_and(|config| config.is_some()));
    object(&[
        ("name", text(entry.name)),
        ("summary", text(entry.summary)),
        ("needs", text(entry.needs)),
        ("needsDatabase", needs_database.to_string()),
        ("paper", text(entry.paper)),
        ("optimal", entry.optimal.to_string()),
        ("complete", entry.complete.to_string()),
        ("isRealTime", (entry.bound != Bound::NotRealTime).to_string()),
        ("bound", text(&entry.bound.to_string())),
        ("parameters", list(parameters)),
        ("quick", text(&entry.quick_spec(states))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn every_entry_is_there_with_a_spec_that_is_right() {
        for states in [0, 1, 1000, 200_000, usize::MAX] {
            let entries: Vec<Value> = serde_json::from_str(&roster(states)).unwrap();
            assert_eq!(entries.len(), ROSTER.entries().len());
            for (value, entry) in entries.iter().zip(ROSTER.entries()) {
                assert_eq!(value["name"], entry.name);
                assert_eq!(value["summary"], entry.summary);
                assert_eq!(value["optimal"], entry.optimal);
                assert_eq!(value["parameters"].as_array().unwrap().len(), entry.parameters.len());
                ROSTER.check(&value["quick"].as_str().unwrap().parse().unwrap()).unwrap();
            }
        }
        let entries: Vec<Value> = serde_json::from_str(&roster(1000)).unwrap();
        let of = |name: &str| entries.iter().find(|entry| entry["name"] == name).unwrap().clone();
        assert_eq!(of("beacon*")["needsDatabase"], true);
        assert_eq!(of("lrta*")["needsDatabase"], false);
        assert_eq!(
            (&of("lrta*")["isRealTime"], &of("a*")["isRealTime"]),
            (&Value::Bool(true), &Value::Bool(false))
        );
        assert_eq!(of("lrta*")["parameters"][0]["name"], "d");
    }
}
