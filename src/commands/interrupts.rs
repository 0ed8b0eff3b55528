//! The signals that ask a run to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use crossbeam::channel::{Receiver, unbounded};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::search::StopFlag;

/// Ctrl-C, a polite `kill`, and a closed terminal. One that was ignored when the program began
/// stays ignored: `nohup` and a shell's background jobs rely on that.
const STOPPING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// A message for each signal that asks to stop, from now on; the first sets `asked` too.
///
/// A file that reaches the user's size limit becomes an error of its write, instead of the
/// end of the program.
///
/// # Errors
/// The system's, when a handler cannot be installed.
pub(super) fn interrupts(asked: &Arc<StopFlag>) -> io::Result<Receiver<()>> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let ignored = ignored();
    let heard = STOPPING.iter().filter(|signal| !ignored(**signal));
    let mut signals = Signals::new(heard)?;
    let (sender, receiver) = unbounded();
    let asked = Arc::clone(asked);
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut unheard = 0;
            for signal in signals.forever() {
                asked.stop();
                if sender.send(()).is_err() {
                    // The run is over, and its last files are being written: only whoever
                    // insists ends the program in the middle of that.
                    unheard += 1;
                    if unheard > 1 {
                        drop(emulate_default_handler(signal));
                    }
                }
            }
        })?;
    Ok(receiver)
}

/// Which signals this process was started to ignore, as Linux tells in the mask `SigIgn`;
/// elsewhere none is known.
fn ignored() -> impl Fn(i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    move |signal| mask & (1 << (signal - 1)) != 0
}
