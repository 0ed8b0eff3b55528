//! The nearest name to one that does not exist.

/// The name among `known` that was probably meant, if one is near enough.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A hint that names the nearest name and all that exist.
pub(super) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let all: Vec<&str> = known.clone().into_iter().collect();
    let all = if all.is_empty() {
        "there are none".to_owned()
    } else {
        all.join(", ")
    };
    match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`? ({all})"),
        None => format!("known names: {all}"),
    }
}

/// The hint for serde's message about an unknown name, whose form is fixed: ``unknown field
/// `x`, expected one of `a`, `b` ``.
pub(super) fn hint_for_serde(message: &str) -> Option<String> {
    if let Some(missing) = message.strip_prefix("missing field ") {
        let example = match missing.trim_matches('`') {
            "schedule" => "add a table such as [schedule.head_to_head]",
            "name" => "add a line such as name = \"mine\"",
            "openings" => "add a line such as openings = \"start\"",
            "pairs" => "add a line such as pairs = 100",
            other => return Some(format!("add a line that begins with {other} =")),
        };
        return Some(example.to_owned());
    }
    let rest = message
        .strip_prefix("unknown field ")
        .or_else(|| message.strip_prefix("unknown variant "))?;
    let quoted: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    let (name, known) = quoted.split_first()?;
    nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("nodess", ["nodes", "depth"]), Some("nodes"));
        assert_eq!(nearest("Ndoes", ["nodes", "depth"]), Some("nodes"));
        assert_eq!(nearest("colour", ["nodes", "depth"]), None);
    }

    #[test]
    fn serde_messages_are_understood() {
        let message = "unknown field `limt`, expected one of `name`, `limit`";
        assert_eq!(
            hint_for_serde(message),
            Some("did you mean `limit`?".to_owned())
        );
        assert_eq!(hint_for_serde("invalid type: string"), None);
        let hint = hint_for_serde("missing field `schedule`").expect("a hint");
        assert!(hint.contains("[schedule.head_to_head]"), "{hint}");
    }
}
