//! From the files that were named to the records made of them: read, answered, put together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::answers::{Answers, Question, toml_lines};
use super::note_text::StatedNote;
use super::set::{self, Found, Origin, Set};
use super::{
    Addition, Content, Foreign, Format, Imported, NewFile, audit_record, kv_note, named, note, recognise, run_record,
    written,
};
use crate::anchor;
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
    notes: Vec<Placed>,
    /// Files of folders that hold no result, and why.
    pub passed_over: Vec<(PathBuf, String)>,
}

/// A note and the answers that hold for it.
#[derive(Debug)]
struct Placed {
    note: StatedNote,
    path: PathBuf,
    place: PathBuf,
    answers: Arc<Answers>,
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
    let mut reader =
        Reader { request, answers: BTreeMap::new(), additions: Vec::new(), gathered: Gathered::default(), report };
    for path in request.paths {
        match source::foreign_files(path) {
            None => reader.file(path, None),
            Some(Err(problem)) => reader.report.push(problem),
            Some(Ok(files)) => reader.folder(path, &files),
        }
    }
    let Reader { additions, mut gathered, .. } = reader;
    gathered.once();
    for addition in additions {
        gathered.add(addition, report);
    }
    gathered.fill();
    gathered
}

/// Reads file by file.
struct Reader<'a> {
    request: &'a Request<'a>,
    /// Answers by the file they stand in.
    answers: BTreeMap<PathBuf, Arc<Answers>>,
    additions: Vec<Added>,
    gathered: Gathered,
    report: &'a mut Report,
}

/// What a file adds to runs of other files.
struct Added {
    addition: Addition,
    path: PathBuf,
    /// The folder that was named, where the file was found in one.
    within: Option<PathBuf>,
    origin: Arc<Origin>,
}

impl Reader<'_> {
    fn folder(&mut self, folder: &Path, files: &[PathBuf]) {
        let (before, errors) = (self.gathered.count(), self.report.errors());
        for file in files.iter().filter(|file| !file.ends_with(ANSWERS)) {
            self.file(file, Some(folder));
        }
        if self.gathered.count() == before && self.report.errors() == errors {
            self.nothing_in(folder);
        }
    }

    /// Reads one file, by itself or as one of a folder.
    fn file(&mut self, path: &Path, folder: Option<&Path>) {
        let file = match Foreign::read(path) {
            Ok(file) => file,
            // Folders of results hold pictures and archives too.
            Err(problem) if folder.is_some() && *problem.rule != rules::FILE_IO => {
                return self.pass_over(path, problem);
            }
            Err(problem) => return self.report.push(problem),
        };
        // In a folder, a named format is only that of the files that look like it.
        let named = self.request.format.filter(|format| folder.is_none() || format.recognises(&file));
        let format = match recognise(&file, named) {
            Ok(format) => format,
            Err(problem) if folder.is_some() => return self.pass_over(path, problem),
            Err(problem) => return self.report.push(problem),
        };
        let errors = self.report.errors();
        let content = format.read(&file, self.report);
        if self.report.errors() > errors {
            return;
        }
        let content = content.unwrap_or_default();
        if content.is_empty() || (named.is_some() && !format.recognises(&file) && !content.has_result()) {
            let problem = nothing_read(&file, format);
            return if folder.is_some() { self.pass_over(path, problem) } else { self.report.push(problem) };
        }
        let Content { records, runs, notes, additions } = content;
        let origin = Arc::new(file.origin(format.name()));
        self.gathered.records.extend(records);
        let added = |addition| Added {
            addition,
            path: path.to_owned(),
            within: folder.map(Path::to_owned),
            origin: Arc::clone(&origin),
        };
        self.additions.extend(additions.into_iter().map(added));
        if runs.is_empty() && notes.is_empty() {
            return;
        }
        let (place, answers) = self.answers(path, folder);
        for note in notes {
            let (path, place, answers) = (path.to_owned(), place.clone(), Arc::clone(&answers));
            self.gathered.notes.push(Placed { note, path, place, answers });
        }
        for mut run in runs {
            for key in file.values().twice.iter().filter_map(|key| named::words(key)) {
                run.remark(format!("the key “{key}” stands twice in one object of the file; the last counts"));
            }
            run.complete();
            let folder = together(path, folder);
            let found = Found { run, origins: BTreeSet::from([Arc::clone(&origin)]), folder, price: None };
            let (path, place, answers) = (path.to_owned(), place.clone(), Arc::clone(&answers));
            self.gathered.runs.push(Answered { found, path, place, answers });
        }
    }

    fn pass_over(&mut self, path: &Path, problem: Diagnostic) {
        self.gathered.passed_over.push((path.to_owned(), problem.message));
    }

    /// The answers for a file, and where they stand or would.
    fn answers(&mut self, path: &Path, folder: Option<&Path>) -> (PathBuf, Arc<Answers>) {
        let named = self.request.answers;
        let place = named.map_or_else(|| beside(path, folder), Path::to_owned);
        let known = self.answers.entry(place.clone()).or_insert_with(|| {
            let is_there = named.is_some() || source::is_file(&place);
            let read = if is_there { read_answers(&place, self.report) } else { None };
            Arc::new(read.unwrap_or_default())
        });
        (place, Arc::clone(known))
    }

    fn nothing_in(&mut self, folder: &Path) {
        let location = Location::File(folder.to_string_lossy().into_owned());
        let files = self.gathered.passed_over.iter().filter(|(path, _)| path.starts_with(folder));
        let files: Vec<_> = files.map(|(path, reason)| format!("{}: {reason}", path.display())).collect();
        let message = "no file of the folder is a result that can be imported";
        let problem = Diagnostic::new(&rules::IMPORT_UNKNOWN, location, message);
        let help = if files.is_empty() { "the folder is empty" } else { "what each is:" };
        self.report.push(problem.help(help).lines(files));
    }
}

/// A file in which its format, which may have been named for it, finds nothing.
fn nothing_read(file: &Foreign, format: &dyn Format) -> Diagnostic {
    let location = Location::File(file.text.path.clone());
    let message = format!("nothing in it is of {}, which is {}", format.name(), format.known_by());
    let looks = match recognise(file, None) {
        Ok(other) if other.name() != format.name() => {
            format!("it looks like {}: {}; leave out --format", other.name(), other.about())
        }
        Ok(_) => "it holds no values".to_owned(),
        Err(problem) => problem.message,
    };
    Diagnostic::new(&rules::IMPORT_UNKNOWN, location, message).help(looks)
}

/// The folder whose files belong together: the one that was named, else that of the file.
fn together(path: &Path, folder: Option<&Path>) -> PathBuf {
    folder.or_else(|| path.parent()).unwrap_or(Path::new("")).to_owned()
}

impl Gathered {
    /// What was read so far, in files that hold something.
    fn count(&self) -> usize {
        self.records.len() + self.runs.len() + self.notes.len()
    }

    /// Results among it that leave nothing open which no record can be without.
    pub fn good(&self) -> usize {
        let needs = |questions: &[Question]| questions.iter().any(|question| question.without.is_none());
        self.records.len() + self.open().filter(|(.., questions)| !needs(questions)).count()
    }

    fn fill(&mut self) {
        self.runs.iter_mut().for_each(Answered::fill);
        self.notes.iter_mut().for_each(|placed| placed.answers.fill_note(&mut placed.note));
    }

    /// Everything that is open, with the file that it is open of and the place of its answers.
    fn open(&self) -> impl Iterator<Item = (&PathBuf, &PathBuf, Vec<Question>)> {
        let runs = self.runs.iter().map(|run| (&run.path, &run.place, run.open().collect()));
        let notes = self.notes.iter();
        runs.chain(notes.map(|note| (&note.path, &note.place, Answers::open_in_note(&note.note).collect())))
    }

    /// Leaves one of each run.
    fn once(&mut self) {
        let mut distinct: Vec<Answered> = Vec::new();
        for answered in std::mem::take(&mut self.runs) {
            match distinct.iter_mut().find(|known| known.found.is_same_run(&answered.found)) {
                Some(known) => known.found.absorb(answered.found),
                None => distinct.push(answered),
            }
        }
        self.runs = distinct;
    }

    /// Joins what a file adds to the runs of its folder that it is of. Where it is of none, there is nothing to make of it.
    fn add(&mut self, added: Added, report: &mut Report) {
        let Added { addition, path, within, origin } = added;
        let folder = together(&path, within.as_deref());
        let mut joined = false;
        for Answered { found, .. } in self.runs.iter_mut().filter(|run| run.found.folder == folder) {
            if (addition.join)(&mut found.run) {
                found.run.complete();
                found.origins.insert(Arc::clone(&origin));
                joined = true;
            }
        }
        let message = format!("no result of its own: {}, of no result beside it", addition.what);
        if !joined && within.is_some() {
            self.passed_over.push((path, message));
        } else if !joined {
            let location = Location::File(path.to_string_lossy().into_owned());
            let problem = Diagnostic::new(&rules::IMPORT_NO_RESULT, location, message);
            report.push(problem.help("import it together with the result that it is of"));
        }
    }

    /// What is open, each question once, in the order of `import.toml`.
    pub fn questions(&self) -> Vec<Question> {
        let mut open: Vec<_> = self.open().flat_map(|(.., questions)| questions).collect();
        once_each(&mut open);
        open
    }

    /// Takes answers that were given to those questions, as TOML.
    pub fn answer(&mut self, toml: &str, report: &mut Report) {
        let text = Arc::new(SourceText::new("your answers", toml));
        let Some(answers) = Answers::read(&text, report) else { return };
        for run in &mut self.runs {
            run.answers = Arc::new(run.answers.or(&answers));
        }
        for note in &mut self.notes {
            note.answers = Arc::new(note.answers.or(&answers));
        }
        self.fill();
    }

    /// Reports what no record can be without, and is still open: all of it at once, with the lines that answer it.
    pub fn report_open(&self, report: &mut Report) {
        let mut places: BTreeMap<&PathBuf, (BTreeSet<Question>, BTreeSet<&PathBuf>)> = BTreeMap::new();
        for (path, place, open) in self.open() {
            if open.iter().any(|question| question.without.is_none()) {
                let (questions, files) = places.entry(place).or_default();
                questions.extend(open);
                files.insert(path);
            }
        }
        for (place, (questions, files)) in places {
            let mut questions: Vec<_> = questions.into_iter().collect();
            once_each(&mut questions);
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
        made.extend(self.notes.iter().map(|placed| placed.note.record()));
        for set in set::sets(self.runs.into_iter().map(|run| run.found).collect()) {
            let kind = if audit_record::is_audit(&set) { Kind::Audit } else { Kind::Run };
            let usual = id(&set);
            let is_taken = made.iter().any(|known| known.id == usual)
                || standing(kind, &usual)
                    .is_some_and(|text| !set.origins.iter().all(|origin| text.contains(&origin.sha256)));
            // Another result of the same subject and day, perhaps of the same file; what it says tells the two apart.
            let digest = || anchor::short_digest(written::json(&run_record::record(&set, "")).as_bytes());
            let id = if is_taken { apart(&format!("{usual}-{}", digest()), &made) } else { usual };
            // In a folder of one's own both stand side by side.
            let note_id = format!("{id}-by-context");
            let note = kv_note::record(&set, &note_id).map(|record| kv_note(&set, record, note_id));
            made.push(imported(&set, kind, id));
            made.extend(note);
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

/// Questions in the order of `import.toml`; of a key that is asked twice, that which needs an answer.
fn once_each(questions: &mut Vec<Question>) {
    questions.sort_by_key(|question| (question.order(), question.without.is_some()));
    questions.dedup_by_key(|question| question.order());
}

/// Where the answers for a file stand: in its folder or, of a folder that is imported, in the nearest one above.
fn beside(path: &Path, folder: Option<&Path>) -> PathBuf {
    let own = path.parent().unwrap_or(Path::new(""));
    let above = own.ancestors().take_while(|above| folder.is_some_and(|folder| above.starts_with(folder)));
    let places = above.map(|above| above.join(ANSWERS));
    places.into_iter().find(|place| source::is_file(place)).unwrap_or_else(|| folder.unwrap_or(own).join(ANSWERS))
}

/// The answers that stand in a file.
fn read_answers(place: &Path, report: &mut Report) -> Option<Answers> {
    let file = source::foreign(place).map_err(|problem| report.push(problem)).ok()?;
    Answers::read(&Arc::new(file.text), report)
}

/// A name that none of the records has: one file may hold more than two workloads of one subject.
fn apart(name: &str, made: &[Imported]) -> String {
    let is_free = |name: &String| made.iter().all(|known| known.id != *name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
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

/// What a set says of one stream by its context, beside its record.
fn kv_note(set: &Set, mut front_matter: Value, id: String) -> Imported {
    front_matter["sources"] = note::sources(set.origins.iter().map(AsRef::as_ref));
    let text = written::markdown(&front_matter, &note::body(set, kv_note::METHOD));
    let made_of = set.origins.iter().map(|origin| origin.file.clone()).collect();
    Imported { id, files: vec![NewFile { kind: Kind::KvEfficiency, text }], made_of, remarks: Vec::new() }
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
        if let Some(speculation) = set.configs.iter().find_map(|config| config.run.speculation.as_ref()) {
            let reason = "the result file counts accepted tokens";
            front_matter["speculative_decoding"] = json!({"value": speculation, "basis": "stated", "reason": reason});
        }
        let note = written::markdown(&front_matter, &note::body(set, ""));
        let record = written::json(&run_record::record(set, &id));
        vec![NewFile { kind, text: record }, NewFile { kind: Kind::CuratorNote, text: note }]
    };
    let made_of = set.origins.iter().map(|origin| origin.file.clone()).collect();
    Imported { id, files, made_of, remarks: set.remarks() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::measured::Measured;

    /// A run of a folder with a window, and a log that belongs to runs at its time.
    fn gathered(window: (f64, f64)) -> Gathered {
        let run = Measured { window_unix_s: Some(window), ..Measured::default() };
        let found = Found { run, origins: BTreeSet::new(), folder: PathBuf::from("a"), price: None };
        let answered = Answered {
            found,
            path: PathBuf::from("a/run.json"),
            place: PathBuf::from("a/import.toml"),
            answers: Arc::default(),
        };
        Gathered { runs: vec![answered], ..Gathered::default() }
    }

    fn log(within: Option<&str>) -> Added {
        let join = |run: &mut Measured| {
            let of = run.window_unix_s.is_some_and(|(start, _)| start == 5.0);
            if of {
                run.duration_s = Some(1.0);
            }
            of
        };
        Added {
            addition: Addition { what: "a power log", join: Box::new(join) },
            path: PathBuf::from("a/power.csv"),
            within: within.map(PathBuf::from),
            origin: Arc::new(Origin { format: "x", file: "power.csv".to_owned(), sha256: String::new() }),
        }
    }

    #[test]
    fn what_a_file_adds_goes_to_the_runs_it_is_of() {
        let mut report = Report::new();
        let mut joined = gathered((5.0, 6.0));
        joined.add(log(None), &mut report);
        assert!(report.is_empty());
        let found = &joined.runs[0].found;
        assert_eq!((found.run.duration_s, found.origins.len()), (Some(1.0), 1));

        let mut alone = gathered((7.0, 8.0));
        alone.add(log(Some("a")), &mut report);
        assert_eq!((alone.passed_over.len(), report.errors()), (1, 0));
        alone.add(log(None), &mut report);
        let said: Vec<_> = report.diagnostics().map(|one| one.message.as_str()).collect();
        assert_eq!(said, ["no result of its own: a power log, of no result beside it"]);
    }
}
