//! From the files that were named to the records made of them: read, answered, put together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::answers::{Answers, Question, toml_lines};
use super::set::{self, Found, Set};
use super::{Foreign, Format, Imported, NewFile, audit_record, named, note, recognise, run_record, written};
use crate::diagnostic::{Diagnostic, Location, Report, SourceText, rules};
use crate::source::{self, Kind};

/// The file of answers that is looked for beside results.
const ANSWERS: &str = "import.toml";

/// What is to be imported.
pub struct Request<'a> {
    /// Files and folders.
    pub paths: &'a [PathBuf],
    /// The format of all files; recognised file by file where it is `None`.
    pub format: Option<&'static dyn Format>,
    /// The file of answers for all; the one beside each file where it is `None`.
    pub answers: Option<&'a Path>,
}

/// What was read, before it is made into records.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Records that their files hold as they are.
    records: Vec<Imported>,
    runs: Vec<Answered>,
    /// Files of folders that hold no result, and why.
    pub passed_over: Vec<(PathBuf, String)>,
}

/// A run and the answers that hold for it.
#[derive(Debug)]
struct Answered {
    found: Found,
    /// Path of the file that the run was read from.
    path: PathBuf,
    /// Where its answers stand, or would.
    place: PathBuf,
    answers: Arc<Answers>,
}

/// Reads all files; what is wrong with them, or with their answers, is reported.
pub fn gather(request: &Request, report: &mut Report) -> Gathered {
    let mut gathered = Gathered::default();
    let mut known = BTreeMap::new();
    for path in request.paths {
        match source::foreign_files(path) {
            None => gathered.file(path, None, request, &mut known, report),
            Some(Err(problem)) => report.push(problem),
            Some(Ok(files)) => {
                let before = gathered.count();
                for file in files.iter().filter(|file| !file.ends_with(ANSWERS)) {
                    gathered.file(file, Some(path), request, &mut known, report);
                }
                if gathered.count() == before && !report.has_errors() {
                    gathered.nothing_in(path, report);
                }
            }
        }
    }
    gathered.once();
    gathered
}

impl Gathered {
    fn count(&self) -> usize {
        self.records.len() + self.runs.len()
    }

    /// Reads one file, by itself or as one of a folder.
    fn file(
        &mut self,
        path: &Path,
        folder: Option<&Path>,
        request: &Request,
        known: &mut BTreeMap<PathBuf, Arc<Answers>>,
        report: &mut Report,
    ) {
        let read = Foreign::read(path).and_then(|file| {
            // In a folder, a named format is only that of the files that look like it.
            let format = request.format.filter(|format| folder.is_none() || format.recognises(&file));
            recognise(&file, format).map(|format| (file, format))
        });
        let (file, format) = match read {
            Ok(read) => read,
            Err(problem)
                if folder.is_some() && [&rules::IMPORT_NO_RESULT, &rules::IMPORT_UNKNOWN].contains(&problem.rule) =>
            {
                return self.passed_over.push((path.to_owned(), problem.message));
            }
            Err(problem) => return report.push(problem),
        };
        let Some(content) = format.read(&file, report) else { return };
        self.records.extend(content.records);
        if content.runs.is_empty() {
            return;
        }
        let place = match request.answers {
            Some(path) => path.to_owned(),
            None => beside(path, folder),
        };
        let answers = known
            .entry(place.clone())
            .or_insert_with(|| Arc::new(answers(&place, request.answers.is_some(), report).unwrap_or_default()));
        let origin = Arc::new(file.origin(format.name()));
        for mut run in content.runs {
            let twice = file.values().twice.iter().filter_map(|key| named::words(key));
            let remarks: Vec<_> = twice
                .map(|key| format!("the key “{key}” stands twice in one object of the file; the last counts"))
                .collect();
            run.remarks.extend(remarks);
            run.complete();
            let own_folder = folder.or_else(|| path.parent()).unwrap_or(Path::new("")).to_owned();
            let found = Found { run, origins: BTreeSet::from([Arc::clone(&origin)]), folder: own_folder, price: None };
            self.runs.push(Answered {
                found,
                path: path.to_owned(),
                place: place.clone(),
                answers: Arc::clone(answers),
            });
        }
    }

    fn nothing_in(&self, folder: &Path, report: &mut Report) {
        let location = Location::File(folder.to_string_lossy().into_owned());
        let files: Vec<_> =
            self.passed_over.iter().map(|(path, reason)| format!("{}: {reason}", path.display())).collect();
        let message = "no file of the folder is a result that can be imported";
        let problem = Diagnostic::new(&rules::IMPORT_UNKNOWN, location, message);
        let help = if files.is_empty() { "the folder is empty" } else { "what each is:" };
        report.push(problem.help(help).lines(files));
    }

    /// Leaves one of each run, and fills in the answers.
    fn once(&mut self) {
        let mut distinct: Vec<Answered> = Vec::new();
        for answered in std::mem::take(&mut self.runs) {
            match distinct.iter_mut().find(|known| known.found.is_same_run(&answered.found)) {
                Some(known) => known.found.absorb(answered.found),
                None => distinct.push(answered),
            }
        }
        self.runs = distinct;
        self.runs.iter_mut().for_each(Answered::fill);
    }

    /// What is open, each question once, in the order of `import.toml`.
    pub fn questions(&self) -> Vec<Question> {
        let mut open = Vec::new();
        for question in self.runs.iter().flat_map(Answered::open) {
            if !open.contains(&question) {
                open.push(question);
            }
        }
        open.sort_by_key(Question::order);
        open
    }

    /// Takes answers that were given to those questions, as TOML.
    pub fn answer(&mut self, toml: &str, report: &mut Report) {
        let text = Arc::new(SourceText::new("your answers", toml));
        let Some(answers) = Answers::read(&text, report) else { return };
        for run in &mut self.runs {
            run.answers = Arc::new(run.answers.or(&answers));
            run.fill();
        }
    }

    /// Reports what no record can be without, and is still open: all of it at once, with the lines that answer it.
    pub fn report_open(&self, report: &mut Report) {
        let mut places: BTreeMap<&PathBuf, (BTreeSet<Question>, BTreeSet<&PathBuf>)> = BTreeMap::new();
        for run in &self.runs {
            let open: Vec<_> = run.open().collect();
            if open.iter().any(|question| question.without.is_none()) {
                let (questions, files) = places.entry(&run.place).or_default();
                questions.extend(open);
                files.insert(&run.path);
            }
        }
        for (place, (questions, files)) in places {
            let mut questions: Vec<_> = questions.into_iter().collect();
            questions.sort_by_key(Question::order);
            let needed: Vec<_> = questions
                .iter()
                .filter(|question| question.without.is_none())
                .map(|question| question.path())
                .collect();
            let names: Vec<_> = files.iter().take(3).map(|file| file.display().to_string()).collect();
            let more = if files.len() > names.len() {
                format!(" and {} more", files.len() - names.len())
            } else {
                String::new()
            };
            let verb = if files.len() == 1 { "does" } else { "do" };
            let message = format!("{}{more} {verb} not say {}", names.join(", "), needed.join(", "));
            let location = Location::File(place.to_string_lossy().into_owned());
            let problem = Diagnostic::new(&rules::IMPORT_OPEN, location, message);
            report.push(problem.help("write into this file:").lines(toml_lines(&questions)));
        }
    }

    /// The records of everything that was read; each fits its schema, so that a site can take it. `standing` gives the
    /// text of a record that stands under an id already.
    pub fn records(self, standing: impl Fn(Kind, &str) -> Option<String>, report: &mut Report) -> Vec<Imported> {
        let mut made = self.records;
        for set in set::sets(self.runs.into_iter().map(|run| run.found).collect()) {
            let kind = if audit_record::is_audit(&set) { Kind::Audit } else { Kind::Run };
            let usual = id(&set);
            let is_taken = made.iter().any(|known| known.id == usual)
                || standing(kind, &usual)
                    .is_some_and(|text| !set.origins.iter().all(|origin| text.contains(&origin.sha256)));
            // Another result of the same subject and day; the digest tells the two apart, whichever came first.
            let id = if is_taken { format!("{usual}-{}", set.digest()) } else { usual };
            made.push(imported(&set, kind, id));
        }
        made.into_iter().filter(|record| record.fits(report)).collect()
    }
}

impl Answered {
    fn fill(&mut self) {
        self.answers.fill(&mut self.found.run);
        if self.found.price.is_none() {
            self.found.price.clone_from(&self.answers.price);
        }
    }

    fn open(&self) -> impl Iterator<Item = Question> {
        self.answers.open(&self.found.run)
    }
}

/// Where the answers for a file stand: in its folder or, of a folder that is imported, in the nearest one above.
fn beside(path: &Path, folder: Option<&Path>) -> PathBuf {
    let own = path.parent().unwrap_or(Path::new(""));
    let above = own.ancestors().take_while(|above| folder.is_some_and(|folder| above.starts_with(folder)));
    let places = above.map(|above| above.join(ANSWERS));
    places.into_iter().find(|place| source::is_file(place)).unwrap_or_else(|| folder.unwrap_or(own).join(ANSWERS))
}

/// The answers of a file; none where it is not there, unless it was asked for by name.
fn answers(place: &Path, named: bool, report: &mut Report) -> Option<Answers> {
    if !named && !source::is_file(place) {
        return None;
    }
    match source::foreign(place) {
        Ok(file) => Answers::read(&Arc::new(file.text), report),
        Err(problem) => {
            report.push(problem);
            None
        }
    }
}

/// A name of what was measured, on what and when.
fn id(set: &Set) -> String {
    let run = set.first();
    let subject = &run.subject;
    let count = subject.gpus.filter(|count| *count > 1).map(|count| format!("x{count}"));
    let date = run.date.map(|date| date.to_string());
    let model = Some(run_record::model(run).to_owned());
    let parts = [model, count, subject.accelerator.clone(), subject.engine.clone(), date];
    named::slug(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

fn imported(set: &Set, kind: Kind, id: String) -> Imported {
    let sources = note::sources(set.origins.iter().map(AsRef::as_ref));
    let price = set.price.as_ref().map(note::price);
    let mut front_matter = if kind == Kind::Audit { audit_record::record(set, &id) } else { json!({}) };
    front_matter["sources"] = sources;
    if let Some(price) = price {
        front_matter["price"] = price;
    }
    let files = if kind == Kind::Audit {
        vec![NewFile { kind, text: written::markdown(&front_matter, &note::body(set, audit_record::METHOD)) }]
    } else {
        front_matter["acknowledges"] = note::acknowledgements();
        let note = written::markdown(&front_matter, &note::body(set, ""));
        let record = written::json(&run_record::record(set, &id));
        vec![NewFile { kind, text: record }, NewFile { kind: Kind::CuratorNote, text: note }]
    };
    let made_of = set.origins.iter().map(|origin| origin.file.clone()).collect();
    Imported { id, files, made_of, remarks: set.remarks() }
}
