//! Every path that code names: in expressions, types, patterns, `use` and macros. Tests, attributes and
//! comments do not count.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Field, ImplItem, Item, ItemMacro, ItemMod, ItemUse, Local, Macro, TraitItem, UseTree, Variant};

use super::source::{Source, is_test, item_attributes};

/// A path where it is named.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) line: usize,
    /// The module that names it.
    pub(crate) module: Vec<String>,
    /// Its parts. A `use` of everything ends in `*`.
    pub(crate) path: Vec<String>,
}

impl Named {
    /// The path from the crate's root, if it begins with `crate`, `self` or `super`.
    pub(crate) fn absolute(&self) -> Option<Vec<&str>> {
        let mut parts = self.path.iter().map(String::as_str).peekable();
        let mut absolute: Vec<&str> = match *parts.peek()? {
            "crate" => {
                parts.next();
                Vec::new()
            }
            "self" | "super" => self.module.iter().map(String::as_str).collect(),
            _ => return None,
        };
        loop {
            match parts.peek() {
                Some(&"self") => {}
                Some(&"super") => {
                    absolute.pop();
                }
                _ => break,
            }
            parts.next();
        }
        absolute.extend(parts);
        Some(absolute)
    }
}

/// All paths that the file names outside of tests.
pub(crate) fn names_in(source: &Source) -> Vec<Named> {
    let mut finder = Finder { module: source.module.clone(), named: Vec::new() };
    finder.visit_file(&source.syntax);
    finder.named
}

struct Finder {
    module: Vec<String>,
    named: Vec<Named>,
}

impl Finder {
    fn add(&mut self, line: usize, path: Vec<String>) {
        self.named.push(Named { line, module: self.module.clone(), path });
    }

    fn add_use(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.add_use(&path.tree, &with(path.ident.to_string())),
            UseTree::Name(name) => self.add(name.ident.span().start().line, with(name.ident.to_string())),
            UseTree::Rename(name) => self.add(name.ident.span().start().line, with(name.ident.to_string())),
            UseTree::Glob(glob) => self.add(glob.star_token.spans[0].start().line, with("*".to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(tree, before)),
        }
    }

    /// What a macro is given, or made of, is not parsed: paths are names with `::` between them.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end_path(&mut path, line);
                    }
                    if path.is_empty() {
                        line = name.span().start().line;
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => colons += 1,
                TokenTree::Group(group) => {
                    // A group after `::` is that of a `use`, whose names all have the same beginning.
                    let before = if colons == 2 { path.clone() } else { Vec::new() };
                    self.end_path(&mut path, line);
                    colons = 0;
                    let first = self.named.len();
                    self.add_tokens(group.stream());
                    for named in &mut self.named[first..] {
                        named.path.splice(0..0, before.iter().cloned());
                    }
                }
                _ => {
                    self.end_path(&mut path, line);
                    colons = 0;
                }
            }
        }
        self.end_path(&mut path, line);
    }

    fn end_path(&mut self, path: &mut Vec<String>, line: usize) {
        if !path.is_empty() {
            self.add(line, std::mem::take(path));
        }
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_item(&mut self, item: &'a Item) {
        if is_test(item_attributes(item)) {
            return;
        }
        match item {
            Item::Verbatim(tokens) => self.add_tokens(tokens.clone()),
            item => visit::visit_item(self, item),
        }
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.add_use(&item.tree, &[]);
    }

    fn visit_item_macro(&mut self, item: &'a ItemMacro) {
        self.visit_macro(&item.mac);
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => return visit::visit_impl_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'a TraitItem) {
        let attributes = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Type(item) => &item.attrs,
            TraitItem::Macro(item) => &item.attrs,
            _ => return visit::visit_trait_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_field(&mut self, field: &'a Field) {
        if !is_test(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_variant(&mut self, variant: &'a Variant) {
        if !is_test(&variant.attrs) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_local(&mut self, local: &'a Local) {
        if !is_test(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let line = path.segments.first().map_or(0, |part| part.ident.span().start().line);
        self.add(line, path.segments.iter().map(|part| part.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        self.visit_path(&call.path);
        self.add_tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let source = Source::from_text("x.rs", &["a", "b"], text);
        names_in(&source).into_iter().map(|named| named.path.join("::")).collect()
    }

    #[test]
    fn paths_are_found_wherever_they_are() {
        assert_eq!(
            names("use crate::{x::{Y, self}, z::*};"),
            ["crate::x::Y", "crate::x::self", "crate::z::*"]
        );
        assert_eq!(names("fn f(a: crate::x::Y) { b::c() }"), ["crate::x::Y", "b::c"]);
        assert!(names("fn f() { vec![crate::x::Y::new(1)]; }").contains(&"crate::x::Y::new".to_string()));
        assert!(
            names("macro_rules! m { () => { use $crate::x::{Y, Z}; } }").contains(&"crate::x::Z".to_string())
        );
        assert!(names("fn f() { let a = Q { b: c::D }; }").contains(&"c::D".to_string()));
    }

    #[test]
    fn tests_comments_and_attributes_do_not_count() {
        let none: [&str; 0] = [];
        assert_eq!(names("/// [`crate::x::Y`]\n#[cfg(test)] mod tests { use crate::x; }"), none);
        assert_eq!(names("struct S { #[cfg(test)] a: crate::x::Y }"), none);
        assert_eq!(names("impl S { #[cfg(test)] fn f() { crate::x::y() } }"), ["S"]);
    }

    #[test]
    fn paths_are_followed_from_where_they_are() {
        let absolute = |text: &str| {
            let source = Source::from_text("x.rs", &["a", "b"], text);
            names_in(&source)[0].absolute().map(|path| path.join("::"))
        };
        assert_eq!(absolute("use super::x;").unwrap(), "a::x");
        assert_eq!(absolute("use super::super::x;").unwrap(), "x");
        assert_eq!(absolute("use self::x;").unwrap(), "a::b::x");
        assert_eq!(absolute("mod c { use super::super::x; }").unwrap(), "a::x");
        assert_eq!(absolute("use other::x;"), None);
    }
}
