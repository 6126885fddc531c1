//! What names mean: the items of all modules of a crate, and the imports that lead to them.

use std::collections::BTreeMap;

use syn::{Item, UseTree, Visibility};

use crate::tidy::source::{Source, is_test, item_attributes};

/// A module's place in the crate. The root's is empty.
pub(crate) type ModulePath = Vec<String>;

/// Where an item is defined: its module, and its name.
pub(crate) type Definition = (ModulePath, String);

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Module(ModulePath),
    Item(Definition),
    /// It is not of this crate.
    Foreign,
}

/// An imported name.
pub(crate) struct Import {
    pub(crate) public: bool,
    pub(crate) path: Vec<String>,
    /// What it is called here; `*` for everything.
    pub(crate) name: String,
}

/// The items of a module, and the text that they are in.
pub(crate) struct Module<'a> {
    pub(crate) text: &'a str,
    pub(crate) items: Vec<&'a Item>,
    pub(crate) imports: Vec<Import>,
}

/// All modules of a crate.
pub(crate) struct Modules<'a>(pub(crate) BTreeMap<ModulePath, Module<'a>>);

impl<'a> Modules<'a> {
    pub(crate) fn of(sources: &'a [Source]) -> Self {
        let mut modules = Self(BTreeMap::new());
        for source in sources {
            modules.add(source.module.clone(), &source.text, &source.syntax.items);
        }
        modules
    }

    fn add(&mut self, path: ModulePath, text: &'a str, items: &'a [Item]) {
        let items: Vec<&Item> = items.iter().filter(|item| !is_test(item_attributes(item))).collect();
        let mut imports = Vec::new();
        for item in &items {
            match item {
                Item::Use(item) => leaves(&item.tree, &[], is_public(&item.vis), &mut imports),
                Item::Mod(item) => {
                    if let Some((_, inner)) = &item.content {
                        self.add([path.as_slice(), &[item.ident.to_string()]].concat(), text, inner);
                    }
                }
                _ => {}
            }
        }
        self.0.insert(path, Module { text, items, imports });
    }

    /// What a path means in a module.
    pub(crate) fn resolve(&self, module: &[String], path: &[String]) -> Target {
        self.follow(module, path, 16)
    }

    /// No more than so many imports after each other, so that circles end.
    fn follow(&self, module: &[String], path: &[String], most: usize) -> Target {
        let Some((first, rest)) = path.split_first() else {
            return Target::Module(module.to_vec());
        };
        if most == 0 {
            return Target::Foreign;
        }
        let next = match first.as_str() {
            "crate" => Target::Module(Vec::new()),
            "self" => Target::Module(module.to_vec()),
            "super" => Target::Module(module[..module.len().saturating_sub(1)].to_vec()),
            name => self.lookup(module, name, most - 1),
        };
        match next {
            Target::Module(inner) => self.follow(&inner, rest, most),
            // A variant, or something else that belongs to an item.
            Target::Item(item) => Target::Item(item),
            Target::Foreign => Target::Foreign,
        }
    }

    fn lookup(&self, module: &[String], name: &str, most: usize) -> Target {
        let Some(here) = self.0.get(module) else { return Target::Foreign };
        let below = [module, &[name.to_string()]].concat();
        if self.0.contains_key(&below) {
            return Target::Module(below);
        }
        if here.items.iter().any(|item| name_of(item).is_some_and(|item| item == name)) {
            return Target::Item((module.to_vec(), name.to_string()));
        }
        if let Some(import) = here.imports.iter().find(|import| import.name == name) {
            return self.follow(module, &import.path, most);
        }
        for import in here.imports.iter().filter(|import| import.name == "*") {
            if most > 0
                && let Target::Module(other) = self.follow(module, &import.path, most - 1)
                && let found @ (Target::Item(_) | Target::Module(_)) = self.lookup(&other, name, most - 1)
            {
                return found;
            }
        }
        Target::Foreign
    }

    /// The item, and the text that it is in.
    pub(crate) fn item(&self, (module, name): &Definition) -> Option<(&'a str, &'a Item)> {
        let module = self.0.get(module)?;
        let item = module.items.iter().find(|item| name_of(item).is_some_and(|item| *item == *name))?;
        Some((module.text, item))
    }
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn leaves(tree: &UseTree, before: &[String], public: bool, into: &mut Vec<Import>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident), public, into),
        UseTree::Name(name) if name.ident == "self" => {
            let name = before.last().cloned().unwrap_or_default();
            into.push(Import { public, path: before.to_vec(), name });
        }
        UseTree::Name(name) => {
            into.push(Import { public, path: with(&name.ident), name: name.ident.to_string() });
        }
        UseTree::Rename(name) => {
            into.push(Import { public, path: with(&name.ident), name: name.rename.to_string() });
        }
        UseTree::Glob(_) => into.push(Import { public, path: before.to_vec(), name: "*".to_string() }),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, before, public, into)),
    }
}

/// What an item that can be named by a path is called.
pub(crate) fn name_of(item: &Item) -> Option<&syn::Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

/// Whether everybody may see an item that has a name.
pub(crate) fn item_is_public(item: &Item) -> bool {
    match item {
        Item::Const(item) => is_public(&item.vis),
        Item::Enum(item) => is_public(&item.vis),
        Item::Fn(item) => is_public(&item.vis),
        Item::Static(item) => is_public(&item.vis),
        Item::Struct(item) => is_public(&item.vis),
        Item::Trait(item) => is_public(&item.vis),
        Item::Type(item) => is_public(&item.vis),
        Item::Union(item) => is_public(&item.vis),
        _ => false,
    }
}
