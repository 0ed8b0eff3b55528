//! Checks that several parts of a config need, and the problems that they find.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;

use super::document::Document;
use super::problem::Problem;
use super::suggest;
use super::written::{LARGEST, Whole, WrittenLimit};
use crate::results::{MoveLimit, folder_name_problem, name_problem};

/// Collects problems and makes them with their place.
pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    pub(super) problems: Vec<Problem>,
}

impl Checker<'_> {
    pub(super) fn refuse(&mut self, span: Range<usize>, message: String, hint: Option<String>) {
        self.problems
            .push(self.document.problem(span, message, hint));
    }

    /// The value, or nothing and a problem.
    pub(super) fn accept<T>(&mut self, span: Range<usize>, result: Result<T, String>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(message) => {
                self.refuse(span, message, None);
                None
            }
        }
    }
}

impl Checker<'_> {
    /// A whole number in this range, or a problem.
    pub(super) fn whole(
        &mut self,
        name: &str,
        written: &Spanned<Whole>,
        range: RangeInclusive<u64>,
    ) -> Option<u64> {
        let Whole(found) = *written.get_ref();
        let number = u64::try_from(found)
            .ok()
            .filter(|number| range.contains(number));
        if number.is_none() {
            let (least, most) = range.into_inner();
            self.refuse(
                written.span(),
                format!("{name} is {found}, but must be from {least} to {most}"),
                None,
            );
        }
        number
    }
}

/// Names become file names, CSV fields and console columns.
pub(super) fn check_name(checker: &mut Checker<'_>, name: &Spanned<String>, what: &str) {
    let problem = match what {
        "the run's name" => folder_name_problem(name.get_ref()),
        _ => name_problem(name.get_ref()),
    };
    if let Some(problem) = problem {
        checker.refuse(name.span(), format!("{what} {problem}"), None);
    }
}

/// A limit that has been checked, or a problem.
pub(super) fn limit(
    checker: &mut Checker<'_>,
    written: &Spanned<WrittenLimit>,
) -> Option<MoveLimit> {
    match written.get_ref() {
        WrittenLimit::TimeMs(ms) => checker
            .whole("a limit", ms, 1..=LARGEST)
            .map(MoveLimit::TimeMs),
        WrittenLimit::Nodes(nodes) => checker
            .whole("a limit", nodes, 1..=LARGEST)
            .map(MoveLimit::Nodes),
        WrittenLimit::Depth(depth) => checker
            .whole("a limit", depth, 1..=u32::MAX.into())
            .and_then(|depth| u32::try_from(depth).ok())
            .map(MoveLimit::Depth),
        WrittenLimit::Clock(text) => checker
            .accept(text.span(), text.get_ref().parse())
            .map(MoveLimit::Clock),
    }
}

/// `[role_limit]` by side; unknown roles are problems.
pub(super) fn role_limits(
    checker: &mut Checker<'_>,
    written: &BTreeMap<Spanned<String>, Spanned<WrittenLimit>>,
    roles: [&'static str; 2],
) -> [Option<MoveLimit>; 2] {
    let mut limits = [None; 2];
    for (role, written) in written {
        match roles.iter().position(|name| *name == role.get_ref()) {
            Some(side) => limits[side] = limit(checker, written),
            None => {
                let message = format!("this game has no role `{}`", role.get_ref());
                checker.refuse(
                    role.span(),
                    message,
                    Some(suggest::hint(role.get_ref(), roles)),
                );
            }
        }
    }
    limits
}
