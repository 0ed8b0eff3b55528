//! External engines in a config: what is written of them, and the program found and checked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::checker::Checker;
use super::suggest;
use super::written::{OptionValue, WrittenEngine};
use crate::archive::{self, Archive, ArchiveError};
use crate::play::Arena;
use crate::results::{ExternalSpec, ProtocolKind, sha256_file};

/// Where games are installed on Debian, which is not on everybody's PATH.
const MORE_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// The milliseconds of an engine that names none.
const DEFAULT_START_MS: u64 = 10_000;
const DEFAULT_READY_MS: u64 = 60_000;
const DEFAULT_STALL_MS: u64 = 60_000;

/// An engine that has a command of its own.
pub(super) fn with_command(
    checker: &mut Checker<'_>,
    name: &str,
    command: &Spanned<String>,
    folder: &Path,
) -> Option<ExternalSpec> {
    let found = find(command.get_ref(), folder).and_then(|program| {
        let sha256 = sha256_file(&program)
            .map_err(|error| format!("cannot read `{}`: {error}", program.display()))?;
        spec(&program, sha256)
    });
    let found = found.map_err(|why| format!("engine `{name}`: {why}"));
    checker.accept(command.span(), found)
}

/// A program with nothing else written of it.
fn spec(program: &Path, sha256: String) -> Result<ExternalSpec, String> {
    let shown = program
        .to_str()
        .ok_or_else(|| format!("`{}` is not UTF-8 text; rename it", program.display()))?;
    Ok(ExternalSpec {
        program: shown.to_owned(),
        sha256,
        args: Vec::new(),
        dir: None,
        env: BTreeMap::new(),
        protocol: ProtocolKind::default(),
        options: BTreeMap::new(),
        start_ms: DEFAULT_START_MS,
        ready_ms: DEFAULT_READY_MS,
        stall_ms: DEFAULT_STALL_MS,
    })
}

/// An archived engine: its program and its parameters as options, under this config's rules.
pub(super) fn archived(
    checker: &mut Checker<'_>,
    engine: &WrittenEngine,
    archived: &Spanned<String>,
    arena: &dyn Arena,
    folder: &Path,
) -> Option<ExternalSpec> {
    if engine.command.is_some() {
        let message = "an engine is archived or has a command, not both".to_owned();
        let hint = "take one of them out".to_owned();
        checker.refuse(archived.span(), message, Some(hint));
        return None;
    }
    let name = engine.name.get_ref();
    let of_archive = |why: String| (format!("engine `{name}`: {why}"), None);
    let found = open_archive(archived.get_ref(), folder)
        .map_err(|error| match &error {
            ArchiveError::Missing { name, known, .. } => {
                let hint = suggest::hint(name, known.iter().map(String::as_str));
                (of_archive(error.to_string()).0, Some(hint))
            }
            _ => of_archive(error.to_string()),
        })
        .and_then(|archive| with_archive(&archive, arena).map_err(of_archive));
    match found {
        Ok(spec) => Some(spec),
        Err((message, hint)) => {
            checker.refuse(archived.span(), message, hint);
            None
        }
    }
}

/// An archive by its name, or by a path from the config's folder.
fn open_archive(name: &str, folder: &Path) -> Result<Archive, ArchiveError> {
    if name.contains('/') {
        Archive::at(&folder.join(name))
    } else {
        Archive::open(Path::new(archive::FOLDER), name)
    }
}

fn with_archive(archive: &Archive, arena: &dyn Arena) -> Result<ExternalSpec, String> {
    let saved = archive.manifest();
    if saved.game.name != arena.game() {
        return Err(format!(
            "the archived engine plays {}, and this config is of {}",
            saved.game.name,
            arena.game()
        ));
    }
    let damage = archive.damage().map_err(|error| error.to_string())?;
    if let Some(what) = damage.first() {
        return Err(format!("the archive is not what was saved: {what}"));
    }
    let program = absolute(&archive.program())?;
    check_program(&program)?;
    let rules = arena.rules();
    let rule = |(key, value): (&String, &serde_json::Value)| format!("{key}={value}");
    let rules: Vec<String> = rules.as_object().into_iter().flatten().map(rule).collect();
    let mut spec = spec(&program, saved.program.clone())?;
    spec.args = vec!["engine".to_owned(), saved.game.name.clone()];
    if !rules.is_empty() {
        spec.args.extend(["--rules".to_owned(), rules.join(",")]);
    }
    spec.options = saved.settings.uci_options();
    Ok(spec)
}

/// The program that a command names: a path from the config's folder, or a name to look up.
fn find(command: &str, folder: &Path) -> Result<PathBuf, String> {
    if command.trim().is_empty() {
        return Err("`command` is empty; name a program or a path to one".to_owned());
    }
    if command.contains('/') {
        let path = folder.join(command);
        check_program(&path)?;
        return absolute(&path);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = MORE_FOLDERS.iter().map(PathBuf::from);
    let mut refused = None;
    for folder in std::env::split_paths(&path).chain(more) {
        let program = folder.join(command);
        match check_program(&program) {
            Ok(()) => return absolute(&program),
            Err(why) if program.exists() => refused = refused.or(Some(why)),
            Err(_) => {}
        }
    }
    Err(refused.unwrap_or_else(|| {
        format!(
            "no program `{command}` is in PATH, /usr/games or /usr/local/games; write a path \
             from the config's folder, such as \"./{command}\", or install it"
        )
    }))
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("`{}`: {error}", path.display()))
}

fn check_program(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let data = fs::metadata(path).map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if data.is_dir() {
        return Err(format!("`{shown}` is a folder, not a program"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if data.permissions().mode() & 0o111 == 0 {
            return Err(format!("`{shown}` is not executable; run `chmod +x` on it"));
        }
    }
    Ok(())
}

/// Lays what an engine writes over what it inherits.
pub(super) fn apply(
    checker: &mut Checker<'_>,
    spec: &mut ExternalSpec,
    engine: &WrittenEngine,
    folder: &Path,
) {
    if let Some(args) = &engine.args {
        spec.args = args.iter().map(|arg| arg.get_ref().clone()).collect();
    }
    let nul = |text: &str| text.contains('\0');
    for arg in engine
        .args
        .iter()
        .flatten()
        .filter(|arg| nul(arg.get_ref()))
    {
        let message = "an argument cannot hold a zero character".to_owned();
        checker.refuse(arg.span(), message, None);
    }
    if let Some(dir) = &engine.dir {
        let path = folder.join(dir.get_ref());
        let resolved = if path.is_dir() {
            absolute(&path)
        } else {
            Err(format!("`{}` is no folder", path.display()))
        };
        if let Some(path) = checker.accept(dir.span(), resolved) {
            spec.dir = Some(path.to_string_lossy().into_owned());
        }
    }
    for (name, value) in &engine.env {
        let text = value.get_ref();
        if name.get_ref().is_empty()
            || name.get_ref().contains('=')
            || nul(name.get_ref())
            || nul(text)
        {
            let message = if nul(text) {
                format!(
                    "the variable `{}` cannot hold a zero character",
                    name.get_ref()
                )
            } else {
                format!("`{}` is no variable's name", name.get_ref())
            };
            checker.refuse(name.span(), message, None);
        }
        spec.env.insert(name.get_ref().clone(), text.clone());
    }
    if let Some(protocol) = engine.protocol {
        spec.protocol = protocol;
    }
    for (name, value) in &engine.options {
        // A name in another case is the same option.
        let old: Vec<String> = spec
            .options
            .keys()
            .filter(|known| known.eq_ignore_ascii_case(name.get_ref()))
            .cloned()
            .collect();
        old.iter().for_each(|known| {
            spec.options.remove(known);
        });
        let OptionValue(text) = value.get_ref();
        spec.options.insert(name.get_ref().clone(), text.clone());
    }
    for (written, ms, name) in [
        (&engine.start_ms, &mut spec.start_ms, "start_ms"),
        (&engine.ready_ms, &mut spec.ready_ms, "ready_ms"),
        (&engine.stall_ms, &mut spec.stall_ms, "stall_ms"),
    ] {
        if let Some(written) = written {
            let name = format!("`{name}`");
            *ms = checker.whole(&name, written, 1..=MOST_MS).unwrap_or(*ms);
        }
    }
}

/// A day.
const MOST_MS: u64 = 86_400_000;

/// The keys that only an engine with a command may have, as far as they are written.
pub(super) fn keys(engine: &WrittenEngine) -> Option<&'static str> {
    let written = [
        (engine.args.is_some(), "args"),
        (engine.dir.is_some(), "dir"),
        (!engine.env.is_empty(), "env"),
        (engine.protocol.is_some(), "protocol"),
        (!engine.options.is_empty(), "options"),
        (engine.start_ms.is_some(), "start_ms"),
        (engine.ready_ms.is_some(), "ready_ms"),
        (engine.stall_ms.is_some(), "stall_ms"),
    ];
    written.iter().find(|(is, _)| *is).map(|(_, key)| *key)
}
