//! Tables of pages that are written from something else: what stands between a line that says so and a line
//! that ends it.

use super::finding::Finding;

const END: &str = "<!-- The table ends. -->\n";

/// A table of a page.
pub(crate) struct Block<'a> {
    /// The page.
    pub(crate) page: &'a str,
    /// The line above the table.
    pub(crate) begin: &'a str,
    /// What the table has to be like, in words.
    pub(crate) source: &'static str,
}

impl Block<'_> {
    /// The text of the page with this table in the place of its own.
    ///
    /// # Errors
    /// If the page has no place for it.
    pub(crate) fn with(&self, text: &str, table: &str) -> Result<String, Finding> {
        let missing = |mark: &str| {
            Finding::new(self.page, 1, format!("there is no line {:?} around the table", mark.trim_end()))
        };
        let begin = text.find(self.begin).ok_or_else(|| missing(self.begin))? + self.begin.len();
        let length = text[begin..].find(END).ok_or_else(|| missing(END))?;
        Ok(format!("{}{table}{}", &text[..begin], &text[begin + length..]))
    }

    /// What is wrong with the page's table.
    pub(crate) fn check(&self, text: &str, table: &str) -> Vec<Finding> {
        let wanted = match self.with(text, table) {
            Ok(wanted) => wanted,
            Err(finding) => return vec![finding],
        };
        if wanted == text {
            return Vec::new();
        }
        let same = wanted.lines().zip(text.lines()).take_while(|(wanted, found)| wanted == found).count();
        let what = format!("this is not what {} has: `cargo xtask tidy --fix` writes it anew", self.source);
        vec![Finding::new(self.page, same + 1, what)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_not_its_sources_is_found_and_written_anew() {
        let block = Block { page: "a.md", begin: "<!-- b -->\n", source: "b" };
        let page = "# x\n<!-- b -->\nold\n<!-- The table ends. -->\nrest\n";
        assert!(block.check(page, "new\n")[0].to_string().starts_with("a.md:3: this is not what b has"));
        let fixed = block.with(page, "new\n").unwrap();
        assert_eq!(fixed, page.replace("old", "new"));
        assert_eq!(block.check(&fixed, "new\n"), []);
        assert_eq!(block.check("# x\n", "new\n").len(), 1, "no place for it");
        assert_eq!(block.check("<!-- b -->\n", "new\n").len(), 1, "no end");
    }
}
