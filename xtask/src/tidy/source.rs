//! The modules of a crate as the compiler sees them, from `lib.rs` or `main.rs` on, but for those that are
//! compiled for tests only.

use std::fs;
use std::path::{Component, Path, PathBuf};

use syn::{Attribute, Item, Meta};

use super::finding::Finding;

/// A file of a crate.
pub(crate) struct Source {
    /// Its path from the root of the repository, with slashes.
    pub(crate) file: String,
    /// The module that it is. The crate's root has no name.
    pub(crate) module: Vec<String>,
    pub(crate) text: String,
    pub(crate) syntax: syn::File,
}

impl Source {
    /// A file that there is only in a test.
    #[cfg(test)]
    pub(crate) fn from_text(file: &str, module: &[&str], text: &str) -> Self {
        let module = module.iter().map(ToString::to_string).collect();
        Self {
            file: file.to_string(),
            module,
            text: text.to_string(),
            syntax: syn::parse_file(text).unwrap(),
        }
    }
}

/// Reads the modules of the crate in `folder`, whose path begins at `root`. Modules for tests only are left
/// out.
pub(crate) fn read_crate(root: &Path, folder: &str) -> Result<Vec<Source>, Finding> {
    let mut sources = Vec::new();
    for name in ["lib.rs", "main.rs"] {
        let path = Path::new(folder).join("src").join(name);
        if root.join(&path).exists() {
            read_module(root, &path, &[], &mut sources)?;
        }
    }
    Ok(sources)
}

fn read_module(root: &Path, path: &Path, module: &[String], into: &mut Vec<Source>) -> Result<(), Finding> {
    let file = with_slashes(path);
    let text =
        fs::read_to_string(root.join(path)).map_err(|error| Finding::new(&file, 1, error.to_string()))?;
    let syntax = syn::parse_file(&text).map_err(|error| {
        Finding::new(&file, error.span().start().line, format!("this cannot be parsed: {error}"))
    })?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let beside = path.parent().unwrap_or(Path::new(""));
    let children = match name {
        "lib.rs" | "main.rs" | "mod.rs" => beside.to_path_buf(),
        _ => path.with_extension(""),
    };
    let below = modules_of(&syntax.items, &children, beside, module);
    into.push(Source { file: file.clone(), module: module.to_vec(), text, syntax });
    for child in below {
        let Some(path) = child.places.iter().find(|place| root.join(place).exists()) else {
            return Err(Finding::new(
                file,
                child.line,
                format!("there is no file for `mod {}`", child.module.join("::")),
            ));
        };
        read_module(root, path, &child.module, into)?;
    }
    Ok(())
}

/// A module in a file of its own.
struct Child {
    module: Vec<String>,
    line: usize,
    /// Where it may be.
    places: Vec<PathBuf>,
}

fn modules_of(items: &[Item], folder: &Path, beside: &Path, module: &[String]) -> Vec<Child> {
    let mut children = Vec::new();
    for item in items {
        let Item::Mod(item) = item else { continue };
        if is_test(&item.attrs) {
            continue;
        }
        let name = item.ident.to_string();
        let inner = [module, std::slice::from_ref(&name)].concat();
        match &item.content {
            Some((_, items)) => {
                let folder = folder.join(&name);
                children.extend(modules_of(items, &folder, &folder, &inner));
            }
            None => {
                let places = match path_attribute(&item.attrs) {
                    Some(path) => vec![plain(&beside.join(path))],
                    None => vec![folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")],
                };
                children.push(Child { module: inner, line: item.ident.span().start().line, places });
            }
        }
    }
    children
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(value) if value.path.is_ident("path") => match &value.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// Without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

pub(crate) fn with_slashes(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Whether what has these attributes is compiled for tests only.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<Meta>().is_ok_and(|condition| asks_for_tests(&condition))
    })
}

fn asks_for_tests(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("doctest"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated)
            .is_ok_and(|all| all.iter().any(asks_for_tests)),
        _ => false,
    }
}

/// The attributes of an item.
pub(crate) fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(text: &str) -> Vec<Attribute> {
        item_attributes(&syn::parse_str(&format!("{text} fn f() {{}}")).unwrap()).to_vec()
    }

    #[test]
    fn what_is_for_tests_only_is_known() {
        for text in ["#[cfg(test)]", "#[test]", "#[cfg(all(test, feature = \"x\"))]", "#[cfg(doctest)]"] {
            assert!(is_test(&attributes(text)), "{text}");
        }
        for text in
            ["", "#[cfg(any(test, feature = \"x\"))]", "#[cfg(not(test))]", "#[cfg(feature = \"test\")]"]
        {
            assert!(!is_test(&attributes(text)), "{text}");
        }
    }

    #[test]
    fn modules_are_found_where_the_compiler_finds_them() {
        let text = "mod a; #[cfg(test)] mod tests; mod b { mod c; } #[path = \"../other/d.rs\"] mod d;";
        let items = syn::parse_file(text).unwrap().items;
        let found = modules_of(&items, Path::new("x/src"), Path::new("x/src"), &[]);
        let places: Vec<_> =
            found.iter().map(|child| (child.module.join("::"), with_slashes(&child.places[0]))).collect();
        let expected = [("a", "x/src/a.rs"), ("b::c", "x/src/b/c.rs"), ("d", "x/other/d.rs")];
        assert_eq!(places, expected.map(|(name, place)| (name.to_string(), place.to_string())));
    }
}
