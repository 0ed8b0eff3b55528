//! The command line's shape.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Plays game-engine variants against each other and says which one is stronger.
#[derive(Debug, Parser)]
#[command(name = "agon", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays a config's games and writes its results.
    Run(RunArgs),
    /// As `run`, with the verdict as exit status: 0 in, 1 out, 2 cannot tell.
    Gate(GateArgs),
    /// Does everything short of playing, and prints the plan.
    Check(ConfigArgs),
    /// Makes and checks opening suites.
    #[command(subcommand)]
    Openings(OpeningsCommand),
    /// Shows a sequential test's error rates and length, or evaluates counts under it.
    Sprt(SprtArgs),
    /// Finds a better value for a weight by playing games.
    Tune(TuneArgs),
    /// Counts the move sequences of a depth.
    Perft(PerftArgs),
    /// Shows a position, its legal moves and its outcome.
    Inspect(InspectArgs),
    /// Compares a game's rules with a slow second implementation, its evaluation with a fresh one.
    Verify(VerifyArgs),
    /// The built-in engine of a game, which speaks UCI on standard input and output.
    Engine(GameArgs),
    /// Searches fixed positions: a signature of the search, and its speed.
    Bench(BenchArgs),
    /// Keeps engines as they are today, and tells whether they still are.
    #[command(subcommand)]
    Archive(ArchiveCommand),
    /// Shows a game or a position again: the board, the moves, and what an engine searches there.
    Replay(ReplayArgs),
    /// Solves deals of a solitaire, or checks a solution.
    Solve(SolveArgs),
}

/// A config and changes to it.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// The config file.
    pub config: PathBuf,
    /// Overrides one value, such as limit.nodes=500 or engine.new.evaluation.t2=0.7.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<String>,
}

/// Changes to a config, and how to play it.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// Overrides one value, such as limit.nodes=500 or engine.new.evaluation.t2=0.7.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// The folder that holds the run directories.
    #[arg(long, default_value = "results")]
    pub results: PathBuf,
    /// Starts the next number and leaves what is unfinished; only the latest number can go on.
    #[arg(long)]
    pub new: bool,
    /// Begins no game after this time, such as 2h or "1h 30m"; the same command goes on.
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub stop_after: Option<Duration>,
    /// Writes an event a line to standard output, as JSON, instead of the tables.
    #[arg(long)]
    pub json: bool,
    /// Says nothing on standard error but errors.
    #[arg(long)]
    pub quiet: bool,
}

/// A run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The config file.
    pub config: PathBuf,
    /// How to play it.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// A gate, played or read back.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// The config file.
    #[arg(required_unless_present = "from")]
    pub config: Option<PathBuf>,
    /// Evaluates the rows of a run directory again, without playing.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["config", "set", "new", "stop_after"])]
    pub from: Option<PathBuf>,
    /// How to play it.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What to do with suites.
#[derive(Debug, Subcommand)]
pub enum OpeningsCommand {
    /// Makes a suite of random, balanced openings.
    Make(MakeArgs),
    /// Checks every line of a suite.
    Check(CheckSuiteArgs),
}

/// A game and its rules.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// The game's name.
    pub game: String,
    /// Its rules as `key=value,…`.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub rules: Option<String>,
}

/// How to make a suite.
#[derive(Debug, Args)]
pub struct MakeArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// How many openings.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// Random moves an opening.
    #[arg(long, default_value_t = 4)]
    pub plies: u32,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games of the default engine an opening; 0: openings are not judged.
    #[arg(long, default_value_t = 16)]
    pub games: u32,
    /// Search depth in those games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    /// Root noise in those games, so that they differ.
    #[arg(long, default_value_t = 20.0)]
    pub noise: f64,
    /// Lowest score of the first mover.
    #[arg(long, default_value_t = 0.25)]
    pub min_score: f64,
    /// Highest score of the first mover.
    #[arg(long, default_value_t = 0.75)]
    pub max_score: f64,
    /// Suites whose positions are not used again.
    #[arg(long, value_name = "FILE")]
    pub exclude: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, short)]
    pub output: PathBuf,
}

/// Which suite to check.
#[derive(Debug, Args)]
pub struct CheckSuiteArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The suite.
    pub file: PathBuf,
}

/// What to count.
#[derive(Debug, Args)]
pub struct PerftArgs {
    /// The game's name.
    pub game: String,
    /// The depth in plies.
    pub depth: u32,
    /// The position; the start without it.
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// The rules as `key=value,…`.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub rules: Option<String>,
}

/// What to show.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The position; the start without it.
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Moves from there, separated by blanks.
    #[arg(long)]
    pub moves: Option<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// What to compare.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// How many positions of random games.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub positions: u64,
    /// The seed of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What to search.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The game's name.
    pub game: String,
    /// Rules other than the default, such as size=8.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub rules: Option<String>,
    /// The depth in plies.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    /// Searches each position for so many milliseconds instead.
    #[arg(long, conflicts_with = "depth", value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub time_ms: Option<u64>,
    /// Changes one parameter of the default engine, such as fine_moves=20 or t2=0.7.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Writes a flame graph of the CPU time as SVG.
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// What to do with archived engines.
#[derive(Debug, Subcommand)]
pub enum ArchiveCommand {
    /// Keeps this program, an engine's parameters and their signature under a name.
    Save(SaveArgs),
    /// Runs an archived engine again, and demands the same signature and the same moves.
    Verify(ArchivedArgs),
    /// Lists the archives.
    List(ArchiveFolderArgs),
}

/// Where archives are.
#[derive(Debug, Args)]
pub struct ArchiveFolderArgs {
    /// The folder of all archives.
    #[arg(long, value_name = "DIR", default_value = crate::archive::FOLDER)]
    pub archive: PathBuf,
}

/// Which archive.
#[derive(Debug, Args)]
pub struct ArchivedArgs {
    /// Its name.
    pub name: String,
    /// Where it is.
    #[command(flatten)]
    pub folder: ArchiveFolderArgs,
}

/// What to archive.
#[derive(Debug, Args)]
pub struct SaveArgs {
    /// The archive's name.
    pub name: String,
    /// A config that has the variant, or a game, whose default engine is meant.
    #[arg(value_name = "CONFIG|GAME")]
    pub source: PathBuf,
    /// The variant of the config.
    #[arg(long)]
    pub variant: Option<String>,
    /// With a config: overrides one of its values; with a game: changes one parameter.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// With a game: its rules as `key=value,…`.
    #[arg(long, value_name = "KEY=VALUE,…", conflicts_with = "variant")]
    pub rules: Option<String>,
    /// The depth of the signature in plies.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    /// Where it is kept.
    #[command(flatten)]
    pub folder: ArchiveFolderArgs,
}

/// What to show again.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["run", "position", "suite"]))]
pub struct ReplayArgs {
    /// A run: its folder, or its name among the results.
    #[arg(requires = "id", conflicts_with_all = ["position", "suite"])]
    pub run: Option<PathBuf>,
    /// The game's id in games.csv, such as 000-000012-1.
    #[arg(value_name = "GAME")]
    pub id: Option<String>,
    /// The board after so many moves of the game; the end without it.
    #[arg(long, requires = "run")]
    pub ply: Option<usize>,
    /// Which attempt at the game; the last without it.
    #[arg(long, requires = "run")]
    pub attempt: Option<u32>,
    /// Searches the position too where no built-in engine of the game is to move.
    #[arg(long, requires = "run")]
    pub search: bool,
    /// The folder that holds the run directories.
    #[arg(long, default_value = "results")]
    pub results: PathBuf,
    /// A position of --game or of the config's; `start` is the start.
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Moves from there, separated by blanks.
    #[arg(long, requires = "position")]
    pub moves: Option<String>,
    /// Every position of a suite.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub suite: Option<PathBuf>,
    /// Only this position of the suite.
    #[arg(long, requires = "suite")]
    pub name: Option<String>,
    /// The game of the position.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["run", "config"])]
    pub game: Option<String>,
    /// The game's rules as `key=value,…`.
    #[arg(long, value_name = "KEY=VALUE,…", requires = "game")]
    pub rules: Option<String>,
    /// A config with the engine that searches.
    #[arg(long, requires = "variant")]
    pub config: Option<PathBuf>,
    /// The engine's name there.
    #[arg(long, requires = "config")]
    pub variant: Option<String>,
    /// A new search to this depth in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: Option<u32>,
    /// A new search of so many nodes.
    #[arg(long, conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Shows so many plies of the search tree; 0: none.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=6))]
    pub plies: u32,
    /// Shows so many moves a node, and those later ones that changed something.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub width: u32,
    /// One JSON object instead of text, for a suite one a line.
    #[arg(long)]
    pub json: bool,
}

/// What to solve.
#[derive(Debug, Args)]
#[command(override_usage = "agon solve [OPTIONS] <GAME> <DEAL|--board FILE|--range FIRST..LAST>")]
#[command(group = clap::ArgGroup::new("what_to_solve").required(true).args(["deal", "board", "range"]))]
pub struct SolveArgs {
    /// The game, such as freecell.
    pub game: String,
    /// A deal's number, or a position.
    #[arg(allow_hyphen_values = true)]
    pub deal: Option<String>,
    /// Reads the board from a file, as agon or another solver writes it; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub board: Option<PathBuf>,
    /// Solves the deals of these numbers, such as 1..1000, on all cores: a CSV row a deal.
    #[arg(long, value_name = "FIRST..LAST")]
    pub range: Option<String>,
    /// Replays the solution in a file and says whether it is right; - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["range", "trace", "preset", "set", "width", "nodes", "time_ms"])]
    pub check: Option<PathBuf>,
    /// A named set of parameters: `short` looks for short solutions.
    #[arg(long)]
    pub preset: Option<String>,
    /// Changes one parameter or weight of the solver, such as growth=4 or buried=-8.
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// The states kept of each layer, at first.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub width: Option<u32>,
    /// The most states that are made for a deal.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// The most milliseconds for a deal.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub time_ms: Option<u64>,
    /// Shows each layer: children made, duplicates among them, states kept, their values.
    #[arg(long, conflicts_with = "range")]
    pub trace: bool,
    /// One JSON object instead of text.
    #[arg(long, conflicts_with = "range")]
    pub json: bool,
    /// With --range: how many threads solve deals; all cores without it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// With --range: writes the rows to this file, over what is there, not to standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The scale of a test's bounds.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ModelArg {
    /// Expected scores: 34.86 is a win rate of 0.55.
    Logistic,
    /// Units of one game's noise, at most 200.
    Normalized,
}

/// What a test takes for one observation.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum OutcomesArg {
    /// Pairs of games.
    Pentanomial,
    /// Single games.
    Trinomial,
}

/// A test, and what to do with it.
#[derive(Debug, Args)]
pub struct SprtArgs {
    /// Elo of the null hypothesis.
    #[arg(long, allow_negative_numbers = true)]
    pub elo0: f64,
    /// Elo of the alternative, above elo0.
    #[arg(long, allow_negative_numbers = true)]
    pub elo1: f64,
    /// Probability of accepting H1 where H0 holds.
    #[arg(long, default_value_t = 0.05, allow_negative_numbers = true)]
    pub alpha: f64,
    /// Probability of accepting H0 where H1 holds.
    #[arg(long, default_value_t = 0.05, allow_negative_numbers = true)]
    pub beta: f64,
    /// The scale of elo0 and elo1.
    #[arg(long, value_enum, default_value_t = ModelArg::Logistic)]
    pub model: ModelArg,
    /// Evaluates these counts instead of simulating: LL,LD,DDWL,WD,WW of pairs or L,D,W of games.
    #[arg(long, value_name = "COUNTS", allow_hyphen_values = true)]
    pub counts: Option<String>,
    /// With --counts: one JSON object instead of text.
    #[arg(long, requires = "counts")]
    pub json: bool,
    /// What to simulate.
    #[command(flatten)]
    pub simulation: SimulationArgs,
}

/// The conditions of a simulation.
#[derive(Debug, Args)]
pub struct SimulationArgs {
    /// What the test takes for one observation.
    #[arg(long, value_enum, default_value_t = OutcomesArg::Pentanomial, conflicts_with = "counts")]
    pub outcomes: OutcomesArg,
    /// True differences in logistic Elo, separated by commas; without them, some around the bounds.
    #[arg(
        long,
        value_name = "ELO,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with = "counts"
    )]
    pub elo: Vec<f64>,
    /// Share of games drawn.
    #[arg(
        long,
        default_value_t = 0.0,
        allow_negative_numbers = true,
        conflicts_with = "counts"
    )]
    pub draws: f64,
    /// Openings' bias: with 0.2, the first side of two equal engines scores 0.7.
    #[arg(
        long,
        default_value_t = 0.0,
        allow_negative_numbers = true,
        conflicts_with = "counts"
    )]
    pub bias: f64,
    /// The most pairs a test may take, and the pairs of the win-rate rule. Without it the test
    /// has no cap, and the rule is shown over 50 pairs.
    #[arg(long, value_name = "CAP", value_parser = clap::value_parser!(u32).range(1..=100_000), conflicts_with = "counts")]
    pub pairs: Option<u32>,
    /// The win rate that the plain rule asks for.
    #[arg(
        long,
        default_value_t = 0.55,
        allow_negative_numbers = true,
        conflicts_with = "counts"
    )]
    pub at_least: f64,
    /// Simulated tests a true difference.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), conflicts_with = "counts")]
    pub runs: u32,
    /// The seed of the simulation.
    #[arg(long, default_value_t = 1, conflicts_with = "counts")]
    pub seed: u64,
    /// Writes the table to this file as CSV too.
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    pub csv: Option<PathBuf>,
}

/// A tuning, played or simulated.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct TuneArgs {
    /// Something else than a tuning.
    #[command(subcommand)]
    pub command: Option<TuneCommand>,
    /// The config file, with a table `[tune]`.
    #[arg(required = true)]
    pub config: Option<PathBuf>,
    /// How to play it.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What to do with methods of tuning.
#[derive(Debug, Subcommand)]
pub enum TuneCommand {
    /// Tunes a weight on landscapes whose best value is known, many times, without an engine.
    Simulate(TuneSimulateArgs),
}

/// A method of tuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// A round robin of five values, then batches around the best.
    Zoom,
    /// Nine values, each against the base.
    Grid,
    /// Simultaneous perturbation, meant for several parameters.
    Spsa,
    /// Ten random values, each against the base.
    Random,
}

/// What to simulate.
#[derive(Debug, Args)]
pub struct TuneSimulateArgs {
    /// The method.
    #[arg(long, value_enum, default_value_t = MethodArg::Zoom)]
    pub method: MethodArg,
    /// The landscapes, separated by commas: quad30, quad100, quad300, skew, quartic, cliff, edge,
    /// flat, linked, or all.
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "all"
    )]
    pub landscape: Vec<String>,
    /// Games of each tuning.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Most games of a confirming match.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub confirm_games: u32,
    /// Tunings of each landscape.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub replicates: u32,
    /// Share of games drawn, less where one side is much stronger.
    #[arg(long, default_value_t = 0.3, allow_negative_numbers = true)]
    pub draws: f64,
    /// The seed of the simulation.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}
