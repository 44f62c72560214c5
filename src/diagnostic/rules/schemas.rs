//! Rules of the shape of a record, and of the program's own schemas.

use super::rules;

rules! {
    /// A field has a name that this kind of record does not know.
    SCHEMA_UNKNOWN_FIELD = Error "schema/unknown-field", Run;
    why "A misspelt field would be left out, and its value never take effect.";
    bad r#""configs": [{"label": "a", "repeets": 2}]"#;
    good r#""configs": [{"label": "a", "repeats": 2}]"#;

    /// A field that every record of this kind has is missing.
    SCHEMA_MISSING_FIELD = Error "schema/missing-field", Run;
    bad r#""hardware": {"accelerator": "H"}"#;
    good r#""hardware": {"accelerator": "H", "count": 1}"#;

    /// A value is of another type than its field.
    SCHEMA_TYPE = Error "schema/type", Run;
    bad r#""configs": [{"label": "a", "goodput_tok_s": "fast"}]"#;
    good r#""configs": [{"label": "a", "goodput_tok_s": 4740.3}]"#;

    /// A value is none of those that its field can have.
    SCHEMA_ENUM = Error "schema/enum", Run;
    bad r#""power": {"kind": "bord"}"#;
    good r#""power": {"kind": "board"}"#;

    /// A value is not the one that its field must have.
    SCHEMA_CONST = Error "schema/const", Schema;
    bad r#"2, where {"const": 1}"#;
    good r#"1, where {"const": 1}"#;

    /// A text is no date or no web address, as its field must be.
    SCHEMA_FORMAT = Error "schema/format", Run;
    bad r#""published": "2026-02-29""#;
    good r#""published": "2026-02-28""#;

    /// A text does not have the form that its field asks for.
    SCHEMA_PATTERN = Error "schema/pattern", CuratorNote;
    bad "model: M, the large one";
    good "model: models/m";

    /// A number is smaller or larger than its field can be.
    SCHEMA_RANGE = Error "schema/range", Run;
    bad r#""configs": [{"label": "a", "mbu_pct": -3}]"#;
    good r#""configs": [{"label": "a", "mbu_pct": 60.7}]"#;

    /// An interval begins with its higher end.
    SCHEMA_INTERVAL = Error "schema/interval", KvEfficiency;
    bad "hit_rates:\n  - {key: days, subject: a, kind: aggregate, rate_pct: [45, 43], of: all prompt tokens}";
    good "hit_rates:\n  - {key: days, kind: aggregate, rate_pct: [43, 45], of: all prompt tokens}";

    /// A text or a list is too short or too long.
    SCHEMA_LENGTH = Error "schema/length", Audit;
    bad "configs: []";
    good "configs: [{key: a, capacity: none passed}]";

    /// A list holds the same item twice.
    SCHEMA_UNIQUE = Error "schema/unique", CuratorNote;
    bad "varies: [prefix_share, prefix_share]";
    good "varies: [prefix_share]";

    /// A value fits several forms of which it may have one.
    SCHEMA_ONE_OF = Error "schema/one-of", Schema;
    bad r#"1, where {"oneOf": [{"minimum": 0}, {"maximum": 2}]}"#;
    good r#"3, where {"oneOf": [{"minimum": 0}, {"maximum": 2}]}"#;

    /// A value is one that its field excludes.
    SCHEMA_NOT = Error "schema/not", Schema;
    bad r#"0, where {"not": {"const": 0}}"#;
    good r#"1, where {"not": {"const": 0}}"#;

    /// A value does not fit its field in some other way.
    SCHEMA_VALUE = Error "schema/value", Schema;
    bad r#"["a"], where {"contains": {"const": "b"}}"#;
    good r#"["b"], where {"contains": {"const": "b"}}"#;

    /// A record fits its schema and cannot be read, which is a fault of this program.
    RECORD_DECODE = Error "record/decode", Schema;
    bad r#"a field that the schema says is {} and the program reads as a number"#;
    good r#"a field that both say is a number"#;

    /// The id of a record is not the name of its file.
    ID_PATH = Error "id/path", Run;
    bad r#""id": "y""#;
    good r#""id": "x""#;

    /// A schema of the program does not say what it is called.
    SCHEMA_FILE_ID = Error "schema-file/id", Schema;
    bad r#"{"type": "object"}"#;
    good r#"{"$id": "https://results-site.example/schemas/run.json", "type": "object"}"#;

    /// A schema of the program refers to what is not in it.
    SCHEMA_FILE_REFERENCE = Error "schema-file/reference", Schema;
    why "No schema is ever fetched from the network.";
    bad r#"{"$ref": "https://example.invalid/x.json"}"#;
    good r##"{"$ref": "#/$defs/line"}"##;

    /// A schema of the program is no schema.
    SCHEMA_FILE_INVALID = Error "schema-file/invalid", Schema;
    bad r#"{"type": "nubmer"}"#;
    good r#"{"type": "number"}"#;

    /// A schema of the program has a keyword or a gap that would let records pass unchecked.
    SCHEMA_FILE_LINT = Error "schema-file/lint", Schema;
    bad r#"{"type": "number", "minimun": 0}"#;
    good r#"{"type": "number", "minimum": 0}"#;

    /// A kind of content has no schema in the program.
    SCHEMA_FILE_MISSING = Error "schema-file/missing", Schema;
    bad "a program built without schemas/run.json";
    good "a program built with schemas/run.json";
}
