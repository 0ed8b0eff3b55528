//! Holds the imports of every file against the table in `docs/architecture.md`.

use std::path::{Path, PathBuf};

const LAYERS: &[(&str, u32)] = &[
    ("game", 0),
    ("params", 0),
    ("search", 1),
    ("results", 1),
    ("perft", 1),
    ("verify", 1),
    ("profile", 1),
    ("archive", 2),
    ("stats", 2),
    ("openings", 2),
    ("games", 2),
    ("players", 2),
    ("play", 3),
    ("standing", 3),
    ("registry", 4),
    ("schedule", 4),
    ("executor", 4),
    ("report", 4),
    ("tournament", 5),
    ("tune", 6),
    ("plan", 7),
    ("config", 7),
    ("commands", 8),
    ("error", 8),
    ("cli", 8),
];

fn layer(module: &str) -> Option<u32> {
    LAYERS
        .iter()
        .find(|(name, _)| *name == module)
        .map(|(_, layer)| *layer)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    files(&root, &mut sources);
    assert!(sources.len() > 40, "the sources are found");
    let mut violations = Vec::new();
    for path in sources {
        let inside = path.strip_prefix(&root).expect("under src");
        let module = inside
            .iter()
            .next()
            .expect("a name")
            .to_string_lossy()
            .replace(".rs", "");
        if module == "lib" || module == "main" || inside.ends_with("tests.rs") {
            continue;
        }
        let shown = inside.display();
        let Some(own) = layer(&module) else {
            violations.push(format!("{shown}: `{module}` has no layer"));
            continue;
        };
        let text = std::fs::read_to_string(&path).expect("a source");
        let code = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for line in code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for part in line.split("crate::").skip(1) {
                let name: String = part
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                if layer(&name).is_some_and(|other| other > own) {
                    violations.push(format!("{shown}: imports `{name}` from above"));
                }
                if name.is_empty() {
                    violations.push(format!("{shown}: one `use crate::` line a module, no list"));
                }
                let this_game = inside
                    .components()
                    .nth(1)
                    .map(|part| part.as_os_str().to_string_lossy());
                let sibling = part.strip_prefix("games::").filter(|_| module == "games");
                if let (Some(sibling), Some(this_game)) = (sibling, this_game)
                    && !sibling.starts_with(this_game.trim_end_matches(".rs"))
                {
                    violations.push(format!("{shown}: a game imports another"));
                }
                if name == "registry" && !["config", "commands"].contains(&module.as_str()) {
                    violations.push(format!(
                        "{shown}: only config and commands know the registry"
                    ));
                }
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}
