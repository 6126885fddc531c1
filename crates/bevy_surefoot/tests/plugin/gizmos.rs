//! What is drawn does not disturb anybody, with all of it on.

use bevy::asset::{AssetApp as _, AssetPlugin};
use bevy::gizmos::GizmoPlugin;
use bevy::mesh::Mesh;
use bevy::mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_surefoot::prelude::*;

use crate::app::{ROOMS, app, navigation, ticks};

#[test]
fn drawing_changes_nothing() {
    let run = |is_drawn: bool| {
        let (mut app, kind) = app(ROOMS);
        if is_drawn {
            // Bevy's own gizmos want these.
            app.add_plugins(AssetPlugin::default());
            app.init_asset::<Mesh>().init_asset::<SkinnedMeshInverseBindposes>();
            app.add_plugins((GizmoPlugin, SurefootGizmoPlugin));
            let all = NavigationGizmos { paths: 5, database: Some(kind), traffic: true, half_life: 8.0 };
            app.insert_resource(all);
        }
        app.world_mut().spawn((Agent::new(kind), Destination::new(4, 2), ShowPath::default()));
        ticks::<Arrived>(&mut app, 5);
        navigation(&app).checksum()
    };
    assert_eq!(run(true), run(false));
}
