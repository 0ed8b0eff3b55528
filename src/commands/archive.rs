//! `agon archive`: engines kept as they are today.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::bench::engine;
use super::effective::values;
use super::{open_game, own_engine, print};
use crate::archive::{self, Archive, NewArchive};
use crate::cli::{ArchiveCommand, ArchiveFolderArgs, ArchivedArgs, SaveArgs};
use crate::config::{self, Loaded};
use crate::error::CommandError;
use crate::play::Arena;
use crate::registry;
use crate::results::{EngineKind, GameSpec, VariantSpec, now};
use crate::search::{BenchLimit, SearchKind, SearchSpec};

pub(super) fn archive(command: &ArchiveCommand) -> Result<(), CommandError> {
    match command {
        ArchiveCommand::Save(args) => save(args),
        ArchiveCommand::Verify(args) => verify(args),
        ArchiveCommand::List(args) => list(args),
    }
}

fn save(args: &SaveArgs) -> Result<(), CommandError> {
    let (arena, spec) = what(args)?;
    let own = own_engine(arena.as_ref(), "archive")?;
    let new = NewArchive {
        name: args.name.clone(),
        program: this_program()?,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("AGON_COMMIT").to_owned(),
        created: humantime::format_rfc3339_seconds(now()).to_string(),
        rules: rules_text(arena.as_ref())?,
        game: GameSpec {
            name: arena.game().to_owned(),
            rules: arena.rules(),
        },
        search: values(&spec.parameters, &own.search_parameters(spec.kind)),
        evaluation: values(&spec.evaluation, &own.evaluation_parameters()),
        depth: args.depth,
    };
    let saved = archive::save(&args.folder.archive, new)?;
    print(&format!(
        "{}to play against it: archived = {:?}\n",
        describe(&saved),
        args.name
    ))
}

/// The rules as `--rules` takes them, where they are not the default ones.
fn rules_text(arena: &dyn Arena) -> Result<Option<String>, CommandError> {
    let (rules, default) = (arena.rules(), open_game(arena.game(), None)?.rules());
    let Some(rules) = rules.as_object().filter(|_| rules != default) else {
        return Ok(None);
    };
    let part = |(name, value): (&String, &serde_json::Value)| match value.as_str() {
        Some(word) => format!("{name}={word}"),
        None => format!("{name}={value}"),
    };
    Ok(Some(rules.iter().map(part).collect::<Vec<_>>().join(",")))
}

/// This very program, even where another one has taken its place on disk.
fn this_program() -> Result<PathBuf, CommandError> {
    let running = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Ok(running);
    }
    let unknown = PathBuf::from("agon");
    std::env::current_exe().map_err(CommandError::file("find", &unknown))
}

/// The engine that is meant, and its game.
fn what(args: &SaveArgs) -> Result<(Box<dyn Arena>, SearchSpec), CommandError> {
    let Some(variant) = &args.variant else {
        let name = args.source.to_string_lossy();
        if registry::find(&name).is_none() && args.source.is_file() {
            let usage = format!(
                "`{name}` is a file: name the variant of the config with --variant, one of {}",
                variants(&engines_of(&args.source, &args.set)?.1)
            );
            return Err(CommandError::Usage(usage));
        }
        let arena = open_game(&name, args.rules.as_deref())?;
        let spec = engine(own_engine(arena.as_ref(), "archive")?, &args.set)?;
        return Ok((arena, spec));
    };
    let (arena, engines) = engines_of(&args.source, &args.set)?;
    let spec = built_in(&engines, variant, &args.source.to_string_lossy())?;
    if spec.kind != SearchKind::AlphaBeta {
        return Err(CommandError::Usage(format!(
            "`{variant}` is a {} search, and only alpha_beta can be asked from outside",
            spec.kind.name()
        )));
    }
    let has_book = |one: &VariantSpec| one.name == *variant && one.book.is_some();
    if engines.iter().any(has_book) {
        return Err(CommandError::Usage(format!(
            "`{variant}` has an opening book, which an archive does not keep: take `book` out of \
             its engine, or set it to false"
        )));
    }
    let spec = spec.clone();
    Ok((arena, spec))
}

/// The game of a config and its engines; of a tuning the base.
pub(super) fn engines_of(
    path: &Path,
    set: &[String],
) -> Result<(Box<dyn Arena>, Vec<VariantSpec>), CommandError> {
    Ok(match config::load_any(path, set)? {
        Loaded::Run(plan) => (plan.arena, plan.spec.variants),
        Loaded::Tuning(plan) => (plan.arena, vec![plan.spec.base]),
    })
}

fn variants(variants: &[VariantSpec]) -> String {
    let names: Vec<&str> = variants.iter().map(|one| one.name.as_str()).collect();
    names.join(", ")
}

/// The built-in engine of this name in a config.
pub(super) fn built_in<'a>(
    all: &'a [VariantSpec],
    name: &str,
    config: &str,
) -> Result<&'a SearchSpec, CommandError> {
    let Some(found) = all.iter().find(|variant| variant.name == name) else {
        let known = all.iter().map(|variant| variant.name.as_str());
        let near = crate::config::nearest(name, known)
            .map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
        return Err(CommandError::Usage(format!(
            "no engine of `{config}` is called `{name}`.{near} Engines: {}",
            variants(all)
        )));
    };
    match &found.engine {
        EngineKind::BuiltIn(spec) => Ok(spec),
        EngineKind::External(_) => Err(CommandError::Usage(format!(
            "`{name}` is another program, and has no parameters of agon's"
        ))),
    }
}

/// A build's commit, short.
fn short(commit: &str) -> String {
    let mark = if commit.ends_with('+') { "+" } else { "" };
    let bare = commit.trim_end_matches('+');
    bare.chars().take(12).collect::<String>() + mark
}

fn describe(archive: &Archive) -> String {
    let saved = archive.manifest();
    let signature = &saved.signature;
    format!(
        "{}: {} {}\n  program     agon {}, commit {}, {}\n  parameters  {}\n  \
         signature   {} nodes on {} positions at depth {}\n  saved       {}\n",
        archive.name(),
        saved.game.name,
        saved.game.rules,
        saved.agon,
        short(&saved.commit),
        archive.program().display(),
        saved.settings.iter().count(),
        signature.nodes(),
        signature.positions.len(),
        signature.depth,
        saved.created,
    )
}

fn verify(args: &ArchivedArgs) -> Result<(), CommandError> {
    // A path as configs take it, or a name.
    let has_folders = args.name.contains(std::path::MAIN_SEPARATOR);
    let archive = if has_folders && Path::new(&args.name).is_dir() {
        Archive::at(Path::new(&args.name))?
    } else {
        Archive::open(&args.folder.archive, &args.name)?
    };
    archive.verify()?;
    let mut text = describe(&archive);
    text += "the archived program is the one that was saved, and has the same signature: nodes, \
             moves and scores\n";
    let differences = this_build(&archive);
    if differences.is_empty() {
        text += "this build has the same signature\n";
    } else {
        text += "this build is another engine:\n";
        for line in &differences {
            writeln!(text, "  {line}").expect("a string takes every write");
        }
    }
    print(&text)
}

/// Where this build, with the archived parameters, differs from the archived one.
fn this_build(archive: &Archive) -> Vec<String> {
    let saved = archive.manifest();
    let set = |(name, value): (&str, &str)| format!("{name}={value}");
    let sets: Vec<String> = saved.settings.iter().map(set).collect();
    let searched = open_game(&saved.game.name, saved.rules.as_deref()).and_then(|arena| {
        let own = own_engine(arena.as_ref(), "archive")?;
        let spec = engine(own, &sets)?;
        let depth = saved.signature.depth;
        Ok(own.bench(&spec, BenchLimit::Depth(depth)).signature(depth))
    });
    match searched {
        Ok(now) => saved.signature.differences(&now, "archived"),
        Err(error) => vec![error.to_string()],
    }
}

fn list(args: &ArchiveFolderArgs) -> Result<(), CommandError> {
    let names = archive::names(&args.archive)?;
    if names.is_empty() {
        let folder = args.archive.display();
        return print(&format!("no archives in {folder}\n"));
    }
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or(0).max(4);
    let mut text = format!(
        "{:<width$}  {:<8} {:<8} {:<13} {:<20} {:>12}\n",
        "name", "game", "agon", "commit", "saved", "signature"
    );
    for name in names {
        let line = match Archive::open(&args.archive, &name) {
            Ok(archive) => {
                let saved = archive.manifest();
                format!(
                    "{name:<width$}  {:<8} {:<8} {:<13} {:<20} {:>12}",
                    saved.game.name,
                    saved.agon,
                    short(&saved.commit),
                    saved.created,
                    saved.signature.nodes()
                )
            }
            Err(error) => format!("{name:<width$}  no archive: {error}"),
        };
        text += &format!("{line}\n");
    }
    print(&text)
}
