//! Small notes, made up, and the records that they become.

use super::*;
use crate::import::answers::Answers;

const TEXT: &str = "id\nkv-efficiency/some-note\nModel\nTest-8B (models/test-8b; 16 layers)\nKV bytes basis\nGeometry alone: \
16 layers x 4 = 64 B/token.\nbf16\nDraft model\nnone to speak of\nMethodology\nOne card, dated 2026-09-02.\nTwice [a](b).\n\
notes\nA 2x on one prompt. Confidence 0.62 because the post names no build. More to come.\n";

const ANSWERS: &str = "published = \"2026-09-02\"\n[note]\ntechnique = \"prefix_caching\"\n";

fn notes(path: &str, text: &str) -> Vec<StatedNote> {
    let file = Foreign::of(path, text);
    assert!(NoteText.recognises(&file), "{text}");
    NoteText.read(&file, &mut Report::new()).expect("it is a note").notes
}

fn open(note: &StatedNote) -> Vec<String> {
    Answers::open_in_note(note).filter(|question| question.without.is_none()).map(|question| question.path()).collect()
}

fn answers(text: &str) -> Answers {
    Answers::read(&std::sync::Arc::new(crate::diagnostic::SourceText::new("import.toml", text)), &mut Report::new())
        .expect("good answers")
}

#[test]
fn the_text_form_is_a_note_once_what_it_lacks_is_answered() {
    let mut note = notes("a.txt", TEXT).remove(0);
    assert_eq!(open(&note), ["published", "note.technique"]);
    answers(ANSWERS).fill_note(&mut note);
    assert_eq!(open(&note), [""; 0]);
    let record = note.record();
    let mut report = Report::new();
    assert!(record.fits(&mut report), "{report:?}");
    assert_eq!(record.id, "some-note");
    assert_eq!(record.remarks, ["no field of a note: draft_model: none to speak of"]);
    let text = &record.files[0].text;
    for part in [
        "name: Test-8B",
        "Geometry alone: 16 layers x 4 = 64 B/token. bf16",
        "confidence: 0.62",
        "the post names no build\n",
        "no_card:",
        "\nTwice \\[a\\](b).\n",
        "A 2x on one prompt.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("variants"), "{text}");
}

#[test]
fn a_row_of_a_table_is_a_note_and_an_empty_cell_is_absent() {
    let head = "id,Model,KV bytes basis,published,technique,hardware,context_tokens,measured_ttft_ms_at_ctx,\
                measured_tps_at_ctx,confidence,confidence reason,hit rate\n";
    let rows = "a,Test-8B,geometry,2026-09-02,paging,RTX 5090,\"150,000\",2300,,0.5,One run.,93.5\n\
                b,Test-8B,geometry,yesterday,,,,n/a,-,,,\n";
    let notes = notes("a.csv", &format!("{head}{rows}"));
    let record = notes[0].record();
    let mut report = Report::new();
    assert!(record.fits(&mut report), "{report:?}");
    let text = &record.files[0].text;
    for part in [
        "accelerator: RTX 5090",
        "context_tokens: 150000",
        "measured_ttft_ms_at_ctx: 2300",
        "measured_tps_at_ctx: null",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(record.remarks, ["no field of a note: hit_rate: 93.5"]);
    assert_eq!(open(&notes[1]), ["published", "note.technique", "note.confidence", "note.confidence_reason"]);
    let second = notes[1].record();
    assert!(!second.files[0].text.contains("variants"));
    assert_eq!(second.remarks, ["published is no day in the file: yesterday"]);

    let mut report = Report::new();
    assert!(NoteText.read(&Foreign::of("a.csv", format!("{head}a,Test-8B")), &mut report).is_none());
    assert!(report.diagnostics().any(|one| one.message.ends_with("the end of the file is missing")), "{report:?}");
}

#[test]
fn prose_and_other_tables_are_no_notes() {
    for text in ["", "id\n", "id\nx\nModel\ny\n", "The id\nModel\nKV bytes basis\n", "id,model,x\n1,2,3\n"] {
        assert!(!NoteText.recognises(&Foreign::of("a.txt", text)), "{text}");
    }
}
