//! The public items of the library as lines of text, read from its sources: what a change of them shows in a
//! diff.

mod modules;
mod signatures;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use syn::{ImplItem, Item, Type};

use self::modules::{Definition, ModulePath, Modules, Target, is_public, item_is_public, name_of};
use self::signatures::{Printer, features};
use super::finding::Finding;
use super::source::{Source, is_test, read_crate};

/// The file that has them.
pub(crate) const FILE: &str = "docs/api.txt";

const HEAD: &str = "\
# The public items of the crate surefoot. `cargo xtask bless` and `cargo xtask tidy --fix` write this file; its diff is
# what a change does to users of the crate.
#
# Listed are modules, types with their public fields and variants, traits with their items, functions, constants, methods,
# and which traits a type has. Types are written as in the source. An item that has several paths is listed under the
# shortest, and by `use` under the others. What macros make is not listed, nor are traits that the compiler implements by itself.

";

/// The list for the sources of the library.
pub(crate) fn list(root: &Path) -> Result<String, Finding> {
    let lines = lines(&read_crate(root, "crates/surefoot")?, "surefoot");
    Ok(format!("{HEAD}{}\n", lines.join("\n")))
}

/// What is wrong with the list in the file.
pub(crate) fn check(wanted: &str, found: &str) -> Vec<Finding> {
    if wanted == found {
        return Vec::new();
    }
    let same = wanted.lines().zip(found.lines()).take_while(|(wanted, found)| wanted == found).count();
    let show = |text: &str| text.lines().nth(same).unwrap_or("nothing").to_string();
    let what = format!(
        "the public items have changed: {} where the file has {}; `cargo xtask tidy --fix` writes it anew, review its diff",
        show(wanted),
        show(found)
    );
    vec![Finding::new(FILE, same + 1, what)]
}

/// The public items, sorted by their paths.
fn lines(sources: &[Source], name: &str) -> Vec<String> {
    let modules = Modules::of(sources);
    let faces = Faces::of(&modules, name);
    let mut lines = faces.lines.clone();
    for (definition, path) in &faces.paths {
        if let Some((text, item)) = modules.item(definition) {
            Printer { text, lines: &mut lines }.item(path, item);
        }
    }
    for (module, content) in &modules.0 {
        for item in &content.items {
            if let Item::Impl(item) = item {
                implementation(&modules, &faces, module, content.text, item, &mut lines);
            }
        }
    }
    lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>()
}

/// Lines with what they are sorted by.
type Lines = BTreeSet<(String, String)>;

/// Under which paths users see items.
struct Faces {
    /// The shortest path of each item.
    paths: BTreeMap<Definition, String>,
    /// Modules, and further paths.
    lines: Lines,
}

impl Faces {
    fn of(modules: &Modules<'_>, name: &str) -> Self {
        let mut faces = Self { paths: BTreeMap::new(), lines: BTreeSet::new() };
        let mut queue = VecDeque::from([(Vec::new(), name.to_string())]);
        let mut seen = BTreeSet::new();
        while let Some((module, face)) = queue.pop_front() {
            if !seen.insert(module.clone()) {
                continue;
            }
            for target in public_targets(modules, &module) {
                let path = format!("{face}::{}", target.0);
                match target.1 {
                    Target::Module(inner) => {
                        faces.lines.insert((path.clone(), format!("mod {path}")));
                        queue.push_back((inner, path));
                    }
                    Target::Item(definition) => match faces.paths.get(&definition) {
                        Some(known) if *known != path => {
                            faces.lines.insert((path.clone(), format!("use {path} = {known}")));
                        }
                        Some(_) => {}
                        None => {
                            faces.paths.insert(definition, path);
                        }
                    },
                    Target::Foreign => {
                        faces.lines.insert((path.clone(), format!("use {path}")));
                    }
                }
            }
        }
        faces
    }
}

/// What a module shows: its public modules, items and imports, with their names.
fn public_targets(modules: &Modules<'_>, module: &[String]) -> Vec<(String, Target)> {
    let Some(content) = modules.0.get(module) else { return Vec::new() };
    let mut targets = Vec::new();
    for item in &content.items {
        match item {
            Item::Mod(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                targets.push((name.clone(), Target::Module([module, &[name]].concat())));
            }
            item if item_is_public(item) => {
                let name = name_of(item).map(ToString::to_string).unwrap_or_default();
                targets.push((name.clone(), Target::Item((module.to_vec(), name))));
            }
            _ => {}
        }
    }
    for import in content.imports.iter().filter(|import| import.public) {
        let target = modules.resolve(module, &import.path);
        match target {
            Target::Module(other) if import.name == "*" && other != module => {
                targets.extend(public_targets(modules, &other));
            }
            target => targets.push((import.name.clone(), target)),
        }
    }
    targets
}

fn implementation(
    modules: &Modules<'_>,
    faces: &Faces,
    module: &ModulePath,
    text: &str,
    item: &syn::ItemImpl,
    lines: &mut Lines,
) {
    let face = |path: &syn::Path| {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        match modules.resolve(module, &parts) {
            Target::Item(definition) => (true, faces.paths.get(&definition)),
            _ => (false, None),
        }
    };
    let (own_type, type_face) = match &*item.self_ty {
        Type::Path(path) => face(&path.path),
        _ => (false, None),
    };
    let mut printer = Printer { text, lines };
    let Some((_, trait_path, _)) = &item.trait_ else {
        let Some(type_face) = type_face else { return };
        for inner in &item.items {
            let shown = match inner {
                ImplItem::Fn(inner) => is_public(&inner.vis) && !is_test(&inner.attrs),
                ImplItem::Const(inner) => is_public(&inner.vis),
                ImplItem::Type(inner) => is_public(&inner.vis),
                _ => false,
            };
            if shown {
                printer.method(type_face, &item.generics, &item.self_ty, inner);
            }
        }
        return;
    };
    let (own_trait, trait_face) = face(trait_path);
    // A trait or a type that is not shown is of no use to anybody else.
    if own_trait && trait_face.is_none() || own_type && type_face.is_none() {
        return;
    }
    let Some(path) = type_face.or(trait_face) else { return };
    let header = printer.header(item);
    printer.lines.insert((path.clone(), format!("impl {path}: {header}{}", features(&item.attrs))));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(files: &[(&[&str], &str)]) -> Vec<String> {
        let sources: Vec<_> =
            files.iter().map(|(module, text)| Source::from_text("x.rs", module, text)).collect();
        lines(&sources, "x")
    }

    #[test]
    fn items_are_listed_where_users_find_them() {
        let files: [(&[&str], &str); 3] = [
            (&[], "mod hidden; pub mod shown; pub use hidden::{Cell, one as two};"),
            (
                &["hidden"],
                "/// Words.\n#[derive(Clone, Copy)]\npub struct Cell { pub x: u32, y: u32 }\npub fn one() {}\npub fn nobody() {}
                 impl Cell { pub const fn new(x: u32,\n    y: u32,\n) -> Self { Self { x, y } } fn secret(&self) {} }
                 impl From<(u32, u32)> for Cell { fn from(x: (u32, u32)) -> Self { Self(x) } }",
            ),
            (
                &["shown"],
                "pub use crate::Cell; pub enum Rule { Free, Cut { cost: u32 } }
                 pub trait Space: Sync { const N: usize; fn go(&self) -> Cell; fn stay(&self) {} }
                 impl<S: Space> Space for &S {} impl Space for Cell {}
                 #[cfg(feature = \"mmap\")] pub fn map(path: &str) {}
                 #[cfg(test)] pub fn test() {}",
            ),
        ];
        let expected = [
            "impl x::Cell: impl From<(u32, u32)> for Cell",
            "impl x::Cell: impl Space for Cell",
            "struct x::Cell { pub x: u32, .. } [Clone, Copy]",
            "const fn x::Cell::new(x: u32, y: u32) -> Self",
            "mod x::shown",
            "use x::shown::Cell = x::Cell",
            "enum x::shown::Rule",
            "x::shown::Rule::Cut { cost: u32 }",
            "x::shown::Rule::Free",
            "impl x::shown::Space: impl<S: Space> Space for &S",
            "trait x::shown::Space: Sync",
            "const x::shown::Space::N: usize",
            "fn x::shown::Space::go(&self) -> Cell",
            "fn x::shown::Space::stay(&self) { .. }",
            "fn x::shown::map(path: &str) (feature mmap)",
            "fn x::two()",
        ];
        assert_eq!(listed(&files), expected);
    }

    #[test]
    fn types_of_the_same_name_are_told_apart() {
        let files: [(&[&str], &str); 3] = [
            (&[], "pub mod a; pub mod b;"),
            (&["a"], "pub struct T; impl T { pub fn f() {} }"),
            (&["b"], "pub struct T; mod inner { use super::T; impl T { pub fn g() {} } }"),
        ];
        let listed = listed(&files);
        assert!(listed.contains(&"fn x::a::T::f()".to_string()), "{listed:?}");
        assert!(listed.contains(&"fn x::b::T::g()".to_string()), "{listed:?}");
    }

    #[test]
    fn changes_are_found() {
        assert_eq!(check("a\nb\n", "a\nb\n"), []);
        let found = check("a\nb\n", "a\nc\n")[0].to_string();
        assert!(
            found.starts_with("docs/api.txt:2: the public items have changed: b where the file has c"),
            "{found}"
        );
        assert_eq!(check("a\nb\n", "a\n").len(), 1);
    }
}
