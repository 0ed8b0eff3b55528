//! An engine's process: its pipes, with deadlines on everything, and its end, whatever it
//! does.
//!
//! The thread that owns the game writes and waits itself: no message passes through another
//! thread. The process is the leader of a group of its own, which is killed as a whole, and
//! the system kills it if the thread that spawned it ends first.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

use super::lines::LineBuffer;
use super::runaways;
use crate::results::ExternalSpec;
use crate::search::StopFlag;

/// What is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program, resolved.
    pub program: PathBuf,
    /// Its arguments; no shell looks at them.
    pub args: Vec<String>,
    /// Its working folder; `None` is agon's own.
    pub dir: Option<PathBuf>,
    /// Variables added to its environment.
    pub env: BTreeMap<String, String>,
}

impl From<&ExternalSpec> for Launch {
    fn from(spec: &ExternalSpec) -> Launch {
        Launch {
            program: spec.program.clone().into(),
            args: spec.args.clone(),
            dir: spec.dir.clone().map(Into::into),
            env: spec.env.clone(),
        }
    }
}

/// Why an engine gives no line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The deadline has passed.
    Late,
    /// It is gone, or closed its pipes: how, in words.
    Gone(String),
    /// The run gives the game up.
    Stopped,
}

/// How long a run that gives up its games waits for a silent engine, at most.
const STOP_POLL: Duration = Duration::from_millis(50);

/// How often what came unasked is read, at 16 KiB or more each: more than a pipe holds.
const MOST_READS: usize = 8;

/// How much of stderr is kept.
const KEPT_STDERR: usize = 16 * 1024;

/// How long an engine may take to go after `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(1);

/// How long it may take to go after SIGTERM.
const TERM_GRACE: Duration = Duration::from_millis(500);

/// A running engine.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// `None` once closed.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    lines: LineBuffer,
    /// When the bytes that are read as lines now came.
    arrived: Instant,
    /// The end of stdout was seen.
    ended: bool,
    /// The last bytes of stderr.
    said: Vec<u8>,
    mark: String,
}

impl Process {
    /// Starts a program. The calling thread must live as long as the process.
    ///
    /// # Errors
    /// The system's.
    pub fn spawn(launch: &Launch) -> io::Result<Process> {
        // Every state differs from every other.
        let mark = format!("{:016x}", RandomState::new().hash_one(&launch.program));
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.args)
            .envs(&launch.env)
            .env(runaways::MARK, &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        die_with_parent(&mut command);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let process = Process {
            child,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            lines: LineBuffer::new(),
            arrived: Instant::now(),
            ended: false,
            said: Vec::new(),
            mark,
        };
        if let Some(stdin) = &process.stdin {
            never_wait(stdin)?;
        }
        never_wait(&process.stdout)?;
        if let Some(stderr) = &process.stderr {
            never_wait(stderr)?;
        }
        Ok(process)
    }

    /// The process's number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes `text`; stderr is read meanwhile, so that an engine that waits for its own
    /// reader goes on.
    ///
    /// # Errors
    /// [`Broken`]; the engine may have read a part.
    pub fn send(&mut self, text: &str, deadline: Instant, stop: &StopFlag) -> Result<(), Broken> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let Some(stdin) = self.stdin.as_mut() else {
                return Err(self.gone().0);
            };
            match stdin.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(true, deadline, stop)?;
                }
                Err(_) => return Err(self.gone().0),
            }
        }
        Ok(())
    }

    /// The next line and when it came. One that came after the deadline is given out too:
    /// whoever asks compares.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn line(&mut self, deadline: Instant, stop: &StopFlag) -> Result<(&str, Instant), Broken> {
        while !self.lines.advance() {
            if self.ended {
                // A line that was being written when it crashed is none.
                let (end, well) = self.gone();
                if well && self.lines.advance_to_rest() {
                    break;
                }
                return Err(end);
            }
            if self.arrived > deadline {
                return Err(Broken::Late);
            }
            if Instant::now() <= deadline {
                self.wait(false, deadline, stop)?;
            } else if !self.read_stdout() {
                return Err(Broken::Late);
            }
        }
        Ok((self.lines.current(), self.arrived))
    }

    /// Forgets all that has come unasked: how many lines of it `judge` marks, and whether that
    /// was all. One who writes without end is read for a while only.
    pub fn drain(&mut self, mut judge: impl FnMut(&str) -> bool) -> (usize, bool) {
        let mut marked = 0;
        let mut all = false;
        for _ in 0..MOST_READS {
            while self.lines.advance() {
                marked += usize::from(judge(self.lines.current()));
            }
            if self.ended || !self.read_stdout() {
                all = true;
                break;
            }
        }
        self.lines.clear();
        (marked, all)
    }

    /// The last that it said on stderr, at most 16 KiB.
    #[must_use]
    pub fn stderr(&mut self) -> String {
        self.read_stderr();
        String::from_utf8_lossy(&self.said).trim().to_owned()
    }

    /// Waits until there may be something to read (or to write), or for a short time.
    fn wait(&mut self, to_write: bool, deadline: Instant, stop: &StopFlag) -> Result<(), Broken> {
        if stop.is_stopped() {
            return Err(Broken::Stopped);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() && to_write {
            return Err(Broken::Late);
        }
        let timeout = Timespec::try_from(left.min(STOP_POLL)).unwrap_or_default();
        let (output, errors) = {
            let stdout = (!self.ended).then(|| self.stdout.as_fd());
            let stderr = self.stderr.as_ref().map(AsFd::as_fd);
            let stdin = self.stdin.as_ref().filter(|_| to_write).map(AsFd::as_fd);
            let watched = [
                (stdout, PollFlags::IN),
                (stderr, PollFlags::IN),
                (stdin, PollFlags::OUT),
            ];
            let mut fds = ArrayVec::<PollFd<'_>, 3>::new();
            for (fd, flags) in watched {
                fds.extend(fd.map(|fd| PollFd::from_borrowed_fd(fd, flags)));
            }
            match poll(&mut fds, Some(&timeout)) {
                Ok(0) => {
                    // Its output may be open still, in the hands of a child of its own.
                    self.ended |= matches!(self.child.try_wait(), Ok(Some(_)));
                    return Ok(());
                }
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => return Ok(()),
                Err(error) => {
                    return Err(Broken::Gone(format!("it cannot be waited for: {error}")));
                }
            }
            let heard = |at: usize| !fds[at].revents().is_empty();
            let output = stdout.is_some() && heard(0);
            let errors = stderr.is_some() && heard(usize::from(stdout.is_some()));
            (output, errors)
        };
        if errors {
            self.read_stderr();
        }
        if output {
            self.read_stdout();
            if to_write {
                // It answers nothing that it has not read yet.
                self.lines.clear();
            }
        }
        Ok(())
    }

    /// Reads once; whether anything came, the end of the stream included.
    fn read_stdout(&mut self) -> bool {
        match self.lines.fill(|space| self.stdout.read(space)) {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) if would_block(&error) => return false,
            Err(_) => self.ended = true,
        }
        self.arrived = Instant::now();
        true
    }

    fn read_stderr(&mut self) {
        let mut bytes = [0; 4096];
        // At most as much as a pipe holds: a flood must not keep the caller.
        for _ in 0..16 {
            let Some(stderr) = self.stderr.as_mut() else {
                return;
            };
            match stderr.read(&mut bytes) {
                Ok(0) => self.stderr = None,
                Ok(count) => {
                    self.said.extend_from_slice(&bytes[..count]);
                    let excess = self.said.len().saturating_sub(KEPT_STDERR);
                    self.said.drain(..excess);
                }
                Err(error) if would_block(&error) => return,
                Err(_) => self.stderr = None,
            }
        }
    }

    /// How it went. A process that closed its pipes may need a moment to be gone.
    /// Whether that was well: with a status of 0.
    fn gone(&mut self) -> (Broken, bool) {
        let end = self.wait_for_end(Duration::from_millis(200));
        self.read_stderr();
        let well = end.is_some_and(|status| status.success());
        let words = end.map_or_else(|| "it closed its pipes".to_owned(), in_words);
        (Broken::Gone(words), well)
    }

    fn wait_for_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    /// Ends it: `farewell`, its input closed, a second; SIGTERM, half a second; SIGKILL. The
    /// group and whatever else it left behind are killed at last.
    pub fn quit(mut self, farewell: &str) {
        if let Some(stdin) = self.stdin.as_mut() {
            // A full pipe belongs to an engine that does not read.
            drop(stdin.write_all(farewell.as_bytes()));
        }
        self.stdin = None;
        if self.goes_within(QUIT_GRACE) {
            return;
        }
        self.signal(Signal::TERM);
        self.goes_within(TERM_GRACE);
        // Dropping kills.
    }

    /// As [`Process::wait_for_end`], its output read meanwhile: it may have much to say.
    fn goes_within(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        while Instant::now() < until {
            if !self.ended {
                self.read_stdout();
                self.lines.clear();
            }
            self.read_stderr();
            if self.wait_for_end(Duration::from_millis(3)).is_some() {
                return true;
            }
        }
        false
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // It may be gone already.
            let _ = kill_process_group(pid, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        drop(self.child.kill());
        drop(self.child.wait());
        runaways::kill(&self.mark);
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Late => f.write_str("no answer in time"),
            Broken::Gone(how) => f.write_str(how),
            Broken::Stopped => f.write_str("the run stops"),
        }
    }
}

/// An exit status in words.
fn in_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it exited with status {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        (None, None) => "it ended".to_owned(),
    }
}

fn would_block(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

/// Our end of a pipe never makes us wait; the engine's end is as it was.
fn never_wait(pipe: impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(&pipe)?;
    Ok(fcntl_setfl(&pipe, flags | OFlags::NONBLOCK)?)
}

/// The system kills the process when the thread that spawns it ends, and writes no core file
/// for it.
fn die_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, set_parent_process_death_signal, setrlimit};
        let parent = rustix::process::getpid();
        let prepare = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            if rustix::process::getppid() != Some(parent) {
                // The parent went before the signal was asked for.
                return Err(io::ErrorKind::NotFound.into());
            }
            let none = Rlimit {
                current: Some(0),
                maximum: Some(0),
            };
            // Only tidiness: an engine may have a higher limit that we may not lower.
            let _ = setrlimit(Resource::Core, none);
            Ok(())
        };
        // Between fork and exec: system calls only, no memory and no lock.
        #[expect(unsafe_code, reason = "the closure makes system calls only")]
        unsafe {
            command.pre_exec(prepare);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// For messages: a command line as a user would type it.
impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        for argument in &self.args {
            let argument = OsString::from(argument);
            write!(f, " {}", argument.display())?;
        }
        Ok(())
    }
}
