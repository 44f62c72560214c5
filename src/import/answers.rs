//! What people answer where a file does not say: `import.toml`, in the record's own names.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::measured::{Measured, Subject};
use super::note_text::StatedNote;
use crate::diagnostic::{Diagnostic, Location, Report, SourceText, rules};
use crate::record::{Date, LatencyLimits};
use crate::schema;

/// Answers for a folder of files. Each fills only what a file leaves open.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct Answers {
    /// Day of publication.
    pub published: Option<Date>,
    #[serde(default)]
    pub hardware: HardwareAnswer,
    #[serde(default)]
    pub software: SoftwareAnswer,
    #[serde(default)]
    pub model: ModelAnswer,
    #[serde(default)]
    pub workload: WorkloadAnswer,
    #[serde(default)]
    pub slo: LatencyLimits,
    pub price: Option<PriceAnswer>,
    #[serde(default)]
    pub note: NoteAnswer,
}

/// How a KV-efficiency note is filed and judged.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct NoteAnswer {
    pub technique: Option<String>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    pub confidence_reason: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct HardwareAnswer {
    pub accelerator: Option<String>,
    /// GPUs that the results cover.
    pub count: Option<u32>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct SoftwareAnswer {
    pub engine: Option<String>,
    pub engine_version: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct ModelAnswer {
    pub name: Option<String>,
    /// Storage type of the weights.
    pub quantization: Option<String>,
    pub kv_dtype: Option<String>,
    /// Replicas and their parallelism.
    pub parallelism: Option<String>,
}

/// The traffic, with the lengths that were asked for in tokens of a request.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct WorkloadAnswer {
    pub trace: Option<String>,
    pub input_tokens: Option<f64>,
    pub output_tokens: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct PriceAnswer {
    /// US dollars for one GPU and hour.
    pub usd_per_gpu_hour: f64,
    pub provider: Option<String>,
    pub tier: Option<String>,
    /// The day on which it was read.
    pub date: Option<Date>,
    pub source: Option<String>,
}

/// Something that a file does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// Its place in `import.toml`: the table, empty at the top, and the key.
    pub table: &'static str,
    pub key: &'static str,
    pub asks: &'static str,
    /// An answer as TOML writes it.
    pub example: &'static str,
    /// What is lost without an answer; `None` where there is no record without it.
    pub without: Option<&'static str>,
}

const QUESTIONS: [Question; 9] = [
    Question {
        table: "",
        key: "published",
        asks: "the day on which it was measured or published",
        example: "\"2026-11-05\"",
        without: None,
    },
    Question {
        table: "hardware",
        key: "accelerator",
        asks: "the accelerator that it ran on",
        example: "\"H100 80GB SXM\"",
        without: None,
    },
    Question {
        table: "hardware",
        key: "count",
        asks: "how many of them the results cover",
        example: "1",
        without: None,
    },
    Question { table: "software", key: "engine", asks: "the serving engine", example: "\"vllm\"", without: None },
    Question {
        table: "software",
        key: "engine_version",
        asks: "its version",
        example: "\"0.31.0\"",
        without: Some("the version is not stated"),
    },
    Question { table: "model", key: "name", asks: "the model", example: "\"Qwen/Qwen3-8B\"", without: None },
    Question {
        table: "slo",
        key: "ttft_p99_ms",
        asks: "the limit on p99 TTFT, ms",
        example: "2000",
        without: Some(WITHOUT_SLO),
    },
    Question {
        table: "slo",
        key: "tpot_p99_ms",
        asks: "the limit on p99 TPOT, ms",
        example: "50",
        without: Some(WITHOUT_SLO),
    },
    Question {
        table: "price",
        key: "usd_per_gpu_hour",
        asks: "what an hour of one GPU costs, US dollars",
        example: "2.69",
        without: Some("no cost"),
    },
];

/// What notes are asked besides.
const OF_NOTES: [Question; 5] = [
    Question {
        table: "hardware",
        key: "accelerator",
        asks: "the accelerator that it was measured on",
        example: "\"H100 80GB SXM\"",
        without: Some("the note names no card"),
    },
    Question {
        table: "software",
        key: "engine",
        asks: "the serving engine",
        example: "\"vllm\"",
        without: Some("the engine is not stated"),
    },
    Question {
        table: "note",
        key: "technique",
        asks: "what makes the cache cheaper",
        example: "\"prefix_caching\"",
        without: None,
    },
    Question { table: "note", key: "confidence", asks: "how far to trust it, 0 to 1", example: "0.5", without: None },
    Question {
        table: "note",
        key: "confidence_reason",
        asks: "why not more and not less",
        example: "\"The engine build is not named.\"",
        without: None,
    },
];

const WITHOUT_SLO: &str = "no goodput and no capacity";

impl Answers {
    /// Reads `import.toml`; what is wrong with it is reported.
    pub fn read(text: &Arc<SourceText>, report: &mut Report) -> Option<Self> {
        let value = schema::answers(text, report)?;
        let read = serde_json::from_value(value);
        read.map_err(|error: serde_json::Error| {
            let location = Location::File(text.path.clone());
            report.push(Diagnostic::new(&rules::IMPORT_ANSWERS, location, error.to_string()));
        })
        .ok()
    }

    /// These answers, and those of others where these give none.
    pub fn or(&self, other: &Self) -> Self {
        let text = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
        Answers {
            published: self.published.or(other.published),
            hardware: HardwareAnswer {
                accelerator: text(&self.hardware.accelerator, &other.hardware.accelerator),
                count: self.hardware.count.or(other.hardware.count),
            },
            software: SoftwareAnswer {
                engine: text(&self.software.engine, &other.software.engine),
                engine_version: text(&self.software.engine_version, &other.software.engine_version),
            },
            model: ModelAnswer {
                name: text(&self.model.name, &other.model.name),
                quantization: text(&self.model.quantization, &other.model.quantization),
                kv_dtype: text(&self.model.kv_dtype, &other.model.kv_dtype),
                parallelism: text(&self.model.parallelism, &other.model.parallelism),
            },
            workload: WorkloadAnswer {
                trace: text(&self.workload.trace, &other.workload.trace),
                input_tokens: self.workload.input_tokens.or(other.workload.input_tokens),
                output_tokens: self.workload.output_tokens.or(other.workload.output_tokens),
            },
            slo: if self.slo.is_empty() { other.slo.clone() } else { self.slo.clone() },
            price: self.price.clone().or_else(|| other.price.clone()),
            note: self.note.or(&other.note),
        }
    }

    /// Fills what a run leaves open.
    pub fn fill(&self, run: &mut Measured) {
        let fill = |field: &mut Option<String>, answer: &Option<String>| {
            if field.is_none() {
                field.clone_from(answer);
            }
        };
        let subject = &mut run.subject;
        fill(&mut subject.accelerator, &self.hardware.accelerator);
        fill(&mut subject.engine, &self.software.engine);
        fill(&mut subject.engine_version, &self.software.engine_version);
        fill(&mut subject.model, &self.model.name);
        fill(&mut subject.quantization, &self.model.quantization);
        fill(&mut subject.kv_dtype, &self.model.kv_dtype);
        fill(&mut subject.parallelism, &self.model.parallelism);
        subject.gpus = subject.gpus.or(self.hardware.count);
        let load = &mut run.load;
        fill(&mut load.dataset, &self.workload.trace);
        load.input_tokens_requested = load.input_tokens_requested.or(self.workload.input_tokens);
        load.output_tokens_requested = load.output_tokens_requested.or(self.workload.output_tokens);
        run.date = run.date.or(self.published);
        if run.slo_ms.is_empty() {
            run.slo_ms.clone_from(&self.slo);
        }
    }

    /// Fills what a note leaves open.
    pub fn fill_note(&self, note: &mut StatedNote) {
        let own = |field: &mut Option<String>, answer: &Option<String>| {
            if field.is_none() {
                field.clone_from(answer);
            }
        };
        note.published = note.published.or(self.published);
        own(&mut note.model, &self.model.name);
        own(&mut note.accelerator, &self.hardware.accelerator);
        own(&mut note.engine, &self.software.engine);
        note.judged = note.judged.or(&self.note);
    }

    /// What is still open of a note.
    pub fn open_in_note(note: &StatedNote) -> impl Iterator<Item = Question> {
        let [published, _, _, _, _, model, ..] = QUESTIONS;
        let [accelerator, engine, technique, confidence, reason] = OF_NOTES;
        let open = [
            (published, note.published.is_none()),
            (accelerator, note.accelerator.is_none()),
            (engine, note.engine.is_none()),
            (model, note.model.is_none()),
            (technique, note.judged.technique.is_none()),
            (confidence, note.judged.confidence.is_none()),
            (reason, note.judged.confidence_reason.is_none()),
        ];
        open.into_iter().filter(|(_, open)| *open).map(|(question, _)| question)
    }

    /// What these answers leave open of a run that they have filled, in the order of `import.toml`.
    pub fn open(&self, run: &Measured) -> impl Iterator<Item = Question> {
        let Subject { model, engine, engine_version, accelerator, gpus, .. } = &run.subject;
        let no_slo = run.slo_ms.is_empty();
        let open = [
            run.date.is_none(),
            accelerator.is_none(),
            gpus.is_none(),
            engine.is_none(),
            engine_version.is_none(),
            model.is_none(),
            no_slo,
            no_slo,
            self.price.is_none(),
        ];
        QUESTIONS.into_iter().zip(open).filter(|(_, open)| *open).map(|(question, _)| question)
    }
}

impl NoteAnswer {
    /// These answers, and those of others where these give none.
    fn or(&self, other: &Self) -> Self {
        NoteAnswer {
            technique: self.technique.clone().or_else(|| other.technique.clone()),
            confidence: self.confidence.or(other.confidence),
            confidence_reason: self.confidence_reason.clone().or_else(|| other.confidence_reason.clone()),
        }
    }
}

impl Question {
    /// Where it stands in `import.toml`: with its table, whoever asks.
    pub fn order(&self) -> usize {
        let same_key = |question: &Question| (question.table, question.key) == (self.table, self.key);
        let of_notes = || OF_NOTES.iter().position(same_key).map(|position| QUESTIONS.len() + position);
        QUESTIONS.iter().position(same_key).or_else(of_notes).unwrap_or(usize::MAX)
    }

    /// An answer that was typed, as TOML writes it.
    pub fn written(&self, typed: &str) -> String {
        // JSON's text between quotation marks is TOML's.
        let is_text = self.example.starts_with('"') && !typed.starts_with('"');
        if is_text { serde_json::Value::from(typed).to_string() } else { typed.to_owned() }
    }

    /// Its key with the table: `hardware.count`.
    pub fn path(self) -> String {
        if self.table.is_empty() { self.key.to_owned() } else { format!("{}.{}", self.table, self.key) }
    }
}

/// The lines of `import.toml` that answer questions, given in its order; what may stay open is commented out.
pub fn toml_lines(questions: &[Question]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut table = "";
    for question in questions {
        let same_table = questions.iter().filter(|other| other.table == question.table);
        let optional = |question: &Question| question.without.is_some();
        if question.table != table {
            table = question.table;
            let mark = if same_table.clone().all(optional) { "# " } else { "" };
            lines.push(format!("{mark}[{table}]"));
        }
        let line = format!("{} = {}", question.key, question.example);
        lines.push(match question.without {
            Some(without) => format!("# {line}  # else: {without}"),
            None => line,
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn answers(text: &str) -> (Option<Answers>, Report) {
        let mut report = Report::new();
        let answers = Answers::read(&Arc::new(SourceText::new("import.toml", text)), &mut report);
        (answers, report)
    }

    #[test]
    fn the_example_of_the_schema_survives() {
        let schema: Value = serde_json::from_str(include_str!("../../schemas/import.json")).expect("schemas are JSON");
        let example = &schema["examples"][0];
        let read: Answers = serde_json::from_value(example.clone()).expect("the example decodes");
        assert_eq!(&serde_json::to_value(read).expect("answers encode"), example);
    }

    #[test]
    fn an_answer_fills_only_what_the_file_leaves_open() {
        let text = "published = 2026-11-05\n[hardware]\naccelerator = \"L4\"\ncount = 2\n[software]\nengine = \"vllm\"\n\
                    [model]\nname = \"other\"\nkv_dtype = \"fp8\"\n[workload]\ninput_tokens = 1024\noutput_tokens = 128\n\
                    [slo]\nttft_p95_ms = 100\n";
        let answers = answers(text).0.expect("good answers");
        let mut run = Measured::default();
        run.subject.model = Some("own".to_owned());
        run.subject.gpus = Some(8);
        run.load.output_tokens_requested = Some(64.0);
        answers.fill(&mut run);
        let subject = &run.subject;
        assert_eq!((subject.model.as_deref(), subject.gpus), (Some("own"), Some(8)));
        assert_eq!((subject.accelerator.as_deref(), subject.engine.as_deref()), (Some("L4"), Some("vllm")));
        assert_eq!((subject.kv_dtype.as_deref(), subject.quantization.as_deref()), (Some("fp8"), None));
        assert_eq!((run.load.input_tokens_requested, run.load.output_tokens_requested), (Some(1024.0), Some(64.0)));
        assert_eq!(run.date, Some(Date::constant(2026, 11, 5)));
        let open: Vec<_> = answers.open(&run).map(Question::path).collect();
        assert_eq!(open, ["software.engine_version", "price.usd_per_gpu_hour"]);
    }

    #[test]
    fn a_misspelt_answer_is_refused_with_its_neighbour() {
        let (read, report) = answers("[hardware]\nacelerator = \"L4\"\n");
        let said: Vec<_> = report.diagnostics().map(|one| (one.rule.code, one.help.as_deref())).collect();
        assert!(read.is_none());
        assert_eq!(said, [("schema/unknown-field", Some("did you mean `accelerator`?"))]);
    }

    #[test]
    fn the_lines_to_write_are_toml_that_answers_every_question() {
        let run = Measured::default();
        let open: Vec<_> = Answers::default().open(&run).collect();
        assert_eq!(open, QUESTIONS);
        let lines = toml_lines(&open);
        let (needed, _) = answers(&lines.join("\n"));
        let mut run = Measured::default();
        needed.expect("the lines are answers").fill(&mut run);
        assert!(Answers::default().open(&run).all(|question| question.without.is_some()), "{lines:?}");
        let all = lines.iter().map(|line| line.trim_start_matches("# ")).collect::<Vec<_>>().join("\n");
        let all = answers(&all).0.expect("the optional lines are answers");
        all.fill(&mut run);
        assert_eq!(all.open(&run).count(), 0, "{lines:?}");
    }
}
