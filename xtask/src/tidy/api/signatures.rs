//! Items as lines of text.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::{Attribute, Fields, Generics, ImplItem, Item, ItemImpl, Meta, Signature, TraitItem, Type};

use super::{Lines, is_public};

/// Makes lines of items, whose words it takes from their file.
pub(super) struct Printer<'a> {
    pub(super) text: &'a str,
    pub(super) lines: &'a mut Lines,
}

impl Printer<'_> {
    fn add(&mut self, path: &str, line: String) {
        self.lines.insert((path.to_string(), line));
    }

    /// The text of a piece of code on one line.
    fn source(&self, code: &impl Spanned) -> String {
        self.between(code.span().byte_range())
    }

    fn between(&self, range: Range<usize>) -> String {
        on_one_line(self.text.get(range).unwrap_or_default())
    }

    fn generics(&self, generics: &Generics) -> String {
        match (&generics.lt_token, &generics.gt_token) {
            (Some(first), Some(last)) => {
                self.between(first.span().byte_range().start..last.span().byte_range().end)
            }
            _ => String::new(),
        }
    }

    fn condition(&self, generics: &Generics) -> String {
        generics.where_clause.as_ref().map_or_else(String::new, |clause| format!(" {}", self.source(clause)))
    }

    /// A function's words from its name's end on.
    fn signature(&self, path: &str, signature: &Signature) -> String {
        let whole = signature.span().byte_range();
        let name = signature.ident.span().byte_range();
        let before = self.between(whole.start..name.start);
        format!("{before} {path}{}", self.between(name.end..whole.end))
    }

    /// The line of an item, and of what is in it.
    pub(super) fn item(&mut self, path: &str, item: &Item) {
        match item {
            Item::Const(item) => {
                let line = format!("const {path}: {}{}", self.source(&item.ty), features(&item.attrs));
                self.add(path, line);
            }
            Item::Static(item) => {
                let line = format!("static {path}: {}{}", self.source(&item.ty), features(&item.attrs));
                self.add(path, line);
            }
            Item::Fn(item) => {
                let line = format!("{}{}", self.signature(path, &item.sig), features(&item.attrs));
                self.add(path, line);
            }
            Item::Type(item) => {
                let generics = self.generics(&item.generics);
                let line =
                    format!("type {path}{generics} = {}{}", self.source(&item.ty), features(&item.attrs));
                self.add(path, line);
            }
            Item::Struct(item) => {
                let (generics, condition) = (self.generics(&item.generics), self.condition(&item.generics));
                let fields = self.fields(&item.fields, false);
                let more = format!("{}{}", derives(&item.attrs), features(&item.attrs));
                self.add(path, format!("struct {path}{generics}{condition}{fields}{more}"));
            }
            Item::Enum(item) => {
                let (generics, condition) = (self.generics(&item.generics), self.condition(&item.generics));
                let more = format!("{}{}", derives(&item.attrs), features(&item.attrs));
                self.add(path, format!("enum {path}{generics}{condition}{more}"));
                for variant in &item.variants {
                    let name = format!("{path}::{}", variant.ident);
                    let fields = self.fields(&variant.fields, true);
                    let line = format!("{name}{fields}{}", features(&variant.attrs));
                    self.add(&name, line);
                }
            }
            Item::Trait(item) => {
                let (generics, condition) = (self.generics(&item.generics), self.condition(&item.generics));
                let supers = match (item.supertraits.first(), item.supertraits.last()) {
                    (Some(first), Some(last)) => {
                        let range = first.span().byte_range().start..last.span().byte_range().end;
                        format!(": {}", self.between(range))
                    }
                    _ => String::new(),
                };
                self.add(path, format!("trait {path}{generics}{supers}{condition}{}", features(&item.attrs)));
                item.items.iter().for_each(|inner| self.trait_item(path, inner));
            }
            _ => {}
        }
    }

    /// What users see of fields. Those of variants are all public.
    fn fields(&self, fields: &Fields, variant: bool) -> String {
        let shown = |field: &&syn::Field| variant || is_public(&field.vis);
        let mark = if variant { "" } else { "pub " };
        match fields {
            Fields::Unit => String::new(),
            Fields::Named(named) => {
                let mut parts: Vec<String> = named
                    .named
                    .iter()
                    .filter(shown)
                    .map(|field| {
                        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                        format!("{mark}{name}: {}{}", self.source(&field.ty), features(&field.attrs))
                    })
                    .collect();
                if parts.len() < named.named.len() {
                    parts.push("..".to_string());
                }
                format!(" {{ {} }}", parts.join(", "))
            }
            Fields::Unnamed(unnamed) => {
                let part = |field: &syn::Field| match shown(&field) {
                    true => format!("{mark}{}", self.source(&field.ty)),
                    false => "_".to_string(),
                };
                format!("({})", unnamed.unnamed.iter().map(part).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn trait_item(&mut self, of: &str, item: &TraitItem) {
        match item {
            TraitItem::Fn(item) => {
                let path = format!("{of}::{}", item.sig.ident);
                let provided = if item.default.is_some() { " { .. }" } else { "" };
                let line = format!("{}{provided}{}", self.signature(&path, &item.sig), features(&item.attrs));
                self.add(&path, line);
            }
            TraitItem::Const(item) => {
                let path = format!("{of}::{}", item.ident);
                let provided = if item.default.is_some() { " = .." } else { "" };
                let line = format!("const {path}: {}{provided}", self.source(&item.ty));
                self.add(&path, line);
            }
            TraitItem::Type(item) => {
                let path = format!("{of}::{}", item.ident);
                let whole = item.span().byte_range();
                let rest = self.between(item.ident.span().byte_range().end..whole.end);
                self.add(&path, format!("type {path}{}", rest.trim_end_matches(';')));
            }
            _ => {}
        }
    }

    /// A public item of a type's own `impl`.
    pub(super) fn method(&mut self, of: &str, generics: &Generics, self_type: &Type, item: &ImplItem) {
        let under = if generics.params.is_empty() && generics.where_clause.is_none() {
            String::new()
        } else {
            let (list, condition) = (self.generics(generics), self.condition(generics));
            format!(" (impl{list} {}{condition})", self.source(self_type))
        };
        match item {
            ImplItem::Fn(item) => {
                let path = format!("{of}::{}", item.sig.ident);
                let line = format!("{}{under}{}", self.signature(&path, &item.sig), features(&item.attrs));
                self.add(&path, line);
            }
            ImplItem::Const(item) => {
                let path = format!("{of}::{}", item.ident);
                let line = format!("const {path}: {}{under}{}", self.source(&item.ty), features(&item.attrs));
                self.add(&path, line);
            }
            ImplItem::Type(item) => {
                let path = format!("{of}::{}", item.ident);
                let line = format!("type {path} = {}{under}{}", self.source(&item.ty), features(&item.attrs));
                self.add(&path, line);
            }
            _ => {}
        }
    }

    /// `impl Trait for Type`, as it is written.
    pub(super) fn header(&self, item: &ItemImpl) -> String {
        let first = item.impl_token.span().byte_range().start;
        self.between(first..item.brace_token.span.open().byte_range().start)
    }
}

/// Without line breaks, comments, and the commas that are there for them.
fn on_one_line(code: &str) -> String {
    let lines = code.lines().map(|line| line.split(" // ").next().unwrap_or_default());
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    let line = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let line = line.replace("( ", "(").replace(", )", ")").replace("< ", "<").replace(", >", ">");
    line.trim_end_matches(',').to_string()
}

/// Which traits are derived, and whether there may be more fields or variants one day.
fn derives(attributes: &[Attribute]) -> String {
    let mut names = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("derive") {
            let _ = attribute.parse_nested_meta(|meta| {
                names.extend(meta.path.segments.last().map(|part| part.ident.to_string()));
                Ok(())
            });
        } else if attribute.path().is_ident("non_exhaustive") {
            names.push("non_exhaustive".to_string());
        }
    }
    if names.is_empty() { String::new() } else { format!(" [{}]", names.join(", ")) }
}

/// The feature that something needs.
pub(super) fn features(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")) {
        if let Ok(Meta::NameValue(value)) = attribute.parse_args::<Meta>()
            && value.path.is_ident("feature")
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. }) = &value.value
        {
            text.push_str(&format!(" (feature {})", name.value()));
        }
    }
    text
}
