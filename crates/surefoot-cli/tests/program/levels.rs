//! Levels of Tiled and LDtk, from the command line.

use crate::Workplace;

const TMX: &str = r#"<map orientation="orthogonal" width="4" height="2" infinite="0">
 <tileset firstgid="1" source="tiles.tsx"/>
 <layer name="ground" width="4" height="2"><data encoding="csv">1,1,1,1,1,1,1,1</data></layer>
 <layer name="walls" width="4" height="2"><data encoding="csv">0,2,3,0,0,0,0,2</data></layer>
</map>"#;

const TSX: &str = r#"<tileset name="tiles" tilecount="4"><tile id="2"><properties>
 <property name="walkable" type="bool" value="true"/></properties></tile></tileset>"#;

const LDTK: &str = r#"{"levels": [{"identifier": "Cave", "layerInstances": [
 {"__identifier": "Collisions", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "intGridCsv": [0,1,2,1,1,0]}]},
 {"identifier": "Tower", "layerInstances": []}]}"#;

#[test]
fn a_database_is_built_of_a_layer() {
    let place = Workplace::empty();
    place.put("level.tmx", TMX);
    place.put("tiles.tsx", TSX);
    place.succeed(&["map", "convert", "level.tmx", "level.map", "--layer", "walls"]);
    assert_eq!(place.text("level.map"), "type octile\nheight 2\nwidth 4\nmap\n.@..\n...@\n");
    place.succeed(&["build", "level.tmx", "--layer", "walls", "--out", "of-level.sfdb"]);
    place.succeed(&["build", "level.map", "--out", "of-map.sfdb"]);
    assert_eq!(place.read("of-level.sfdb"), place.read("of-map.sfdb"));
}

#[test]
fn an_int_grid_is_a_map() {
    let place = Workplace::empty();
    place.put("world.ldtk", LDTK);
    let level = ["--level", "Cave", "--int-grid", "Collisions", "--walkable", "0,2"];
    place.succeed(&[&["map", "convert", "world.ldtk", "world.txt"], &level[..]].concat());
    assert_eq!(place.text("world.txt"), ".#.\n##.\n");
    place.succeed(&[&["build", "world.ldtk"], &level[..]].concat());
    assert!(place.names().contains(&"world.sfdb".to_string()));
    // The same, saved as separate level files.
    let (before, after) = LDTK.split_once("\"layerInstances\": [\n").unwrap();
    let (layers, after) = after.split_once("]},\n").unwrap();
    place.put("Cave.ldtkl", format!("{{\"layerInstances\": [{layers}]}}"));
    let external = "\"layerInstances\": null, \"externalRelPath\": \"Cave.ldtkl\"},\n";
    place.put("world.ldtk", format!("{before}{external}{after}"));
    place.succeed(&[&["map", "convert", "world.ldtk", "again.txt"], &level[..]].concat());
    assert_eq!(place.text("again.txt"), ".#.\n##.\n");
}

#[test]
fn mistakes_are_told_with_layer_and_cell() {
    let place = Workplace::with_arena();
    place.put("level.tmx", TMX.replace("3,0,0", "3,x,0"));
    place.put("world.ldtk", LDTK);
    place.put("empty.ldtk", "");
    let cases: [(&[&str], &str); 9] = [
        (&["build", "empty.ldtk"], "an LDtk project, which is JSON"),
        (
            &["build", "world.ldtk", "--level", "Cave", "--int-grid", "Sea"],
            "the int-grid \"Sea\", found \"Collisions\"",
        ),
        (&["build", "level.tmx", "--level", "Cave"], "--level is for .ldtk"),
        (&["build", "world.ldtk", "--property", "solid"], "--property is for .tmx"),
        (&["build", "level.tmx", "--layer", "walls"], "tiles.tsx"),
        (&["build", "world.ldtk"], "\"Cave\", \"Tower\""),
        (&["build", "world.ldtk", "--level", "Tower"], "--int-grid NAME"),
        (&["build", "arena.map", "--layer", "walls"], "--layer is for levels"),
        (&["build", "level.tmx", "--walkable", "grass"], "--walkable"),
    ];
    for (arguments, words) in cases {
        let outcome = place.run(arguments);
        assert!(outcome.code != 0 && outcome.stderr.contains(words), "{arguments:?}: {}", outcome.stderr);
    }
    place.put("tiles.tsx", TSX);
    let outcome = place.run(&["build", "level.tmx", "--layer", "walls"]);
    let expected =
        "level.tmx:4:43: expected the number of a tile at layer \"walls\", cell (3, 0), found \"x\"";
    assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
}
