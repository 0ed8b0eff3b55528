//! The opening book of an engine in a config: found and checked.

use std::path::Path;

use toml::Spanned;

use super::checker::Checker;
use super::written::{WrittenBook, WrittenEngine};
use crate::play::Arena;
use crate::results::BookSpec;

/// The book of an engine that would inherit `inherited`.
pub(super) fn of_engine(
    checker: &mut Checker<'_>,
    engine: &WrittenEngine,
    inherited: Option<BookSpec>,
    is_another_program: bool,
    arena: &dyn Arena,
    folder: &Path,
) -> Option<BookSpec> {
    let Some(written) = &engine.book else {
        return inherited.filter(|_| !is_another_program);
    };
    if is_another_program || arena.own().is_none() {
        let message = "`book` is for a search of agon's own".to_owned();
        let hint = "another program has its own book, if it has one: see [engine.options]";
        checker.refuse(written.span(), message, Some(hint.to_owned()));
        return None;
    }
    read(checker, written, arena, folder)
}

fn read(
    checker: &mut Checker<'_>,
    written: &Spanned<WrittenBook>,
    arena: &dyn Arena,
    folder: &Path,
) -> Option<BookSpec> {
    let (name, bytes) = match written.get_ref() {
        WrittenBook::None => return None,
        WrittenBook::Lines(lines) => ("`book`".to_owned(), lines.join("\n").into_bytes()),
        WrittenBook::File(file) => {
            let path = folder.join(file);
            let shown = path.display();
            match std::fs::read(&path) {
                Ok(bytes) => (format!("the book `{shown}`"), bytes),
                Err(error) => {
                    let hint = "the path is taken from the config's folder".to_owned();
                    let message = format!("cannot read the book `{shown}`: {error}");
                    checker.refuse(written.span(), message, Some(hint));
                    return None;
                }
            }
        }
    };
    match arena.read_book(&bytes) {
        Ok(book) => Some(book),
        Err(errors) => {
            let errors = errors.to_string().replace('\n', "\n  ");
            checker.refuse(written.span(), format!("{name}:\n  {errors}"), None);
            None
        }
    }
}
