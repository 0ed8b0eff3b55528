//! The parameters of the search, each declared once.

use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::Score;
use crate::search::greedy::{noise_bound, root_noise};

/// Which parts of the search are on, and its constants.
#[derive(Clone, Debug)]
pub struct Options {
    pub(super) hash_mb: u32,
    pub(super) table: bool,
    /// The number of different amounts of root noise, 1 for none.
    pub(super) noise: u32,
    /// Zero windows for all moves but the first.
    pub(super) pvs: bool,
    /// Half the width of the first window around the expected score; `None` for a full one.
    pub(super) aspiration: Option<Score>,
    pub(super) killers: bool,
    pub(super) history: bool,
    pub(super) history_decay: i32,
    pub(super) history_weight: i32,
    pub(super) rating: bool,
    /// How many moves are sorted by the evaluation after them; 0 for none.
    pub(super) fine_moves: usize,
    /// The smallest depth where that is done.
    pub(super) fine_depth: u32,
    pub(super) reductions: Option<Reductions>,
    pub(super) null_move: Option<u32>,
    pub(super) mate_distance: bool,
    pub(super) quiescence: bool,
    pub(super) check_extension: bool,
    pub(super) time_kept: f64,
    pub(super) growth: f64,
}

/// Late-move reductions: later moves are searched less deep first.
#[derive(Clone, Debug)]
pub(super) struct Reductions {
    /// The first move, counted from 0, that is reduced.
    pub(super) from: usize,
    divisor: f64,
    base: f64,
    min_depth: u32,
}

impl Reductions {
    /// By how many plies move `index` of a node is searched less deep.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a small positive number"
    )]
    pub(super) fn plies(&self, depth: u32, index: usize) -> u32 {
        if depth < self.min_depth || index < self.from {
            return 0;
        }
        let size = f64::from(depth).ln() * (index as f64).ln();
        let plies = (self.base + size / self.divisor).max(0.0) as u32;
        plies.min(depth - 1)
    }
}

impl Options {
    fn switches() -> Vec<Parameter> {
        let on = |name, about| Parameter::switch(name, true, about);
        vec![
            on("table", "use the transposition table"),
            on(
                "pvs",
                "search all moves but the first with a zero window first",
            ),
            on(
                "aspiration",
                "begin each depth with a window around the last score",
            ),
            on(
                "killers",
                "try two moves first that were too good at the same ply",
            ),
            on(
                "history",
                "prefer moves whose from and to were too good before",
            ),
            on("rating", "prefer moves by the game's own cheap rating"),
            on(
                "fine_sort",
                "sort the best moves by the evaluation after them",
            ),
            on("late_move_reductions", "search later moves less deep first"),
            on("null_move", "cut where even a pass is too good"),
            on(
                "mate_distance",
                "cut where a shorter win or loss is known already",
            ),
            on("quiescence", "search tactical moves on at the leaves"),
            on(
                "check_extension",
                "search positions in check one ply deeper",
            ),
        ]
    }

    fn constants() -> Vec<Parameter> {
        let whole = Parameter::integer;
        let real = Parameter::real;
        vec![
            whole(
                "hash_mb",
                16,
                1,
                4096,
                "size of the transposition table in MB",
            ),
            root_noise(),
            real(
                "aspiration_window",
                4.0,
                0.1,
                100.0,
                0.5,
                "half the first window, in units",
            ),
            real(
                "history_decay",
                0.5,
                0.0,
                1.0,
                0.1,
                "what is left of the history a move later",
            ),
            whole(
                "history_weight",
                16,
                0,
                1024,
                "weight of the history beside the rating",
            ),
            whole("fine_moves", 48, 1, 512, "how many moves are sorted finely"),
            whole(
                "fine_depth",
                2,
                1,
                20,
                "smallest depth at which moves are sorted finely",
            ),
            whole(
                "lmr_from",
                4,
                1,
                64,
                "the first move, from 0, that is reduced",
            ),
            whole(
                "lmr_depth",
                3,
                2,
                20,
                "the smallest depth at which moves are reduced",
            ),
            real(
                "lmr_base",
                0.5,
                -2.0,
                4.0,
                0.1,
                "reduction: constant part, in plies",
            ),
            real(
                "lmr_divisor",
                2.5,
                0.5,
                10.0,
                0.1,
                "reduction: ln depth x ln index over this",
            ),
            whole(
                "null_reduction",
                2,
                1,
                5,
                "plies that a null move saves beside its own",
            ),
            real(
                "time_kept",
                0.2,
                0.0,
                0.9,
                0.05,
                "share of the time that is kept back",
            ),
            real(
                "depth_growth",
                2.0,
                0.0,
                20.0,
                0.25,
                "a depth is begun if this many times the cost of the last one is left",
            ),
        ]
    }
}

impl Tunable for Options {
    fn parameters() -> Vec<Parameter> {
        let mut all = Options::switches();
        all.extend(Options::constants());
        all
    }

    fn from_values(values: &ParameterValues) -> Options {
        let on = |name| values.switch(name);
        let count = |name| values.integer(name).unsigned_abs();
        let size = |name| count(name) as usize;
        let window = Score::heuristic(values.get("aspiration_window"));
        #[expect(clippy::cast_possible_truncation, reason = "0 to 256")]
        let decay = (values.get("history_decay") * 256.0) as i32;
        Options {
            hash_mb: count("hash_mb"),
            table: on("table"),
            noise: noise_bound(values.get("root_noise")),
            pvs: on("pvs"),
            aspiration: on("aspiration").then_some(window),
            killers: on("killers"),
            history: on("history"),
            history_decay: decay,
            history_weight: values.integer("history_weight"),
            rating: on("rating"),
            fine_moves: if on("fine_sort") {
                size("fine_moves")
            } else {
                0
            },
            fine_depth: count("fine_depth"),
            reductions: on("late_move_reductions").then(|| Reductions {
                from: size("lmr_from"),
                divisor: values.get("lmr_divisor"),
                base: values.get("lmr_base"),
                min_depth: count("lmr_depth"),
            }),
            null_move: on("null_move").then(|| count("null_reduction")),
            mate_distance: on("mate_distance"),
            quiescence: on("quiescence"),
            check_extension: on("check_extension"),
            time_kept: values.get("time_kept"),
            growth: values.get("depth_growth"),
        }
    }
}
