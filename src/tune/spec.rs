//! A tuning as plain data, and the runs that it consists of.

use serde::{Deserialize, Serialize};

use super::{Axis, InTurn, MethodSpec, Trial, TuneError};
use crate::params::{Parameter, ParameterValues};
use crate::results::{
    AdjudicationSpec, Criterion, EngineKind, GameSpec, OpeningSpec, PairingSpec, RunSpec,
    VariantSpec, VerdictSpec,
};
use crate::stats::SprtSpec;

/// All that decides which games a tuning plays, and what it makes of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// The tuning's name.
    pub name: String,
    /// The game and its rules.
    pub game: GameSpec,
    /// The seed of all its runs, and of what the method leaves to chance.
    pub seed: u64,
    /// The variant whose parameters are tuned.
    pub base: VariantSpec,
    /// The method and its budget, of one turn.
    pub method: MethodSpec,
    /// How often each parameter is tuned at most.
    pub rounds: u32,
    /// What is tuned.
    pub parameters: Vec<TunedSpec>,
    /// The openings of the tuning's own games.
    pub openings: Vec<OpeningSpec>,
    /// The confirming match; without one nothing is adopted.
    pub confirm: Option<ConfirmSpec>,
    /// Wall-clock milliseconds that a move may take beyond a time limit before it loses.
    pub margin_ms: u64,
    /// Which games end before the rules end them.
    pub adjudication: AdjudicationSpec,
    /// As in a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<Criterion>,
}

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedSpec {
    /// Where the variant has it.
    pub home: Home,
    /// The parameter, as it is declared.
    pub parameter: Parameter,
    /// The low end of the range to search.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// Where a variant has a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    /// Among those of its search.
    Search,
    /// Among those of its evaluation.
    Evaluation,
    /// Among the options of another program.
    Option,
}

/// The match that has to confirm a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfirmSpec {
    /// Its openings, none of which the tuning has met.
    pub openings: Vec<OpeningSpec>,
    /// Its length at most, in pairs.
    pub pairs: u32,
}

/// The content of `tune.json`: all that must be the same for a tuning to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneFile {
    /// Version of this format.
    pub version: u32,
    /// agon's version.
    pub agon: String,
    /// SHA-256 of the agon program, whose built-in engines play.
    pub program: String,
    /// What is tuned.
    pub spec: TuneSpec,
}

impl TuneFile {
    /// Version of the format that this agon writes.
    pub const VERSION: u32 = 1;
}

impl TunedSpec {
    /// The value that a variant has; `None` where it is no number, or the variant does not say.
    #[must_use]
    pub fn value_in(&self, variant: &VariantSpec) -> Option<f64> {
        let name = self.parameter.name.as_str();
        let among = |values: &ParameterValues| {
            values
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value)
        };
        match (&variant.engine, self.home) {
            (EngineKind::BuiltIn(search), Home::Search) => among(&search.parameters),
            (EngineKind::BuiltIn(search), Home::Evaluation) => among(&search.evaluation),
            (EngineKind::External(spec), Home::Option) => {
                let mut options = spec.options.iter();
                let set = options.find(|(known, _)| known.eq_ignore_ascii_case(name));
                set.map_or(Some(self.parameter.default), |(_, text)| text.parse().ok())
            }
            _ => None,
        }
    }

    /// Sets the parameter in a variant that has it.
    fn set(&self, variant: &mut VariantSpec, value: f64) {
        let name = self.parameter.name.as_str();
        let declared = std::slice::from_ref(&self.parameter);
        match (&mut variant.engine, self.home) {
            (EngineKind::BuiltIn(search), Home::Search) => {
                search
                    .parameters
                    .set(declared, name, value)
                    .expect("a value of the axis");
            }
            (EngineKind::BuiltIn(search), _) => {
                search
                    .evaluation
                    .set(declared, name, value)
                    .expect("a value of the axis");
            }
            (EngineKind::External(spec), _) => {
                spec.options
                    .retain(|known, _| !known.eq_ignore_ascii_case(name));
                spec.options.insert(name.to_owned(), value.to_string());
            }
        }
    }
}

/// The values of a setting as a name: `t1=0.5, t2=1`.
#[must_use]
pub fn setting_name(setting: &ParameterValues) -> String {
    let texts: Vec<String> = setting
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    texts.join(", ")
}

impl TuneSpec {
    /// Games of a confirming match at most; without one, as many as any match may have, so that
    /// nothing is said against it.
    #[must_use]
    pub fn most_confirming_games(&self) -> u64 {
        self.confirm
            .as_ref()
            .map_or(20_000, |confirm| 2 * u64::from(confirm.pairs))
    }

    /// The ranges of all parameters around the base's values.
    ///
    /// # Errors
    /// As [`Axis::new`], of each parameter.
    pub fn axes(&self) -> Vec<Result<Axis, TuneError>> {
        let axis = |tuned: &TunedSpec| {
            let base = tuned.value_in(&self.base).unwrap_or(f64::NAN);
            Axis::new(&tuned.parameter, tuned.low, tuned.high, base)
        };
        self.parameters.iter().map(axis).collect()
    }

    /// The tuning before its first game.
    ///
    /// # Errors
    /// As [`InTurn::new`].
    pub fn begin(&self) -> Result<InTurn, TuneError> {
        let axes: Vec<Axis> = self.axes().into_iter().collect::<Result<_, _>>()?;
        InTurn::new(self.method.clone(), &axes, self.rounds, self.seed)
    }

    /// The base with the tuned parameters of `setting` as it has them.
    #[must_use]
    pub fn variant(&self, name: &str, setting: &ParameterValues) -> VariantSpec {
        let mut variant = VariantSpec {
            name: name.to_owned(),
            ..self.base.clone()
        };
        for (name, value) in setting.iter() {
            let tuned = self.parameters.iter();
            for tuned in tuned.filter(|tuned| tuned.parameter.name == name) {
                tuned.set(&mut variant, value);
            }
        }
        variant
    }

    /// The run of a batch: a variant for every different setting, a pairing for every trial, all
    /// pairs of it played. `base` has all tuned parameters; a trial's own go over them.
    #[must_use]
    pub fn batch(&self, base: &ParameterValues, trials: &[Trial]) -> RunSpec {
        let base = self.variant("", base);
        let on_base = TuneSpec {
            base,
            ..self.clone()
        };
        let mut variants: Vec<VariantSpec> = Vec::new();
        let mut index_of = |setting: &ParameterValues| {
            let name = setting_name(setting);
            let known = variants.iter().position(|variant| variant.name == name);
            known.unwrap_or_else(|| {
                variants.push(on_base.variant(&name, setting));
                variants.len() - 1
            })
        };
        let pairing = |trial: &Trial| PairingSpec {
            candidate: index_of(&trial.candidate),
            base: index_of(&trial.base),
            pairs: trial.pairs,
            first_pair: trial.first_pair,
        };
        let pairings = trials.iter().map(pairing).collect();
        // No score ends it before its last pair.
        let all_pairs = VerdictSpec::WinRate { at_least: 5000 };
        self.run(variants, pairings, &self.openings, all_pairs)
    }

    /// The run of a confirming match; `None` where there is to be none.
    #[must_use]
    pub fn confirming(
        &self,
        candidate: &ParameterValues,
        base: &ParameterValues,
        test: SprtSpec,
    ) -> Option<RunSpec> {
        let confirm = self.confirm.as_ref()?;
        let variants = [candidate, base]
            .map(|setting| self.variant(&setting_name(setting), setting))
            .to_vec();
        let pairing = PairingSpec {
            candidate: 0,
            base: 1,
            pairs: confirm.pairs,
            first_pair: 0,
        };
        let test = VerdictSpec::Sprt(test);
        Some(self.run(variants, vec![pairing], &confirm.openings, test))
    }

    fn run(
        &self,
        variants: Vec<VariantSpec>,
        pairings: Vec<PairingSpec>,
        openings: &[OpeningSpec],
        verdict: VerdictSpec,
    ) -> RunSpec {
        RunSpec {
            name: self.name.clone(),
            game: self.game.clone(),
            seed: self.seed,
            variants,
            pairings,
            openings: openings.to_vec(),
            margin_ms: self.margin_ms,
            verdict,
            adjudication: self.adjudication,
            compare: self.compare,
        }
    }
}
