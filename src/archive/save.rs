//! Saving an archive: whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use toml::Table;

use super::{
    Archive, ArchiveError, ENGINE, MANIFEST, Manifest, PROGRAM, engine_file, failed, signature_of,
};
use crate::results::{GameSpec, folder_name_problem, sha256_file};

/// What is to be archived.
#[derive(Clone, Debug)]
pub struct NewArchive {
    /// The archive's name.
    pub name: String,
    /// The program, which is copied.
    pub program: PathBuf,
    /// Its version.
    pub agon: String,
    /// The commit that its sources are of.
    pub commit: String,
    /// The moment, UTC.
    pub created: String,
    /// The rules as the program is given them, `key=value,…`; `None` for the default ones.
    pub rules: Option<String>,
    /// The game and its rules.
    pub game: GameSpec,
    /// The parameters of the search, as TOML.
    pub search: Table,
    /// The parameters of the evaluation, as TOML.
    pub evaluation: Table,
    /// The depth of the signature.
    pub depth: u32,
}

/// Archives an engine in a folder of its own under `folder`. All is written under another name,
/// and the signature is that of the copy; then the folder gets its name.
///
/// # Errors
/// [`ArchiveError::Name`], [`ArchiveError::Exists`], and what goes wrong with files and the program.
pub fn save(folder: &Path, new: NewArchive) -> Result<Archive, ArchiveError> {
    if let Some(problem) = folder_name_problem(&new.name) {
        return Err(ArchiveError::Name(problem));
    }
    let path = folder.join(&new.name);
    if path.symlink_metadata().is_ok() {
        return Err(ArchiveError::Exists(path));
    }
    fs::create_dir_all(folder).map_err(failed("create", folder))?;
    let unfinished = tempfile::Builder::new()
        .prefix(".agon-")
        .suffix(".tmp")
        .tempdir_in(folder)
        .map_err(failed("create a folder in", folder))?;
    fill(unfinished.path(), new)?;
    match fs::rename(unfinished.path(), &path) {
        Ok(()) => {}
        // Another process was faster.
        Err(_) if path.symlink_metadata().is_ok() => return Err(ArchiveError::Exists(path)),
        Err(error) => return Err(failed("create", &path)(error)),
    }
    // It has another name now, and is not to be removed.
    let _ = unfinished.keep();
    drop(File::open(folder).and_then(|folder| folder.sync_all()));
    Archive::at(&path)
}

/// Writes the files of an archive.
fn fill(dir: &Path, new: NewArchive) -> Result<(), ArchiveError> {
    let program = dir.join(PROGRAM);
    fs::copy(&new.program, &program).map_err(failed("copy", &new.program))?;
    set_mode(&program, 0o755).map_err(failed("make executable", &program))?;
    sync(&program).map_err(failed("write", &program))?;
    let engine = dir.join(ENGINE);
    let text = engine_file::write(&new.name, &new.game, new.search, new.evaluation);
    write(&engine, text.as_bytes()).map_err(failed("write", &engine))?;
    let settings = engine_file::read(&text, &new.game).map_err(|reason| ArchiveError::Format {
        path: engine,
        reason,
    })?;
    let signature = signature_of(
        &program,
        &new.game.name,
        new.rules.as_deref(),
        &settings,
        new.depth,
    )
    .map_err(|source| ArchiveError::Program {
        path: program.clone(),
        source,
    })?;
    let manifest = Manifest {
        version: Manifest::VERSION,
        agon: new.agon,
        commit: new.commit,
        created: new.created,
        program: sha256_file(&program).map_err(failed("read", &program))?,
        game: new.game,
        rules: new.rules,
        settings,
        signature,
    };
    let mut json = serde_json::to_vec_pretty(&manifest).expect("plain data serialises");
    json.push(b'\n');
    let path = dir.join(MANIFEST);
    write(&path, &json).map_err(failed("write", &path))?;
    // A temporary folder is private.
    set_mode(dir, 0o755).map_err(failed("open to all", dir))?;
    drop(sync(dir));
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)?;
    sync(path)
}

fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, mode);
        Ok(())
    }
}
